//! A step along a family of periodic orbits and the special orbits within it.

use nalgebra::{DMatrix, DVector};

use crate::analysis::curve::{Between, Curve, CurveExtent, CurveStep, Lost, locate};
use crate::analysis::parameter_family::{ParameterFamily, parameter};
use crate::analysis::periodic::branch::{OrbitPoint, SpecialOrbit};
use crate::analysis::periodic::orbit::{OrbitError, SpecialOrbitKind};
use crate::analysis::periodic::period_map::{Guess, Round};
use crate::analysis::periodic::shooting::{Shooting, shortest};
use crate::integrator::Integrator;
use crate::system::{ModelError, TangentSystem};

/// The maximum number of corrections after a prediction, before the step is reduced.
const CORRECTIONS: usize = 8;
/// Multipliers larger than 1 by less than this value are round-off of neutral motions.
const GROWING: f64 = 1e-6;
/// Imaginary parts below this fraction of a multiplier on the unit circle are zero.
const COMPLEX: f64 = 1e-4;

/// The family.
pub(in crate::analysis) struct OrbitPath<'p, M: TangentSystem, I> {
    pub system: &'p M,
    /// The parameter of the derivatives.
    pub name: &'p str,
    /// The unit of the parameter.
    pub range: f64,
    /// The unit of periods.
    pub unit: f64,
    pub shooting: Shooting<'p, M, I>,
}

impl<M: TangentSystem, I: Integrator<M::Lifted> + Clone> OrbitPath<'_, M, I> {
    /// The units of x, τ, the ways and the parameter in the components of directions.
    pub fn units(&self) -> DVector<f64> {
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

    /// Returns the system at a value of the parameter.
    pub fn system_at(&self, value: f64) -> Result<M, ModelError> {
        parameter(self.system, self.name).at(value)
    }

    /// Assembles the linear system for a correction orthogonal to a direction, or for the tangent along it.
    pub fn bordered(&self, round: &Round<M>, direction: &DVector<f64>) -> DMatrix<f64> {
        let derivative = self.shooting.derivative(self.system, round);
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

    /// Computes an orbit of the family.
    pub fn point(
        &self,
        system: &M,
        round: Round<M>,
        value: f64,
        corrections: usize,
    ) -> Result<OrbitPoint<M>, OrbitError<M>> {
        let orbit = self.shooting.orbit(system, round, corrections)?;
        let unstable = orbit.deviations().iter().filter(|multiplier| multiplier.norm() > 1.0 + GROWING).count();
        Ok(OrbitPoint { parameter: value, orbit, length: 0.0, unstable })
    }

    /// Returns the orbit at the initial value of the parameter and the tangent towards the final value.
    pub fn beginning(
        &self,
        guess: Guess<M>,
        extent: &CurveExtent,
    ) -> Result<(OrbitPoint<M>, DVector<f64>), OrbitError<M>> {
        let last = self.units().len() - 1;
        let mut ahead = DVector::zeros(last + 1);
        ahead[last] = (extent.to - extent.from).signum();
        match self.corrected(guess, extent.from, &ahead) {
            Ok((point, tangent, _)) => Ok((point, tangent)),
            Err(Lost::ForGood(error)) => Err(error),
            Err(Lost::ThisTime) => Err(self.stuck(extent.from, extent.step, 1)),
        }
    }

    /// Runs Newton's iteration orthogonal to a direction and returns the tangent at the result.
    pub fn corrected(
        &self,
        mut guess: Guess<M>,
        mut value: f64,
        direction: &DVector<f64>,
    ) -> Result<CurveStep<Self>, Lost<OrbitError<M>>> {
        let last = direction.len() - 1;
        let units = self.units();
        let (mut previous, mut grown, mut corrections) = (f64::INFINITY, 0, 0);
        loop {
            let system = self.system_at(value).map_err(|_| Lost::ThisTime)?;
            let round = self.shooting.round(&system, guess).map_err(|_| Lost::ThisTime)?;
            let (defect, rows) = (round.defect(), round.missed.len());
            let matrix = self.bordered(&round, direction);
            let mut right = DVector::zeros(matrix.nrows());
            if defect <= self.shooting.tolerance {
                right[matrix.nrows() - 1] = 1.0;
                let tangent = shortest(matrix, &right, 0.0);
                let length = tangent.norm();
                if !(length > 0.0 && length.is_finite()) {
                    return Err(Lost::ThisTime);
                }
                let point = self.point(&system, round, value, corrections).map_err(Lost::ForGood)?;
                return Ok((point, tangent / length, corrections));
            }
            grown += usize::from(defect > previous);
            if !defect.is_finite() || grown > 1 || corrections == CORRECTIONS {
                return Err(Lost::ThisTime);
            }
            previous = defect;
            right.rows_mut(0, rows).copy_from(&-&round.missed);
            let correction = shortest(matrix, &right, self.shooting.feigned(&round)).component_mul(&units);
            guess = round.guess().moved(&system, &correction.rows(0, last).into_owned(), 1.0);
            value += correction[last];
            corrections += 1;
        }
    }
}

impl<M: TangentSystem, I: Integrator<M::Lifted> + Clone> Curve for OrbitPath<'_, M, I> {
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
    ) -> Result<CurveStep<Self>, Lost<OrbitError<M>>> {
        let last = direction.len() - 1;
        let way = direction.component_mul(&self.units()) * length;
        let guess = Guess::of(&here.orbit, 1).moved(self.system, &way.rows(0, last).into_owned(), 1.0);
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
        // The index of the multiplier that crosses the unit circle.
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
        // The mean of both ends: at a crossing each family has a tangent, and the equations do not determine one of them.
        let share = (point.length - here.length) / (next.length - here.length);
        let tangent = (between.direction.lerp(ahead, share)).component_mul(&self.units());
        let OrbitPoint { parameter, orbit, .. } = point;
        Some(SpecialOrbit { kind, parameter, orbit, after: between.after, tangent })
    }

    fn stuck(&self, parameter: f64, step: f64, points: usize) -> OrbitError<M> {
        OrbitError::Branch { parameter, step, points }
    }

    fn missed(&self, aim: f64, reached: f64, points: usize) -> OrbitError<M> {
        OrbitError::AimNotReached { aim, reached, points }
    }
}
