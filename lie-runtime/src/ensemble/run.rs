//! The ensemble builder and the parallel execution of members.

use core::any::type_name;
use core::panic::AssertUnwindSafe;
use std::panic::catch_unwind;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Instant;

use rayon::ThreadPoolBuilder;
use rayon::iter::{IndexedParallelIterator, ParallelIterator};
use rayon::slice::{ParallelSlice, ParallelSliceMut};

use super::checkpoint::{Checkpoint, Fingerprint, Saved};
use super::error::{EnsembleError, MemberError, MemberFailure};
use super::measure::{Measure, ResultRow};
use super::results::Results;
use super::samples::{Member, SampledVariable, Samples};
use crate::progress_bar::ProgressBar;
use crate::simulate::{Run, Sampled, Simulated};
use crate::system::{ModelError, ParameterSet, Parametrised};

/// An ensemble of simulations, see the [module](super).
#[doc(alias = "Monte Carlo")]
#[doc(alias = "EnsembleProblem")]
#[doc(alias = "parameter sweep")]
pub struct Ensemble<'a, S> {
    system: &'a S,
    samples: Samples,
    measured: Vec<String>,
    threads: Option<usize>,
    checkpoint: Option<PathBuf>,
    progress: bool,
}

/// The values of a member or its error.
pub(super) type Outcome = Result<ResultRow, MemberFailure>;

/// Data that threads share.
pub(super) struct Shared<'a> {
    /// The location of each variable that is a parameter.
    places: &'a [Option<ParameterIndex>],
    pub(super) measure: Measure,
    checkpoint: Option<Mutex<Checkpoint>>,
    /// True if no further members are run.
    is_over: AtomicBool,
    error: Mutex<Option<EnsembleError>>,
}

impl<'a, S: Parametrised<Parameters: ParameterSet>> Ensemble<'a, S> {
    /// Creates an ensemble of copies of this system. By default it has one member, the system itself.
    pub fn of(system: &'a S) -> Self {
        Ensemble {
            system,
            samples: Samples::grid(),
            measured: Vec::new(),
            threads: None,
            checkpoint: None,
            progress: false,
        }
    }

    /// Sets the members.
    #[must_use]
    pub fn samples(mut self, samples: Samples) -> Self {
        self.samples = samples;
        self
    }

    /// Sets the recorded values of each state, by the names of [`Run::column`](crate::simulate::Run::column): `energy.kinetic`, `tip.x`, or
    /// records and vectors with all their columns (`energy`, `tip`, `configuration`). Default: all values.
    #[must_use]
    pub fn outputs<N: Into<String>>(mut self, names: impl IntoIterator<Item = N>) -> Self {
        self.measured = names.into_iter().map(Into::into).collect();
        self
    }

    /// Sets the number of threads. Default: one per processor.
    #[must_use]
    pub fn threads(mut self, threads: usize) -> Self {
        self.threads = Some(threads);
        self
    }

    /// Sets the checkpoint file. Completed members are appended to it; members in the file are not run again.
    ///
    /// The file is valid for one type of system with its parameters, samples, columns, and version of the library; other ensembles reject
    /// it. Changes of a closure or of a declared function are not detected. Remove the file after such a change.
    #[must_use]
    pub fn checkpoint(mut self, path: impl Into<PathBuf>) -> Self {
        self.checkpoint = Some(path.into());
        self
    }

    /// Draws a progress bar if standard error is a terminal.
    #[must_use]
    pub fn progress_bar(mut self) -> Self {
        self.progress = true;
        self
    }

