//! The annotated item and the arguments of the attribute on it.
//!
//! Invariant: the result is an inline module.

pub(super) mod collect;
mod lifetimes;
pub(super) mod names;
pub(super) mod orphan_roles;
pub(super) mod reserved;
pub(super) mod states;
pub(super) mod unilateral;
mod unilateral_arguments;
mod unilateral_parts;

use proc_macro2::{Delimiter, Ident, TokenStream, TokenTree};
use quote::{format_ident, quote};
use syn::parse::Parser;
use syn::punctuated::Punctuated;
use syn::{AttrStyle, Attribute, Expr, ExprLit, Item, ItemMod, Lit, LitStr, Token, Visibility};

use self::reserved::GENERATED_TYPES;
use crate::diagnostics::{Code, ErrorCollector};
use crate::syntax::role::{self, RawArgument, Recognised};
use crate::syntax::rust::{items, suggest};

/// An inline module.
pub(in crate::syntax) struct Module {
    pub attributes: Vec<Attribute>,
    pub visibility: Visibility,
    pub name: Ident,
    pub items: Vec<Item>,
}

/// The arguments of `#[mechanical_system]`.
#[derive(Default)]
pub(in crate::syntax) struct Options {
    /// `max_operations = N`.
    pub max_operations: Option<usize>,
    /// `derivative_check`.
    pub derivative_check: bool,
    /// `gradients`.
    pub gradients: Option<Ident>,
    /// `redundant = minimum_norm`.
    pub redundant: bool,
    /// The format and the path of a robot file: `urdf = "arm.urdf"` or `mjcf = "arm.xml"`.
    pub robot: Option<(Ident, LitStr)>,
    /// The options of that file, for `crate::robot`: `friction = ignore`, `skip = [actuator]`, …
    pub robot_choices: Vec<(Ident, Expr)>,
    /// `crate = lie`.
    pub runtime: Option<syn::Path>,
}

impl Options {
    /// Returns the crate name in paths to the runtime.
    pub fn runtime_name(&self) -> String {
        let name = self.runtime.as_ref().and_then(syn::Path::get_ident);
        name.map_or_else(|| "lie_runtime".to_owned(), Ident::to_string)
    }

    fn set_flag(&mut self, name: &Ident) {
        if name == "gradients" {
            self.gradients = Some(name.clone());
        } else {
            self.derivative_check = true;
        }
    }

    /// Sets the value of an argument; `None` for an invalid value.
    fn set(&mut self, name: &Ident, value: &Expr) -> Option<()> {
        match (name.to_string().as_str(), value) {
            ("redundant", Expr::Path(path)) if path.path.is_ident("minimum_norm") => self.redundant = true,
            ("urdf" | "mjcf", Expr::Lit(ExprLit { lit: Lit::Str(path), .. })) => {
                self.robot = Some((name.clone(), path.clone()));
            }
            ("crate", Expr::Path(path)) if path.qself.is_none() => self.runtime = Some(path.path.clone()),
            ("max_operations", value) => self.max_operations = Some(positive_integer(value)?),
            ("redundant" | "urdf" | "mjcf" | "crate", _) => return None,
            _ => self.robot_choices.push((name.clone(), value.clone())),
        }
        Some(())
    }
}

/// The arguments: the name, an example of a value, and the valid values; an argument without an example takes no value.
const OPTIONS: [(&str, &str, &str); 13] = [
    ("derivative_check", "", ""),
    ("gradients", "", ""),
    ("redundant", "minimum_norm", "`minimum_norm`"),
    ("urdf", "\"arm.urdf\"", "the path of a file"),
    ("mjcf", "\"arm.xml\"", "the path of a file"),
    ("friction", "dry", ""),
    ("limits", "stops", ""),
    ("inertia", "as_written", ""),
    ("base", "floating", ""),
    ("actuators", "ignore", ""),
    ("skip", "[tendon]", ""),
    ("max_operations", "20_000", "a positive integer"),
    ("crate", "lie", "the path of `lie_runtime`"),
];

