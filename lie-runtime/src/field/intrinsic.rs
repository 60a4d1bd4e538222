//! Vector fields on homogeneous spaces.

use core::marker::PhantomData;

use super::FieldState;
use super::FirstOrder;
use crate::problem::{Problem, StepFailure};
use crate::space::{AlgebraOf, Exponential, HomogeneousSpace, Retraction};

/// A differential equation y' = F_{f(t, y)}(y) on a homogeneous space (paper 3, eq. 3).
pub trait VectorField {
    /// The space.
    type Point: HomogeneousSpace;
    /// The buffers of an evaluation; `()` if it needs none.
    type Workspace;

    /// The zero of the algebra; for chains, with their length.
    fn zero(&self) -> AlgebraOf<Self::Point>;
    /// Allocates the buffers.
    fn workspace(&self) -> Self::Workspace;
    /// Evaluates f(t, y) into `out`; allocates nothing.
    ///
    /// # Errors
    /// [`StepFailure::FieldUndefined`] where the field is undefined.
    fn evaluate(
        &self,
        t: <Self::Point as HomogeneousSpace>::Scalar,
        y: &Self::Point,
        workspace: &mut Self::Workspace,
        out: &mut AlgebraOf<Self::Point>,
    ) -> Result<(), StepFailure>;
}

/// The formulation of a [`VectorField`] without a change of variables, in the coordinates `C`.
pub struct VectorFieldProblem<V: ?Sized, C = Exponential>(PhantomData<fn(&V)>, PhantomData<C>);

impl<V: VectorField + ?Sized, C: Retraction<V::Point>> Problem for VectorFieldProblem<V, C> {
    type System = V;
    type State = FieldState<Self>;
}

impl<V: VectorField + ?Sized, C: Retraction<V::Point>> FirstOrder for VectorFieldProblem<V, C> {
    type Scalar = <V::Point as HomogeneousSpace>::Scalar;
    type Point = V::Point;
    type Algebra = AlgebraOf<V::Point>;
    type Workspace = V::Workspace;

    fn zero(system: &V) -> Self::Algebra {
        system.zero()
    }
    fn workspace(system: &V) -> Self::Workspace {
        system.workspace()
    }
    #[inline]
    fn evaluate(
        system: &V,
        t: Self::Scalar,
        y: &Self::Point,
        workspace: &mut Self::Workspace,
        out: &mut Self::Algebra,
    ) -> Result<(), StepFailure> {
        system.evaluate(t, y, workspace, out)
    }
    #[inline]
    fn flow(_: &V, y: &Self::Point, xi: &Self::Algebra, out: &mut Self::Point) {
        C::move_along(y, xi, out);
    }
    #[inline]
    fn rate(_: &V, sigma: &Self::Algebra, v: &Self::Algebra, out: &mut Self::Algebra) {
        C::rate(sigma, v, out);
    }
    #[inline]
    fn bracket(_: &V, v: &Self::Algebra, w: &Self::Algebra, _: &mut Self::Workspace, out: &mut Self::Algebra) {
        V::Point::bracket(v, w, out);
    }
    fn distance(_: &V, a: &Self::Point, b: &Self::Point, _: &mut Self::Workspace) -> f64 {
        a.distance(b)
    }
    fn is_finite(_: &V, y: &Self::Point) -> bool {
        y.is_finite()
    }
    fn membership_defect(_: &V, y: &Self::Point) -> f64 {
        y.membership_defect()
    }
    fn renormalize(_: &V, y: &mut Self::Point) {
        y.renormalize();
    }
}
