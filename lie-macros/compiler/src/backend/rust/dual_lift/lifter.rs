//! Translation of a function of scalars to dual numbers: types and literals are replaced.

use std::collections::HashSet;

use proc_macro2::{Ident, TokenStream};
use quote::{ToTokens, format_ident};
use syn::visit_mut::{self, VisitMut};
use syn::{Expr, ExprCast, ExprPath, Item, ItemFn, Lit, Path, PathArguments, Stmt, Type};

use super::patterns;
use crate::expr::Function;
use crate::interp::{assigns, is_assertion};
use crate::model::{Group, Model, path_within};

/// Methods of nalgebra and of the standard library with a dual-number version in the runtime, by number of arguments. They are renamed:
/// method resolution on a reference would find the original methods first.
const RENAMED: &[(&str, usize)] = &[
    ("norm", 0),
    ("norm_squared", 0),
    ("magnitude", 0),
    ("magnitude_squared", 0),
    ("normalize", 0),
    ("normalize_mut", 0),
    ("metric_distance", 1),
    ("scale", 1),
    ("unscale", 1),
    ("determinant", 0),
    ("try_inverse", 0),
    ("symmetric_part", 0),
    ("cross_matrix", 0),
    ("abs", 0),
    ("mean", 0),
    ("min", 0),
    ("max", 0),
    ("amin", 0),
    ("amax", 0),
];

/// Rewrites a function in canonical form from scalars to dual numbers.
pub(super) struct Lifter<'a> {
    model: &'a Model,
    /// The structs with a copy on dual numbers.
    structs: &'a [&'a Ident],
    /// The scalar constants of the enclosing blocks, innermost last.
    constants: Vec<Vec<(String, Expr)>>,
    /// The names of all variables so far. A name that is also the name of a helper is resolved as in Rust.
    variables: HashSet<String>,
}

impl<'a> Lifter<'a> {
    pub fn new(model: &'a Model, structs: &'a [&'a Ident]) -> Self {
        Lifter { model, structs, constants: vec![], variables: HashSet::new() }
    }

    /// Returns true for types that contain scalars.
    fn is_real(&self, ty: &Type) -> bool {
        self.model.holds_reals(ty.to_token_stream(), self.structs)
    }

    fn is_copied(&self, name: &Ident) -> bool {
        self.structs.contains(&name)
    }

    /// Returns the copied struct of a path.
    fn copied(&self, path: &Path) -> Option<Ident> {
        let within = path_within(path)?;
        self.structs.iter().find(|name| ***name == *within).map(|name| (*name).clone())
    }

    fn helper(&self, path: &str) -> Option<&'a crate::model::Within<ItemFn>> {
        self.model.helpers.iter().find(|helper| helper.path == path)
    }

