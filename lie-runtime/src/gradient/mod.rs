//! Derivatives of motions, as the numerics have them: of every step that was made, not of the equations.
//!
//! [`Simulation::with_sensitivities`](crate::simulate::Simulation::with_sensitivities) carries the derivatives by a few named
//! parameters and initial values along a run, forwards in time, by any method: δq in the algebra (δq = q δθ~, seen from the
//! body as velocities are), δv and δλ at every recorded state.
//!
//! ```
//! use lie_runtime::prelude::*;
//! # #[mechanical_system]
//! # pub mod oscillator {
//! #     use lie_runtime::prelude::*;
//! #     #[configuration]
//! #     pub struct Position { pub x: R1 }
//! #     #[parameters]
//! #     pub struct Spring { pub stiffness: f64 }
//! #     #[kinetic_energy]
//! #     fn kinetic(v: &Velocity) -> f64 { 0.5 * v.x.norm_squared() }
//! #     #[potential]
//! #     fn elastic(spring: &Spring, q: &Position) -> f64 { 0.5 * spring.stiffness * q.x.norm_squared() }
//! # }
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! // x(t) = cos(√k t): ∂x/∂k = −t sin(√k t) / 2√k, ∂x/∂x₀ = cos(√k t).
//! let system = oscillator::System::new(oscillator::Spring { stiffness: 4.0 })?;
//! let run = Simulation::of(&system)
//!     .initial(oscillator::Position { x: Vector1::new(1.0) }, Vector1::new(0.0))
//!     .step(0.01)
//!     .end_time(1.0)
//!     .with_sensitivities(["stiffness", "q.x"])
//!     .run()?;
//! assert_eq!(run.names, ["stiffness", "q.x[0]"]);
//! let last = run.variations.last().unwrap();
//! assert!((last[0].configuration[0] + 2.0_f64.sin() / 4.0).abs() < 1e-9);
//! assert!((last[1].configuration[0] - 2.0_f64.cos()).abs() < 1e-9);
//! # Ok(())
//! # }
//! ```
//!
//! Each name is one run on [dual numbers](crate::scalar::Dual), or one for each component. Values decide which way a method
//! takes: step sizes of error-controlled runs, ends of iterations, pivots; derivatives follow it. An implicit stage is
//! differentiated as the function that its equations define, and initial values with the projection onto the constraints,
//! `fix_initial` included.
//!
//! # Events
//!
//! Derivatives go across [events](crate::simulate::event) that are said after `.with_sensitivities`: their functions and changes are
//! on dual numbers there, and read the same. With δx the event moves by δt = −Dg δx / ġ; the state is carried to it, changed, and
//! carried back by the motion behind it, which is what a saltation matrix does. The derivatives of recorded states are those at their
//! times, [`Sensitive::events`] are those of the events themselves, and a run that an event stops ends with derivatives that move
//! with it.
//!
//! ```
//! use lie_runtime::prelude::*;
//! # #[mechanical_system(redundant = minimum_norm)]
//! # pub mod ball {
//! #     use lie_runtime::prelude::*;
//! #     #[configuration]
//! #     pub struct Height { pub z: f64 }
//! #     #[parameters]
//! #     pub struct Ball { pub restitution: f64, pub touches: bool }
//! #     #[kinetic_energy]
//! #     fn kinetic(v: &Velocity) -> f64 { 0.5 * v.z * v.z }
//! #     #[potential]
//! #     fn weight(q: &Height) -> f64 { 10.0 * q.z }
//! #     #[constraint]
//! #     fn floor(p: &Ball, q: &Height) -> f64 { if p.touches { q.z } else { 0.0 } }
//! # }
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! // It falls from 5 m for a second, and is back on the floor two restitutions later.
//! let system = ball::System::new(ball::Ball { restitution: 0.5, touches: false })?;
//! let run = Simulation::of(&system)
//!     .initial(ball::Height { z: 5.0 }, Vector1::new(0.0))
//!     .step(0.01)
//!     .end_time(1.5)
//!     .with_sensitivities(["restitution", "q.z"])
//!     .when_falling("strikes", |_, at| at.configuration.z)
//!     .then(|at| {
//!         let restitution = at.system().parameters().restitution;
//!         at.set(|p| p.touches = true);
//!         at.impact(["floor"], restitution);
//!         at.set(|p| p.touches = false);
//!     })
//!     .run()?;
//! // The blow is √(2 z₀ / g) late: by a tenth of a second a meter.
//! assert!((run.events[0][1].time - 0.1).abs() < 1e-10);
//! // z = e g t₁ (t − t₁) − g (t − t₁)² / 2.
//! let last = run.variations.last().unwrap();
//! assert!((last[0].configuration.x - 5.0).abs() < 1e-9);
//! # Ok(())
//! # }
//! ```
//!
//! f of these is that of the equations, λ and v' of index 1, whatever the method has for them: where an event moves, differences of runs agree up
//! to the error of the method there.
//!
//! The time of a state is a plain number; functions of the time read `at.time` of the [`Moment`] that they are given, and changes
//! [`at.time()`](crate::simulate::event::Change::time). Where a function only touches zero there is no derivative, and an
//! [error](crate::simulate::event::EventError::Grazing). Several events that act at one instant have no derivative either: a change separates
//! them in one order or the other, and the run ends with an [error](crate::simulate::event::EventError::Simultaneous).
//!
//! [`on`](Differentiated::on) takes declared `#[event]`s by their names. They are ordinary Rust on plain numbers, so that their slopes are
//! those of differences, extrapolated until they settle.
//!
//! # Backwards
//!
//! [`Simulation::gradient_of`](crate::simulate::Simulation::gradient_of) goes back through a run instead: the gradient of one
//! number, an [`Objective`], by all parameters and initial values at once, at the cost of a few runs however many there are. It
//! asks for the kernels of reverse differentiation, `#[mechanical_system(gradients)]`.
//!
//! The way back goes through the events that are said after
//! [`with_gradients`](crate::simulate::Simulation::with_gradients), with the same numbers as sensitivities have; an objective may ask for the
//! states and the times of events. How far and how long a stone flies:
//!
//! ```
//! use lie_runtime::gradient::Objective;
//! use lie_runtime::prelude::*;
//! # #[mechanical_system(gradients)]
//! # pub mod stone {
//! #     use lie_runtime::prelude::*;
//! #     #[configuration]
//! #     pub struct Place { pub x: f64, pub z: f64 }
//! #     #[parameters]
//! #     pub struct Stone { pub gravity: f64 }
//! #     #[kinetic_energy]
//! #     fn kinetic(v: &Velocity) -> f64 { 0.5 * (v.x * v.x + v.z * v.z) }
//! #     #[potential]
//! #     fn weight(p: &Stone, q: &Place) -> f64 { p.gravity * q.z }
//! # }
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let system = stone::System::new(stone::Stone { gravity: 10.0 })?;
//! let far = Objective::<stone::System>::new().at_end(|state| state.configuration.x);
//! let late = Objective::<stone::System>::new().at_event("lands", |_, at| at.time);
//! let gradient = |objective| {
//!     Simulation::of(&system)
//!         .initial(stone::Place { x: 0.0, z: 0.0 }, Vector2::new(3.0, 4.0))
//!         .step(0.01)
//!         .end_time(2.0)
//!         .with_gradients()
//!         .when_falling("lands", |_, at| at.configuration.z)
//!         .stop()
//!         .gradient_of(objective)
//! };
//! // t = 2 v_z / g, x = v_x t.
//! let (far, late) = (gradient(&far)?, gradient(&late)?);
//! assert!((far.velocity[0] - 0.8).abs() < 1e-9 && (far.velocity[1] - 0.6).abs() < 1e-9);
//! assert!((late.by("gravity")? + 0.08).abs() < 1e-9);
//! # Ok(())
//! # }
//! ```
//!
//! A term of an objective that is said by times has the derivatives of the state at its time, and one at the end of a run that an event
//! ends those of the state at that event.
//!
//! [`Simulation::jacobian_of`](crate::simulate::Simulation::jacobian_of) goes back through one run for several objectives, all that a
//! fit leaves or the whole state that a piece of a motion ends in.
//!
//! [`Simulation::hessian_times`](crate::simulate::Simulation::hessian_times) does the same on dual numbers: the gradient, and the
//! product of the matrix of second derivatives with a direction. The [book](crate::guide::gradients#second-derivatives) has a program.

pub mod adjoint;
mod along;
mod blocks;
mod check;
mod cotangent;
pub(crate) mod differences;
mod direction;
mod error;
mod events;
mod forward;
mod hessian;
mod jacobian;
mod lifting;
mod objective;

pub use adjoint::{Adjoint, Backwards, Gradient, Gradients, Slopes, Trace};
pub use along::Along;
pub use check::pullback_check;
pub use direction::Direction;
pub use error::{DirectionError, GradientError, SensitivityError};
pub use events::{Differentiated, EventVariation, Moment};
pub use forward::{Forwards, Sensitive, Sensitivities, Variation};
pub use hessian::{Hessian, HessianProduct};
pub use jacobian::Jacobian;
pub use objective::Objective;
