//! Elements with a Lagrangian L = T − V, and the derivatives of L of a whole system.

use nalgebra::DVector;

use super::assembly::{gather, scatter};
use super::{ElementLocation, ElementSystem};
use crate::scalar::Scalar;
use crate::space::LeftAction;
use crate::system::{Assembled, Block, Term};

/// A conservative and autonomous element.
pub trait LagrangianTerm<M: ElementSystem>: Term<M> {
    /// Computes ∂L/∂v and D_q L along q w~.
    fn lagrangian(
        system: &M,
        place: &ElementLocation<'_>,
        t: M::Scalar,
        q: &M::Configuration,
        v: &Self::Vector,
        momentum: &mut Self::Vector,
        gradient: &mut Self::Vector,
    );
}

/// A visitor of all kinds of conservative elements.
pub trait LagrangianVisitor<M: ElementSystem> {
    /// Visits the elements of kind `E`.
    fn element<E: LagrangianTerm<M>>(&mut self);
}

/// A system of conservative and autonomous elements without constraints. The macro generates it for such a declaration
/// over chains. It implements [`LegendreTransform`](crate::field::LegendreTransform).
pub trait Conservative:
    ElementSystem<
    Configuration: LeftAction<Scalar = <Self as Assembled>::Scalar, Algebra = DVector<<Self as Assembled>::Scalar>>,
>
{
    /// Calls `visitor` for every kind of elements, in order.
    fn visit_lagrangians<V: LagrangianVisitor<Self>>(&self, visitor: &mut V);
}

struct LagrangianDerivatives<'a, M: ElementSystem> {
    system: &'a M,
    q: &'a M::Configuration,
    v: &'a [M::Scalar],
    momentum: &'a mut [M::Scalar],
    gradient: &'a mut [M::Scalar],
}

impl<M: ElementSystem> LagrangianVisitor<M> for LagrangianDerivatives<'_, M> {
    #[inline]
    fn element<E: LagrangianTerm<M>>(&mut self) {
        let (mut v, mut momentum, mut gradient) = (E::Vector::zeros(), E::Vector::zeros(), E::Vector::zeros());
        let t = M::Scalar::from_f64(0.0);
        for place in self.system.structure().layout().kinds[E::KIND].places() {
            gather::<M, E>(&place, self.v, v.as_mut_slice());
            E::lagrangian(self.system, &place, t, self.q, &v, &mut momentum, &mut gradient);
            scatter::<M, E>(&place, momentum.as_slice(), self.momentum);
            scatter::<M, E>(&place, gradient.as_slice(), self.gradient);
        }
    }
}

/// Computes ∂L/∂v and D_q L of the whole system, by components.
pub(crate) fn lagrangian<M: Conservative>(
    system: &M,
    q: &M::Configuration,
    v: &[M::Scalar],
    momentum: &mut [M::Scalar],
    gradient: &mut [M::Scalar],
) {
    momentum.fill(M::Scalar::from_f64(0.0));
    gradient.fill(M::Scalar::from_f64(0.0));
    system.visit_lagrangians(&mut LagrangianDerivatives { system, q, v, momentum, gradient });
}
