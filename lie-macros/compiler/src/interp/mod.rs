//! The symbolic interpreter of function bodies: plain Rust → typed expressions.
//!
//! Invariant: every supported construct has its Rust meaning; an unsupported construct is an error at that expression.
//! A value that follows from an error is `Unknown`, so that each mistake is reported once.
//!
//! | files | subject |
//! |---|---|
//! | `interpreter`, `store`, `frames`, `reads` | the interpreter and its state |
//! | `value`, `integers`, `leaves` | values of expressions; integers; the state |
//! | `memory`, `patterns`, `matching` | variables and references; `let`; `match` |
//! | `control`, `branches`, `loops`, `control_flow` | blocks; conditions on the state; loops; `return`, `break` and `continue` |
//! | `expressions`, `projections`, `types`, `indexing`, `macros` | expressions; fields and indices; types; macro calls |
//! | `operators`, `booleans` | arithmetic; comparisons and boolean values |
//! | `calls`, `quantities`, `opaque` | functions of the module, with and without a role |
//! | `closures`, `std_functions`, `constructors` | closures; functions of libraries |
//! | `lists` | items of run-time lists, and tables |
//! | `user_types`, `methods`, `known_methods`, `scalar_methods`, `matrices`, `inverses`, `sequences`, `reductions` | methods |
//! | `type_help`, `suggestions`, `pretty_print`, `arguments` | help texts |

mod arguments;
mod booleans;
mod branches;
mod calls;
mod closures;
mod constants;
mod constructors;
mod control;
mod control_flow;
mod expressions;
mod frames;
mod indexing;
mod integers;
mod interpreter;
mod inverses;
mod known_methods;
mod leaves;
mod lists;
mod loops;
mod macros;
mod matching;
mod matrices;
mod memory;
mod methods;
mod mutating_methods;
mod opaque;
mod operators;
mod patterns;
mod pretty_print;
mod projections;
mod quantities;
mod reads;
mod reductions;
mod scalar_methods;
mod sequences;
mod states;
mod std_functions;
mod store;
mod suggestions;
mod term_elements;
mod type_help;
mod types;
mod user_types;
mod value;

pub(crate) use interpreter::{Interpreted, SymbolicInterpreter};
pub(crate) use leaves::Atom;
pub(crate) use reads::{ListItem, ListSource};
pub(crate) use value::Value;

use interpreter::Stop::{Diverged, Reported};
