//! Reverse-mode differentiation of systems of elements.
//!
//! A residual is a sum over elements, r = Σ Pₑᵀ rₑ(Pₑ q, Pₑ v, …; p), where Pₑ selects the members and rows of an
//! element. Therefore the gradient of w · r is Σ Pₑᵀ ∇(Pₑ w · rₑ): the kernels of whole systems, applied to the weights
//! of one element at a time. Cotangents are added at the element's members, and cotangents of list parameters at the
//! item. The cost is proportional to the number of elements, independent of the number of parameters. Constraint rows
//! belong to a single element. Elements over frames take part in a reverse pass along the tree.

use nalgebra::DVector;

use super::assembly::{ElementSizes, EvaluationPoint, gather, gather_rows, scatter};
use super::{Dynamics, ElementAssembly, ElementSystem};
use crate::system::{
    Assembled, Block, Cotangents, IterationCorrection, IterationResidual, Linearised, ReverseAssembly, ReverseTerm,
    Reversible, Term,
};

/// A visitor of all kinds of elements with vector-Jacobian products.
pub trait ReverseVisitor<M: ElementSystem, Q: ?Sized = <M as Assembled>::Configuration> {
    /// Visits the elements of kind `E`.
    fn element<E: ReverseTerm<M, Q>>(&mut self);
}

/// A system of elements with vector-Jacobian products. The macro generates it for `#[mechanical_system(gradients)]`
/// over chains. It implements [`Reverse`](crate::system::Reverse).
pub trait ReverseElements: Reversible + ElementSystem<Dynamics: ReverseDynamics<Self>> {
    /// Calls `visitor` for every kind of elements over members, in order.
    fn visit_reverse<V: ReverseVisitor<Self>>(&self, visitor: &mut V);
}

/// A function that is contracted with weights, and its other arguments.
#[derive(Clone, Copy)]
pub(super) enum Contraction<'a, S> {
    Residual { v: &'a [S], acceleration: &'a [S], multipliers: &'a [S], weights: &'a [S] },
    Constraint { weights: &'a [S] },
    Rate { v: &'a [S], weights: &'a [S] },
    Curvature { v: &'a [S], weights: &'a [S] },
}

impl<S> Contraction<'_, S> {
    /// Returns true if elements of that kind contribute to it.
    fn is_of<M: ElementSystem<Scalar = S>, E: Term<M>>(&self) -> bool {
        match self {
            Contraction::Residual { .. } => {
                E::CONTRIBUTIONS.force || E::CONTRIBUTIONS.inertia || ElementSizes::<M, E>::ROWS > 0
            }
            Contraction::Constraint { .. } => E::HOLONOMIC_ROWS > 0,
            Contraction::Rate { .. } | Contraction::Curvature { .. } => ElementSizes::<M, E>::ROWS > 0,
        }
    }
}

/// Reverse-mode differentiation of the contributions of frames.
pub trait ReverseDynamics<M: ElementSystem>: Dynamics<M> {
    /// Adds the cotangents of a contraction.
    #[doc(hidden)]
    #[allow(private_interfaces)] // Systems are given this with their frames.
    fn pull_back(
        system: &M,
        point: (M::Scalar, &M::Configuration),
        contracted: Contraction<'_, M::Scalar>,
        out: &mut Cotangents<'_, DVector<M::Scalar>, M::Scalar>,
    );
}

/// Adds the cotangents of all elements.
struct Pullback<'a, 'o, M: ElementSystem> {
    point: EvaluationPoint<'a, M>,
    contracted: Contraction<'a, M::Scalar>,
    out: &'a mut Cotangents<'o, DVector<M::Scalar>, M::Scalar>,
}

