//! Reverse differentiation over chains.
//!
//! A residual is a sum over elements, r = Σ Pₑᵀ rₑ(Pₑ q, Pₑ v, …; p), with Pₑ the choice of an element's members and rows. The
//! gradient of w · r is therefore Σ Pₑᵀ ∇(Pₑ w · rₑ): the same kernels as those of whole systems, on the weights of one element
//! at a time, whose cotangents are added where its members stand and those of an item of a list at that item. So the cost is that of the elements, however
//! many numbers the parameters have. Rows of constraints are the element's own. What runs over frames is gone back through along their tree.

use nalgebra::DVector;

use super::assembly::{Point, Sizes, gather, gather_rows, scatter};
use super::{Block, Element, ElementSystem, Place, ReverseDynamics};
use crate::system::{Cotangents, IterationCorrection, IterationResidual, Linearised, Reverse};

/// An element with kernels of reverse differentiation; every method adds to `out`.
///
/// `Q` is what its slots are looked up in, see [`Element`].
pub trait ReverseElement<M: ElementSystem, Q: ?Sized = <M as ElementSystem>::Configuration>: Element<M, Q> {
    /// The gradient of w · r, see [`Reverse::residual_pullback`].
    #[allow(clippy::too_many_arguments)] // r has five arguments.
    fn residual_pullback(
        system: &M,
        place: &Place<'_>,
        t: M::Scalar,
        q: &Q,
        v: &Self::Vector,
        acceleration: &Self::Vector,
        multipliers: &Self::Rows,
        weights: &Self::Vector,
        out: &mut Cotangents<'_, Self::Vector, M::Scalar>,
    );
    /// That of μ · Φ.
    fn constraint_pullback(
        system: &M,
        place: &Place<'_>,
        t: M::Scalar,
        q: &Q,
        weights: &Self::Rows,
        out: &mut Cotangents<'_, Self::Vector, M::Scalar>,
    );
    /// That of μ · (B v + b).
    fn rate_pullback(
        system: &M,
        place: &Place<'_>,
        t: M::Scalar,
        q: &Q,
        v: &Self::Vector,
        weights: &Self::Rows,
        out: &mut Cotangents<'_, Self::Vector, M::Scalar>,
    );
    /// That of μ · curvature.
    fn curvature_pullback(
        system: &M,
        place: &Place<'_>,
        t: M::Scalar,
        q: &Q,
        v: &Self::Vector,
        weights: &Self::Rows,
        out: &mut Cotangents<'_, Self::Vector, M::Scalar>,
    );
}

/// Something to be done with every kind of element that has such kernels.
pub trait ReverseVisitor<M: ElementSystem, Q: ?Sized = <M as ElementSystem>::Configuration> {
    /// Does it with the elements of kind `E`.
    fn element<E: ReverseElement<M, Q>>(&mut self);
}

/// A system all of whose elements have kernels of reverse differentiation: what the macro generates for
/// `#[mechanical_system(gradients)]` over chains. It is [`Reverse`].
pub trait ReverseElements: ElementSystem<Dynamics: ReverseDynamics<Self>> {
    /// Shows every kind of element over members to `visitor`, in the order of their numbers.
    fn visit_reverse<V: ReverseVisitor<Self>>(&self, visitor: &mut V);
    /// [`Reverse::parameter_count`].
    fn parameter_numbers(&self) -> usize;
    /// [`Reverse::input_count`].
    fn input_numbers(&self) -> usize;
    /// [`Reverse::reads_rates_of_inputs`].
    fn reads_rates(&self) -> bool;
}

/// What is contracted with weights, and the rest of what it is a function of.
#[derive(Clone, Copy)]
pub(super) enum Contracted<'a, S> {
    Residual { v: &'a [S], acceleration: &'a [S], multipliers: &'a [S], weights: &'a [S] },
    Constraint { weights: &'a [S] },
    Rate { v: &'a [S], weights: &'a [S] },
    Curvature { v: &'a [S], weights: &'a [S] },
}

impl<S> Contracted<'_, S> {
    /// True if elements of that kind have a part in it.
    fn is_of<M: ElementSystem<Scalar = S>, E: Element<M>>(&self) -> bool {
        match self {
            Contracted::Residual { .. } => E::TERMS.force || E::TERMS.inertia || Sizes::<M, E>::ROWS > 0,
            Contracted::Constraint { .. } => E::HOLONOMIC_ROWS > 0,
            Contracted::Rate { .. } | Contracted::Curvature { .. } => Sizes::<M, E>::ROWS > 0,
        }
    }
}

/// Adds the cotangents of all elements.
struct Pullback<'a, 'o, M: ElementSystem> {
    point: Point<'a, M>,
    contracted: Contracted<'a, M::Scalar>,
    out: &'a mut Cotangents<'o, DVector<M::Scalar>, M::Scalar>,
}

