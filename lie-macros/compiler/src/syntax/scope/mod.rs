//! Name resolution in a declaration, by the rules of Rust.
//!
//! Invariant: a name is never resolved by its last segment alone. It is an item of the declaration, an item of a known library, an item
//! outside of the macro's view, or unknown. Only a name from a glob import outside of the declaration is assumed to be the library's name;
//! the compiler then checks this assumption.
//!
//! Later stages read canonical paths:
//! * Library types are single names (`Vector3`, `f64`); constants are `core::f64::consts::PI`.
//! * Items of the declaration are single names, or `self::…` in nested modules and for names of library types.
//! * Other items keep their path, which begins with `crate`, `super` or `::`.

mod library;
mod names;
mod rewrite;

use std::cell::RefCell;
use std::collections::BTreeMap;

use proc_macro2::{Ident, Span};
use syn::Item;

use crate::identifier::identifier;
use crate::syntax::rust::items;

pub(super) use names::Space;
use names::{Import, ModuleNames, NameDeclaration};

pub(in crate::syntax) use library::is_known;
pub(crate) use library::{absolute, standard_constant};
pub(in crate::syntax) use rewrite::Rewriter;

/// Maximum length of a chain of imports; longer chains are cyclic.
const DEPTH: usize = 8;

struct ScopeModule {
    parent: Option<usize>,
    /// The path from the declaration, without its own name.
    path: Vec<String>,
    names: ModuleNames,
}

/// The result of the resolution of a path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Meaning {
    /// The canonical path.
    Library(Vec<String>),
    /// An item of the declaration: its module, its name, and the path below it.
    Own {
        module: usize,
        name: String,
        below: Vec<String>,
        is_constant: bool,
    },
    Module(usize),
    /// A path outside of the macro's view.
    Outside {
        is_absolute: bool,
        path: Vec<String>,
    },
    /// A single name without a declaration.
    Unknown,
}

/// The modules of a declaration and the names in them.
pub(super) struct ModuleScopes {
    modules: Vec<ScopeModule>,
    /// The local name of the runtime.
    runtime: String,
    /// Names that are assumed to be library names although a glob import could provide others.
    assumed: RefCell<BTreeMap<String, Option<Span>>>,
}

