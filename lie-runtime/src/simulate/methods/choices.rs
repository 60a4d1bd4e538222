//! The options of a method as texts.

use super::error::MethodError;
use super::info::MethodInfo;
use crate::integrator::ParameterError;
use crate::messages::{nearest, suggested};

/// What has been chosen of the options of a method.
#[derive(Clone, Copy, Debug)]
pub struct Choices<'a> {
    info: &'a MethodInfo,
    given: &'a [(&'a str, &'a str)],
}

impl<'a> Choices<'a> {
    /// Checks that every name is that of an option, given once.
    pub(super) fn new(info: &'a MethodInfo, given: &'a [(&'a str, &'a str)]) -> Result<Self, MethodError> {
        for (index, (name, value)) in given.iter().enumerate() {
            if info.options.iter().all(|option| option.name != *name) {
                let known: Vec<&'static str> = info.options.iter().map(|option| option.name).collect();
                let nearest = nearest(name, &known).copied();
                return Err(MethodError::UnknownOption { method: info.id, option: (*name).to_owned(), nearest, known });
            }
            if given[..index].iter().any(|(earlier, _)| earlier == name) {
                return Err(Choices { info, given }.error(name, value, "given once"));
            }
        }
        Ok(Choices { info, given })
    }

    /// The identifier of the method.
    pub fn method(&self) -> &'static str {
        self.info.id
    }

    /// The text of an option, if one has been given.
    pub fn text(&self, name: &str) -> Option<&'a str> {
        self.given.iter().find(|(given, _)| *given == name).map(|(_, value)| *value)
    }

    /// A number, if one has been given.
    ///
    /// # Errors
    /// [`MethodError::Option`] if it is not a finite number.
    pub fn number(&self, name: &str) -> Result<Option<f64>, MethodError> {
        let read = |text: &str| match text.trim().parse::<f64>() {
            Ok(number) if number.is_finite() => Ok(number),
            _ => Err(self.error(name, text, "a finite number")),
        };
        self.text(name).map(read).transpose()
    }

    /// A number above zero, or the default.
    ///
    /// # Errors
    /// [`MethodError::Option`] if it is none.
    pub fn positive(&self, name: &str, default: f64) -> Result<f64, MethodError> {
        match self.number(name)? {
            Some(number) if number <= 0.0 => {
                Err(self.error(name, self.text(name).unwrap_or_default(), "a positive number"))
            }
            number => Ok(number.unwrap_or(default)),
        }
    }

    /// One of several words, or the default.
    ///
    /// # Errors
    /// [`MethodError::Option`] if it is none of them.
    pub fn word<T: Copy>(&self, name: &str, words: &[(&'static str, T)], default: T) -> Result<T, MethodError> {
        let Some(text) = self.text(name) else {
            return Ok(default);
        };
        words.iter().find(|(word, _)| *word == text.trim()).map(|(_, value)| *value).ok_or_else(|| {
            let known: Vec<&'static str> = words.iter().map(|(word, _)| *word).collect();
            let near = suggested(text, &known);
            self.error(name, text, format!("one of {}{near}", known.join(", ")))
        })
    }

    /// A family does not make the method that it lists.
    pub(super) fn unlisted(&self) -> MethodError {
        MethodError::Unknown { id: self.info.id.to_owned(), nearest: None, known: Vec::new() }
    }

    /// The value of the option `name` cannot be used.
    pub fn error(&self, name: &str, value: &str, expected: impl Into<String>) -> MethodError {
        let (option, value) = (name.to_owned(), value.to_owned());
        MethodError::Option { method: self.info.id, option, value, expected: expected.into() }
    }

    /// The error of an option that the method itself has refused.
    pub(super) fn out_of_range(&self, error: &ParameterError) -> MethodError {
        self.error(error.name, &error.value.to_string(), error.expected)
    }
}
