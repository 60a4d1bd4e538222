//! A family of periodic motions followed by its arc length, round limits and past changes of stability.

use nalgebra::{DMatrix, DVector};

use super::curve::{Between, Curve, Extent, Lost, Step, follow, locate};
use super::family::{Family, parameter};
use super::orbit::{Orbit, OrbitError};
use super::orbit_branch::{OrbitBranch, OrbitPoint, SpecialOrbit, SpecialOrbitKind};
use super::periodic::{PeriodicOrbit, found};
use super::round::Round;
use super::shooting::{Guess, Shooting, shortest};
use crate::integrator::{HalfExplicit, Integrator};
use crate::system::{ParameterSet, Varied};

/// Corrections after a prediction, before the step is made shorter.
const CORRECTIONS: usize = 8;
/// Multipliers larger than 1 by less are round-off of motions that neither grow nor decay.
const GROWING: f64 = 1e-6;
/// Imaginary parts under this part of a multiplier on the unit circle are none.
const COMPLEX: f64 = 1e-4;

/// The family of periodic motions that a [`PeriodicOrbit`] belongs to, over a parameter of the declaration.
///
/// Motions are found by pseudo-arclength continuation (H. B. Keller 1977) with shooting: a step along the tangent of the family, then
/// Newton's iteration in the plane across it for the start, the period and the parameter together, so that the parameter may have
/// limits. Derivatives are those of the run, exactly, by the parameter as well. Between two motions a change in the number of
/// Floquet multipliers outside of the unit circle, or in the direction of the parameter, tells of a [`SpecialOrbitKind`], which is then located.
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
///     .near(oscillator::Place { x: 0.0 }, system.zero_velocity())
///     .driven_for(std::f64::consts::PI)
///     .following("push")
///     .towards(2.0)
///     .run()?;
/// let (first, last) = (&family.points[0], family.points.last().ok_or("a motion")?);
/// assert!(first.orbit.state.configuration.x.abs() < 1e-9 && last.parameter >= 2.0);
/// let a = -3.0 * last.parameter / (9.0 + 0.16);
/// assert!((last.orbit.state.configuration.x - a).abs() < 1e-7);
/// # Ok(())
/// # }
/// ```
pub struct OrbitContinuation<'a, M: Varied, I = HalfExplicit> {
    search: PeriodicOrbit<'a, M, I>,
    name: &'a str,
    to: Option<f64>,
    step: f64,
    points: usize,
}

impl<'a, M: Varied, I: Integrator<M::Lifted> + Clone> OrbitContinuation<'a, M, I> {
    pub(super) fn of(search: PeriodicOrbit<'a, M, I>, name: &'a str) -> Self {
        OrbitContinuation { search, name, to: None, step: 0.05, points: 1000 }
    }

    /// The family ends where it reaches this value, of the motion after it; and where it comes back beyond the value it began with, by as
    /// much as lies between the two. One more than the value of the system unless something is said.
    #[must_use]
    pub fn towards(mut self, value: f64) -> Self {
        self.to = Some(value);
        self
    }

    /// The longest step, see [`OrbitPoint::length`]; 0.05 unless something is said.
    #[must_use]
    pub fn step(mut self, length: f64) -> Self {
        self.step = length;
        self
    }

    /// Ends after so many motions; 1000 unless something is said.
    #[must_use]
    pub fn points(mut self, most: usize) -> Self {
        self.points = most;
        self
    }

