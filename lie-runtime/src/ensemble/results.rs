//! Results of an ensemble.

use core::fmt;

use super::error::MemberError;
use super::measure::StoredWarning;
use crate::simulate::{ColumnNames, without_section};

/// The recorded values of all members.
#[derive(Debug)]
pub struct Results {
    pub(super) variables: Vec<String>,
    /// One row per member.
    pub(super) samples: Vec<Vec<f64>>,
    pub(super) columns: Vec<String>,
    /// The times of the states; NaN for the last state if runs were stopped.
    pub(super) times: Vec<f64>,
    /// The reason for the early stop of each member.
    pub(super) stops: Vec<Option<String>>,
    /// Values by member, state and column; NaN if missing.
    pub(super) values: Vec<f64>,
    pub(super) failures: Vec<MemberError>,
    /// The warnings of the run of each member.
    pub(super) warnings: Vec<Vec<StoredWarning>>,
    /// Number of members from a checkpoint.
    pub(super) resumed: usize,
    pub(super) seconds: f64,
}

impl Results {
    /// Returns the number of members, including failed members.
    pub fn members(&self) -> usize {
        self.samples.len()
    }

    /// Returns the number of states of each member, which is the number of [times](Self::times).
    pub fn states(&self) -> usize {
        self.times.len()
    }

    /// Returns the times of the states, which are equal for all members. If an event or an observer stopped a run, there is an additional
    /// state with the time NaN: the final state of each stopped run.
    pub fn times(&self) -> &[f64] {
        &self.times
    }

    /// Returns the reason for the early stop of a member, for example ``stopped by event `lands` at t = 0.628``.
    pub fn stopped(&self, member: usize) -> Option<&str> {
        self.stops.get(member)?.as_deref()
    }

    /// Returns the reason for missing values of a member in a state; `None` if they exist.
    pub fn missing(&self, member: usize, state: usize) -> Option<String> {
        if let Ok(failed) = self.failures.binary_search_by_key(&member, |error| error.member) {
            return Some(self.failures[failed].failure.to_string());
        }
        // The first column is the time.
        let is_there = |time: &f64| !time.is_nan();
        let time = self.values.get((member * self.states() + state) * self.columns.len());
        if state >= self.states() || time.is_none_or(is_there) {
            return None;
        }
        Some(self.stopped(member).unwrap_or("not stopped").to_owned())
    }

    /// Returns the names of the sampled parameters and variables.
    pub fn variables(&self) -> &[String] {
        &self.variables
    }

    /// Returns the sampled values, one row per member.
    pub fn samples(&self) -> &[Vec<f64>] {
        &self.samples
    }

    /// Returns the names of the recorded values, including the time `t`.
    pub fn columns(&self) -> &[String] {
        &self.columns
    }

    /// Returns the failed members with their errors, in order.
    pub fn failures(&self) -> &[MemberError] {
        &self.failures
    }

    /// Returns the warnings of all runs, see [`Trajectory::warnings`](crate::simulate::Trajectory::warnings): one entry for each kind, in the order of
    /// the first members that have them.
    pub fn warnings(&self) -> Vec<MemberWarnings> {
        let mut kinds: Vec<MemberWarnings> = Vec::new();
        for (member, warnings) in self.warnings.iter().enumerate() {
            for (at, StoredWarning { kind, message }) in warnings.iter().enumerate() {
                // A run can have several warnings of one kind.
                if warnings[..at].iter().any(|before| before.kind == *kind) {
                    continue;
                }
                match kinds.iter_mut().find(|known| known.kind == *kind) {
                    Some(known) => known.members += 1,
                    None => kinds.push(MemberWarnings {
                        kind: kind.clone(),
                        members: 1,
                        first: member,
                        message: message.clone(),
                    }),
                }
            }
        }
        kinds
    }

    /// Returns the kinds of the warnings of the run of a member, separated by semicolons, such as `Chattering`; empty without warnings.
    pub(super) fn kinds_of_warnings(&self, member: usize) -> String {
        let warnings = self.warnings.get(member).into_iter().flatten();
        let mut kinds: Vec<&str> = warnings.map(|warning| warning.kind.as_str()).collect();
        kinds.dedup();
        kinds.join("; ")
    }

    /// Returns the number of members that were read from a checkpoint.
    pub fn resumed(&self) -> usize {
        self.resumed
    }

    /// Returns the wall-clock time, s.
    pub fn seconds(&self) -> f64 {
        self.seconds
    }

    /// Returns a column by one of the names [`columns`](Self::columns) or [`Run::column`](crate::simulate::Run::column), for example
    /// `energy.kinetic` or `tip.x`, but not the group `energy`.
    pub fn column(&self, name: &str) -> Option<Column<'_>> {
        let names = ColumnNames::of_labels(&self.columns);
        let number = [name, without_section(name)].into_iter().find_map(|name| names.find_one(name).ok())?;
        Some(Column { results: self, number })
    }
}

/// Summarises the ensemble: its size, the members that have failed, and the warnings of their runs.
impl fmt::Display for Results {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (members, states, columns) = (self.members(), self.states(), self.columns.len());
        write!(f, "{members} members of {states} states and {columns} columns in {:.2} s", self.seconds)?;
        if self.resumed > 0 {
            write!(f, ", with {} members from the checkpoint", self.resumed)?;
        }
        if let Some(first) = self.failures.first() {
            write!(f, "\n{} members have failed; the first failure: {first}", self.failures.len())?;
        }
        self.warnings().iter().try_for_each(|warnings| write!(f, "\nwarning: {warnings}"))
    }
}

