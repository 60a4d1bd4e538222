//! Motions that come back to where they began: shooting on the group, and whether what is near them stays near.

use core::ops::ControlFlow;

use nalgebra::{DMatrix, DVector};

use super::dense::set_components;
use super::modes::eigenvalues;
use super::orbit::{Orbit, OrbitError};
use super::round::{Round, flow};
use super::symmetries::Symmetries;
use crate::gradient::Sensitivities;
use crate::group::TangentVector;
use crate::integrator::{HalfExplicit, Integrator, State};
use crate::simulate::Simulation;
use crate::space::ConfigurationSpace;
use crate::system::Varied;

/// Singular values under this part of the largest one belong to a family of orbits, or to what the constraints forbid.
const NEGLIGIBLE: f64 = 1e-7;
/// How often a correction is halved.
const HALVINGS: usize = 8;

/// A run of which events are said.
type Described<'a, M> = Sensitivities<'a, M, HalfExplicit, fn(&State<M>) -> ControlFlow<()>>;

/// What says them.
type WithEvents<'a, M> = dyn Fn(Described<'a, M>) -> Described<'a, M> + 'a;

/// The search for a periodic motion, (q(T), v(T)) = (q₀, v₀).
///
/// Newton's iteration on the group for q₀, v₀ and T, by the exact derivatives of the run
/// ([sensitivities](crate::gradient)): with the defect r = (log(q₀⁻¹ q(T)), v(T) − v₀), the monodromy Φ and the flow
/// f = (v, v') in the same left-trivialised coordinates,
///
/// ```text
/// (Φ − 1) x + f(T) τ = −r,    f(0) · x = 0,    q₀ ← q₀ ∘ exp(x_q),    v₀ ← v₀ + x_v,    T ← T + τ.
/// ```
///
/// Motions that come back [up to symmetries](Self::up_to) are relative periodic ones, (q(T), v(T)) = G(s) (q₀, v₀) with the flow G of the declared
/// symmetries: the end is moved by G(−s) before it is compared, and s is found as T is.
///
/// Of all solutions the shortest is taken. Motions that conserve energy have orbits in families: the one next to the start is found.
/// Constraints are met by the initial projection, with its derivatives; T is held where a drive has it ([`driven_for`](Self::driven_for)).
///
/// Each iteration is one run for each of the 2n components of (q₀, v₀); for long chains that is too much.
///
/// ```
/// use lie_runtime::analysis::PeriodicOrbit;
/// use lie_runtime::prelude::*;
///
/// #[mechanical_system]
/// pub mod pendulum {
///     use lie_runtime::prelude::*;
///
///     #[configuration]
///     pub struct Angle { pub theta: f64 }
///
///     #[kinetic_energy]
///     fn kinetic(v: &Velocity) -> f64 { 0.5 * v.theta * v.theta }
///
///     #[potential]
///     fn weight(q: &Angle) -> f64 { -q.theta.cos() }
/// }
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let system = pendulum::System::new()?;
/// // From rest at about a right angle, after which it swings for 4 K(1/√2).
/// let orbit = PeriodicOrbit::of(&system)
///     .near(pendulum::Angle { theta: std::f64::consts::FRAC_PI_2 }, system.zero_velocity())
///     .lasting(7.4)
///     .solve()?;
/// assert!((orbit.period - 7.416_298_709_205_487).abs() < 0.05);
/// assert!(orbit.defect < 1e-10);
/// // Neither grows nor decays.
/// assert!(orbit.multipliers.iter().all(|multiplier| (multiplier.norm() - 1.0).abs() < 1e-3));
/// # Ok(())
/// # }
/// ```
pub struct PeriodicOrbit<'a, M: Varied, I = HalfExplicit> {
    system: &'a M,
    start: Option<(M::Configuration, M::Velocity)>,
    period: Option<f64>,
    is_driven: bool,
    from: f64,
    steps: usize,
    tolerance: f64,
    maximum_iterations: usize,
    integrator: I,
    events: Option<Box<WithEvents<'a, M>>>,
    /// Names of symmetries, and about how far the motion moves along each.
    symmetries: Vec<(&'static str, f64)>,
}

