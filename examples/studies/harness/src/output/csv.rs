//! One line a sample, under full names such as `configuration.attitude[0][2]`.

use std::io::{self, Write};

use crate::request::Outcome;

/// Prints the samples. No name and no number contains a comma or a quote.
pub(crate) fn outcome(outcome: &Outcome, writer: &mut dyn Write) -> io::Result<()> {
    for (index, sample) in outcome.samples.iter().enumerate() {
        let record = sample.record();
        if index == 0 {
            let mut names = Vec::new();
            record.for_each("", &mut |name, _| names.push(name.to_owned()));
            writeln!(writer, "{}", names.join(","))?;
        }
        // The shortest decimal that reads back as the same number.
        let numbers: Vec<String> = record.numbers().iter().map(|number| format!("{number:?}")).collect();
        writeln!(writer, "{}", numbers.join(","))?;
    }
    Ok(())
}
