//! Checks for duplicate names.

use std::collections::BTreeMap;

use proc_macro2::Ident;
use syn::{Item, UseTree};

use super::collect::Declaration;
use super::reserved::{GENERATED_TYPES, rate};
use crate::diagnostics::ErrorCollector;
use crate::syntax::role::Keyword;
use crate::syntax::rust::items;

/// Reports duplicate names of types, functions and constants, including the names of generated items.
pub(in crate::syntax) fn ensure_distinct(declaration: &Declaration, sink: &mut ErrorCollector) {
    let twice = |sink: &mut ErrorCollector, name: &Ident, first: &Ident, other: &str| {
        let (message, help) =
            (format_args!("`{name}` is declared twice"), format_args!("rename the second: `{other}`"));
        sink.error_with_note(name, message, help, (first, format_args!("`{name}` is first declared here")));
    };
    let mut types: Vec<&Ident> = Vec::new();
    for names in [&declaration.configuration_names, &declaration.parameter_names, &declaration.input_names] {
        let Some(name) = names.first() else { continue };
        match types.iter().find(|first| **first == name) {
            Some(first) => twice(sink, name, first, &format!("{name}2")),
            None => types.push(name),
        }
    }
    let mut values: BTreeMap<String, &Ident> = BTreeMap::new();
    for item in &declaration.items {
        match item {
            Item::Fn(_) | Item::Const(_) | Item::Static(_) => {
                let Some(name) = items::name(item) else { continue };
                // `const _: () = …;` declares no name.
                if name == "_" {
                    continue;
                }
                if let Some(first) = values.insert(name.to_string(), name) {
                    twice(sink, name, first, &format!("{name}_2"));
                    values.insert(name.to_string(), first);
                }
            }
            Item::Use(import) => imports(&import.tree, &mut types),
            _ => {
                if let Some(name) = items::name(item).filter(|name| !types.contains(name)) {
                    types.push(name);
                }
            }
        }
    }
    for name in &types {
        if let Some((generated, what)) = GENERATED_TYPES.iter().find(|(generated, _)| name == generated) {
            sink.error_with_help(
                name,
                format_args!("`{generated}` is generated: it is {what}"),
                "rename your type, or import it under another name",
            );
        }
    }
    for quantity in declaration.functions.iter().filter(|declared| declared.keyword == Keyword::Quantity) {
        let quantity = &quantity.item.sig.ident;
        let rate = rate(quantity);
        if let Some(name) = values.get(&rate) {
            let message = format_args!("`{rate}` is generated: it is the rate of `{quantity}`");
            let help = format_args!("remove it or rename it; the generated one is `{rate}(…, q, v)`");
            sink.error_with_note(name, message, help, (quantity, format_args!("`{quantity}` is declared here")));
        }
    }
}

/// Returns true if a type has the name of a generated type: arguments of that type are ambiguous.
pub(in crate::syntax) fn share_generated<'a>(mut types: impl Iterator<Item = &'a Ident>) -> bool {
    types.any(|name| GENERATED_TYPES.iter().any(|(generated, _)| name == generated))
}

/// Collects the imported names, except for names of glob imports, which any item shadows.
fn imports<'a>(tree: &'a UseTree, names: &mut Vec<&'a Ident>) {
    match tree {
        UseTree::Path(path) => imports(&path.tree, names),
        UseTree::Group(group) => group.items.iter().for_each(|tree| imports(tree, names)),
        UseTree::Name(name) => names.push(&name.ident),
        UseTree::Rename(rename) => names.push(&rename.rename),
        UseTree::Glob(_) => {}
    }
}
