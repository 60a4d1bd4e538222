//! What the test files share: declared systems, reference solutions and random states.

pub mod canonical;
pub mod derivatives;
pub mod free_motion;
pub mod measure;
pub mod random;
pub mod systems;

pub use models::reference;
