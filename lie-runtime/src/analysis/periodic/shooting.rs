//! Shooting: the defect of a motion after one period determines the correction of its start.

use core::ops::ControlFlow;

use nalgebra::{DMatrix, DVector};

use crate::analysis::matrices::schur::eigenvalues;
use crate::analysis::one_sided::law_violation_in_motion;
use crate::analysis::periodic::orbit::{Orbit, OrbitError};
use crate::analysis::periodic::period_map::{Guess, Round, flow};
use crate::analysis::periodic::symmetries::Symmetries;
use crate::gradient::Sensitivities;
use crate::integrator::{HalfExplicit, Integrator, State};
use crate::simulate::Simulation;
use crate::system::TangentSystem;

/// Singular values below this fraction of the largest one belong to a family of orbits or to inadmissible deviations.
const NEGLIGIBLE: f64 = 1e-7;

/// A run with events, see [`PeriodicOrbit::events`](crate::analysis::PeriodicOrbit::events).
#[doc(hidden)]
pub type RunWithEvents<'a, M> = Sensitivities<'a, M, HalfExplicit, fn(&State<M>) -> ControlFlow<()>>;

/// The function that adds the events.
type WithEvents<'a, M> = dyn Fn(RunWithEvents<'a, M>) -> RunWithEvents<'a, M> + 'a;

/// Adds events to the runs of a system, and in the same way to runs with other parameters.
pub(in crate::analysis) struct Events<'a, M: TangentSystem> {
    pub system: &'a M,
    pub said: Box<WithEvents<'a, M>>,
}

/// The settings of shooting.
pub(in crate::analysis) struct Shooting<'a, M: TangentSystem, I> {
    /// True if a drive determines T.
    pub is_driven: bool,
    pub from: f64,
    pub steps: usize,
    pub tolerance: f64,
    pub integrator: I,
    pub events: Option<Events<'a, M>>,
    /// The names of symmetries and the estimated displacement along each.
    pub symmetries: Vec<(&'static str, f64)>,
    /// A parameter that is an unknown.
    pub parameter: Option<String>,
    /// The function that stops the search.
    pub is_stopped: Option<Box<dyn Fn() -> bool + 'a>>,
}

/// Returns the least-norm, least-squares solution of a linear system. Singular values below `least` or at round-off level of the others
/// count as zero.
pub(in crate::analysis) fn shortest(matrix: DMatrix<f64>, right: &DVector<f64>, least: f64) -> DVector<f64> {
    let count = matrix.ncols();
    let factors = matrix.svd(true, true);
    let negligible = least.max(NEGLIGIBLE * factors.singular_values.max());
    factors.solve(right, negligible).unwrap_or_else(|_| DVector::zeros(count))
}

/// Returns an orthonormal basis of the admissible deviations.
pub(in crate::analysis) fn space_of(admitted: DMatrix<f64>) -> DMatrix<f64> {
    let count = admitted.nrows();
    let factors = admitted.svd(true, false);
    let largest = factors.singular_values.max();
    let rank = factors.singular_values.iter().filter(|value| **value > NEGLIGIBLE * largest).count();
    factors.u.map_or_else(|| DMatrix::zeros(count, 0), |u| u.columns(0, rank).into_owned())
}

