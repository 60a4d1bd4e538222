//! Whether a step has led across a jump of a constraint or of the potential.
//!
//! Methods that solve for positions meet Φ(t, q) = 0 wherever they find it. Where Φ jumps on the path, as an angle does at half a turn,
//! they find it behind the jump: a configuration that no motion leads to, from which the run would go on and end well. (A
//! half-explicit method goes on along its velocities: it is off its constraint by the jump, and [seen there](crate::simulate::checks::constraints).) Where
//! the potential jumps, forces are its slopes on both sides, and energy comes from nowhere or is lost. Along the way from the one
//! configuration to the other, with the time held,
//!
//! ```text
//! φ(s) = f(t₁, q₀ exp(s θ)),    θ = log(q₀⁻¹ q₁),
//! ```
//!
//! a smooth function f has a fourth difference that is small beside its range, one that jumps has not. What looks like a jump is
//! looked for by halves. Only what may jump is looked at, which the declaration tells, and of the potential only the steps in which its
//! slope along the motion changes: a jump that shows does that.

use core::ops::Range;

use super::discontinuity::find_discontinuity;
use crate::group::TangentVector;
use crate::integrator::State;
use crate::scalar::Scalar;
use crate::simulate::checks::RowChanges;
use crate::simulate::failure::Failure;
use crate::simulate::setup::CONSTRAINT_TOLERANCE;
use crate::space::ConfigurationSpace;
use crate::system::MechanicalSystem;

/// Where φ is taken.
const PLACES: [f64; 5] = [0.0, 0.25, 0.5, 0.75, 1.0];
/// The weights of its fourth difference.
const DIFFERENCE: [f64; 5] = [1.0, -4.0, 6.0, -4.0, 1.0];
/// A fourth difference of a larger part of the range is that of a jump, or of a kink: of a jump it is at least as large.
const SUSPECT: f64 = 0.5;
/// A jump of the potential by a smaller part of the kinetic energy is none that shows.
const SHOWS: f64 = 1e-2;

/// The steps of a motion in which something may jump.
pub(super) struct DiscontinuityCheck<M: MechanicalSystem> {
    path: StepPath<M>,
    constraints: Option<DiscontinuousConstraints<M>>,
    /// Where the potential may jump.
    energies: Option<EnergyHistory>,
}

/// The energies of the motion up to its last state.
struct EnergyHistory {
    /// The largest kinetic energy.
    kinetic: f64,
    potential: f64,
    time: f64,
    /// The mean slope of the potential over the last step; NaN before the first one.
    slope: f64,
}

/// The way of a step.
struct StepPath<M: MechanicalSystem> {
    from: M::Configuration,
    theta: M::Velocity,
    part: M::Velocity,
    place: M::Configuration,
}

/// The constraints that may jump.
struct DiscontinuousConstraints<M: MechanicalSystem> {
    rows: Vec<Range<usize>>,
    values: [M::Multipliers; 5],
    value: M::Multipliers,
    changes: RowChanges<M>,
}

impl<M: MechanicalSystem> DiscontinuityCheck<M> {
    /// From a state on; `None` where nothing jumps.
    pub fn from(system: &M, state: &State<M>) -> Option<Self> {
        let description = system.description();
        let constraints = DiscontinuousConstraints::of(system);
        let energies = description.potential_jumps.then(|| EnergyHistory::of(system, state));
        (constraints.is_some() || energies.is_some()).then(|| DiscontinuityCheck {
            path: StepPath::from(system, state),
            constraints,
            energies,
        })
    }

    /// Looks at the state that the last step has led to.
    ///
    /// # Errors
    /// [`Failure::ConstraintJumps`], [`Failure::PotentialJumps`].
    pub fn look(&mut self, system: &M, state: &State<M>) -> Result<(), Failure> {
        let DiscontinuityCheck { path, constraints, energies } = self;
        let is_suspicious = energies.as_mut().is_some_and(|energies| energies.is_suspicious_at(system, state));
        if constraints.is_some() || is_suspicious {
            system.space().log_difference(&path.from, &state.configuration, &mut path.theta);
        }
        if let Some((row, jump)) = constraints.as_mut().and_then(|own| own.crossed(system, state, path)) {
            return Err(Failure::ConstraintJumps { time: state.time, row: system.description().row(row), jump });
        }
        if let Some(&mut EnergyHistory { kinetic, .. }) = energies.as_mut().filter(|_| is_suspicious) {
            let t = M::Scalar::from_f64(state.time);
            let mut potential = |s| system.potential_energy(t, path.at(system, s)).value();
            let values = PLACES.map(&mut potential);
            let round_off = M::Scalar::epsilon().sqrt() * values[0].abs().max(values[4].abs());
            let jump = jump_of(&values, potential).unwrap_or(0.0);
            if jump > round_off.max(SHOWS * kinetic) {
                return Err(Failure::PotentialJumps { time: state.time, jump, kinetic });
            }
        }
        path.from.clone_from(&state.configuration);
        Ok(())
    }
}