/// The warnings of one kind in the runs of an ensemble, see [`Results::warnings`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MemberWarnings {
    /// The kind, see [`Warning::kind`](crate::simulate::Warning::kind).
    pub kind: String,
    /// The number of members whose runs have it.
    pub members: usize,
    /// The first of these members.
    pub first: usize,
    /// The warning of the run of this member.
    pub message: String,
}

impl fmt::Display for MemberWarnings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let MemberWarnings { kind, members, first, message } = self;
        let members = if *members == 1 { "1 member".to_owned() } else { format!("{members} members") };
        write!(f, "{kind} in {members}, the first of which is member {first}: {message}")
    }
}

/// A recorded scalar of all members in each state.
#[derive(Clone, Copy, Debug)]
pub struct Column<'a> {
    results: &'a Results,
    number: usize,
}

impl Column<'_> {
    /// Returns the value of a member in a state; NaN if the member has failed, has not reached the time, or does not exist.
    pub fn value(&self, member: usize, state: usize) -> f64 {
        let Results { columns, values, .. } = self.results;
        let states = self.results.states();
        let inside = state < states && member < self.results.members();
        let at = || values.get((member * states + state) * columns.len() + self.number);
        inside.then(at).flatten().copied().unwrap_or(f64::NAN)
    }

    /// Returns the values of all members in a state, in order; NaN if missing.
    pub fn values(&self, state: usize) -> Vec<f64> {
        (0..self.results.members()).map(|member| self.value(member, state)).collect()
    }

    /// Returns mean, variance and extremes of the members with a value.
    pub fn spread(&self, state: usize) -> Spread {
        Spread::of((0..self.results.members()).map(|member| self.value(member, state)))
    }

    /// Returns the `p`-quantile of the members, 0 ≤ p ≤ 1, with linear interpolation.
    ///
    /// NaN without members or for p out of range.
    pub fn quantile(&self, state: usize, p: f64) -> f64 {
        let [quantile] = self.quantiles(state, [p]);
        quantile
    }

    /// Returns several [quantiles](Self::quantile).
    pub fn quantiles<const N: usize>(&self, state: usize, parts: [f64; N]) -> [f64; N] {
        let mut values = self.values(state);
        values.retain(|value| !value.is_nan());
        values.sort_by(f64::total_cmp);
        parts.map(|p| {
            let Some(last) = values.len().checked_sub(1).filter(|_| (0.0..=1.0).contains(&p)) else { return f64::NAN };
            let place = p * last as f64;
            #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
            // In range: between 0 and the last index.
            let below = (place as usize).min(last);
            let above = (below + 1).min(last);
            values[below] + (place - below as f64) * (values[above] - values[below])
        })
    }
}

/// Mean, variance and extremes of values.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Spread {
    /// The number of values.
    pub count: usize,
    /// The number of missing values, of members that have failed or have not reached the time.
    pub missing: usize,
    /// The mean; NaN without values.
    pub mean: f64,
    /// The sample variance, with the denominator n − 1; NaN for fewer than two values.
    pub variance: f64,
    /// The smallest value; NaN without values.
    pub minimum: f64,
    /// The largest value; NaN without values.
    pub maximum: f64,
}

impl Spread {
    /// Returns the statistics of values; NaN is a missing value.
    pub(crate) fn of(values: impl Iterator<Item = f64>) -> Self {
        let (mut count, mut missing, mut mean, mut squares) = (0_usize, 0_usize, 0.0, 0.0);
        let (mut minimum, mut maximum) = (f64::NAN, f64::NAN);
        // Welford's recurrence avoids differences of large sums.
        for value in values {
            if value.is_nan() {
                missing += 1;
                continue;
            }
            count += 1;
            let before = value - mean;
            mean += before / count as f64;
            squares += before * (value - mean);
            minimum = value.min(minimum);
            maximum = value.max(maximum);
        }
        let variance = if count > 1 { squares / (count - 1) as f64 } else { f64::NAN };
        Spread { count, missing, mean: if count > 0 { mean } else { f64::NAN }, variance, minimum, maximum }
    }

    /// Returns the standard deviation.
    pub fn deviation(&self) -> f64 {
        self.variance.sqrt()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn results(values: Vec<f64>) -> Results {
        Results {
            variables: vec!["a".to_owned()],
            samples: (0..values.len()).map(|member| vec![member as f64]).collect(),
            columns: vec!["x".to_owned()],
            times: vec![0.0],
            stops: vec![None; values.len()],
            warnings: vec![Vec::new(); values.len()],
            values,
            failures: Vec::new(),
            resumed: 0,
            seconds: 0.0,
        }
    }

    #[test]
    fn spreads_and_quantiles() {
        let results = results(vec![4.0, 1.0, f64::NAN, 3.0, 2.0]);
        let x = results.column("x").unwrap();
        let spread = x.spread(0);
        assert_eq!((spread.count, spread.missing), (4, 1));
        assert_eq!((spread.mean, spread.minimum, spread.maximum), (2.5, 1.0, 4.0));
        assert!((spread.variance - 5.0 / 3.0).abs() < 1e-15);
        assert_eq!(x.quantiles(0, [0.0, 0.5, 1.0]), [1.0, 2.5, 4.0]);
        assert!((x.quantile(0, 0.1) - 1.3).abs() < 1e-15);
        assert!(x.quantile(0, 1.5).is_nan() && x.quantile(7, 0.5).is_nan() && x.value(9, 0).is_nan());
        assert!(results.column("y").is_none());
        assert_eq!(x.spread(1).count, 0);
        assert!(x.spread(1).mean.is_nan());
    }
}
