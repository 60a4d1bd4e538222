//! The ensemble itself: members over threads.

use core::any::type_name;
use core::panic::AssertUnwindSafe;
use std::panic::catch_unwind;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Instant;

use rayon::ThreadPoolBuilder;
use rayon::iter::{IndexedParallelIterator, ParallelIterator};
use rayon::slice::{ParallelSlice, ParallelSliceMut};

use super::checkpoint::{Checkpoint, Fingerprint, Saved};
use super::error::{EnsembleError, MemberError, MemberFailure};
use super::measure::{Measure, Row};
use super::results::Results;
use super::samples::{Member, Samples, Variable};
use crate::simulate::{Sampled, Simulated, Trajectory};
use crate::system::{ModelError, ParameterSet, Parametrised};

/// An ensemble to be described and run, see the [module](super).
pub struct Ensemble<'a, S> {
    system: &'a S,
    samples: Samples,
    measured: Vec<String>,
    threads: Option<usize>,
    checkpoint: Option<PathBuf>,
    progress: bool,
}

/// What is kept of a member, or why there is nothing.
pub(super) type Outcome = Result<Row, MemberFailure>;

/// What threads share.
pub(super) struct Shared<'a> {
    /// Of every variable that is a parameter, where it is.
    places: &'a [Option<Place>],
    pub(super) measure: Measure,
    checkpoint: Option<Mutex<Checkpoint>>,
    /// True where going on is of no use.
    is_over: AtomicBool,
    error: Mutex<Option<EnsembleError>>,
}

impl<'a, S: Parametrised<Parameters: ParameterSet>> Ensemble<'a, S> {
    /// An ensemble of copies of this system. With nothing else said it has one member, the system itself.
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

    /// The members.
    #[must_use]
    pub fn over(mut self, samples: Samples) -> Self {
        self.samples = samples;
        self
    }

    /// What is kept of each recorded state: columns of an exported trajectory (`energy.kinetic`), or records and vectors of
    /// which all columns are kept (`energy`, `observables.tip`, `configuration`). By default everything.
    #[must_use]
    pub fn outputs<N: Into<String>>(mut self, names: impl IntoIterator<Item = N>) -> Self {
        self.measured = names.into_iter().map(Into::into).collect();
        self
    }

    /// The number of threads; by default one for each processor.
    #[must_use]
    pub fn threads(mut self, threads: usize) -> Self {
        self.threads = Some(threads);
        self
    }

    /// Adds members to this file as they are done, and takes from it those that are done already.
    ///
    /// It belongs to this type of system with its parameters, these samples, these columns and this version of the library, and is
    /// refused by others; a closure or a function of the declaration that has been changed it does not know: remove it then.
    #[must_use]
    pub fn checkpoint(mut self, path: impl Into<PathBuf>) -> Self {
        self.checkpoint = Some(path.into());
        self
    }

    /// Draws a progress bar if standard error is a terminal. Without the feature `progress` it does nothing.
    #[must_use]
    pub fn with_progress(mut self) -> Self {
        self.progress = true;
        self
    }

    /// Runs all members: `simulate` makes the run of one, of a system that has its parameters.
    ///
    /// The same numbers come out for any number of threads. The states that are recorded should be few, and as many for each
    /// member: [`output_times`](crate::simulate::Simulation::output_times).
    ///
    /// # Errors
    /// [`EnsembleError`] if the ensemble cannot be run or nothing can be kept; what is wrong with single members is told by
    /// [`Results::failures`].
    pub fn run<P, F>(self, simulate: F) -> Result<Results, EnsembleError>
    where
        S: Sampled<P> + Sync,
        P: Simulated<System = S>,
        F: Fn(&S, &Member<'_>) -> Result<Trajectory<P>, MemberFailure> + Sync,
    {
        self.run_by((type_name::<P>(), 1), |shared, system, members| {
            let one = |member: &Member<'_>| {
                let system = shared.system(system, member)?;
                shared.measure.row(&system, &simulate(&system, member)?)
            };
            members.iter().map(|member| caught(|| one(member))).collect()
        })
    }

