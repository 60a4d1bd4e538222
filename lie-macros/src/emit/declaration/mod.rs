//! The declared functions beside what was read of them: the implementation of the runtime's `Declared`.
//!
//! Of every function the expression that all kernels are derived from is printed once more, on `f64` and with the
//! function's own arguments. What is generated here shows both to the runtime, which compares them before a run.

mod frames;
mod terms;

use proc_macro2::{Ident, Literal, TokenStream};
use quote::{format_ident, quote};

use crate::emit::environment::{Home, slot};
use crate::emit::members::Members;
use crate::emit::names::own;
use crate::emit::parameters::parameters_are_generic;
use crate::emit::print::print;
use crate::emit::structs::group_type;
use crate::emit::system::vectors;
use crate::emit::{Environment, arguments, inputs, names};
use crate::graph::{Graph, Scalar};
use crate::model::{ArgumentKind, Model, Output, Role, RoleFunction};
use crate::plan::Plan;

/// What was read of one function.
struct Reading<'a> {
    /// The small model that it is a function of.
    model: &'a Model,
    number: usize,
    graph: &'a Graph,
    function: &'a RoleFunction,
    entries: &'a [Scalar],
    rate: Option<&'a [Scalar]>,
    power: Option<&'a [Scalar]>,
}

/// What a comparison is made of, at the place of a call.
struct Call<'a> {
    /// Statements that take members and velocities from `t`, `q` and `v`.
    names: &'a TokenStream,
    /// What the function itself is given.
    arguments: &'a [TokenStream],
    /// What the reading is given: the number of the member, the length of its chain, the members.
    numbers: [TokenStream; 2],
    members: &'a TokenStream,
    /// The number of the member, if there are many.
    element: TokenStream,
    /// The part of the velocity `own` that v makes, along which forces work on the energy v·∂L/∂v − L: all of it, but for what time
    /// moves by itself.
    along: TokenStream,
}

