//! A file to which members are added as they are done, so that an ensemble that was interrupted goes on.
//!
//! Text: a line that identifies the ensemble, a line of column names, and a line a member: its number, what has stopped it, and its numbers
//! in the shortest decimals that read back as the same. Each line ends with a sum of its bytes and `end`: one that was not written to
//! its end, or was damaged since, is forgotten with all behind it. Members that have failed are not written: they are run again,
//! and fail in the same way.

use std::fs::{File, OpenOptions};
use std::io::{self, BufRead, BufReader, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use super::error::EnsembleError;
use super::measure::Row;

/// An open checkpoint.
pub(super) struct Checkpoint {
    path: PathBuf,
    file: File,
    has_columns: bool,
}

/// What a checkpoint holds.
#[derive(Default)]
pub(super) struct Saved {
    pub columns: Vec<String>,
    pub rows: Vec<(usize, Row)>,
}

impl Checkpoint {
    /// Opens or begins the checkpoint of the ensemble with this fingerprint, of so many members.
    pub fn open(path: &Path, fingerprint: u64, members: usize) -> Result<(Self, Saved), EnsembleError> {
        let failed = |error| EnsembleError::Checkpoint { path: path.to_owned(), error };
        let title = sealed(&format!("ensemble-2 {fingerprint:016x} {members}"));
        let mut file =
            OpenOptions::new().read(true).write(true).create(true).truncate(false).open(path).map_err(failed)?;
        let mut saved = Saved::default();
        let mut good = 0;
        let mut lines = BufReader::new(&file);
        let mut line = String::new();
        loop {
            line.clear();
            // What is no text is not from here: forgotten like what is cut off.
            let length = lines.read_line(&mut line).unwrap_or(0);
            if length == 0 {
                break;
            }
            if good == 0 {
                if line != title {
                    // A title that was cut off is that of no ensemble; anything else is somebody's file.
                    if title.starts_with(&line) {
                        break;
                    }
                    return Err(EnsembleError::OtherEnsemble { path: path.to_owned() });
                }
            } else if saved.columns.is_empty() {
                let Some(columns) = columns(&line) else { break };
                saved.columns = columns;
            } else {
                let Some(row) = row(&line, saved.columns.len()).filter(|(member, _)| *member < members) else { break };
                saved.rows.push(row);
            }
            good += length as u64;
        }
        file.set_len(good).map_err(failed)?;
        file.seek(SeekFrom::End(0)).map_err(failed)?;
        if good == 0 {
            file.write_all(title.as_bytes()).map_err(failed)?;
        }
        Ok((Checkpoint { path: path.to_owned(), file, has_columns: !saved.columns.is_empty() }, saved))
    }

    /// Adds a member.
    pub fn add(&mut self, member: usize, row: &Row, columns: &[String]) -> Result<(), EnsembleError> {
        let head = if self.has_columns { String::new() } else { sealed(&format!("columns {}", columns.join(" "))) };
        let numbers: Vec<String> = row.values.iter().map(|number| format!("{number:?}")).collect();
        let stopped = row.stopped.as_deref().map_or_else(|| RAN.to_owned(), escaped);
        let text = head + &sealed(&format!("{member} {stopped} {}", numbers.join(" ")));
        self.has_columns = true;
        // One call a member: what the operating system has taken survives the end of the program.
        self.file.write_all(text.as_bytes()).map_err(|error| self.failed(error))
    }

    fn failed(&self, error: io::Error) -> EnsembleError {
        EnsembleError::Checkpoint { path: self.path.clone(), error }
    }
}

/// A line of these words.
fn sealed(words: &str) -> String {
    format!("{words} {:016x} end\n", sum(words))
}

/// The words of a whole line that is as it was written.
fn words(line: &str) -> Option<Vec<&str>> {
    let (words, seal) = line.strip_suffix(" end\n")?.rsplit_once(' ')?;
    (u64::from_str_radix(seal, 16).ok()? == sum(words)).then(|| words.split(' ').collect())
}

fn sum(words: &str) -> u64 {
    let mut sum = Fingerprint::new();
    sum.add(words.as_bytes());
    sum.value()
}

fn columns(line: &str) -> Option<Vec<String>> {
    let words = words(line)?;
    let (first, names) = words.split_first()?;
    (*first == "columns" && !names.is_empty()).then(|| names.iter().map(|&name| name.to_owned()).collect())
}

/// The number and the row of a member.
fn row(line: &str, columns: usize) -> Option<(usize, Row)> {
    let words = words(line)?;
    let [first, stopped, numbers @ ..] = words.as_slice() else { return None };
    let stopped = if *stopped == RAN { None } else { Some(unescaped(stopped)?) };
    let values: Vec<f64> = numbers.iter().map(|word| word.parse().ok()).collect::<Option<_>>()?;
    let is_whole = !values.is_empty() && values.len().is_multiple_of(columns);
    Some((first.parse().ok()?, Row { values, stopped })).filter(|_| is_whole)
}

/// What stands for what has stopped a run that has come to its end.
const RAN: &str = "-";

/// A text as one word that is not [`RAN`].
fn escaped(text: &str) -> String {
    let byte = |byte: u8| match byte {
        b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'.' | b'_' => char::from(byte).to_string(),
        byte => format!("%{byte:02x}"),
    };
    text.bytes().map(byte).collect()
}

fn unescaped(word: &str) -> Option<String> {
    let mut parts = word.split('%');
    let mut bytes = parts.next()?.as_bytes().to_vec();
    for part in parts {
        let (code, rest) = part.split_at_checked(2)?;
        bytes.push(u8::from_str_radix(code, 16).ok()?);
        bytes.extend_from_slice(rest.as_bytes());
    }
    String::from_utf8(bytes).ok()
}

/// A number that tells ensembles apart (the hash FNV-1a of what they are made of).
pub(super) struct Fingerprint(u64);

impl Fingerprint {
    pub fn new() -> Self {
        Fingerprint(0xcbf2_9ce4_8422_2325)
    }

    pub fn add(&mut self, bytes: &[u8]) {
        // The length first, so that what belongs to one word is not taken for that of the next.
        for byte in (bytes.len() as u64).to_le_bytes().iter().chain(bytes) {
            self.0 = (self.0 ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3);
        }
    }

    pub fn add_numbers(&mut self, numbers: &[f64]) {
        let bytes: Vec<u8> = numbers.iter().flat_map(|number| number.to_le_bytes()).collect();
        self.add(&bytes);
    }

    pub fn value(&self) -> u64 {
        self.0
    }
}

#[cfg(test)]
mod tests {
    use super::{escaped, unescaped};

    #[test]
    fn reasons_are_one_word_and_read_back() {
        for text in ["stopped by event `lands, or not – %20` at t = 0.5", "-", "", "\n end\n"] {
            let word = escaped(text);
            assert!(!word.contains([' ', '\n']) && word != "-", "{word}");
            assert_eq!(unescaped(&word).as_deref(), Some(text));
        }
        assert_eq!(unescaped("a%2"), None);
    }
}
