//! What a system computes at run time, as data: which kernels there are, what each gives, what it costs, and what is
//! computed once and for all.
//!
//! Invariant: a kernel is named by a [`KernelId`]; asking a plan for one it does not have is a bug, not an empty body.
//! Card, documentation, report, twins and emission read the plan; emission decides nothing.

mod hoist;
mod kernels;
#[cfg(test)]
mod ratchet;
mod solve;

pub(crate) use hoist::Hoisted;
pub(crate) use kernels::{KernelId, Kernels};
pub(crate) use solve::Structure;
