//! Events: instants at which a function of the state changes its sign, and what happens there.
//!
//! ```
//! use lie_runtime::prelude::*;
//!
//! #[mechanical_system(redundant = minimum_norm)]
//! pub mod ball {
//!     use lie_runtime::prelude::*;
//!
//!     #[configuration]
//!     pub struct Height { pub z: f64 }
//!
//!     #[parameters]
//!     pub struct Ball { pub on_the_floor: bool }
//!
//!     #[kinetic_energy]
//!     fn kinetic(v: &Velocity) -> f64 { 0.5 * v.z * v.z }
//!
//!     #[potential]
//!     fn weight(q: &Height) -> f64 { 9.81 * q.z }
//!
//!     #[constraint]
//!     fn floor(p: &Ball, q: &Height) -> f64 { if p.on_the_floor { q.z } else { 0.0 } }
//! }
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let system = ball::System::new(ball::Ball { on_the_floor: false })?;
//! let run = Simulation::of(&system)
//!     .initial(ball::Height { z: 1.0 }, Vector1::new(0.0))
//!     .when_falling("strikes", |_, state| state.configuration.z)
//!     .then(|at| {
//!         // A blow under 0.1 m/s is the last one.
//!         let is_slow = at.state().velocity.x.abs() < 0.1;
//!         at.set(|p| p.on_the_floor = true);
//!         at.impact(["floor"], if is_slow { 0.0 } else { 0.5 });
//!         at.set(|p| p.on_the_floor = is_slow);
//!     })
//!     .when_falling("is highest", |_, state| state.velocity.x)
//!     .note()
//!     .step(0.01)
//!     .end_time(3.0)
//!     .run()?;
//! let strikes: Vec<f64> = run.events_called("strikes").map(|strike| strike.time).collect();
//! assert!((strikes[0] - (2.0_f64 / 9.81).sqrt()).abs() < 1e-13);
//! assert!((strikes[1] - 2.0 * strikes[0]).abs() < 1e-12);
//! // At rest on the floor, whose force is the weight.
//! assert_eq!(strikes.len(), 7);
//! assert!((run.last().unwrap().multipliers.x + 9.81).abs() < 1e-12);
//! # Ok(())
//! # }
//! ```
//!
//! **Where.** The function is looked at where steps end. A change of its sign is located to 10⁻¹³ of the step, by states within
//! it that are of the order of the method, on the group and on the constraints
//! ([`Integrator::sample`](crate::integrator::Integrator::sample)). Two changes within one step are found where the cubic with
//! the values and slopes at both ends tells of them; where the function wiggles within a step, they are not: take smaller steps. These
//! slopes are those that q, v and the time have: λ and v' are held, so that of functions of these alone two changes within one step are not found.
//! A function that is zero at the start has no event there.
//!
//! **Actions.** An event is [noted](When::note), [ends the run](When::stop), or [changes](When::then) the state or the parameters of the
//! system, after which the method restarts. Velocities must satisfy the constraints that act from there on: [`Change::impact`] computes such
//! velocities. Noted events do not change the steps. An event that changes something cuts the step. The rest of the step is the next step; a
//! rest under a hundredth of a step is made in one with the following step, and the state at its end is recorded only as a
//! [sample](crate::simulate::Simulation::output_times). At the end of a run, a rest under 1e-4 of a step is made with the accelerations of the
//! equations.
//!
//! **Event groups.** Events within round-off of one instant take place together: their actions see one state, and their impacts are one
//! problem. See [`Occurrence::simultaneous`] and the [page on events](crate::guide::events).
//!
//! **Round-off.** A function that is zero up to round-off after another event has no event there. If its derivative does not determine its
//! sign, the run reports [`Notice::EventAtRoundOff`](crate::simulate::Notice::EventAtRoundOff).

mod change;
mod collide;
mod group;
mod impact;
mod occurrence;
mod saltation;
mod sought;
mod telling;
mod when;

pub use crate::simulate::failure::EventError;
pub use change::Change;
pub(crate) use change::ChangeBy;
pub(in crate::simulate) use group::{Acting, Made, take_place};
pub use impact::{Impact, Impulse};
pub(super) use occurrence::Location;
pub use occurrence::Occurrence;
pub(super) use sought::Action;
pub(crate) use sought::Event;
pub(in crate::simulate) use telling::Systems;
pub(crate) use telling::Telling;
pub use when::When;
