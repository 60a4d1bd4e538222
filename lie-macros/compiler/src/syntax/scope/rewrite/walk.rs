//! Traversal of functions and types: bindings and paths.

use proc_macro2::{Group, Span, TokenStream, TokenTree};
use quote::ToTokens;
use syn::spanned::Spanned;
use syn::visit_mut::{self, VisitMut};
use syn::{Expr, Pat, Path, Type};

use super::Rewriter;
use crate::syntax::scope::{Meaning, Space};

impl VisitMut for Rewriter<'_> {
    fn visit_block_mut(&mut self, block: &mut syn::Block) {
        self.block(block);
    }

    fn visit_local_mut(&mut self, local: &mut syn::Local) {
        if let Some(init) = &mut local.init {
            self.visit_local_init_mut(init);
        }
        self.bind(&mut local.pat);
    }

    fn visit_expr_mut(&mut self, expr: &mut Expr) {
        match expr {
            Expr::Closure(closure) => self.scoped(|this| {
                for input in &mut closure.inputs {
                    this.bind(input);
                }
                this.visit_return_type_mut(&mut closure.output);
                this.visit_expr_mut(&mut closure.body);
            }),
            Expr::ForLoop(each) => {
                self.visit_expr_mut(&mut each.expr);
                self.scoped(|this| {
                    this.bind(&mut each.pat);
                    this.visit_block_mut(&mut each.body);
                });
            }
            Expr::If(branch) => {
                self.scoped(|this| {
                    this.visit_expr_mut(&mut branch.cond);
                    this.visit_block_mut(&mut branch.then_branch);
                });
                if let Some((_, other)) = &mut branch.else_branch {
                    self.visit_expr_mut(other);
                }
            }
            Expr::While(repeated) => self.scoped(|this| {
                this.visit_expr_mut(&mut repeated.cond);
                this.visit_block_mut(&mut repeated.body);
            }),
            Expr::Let(binding) => {
                self.visit_expr_mut(&mut binding.expr);
                self.bind(&mut binding.pat);
            }
            Expr::Match(choice) => {
                self.visit_expr_mut(&mut choice.expr);
                for arm in &mut choice.arms {
                    self.scoped(|this| {
                        this.bind(&mut arm.pat);
                        visit_mut::visit_arm_mut(&mut Unpatterned(this), arm);
                    });
                }
            }
            Expr::Path(path) => {
                if path.qself.is_none() {
                    for segment in &mut path.path.segments {
                        self.visit_path_arguments_mut(&mut segment.arguments);
                    }
                    self.resolve(&mut path.path, Space::Values);
                }
            }
            Expr::Struct(literal) => {
                self.resolve(&mut literal.path, Space::Types);
                for field in &mut literal.fields {
                    self.visit_expr_mut(&mut field.expr);
                }
                if let Some(rest) = &mut literal.rest {
                    self.visit_expr_mut(rest);
                }
            }
            _ => visit_mut::visit_expr_mut(self, expr),
        }
    }

    fn visit_path_mut(&mut self, path: &mut Path) {
        for segment in &mut path.segments {
            self.visit_path_arguments_mut(&mut segment.arguments);
        }
        self.resolve(path, Space::Types);
    }

    fn visit_type_mut(&mut self, ty: &mut Type) {
        if let Type::Path(path) = ty
            && path.qself.is_none()
        {
            for segment in &mut path.path.segments {
                self.visit_path_arguments_mut(&mut segment.arguments);
            }
            if let Meaning::Own { module, name, below, .. } = &self.meaning(&path.path, Space::Types)
                && below.is_empty()
                && let Some(mut target) = self.followed(*module, name)
            {
                // Errors of the target are reported at the alias.
                if let Ok(here) = syn::parse2(spanned(target.to_token_stream(), ty.span())) {
                    target = here;
                }
                *ty = target;
                return;
            }
            self.resolve(&mut path.path, Space::Types);
            return;
        }
        visit_mut::visit_type_mut(self, ty);
    }

    /// A named dimension among generic arguments has the syntax of a type.
    fn visit_generic_argument_mut(&mut self, argument: &mut syn::GenericArgument) {
        if let syn::GenericArgument::Type(Type::Path(path)) = argument
            && path.qself.is_none()
            && matches!(self.meaning(&path.path, Space::Types), Meaning::Unknown | Meaning::Outside { .. })
            && let value @ (Meaning::Own { .. } | Meaning::Library(_)) = self.meaning(&path.path, Space::Values)
        {
            if let Some(canonical) = self.canonical(&value, &path.path) {
                path.path = canonical;
            }
            return;
        }
        visit_mut::visit_generic_argument_mut(self, argument);
    }

    /// Macros with lists of expressions are traversed, others are not.
    fn visit_macro_mut(&mut self, call: &mut syn::Macro) {
        if let Some(mut rows) = crate::syntax::rust::lists::rows(call) {
            rows.iter_mut().flat_map(|row| &mut row.0).for_each(|entry| self.visit_expr_mut(entry));
            call.tokens = quote::quote!(#rows);
        }
    }
    // Attributes are unchanged.
    fn visit_attribute_mut(&mut self, _: &mut syn::Attribute) {}
    // Items in bodies have their own scopes; constants are evaluated by the interpreter.
    fn visit_item_mut(&mut self, item: &mut syn::Item) {
        if let syn::Item::Const(item) = item {
            self.visit_type_mut(&mut item.ty);
            self.visit_expr_mut(&mut item.expr);
        }
    }
}

/// Sets the span of all tokens.
fn spanned(tokens: TokenStream, span: Span) -> TokenStream {
    let each = tokens.into_iter().map(|mut token| {
        if let TokenTree::Group(group) = &token {
            token = TokenTree::Group(Group::new(group.delimiter(), spanned(group.stream(), span)));
        }
        token.set_span(span);
        token
    });
    each.collect()
}

/// A match arm without its pattern, which is already bound.
struct Unpatterned<'b, 'a>(&'b mut Rewriter<'a>);

impl VisitMut for Unpatterned<'_, '_> {
    fn visit_pat_mut(&mut self, _: &mut Pat) {}
    fn visit_expr_mut(&mut self, expr: &mut Expr) {
        self.0.visit_expr_mut(expr);
    }
}