    /// Runs all members. `simulate` runs the simulation of a member; its system has the parameters of the member.
    ///
    /// The results do not depend on the number of threads. Record few states, at equal times for all members:
    /// [`output_times`](crate::simulate::Simulation::output_times).
    ///
    /// # Errors
    /// [`EnsembleError`] if the ensemble cannot be run or the results cannot be stored. [`Results::failures`] contains the errors of single
    /// members.
    pub fn run<P, F>(self, simulate: F) -> Result<Results, EnsembleError>
    where
        S: Sampled<P> + Sync,
        P: Simulated<System = S>,
        F: for<'s> Fn(&'s S, &Member<'_>) -> Result<Run<'s, P>, MemberFailure> + Sync,
    {
        self.run_by((type_name::<P>(), 1), |shared, system, members| {
            let one = |member: &Member<'_>| {
                let system = shared.system(system, member)?;
                shared.measure.row(&system, &*simulate(&system, member)?)
            };
            members.iter().map(|member| caught(|| one(member))).collect()
        })
    }

    /// Runs all members of a `kind` in batches of `at_a_time`. `run` computes the rows of a batch.
    pub(super) fn run_by<F>(self, (kind, at_a_time): (&str, usize), run: F) -> Result<Results, EnsembleError>
    where
        S: Sync,
        F: Fn(&Shared<'_>, &S, &[Member<'_>]) -> Vec<Outcome> + Sync,
    {
        let started = Instant::now();
        let rows = self.samples.rows()?;
        let variables = self.samples.variables();
        let places = self.places()?;
        let measure = Measure::new(self.measured.clone());
        let (checkpoint, saved) = self.open_checkpoint(&rows, (kind, at_a_time))?;
        if !saved.columns.is_empty() {
            measure.set_columns(saved.columns);
        }
        let mut done: Vec<Option<ResultRow>> = rows.iter().map(|_| None).collect();
        for (member, row) in saved.rows {
            done[member] = Some(row);
        }
        let resumed = done.iter().filter(|row| row.is_some()).count();
        let shared = Shared {
            places: &places,
            measure,
            checkpoint: checkpoint.map(Mutex::new),
            is_over: AtomicBool::new(false),
            error: Mutex::new(None),
        };
        let bar = Bar::new(self.progress, rows.len(), resumed);
        let members: Vec<Member<'_>> =
            rows.iter().enumerate().map(|(index, values)| Member { index, variables, values }).collect();
        // Batches do not depend on the checkpoint, so that the results remain equal.
        let some = |(members, done): (&[Member<'_>], &mut [Option<ResultRow>])| -> Vec<Outcome> {
            if done.iter().all(Option::is_some) {
                return done.iter_mut().filter_map(Option::take).map(Ok).collect();
            }
            let outcomes = if shared.is_over.load(Ordering::Relaxed) {
                members.iter().map(|_| Err(MemberFailure::NothingRecorded)).collect()
            } else {
                run(&shared, self.system, members)
            };
            let outcomes = members.iter().zip(done).zip(outcomes).map(|((member, done), outcome)| {
                if let Some(row) = done.take() {
                    return Ok(row);
                }
                bar.step();
                outcome.inspect(|row| shared.keep(member, row))
            });
            outcomes.collect()
        };
        let pool = ThreadPoolBuilder::new()
            .num_threads(self.threads.unwrap_or(0).min(rows.len().max(1)))
            .build()
            .map_err(|error| EnsembleError::Threads(error.to_string()))?;
        let outcomes: Vec<Vec<Outcome>> =
            pool.install(|| members.par_chunks(at_a_time).zip(done.par_chunks_mut(at_a_time)).map(some).collect());
        bar.finish();
        let Shared { measure, error, .. } = shared;
        if let Some(error) = error.into_inner().unwrap_or_else(PoisonError::into_inner) {
            return Err(error);
        }
        let variables = variables.iter().map(|variable| variable.name.clone()).collect();
        Ok(collect(variables, rows, &measure, outcomes.into_iter().flatten().collect(), resumed, started))
    }

    /// Returns the location of the parameters among the variables. Unknown names cause an error before the first run.
    fn places(&self) -> Result<Vec<Option<ParameterIndex>>, EnsembleError> {
        let mut parameters = self.system.parameters().clone();
        let mut place = |variable: &SampledVariable| {
            let place = ParameterIndex::of(&parameters, &variable.name)?;
            place.set(&mut parameters, 0.0)?;
            Ok(place)
        };
        let refused = |error| match error {
            ModelError::UnknownParameter { name, known } => EnsembleError::UnknownParameter { name, known },
            error => EnsembleError::Parameter(error),
        };
        let variables = self.samples.variables().iter();
        variables.map(|variable| variable.is_parameter.then(|| place(variable)).transpose().map_err(refused)).collect()
    }

    fn open_checkpoint(
        &self,
        rows: &[Vec<f64>],
        (kind, at_a_time): (&str, usize),
    ) -> Result<(Option<Checkpoint>, Saved), EnsembleError> {
        let Some(path) = &self.checkpoint else { return Ok((None, Saved::default())) };
        let mut fingerprint = Fingerprint::new();
        // The version and the batch size may influence the results.
        for word in [env!("CARGO_PKG_VERSION"), kind, &at_a_time.to_string()] {
            fingerprint.add(word.as_bytes());
        }
        let names = self.samples.variables().iter().map(|variable| &variable.name);
        for name in names.chain(&self.measured) {
            fingerprint.add(name.as_bytes());
        }
        for name in self.system.parameters().names() {
            fingerprint.add(name.as_bytes());
            let value = self.system.parameters().get(name);
            fingerprint.add_numbers(&value.map(|value| value.numbers()).unwrap_or_default());
        }
        for row in rows {
            fingerprint.add_numbers(row);
        }
        let (checkpoint, saved) = Checkpoint::open(path, fingerprint.value(), rows.len())?;
        Ok((Some(checkpoint), saved))
    }
}

