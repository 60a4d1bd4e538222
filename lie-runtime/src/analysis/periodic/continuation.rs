//! Arc-length continuation of periodic orbits through limit points, changes of stability and crossing families.

use crate::analysis::continuation_settings::{ContinuationSettings, course_settings};
use crate::analysis::curve::follow;
use crate::analysis::periodic::branch::{OrbitBranch, OrbitPoint, SpecialOrbit};
use crate::analysis::periodic::orbit::OrbitError;
use crate::analysis::periodic::path::OrbitPath;
use crate::analysis::periodic::{PeriodicOrbit, found};
use crate::analysis::unfinished::BranchError;
use crate::integrator::{HalfExplicit, Integrator};
use crate::system::{ParameterSet, TangentSystem};

/// A continuation of the family of a [`PeriodicOrbit`] over a parameter of the declaration.
///
/// Orbits are found by pseudo-arclength continuation (H. B. Keller 1977) with shooting: a step along the tangent of the family, then
/// Newton's iteration in the orthogonal plane. Its unknowns are the start, the period and the parameter, so that the parameter can have
/// limit points. Derivatives of the run are exact, also with respect to the parameter. A
/// [`SpecialOrbitKind`](crate::analysis::SpecialOrbitKind) is detected and located if the number of Floquet multipliers outside the unit
/// circle changes between two orbits, or if the direction of the parameter changes. [`branch_from`](Self::branch_from) follows the crossing
/// family.
///
/// The step is reduced at large curvature or without convergence. Two changes within one step are not detected; use a smaller `.step(…)`
/// for them.
///
/// ```
/// # use lie_runtime::prelude::*;
/// # #[mechanical_system]
/// # pub mod oscillator {
/// #     #[configuration]
/// #     pub struct Place { pub x: f64 }
/// #     #[parameters]
/// #     pub struct Spring { pub push: f64 }
/// #     #[kinetic_energy]
/// #     fn kinetic(v: &Velocity) -> f64 { 0.5 * v.x * v.x }
/// #     #[potential]
/// #     fn spring(q: &Place) -> f64 { 0.5 * q.x * q.x }
/// #     #[force(on = x)]
/// #     fn forces(spring: &Spring, t: f64, v: &Velocity) -> f64 { spring.push * (2.0 * t).cos() - 0.2 * v.x }
/// # }
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// use lie_runtime::analysis::PeriodicOrbit;
///
/// // A linear oscillator pushed twice as fast as it swings by itself: x = a cos 2t + b sin 2t with −3 a + 0.4 b = push.
/// let system = oscillator::System::new(oscillator::Spring { push: 0.0 })?;
/// let family = PeriodicOrbit::of(&system)
///     .guess(oscillator::Place { x: 0.0 }, system.zero_velocity())
///     .period(std::f64::consts::PI)
///     .continuation("push")
///     .parameter_end(2.0)
///     .run()?;
/// let (first, last) = (&family.points[0], family.points.last().ok_or("a motion")?);
/// assert!(first.orbit.state.configuration.x.abs() < 1e-9 && last.parameter >= 2.0);
/// let a = -3.0 * last.parameter / (9.0 + 0.16);
/// assert!((last.orbit.state.configuration.x - a).abs() < 1e-7);
/// # Ok(())
/// # }
/// ```
pub struct OrbitContinuation<'a, M: TangentSystem, I = HalfExplicit> {
    search: PeriodicOrbit<'a, M, I>,
    name: &'a str,
    crossing: Option<(&'a SpecialOrbit<M>, f64)>,
    course: ContinuationSettings,
}

impl<'a, M: TangentSystem, I: Integrator<M::Lifted> + Clone> PeriodicOrbit<'a, M, I> {
    /// Follows the family of the orbit over the parameter of this name.
    pub fn continuation(self, parameter: &'a str) -> OrbitContinuation<'a, M, I> {
        OrbitContinuation::of(self, parameter)
    }
}

impl<'a, M: TangentSystem, I: Integrator<M::Lifted> + Clone> OrbitContinuation<'a, M, I> {
    pub(in crate::analysis) fn of(search: PeriodicOrbit<'a, M, I>, name: &'a str) -> Self {
        OrbitContinuation { search, name, crossing: None, course: ContinuationSettings::default() }
    }

    /// Follows another family that contains this special orbit: the crossing family for a multiplier 1, the family of twice the period for
    /// a multiplier −1. It starts along the periodic deviation with the sign of `sign`. For twice the period, both signs give the same
    /// orbits with a shift of one period.
    ///
    /// The orbit replaces `.guess(…)`, `.period_guess(…)`, `.period(…)`, `.modulo_symmetry(…)` and `.start_time(…)`, and by default
    /// `.steps(…)`. The other settings of the search must equal the settings of the original search.
    #[must_use]
    pub fn branch_from(mut self, special: &'a SpecialOrbit<M>, sign: f64) -> Self {
        self.crossing = Some((special, sign));
        self
    }

    course_settings!();

    /// Follows the family.
    ///
    /// # Errors
    /// [`BranchError`] with the family so far: if there is no initial orbit, the continuation fails, or the family ends before
    /// [`parameter_end`](Self::parameter_end).
    pub fn run(self) -> FamilyResult<M> {
        let unfinished =
            |error, (points, special)| Box::new(BranchError { error, branch: OrbitBranch { points, special } });
        match self.followed() {
            Ok(Ok((points, special))) => Ok(OrbitBranch { points, special }),
            Ok(Err((error, found))) => Err(unfinished(error, found)),
            Err(error) => Err(unfinished(error, (Vec::new(), Vec::new()))),
        }
    }

    /// The orbits found so far, if there is an initial orbit.
    fn followed(self) -> Result<FollowedFamily<M>, OrbitError<M>> {
        let value = value_of(self.search.system(), self.name)?;
        let from = self.crossing.map_or(value, |(special, _)| special.parameter);
        let extent = self.course.from(from).map_err(|(option, value)| OrbitError::Setting { option, value })?;
        let (system, guess, mut shooting) = match self.crossing {
            None => {
                let (system, guess, shooting) = self.search.described()?;
                (system, found(system, guess, &shooting)?.0.guess(), shooting)
            }
            Some((special, _)) => self.search.departing(special)?,
        };
        let unit = guess.period;
        shooting.parameter = Some(self.name.to_owned());
        let mut path = OrbitPath { system, name: self.name, range: extent.range(), unit, shooting };
        let start = match self.crossing {
            Some((special, sign)) => path.crossing(special, guess, sign)?,
            None => path.beginning(guess, &extent)?,
        };
        Ok(follow(&mut path, start, self.crossing.is_none(), &extent))
    }
}

/// A family, or the reason for its early end.
type FamilyResult<M> = Result<OrbitBranch<M>, Box<BranchError<OrbitBranch<M>, OrbitError<M>>>>;
/// The orbits and special orbits.
type OrbitPoints<M> = (Vec<OrbitPoint<M>>, Vec<SpecialOrbit<M>>);
/// The orbits and special orbits, and the error if the target was not reached.
type FollowedFamily<M> = Result<OrbitPoints<M>, (OrbitError<M>, OrbitPoints<M>)>;

/// Returns the parameter of this name, which must be a scalar.
fn value_of<M: TangentSystem>(system: &M, name: &str) -> Result<f64, OrbitError<M>> {
    let numbers = system.parameters().get(name).map(|value| value.numbers()).unwrap_or_default();
    let value = numbers.first().copied().unwrap_or_default();
    // This call reports an invalid name.
    system.parameters().clone().set(name, &[value]).map_err(OrbitError::Parameter)?;
    Ok(value)
}
