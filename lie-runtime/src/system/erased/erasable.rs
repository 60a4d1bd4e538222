//! The bound of systems whose type can be hidden.

use crate::system::{Linearised, MomentumRate};

/// A system that an [`ErasedSystem`](super::ErasedSystem) can contain.
pub trait Erasable: Linearised<Scalar = f64> + MomentumRate<Rates: 'static> + Clone + 'static {}

impl<M: Linearised<Scalar = f64> + MomentumRate<Rates: 'static> + Clone + 'static> Erasable for M {}
