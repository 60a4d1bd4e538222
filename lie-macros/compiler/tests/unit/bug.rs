//! Tests of `bug`.

use super::guarded;

#[test]
fn a_panic_becomes_an_error() {
    let failed = |rule: &str| -> usize { bug!("{rule} is missing") };
    let Err(report) = guarded(|| failed("a rule")) else { panic!("the work panics") };
    let text = report.error.to_string();
    assert!(text.contains("internal error of lie-macros: a rule is missing"), "{text}");
    assert!(text.contains("bug.rs:"), "{text}");
    assert!(guarded(|| 1).is_ok_and(|result| result == 1));
}