impl<M: TangentSystem, I: Integrator<M::Lifted> + Clone> Shooting<'_, M, I> {
    /// Returns the positions of the named symmetries in the declaration.
    fn symmetry_numbers(&self, system: &M) -> Result<Vec<usize>, OrbitError<M>> {
        let declared = &system.description().symmetries;
        let number = |&(name, way): &(&'static str, f64)| {
            if !way.is_finite() {
                return Err(OrbitError::Setting { option: "displacement along a symmetry", value: way });
            }
            let found = declared.iter().position(|symmetry| *symmetry == name);
            found.ok_or_else(|| OrbitError::NoSymmetry { name, declared: declared.to_vec() })
        };
        self.symmetries.iter().map(number).collect()
    }

    /// Returns true if the user has stopped the search.
    pub fn is_stopped(&self) -> bool {
        self.is_stopped.as_ref().is_some_and(|is_stopped| is_stopped())
    }

    /// Computes one period of a motion and its derivatives.
    pub fn round(&self, system: &M, guess: Guess<M>) -> Result<Round<M>, OrbitError<M>> {
        let numbers = self.symmetry_numbers(system)?;
        if self.is_stopped() {
            return Err(OrbitError::Stopped);
        }
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
            return Err(OrbitError::Nowhere { option: ".guess(q, v)" });
        };
        let columns = [run.variations.first(), run.variations.last()];
        let columns = columns.map(|columns| columns.map_or(&[][..], Vec::as_slice));
        let symmetries = Symmetries { system, numbers: &numbers, time: end };
        Round::new((from, to), columns, &symmetries, (period, ways)).ok_or(OrbitError::UndefinedSymmetry)
    }

    /// Returns the derivative of the defect with respect to (x, τ, ways). The last row of an autonomous system is the component of x along
    /// the flow.
    pub fn derivative(&self, system: &M, round: &Round<M>) -> DMatrix<f64> {
        let (size, symmetries) = (round.missed.len(), round.along.ncols());
        let period = usize::from(!self.is_driven);
        let mut matrix = DMatrix::zeros(size + period, size + period + symmetries);
        matrix.view_mut((0, 0), (size, size)).copy_from(&(&round.monodromy - &round.admitted));
        if !self.is_driven {
            matrix.view_mut((0, size), (size, 1)).copy_from(&round.arrival);
            let along = round.admitted.tr_mul(&flow(system, &round.from));
            matrix.view_mut((size, 0), (1, size)).copy_from(&along.transpose());
        }
        // The end is moved back, so that the sign is negative.
        matrix.view_mut((0, size + period), (size, symmetries)).copy_from(&-&round.along);
        matrix
    }

    /// Returns the size of spurious singular values from the defect of an iterate of an autonomous system.
    ///
    /// Along a conserved E the end z₁ = z₀ + r has ∇E(z₁) (Φ − 1) = ∇E(z₀) − ∇E(z₁) = −E'' r: a singular value that is zero for r = 0,
    /// because orbits form families, has the size of r. A correction along this direction would divide by it.
    pub fn feigned(&self, round: &Round<M>) -> f64 {
        if self.is_driven { 0.0 } else { round.missed.norm() / round.arrival.norm().max(f64::MIN_POSITIVE) }
    }

    /// Returns the orbit of the last iterate.
    pub fn orbit(&self, system: &M, round: Round<M>, iterations: usize) -> Result<Orbit<M>, OrbitError<M>> {
        let defect = round.defect();
        let Round { from, period, ways, admitted, monodromy, .. } = round;
        if !self.is_driven {
            let mut way = flow(system, &from);
            // A motion along symmetries only counts as rest.
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
        self.ensure_laws(system, &from, period)?;
        // The derivative of the initial projection is not exactly a projector. Its result is the deviation at the start of the period.
        let basis = space_of(admitted.clone());
        let [begun, ended] = [&admitted, &monodromy].map(|of| basis.tr_mul(&(of * &basis)));
        let reduced = begun.lu().solve(&ended).unwrap_or(ended);
        let mut multipliers = eigenvalues(&reduced).unwrap_or_default();
        multipliers.sort_by(|one, other| other.norm().total_cmp(&one.norm()));
        let ways = self.symmetries.iter().zip(ways).map(|((name, _), way)| (*name, way)).collect();
        let &Shooting { is_driven, steps, .. } = self;
        Ok(Orbit { state: from, period, ways, defect, iterations, monodromy, multipliers, is_driven, steps })
    }

    /// Tests the laws of contacts, stops and dry friction at the start, and in all steps of an orbit without events.
    fn ensure_laws(&self, system: &M, from: &State<M>, period: f64) -> Result<(), OrbitError<M>> {
        let ensure = |state: &State<M>| {
            let error = |violation| OrbitError::Law { time: state.time, violation };
            law_violation_in_motion(system, state).map_or(Ok(()), |violation| Err(error(violation)))
        };
        ensure(from)?;
        if self.events.is_some() || system.one_sided_laws().is_empty() {
            return Ok(());
        }
        let run = Simulation::of(system).restart_from(from.clone()).method(HalfExplicit::hedop5());
        let run = run.step(period / self.steps as f64).end_time(from.time + period).run();
        run.map_or(Ok(()), |run| run.states.iter().try_for_each(ensure))
    }

    /// Returns the effect of the symmetries on a state, one column each.
    pub fn along_symmetries(&self, system: &M, from: &State<M>) -> Result<DMatrix<f64>, OrbitError<M>> {
        let numbers = self.symmetry_numbers(system)?;
        let symmetries = Symmetries { system, numbers: &numbers, time: from.time };
        let here = (from.configuration.clone(), from.velocity.clone());
        symmetries.of_ways(&here, &vec![0.0; numbers.len()]).ok_or(OrbitError::UndefinedSymmetry)
    }
}
