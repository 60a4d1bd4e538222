//! The sentence that says what is to be simulated.

mod accounts;
mod by_name;
mod controlled;
mod events;
mod observer;
mod simulation;
mod start;

pub use observer::Answer;
pub use simulation::Simulation;
pub use start::Start;
