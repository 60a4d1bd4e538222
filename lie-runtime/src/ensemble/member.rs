//! One member of an ensemble, as the closure sees it that makes its run.

use super::error::MemberFailure;
use super::samples::Variable;

/// A member of an ensemble: its number and its values.
#[derive(Clone, Copy, Debug)]
pub struct Member<'a> {
    pub(super) index: usize,
    pub(super) variables: &'a [Variable],
    pub(super) values: &'a [f64],
}

impl Member<'_> {
    /// Its number, counted from 0.
    pub fn index(&self) -> usize {
        self.index
    }

    /// The value of a variable, or of a parameter by the name by which it was sampled.
    ///
    /// # Errors
    /// [`MemberFailure::NoVariable`] if there is none of that name.
    pub fn value(&self, name: &str) -> Result<f64, MemberFailure> {
        let found = self.variables.iter().zip(self.values).find(|(variable, _)| variable.name == name);
        found.map(|(_, &value)| value).ok_or_else(|| MemberFailure::NoVariable {
            name: name.to_owned(),
            known: self.variables.iter().map(|variable| variable.name.clone()).collect(),
        })
    }
}
