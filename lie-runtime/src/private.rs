//! What generated code names. Not for hand-written code: no promise is made about it.

pub use crate::solve::{inverse_spd, solve_lu};
pub use nalgebra;
