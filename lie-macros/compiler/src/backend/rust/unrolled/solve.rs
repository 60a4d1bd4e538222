//! The linear algebra of an unrolled system: the implementation of `Everything` of the runtime.

use proc_macro2::TokenStream;
use quote::quote;

use super::{correction, kkt, mass_inverse};
use crate::backend::rust::codegen::environment::Scope;
use crate::backend::rust::codegen::n;
use crate::backend::rust::codegen::names::own;
use crate::backend::rust::codegen::types::type_name;
use crate::backend::rust::data::inputs;
use crate::backend::rust::terms::kernels::{self, inlining, into, stores};
use crate::schedule::{KernelId, Plan, Solve, Term};

#[allow(clippy::too_many_lines)] // One trait, method by method.
pub(super) fn emit(plan: &Plan<'_>, term: &Term, solve: &Solve) -> TokenStream {
    let (name, configuration) = (type_name(term.number), &own(&plan.model.configuration.point()));
    let nonzeros = n(solve.jacobian.len());
    let (mass_size, mass, read_inverse) = if term.equations.inertia.is_constant {
        (n(0), quote!(Ok(())), quote!(let mass_inverse = &system.mass_inverse;))
    } else {
        let size = n(solve.mass_inverse.size());
        let statements = mass_inverse::statements(term, solve, Scope::Term);
        (
            size,
            kernels::with_members(plan, term, &quote!(#statements *out = mass_inverse; Ok(()))),
            quote!(let mass_inverse = mass;),
        )
    };
    let solving = |id, out: &str| stores(term, Scope::Term, term.kernels.outputs(id), into(out));
    let (times, transpose_times) =
        (solving(KernelId::JacobianTimes, "out"), solving(KernelId::JacobianTransposeTimes, "out"));
    let (free, stored) = (solving(KernelId::SolveMass, "acceleration"), solving(KernelId::StoredJacobian, "out"));
    let given = inputs::found_by(term, KernelId::ConstraintJacobian, &quote!(system), true);
    let stored = kernels::with_members(plan, term, &quote!(#given #stored));
    let momentum = kernels::with_members(plan, term, &solving(KernelId::Momentum, "out"));
    let (correction, elimination) = (correction::emit(term), kkt::emit(term, plan.model.is_redundant()));
    let [inline_stored, inline_times, inline_transpose_times, inline_mass, inline_kkt] = [
        &[KernelId::StoredJacobian][..],
        &[KernelId::JacobianTimes],
        &[KernelId::JacobianTransposeTimes],
        &[KernelId::SolveMass],
        &[KernelId::Schur, KernelId::Acceleration],
    ]
    .map(|ids| inlining(term, ids));
    let point = quote!(system: &System<S>, place: &rt::ElementLocation<'_>, t: S, q: &#configuration<S>);
    quote! {
        impl<S: Scalar> rt::FixedSizeKernels<System<S>, __DOF, __ROWS> for #name {
            type Stored = [S; #nonzeros];
            type Inverse = [S; #mass_size];

            #inline_stored
            fn stored_jacobian(#point, out: &mut Self::Stored) {
                #stored
            }
            #[inline]
            fn mass(#point, out: &mut Self::Inverse) -> Result<(), rt::KktError> {
                #mass
            }
            #[inline]
            fn momentum(#point, force: &Self::Vector, out: &mut Self::Vector) {
                #momentum
            }
            #inline_times
            fn jacobian_times(
                system: &System<S>, constraint_jacobian: &Self::Stored, force: &Self::Vector, out: &mut Self::Rows,
            ) {
                #times
            }
            #inline_transpose_times
            fn jacobian_transpose_times(
                system: &System<S>, force_jacobian: &Self::Stored, multipliers: &Self::Rows, out: &mut Self::Vector,
            ) {
                #transpose_times
            }
            #inline_mass
            fn solve_mass(
                system: &System<S>, mass: &Self::Inverse, force: &Self::Vector, acceleration: &mut Self::Vector,
            ) {
                #read_inverse
                #free
            }
            #inline_kkt
            fn solve_kkt(
                system: &System<S>,
                mass: &Self::Inverse,
                force_jacobian: &Self::Stored,
                constraint_jacobian: &Self::Stored,
                force: &Self::Vector,
                constraint: &Self::Rows,
                acceleration: &mut Self::Vector,
                multipliers: &mut Self::Rows,
            ) -> Result<(), rt::KktError> {
                #read_inverse
                #elimination
            }
            #correction
        }
    }
}
