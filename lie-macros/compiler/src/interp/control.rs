//! Blocks, `let` and conditions.

use syn::{Block, Expr, Item, Stmt};

use super::{Diverged, Interpreted, Reported, SymbolicInterpreter, Value};

impl SymbolicInterpreter<'_> {
    /// Evaluates a block.
    pub(super) fn block(&mut self, block: &Block) -> Interpreted {
        self.scoped(|this| this.statements(&block.stmts))
    }

    fn statements(&mut self, statements: &[Stmt]) -> Interpreted {
        // Items are in scope before their definition.
        for statement in statements {
            if let Stmt::Item(Item::Const(item)) = statement {
                let value = self.expression(&item.expr).and_then(|value| self.typed(value, &item.ty));
                self.environment.declare(&item.ident, value.unwrap_or(Value::Unknown));
            }
        }
        let mut value = Ok(Value::Unit);
        for statement in statements {
            value = match statement {
                Stmt::Local(local) => self.local(local).map(|()| Value::Unit),
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

    /// Evaluates `let`.
    fn local(&mut self, local: &syn::Local) -> Interpreted<()> {
        let Some(init) = &local.init else { return self.bind(&local.pat, Value::Unset) };
        if let (syn::Pat::Type(syn::PatType { ty, .. }), Expr::Call(call)) = (&local.pat, &*init.expr)
            && super::std_functions::is_from_fn(call)
            && let syn::Type::Array(array) = &**ty
            && let Value::Integer(length) = self.expression(&array.len)?
        {
            self.environment.expected_length = length.size();
        }
        let value = self.expression(&init.expr);
        self.environment.expected_length = None;
        self.ensure_reported(&value, &init.expr);
        let value = match value {
            Err(Diverged) => return Err(Diverged),
            // A variable without a value is unknown; its uses report no further error.
            value => value.unwrap_or(Value::Unknown),
        };
        if let Some((_, other)) = &init.diverge {
            match self.test(&local.pat, &value)? {
                Value::Known(true) => {}
                Value::Known(false) => return self.expression(other).map(|_| ()),
                _ => return self.outside(&local.pat, "`let … else` on the state"),
            }
        }
        self.bind(&local.pat, value).or_else(|stop| {
            // Uses of the bindings of a wrong pattern report no further error.
            self.bind(&local.pat, Value::Unknown).and(Err(stop))
        })
    }

    fn inner_item(&mut self, item: &Item) -> Interpreted {
        // Uses of the variable report no further error.
        let name = match item {
            Item::Fn(item) => Some(&item.sig.ident),
            Item::Static(item) => Some(&item.ident),
            _ => None,
        };
        if let Some(name) = name {
            self.environment.declare(name, Value::Unknown);
        }
        self.error_with_help(
            item,
            "items in a function body are not supported",
            "move the item out of the function, into the module",
        )
    }

    /// Evaluates `if`, with or without `else`.
    pub(super) fn condition(&mut self, expr: &syn::ExprIf) -> Interpreted {
        let (holds, bound) = match &*expr.cond {
            Expr::Let(pattern) => {
                let value = self.expression(&pattern.expr)?;
                (self.test(&pattern.pat, &value)?, Some((&*pattern.pat, value)))
            }
            condition => (self.expression(condition)?, None),
        };
        let goes_on = |this: &mut Self| {
            let Some((pattern, value)) = bound else { return this.block(&expr.then_branch) };
            this.scoped(|this| this.bind(pattern, value).and_then(|()| this.block(&expr.then_branch)))
        };
        let otherwise = |this: &mut Self| match &expr.else_branch {
            Some((_, other)) => this.expression(other),
            None => Ok(Value::Unit),
        };
        match holds {
            Value::Known(true) => goes_on(self),
            Value::Known(false) => otherwise(self),
            Value::Bool(condition) => self.branch(&expr.if_token, condition, goes_on, otherwise),
            Value::Unknown => Err(Reported),
            other => self.no_condition(&expr.cond, &other),
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
