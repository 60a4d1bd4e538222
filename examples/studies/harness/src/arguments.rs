//! The flags.

use std::ffi::OsString;
use std::path::PathBuf;

use clap::parser::ValueSource;
use clap::{Arg, ArgAction, ArgMatches, Command, builder::PossibleValuesParser};

use crate::example::{Example, Variant};
use crate::request::{Recording, Request, Step};
use crate::settings::{Settings, UsageError};

/// The default of a tolerance if only the other tolerance is given (values of paper 1, section 3).
const TOLERANCE: (f64, f64) = (1e-6, 1e-8);
/// About so many states of a run with fixed steps go into files.
const RECORDED_STATES: f64 = 10_000.0;

/// How samples are printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Format {
    Table,
    Json,
    Csv,
}

/// The options of the command line.
pub(crate) enum Task {
    /// The names of the groups.
    ListGroups,
    /// The methods of a group.
    ListMethods { group: String, format: Format },
    /// The schematic of the mechanism.
    Schematic { group: String, settings: Settings, file: PathBuf },
    /// The study.
    Study { folder: PathBuf },
    /// A run.
    Run { group: String, request: Box<Request>, format: Format },
}

/// A number after a flag; negative ones reach the check rather than being read as flags.
fn number(name: &'static str, value: &'static str, help: &'static str, parse: fn(&str) -> Result<f64, String>) -> Arg {
    Arg::new(name).long(name).value_name(value).help(help).value_parser(parse).allow_negative_numbers(true)
}

/// The command line of `example`.
pub(crate) fn command(example: &Example) -> Command {
    let groups: Vec<&str> = example.variants.iter().map(|variant| variant.id).collect();
    let default = groups.first().copied().unwrap_or_default();
    let bare = if example.study.is_some() {
        "Without flags: the study with its tables and figures, into `--out` (default `out/…`)."
    } else {
        "Without flags: one run with all defaults."
    };
    let command = Command::new(example.name)
        .about(example.about)
        .after_help(bare)
        .no_binary_name(false)
        .arg(
            Arg::new("group")
                .long("group")
                .value_name("GROUP")
                .help(format!("The formulation: {} [default: {default}]", groups.join(", "))),
        )
        .arg(
            Arg::new("method")
                .long("method")
                .value_name("METHOD")
                .help(format!("The method, see --list-methods [default: {}]", example.method)),
        )
        .arg(number("step", "H", "A fixed step size", positive).conflicts_with_all(["rtol", "atol"]))
        .arg(number("rtol", "RTOL", "Error-controlled steps: the relative tolerance", not_negative))
        .arg(number("atol", "ATOL", "Error-controlled steps: the absolute tolerance", positive))
        .arg(number("end", "T", "The end time", positive))
        .arg(
            Arg::new("samples")
                .long("samples")
                .value_name("T1,T2,…")
                .help("The times of the output [default: the end time]")
                .allow_hyphen_values(true),
        )
        .arg(
            Arg::new("format")
                .long("format")
                .value_name("FORMAT")
                .help("How to print")
                .value_parser(PossibleValuesParser::new(["table", "json", "csv"]))
                .default_value("table"),
        )
        .arg(
            Arg::new("out")
                .long("out")
                .value_name("DIR")
                .help("Writes the trajectory (CSV, NPZ) or the figures of the study into this folder")
                .value_parser(clap::value_parser!(PathBuf)),
        )
        .arg(
            Arg::new("set")
                .long("set")
                .value_name("NAME=VALUE")
                .help("Sets a parameter; may be repeated")
                .action(ArgAction::Append)
                .allow_hyphen_values(true),
        )
        .arg(
            Arg::new("schematic")
                .long("schematic")
                .value_name("FILE")
                .help("Draws the bodies, joints and loads at the start, without a run")
                .value_parser(clap::value_parser!(PathBuf)),
        )
        .arg(Arg::new("list-methods").long("list-methods").help("Lists the methods").action(ArgAction::SetTrue))
        .arg(Arg::new("list-groups").long("list-groups").help("Lists the groups").action(ArgAction::SetTrue));
    example.options.iter().fold(command, |command, &(name, help)| {
        command.arg(Arg::new(name).long(name).value_name("VALUE").help(help).allow_hyphen_values(true))
    })
}

/// Reads the command line.
///
/// # Errors
/// The error of clap: a wrong flag, or a wish for help.
pub(crate) fn matches(
    example: &Example,
    arguments: impl IntoIterator<Item = OsString>,
) -> Result<ArgMatches, clap::Error> {
    command(example).try_get_matches_from(arguments)
}

