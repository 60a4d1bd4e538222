//! Samples of the variables of an ensemble.

use std::io::Read;

use super::distribution::Distribution;
use super::error::{MOST, MemberFailure, SampleError};
use super::sequence::{self, Random};

/// Sampling design: combination of the values of different variables.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Design {
    /// All combinations.
    Grid,
    /// Independent random values.
    Random { count: usize, seed: u64 },
    /// Latin hypercube: random, with a uniform distribution of each variable.
    LatinHypercube { count: usize, seed: u64 },
    /// Sobol sequence: uniform in all variables.
    Sobol { count: usize, seed: u64 },
}

/// A variable of an ensemble.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct SampledVariable {
    pub name: String,
    /// True if it is a parameter of the system.
    pub is_parameter: bool,
}

/// The members of an ensemble, with a value of every variable in the order of their definition.
///
/// A *parameter* is set in the system before a member runs. Its name may be a component such as `center_of_mass[2]` or `inertia[0][0]`. A
/// *variable* is read by the closure that creates the run, for example for initial values or times.
///
/// ```
/// use lie_runtime::ensemble::{Distribution, Samples};
///
/// let grid = Samples::grid().parameter("mass", [1.0, 2.0]).variable("spin", Distribution::linear(10.0, 30.0, 3));
/// assert_eq!(grid.rows()?, [[1.0, 10.0], [1.0, 20.0], [1.0, 30.0], [2.0, 10.0], [2.0, 20.0], [2.0, 30.0]]);
///
/// let measured = Samples::read_csv("mass,spin\n1.5,20\n1.25,21\n".as_bytes())?.with_variables(["spin"])?;
/// assert_eq!(measured.rows()?, [[1.5, 20.0], [1.25, 21.0]]);
///
/// let normal = Distribution::Normal { mean: 1.0, deviation: 0.1 };
/// assert_eq!(Samples::latin_hypercube(1000, 42).parameter("mass", normal).variable("spin", 10.0..30.0).rows()?.len(), 1000);
/// # Ok::<(), lie_runtime::ensemble::SampleError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Samples {
    variables: Vec<SampledVariable>,
    source: Source,
}

#[derive(Clone, Debug, PartialEq)]
enum Source {
    Designed(Design, Vec<Distribution>),
    Listed(Vec<Vec<f64>>),
}

impl Samples {
    fn designed(design: Design) -> Self {
        Samples { variables: Vec::new(), source: Source::Designed(design, Vec::new()) }
    }

    /// Creates a grid with all combinations of values. The last variable varies fastest. All distributions must be
    /// [`Distribution::Values`].
    pub fn grid() -> Self {
        Self::designed(Design::Grid)
    }

    /// Creates `count` members with independent random values. The values depend only on the seed, on every platform.
    pub fn random(count: usize, seed: u64) -> Self {
        Self::designed(Design::Random { count, seed })
    }

    /// Creates a Latin hypercube sample: each of `count` equally likely intervals of a variable contains one value.
    pub fn latin_hypercube(count: usize, seed: u64) -> Self {
        Self::designed(Design::LatinHypercube { count, seed })
    }

    /// Creates `count` points of a Sobol sequence for up to ten variables. A power of two is recommended. The seed determines a random bit
    /// pattern (digital shift).
    pub fn sobol(count: usize, seed: u64) -> Self {
        Self::designed(Design::Sobol { count, seed })
    }

    /// Creates members from rows with one value per name. The names are parameters (see [`with_variables`](Self::with_variables)).
    pub fn listed<N: Into<String>>(
        names: impl IntoIterator<Item = N>,
        rows: impl IntoIterator<Item = impl Into<Vec<f64>>>,
    ) -> Self {
        Samples {
            variables: names
                .into_iter()
                .map(|name| SampledVariable { name: name.into(), is_parameter: true })
                .collect(),
            source: Source::Listed(rows.into_iter().map(Into::into).collect()),
        }
    }

    /// Reads members from a CSV table with a header. The names are parameters (see [`with_variables`](Self::with_variables)).
    ///
    /// # Errors
    /// [`SampleError::Table`] with the line number.
    pub fn read_csv(reader: impl Read) -> Result<Self, SampleError> {
        let table = |error: csv::Error| {
            let line = error.position().map_or(0, csv::Position::line);
            SampleError::Table { line, problem: error.to_string() }
        };
        let mut reader = csv::ReaderBuilder::new().trim(csv::Trim::All).from_reader(reader);
        let names: Vec<String> = reader.headers().map_err(table)?.iter().map(str::to_owned).collect();
        if names.is_empty() {
            return Err(SampleError::Table { line: 1, problem: "missing header with the names".to_owned() });
        }
        let mut rows = Vec::new();
        for record in reader.records() {
            let record = record.map_err(table)?;
            let line = record.position().map_or(0, csv::Position::line);
            let number = |text: &str| {
                text.parse::<f64>()
                    .map_err(|_| SampleError::Table { line, problem: format!("`{text}` is not a number") })
            };
            rows.push(record.iter().map(number).collect::<Result<Vec<f64>, _>>()?);
        }
        Ok(Self::listed(names, rows))
    }

