//! Derivatives of numerical solutions with respect to parameters, initial values and inputs (discretise, then differentiate).
//!
//! [`Simulation::with_sensitivities`](crate::simulate::Simulation::with_sensitivities) computes forward sensitivities: the derivatives
//! with respect to a few named parameters and initial values, with any method. The results at every recorded state are δq in the algebra
//! (δq = q δθ~, in body-fixed components), δv and δλ.
//!
//! ```
//! use lie_runtime::prelude::*;
//! # #[mechanical_system]
//! # pub mod oscillator {
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
//! Each component of a name costs one run on [dual numbers](crate::scalar::Dual). Values alone determine the branches of a method: the
//! step sizes of error control, the ends of iterations, and the pivots. The derivatives belong to these branches. An implicit stage is
//! differentiated as an implicit function. The projection of initial values onto the constraint manifold is differentiated as well,
//! including `fix_initial`.
//!
//! # Events
//!
//! Derivatives include the [events](crate::simulate::event) that are declared after `.with_sensitivities`. Their functions and changes
//! then use dual numbers, with unchanged code. For a change δx of the state the time of the event changes by δt = −Dg δx / ġ. The state
//! is moved to the event, changed, and moved back with the flow after the event, which is the saltation matrix. The derivatives of
//! recorded states are at fixed times; [`Sensitive::events`] are the derivatives of the events. The last derivatives of a run that an
//! event stops are along the moving event.
//!
//! ```
//! use lie_runtime::prelude::*;
//! # #[mechanical_system(redundant = minimum_norm)]
//! # pub mod ball {
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
//! // The ball falls 5 m in one second, and returns to the floor after 2 e seconds.
//! let system = ball::System::new(ball::Ball { restitution: 0.5, touches: false })?;
//! let run = Simulation::of(&system)
//!     .initial(ball::Height { z: 5.0 }, Vector1::new(0.0))
//!     .step(0.01)
//!     .end_time(1.5)
//!     .with_sensitivities(["restitution", "q.z"])
//!     .event("strikes", |_, at| at.configuration.z)
//!     .falling()
//!     .apply(|at| {
//!         let restitution = at.system().parameters().restitution;
//!         at.set(|p| p.touches = true);
//!         at.impact(["floor"], restitution);
//!         at.set(|p| p.touches = false);
//!     })
//!     .run()?;
//! // The impact is at √(2 z₀ / g): its derivative is a tenth of a second per metre.
//! assert!((run.events[0][1].time - 0.1).abs() < 1e-10);
//! // z = e g t₁ (t − t₁) − g (t − t₁)² / 2.
//! let last = run.variations.last().unwrap();
//! assert!((last[0].configuration.x - 5.0).abs() < 1e-9);
//! # Ok(())
//! # }
//! ```
//!
//! The flow uses λ and v' of the index-1 equations for any method. The derivatives with respect to a moving event therefore agree with
//! differences of runs up to the error of the method.
//!
//! The time of a state is a plain number. Event functions read the time with its derivative as `at.time` of their [`Moment`], and changes
//! read [`at.time()`](crate::simulate::event::Change::time). An event function that only touches zero has no derivative, which is an
//! [error](crate::simulate::event::EventError::Grazing). Several simultaneous events with changes have no derivative either, because
//! their order is undetermined. The run then returns an [error](crate::simulate::event::EventError::Simultaneous).
//!
//! [`declared_event`](Differentiated::declared_event) adds declared `#[event]`s by name. They have no dual numbers; their derivatives are extrapolated finite
//! differences.
//!
//! # Reverse mode
//!
//! [`Simulation::gradient_of`](crate::simulate::Simulation::gradient_of) computes the gradient of a scalar [`Objective`] by a reverse
//! (adjoint) pass. The gradient is with respect to all parameters and initial values. It costs a few runs for any number of variables.
//! The system must be declared with the reverse-mode kernels, `#[mechanical_system(gradients)]`.
//!
//! The reverse pass includes the events that are declared after [`with_gradients`](crate::simulate::Simulation::with_gradients), and its
//! results equal the forward sensitivities. An objective can depend on the states and the times of events. For example, the range and the
//! flight time of a stone:
//!
//! ```
//! use lie_runtime::gradient::Objective;
//! use lie_runtime::prelude::*;
//! # #[mechanical_system(gradients)]
//! # pub mod stone {
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
//!         .event("lands", |_, at| at.configuration.z)
//!         .falling()
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
//! A term of an objective at given times has derivatives at fixed times. A term at the end of a run that an event ends has derivatives
//! along the moving event.
//!
//! [`Simulation::jacobian_of`](crate::simulate::Simulation::jacobian_of) differentiates several objectives of one run, for example the
//! residuals of a fit, or all components of a final state.
//!
//! [`Simulation::hessian_times`](crate::simulate::Simulation::hessian_times) computes the gradient and a Hessian-vector product by a
//! reverse pass on dual numbers. The page `howto/gradients.md` of the book has an example.

#[doc(hidden)]
pub mod adjoint;
mod adjoint_state;
mod blocks;
mod check;
mod column;
mod components;
pub(crate) mod differences;
mod direction;
mod error;
mod events;
mod forward;
mod hessian;
mod lifting;
mod objective;
mod variable;
mod variation;

#[doc(hidden)]
pub use adjoint::{Adjoint, Trace};
pub use adjoint::{Derivatives, Gradient, Gradients, Jacobian, ReverseMode};
pub use check::pullback_check;
pub(crate) use column::StateColumn;
pub use direction::Direction;
pub use error::{DirectionError, GradientError, SensitivityError};
pub use events::{Differentiated, EventVariation, Moment};
pub use forward::{ForwardMode, Sensitive, Sensitivities};
pub use hessian::{Hessian, HessianProduct};
#[cfg(feature = "estimation")]
pub(crate) use lifting::state_along;
pub use objective::Objective;
pub use variable::Variable;
pub use variation::Variation;
