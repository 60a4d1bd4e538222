//! A step along a branch of equilibria and the special points within it.

use crate::analysis::curve::{Between, Curve, CurveStep, Lost, locate};
use crate::analysis::equilibrium::branch::{BranchPoint, SpecialKind, SpecialPoint};
use crate::analysis::equilibrium::error::EquilibriumError;
use crate::analysis::equilibrium::residual::{StaticResidual, explain};
use crate::analysis::equilibrium::tangent::FactorisedTangent;
use crate::analysis::first_order::{displace, displacement_size, state_components};
use crate::analysis::matrices::krylov::Unfound;
use crate::analysis::one_sided::law_violation;
use crate::analysis::parameter_family::ParameterFamily;
use crate::analysis::pencil::StaticPoint;
use crate::group::TangentVector;
use crate::integrator::State;
use crate::scalar::larger;
use crate::space::ConfigurationSpace;
use crate::system::{KktError, Linearised, MechanicalSystem};

/// The number of observed eigenvalues.
const WATCHED: usize = 6;
/// The maximum number of corrections after a prediction, before the step is reduced.
const CORRECTIONS: usize = 10;

/// A unit direction along the branch.
pub(in crate::analysis) struct BranchDirection<M: MechanicalSystem> {
    pub motion: M::Velocity,
    pub multipliers: M::Multipliers,
    pub parameter: f64,
}

impl<M: MechanicalSystem> BranchDirection<M> {
    pub fn of(system: &M) -> Self {
        BranchDirection { motion: system.zero_velocity(), multipliers: system.zero_multipliers(), parameter: 0.0 }
    }
}

/// The branch and the buffers of its steps.
pub(in crate::analysis) struct BranchPath<'f, F: ParameterFamily<System: Linearised>> {
    pub family: &'f F,
    /// The unit of the parameter.
    pub range: f64,
    /// The number of components.
    pub count: f64,
    /// The units 1 + |z| of the auxiliary states at the start of a step.
    pub units: Vec<f64>,
    pub tangent: FactorisedTangent<F::System>,
    pub residual: StaticResidual<F::System>,
    /// Computes the residual at another value of the parameter.
    pub push: StaticResidual<F::System>,
}

