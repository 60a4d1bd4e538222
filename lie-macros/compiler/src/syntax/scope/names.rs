//! The names that a module declares or imports.

use std::collections::BTreeMap;

use syn::{ItemUse, UseTree};

/// Types and values have separate namespaces.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(in crate::syntax) enum Space {
    Types,
    Values,
}

/// A path in a `use`.
#[derive(Clone)]
pub(super) struct Import {
    pub is_absolute: bool,
    pub path: Vec<String>,
}

/// The declaration of a name.
#[derive(Clone)]
pub(super) enum NameDeclaration {
    Module(usize),
    /// A type; for an alias, its target.
    Type(Option<Box<syn::ItemType>>),
    Constant,
    Value,
    Import(Import),
}

/// The names of a module, or the imports of a block.
#[derive(Default)]
pub(super) struct ModuleNames {
    pub types: BTreeMap<String, NameDeclaration>,
    pub values: BTreeMap<String, NameDeclaration>,
    pub globs: Vec<Import>,
}

impl ModuleNames {
    pub fn of(&self, space: Space) -> &BTreeMap<String, NameDeclaration> {
        match space {
            Space::Types => &self.types,
            Space::Values => &self.values,
        }
    }

    pub fn of_mut(&mut self, space: Space) -> &mut BTreeMap<String, NameDeclaration> {
        match space {
            Space::Types => &mut self.types,
            Space::Values => &mut self.values,
        }
    }

    /// Adds the names of an import.
    pub fn import(&mut self, item: &ItemUse) {
        self.import_tree(item.leading_colon.is_some(), vec![], &item.tree);
    }

    fn import_tree(&mut self, is_absolute: bool, mut path: Vec<String>, tree: &UseTree) {
        match tree {
            UseTree::Path(inner) => {
                path.push(inner.ident.to_string());
                self.import_tree(is_absolute, path, &inner.tree);
            }
            UseTree::Group(group) => {
                for tree in &group.items {
                    self.import_tree(is_absolute, path.clone(), tree);
                }
            }
            UseTree::Name(name) => {
                let name = name.ident.to_string();
                if name == "self" {
                    let Some(last) = path.last().cloned() else { return };
                    // `use a::b::{self}` imports a module or a type, never a value.
                    self.types.entry(last).or_insert(NameDeclaration::Import(Import { is_absolute, path }));
                    return;
                }
                path.push(name.clone());
                self.bring_in(name, Import { is_absolute, path });
            }
            UseTree::Rename(rename) => {
                let name = rename.rename.to_string();
                if rename.ident != "self" {
                    path.push(rename.ident.to_string());
                }
                self.bring_in(name, Import { is_absolute, path });
            }
            UseTree::Glob(_) => self.globs.push(Import { is_absolute, path }),
        }
    }

    fn bring_in(&mut self, name: String, import: Import) {
        self.types.entry(name.clone()).or_insert(NameDeclaration::Import(import.clone()));
        self.values.entry(name).or_insert(NameDeclaration::Import(import));
    }
}
