//! What declarations may say, and what is told of wrong numbers.

mod accepted;
mod constructs;
mod declaration_check;
mod errors;
mod idioms;
mod names;
