//! Detection of steps across a discontinuity of a constraint or of the potential energy.
//!
//! Methods that enforce position constraints solve Φ(t, q) = 0 for the nearest solution. If Φ is discontinuous within the step, as an angle
//! is at half a rotation, they converge to a configuration after the discontinuity that no motion reaches. The run would continue without
//! an error. Half-explicit methods follow the velocities instead; their constraint residual is then the size of the discontinuity, which
//! [another check](crate::simulate::checks::constraints) detects. If the potential is discontinuous, forces are its derivatives on both
//! sides, and the motion gains or loses energy.
//!
//! The check evaluates Φ and the potential along the path between both configurations at a constant time,
//!
//! ```text
//! φ(s) = f(t₁, q₀ exp(s θ)),    θ = log(q₀⁻¹ q₁),
//! ```
//!
//! The fourth difference of a smooth function f is small compared with its range; the fourth difference of a discontinuous function is not.
//! A suspected discontinuity is located by bisection. Only functions with a possible discontinuity are checked, according to the
//! declaration. The potential is checked only in steps in which its derivative along the motion changes, because a significant
//! discontinuity changes it.

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

/// Arguments at which φ is evaluated.
const PLACES: [f64; 5] = [0.0, 0.25, 0.5, 0.75, 1.0];
/// The weights of the fourth difference of φ.
const DIFFERENCE: [f64; 5] = [1.0, -4.0, 6.0, -4.0, 1.0];
/// A larger fourth difference, as a part of the range, indicates a discontinuity or a kink. For a discontinuity it is at least as large.
const SUSPECT: f64 = 0.5;
/// A smaller discontinuity of the potential, as a part of the kinetic energy, is not significant.
const SHOWS: f64 = 1e-2;

/// Checks the steps of a motion for discontinuities.
pub(super) struct DiscontinuityCheck<M: MechanicalSystem> {
    path: StepPath<M>,
    constraints: Option<DiscontinuousConstraints<M>>,
    /// Present if the potential may be discontinuous.
    energies: Option<EnergyHistory>,
}

/// The energies of the motion up to its last state.
struct EnergyHistory {
    /// The largest kinetic energy.
    kinetic: f64,
    potential: f64,
    time: f64,
    /// The mean derivative of the potential over the last step; NaN before the first step.
    slope: f64,
}

/// The path of a step.
struct StepPath<M: MechanicalSystem> {
    from: M::Configuration,
    theta: M::Velocity,
    part: M::Velocity,
    place: M::Configuration,
}

/// The constraints that may be discontinuous.
struct DiscontinuousConstraints<M: MechanicalSystem> {
    rows: Vec<Range<usize>>,
    values: [M::Multipliers; 5],
    value: M::Multipliers,
    changes: RowChanges<M>,
}

impl<M: MechanicalSystem> DiscontinuityCheck<M> {
    /// Starts the check at a state. Returns `None` if nothing may be discontinuous.
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

    /// Checks the step to a state.
    ///
    /// # Errors
    /// [`Failure::ConstraintJumps`], [`Failure::PotentialJumps`].
    pub fn check(&mut self, system: &M, state: &State<M>) -> Result<(), Failure> {
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

    /// Adds a state. Returns true if the potential deviates from the linear extrapolation of the previous step by more than half of a
    /// significant discontinuity. A smooth change of the derivative is of second order in the step; a discontinuity is of order zero.
    fn is_suspicious_at<M: MechanicalSystem>(&mut self, system: &M, state: &State<M>) -> bool {
        let now = EnergyHistory::of(system, state);
        let step = now.time - self.time;
        let slope = (now.potential - self.potential) / step;
        let bend = ((slope - self.slope) * step).abs();
        *self = EnergyHistory { kinetic: self.kinetic.max(now.kinetic), slope, ..now };
        // A comparison with NaN is false.
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

    /// Returns a discontinuous row that is satisfied after its discontinuity, and the size of the discontinuity.
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
            // For a method that follows velocities, the residual is the size of the discontinuity. Discontinuities by round-off are
            // ignored.
            let is_met = (values[4] - values[0]).abs() < 0.5 * jump;
            if !is_met {
                return None;
            }
            let changes = changes.between(system, t, (&path.from, &state.configuration));
            (jump > CONSTRAINT_TOLERANCE * changes.component(row).value()).then_some((row, jump))
        })
    }
}

/// Returns the size of the discontinuity of a function with these values at [`PLACES`].
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
