//! Checkpoint file of an ensemble: completed members are appended, so that an interrupted ensemble can continue.
//!
//! The file is text: a line that identifies the ensemble, a line of column names, and a line per member. A member has its index, the reason
//! for an early stop, its warnings, and its values in the shortest decimals that are parsed to the same numbers. Each line ends with a checksum and
//! `end`. An incomplete or damaged line is discarded together with all following lines. Failed members are not written; they are run again
//! and fail in the same way.

use std::fs::{File, OpenOptions};
use std::io::{self, BufRead, BufReader, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use super::error::EnsembleError;
use super::measure::{ResultRow, StoredWarning};

/// An open checkpoint.
pub(super) struct Checkpoint {
    path: PathBuf,
    file: File,
    has_columns: bool,
}

/// The content of a checkpoint.
#[derive(Default)]
pub(super) struct Saved {
    pub columns: Vec<String>,
    pub rows: Vec<(usize, ResultRow)>,
}

impl Checkpoint {
    /// Opens or creates the checkpoint of the ensemble with this fingerprint and number of members.
    pub fn open(path: &Path, fingerprint: u64, members: usize) -> Result<(Self, Saved), EnsembleError> {
        let failed = |error| EnsembleError::Checkpoint { path: path.to_owned(), error };
        let title = sealed(&format!("ensemble-3 {fingerprint:016x} {members}"));
        let mut file =
            OpenOptions::new().read(true).write(true).create(true).truncate(false).open(path).map_err(failed)?;
        let mut saved = Saved::default();
        let mut good = 0;
        let mut lines = BufReader::new(&file);
        let mut line = String::new();
        loop {
            line.clear();
            // Bytes that are not text are discarded like a truncated line.
            let length = lines.read_line(&mut line).unwrap_or(0);
            if length == 0 {
                break;
            }
            if good == 0 {
                if line != title {
                    // A truncated title belongs to no ensemble; any other text is a file of another program.
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

    /// Appends a member.
    pub fn add(&mut self, member: usize, row: &ResultRow, columns: &[String]) -> Result<(), EnsembleError> {
        let head = if self.has_columns { String::new() } else { sealed(&format!("columns {}", columns.join(" "))) };
        let numbers: Vec<String> = row.values.iter().map(|number| format!("{number:?}")).collect();
        let stopped = row.stopped.as_deref().map_or_else(|| RAN.to_owned(), escaped);
        let warnings = warnings_as_word(&row.warnings);
        let text = head + &sealed(&format!("{member} {stopped} {warnings} {}", numbers.join(" ")));
        self.has_columns = true;
        // One call per member: data that the operating system has accepted survives the end of the program.
        self.file.write_all(text.as_bytes()).map_err(|error| self.failed(error))
    }

    fn failed(&self, error: io::Error) -> EnsembleError {
        EnsembleError::Checkpoint { path: self.path.clone(), error }
    }
}

/// Formats words as a line with a checksum.
fn sealed(words: &str) -> String {
    format!("{words} {:016x} end\n", sum(words))
}

/// Returns the words of a complete line with a correct checksum.
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

/// Returns the index and the row of a member.
fn row(line: &str, columns: usize) -> Option<(usize, ResultRow)> {
    let words = words(line)?;
    let [first, stopped, warnings, numbers @ ..] = words.as_slice() else { return None };
    let stopped = if *stopped == RAN { None } else { Some(unescaped(stopped)?) };
    let warnings = warnings_of_word(warnings)?;
    let values: Vec<f64> = numbers.iter().map(|word| word.parse().ok()).collect::<Option<_>>()?;
    let is_whole = !values.is_empty() && values.len().is_multiple_of(columns);
    Some((first.parse().ok()?, ResultRow { values, stopped, warnings })).filter(|_| is_whole)
}

/// Encodes warnings as one word, in which commas separate kinds and messages.
fn warnings_as_word(warnings: &[StoredWarning]) -> String {
    if warnings.is_empty() {
        return RAN.to_owned();
    }
    let words = warnings.iter().flat_map(|warning| [&warning.kind, &warning.message]);
    words.map(|text| escaped(text)).collect::<Vec<_>>().join(",")
}

fn warnings_of_word(word: &str) -> Option<Vec<StoredWarning>> {
    if word == RAN {
        return Some(Vec::new());
    }
    let texts = word.split(',').map(unescaped).collect::<Option<Vec<_>>>()?;
    let pair = |pair: &[String]| match pair {
        [kind, message] => Some(StoredWarning { kind: kind.clone(), message: message.clone() }),
        _ => None,
    };
    texts.chunks(2).map(pair).collect()
}

/// The word for a run without warnings, and for a run that has reached its end.
const RAN: &str = "-";

/// Encodes a text as one word that is not [`RAN`].
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

/// A number that identifies an ensemble: the FNV-1a hash of its definition.
pub(super) struct Fingerprint(u64);

impl Fingerprint {
    pub fn new() -> Self {
        Fingerprint(0xcbf2_9ce4_8422_2325)
    }

    pub fn add(&mut self, bytes: &[u8]) {
        // The length is hashed first to separate words.
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
    use super::{StoredWarning, escaped, unescaped, warnings_as_word, warnings_of_word};

    #[test]
    fn reasons_are_one_word_and_read_back() {
        for text in ["stopped by event `lands, or not – %20` at t = 0.5", "-", "", "\n end\n"] {
            let word = escaped(text);
            assert!(!word.contains([' ', '\n']) && word != "-", "{word}");
            assert_eq!(unescaped(&word).as_deref(), Some(text));
        }
        assert_eq!(unescaped("a%2"), None);
        let warning = |kind: &str, message: &str| StoredWarning { kind: kind.to_owned(), message: message.to_owned() };
        for warnings in [vec![], vec![warning("Costly", "`a`, b"), warning("SlowStep", "")]] {
            let word = warnings_as_word(&warnings);
            assert!(!word.contains(' '), "{word}");
            assert_eq!(warnings_of_word(&word), Some(warnings));
        }
        assert_eq!(warnings_of_word("Costly"), None);
    }
}
