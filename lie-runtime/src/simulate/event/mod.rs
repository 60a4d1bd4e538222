//! Events: instants at which a function of the state changes its sign, and actions at these instants.
//!
//! ```
//! use lie_runtime::prelude::*;
//!
//! #[mechanical_system(redundant = minimum_norm)]
//! pub mod ball {
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
//!     .event("strikes", |_, state| state.configuration.z)
//!     .falling()
//!     .apply(|at| {
//!         // An impact below 0.1 m/s is plastic: the ball stays on the floor.
//!         let is_slow = at.state().velocity.x.abs() < 0.1;
//!         at.set(|p| p.on_the_floor = true);
//!         at.impact(["floor"], if is_slow { 0.0 } else { 0.5 });
//!         at.set(|p| p.on_the_floor = is_slow);
//!     })
//!     .event("is highest", |_, state| state.velocity.x)
//!     .falling()
//!     .record()
//!     .step(0.01)
//!     .end_time(3.0)
//!     .run()?;
//! let strikes: Vec<f64> = run.events_called("strikes").map(|strike| strike.time).collect();
//! assert!((strikes[0] - (2.0_f64 / 9.81).sqrt()).abs() < 1e-13);
//! assert!((strikes[1] - 2.0 * strikes[0]).abs() < 1e-12);
//! // At rest on the floor: the contact force is the weight.
//! assert_eq!(strikes.len(), 7);
//! assert!((run.last().multipliers.x + 9.81).abs() < 1e-12);
//! # Ok(())
//! # }
//! ```
//!
//! **Location.** The function is evaluated at the end of each step. A sign change is located to 10⁻¹³ of the step. The states within the
//! step are dense output with the order of the method, on the group and on the constraint manifold
//! ([`Integrator::sample`](crate::integrator::Integrator::sample)).
//!
//! Two sign changes within one step are found if the cubic Hermite interpolant indicates them. Its derivatives are derivatives with
//! respect to q, v and the time, with fixed λ and v'. Two sign changes of a function of λ or v' alone within one step are therefore not
//! found. Faster oscillations within a step are also missed: use smaller steps. A function that is zero at the start has no event there.
//!
//! **Actions.** An event is [recorded](EventBuilder::record), [ends the run](EventBuilder::stop), or [changes](EventBuilder::apply) the
//! state or the parameters of the system; after a change the method restarts. The velocities after a change must satisfy the active
//! constraints: [`Change::impact`] computes such velocities.
//!
//! Recorded events do not change the steps. A change ends the step at the event, and the remainder of the step is the next step. A
//! remainder below a hundredth of a step is merged with the following step; the state at its end is recorded only as an
//! [output time](crate::simulate::Simulation::output_times). At the end of a run, a remainder below 1e-4 of a step is integrated with the
//! accelerations of the equations of motion.
//!
//! **Event groups.** The actions of events within round-off of one instant see one state, and their impacts are one problem. See
//! [`Occurrence::simultaneous`] and the page `howto/contact.md` of the book.
//!
//! **Round-off.** A function that is zero up to round-off after another event has no event there. If its derivative does not determine its
//! sign, the run reports [`Warning::EventAtRoundOff`](crate::simulate::Warning::EventAtRoundOff).

mod builder;
mod change;
mod collide;
mod dual_to_plain;
#[cfg(feature = "precompiled")]
mod erased;
mod event_spec;
mod group;
mod impact;
mod occurrence;
mod saltation;

pub use crate::simulate::failure::EventError;
pub use builder::EventBuilder;
pub use change::Change;
pub(crate) use change::ChangeBy;
pub(in crate::simulate) use dual_to_plain::SystemMap;
pub(crate) use dual_to_plain::{DualToPlain, converted};
#[cfg(feature = "precompiled")]
pub(in crate::simulate) use erased::{erased_state, typed_state};
pub(super) use event_spec::Action;
pub(crate) use event_spec::Event;
pub(in crate::simulate) use event_spec::take_laws;
pub(crate) use event_spec::{EventLaw, OneSided};
pub(in crate::simulate) use group::{GroupMember, GroupOutcome, apply_group};
pub use impact::{Impact, Impulse};
pub(super) use occurrence::Location;
pub use occurrence::Occurrence;
