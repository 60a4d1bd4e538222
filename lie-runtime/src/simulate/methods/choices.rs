//! Options of a method as texts.

use super::error::MethodError;
use super::info::MethodInfo;
use crate::integrator::ParameterError;
use crate::messages::{nearest, suggested};

/// The selected options of a method.
#[derive(Clone, Copy, Debug)]
pub struct Choices<'a> {
    info: &'a MethodInfo,
    given: &'a [(&'a str, &'a str)],
}

impl<'a> Choices<'a> {
    /// Checks that every name is an option and occurs only once.
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

    /// Returns the identifier of the method.
    pub fn method(&self) -> &'static str {
        self.info.id
    }

    /// Returns the text of an option, if it is set.
    pub fn text(&self, name: &str) -> Option<&'a str> {
        self.given.iter().find(|(given, _)| *given == name).map(|(_, value)| *value)
    }

    /// Returns the number of an option, if it is set.
    ///
    /// # Errors
    /// [`MethodError::Option`] if the value is not a finite number.
    pub fn number(&self, name: &str) -> Result<Option<f64>, MethodError> {
        let read = |text: &str| match text.trim().parse::<f64>() {
            Ok(number) if number.is_finite() => Ok(number),
            _ => Err(self.error(name, text, "a finite number")),
        };
        self.text(name).map(read).transpose()
    }

    /// Returns the positive number of an option, or the default.
    ///
    /// # Errors
    /// [`MethodError::Option`] if the value is not positive.
    pub fn positive(&self, name: &str, default: f64) -> Result<f64, MethodError> {
        match self.number(name)? {
            Some(number) if number <= 0.0 => {
                Err(self.error(name, self.text(name).unwrap_or_default(), "a positive number"))
            }
            number => Ok(number.unwrap_or(default)),
        }
    }

    /// Returns the value of a keyword option, or the default.
    ///
    /// # Errors
    /// [`MethodError::Option`] if the keyword is unknown.
    pub fn word<T: Copy>(&self, name: &str, words: &[(&'static str, T)], default: T) -> Result<T, MethodError> {
        let Some(text) = self.text(name) else {
            return Ok(default);
        };
        words.iter().find(|(word, _)| *word == text.trim()).map(|(_, value)| *value).ok_or_else(|| {
            let known: Vec<&'static str> = words.iter().map(|(word, _)| *word).collect();
            let near = suggested(text, &known);
            self.error(name, text, format!("any of {}{near}", known.join(", ")))
        })
    }

    /// Creates the error of a listed method that its family cannot create.
    pub(super) fn unlisted(&self) -> MethodError {
        MethodError::Unknown { id: self.info.id.to_owned(), nearest: None, known: Vec::new() }
    }

    /// Creates the error of an invalid value of the option `name`.
    pub fn error(&self, name: &str, value: &str, expected: impl Into<String>) -> MethodError {
        let (option, value) = (name.to_owned(), value.to_owned());
        MethodError::Option { method: self.info.id, option, value, expected: expected.into() }
    }

    /// Creates the error of an option that the method has rejected.
    pub(super) fn out_of_range(&self, error: &ParameterError) -> MethodError {
        self.error(error.name, &error.value.to_string(), error.expected)
    }
}