/// Returns the valid arguments of `#[mechanical_system]`.
pub(crate) fn right_arguments(arguments: TokenStream) -> TokenStream {
    let Ok(parsed) = Punctuated::<RawArgument, Token![,]>::parse_terminated.parse2(arguments) else {
        return TokenStream::new();
    };
    let written = parsed.into_iter().map(|RawArgument { name, value }| match value {
        Some(value) => quote!(#name = #value),
        None => quote!(#name),
    });
    let is_right = |argument: &TokenStream| {
        let mut silent = ErrorCollector::new(Code::Arguments);
        options(argument.clone(), &mut silent);
        silent.finish().is_empty()
    };
    let right = written.filter(is_right);
    quote!(#(#right),*)
}

/// Returns an argument as it is written.
fn written(name: &str, example: &str) -> String {
    if example.is_empty() { format!("`{name}`") } else { format!("`{name} = {example}`") }
}

/// Parses the arguments of `#[mechanical_system]`: known names without duplicates.
pub(in crate::syntax) fn options(arguments: TokenStream, sink: &mut ErrorCollector) -> Options {
    let usage = || {
        let mut all = OPTIONS.map(|(name, example, _)| written(name, example)).to_vec();
        let last = all.pop().unwrap_or_default();
        format!("write #[mechanical_system], or with {} or {last} in parentheses", all.join(", "))
    };
    let mut options = Options::default();
    let Ok(parsed) = Punctuated::<RawArgument, Token![,]>::parse_terminated.parse2(arguments.clone()) else {
        sink.error_with_help(arguments, "expected a list of arguments of `#[mechanical_system]`", usage());
        return options;
    };
    let mut seen: Vec<Ident> = vec![];
    for RawArgument { name, value } in parsed {
        let Some(&(known, example, valid)) = OPTIONS.iter().find(|(option, ..)| name == option) else {
            let help = suggest::did_you_mean(&name.to_string(), OPTIONS.map(|(option, ..)| option), usage());
            sink.error_with_help(&name, format_args!("`#[mechanical_system]` has no argument `{name}`"), help);
            continue;
        };
        let help = format!("write {}", written(known, example));
        match value {
            _ if seen.contains(&name) => {
                sink.error_with_help(&name, format_args!("duplicate `{name}`"), "remove the second argument");
            }
            Some(value) if example.is_empty() => {
                options.set_flag(&name);
                sink.error_with_help(value, format_args!("`{name}` takes no value"), help + " alone");
            }
            None if example.is_empty() => options.set_flag(&name),
            None => sink.error_with_help(&name, format_args!("missing value of `{name}`"), help),
            Some(value) if options.robot.is_some() && (name == "urdf" || name == "mjcf") => {
                let help = "remove one of `urdf` and `mjcf`";
                sink.error_with_help(value, "a system can have only one robot file", help);
            }
            Some(value) => {
                if options.set(&name, &value).is_none() {
                    sink.error_with_help(value, format_args!("`{name}` expects {valid}"), help);
                }
            }
        }
        seen.push(name);
    }
    if let Some((name, _)) = options.robot_choices.first().filter(|_| options.robot.is_none()) {
        let message = format_args!("option `{name}` without a robot file");
        sink.error_with_help(name, message, "add the file, `urdf = \"arm.urdf\"`, or remove the option");
    }
    options
}

fn positive_integer(value: &Expr) -> Option<usize> {
    match value {
        Expr::Lit(literal) => match &literal.lit {
            Lit::Int(integer) => integer.base10_parse::<usize>().ok().filter(|number| *number > 0),
            _ => None,
        },
        _ => None,
    }
}

/// Parses the module. Otherwise returns the tokens to emit; errors go to `sink`.
pub(in crate::syntax) fn read(input: TokenStream, sink: &mut ErrorCollector) -> Result<Module, TokenStream> {
    const USAGE: &str = "write `#[mechanical_system] mod name { … }`";
    let item = match syn::parse2::<Item>(input.clone()) {
        Ok(item) => item,
        Err(error) => {
            sink.push(error);
            return Err(stub(input));
        }
    };
    match item {
        Item::Mod(module) => inline(module, sink).ok_or_else(|| stub(input)),
        mut item => {
            let message = "`#[mechanical_system]` must be on an inline module";
            match items::name(&item) {
                Some(name) => sink.error_with_help(name, message, USAGE),
                None => sink.error_with_help(&item, message, USAGE),
            }
            if let Some(attributes) = items::attributes(&mut item) {
                attributes.retain(|attribute| matches!(role::recognise(attribute), Recognised::Foreign));
            }
            Err(quote!(#item))
        }
    }
}

/// Returns an inline module; reports an error and returns `None` for a module in another file.
fn inline(module: ItemMod, sink: &mut ErrorCollector) -> Option<Module> {
    let ItemMod { attrs: mut attributes, vis: visibility, unsafety, ident: name, content, .. } = module;
    let Some((_, items)) = content else {
        sink.error_with_help(
            &name,
            format_args!("the module `{name}` must be inline"),
            format_args!("write `#[mechanical_system] mod {name} {{ … }}`"),
        );
        return None;
    };
    if let Some(token) = &unsafety {
        sink.error_with_help(token, "a system cannot be `unsafe`", "remove `unsafe`");
    }
    attributes.retain_mut(|attribute| {
        attribute.style = AttrStyle::Outer;
        if let Recognised::Role(keyword) = role::recognise(attribute) {
            let message = format!("`#[{}]` cannot be on a module", keyword.name());
            sink.error_with_help(attribute, message, "write roles before the items of the module");
            return false;
        }
        if attribute.path().is_ident("mechanical_system") {
            sink.error_with_help(attribute, "duplicate `#[mechanical_system]`", "remove the second attribute");
            return false;
        }
        true
    });
    Some(Module { attributes, visibility, name, items })
}

/// Returns a module of the same visibility and name that contains only the generated types.
pub(crate) fn stub(input: TokenStream) -> TokenStream {
    let mut visibility = TokenStream::new();
    let mut tokens = input.into_iter().peekable();
    while let Some(token) = tokens.next() {
        match &token {
            TokenTree::Ident(word) if word == "pub" => {
                visibility = quote!(#word);
                if let Some(TokenTree::Group(group)) = tokens.peek()
                    && group.delimiter() == Delimiter::Parenthesis
                {
                    visibility.extend([tokens.next()].into_iter().flatten());
                }
            }
            TokenTree::Ident(word) if word == "mod" => {
                let Some(TokenTree::Ident(name)) = tokens.next() else { break };
                let stubs = GENERATED_TYPES.iter().map(|(generated, _)| format_ident!("{generated}"));
                return quote!(#visibility mod #name { #(pub struct #stubs;)* });
            }
            TokenTree::Ident(_) | TokenTree::Punct(_) | TokenTree::Group(_) | TokenTree::Literal(_) => {}
        }
    }
    TokenStream::new()
}