impl<'a, M: Varied> PeriodicOrbit<'a, M> {
    /// Of this system, by [`HalfExplicit::hedop5`] in 400 steps unless something else is said.
    pub fn of(system: &'a M) -> Self {
        PeriodicOrbit {
            system,
            start: None,
            period: None,
            is_driven: false,
            from: 0.0,
            steps: 400,
            tolerance: 1e-10,
            maximum_iterations: 30,
            integrator: HalfExplicit::hedop5(),
            events: None,
            symmetries: Vec::new(),
        }
    }
}

impl<'a, M: Varied, I: Integrator<M::Lifted> + Clone> PeriodicOrbit<'a, M, I> {
    /// Near the motion that begins here.
    #[must_use]
    pub fn near(mut self, configuration: M::Configuration, velocity: M::Velocity) -> Self {
        self.start = Some((configuration, velocity));
        self
    }

    /// It comes back after about this time; how long it takes is found.
    #[must_use]
    pub fn lasting(mut self, period: f64) -> Self {
        (self.period, self.is_driven) = (Some(period), false);
        self
    }

    /// It comes back after this time, that of what drives it.
    #[must_use]
    pub fn driven_for(mut self, period: f64) -> Self {
        (self.period, self.is_driven) = (Some(period), true);
        self
    }

    /// It comes back moved along this declared [`#[symmetry]`](crate::guide::language), by about `way`; how far is found. May be said of
    /// several symmetries.
    ///
    /// A top that nutates comes back turned about the vertical, and turned about its own axis.
    #[must_use]
    pub fn up_to(mut self, symmetry: &'static str, way: f64) -> Self {
        self.symmetries.push((symmetry, way));
        self
    }

    /// It begins at this time instead of zero.
    #[must_use]
    pub fn from_time(mut self, start: f64) -> Self {
        self.from = start;
        self
    }

    /// Steps a period.
    #[must_use]
    pub fn steps(mut self, steps: usize) -> Self {
        self.steps = steps;
        self
    }

    /// What a motion may miss its start by, 1e-10: any component of log(q₀⁻¹ q(T)), and of v, times 1 + the largest of v₀.
    #[must_use]
    pub fn tolerance(mut self, defect: f64) -> Self {
        self.tolerance = defect;
        self
    }

