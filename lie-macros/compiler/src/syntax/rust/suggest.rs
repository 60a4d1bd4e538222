//! Suggestions for misspelt names.

/// The edit distance of two words; a transposition of adjacent letters counts once (restricted Damerau-Levenshtein).
fn distance(left: &str, right: &str) -> usize {
    let left: Vec<char> = left.chars().collect();
    let right: Vec<char> = right.chars().collect();
    let columns = right.len() + 1;
    let mut before: Vec<usize> = vec![0; columns];
    let mut above: Vec<usize> = (0..columns).collect();
    for i in 1..=left.len() {
        let mut row = vec![i; columns];
        for j in 1..columns {
            let change = usize::from(left[i - 1] != right[j - 1]);
            row[j] = (above[j] + 1).min(row[j - 1] + 1).min(above[j - 1] + change);
            if i > 1 && j > 1 && left[i - 1] == right[j - 2] && left[i - 2] == right[j - 1] {
                row[j] = row[j].min(before[j - 2] + 1);
            }
        }
        before = std::mem::replace(&mut above, row);
    }
    above[columns - 1]
}

/// Returns the name nearest to `word`, with at most two edits. For words of up to five letters the limit is one edit, unless one is a
/// prefix of the other. The last of equally near names is returned, so that `SO4` is nearer to `SO3` than to `SO2`. A zero counts as an O.
pub(crate) fn nearest<'a>(word: &str, names: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let length = word.chars().count();
    if length > 64 {
        return None;
    }
    let plain = |text: &str| text.to_lowercase().replace('0', "o");
    let word = plain(word);
    names
        .into_iter()
        .filter_map(|name| {
            let known = plain(name);
            let begins = word.starts_with(&known) || known.starts_with(&word);
            let limit = if length <= 3 || (length <= 5 && !begins) { 1 } else { 2 };
            let edits = distance(&word, &known);
            (edits <= limit).then_some((edits, name))
        })
        .reduce(|best, next| if next.0 <= best.0 { next } else { best })
        .map(|(_, name)| name)
}

/// Returns "did you mean `name`?", or `otherwise` if no name is near.
pub(crate) fn did_you_mean<'a>(
    word: &str,
    names: impl IntoIterator<Item = &'a str>,
    otherwise: impl Into<String>,
) -> String {
    nearest(word, names).map_or_else(|| otherwise.into(), |name| format!("did you mean `{name}`?"))
}

/// Formats a list: "`a`, `b` and `c`".
pub(crate) fn list<'a>(names: impl IntoIterator<Item = &'a str>) -> String {
    let names: Vec<String> = names.into_iter().map(|name| format!("`{name}`")).collect();
    match names.split_last() {
        None => "none".to_owned(),
        Some((last, [])) => last.clone(),
        Some((last, others)) => format!("{} and {last}", others.join(", ")),
    }
}

#[cfg(test)]
#[path = "../../../tests/unit/suggest.rs"]
mod tests;
