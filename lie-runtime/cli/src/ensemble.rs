//! The command `ensemble`: simulates a declaration with many values of its parameters and initial values.

use std::fmt::Write;
use std::path::PathBuf;

use clap::{Args, ValueEnum};
use lie_runtime::by_name::AnyEnsemble;
use lie_runtime::dynamic::DynamicSystem;
use lie_runtime::ensemble::{Column, Distribution, MemberFailure, Results, Samples};
use lie_runtime::picture::{Axis, Band, Figure, Panel, Series};
use lie_runtime::system::MechanicalSystem;

use crate::failure::{Failure, warn};
use crate::input::read_text;
use crate::problem::{Assignment, ProblemArguments, ensure_figure, ensure_files};

/// The arguments of an ensemble.
#[derive(Args)]
pub struct EnsembleArguments {
    #[command(flatten)]
    problem: ProblemArguments,
    /// A scalar and its values: `mass=1,2,4`, `mass=1..2` (uniform), `mass=normal:1,0.1`, `q.arm=log:0.01..1`, `v.attitude[2]=10..20`
    #[arg(
        long = "vary",
        value_name = "NAME=VALUES",
        allow_hyphen_values = true,
        required_unless_present = "samples",
        conflicts_with = "samples"
    )]
    varied: Vec<String>,
    /// The number of samples; without it, all combinations of the values are simulated
    #[arg(long, value_name = "COUNT", conflicts_with = "samples")]
    trajectories: Option<usize>,
    /// The selection of samples
    #[arg(long, value_name = "DESIGN", requires = "trajectories", default_value = "latin-hypercube")]
    design: Design,
    /// The seed of the samples
    #[arg(long, value_name = "SEED", requires = "trajectories", default_value_t = 0)]
    seed: u64,
    /// A CSV file with one sample in each line, and the names of the varied scalars in the first line
    #[arg(long, value_name = "FILE")]
    samples: Option<PathBuf>,
    /// Write all values of all samples to a CSV file
    #[arg(long, value_name = "FILE")]
    csv: Option<PathBuf>,
    /// Write mean, deviation and quantiles at all times to a CSV file
    #[arg(long, value_name = "FILE")]
    statistics: Option<PathBuf>,
    /// Write a figure of the median and of the range from 5 % to 95 % to an SVG file
    #[arg(long, value_name = "FILE")]
    plot: Option<PathBuf>,
}

/// The sampling designs with a number of samples.
#[derive(Clone, Copy, ValueEnum)]
enum Design {
    /// Random, and distributed evenly in each variable
    LatinHypercube,
    /// Independent random values
    Random,
    /// Low-discrepancy sequence for up to ten variables
    Sobol,
}

/// The quantiles of tables and figures.
const QUANTILES: [f64; 3] = [0.05, 0.5, 0.95];

