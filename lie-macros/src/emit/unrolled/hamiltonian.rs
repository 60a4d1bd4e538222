//! The Hamiltonian on the cotangent bundle: implementations of `HamiltonianSystem`, `LegendreTransform` and `LiftedHamiltonian`.

use proc_macro2::{Literal, TokenStream};
use quote::quote;

use crate::emit::environment::Home;
use crate::emit::kernels::{into, stores, value};
use crate::emit::names::{ident, own};
use crate::emit::structs::group_type;
use crate::emit::system::{lift, lift_configuration};
use crate::emit::{configuration, names};
use crate::model::{Configuration, Group, Member, Model};
use crate::plan::{KernelId, Plan, Term};

/// The name of the group that moves configurations with spheres.
const MOTIONS: &str = "__Motions";

/// The members of the group that moves configurations: a sphere is moved by rotations.
fn motions(model: &Model) -> Vec<Member> {
    let rotations = Group::named("SO3").unwrap_or_else(|| bug!("rotations are a group"));
    let moved_by = |member: &Member| {
        let group = if member.group.has_sphere() { rotations } else { member.group };
        Member { group, ..member.clone() }
    };
    model.configuration.members.iter().map(moved_by).collect()
}

fn has_spheres(model: &Model) -> bool {
    model.configuration.members.iter().any(|member| member.group.has_sphere())
}

