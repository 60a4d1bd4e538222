//! The linear systems of implicit methods: dense matrices, the tangent operator factor by factor.

use proc_macro2::{Literal, TokenStream};
use quote::quote;

use super::algebra::factors;
use super::environment::Home;
use super::kernels::{into_matrix, stores};
use super::structs::group_type;
use crate::plan::{KernelId, Plan, Term};

/// `Factorisation` and the methods around it.
#[allow(clippy::too_many_lines)] // Part of one trait, method by method.
pub(crate) fn emit(plan: &Plan<'_>, term: &Term) -> TokenStream {
    let matrix = |id| stores(term, Home::System, term.kernels.outputs(id), into_matrix(term.dof()));
    let (jacobian, gradient) = (matrix(KernelId::ConstraintJacobian), matrix(KernelId::RateGradient));
    let Coordinates { change, motion } = coordinates(plan);
    let holonomic = Literal::usize_unsuffixed(term.equations.constraints.holonomic_rows());
    quote! {
        type Factorisation = rt::DenseIteration<S, __DOF, __ROWS>;

        fn zero_factorisation(&self) -> Self::Factorisation {
            rt::DenseIteration::zeros()
        }
        #motion
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
                #jacobian
            }
            matrices.jacobian_tangent = matrices.jacobian;
            if needs_gradient {
                matrices.jacobian_rate = matrices.jacobian;
                let out = &mut matrices.rate_gradient;
                #gradient
            }
            #change
            if let Some(reactions) = point.reactions {
                matrices.jacobian = rt::transposed::<Self, S, __DOF, __ROWS>(self, reactions).transpose();
            }
            let projection = projection.map(|jacobian| rt::transposed::<Self, S, __DOF, __ROWS>(self, jacobian));
            out.factorise(&matrices, coefficients, #holonomic, projection.as_ref())
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

/// What depends on the coordinates of a step.
struct Coordinates {
    /// Statements that multiply the columns of the matrices by the blocks of the coordinates.
    change: TokenStream,
    /// The method `local_motion`.
    motion: TokenStream,
}

fn coordinates(plan: &Plan<'_>) -> Coordinates {
    // T = I on vector spaces and on SO(2).
    let curved: Vec<_> = factors(plan)
        .into_iter()
        .filter(|factor| !factor.group.is_commutative())
        .map(|factor| {
            let ty = group_type(factor.group, &quote!(S));
            let size = Literal::usize_unsuffixed(factor.group.dimension());
            (ty, size, Literal::usize_unsuffixed(factor.offset))
        })
        .collect();
    let tangents = curved.iter().map(|(ty, size, offset)| {
        quote! {
            let block = rt::tangent_block::<#ty, S, __DOF, #size>(theta, #offset);
            rt::times_block(&mut matrices.stiffness, #offset, &block);
            rt::times_block(&mut matrices.jacobian_tangent, #offset, &block);
            if needs_gradient {
                rt::times_block(&mut matrices.rate_gradient, #offset, &block);
            }
        }
    });
    let local_blocks = curved.iter().map(|(ty, size, offset)| {
        quote!(rt::in_local_coordinates::<#ty, Self, S, __DOF, __ROWS, #size>(&mut matrices, local, coefficients, #offset);)
    });
    let change = if curved.is_empty() {
        quote!()
    } else {
        quote! {
            if let Some(local) = &point.local {
                #(#local_blocks)*
            } else {
                #(#tangents)*
            }
        }
    };
    let local_motions = curved.iter().map(|(ty, size, offset)| {
        quote!(rt::local_motion::<#ty, Self, S, __DOF, #size>(point, #offset, theta, velocity, acceleration);)
    });
    let motion = quote! {
        fn local_motion(
            &self,
            point: &rt::LocalPoint<'_, Self>,
            theta: &mut Self::Velocity,
            velocity: &mut Self::Velocity,
            acceleration: &mut Self::Velocity,
        ) {
            // T = I on vector spaces and on SO(2).
            *theta = *point.x;
            *velocity = *point.rate;
            *acceleration = *point.second;
            #(#local_motions)*
        }
    };
    Coordinates { change, motion }
}
