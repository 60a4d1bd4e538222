//! Inference of `usize` for integers that are used as indices.

use syn::Expr;
use syn::visit::{self, Visit};

use super::Value;
use super::integers::IntegerKind;

/// A search for indices that contain a variable as a term; the variable is then a `usize`.
pub(super) struct Indices<'a> {
    name: &'a syn::Ident,
    pub found: bool,
}

impl<'a> Indices<'a> {
    /// Creates a search for the variable `name`.
    pub fn of(name: &'a syn::Ident) -> Self {
        Indices { name, found: false }
    }

    /// Searches statements, up to a declaration of another variable with the same name.
    pub fn statements(&mut self, statements: &[syn::Stmt]) {
        for statement in statements {
            self.visit_stmt(statement);
            if matches!(statement, syn::Stmt::Local(local) if self.is_hidden_by(&local.pat)) {
                return;
            }
        }
    }

    /// Returns true if the pattern binds another variable to the name.
    fn is_hidden_by(&self, pattern: &syn::Pat) -> bool {
        struct Binding<'n>(&'n syn::Ident, bool);
        impl<'ast> Visit<'ast> for Binding<'_> {
            fn visit_pat_ident(&mut self, pattern: &'ast syn::PatIdent) {
                self.1 |= pattern.ident == *self.0;
                visit::visit_pat_ident(self, pattern);
            }
        }
        let mut binding = Binding(self.name, false);
        binding.visit_pat(pattern);
        binding.1
    }
}

impl<'ast> Visit<'ast> for Indices<'_> {
    fn visit_expr_index(&mut self, index: &'ast syn::ExprIndex) {
        self.found |= is_term(&index.index, self.name);
        visit::visit_expr_index(self, index);
    }
    fn visit_block(&mut self, block: &'ast syn::Block) {
        self.statements(&block.stmts);
    }
    fn visit_expr_closure(&mut self, closure: &'ast syn::ExprClosure) {
        if !closure.inputs.iter().any(|pattern| self.is_hidden_by(pattern)) {
            visit::visit_expr_closure(self, closure);
        }
    }
    fn visit_expr_for_loop(&mut self, expr: &'ast syn::ExprForLoop) {
        self.visit_expr(&expr.expr);
        if !self.is_hidden_by(&expr.pat) {
            self.visit_block(&expr.body);
        }
    }
    fn visit_arm(&mut self, arm: &'ast syn::Arm) {
        if !self.is_hidden_by(&arm.pat) {
            visit::visit_arm(self, arm);
        }
    }
}

/// Returns the integer, as a `usize` if its type is not inferred yet and `uses` finds it in an index.
pub(super) fn indexing(value: Value, pattern: &syn::Pat, uses: impl FnOnce(&mut Indices<'_>)) -> Value {
    match (value, pattern) {
        (Value::Integer(integer), syn::Pat::Ident(name)) if integer.kind.is_none() => {
            let mut indices = Indices::of(&name.ident);
            uses(&mut indices);
            Value::Integer(if indices.found { integer.of(IntegerKind::USIZE) } else { integer })
        }
        (value, _) => value,
    }
}

/// Returns true if `name` occurs in `index` with the type of the index: not in a cast and not in a call.
fn is_term(index: &Expr, name: &syn::Ident) -> bool {
    match index {
        Expr::Path(path) => path.path.is_ident(name),
        Expr::Paren(inner) => is_term(&inner.expr, name),
        Expr::Binary(binary) => is_term(&binary.left, name) || is_term(&binary.right, name),
        Expr::Tuple(pair) => pair.elems.iter().any(|part| is_term(part, name)),
        _ => false,
    }
}
