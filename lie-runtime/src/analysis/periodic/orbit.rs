//! The result of the search for a periodic orbit.

use core::fmt;

use nalgebra::{Complex, DMatrix};

use crate::analysis::periodic::branch::SpecialOrbitKind;
use crate::gradient::SensitivityError;
use crate::integrator::State;
use crate::system::{ModelError, TangentSystem};

/// A periodic orbit.
pub struct Orbit<M: TangentSystem> {
    /// The initial state.
    pub state: State<M>,
    /// The period T.
    pub period: f64,
    /// The displacements of one period along the [symmetries](crate::analysis::PeriodicOrbit::up_to).
    pub ways: Vec<(&'static str, f64)>,
    /// The largest component of the defect.
    pub defect: f64,
    /// The number of Newton iterations.
    pub iterations: usize,
    /// The monodromy matrix Φ, left-trivialised and moved back along the symmetries. It maps a deviation (δq₀, δv₀) of 2n components to the
    /// deviation after one period. An inadmissible deviation is projected first.
    pub monodromy: DMatrix<f64>,
    /// The Floquet multipliers in descending order: the eigenvalues of Φ on admissible deviations.
    pub multipliers: Vec<Complex<f64>>,
    /// True if a drive determines the period.
    pub is_driven: bool,
    /// The number of steps of the run.
    pub steps: usize,
}

impl<M: TangentSystem> Orbit<M> {
    /// Returns the multipliers of deviations. Without a drive, the multiplier closest to 1 is omitted, because it belongs to a shift along
    /// the orbit.
    pub(in crate::analysis) fn deviations(&self) -> Vec<Complex<f64>> {
        let mut multipliers = self.multipliers.clone();
        if !self.is_driven {
            let distance = |at: &usize| (self.multipliers[*at] - Complex::from(1.0)).norm();
            let along = (0..multipliers.len()).min_by(|one, other| distance(one).total_cmp(&distance(other)));
            along.map(|at| multipliers.remove(at));
        }
        multipliers
    }

    /// Returns the largest growth factor of deviations in a period; below 1 if all deviations decay.
    pub fn growth(&self) -> f64 {
        self.deviations().iter().map(|multiplier| multiplier.norm()).fold(0.0, f64::max)
    }
}

impl<M: TangentSystem> fmt::Debug for Orbit<M> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Orbit")
            .field("state", &self.state)
            .field("period", &self.period)
            .field("ways", &self.ways)
            .field("defect", &self.defect)
            .field("iterations", &self.iterations)
            .field("multipliers", &self.multipliers)
            .finish_non_exhaustive()
    }
}

/// No periodic orbit was found.
#[non_exhaustive]
pub enum OrbitError<M: TangentSystem> {
    /// The initial guess or the period is missing.
    Nowhere {
        /// The name of the setting.
        option: &'static str,
    },
    /// A setting is not a positive number.
    Setting {
        /// The name of the setting.
        option: &'static str,
        /// The value of the setting.
        value: f64,
    },
    /// A run has no derivatives or fails.
    Run(Box<SensitivityError<M>>),
    /// The solution does not move, or moves along symmetries only.
    AtRest,
    /// The declaration does not contain the symmetry.
    NoSymmetry {
        /// The name.
        name: &'static str,
        /// The declared symmetries.
        declared: Vec<&'static str>,
    },
    /// The continuation parameter is not a scalar parameter.
    Parameter(ModelError),
    /// This orbit does not determine a unique crossing family.
    Crossing {
        /// The kind of the special orbit.
        kind: SpecialOrbitKind,
        /// The number of crossing families.
        others: usize,
    },
    /// The special orbit is not an orbit of this system with this parameter.
    ForeignMotion {
        /// The parameter.
        parameter: f64,
        /// The defect.
        defect: f64,
    },
    /// The continuation of a family failed.
    Branch {
        /// The last parameter.
        parameter: f64,
        /// The length of the failed step.
        step: f64,
        /// The number of orbits.
        points: usize,
    },
    /// A family ends before the value of `parameter_end`.
    AimNotReached {
        /// The value of `parameter_end`.
        aim: f64,
        /// The parameter of the last orbit.
        reached: f64,
        /// The number of orbits.
        points: usize,
    },
    /// A symmetry has no finite velocity at the end of the motion.
    UndefinedSymmetry,
    /// The iteration does not converge.
    NotConverged {
        /// The number of iterations.
        iterations: usize,
        /// The period of the last iterate.
        period: f64,
        /// The defect of the last iterate.
        defect: f64,
    },
}

impl<M: TangentSystem> fmt::Display for OrbitError<M> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            OrbitError::Nowhere { option } => write!(f, "missing setting of the search for a periodic orbit: call `{option}`"),
            OrbitError::Setting { option, value } => write!(f, "the {option} is {value:?}; it must be positive and finite"),
            OrbitError::Run(error) => error.fmt(f),
            OrbitError::AtRest => f.write_str(
                "the solution is at rest, or moves along symmetries only. Start at a larger distance from it, \
                 or search for an `Equilibrium`",
            ),
            OrbitError::NoSymmetry { name, declared } if declared.is_empty() => {
                write!(f, "unknown symmetry `{name}`: the declaration has no `#[symmetry]`")
            }
            OrbitError::NoSymmetry { name, declared } => {
                write!(f, "unknown symmetry `{name}`; the declaration has `{}`", declared.join("`, `"))
            }
            OrbitError::Parameter(error) => write!(f, "the parameter of a continuation must be a scalar: {error}"),
            OrbitError::Crossing { kind: SpecialOrbitKind::Torus, .. } => {
                f.write_str("the branching motions have a second frequency and are not periodic: use a long run")
            }
            OrbitError::Crossing { others: 0, kind } => {
                write!(f, "no other family crosses at this orbit, {kind:?}: branch from a `Bifurcation` or a `PeriodDoubling`")
            }
            OrbitError::Crossing { others, .. } => write!(
                f,
                "{others} families, or a continuum of families, cross at this orbit. Start from an orbit \
                 of the desired family with `.near(…)`, or break the symmetry with a parameter"
            ),
            OrbitError::ForeignMotion { parameter, defect } => write!(
                f,
                "the special orbit does not belong to this system: with the parameter {parameter:?} its defect is \
                 {defect:.2e}. Use the same system, parameter, events and steps as in the original continuation"
            ),
            OrbitError::Branch { parameter, step, points } => write!(
                f,
                "the continuation failed after {points} orbits at the parameter {parameter:?}, with steps down to \
                 {step:.1e}. The orbit ends there or is not differentiable: set `.parameter_end(…)` before it, or more `.steps(…)`"
            ),
            OrbitError::AimNotReached { aim, reached, points } => write!(
                f,
                "the family ends at {reached:?} after {points} orbits, before its target {aim:?}. Set more `.points(…)`, a larger `.step(…)`, \
                 or a target in the family. The field `branch` of the error contains the orbits so far"
            ),
            OrbitError::UndefinedSymmetry => f.write_str(
                "a symmetry has no finite velocity at the end of the motion, or the wrong number of components; use another start, or \
                 correct its function",
            ),
            OrbitError::NotConverged { iterations, period, defect } => write!(
                f,
                "no periodic orbit was found in {iterations} iterations: with a period of {period:?} the defect is \
                 {defect:.2e}. Start closer to an orbit, for example from a run that is almost periodic, or set more `.steps(…)`"
            ),
        }
    }
}

/// Equals the message, because `fn main() -> Result<…>` prints this format.
impl<M: TangentSystem> fmt::Debug for OrbitError<M> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl<M: TangentSystem> std::error::Error for OrbitError<M> {}
