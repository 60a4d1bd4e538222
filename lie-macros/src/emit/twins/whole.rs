//! `Twin` of a system without elements: one term.

use proc_macro2::{Literal, TokenStream};
use quote::quote;

use super::declared::{Declared, axial_energy};
use crate::emit::algebra::{factors, part};
use crate::emit::environment::Home;
use crate::emit::names::own;
use crate::emit::structs::group_type;
use crate::emit::system::stores;
use crate::emit::{Context, Environment, lift, names};
use crate::model::{Argument, ArgumentKind, RoleFunction};
use crate::plan::KernelId;

/// The implementation, to stand beside the functions.
pub(in crate::emit) fn emit(context: &Context<'_>) -> TokenStream {
    let imports = names::imports();
    let implementation = implementation(context);
    quote! {
        #[allow(clippy::all, clippy::pedantic, unused, missing_docs)]
        const _: () = {
            #imports
            use ::lie_runtime::scalar::Dual;
            #implementation
        };
    }
}

/// What is given for an argument, with parameters that stand there.
fn given(argument: &Argument, parameters: &TokenStream) -> TokenStream {
    match argument.kind {
        ArgumentKind::Parameters => quote!(&#parameters),
        ArgumentKind::Time => quote!(t),
        ArgumentKind::Configuration => quote!(q),
        ArgumentKind::Velocity => quote!(&Velocity::from(own)),
        // A system without elements has none of these.
        _ => quote!(),
    }
}

#[allow(clippy::too_many_lines)] // One trait, method by method.
fn implementation(context: &Context<'_>) -> TokenStream {
    let model = context.model;
    let configuration = &own(&model.configuration.item.ident);
    let dof = context.equations.inertia.mass.len();
    let (columns, rows) =
        (Literal::usize_unsuffixed(dof), Literal::usize_unsuffixed(context.equations.constraints.rows()));
    let declared = Declared {
        model,
        equations: context.equations,
        argument: &|_: &RoleFunction, argument: &Argument| given(argument, &quote!(lifted.parameters)),
        rate_argument: &|_: &RoleFunction, argument: &Argument| given(argument, &quote!(self.parameters)),
        rate_velocities: &|_: &RoleFunction| quote!(&Velocity::from(own)),
    };
    let axial = axial_energy(context.equations, &Environment { model, home: Home::Argument }).map(|body| {
        let parameters = model.parameters.as_ref().map(|_| quote!(let parameters = &system.parameters;));
        quote! {
            fn axial_energy<S: Scalar>(system: &System<S>, t: S, q: &#configuration<S>, v: &SVector<S, __DOF>) -> S {
                #parameters
                #body
            }
        }
    });
    let axial_call = axial.as_ref().map(|_| quote!(axial_energy(lifted, t, q, v)));
    let (kinetic, potential) = (declared.kinetic_energy(axial_call.as_ref()), declared.potential_energy());
    let (dissipation, forces, spatial) = (declared.dissipation(), declared.forces(), declared.spatial_forces());
    let (constraints, quantities, rates) = (declared.constraints(), declared.quantities(), declared.rates());
    let rate_gradient = stores(context, context.kernels.outputs(KernelId::RateGradient), |at| {
        let at = Literal::usize_unsuffixed(at);
        quote!(out[#at])
    });
    let lift = lift::emit(context);
    let legendre = context.equations.legendre.is_ok().then(|| {
        quote! {
            fn legendre_transformed(
                &self, q: &#configuration<S>, v: &SVector<S, __DOF>,
            ) -> Option<rt::TransformedPoint<SVector<S, __DOF>>> {
                rt::legendre_transformed(self, q, v)
            }
        }
    });
    let coadjoint = factors(context).into_iter().map(|factor| {
        let ty = group_type(factor.group, &quote!(S));
        let offset = Literal::usize_unsuffixed(factor.offset);
        let (v, p) = (part(&quote!(v), &factor), part(&quote!(p), &factor));
        quote!(rt::set_part(out, #offset, &<#ty as Factor>::coadjoint(&#v, &#p));)
    });
    quote! {
        const __DOF: usize = #columns;
        const __ROWS: usize = #rows;
        #axial
        impl<S: Scalar> rt::Twin for System<S> {
            type Lifted = System<Dual<S>>;

            #lift
            fn lift_velocity(&self, v: &SVector<S, __DOF>) -> SVector<Dual<S>, __DOF> {
                rt::Lift::<S>::lift(*v)
            }
            fn coadjoint(&self, v: &SVector<S, __DOF>, p: &SVector<S, __DOF>, out: &mut SVector<S, __DOF>) {
                #(#coadjoint)*
            }
            #legendre
            fn rate_gradient(
                &self, term: usize, t: S, q: &#configuration<S>, v: &SVector<S, __DOF>, out: &mut [S],
            ) {
                #rate_gradient
            }
            fn quantity_rates(
                &self, term: usize, t: S, q: &#configuration<S>, v: &SVector<S, __DOF>, visit: &mut dyn FnMut(&[S]),
            ) {
                let own = *v;
                #rates
            }
            fn declared_kinetic_energy(
                lifted: &Self::Lifted, term: usize, t: Dual<S>, q: &#configuration<Dual<S>>, v: &SVector<Dual<S>, __DOF>,
            ) -> Dual<S> {
                let own = *v;
                #kinetic
            }
            fn declared_potential_energy(
                lifted: &Self::Lifted, term: usize, t: Dual<S>, q: &#configuration<Dual<S>>,
            ) -> Dual<S> {
                #potential
            }
            fn declared_dissipation(
                lifted: &Self::Lifted, term: usize, t: Dual<S>, q: &#configuration<Dual<S>>, v: &SVector<Dual<S>, __DOF>,
            ) -> Dual<S> {
                let own = *v;
                #dissipation
            }
            fn declared_force(
                lifted: &Self::Lifted, term: usize, t: Dual<S>, q: &#configuration<Dual<S>>, v: &SVector<Dual<S>, __DOF>,
                out: &mut [Dual<S>],
            ) {
                let own = *v;
                #forces
            }
            fn declared_spatial_forces(
                lifted: &Self::Lifted, term: usize, t: Dual<S>, q: &#configuration<Dual<S>>, v: &SVector<Dual<S>, __DOF>,
                visit: &mut dyn FnMut(&[Dual<S>], &[Dual<S>]),
            ) {
                let own = *v;
                #spatial
            }
            fn declared_constraint(
                lifted: &Self::Lifted, term: usize, t: Dual<S>, q: &#configuration<Dual<S>>, v: &SVector<Dual<S>, __DOF>,
                holonomic_only: bool, out: &mut [Dual<S>],
            ) {
                let own = *v;
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