impl ModuleScopes {
    /// The scope of these items; `structs` are further types of the declaration, including generated ones.
    pub fn of<'a>(items: &[Item], structs: impl IntoIterator<Item = &'a str>, runtime: &str) -> Self {
        let mut scope = Self { modules: vec![], runtime: runtime.to_owned(), assumed: RefCell::default() };
        scope.add_module(None, &[], items);
        for name in structs {
            scope.modules[0].names.types.entry(name.to_owned()).or_insert(NameDeclaration::Type(None));
        }
        scope
    }

    fn add_module(&mut self, parent: Option<usize>, path: &[String], items: &[Item]) -> usize {
        let at = self.modules.len();
        self.modules.push(ScopeModule { parent, path: path.to_vec(), names: ModuleNames::default() });
        for item in items {
            match item {
                Item::Mod(inner) => {
                    let name = inner.ident.to_string();
                    let entry = match &inner.content {
                        Some((_, items)) => {
                            let path = [path, std::slice::from_ref(&name)].concat();
                            NameDeclaration::Module(self.add_module(Some(at), &path, items))
                        }
                        // A module in another file.
                        None => NameDeclaration::Import(Import {
                            is_absolute: false,
                            path: vec!["crate".into(), "…".into(), name.clone()],
                        }),
                    };
                    self.modules[at].names.types.insert(name, entry);
                }
                Item::Use(import) => self.modules[at].names.import(import),
                Item::ExternCrate(item) => {
                    let name = item.rename.as_ref().map_or(&item.ident, |(_, name)| name).to_string();
                    let import = Import { is_absolute: true, path: vec![item.ident.to_string()] };
                    self.modules[at].names.types.insert(name, NameDeclaration::Import(import));
                }
                Item::Fn(_) | Item::Static(_) => self.declare(at, item, Space::Values, NameDeclaration::Value),
                Item::Const(_) => self.declare(at, item, Space::Values, NameDeclaration::Constant),
                Item::Type(alias) => {
                    self.declare(at, item, Space::Types, NameDeclaration::Type(Some(Box::new(alias.clone()))));
                }
                _ => self.declare(at, item, Space::Types, NameDeclaration::Type(None)),
            }
        }
        at
    }

    fn declare(&mut self, at: usize, item: &Item, space: Space, entry: NameDeclaration) {
        if let Some(name) = items::name(item) {
            self.modules[at].names.of_mut(space).insert(name.to_string(), entry);
        }
    }

    /// The index of a nested module.
    pub fn module(&self, path: &[String]) -> usize {
        self.modules.iter().position(|module| module.path == path).unwrap_or(0)
    }

    /// The assumed library names, which the compiler must confirm.
    pub fn assumed(&self) -> Vec<Ident> {
        let assumed = self.assumed.borrow();
        assumed.iter().map(|(name, span)| identifier(name, span.unwrap_or_else(Span::call_site))).collect()
    }

    /// Stores the position of an assumed name.
    fn locate(&self, name: &str, span: Span) {
        if let Some(place) = self.assumed.borrow_mut().get_mut(name) {
            place.get_or_insert(span);
        }
    }

    /// Resolves a path in a module, inside blocks with their own imports.
    fn meaning(&self, at: usize, blocks: &[ModuleNames], import: &Import, space: Space, depth: usize) -> Meaning {
        let Import { is_absolute, path } = import;
        let outside = || Meaning::Outside { is_absolute: *is_absolute, path: path.clone() };
        let Some((depth, (first, rest))) = depth.checked_sub(1).zip(path.split_first()) else { return outside() };
        if *is_absolute {
            return self.of_crate(path);
        }
        match first.as_str() {
            "self" if rest.is_empty() => Meaning::Module(at),
            "self" => self.below(Meaning::Module(at), rest, space, depth),
            "super" => match self.modules[at].parent {
                Some(parent) if rest.is_empty() => Meaning::Module(parent),
                Some(parent) if rest[0] == "super" => {
                    self.meaning(parent, &[], &Import { is_absolute: false, path: rest.to_vec() }, space, depth)
                }
                Some(parent) => self.below(Meaning::Module(parent), rest, space, depth),
                None => outside(),
            },
            "crate" | "Self" => outside(),
            _ if rest.is_empty() => match self.named(at, blocks, first, space, depth) {
                Meaning::Unknown if space == Space::Types && library::is_type(first) => {
                    self.assume(at, blocks, first, depth)
                }
                meaning => meaning,
            },
            _ => match self.named(at, blocks, first, Space::Types, depth) {
                Meaning::Unknown if library::is_crate(first, &self.runtime) => self.of_crate(path),
                Meaning::Unknown => self.below(self.assume(at, blocks, first, depth), rest, space, depth),
                meaning => self.below(meaning, rest, space, depth),
            },
        }
    }

    /// Resolves a path that begins with a crate.
    fn of_crate(&self, path: &[String]) -> Meaning {
        let parts: Vec<&str> = path.iter().map(String::as_str).collect();
        let known = parts.first().is_some_and(|first| library::is_crate(first, &self.runtime));
        match known.then(|| library::canonical(&parts, &self.runtime)).flatten() {
            Some(path) => Meaning::Library(path),
            None => Meaning::Outside { is_absolute: true, path: path.to_vec() },
        }
    }

    /// Resolves a single name without a declaration as a library name.
    fn assume(&self, at: usize, blocks: &[ModuleNames], name: &str, depth: usize) -> Meaning {
        if !library::is_known(name) {
            return Meaning::Outside { is_absolute: true, path: vec![name.to_owned()] };
        }
        if blocks.iter().chain([&self.modules[at].names]).any(|names| self.is_open(at, names, depth)) {
            self.assumed.borrow_mut().entry(name.to_owned()).or_insert(None);
        }
        Meaning::Library(vec![name.to_owned()])
    }

    /// Resolves `rest` relative to a resolved path.
    fn below(&self, meaning: Meaning, rest: &[String], space: Space, depth: usize) -> Meaning {
        let Some((first, further)) = rest.split_first() else { return meaning };
        let Some(depth) = depth.checked_sub(1) else {
            return Meaning::Outside { is_absolute: true, path: rest.to_vec() };
        };
        match meaning {
            Meaning::Module(at) => {
                let own = if further.is_empty() { space } else { Space::Types };
                let found = self.in_names(at, &self.modules[at].names, first, own, depth);
                let found = match found {
                    Meaning::Unknown => {
                        // No declared item; it can be generated.
                        let path =
                            [&["self".to_owned()], &self.modules[at].path[..], std::slice::from_ref(first)].concat();
                        Meaning::Outside { is_absolute: false, path }
                    }
                    found => found,
                };
                self.below(found, further, space, depth)
            }
            Meaning::Library(path) => {
                let path = [path, rest.to_vec()].concat();
                let parts: Vec<&str> = path.iter().map(String::as_str).collect();
                // Canonical modules begin with the canonical name of the crate.
                match library::canonical(&parts, "lie_runtime") {
                    Some(path) => Meaning::Library(path),
                    None => Meaning::Outside { is_absolute: true, path },
                }
            }
            Meaning::Own { module, name, below, .. } => {
                Meaning::Own { module, name, below: [below, rest.to_vec()].concat(), is_constant: false }
            }
            Meaning::Outside { is_absolute, path } => {
                Meaning::Outside { is_absolute, path: [path, rest.to_vec()].concat() }
            }
            Meaning::Unknown => Meaning::Unknown,
        }
    }

    /// Resolves a single name in blocks, in the module, and in the language.
    fn named(&self, at: usize, blocks: &[ModuleNames], name: &str, space: Space, depth: usize) -> Meaning {
        for names in blocks.iter().rev() {
            let found = self.in_names(at, names, name, space, depth);
            if found != Meaning::Unknown {
                return found;
            }
        }
        let found = self.in_names(at, &self.modules[at].names, name, space, depth);
        if found != Meaning::Unknown || space == Space::Values || !library::is_ambient(name) {
            return found;
        }
        self.assume(at, blocks, name, depth)
    }

    /// Resolves a name among declared and imported names.
    fn in_names(&self, at: usize, names: &ModuleNames, name: &str, space: Space, depth: usize) -> Meaning {
        match names.of(space).get(name) {
            Some(NameDeclaration::Module(module)) => return Meaning::Module(*module),
            Some(NameDeclaration::Import(import)) => return self.meaning(at, &[], import, space, depth),
            Some(entry) => {
                let is_constant = matches!(entry, NameDeclaration::Constant);
                return Meaning::Own { module: at, name: name.to_owned(), below: vec![], is_constant };
            }
            None => {}
        }
        let Some(depth) = depth.checked_sub(1) else { return Meaning::Unknown };
        for glob in &names.globs {
            let found = match self.meaning(at, &[], glob, Space::Types, depth) {
                Meaning::Module(module) if module != at => {
                    self.in_names(module, &self.modules[module].names, name, space, depth)
                }
                Meaning::Library(path) => {
                    let parts: Vec<&str> = path.iter().map(String::as_str).chain([name]).collect();
                    match library::canonical(&parts, "lie_runtime") {
                        Some(path) if library::is_exported(&parts, space) => Meaning::Library(path),
                        _ => Meaning::Unknown,
                    }
                }
                _ => Meaning::Unknown,
            };
            if found != Meaning::Unknown {
                return found;
            }
        }
        Meaning::Unknown
    }

    /// Returns true if a glob import provides unknown names.
    fn is_open(&self, at: usize, names: &ModuleNames, depth: usize) -> bool {
        names.globs.iter().any(|glob| {
            matches!(self.meaning(at, &[], glob, Space::Types, depth), Meaning::Outside { .. } | Meaning::Unknown)
        })
    }

    /// Returns the target of a type alias of the declaration.
    fn alias(&self, module: usize, name: &str) -> Option<&syn::ItemType> {
        match self.modules[module].names.types.get(name) {
            Some(NameDeclaration::Type(target)) => target.as_deref(),
            _ => None,
        }
    }
}
