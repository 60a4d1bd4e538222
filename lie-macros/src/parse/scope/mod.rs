//! What names mean inside of a declaration, as Rust resolves them.
//!
//! Invariant: a name is never taken by its last segment. It is an item of the declaration, an item of a library that is
//! known here, something outside that the macro cannot see, or unknown; only what nothing in the declaration says
//! anything of, a name that comes in by a glob from outside, is taken for the library's, and the compiler is asked
//! whether it is.
//!
//! Canonical paths, which the rest of the compiler reads: types of libraries by their bare names (`Vector3`, `f64`),
//! constants as `core::f64::consts::PI`; items of the declaration as they are, or `self::…` if they are in a module of it
//! or share their name with a type of a library; what cannot be seen by the path that leads to it, which begins with
//! `crate`, `super` or `::`.

mod library;
mod names;
mod rewrite;

use std::cell::RefCell;
use std::collections::BTreeMap;

use proc_macro2::{Ident, Span};
use syn::Item;

use crate::identifier::identifier;
use crate::parse::syntax::items;

use names::{Entry, Import, Names};

pub(in crate::parse) use library::is_known;
pub(crate) use library::{absolute, place_of, standard_constant};
pub(in crate::parse) use rewrite::Rewriter;

/// Longer chains of imports are not followed: they are circles.
const DEPTH: usize = 8;

/// Types and values are named apart.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Space {
    Types,
    Values,
}

struct Module {
    parent: Option<usize>,
    /// From the declaration on, without its own name.
    path: Vec<String>,
    names: Names,
}

/// What a path leads to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Meaning {
    /// The canonical path.
    Library(Vec<String>),
    /// An item of the declaration: its module, its name, and what is named below it.
    Own {
        module: usize,
        name: String,
        below: Vec<String>,
        is_constant: bool,
    },
    Module(usize),
    /// The path to where the macro does not look.
    Outside {
        is_absolute: bool,
        path: Vec<String>,
    },
    /// A bare name that nothing here declares.
    Unknown,
}

/// The modules of a declaration and the names in them.
pub(super) struct Scope {
    modules: Vec<Module>,
    /// What the runtime is called here.
    runtime: String,
    /// Names that were taken for a library's although a glob from outside could bring in others.
    assumed: RefCell<BTreeMap<String, Option<Span>>>,
}

impl Scope {
    /// That of these items; `structs` are further types of the declaration, the generated ones included.
    pub fn of<'a>(items: &[Item], structs: impl IntoIterator<Item = &'a str>, runtime: &str) -> Self {
        let mut scope = Self { modules: vec![], runtime: runtime.to_owned(), assumed: RefCell::default() };
        scope.add_module(None, &[], items);
        for name in structs {
            scope.modules[0].names.types.entry(name.to_owned()).or_insert(Entry::Type(None));
        }
        scope
    }

    fn add_module(&mut self, parent: Option<usize>, path: &[String], items: &[Item]) -> usize {
        let at = self.modules.len();
        self.modules.push(Module { parent, path: path.to_vec(), names: Names::default() });
        for item in items {
            match item {
                Item::Mod(inner) => {
                    let name = inner.ident.to_string();
                    let entry = match &inner.content {
                        Some((_, items)) => {
                            let path = [path, std::slice::from_ref(&name)].concat();
                            Entry::Module(self.add_module(Some(at), &path, items))
                        }
                        // In another file.
                        None => Entry::Import(Import {
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
                    self.modules[at].names.types.insert(name, Entry::Import(import));
                }
                Item::Fn(_) | Item::Static(_) => self.declare(at, item, Space::Values, Entry::Value),
                Item::Const(_) => self.declare(at, item, Space::Values, Entry::Constant),
                Item::Type(alias) => {
                    self.declare(at, item, Space::Types, Entry::Type(Some(Box::new(alias.clone()))));
                }
                _ => self.declare(at, item, Space::Types, Entry::Type(None)),
            }
        }
        at
    }

    fn declare(&mut self, at: usize, item: &Item, space: Space, entry: Entry) {
        if let Some(name) = items::name(item) {
            self.modules[at].names.of_mut(space).insert(name.to_string(), entry);
        }
    }

    /// The number of the module of that path below the declaration.
    pub fn module(&self, path: &[String]) -> usize {
        self.modules.iter().position(|module| module.path == path).unwrap_or(0)
    }

    /// The names that were taken for a library's and that the compiler is to confirm.
    pub fn assumed(&self) -> Vec<Ident> {
        let assumed = self.assumed.borrow();
        assumed.iter().map(|(name, span)| identifier(name, span.unwrap_or_else(Span::call_site))).collect()
    }

    /// Where a name stands, if it is among them.
    fn locate(&self, name: &str, span: Span) {
        if let Some(place) = self.assumed.borrow_mut().get_mut(name) {
            place.get_or_insert(span);
        }
    }

    /// What a path means in the module of that number, inside of blocks with imports of their own.
    fn meaning(&self, at: usize, blocks: &[Names], import: &Import, space: Space, depth: usize) -> Meaning {
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

    /// A path that begins with a crate.
    fn of_crate(&self, path: &[String]) -> Meaning {
        let parts: Vec<&str> = path.iter().map(String::as_str).collect();
        let known = parts.first().is_some_and(|first| library::is_crate(first, &self.runtime));
        match known.then(|| library::canonical(&parts, &self.runtime)).flatten() {
            Some(path) => Meaning::Library(path),
            None => Meaning::Outside { is_absolute: true, path: path.to_vec() },
        }
    }

    /// A bare name that nothing here declares, as the name of a library.
    fn assume(&self, at: usize, blocks: &[Names], name: &str, depth: usize) -> Meaning {
        if !library::is_known(name) {
            return Meaning::Outside { is_absolute: true, path: vec![name.to_owned()] };
        }
        if blocks.iter().chain([&self.modules[at].names]).any(|names| self.is_open(at, names, depth)) {
            self.assumed.borrow_mut().entry(name.to_owned()).or_insert(None);
        }
        Meaning::Library(vec![name.to_owned()])
    }

    /// What `rest` names below something.
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
                        // Nothing that is declared; it may be generated.
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

    /// A bare name: of a block, of the module, of the language.
    fn named(&self, at: usize, blocks: &[Names], name: &str, space: Space, depth: usize) -> Meaning {
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

    /// A name among those that are declared and imported.
    fn in_names(&self, at: usize, names: &Names, name: &str, space: Space, depth: usize) -> Meaning {
        match names.of(space).get(name) {
            Some(Entry::Module(module)) => return Meaning::Module(*module),
            Some(Entry::Import(import)) => return self.meaning(at, &[], import, space, depth),
            Some(entry) => {
                let is_constant = matches!(entry, Entry::Constant);
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

    /// True if a glob brings in names that cannot be seen.
    fn is_open(&self, at: usize, names: &Names, depth: usize) -> bool {
        names.globs.iter().any(|glob| {
            matches!(self.meaning(at, &[], glob, Space::Types, depth), Meaning::Outside { .. } | Meaning::Unknown)
        })
    }

    /// What an alias of the declaration stands for.
    fn alias(&self, module: usize, name: &str) -> Option<&syn::ItemType> {
        match self.modules[module].names.types.get(name) {
            Some(Entry::Type(target)) => target.as_deref(),
            _ => None,
        }
    }
}
