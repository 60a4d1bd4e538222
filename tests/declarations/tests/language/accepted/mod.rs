//! Good declarations compile: a file for each construct of the language that is easy to get wrong in the compiler.

// What the declarations are for is to be compiled; they are written as users write them.
#![allow(dead_code, missing_docs, clippy::all, clippy::pedantic)]

mod arguments;
mod conditional_tests;
mod consts;
mod every_selection;
mod force_at;
mod groups;
mod helpers;
mod if_else;
mod kinematics;
mod limit;
mod loops;
mod norms;
mod opaque;
mod parameters;
mod rows;
mod shadowed_names;
mod two_energies;
