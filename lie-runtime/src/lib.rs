//! Lie groups, generated mechanical systems and the integrators that drive them.
//!
//! Data flows one way: declaration (`#[mechanical_system]`) → generated system
//! ([`system`]) → integrator ([`integrator`]) → simulation ([`simulate`]) → output.

// Generated code names this crate by its absolute path, here too.
extern crate self as lie_runtime;

pub mod group;
pub mod integrator;
pub mod scalar;
pub mod simulate;
pub mod singular;
pub mod solve;
pub mod system;

pub mod prelude;

#[doc(hidden)]
#[path = "private.rs"]
pub mod __private;

pub use lie_macros::mechanical_system;

/// The roles of items in a `#[mechanical_system]`.
pub mod roles {
    pub use lie_macros::{
        configuration, constraint, dissipation, force, kinetic_energy, mass_matrix, observable, opaque, parameters,
        potential, quantity, velocity_constraint,
    };
}

pub use nalgebra;
