//! What no derivative can be taken by.

use core::fmt;

/// What no derivative can be taken by.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum DirectionError {
    /// There is no number of that name.
    Unknown {
        /// The name.
        name: String,
        /// The parameters that are numbers.
        parameters: &'static [&'static str],
        /// The members of the configuration.
        members: Vec<&'static str>,
    },
    /// There is no number of that name in a gradient.
    NoNumber {
        /// The name.
        name: String,
        /// Those there are.
        known: Vec<String>,
    },
    /// The same component twice.
    Repeated {
        /// The component.
        name: String,
    },
    /// A direction with more or fewer numbers than a name means.
    Count {
        /// The name.
        name: String,
        /// How many numbers it means.
        meant: usize,
        /// How many were given.
        given: usize,
    },
    /// A direction along which a number does not move by a finite size.
    NotFinite {
        /// The name.
        name: String,
        /// How far it was to move.
        size: f64,
    },
    /// Pieces of inputs that are none, or not what a direction of them needs to be.
    Pieces {
        /// The first piece of which that is so.
        piece: usize,
        /// Numbers of the inputs.
        numbers: usize,
    },
    /// Nothing was named.
    Nothing,
    /// Pieces of inputs that constraints read with their rates.
    Rates,
}

/// What has a name and no derivative.
const WITHOUT: &str = "; whole numbers, truth values, elements of groups and lengths of chains have none";

impl fmt::Display for DirectionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            DirectionError::Unknown { name, parameters, members } => {
                write!(f, "there is no derivative by `{name}`: ")?;
                match parameters {
                    [] => f.write_str("the system has no parameters that are numbers")?,
                    _ => write!(f, "parameters are {}", listed(parameters))?,
                }
                let initial: Vec<String> = members.iter().map(|member| format!("q.{member}")).collect();
                write!(f, ", initial values {} and the same of `v`; components are `name[0]`{WITHOUT}", listed(&initial))
            }
            DirectionError::NoNumber { name, known } => {
                let known = if known.is_empty() { "none".to_owned() } else { listed(known) };
                write!(
                    f,
                    "the gradient has no component `{name}`; those by parameters are {known}, and those by initial values are in \
                     `.configuration` and `.velocity`{WITHOUT}"
                )
            }
            DirectionError::Repeated { name } => write!(f, "`{name}` is named twice"),
            DirectionError::Rates => f.write_str(
                "constraints read the inputs, and by their rates what is no function of pieces: declare the law that they follow with \
                 parameters, and take the derivatives by these",
            ),
            DirectionError::Count { name, meant, given } => {
                write!(f, "`{name}` means {meant} numbers, and the direction has {given} for it: `.by_all(name, &[…])` takes as many")
            }
            DirectionError::NotFinite { name, size } => {
                write!(f, "the direction moves `{name}` by {size}: how far a number moves is finite, say another size")
            }
            DirectionError::Pieces { numbers: 0, .. } => {
                f.write_str("the direction moves inputs, and the system has none: leave `.by_inputs(…)` out")
            }
            DirectionError::Pieces { piece, numbers } => write!(
                f,
                "piece {piece} of the inputs is none: times are finite and in order, and a direction has as many pieces, each of {numbers} \
                 numbers, those of the inputs"
            ),
            DirectionError::Nothing => {
                f.write_str("no names: derivatives by what? Name parameters and initial values, `[\"mass\", \"q\"]`")
            }
        }
    }
}

/// Names in backquotes, the first ones of many.
pub(super) fn listed(names: &[impl AsRef<str>]) -> String {
    const SHOWN: usize = 12;
    let mut text: Vec<String> = names.iter().take(SHOWN).map(|name| format!("`{}`", name.as_ref())).collect();
    if names.len() > SHOWN {
        text.push(format!("{} more", names.len() - SHOWN));
    }
    text.join(", ")
}

impl std::error::Error for DirectionError {}
