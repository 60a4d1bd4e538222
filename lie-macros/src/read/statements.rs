//! Blocks, `let`, assignments, `if`/`else` and loops.

use std::collections::HashMap;

use syn::{Block, Expr, Pat, Stmt};

use super::{Reader, Reading, Reported, Value};

/// A loop of more iterations is surely a mistake.
const MAX_ITERATIONS: i64 = 10_000;

/// What an assignment may change.
const ASSIGNABLE: &str = "assign to a local `let mut` variable, or to an entry of one: `v.x`, `v[0]`, `m[(0, 1)]`";

impl Reader<'_> {
    /// The value of a block.
    pub(super) fn block(&mut self, block: &Block) -> Reading {
        self.scopes.push(HashMap::new());
        let value = self.statements(&block.stmts);
        self.scopes.pop();
        value
    }

    fn statements(&mut self, statements: &[Stmt]) -> Reading {
        let mut value = Ok(Value::Unit);
        for statement in statements {
            value = match statement {
                Stmt::Local(local) => {
                    let init = match &local.init {
                        Some(init) if init.diverge.is_none() => self.expression(&init.expr),
                        Some(init) => self.outside(&init.expr, "`let … else`"),
                        None => Ok(Value::Unknown),
                    };
                    // A variable whose value could not be read is unknown; its uses say nothing more.
                    let value = init.unwrap_or(Value::Unknown);
                    self.bind_pattern(&local.pat, value)?;
                    Ok(Value::Unit)
                }
                Stmt::Expr(expr, semicolon) => {
                    let value = self.expression(expr);
                    match (semicolon, value) {
                        (Some(_), Ok(_)) => Ok(Value::Unit),
                        (_, value) => value,
                    }
                }
                Stmt::Item(item) => {
                    // Uses of it say nothing more.
                    let name = match item {
                        syn::Item::Const(item) => Some(&item.ident),
                        syn::Item::Fn(item) => Some(&item.sig.ident),
                        syn::Item::Static(item) => Some(&item.ident),
                        _ => None,
                    };
                    if let (Some(name), Some(scope)) = (name, self.scopes.last_mut()) {
                        scope.insert(name.to_string(), Value::Unknown);
                    }
                    self.error_with_help(
                        item,
                        "items inside of a body cannot be read",
                        "move it out of the function, into the module",
                    )
                }
                Stmt::Macro(statement) => self.outside_macro(&statement.mac.path, statement),
            };
        }
        value
    }

    /// Binds the variables of a pattern.
    pub(super) fn bind_pattern(&mut self, pattern: &Pat, value: Value) -> Reading<()> {
        match pattern {
            Pat::Ident(binding) => {
                if let Some(scope) = self.scopes.last_mut() {
                    scope.insert(binding.ident.to_string(), value);
                }
                Ok(())
            }
            Pat::Type(typed) => self.bind_pattern(&typed.pat, value),
            Pat::Paren(inner) => self.bind_pattern(&inner.pat, value),
            Pat::Reference(inner) => self.bind_pattern(&inner.pat, value),
            Pat::Wild(_) => Ok(()),
            Pat::Tuple(tuple) => self.bind_parts(pattern, tuple.elems.iter().collect(), value),
            Pat::Slice(slice) => self.bind_parts(pattern, slice.elems.iter().collect(), value),
            _ => self.error_with_help(
                pattern,
                "this pattern cannot be read",
                "bind names, tuples `(a, b)` or arrays `[a, b]`",
            ),
        }
    }

    fn bind_parts(&mut self, pattern: &Pat, parts: Vec<&Pat>, value: Value) -> Reading<()> {
        let values = match value {
            Value::Tuple(values) | Value::Array(values) => values,
            Value::Unknown => vec![Value::Unknown; parts.len()],
            other => {
                let found = other.describe(&self.expressions);
                return self.error(pattern, format_args!("{found} cannot be taken apart by this pattern"));
            }
        };
        if values.len() != parts.len() {
            let message = format!("the pattern has {} parts, the value has {}", parts.len(), values.len());
            return self.error(pattern, message);
        }
        for (part, value) in parts.into_iter().zip(values) {
            self.bind_pattern(part, value)?;
        }
        Ok(())
    }

    /// A variable in scope.
    pub(super) fn variable(&self, name: &str) -> Option<&Value> {
        self.scopes.iter().rev().find_map(|scope| scope.get(name))
    }

    /// Assigns to a variable or to an entry of one.
    pub(super) fn assign(&mut self, place: &Expr, value: Value) -> Reading {
        match place {
            Expr::Path(path) if path.path.get_ident().is_some() => {
                let name = path.path.get_ident().map(ToString::to_string).unwrap_or_default();
                if let Some(slot) = self.scopes.iter_mut().rev().find_map(|scope| scope.get_mut(&name)) {
                    *slot = value;
                    return Ok(Value::Unit);
                }
                self.error(place, format_args!("there is no variable `{name}` in scope"))
            }
            Expr::Index(index) => {
                let whole = self.expression(&index.expr)?;
                let changed = match (whole, value) {
                    (Value::Unknown, _) | (_, Value::Unknown) => Value::Unknown,
                    (Value::Array(mut items), value) => {
                        let at = self.array_index(&index.index, items.len())?;
                        items[at] = value;
                        Value::Array(items)
                    }
                    (Value::Matrix(matrix), Value::Scalar(entry)) => {
                        let (row, column) = self.matrix_index(&index.index, matrix)?;
                        let (rows, columns) = self.expressions.shape(matrix);
                        let entries = (0..rows * columns)
                            .map(|at| {
                                if at == row * columns + column {
                                    entry
                                } else {
                                    self.expressions.entry(matrix, at / columns, at % columns)
                                }
                            })
                            .collect();
                        Value::Matrix(self.expressions.stack(entries, rows, columns))
                    }
                    _ => return self.error(place, "only entries of vectors, matrices and arrays can be assigned"),
                };
                self.assign(&index.expr, changed)
            }
            Expr::Field(field) => {
                let axis = match &field.member {
                    syn::Member::Named(name) => ["x", "y", "z", "w"].iter().position(|axis| name == axis),
                    syn::Member::Unnamed(_) => None,
                };
                let changed = match (self.expression(&field.base)?, value, axis) {
                    (Value::Unknown, ..) | (_, Value::Unknown, _) => Value::Unknown,
                    (Value::Matrix(vector), Value::Scalar(entry), Some(axis))
                        if self.expressions.shape(vector).1 == 1 && axis < self.expressions.shape(vector).0 =>
                    {
                        let rows = self.expressions.shape(vector).0;
                        let entries = (0..rows)
                            .map(|row| if row == axis { entry } else { self.expressions.entry(vector, row, 0) })
                            .collect();
                        Value::Matrix(self.expressions.stack(entries, rows, 1))
                    }
                    _ => return self.error_with_help(place, "this cannot be assigned to", ASSIGNABLE),
                };
                self.assign(&field.base, changed)
            }
            Expr::Unary(unary) if matches!(unary.op, syn::UnOp::Deref(_)) => self.assign(&unary.expr, value),
            Expr::Paren(inner) => self.assign(&inner.expr, value),
            _ => self.error_with_help(place, "this cannot be assigned to", ASSIGNABLE),
        }
    }

    /// `if`/`else`: both sides are read, the chosen one is used.
    pub(super) fn condition(&mut self, expr: &syn::ExprIf) -> Reading {
        if let Expr::Let(_) = *expr.cond {
            return self.outside(&expr.cond, "`if let`");
        }
        let condition = self.expression(&expr.cond)?;
        let Some((_, other)) = &expr.else_branch else {
            if let Value::Known(known) = condition {
                return if known { self.block(&expr.then_branch) } else { Ok(Value::Unit) };
            }
            if let Some(Stmt::Expr(Expr::Return(early), _)) = expr.then_branch.stmts.last() {
                return self.early_return(early);
            }
            return self.error_with_help(
                expr.if_token,
                "`if` without `else`",
                "both sides are differentiated: write the other one, as in `if c { a } else { b }`",
            );
        };
        match condition {
            Value::Known(true) => self.block(&expr.then_branch),
            Value::Known(false) => self.expression(other),
            Value::Truth(condition) => {
                let before = self.scopes.clone();
                let first = self.block(&expr.then_branch);
                let after_first = std::mem::replace(&mut self.scopes, before);
                let second = self.expression(other);
                let (first, second) = (first?, second?);
                // Variables that the sides assign are chosen like the value.
                for (at, scope) in after_first.into_iter().enumerate() {
                    for (name, x) in scope {
                        let y = self.scopes[at].get(&name).cloned().unwrap_or(Value::Unknown);
                        if x != y {
                            let chosen = self.choose(expr, condition, x, y)?;
                            self.scopes[at].insert(name, chosen);
                        }
                    }
                }
                self.choose(expr, condition, first, second)
            }
            Value::Unknown => Err(Reported),
            other => {
                let found = other.describe(&self.expressions);
                self.error_with_help(
                    &expr.cond,
                    format_args!("a condition is a comparison, not {found}"),
                    "compare numbers, as in `x > 0.0`",
                )
            }
        }
    }

    fn choose(&mut self, at: &syn::ExprIf, condition: crate::expr::Node, a: Value, b: Value) -> Reading {
        match (a, b) {
            (Value::Unknown, _) | (_, Value::Unknown) => Ok(Value::Unknown),
            (a, b) if a == b => Ok(a),
            (Value::Scalar(a), Value::Scalar(b)) => Ok(Value::Scalar(self.expressions.select(condition, a, b))),
            (Value::Matrix(a), Value::Matrix(b)) if self.expressions.shape(a) == self.expressions.shape(b) => {
                Ok(Value::Matrix(self.expressions.select(condition, a, b)))
            }
            (Value::Tuple(a), Value::Tuple(b)) if a.len() == b.len() => {
                let parts: Reading<Vec<Value>> =
                    a.into_iter().zip(b).map(|(a, b)| self.choose(at, condition, a, b)).collect();
                Ok(Value::Tuple(parts?))
            }
            (Value::Array(a), Value::Array(b)) if a.len() == b.len() => {
                let parts: Reading<Vec<Value>> =
                    a.into_iter().zip(b).map(|(a, b)| self.choose(at, condition, a, b)).collect();
                Ok(Value::Array(parts?))
            }
            (a, b) => {
                let (a, b) = (a.describe(&self.expressions), b.describe(&self.expressions));
                self.error_with_help(
                    at.if_token,
                    format_args!("the sides of this `if` cannot be chosen between at run time: {a} and {b}"),
                    "let both sides be scalars, or vectors of one size",
                )
            }
        }
    }

    /// `for`, unrolled.
    pub(super) fn for_loop(&mut self, expr: &syn::ExprForLoop) -> Reading {
        let items = match &*expr.expr {
            Expr::Range(range) => {
                let start = match &range.start {
                    Some(start) => self.bound(start)?,
                    None => return self.bound_error(&expr.expr),
                };
                let end = match &range.end {
                    Some(end) => self.bound(end)?,
                    None => return self.bound_error(&expr.expr),
                };
                let end = if matches!(range.limits, syn::RangeLimits::Closed(_)) { end.saturating_add(1) } else { end };
                if end.saturating_sub(start) > MAX_ITERATIONS {
                    let count = end.saturating_sub(start);
                    return self.error_with_help(
                        &expr.expr,
                        format_args!("this loop has {count} iterations; at most {MAX_ITERATIONS} are unrolled"),
                        "write the sum in closed form, or move it into an `#[opaque]` function",
                    );
                }
                (start..end).map(Value::Integer).collect()
            }
            other => match self.expression(other)? {
                Value::Array(items) => items,
                Value::Unknown => return Err(Reported),
                _ => return self.bound_error(&expr.expr),
            },
        };
        for item in items {
            self.spend(1, &expr.pat)?;
            self.scopes.push(HashMap::new());
            let result = match self.bind_pattern(&expr.pat, item) {
                Ok(()) => self.block(&expr.body),
                Err(reported) => Err(reported),
            };
            self.scopes.pop();
            result?;
        }
        Ok(Value::Unit)
    }

    fn bound(&mut self, expr: &Expr) -> Reading<i64> {
        match self.expression(expr)? {
            Value::Integer(value) => Ok(value),
            Value::Unknown => Err(Reported),
            _ => self.bound_error(expr).and(Err(Reported)),
        }
    }

    fn bound_error(&mut self, expr: &Expr) -> Reading {
        self.error_with_help(
            expr,
            "the bounds of this loop are not known at compile time",
            "loop over a range of literals or of module `const`s, such as `0..3`, or over an array",
        )
    }
}
