//! The bound of systems whose type can be hidden.

use crate::system::{Declared, Linearised, MomentumRate, Parametrised};

/// A system that an [`ErasedSystem`](super::ErasedSystem) can contain.
pub trait Erasable: Declared + Linearised + MomentumRate + Parametrised + Clone + 'static {}

impl<M: Declared + Linearised + MomentumRate + Parametrised + Clone + 'static> Erasable for M {}
