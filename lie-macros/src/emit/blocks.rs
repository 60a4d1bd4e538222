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

/// `let name = value;`
pub(super) struct Statement {
    pub name: Ident,
    pub value: TokenStream,
}

/// The statements as they are to be written; `outputs` are used at their end.
pub(super) fn write(statements: &[Statement], outputs: &[TokenStream]) -> Vec<TokenStream> {
    if statements.len() <= 2 * LENGTH {
        return statements.iter().map(let_statement).collect();
    }
    let names: HashSet<String> = statements.iter().map(|statement| statement.name.to_string()).collect();
    // The block in which a name is used last.
    let mut last: HashMap<String, usize> = HashMap::new();
    for (at, statement) in statements.iter().enumerate() {
        for_each_name(&statement.value, &mut |name| {
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
            let used = statements.iter().map(|statement| &statement.name);
            let used: Vec<&Ident> =
                used.filter(|name| last.get(&name.to_string()).is_some_and(|&used| used > block)).collect();
            let statements = statements.iter().map(let_statement);
            quote! {
                let (#(#used,)*) = {
                    #(#statements)*
                    (#(#used,)*)
                };
            }
        })
        .collect()
}

fn let_statement(statement: &Statement) -> TokenStream {
    let Statement { name, value } = statement;
    quote!(let #name = #value;)
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
