//! A function of real numbers as one of dual numbers: types and numbers are replaced, the rest stays as written.

use quote::ToTokens;
use syn::visit_mut::{self, VisitMut};
use syn::{Expr, Lit, Type};

use crate::emit::structs::parameters_are_generic;
use crate::model::{Group, Model};

/// Rewrites a function of real numbers to one of dual numbers.
pub(super) struct Lifter<'a> {
    model: &'a Model,
    generic_parameters: bool,
}

impl<'a> Lifter<'a> {
    pub fn new(model: &'a Model) -> Self {
        Lifter { model, generic_parameters: parameters_are_generic(model) }
    }

    fn is_real_constant(&self, name: &syn::Ident) -> bool {
        self.model
            .constants
            .iter()
            .any(|item| item.ident == *name && item.ty.to_token_stream().to_string().contains("f64"))
    }
}

impl VisitMut for Lifter<'_> {
    fn visit_type_mut(&mut self, ty: &mut Type) {
        if let Type::Path(path) = ty
            && let Some(last) = path.path.segments.last_mut()
        {
            let dual: Type = syn::parse_quote!(::lie_runtime::scalar::Dual<S>);
            let name = &last.ident;
            let is_struct = *name == self.model.configuration.item.ident
                || *name == "Velocity"
                || (self.generic_parameters
                    && self.model.parameters.as_ref().is_some_and(|parameters| parameters.item.ident == *name))
                || Group::named(&name.to_string()).is_some();
            if *name == "f64" {
                *ty = dual;
                return;
            }
            if is_struct && last.arguments.is_empty() {
                last.arguments = syn::PathArguments::AngleBracketed(syn::parse_quote!(<#dual>));
                return;
            }
            // `Rn<7>`.
            if *name == "Rn"
                && let syn::PathArguments::AngleBracketed(arguments) = &mut last.arguments
                && arguments.args.len() == 1
            {
                arguments.args.push(syn::GenericArgument::Type(dual));
                return;
            }
        }
        visit_mut::visit_type_mut(self, ty);
    }

    fn visit_expr_mut(&mut self, expr: &mut Expr) {
        match expr {
            Expr::Lit(literal) if matches!(&literal.lit, Lit::Float(_)) => {
                *expr = syn::parse_quote!(::lie_runtime::__private::dual::<S>(#literal));
                return;
            }
            Expr::Lit(literal) if matches!(&literal.lit, Lit::Int(value) if value.suffix() == "f64") => {
                *expr = syn::parse_quote!(::lie_runtime::__private::dual::<S>(#literal));
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
                *expr = syn::parse_quote!(::lie_runtime::__private::dual::<S>((#inner) as ::core::primitive::f64));
                return;
            }
            Expr::Path(path) => {
                let segments: Vec<String> =
                    path.path.segments.iter().map(|segment| segment.ident.to_string()).collect();
                let is_standard = segments.len() > 1 && segments.iter().any(|segment| segment == "consts");
                let is_own = path.path.get_ident().is_some_and(|name| self.is_real_constant(name));
                if is_standard {
                    *expr = syn::parse_quote!(::lie_runtime::__private::dual::<S>(#path));
                } else if is_own {
                    *expr = syn::parse_quote!(::lie_runtime::__private::LiftConstant::<S>::lift(#path));
                } else if let [first, _] = segments.as_slice()
                    && first == "f64"
                {
                    let method = path.path.segments.last();
                    *expr = syn::parse_quote!(::lie_runtime::scalar::Dual::<S>::#method);
                } else {
                    visit_mut::visit_expr_path_mut(self, path);
                }
                return;
            }
            _ => {}
        }
        visit_mut::visit_expr_mut(self, expr);
    }
}
