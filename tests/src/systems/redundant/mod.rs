//! Systems with redundant rows, and some that meet singular configurations on their way.

pub mod chains;
pub mod held;
pub mod loops;

pub use models::benchmarks::n_four_bar as four_bar;
