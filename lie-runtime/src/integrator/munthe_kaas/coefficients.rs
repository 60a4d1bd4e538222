//! The coefficients of a method.

use crate::integrator::tableau::ButcherTableau;

/// B_k / k!: the series of z / (eᶻ − 1) (paper 3, eq. 8).
pub(super) const SERIES: [f64; 7] = [1.0, -0.5, 1.0 / 12.0, 0.0, -1.0 / 720.0, 0.0, 1.0 / 30_240.0];

/// The evaluation of dexp⁻¹_σ(f).
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Differential {
    /// The closed form of the group.
    Exact,
    /// The terms of the series Σ B_k/k! ad_σ^k up to this k, at most 6. A method of order p needs k = p − 2.
    Truncated(usize),
    /// None: stages combine values of f and their commutators.
    Commutators {
        /// The commutators of each stage.
        stages: &'static [&'static [Commutator]],
        /// The commutators of the step.
        step: &'static [Commutator],
    },
}

/// The term h² c [f_i, f_j].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Commutator {
    /// i, from 0 on.
    pub left: usize,
    /// j, from 0 on.
    pub right: usize,
    /// c.
    pub coefficient: f64,
}

/// The coefficients of a method.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MuntheKaasMethod {
    /// The identifier in command lines and files.
    pub id: &'static str,
    /// The descriptive name.
    pub name: &'static str,
    /// The Runge-Kutta method for σ.
    pub tableau: &'static ButcherTableau,
    /// The evaluation of dexp⁻¹.
    pub differential: Differential,
}
