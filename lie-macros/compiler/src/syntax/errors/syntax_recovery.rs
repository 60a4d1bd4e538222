//! Parses modules with syntax errors as far as possible.
//!
//! The compiler reports a missing semicolon or comma and continues. If the module were missing, every use of the system would be a second
//! error. Recovery empties function bodies with syntax errors, inserts missing commas before fields and arguments and missing colons before
//! their types, and omits all other items with errors.

use proc_macro2::{Delimiter, Group, Punct, Spacing, TokenStream, TokenTree};
use quote::quote;
use syn::{Item, ItemMod};

use crate::syntax::rust::split_expressions;

/// Parses the module.
pub(super) fn module(input: &TokenStream) -> Option<ItemMod> {
    let tokens = split_expressions::cut(input.clone());
    if let Ok(module) = syn::parse2(tokens.clone()) {
        return Some(module);
    }
    let tokens: Vec<TokenTree> = tokens.into_iter().collect();
    let (TokenTree::Group(content), header) = tokens.split_last()? else { return None };
    let mut module: ItemMod = syn::parse2(quote!(#(#header)* {})).ok()?;
    module.content.as_mut()?.1 = items(content.stream());
    Some(module)
}

/// Parses the items of a module and omits items with errors.
fn items(content: TokenStream) -> Vec<Item> {
    let mut items = Vec::new();
    let mut tokens: Vec<TokenTree> = Vec::new();
    for token in content {
        let is_last = match &token {
            TokenTree::Punct(punct) => punct.as_char() == ';',
            TokenTree::Group(group) => group.delimiter() == Delimiter::Brace && !ends_with_semicolon(&tokens),
            TokenTree::Ident(_) | TokenTree::Literal(_) => false,
        };
        tokens.push(token);
        if is_last {
            items.extend(item(&std::mem::take(&mut tokens)));
        }
    }
    items
}

/// Returns true for the beginning of an item that ends with a semicolon and can contain braces.
fn ends_with_semicolon(tokens: &[TokenTree]) -> bool {
    has_word(tokens, &["use", "const", "static", "type"]) && !has_word(tokens, &["fn"])
}

fn has_word(tokens: &[TokenTree], words: &[&str]) -> bool {
    tokens.iter().any(|token| matches!(token, TokenTree::Ident(ident) if words.iter().any(|word| ident == word)))
}

/// Parses an item; `None` if recovery fails.
fn item(tokens: &[TokenTree]) -> Option<Item> {
    let whole: TokenStream = tokens.iter().cloned().collect();
    syn::parse2(whole).ok().or_else(|| {
        let (TokenTree::Group(body), head) = tokens.split_last()? else { return None };
        // The body of a function is not needed.
        let content = if has_word(head, &["struct"]) { with_commas(body.stream()) } else { TokenStream::new() };
        let head = head.iter().map(|token| match token {
            TokenTree::Group(group) if group.delimiter() == Delimiter::Parenthesis => {
                Group::new(Delimiter::Parenthesis, with_commas(group.stream())).into()
            }
            token => token.clone(),
        });
        syn::parse2(quote!(#(#head)* { #content })).ok()
    })
}

/// Inserts a missing colon after the name of each field or argument.
fn with_colons(tokens: TokenStream) -> Vec<TokenTree> {
    let tokens: Vec<TokenTree> = tokens.into_iter().collect();
    let is_part = |token: &TokenTree| match token {
        TokenTree::Ident(word) => word == "pub" || word == "mut",
        TokenTree::Group(group) => matches!(group.delimiter(), Delimiter::Bracket | Delimiter::Parenthesis),
        TokenTree::Punct(punct) => punct.as_char() == '#',
        TokenTree::Literal(_) => false,
    };
    let begins_type = |token: &TokenTree| match token {
        TokenTree::Ident(_) => true,
        TokenTree::Group(group) => group.delimiter() != Delimiter::Brace,
        TokenTree::Punct(punct) => punct.as_char() == '&',
        TokenTree::Literal(_) => false,
    };
    let mut recovered = Vec::new();
    // True from a comma to the name of the next field.
    let mut is_open = true;
    for (at, token) in tokens.iter().enumerate() {
        recovered.push(token.clone());
        let is_name = is_open && !is_part(token);
        if is_name && matches!(token, TokenTree::Ident(_)) && tokens.get(at + 1).is_some_and(begins_type) {
            recovered.push(Punct::new(':', Spacing::Alone).into());
        }
        let is_comma = matches!(token, TokenTree::Punct(punct) if punct.as_char() == ',');
        is_open = is_comma || (is_open && !is_name);
    }
    recovered
}

/// Inserts missing commas between fields or arguments.
fn with_commas(tokens: TokenStream) -> TokenStream {
    let tokens = with_colons(tokens);
    let is = |at: usize, character: char| matches!(tokens.get(at), Some(TokenTree::Punct(punct)) if punct.as_char() == character);
    let is_group = |at: usize, delimiter| matches!(tokens.get(at), Some(TokenTree::Group(group)) if group.delimiter() == delimiter);
    let is_word = |at: usize, word: &str| matches!(tokens.get(at), Some(TokenTree::Ident(ident)) if ident == word);
    let mut starts = Vec::new();
    for (at, token) in tokens.iter().enumerate() {
        let is_name = matches!(token, TokenTree::Ident(_)) && is(at + 1, ':') && !is(at + 2, ':');
        if !is_name || (at > 0 && is(at - 1, ':')) {
            continue;
        }
        // `mut`, `pub`, `pub(crate)` and attributes precede the name.
        let mut start = at;
        if start > 1 && is_group(start - 1, Delimiter::Parenthesis) && is_word(start - 2, "pub") {
            start -= 2;
        } else if start > 0 && (is_word(start - 1, "pub") || is_word(start - 1, "mut")) {
            start -= 1;
        }
        while start > 1 && is_group(start - 1, Delimiter::Bracket) && is(start - 2, '#') {
            start -= 2;
        }
        if start > 0 && !is(start - 1, ',') {
            starts.push(start);
        }
    }
    let comma = || TokenTree::from(Punct::new(',', Spacing::Alone));
    let each = tokens.iter().enumerate().flat_map(|(at, token)| {
        let before = starts.contains(&at).then(comma);
        before.into_iter().chain([token.clone()])
    });
    each.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(source: &str) -> Vec<String> {
        let module = module(&source.parse().expect("tokens")).expect("a module");
        module.content.expect("content").1.iter().map(|item| quote!(#item).to_string()).collect()
    }

    #[test]
    fn modules_with_syntax_errors_are_recovered() {
        let read = names(
            "pub mod top {
                use a::{b, c};
                pub struct Pose { pub attitude: SO3 #[clamped(first)] pub(crate) position: lie::R3 x: f64 }
                #[potential] fn weight(top: &Top q: &Pose) -> f64 { let z = q.position.z }
                #[constraint] fn fixed(q: &Pose) -> f64 { 0.5 + }
                pub struct Data { pub mass f64, #[held(first)] pub(crate) arm Vector3<f64>, table: Matrix<f64, 2, U2, S>, all [f64; 2] }
                #[potential] fn lift(data &Data, mut t f64, [a, b]: [&SO3; 2]) -> f64 { 1.0 }
                const LIST: [f64; 2] = { [1.0, 2.0] };
                fn 3 {}
                fn last() {}
            }",
        );
        let wanted = [
            "use a :: { b , c } ;",
            "pub struct Pose { pub attitude : SO3 , # [clamped (first)] pub (crate) position : lie :: R3 , x : f64 }",
            "# [potential] fn weight (top : & Top , q : & Pose) -> f64 { }",
            "# [constraint] fn fixed (q : & Pose) -> f64 { }",
            "pub struct Data { pub mass : f64 , # [held (first)] pub (crate) arm : Vector3 < f64 > , \
             table : Matrix < f64 , 2 , U2 , S > , all : [f64 ; 2] }",
            "# [potential] fn lift (data : & Data , mut t : f64 , [a , b] : [& SO3 ; 2]) -> f64 { }",
            "const LIST : [f64 ; 2] = { [1.0 , 2.0] } ;",
            "fn last () { }",
        ];
        assert_eq!(read, wanted);
    }
}
