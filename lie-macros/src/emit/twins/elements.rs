//! `Twin` of a system over chains: a term for each element.

use proc_macro2::{Ident, Literal, TokenStream};
use quote::{format_ident, quote};

use super::declared::{Declared, axial_energy};
use crate::emit::elements::arguments::{Names, given, velocities};
use crate::emit::elements::{Context, Kind, over, slots, type_name};
use crate::emit::environment::{Home, hoisted_field};
use crate::emit::names::own;
use crate::emit::{Environment, parameters};
use crate::model::{Argument, RoleFunction};

fn n(value: usize) -> Literal {
    Literal::usize_unsuffixed(value)
}

/// One arm for each kind of elements.
fn by_kind(context: &Context<'_>, system: &TokenStream, none: &TokenStream, arms: &[TokenStream]) -> TokenStream {
    let numbers = context.kinds.iter().map(|kind| n(kind.number));
    quote! {
        let Some((kind, place)) = rt::chain_element(#system.structure.layout(), term) else { return #none };
        match kind {
            #(#numbers => { #arms })*
            _ => #none,
        }
    }
}

/// The axial energy of a kind as a function.
fn axial_function(context: &Context<'_>, kind: &Kind<'_>) -> Option<(Ident, TokenStream)> {
    let names = Environment { model: &kind.element.model, home: Home::Element(kind.number) };
    let body = axial_energy(kind.equations, &names)?;
    let name = format_ident!("axial_energy_{}", kind.number);
    let configuration = &own(&context.model.configuration.item.ident);
    let (members, size) = (slots(context, kind), n(kind.element.model.configuration.dof()));
    let function = quote! {
        fn #name<S: Scalar>(
            system: &System<S>, place: &rt::Place<'_>, t: S, q: &#configuration<S>, v: &SVector<S, #size>,
        ) -> S {
            #members
            #body
        }
    };
    Some((name, function))
}

/// The bodies of the methods, kind by kind.
#[derive(Default)]
struct Arms {
    rate_gradient: Vec<TokenStream>,
    rates: Vec<TokenStream>,
    kinetic: Vec<TokenStream>,
    potential: Vec<TokenStream>,
    dissipation: Vec<TokenStream>,
    forces: Vec<TokenStream>,
    spatial: Vec<TokenStream>,
    constraints: Vec<TokenStream>,
    quantities: Vec<TokenStream>,
}

