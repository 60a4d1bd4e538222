//! Lengths that messages recommend. A declaration has lengths at run time only, in Rust, in the Python package or in the program `liemech`.

use std::fmt;
use std::sync::OnceLock;

/// A length or a list of a [`ModelLengths`](crate::ModelLengths) that a message recommends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LengthRemedy<'a> {
    /// The length of a chain or of a list of the parameters.
    Length {
        /// Its name.
        list: &'a str,
        /// A length.
        example: usize,
    },
    /// The parents of frames.
    Parents {
        /// The name of the list.
        list: &'a str,
    },
    /// The tuples of members that a list connects.
    Connections {
        /// The name of the list.
        list: &'a str,
        /// The number of members of a tuple.
        size: usize,
    },
}

/// Returns the words of an interface for a remedy.
pub type LengthWords = fn(&LengthRemedy<'_>) -> String;

static WORDS: OnceLock<LengthWords> = OnceLock::new();

/// Sets the words for lengths in all messages of this process. The first call has an effect; without a call, remedies are calls in Rust.
pub fn set_length_words(words: LengthWords) {
    let _ = WORDS.set(words);
}

impl LengthRemedy<'_> {
    /// Returns the remedy as a call in Rust.
    pub fn in_rust(&self) -> String {
        match self {
            Self::Length { list, example } => format!("`ModelLengths::new().length(\"{list}\", {example})`"),
            Self::Parents { list } => format!("`ModelLengths::new().parents(\"{list}\", [None, Some(0)])`"),
            Self::Connections { list, size } => {
                let example: Vec<String> = (0..*size).map(|at| at.to_string()).collect();
                format!("`ModelLengths::new().connections(\"{list}\", [[{}]])`", example.join(", "))
            }
        }
    }
}

/// Prints the words of the interface.
impl fmt::Display for LengthRemedy<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&WORDS.get().map_or_else(|| self.in_rust(), |words| words(self)))
    }
}
