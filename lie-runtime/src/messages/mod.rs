//! Parts of messages: lists of names, the most similar known name, the section of the book, and errors whose `Debug` is their message.

mod remedy;

pub use self::remedy::{Remedy, Words, set_words};
pub(crate) use self::remedy::{alternatives, always, fewer_states, larger_steps, setting, without_contact};

/// The number of names in a list; further names are counted.
const LISTED: usize = 24;

/// Returns `` `a`, `b` and `c` ``, or the beginning of a long list.
pub(crate) fn listed(names: &[impl AsRef<str>]) -> String {
    enumerated(&names.iter().map(|name| format!("`{}`", name.as_ref())).collect::<Vec<_>>())
}

/// Returns the same list of texts that contain their quotation marks.
pub(crate) fn enumerated(texts: &[String]) -> String {
    match texts {
        [] => "none".into(),
        [only] => only.clone(),
        [others @ .., last] if texts.len() <= LISTED => format!("{} and {last}", others.join(", ")),
        _ => format!("{} and {} more", texts[..LISTED].join(", "), texts.len() - LISTED),
    }
}

/// Returns the known name that is most similar to `word`, if it is similar enough.
pub(crate) fn nearest<'a, N: AsRef<str>>(word: &str, known: &'a [N]) -> Option<&'a N> {
    let word = word.trim().to_lowercase();
    let likeness = |name: &'a N| (strsim::jaro_winkler(&word, &name.as_ref().to_lowercase()), name);
    let (likeness, name) = known.iter().map(likeness).max_by(|first, second| first.0.total_cmp(&second.0))?;
    (likeness > 0.75).then_some(name)
}

/// Returns `` ; did you mean `a`? `` if a name is similar enough.
pub(crate) fn suggested(word: &str, known: &[impl AsRef<str>]) -> String {
    nearest(word, known).map_or_else(String::new, |name| format!("; did you mean `{}`?", name.as_ref()))
}

/// Returns the end of the message of an error or a warning: the section of the book with its causes and remedies. Each section is a heading
/// of `book/src/reference/errors.md`.
pub(crate) fn see(section: &str) -> String {
    format!("(book: reference/errors.md#{section})")
}

/// Returns `1 item` or `2 items`.
pub(crate) fn counted(count: usize, noun: &str) -> String {
    format!("{count} {noun}{}", if count == 1 { "" } else { "s" })
}

/// Implements `Debug` by `Display`: a `main` that returns `Box<dyn Error>` prints its error with `Debug`. The bounds of a generic type
/// precede its name in brackets.
macro_rules! debug_is_the_message {
    ([$($bounds:tt)+] $error:ty) => {
        impl<$($bounds)+> core::fmt::Debug for $error {
            fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
                core::fmt::Display::fmt(self, f)
            }
        }
    };
    ($error:ty) => {
        impl core::fmt::Debug for $error {
            fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
                core::fmt::Display::fmt(self, f)
            }
        }
    };
}
pub(crate) use debug_is_the_message;

#[cfg(test)]
mod tests {
    use super::{listed, nearest, suggested};

    #[test]
    fn long_lists_are_cut() {
        assert_eq!(listed(&["a", "b", "c"]), "`a`, `b` and `c`");
        assert_eq!((listed(&["a"]), listed(&[] as &[&str])), ("`a`".into(), "none".into()));
        let many: Vec<String> = (0..90).map(|k| format!("n{k}")).collect();
        let text = listed(&many);
        assert!(text.starts_with("`n0`, `n1`, ") && text.ends_with("`n23` and 66 more"), "{text}");
    }

    #[test]
    fn the_nearest_name_is_suggested() {
        assert_eq!(nearest("positoin", &["velocity", "position"]), Some(&"position"));
        assert_eq!(suggested("Load", &["t", "observables.load", "load"]), "; did you mean `load`?");
        assert_eq!(suggested("xyz", &["t", "mass"]), "");
    }
}
