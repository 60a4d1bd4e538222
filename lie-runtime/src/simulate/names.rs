//! Names in messages: lists of them, and the one that has been meant.

/// `` `a`, `b` and `c` ``.
pub(super) fn listed(names: &[impl AsRef<str>]) -> String {
    let quoted: Vec<String> = names.iter().map(|name| format!("`{}`", name.as_ref())).collect();
    match quoted.split_last() {
        Some((last, [])) => last.clone(),
        Some((last, others)) => format!("{} and {last}", others.join(", ")),
        None => "nothing".into(),
    }
}

/// The name nearest to `word`, if it is near enough to have been meant.
pub(super) fn nearest(word: &str, known: &[&'static str]) -> Option<&'static str> {
    let word = word.trim().to_lowercase();
    let likeness = |name: &&'static str| (strsim::jaro_winkler(&word, name), *name);
    let (likeness, name) = known.iter().map(likeness).max_by(|first, second| first.0.total_cmp(&second.0))?;
    (likeness > 0.75).then_some(name)
}