impl Shared<'_> {
    /// Returns the system with the parameters of a member.
    pub(super) fn system<S: Parametrised<Parameters: ParameterSet>>(
        &self,
        system: &S,
        member: &Member<'_>,
    ) -> Result<S, MemberFailure> {
        let mut parameters = system.parameters().clone();
        for (place, &value) in self.places.iter().zip(member.values) {
            if let Some(place) = place {
                place.set(&mut parameters, value)?;
            }
        }
        Ok(system.with_parameters(parameters)?)
    }

    /// Stores the values of a member.
    fn keep(&self, member: &Member<'_>, row: &ResultRow) {
        if let Some((name, known)) = self.measure.columns().and_then(|columns| columns.unknown.clone()) {
            self.end(EnsembleError::UnknownColumn { name, known });
        }
        if let (Some(checkpoint), Some(columns)) = (&self.checkpoint, self.measure.columns()) {
            let mut checkpoint = checkpoint.lock().unwrap_or_else(PoisonError::into_inner);
            if let Err(error) = checkpoint.add(member.index, row, &columns.kept) {
                self.end(error);
            }
        }
    }

    /// Ends the ensemble.
    fn end(&self, error: EnsembleError) {
        self.is_over.store(true, Ordering::Relaxed);
        self.error.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(error);
    }
}

/// The location of a parameter component.
struct ParameterIndex {
    parameter: String,
    /// The index of the component, if the parameter is not a scalar.
    component: Option<usize>,
}

impl ParameterIndex {
    /// Finds a scalar parameter or a component of a parameter.
    fn of<P: ParameterSet>(parameters: &P, name: &str) -> Result<Self, ModelError> {
        if parameters.get(name).is_some() {
            return Ok(ParameterIndex { parameter: name.to_owned(), component: None });
        }
        for &whole in parameters.names() {
            let Some(current) = parameters.get(whole).filter(|_| name.starts_with(whole)) else { continue };
            let (mut count, mut found) = (0, None);
            current.for_each(whole, &mut |component, _| {
                if component == name {
                    found = Some(count);
                }
                count += 1;
            });
            if found.is_some() {
                return Ok(ParameterIndex { parameter: whole.to_owned(), component: found });
            }
        }
        Err(ModelError::UnknownParameter { name: name.to_owned(), known: parameters.names() })
    }

    fn set<P: ParameterSet>(&self, parameters: &mut P, value: f64) -> Result<(), ModelError> {
        let Some(component) = self.component else { return parameters.set(&self.parameter, &[value]) };
        let mut numbers = parameters.get(&self.parameter).map(|whole| whole.numbers()).unwrap_or_default();
        if let Some(number) = numbers.get_mut(component) {
            *number = value;
        }
        parameters.set(&self.parameter, &numbers)
    }
}

/// Returns the outcome of a member. A panic, for example in a user closure, is a failure of this member only.
pub(super) fn caught(run: impl FnOnce() -> Outcome) -> Outcome {
    // Shared data is behind locks, which remain usable after a panic.
    catch_unwind(AssertUnwindSafe(run)).unwrap_or_else(|payload| {
        let text = payload.downcast_ref::<&str>().map(|text| (*text).to_owned());
        let message = text.or_else(|| payload.downcast_ref::<String>().cloned());
        Err(MemberFailure::Panicked { message: message.unwrap_or_else(|| "no message".to_owned()) })
    })
}

/// Relative tolerance for equal times.
const SAME: f64 = 1e-12;

fn is_same(time: f64, other: f64) -> bool {
    (time - other).abs() <= SAME * time.abs().max(other.abs())
}

