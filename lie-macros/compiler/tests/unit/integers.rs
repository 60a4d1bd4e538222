//! Tests of `interp::integers`.

use super::{Integer, IntegerKind};

#[test]
fn casts_wrap_as_in_rust() {
    let cast = |value: i128, name: &str| IntegerKind::named(name).map(|kind| Integer::new(value).cast(kind).value);
    assert_eq!(cast(300, "u8"), Some(44));
    assert_eq!(cast(-1, "u8"), Some(255));
    assert_eq!(cast(200, "i8"), Some(-56));
    assert_eq!(cast(-1, "usize"), Some(i128::from(u64::MAX)));
}

#[test]
fn arithmetic_overflows_as_in_rust() {
    let byte = |value| Integer { value, kind: IntegerKind::named("u8") };
    assert!(byte(200).combine(&syn::parse_quote!(+), byte(100)).is_none());
    assert!(byte(2).combine(&syn::parse_quote!(-), byte(3)).is_none());
    assert_eq!(Integer::new(-7).combine(&syn::parse_quote!(/), Integer::new(2)), Some(Integer::new(-3)));
    assert_eq!(Integer::new(-7).combine(&syn::parse_quote!(%), Integer::new(2)), Some(Integer::new(-1)));
    assert!(Integer::new(i128::from(i32::MAX)).combine(&syn::parse_quote!(+), Integer::new(1)).is_none());
    assert!(Integer::new(1).combine(&syn::parse_quote!(/), Integer::new(0)).is_none());
}