    /// Runs all members of a `kind`, so many `at_a_time`, which `run` makes rows of.
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
        let mut done: Vec<Option<Row>> = rows.iter().map(|_| None).collect();
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
        // The same ones together whatever has been done before, so that they have the same numbers.
        let some = |(members, done): (&[Member<'_>], &mut [Option<Row>])| -> Vec<Outcome> {
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

    /// Where the parameters are among the variables; refuses names that are none before anything is run.
    fn places(&self) -> Result<Vec<Option<Place>>, EnsembleError> {
        let mut parameters = self.system.parameters().clone();
        let mut place = |variable: &Variable| {
            let place = Place::of(&parameters, &variable.name)?;
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
        // Other versions may compute other numbers, and so many members at a time, too.
        for word in [env!("CARGO_PKG_VERSION"), kind, &at_a_time.to_string()] {
            fingerprint.add(word.as_bytes());
        }
        let names = self.samples.variables().iter().map(|variable| &variable.name);
        for name in names.chain(&self.measured) {
            fingerprint.add(name.as_bytes());
        }
        for name in S::Parameters::names() {
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
    /// The system with the parameters of a member.
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

    /// Keeps the numbers of a member.
    fn keep(&self, member: &Member<'_>, row: &Row) {
        if let (Some(unknown), Some(columns)) = (self.measure.unknown(), self.measure.columns()) {
            self.end(EnsembleError::UnknownColumn { name: unknown.to_owned(), known: columns.all.clone() });
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

/// Where a number is among parameters: looked for once, and not in every member.
struct Place {
    parameter: String,
    /// Which of its numbers it is, if it is one of several.
    component: Option<usize>,
}

impl Place {
    /// That of a parameter of one number, or of a component of one.
    fn of<P: ParameterSet>(parameters: &P, name: &str) -> Result<Self, ModelError> {
        if parameters.get(name).is_some() {
            return Ok(Place { parameter: name.to_owned(), component: None });
        }
        for &whole in P::names() {
            let Some(current) = parameters.get(whole).filter(|_| name.starts_with(whole)) else { continue };
            let (mut count, mut found) = (0, None);
            current.for_each(whole, &mut |component, _| {
                if component == name {
                    found = Some(count);
                }
                count += 1;
            });
            if found.is_some() {
                return Ok(Place { parameter: whole.to_owned(), component: found });
            }
        }
        Err(ModelError::UnknownParameter { name: name.to_owned(), known: P::names() })
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

/// The outcome of a member; a panic, as of a closure of the user, is a failure of this member alone.
pub(super) fn caught(run: impl FnOnce() -> Outcome) -> Outcome {
    // What the closure shares with others are locks, which are taken however their last owner has ended.
    catch_unwind(AssertUnwindSafe(run)).unwrap_or_else(|payload| {
        let text = payload.downcast_ref::<&str>().map(|text| (*text).to_owned());
        let message = text.or_else(|| payload.downcast_ref::<String>().cloned());
        Err(MemberFailure::Panicked { message: message.unwrap_or_else(|| "no message".to_owned()) })
    })
}

/// Times that differ by a smaller part are the same.
const SAME: f64 = 1e-12;

fn is_same(time: f64, other: f64) -> bool {
    (time - other).abs() <= SAME * time.abs().max(other.abs())
}

/// The states of the members of an ensemble: those at common times, and the one in which a run is stopped.
struct Alignment {
    /// The common times: those of the first member that has come to its end, or, without one, of the member that has come farthest.
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

    /// The values of a member at the common times, and where it was stopped; NaN at times that it has not reached.
    fn aligned(&self, row: &Row) -> Result<Vec<f64>, MemberFailure> {
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

/// The times of a row but that at which it was stopped: the time is the first column.
fn times_of(row: &Row, width: usize) -> Vec<f64> {
    let states = row.values.len() / width - usize::from(row.stopped.is_some());
    row.values.iter().step_by(width).take(states).copied().collect()
}

/// Puts the numbers of all members together.
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
    for (member, outcome) in outcomes.into_iter().enumerate() {
        match outcome.and_then(|row| Ok((alignment.aligned(&row)?, row.stopped))) {
            Ok((own, stopped)) => {
                values.extend(own);
                stops.push(stopped);
            }
            Err(failure) => {
                values.extend(core::iter::repeat_n(f64::NAN, states * width));
                stops.push(None);
                failures.push(MemberError { member, failure });
            }
        }
    }
    let mut times = alignment.times;
    times.resize(states, f64::NAN);
    let seconds = started.elapsed().as_secs_f64();
    Results { variables, samples, columns, times, stops, values, failures, resumed, seconds }
}

/// How many members are done, on a terminal.
#[cfg(feature = "progress")]
struct Bar(indicatif::ProgressBar);

#[cfg(feature = "progress")]
impl Bar {
    fn new(is_wanted: bool, members: usize, done: usize) -> Self {
        if !is_wanted {
            return Bar(indicatif::ProgressBar::hidden());
        }
        let bar = indicatif::ProgressBar::new(members as u64).with_position(done as u64);
        if let Ok(style) =
            indicatif::ProgressStyle::with_template("{elapsed_precise} {wide_bar} {pos}/{len}, {eta} to go")
        {
            bar.set_style(style);
        }
        bar.reset_eta();
        Bar(bar)
    }

    fn step(&self) {
        self.0.inc(1);
    }

    fn finish(&self) {
        self.0.finish_and_clear();
    }
}

/// Does nothing without the feature `progress`.
#[cfg(not(feature = "progress"))]
struct Bar;

#[cfg(not(feature = "progress"))]
#[allow(clippy::unused_self)] // The same calls as with the feature.
impl Bar {
    fn new(_is_wanted: bool, _members: usize, _done: usize) -> Self {
        Bar
    }

    fn step(&self) {}

    fn finish(&self) {}
}