    /// Follows the family.
    ///
    /// # Errors
    /// [`OrbitError`] if there is no motion to begin with, or the family cannot be followed on.
    pub fn run(self) -> Result<OrbitBranch<M>, OrbitError<M>> {
        if !(self.step > 0.0 && self.step.is_finite()) {
            return Err(OrbitError::Setting { option: "step", value: self.step });
        }
        let (system, guess, shooting) = self.search.described()?;
        let from = value_of(system, self.name)?;
        let to = self.to.unwrap_or(from + 1.0);
        let range = (to - from).abs();
        if !(range > 0.0 && range.is_finite()) {
            return Err(OrbitError::Setting { option: "distance of `.towards`", value: range });
        }
        if shooting.events.is_some() {
            return Err(OrbitError::EventsInFamily);
        }
        let unit = guess.period;
        // First at the given value.
        let (first, _) = found(system, guess, &shooting)?;
        let mut path = Path { system, name: self.name, range, unit, shooting };
        let count = path.units().len() - 1;
        let mut direction = DVector::zeros(count + 1);
        direction[count] = (to - from).signum();
        let (here, direction, _) = path.corrected(first.guess(), from, &direction).map_err(|lost| match lost {
            Lost::ForGood(error) => error,
            Lost::ThisTime => path.stuck(from, self.step, 1),
        })?;
        let extent = Extent { from, to, step: self.step, points: self.points };
        let (points, special) = follow(&mut path, (here, direction), true, &extent)?;
        Ok(OrbitBranch { points, special })
    }
}

/// The parameter of that name, which has to be one number.
fn value_of<M: Varied>(system: &M, name: &str) -> Result<f64, OrbitError<M>> {
    let numbers = system.parameters().get(name).map(|value| value.numbers()).unwrap_or_default();
    let value = numbers.first().copied().unwrap_or_default();
    // It says itself what is wrong with a name.
    system.parameters().clone().set(name, &[value]).map_err(OrbitError::Parameter)?;
    Ok(value)
}

/// The family.
struct Path<'p, M: Varied, I> {
    system: &'p M,
    name: &'p str,
    /// The unit of the parameter.
    range: f64,
    /// The unit of periods.
    unit: f64,
    shooting: Shooting<'p, M, I>,
}

impl<M: Varied, I: Integrator<M::Lifted> + Clone> Path<'_, M, I> {
    /// The units of x, τ, the ways and the parameter: in these directions have components.
    fn units(&self) -> DVector<f64> {
        let states = 2 * self.system.dof();
        let period = usize::from(!self.shooting.is_driven);
        let count = states + period + self.shooting.symmetries.len();
        DVector::from_fn(count + 1, |at, _| match at {
            _ if at < states => (states.max(1) as f64).sqrt(),
            _ if at < states + period => self.unit,
            _ if at < count => 1.0,
            _ => self.range,
        })
    }

    /// The linear system for a correction, or for the tangent, across or along a direction.
    fn bordered(&self, shooting: &Shooting<'_, M, I>, round: &Round<M>, direction: &DVector<f64>) -> DMatrix<f64> {
        let derivative = shooting.derivative(round);
        let (rows, columns) = derivative.shape();
        let mut matrix = DMatrix::zeros(rows + 1, columns + 1);
        matrix.view_mut((0, 0), (rows, columns)).copy_from(&derivative);
        if let Some(by) = &round.by {
            matrix.view_mut((0, columns), (by.len(), 1)).copy_from(by);
        }
        for (mut column, unit) in matrix.column_iter_mut().zip(self.units().iter()) {
            column *= *unit;
        }
        matrix.row_mut(rows).copy_from(&direction.transpose());
        matrix
    }

    /// Newton's iteration across a direction, and the tangent where it ends.
    fn corrected(
        &self,
        mut guess: Guess<M>,
        mut value: f64,
        direction: &DVector<f64>,
    ) -> Result<Step<Self>, Lost<OrbitError<M>>> {
        let last = direction.len() - 1;
        let units = self.units();
        let (mut previous, mut grown, mut corrections) = (f64::INFINITY, 0, 0);
        loop {
            let system = parameter(self.system, self.name).at(value).map_err(|_| Lost::ThisTime)?;
            let shooting = self.shooting.by(self.name);
            let round = shooting.round(&system, guess).map_err(|_| Lost::ThisTime)?;
            let (defect, rows) = (round.defect(), round.missed.len());
            let matrix = self.bordered(&shooting, &round, direction);
            let mut right = DVector::zeros(matrix.nrows());
            if defect <= shooting.tolerance {
                right[matrix.nrows() - 1] = 1.0;
                let tangent = shortest(matrix, &right, 0.0);
                let length = tangent.norm();
                if !(length > 0.0 && length.is_finite()) {
                    return Err(Lost::ThisTime);
                }
                let orbit = shooting.orbit(&system, round, corrections).map_err(Lost::ForGood)?;
                let unstable = orbit.deviations().iter().filter(|multiplier| multiplier.norm() > 1.0 + GROWING).count();
                let point = OrbitPoint { parameter: value, orbit, length: 0.0, unstable };
                return Ok((point, tangent / length, corrections));
            }
            grown += usize::from(defect > previous);
            if !defect.is_finite() || grown > 1 || corrections == CORRECTIONS {
                return Err(Lost::ThisTime);
            }
            previous = defect;
            right.rows_mut(0, rows).copy_from(&-&round.missed);
            let correction = shortest(matrix, &right, shooting.feigned(&round)).component_mul(&units);
            guess = round.guess().moved(&system, &correction.rows(0, last).into_owned(), 1.0);
            value += correction[last];
            corrections += 1;
        }
    }
}

