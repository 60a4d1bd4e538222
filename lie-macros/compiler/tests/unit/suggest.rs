//! Tests of `syntax::rust::suggest`.

use super::{list, nearest};

#[test]
fn the_nearest_name_is_suggested() {
    let roles = ["potential", "dissipation", "force"];
    assert_eq!(nearest("potental", roles), Some("potential"));
    assert_eq!(nearest("froce", roles), Some("force"));
    assert_eq!(nearest("Potential", roles), Some("potential"));
    assert_eq!(nearest("inline", roles), None);
    assert_eq!(nearest("scan", ["swap"]), None);
    assert_eq!(nearest("clamp", ["clamped"]), Some("clamped"));
    assert_eq!(nearest("SO4", ["SO2", "SO3"]), Some("SO3"));
    assert_eq!(nearest("S02", ["SO2", "SO3", "S2"]), Some("SO2"));
    assert_eq!(nearest("T1", ["R6"]), None);
    assert_eq!(nearest("", roles), None);
}

#[test]
fn lists_are_formatted() {
    assert_eq!(list([]), "none");
    assert_eq!(list(["a"]), "`a`");
    assert_eq!(list(["a", "b", "c"]), "`a`, `b` and `c`");
}
