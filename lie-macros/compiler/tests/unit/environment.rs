//! Tests of `interp::environment`: variables in branches and at jumps, without an interpreter.

use super::{FrameKind, FunctionEnvironment};
use crate::expr::{Expressions, Leaf, Node, Relation, Type};
use crate::interp::Value;

fn name(text: &str) -> syn::Ident {
    syn::Ident::new(text, proc_macro2::Span::call_site())
}

/// Returns an environment with the variable `x`, its slot, and the condition 0 < t.
fn variable_and_condition() -> (Expressions, Node, FunctionEnvironment, usize) {
    let mut e = Expressions::new();
    let (time, zero) = (e.leaf(Leaf::Time, Type::SCALAR), e.number(0.0));
    let condition = e.compare(Relation::Less, zero, time);
    let mut environment = FunctionEnvironment::new("height".to_owned());
    environment.declare(&name("x"), Value::Unit);
    let slot = environment.slot("x").expect("it is in scope");
    (e, condition, environment, slot)
}

#[test]
fn scopes_hide_and_restore_variables() {
    let mut environment = FunctionEnvironment::new("height".to_owned());
    environment.declare(&name("x"), Value::Known(true));
    environment.push_scope();
    environment.declare(&name("x"), Value::Known(false));
    assert_eq!(environment.variable("x"), Some(&Value::Known(false)));
    environment.pop_scope();
    assert_eq!(environment.variable("x"), Some(&Value::Known(true)));
    let outer = environment.enter_scopes(std::collections::HashMap::new());
    assert_eq!(environment.variable("x"), None);
    environment.restore_scopes(outer);
    assert_eq!(environment.variable("x"), Some(&Value::Known(true)));
}

#[test]
fn a_branch_begins_with_the_values_before_it() {
    let (mut e, condition, mut environment, slot) = variable_and_condition();

    let mark = environment.open();
    let jumps = environment.begin_branch(condition);
    environment.assign(slot, Value::Known(true));
    assert_eq!(environment.conditions(&mut e), [condition]);
    let written = environment.end_branch(mark, jumps, false);
    assert_eq!(written.into_iter().collect::<Vec<_>>(), [(slot, Value::Known(true))]);
    environment.undo(mark);
    assert_eq!(environment.value(slot), &Value::Unit);
    environment.close();
    assert!(environment.conditions(&mut e).is_empty());
}

#[test]
fn a_jump_keeps_the_values_of_variables_that_are_written_later() {
    let (mut e, condition, mut environment, slot) = variable_and_condition();

    let frame = environment.enter(FrameKind::Loop);
    let mark = environment.open();
    let jumps = environment.begin_branch(condition);
    environment.jump(&mut e, frame, false, Value::Unit, proc_macro2::TokenStream::new());
    environment.end_branch(mark, jumps, true);
    environment.close();
    assert_eq!(environment.pending(), 1);
    environment.assign(slot, Value::Known(true));
    let opposite = e.not(condition);
    assert_eq!(environment.conditions(&mut e), [opposite]);
    let left = environment.leave();
    assert_eq!(left[0].condition, Some(condition));
    assert_eq!(left[0].saved.get(&slot), Some(&Value::Unit));
    assert_eq!(environment.value(slot), &Value::Known(true));
}

#[test]
fn sealed_variables_cannot_be_written() {
    let mut environment = FunctionEnvironment::new("height".to_owned());
    environment.declare(&name("x"), Value::Unit);
    let outer = environment.seal();
    environment.declare(&name("y"), Value::Unit);
    let [x, y] = ["x", "y"].map(|name| environment.slot(name).expect("it is in scope"));
    assert!(environment.is_sealed(x) && !environment.is_sealed(y));
    environment.unseal(outer);
    assert!(!environment.is_sealed(x));
}
