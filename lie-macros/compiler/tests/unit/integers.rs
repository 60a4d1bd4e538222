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
fn methods_wrap_and_end_as_in_rust() {
    let of = |name: &str, value| Integer { value, kind: IntegerKind::named(name) };
    let of_byte = |name: &str, a, b| of("u8", a).method(name, &[Integer::new(b)]);
    assert_eq!(of_byte("wrapping_add", 250, 10), Some(of("u8", 4)));
    assert_eq!(of_byte("wrapping_mul", 200, 3), Some(of("u8", 88)));
    assert_eq!(of_byte("saturating_sub", 5, 10), Some(of("u8", 0)));
    assert_eq!(of_byte("saturating_add", 250, 10), Some(of("u8", 255)));
    assert_eq!(of("i8", -128).method("abs_diff", &[Integer::new(127)]), Some(of("u8", 255)));
    assert_eq!(of("i64", 1).method("wrapping_sub", &[Integer::new(3)]), Some(of("i64", -2)));
    assert_eq!(Integer::new(1).method("wrapping_add", &[Integer::new(3)]), None);
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
    assert_eq!(byte(129).combine(&syn::parse_quote!(<<), Integer::new(1)).map(|n| n.value), Some(2));
}
