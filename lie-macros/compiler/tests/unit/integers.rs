//! Tests of `interp::integers`.

use super::Integer;

#[test]
fn results_are_exact_in_every_type() {
    let integer = |value: i64| Integer::new(value, value < 0).expect("it is in range");
    let signed = |value: i64| Integer::new(value, true).expect("it is in range");
    assert_eq!(integer(-7).combine("/", integer(2)), Some(signed(-3)));
    assert_eq!(integer(-7).combine("%", integer(2)), Some(signed(-1)));
    assert_eq!(signed(2).combine("-", integer(3)), Some(signed(-1)));
    assert_eq!(integer(-7).method("rem_euclid", &[integer(3)]), Some(signed(2)));
    // The type is possibly `usize`.
    assert!(integer(2).combine("-", integer(3)).is_none());
    // The type is possibly `i32`.
    assert!(integer(i64::from(i32::MAX)).combine("+", integer(1)).is_none());
    assert!(integer(2).method("pow", &[integer(31)]).is_none());
    assert!(integer(1).combine("/", integer(0)).is_none());
}
