//! What the test files share: declared systems and random states.

pub mod random;
pub mod systems;
