//! Shooting: a motion is tried for a period, and what it misses its start by says how to begin instead.

use core::ops::ControlFlow;

use nalgebra::{DMatrix, DVector};

use crate::analysis::matrices::dense::set_components;
use crate::analysis::matrices::schur::eigenvalues;
use crate::analysis::periodic::orbit::{Orbit, OrbitError};
use crate::analysis::periodic::period_map::{Round, flow};
use crate::analysis::periodic::symmetries::Symmetries;
use crate::gradient::Sensitivities;
use crate::group::TangentVector;
use crate::integrator::{HalfExplicit, Integrator, State};
use crate::simulate::Simulation;
use crate::space::ConfigurationSpace;
use crate::system::TangentSystem;

/// Singular values under this part of the largest one belong to a family of orbits, or to what the constraints forbid.
const NEGLIGIBLE: f64 = 1e-7;

/// A run of which events are said, see [`PeriodicOrbit::with_events`](crate::analysis::PeriodicOrbit::with_events).
pub type Described<'a, M> = Sensitivities<'a, M, HalfExplicit, fn(&State<M>) -> ControlFlow<()>>;

/// What says them.
type WithEvents<'a, M> = dyn Fn(Described<'a, M>) -> Described<'a, M> + 'a;

/// Events, as they are said of runs of a system; they happen in those of other parameters alike.
pub(in crate::analysis) struct Events<'a, M: TangentSystem> {
    pub system: &'a M,
    pub said: Box<WithEvents<'a, M>>,
}

/// What motions are tried, and how.
pub(in crate::analysis) struct Shooting<'a, M: TangentSystem, I> {
    /// True if T is that of a drive.
    pub is_driven: bool,
    pub from: f64,
    pub steps: usize,
    pub tolerance: f64,
    pub integrator: I,
    pub events: Option<Events<'a, M>>,
    /// Names of symmetries, and about how far the motion moves along each.
    pub symmetries: Vec<(&'static str, f64)>,
    /// A parameter that is no given number.
    pub parameter: Option<String>,
}

/// A motion to be tried.
pub(in crate::analysis) struct Guess<M: TangentSystem> {
    pub configuration: M::Configuration,
    pub velocity: M::Velocity,
    pub period: f64,
    /// How far it moves along each symmetry.
    pub ways: Vec<f64>,
}

impl<M: TangentSystem> Guess<M> {
    /// So many rounds of an orbit as one.
    pub fn of(orbit: &Orbit<M>, rounds: u8) -> Self {
        let rounds = f64::from(rounds);
        Guess {
            configuration: orbit.state.configuration.clone(),
            velocity: orbit.state.velocity.clone(),
            period: rounds * orbit.period,
            ways: orbit.ways.iter().map(|(_, way)| rounds * way).collect(),
        }
    }

    /// The same, moved by this part of a correction (x, τ, ways), without τ where a drive has the period.
    pub fn moved(&self, system: &M, correction: &DVector<f64>, part: f64) -> Self {
        let dof = system.dof();
        let (mut turn, mut velocity) = (system.zero_velocity(), system.zero_velocity());
        set_components(&mut turn, &(correction.rows(0, dof) * part));
        set_components(&mut velocity, &(correction.rows(dof, dof) * part));
        velocity.axpy(1.0, &self.velocity);
        let mut configuration = self.configuration.clone();
        system.space().compose_exp(&self.configuration, &turn, &mut configuration);
        let first = correction.len() - self.ways.len();
        let period = if first > 2 * dof { self.period + part * correction[2 * dof] } else { self.period };
        let ways = self.ways.iter().zip(correction.iter().skip(first)).map(|(way, more)| way + part * more).collect();
        Guess { configuration, velocity, period, ways }
    }
}

/// Of all solutions of a linear system the shortest one, or what comes nearest to one. Singular values under `least` are none, nor is
/// what is round-off beside the others.
pub(in crate::analysis) fn shortest(matrix: DMatrix<f64>, right: &DVector<f64>, least: f64) -> DVector<f64> {
    let count = matrix.ncols();
    let factors = matrix.svd(true, true);
    let negligible = least.max(NEGLIGIBLE * factors.singular_values.max());
    factors.solve(right, negligible).unwrap_or_else(|_| DVector::zeros(count))
}

/// The deviations that the constraints admit, an orthonormal basis of them.
pub(in crate::analysis) fn space_of(admitted: DMatrix<f64>) -> DMatrix<f64> {
    let count = admitted.nrows();
    let factors = admitted.svd(true, false);
    let largest = factors.singular_values.max();
    let rank = factors.singular_values.iter().filter(|value| **value > NEGLIGIBLE * largest).count();
    factors.u.map_or_else(|| DMatrix::zeros(count, 0), |u| u.columns(0, rank).into_owned())
}

