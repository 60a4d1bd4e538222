//! The values of a state by name.

use crate::integrator::State;
use crate::messages::{see, suggested};
use crate::simulate::Sampled;
use crate::system::value::is_within;
use crate::system::{Report, Value};

/// The sections of a sample that are searched for a name without a section, in this order.
const SECTIONS: [&str; 5] = ["configuration", "observables", "velocity", "inputs", "multipliers"];
/// The sections of a sample whose values can be measured.
const MEASURABLE: [&str; 7] =
    ["configuration", "velocity", "multipliers", "inputs", "observables", "energy", "residual"];

/// The error of the name of a measured quantity.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum QuantityError {
    /// No quantity has this name.
    #[error("unknown quantity `{name}`{} {}", suggested(.name, .known), see("fits"))]
    Unknown {
        /// The name.
        name: String,
        /// The names of all quantities.
        known: Vec<String>,
    },
    /// The quantity has several values.
    #[error("`{name}` has {values} values; select one component, such as `{name}[0]` {}", see("fits"))]
    Several {
        /// The name.
        name: String,
        /// The number of its values.
        values: usize,
    },
}

/// Finds the value with this name in the samples of a system: its section, and its index in the section.
///
/// The name is a column name of a table, such as `configuration.position[2]`. The section can be omitted, and `.x`, `.y` and `.z` select
/// components of vectors.
pub(super) fn find<M: Report>(
    system: &M,
    state: &State<M>,
    name: &str,
) -> Result<(&'static str, usize), QuantityError> {
    let record = system.sample(state).into_record();
    let indexed = [(".x", "[0]"), (".y", "[1]"), (".z", "[2]")]
        .into_iter()
        .find_map(|(letter, index)| name.strip_suffix(letter).map(|stem| format!("{stem}{index}")));
    for spelled in [Some(name.to_owned()), indexed].into_iter().flatten() {
        let in_section = MEASURABLE.into_iter().filter_map(|section| {
            let rest = spelled.strip_prefix(section)?.strip_prefix('.')?;
            Some((section, rest))
        });
        let in_any = SECTIONS.into_iter().map(|section| (section, spelled.as_str()));
        for (section, rest) in in_section.chain(in_any) {
            let names = names(&record, section);
            let found: Vec<usize> = (0..names.len()).filter(|&at| is_within(&names[at], rest)).collect();
            match found[..] {
                [] => {}
                [index] => return Ok((section, index)),
                _ => return Err(QuantityError::Several { name: name.to_owned(), values: found.len() }),
            }
        }
    }
    let mut known: Vec<String> = SECTIONS.into_iter().flat_map(|section| names(&record, section)).collect();
    known.iter_mut().for_each(|name| name.truncate(name.find('[').unwrap_or(name.len())));
    known.dedup();
    Err(QuantityError::Unknown { name: name.to_owned(), known })
}

/// The names of the values of a section, without the section.
fn names(record: &Value, section: &str) -> Vec<String> {
    let mut names = Vec::new();
    if let Some(value) = record.get(section) {
        value.for_each("", &mut |name, _| names.push(name.to_owned()));
    }
    names
}
