//! Systems with redundant rows, and some that meet singular configurations on their way.

pub mod chains;
pub mod four_bar;
pub mod held;
pub mod loops;