impl<M: Varied> Guess<M> {
    /// The motion of an orbit.
    fn of(orbit: &Orbit<M>) -> Self {
        Guess {
            configuration: orbit.state.configuration.clone(),
            velocity: orbit.state.velocity.clone(),
            period: orbit.period,
            ways: orbit.ways.iter().map(|(_, way)| *way).collect(),
        }
    }
}

impl<M: Varied, I: Integrator<M::Lifted> + Clone> Curve for Path<'_, M, I> {
    type Point = OrbitPoint<M>;
    type Direction = DVector<f64>;
    type Special = SpecialOrbit<M>;
    type Error = OrbitError<M>;

    fn place(&self, point: &OrbitPoint<M>) -> [f64; 2] {
        [point.parameter, point.length]
    }

    fn cosine(&self, one: &DVector<f64>, other: &DVector<f64>) -> f64 {
        one.dot(other)
    }

    fn step(
        &mut self,
        here: &OrbitPoint<M>,
        direction: &DVector<f64>,
        length: f64,
    ) -> Result<Step<Self>, Lost<OrbitError<M>>> {
        let last = direction.len() - 1;
        let way = direction.component_mul(&self.units()) * length;
        let guess = Guess::of(&here.orbit).moved(self.system, &way.rows(0, last).into_owned(), 1.0);
        if guess.period <= 0.0 {
            return Err(Lost::ThisTime);
        }
        let (mut next, tangent, corrections) = self.corrected(guess, here.parameter + way[last], direction)?;
        next.length = here.length + length;
        Ok((next, tangent, corrections))
    }

    fn special(
        &mut self,
        between: &Between<'_, Self>,
        next: &OrbitPoint<M>,
        ahead: &DVector<f64>,
    ) -> Option<SpecialOrbit<M>> {
        let (here, last) = (between.here, ahead.len() - 1);
        let is_limit = between.direction[last] * ahead[last] < 0.0;
        if !is_limit && here.unstable == next.unstable {
            return None;
        }
        // The multiplier that passes the unit circle, by its place in the order of sizes.
        let number = here.unstable.min(next.unstable);
        let passing = |point: &OrbitPoint<M>| point.orbit.deviations().get(number).copied();
        let test = |point: &OrbitPoint<M>, tangent: &DVector<f64>| {
            if is_limit { tangent[last] } else { passing(point).map_or(0.0, |multiplier| multiplier.norm() - 1.0) }
        };
        let point = locate(self, between, (next, ahead), &test)?;
        let kind = match passing(&point) {
            _ if is_limit => SpecialOrbitKind::Limit,
            Some(multiplier) if multiplier.im.abs() > COMPLEX * multiplier.norm() => SpecialOrbitKind::Torus,
            Some(multiplier) if multiplier.re < 0.0 => SpecialOrbitKind::PeriodDoubling,
            _ => SpecialOrbitKind::Bifurcation,
        };
        Some(SpecialOrbit { kind, parameter: point.parameter, orbit: point.orbit, after: between.after })
    }

    fn stuck(&self, parameter: f64, step: f64, points: usize) -> OrbitError<M> {
        OrbitError::Branch { parameter, step, points }
    }
}
