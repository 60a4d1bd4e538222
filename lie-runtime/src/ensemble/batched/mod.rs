//! Batches of ensemble members in SIMD lanes.

mod batch;
mod method;
mod monitor;
mod motion;

pub(super) use batch::{BatchProblem, Systems};
pub(super) use method::BatchedMethod;
