//! The symbolic interpreter of function bodies: plain Rust → typed expressions.
//!
//! Invariant: every supported construct has its Rust meaning; an unsupported construct is an error at that expression.
//! A value that follows from an error is `Unknown`, so that each mistake is reported once.
//!
//! | files | subject |
//! |---|---|
//! | `interpreter`, `outputs` | role functions, their arguments and results |
//! | `environment` | variables, path conditions and pending jumps |
//! | `records`, `leaves`, `term_elements` | data for later stages; the state; frames and elements |
//! | `value`, `integers` | values of expressions; integers |
//! | `memory`, `patterns`, `matching` | places and assignments; `let`; `match` |
//! | `control`, `branches`, `loops`, `control_flow` | blocks; conditions on the state; loops; functions and jumps |
//! | `expressions`, `projections`, `types`, `macros` | expressions; fields and indices; types; macro calls |
//! | `operators`, `booleans` | arithmetic; comparisons and boolean values |
//! | `calls`, `quantities`, `opaque`, `arguments` | functions of the module, with and without a role |
//! | `closures`, `constants`, `std_functions`, `constructors` | closures; constants; functions of libraries |
//! | `lists` | items of run-time lists, and tables |
//! | `methods`, `mutating_methods`, `scalar_methods`, `matrices`, `inverses`, `sequences`, `reductions` | methods |
//! | `help` | help for values of the wrong type |

mod arguments;
mod booleans;
mod branches;
mod calls;
mod closures;
mod constants;
mod constructors;
mod control;
mod control_flow;
mod environment;
mod expressions;
mod help;
mod integers;
mod interpreter;
mod inverses;
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
mod outputs;
mod patterns;
mod projections;
mod quantities;
mod records;
mod reductions;
mod scalar_methods;
mod sequences;
mod std_functions;
mod term_elements;
mod types;
mod value;

pub(crate) use interpreter::{Interpreted, SymbolicInterpreter};
pub(crate) use leaves::Atom;
pub(crate) use records::{ListItem, ListSource};
pub(crate) use value::Value;

use interpreter::Stop::{Diverged, Reported};
