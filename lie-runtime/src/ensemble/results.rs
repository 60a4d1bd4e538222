//! What an ensemble leaves: numbers, not runs.

use super::error::MemberError;

/// The numbers of all members.
#[derive(Debug)]
pub struct Results {
    pub(super) variables: Vec<String>,
    /// A row a member.
    pub(super) samples: Vec<Vec<f64>>,
    pub(super) columns: Vec<String>,
    /// The times of the states; NaN of the last one if runs were stopped.
    pub(super) times: Vec<f64>,
    /// What has stopped each member.
    pub(super) stops: Vec<Option<String>>,
    /// Member by member, in each state by state, in each column by column; NaN of what is missing.
    pub(super) values: Vec<f64>,
    pub(super) failures: Vec<MemberError>,
    /// How many members were taken from a checkpoint.
    pub(super) resumed: usize,
    pub(super) seconds: f64,
}

impl Results {
    /// How many members there are, those that have failed among them.
    pub fn members(&self) -> usize {
        self.samples.len()
    }

    /// The number of states of each member: one for each of the [times](Self::times).
    pub fn states(&self) -> usize {
        self.times.len()
    }

    /// The times of the states, the same for all members. If a run was stopped, by an event or an observer, there is one more state, whose
    /// time is NaN here: the one in which each of these runs was stopped.
    pub fn times(&self) -> &[f64] {
        &self.times
    }

    /// What has stopped the run of a member before its end, for example ``stopped by event `lands` at t = 0.628``.
    pub fn stopped(&self, member: usize) -> Option<&str> {
        self.stops.get(member)?.as_deref()
    }

    /// Why the values of a member are missing in a state; `None` if they are there.
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

    /// The names of the sampled parameters and variables.
    pub fn variables(&self) -> &[String] {
        &self.variables
    }

    /// The sampled values, a row a member.
    pub fn samples(&self) -> &[Vec<f64>] {
        &self.samples
    }

    /// The names of what was measured; `t`, the time, is always among them.
    pub fn columns(&self) -> &[String] {
        &self.columns
    }

    /// The members without numbers, and why, in order.
    pub fn failures(&self) -> &[MemberError] {
        &self.failures
    }

    /// How many members were taken from a checkpoint instead of being run.
    pub fn resumed(&self) -> usize {
        self.resumed
    }

    /// Wall-clock time, s.
    pub fn seconds(&self) -> f64 {
        self.seconds
    }

    /// What was measured under this name, one of [`columns`](Self::columns): `energy.kinetic`, not `energy`, which is several.
    pub fn column(&self, name: &str) -> Option<Column<'_>> {
        let number = self.columns.iter().position(|column| column == name)?;
        Some(Column { results: self, number })
    }
}

/// One measured number of all members, at each of their states.
#[derive(Clone, Copy, Debug)]
pub struct Column<'a> {
    results: &'a Results,
    number: usize,
}

impl Column<'_> {
    /// The value of a member in its `state`-th state; NaN if it is missing: of a member that has failed, has not reached the time, or does not
    /// exist.
    pub fn value(&self, member: usize, state: usize) -> f64 {
        let Results { columns, values, .. } = self.results;
        let states = self.results.states();
        let inside = state < states && member < self.results.members();
        let at = || values.get((member * states + state) * columns.len() + self.number);
        inside.then(at).flatten().copied().unwrap_or(f64::NAN)
    }

    /// The values of all members in their `state`-th state, in order; NaN where they are missing.
    pub fn values(&self, state: usize) -> Vec<f64> {
        (0..self.results.members()).map(|member| self.value(member, state)).collect()
    }

    /// Mean, variance and extremes over the members whose value is not missing.
    pub fn spread(&self, state: usize) -> Spread {
        Spread::of((0..self.results.members()).map(|member| self.value(member, state)))
    }

    /// The value under which a part `p` of the members lies, 0 ≤ p ≤ 1: between two members in proportion.
    ///
    /// NaN without members, or for a p out of its range.
    pub fn quantile(&self, state: usize, p: f64) -> f64 {
        let [quantile] = self.quantiles(state, [p]);
        quantile
    }

    /// Several [quantiles](Self::quantile) at once.
    pub fn quantiles<const N: usize>(&self, state: usize, parts: [f64; N]) -> [f64; N] {
        let mut values = self.values(state);
        values.retain(|value| !value.is_nan());
        values.sort_by(f64::total_cmp);
        parts.map(|p| {
            let Some(last) = values.len().checked_sub(1).filter(|_| (0.0..=1.0).contains(&p)) else { return f64::NAN };
            let place = p * last as f64;
            #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // Between 0 and the last.
            let below = (place as usize).min(last);
            let above = (below + 1).min(last);
            values[below] + (place - below as f64) * (values[above] - values[below])
        })
    }
}

/// Mean, variance and extremes of numbers.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Spread {
    /// The number of values.
    pub count: usize,
    /// The number of values that are missing: of members that have failed or have not reached the time.
    pub missing: usize,
    /// The mean; NaN of none.
    pub mean: f64,
    /// The mean square deviation from the mean, over one less than their number; NaN of fewer than two.
    pub variance: f64,
    /// The smallest; NaN of none.
    pub minimum: f64,
    /// The largest; NaN of none.
    pub maximum: f64,
}

impl Spread {
    /// The spread of the values; NaN is a missing value.
    pub fn of(values: impl Iterator<Item = f64>) -> Self {
        let (mut count, mut missing, mut mean, mut squares) = (0_usize, 0_usize, 0.0, 0.0);
        let (mut minimum, mut maximum) = (f64::NAN, f64::NAN);
        // Welford's recurrence: no difference of large sums.
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

    /// The square root of the variance.
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