impl<F: ParameterFamily<System: Linearised<Scalar = f64>>> BranchPath<'_, F> {
    /// Returns the inner product of the arc length.
    fn product(&self, one: &BranchDirection<F::System>, other: &BranchDirection<F::System>) -> f64 {
        let mut motion = one.motion.dot(&other.motion);
        let first = one.motion.component_count() - self.units.len();
        for (at, unit) in self.units.iter().enumerate() {
            let states = one.motion.component(first + at) * other.motion.component(first + at);
            motion += states / (unit * unit) - states;
        }
        motion / self.count + one.parameter * other.parameter / (self.range * self.range)
    }

    /// Sets the units of the auxiliary states in the arc length.
    pub fn set_units(&mut self, system: &F::System, state: &State<F::System>) {
        self.units.clear();
        self.units.extend(state_components(system).map(|at| 1.0 + state.velocity.component(at).abs()));
    }

    pub fn length(&self, direction: &BranchDirection<F::System>) -> f64 {
        self.product(direction, direction).sqrt()
    }

    /// Writes the derivative of the residuals with respect to the parameter to `self.push`.
    ///
    /// A finite difference is sufficient: the points of the branch are equilibria, which do not depend on this derivative.
    fn differentiate(&mut self, parameter: f64, state: &State<F::System>) -> Result<(), Lost<EquilibriumError>> {
        let step = 1e-6 * self.range;
        let ends = [parameter + step, parameter - step].map(|value| self.family.at(value).ok());
        let [Some(beyond), Some(before)] = ends else { return Err(Lost::ThisTime) };
        if !self.push.evaluate(&StaticPoint::of(&beyond, state)) {
            return Err(Lost::ThisTime);
        }
        let (balance, position) = (self.push.balance.clone(), self.push.position.clone());
        if !self.push.evaluate(&StaticPoint::of(&before, state)) {
            return Err(Lost::ThisTime);
        }
        self.push.balance.axpy(-1.0, &balance);
        self.push.balance.scale(-0.5 / step);
        self.push.position.axpy(-1.0, &position);
        self.push.position.scale(-0.5 / step);
        Ok(())
    }

    /// Computes ∂(q, λ)/∂p from the factors of a point and the derivative in `self.push`.
    fn slope(&mut self, system: &F::System) -> BranchDirection<F::System> {
        let mut solution = (system.zero_velocity(), system.zero_multipliers());
        self.tangent.solve(system, &self.push.balance, &self.push.position, &mut solution);
        BranchDirection { motion: solution.0, multipliers: solution.1, parameter: 1.0 }
    }

    /// Creates the point of an equilibrium. `direction` becomes the tangent at the point with the same orientation.
    pub fn point(
        &mut self,
        system: &F::System,
        parameter: f64,
        state: State<F::System>,
        direction: &mut BranchDirection<F::System>,
    ) -> Result<BranchPoint<F::System>, EquilibriumError> {
        if let Some(violation) = law_violation(system, &state) {
            return Err(EquilibriumError::Law(violation));
        }
        let point = StaticPoint::of(system, &state);
        let failed = |error, residual: &_| explain(error, system, &state, residual, 0);
        if !self.residual.evaluate(&point) {
            return Err(failed(KktError::NotFinite.into(), &self.residual));
        }
        self.tangent.factorise(&point).map_err(|error| failed(error, &self.residual))?;
        let lowest = self.tangent.lowest(&point, WATCHED).map_err(|unfound| match unfound {
            Unfound::Kkt(error) => failed(error.into(), &self.residual),
            Unfound::Indefinite | Unfound::NotConverged => EquilibriumError::Stability { parameter, count: WATCHED },
        })?;
        self.differentiate(parameter, &state).map_err(|lost| match lost {
            Lost::ForGood(error) => error,
            Lost::ThisTime => failed(KktError::NotFinite.into(), &self.residual),
        })?;
        self.set_units(system, &state);
        let mut slope = self.slope(system);
        let sign = if self.product(&slope, direction) < 0.0 { -1.0 } else { 1.0 };
        let factor = sign / self.length(&slope);
        slope.motion.scale(factor);
        slope.multipliers.scale(factor);
        slope.parameter *= factor;
        *direction = slope;
        let lowest: Vec<f64> = lowest.into_iter().map(|(value, _)| value).collect();
        let unstable = lowest.iter().filter(|value| **value < 0.0).count();
        Ok(BranchPoint { parameter, state, length: 0.0, lowest, unstable })
    }
}

