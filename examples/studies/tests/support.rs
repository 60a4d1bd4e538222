//! Examples run in this process by their command lines.

use std::ffi::OsString;

use harness::{Example, Status, run};
use serde_json::Value;

/// Status, standard output and standard error of a command line.
pub fn command(example: &Example, arguments: &str) -> (Status, String, String) {
    let words = core::iter::once(example.name).chain(arguments.split_whitespace()).map(OsString::from);
    let (mut stdout, mut stderr) = (Vec::new(), Vec::new());
    let status = run(example, words, &mut stdout, &mut stderr);
    let text = |bytes| String::from_utf8(bytes).expect("UTF-8");
    (status, text(stdout), text(stderr))
}

/// The result of a run that ends well.
pub fn json(example: &Example, arguments: &str) -> Value {
    let (status, stdout, stderr) = command(example, &format!("{arguments} --format json"));
    assert_eq!(status, Status::Done, "{arguments}: {stderr}");
    serde_json::from_str(&stdout).expect("one JSON object")
}

/// The last sample of a run that ends well.
pub fn last(example: &Example, arguments: &str) -> Value {
    json(example, arguments)["samples"].as_array().and_then(|samples| samples.last()).expect("a sample").clone()
}

/// The numbers in a value, in their order.
pub fn numbers(value: &Value) -> Vec<f64> {
    match value {
        Value::Array(entries) => entries.iter().flat_map(numbers).collect(),
        value => vec![value.as_f64().expect("a number")],
    }
}