    /// Returns the replacement of a constant: a scalar by its expression, another constant by a typed constant, because it may be
    /// private in its module. Other constants of the declaration's own module are visible and need no replacement.
    fn constant(&mut self, path: &str) -> Option<Expr> {
        let of_block = self.constants.iter().rev().flatten().find(|(name, _)| name == path);
        if let Some((_, value)) = of_block {
            return Some(syn::parse_quote!((#value)));
        }
        let constant = self.model.constants.iter().find(|constant| constant.path == path)?;
        let (name, ty, value) = (&constant.item.ident, &constant.item.ty, &constant.item.expr);
        if self.is_real(ty) {
            Some(syn::parse_quote!((#value)))
        } else {
            path.contains("::").then(|| syn::parse_quote!({ const #name: #ty = #value; #name }))
        }
    }

    /// Returns the expression of a scalar constant.
    fn real_constant(&self, path: &Path) -> Option<Expr> {
        let path = path_within(path)?;
        let of_block = self.constants.iter().rev().flatten().find(|(name, _)| *name == path).map(|(_, value)| value);
        let of_module = || self.model.constants.iter().find(|constant| constant.path == path);
        let value = match of_block {
            Some(value) => value,
            None => {
                of_module().filter(|constant| self.is_real(&constant.item.ty)).map(|constant| &*constant.item.expr)?
            }
        };
        Some(syn::parse_quote!((#value)))
    }

    /// Rewrites the path of a function or a value.
    fn path(&mut self, path: &mut ExprPath) -> Option<Expr> {
        let names: Vec<String> = path.path.segments.iter().map(|segment| segment.ident.to_string()).collect();
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        if let ["core", "f64", "consts", _] = names.as_slice() {
            return Some(syn::parse_quote!(::lie_runtime::__private::dual::<__S>(::#path)));
        }
        let within = path_within(&path.path);
        if let Some(mut constant) = within.as_ref().and_then(|within| self.constant(within)) {
            // Names in the expression are canonical as well.
            self.visit_expr_mut(&mut constant);
            return Some(constant);
        }
        match within.as_ref().and_then(|within| self.helper(within)) {
            Some(helper) if let Some(owner) = &helper.owner => {
                let method = path.path.segments.last();
                if self.is_copied(owner) {
                    return Some(syn::parse_quote!(#owner::<__S>::#method));
                }
                if self.model.is_generic(owner) {
                    return Some(syn::parse_quote!(super::#owner::<::lie_runtime::scalar::Dual<__S>>::#method));
                }
            }
            Some(helper) if !self.variables.contains(&helper.path) => return Some(self.dual_function(helper, path)),
            Some(_) => return None,
            None => {}
        }
        if let ["f64", name] = names.as_slice() {
            let function = path.path.segments.last();
            return Some(if name.starts_with(char::is_uppercase) {
                syn::parse_quote!(::lie_runtime::__private::dual::<__S>(::core::primitive::f64::#function))
            } else {
                syn::parse_quote!(::lie_runtime::scalar::Dual::<__S>::#function)
            });
        }
        for segment in &mut path.path.segments {
            self.visit_path_arguments_mut(&mut segment.arguments);
        }
        if let Some(own) = self.copied(&path.path) {
            path.path = own.into();
            return None;
        }
        if names.len() > 1 {
            absolute(&mut path.path);
        }
        from_inside(&mut path.path);
        None
    }

    /// Returns the dual-number version of a helper, with all type arguments: they cannot be inferred elsewhere.
    fn dual_function(&mut self, helper: &crate::model::Within<ItemFn>, path: &mut ExprPath) -> Expr {
        let name = name_of(&helper.path);
        let given = path.path.segments.last_mut().map(|last| &mut last.arguments);
        let mut arguments: Vec<TokenStream> = match given {
            Some(arguments @ PathArguments::AngleBracketed(_)) => {
                self.visit_path_arguments_mut(arguments);
                match arguments {
                    PathArguments::AngleBracketed(list) => list.args.iter().map(ToTokens::to_token_stream).collect(),
                    _ => vec![],
                }
            }
            _ => vec![],
        };
        let is_type = |parameter: &&syn::GenericParam| !matches!(parameter, syn::GenericParam::Lifetime(_));
        let count = helper.item.sig.generics.params.iter().filter(is_type).count();
        arguments.resize(count, quote::quote!(_));
        syn::parse_quote!(#name::<#(#arguments,)* __S>)
    }

    /// Rewrites a cast to a dual number, or a cast of a constant to an integer.
    fn cast(&mut self, cast: &mut ExprCast) -> Option<Expr> {
        let ty = cast.ty.to_token_stream().to_string();
        let may_be_real = may_be_real(&cast.expr);
        self.visit_expr_mut(&mut cast.expr);
        let (inner, to) = (&cast.expr, &cast.ty);
        if ty == "f64" {
            return Some(syn::parse_quote!(::lie_runtime::__private::as_dual::<__S, _>(&(#inner))));
        }
        may_be_real.then(|| syn::parse_quote!((::lie_runtime::__private::as_plain(&(#inner)) as #to)))
    }
}

/// Returns true if the form of an expression can be a scalar. The type of an integer literal follows from the cast.
fn may_be_real(expr: &Expr) -> bool {
    struct Search(bool);
    impl<'ast> syn::visit::Visit<'ast> for Search {
        fn visit_lit_float(&mut self, _: &'ast syn::LitFloat) {
            self.0 = true;
        }
        fn visit_expr_method_call(&mut self, call: &'ast syn::ExprMethodCall) {
            self.0 |= Function::named(&call.method.to_string()).is_some();
            syn::visit::visit_expr_method_call(self, call);
        }
        fn visit_expr_path(&mut self, path: &'ast ExprPath) {
            // A variable or a constant.
            self.0 |= path.path.segments.len() == 1 || path.path.segments.iter().any(|segment| segment.ident == "f64");
        }
    }
    let mut search = Search(false);
    syn::visit::Visit::visit_expr(&mut search, expr);
    search.0
}

/// Rewrites a path of the declaration for the module of dual-number functions.
fn from_inside(path: &mut Path) {
    let is_variable = path.segments.len() == 1;
    if let Some(first) = path.segments.first_mut().filter(|first| !is_variable && first.ident == "self") {
        first.ident = Ident::new("super", first.ident.span());
    }
}

/// Replaces a library type by its absolute path, and keeps its arguments.
fn absolute(path: &mut Path) {
    let Some(name) = path.segments.first().map(|first| first.ident.clone()) else { return };
    if let Some(place) = crate::syntax::place_of(&name.to_string()) {
        let rest = std::mem::take(&mut path.segments);
        *path = syn::parse_quote!(#place::#rest);
    }
}

impl VisitMut for Lifter<'_> {
    fn visit_type_mut(&mut self, ty: &mut Type) {
        if let Type::Path(path) = ty
            && path.qself.is_none()
            && let Some(last) = path.path.segments.last().map(|last| last.ident.clone())
        {
            if let Some(own) = self.copied(&path.path) {
                *ty = syn::parse_quote!(#own<__S>);
                return;
            }
            let dual: Type = syn::parse_quote!(::lie_runtime::scalar::Dual<__S>);
            let is_library = path.path.segments.len() == 1 && !self.model.is_generic(&last);
            if is_library && last == "f64" {
                *ty = dual;
                return;
            }
            let is_group = is_library && Group::named(&last.to_string()).is_some();
            for segment in &mut path.path.segments {
                self.visit_path_arguments_mut(&mut segment.arguments);
            }
            if let Some(segment) = path.path.segments.last_mut() {
                let argument = syn::GenericArgument::Type(dual.clone());
                match &mut segment.arguments {
                    arguments @ PathArguments::None if is_group || self.model.is_generic(&last) => {
                        *arguments = PathArguments::AngleBracketed(syn::parse_quote!(<#argument>));
                    }
                    // `Rn<7>`.
                    PathArguments::AngleBracketed(arguments)
                        if is_library && last == "Rn" && arguments.args.len() == 1 =>
                    {
                        arguments.args.push(argument);
                    }
                    _ => {}
                }
            }
            if is_library {
                absolute(&mut path.path);
            } else {
                from_inside(&mut path.path);
            }
            return;
        }
        match ty {
            Type::Array(array) => {
                self.visit_type_mut(&mut array.elem);
                Placed.visit_expr_mut(&mut array.len);
            }
            _ => visit_mut::visit_type_mut(self, ty),
        }
    }

    /// Rewrites the paths of patterns and of structs.
    fn visit_path_mut(&mut self, path: &mut Path) {
        visit_mut::visit_path_mut(self, path);
        match self.copied(path) {
            Some(own) => *path = own.into(),
            None => from_inside(path),
        }
    }

    /// Replaces scalar constants at their uses, because items cannot have the scalar type, and removes assertions.
    fn visit_block_mut(&mut self, block: &mut syn::Block) {
        let mut own = Vec::new();
        for mut statement in std::mem::take(&mut block.stmts) {
            match &mut statement {
                Stmt::Item(Item::Const(item)) if self.is_real(&item.ty) => {
                    own.push((item.ident.to_string(), (*item.expr).clone()));
                    continue;
                }
                Stmt::Macro(call) if is_assertion(&call.mac) => continue,
                Stmt::Macro(call) => {
                    if let Some(choice) = patterns::of_matches(&call.mac) {
                        statement = Stmt::Expr(choice, call.semi_token);
                    }
                }
                _ => {}
            }
            block.stmts.push(statement);
        }
        self.constants.push(own);
        visit_mut::visit_block_mut(self, block);
        self.constants.pop();
    }

    fn visit_pat_ident_mut(&mut self, binding: &mut syn::PatIdent) {
        self.variables.insert(binding.ident.to_string());
        visit_mut::visit_pat_ident_mut(self, binding);
    }

    fn visit_item_mut(&mut self, item: &mut Item) {
        Placed.visit_item_mut(item);
    }

    fn visit_macro_mut(&mut self, call: &mut syn::Macro) {
        if let Some(mut rows) = crate::syntax::rows(call) {
            rows.iter_mut().flat_map(|row| &mut row.0).for_each(|entry| self.visit_expr_mut(entry));
            call.tokens = rows.to_token_stream();
        }
    }

    fn visit_expr_mut(&mut self, expr: &mut Expr) {
        if let Some(plain) = patterns::guarded(expr, &|path| self.real_constant(path)) {
            *expr = plain;
        }
        let replaced = match expr {
            Expr::Lit(literal) if matches!(&literal.lit, Lit::Float(_)) => {
                Some(syn::parse_quote!(::lie_runtime::__private::dual::<__S>(#literal)))
            }
            Expr::Lit(literal) if matches!(&literal.lit, Lit::Int(value) if value.suffix() == "f64") => {
                Some(syn::parse_quote!(::lie_runtime::__private::dual::<__S>(#literal)))
            }
            // The bounds are compared without derivatives.
            Expr::MethodCall(call) if call.method == patterns::WITHIN => {
                for argument in &mut call.args {
                    Placed.visit_expr_mut(argument);
                }
                return;
            }
            Expr::MethodCall(call) => {
                if RENAMED.iter().any(|(name, count)| call.method == name && call.args.len() == *count) {
                    call.method = format_ident!("__{}", call.method);
                }
                None
            }
            // The right side is evaluated first, as for `f64`.
            Expr::Binary(change) if assigns(&change.op) => {
                let (place, operator, value) = (&change.left, &change.op, &change.right);
                *expr = syn::parse_quote!(match #value { __value => #place #operator __value });
                if let Expr::Match(choice) = expr {
                    self.visit_expr_mut(&mut choice.expr);
                    for arm in &mut choice.arms {
                        visit_mut::visit_expr_mut(self, &mut arm.body);
                    }
                }
                return;
            }
            Expr::Macro(call) if is_assertion(&call.mac) => Some(syn::parse_quote!(())),
            Expr::Cast(cast) => {
                if let Some(cast) = self.cast(cast) {
                    *expr = cast;
                }
                return;
            }
            Expr::Repeat(repeat) => {
                self.visit_expr_mut(&mut repeat.expr);
                Placed.visit_expr_mut(&mut repeat.len);
                return;
            }
            Expr::Path(path) if path.qself.is_none() => {
                if let Some(meant) = self.path(path) {
                    *expr = meant;
                }
                return;
            }
            _ => None,
        };
        match replaced {
            Some(replaced) => *expr = replaced,
            None => visit_mut::visit_expr_mut(self, expr),
        }
    }
}

/// Rewrites items that do not depend on the scalar type for the module of dual-number functions: lengths and non-scalar constants.
struct Placed;

impl VisitMut for Placed {
    fn visit_path_mut(&mut self, path: &mut Path) {
        visit_mut::visit_path_mut(self, path);
        from_inside(path);
    }
}

/// Returns the name of the dual-number version of the function at `path`.
pub(super) fn name_of(path: &str) -> Ident {
    format_ident!("{}", path.replace("::", "__"))
}
