//! Splitting of long kernels.
//!
//! Every `let` opens a scope that lasts to the end of its block. Compilers traverse nested scopes by recursion, and some thousands of them
//! exhaust the stack. In addition, the optimisation time of a function grows faster than its length. Therefore every few hundred statements
//! form a closure that is not inlined and returns the values that later statements use.

use std::collections::{HashMap, HashSet};

use proc_macro2::{Ident, TokenStream, TokenTree};
use quote::quote;

/// The statements of one block.
const LENGTH: usize = 256;

/// A statement of a kernel.
pub(super) struct Statement {
    /// The names that the statement defines.
    pub names: Vec<Ident>,
    pub tokens: TokenStream,
}

impl Statement {
    /// Creates the statement `let name = value;`.
    pub fn binding(name: &Ident, value: &TokenStream) -> Self {
        Self { names: vec![name.clone()], tokens: quote!(let #name = #value;) }
    }

    /// Creates a statement that stores a result.
    pub fn store(tokens: TokenStream) -> Self {
        Self { names: Vec::new(), tokens }
    }
}

/// Writes the statements in blocks; `outputs` are used at their end.
pub(super) fn write(statements: &[Statement], outputs: &[TokenStream]) -> Vec<TokenStream> {
    if statements.len() <= 2 * LENGTH {
        return statements.iter().map(|statement| statement.tokens.clone()).collect();
    }
    let names: HashSet<String> =
        statements.iter().flat_map(|statement| &statement.names).map(Ident::to_string).collect();
    // The last block that uses a name.
    let mut last: HashMap<String, usize> = HashMap::new();
    for (at, statement) in statements.iter().enumerate() {
        for_each_name(&statement.tokens, &mut |name| {
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
            let used = statements.iter().flat_map(|statement| &statement.names);
            let used: Vec<&Ident> =
                used.filter(|name| last.get(&name.to_string()).is_some_and(|&used| used > block)).collect();
            let statements = statements.iter().map(|statement| &statement.tokens);
            quote! {
                let (#(#used,)*) = rt::outlined(|| {
                    #(#statements)*
                    (#(#used,)*)
                });
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
