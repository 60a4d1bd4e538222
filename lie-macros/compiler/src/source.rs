//! Declarations as text or as tokens.

use proc_macro2::{Delimiter, Group, TokenStream, TokenTree};

use crate::diagnostics::{Code, Rejection, Report, error_with_help, with_help};

/// A declaration.
#[derive(Clone, Debug)]
pub enum Source<'s> {
    /// A Rust file that contains one module `#[mechanical_system] mod name { … }`.
    Text(&'s str),
    /// The arguments of the attribute and the module without the attribute.
    Tokens {
        /// The tokens in the parentheses of `#[mechanical_system(…)]`.
        arguments: TokenStream,
        /// The module.
        module: TokenStream,
    },
}

impl<'s> From<&'s str> for Source<'s> {
    fn from(text: &'s str) -> Self {
        Self::Text(text)
    }
}

impl<'s> From<&'s String> for Source<'s> {
    fn from(text: &'s String) -> Self {
        Self::Text(text)
    }
}

/// A declaration in a file with other items.
#[derive(Clone, Debug)]
pub struct DeclaredSystem {
    /// The name of the module.
    pub name: String,
    /// The tokens in the parentheses of `#[mechanical_system(…)]`.
    pub arguments: TokenStream,
    /// The module without the attribute.
    pub module: TokenStream,
}

impl From<DeclaredSystem> for Source<'static> {
    fn from(DeclaredSystem { arguments, module, .. }: DeclaredSystem) -> Self {
        Source::Tokens { arguments, module }
    }
}

fn rejected(code: Code, error: syn::Error) -> Rejection {
    Rejection { errors: vec![Report { code, error }], items: TokenStream::new() }
}

/// The largest depth of nested brackets. The parser is recursive, and the stack of a thread is limited.
const DEPTH: usize = 128;

/// The largest number of prefix operators, of calls of methods on calls, and of branches `else if` in a row, for the same reason.
const CHAIN: usize = 256;

fn lexed(text: &str) -> Result<TokenStream, Rejection> {
    let tokens: TokenStream = text.parse().map_err(|error: proc_macro2::LexError| {
        rejected(Code::Tokens, syn::Error::new(error.span(), "the text is not a sequence of Rust tokens"))
    })?;
    let (span, message) = if let Some(group) = nested(&tokens, DEPTH) {
        (group.span_open(), format!("the brackets are nested more than {DEPTH} levels deep"))
    } else if let Some(token) = chained(&tokens) {
        (token.span(), format!("an expression has more than {CHAIN} operators, calls or branches in a row"))
    } else {
        return Ok(tokens);
    };
    Err(rejected(Code::Tokens, syn::Error::new(span, with_help(message, "name inner expressions by `let`"))))
}

/// Returns a token after a chain that is too long. Brackets are nested at most [`DEPTH`] levels deep.
fn chained(tokens: &TokenStream) -> Option<TokenTree> {
    let (mut prefixes, mut calls, mut branches) = (0, 0, 0);
    let mut previous: Option<TokenTree> = None;
    for token in tokens.clone() {
        match &token {
            TokenTree::Group(group) => {
                prefixes = 0;
                if let Some(inner) = chained(&group.stream()) {
                    return Some(inner);
                }
            }
            TokenTree::Punct(sign) => match sign.as_char() {
                '-' | '!' | '*' | '&' => (prefixes, calls) = (prefixes + 1, 0),
                '.' => calls += 1,
                _ => (prefixes, calls) = (0, 0),
            },
            TokenTree::Ident(word) => {
                prefixes = 0;
                let follows_else = matches!(&previous, Some(TokenTree::Ident(word)) if word == "else");
                match (word == "if", follows_else) {
                    (true, true) => branches += 1,
                    (true, false) => branches = 0,
                    _ => {}
                }
            }
            TokenTree::Literal(_) => prefixes = 0,
        }
        if prefixes.max(calls).max(branches) > CHAIN {
            return Some(token);
        }
        previous = Some(token);
    }
    None
}