/// The common states of the members, and the final states of stopped runs.
struct Alignment {
    /// The common times: the times of the first member that has reached the end time, or otherwise of the member with the most states.
    times: Vec<f64>,
    width: usize,
    /// True if a member was stopped.
    stops: bool,
}

impl Alignment {
    fn of(outcomes: &[Outcome], width: usize) -> Self {
        let rows = || outcomes.iter().filter_map(|outcome| outcome.as_ref().ok());
        let whole = rows().find(|row| row.stopped.is_none());
        let longest = || rows().rev().max_by_key(|row| row.values.len());
        let times = whole.or_else(longest).map_or_else(Vec::new, |row| times_of(row, width));
        Alignment { times, width, stops: rows().any(|row| row.stopped.is_some()) }
    }

    fn states(&self) -> usize {
        self.times.len() + usize::from(self.stops)
    }

    /// Returns the values of a member at the common times and in its final state; NaN at times that it has not reached.
    fn aligned(&self, row: &ResultRow) -> Result<Vec<f64>, MemberFailure> {
        let (own, width) = (times_of(row, self.width), self.width);
        let is_common =
            own.len() <= self.times.len() && own.iter().zip(&self.times).all(|(own, time)| is_same(*own, *time));
        if !is_common || (row.stopped.is_none() && own.len() < self.times.len()) {
            let differs = own.iter().zip(&self.times).find(|(own, time)| !is_same(**own, **time));
            return Err(MemberFailure::OtherTimes {
                expected: self.times.len(),
                recorded: own.len(),
                differs: differs.map(|(own, time)| [*time, *own]),
            });
        }
        let mut values = row.values[..own.len() * width].to_vec();
        values.resize(self.times.len() * width, f64::NAN);
        if self.stops {
            let stop = &row.values[own.len() * width..];
            values.extend_from_slice(stop);
            values.resize(self.states() * width, f64::NAN);
        }
        Ok(values)
    }
}

/// Returns the times of a row without the final state of a stopped run. The time is the first column.
fn times_of(row: &ResultRow, width: usize) -> Vec<f64> {
    let states = row.values.len() / width - usize::from(row.stopped.is_some());
    row.values.iter().step_by(width).take(states).copied().collect()
}

/// Combines the values of all members.
fn collect(
    variables: Vec<String>,
    samples: Vec<Vec<f64>>,
    measure: &Measure,
    outcomes: Vec<Outcome>,
    resumed: usize,
    started: Instant,
) -> Results {
    let columns = measure.columns().map(|columns| columns.kept.clone()).unwrap_or_default();
    let width = columns.len().max(1);
    let alignment = Alignment::of(&outcomes, width);
    let states = alignment.states();
    let mut values = Vec::with_capacity(outcomes.len() * states * width);
    let (mut failures, mut stops) = (Vec::new(), Vec::with_capacity(outcomes.len()));
    let mut warnings = Vec::with_capacity(outcomes.len());
    for (member, outcome) in outcomes.into_iter().enumerate() {
        match outcome.and_then(|row| Ok((alignment.aligned(&row)?, row))) {
            Ok((own, row)) => {
                values.extend(own);
                stops.push(row.stopped);
                warnings.push(row.warnings);
            }
            Err(failure) => {
                values.extend(core::iter::repeat_n(f64::NAN, states * width));
                stops.push(None);
                warnings.push(Vec::new());
                failures.push(MemberError { member, failure });
            }
        }
    }
    let mut times = alignment.times;
    times.resize(states, f64::NAN);
    let seconds = started.elapsed().as_secs_f64();
    Results { variables, samples, columns, times, stops, values, failures, warnings, resumed, seconds }
}

/// The progress of the members on a terminal.
struct Bar {
    shown: Option<ProgressBar>,
    members: usize,
    done: AtomicUsize,
}

impl Bar {
    fn new(is_wanted: bool, members: usize, done: usize) -> Self {
        let shown = if is_wanted { ProgressBar::on_terminal(done as f64 / members as f64) } else { None };
        Bar { shown, members, done: AtomicUsize::new(done) }
    }

    fn step(&self) {
        let done = self.done.fetch_add(1, Ordering::Relaxed) + 1;
        if let Some(bar) = &self.shown {
            bar.show(done as f64 / self.members as f64);
        }
    }

    fn finish(self) {
        if let Some(bar) = self.shown {
            bar.clear();
        }
    }
}