/// The reading as a function.
fn reading(name: &Ident, reading: &Reading<'_>, entries: &[Scalar]) -> TokenStream {
    let &Reading { model, number, graph, function, .. } = reading;
    let printed = print(graph, entries, None, &Environment { model, number, home: Home::Free });
    let (statements, outputs) = (&printed.statements, &printed.outputs);
    let parameters = model.parameters.as_ref().map(|parameters| {
        let ty = own(&parameters.item.ident);
        if parameters_are_generic(model) { quote!(parameters: &#ty<f64>,) } else { quote!(parameters: &#ty,) }
    });
    let inputs = takes_inputs(function).then(|| {
        let name = model.inputs.as_ref().map(|inputs| own(&inputs.item.ident));
        quote!(inputs: &#name<f64>,)
    });
    let configuration = &own(&model.configuration.item.ident);
    let body = quote! {
        #(#statements)*
        ::std::vec::Vec::from([#(#outputs),*])
    };
    let (members, body) = if sees_all(function) {
        (quote!(q: &#configuration<f64>,), Members::of_all(model).read_by(&body))
    } else {
        let groups = model.configuration.members.iter();
        let groups = groups.flat_map(|member| std::iter::repeat_n(member.group, member.count.unwrap_or(1)));
        let slots = groups.enumerate().map(|(at, group)| {
            let (slot, ty) = (slot(at), group_type(group, &quote!(f64)));
            quote!(#slot: &#ty,)
        });
        (quote!(#(#slots)*), body)
    };
    quote! {
        fn #name(#parameters #inputs t: f64, index: usize, length: usize, #members v: &[f64]) -> ::std::vec::Vec<f64> {
            type S = f64;
            #body
        }
    }
}

/// True of a function of the whole configuration.
fn sees_all(function: &RoleFunction) -> bool {
    function.over.is_none() && !matches!(function.role, Role::Kinematics)
}

/// True of a function that takes inputs.
fn takes_inputs(function: &RoleFunction) -> bool {
    function.arguments.iter().any(|argument| argument.kind == ArgumentKind::Inputs)
}

/// The readings of a function, and the statement that shows them and the function to `visit`.
fn comparison(read: &Reading<'_>, call: &Call<'_>) -> (TokenStream, TokenStream) {
    let Reading { function, model, entries, rate, power, .. } = read;
    let (name, text) = (&function.name, names::text(&function.name));
    let value = format_ident!("__read_{}", name);
    let mut functions = reading(&value, read, entries);
    let Call { names, arguments, numbers: [index, length], members, element, along } = call;
    let parameters = model.parameters.as_ref().map(|_| quote!(&self.parameters,));
    let inputs = takes_inputs(function).then(|| quote!(&inputs,));
    let given = quote!(#parameters #inputs t, #index, #length, #members own.as_slice());
    // Those of functions with inputs would be rates of whatever gives these.
    let rate = rate.filter(|_| !takes_inputs(function)).map(|rate| {
        let slope = format_ident!("__rate_of_{}", name);
        functions.extend(reading(&slope, read, rate));
        slope
    });
    let power = match power {
        Some(power) => {
            let name = format_ident!("__power_of_{}", name);
            functions.extend(reading(&name, read, power));
            quote!(Some(&|| rt::power_along(&#name(#given), #along.as_slice())))
        }
        None => quote!(None),
    };
    let is_element = matches!(function.output, Output::Element(_));
    let share = match function.role {
        Role::KineticEnergy => quote!(Kinetic),
        Role::MassMatrix => quote!(Mass(own.as_slice())),
        Role::Potential => quote!(Potential),
        _ => quote!(Other),
    };
    // Along a motion members and velocities are others.
    let moved = rate.as_ref().map(|_| {
        quote! {
            let (t, q, v) = rt::moved_along(self, (t, q, v), step);
            let (q, v) = (&q, &v);
            #names
        }
    });
    let rate = match rate {
        Some(slope) => quote!(Some(&|| #slope(#given))),
        None => quote!(None),
    };
    // The rate of an element is not that of its numbers: it is that of the displacement from where it is.
    let (rate, displacement) = if is_element && moved.is_some() {
        let displacement = quote! {
            visit(&rt::Comparison {
                function: #text,
                element: #element,
                share: rt::Share::Other,
                declared: &|step: f64| {
                    let before = self::#name(#(#arguments),*);
                    #moved
                    rt::displacement_between(&before, &self::#name(#(#arguments),*))
                },
                generated: &|| {
                    let before = self::#name(#(#arguments),*);
                    rt::displacement_between(&before, &before)
                },
                rate: #rate,
                power: None,
            });
        };
        (quote!(None), displacement)
    } else {
        (rate, quote!())
    };
    let statement = quote! {
        #displacement
        visit(&rt::Comparison {
            function: #text,
            element: #element,
            share: rt::Share::#share,
            declared: &|step: f64| {
                #moved
                rt::rows_of::<f64>(self::#name(#(#arguments),*))
            },
            generated: &|| #value(#given),
            rate: #rate,
            power: #power,
        });
    };
    (functions, statement)
}

/// The implementation.
pub(super) fn emit(plan: &Plan<'_>) -> TokenStream {
    let model = plan.model;
    let configuration = &own(&model.configuration.item.ident);
    let comparisons = plan.terms.iter().map(|term| terms::of_term(plan, term)).chain(frames::of_frames(plan));
    let (functions, body): (TokenStream, TokenStream) = comparisons.unzip();
    let change = model.parameters.as_ref().map(|_| {
        let parameters = inputs::changed(plan, &quote!(other.parameters));
        quote!(rt::change_parameters(#parameters, change);)
    });
    let [velocity, _] = vectors(plan, &quote!(f64));
    let called = called_by_number(plan);
    let inputs = model.inputs.as_ref().map(|_| quote!(let inputs = self.inputs_at(t, q, v);));
    // Inlined, so that a library of declarations does not compile for f64 what only a run with them asks for.
    quote! {
        #functions
        impl rt::Declared for System<f64> {
            #[inline]
            fn compare(
                &self,
                t: f64,
                q: &#configuration<f64>,
                v: &#velocity,
                visit: &mut dyn ::core::ops::FnMut(&rt::Comparison<'_>),
            ) {
                #inputs
                #body
            }
            #[inline]
            fn with_parameters(&self, change: &mut dyn ::core::ops::FnMut(f64) -> f64) -> Self {
                let mut other = self.clone();
                #change
                other
            }
            #called
        }
    }
}

/// The methods that call events and symmetries by their numbers, if there are any.
fn called_by_number(plan: &Plan<'_>) -> TokenStream {
    let model = plan.model;
    let configuration = &own(&model.configuration.item.ident);
    let [velocity, multipliers] = vectors(plan, &quote!(f64));
    let arms = |wanted: fn(&Role) -> bool, value: fn(TokenStream) -> TokenStream| {
        let arms = model.with_role(wanted).enumerate().map(|(number, function)| {
            let (number, value) = (n(number), value(arguments::called(function)));
            quote!(#number => #value,)
        });
        arms.collect::<Vec<_>>()
    };
    let events = arms(|role| matches!(role, Role::Event), |call| call);
    let events = (!events.is_empty()).then(|| {
        quote! {
            fn declared_event(
                &self,
                number: usize,
                t: f64,
                q: &#configuration<f64>,
                v: &#velocity,
                multipliers: &#multipliers,
            ) -> f64 {
                match number {
                    #(#events)*
                    _ => f64::NAN,
                }
            }
        }
    });
    let symmetries = arms(|role| matches!(role, Role::Symmetry), |call| quote!(Some(#call.into())));
    let symmetries = (!symmetries.is_empty()).then(|| {
        quote! {
            fn declared_symmetry(&self, number: usize, t: f64, q: &#configuration<f64>) -> Option<#velocity> {
                match number {
                    #(#symmetries)*
                    _ => None,
                }
            }
        }
    });
    quote!(#events #symmetries)
}

/// The method of a system by which a run finds its symmetries, if there are any.
pub(super) fn symmetry(plan: &Plan<'_>) -> Option<TokenStream> {
    plan.model.with_role(|role| matches!(role, Role::Symmetry)).next()?;
    let configuration = &own(&plan.model.configuration.item.ident);
    let [velocity, _] = vectors(plan, &quote!(S));
    Some(quote! {
        fn symmetry(&self, number: usize, t: S, q: &#configuration<S>) -> Option<#velocity> {
            rt::symmetry_in_f64::<Self, System<f64>>(self, number, t, q)
        }
    })
}

fn n(value: usize) -> Literal {
    Literal::usize_unsuffixed(value)
}
