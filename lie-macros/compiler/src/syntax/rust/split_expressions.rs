//! Splits long sums and products.
//!
//! A sum of thousands of terms, for example from a computer algebra system, is a tree with thousands of levels. Recursion over this tree
//! overflows the stack. Therefore `a + b + c + …` becomes `{ let sum = a + b + …; let sum = sum + c + …; sum }`, with the same order of
//! additions and the same rounding.

use proc_macro2::{Delimiter, Group, Ident, Punct, Span, TokenStream, TokenTree};
use quote::quote;

/// Number of operands in one piece.
const LENGTH: usize = 64;

/// Splits every sequence of more than about a hundred operators of one precedence.
pub(in crate::syntax) fn cut(tokens: TokenStream) -> TokenStream {
    let tokens: Vec<TokenTree> = tokens.into_iter().map(cut_within).collect();
    // Most sequences are short.
    if tokens.len() <= 2 * LENGTH {
        return tokens.into_iter().collect();
    }
    let mut result = TokenStream::new();
    let (mut start, mut is_opened) = (0, true);
    while start < tokens.len() {
        let end = start + operands(&tokens[start..]);
        let expression = &tokens[start..end];
        let is_whole = is_opened && tokens.get(end).is_none_or(|next| is_punct(next, ";,"));
        result.extend(if is_whole { cut_expression(expression) } else { expression.iter().cloned().collect() });
        if let Some(boundary) = tokens.get(end) {
            is_opened = opens(boundary, &tokens[..end], &tokens[end + 1..]);
            result.extend([boundary.clone()]);
        }
        start = end + 1;
    }
    result
}

fn cut_within(token: TokenTree) -> TokenTree {
    match token {
        TokenTree::Group(group) => {
            let mut inner = Group::new(group.delimiter(), cut(group.stream()));
            inner.set_span(group.span());
            TokenTree::Group(inner)
        }
        other => other,
    }
}

fn is_punct(token: &TokenTree, characters: &str) -> bool {
    matches!(token, TokenTree::Punct(punct) if characters.contains(punct.as_char()))
}

/// Counts the leading tokens that are operands and arithmetic operators.
fn operands(tokens: &[TokenTree]) -> usize {
    const KEYWORDS: [&str; 16] = [
        "let", "return", "if", "else", "in", "for", "match", "while", "loop", "break", "mut", "ref", "move", "fn",
        "impl", "where",
    ];
    let mut at = 0;
    while let Some(token) = tokens.get(at) {
        let goes_on = match token {
            // A range has lower precedence than a sum.
            TokenTree::Punct(punct) if punct.as_char() == '.' => {
                !tokens[..at].last().is_some_and(|dot| is_punct(dot, "."))
            }
            TokenTree::Punct(punct) if punct.as_char() == ':' => {
                let after_colon = tokens[..at].last().is_some_and(|colon| is_punct(colon, ":"));
                after_colon || tokens.get(at + 1).is_some_and(|colon| is_punct(colon, ":"))
            }
            // `::<…>` is part of a name.
            TokenTree::Punct(punct) if punct.as_char() == '<' => {
                let is_of_name = tokens[..at].last().is_some_and(|colon| is_punct(colon, ":"));
                let closed = tokens[at..].iter().position(|token| is_punct(token, ">"));
                match closed.filter(|_| is_of_name) {
                    Some(length) => {
                        at += length;
                        true
                    }
                    None => false,
                }
            }
            TokenTree::Punct(_) => is_punct(token, "+-*/"),
            TokenTree::Ident(ident) => !KEYWORDS.iter().any(|keyword| ident == keyword),
            TokenTree::Group(group) => group.delimiter() != Delimiter::Brace,
            TokenTree::Literal(_) => true,
        };
        if !goes_on {
            return at;
        }
        at += 1;
    }
    at
}

/// Returns true if a complete expression begins after `boundary`.
fn opens(boundary: &TokenTree, before: &[TokenTree], after: &[TokenTree]) -> bool {
    match boundary {
        TokenTree::Punct(punct) if punct.as_char() == '>' => before.last().is_some_and(|equals| is_punct(equals, "=")),
        TokenTree::Punct(_) => is_punct(boundary, ";,=:"),
        TokenTree::Ident(ident) => ident == "return",
        // After a block statement, an operator would continue with the value of the block.
        TokenTree::Group(_) => after.first().is_some_and(|next| !matches!(next, TokenTree::Punct(_))),
        TokenTree::Literal(_) => false,
    }
}

/// Splits a sequence of operands and arithmetic operators: the sum first, then each long product.
fn cut_expression(tokens: &[TokenTree]) -> TokenStream {
    let factors = |term: TokenStream| joined(&split(&term.into_iter().collect::<Vec<_>>(), "*/"));
    let terms = split(tokens, "+-").into_iter().map(|(operator, term)| (operator, factors(term)));
    joined(&terms.collect::<Vec<_>>())
}

/// Returns the operands between binary operators of one precedence, each with the preceding operator.
fn split(tokens: &[TokenTree], operators: &str) -> Vec<(Option<Punct>, TokenStream)> {
    let mut operands = vec![(None, TokenStream::new())];
    // A binary operator has an operand on both sides; `+=` has none after the `+`.
    let mut after_operand = false;
    for (at, token) in tokens.iter().enumerate() {
        match token {
            TokenTree::Punct(punct) if after_operand && is_punct(token, operators) && at + 1 < tokens.len() => {
                after_operand = false;
                operands.push((Some(punct.clone()), TokenStream::new()));
            }
            token => {
                after_operand = !matches!(token, TokenTree::Punct(_));
                if let Some((_, operand)) = operands.last_mut() {
                    operand.extend([token.clone()]);
                }
            }
        }
    }
    operands
}

/// Joins the operands, in pieces if there are many.
fn joined(operands: &[(Option<Punct>, TokenStream)]) -> TokenStream {
    let plain = |operands: &[(Option<Punct>, TokenStream)]| -> TokenStream {
        operands.iter().map(|(operator, operand)| quote!(#operator #operand)).collect()
    };
    if operands.len() <= 2 * LENGTH {
        return plain(operands);
    }
    let name = Ident::new("__so_far", Span::mixed_site());
    let pieces = operands.chunks(LENGTH).enumerate().map(|(at, piece)| {
        let piece = plain(piece);
        let before = (at > 0).then_some(&name);
        quote!(let #name = #before #piece;)
    });
    quote!({ #(#pieces)* #name })
}

#[cfg(test)]
#[path = "../../../tests/unit/split_expressions.rs"]
mod tests;
