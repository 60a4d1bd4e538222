//! Expansions of whole declarations: the generated code, its operations, and the errors of all stages.

mod bodies;
mod extremes;
mod inertia;
mod mutation;
mod operation_counts;
mod runtime_path;
mod samples;
mod snapshots;
mod stages;

use lie_compiler::{Source, compile};
use proc_macro2::TokenStream;

/// Returns the expansion of a declaration, with errors as items.
fn expand(arguments: TokenStream, module: TokenStream) -> TokenStream {
    match compile(Source::Tokens { arguments, module }) {
        Ok(compiled) => compiled.into_tokens(),
        Err(errors) => errors.into_tokens(),
    }
}