/// Returns a group that is nested more than `depth` levels deep.
fn nested(tokens: &TokenStream, depth: usize) -> Option<Group> {
    tokens.clone().into_iter().find_map(|token| match token {
        TokenTree::Group(group) if depth == 0 => Some(group),
        TokenTree::Group(group) => nested(&group.stream(), depth - 1),
        _ => None,
    })
}

/// Returns the declarations of a text.
pub(crate) fn declared_systems(text: &str) -> Result<Vec<DeclaredSystem>, Rejection> {
    Ok(systems(lexed(text)?))
}

impl Source<'_> {
    /// Returns the arguments of the attribute and the module.
    pub(crate) fn tokens(&self) -> Result<(TokenStream, TokenStream), Rejection> {
        let text = match self {
            Source::Text(text) => text,
            Source::Tokens { arguments, module } => return Ok((arguments.clone(), module.clone())),
        };
        let tokens = lexed(text)?;
        let mut systems = systems(tokens.clone());
        let help = "write `#[mechanical_system] mod name { … }`";
        match (systems.pop(), systems.pop()) {
            (Some(system), None) => Ok((system.arguments, system.module)),
            (None, _) => Err(rejected(
                Code::Module,
                error_with_help(tokens, "the text has no `#[mechanical_system]` module", help),
            )),
            (Some(second), Some(_)) => {
                let help = "move each system to a text of its own";
                Err(rejected(Code::Module, error_with_help(second.module, "the text has several systems", help)))
            }
        }
    }
}

/// Returns the modules with the attribute `#[mechanical_system]`.
fn systems(tokens: TokenStream) -> Vec<DeclaredSystem> {
    let mut found = vec![];
    let mut arguments = None;
    let mut item = vec![];
    for token in tokens {
        match &token {
            // `#![…]` belongs to the file.
            TokenTree::Group(group) if matches!(&item[..], [.., TokenTree::Punct(sign)] if sign.as_char() == '!') => {
                debug_assert!(group.delimiter() != Delimiter::None, "tokens of a text");
                item.clear();
                continue;
            }
            TokenTree::Group(group) if matches!(&item[..], [.., TokenTree::Punct(sign)] if sign.as_char() == '#') => {
                if let Some(given) = arguments_of_system(group.stream()) {
                    item.pop();
                    arguments = Some(given);
                    continue;
                }
            }
            TokenTree::Group(group) if group.delimiter() == Delimiter::Brace => {
                let name = name_of_module(&item);
                match (arguments.take(), &name) {
                    (None, Some(_)) => found.extend(systems(group.stream())),
                    (Some(arguments), _) => {
                        let module = item.drain(..).chain([token]).collect();
                        found.push(DeclaredSystem { name: name.unwrap_or_default(), arguments, module });
                    }
                    (None, None) => {}
                }
                item.clear();
                continue;
            }
            _ => {}
        }
        let ends = matches!(&token, TokenTree::Punct(sign) if sign.as_char() == ';');
        item.push(token);
        if ends {
            let item = std::mem::take(&mut item);
            let name = name_of_module(&item).unwrap_or_default();
            let module = item.into_iter().collect();
            found.extend(arguments.take().map(|arguments| DeclaredSystem { name, arguments, module }));
        }
    }
    found
}

/// Returns the name of a module, from the tokens before its braces; `None` for other items.
fn name_of_module(item: &[TokenTree]) -> Option<String> {
    let is_keyword = |token: &TokenTree| matches!(token, TokenTree::Ident(word) if word == "mod");
    match item.get(item.iter().position(is_keyword)? + 1) {
        Some(TokenTree::Ident(name)) => Some(name.to_string().trim_start_matches("r#").to_owned()),
        _ => None,
    }
}

/// Returns the arguments of `mechanical_system(…)`; `None` for another attribute.
fn arguments_of_system(attribute: TokenStream) -> Option<TokenStream> {
    let tokens: Vec<TokenTree> = attribute.into_iter().collect();
    let at = tokens.iter().position(|token| matches!(token, TokenTree::Ident(name) if name == "mechanical_system"))?;
    match &tokens[at + 1..] {
        [] => Some(TokenStream::new()),
        [TokenTree::Group(group)] => Some(group.stream()),
        _ => None,
    }
}

#[cfg(test)]
#[path = "../tests/unit/source.rs"]
mod tests;