impl<F: ParameterFamily<System: Linearised<Scalar = f64>>> Curve for BranchPath<'_, F> {
    type Point = BranchPoint<F::System>;
    type Direction = BranchDirection<F::System>;
    type Special = SpecialPoint<F::System>;
    type Error = EquilibriumError;

    fn place(&self, point: &Self::Point) -> [f64; 2] {
        [point.parameter, point.length]
    }

    fn cosine(&self, one: &Self::Direction, other: &Self::Direction) -> f64 {
        self.product(one, other) / (self.length(one) * self.length(other))
    }

    fn stuck(&self, parameter: f64, step: f64, points: usize) -> EquilibriumError {
        EquilibriumError::Branch { parameter, step, points }
    }

    fn missed(&self, aim: f64, reached: f64, points: usize) -> EquilibriumError {
        EquilibriumError::AimNotReached { aim, reached, points }
    }

    fn step(
        &mut self,
        here: &Self::Point,
        direction: &Self::Direction,
        length: f64,
    ) -> Result<CurveStep<Self>, Lost<EquilibriumError>> {
        let mut parameter = here.parameter + length * direction.parameter;
        let mut system = self.family.at(parameter).map_err(|_| Lost::ThisTime)?;
        let mut state = here.state.clone();
        let mut motion = direction.motion.clone();
        motion.scale(length);
        self.set_units(&system, &state);
        displace(&system, (&here.state.configuration, &mut state.velocity), &motion, &mut state.configuration);
        state.multipliers.axpy(length, &direction.multipliers);
        let (mut previous, mut free) = (f64::INFINITY, BranchDirection::of(&system));
        let (mut corrections, mut grown) = (0, 0);
        self.differentiate(parameter, &state)?;
        loop {
            let point = StaticPoint::of(&system, &state);
            if !self.residual.evaluate(&point) {
                return Err(Lost::ThisTime);
            }
            self.tangent.factorise(&point).map_err(|_| Lost::ThisTime)?;
            let mut solution = (free.motion, free.multipliers);
            self.tangent.solve(&system, &self.residual.balance, &self.residual.position, &mut solution);
            (free.motion, free.multipliers) = solution;
            free.parameter = 0.0;
            let slope = self.slope(&system);
            // Orthogonal to the direction of the step.
            let change = -self.product(&free, direction) / self.product(&slope, direction);
            free.motion.axpy(change, &slope.motion);
            free.multipliers.axpy(change, &slope.multipliers);
            let motion = displacement_size(&system, &state.velocity, &free.motion);
            let size = larger(motion, change.abs() / self.range);
            let is_round_off = size > 0.25 * previous && size <= 1e-7;
            grown += usize::from(size > previous && !is_round_off);
            if !size.is_finite() || grown > 1 || corrections == CORRECTIONS {
                return Err(Lost::ThisTime);
            }
            let mut moved = state.configuration.clone();
            displace(&system, (&state.configuration, &mut state.velocity), &free.motion, &mut moved);
            system.space().renormalize(&mut moved);
            state.configuration = moved;
            state.multipliers.axpy(1.0, &free.multipliers);
            parameter += change;
            system = self.family.at(parameter).map_err(|_| Lost::ThisTime)?;
            corrections += 1;
            if size <= 1e-10 || is_round_off {
                break;
            }
            previous = size;
        }
        let mut ahead = BranchDirection { parameter: direction.parameter, ..BranchDirection::of(&system) };
        ahead.motion.assign(&direction.motion);
        let mut next = self.point(&system, parameter, state, &mut ahead).map_err(|error| match error {
            EquilibriumError::Loose { .. } => Lost::ThisTime,
            error => Lost::ForGood(error),
        })?;
        next.length = here.length + length;
        Ok((next, ahead, corrections))
    }

    fn special(
        &mut self,
        between: &Between<'_, Self>,
        next: &Self::Point,
        ahead: &Self::Direction,
    ) -> Option<Self::Special> {
        let (here, direction) = (between.here, between.direction);
        let kind = if direction.parameter * ahead.parameter < 0.0 {
            SpecialKind::Limit
        } else if here.unstable != next.unstable {
            SpecialKind::Bifurcation
        } else {
            return None;
        };
        // The index of the eigenvalue that crosses zero.
        let number = here.unstable.min(next.unstable);
        let test = |point: &Self::Point, tangent: &Self::Direction| match kind {
            SpecialKind::Limit => tangent.parameter,
            SpecialKind::Bifurcation => {
                let mut values = point.lowest.clone();
                values.sort_by(f64::total_cmp);
                values.get(number).copied().unwrap_or(0.0)
            }
        };
        let point = locate(self, between, (next, ahead), &test)?;
        let system = self.family.at(point.parameter).ok()?;
        let at = StaticPoint::of(&system, &point.state);
        let (_, loose) = self.tangent.lowest(&at, 1).ok()?.into_iter().next()?;
        Some(SpecialPoint {
            kind,
            parameter: point.parameter,
            state: point.state,
            direction: loose,
            after: between.after,
        })
    }
}
