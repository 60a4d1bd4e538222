//! Systems of elements: terms over the members of chains.

use nalgebra::DVector;

use super::{Dynamics, Structure};
use crate::space::ChainSpace;
use crate::system::{Assembled, Term};

/// The assembly of systems over chains and frames: sums over their elements, and what their [`Dynamics`] add.
#[derive(Clone, Copy, Debug)]
pub struct AlongChains;

/// Something to be done with every kind of element.
pub trait Visitor<M: ElementSystem> {
    /// Does it with the elements of kind `E`.
    fn element<E: Term<M>>(&mut self);
}

/// A system that is the sum of its elements: what the macro generates for a declaration over chains.
///
/// It is a [`MechanicalSystem`](crate::system::MechanicalSystem) and [`Linearised`](crate::system::Linearised) by the assembly
/// [`AlongChains`].
pub trait ElementSystem: Assembled<Assembly = AlongChains> {
    /// What is added to the elements and solves with the mass matrix: [`MemberByMember`](super::MemberByMember), or
    /// frames [`AlongTree`](super::AlongTree).
    type Dynamics: Dynamics<Self>;

    /// Where members, elements and rows stand.
    fn structure(&self) -> &Structure<Self::Scalar>;
    /// The configuration space.
    fn chain_space(&self) -> &ChainSpace<Self::Configuration>;
    /// Shows every kind of element to `visitor`, in the order of their numbers.
    fn visit<V: Visitor<Self>>(&self, visitor: &mut V);

    /// The system with the inputs that it has in a state, for elements do not see the state; `None` if that is the system
    /// itself.
    fn in_state(&self, t: Self::Scalar, q: &Self::Configuration, v: &DVector<Self::Scalar>) -> Option<Self> {
        let _ = (t, q, v);
        None
    }
}