    /// Steps of this method.
    pub fn with<J: Integrator<M::Lifted> + Clone>(self, integrator: J) -> PeriodicOrbit<'a, M, J> {
        PeriodicOrbit {
            system: self.system,
            start: self.start,
            period: self.period,
            is_driven: self.is_driven,
            from: self.from,
            steps: self.steps,
            tolerance: self.tolerance,
            maximum_iterations: self.maximum_iterations,
            integrator,
            events: self.events,
            symmetries: self.symmetries,
        }
    }

    /// With events on the way, `|run| run.when_falling("strikes", …).then(…)`: blows, switches. Derivatives go across them (see
    /// [`gradient`](crate::gradient#events)), and so do the multipliers.
    ///
    /// The motion begins between events, and what they change of the parameters they have to change back within a period: an orbit
    /// of which that is not so is none, and is not noticed.
    #[must_use]
    pub fn with_events(mut self, events: impl Fn(Described<'a, M>) -> Described<'a, M> + 'a) -> Self {
        self.events = Some(Box::new(events));
        self
    }

    /// Looks for the motion.
    ///
    /// # Errors
    /// [`OrbitError`] if there is none near the start, or a run fails.
    pub fn solve(mut self) -> Result<Orbit<M>, OrbitError<M>> {
        let (mut q, mut v) = self.start.take().ok_or(OrbitError::Nowhere { option: ".near(q, v)" })?;
        let mut period =
            self.period.ok_or(OrbitError::Nowhere { option: ".lasting(period)` or `.driven_for(period)" })?;
        let steps = self.steps as f64;
        for (option, value) in [("period", period), ("steps", steps), ("tolerance", self.tolerance)] {
            if !(value > 0.0 && value.is_finite()) {
                return Err(OrbitError::Setting { option, value });
            }
        }
        let numbers = self.symmetry_numbers()?;
        let mut ways: Vec<f64> = self.symmetries.iter().map(|(_, way)| *way).collect();
        let mut round = self.round(q, v, period, &numbers, &ways)?;
        let mut iterations = 0;
        loop {
            let defect = round.defect();
            round =
                round.moved(&self.back(&numbers, period), &backwards(&ways)).ok_or(OrbitError::UndefinedSymmetry)?;
            if defect <= self.tolerance {
                return self.orbit(round, (period, iterations), &numbers, &ways);
            }
            let failed = OrbitError::NotConverged { iterations, period, defect };
            if iterations == self.maximum_iterations {
                return Err(failed);
            }
            let correction = self.correction(&round);
            let (mut part, mut better) = (1.0, None);
            for _ in 0..=HALVINGS {
                let moved = period + part * correction.period;
                let further: Vec<f64> =
                    ways.iter().zip(&correction.ways).map(|(way, more)| way + part * more).collect();
                (q, v) = self.moved(&round, &correction.state, part);
                // A run that fails is too long a way, too.
                if moved > 0.1 * period
                    && let Ok(next) = self.round(q, v, moved, &numbers, &further)
                    && next.defect() < defect
                {
                    better = Some((next, moved, further));
                    break;
                }
                part *= 0.5;
            }
            let Some((next, moved, further)) = better else { return Err(failed) };
            (round, period, ways) = (next, moved, further);
            iterations += 1;
        }
    }

    /// The positions of the named symmetries in the declaration.
    fn symmetry_numbers(&self) -> Result<Vec<usize>, OrbitError<M>> {
        let declared = &self.system.description().symmetries;
        let number = |&(name, way): &(&'static str, f64)| {
            if !way.is_finite() {
                return Err(OrbitError::Setting { option: "way along a symmetry", value: way });
            }
            let found = declared.iter().position(|symmetry| *symmetry == name);
            found.ok_or_else(|| OrbitError::NoSymmetry { name, declared: declared.to_vec() })
        };
        self.symmetries.iter().map(number).collect()
    }

    /// One period from here, with its derivatives, and moved back.
    fn round(
        &self,
        q: M::Configuration,
        v: M::Velocity,
        period: f64,
        numbers: &[usize],
        ways: &[f64],
    ) -> Result<Round<M>, OrbitError<M>> {
        let (start, end) = (self.from, self.from + period);
        let described = Simulation::of(self.system)
            .starting_at(q, v)
            .from_time(start)
            .allowing_initial_correction(f64::INFINITY)
            .step(period / self.steps as f64)
            .until(end)
            .sample_at(&[start, end])
            .with_sensitivities(["q", "v"]);
        let described = match &self.events {
            Some(events) => events(described),
            None => described,
        };
        let run = described.with(self.integrator.clone()).run().map_err(OrbitError::Run)?;
        let (Some(from), Some(to)) = (run.trajectory.first().cloned(), run.trajectory.last().cloned()) else {
            return Err(OrbitError::Nowhere { option: ".near(q, v)" });
        };
        let columns = [run.variations.first(), run.variations.last()];
        let columns = columns.map(|columns| columns.map_or(&[][..], Vec::as_slice));
        Round::new((from, to), columns, &self.back(numbers, period), &backwards(ways))
            .ok_or(OrbitError::UndefinedSymmetry)
    }

    /// The symmetries where a period ends.
    fn back<'n>(&'n self, numbers: &'n [usize], period: f64) -> Symmetries<'n, M> {
        Symmetries { system: self.system, numbers, time: self.from + period }
    }

    /// What brings the motion nearer to one that comes back.
    fn correction(&self, round: &Round<M>) -> Correction {
        let (size, symmetries) = (round.missed.len(), round.along.ncols());
        let period = usize::from(!self.is_driven);
        let mut matrix = DMatrix::zeros(size + period, size + period + symmetries);
        let mut right = DVector::zeros(size + period);
        matrix.view_mut((0, 0), (size, size)).copy_from(&(&round.monodromy - &round.admitted));
        right.rows_mut(0, size).copy_from(&-&round.missed);
        if !self.is_driven {
            matrix.view_mut((0, size), (size, 1)).copy_from(&round.arrival);
            let along = round.admitted.tr_mul(&flow(&round.from));
            matrix.view_mut((size, 0), (1, size)).copy_from(&along.transpose());
        }
        // The end is moved back: a longer way is less of it.
        matrix.view_mut((0, size + period), (size, symmetries)).copy_from(&-&round.along);
        let count = matrix.ncols();
        let factors = matrix.svd(true, true);
        let negligible = NEGLIGIBLE * factors.singular_values.max();
        let found = factors.solve(&right, negligible).unwrap_or_else(|_| DVector::zeros(count));
        Correction {
            state: found.rows(0, size).into_owned(),
            period: if self.is_driven { 0.0 } else { found[size] },
            ways: found.rows(size + period, symmetries).iter().copied().collect(),
        }
    }

    /// The start, moved by this part of a correction.
    fn moved(&self, round: &Round<M>, correction: &DVector<f64>, part: f64) -> (M::Configuration, M::Velocity) {
        let dof = self.system.dof();
        let (mut turn, mut change) = (self.system.zero_velocity(), self.system.zero_velocity());
        set_components(&mut turn, &(correction.rows(0, dof) * part));
        set_components(&mut change, &(correction.rows(dof, dof) * part));
        let mut q = round.from.configuration.clone();
        self.system.space().compose_exp(&round.from.configuration, &turn, &mut q);
        change.axpy(1.0, &round.from.velocity);
        (q, change)
    }

    /// What is told of the last round.
    fn orbit(
        &self,
        round: Round<M>,
        (period, iterations): (f64, usize),
        numbers: &[usize],
        ways: &[f64],
    ) -> Result<Orbit<M>, OrbitError<M>> {
        let defect = round.defect();
        let Round { from, admitted, monodromy, .. } = round;
        if !self.is_driven {
            let symmetries = Symmetries { system: self.system, numbers, time: from.time };
            let here = (from.configuration.clone(), from.velocity.clone());
            let mut way = flow(&from);
            // What symmetries alone make of a state is as good as rest.
            if !numbers.is_empty() {
                let along = symmetries.of_ways(&here, &vec![0.0; ways.len()]).ok_or(OrbitError::UndefinedSymmetry)?;
                if let Ok(part) = along.clone().svd(true, true).solve(&way, 1e-12) {
                    way -= along * part;
                }
            }
            if way.amax() <= self.tolerance.sqrt() / period {
                return Err(OrbitError::AtRest);
            }
        }
        // The deviations that the constraints admit, an orthonormal basis of them.
        let factors = admitted.svd(true, false);
        let largest = factors.singular_values.max();
        let rank = factors.singular_values.iter().filter(|value| **value > NEGLIGIBLE * largest).count();
        let basis = factors.u.map_or_else(|| DMatrix::zeros(monodromy.nrows(), 0), |u| u.columns(0, rank).into_owned());
        let reduced = basis.tr_mul(&(&monodromy * &basis));
        let mut multipliers = eigenvalues(&reduced).unwrap_or_default();
        multipliers.sort_by(|one, other| other.norm().total_cmp(&one.norm()));
        let ways = self.symmetries.iter().zip(ways).map(|((name, _), way)| (*name, *way)).collect();
        Ok(Orbit { state: from, period, ways, defect, iterations, monodromy, multipliers, is_driven: self.is_driven })
    }
}

/// The same ways back.
fn backwards(ways: &[f64]) -> Vec<f64> {
    ways.iter().map(|way| -way).collect()
}

/// x, τ, and what is added to the ways along symmetries.
struct Correction {
    state: DVector<f64>,
    period: f64,
    ways: Vec<f64>,
}
