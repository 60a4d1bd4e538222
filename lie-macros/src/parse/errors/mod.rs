//! What is emitted where there are errors: what can be kept, and what stands in for the rest.

mod constraints;
mod factors;
mod healed;
pub(super) mod meant;
pub(super) mod recovery;
pub(super) mod stand_in;