impl<M: TangentSystem, I: Integrator<M::Lifted> + Clone> Shooting<'_, M, I> {
    /// The positions of the named symmetries in the declaration.
    fn symmetry_numbers(&self, system: &M) -> Result<Vec<usize>, OrbitError<M>> {
        let declared = &system.description().symmetries;
        let number = |&(name, way): &(&'static str, f64)| {
            if !way.is_finite() {
                return Err(OrbitError::Setting { option: "way along a symmetry", value: way });
            }
            let found = declared.iter().position(|symmetry| *symmetry == name);
            found.ok_or_else(|| OrbitError::NoSymmetry { name, declared: declared.to_vec() })
        };
        self.symmetries.iter().map(number).collect()
    }

    /// One period of a motion, with its derivatives.
    pub fn round(&self, system: &M, guess: Guess<M>) -> Result<Round<M>, OrbitError<M>> {
        let numbers = self.symmetry_numbers(system)?;
        let Guess { configuration, velocity, period, ways } = guess;
        let (start, end) = (self.from, self.from + period);
        let columns = || ["q", "v"].into_iter().chain(self.parameter.as_deref());
        let said = self.events.as_ref().map(|Events { system, said }| {
            let begun = Simulation::of(*system).initial(configuration.clone(), velocity.clone());
            said(begun.with_sensitivities(columns()))
        });
        let mut described = Simulation::of(system)
            .initial(configuration, velocity)
            .start_time(start)
            .max_initial_correction(f64::INFINITY)
            .step(period / self.steps as f64)
            .end_time(end)
            .output_times(&[start, end])
            .with_sensitivities(columns());
        if let Some(said) = said {
            described = described.with_events_of(said);
        }
        let run = described.method(self.integrator.clone()).run().map_err(OrbitError::Run)?;
        let (Some(from), Some(to)) = (run.trajectory.first().cloned(), run.trajectory.last().cloned()) else {
            return Err(OrbitError::Nowhere { option: ".near(q, v)" });
        };
        let columns = [run.variations.first(), run.variations.last()];
        let columns = columns.map(|columns| columns.map_or(&[][..], Vec::as_slice));
        let symmetries = Symmetries { system, numbers: &numbers, time: end };
        Round::new((from, to), columns, &symmetries, (period, ways)).ok_or(OrbitError::UndefinedSymmetry)
    }

    /// What is missed, by (x, τ, ways), and under it what x is along the flow where nothing has the period.
    pub fn derivative(&self, round: &Round<M>) -> DMatrix<f64> {
        let (size, symmetries) = (round.missed.len(), round.along.ncols());
        let period = usize::from(!self.is_driven);
        let mut matrix = DMatrix::zeros(size + period, size + period + symmetries);
        matrix.view_mut((0, 0), (size, size)).copy_from(&(&round.monodromy - &round.admitted));
        if !self.is_driven {
            matrix.view_mut((0, size), (size, 1)).copy_from(&round.arrival);
            let along = round.admitted.tr_mul(&flow(&round.from));
            matrix.view_mut((size, 0), (1, size)).copy_from(&along.transpose());
        }
        // The end is moved back: a longer way is less of it.
        matrix.view_mut((0, size + period), (size, symmetries)).copy_from(&-&round.along);
        matrix
    }

    /// Singular values that the distance of a motion from one that comes back may feign, where nothing has the period.
    ///
    /// Along a conserved E the end z₁ = z₀ + r has ∇E(z₁) (Φ − 1) = ∇E(z₀) − ∇E(z₁) = −E'' r: what is zero for r = 0, as orbits come in
    /// families, is of the size of r, and so is what a correction along it would divide by.
    pub fn feigned(&self, round: &Round<M>) -> f64 {
        if self.is_driven { 0.0 } else { round.missed.norm() / round.arrival.norm().max(f64::MIN_POSITIVE) }
    }

    /// What is told of the last round.
    pub fn orbit(&self, system: &M, round: Round<M>, iterations: usize) -> Result<Orbit<M>, OrbitError<M>> {
        let defect = round.defect();
        let Round { from, period, ways, admitted, monodromy, .. } = round;
        if !self.is_driven {
            let mut way = flow(&from);
            // What symmetries alone make of a state is as good as rest.
            if !ways.is_empty() {
                let along = self.along_symmetries(system, &from)?;
                if let Ok(part) = along.clone().svd(true, true).solve(&way, 1e-12) {
                    way -= along * part;
                }
            }
            if way.amax() <= self.tolerance.sqrt() / period {
                return Err(OrbitError::AtRest);
            }
        }
        // Of a start that was brought onto the constraints the projection, as it was made, is not quite one: what it has made of a deviation
        // is what the period has begun with.
        let basis = space_of(admitted.clone());
        let [begun, ended] = [&admitted, &monodromy].map(|of| basis.tr_mul(&(of * &basis)));
        let reduced = begun.lu().solve(&ended).unwrap_or(ended);
        let mut multipliers = eigenvalues(&reduced).unwrap_or_default();
        multipliers.sort_by(|one, other| other.norm().total_cmp(&one.norm()));
        let ways = self.symmetries.iter().zip(ways).map(|((name, _), way)| (*name, way)).collect();
        let &Shooting { is_driven, steps, .. } = self;
        Ok(Orbit { state: from, period, ways, defect, iterations, monodromy, multipliers, is_driven, steps })
    }

    /// What the symmetries make of a state, a column each.
    pub fn along_symmetries(&self, system: &M, from: &State<M>) -> Result<DMatrix<f64>, OrbitError<M>> {
        let numbers = self.symmetry_numbers(system)?;
        let symmetries = Symmetries { system, numbers: &numbers, time: from.time };
        let here = (from.configuration.clone(), from.velocity.clone());
        symmetries.of_ways(&here, &vec![0.0; numbers.len()]).ok_or(OrbitError::UndefinedSymmetry)
    }
}
