//! Lifetimes of functions with a role.
//!
//! Invariant: no function with a role declares lifetimes. The result borrows nothing, so all lifetimes can be elided.

use syn::visit_mut::{self, VisitMut};
use syn::{GenericArgument, GenericParam, Ident, ItemFn, WherePredicate};

/// Removes the declared lifetimes of a function and their uses.
pub(super) fn elide(function: &mut ItemFn) {
    let generics = &mut function.sig.generics;
    let names: Vec<String> = generics.lifetimes().map(|declared| declared.lifetime.ident.to_string()).collect();
    if names.is_empty() {
        return;
    }
    let is_other = |parameter: &GenericParam| !matches!(parameter, GenericParam::Lifetime(_));
    generics.params = std::mem::take(&mut generics.params).into_iter().filter(is_other).collect();
    if generics.params.is_empty() {
        (generics.lt_token, generics.gt_token) = (None, None);
    }
    if let Some(clause) = &mut generics.where_clause {
        let is_other = |predicate: &WherePredicate| !matches!(predicate, WherePredicate::Lifetime(_));
        clause.predicates = std::mem::take(&mut clause.predicates).into_iter().filter(is_other).collect();
    }
    generics.where_clause = generics.where_clause.take().filter(|clause| !clause.predicates.is_empty());
    Elision(&names).visit_item_fn_mut(function);
}

struct Elision<'a>(&'a [String]);

impl VisitMut for Elision<'_> {
    fn visit_type_reference_mut(&mut self, reference: &mut syn::TypeReference) {
        reference.lifetime = reference.lifetime.take().filter(|used| !self.0.contains(&used.ident.to_string()));
        visit_mut::visit_type_reference_mut(self, reference);
    }

    /// Removes the lifetimes of a path such as `Cow<'a, str>`.
    fn visit_generic_argument_mut(&mut self, argument: &mut GenericArgument) {
        if let GenericArgument::Lifetime(used) = argument
            && self.0.contains(&used.ident.to_string())
        {
            used.ident = Ident::new("_", used.ident.span());
        }
        visit_mut::visit_generic_argument_mut(self, argument);
    }
}
