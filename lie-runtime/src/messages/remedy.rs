//! Settings that messages recommend. Each interface (Rust, the Python package, the program `liemech`) has its own words for them.
//!
//! The words belong to the process, because `Display` has no argument for them. An interface sets them once, before its first message.

use core::fmt;
use std::sync::OnceLock;

/// A setting that the message of an error or of a warning recommends.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum Remedy<'a> {
    /// A method of a builder, for example `.step(0.1)`.
    Setting {
        /// The name of the method.
        name: &'static str,
        /// Its argument in Rust; `…` if the message recommends no value.
        value: &'a str,
    },
    /// A limit of the run: `steps`, `seconds` or `bytes`.
    Limit(&'static str),
    /// Tolerances of the step-size control.
    Tolerances {
        /// The relative tolerance.
        relative: f64,
        /// The absolute tolerance.
        absolute: f64,
    },
    /// A coefficient of restitution of the contact with this name.
    Contact(&'a str),
    /// The events of dry friction.
    DryFriction,
    /// A value for the input with this name.
    Input(&'a str),
    /// Inputs that are smooth functions of time.
    InputsOverTime,
    /// A table of inputs over time.
    InputTable,
    /// A table of inputs that is constant before its first row and after its last row.
    ConstantExtrapolation,
    /// Samples of a Latin hypercube, which has no limit of dimensions.
    LatinHypercube,
    /// The first state of the run, which satisfies the constraints.
    FirstState,
}

/// Returns the words of an interface for a remedy; `None` if the interface has no such setting.
pub type Words = fn(&Remedy<'_>) -> Option<String>;

static WORDS: OnceLock<Words> = OnceLock::new();

/// Sets the words for remedies in all messages of this process. The first call has an effect; without a call, remedies are calls in Rust.
pub fn set_words(words: Words) {
    let _ = WORDS.set(words);
}

impl Remedy<'_> {
    /// Returns the remedy as a call in Rust.
    pub fn in_rust(&self) -> String {
        match self {
            Remedy::Setting { name, value } => format!("`.{name}({value})`"),
            Remedy::Limit(of) => format!("`.limits(Limits::default().{of}(…))`"),
            Remedy::Tolerances { relative, absolute } => format!("`.rtol({relative:.1e}).atol({absolute:?})`"),
            Remedy::Contact(name) => format!("`.contact({name:?}, e)`"),
            Remedy::DryFriction => "`.dry_friction()`".to_owned(),
            Remedy::Input(name) => {
                format!("`system.with_input({name:?}, &[0.0])?`, or `set_input` of a system without its type")
            }
            Remedy::InputsOverTime => "`system.with_inputs_over_time(|t| …)`".to_owned(),
            Remedy::InputTable => "`system.with_inputs_from(table)`".to_owned(),
            Remedy::ConstantExtrapolation => "`.constant_extrapolation()` of the table".to_owned(),
            Remedy::LatinHypercube => "`Samples::latin_hypercube(count, seed)`".to_owned(),
            Remedy::FirstState => "`trajectory.first()`".to_owned(),
        }
    }

    fn words(&self) -> Option<String> {
        WORDS.get().map_or_else(|| Some(self.in_rust()), |words| words(self))
    }

    /// Returns the remedy after a verb, for example `` set `.step(…)` ``; `None` if the interface has no such setting.
    pub(crate) fn after(&self, verb: &str) -> Option<String> {
        self.words().map(|words| format!("{verb} {words}"))
    }
}

/// Prints the words of the interface, or the call in Rust if the interface has no such setting.
impl fmt::Display for Remedy<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.words().unwrap_or_else(|| self.in_rust()))
    }
}

/// Returns a remedy without a value.
pub(crate) const fn setting(name: &'static str) -> Remedy<'static> {
    Remedy::Setting { name, value: "…" }
}

/// Joins the remedies that the interface has: `a`, `a, or b`, `a, b, or c`.
pub(crate) fn alternatives<const N: usize>(remedies: [Option<String>; N]) -> String {
    let mut known: Vec<String> = remedies.into_iter().flatten().collect();
    let last = known.pop().unwrap_or_default();
    if known.is_empty() { last } else { format!("{}, or {last}", known.join(", ")) }
}

/// Returns a remedy that all interfaces have.
#[allow(clippy::unnecessary_wraps)] // An item of `alternatives`.
pub(crate) fn always(text: &str) -> Option<String> {
    Some(text.to_owned())
}

/// Returns the remedies of a run with too many steps.
pub(crate) fn larger_steps(limit: &'static str) -> String {
    alternatives([always("use larger steps or an earlier end time"), Remedy::Limit(limit).after("set")])
}

/// Returns the remedies of a run with too many recorded states.
pub(crate) fn fewer_states() -> String {
    let settings =
        [("output_every", "n"), ("output_times", "&times")].map(|(name, value)| Remedy::Setting { name, value });
    let settings: Vec<String> = settings.iter().filter_map(Remedy::words).collect();
    let fewer = Some(format!("record fewer states with {}", settings.join(" or ")));
    alternatives([fewer.filter(|_| !settings.is_empty()), Remedy::Limit("bytes").after("set")])
}

/// Returns the remedies of a run with derivatives and a contact.
pub(crate) fn without_contact() -> String {
    let events = Remedy::Setting { name: "with_gradients", value: "" }
        .after("write its events with `.event`, registered after `.with_sensitivities([…])` or");
    alternatives([always("remove the contact"), events])
}

#[cfg(test)]
mod tests {
    use super::{Remedy, alternatives, always, setting};

    #[test]
    fn remedies_of_other_interfaces_are_omitted() {
        let more = Remedy::Limit("steps").after("set");
        assert_eq!(alternatives([always("use larger steps")]), "use larger steps");
        assert_eq!(
            alternatives([always("use larger steps"), None, more]),
            "use larger steps, or set `.limits(Limits::default().steps(…))`"
        );
        assert_eq!(alternatives([always("a"), always("b"), always("c")]), "a, b, or c");
        assert_eq!(setting("rtol").to_string(), "`.rtol(…)`");
    }
}