    /// Adds a parameter of the system, or a component of a parameter.
    #[must_use]
    pub fn parameter(self, name: impl Into<String>, values: impl Into<Distribution>) -> Self {
        self.with(name.into(), true, values.into())
    }

    /// Adds a variable for the closure.
    #[must_use]
    pub fn variable(self, name: impl Into<String>, values: impl Into<Distribution>) -> Self {
        self.with(name.into(), false, values.into())
    }

    fn with(mut self, name: String, is_parameter: bool, values: Distribution) -> Self {
        self.variables.push(SampledVariable { name, is_parameter });
        // A variable that is added to a list has no values; `rows` reports this error.
        if let Source::Designed(_, distributions) = &mut self.source {
            distributions.push(values);
        }
        self
    }

    /// Marks names of a list as variables instead of parameters.
    ///
    /// # Errors
    /// [`SampleError::Unknown`] if a name is unknown.
    pub fn with_variables<N: AsRef<str>>(mut self, names: impl IntoIterator<Item = N>) -> Result<Self, SampleError> {
        for name in names {
            let name = name.as_ref();
            let known = || self.variables.iter().map(|variable| variable.name.clone()).collect();
            match self.variables.iter().position(|variable| variable.name == name) {
                Some(at) => self.variables[at].is_parameter = false,
                None => return Err(SampleError::Unknown { name: name.to_owned(), known: known() }),
            }
        }
        Ok(self)
    }

    /// Returns the names of the columns.
    pub(crate) fn names(&self) -> Vec<&str> {
        self.variables.iter().map(|variable| &variable.name[..]).collect()
    }

    /// Marks the columns that are parameters; the others are variables.
    pub(crate) fn with_parameters(mut self, is_parameter: impl Fn(usize) -> bool) -> Self {
        self.variables.iter_mut().enumerate().for_each(|(at, variable)| variable.is_parameter = is_parameter(at));
        self
    }

    /// Returns the variables of the columns.
    pub(super) fn variables(&self) -> &[SampledVariable] {
        &self.variables
    }

    /// Returns the values, one row per member.
    ///
    /// # Errors
    /// [`SampleError`] with the invalid variable.
    pub fn rows(&self) -> Result<Vec<Vec<f64>>, SampleError> {
        for (at, SampledVariable { name, .. }) in self.variables.iter().enumerate() {
            if self.variables[..at].iter().any(|other| other.name == *name) {
                return Err(SampleError::Repeated { name: name.clone() });
            }
        }
        match &self.source {
            Source::Listed(rows) => self.listed_rows(rows),
            Source::Designed(design, distributions) => {
                for (SampledVariable { name, .. }, distribution) in self.variables.iter().zip(distributions) {
                    if let Some(problem) = distribution.defect() {
                        return Err(SampleError::Distribution { name: name.clone(), problem });
                    }
                }
                self.designed_rows(*design, distributions)
            }
        }
    }

    fn listed_rows(&self, rows: &[Vec<f64>]) -> Result<Vec<Vec<f64>>, SampleError> {
        for (number, row) in rows.iter().enumerate() {
            if row.len() != self.variables.len() {
                let [expected, given] = [self.variables.len(), row.len()];
                return Err(SampleError::Row { row: number, expected, given });
            }
            if let Some(at) = row.iter().position(|value| !value.is_finite()) {
                return Err(SampleError::NotFinite {
                    row: number,
                    name: self.variables[at].name.clone(),
                    value: row[at],
                });
            }
        }
        Ok(rows.to_vec())
    }

    fn designed_rows(&self, design: Design, distributions: &[Distribution]) -> Result<Vec<Vec<f64>>, SampleError> {
        let coordinates: Box<dyn Fn(usize) -> Vec<f64>> = match design {
            Design::Grid => return self.grid_rows(distributions),
            Design::Random { count, .. } | Design::LatinHypercube { count, .. } | Design::Sobol { count, .. }
                if count > MOST =>
            {
                return Err(SampleError::TooMany { members: count as f64 });
            }
            Design::Random { count, seed } => Box::new(move |dimension| {
                let mut random = Random::stream(seed, dimension);
                (0..count).map(|_| random.unit()).collect()
            }),
            Design::LatinHypercube { count, seed } => {
                Box::new(move |dimension| sequence::latin_hypercube(count, seed, dimension))
            }
            Design::Sobol { .. } if distributions.len() > sequence::SOBOL_DIMENSIONS => {
                return Err(SampleError::TooManyVariables {
                    variables: distributions.len(),
                    most: sequence::SOBOL_DIMENSIONS,
                });
            }
            Design::Sobol { count, seed } => Box::new(move |dimension| sequence::sobol(count, seed, dimension)),
        };
        let (Design::Random { count, .. } | Design::LatinHypercube { count, .. } | Design::Sobol { count, .. }) =
            design
        else {
            return Ok(Vec::new());
        };
        let mut rows = vec![Vec::with_capacity(distributions.len()); count];
        for (dimension, distribution) in distributions.iter().enumerate() {
            for (row, u) in rows.iter_mut().zip(coordinates(dimension)) {
                row.push(distribution.quantile(u));
            }
        }
        Ok(rows)
    }

