//! The linear systems of implicit methods: dense matrices, the tangent operator factor by factor.

use proc_macro2::{Literal, TokenStream};
use quote::quote;

use crate::emit::environment::Home;
use crate::emit::inputs;
use crate::emit::kernels::{into_matrix, stores};
use crate::emit::names::own;
use crate::plan::{KernelId, Plan, Term};

/// `Factorisation` and the methods around it.
#[allow(clippy::too_many_lines)] // Part of one trait, method by method.
pub(super) fn emit(plan: &Plan<'_>, term: &Term) -> TokenStream {
    let matrix = |id| stores(term, Home::System, term.kernels.outputs(id), into_matrix(term.dof()));
    let found = |id| inputs::found_by(term, id, &quote!(self), true);
    let (of_jacobian, of_gradient) = (found(KernelId::ConstraintJacobian), found(KernelId::RateGradient));
    let (jacobian, gradient) = (matrix(KernelId::ConstraintJacobian), matrix(KernelId::RateGradient));
    let configuration = &own(&plan.model.configuration.item.ident);
    let holonomic = Literal::usize_unsuffixed(term.equations.constraints.holonomic_rows());
    let factorise = if plan.model.redundant { quote!(factorise_redundant) } else { quote!(factorise) };
    quote! {
        type Factorisation = rt::DenseIteration<S, __DOF, __ROWS>;

        fn zero_factorisation(&self) -> Self::Factorisation {
            rt::DenseIteration::zeros()
        }
        #[inline]
        fn factorise_iteration(
            &self,
            point: &rt::IterationPoint<'_, Self>,
            coefficients: &rt::IterationCoefficients<S>,
            projection: Option<&Self::Jacobian>,
            out: &mut Self::Factorisation,
        ) -> Result<(), rt::SaddleError> {
            let rt::IterationPoint { t, q, v, acceleration, multipliers, theta, .. } = *point;
            let needs_gradient = projection.is_some() || #holonomic < __ROWS;
            let mut matrices = rt::IterationMatrices::<S, __DOF, __ROWS> {
                mass: rt::zeros(),
                damping: rt::zeros(),
                stiffness: rt::zeros(),
                jacobian: rt::zeros(),
                jacobian_rate: rt::zeros(),
                jacobian_tangent: rt::zeros(),
                rate_gradient: rt::zeros(),
            };
            rt::Linearised::mass_matrix(self, t, q, &mut matrices.mass);
            rt::Linearised::tangent_damping(self, t, q, v, &mut matrices.damping);
            rt::Linearised::tangent_stiffness(self, t, q, v, acceleration, multipliers, &mut matrices.stiffness);
            {
                let out = &mut matrices.jacobian;
                #of_jacobian
                #jacobian
            }
            matrices.jacobian_tangent = matrices.jacobian;
            if needs_gradient {
                matrices.jacobian_rate = matrices.jacobian;
                let out = &mut matrices.rate_gradient;
                #of_gradient
                #gradient
            }
            rt::change_coordinates::<#configuration<S>, S, __DOF, __ROWS>(
                &mut matrices, theta, point.local.as_ref(), coefficients, needs_gradient,
            );
            if let Some(reactions) = point.reactions {
                matrices.jacobian = rt::transposed::<Self, S, __DOF, __ROWS>(self, reactions).transpose();
            }
            let projection = projection.map(|jacobian| rt::transposed::<Self, S, __DOF, __ROWS>(self, jacobian));
            out.#factorise(&matrices, coefficients, #holonomic, projection.as_ref())
        }
        #[inline]
        fn solve_iteration(
            &self,
            factorisation: &mut Self::Factorisation,
            residual: &rt::IterationResidual<Self>,
            correction: &mut rt::IterationCorrection<Self>,
        ) {
            factorisation.solve(residual, correction);
        }
    }
}
