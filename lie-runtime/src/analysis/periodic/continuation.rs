//! A family of periodic motions followed by its arc length, round limits, past changes of stability and into families that cross it.

use crate::analysis::continuation_settings::{Course, course_settings};
use crate::analysis::curve::follow;
use crate::analysis::periodic::branch::{OrbitBranch, OrbitPoint, SpecialOrbit};
use crate::analysis::periodic::orbit::OrbitError;
use crate::analysis::periodic::path::Path;
use crate::analysis::periodic::{PeriodicOrbit, found};
use crate::analysis::unfinished::BranchError;
use crate::integrator::{HalfExplicit, Integrator};
use crate::system::{ParameterSet, TangentSystem};

/// The family of periodic motions that a [`PeriodicOrbit`] belongs to, over a parameter of the declaration.
///
/// Motions are found by pseudo-arclength continuation (H. B. Keller 1977) with shooting: a step along the tangent of the family, then
/// Newton's iteration in the plane across it for the start, the period and the parameter together, so that the parameter may have
/// limits. Derivatives are those of the run, exactly, by the parameter as well. Between two motions a change in the number of
/// Floquet multipliers outside of the unit circle, or in the direction of the parameter, tells of a
/// [`SpecialOrbitKind`](crate::analysis::SpecialOrbitKind), which is then located. [`branch_from`](Self::branch_from) follows the family that crosses there.
///
/// A step that bends too much or does not converge is made shorter. What changes twice within a step is not seen: look with a
/// smaller `.step(…)`.
///
/// ```
/// # use lie_runtime::prelude::*;
/// # #[mechanical_system]
/// # pub mod oscillator {
/// #     use lie_runtime::prelude::*;
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
///     .following("push")
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
    course: Course,
}

impl<'a, M: TangentSystem, I: Integrator<M::Lifted> + Clone> OrbitContinuation<'a, M, I> {
    pub(in crate::analysis) fn of(search: PeriodicOrbit<'a, M, I>, name: &'a str) -> Self {
        OrbitContinuation { search, name, crossing: None, course: Course::default() }
    }

    /// The family is another one, which this motion of the family that was followed belongs to as well: where a multiplier is 1 the one that
    /// crosses there, where it is −1 that of twice the period. It leaves along the deviation that comes back, with the sign of `sign`;
    /// of twice the period both signs are the same motions, a period apart.
    ///
    /// All that is known of the motion is taken from it, instead of `.near(…)`, `.period_guess(…)`, `.period(…)`, `.modulo_symmetry(…)` and
    /// `.start_time(…)`, and the length of its steps, if `.steps(…)` says no other. The rest of the search has to be what the
    /// motion was found with.
    #[must_use]
    pub fn branch_from(mut self, special: &'a SpecialOrbit<M>, sign: f64) -> Self {
        self.crossing = Some((special, sign));
        self
    }

    course_settings!();

    /// Follows the family.
    ///
    /// # Errors
    /// [`BranchError`] with the family so far: if there is no motion to begin with, the family cannot be followed on, or it ends before the
    /// aim of [`parameter_end`](Self::parameter_end).
    pub fn run(self) -> FamilyResult<M> {
        let unfinished =
            |error, (points, special)| Box::new(BranchError { error, branch: OrbitBranch { points, special } });
        match self.followed() {
            Ok(Ok((points, special))) => Ok(OrbitBranch { points, special }),
            Ok(Err((error, found))) => Err(unfinished(error, found)),
            Err(error) => Err(unfinished(error, (Vec::new(), Vec::new()))),
        }
    }

    /// The motions that were found, unless there is none to begin with.
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
        let mut path = Path { system, name: self.name, range: extent.range(), unit, shooting };
        let start = match self.crossing {
            Some((special, sign)) => path.crossing(special, guess, sign)?,
            None => path.beginning(guess, &extent)?,
        };
        Ok(follow(&mut path, start, self.crossing.is_none(), &extent))
    }
}

/// A family, or why it was not followed to its aim.
type FamilyResult<M> = Result<OrbitBranch<M>, Box<BranchError<OrbitBranch<M>, OrbitError<M>>>>;
/// Motions and special ones.
type Found<M> = (Vec<OrbitPoint<M>>, Vec<SpecialOrbit<M>>);
/// These, and why there are no more if the aim was not reached.
type FollowedFamily<M> = Result<Found<M>, (OrbitError<M>, Found<M>)>;

/// The parameter of that name, which has to be one number.
fn value_of<M: TangentSystem>(system: &M, name: &str) -> Result<f64, OrbitError<M>> {
    let numbers = system.parameters().get(name).map(|value| value.numbers()).unwrap_or_default();
    let value = numbers.first().copied().unwrap_or_default();
    // It says itself what is wrong with a name.
    system.parameters().clone().set(name, &[value]).map_err(OrbitError::Parameter)?;
    Ok(value)
}