    fn grid_rows(&self, distributions: &[Distribution]) -> Result<Vec<Vec<f64>>, SampleError> {
        let count = |distribution: &Distribution| match distribution {
            Distribution::Values(values) => values.len() as f64,
            _ => 1.0,
        };
        let members: f64 = distributions.iter().map(count).product();
        if members > MOST as f64 {
            return Err(SampleError::TooMany { members });
        }
        let mut rows: Vec<Vec<f64>> = vec![Vec::new()];
        for (SampledVariable { name, .. }, distribution) in self.variables.iter().zip(distributions) {
            let Distribution::Values(values) = distribution else {
                let problem =
                    "a grid requires a list of values; use an array or `Distribution::linear(low, high, count)`"
                        .to_owned();
                return Err(SampleError::Distribution { name: name.clone(), problem });
            };
            rows = rows
                .iter()
                .flat_map(|row| values.iter().map(|&value| row.iter().copied().chain([value]).collect()))
                .collect();
        }
        Ok(rows)
    }
}

/// A member of an ensemble: its index and its values.
#[derive(Clone, Copy, Debug)]
pub struct Member<'a> {
    pub(super) index: usize,
    pub(super) variables: &'a [SampledVariable],
    pub(super) values: &'a [f64],
}

impl Member<'_> {
    /// Returns the index of the member, from 0.
    pub fn index(&self) -> usize {
        self.index
    }

    /// Returns the values of all columns.
    pub(crate) fn values(&self) -> &[f64] {
        self.values
    }

    /// Returns the value of a variable or of a sampled parameter.
    ///
    /// # Errors
    /// [`MemberFailure::NoVariable`] if the name is unknown.
    pub fn value(&self, name: &str) -> Result<f64, MemberFailure> {
        let found = self.variables.iter().zip(self.values).find(|(variable, _)| variable.name == name);
        found.map(|(_, &value)| value).ok_or_else(|| MemberFailure::NoVariable {
            name: name.to_owned(),
            known: self.variables.iter().map(|variable| variable.name.clone()).collect(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn invalid_samples_are_errors() {
        let message = |samples: Samples| samples.rows().unwrap_err().to_string();
        assert!(message(Samples::grid().parameter("mass", 1.0..2.0)).contains("`mass`"));
        assert!(message(Samples::random(3, 0).parameter("a", 2.0..1.0)).contains("`a`"));
        assert!(
            message(Samples::random(3, 0).parameter("a", 0.0..1.0).variable("a", 0.0..1.0))
                .contains("duplicate variable")
        );
        assert!(message(Samples::random(usize::MAX, 0).parameter("a", 0.0..1.0)).contains("members"));
        assert!(message(Samples::listed(["a"], [vec![1.0], vec![]])).contains("row 1"));
        assert!(message(Samples::listed(["a"], [[f64::NAN]])).contains("`a`"));
        assert!(message(Samples::listed(["a"], [[1.0]]).parameter("b", [1.0])).contains("row 0"));
        let many = (0..11).fold(Samples::sobol(4, 0), |samples, k| samples.variable(format!("x{k}"), 0.0..1.0));
        assert!(message(many).contains("latin_hypercube"));
        let table = Samples::read_csv("a,b\n1,2\n3,x\n".as_bytes()).unwrap_err().to_string();
        assert!(table.contains("line 3") && table.contains("`x`"), "{table}");
        assert!(Samples::read_csv("a,b\n1\n".as_bytes()).is_err());
        assert!(Samples::read_csv("".as_bytes()).unwrap_err().to_string().contains("header"));
        assert!(Samples::listed(["a"], [[1.0]]).with_variables(["b"]).is_err());
    }

    #[test]
    fn the_seed_determines_the_members() {
        let of = |seed| Samples::random(100, seed).parameter("a", 0.0..1.0).variable("b", 0.0..1.0).rows().unwrap();
        assert_eq!(of(3), of(3));
        assert_ne!(of(3), of(4));
        assert!(of(3).iter().all(|row| row[0] != row[1]));
    }
}
