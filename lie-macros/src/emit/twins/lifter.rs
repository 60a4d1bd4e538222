//! A function of real numbers as one of dual numbers: types and numbers are replaced, the rest stays as written.

use proc_macro2::Ident;
use quote::ToTokens;
use syn::visit_mut::{self, VisitMut};
use syn::{Expr, Lit, Path, PathArguments, Type};

use super::name_of;

use crate::model::{Group, Model, path_within};

/// Rewrites a function of real numbers, in canonical form, to one of dual numbers.
pub(super) struct Lifter<'a> {
    model: &'a Model,
}

impl<'a> Lifter<'a> {
    pub fn new(model: &'a Model) -> Self {
        Lifter { model }
    }

    fn is_real_constant(&self, path: &str) -> bool {
        self.model
            .constants
            .iter()
            .any(|constant| constant.path == path && constant.item.ty.to_token_stream().to_string().contains("f64"))
    }

    /// The generic type that a path names a function of.
    fn owner_of(&self, path: &str) -> Option<&'a Ident> {
        let helper = self.model.helpers.iter().find(|helper| helper.path == path)?;
        helper.owner.as_ref().filter(|owner| self.model.is_generic(owner))
    }

    /// True for helpers that are no methods.
    fn is_free_helper(&self, path: &str) -> bool {
        self.model.helpers.iter().any(|helper| helper.path == path && helper.owner.is_none())
    }

    /// What a constant stands for that a module of the declaration has.
    fn constant_of_a_module(&self, path: &str) -> Option<&'a Expr> {
        let mut constants = self.model.constants.iter().filter(|constant| constant.path.contains("::"));
        constants.find(|constant| constant.path == path).map(|constant| &*constant.item.expr)
    }
}

/// A path of the declaration, as the module of twins sees it.
fn from_inside(path: &mut Path) {
    let is_variable = path.segments.len() == 1;
    if let Some(first) = path.segments.first_mut().filter(|first| !is_variable && first.ident == "self") {
        first.ident = Ident::new("super", first.ident.span());
    }
}

/// A type of a library by its absolute path; its arguments stay.
fn absolute(path: &mut Path) {
    let Some(name) = path.segments.first().map(|first| first.ident.clone()) else { return };
    if let Some(place) = crate::parse::place_of(&name.to_string()) {
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
        visit_mut::visit_type_mut(self, ty);
    }

    fn visit_expr_mut(&mut self, expr: &mut Expr) {
        match expr {
            Expr::Lit(literal) if matches!(&literal.lit, Lit::Float(_)) => {
                *expr = syn::parse_quote!(::lie_runtime::__private::dual::<__S>(#literal));
                return;
            }
            Expr::Lit(literal) if matches!(&literal.lit, Lit::Int(value) if value.suffix() == "f64") => {
                *expr = syn::parse_quote!(::lie_runtime::__private::dual::<__S>(#literal));
                return;
            }
            // nalgebra's own ask for a field. By name, for behind a reference method resolution would find those.
            Expr::MethodCall(method)
                if method.args.is_empty()
                    && ["norm", "norm_squared", "normalize"].iter().any(|name| method.method == name) =>
            {
                self.visit_expr_mut(&mut method.receiver);
                let (name, receiver) = (&method.method, &method.receiver);
                *expr = syn::parse_quote!(::lie_runtime::scalar::DualMatrix::#name(#receiver));
                return;
            }
            Expr::Cast(cast) if cast.ty.to_token_stream().to_string() == "f64" => {
                let inner = &cast.expr;
                *expr = syn::parse_quote!(::lie_runtime::__private::dual::<__S>((#inner) as ::core::primitive::f64));
                return;
            }
            Expr::Path(path) if path.qself.is_none() => {
                let names: Vec<String> = path.path.segments.iter().map(|segment| segment.ident.to_string()).collect();
                let names: Vec<&str> = names.iter().map(String::as_str).collect();
                let within = path_within(&path.path);
                if let ["core", "f64", "consts", _] = names.as_slice() {
                    *expr = syn::parse_quote!(::lie_runtime::__private::dual::<__S>(::#path));
                } else if let Some(constant) = within.as_ref().and_then(|within| self.constant_of_a_module(within)) {
                    // It may be private there.
                    *expr = syn::parse_quote!((#constant));
                    self.visit_expr_mut(expr);
                } else if within.as_ref().is_some_and(|within| self.is_real_constant(within)) {
                    from_inside(&mut path.path);
                    *expr = syn::parse_quote!(::lie_runtime::__private::LiftConstant::<__S>::lift(#path));
                } else if let Some(owner) = within.as_ref().and_then(|within| self.owner_of(within)) {
                    let method = path.path.segments.last();
                    *expr = syn::parse_quote!(super::#owner::<::lie_runtime::scalar::Dual<__S>>::#method);
                } else if let Some(within) = within.filter(|within| self.is_free_helper(within)) {
                    *expr = Expr::Path(syn::ExprPath { attrs: vec![], qself: None, path: name_of(&within).into() });
                } else if let ["f64", _] = names.as_slice() {
                    let method = path.path.segments.last();
                    *expr = syn::parse_quote!(::lie_runtime::scalar::Dual::<__S>::#method);
                } else {
                    visit_mut::visit_expr_path_mut(self, path);
                    if names.len() > 1 {
                        absolute(&mut path.path);
                    }
                    from_inside(&mut path.path);
                }
                return;
            }
            _ => {}
        }
        visit_mut::visit_expr_mut(self, expr);
    }
}
