//! Comparison of one function with its derived expression, for the arguments of one call.

use proc_macro2::{Ident, TokenStream};
use quote::{format_ident, quote};

use crate::backend::rust::codegen::environment::{Environment, Scope, slot};
use crate::backend::rust::codegen::group_elements::{element_of, group_type};
use crate::backend::rust::codegen::members::Members;
use crate::backend::rust::codegen::n;
use crate::backend::rust::codegen::names::{self, own};
use crate::backend::rust::codegen::print::print;
use crate::diff::DeclaredFunction;
use crate::model::{ArgumentKind, ForceTarget, Model, OutputShape, Role, RoleFunction};
use crate::scalar::{Graph, Scalar};
use crate::schedule::Term;

/// The derived expression of one function.
pub(super) struct DerivedFunction<'a> {
    /// The model of its arguments.
    pub model: &'a Model,
    pub number: usize,
    pub graph: &'a Graph,
    pub function: &'a RoleFunction,
    pub entries: &'a [Scalar],
    pub rate: Option<&'a [Scalar]>,
    pub power: Option<&'a [Scalar]>,
}

impl<'a> DerivedFunction<'a> {
    /// A function of a term. The velocity of a frame is not a function of its own position: the rates of functions of frames are not
    /// compared.
    pub fn of_term(term: &'a Term, declared: &'a DeclaredFunction, is_of_frames: bool) -> Self {
        Self {
            model: &term.model,
            number: term.number,
            graph: &term.equations.graph,
            function: &term.model.functions[declared.function],
            entries: &declared.entries,
            rate: declared.rate.as_deref().filter(|_| !is_of_frames),
            power: declared.power.as_deref(),
        }
    }
}

/// The parts of a comparison at one call.
pub(super) struct CallComparison<'a> {
    /// Statements that select members and velocities from `t`, `q` and `v`.
    pub names: &'a TokenStream,
    /// The arguments of the function.
    pub arguments: &'a [TokenStream],
    /// The additional arguments of the derived function: the index of the member, and the length of its chain.
    pub numbers: [TokenStream; 2],
    pub members: &'a TokenStream,
    /// The index of the member, if there are several.
    pub element: TokenStream,
    /// The part of the velocity `own` that follows from v. Forces do work along it on the energy v·∂L/∂v − L. It is `own` without
    /// prescribed motion.
    pub along: TokenStream,
}

/// Returns the name of the function with the derived value of a declared function.
fn value_name(function: &RoleFunction) -> Ident {
    format_ident!("__read_{}", function.name)
}

