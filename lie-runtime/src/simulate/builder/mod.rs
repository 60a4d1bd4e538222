//! The sentence that says what is to be simulated.

mod controller;
mod events;
mod mechanical;
mod simulation;
mod start;

pub use simulation::{Answer, Simulation};
pub use start::Start;
