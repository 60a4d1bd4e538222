//! Translation of scalar patterns such as `0.0..1.0` to guards, because Rust has no patterns for dual numbers.

use proc_macro2::{Ident, Span};
use quote::format_ident;
use syn::visit::Visit;
use syn::visit_mut::{self, VisitMut};
use syn::{Arm, Expr, Lit, Pat, Path, RangeLimits};

/// The method of dual numbers that tests whether a value is in a range.
pub(super) const WITHIN: &str = "__is_within";

/// Expands `matches!(value, pattern if guard)` to a `match`.
pub(super) fn of_matches(call: &syn::Macro) -> Option<Expr> {
    if call.path.segments.last().is_none_or(|last| last.ident != "matches") {
        return None;
    }
    let (value, pattern, guard) = crate::interp::matched(call)?;
    let guard = guard.map(|guard| quote::quote!(if #guard));
    Some(syn::parse_quote!(match #value { #pattern #guard => true, _ => false }))
}

/// Returns the expression of a scalar constant.
pub(super) type ConstantLookup<'a> = &'a dyn Fn(&Path) -> Option<Expr>;

/// Returns a `match` with guards in place of scalar patterns; `None` for all other expressions.
pub(super) fn guarded(expr: &Expr, reals: ConstantLookup<'_>) -> Option<Expr> {
    match expr {
        Expr::Macro(call) => of_matches(&call.mac).map(|choice| guarded(&choice, reals).unwrap_or(choice)),
        Expr::Match(choice) if choice.arms.iter().any(|arm| has_reals(&arm.pat, reals)) => {
            let mut choice = choice.clone();
            choice.arms = choice.arms.iter().flat_map(|arm| arms(arm, reals)).collect();
            Some(Expr::Match(choice))
        }
        Expr::If(branch) => match &*branch.cond {
            Expr::Let(binding) if has_reals(&binding.pat, reals) => {
                let (pattern, value, then) = (&binding.pat, &binding.expr, &branch.then_branch);
                let otherwise =
                    branch.else_branch.as_ref().map_or_else(|| syn::parse_quote!({}), |(_, other)| other.clone());
                let choice: Expr = syn::parse_quote!(match #value { #pattern => #then, _ => #otherwise });
                guarded(&choice, reals)
            }
            _ => None,
        },
        // One of several conditions.
        Expr::Let(binding) if has_reals(&binding.pat, reals) => {
            let (pattern, value) = (&binding.pat, &binding.expr);
            guarded(&syn::parse_quote!(match #value { #pattern => true, _ => false }), reals)
        }
        _ => None,
    }
}

fn is_real(expr: &Expr) -> bool {
    match expr {
        Expr::Lit(literal) => matches!(literal.lit, Lit::Float(_)),
        Expr::Unary(unary) => is_real(&unary.expr),
        Expr::Path(path) => path.path.segments.iter().any(|segment| segment.ident == "f64"),
        _ => false,
    }
}

/// Returns the bounds of a scalar pattern.
fn bounds(pattern: &Pat, reals: ConstantLookup<'_>) -> Option<Expr> {
    // Constants are replaced by their values.
    let plain = |bound: &Option<Box<Expr>>| match bound.as_deref() {
        Some(Expr::Path(path)) => Some(reals(&path.path).unwrap_or_else(|| Expr::Path(path.clone()))),
        other => other.cloned(),
    };
    let is_some_real = |bound: &Option<Box<Expr>>| match bound.as_deref() {
        Some(Expr::Path(path)) if reals(&path.path).is_some() => true,
        other => other.is_some_and(is_real),
    };
    match pattern {
        Pat::Lit(literal) if is_real(&Expr::Lit(literal.clone())) => Some(syn::parse_quote!(#literal..=#literal)),
        Pat::Range(range) if is_some_real(&range.start) || is_some_real(&range.end) => {
            let (start, end) = (plain(&range.start), plain(&range.end));
            Some(match range.limits {
                RangeLimits::HalfOpen(_) => syn::parse_quote!(#start..#end),
                RangeLimits::Closed(_) => syn::parse_quote!(#start..=#end),
            })
        }
        _ => None,
    }
}

/// Returns the bounds of each alternative, if all of them are scalars.
fn alternatives(pattern: &Pat, reals: ConstantLookup<'_>) -> Option<Vec<Expr>> {
    match pattern {
        Pat::Paren(inner) => alternatives(&inner.pat, reals),
        Pat::Or(either) => either.cases.iter().map(|case| bounds(case, reals)).collect(),
        pattern => bounds(pattern, reals).map(|bounds| vec![bounds]),
    }
}

fn has_reals(pattern: &Pat, reals: ConstantLookup<'_>) -> bool {
    struct Search<'a>(ConstantLookup<'a>, bool);
    impl<'ast> Visit<'ast> for Search<'_> {
        fn visit_pat(&mut self, pattern: &'ast Pat) {
            self.1 |= bounds(pattern, self.0).is_some();
            syn::visit::visit_pat(self, pattern);
        }
    }
    let mut search = Search(reals, false);
    search.visit_pat(pattern);
    search.1
}

/// Returns one arm for each alternative, with a guard for each scalar in it.
fn arms(arm: &Arm, reals: ConstantLookup<'_>) -> Vec<Arm> {
    let alternatives: Vec<Pat> = match &arm.pat {
        Pat::Or(either) if has_reals(&arm.pat, reals) => either.cases.iter().cloned().collect(),
        pattern => vec![pattern.clone()],
    };
    let guarded = alternatives.into_iter().map(|mut pattern| {
        let mut guards = Guards { reals, found: Vec::new() };
        guards.visit_pat_mut(&mut pattern);
        let mut conditions = guards.found;
        conditions.extend(arm.guard.as_ref().map(|(_, guard)| (**guard).clone()));
        let all = conditions.into_iter().reduce(|all, next| syn::parse_quote!(#all && (#next)));
        Arm { pat: pattern, guard: all.map(|all| (syn::token::If::default(), Box::new(all))), ..arm.clone() }
    });
    guarded.collect()
}

/// Moves scalars from a pattern to guards.
struct Guards<'a> {
    reals: ConstantLookup<'a>,
    found: Vec<Expr>,
}

impl Guards<'_> {
    fn compare(&mut self, name: &Ident, alternatives: &[Expr]) {
        let method = Ident::new(WITHIN, Span::call_site());
        self.found.push(syn::parse_quote!((#(#name.#method(#alternatives))||*)));
    }
}

impl VisitMut for Guards<'_> {
    fn visit_pat_mut(&mut self, pattern: &mut Pat) {
        if let Pat::Ident(binding) = pattern
            && let Some(bounds) = binding.subpat.as_ref().and_then(|(_, inner)| alternatives(inner, self.reals))
        {
            binding.subpat = None;
            let name = binding.ident.clone();
            return self.compare(&name, &bounds);
        }
        if let Some(bounds) = alternatives(pattern, self.reals) {
            let name = format_ident!("__real_{}", self.found.len());
            self.compare(&name, &bounds);
            *pattern = syn::parse_quote!(#name);
            return;
        }
        visit_mut::visit_pat_mut(self, pattern);
    }
}
