//! Tests with the rejected declarations of the package `messages`.
//!
//! The messages are compared with the stored output of the compiler. Each function in a help replaces the function of the declaration,
//! and the error must disappear.

use std::fs;
use std::path::{Path, PathBuf};

use proc_macro2::TokenStream;
use quote::ToTokens;
use syn::{Item, ItemFn, ItemMod, Meta, Signature};

/// Minimum number of tested suggestions; a smaller number indicates that the test does not find the declarations.
const FEWEST: usize = 60;

/// Minimum number of tested messages.
const FEWEST_MESSAGES: usize = 400;

/// Returns all declarations of the package `messages`.
fn all_declarations() -> Vec<(PathBuf, TokenStream, ItemMod)> {
    let mut all = vec![];
    declarations(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/messages/tests/ui"), &mut all);
    all
}

/// Returns the declarations in the files below a folder: the arguments of the attribute and the module.
fn declarations(folder: &Path, found: &mut Vec<(PathBuf, TokenStream, ItemMod)>) {
    let Ok(entries) = fs::read_dir(folder) else { return };
    for path in entries.filter_map(|entry| Some(entry.ok()?.path())) {
        if path.is_dir() {
            declarations(&path, found);
            continue;
        }
        let file = fs::read_to_string(&path).ok().filter(|_| path.extension().is_some_and(|ending| ending == "rs"));
        let Some(file) = file.and_then(|text| syn::parse_file(&text).ok()) else { continue };
        for item in file.items {
            let Item::Mod(mut module) = item else { continue };
            let is_system = |attribute: &syn::Attribute| attribute.path().is_ident("mechanical_system");
            let Some(at) = module.attrs.iter().position(is_system) else { continue };
            let arguments = match module.attrs.remove(at).meta {
                Meta::List(list) => list.tokens,
                Meta::Path(_) | Meta::NameValue(_) => TokenStream::new(),
            };
            found.push((path.clone(), arguments, module));
        }
    }
}

/// The messages for a declaration.
fn messages(arguments: &TokenStream, module: &ItemMod) -> Vec<String> {
    let expansion = crate::expand(arguments.clone(), module.to_token_stream());
    let Ok(file) = syn::parse2::<syn::File>(expansion) else { return vec![] };
    let message = |item: &Item| match item {
        Item::Macro(item) => item.mac.parse_body::<syn::LitStr>().ok().map(|text| text.value()),
        _ => None,
    };
    file.items.iter().filter_map(message).collect()
}

/// Returns the module with the function in a line of a help; `None` if the line is not a function.
fn followed(line: &str, module: &ItemMod) -> Option<ItemMod> {
    let text = line.trim().trim_start_matches("= help: ").trim_start_matches("write ").trim_matches('`');
    let mut module = module.clone();
    let items = &mut module.content.as_mut()?.1;
    if let Some(at) = text.find("#[kinetic_energy")
        && let Ok(function) = syn::parse_str::<ItemFn>(&text[at..])
    {
        items.push(Item::Fn(function));
        return Some(module);
    }
    let signature: Signature = syn::parse_str(text).ok()?;
    let mut functions = items.iter_mut().filter_map(|item| match item {
        Item::Fn(function) if function.sig.ident == signature.ident => Some(function),
        _ => None,
    });
    let (function, None) = (functions.next()?, functions.next()) else { return None };
    function.sig = signature;
    Some(module)
}

#[test]
fn suggested_functions_remove_their_error() {
    let (mut count, mut wrong) = (0, vec![]);
    for (path, arguments, module) in all_declarations() {
        let before = messages(&arguments, &module);
        for message in &before {
            for line in message.lines() {
                let Some(followed) = followed(line, &module) else { continue };
                count += 1;
                let after = messages(&arguments, &followed);
                if after.contains(message) {
                    wrong.push(format!("{}: {message}", path.display()));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(count >= FEWEST, "{count} helps");
}

#[test]
fn messages_are_in_the_stored_output() {
    let (mut count, mut wrong) = (0, vec![]);
    for (path, arguments, module) in all_declarations() {
        for message in messages(&arguments, &module) {
            count += 1;
            // The compiler indents the lines after the first to the end of `error: `.
            let indented =
                message.lines().map(|line| if line.is_empty() { String::new() } else { format!("       {line}") });
            let shown = format!("error: {}\n", indented.collect::<Vec<_>>().join("\n").trim_start());
            let stored = fs::read_to_string(path.with_extension("stderr")).unwrap_or_default();
            if !stored.contains(&shown) {
                wrong.push(format!("{}: {shown}", path.display()));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(count >= FEWEST_MESSAGES, "{count} messages");
}
