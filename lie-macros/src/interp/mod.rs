//! Interpreted of bodies: plain Rust → typed expressions.
//!
//! Invariant: every construct of the language has its meaning in Rust; what is outside of it is an error at that very
//! expression. A value that could not be read is `Unknown`, so that one mistake is reported once.
//!
//! | file | what it reads |
//! |---|---|
//! | `value`, `integers`, `counts`, `leaves` | what an expression can be; whole numbers as Rust computes them, and at run time; the state |
//! | `places`, `patterns`, `matching` | variables and references; `let`; `match` |
//! | `control`, `branches`, `loops`, `exits` | blocks; conditions on the state; loops; what leaves them early |
//! | `expressions`, `parts`, `types`, `indexing`, `macros` | the forms of expressions; fields and indices; types that are written, and that indices tell; macro calls |
//! | `operators`, `truths` | arithmetic; comparisons and truth values |
//! | `calls`, `quantities`, `opaque` | functions of the module, with and without a role |
//! | `closures`, `standard`, `constructors` | closures, functions of libraries |
//! | `lists` | items of lists that are as long as a chain, and tables |
//! | `own`, `methods`, `known_methods`, `numbers`, `matrices`, `inverses`, `sequences`, `iterators`, `elements` | methods by what they belong to |
//! | `advice`, `instead`, `spelling`, `arguments` | what to write instead: of what does not go together, as text, in calls |

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
mod indexing;
mod integers;
mod inverses;
mod iterators;
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
mod reductions;
mod runtime_integers;
mod scalar_methods;
mod sequences;
mod std_functions;
mod suggestions;
#[cfg(test)]
mod tests;
mod type_help;
mod types;
mod user_types;
mod value;

use std::collections::{HashMap, HashSet};

use quote::ToTokens;
use syn::Ident;

pub(crate) use leaves::{Atom, Leaves};
pub(crate) use lists::{ListItem, Listing};
pub(crate) use macros::{is_assertion, matched};
pub(crate) use operators::assigns;
pub(crate) use quantities::Rate;
pub(crate) use value::Value;

use crate::diagnostics::Diagnostics;
use crate::expr::{Expressions, Leaf, Node, Seeds, Type};
use crate::model::{ArgumentKind, Group, Model, Output, RoleFunction};

/// More steps than this in reading one function are a runaway loop.
const MAX_STEPS: usize = 200_000;

/// Why an expression has no value.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Stop {
    /// An error has been reported.
    Reported,
    /// Control has left: by `return`, `break` or `continue`.
    Diverged,
}

use Stop::{Diverged, Reported};

/// A value, or why there is none.
pub(crate) type Interpreted<T = Value> = Result<T, Stop>;

/// The symbolic interpreter of a declaration's functions.
pub(crate) struct SymbolicInterpreter<'a> {
    pub model: &'a Model,
    pub expressions: Expressions,
    pub leaves: Leaves,
    diagnostics: &'a mut Diagnostics,
    /// The number of errors reported by other stages.
    reported_before: usize,
    /// All variables.
    store: memory::Store,
    /// The names of those of the function being read, innermost scope last.
    scopes: Vec<HashMap<String, usize>>,
    /// The conditions on the state that are open, outermost first.
    path: Vec<Node>,
    /// The functions, loops and labelled blocks that are being read, outermost first.
    frames: Vec<control_flow::Frame>,
    /// The ways out of these that have been met.
    jumps: Vec<control_flow::Jump>,
    /// Functions whose attributes have been looked at.
    checked: HashSet<String>,
    /// The length of the array that is being declared.
    expected_length: Option<usize>,
    /// The paths of the helpers being inlined, outermost first.
    inlining: Vec<String>,
    /// Constants by their paths, as far as they have been used; `None` while or if they cannot be folded.
    constants: HashMap<String, Option<Value>>,
    /// The constants that are being folded.
    folding: Vec<String>,
    /// The radicands of roots, and where these were written.
    roots: HashMap<Node, Ident>,
    /// Steps taken in the function being read.
    steps: usize,
    /// The function with a role that is being read.
    role: String,
    /// The items of lists that were read.
    reads: Vec<ListItem>,
    /// The rates of quantities that were called for.
    rates: Vec<Rate>,
    /// What whole numbers may be that are chosen at run time, as far as somebody has asked.
    bounds: HashMap<Node, Option<runtime_integers::Bounds>>,
    /// The elements, by their parts, that were read as products, and in which group: others may have the same parts.
    factors: HashMap<Vec<Node>, (Group, [Vec<Node>; 2])>,
}

