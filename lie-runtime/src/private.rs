//! What generated code names. Not for hand-written code: no promise is made about it.

pub use nalgebra;
