//! Tests of `syntax::role::rules`.

use super::Keyword;

#[test]
fn names_are_unique() {
    let mut names: Vec<&str> = Keyword::all().map(Keyword::name).collect();
    names.extend(Keyword::all().flat_map(|keyword| keyword.rules().synonyms));
    let count = names.len();
    names.sort_unstable();
    names.dedup();
    assert_eq!(names.len(), count);
    assert!(Keyword::all().all(|keyword| Keyword::named(keyword.name()) == Some(keyword)));
}
