//! The Hamiltonian on the cotangent bundle: implementations of `HamiltonianSystem` and `LegendreTransform`.

use proc_macro2::TokenStream;
use quote::quote;

use crate::backend::rust::codegen::environment::Scope;
use crate::backend::rust::codegen::names::own;
use crate::backend::rust::terms::kernels::{self, into, stores, value};
use crate::model::Model;
use crate::schedule::{KernelId, Plan, Term};

/// Emits the left action on configurations with spheres; other configurations are groups, which act on themselves.
fn moved_from_the_left(model: &Model) -> Option<TokenStream> {
    let has_spheres = model.configuration.members.iter().any(|member| member.group.has_sphere());
    let configuration = &own(&model.configuration.point());
    has_spheres.then(|| {
        quote! {
            impl<S: Scalar> rt::LeftAction for #configuration<S> {
                type Scalar = S;
                type Algebra = SVector<S, __DOF>;
            }
            impl<S: Scalar> rt::OnCotangent for System<S> {
                type Space = rt::FixedSpace<#configuration<S>, __DOF>;
                type Workspace = ();

                #[inline(always)]
                fn left_space(&self) -> &Self::Space {
                    rt::MechanicalSystem::space(self)
                }
                fn workspace(&self) {}
                #[inline(always)]
                fn evaluate(
                    &self,
                    q: &#configuration<S>,
                    mu: &SVector<S, __DOF>,
                    _: &mut (),
                    velocity: &mut SVector<S, __DOF>,
                    force: &mut SVector<S, __DOF>,
                ) -> Result<(), rt::StepFailure> {
                    rt::HamiltonianSystem::derivatives(self, q, mu, velocity, force)
                }
                #[inline(always)]
                fn evaluate_at_velocity(
                    &self,
                    q: &#configuration<S>,
                    velocity: &SVector<S, __DOF>,
                    _: &mut (),
                    mu: &mut SVector<S, __DOF>,
                    force: &mut SVector<S, __DOF>,
                ) {
                    rt::HamiltonianSystem::at_velocity(self, q, velocity, mu, force);
                }
                fn coupling(&self) -> rt::Coupling {
                    rt::Coupling::dense()
                }
            }
        }
    })
}

/// Emits a method body of the system: the results of a kernel of the term, after the values that it reads.
fn whole(plan: &Plan<'_>, term: &Term, body: &TokenStream) -> TokenStream {
    let body = kernels::with_members(plan, term, body);
    quote!(let system = self; #body)
}

/// Emits the Legendre transform and its inverse.
fn transform(plan: &Plan<'_>, term: &Term) -> TokenStream {
    let configuration = &own(&plan.model.configuration.point());
    let kernel = |id| whole(plan, term, &stores(term, Scope::Term, term.kernels.outputs(id), into("out")));
    let (momentum, body_velocity) = (kernel(KernelId::SpatialMomentum), kernel(KernelId::BodyVelocity));
    let mass_inverse = if term.equations.inertia.is_constant {
        quote!(let mass_inverse = &self.mass_inverse;)
    } else {
        quote! {
            let mut mass_inverse = rt::MechanicalSystem::zero_mass(self);
            rt::MechanicalSystem::mass(self, <S as Scalar>::from_f64(0.0), q, &mut mass_inverse)?;
        }
    };
    quote! {
        impl<S: Scalar> rt::LegendreTransform for System<S> {
            #[inline]
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
            ) -> Result<SVector<S, __DOF>, rt::KktError> {
                #mass_inverse
                let mut out: SVector<S, __DOF> = rt::zeros();
                #body_velocity
                Ok(out)
            }
        }
    }
}

/// Emits the implementations, if the declaration has a Hamiltonian.
pub(super) fn emit(plan: &Plan<'_>, term: &Term) -> Option<TokenStream> {
    term.equations.legendre()?;
    let configuration = &own(&plan.model.configuration.point());
    let dof = term.dof();
    let hamiltonian = whole(plan, term, &value(term, Scope::Term, KernelId::Hamiltonian));
    let derivatives = term.kernels.outputs(KernelId::HamiltonianDerivatives);
    let velocity = whole(plan, term, &stores(term, Scope::Term, &derivatives[..dof], into("out")));
    let (to_velocity, to_force) = (into("velocity"), into("force"));
    let both = stores(term, Scope::Term, derivatives, |at, value| {
        if at < dof { to_velocity(at, value) } else { to_force(at - dof, value) }
    });
    let both = whole(plan, term, &both);
    let (moved, transform) = (moved_from_the_left(plan.model), transform(plan, term));
    let known_force = whole(plan, term, &stores(term, Scope::Term, &derivatives[dof..], into("force")));
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
            const KNOWS_MOMENTA: bool = true;
            #[inline]
            fn at_velocity(
                &self,
                q: &#configuration<S>,
                velocity: &SVector<S, __DOF>,
                mu: &mut SVector<S, __DOF>,
                force: &mut SVector<S, __DOF>,
            ) {
                let mut v: SVector<S, __DOF> = rt::zeros();
                rt::FramedSpace::framed::<rt::direct_product::InverseAdjoint>(
                    rt::MechanicalSystem::space(self), q, velocity, &mut v,
                );
                *mu = rt::LegendreTransform::momentum(self, q, &v);
                #known_force
            }
            fn check_declaration(&self, q: &#configuration<S>, mu: &SVector<S, __DOF>) -> Result<(), rt::DeclarationError> {
                let v = rt::velocity_or_nan(self, q, mu);
                rt::MechanicalSystem::check_against_declaration(self, <S as Scalar>::from_f64(0.0), q, &v)
            }
        }
        #transform
    })
}
