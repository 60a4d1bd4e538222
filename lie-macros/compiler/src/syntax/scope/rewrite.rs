//! Converts functions, constants and types to canonical form: every path becomes its canonical path.
//!
//! Invariant: names of local variables are unchanged, and source positions are kept.

mod walk;

use std::collections::HashSet;

use proc_macro2::{Ident, Span};
use syn::punctuated::Punctuated;
use syn::spanned::Spanned;
use syn::visit::Visit;
use syn::visit_mut::{self, VisitMut};
use syn::{Expr, ItemFn, Pat, Path, PathArguments, PathSegment, Stmt, Token, Type};

use super::{DEPTH, Import, Meaning, ModuleNames, ModuleScopes, Space, library};
use crate::identifier::identifier;

/// Rewrites the items of one module.
pub(in crate::syntax) struct Rewriter<'a> {
    scope: &'a ModuleScopes,
    module: usize,
    /// The type of `Self`.
    this: Option<Path>,
    /// The imports of enclosing blocks, innermost last.
    blocks: Vec<ModuleNames>,
    /// The constants of enclosing blocks: in patterns their names are values.
    constants: Vec<HashSet<String>>,
    /// The variables of enclosing scopes.
    bound: Vec<HashSet<String>>,
    /// Nesting depth of resolved aliases.
    aliases: usize,
}

impl<'a> Rewriter<'a> {
    pub fn new(scope: &'a ModuleScopes, module: usize) -> Self {
        Self { scope, module, this: None, blocks: vec![], constants: vec![], bound: vec![], aliases: 0 }
    }

    /// A rewriter for an `impl` block of this type.
    pub fn of_type(scope: &'a ModuleScopes, module: usize, this: &Ident) -> Self {
        let mut this = Path::from(this.clone());
        let mut rewriter = Self::new(scope, module);
        rewriter.resolve(&mut this, Space::Types);
        Self { this: Some(this), ..rewriter }
    }

    /// Returns the canonical form of a type.
    pub fn ty(&mut self, ty: &Type) -> Type {
        let mut ty = ty.clone();
        self.visit_type_mut(&mut ty);
        ty
    }

    /// Returns the canonical form of a function.
    pub fn function(&mut self, function: &ItemFn) -> ItemFn {
        let mut function = function.clone();
        self.bound.push(generic_names(&function));
        for input in &mut function.sig.inputs {
            if let syn::FnArg::Typed(typed) = input {
                self.visit_type_mut(&mut typed.ty);
                self.bind(&mut typed.pat);
            }
        }
        self.visit_return_type_mut(&mut function.sig.output);
        self.visit_block_mut(&mut function.block);
        self.bound.pop();
        function
    }

    /// Returns the canonical form of an expression outside of functions.
    pub fn expression(&mut self, expression: &Expr) -> Expr {
        let mut expression = expression.clone();
        self.visit_expr_mut(&mut expression);
        expression
    }

    fn is_bound(&self, name: &str) -> bool {
        self.bound.iter().any(|names| names.contains(name))
    }

    fn bind_name(&mut self, name: &Ident) {
        if let Some(names) = self.bound.last_mut() {
            names.insert(name.to_string());
        }
    }

    /// Binds the variables of a pattern; names of constants in it become paths.
    fn bind(&mut self, pattern: &mut Pat) {
        struct Binder<'b, 'a>(&'b mut Rewriter<'a>);
        impl VisitMut for Binder<'_, '_> {
            fn visit_pat_mut(&mut self, pattern: &mut Pat) {
                if let Pat::Ident(binding) = pattern
                    && binding.subpat.is_none()
                    && binding.by_ref.is_none()
                    && binding.mutability.is_none()
                    && let Some(path) = self.0.constant(&binding.ident)
                {
                    *pattern = Pat::Path(syn::ExprPath { attrs: binding.attrs.clone(), qself: None, path });
                    return;
                }
                match pattern {
                    Pat::Ident(binding) => self.0.bind_name(&binding.ident),
                    Pat::Path(path) if path.qself.is_none() => return self.0.resolve(&mut path.path, Space::Values),
                    _ => {}
                }
                visit_mut::visit_pat_mut(self, pattern);
            }
            fn visit_path_mut(&mut self, path: &mut Path) {
                self.0.visit_path_mut(path);
            }
            fn visit_type_mut(&mut self, ty: &mut Type) {
                self.0.visit_type_mut(ty);
            }
            fn visit_expr_mut(&mut self, expr: &mut Expr) {
                self.0.visit_expr_mut(expr);
            }
        }
        Binder(self).visit_pat_mut(pattern);
    }

    /// Returns the path of a constant for a name in a pattern.
    fn constant(&self, name: &Ident) -> Option<Path> {
        let written = name.to_string();
        if self.constants.iter().any(|names| names.contains(&written)) {
            return Some(Path::from(name.clone()));
        }
        if self.is_bound(&written) {
            return None;
        }
        let meaning = self.meaning(&Path::from(name.clone()), Space::Values);
        let is_constant = match &meaning {
            Meaning::Own { is_constant, .. } => *is_constant,
            // A variable hides a function of the same name.
            Meaning::Library(path) => path.len() > 1 && !written.chars().any(char::is_lowercase),
            // The declaration is not visible; capital letters indicate a constant, as in rustc's lint.
            Meaning::Outside { .. } => !written.chars().any(char::is_lowercase),
            Meaning::Module(_) | Meaning::Unknown => false,
        };
        is_constant.then(|| self.canonical(&meaning, &Path::from(name.clone()))).flatten()
    }

