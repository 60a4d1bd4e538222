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
//!     .starting_at(oscillator::Position { x: Vector1::new(1.0) }, Vector1::new(0.0))
//!     .step(0.01)
//!     .until(1.0)
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
//! `.holding` included.
//!
//! [`Simulation::gradient_of`](crate::simulate::Simulation::gradient_of) goes back through a run instead: the gradient of one
//! number, an [`Objective`], by all parameters and initial values at once, at the cost of a few runs however many there are. It
//! asks for the kernels of reverse differentiation, `#[mechanical_system(gradients)]`.

pub mod adjoint;
mod check;
mod direction;
mod error;
mod forward;
mod objective;

pub use adjoint::{Adjoint, Gradient};
pub use check::pullback_check;
pub use direction::Direction;
pub use error::{DirectionError, GradientError, SensitivityError};
pub use forward::{Sensitive, Sensitivities, Variation};
pub use objective::Objective;
