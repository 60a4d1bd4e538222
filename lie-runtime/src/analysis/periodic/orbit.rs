//! The result of the search for a periodic orbit.

use core::fmt;

use nalgebra::{Complex, DMatrix};

use crate::gradient::SensitivityError;
use crate::integrator::State;
use crate::messages::{see, setting};
use crate::system::{LawViolation, ModelError, TangentSystem};

/// A periodic orbit.
pub struct Orbit<M: TangentSystem> {
    /// The initial state.
    pub state: State<M>,
    /// The period T.
    pub period: f64,
    /// The displacements of one period along the [symmetries](crate::analysis::PeriodicOrbit::modulo_symmetry).
    pub ways: Vec<(&'static str, f64)>,
    /// The largest component of the defect.
    pub defect: f64,
    /// The number of Newton iterations.
    pub iterations: usize,
    /// The monodromy matrix Φ, left-trivialised and moved back along the symmetries. It maps a deviation (δq₀, δv₀) of 2n components to the
    /// deviation after one period. An inadmissible deviation is projected first. Auxiliary states are components of v, and the rows and columns
    /// of their coordinates are zero.
    pub monodromy: DMatrix<f64>,
    /// The Floquet multipliers in descending order: the eigenvalues of Φ on admissible deviations.
    pub multipliers: Vec<Complex<f64>>,
    /// True if a drive determines the period.
    #[doc(hidden)]
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
#[derive(thiserror::Error)]
#[non_exhaustive]
pub enum OrbitError<M: TangentSystem> {
    /// The initial guess or the period is missing.
    #[error("missing setting of the search for a periodic orbit; call `{option}` {}", see("periodic-orbits"))]
    Nowhere {
        /// The name of the setting.
        option: &'static str,
    },
    /// A setting is not a positive number.
    #[error("the {option} is {value:?}; it must be positive and finite {}", see("periodic-orbits"))]
    Setting {
        /// The name of the setting.
        option: &'static str,
        /// The value of the setting.
        value: f64,
    },
    /// The function of [`stop_when`](crate::analysis::PeriodicOrbit::stop_when) has returned true.
    #[error("the search was stopped before it converged {}", see("periodic-orbits"))]
    Stopped,
    /// A run has no derivatives or fails.
    #[error("{0}")]
    Run(Box<SensitivityError<M>>),
    /// The orbit violates the law of a contact, of a stop or of dry friction.
    #[error("the orbit is not possible: at the time {time:?}, {violation}")]
    Law {
        /// The time.
        time: f64,
        /// The law.
        violation: LawViolation,
    },
    /// The solution does not move, or moves along symmetries only.
    #[error(
        "the solution is at rest, or moves along symmetries only. Start at a larger distance from it, or search for an `Equilibrium` {}",
        see("periodic-orbits")
    )]
    AtRest,
    /// The declaration does not contain the symmetry.
    #[error("{} {}", unknown_symmetry(.name, .declared), see("symmetries"))]
    NoSymmetry {
        /// The name.
        name: &'static str,
        /// The declared symmetries.
        declared: Vec<&'static str>,
    },
    /// The continuation parameter is not a scalar parameter.
    #[error("the parameter of a continuation must be a scalar: {0}")]
    Parameter(ModelError),
    /// This orbit does not determine a unique crossing family.
    #[error("{} {}", crossing(*.kind, *.others), see("periodic-orbits"))]
    Crossing {
        /// The kind of the special orbit.
        kind: SpecialOrbitKind,
        /// The number of crossing families.
        others: usize,
    },
    /// The special orbit is not an orbit of this system with this parameter.
    #[error(
        "the special orbit does not belong to this system: with the parameter {parameter:?} its defect is {defect:.2e}. Use the same system, \
         parameter, events and steps as in the original continuation {}",
        see("periodic-orbits")
    )]
    ForeignMotion {
        /// The parameter.
        parameter: f64,
        /// The defect.
        defect: f64,
    },
    /// The continuation of a family failed.
    #[error(
        "the continuation failed after {points} orbits at the parameter {parameter:?}, with steps down to {step:.1e}. The orbit ends there or is \
         not differentiable: set `.parameter_end(…)` before it, or more `.steps(…)` {}",
        see("continuation")
    )]
    Branch {
        /// The last parameter.
        parameter: f64,
        /// The length of the failed step.
        step: f64,
        /// The number of orbits.
        points: usize,
    },
    /// A family ends before the value of `parameter_end`.
    #[error(
        "the family ends at {reached:?} after {points} orbits, before its target {aim:?}. Set more `.points(…)`, a larger `.step(…)`, or a target \
         in the family. The field `branch` of the error contains the orbits so far {}",
        see("continuation")
    )]
    AimNotReached {
        /// The value of `parameter_end`.
        aim: f64,
        /// The parameter of the last orbit.
        reached: f64,
        /// The number of orbits.
        points: usize,
    },
    /// A symmetry has no finite velocity at the end of the motion.
    #[error(
        "a symmetry has no finite velocity at the end of the motion, or the wrong number of components. Use another start, or correct its \
         function {}",
        see("symmetries")
    )]
    UndefinedSymmetry,
    /// The iteration does not converge.
    #[error(
        "no periodic orbit was found in {iterations} iterations: with a period of {period:?} the defect is {defect:.2e}. Start closer to an orbit, \
         for example from a run that is almost periodic, or set more steps, {} {}",
        setting("steps"),
        see("periodic-orbits")
    )]
    NotConverged {
        /// The number of iterations.
        iterations: usize,
        /// The period of the last iterate.
        period: f64,
        /// The defect of the last iterate.
        defect: f64,
    },
}

/// The message of an unknown symmetry.
fn unknown_symmetry(name: &str, declared: &[&str]) -> String {
    match declared {
        [] => format!("unknown symmetry `{name}`: the declaration has no `#[symmetry]`"),
        _ => format!("unknown symmetry `{name}`; the declaration has `{}`", declared.join("`, `")),
    }
}

/// The message of a special orbit without a unique crossing family.
fn crossing(kind: SpecialOrbitKind, others: usize) -> String {
    match (kind, others) {
        (SpecialOrbitKind::Torus, _) => {
            "the branching motions have a second frequency and are not periodic; simulate a long run".to_owned()
        }
        (kind, 0) => {
            format!(
                "no other family crosses at this orbit, {kind:?}; branch from a `Bifurcation` or a `PeriodDoubling`"
            )
        }
        _ => format!(
            "{others} families, or a continuum of families, cross at this orbit. Start from an orbit of the desired family with `.guess(…)`, or \
             break the symmetry with a parameter"
        ),
    }
}

crate::messages::debug_is_the_message!([M: TangentSystem] OrbitError<M>);

/// The kind of a special orbit of a family.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SpecialOrbitKind {
    /// A limit point: the parameter has an extremum, and no orbit exists close to it on the other side.
    Limit,
    /// A multiplier crosses 1: another family crosses this one.
    Bifurcation,
    /// A multiplier crosses −1: a family of twice the period branches off.
    PeriodDoubling,
    /// A pair of complex multipliers crosses the unit circle: motions with a second frequency (Neimark-Sacker bifurcation).
    Torus,
}