    /// Resolves a path.
    fn meaning(&self, path: &Path, space: Space) -> Meaning {
        let names = path.segments.iter().map(|segment| segment.ident.to_string()).collect();
        let import = Import { is_absolute: path.leading_colon.is_some(), path: names };
        self.scope.meaning(self.module, &self.blocks, &import, space, DEPTH)
    }

    /// Returns the canonical path of a resolved path; `None` if it is unchanged.
    fn canonical(&self, meaning: &Meaning, written: &Path) -> Option<Path> {
        let (is_absolute, names) = match meaning {
            Meaning::Library(path) => (false, path.clone()),
            Meaning::Outside { is_absolute, path } => {
                (*is_absolute && !matches!(path[0].as_str(), "crate" | "self" | "super"), path.clone())
            }
            Meaning::Own { module, name, below, .. } => {
                let is_bare = *module == 0 && (written.segments.len() == 1 || !below.is_empty());
                let mut names = match (is_bare && !library::is_known(name), self.scope.modules.get(*module)) {
                    (false, Some(module)) => [&["self".to_owned()], &module.path[..]].concat(),
                    _ => vec![],
                };
                names.push(name.clone());
                names.extend(below.iter().cloned());
                (false, names)
            }
            Meaning::Module(_) | Meaning::Unknown => return None,
        };
        Some(renamed(written, is_absolute, &names))
    }

    fn resolve(&mut self, path: &mut Path, space: Space) {
        let is_local = |name: &Ident| path.leading_colon.is_none() && self.is_bound(&name.to_string());
        if path.get_ident().is_some_and(is_local) {
            return;
        }
        let Some(first) = path.segments.first().map(|first| first.ident.clone()) else { return };
        if first == "Self" {
            if let Some(this) = &self.this {
                *path = with_head(this, path, 1);
            }
            return;
        }
        let meaning = self.meaning(path, space);
        self.scope.locate(&first.to_string(), first.span());
        // A path `V::new` through an alias becomes a path through its target.
        if let Meaning::Own { module, name, below, .. } = &meaning
            && !below.is_empty()
            && let Some(target) = self.followed(*module, name)
            && let Type::Path(target) = &target
            && target.qself.is_none()
        {
            let count = path.segments.len().saturating_sub(below.len());
            *path = with_head(&target.path, path, count);
            return;
        }
        if let Some(canonical) = self.canonical(&meaning, path) {
            *path = canonical;
        }
    }

    /// Returns the target of an alias of the declaration without parameters, in canonical form.
    fn followed(&mut self, module: usize, name: &str) -> Option<Type> {
        let alias = self.scope.alias(module, name).filter(|alias| alias.generics.params.is_empty())?;
        if self.aliases == DEPTH {
            return None;
        }
        let mut inner = Rewriter { aliases: self.aliases + 1, ..Rewriter::new(self.scope, module) };
        Some(inner.ty(&alias.ty))
    }

    fn block(&mut self, block: &mut syn::Block) {
        let mut names = ModuleNames::default();
        for statement in &block.stmts {
            if let Stmt::Item(syn::Item::Use(import)) = statement {
                names.import(import);
            }
        }
        self.blocks.push(names);
        self.bound.push(HashSet::new());
        self.constants.push(HashSet::new());
        // The imports are resolved now and no longer needed.
        block.stmts.retain(|statement| !matches!(statement, Stmt::Item(syn::Item::Use(_))));
        for statement in &block.stmts {
            if let Stmt::Item(item) = statement
                && let Some(name) = crate::syntax::rust::items::name(item)
            {
                self.bind_name(name);
                if let (syn::Item::Const(_), Some(names)) = (item, self.constants.last_mut()) {
                    names.insert(name.to_string());
                }
            }
        }
        for statement in &mut block.stmts {
            self.visit_stmt_mut(statement);
        }
        self.constants.pop();
        self.bound.pop();
        self.blocks.pop();
    }

    /// Runs `walk` in a new scope.
    fn scoped(&mut self, walk: impl FnOnce(&mut Self)) {
        self.bound.push(HashSet::new());
        walk(self);
        self.bound.pop();
    }
}

/// A path of these names. Generic arguments stay with the last segments.
fn renamed(written: &Path, is_absolute: bool, names: &[String]) -> Path {
    let segments: Vec<&PathSegment> = written.segments.iter().collect();
    let start = written.segments.first().map_or_else(Span::call_site, |first| first.ident.span());
    let list = names.iter().enumerate().map(|(at, name)| {
        let kept = (at + segments.len()).checked_sub(names.len()).map(|at| segments[at]);
        PathSegment {
            ident: identifier(name, kept.map_or(start, |segment| segment.ident.span())),
            arguments: kept.map_or(PathArguments::None, |segment| segment.arguments.clone()),
        }
    });
    Path {
        leading_colon: is_absolute.then(|| Token![::](start)),
        segments: list.collect::<Punctuated<_, Token![::]>>(),
    }
}

/// A path with `head` in place of its first segments.
fn with_head(head: &Path, path: &Path, replaced: usize) -> Path {
    let mut whole = head.clone();
    for segment in &mut whole.segments {
        segment.ident.set_span(path.span());
    }
    whole.segments.extend(path.segments.iter().skip(replaced).cloned());
    whole
}

/// The names of generic parameters, which do not refer to items of the module.
fn generic_names(function: &ItemFn) -> HashSet<String> {
    struct Parameters(HashSet<String>);
    impl Visit<'_> for Parameters {
        fn visit_type_param(&mut self, parameter: &syn::TypeParam) {
            self.0.insert(parameter.ident.to_string());
        }
        fn visit_const_param(&mut self, parameter: &syn::ConstParam) {
            self.0.insert(parameter.ident.to_string());
        }
    }
    let mut parameters = Parameters(HashSet::new());
    parameters.visit_generics(&function.sig.generics);
    parameters.0
}
