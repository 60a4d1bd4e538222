//! What becomes of the search for a periodic motion.

use core::fmt;

use nalgebra::{Complex, DMatrix};

use crate::analysis::periodic::branch::SpecialOrbitKind;
use crate::gradient::SensitivityError;
use crate::integrator::State;
use crate::system::{ModelError, TangentSystem};

/// A periodic motion.
pub struct Orbit<M: TangentSystem> {
    /// Where it begins.
    pub state: State<M>,
    /// T.
    pub period: f64,
    /// How far a period moves it along the symmetries [up to which](crate::analysis::PeriodicOrbit::up_to) it comes back.
    pub ways: Vec<(&'static str, f64)>,
    /// The largest component of what it misses to come back by.
    pub defect: f64,
    /// Newton's iterations.
    pub iterations: usize,
    /// Φ, left-trivialised, moved back along the symmetries: what a deviation (δq₀, δv₀), of 2n components, has become after a period; of one that the constraints
    /// do not admit, what its projection has.
    pub monodromy: DMatrix<f64>,
    /// The Floquet multipliers, the largest first: the eigenvalues of Φ among the deviations that the constraints admit.
    pub multipliers: Vec<Complex<f64>>,
    /// True if a drive has the period.
    pub is_driven: bool,
    /// Steps of the run that it was found by.
    pub steps: usize,
}

impl<M: TangentSystem> Orbit<M> {
    /// The multipliers of deviations. What moves along an orbit without a drive is none: the multiplier next to 1 is left out.
    pub(in crate::analysis) fn deviations(&self) -> Vec<Complex<f64>> {
        let mut multipliers = self.multipliers.clone();
        if !self.is_driven {
            let distance = |at: &usize| (self.multipliers[*at] - Complex::from(1.0)).norm();
            let along = (0..multipliers.len()).min_by(|one, other| distance(one).total_cmp(&distance(other)));
            along.map(|at| multipliers.remove(at));
        }
        multipliers
    }

    /// By which factor the deviation that grows most grows in a period; under 1 if all decay.
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

/// No periodic motion was found.
#[non_exhaustive]
pub enum OrbitError<M: TangentSystem> {
    /// It was not said where to look, or for which period.
    Nowhere {
        /// What says it.
        option: &'static str,
    },
    /// A setting is not a positive number.
    Setting {
        /// What says it.
        option: &'static str,
        /// Its value.
        value: f64,
    },
    /// A run has no derivatives, or does not come to its end.
    Run(Box<SensitivityError<M>>),
    /// What was found does not move, or along symmetries only.
    AtRest,
    /// The declaration has no symmetry of this name.
    NoSymmetry {
        /// The name.
        name: &'static str,
        /// Those that it has.
        declared: Vec<&'static str>,
    },
    /// What a family is to be followed in is no parameter that is one number.
    Parameter(ModelError),
    /// No one family is to be followed from this motion.
    Crossing {
        /// What happens to the family that it is of.
        kind: SpecialOrbitKind,
        /// How many others cross there.
        others: usize,
    },
    /// The motion that a family is to leave is none of this system with this parameter.
    ForeignMotion {
        /// The parameter.
        parameter: f64,
        /// What it misses its start by.
        defect: f64,
    },
    /// A family of motions cannot be followed any further.
    Branch {
        /// The parameter up to which it was.
        parameter: f64,
        /// The step that was too long.
        step: f64,
        /// How many motions were found.
        points: usize,
    },
    /// A family of motions ends before the aim that `parameter_end` has set.
    AimNotReached {
        /// The aim.
        aim: f64,
        /// The parameter of the last motion.
        reached: f64,
        /// The number of motions.
        points: usize,
    },
    /// Where the motion ends a symmetry has no finite velocity.
    UndefinedSymmetry,
    /// The iteration does not converge.
    NotConverged {
        /// The iterations made.
        iterations: usize,
        /// The period of the last of them.
        period: f64,
        /// What was missed last.
        defect: f64,
    },
}

impl<M: TangentSystem> fmt::Display for OrbitError<M> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            OrbitError::Nowhere { option } => write!(f, "a periodic motion is looked for near another one: say `{option}`"),
            OrbitError::Setting { option, value } => write!(f, "the {option} is {value:?}; it has to be a positive number"),
            OrbitError::Run(error) => error.fmt(f),
            OrbitError::AtRest => f.write_str(
                "what was found is at rest, or moves along symmetries only, which every period brings back; start further away from it, \
                 or look for an `Equilibrium`",
            ),
            OrbitError::NoSymmetry { name, declared } if declared.is_empty() => {
                write!(f, "the declaration has no symmetry `{name}`, nor any other: declare it as a function with `#[symmetry]`")
            }
            OrbitError::NoSymmetry { name, declared } => {
                write!(f, "the declaration has no symmetry `{name}`; it has `{}`", declared.join("`, `"))
            }
            OrbitError::Parameter(error) => write!(f, "a family is followed in a parameter that is one number: {error}"),
            OrbitError::Crossing { kind: SpecialOrbitKind::Torus, .. } => {
                f.write_str("what leaves here has a second frequency and does not come back: look at it in long runs")
            }
            OrbitError::Crossing { others: 0, kind } => {
                write!(f, "no other family crosses at this motion, {kind:?}: branch from a `Bifurcation` or a `PeriodDoubling`")
            }
            OrbitError::Crossing { others, .. } => write!(
                f,
                "{others} families cross at this motion, or a continuum of them, and none is the next one: begin by a motion \
                 of the one that is meant, `.near(…)`, or break by a parameter what makes them alike"
            ),
            OrbitError::ForeignMotion { parameter, defect } => write!(
                f,
                "the motion that the family is to leave is none of this system: with its parameter at {parameter:?} it misses its \
                 start by {defect:.2e}; follow the parameter in which it was found, of the same system, with the same events and steps"
            ),
            OrbitError::Branch { parameter, step, points } => write!(
                f,
                "after {points} motions, where the parameter is {parameter:?}, no step along the family converges, not even one of \
                 length {step:.1e}: the motion ends there or loses its derivatives; end before it by `.parameter_end(…)`, or take more `.steps(…)`"
            ),
            OrbitError::AimNotReached { aim, reached, points } => write!(
                f,
                "the family ends at {reached:?} after {points} motions, before its aim of {aim:?}: set more `.points(…)` or a larger `.step(…)`, \
                 or an aim in the family; the motions so far are in the `branch` of the error"
            ),
            OrbitError::UndefinedSymmetry => f.write_str(
                "where the motion ends a symmetry has no finite velocity, or not one for each degree of freedom; begin elsewhere, or \
                 mend its function",
            ),
            OrbitError::NotConverged { iterations, period, defect } => write!(
                f,
                "no periodic motion was found in {iterations} iterations: with a period of {period:?} the motion misses its start \
                 by {defect:.2e}; start nearer to one, from a run that nearly comes back, or take more `.steps(…)`"
            ),
        }
    }
}

/// As short as the message: it is what `fn main() -> Result<…>` shows.
impl<M: TangentSystem> fmt::Debug for OrbitError<M> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl<M: TangentSystem> std::error::Error for OrbitError<M> {}
