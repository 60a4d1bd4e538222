//! One JSON object a run, every number with all its digits.

use std::io::{self, Write};

use lie_runtime::simulate::MethodInfo;
use lie_runtime::system::Value;
use serde_json::{Map, json};

use crate::example::Example;
use crate::request::Outcome;

/// Prints a run.
pub(crate) fn outcome(example: &Example, group: &str, outcome: &Outcome, writer: &mut dyn Write) -> io::Result<()> {
    let samples: Vec<serde_json::Value> = outcome.samples.iter().map(|sample| to_json(&sample.record())).collect();
    let mut object = json!({
        "model": example.name,
        "group": group,
        "method": outcome.method,
        "dof": outcome.dof,
        "constraints": outcome.constraints,
        "step": outcome.step,
        "accepted": outcome.accepted,
        "rejected": outcome.rejected,
        "seconds": outcome.seconds,
        "samples": samples,
    });
    if let Some(iterations) = outcome.newton_iterations {
        object["newton_iterations"] = json!(iterations);
    }
    if let Some(failure) = &outcome.failure {
        object["failure"] = json!(failure);
    }
    writeln!(writer, "{object}")
}

/// Prints a list of methods.
pub(crate) fn methods(methods: &[MethodInfo], writer: &mut dyn Write) -> io::Result<()> {
    let list: Vec<serde_json::Value> = methods
        .iter()
        .map(|card| {
            json!({
                "id": card.id,
                "name": card.name,
                "order": card.order,
                "multiplier_order": card.multiplier_order,
                "estimates": card.estimates,
                "family": card.family,
                "needs": card.needs.to_string(),
                "options": card.options.iter().map(|option| (option.name.to_owned(), json!(option.meaning))).collect::<Map<_, _>>(),
            })
        })
        .collect();
    writeln!(writer, "{}", serde_json::Value::from(list))
}

/// Numbers that are not finite become null: JSON has none.
fn to_json(value: &Value) -> serde_json::Value {
    match value {
        Value::Scalar(number) => json!(number),
        Value::Vector(numbers) => json!(numbers),
        Value::Matrix(rows) => json!(rows),
        Value::List(values) => values.iter().map(to_json).collect(),
        Value::Record(entries) => {
            entries.iter().map(|(name, value)| ((*name).to_owned(), to_json(value))).collect::<Map<_, _>>().into()
        }
    }
}
