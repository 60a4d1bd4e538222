//! Items of modules and of `impl` blocks in a declaration.

use syn::{Ident, Path};

/// An item and its position.
#[derive(Clone)]
pub(crate) struct Within<T> {
    /// The path of the item in the declaration: `rest_length`, `limits::COUNT`, `Body::weight`.
    pub path: String,
    /// The type of the `impl` block; a method has `self` as an ordinary first argument.
    pub owner: Option<Ident>,
    pub item: T,
}

impl<T> Within<T> {
    /// Creates an item of these modules, the outermost one first.
    pub fn new(modules: &[String], name: &Ident, item: T) -> Self {
        let path = modules.iter().cloned().chain([name.to_string()]).collect::<Vec<_>>().join("::");
        Self { path, owner: None, item }
    }

    /// Creates an item of an `impl` block of the declaration.
    pub fn of_type(owner: &Ident, name: &Ident, item: T) -> Self {
        Self { path: format!("{owner}::{name}"), owner: Some(owner.clone()), item }
    }

    /// The modules that contain the item, the outermost one first.
    pub fn modules(&self) -> Vec<String> {
        let mut names: Vec<String> = self.path.split("::").map(str::to_owned).collect();
        names.truncate(names.len() - if self.owner.is_some() { 2 } else { 1 });
        names
    }
}

/// The path in the declaration for a canonical path; `None` if the item is outside of the declaration.
pub(crate) fn path_within(path: &Path) -> Option<String> {
    if path.leading_colon.is_some() {
        return None;
    }
    let mut names: Vec<String> = path.segments.iter().map(|segment| segment.ident.to_string()).collect();
    match names[0].as_str() {
        "crate" | "super" => return None,
        "self" => drop(names.remove(0)),
        _ => {}
    }
    Some(names.join("::"))
}
