//! The attribute macro [`macro@mechanical_system`]: a small symbolic compiler for mechanics on Lie groups.
//!
//! Stages, each a module: `parse` (tokens → items with roles) → `model` (checked declaration) → `read` (bodies →
//! typed expressions) → `derive` (equations of motion by differentiation) → `graph` (scalar graph) → `emit` (Rust).
//! Errors are collected and reported together before `emit`, which cannot fail.

mod derive;
mod diagnostics;
mod emit;
mod expr;
mod graph;
mod model;
mod parse;
mod read;

#[cfg(test)]
mod mutation;
#[cfg(test)]
mod samples;

/// Turns a module of energies, forces and constraints into a specialised mechanical system.
#[proc_macro_attribute]
pub fn mechanical_system(
    arguments: proc_macro::TokenStream,
    input: proc_macro::TokenStream,
) -> proc_macro::TokenStream {
    expand(arguments.into(), input.into()).into()
}

/// The whole compiler on `proc_macro2` tokens, testable without rustc.
fn expand(arguments: proc_macro2::TokenStream, input: proc_macro2::TokenStream) -> proc_macro2::TokenStream {
    match parse::parse(arguments, input) {
        Ok(model) => compile(&model),
        Err(errors) => errors,
    }
}

/// Reading, derivation and emission of a checked declaration.
fn compile(model: &model::Model) -> proc_macro2::TokenStream {
    let mut diagnostics = diagnostics::Diagnostics::new();
    let equations = derive::derive(&mut read::Reader::new(model, &mut diagnostics));
    match equations {
        Some(mut equations) if diagnostics.is_empty() => emit::emit(model, &mut equations),
        _ => model.recovery.emit(diagnostics.finish().unwrap_or_default()),
    }
}