/// Turns flags into a task.
///
/// # Errors
/// [`UsageError`] with the first name or value that is wrong.
pub(crate) fn task(example: &Example, matches: &ArgMatches) -> Result<Task, UsageError> {
    let text = |name: &str| matches.get_one::<String>(name).cloned();
    let format = match text("format").as_deref() {
        Some("json") => Format::Json,
        Some("csv") => Format::Csv,
        _ => Format::Table,
    };
    if matches.get_flag("list-groups") {
        return Ok(Task::ListGroups);
    }
    let group = match text("group") {
        Some(group) => group,
        None => example.variants.first().map(|variant| variant.id.to_owned()).unwrap_or_default(),
    };
    let variant = example.variant(&group)?;
    if matches.get_flag("list-methods") {
        return Ok(Task::ListMethods { group, format });
    }
    if let Some(file) = matches.get_one::<PathBuf>("schematic").cloned() {
        return Ok(Task::Schematic { group, settings: settings(example, matches)?, file });
    }
    let folder = matches.get_one::<PathBuf>("out").cloned();
    let given = |name: &str| matches.value_source(name) == Some(ValueSource::CommandLine);
    let asks_for_run = matches.ids().any(|id| id.as_str() != "out" && given(id.as_str()));
    if example.study.is_some() && !asks_for_run {
        let folder = folder.unwrap_or_else(|| PathBuf::from("out").join(example.name));
        return Ok(Task::Study { folder });
    }
    let request = request(example, variant, matches, folder)?;
    Ok(Task::Run { group, request: Box::new(request), format })
}

/// The run that the flags describe.
fn request(
    example: &Example,
    variant: &Variant,
    matches: &ArgMatches,
    folder: Option<PathBuf>,
) -> Result<Request, UsageError> {
    let value = |name: &str| matches.get_one::<f64>(name).copied();
    let method = matches.get_one::<String>("method").map_or(example.method, String::as_str);
    let card = variant.methods.iter().find(|card| card.id == method).ok_or_else(|| {
        let known: Vec<&str> = variant.methods.iter().map(|card| card.id).collect();
        UsageError::unknown("method", method, &known)
    })?;
    let step = match (value("rtol"), value("atol")) {
        (None, None) => Step::Fixed(value("step").unwrap_or(example.step)),
        (relative, absolute) => {
            Step::Controlled { relative: relative.unwrap_or(TOLERANCE.0), absolute: absolute.unwrap_or(TOLERANCE.1) }
        }
    };
    if matches!(step, Step::Controlled { .. }) && !card.estimates {
        let known: Vec<&str> = variant.methods.iter().filter(|card| card.estimates).map(|card| card.id).collect();
        return Err(UsageError::new(format!(
            "`--rtol` and `--atol` need an error estimate, which `{method}` does not have\n  with one: {}",
            known.join(", ")
        )));
    }
    let samples = matches.get_one::<String>("samples").map(|text| times(text)).transpose()?;
    let end = match (value("end"), &samples) {
        (Some(end), _) => end,
        // Nothing is asked for beyond the last sample.
        (None, Some(samples)) => samples.iter().copied().fold(0.0, f64::max),
        (None, None) => example.end,
    };
    let samples = samples.unwrap_or_else(|| vec![end]);
    if let Some(time) = samples.iter().find(|&&time| time > end) {
        return Err(UsageError::new(format!("`--samples`: {time} is after the end at {end}")));
    }
    Ok(Request {
        method: method.to_owned(),
        recording: match (&folder, step) {
            (None, _) => Recording::Samples,
            (Some(_), Step::Fixed(step) | Step::Estimated { step, .. }) => Recording::Every(thinning(end / step)),
            (Some(_), Step::Controlled { .. }) => Recording::Every(1),
        },
        step,
        end,
        samples,
        folder,
        settings: settings(example, matches)?,
        progress: true,
    })
}

/// The values of `--set` and of the flags of the example.
fn settings(example: &Example, matches: &ArgMatches) -> Result<Settings, UsageError> {
    let mut settings = Settings::default();
    for assignment in matches.get_many::<String>("set").into_iter().flatten() {
        settings.insert_assignment(assignment)?;
    }
    for (name, _) in example.options {
        if let Some(text) = matches.get_one::<String>(name) {
            settings.insert(name, text)?;
        }
    }
    Ok(settings)
}

/// Every how many steps a state is recorded.
#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // Positive, and a huge one saturates.
fn thinning(steps: f64) -> usize {
    (steps / RECORDED_STATES).ceil().max(1.0) as usize
}

fn finite(text: &str) -> Result<f64, String> {
    match text.trim().parse::<f64>() {
        Ok(number) if number.is_finite() => Ok(number),
        _ => Err("write a finite number".to_owned()),
    }
}

fn positive(text: &str) -> Result<f64, String> {
    match finite(text)? {
        number if number > 0.0 => Ok(number),
        _ => Err("it must be positive".to_owned()),
    }
}

fn not_negative(text: &str) -> Result<f64, String> {
    match finite(text)? {
        number if number >= 0.0 => Ok(number),
        _ => Err("it cannot be negative".to_owned()),
    }
}

/// The times of `--samples`.
fn times(text: &str) -> Result<Vec<f64>, UsageError> {
    text.split(',')
        .map(|part| {
            not_negative(part).map_err(|reason| {
                UsageError::new(format!("`--samples {text}`: `{}` is not a time: {reason}", part.trim()))
            })
        })
        .collect()
}