impl Arms {
    fn add(&mut self, context: &Context<'_>, kind: &Kind<'_>, axial: Option<&Ident>) {
        let declared = Declared {
            model: &kind.element.model,
            equations: kind.equations,
            argument: &|_: &RoleFunction, argument: &Argument| given(kind, argument, &quote!(lifted)),
            rate_argument: &|_: &RoleFunction, argument: &Argument| given(kind, argument, &quote!(self)),
            rate_velocities: &|function: &RoleFunction| match &function.over {
                Some(over) => {
                    let all = (0..over.len()).map(|at| velocities(kind, at));
                    quote!(#(#all),*)
                }
                None => quote!(&self.velocity(v)),
            },
        };
        let Names { members, velocities } = Names::new(context, kind, &quote!(Dual<S>));
        let of_state = |body: TokenStream| quote!(#members #velocities #body);
        let of_configuration = |body: TokenStream| quote!(#members #body);
        let axial = axial.map(|name| quote!(#name(lifted, &place, t, q, &own)));
        self.kinetic.push(of_state(declared.kinetic_energy(axial.as_ref())));
        self.potential.push(of_configuration(declared.potential_energy()));
        self.dissipation.push(of_state(declared.dissipation()));
        self.forces.push(of_state(declared.forces()));
        self.spatial.push(of_state(declared.spatial_forces()));
        self.constraints.push(of_state(declared.constraints()));
        self.quantities.push(of_configuration(declared.quantities()));
        let Names { members, velocities } = Names::new(context, kind, &quote!(S));
        let rates = declared.rates();
        self.rates.push(quote!(#members #velocities #rates));
        let element = type_name(kind.number);
        self.rate_gradient.push(quote! {
            #velocities
            let mut local: <#element as rt::Element<System<S>>>::Jacobian = rt::Block::zeros();
            <#element as rt::Element<System<S>>>::rate_gradient(self, &place, t, q, &own.into(), &mut local);
            out.copy_from_slice(&local);
        });
    }
}

/// ``` `elastic`, `viscous` over frames.windows(2)```.
fn name(context: &Context<'_>, kind: &Kind<'_>) -> String {
    let functions: Vec<String> =
        kind.element.model.functions.iter().map(|function| format!("`{}`", function.name)).collect();
    let selections: Vec<String> = kind.element.over.iter().map(|selection| over(context, selection)).collect();
    format!("{} over {}", functions.join(", "), selections.join(", "))
}

/// The implementation, to stand beside those of the kinds of elements.
#[allow(clippy::too_many_lines)] // One trait, method by method.
pub(in crate::emit) fn emit(context: &Context<'_>) -> TokenStream {
    let model = context.model;
    let configuration = &own(&model.configuration.item.ident);
    let mut arms = Arms::default();
    let mut axial_functions = Vec::new();
    for kind in &context.kinds {
        let axial = axial_function(context, kind);
        arms.add(context, kind, axial.as_ref().map(|(name, _)| name));
        axial_functions.extend(axial.map(|(_, function)| function));
    }
    let names = context.kinds.iter().map(|kind| name(context, kind));
    let of_self = |none: TokenStream, arms: &[TokenStream]| by_kind(context, &quote!(self), &none, arms);
    let of_lifted = |none: TokenStream, arms: &[TokenStream]| by_kind(context, &quote!(lifted), &none, arms);
    let zero = || quote!(rt::dual::<S>(0.0));
    let (rate_gradient, rates) = (of_self(quote!({}), &arms.rate_gradient), of_self(quote!({}), &arms.rates));
    let (kinetic, potential) = (of_lifted(zero(), &arms.kinetic), of_lifted(zero(), &arms.potential));
    let (dissipation, forces) = (of_lifted(zero(), &arms.dissipation), of_lifted(quote!({}), &arms.forces));
    let (spatial, constraints) = (of_lifted(quote!({}), &arms.spatial), of_lifted(quote!({}), &arms.constraints));
    let quantities = of_lifted(quote!({}), &arms.quantities);
    let members = model.configuration.members.iter().map(|member| {
        let name = &member.name;
        if member.is_chain {
            quote!(#name: q.#name.iter().map(|member| rt::Lift::<S>::lift(*member)).collect())
        } else {
            quote!(#name: rt::Lift::<S>::lift(q.#name))
        }
    });
    let parameters = parameters::lifted(model);
    let hoisted = context.kinds.iter().map(|kind| {
        let name = hoisted_field(kind.number);
        quote!(#name: rt::Lift::<S>::lift(self.#name),)
    });
    quote! {
        use ::lie_runtime::scalar::Dual;
        /// The functions of each kind of elements and what they run over.
        const NAMES: &[&str] = &[#(#names),*];
        #(#axial_functions)*
        impl<S: Scalar> rt::Twin for System<S> {
            type Lifted = System<Dual<S>>;

            fn lift(&self) -> System<Dual<S>> {
                System {
                    #parameters
                    #(#hoisted)*
                    structure: self.structure.lift(),
                    description: self.description.clone(),
                }
            }
            fn lift_configuration(&self, q: &#configuration<S>) -> #configuration<Dual<S>> {
                #configuration { #(#members),* }
            }
            fn lift_velocity(&self, v: &DVector<S>) -> DVector<Dual<S>> {
                v.map(|component| rt::Lift::<S>::lift(component))
            }
            fn coadjoint(&self, v: &DVector<S>, p: &DVector<S>, out: &mut DVector<S>) {
                rt::ElementSystem::coadjoint(self, v.as_slice(), p.as_slice(), out.as_mut_slice());
            }
            fn terms(&self) -> ::std::vec::Vec<rt::Term> {
                rt::chain_terms(self, NAMES)
            }
            fn component_name(&self, component: usize) -> ::std::string::String {
                rt::chain_component_name(self.structure.layout(), component)
            }
            fn row_name(&self, row: usize) -> ::std::string::String {
                rt::chain_row_name(self.structure.layout(), KINDS, &self.description, row)
            }
            fn rate_gradient(&self, term: usize, t: S, q: &#configuration<S>, v: &DVector<S>, out: &mut [S]) {
                #rate_gradient
            }
            fn quantity_rates(
                &self, term: usize, t: S, q: &#configuration<S>, v: &DVector<S>, visit: &mut dyn FnMut(&[S]),
            ) {
                #rates
            }
            fn declared_kinetic_energy(
                lifted: &Self::Lifted, term: usize, t: Dual<S>, q: &#configuration<Dual<S>>, v: &DVector<Dual<S>>,
            ) -> Dual<S> {
                #kinetic
            }
            fn declared_potential_energy(
                lifted: &Self::Lifted, term: usize, t: Dual<S>, q: &#configuration<Dual<S>>,
            ) -> Dual<S> {
                #potential
            }
            fn declared_dissipation(
                lifted: &Self::Lifted, term: usize, t: Dual<S>, q: &#configuration<Dual<S>>, v: &DVector<Dual<S>>,
            ) -> Dual<S> {
                #dissipation
            }
            fn declared_force(
                lifted: &Self::Lifted, term: usize, t: Dual<S>, q: &#configuration<Dual<S>>, v: &DVector<Dual<S>>,
                out: &mut [Dual<S>],
            ) {
                #forces
            }
            fn declared_spatial_forces(
                lifted: &Self::Lifted, term: usize, t: Dual<S>, q: &#configuration<Dual<S>>, v: &DVector<Dual<S>>,
                visit: &mut dyn FnMut(&[Dual<S>], &[Dual<S>]),
            ) {
                #spatial
            }
            fn declared_constraint(
                lifted: &Self::Lifted, term: usize, t: Dual<S>, q: &#configuration<Dual<S>>, v: &DVector<Dual<S>>,
                holonomic_only: bool, out: &mut [Dual<S>],
            ) {
                #constraints
            }
            fn declared_quantities(
                lifted: &Self::Lifted, term: usize, t: Dual<S>, q: &#configuration<Dual<S>>,
                visit: &mut dyn FnMut(&'static str, &[Dual<S>]),
            ) {
                #quantities
            }
        }
    }
}
