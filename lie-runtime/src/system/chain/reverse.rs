//! Reverse differentiation over chains.
//!
//! A residual is a sum over elements, r = Σ Pₑᵀ rₑ(Pₑ q, Pₑ v, …; p), with Pₑ the choice of an element's members and rows. The
//! gradient of w · r is therefore Σ Pₑᵀ ∇(Pₑ w · rₑ): the same kernels as those of whole systems, on the weights of one element
//! at a time, whose cotangents are added where its members stand and those of an item of a list at that item. So the cost is that of the elements, however
//! many numbers the parameters have. Rows of constraints are the element's own. What runs over frames is gone back through along their tree.

use nalgebra::DVector;

use super::assembly::{ElementSizes, EvaluationPoint, gather, gather_rows, scatter};
use super::{Dynamics, ElementAssembly, ElementSystem};
use crate::system::{
    Assembled, Block, Cotangents, IterationCorrection, IterationResidual, Linearised, ReverseAssembly, ReverseTerm,
    Reversible, Term,
};

/// Something to be done with every kind of element that has such kernels.
pub trait ReverseVisitor<M: ElementSystem, Q: ?Sized = <M as Assembled>::Configuration> {
    /// Does it with the elements of kind `E`.
    fn element<E: ReverseTerm<M, Q>>(&mut self);
}

/// A system all of whose elements have kernels of reverse differentiation: what the macro generates for
/// `#[mechanical_system(gradients)]` over chains. It is [`Reverse`](crate::system::Reverse).
pub trait ReverseElements: Reversible + ElementSystem<Dynamics: ReverseDynamics<Self>> {
    /// Shows every kind of element over members to `visitor`, in the order of their numbers.
    fn visit_reverse<V: ReverseVisitor<Self>>(&self, visitor: &mut V);
}

/// What is contracted with weights, and the rest of what it is a function of.
#[derive(Clone, Copy)]
pub(super) enum Contraction<'a, S> {
    Residual { v: &'a [S], acceleration: &'a [S], multipliers: &'a [S], weights: &'a [S] },
    Constraint { weights: &'a [S] },
    Rate { v: &'a [S], weights: &'a [S] },
    Curvature { v: &'a [S], weights: &'a [S] },
}

impl<S> Contraction<'_, S> {
    /// True if elements of that kind have a part in it.
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

/// Reverse differentiation of what a system adds to the terms of its elements.
pub trait ReverseDynamics<M: ElementSystem>: Dynamics<M> {
    /// Adds the cotangents of what is contracted.
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

/// Adds the cotangents of what is contracted at a point.
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