/// Simulates all samples, and returns a summary and a table of statistics.
pub fn run(arguments: &EnsembleArguments) -> Result<String, Failure> {
    let files = [&arguments.csv, &arguments.statistics, &arguments.plot];
    ensure_files(arguments.problem.file(), files.into_iter().flatten())?;
    arguments.plot.as_deref().map_or(Ok(()), ensure_figure)?;
    let (names, samples) = arguments.samples()?;
    let rows = samples.rows().map_err(Failure::usage)?;
    let Some(first) = rows.first() else {
        return Err(Failure::Usage(match &arguments.samples {
            Some(path) => format!("`{}` has no samples: write a line of values below the names", path.display()),
            None => "there are no samples: set `--trajectories` to at least 1".to_owned(),
        }));
    };
    let first: Vec<Assignment> = names.into_iter().zip(first).map(|(name, value)| (name, vec![*value])).collect();
    let problem = arguments.problem.problem(&first)?;
    let columns = arguments.problem.columns(&problem.model);
    let outputs: Vec<&str> = columns.iter().map(String::as_str).collect();
    let has_files = files.iter().any(|path| path.is_some());
    let times = arguments.problem.times(has_files);
    // The table without files contains the end time, unless the user has set the number of rows.
    let times = if has_files || arguments.problem.has_rows() { &times[..] } else { &times[times.len() - 1..] };
    problem.model.warnings().iter().for_each(warn);
    let problem = problem.by_name();
    let request = arguments.problem.request(times).progress_bar();
    let results = problem.ensemble(&request, samples, &outputs).map_err(Failure::usage)?;

    let failed = results.failures().len();
    if failed == results.members()
        && let Some(MemberFailure::Run { failure, .. }) = results.failures().first().map(|first| &first.failure)
        && let refused @ Failure::Usage(_) = Failure::of_run(failure, failure.to_string())
    {
        return Err(refused);
    }
    let of_file = |path: &PathBuf, error: &dyn std::fmt::Display| Failure::of_file(path, error);
    if let Some(path) = &arguments.csv {
        results.save_csv(path).map_err(|error| of_file(path, &error))?;
    }
    if let Some(path) = &arguments.statistics {
        results.save_statistics_csv(path).map_err(|error| of_file(path, &error))?;
    }
    if let Some(path) = arguments.plot.as_ref().filter(|_| failed < results.members()) {
        figure(&results, problem.system()).save(path).map_err(|error| of_file(path, &error))?;
    }
    let mut output = summary(&results);
    if has_files {
        for path in files.into_iter().flatten().filter(|path| path.exists()) {
            let _ = writeln!(output, "wrote {}", path.display());
        }
    } else {
        let _ = writeln!(output, "\n{}", table(&results, problem.system()));
    }
    results.warnings().iter().for_each(warn);
    match results.failures().first() {
        None => Ok(output),
        Some(first) => {
            let message = format!("{failed} of {} samples have failed; the first failure: {first}", results.members());
            Err(Failure::Incomplete { output, message })
        }
    }
}

impl EnsembleArguments {
    /// Returns the names and the samples of `--vary` or `--samples`.
    fn samples(&self) -> Result<(Vec<String>, Samples), Failure> {
        if let Some(path) = &self.samples {
            let text = read_text(path)?;
            let samples = Samples::read_csv(text.as_bytes())
                .map_err(|error| Failure::Usage(format!("`{}`: {error}", path.display())))?;
            let names = text.lines().next().unwrap_or_default().split(',');
            return Ok((names.map(|name| name.trim().to_owned()).collect(), samples));
        }
        let samples = match (self.trajectories, self.design) {
            (None, _) => Samples::grid(),
            (Some(count), Design::LatinHypercube) => Samples::latin_hypercube(count, self.seed),
            (Some(count), Design::Random) => Samples::random(count, self.seed),
            (Some(count), Design::Sobol) => Samples::sobol(count, self.seed),
        };
        let varied: Vec<_> = self.varied.iter().map(|text| self.varied(text)).collect::<Result<_, _>>()?;
        let names = varied.iter().map(|(name, _)| name.clone()).collect();
        Ok((names, varied.into_iter().fold(samples, |samples, (name, values)| samples.parameter(name, values))))
    }

    /// Reads `mass=1,2,4`.
    fn varied(&self, text: &str) -> Result<(String, Distribution), Failure> {
        let (name, values) = text
            .split_once('=')
            .ok_or_else(|| Failure::Usage(format!("`{text}` has no values: write `--vary {text}=1,2`")))?;
        let values = distribution(values).ok_or_else(|| {
            let forms = ["1,2,4", "1..2", "normal:1,0.1", "log:0.1..10"].map(|values| format!("`{name}={values}`"));
            Failure::Usage(format!("`{text}` has no values: write {} or {}", forms[..3].join(", "), forms[3]))
        })?;
        if self.trajectories.is_none() && !matches!(values, Distribution::Values(_)) {
            let message = format!("`{text}` is a distribution: set the number of samples with `--trajectories 100`");
            return Err(Failure::Usage(message));
        }
        Ok((name.trim().to_owned(), values))
    }
}

/// Reads `1,2,4`, `1..2`, `normal:1,0.1` or `log:0.1..10`.
fn distribution(text: &str) -> Option<Distribution> {
    let number = |text: &str| text.trim().parse::<f64>().ok();
    let range = |text: &str| text.split_once("..").and_then(|(low, high)| Some((number(low)?, number(high)?)));
    let text = text.trim();
    if let Some(text) = text.strip_prefix("normal:") {
        let (mean, deviation) = text.split_once(',')?;
        return Some(Distribution::Normal { mean: number(mean)?, deviation: number(deviation)? });
    }
    if let Some(text) = text.strip_prefix("log:") {
        return range(text).map(|(low, high)| Distribution::LogUniform { low, high });
    }
    if let Some((low, high)) = range(text) {
        return Some(Distribution::Uniform { low, high });
    }
    text.split(',').map(number).collect::<Option<Vec<f64>>>().map(Distribution::Values)
}