impl EnergyHistory {
    fn of<M: MechanicalSystem>(system: &M, state: &State<M>) -> Self {
        let t = M::Scalar::from_f64(state.time);
        EnergyHistory {
            kinetic: system.kinetic_energy(t, &state.configuration, &state.velocity).value(),
            potential: system.potential_energy(t, &state.configuration).value(),
            time: state.time,
            slope: f64::NAN,
        }
    }

    /// Goes on to a state; true unless the potential comes there as its slope over the step before lets expect, but for less than half of
    /// what shows. A smooth change of the slope is of the second order in the step; a jump makes one of its own size.
    fn is_suspicious_at<M: MechanicalSystem>(&mut self, system: &M, state: &State<M>) -> bool {
        let now = EnergyHistory::of(system, state);
        let step = now.time - self.time;
        let slope = (now.potential - self.potential) / step;
        let bend = ((slope - self.slope) * step).abs();
        *self = EnergyHistory { kinetic: self.kinetic.max(now.kinetic), slope, ..now };
        // NaN is not below anything.
        let is_expected = bend <= 0.5 * SHOWS * self.kinetic;
        !is_expected
    }
}

impl<M: MechanicalSystem> StepPath<M> {
    fn from(system: &M, state: &State<M>) -> Self {
        let (from, place) = (state.configuration.clone(), state.configuration.clone());
        StepPath { from, theta: system.zero_velocity(), part: system.zero_velocity(), place }
    }

    /// q₀ exp(s θ).
    fn at(&mut self, system: &M, s: f64) -> &M::Configuration {
        self.part.assign(&self.theta);
        self.part.scale(M::Scalar::from_f64(s));
        system.space().compose_exp(&self.from, &self.part, &mut self.place);
        &self.place
    }
}

impl<M: MechanicalSystem> DiscontinuousConstraints<M> {
    fn of(system: &M) -> Option<Self> {
        let jumps = system.description().constraints.iter().filter(|own| own.holonomic && own.jumps && own.rows > 0);
        let rows: Vec<_> = jumps.map(|own| own.offset..own.offset + own.rows).collect();
        (!rows.is_empty()).then(|| DiscontinuousConstraints {
            rows,
            values: PLACES.map(|_| system.zero_multipliers()),
            value: system.zero_multipliers(),
            changes: RowChanges::of(system),
        })
    }

    /// A row that is met behind a jump, and by how much it jumps.
    fn crossed(&mut self, system: &M, state: &State<M>, path: &mut StepPath<M>) -> Option<(usize, f64)> {
        let t = M::Scalar::from_f64(state.time);
        let DiscontinuousConstraints { rows, values, value, changes } = self;
        for (s, out) in PLACES.into_iter().zip(values.iter_mut()) {
            system.constraint(t, path.at(system, s), out);
        }
        rows.iter().cloned().flatten().find_map(|row| {
            let values = values.each_ref().map(|value| value.component(row).value());
            let jump = jump_of(&values, |s| {
                system.constraint(t, path.at(system, s), value);
                value.component(row).value()
            })?;
            // A method that follows velocities is off by the jump behind it. Jumps of round-off are none.
            let is_met = (values[4] - values[0]).abs() < 0.5 * jump;
            if !is_met {
                return None;
            }
            let changes = changes.between(system, t, (&path.from, &state.configuration));
            (jump > CONSTRAINT_TOLERANCE * changes.component(row).value()).then_some((row, jump))
        })
    }
}

/// By how much a function jumps that has these values at [`PLACES`].
fn jump_of(values: &[f64; 5], mut function: impl FnMut(f64) -> f64) -> Option<f64> {
    let difference: f64 = DIFFERENCE.iter().zip(values).map(|(weight, value)| weight * value).sum();
    let least = values.iter().copied().fold(f64::INFINITY, f64::min);
    let range = values.iter().copied().fold(f64::NEG_INFINITY, f64::max) - least;
    if difference.abs() <= SUSPECT * range {
        return None;
    }
    let change = |quarter: &usize| (values[quarter + 1] - values[*quarter]).abs();
    let steepest = (0..4).max_by(|a, b| change(a).total_cmp(&change(b)))?;
    let (start, stop) = (PLACES[steepest], PLACES[steepest + 1]);
    let jump = find_discontinuity(&mut |s| Some(vec![function(start + s * (stop - start))]))?;
    Some(jump.size.abs())
}