/// The group of motions of a configuration with spheres: a struct beside the configuration.
pub(in crate::emit) fn group_of_motions(plan: &Plan<'_>) -> Option<TokenStream> {
    let (term, _) = plan.unrolled()?;
    term.equations.legendre.as_ref().ok().filter(|_| has_spheres(plan.model))?;
    let name = ident(MOTIONS);
    let s = names::local("S");
    let fields = motions(plan.model).into_iter().map(|member| {
        let (name, ty) = (&member.name, group_type(member.group, &quote!(#s)));
        match member.count {
            Some(count) => {
                let count = Literal::usize_unsuffixed(count);
                quote!(pub #name: [#ty; #count])
            }
            None => quote!(pub #name: #ty),
        }
    });
    Some(quote! {
        #[doc(hidden)]
        #[derive(::core::clone::Clone, ::core::marker::Copy, ::core::fmt::Debug)]
        pub struct #name<#s: ::lie_runtime::scalar::Scalar> { #(#fields),* }
    })
}

/// Configurations with spheres as points that their group of motions moves from the left; others are groups, which act on
/// themselves.
fn moved_from_the_left(model: &Model) -> TokenStream {
    if !has_spheres(model) {
        return quote!();
    }
    let (configuration, group) = (&own(&model.configuration.item.ident), &own(&ident(MOTIONS)));
    let moved = model.configuration.members.iter().map(|member| {
        let name = &member.name;
        quote!(#name: rt::HomogeneousSpace::moved_by(&self.#name, &g.#name))
    });
    let item = syn::ItemStruct { ident: ident(MOTIONS), ..model.configuration.item.clone() };
    let operations = configuration::as_product(&Configuration::of(item, motions(model)));
    quote! {
        #operations
        impl<S: Scalar> rt::HomogeneousSpace for #configuration<S> {
            type Scalar = S;
            type Group = #group<S>;

            #[inline]
            fn moved_by(&self, g: &#group<S>) -> Self {
                #configuration { #(#moved),* }
            }
            fn distance(&self, other: &Self) -> f64 {
                rt::ConfigurationSpace::distance(&rt::FixedSpace::<Self, __DOF>::NEW, self, other)
            }
            fn is_finite(&self) -> bool {
                rt::ConfigurationSpace::is_finite(&rt::FixedSpace::<Self, __DOF>::NEW, self)
            }
            fn membership_defect(&self) -> f64 {
                rt::ConfigurationSpace::worst_member(&rt::FixedSpace::<Self, __DOF>::NEW, self)
                    .map_or(0.0, |member| member.defect)
            }
            fn renormalize(&mut self) {
                rt::ConfigurationSpace::renormalize(&rt::FixedSpace::<Self, __DOF>::NEW, self);
            }
        }
    }
}

/// Where velocities are seen from, and how that place moves.
fn frame(model: &Model, group: &TokenStream) -> TokenStream {
    let configuration = &own(&model.configuration.item.ident);
    let (frame, turning) = if has_spheres(model) {
        let name = own(&ident(MOTIONS));
        let fields = model.configuration.members.iter().zip(motions(model)).map(|(member, moved)| {
            let name = &member.name;
            if !member.group.has_sphere() {
                return quote!(#name: q.#name);
            }
            let ty = group_type(moved.group, &quote!(S));
            let identity = quote!(<#ty as LieGroup>::exp(&rt::zeros()));
            match member.count {
                Some(_) => quote!(#name: ::core::array::from_fn(|_| #identity)),
                None => quote!(#name: #identity),
            }
        });
        let (offsets, _) = model.offsets();
        let spheres = model.configuration.members.iter().zip(offsets).filter(|(member, _)| member.group.has_sphere());
        let at_rest = spheres.map(|(member, first)| {
            let (first, rows) =
                (Literal::usize_unsuffixed(first), Literal::usize_unsuffixed(3 * member.count.unwrap_or(1)));
            quote!(velocity.rows_mut(#first, #rows).fill(<S as Scalar>::from_f64(0.0));)
        });
        (quote!(#name { #(#fields),* }), quote!(let mut velocity = *velocity; #(#at_rest)* velocity))
    } else {
        (quote!(Clone::clone(q)), quote!(*velocity))
    };
    quote! {
        fn frame(&self, q: &#configuration<S>) -> #group {
            #frame
        }
        fn frame_velocity(&self, velocity: &SVector<S, __DOF>) -> SVector<S, __DOF> {
            #turning
        }
    }
}

/// The implementations, if the declaration has a Hamiltonian.
pub(super) fn emit(plan: &Plan<'_>, term: &Term) -> Option<TokenStream> {
    term.equations.legendre.as_ref().ok()?;
    let configuration = &own(&plan.model.configuration.item.ident);
    let dof = term.dof();
    let kernel = |outputs| stores(term, Home::System, outputs, into("out"));
    let hamiltonian = value(term, Home::System, KernelId::Hamiltonian);
    let derivatives = term.kernels.outputs(KernelId::HamiltonianDerivatives);
    let velocity = kernel(&derivatives[..dof]);
    let (to_velocity, to_force) = (into("velocity"), into("force"));
    let both = stores(term, Home::System, derivatives, |at, value| {
        if at < dof { to_velocity(at, value) } else { to_force(at - dof, value) }
    });
    let momentum = kernel(term.kernels.outputs(KernelId::SpatialMomentum));
    let body_velocity = kernel(term.kernels.outputs(KernelId::BodyVelocity));
    let mass_inverse = if term.equations.inertia.is_constant {
        quote!(let mass_inverse = &self.mass_inverse;)
    } else {
        quote! {
            let mut mass_inverse = rt::MechanicalSystem::zero_mass(self);
            rt::MechanicalSystem::mass(self, <S as Scalar>::from_f64(0.0), q, &mut mass_inverse)?;
        }
    };
    let (lift, lift_configuration) = (lift(plan), lift_configuration(plan.model, &quote!(S)));
    let group = if has_spheres(plan.model) { own(&ident(MOTIONS)) } else { configuration.clone() };
    let group = quote!(#group<S>);
    let (moved, frame) = (moved_from_the_left(plan.model), frame(plan.model, &group));
    Some(quote! {
        #moved
        impl<S: Scalar> rt::HamiltonianSystem for System<S> {
            type Scalar = S;
            type Point = #configuration<S>;

            #[inline]
            fn zero(&self) -> SVector<S, __DOF> {
                rt::zeros()
            }
            fn hamiltonian(&self, q: &#configuration<S>, mu: &SVector<S, __DOF>) -> S {
                let v = rt::velocity_or_nan(self, q, mu);
                #hamiltonian
            }
            #[inline]
            fn velocity(&self, q: &#configuration<S>, mu: &SVector<S, __DOF>, out: &mut SVector<S, __DOF>) {
                let v = rt::velocity_or_nan(self, q, mu);
                #velocity
            }
            #[inline]
            fn force(&self, q: &#configuration<S>, mu: &SVector<S, __DOF>, out: &mut SVector<S, __DOF>) {
                rt::force_or_nan(self, q, mu, out);
            }
            #[inline]
            fn derivatives(
                &self,
                q: &#configuration<S>,
                mu: &SVector<S, __DOF>,
                velocity: &mut SVector<S, __DOF>,
                force: &mut SVector<S, __DOF>,
            ) -> Result<(), rt::StepFailure> {
                let v = rt::velocity_of_momentum(self, q, mu)?;
                #both
                Ok(())
            }
            fn check_declaration(&self, q: &#configuration<S>, mu: &SVector<S, __DOF>) -> Result<(), rt::DeclarationError> {
                let v = rt::velocity_or_nan(self, q, mu);
                rt::MechanicalSystem::check_against_declaration(self, <S as Scalar>::from_f64(0.0), q, &v)
            }
        }
        impl<S: Scalar> rt::LegendreTransform for System<S> {
            fn momentum(&self, q: &#configuration<S>, v: &SVector<S, __DOF>) -> SVector<S, __DOF> {
                let mut out: SVector<S, __DOF> = rt::zeros();
                #momentum
                out
            }
            #[inline]
            fn body_velocity(
                &self,
                q: &#configuration<S>,
                mu: &SVector<S, __DOF>,
            ) -> Result<SVector<S, __DOF>, rt::SaddleError> {
                #mass_inverse
                let mut out: SVector<S, __DOF> = rt::zeros();
                #body_velocity
                Ok(out)
            }
            #frame
        }
        impl<S: Scalar> rt::LiftedHamiltonian for System<S> {
            type Lifted = System<rt::Dual<S>>;

            #lift
            #lift_configuration
        }
    })
}