impl<M: ElementSystem> ReverseVisitor<M> for Pullback<'_, '_, M> {
    #[inline]
    fn element<E: ReverseTerm<M>>(&mut self) {
        if !self.contracted.is_of::<M, E>() {
            return;
        }
        let EvaluationPoint { system, t, q } = self.point;
        let [mut local_v, mut local_a, mut local_w] = [E::Vector::zeros(); 3];
        let [mut local_m, mut row_w] = [E::Rows::zeros(); 2];
        for place in self.point.places::<E>() {
            let [mut of_configuration, mut of_velocity] = [E::Vector::zeros(); 2];
            let out = &mut Cotangents {
                of_configuration: &mut of_configuration,
                of_velocity: &mut of_velocity,
                of_parameters: &mut *self.out.of_parameters,
            };
            match self.contracted {
                Contraction::Residual { v, acceleration, multipliers, weights } => {
                    for (global, local) in [(v, &mut local_v), (acceleration, &mut local_a), (weights, &mut local_w)] {
                        gather::<M, E>(&place, global, local.as_mut_slice());
                    }
                    gather_rows::<M, E>(&place, multipliers, local_m.as_mut_slice());
                    E::residual_pullback(system, &place, t, q, &local_v, &local_a, &local_m, &local_w, out);
                }
                Contraction::Constraint { weights } => {
                    gather_rows::<M, E>(&place, weights, row_w.as_mut_slice());
                    E::constraint_pullback(system, &place, t, q, &row_w, out);
                }
                Contraction::Rate { v, weights } => {
                    gather::<M, E>(&place, v, local_v.as_mut_slice());
                    gather_rows::<M, E>(&place, weights, row_w.as_mut_slice());
                    E::rate_pullback(system, &place, t, q, &local_v, &row_w, out);
                }
                Contraction::Curvature { v, weights } => {
                    gather::<M, E>(&place, v, local_v.as_mut_slice());
                    gather_rows::<M, E>(&place, weights, row_w.as_mut_slice());
                    E::curvature_pullback(system, &place, t, q, &local_v, &row_w, out);
                }
            }
            scatter::<M, E>(&place, of_configuration.as_slice(), self.out.of_configuration.as_mut_slice());
            scatter::<M, E>(&place, of_velocity.as_slice(), self.out.of_velocity.as_mut_slice());
        }
    }
}

/// Adds the cotangents of a contraction at a point.
fn pull_back<M: ReverseElements>(
    system: &M,
    (t, q): (<M as Assembled>::Scalar, &<M as Assembled>::Configuration),
    contracted: Contraction<'_, <M as Assembled>::Scalar>,
    out: &mut Cotangents<'_, DVector<<M as Assembled>::Scalar>, <M as Assembled>::Scalar>,
) {
    system.visit_reverse(&mut Pullback { point: EvaluationPoint { system, t, q }, contracted, out });
    M::Dynamics::pull_back(system, (t, q), contracted, out);
}

impl<M: ReverseElements> ReverseAssembly<M> for ElementAssembly {
    fn residual_pullback(
        system: &M,
        t: M::Scalar,
        q: &M::Configuration,
        v: &DVector<M::Scalar>,
        acceleration: &DVector<M::Scalar>,
        multipliers: &DVector<M::Scalar>,
        weights: &DVector<M::Scalar>,
        out: &mut Cotangents<'_, DVector<M::Scalar>, M::Scalar>,
    ) {
        let [v, acceleration, multipliers, weights] = [v, acceleration, multipliers, weights].map(DVector::as_slice);
        pull_back(system, (t, q), Contraction::Residual { v, acceleration, multipliers, weights }, out);
    }
    fn constraint_pullback(
        system: &M,
        t: M::Scalar,
        q: &M::Configuration,
        weights: &DVector<M::Scalar>,
        out: &mut Cotangents<'_, DVector<M::Scalar>, M::Scalar>,
    ) {
        pull_back(system, (t, q), Contraction::Constraint { weights: weights.as_slice() }, out);
    }
    fn rate_pullback(
        system: &M,
        t: M::Scalar,
        q: &M::Configuration,
        v: &DVector<M::Scalar>,
        weights: &DVector<M::Scalar>,
        out: &mut Cotangents<'_, DVector<M::Scalar>, M::Scalar>,
    ) {
        pull_back(system, (t, q), Contraction::Rate { v: v.as_slice(), weights: weights.as_slice() }, out);
    }
    fn curvature_pullback(
        system: &M,
        t: M::Scalar,
        q: &M::Configuration,
        v: &DVector<M::Scalar>,
        weights: &DVector<M::Scalar>,
        out: &mut Cotangents<'_, DVector<M::Scalar>, M::Scalar>,
    ) {
        pull_back(system, (t, q), Contraction::Curvature { v: v.as_slice(), weights: weights.as_slice() }, out);
    }

    fn solve_iteration_transposed(
        system: &M,
        factorisation: &mut <M as Linearised>::Factorisation,
        correction: &IterationCorrection<M>,
        residual: &mut IterationResidual<M>,
    ) {
        super::linearised::solve_transposed(system, factorisation, correction, residual);
    }
}
