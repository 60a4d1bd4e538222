//! Tests of `expr::discontinuity`.

use crate::expr::{Expressions, Leaf, Type};

#[test]
fn angles_and_choices_jump_and_sums_do_not() {
    let mut expressions = Expressions::new();
    let t = expressions.leaf(Leaf::Time, Type::SCALAR);
    let n = expressions.leaf(Leaf::Index, Type::SCALAR);
    let one = expressions.number(1.0);
    let angle = expressions.atan2(t, one);
    let sum = expressions.add(angle, n);
    let fixed = expressions.atan2(n, one);
    let smooth = expressions.add(fixed, t);
    assert!(expressions.may_jump(sum, &[]));
    assert!(!expressions.may_jump(smooth, &[]));
    assert!(!expressions.may_jump(sum, &[angle]));
}
