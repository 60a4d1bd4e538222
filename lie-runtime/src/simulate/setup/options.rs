//! What a simulation is told besides its settings: most of it concerns mechanical systems alone.

/// The largest change of an initial value that is made unasked.
const CORRECTION: f64 = 1e-2;
/// The part of [s](crate::simulate::checks::constraints) that a residual may reach, by default.
///
/// Honest half-explicit runs reach 0.026, at steps in which a fast top turns by a radian.
pub(in crate::simulate) const CONSTRAINT_TOLERANCE: f64 = 0.05;

/// What a simulation is told besides its [settings](super::settings::Settings).
#[derive(Clone, PartialEq)]
pub struct Options {
    /// False if the initial state is to be taken as it is.
    pub project: bool,
    /// The members that are to be kept.
    pub held: Vec<String>,
    /// The largest change that is made to the others, if it was said.
    pub correction: Option<f64>,
    /// True if λ and v' of the index-1 system are asked for.
    pub full_order_multipliers: bool,
    /// See [`Watch`](crate::simulate::checks::Watch).
    pub constraint_tolerance: f64,
    /// How many times speeds may grow, if it was said: see [`Growth`](crate::simulate::checks::Growth) and [`energy`](crate::simulate::checks::energy).
    pub growth: Option<f64>,
    /// True if singular values are looked at.
    pub rank: bool,
}

impl Options {
    /// Nothing has been said yet.
    pub fn none() -> Self {
        Options {
            project: false,
            held: Vec::new(),
            correction: None,
            full_order_multipliers: false,
            constraint_tolerance: CONSTRAINT_TOLERANCE,
            growth: None,
            rank: false,
        }
    }

    /// The largest change of initial values that is made.
    pub fn largest_correction(&self) -> f64 {
        self.correction.unwrap_or(if self.held.is_empty() { CORRECTION } else { f64::INFINITY })
    }
}