impl<'a> SymbolicInterpreter<'a> {
    /// A reader of the bodies of `model`.
    pub fn new(model: &'a Model, diagnostics: &'a mut Diagnostics) -> Self {
        let mut expressions = Expressions::new();
        let leaves = Leaves::new(model, &mut expressions);
        let mut reader = Self {
            model,
            expressions,
            leaves,
            reported_before: diagnostics.len(),
            diagnostics,
            store: memory::Store::default(),
            scopes: Vec::new(),
            path: Vec::new(),
            frames: Vec::new(),
            jumps: Vec::new(),
            checked: HashSet::new(),
            expected_length: None,
            inlining: Vec::new(),
            constants: HashMap::new(),
            folding: Vec::new(),
            roots: HashMap::new(),
            steps: 0,
            role: String::new(),
            reads: Vec::new(),
            rates: Vec::new(),
            bounds: HashMap::new(),
            factors: HashMap::new(),
        };
        reader.link_hand_derivatives();
        reader
    }

    /// The value of a role function, of the type its signature states: the parts of an element, or one expression.
    pub fn read(&mut self, function: &RoleFunction) -> Option<Vec<Node>> {
        let value = self.read_value(function)?;
        let output = self.output(value, function.output, &function.output_type);
        self.ensure_heard(&output, &function.name);
        output.ok()
    }

    /// Whoever stops because of an error relies on somebody having said it: a statement that is left out in silence would change
    /// what the function means.
    fn ensure_heard<T>(&self, reading: &Interpreted<T>, at: &impl ToTokens) {
        if matches!(reading, Err(Reported)) && self.diagnostics.is_empty() {
            bug!("`{}` in `{}` is not read, and nothing says why", crate::diagnostics::source(at), self.role);
        }
    }

    /// The value of a role function, of whatever type.
    fn read_value(&mut self, function: &RoleFunction) -> Option<Value> {
        self.start();
        self.role = function.name.to_string();
        let value = self.ensure_unconditional(function.body.to_token_stream()).and_then(|()| {
            self.function(&function.name, |this| {
                for argument in &function.arguments {
                    let value = this.argument(argument.kind);
                    this.bind(&argument.pattern, value)?;
                }
                this.block(&function.body)
            })
        });
        self.start();
        value.ok()
    }

    /// Forgets the function that was read last.
    fn start(&mut self) {
        self.store = memory::Store::default();
        self.scopes = vec![HashMap::new()];
        self.path.clear();
        self.frames.clear();
        self.jumps.clear();
        self.inlining.clear();
        self.expected_length = None;
        self.steps = 0;
    }

    /// Remembers where a root is written.
    fn remember_root(&mut self, radicand: Node, at: &Ident) {
        self.roots.entry(radicand).or_insert_with(|| at.clone());
    }

    /// Where the root of `radicand` is written.
    pub fn root(&self, radicand: Node) -> Option<&Ident> {
        self.roots.get(&radicand)
    }

    /// The value of an argument of a role function.
    fn argument(&mut self, kind: ArgumentKind) -> Value {
        match kind {
            ArgumentKind::Parameters if self.model.parameters.is_some() => Value::Parameters,
            ArgumentKind::Inputs if self.model.inputs.is_some() => Value::Inputs,
            // The struct has an error.
            ArgumentKind::Parameters | ArgumentKind::Inputs => Value::Unknown,
            ArgumentKind::Time => Value::Scalar(self.leaves.time),
            ArgumentKind::Configuration => Value::Configuration,
            // Multipliers are those of functions that are called.
            ArgumentKind::Velocity | ArgumentKind::Multipliers => Value::Velocity,
            // The members of an element's model are the selections.
            ArgumentKind::Members(at) => self.leaves.configuration(at),
            ArgumentKind::Velocities(at) => self.leaves.velocity(at, &mut self.expressions),
            ArgumentKind::Index => {
                Value::Count(self.expressions.leaf(Leaf::Index, Type::SCALAR), integers::Kind::USIZE)
            }
            ArgumentKind::Length => {
                Value::Count(self.expressions.leaf(Leaf::Length, Type::SCALAR), integers::Kind::USIZE)
            }
        }
    }