/// Returns the numbers of samples and times, and the time of the computation.
fn summary(results: &Results) -> String {
    let counted = |count: usize, noun: &str| format!("{count} {noun}{}", if count == 1 { "" } else { "s" });
    let varied = results.variables().join(", ");
    format!("{} of {varied} in {:.2} s\n", counted(results.members(), "sample"), results.seconds())
}

/// Returns the recorded columns without the time, each with its name and its unit.
fn columns<'r>(
    results: &'r Results,
    system: &'r DynamicSystem,
) -> impl Iterator<Item = (&'r str, Option<&'r str>, Column<'r>)> {
    let names = results.columns().iter().filter(|name| *name != "t");
    names.filter_map(|name| Some((name.as_str(), system.description().unit_of(name), results.column(name)?)))
}

/// Returns the statistics of each column at each time.
fn table(results: &Results, system: &DynamicSystem) -> String {
    let label = |name: &str, unit: Option<&str>| unit.map_or(name.to_owned(), |unit| format!("{name} [{unit}]"));
    let width =
        columns(results, system).map(|(name, unit, _)| label(name, unit).chars().count()).max().unwrap_or(0).max(6);
    let head = ["mean", "deviation", "minimum", "5 %", "median", "95 %", "maximum"];
    let mut text = format!("{:>12}  {:width$}  {}", "t", "column", head.map(|name| format!("{name:>12}")).join("  "));
    for (state, time) in results.times().iter().enumerate() {
        for (name, unit, column) in columns(results, system) {
            let (spread, [low, median, high]) = (column.spread(state), column.quantiles(state, QUANTILES));
            let numbers = [spread.mean, spread.deviation(), spread.minimum, low, median, high, spread.maximum];
            let numbers = numbers.map(|number| format!("{:>12}", short(number))).join("  ");
            let _ = write!(text, "\n{:>12}  {:width$}  {numbers}", short(*time), label(name, unit));
        }
    }
    text
}

/// Returns a value with seven significant digits.
fn short(value: f64) -> String {
    if value.is_nan() {
        return "-".to_owned();
    }
    let is_long = value != 0.0 && !(1e-3..1e6).contains(&value.abs());
    if is_long { format!("{value:.4e}") } else { format!("{value:.6}") }
}

/// Returns a figure with a panel for each value, of the median and of the range of 90 % of the samples.
fn figure(results: &Results, system: &DynamicSystem) -> Figure {
    let columns: Vec<_> = columns(results, system).collect();
    let stem = |name: &'_ str| name.split('[').next().unwrap_or_default().to_owned();
    let panel = |group: &[(&str, Option<&str>, Column<'_>)]| {
        let name = stem(group[0].0);
        let unit = group[0].1.map_or(String::new(), |unit| format!(" [{unit}]"));
        let (mut bands, mut lines) = (vec![], vec![]);
        for (style, (label, _, column)) in group.iter().enumerate() {
            let quantiles =
                results.times().iter().enumerate().map(|(state, time)| (*time, column.quantiles(state, QUANTILES)));
            let quantiles = quantiles.filter(|(time, [low, ..])| time.is_finite() && low.is_finite());
            let (edges, points) = quantiles.map(|(t, [low, median, high])| ((t, low, high), (t, median))).unzip();
            let (line, band) = if group.len() == 1 { ("median", "5 % to 95 %") } else { (*label, "") };
            bands.push(Band { label: band.to_owned(), style, opacity: 0.25, edges });
            lines.push(Series::line(line, style, points));
        }
        Panel::over_time(&name, Axis::linear(&format!("{name}{unit}")), lines).with_bands(bands)
    };
    let panels = columns.chunk_by(|a, b| stem(a.0) == stem(b.0)).map(panel).collect();
    let caption = format!("Median and range from 5 % to 95 % of {} samples", results.members());
    Figure::new(panels).caption(&caption)
}
