//! What implicit methods share: Newton's iteration with one rule for its end, and the stage that is solved by it.
//!
//! The unknowns of a stage are the increment θ, v, v' and λ. A method is a predictor, what it remembers, and two
//! [numbers](Weights): how h v and h² v' follow the one vector x that θ follows,
//!
//! ```text
//! δθ = x,    h δv = w₁ x,    h² δv' = w₂ x,    h² δλ = λ̂,
//!
//! generalized-α     w₁ = γ / β       w₂ = (1 − α_m) / (β (1 − α_f))
//! TR-BDF2           w₁ = 1 / a_kk    w₂ = 1 / a_kk²
//! BLieDF            w₁ = α_0         w₂ = α_0²
//! ```
//!
//! from which the coefficients of its linear systems follow (see [`IterationPoint`](crate::system::IterationPoint)).
//! Methods whose equations are others (RATTLie's momenta, the coupled stages of collocation, single rotations) are solved by
//! the same [iteration](Newton).

mod equations;
mod least_norm;
mod newton;
mod stage;

pub(crate) use equations::{Corrections, Equations, Scales, Unsolved};
pub(crate) use newton::{Factors, Newton, angle, keep, leave};
pub(crate) use stage::{Buffers, Stage, StageProblem, Weights};
