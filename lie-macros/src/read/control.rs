//! Blocks, `let` and conditions.

use std::collections::HashMap;

use syn::visit::Visit;
use syn::{Block, Expr, Item, Stmt};

use super::types::indexing;
use super::{Left, Reader, Reading, Reported, Value};

impl Reader<'_> {
    /// The value of a block.
    pub(super) fn block(&mut self, block: &Block) -> Reading {
        self.scopes.push(HashMap::new());
        let value = self.statements(&block.stmts);
        self.scopes.pop();
        value
    }

    fn statements(&mut self, statements: &[Stmt]) -> Reading {
        // Items are seen before they are written, too.
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
            self.ensure_heard(&value, statement);
            if matches!(value, Err(Left)) {
                return value;
            }
        }
        value
    }

    /// `let`, and what follows it.
    fn local(&mut self, local: &syn::Local, rest: &[Stmt]) -> Reading<()> {
        let Some(init) = &local.init else { return self.bind(&local.pat, Value::Unset) };
        if let (syn::Pat::Type(syn::PatType { ty, .. }), Expr::Call(call)) = (&local.pat, &*init.expr)
            && super::standard::is_from_fn(call)
            && let syn::Type::Array(array) = &**ty
            && let Value::Integer(length) = self.expression(&array.len)?
        {
            self.expected_length = usize::try_from(length.value).ok();
        }
        let value = self.expression(&init.expr);
        self.expected_length = None;
        self.ensure_heard(&value, &init.expr);
        let value = match value {
            Err(Left) => return Err(Left),
            // A variable whose value could not be read is unknown; its uses say nothing more.
            value => value.unwrap_or(Value::Unknown),
        };
        let value = indexing(value, &local.pat, |indices| rest.iter().for_each(|next| indices.visit_stmt(next)));
        match &init.diverge {
            None => self.bind(&local.pat, value).or_else(|stop| {
                // Uses of what a wrong pattern has in it say nothing more.
                self.bind(&local.pat, Value::Unknown).and(Err(stop))
            }),
            Some((_, other)) => match self.test(&local.pat, &value)? {
                Value::Known(true) => self.bind(&local.pat, value),
                Value::Known(false) => self.expression(other).map(|_| ()),
                _ => self.outside(&local.pat, "`let … else` on the state").map(|_| ()),
            },
        }
    }

    fn inner_item(&mut self, item: &Item) -> Reading {
        // Uses of it say nothing more.
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
            "items inside of a body cannot be read",
            "move it out of the function, into the module",
        )
    }

    /// `if`, with or without `else`.
    pub(super) fn condition(&mut self, expr: &syn::ExprIf) -> Reading {
        let otherwise = |this: &mut Self| match &expr.else_branch {
            Some((_, other)) => this.expression(other),
            None => Ok(Value::Unit),
        };
        if let Expr::Let(pattern) = &*expr.cond {
            let value = self.expression(&pattern.expr)?;
            return match self.test(&pattern.pat, &value)? {
                Value::Known(true) => {
                    self.scopes.push(HashMap::new());
                    let result = self.bind(&pattern.pat, value).and_then(|()| self.block(&expr.then_branch));
                    self.scopes.pop();
                    result
                }
                Value::Known(false) => otherwise(self),
                _ => self.outside(&expr.cond, "`if let` on the state"),
            };
        }
        match self.expression(&expr.cond)? {
            Value::Known(true) => self.block(&expr.then_branch),
            Value::Known(false) => otherwise(self),
            Value::Truth(condition) => {
                self.branch(&expr.if_token, condition, |this| this.block(&expr.then_branch), otherwise)
            }
            Value::Unknown => Err(Reported),
            other => self.no_condition(&expr.cond, &other),
        }
    }

    /// Reports what is no condition.
    pub(super) fn no_condition(&mut self, at: &Expr, value: &Value) -> Reading {
        let found = value.describe(&self.expressions);
        self.error_with_help(
            at,
            format_args!("a condition is a comparison, not {found}"),
            "compare numbers, as in `x > 0.0`",
        )
    }
}
