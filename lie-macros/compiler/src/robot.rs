//! Systems from robot files: `#[mechanical_system(urdf = "arm.urdf")]`, `#[mechanical_system(mjcf = "arm.xml")]`.
//!
//! `lie_robots` converts a file to the items that a user would write. They are parsed as a part of the module; later stages do not
//! distinguish them.

use std::path::{Path, PathBuf};
use std::str::FromStr;

use lie_robots::{Declaration, Language, Mistake, NamedConfiguration, Options, declaration};
use proc_macro2::{Group, Ident, Span, TokenStream, TokenTree};
use quote::ToTokens;
use syn::{Expr, Item, LitStr};

use crate::diagnostics::{Code, Diagnostics};

/// Returns the items of a robot file and the parts of the file that they do not contain. The path is relative to the package.
///
/// `parameters` is the name of the struct of parameters in the module, if it has one.
pub(crate) fn items(
    language: &Ident,
    path: &LitStr,
    given: &[(Ident, Expr)],
    parameters: Option<&Ident>,
) -> syn::Result<(Vec<Item>, Vec<String>)> {
    let error_at_path = |message: String| syn::Error::new(path.span(), message);
    let mut options = Options { parameters: parameters.map(ToString::to_string), ..Options::default() };
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
        let help = format!("write a path relative to the folder of Cargo.toml: {}", folder.display());
        error_at_path(crate::diagnostics::with_help(format_args!("`{name}` cannot be read: {error}"), help))
    })?;
    let found = declaration(&text, &file, language, &options).map_err(|Mistake { file, line, message, help }| {
        // Paths of included files are relative to the robot file.
        let beside = std::path::Path::new(&name).with_file_name(&file);
        let place = if file.is_empty() { name.clone() } else { beside.display().to_string() };
        let place = if line > 0 { format!("{place}:{line}") } else { place };
        error_at_path(crate::diagnostics::with_help(format_args!("{place}: {message}"), help))
    })?;
    let Declaration { items: declared, included, ignored, warnings, .. } = found;
    // The compiler expands the macro again after a change of these files.
    let watch = |file: &PathBuf| format!("const _: &[u8] = include_bytes!({:?});\n", file.display().to_string());
    let watched: String = core::iter::once(&file).chain(&included).map(watch).collect();
    let documented = |line: &str| format!("#[doc = {:?}]\n", format!(" {line}"));
    let lines = declared.lines().map(documented).collect::<Vec<String>>().concat();
    let shown = format!("/// The declaration of the file, for copying:\n///\n/// ```text\n{lines}/// ```\n");
    let warned: String = warnings.iter().map(|warning| warned(&format!("{name}: {warning}"))).collect();
    let tokens = TokenStream::from_str(&format!("{shown}{declared}\n{watched}{warned}"))
        .map_err(|error| error_at_path(format!("`{name}` does not produce valid Rust: {error}")))?;
    let mut items = syn::parse2::<syn::File>(at(tokens, path.span()))?.items;
    // Generated constants and functions can be unused, and their literals have the format of the file.
    for item in &mut items {
        if let Item::Const(syn::ItemConst { attrs, .. }) | Item::Fn(syn::ItemFn { attrs, .. }) = item {
            attrs.push(syn::parse_quote!(#[allow(dead_code, clippy::all, clippy::pedantic)]));
        }
    }
    Ok((items, ignored))
}

/// A robot file as the text of a declaration.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct RobotModule {
    /// The module `#[mechanical_system]`.
    pub text: String,
    /// The parts of the file that the declaration does not contain.
    pub ignored: Vec<String>,
    /// Assumptions that change the motion and that an option confirms or replaces.
    pub warnings: Vec<String>,
    /// The reference configuration, then the keyframes.
    pub configurations: Vec<NamedConfiguration>,
}

/// Returns the declaration of a robot file with the text `text`. The module has the name of the file.
///
/// # Errors
/// [`Code::RobotFile`] with the line of the part that is wrong or needs an option.
pub fn robot_module(
    text: &str,
    path: &Path,
    language: Language,
    options: &Options,
) -> Result<RobotModule, Diagnostics> {
    let found = declaration(text, path, language, options).map_err(|mistake| {
        let file = if mistake.file.is_empty() { path.to_owned() } else { path.with_file_name(&mistake.file) };
        let line = mistake.line.max(1) as usize;
        Diagnostics::of_file(Code::RobotFile, mistake.message, mistake.help, &file.display().to_string(), line)
    })?;
    let name = path.file_stem().unwrap_or_default().to_string_lossy();
    let text = found.module(&name, "");
    let Declaration { ignored, warnings, configurations, .. } = found;
    Ok(RobotModule { text, ignored, warnings, configurations })
}

/// Returns an item that causes a compiler warning. The use of a deprecated item is the only warning that a macro can cause.
fn warned(message: &str) -> String {
    format!("const _: () = {{ #[deprecated(note = {message:?})] const ROBOT_FILE: () = (); ROBOT_FILE }};\n")
}

/// Sets the span of all tokens to the path of the file.
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
