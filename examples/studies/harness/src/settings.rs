//! `--set name=value`, and errors of the command line.

use lie_runtime::by_name::ByNameError;
use lie_runtime::simulate::MethodInfo;
use lie_runtime::system::{ModelError, ParameterSet};

/// Flags, names or values that cannot be used: a message and exit code 2.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct UsageError(String);

impl UsageError {
    /// An error with this message.
    pub fn new(message: impl Into<String>) -> Self {
        UsageError(message.into())
    }

    /// Checks that the values of the parameter `name` are positive.
    ///
    /// # Errors
    /// [`UsageError`] with the first number that is not.
    pub fn unless_positive(name: &str, numbers: &[f64]) -> Result<(), Self> {
        match numbers.iter().find(|&&number| number.is_nan() || number <= 0.0) {
            Some(number) => Err(UsageError(format!("`{name}` is {number}; it must be positive"))),
            None => Ok(()),
        }
    }

    /// `name` is none of `known`: names the nearest one and lists all.
    pub fn unknown(kind: &str, name: &str, known: &[&str]) -> Self {
        let mut message = format!("unknown {kind} `{name}`");
        let nearest = known
            .iter()
            .map(|candidate| (strsim::jaro_winkler(name, candidate), candidate))
            .max_by(|first, second| first.0.total_cmp(&second.0));
        if let Some((likeness, candidate)) = nearest
            && likeness > 0.75
        {
            message += "; did you mean `";
            message += candidate;
            message += "`?";
        }
        if known.is_empty() {
            message += "\n  there are none";
        } else {
            message += "\n  known: ";
            message += &known.join(", ");
        }
        UsageError(message)
    }
}

impl From<ModelError> for UsageError {
    fn from(error: ModelError) -> Self {
        UsageError(error.to_string())
    }
}

impl From<ByNameError> for UsageError {
    fn from(error: ByNameError) -> Self {
        UsageError(error.to_string())
    }
}

/// One `name=value`.
#[derive(Clone, Debug)]
struct Setting {
    name: String,
    value: String,
    used: bool,
}

/// The values that the user has set, consumed by the owners of their names: parameters of the model, choices of the example, constants of
/// the method.
#[derive(Clone, Debug, Default)]
pub struct Settings {
    entries: Vec<Setting>,
    known: Vec<&'static str>,
}

impl Settings {
    /// Adds `value` under `name`.
    ///
    /// # Errors
    /// [`UsageError`] if the name has a value already.
    pub fn insert(&mut self, name: &str, value: &str) -> Result<(), UsageError> {
        if self.entries.iter().any(|entry| entry.name == name) {
            return Err(UsageError(format!("`{name}` is set twice")));
        }
        self.entries.push(Setting { name: name.to_owned(), value: value.to_owned(), used: false });
        Ok(())
    }

    /// Sets a default for `name` that need not be used, for example the advice of a model for its method.
    pub fn suggest(&mut self, name: &str, value: &str) {
        if self.entries.iter().all(|entry| entry.name != name) {
            self.entries.push(Setting { name: name.to_owned(), value: value.to_owned(), used: true });
        }
    }

    /// Adds a `name=value` of the command line.
    ///
    /// # Errors
    /// [`UsageError`] if it is not of that form or the name has a value already.
    pub fn insert_assignment(&mut self, assignment: &str) -> Result<(), UsageError> {
        match assignment.split_once('=') {
            Some((name, value)) if !name.trim().is_empty() && !value.trim().is_empty() => {
                self.insert(name.trim(), value.trim())
            }
            _ => Err(UsageError(format!(
                "`--set {assignment}`: write `--set name=value`, a vector as `--set name=1,2,3`"
            ))),
        }
    }

    /// The text set under a name that is known from now on.
    fn take(&mut self, name: &'static str) -> Option<String> {
        self.known.push(name);
        let entry = self.entries.iter_mut().find(|entry| entry.name == name)?;
        entry.used = true;
        Some(entry.value.clone())
    }

    /// `parameters` with the values that the user has set.
    ///
    /// # Errors
    /// [`UsageError`] if a value is no number, not finite, or has the wrong number of components.
    pub fn apply<P: ParameterSet>(&mut self, mut parameters: P) -> Result<P, UsageError> {
        for &name in parameters.names() {
            if let Some(text) = self.take(name) {
                parameters.set(name, &numbers(name, &text)?)?;
            }
        }
        Ok(parameters)
    }

    /// A number.
    ///
    /// # Errors
    /// [`UsageError`] if it is not one finite number.
    pub fn number(&mut self, name: &'static str, default: f64) -> Result<f64, UsageError> {
        let Some(text) = self.take(name) else {
            return Ok(default);
        };
        match numbers(name, &text)?[..] {
            [number] => Ok(number),
            _ => Err(UsageError(format!("`{name}` is one number, not `{text}`"))),
        }
    }