/// Returns a call of the derived value on numbers of type `s`; `members` are the members or the configuration, each with a comma. The
/// variables are `t`, `inputs`, and `place` and `own` of the element.
pub(crate) fn derived_call(
    model: &Model,
    function: &RoleFunction,
    s: &TokenStream,
    call: &DerivedCall<'_>,
) -> TokenStream {
    let DerivedCall { system, numbers: [index, length], members } = call;
    let name = value_name(function);
    let parameters = model.parameters.as_ref().map(|_| quote!(&#system.parameters,));
    let inputs = takes_inputs(function).then(|| quote!(&inputs,));
    let is_velocity =
        |kind| matches!(kind, ArgumentKind::Velocity | ArgumentKind::States | ArgumentKind::Velocities(_));
    let moves = function.arguments.iter().any(|argument| is_velocity(argument.kind));
    let velocity = if moves { quote!(own.as_slice()) } else { quote!(&[]) };
    quote!(#name::<#s>(#parameters #inputs t, #index, #length, #members #velocity))
}

/// The arguments of a derived value.
pub(crate) struct DerivedCall<'a> {
    pub system: TokenStream,
    pub numbers: [TokenStream; 2],
    pub members: &'a TokenStream,
}

/// Returns a value of this shape, and its type; `None` for components alone.
fn shaped(shape: Option<OutputShape>, components: &[TokenStream]) -> (TokenStream, TokenStream) {
    match shape {
        Some(OutputShape::Scalar) => (quote!(#(#components)*), quote!(S)),
        Some(OutputShape::Vector(rows)) => {
            let rows = n(rows);
            (quote!(SVector::<S, #rows>::from([#(#components),*])), quote!(SVector<S, #rows>))
        }
        Some(OutputShape::Matrix(rows, columns)) => {
            let (rows, columns) = (n(rows), n(columns));
            let ty = quote!(rt::SMatrix::<S, #rows, #columns>);
            (quote!(#ty::from_row_slice(&[#(#components),*])), ty)
        }
        Some(OutputShape::Element(group)) => (element_of(group, components), group_type(group, &quote!(S))),
        Some(OutputShape::Other) | None => {
            (quote!(::std::vec::Vec::from([#(#components),*])), quote!(::std::vec::Vec<S>))
        }
    }
}

/// Emits a derived expression as a function with a result of this shape.
fn derived_function(
    name: &Ident,
    derived: &DerivedFunction<'_>,
    entries: &[Scalar],
    shape: Option<OutputShape>,
) -> TokenStream {
    let &DerivedFunction { model, number, graph, function, .. } = derived;
    let printed = print(graph, entries, None, &Environment { model, number, scope: Scope::Free });
    let statements = &printed.statements;
    let (value, ty) = shaped(shape, &printed.outputs);
    let parameters = model.parameters.as_ref().map(|parameters| {
        let ty = own(&parameters.item.ident);
        if model.parameters_are_generic() { quote!(parameters: &#ty<S>,) } else { quote!(parameters: &#ty,) }
    });
    let inputs = takes_inputs(function).then(|| {
        let name = model.inputs.as_ref().map(|inputs| own(&inputs.item.ident));
        quote!(inputs: &#name<S>,)
    });
    let configuration = &own(&model.configuration.point());
    let body = quote! {
        #(#statements)*
        #value
    };
    let (members, body) = if sees_all(function) {
        (quote!(q: &#configuration<S>,), Members::of_all(model).read_by(&body))
    } else {
        let groups = model.configuration.members.iter();
        let groups = groups.flat_map(|member| std::iter::repeat_n(member.group, member.count.unwrap_or(1)));
        let slots = groups.enumerate().map(|(at, group)| {
            let (slot, ty) = (slot(at), group_type(group, &quote!(S)));
            quote!(#slot: &#ty,)
        });
        (quote!(#(#slots)*), body)
    };
    quote! {
        fn #name<S: Scalar>(#parameters #inputs t: S, index: usize, length: usize, #members v: &[S]) -> #ty {
            #body
        }
    }
}

/// Returns true for a function of the whole configuration.
pub(crate) fn sees_all(function: &RoleFunction) -> bool {
    function.over.is_none() && !matches!(function.role, Role::Kinematics)
}

/// Returns true for a function with inputs.
fn takes_inputs(function: &RoleFunction) -> bool {
    function.arguments.iter().any(|argument| argument.kind == ArgumentKind::Inputs)
}

/// Emits the derived functions of a declared function, and the statement that passes both to `visit`.
pub(super) fn comparison(derived: &DerivedFunction<'_>, call: &CallComparison<'_>) -> (TokenStream, TokenStream) {
    let DerivedFunction { function, model, entries, rate, power, .. } = derived;
    let (name, text) = (&function.name, names::text(&function.name));
    let value = value_name(function);
    let mut functions = derived_function(&value, derived, entries, Some(function.output));
    let CallComparison { names, arguments, numbers: [index, length], members, element, along } = call;
    let parameters = model.parameters.as_ref().map(|_| quote!(&self.parameters,));
    let inputs = takes_inputs(function).then(|| quote!(&inputs,));
    let given = quote!(#parameters #inputs t, #index, #length, #members own.as_slice());
    // The rates of functions with inputs would include the rates of the inputs.
    let rate = rate.filter(|_| !takes_inputs(function)).map(|rate| {
        let slope = format_ident!("__rate_of_{}", name);
        functions.extend(derived_function(&slope, derived, rate, None));
        slope
    });
    let power = match power {
        Some(power) => {
            let name = format_ident!("__power_of_{}", name);
            functions.extend(derived_function(&name, derived, power, None));
            quote!(Some(&|| rt::power_along(&#name(#given), #along.as_slice())))
        }
        None => quote!(None),
    };
    let is_element = matches!(function.output, OutputShape::Element(_));
    let share = match function.role {
        Role::KineticEnergy => quote!(Kinetic),
        Role::MassMatrix => quote!(Mass(own.as_slice())),
        Role::Potential => quote!(Potential),
        Role::Force(ForceTarget::States) => quote!(States),
        _ => quote!(Other),
    };
    // Along a motion, members and velocities are different ones.
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
    let compared = |share: TokenStream, [declared, generated]: [TokenStream; 2], [rate, power]: [TokenStream; 2]| {
        quote! {
            visit(&rt::FunctionComparison {
                function: #text,
                element: #element,
                share: rt::EnergyContribution::#share,
                declared: &|step: f64| { #declared },
                generated: &|| #generated,
                rate: #rate,
                power: #power,
            });
        }
    };
    let declared = quote!(self::#name(#(#arguments),*));
    // The rate of an element is the rate of its displacement, instead of the rate of its scalars.
    let (rate, displacement) = if is_element && moved.is_some() {
        let along = quote! {
            let before = #declared;
            #moved
            rt::displacement_between(&before, &#declared)
        };
        let none = quote! {
            {
                let before = #declared;
                rt::displacement_between(&before, &before)
            }
        };
        (quote!(None), compared(quote!(Other), [along, none], [rate, quote!(None)]))
    } else {
        (rate, quote!())
    };
    let result = match function.role {
        Role::Force(ForceTarget::States) => {
            let rows = n(entries.len());
            quote!(SVector::<f64, #rows>::from(#declared))
        }
        _ => declared,
    };
    let values = [quote!(#moved rt::rows_of::<f64>(#result)), quote!(rt::rows_of::<f64>(#value(#given)))];
    let comparison = compared(share, values, [rate, power]);
    let statement = quote!(#displacement #comparison);
    (functions, statement)
}
