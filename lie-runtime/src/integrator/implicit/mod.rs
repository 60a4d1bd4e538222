//! The common part of implicit methods: Newton's iteration with one stopping rule, and the stage that it solves.
//!
//! The unknowns of a stage are the increment θ, v, v' and λ. A method is a predictor, its memory and two [weights](Weights), which relate h
//! v and h² v' to the one vector x that determines θ,
//!
//! ```text
//! δθ = x,    h δv = w₁ x,    h² δv' = w₂ x,    h² δλ = λ̂,
//!
//! generalized-α     w₁ = γ / β       w₂ = (1 − α_m) / (β (1 − α_f))
//! TR-BDF2           w₁ = 1 / a_kk    w₂ = 1 / a_kk²
//! BLieDF            w₁ = α_0         w₂ = α_0²
//! ```
//!
//! The weights determine the coefficients of its linear systems (see [`IterationPoint`](crate::system::IterationPoint)). The same
//! [iteration](Newton) solves other equations: the momenta of RATTLie, the coupled stages of collocation, single rotations.

mod equations;
mod least_norm;
mod newton;
mod stage;

pub(crate) use equations::{Corrections, IterateEquations, Scales, Unsolved};
pub(crate) use newton::{MatrixUpdate, NewtonIteration, angle, keep, leave};
pub(crate) use stage::{ImplicitStage, IterateBuffers, StageProblem, Weights};
