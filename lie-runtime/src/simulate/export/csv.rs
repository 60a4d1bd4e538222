//! Rows of CSV files (RFC 4180 with line feeds).

use std::io::{self, Write};

/// Writes one row. Fields with commas, quotes or line breaks are quoted.
///
/// # Errors
/// If the writer fails.
pub(crate) fn write_row<F: AsRef<str>>(writer: &mut dyn Write, fields: impl IntoIterator<Item = F>) -> io::Result<()> {
    for (index, field) in fields.into_iter().enumerate() {
        let (field, separator) = (field.as_ref(), if index == 0 { "" } else { "," });
        if field.contains([',', '"', '\n', '\r']) {
            write!(writer, "{separator}\"{}\"", field.replace('"', "\"\""))?;
        } else {
            write!(writer, "{separator}{field}")?;
        }
    }
    writeln!(writer)
}

#[cfg(test)]
mod tests {
    use super::write_row;

    #[test]
    fn special_characters_are_quoted() {
        let mut text = Vec::new();
        write_row(&mut text, ["t", "q[0]", "a, b", "the \"end\"", "", "two\nlines"]).unwrap();
        assert_eq!(String::from_utf8(text).unwrap(), "t,q[0],\"a, b\",\"the \"\"end\"\"\",,\"two\nlines\"\n");
    }
}
