//! Long kernels in blocks.
//!
//! Every `let` opens a scope that lasts to the end of its block; compilers walk nested scopes by recursion, and some
//! thousands of them exhaust the stack. A block of its own for every few hundred statements keeps the nesting flat: it
//! hands on what later statements use.

use std::collections::{HashMap, HashSet};

use proc_macro2::{Ident, TokenStream, TokenTree};
use quote::quote;

/// The statements of one block.
const LENGTH: usize = 256;

/// A statement of a kernel.
pub(super) enum Statement {
    /// `let name = value;`
    Let { name: Ident, value: TokenStream },
    /// A result that goes where it belongs.
    Store(TokenStream),
}

impl Statement {
    fn name(&self) -> Option<&Ident> {
        match self {
            Statement::Let { name, .. } => Some(name),
            Statement::Store(_) => None,
        }
    }

    /// What names are used in.
    fn tokens(&self) -> &TokenStream {
        match self {
            Statement::Let { value, .. } => value,
            Statement::Store(store) => store,
        }
    }

    fn written(&self) -> TokenStream {
        match self {
            Statement::Let { name, value } => quote!(let #name = #value;),
            Statement::Store(store) => store.clone(),
        }
    }
}

/// The statements as they are to be written; `outputs` are used at their end.
pub(super) fn write(statements: &[Statement], outputs: &[TokenStream]) -> Vec<TokenStream> {
    if statements.len() <= 2 * LENGTH {
        return statements.iter().map(Statement::written).collect();
    }
    let names: HashSet<String> = statements.iter().filter_map(Statement::name).map(Ident::to_string).collect();
    // The block in which a name is used last.
    let mut last: HashMap<String, usize> = HashMap::new();
    for (at, statement) in statements.iter().enumerate() {
        for_each_name(statement.tokens(), &mut |name| {
            if names.contains(&name) {
                last.insert(name, at / LENGTH);
            }
        });
    }
    for output in outputs {
        for_each_name(output, &mut |name| {
            if names.contains(&name) {
                last.insert(name, usize::MAX);
            }
        });
    }
    statements
        .chunks(LENGTH)
        .enumerate()
        .map(|(block, statements)| {
            let used = statements.iter().filter_map(Statement::name);
            let used: Vec<&Ident> =
                used.filter(|name| last.get(&name.to_string()).is_some_and(|&used| used > block)).collect();
            let statements = statements.iter().map(Statement::written);
            quote! {
                let (#(#used,)*) = {
                    #(#statements)*
                    (#(#used,)*)
                };
            }
        })
        .collect()
}

fn for_each_name(tokens: &TokenStream, visit: &mut impl FnMut(String)) {
    for token in tokens.clone() {
        match token {
            TokenTree::Ident(ident) => visit(ident.to_string()),
            TokenTree::Group(group) => for_each_name(&group.stream(), visit),
            TokenTree::Punct(_) | TokenTree::Literal(_) => {}
        }
    }
}
