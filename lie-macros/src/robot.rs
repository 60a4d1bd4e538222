//! Robots from their files: `#[mechanical_system(urdf = "arm.urdf")]`, `#[mechanical_system(mjcf = "arm.xml")]`.
//!
//! A file becomes the items that a user would have written (`lie_robots` says which), and these are read as if they stood in the
//! module: nothing behind the parser knows of files.

use std::path::PathBuf;
use std::str::FromStr;

use lie_robots::{Declaration, Language, Mistake, Options, declaration};
use proc_macro2::{Group, Ident, Span, TokenStream, TokenTree};
use quote::ToTokens;
use syn::{Expr, Item, LitStr};

/// The items that a file stands for, and the parts of the file that they do not contain; its path is relative to the package.
pub(crate) fn items(language: &Ident, path: &LitStr, given: &[(Ident, Expr)]) -> syn::Result<(Vec<Item>, Vec<String>)> {
    let told = |message: String| syn::Error::new(path.span(), message);
    let mut options = Options::default();
    for (name, value) in given {
        options.set(&name.to_string(), &value.to_token_stream().to_string()).map_err(
            |Mistake { message, help, .. }| {
                syn::Error::new_spanned(value, crate::diagnostics::with_help(format_args!("{message}"), help))
            },
        )?;
    }
    let language = Language::ALL.into_iter().find(|known| language == known.name()).unwrap_or(Language::Urdf);
    let name = path.value();
    let folder = std::env::var_os("CARGO_MANIFEST_DIR").map_or_else(PathBuf::new, PathBuf::from);
    let file = folder.join(&name);
    let text = std::fs::read_to_string(&file).map_err(|error| {
        let help = format!("paths begin where the package's Cargo.toml is: {}", folder.display());
        told(crate::diagnostics::with_help(format_args!("`{name}` cannot be read: {error}"), help))
    })?;
    let found = declaration(&text, &file, language, &options).map_err(|Mistake { file, line, message, help }| {
        // What is included is named as it is seen from there.
        let beside = std::path::Path::new(&name).with_file_name(&file);
        let place = if file.is_empty() { name.clone() } else { beside.display().to_string() };
        let place = if line > 0 { format!("{place}:{line}") } else { place };
        told(crate::diagnostics::with_help(format_args!("{place}: {message}"), help))
    })?;
    let Declaration { items: declared, included, ignored, warnings } = found;
    // The compiler looks at the files again when one has changed.
    let watch = |file: &PathBuf| format!("const _: &[u8] = include_bytes!({:?});\n", file.display().to_string());
    let watched: String = core::iter::once(&file).chain(&included).map(watch).collect();
    let documented = |line: &str| format!("#[doc = {:?}]\n", format!(" {line}"));
    let lines = declared.lines().map(documented).collect::<Vec<String>>().concat();
    let shown = format!("/// What the file stands for, to be copied:\n///\n/// ```text\n{lines}/// ```\n");
    let warned: String = warnings.iter().map(|warning| warned(&format!("{name}: {warning}"))).collect();
    let tokens = TokenStream::from_str(&format!("{shown}{declared}\n{watched}{warned}"))
        .map_err(|error| told(format!("{name} makes no declaration: {error}")))?;
    let mut items = syn::parse2::<syn::File>(at(tokens, path.span()))?.items;
    // A model need not use all that the file says, nor write its numbers otherwise.
    for item in &mut items {
        if let Item::Const(syn::ItemConst { attrs, .. }) | Item::Fn(syn::ItemFn { attrs, .. }) = item {
            attrs.push(syn::parse_quote!(#[allow(dead_code, clippy::all, clippy::pedantic)]));
        }
    }
    Ok((items, ignored))
}

/// A warning of the compiler: rustc has no other for a macro than the use of a deprecated item.
fn warned(message: &str) -> String {
    format!("const _: () = {{ #[deprecated(note = {message:?})] const ROBOT_FILE: () = (); ROBOT_FILE }};\n")
}

/// The tokens, as if they stood where the file is named.
fn at(tokens: TokenStream, span: Span) -> TokenStream {
    let place = |tree: TokenTree| {
        let mut tree = match tree {
            TokenTree::Group(group) => TokenTree::Group(Group::new(group.delimiter(), at(group.stream(), span))),
            other => other,
        };
        tree.set_span(span);
        tree
    };
    tokens.into_iter().map(place).collect()
}
