//! The bound of systems whose type can be hidden.

use crate::system::{Declared, Linearised, MomentumRate};

/// A system that an [`ErasedSystem`](super::ErasedSystem) can contain.
pub trait Erasable: Declared + Linearised + MomentumRate + Clone + 'static {}

impl<M: Declared + Linearised + MomentumRate + Clone + 'static> Erasable for M {}
