//! Blocks, `let` and conditions.

use std::borrow::Cow;
use std::collections::HashMap;

use syn::{BinOp, Block, Expr, ExprBinary, Item, Stmt};

use super::indexing::indexing;
use super::{Diverged, Interpreted, Reported, SymbolicInterpreter, Value};

impl SymbolicInterpreter<'_> {
    /// Evaluates a block.
    pub(super) fn block(&mut self, block: &Block) -> Interpreted {
        self.scopes.push(HashMap::new());
        let value = self.statements(&block.stmts);
        self.scopes.pop();
        value
    }

    fn statements(&mut self, statements: &[Stmt]) -> Interpreted {
        // Items are in scope before their definition.
        for statement in statements {
            if let Stmt::Item(Item::Const(item)) = statement {
                let value = self.expression(&item.expr).and_then(|value| self.typed(value, &item.ty));
                self.declare(&item.ident, value.unwrap_or(Value::Unknown));
            }
        }
        let mut value = Ok(Value::Unit);
        for (at, statement) in statements.iter().enumerate() {
            value = match statement {
                Stmt::Local(local) => self.local(local, &statements[at + 1..]).map(|()| Value::Unit),
                Stmt::Expr(expr, semicolon) => match (semicolon, self.expression(expr)) {
                    (Some(_), Ok(_)) => Ok(Value::Unit),
                    (_, value) => value,
                },
                Stmt::Item(Item::Const(_)) => Ok(Value::Unit),
                Stmt::Item(item) => self.inner_item(item),
                Stmt::Macro(statement) => match (&statement.semi_token, self.macro_call(&statement.mac)) {
                    (Some(_), Ok(_)) => Ok(Value::Unit),
                    (_, value) => value,
                },
            };
            self.ensure_reported(&value, statement);
            if matches!(value, Err(Diverged)) {
                return value;
            }
        }
        value
    }

    /// Evaluates `let`, with the statements after it.
    fn local(&mut self, local: &syn::Local, rest: &[Stmt]) -> Interpreted<()> {
        let Some(init) = &local.init else { return self.bind(&local.pat, Value::Unset) };
        if let (syn::Pat::Type(syn::PatType { ty, .. }), Expr::Call(call)) = (&local.pat, &*init.expr)
            && super::std_functions::is_from_fn(call)
            && let syn::Type::Array(array) = &**ty
            && let Value::Integer(length) = self.expression(&array.len)?
        {
            self.expected_length = usize::try_from(length.value).ok();
        }
        let value = self.expression(&init.expr);
        self.expected_length = None;
        self.ensure_reported(&value, &init.expr);
        let value = match value {
            Err(Diverged) => return Err(Diverged),
            // A variable without a value is unknown; its uses report no further error.
            value => value.unwrap_or(Value::Unknown),
        };
        let value = indexing(value, &local.pat, |indices| indices.statements(rest));
        match &init.diverge {
            None => self.bind(&local.pat, value).or_else(|stop| {
                // Uses of the bindings of a wrong pattern report no further error.
                self.bind(&local.pat, Value::Unknown).and(Err(stop))
            }),
            Some((_, other)) => match self.test(&local.pat, &value)? {
                Value::Known(true) => self.bind(&local.pat, value),
                Value::Known(false) => self.expression(other).map(|_| ()),
                _ => self.outside(&local.pat, "`let … else` on the state").map(|_| ()),
            },
        }
    }

    fn inner_item(&mut self, item: &Item) -> Interpreted {
        // Uses of the variable report no further error.
        let name = match item {
            Item::Fn(item) => Some(&item.sig.ident),
            Item::Static(item) => Some(&item.ident),
            _ => None,
        };
        if let Some(name) = name {
            self.declare(name, Value::Unknown);
        }
        self.error_with_help(
            item,
            "items in a function body are not supported",
            "move the item out of the function, into the module",
        )
    }

    /// Evaluates `if`, with or without `else`.
    pub(super) fn condition(&mut self, expr: &syn::ExprIf) -> Interpreted {
        let outside = self.scopes.len();
        self.chosen_by(expr, &conjuncts(&expr.cond), outside)
    }

    /// Evaluates the block of an `if` under these conditions, or the `else` block. Each condition is in the scope of the bindings before
    /// it; the `else` block has the `outside` outermost scopes only.
    fn chosen_by(&mut self, expr: &syn::ExprIf, conditions: &[Cow<'_, Expr>], outside: usize) -> Interpreted {
        let Some((first, rest)) = conditions.split_first() else { return self.block(&expr.then_branch) };
        let (holds, bound) = match &**first {
            Expr::Let(pattern) => {
                let value = self.expression(&pattern.expr)?;
                (self.test(&pattern.pat, &value)?, Some((&*pattern.pat, value)))
            }
            condition => (self.expression(condition)?, None),
        };
        let goes_on = |this: &mut Self| {
            let Some((pattern, value)) = bound else { return this.chosen_by(expr, rest, outside) };
            this.scopes.push(HashMap::new());
            let result = this.bind(pattern, value).and_then(|()| this.chosen_by(expr, rest, outside));
            this.scopes.pop();
            result
        };
        let otherwise = |this: &mut Self| {
            let bound = this.scopes.split_off(outside);
            let result = match &expr.else_branch {
                Some((_, other)) => this.expression(other),
                None => Ok(Value::Unit),
            };
            this.scopes.extend(bound);
            result
        };
        match holds {
            Value::Known(true) => goes_on(self),
            Value::Known(false) => otherwise(self),
            Value::Bool(condition) => self.branch(&expr.if_token, condition, goes_on, otherwise),
            Value::Unknown => Err(Reported),
            other => self.no_condition(first, &other),
        }
    }

    /// Reports a value that is not a condition.
    pub(super) fn no_condition(&mut self, at: &Expr, value: &Value) -> Interpreted {
        let found = value.describe(&self.expressions);
        self.error_with_help(
            at,
            format_args!("expected a condition, found {found}"),
            "write a comparison, as in `x > 0.0`",
        )
    }
}

/// Splits a condition with `let` into its conjuncts, in order; conditions between two `let` form one conjunct.
fn conjuncts(condition: &Expr) -> Vec<Cow<'_, Expr>> {
    let mut parts = Vec::new();
    let mut left = condition;
    while has_let(left)
        && let Expr::Binary(ExprBinary { left: before, op: BinOp::And(_), right, .. }) = left
    {
        parts.push(&**right);
        left = before;
    }
    parts.push(left);
    let mut joined: Vec<Cow<'_, Expr>> = Vec::new();
    for part in parts.into_iter().rev() {
        match joined.last_mut() {
            Some(last) if !has_let(last) && !has_let(part) => *last = Cow::Owned(syn::parse_quote!(#last && #part)),
            _ => joined.push(Cow::Borrowed(part)),
        }
    }
    joined
}

/// Returns true for `let`, and for `&&` chains that contain it.
pub(super) fn has_let(condition: &Expr) -> bool {
    match condition {
        Expr::Let(_) => true,
        Expr::Binary(ExprBinary { left, op: BinOp::And(_), right, .. }) => has_let(left) || has_let(right),
        _ => false,
    }
}
