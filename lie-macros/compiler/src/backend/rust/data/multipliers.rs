//! Multipliers under the names of their constraints.

use proc_macro2::{Ident, TokenStream};
use quote::quote;

use super::generic::{generics, missing_derives};
use crate::backend::rust::codegen::n;
use crate::backend::rust::codegen::names::scalar_parameter;
use crate::backend::rust::codegen::types::vectors;
use crate::schedule::{Plan, Term};

/// A declared constraint.
pub(crate) struct NamedConstraint<'p> {
    pub name: &'p Ident,
    term: &'p Term,
    /// The index among the constraints of the term.
    at: usize,
}

/// All constraints, term by term.
pub(crate) fn constraints<'p>(plan: &'p Plan<'_>) -> Vec<NamedConstraint<'p>> {
    let of_term = |term: &'p Term| {
        let declared = term.equations.constraints.declared.iter().enumerate();
        declared.map(move |(at, constraint)| NamedConstraint {
            name: &term.model.functions[constraint.function].name,
            term,
            at,
        })
    };
    plan.terms.iter().flat_map(of_term).collect()
}

impl NamedConstraint<'_> {
    fn rows(&self) -> usize {
        self.term.equations.constraints.declared[self.at].rows
    }

    /// Returns the type of one element: a scalar or a vector.
    fn of_one(&self, s: &TokenStream) -> TokenStream {
        match self.rows() {
            1 => s.clone(),
            rows => {
                let rows = n(rows);
                quote!(::lie_runtime::__private::SVector<#s, #rows>)
            }
        }
    }

    /// Returns the type of all multipliers: a list for a constraint over members.
    fn ty(&self, s: &TokenStream) -> TokenStream {
        let one = self.of_one(s);
        if self.term.runs() { quote!(::std::vec::Vec<#one>) } else { one }
    }

    /// Returns the multipliers in the vector of an unrolled system.
    fn of_offset(&self, total: usize) -> TokenStream {
        let offset = n(self.term.equations.constraints.declared[self.at].offset);
        let (total, rows) = (n(total), n(self.rows()));
        match self.rows() {
            1 => quote!(components[#offset]),
            _ => quote!(rt::part::<S, #total, #rows>(components, #offset)),
        }
    }

    /// Returns the multipliers at the position of the layout.
    fn of_layout(&self) -> TokenStream {
        let (number, at, rows) = (n(self.term.number), n(self.at), n(self.rows()));
        let kind = quote!(&self.structure.layout().kinds[#number]);
        let list = quote!(rt::chain_multipliers::<S, #rows>(#kind, #at, components.as_slice()));
        match (self.term.runs(), self.rows()) {
            (true, 1) => quote!(#list.into_iter().map(|one| one[0]).collect()),
            (true, _) => list,
            (false, 1) => quote!(#list[0][0]),
            (false, _) => quote!(#list[0]),
        }
    }
}

/// Emits the struct in the module of the user; nothing without constraints.
pub(crate) fn definition(plan: &Plan<'_>) -> Option<TokenStream> {
    let constraints = constraints(plan);
    if constraints.is_empty() {
        return None;
    }
    let model = plan.model;
    let s = scalar_parameter(model);
    let (visibility, generics) = (&model.configuration.item.vis, generics(&s));
    let derives: &[&str] = if constraints.iter().any(|constraint| constraint.term.runs()) {
        &["Clone", "Debug", "PartialEq"]
    } else {
        &["Clone", "Copy", "Debug", "PartialEq"]
    };
    let derives = missing_derives(&[], derives);
    let fields = constraints.iter().map(|constraint| {
        let (name, ty) = (constraint.name, constraint.ty(&quote!(#s)));
        let doc = format!(" The multipliers of `{name}`.");
        quote!(#[doc = #doc] pub #name: #ty)
    });
    Some(quote! {
        /// The multipliers λ under the names of their constraints; the force of constraints is −Bᵀ λ.
        #[allow(dead_code)]
        #derives
        #visibility struct Multipliers #generics { #(#fields),* }
    })
}

/// Emits the method `multipliers`, and `From` for a fixed number of rows.
pub(crate) fn conversions(plan: &Plan<'_>) -> Option<TokenStream> {
    let constraints = constraints(plan);
    if constraints.is_empty() {
        return None;
    }
    let [_, components] = vectors(plan, &quote!(S));
    let names: Vec<&Ident> = constraints.iter().map(|constraint| constraint.name).collect();
    let total = plan.unrolled().map(|(term, _)| term.equations.constraints.rows());
    let values = constraints.iter().map(|constraint| match total {
        Some(total) => constraint.of_offset(total),
        None => constraint.of_layout(),
    });
    let fields = quote!(Multipliers { #(#names: #values),* });
    let from = total.map(|_| {
        quote! {
            impl<S: Scalar> From<#components> for Multipliers<S> {
                #[inline]
                fn from(components: #components) -> Self {
                    let components = &components;
                    #fields
                }
            }
        }
    });
    let value = if total.is_some() { quote!((*components).into()) } else { fields };
    Some(quote! {
        #from
        impl<S: Scalar> System<S> {
            /// Returns the multipliers under the names of their constraints.
            #[inline]
            pub fn multipliers(&self, components: &#components) -> Multipliers<S> {
                #value
            }
        }
    })
}
