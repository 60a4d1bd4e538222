//! Ready-made functions for declarations: sections, rods, cables, bushings, stops, tyres and inertia.
//!
//! The functions are ordinary Rust functions of scalars, vectors and poses. You can call them in a program, and import them into a declaration
//! like functions of its module:
//!
//! ```
//! use lie_runtime::prelude::*;
//!
//! /// A flywheel that twists against a stop.
//! #[mechanical_system]
//! pub mod flywheel {
//!     use lie_runtime::components::joint_stops::stop_energy;
//!     use lie_runtime::components::solid_inertia::*;
//!
//!     #[configuration]
//!     pub struct Angle { pub angle: f64 }
//!     #[parameters]
//!     pub struct Disc { pub mass: f64, pub radius: f64, pub stiffness: f64 }
//!     #[kinetic_energy]
//!     fn kinetic(disc: &Disc, v: &Velocity) -> f64 {
//!         0.5 * cylinder_inertia(disc.mass, disc.radius, 0.02)[(2, 2)] * v.angle * v.angle
//!     }
//!     #[potential]
//!     fn stop(disc: &Disc, q: &Angle) -> f64 { stop_energy(q.angle, -1.0, 1.0, disc.stiffness, 0.01) }
//! }
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let disc = flywheel::Disc { mass: 2.0, radius: 0.1, stiffness: 500.0 };
//! let system = flywheel::System::new(disc)?;
//! let spin = flywheel::Velocity { angle: 4.0 };
//! let run = Simulation::of(&system).initial(flywheel::Angle { angle: 0.0 }, spin).end_time(1.0).run()?;
//! // The energy of the flywheel after the rebound.
//! let inertia = lie_runtime::components::solid_inertia::cylinder_inertia(2.0, 0.1, 0.02)[(2, 2)];
//! let first = 0.5 * inertia * 16.0;
//! for state in &run.states {
//!     let energy = system.kinetic_energy(0.0, &state.configuration, &state.velocity)
//!         + system.potential_energy(0.0, &state.configuration);
//!     assert!((energy - first).abs() < 1e-4 * first);
//! }
//! # Ok(())
//! # }
//! ```
//!
//! The compiler includes the source text of an imported component in the module of the declaration. Import components in this module, by
//! `use lie_runtime::components::tyres::*;` or by name. A path to a component in a function body is not supported.

lie_macros::components!();