    /// A number above zero.
    ///
    /// # Errors
    /// [`UsageError`] if it is not one.
    pub fn positive(&mut self, name: &'static str, default: f64) -> Result<f64, UsageError> {
        let number = self.number(name, default)?;
        UsageError::unless_positive(name, &[number])?;
        Ok(number)
    }

    /// A count, such as a number of elements.
    ///
    /// # Errors
    /// [`UsageError`] if it is not a whole number that is zero or greater.
    pub fn count(&mut self, name: &'static str, default: usize) -> Result<usize, UsageError> {
        self.take(name).map_or(Ok(default), |text| {
            text.parse().map_err(|_| UsageError(format!("`{name}` is a whole number, not `{text}`")))
        })
    }

    /// A count in a range.
    ///
    /// # Errors
    /// [`UsageError`] if it is not a whole number in the range.
    pub fn count_in(
        &mut self,
        name: &'static str,
        default: usize,
        range: core::ops::RangeInclusive<usize>,
    ) -> Result<usize, UsageError> {
        let count = self.count(name, default)?;
        if range.contains(&count) {
            return Ok(count);
        }
        let (least, most) = range.into_inner();
        Err(UsageError(format!("`{name}` is {count}; it must be from {least} to {most}")))
    }

    /// Returns a word from a list.
    ///
    /// # Errors
    /// [`UsageError`] if the word is not in the list.
    pub fn choice(
        &mut self,
        name: &'static str,
        words: &[&'static str],
        default: &'static str,
    ) -> Result<&'static str, UsageError> {
        let Some(text) = self.take(name) else {
            return Ok(default);
        };
        words
            .iter()
            .find(|word| **word == text)
            .copied()
            .ok_or_else(|| UsageError::unknown(&format!("value of `{name}`"), &text, words))
    }

    /// The options of a method that are set.
    pub(crate) fn options_of(&mut self, method: &MethodInfo) -> Vec<(&'static str, String)> {
        let given = |option: &lie_runtime::simulate::MethodOption| Some((option.name, self.take(option.name)?));
        method.options.iter().filter_map(given).collect()
    }

    /// Checks that everything set has been used.
    ///
    /// # Errors
    /// [`UsageError`] with the first unknown name.
    pub fn finish(&self) -> Result<(), UsageError> {
        match self.entries.iter().find(|entry| !entry.used) {
            Some(entry) => Err(UsageError::unknown("parameter", &entry.name, &self.known)),
            None => Ok(()),
        }
    }
}

/// The numbers of `1,2,3`.
fn numbers(name: &str, text: &str) -> Result<Vec<f64>, UsageError> {
    text.split(',')
        .map(|part| {
            let number: f64 = part
                .trim()
                .parse()
                .map_err(|_| UsageError(format!("`{name}={text}`: `{}` is not a number", part.trim())))?;
            if number.is_finite() {
                Ok(number)
            } else {
                Err(UsageError(format!("`{name}={text}`: every component must be finite")))
            }
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unknown_names_are_told_with_the_nearest_one() {
        let mut settings = Settings::default();
        settings.insert_assignment("mas=3").unwrap();
        assert_eq!(settings.number("mass", 1.0), Ok(1.0));
        let message = settings.finish().unwrap_err().to_string();
        assert!(message.contains("did you mean `mass`"), "{message}");
    }

    #[test]
    fn malformed_assignments_are_refused() {
        let mut settings = Settings::default();
        for bad in ["mass", "=3", "mass=", "="] {
            assert!(settings.insert_assignment(bad).is_err(), "{bad}");
        }
        settings.insert_assignment("mass=3").unwrap();
        assert!(settings.insert_assignment("mass=4").is_err());
        assert_eq!(settings.number("mass", 1.0), Ok(3.0));
        for bad in ["", "1,", "inf", "nan", "one"] {
            assert!(numbers("mass", bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn suggestions_give_way_and_may_be_left_alone() {
        let mut settings = Settings::default();
        settings.insert("start", "3").unwrap();
        settings.suggest("start", "4");
        settings.suggest("tolerance", "1e-9");
        settings.suggest("unused", "1");
        assert_eq!(settings.number("start", 0.0), Ok(3.0));
        assert_eq!(settings.number("tolerance", 0.0), Ok(1e-9));
        assert_eq!(settings.finish(), Ok(()));
    }

    #[test]
    fn choices_and_counts() {
        let mut settings = Settings::default();
        settings.insert("case", "slow").unwrap();
        settings.insert("links", "-3").unwrap();
        assert_eq!(settings.choice("case", &["slow", "fast"], "fast"), Ok("slow"));
        assert!(settings.count("links", 3).is_err());
        assert_eq!(settings.count("elements", 16), Ok(16));
        assert_eq!(settings.count_in("elements", 16, 1..=16), Ok(16));
        assert!(settings.count_in("elements", 17, 1..=16).unwrap_err().to_string().contains("from 1 to 16"));
        assert_eq!(settings.finish(), Ok(()));
    }
}