impl<M: ElementSystem> ReverseVisitor<M> for Pullback<'_, '_, M> {
    #[inline]
    fn element<E: ReverseElement<M>>(&mut self) {
        if !self.contracted.is_of::<M, E>() {
            return;
        }
        let Point { system, t, q } = self.point;
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
                Contracted::Residual { v, acceleration, multipliers, weights } => {
                    for (global, local) in [(v, &mut local_v), (acceleration, &mut local_a), (weights, &mut local_w)] {
                        gather::<M, E>(&place, global, local.as_mut());
                    }
                    gather_rows::<M, E>(&place, multipliers, local_m.as_mut());
                    E::residual_pullback(system, &place, t, q, &local_v, &local_a, &local_m, &local_w, out);
                }
                Contracted::Constraint { weights } => {
                    gather_rows::<M, E>(&place, weights, row_w.as_mut());
                    E::constraint_pullback(system, &place, t, q, &row_w, out);
                }
                Contracted::Rate { v, weights } => {
                    gather::<M, E>(&place, v, local_v.as_mut());
                    gather_rows::<M, E>(&place, weights, row_w.as_mut());
                    E::rate_pullback(system, &place, t, q, &local_v, &row_w, out);
                }
                Contracted::Curvature { v, weights } => {
                    gather::<M, E>(&place, v, local_v.as_mut());
                    gather_rows::<M, E>(&place, weights, row_w.as_mut());
                    E::curvature_pullback(system, &place, t, q, &local_v, &row_w, out);
                }
            }
            scatter::<M, E>(&place, of_configuration.as_ref(), self.out.of_configuration.as_mut_slice());
            scatter::<M, E>(&place, of_velocity.as_ref(), self.out.of_velocity.as_mut_slice());
        }
    }
}

/// Adds the cotangents of what is contracted at a point.
fn pull_back<M: ReverseElements>(
    system: &M,
    (t, q): (<M as ElementSystem>::Scalar, &<M as ElementSystem>::Configuration),
    contracted: Contracted<'_, <M as ElementSystem>::Scalar>,
    out: &mut Cotangents<'_, DVector<<M as ElementSystem>::Scalar>, <M as ElementSystem>::Scalar>,
) {
    system.visit_reverse(&mut Pullback { point: Point { system, t, q }, contracted, out });
    M::Dynamics::pull_back(system, (t, q), contracted, out);
}

impl<M: ReverseElements> Reverse for M {
    fn parameter_count(&self) -> usize {
        self.parameter_numbers()
    }
    fn input_count(&self) -> usize {
        self.input_numbers()
    }
    fn reads_rates_of_inputs(&self) -> bool {
        self.reads_rates()
    }

    fn residual_pullback(
        &self,
        t: Self::Scalar,
        q: &Self::Configuration,
        v: &DVector<Self::Scalar>,
        acceleration: &DVector<Self::Scalar>,
        multipliers: &DVector<Self::Scalar>,
        weights: &DVector<Self::Scalar>,
        out: &mut Cotangents<'_, DVector<Self::Scalar>, Self::Scalar>,
    ) {
        let [v, acceleration, multipliers, weights] = [v, acceleration, multipliers, weights].map(DVector::as_slice);
        pull_back(self, (t, q), Contracted::Residual { v, acceleration, multipliers, weights }, out);
    }
    fn constraint_pullback(
        &self,
        t: Self::Scalar,
        q: &Self::Configuration,
        weights: &DVector<Self::Scalar>,
        out: &mut Cotangents<'_, DVector<Self::Scalar>, Self::Scalar>,
    ) {
        pull_back(self, (t, q), Contracted::Constraint { weights: weights.as_slice() }, out);
    }
    fn rate_pullback(
        &self,
        t: Self::Scalar,
        q: &Self::Configuration,
        v: &DVector<Self::Scalar>,
        weights: &DVector<Self::Scalar>,
        out: &mut Cotangents<'_, DVector<Self::Scalar>, Self::Scalar>,
    ) {
        pull_back(self, (t, q), Contracted::Rate { v: v.as_slice(), weights: weights.as_slice() }, out);
    }
    fn curvature_pullback(
        &self,
        t: Self::Scalar,
        q: &Self::Configuration,
        v: &DVector<Self::Scalar>,
        weights: &DVector<Self::Scalar>,
        out: &mut Cotangents<'_, DVector<Self::Scalar>, Self::Scalar>,
    ) {
        pull_back(self, (t, q), Contracted::Curvature { v: v.as_slice(), weights: weights.as_slice() }, out);
    }

    fn solve_iteration_transposed(
        &self,
        factorisation: &mut <Self as Linearised>::Factorisation,
        correction: &IterationCorrection<Self>,
        residual: &mut IterationResidual<Self>,
    ) {
        super::linearised::solve_transposed(self, factorisation, correction, residual);
    }
}