    /// Checks a returned value against the declared type; its parts.
    fn output(&mut self, value: Value, output: Output, at: &impl ToTokens) -> Interpreted<Vec<Node>> {
        let expected = match output {
            Output::Scalar => (1, 1),
            Output::Vector(rows) => (rows, 1),
            Output::Matrix(rows, columns) => (rows, columns),
            Output::Element(group) => (group.dimension(), 1),
            Output::Other => return Err(Reported),
        };
        let value = self.followed(value);
        let found = value.describe(&self.expressions);
        match (value, output) {
            (Value::Scalar(node), Output::Scalar) => Ok(vec![node]),
            (Value::Matrix(node), Output::Vector(_) | Output::Matrix(..))
                if self.expressions.shape(node) == expected =>
            {
                Ok(vec![node])
            }
            (Value::Element(element), Output::Element(group)) if element.group == group => Ok(element.parts),
            (Value::Matrix(node), Output::Element(group))
                if group.is_vector_space() && self.expressions.shape(node) == expected =>
            {
                Ok(vec![node])
            }
            (Value::Unknown, _) => Err(Reported),
            (value, _) => {
                let wanted = match (output, expected) {
                    (Output::Element(group), _) => format!("an element of {}", group.notation),
                    (_, (1, 1)) => "a scalar".to_owned(),
                    (_, (rows, 1)) => format!("a {rows}-vector"),
                    (_, (rows, columns)) => format!("a {rows}×{columns} matrix"),
                };
                let help = match (value, output) {
                    (Value::Integer(value), Output::Scalar) => format!("write `{}.0`", value.value),
                    (Value::Matrix(node), Output::Scalar) if self.expressions.shape(node) == (1, 1) => {
                        "write `(…)[0]` around the last expression".to_owned()
                    }
                    (Value::Unit, _) => format!("let the last expression be {wanted}, without a semicolon"),
                    // Of the groups that move a body alike, each is made of any other.
                    (Value::Element(element), Output::Element(group)) if group.converts(&element.group) => {
                        format!("write `{}::from(…)` around the last expression", group.name)
                    }
                    _ => format!("let the last expression be {wanted}, or change the type"),
                };
                let declared = crate::diagnostics::source(at);
                self.error_with_help(at, format_args!("the function returns {found}, not `{declared}`"), help)
            }
        }
    }

    /// Counts work; the first step over the limit is reported, the others fail in silence.
    fn spend(&mut self, steps: usize, at: &impl ToTokens) -> Interpreted<()> {
        let before = self.steps;
        self.steps = before.saturating_add(steps);
        if self.steps <= MAX_STEPS {
            return Ok(());
        }
        if before > MAX_STEPS {
            return Err(Reported);
        }
        self.error_with_help(
            at,
            format_args!("this function unrolls to more than {MAX_STEPS} steps"),
            "write sums in closed form, or move the loop into an `#[opaque]` function",
        )
    }

    /// The velocity of an element along `seeds`, left-trivialised, by blocks: of a product a b that of b and Ad_{b⁻¹} that of a.
    pub fn velocity_of(&mut self, group: Group, parts: &[Node], seeds: &Seeds) -> Vec<Node> {
        if let Some((of, [a, b])) = self.factors.get(parts).cloned()
            && of == group
        {
            let [of_a, of_b] = [&a, &b].map(|factor| self.velocity_of(group, factor, seeds));
            let e = &mut self.expressions;
            let seen = group.rules.inverse_adjoint(e, &b, &of_a);
            return seen.into_iter().zip(of_b).map(|(seen, own)| e.add(seen, own)).collect();
        }
        let rates = self.expressions.tangents(parts, seeds);
        group.rules.velocity(&mut self.expressions, parts, &rates)
    }

    /// The tangents of the configuration's leaves along the velocity, and of time.
    pub fn motion(&mut self) -> Seeds {
        self.leaves.motion(&mut self.expressions)
    }

    /// The items of lists that the functions read.
    pub fn reads(&self) -> Vec<ListItem> {
        self.reads.clone()
    }

    /// The rates of quantities that the functions call for.
    pub fn rates(&self) -> &[Rate] {
        &self.rates
    }

    /// True if this reader has reported no error.
    pub fn is_clean(&self) -> bool {
        self.diagnostics.len() == self.reported_before
    }

    /// True of the name of what the model lacks because of an error.
    fn is_gap(&self, name: &str) -> bool {
        self.model.gaps.names.contains(name)
    }

    /// Reports an error from outside of the bodies.
    pub fn report(&mut self, node: impl ToTokens, message: impl std::fmt::Display, help: impl std::fmt::Display) {
        self.diagnostics.error_with_help(node, message, help);
    }

    fn error<T>(&mut self, node: impl ToTokens, message: impl std::fmt::Display) -> Interpreted<T> {
        self.diagnostics.error(node, message);
        Err(Reported)
    }

    fn error_with_help<T>(
        &mut self,
        node: impl ToTokens,
        message: impl std::fmt::Display,
        help: impl std::fmt::Display,
    ) -> Interpreted<T> {
        self.diagnostics.error_with_help(node, message, help);
        Err(Reported)
    }
}
