//! The implementation of `MechanicalSystem`.

use proc_macro2::{Literal, TokenStream};
use quote::quote;

use super::{mass_inverse, saddle};
use crate::emit::declaration;
use crate::emit::environment::Home;
use crate::emit::inputs;
use crate::emit::kernels::{inlining, into, method, stores};
use crate::emit::names::own;
use crate::plan::{KernelId, Plan, Solve, Term};

/// The kernels that stand for themselves.
const KERNELS: [KernelId; 7] = [
    KernelId::Force,
    KernelId::Constraint,
    KernelId::ConstraintJacobian,
    KernelId::ConstraintDrift,
    KernelId::ConstraintCurvature,
    KernelId::KineticEnergy,
    KernelId::PotentialEnergy,
];

#[allow(clippy::too_many_lines)] // One trait, method by method.
pub(super) fn emit(plan: &Plan<'_>, term: &Term, solve: &Solve) -> TokenStream {
    let configuration = &own(&plan.model.configuration.item.ident);
    let nonzeros = Literal::usize_unsuffixed(solve.jacobian.len());
    let (mass_size, mass, read_inverse) = if term.equations.inertia.is_constant {
        (Literal::usize_unsuffixed(0), quote!(Ok(())), quote!(let mass_inverse = &self.mass_inverse;))
    } else {
        let size = Literal::usize_unsuffixed(solve.mass_inverse.size());
        let statements = mass_inverse::statements(term, solve, Home::System);
        (size, quote!(#statements *out = mass_inverse; Ok(())), quote!(let mass_inverse = &*mass;))
    };
    let kernels = KERNELS.map(|id| method(plan, term, id));
    let solving = |id| stores(term, Home::System, term.kernels.outputs(id), into("out"));
    let (times, transpose_times) = (solving(KernelId::JacobianTimes), solving(KernelId::JacobianTransposeTimes));
    let saddle = saddle::emit(term, plan.model.redundant);
    let redundancy = plan.model.redundant.then(|| {
        quote! {
            #[inline]
            fn redundancy(&self) -> rt::Redundancy {
                rt::Redundancy::MinimumNorm
            }
        }
    });
    let [inline_times, inline_transpose_times, inline_mass, inline_saddle] = [
        &[KernelId::JacobianTimes][..],
        &[KernelId::JacobianTransposeTimes],
        &[KernelId::SolveMass],
        &[KernelId::Schur, KernelId::Acceleration],
    ]
    .map(|ids| inlining(term, ids));
    let free = stores(term, Home::System, term.kernels.outputs(KernelId::SolveMass), into("acceleration"));
    let checks = inputs::checks(plan);
    let symmetry = declaration::symmetry(plan, &quote!(symmetry));
    let holonomic = Literal::usize_unsuffixed(term.equations.constraints.holonomic_rows());
    quote! {
        impl<S: Scalar> rt::MechanicalSystem for System<S> {
            type Scalar = S;
            type Configuration = #configuration<S>;
            type Velocity = SVector<S, __DOF>;
            type Space = rt::FixedSpace<#configuration<S>, __DOF>;
            type Multipliers = SVector<S, __ROWS>;
            type Jacobian = [S; #nonzeros];
            type Mass = [S; #mass_size];

            #[inline]
            fn description(&self) -> &rt::Description {
                CARD
            }
            #[inline]
            fn space(&self) -> &Self::Space {
                const { &rt::FixedSpace::<#configuration<S>, __DOF>::NEW }
            }
            #[inline]
            fn dof(&self) -> usize {
                __DOF
            }
            #[inline]
            fn constraint_rows(&self) -> usize {
                __ROWS
            }
            #[inline]
            fn holonomic_rows(&self) -> usize {
                #holonomic
            }
            #redundancy
            #[inline]
            fn zero_multipliers(&self) -> Self::Multipliers {
                rt::zeros()
            }
            #[inline]
            fn zero_jacobian(&self) -> Self::Jacobian {
                [<S as Scalar>::from_f64(0.0); #nonzeros]
            }
            #[inline]
            fn zero_mass(&self) -> Self::Mass {
                [<S as Scalar>::from_f64(0.0); #mass_size]
            }

            #[inline]
            fn mass(&self, t: S, q: &Self::Configuration, out: &mut Self::Mass) -> Result<(), rt::SaddleError> {
                #mass
            }
            #(#kernels)*
            #inline_times
            fn jacobian_times(
                &self,
                constraint_jacobian: &Self::Jacobian,
                force: &Self::Velocity,
                out: &mut Self::Multipliers,
            ) {
                #times
            }
            #inline_transpose_times
            fn jacobian_transpose_times(
                &self,
                force_jacobian: &Self::Jacobian,
                multipliers: &Self::Multipliers,
                out: &mut Self::Velocity,
            ) {
                #transpose_times
            }
            #inline_mass
            fn solve_mass(&self, mass: &mut Self::Mass, force: &Self::Velocity, acceleration: &mut Self::Velocity) {
                #read_inverse
                #free
            }
            #inline_saddle
            fn solve_saddle(
                &self,
                mass: &mut Self::Mass,
                force_jacobian: &Self::Jacobian,
                constraint_jacobian: &Self::Jacobian,
                force: &Self::Velocity,
                constraint: &Self::Multipliers,
                acceleration: &mut Self::Velocity,
                multipliers: &mut Self::Multipliers,
            ) -> Result<(), rt::SaddleError> {
                #read_inverse
                #saddle
            }
            #checks
            fn check_against_declaration(
                &self,
                t: S,
                q: &Self::Configuration,
                v: &Self::Velocity,
            ) -> Result<(), rt::DeclarationError> {
                rt::check_in_f64::<Self, System<f64>>(self, t, q, v)
            }
            fn powers(
                &self,
                t: S,
                q: &Self::Configuration,
                v: &Self::Velocity,
                visit: &mut dyn ::core::ops::FnMut(&'static str, f64),
            ) -> bool {
                rt::powers_in_f64::<Self, System<f64>>(self, (t, q, v), visit)
            }
            #symmetry
        }
    }
}
