//! Constrained multibody dynamics on Lie groups. You declare a system once by its energies and constraints; all integrators of this crate
//! use the code that is generated from this declaration.
//!
//! ```
//! use lie_runtime::prelude::*;
//!
//! /// A free rigid body.
//! #[mechanical_system]
//! pub mod free_body {
//!     #[configuration]
//!     pub struct Body { pub attitude: SO3 }
//!
//!     #[parameters]
//!     pub struct Inertia { pub moments: Vector3<f64> }
//!
//!     #[kinetic_energy]
//!     fn kinetic(body: &Inertia, v: &Velocity) -> f64 {
//!         0.5 * v.attitude.dot(&body.moments.component_mul(&v.attitude))
//!     }
//! }
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let moments = Vector3::new(1.0, 2.0, 3.0);
//! let system = free_body::System::new(free_body::Inertia { moments })?;
//! let (q0, v0) = (free_body::Body { attitude: SO3::identity() }, Vector3::new(0.1, 1.0, 0.1));
//! let trajectory = Simulation::of(&system).initial(q0, v0).step(0.01).end_time(10.0).run()?;
//!
//! // The spatial angular momentum is conserved.
//! let last = trajectory.last();
//! let momentum = last.configuration.attitude * moments.component_mul(&last.velocity);
//! assert!((momentum - moments.component_mul(&v0)).norm() < 1e-8);
//! # Ok(())
//! # }
//! ```
//!
//! The modules follow the data flow:
//!
//! | stage | module | |
//! |---|---|---|
//! | declaration | [`mechanical_system`](macro@mechanical_system) | roles, language, options of the macro |
//! | generated system | [`system`] | the traits that generated code implements, the derivative check |
//! | first-order equations | [`field`] | vector fields on homogeneous spaces, Hamiltonian systems on T*G |
//! | integrator | [`integrator`] | methods, steps, step-size control |
//! | simulation | [`simulate`] | initial values, events, recording, sampling, export, errors |
//! | analyses | [`analysis`] | equilibria, linearisations, modes, periodic orbits, fits of parameters |
//! | ready-made functions | [`components`] | beam sections, rods, cables, bushings, stops, tyres, inertia |
//! | derivatives of runs | [`gradient`] | sensitivities, gradients of objectives |
//! | systems by name | [`by_name`] | parameters, runs and analyses without the type of the system |
//! | ensembles | `ensemble` | many runs on all cores, their statistics (feature `ensemble`) |
//!
//! They are based on [`group`] (SO(3), S³, SE(3), … with exp, log and T), [`space`] (S², T S², coadjoint orbits and other spaces with a
//! group action), [`scalar`] (`f64`, `f32`, dual numbers), [`singular`] (sin x / x and similar functions) and [`solve`] (small linear
//! systems). The book in the folder `book` of this package has a quick start, how-to pages, conventions, error messages and a gallery;
//! `mdbook build` builds it.
//!
//! # Units
//!
//! Values have no physical units. Use any consistent system of units, with angles in radians. Absolute tolerances have the units of the
//! compared components.
//!
#![doc = include_str!("../book/src/reference/papers.md")]
//!
//! # Features
//!
//! No feature is enabled by default.
//!
//! * `ensemble`: many runs on all cores.
//! * `parquet`: Parquet tables of ensemble results.
//! * `pictures`: figures of trajectories as SVG, and animations ([`picture`]); `plot` is another name of it.
//! * `png`: figures as PNG files.
//! * `lanes`: several systems of one declaration in SIMD lanes.
//! * `precompiled`: methods that the library compiles once for all systems, for short builds of models.
//! * `sparse`: sparse factorisation for lattices and for trees with many branches.
//! * `robots`: declarations from robot files.
//! * `dynamic`: systems from text, compiled at run time.
//! * `estimation`: least-squares fits of parameters and initial values to measurements.

// Generated code refers to this crate by its absolute path, also in this crate.
extern crate self as lie_runtime;

pub mod analysis;
pub mod by_name;
pub mod components;
#[cfg(feature = "dynamic")]
pub mod dynamic;
#[cfg(feature = "ensemble")]
pub mod ensemble;
pub mod field;
pub mod gradient;
pub mod group;
pub mod inputs;
pub mod integrator;
mod messages;
// Pictures are described, and not drawn, without their feature.
#[cfg_attr(not(feature = "pictures"), allow(dead_code))]
pub mod picture;
mod problem;
mod progress_bar;
pub mod scalar;
mod setters;
pub mod simulate;
#[doc(hidden)]
pub mod solve;
pub mod space;
pub mod system;

#[doc(hidden)]
pub use scalar::singular;

pub mod prelude;

#[doc(hidden)]
#[path = "private.rs"]
pub mod __private;

/// Declares a mechanical system.
///
/// ```
/// use lie_runtime::prelude::*;
///
/// #[mechanical_system]
/// pub mod pendulum {
///     /// Members are Lie groups; velocities have body-fixed components.
///     #[configuration]
///     pub struct Pose { pub attitude: SO3, pub position: R3 }
///
///     #[parameters]
///     pub struct Body { pub mass: f64, pub inertia: Matrix3<f64>, pub joint: Vector3<f64> }
///
///     #[kinetic_energy]
///     fn kinetic(body: &Body, v: &Velocity) -> f64 {
///         0.5 * body.mass * v.position.norm_squared() + 0.5 * v.attitude.dot(&(body.inertia * v.attitude))
///     }
///
///     #[potential]
///     fn weight(body: &Body, q: &Pose) -> f64 { 9.81 * body.mass * q.position.z }
///
///     /// A point of the body is fixed at the origin. The constraint has three rows, so that λ has three components.
///     #[constraint]
///     fn hinge(body: &Body, q: &Pose) -> Vector3<f64> { q.attitude * body.joint + q.position }
/// }
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let body = pendulum::Body { mass: 2.0, inertia: Matrix3::identity(), joint: Vector3::new(0.0, 0.0, 0.5) };
/// let system = pendulum::System::new(body)?;
/// let description = system.description();
/// assert_eq!((description.group, description.dof, system.constraint_rows()), ("SO(3) × R³", 6, 3));
/// assert!(description.mass_is_constant);
/// assert_eq!((description.mass_nonzeros, description.jacobian_nonzeros), (12, 12));
///
/// // Static equilibrium: the constraint force −Bᵀ λ carries the weight, so that λ = −m g e₃.
/// let q0 = pendulum::Pose { attitude: SO3::identity(), position: Vector3::new(0.0, 0.0, -0.5) };
/// let still = Simulation::of(&system).initial(q0, system.zero_velocity()).step(0.01).end_time(0.1).run()?;
/// let last = still.last();
/// assert!((last.multipliers - Vector3::new(0.0, 0.0, -2.0 * 9.81)).norm() < 1e-12);
/// # Ok(())
/// # }
/// ```
pub use lie_macros::mechanical_system;

/// The roles of items in a `#[mechanical_system]`.
pub mod roles {
    pub use lie_macros::{
        configuration, constraint, dissipation, event, force, inputs, kinematics, kinetic_energy, mass_matrix,
        observable, opaque, parameters, potential, quantity, rate, states, symmetry, velocity_constraint,
    };
}

pub use nalgebra;
