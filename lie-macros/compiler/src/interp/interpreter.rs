//! The state of the symbolic interpreter: role functions, their arguments and results.

use std::collections::{HashMap, HashSet};

use quote::ToTokens;
use syn::Ident;

use super::frames::{Frame, Jump};
use super::integers::IntegerKind;
use super::leaves::{FrameNodes, Leaves};
use super::reads::{ListItem, MotionRate};
use super::store::Store;
use super::value::Value;
use crate::diagnostics::ErrorCollector;
use crate::expr::{Expressions, Leaf, Node, Seeds, Type};
use crate::model::{ArgumentKind, Group, Model, OutputShape, RoleFunction, TermElement};

/// Limit of steps for one function; a function with more steps contains a runaway loop.
const MAX_STEPS: usize = 200_000;

/// The reason why an expression has no value.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Stop {
    /// An error has been reported.
    Reported,
    /// Control flow has diverged through `return`, `break` or `continue`.
    Diverged,
}

use Stop::Reported;

/// A value, or the reason why there is none.
pub(crate) type Interpreted<T = Value> = Result<T, Stop>;

/// The symbolic interpreter of a declaration's functions.
pub(crate) struct SymbolicInterpreter<'a> {
    pub model: &'a Model,
    pub expressions: Expressions,
    pub leaves: Leaves,
    pub(super) diagnostics: &'a mut ErrorCollector,
    /// The number of errors reported by other stages.
    pub(super) reported_before: usize,
    /// The values of all variables.
    pub(super) store: Store,
    /// The variable names of the current function, innermost scope last.
    pub(super) scopes: Vec<HashMap<String, usize>>,
    /// The active path conditions (conditions on the state), outermost first.
    pub(super) path: Vec<Node>,
    /// The enclosing functions and loops, outermost first.
    pub(super) frames: Vec<Frame>,
    /// The pending jumps out of these frames.
    pub(super) jumps: Vec<Jump>,
    /// Functions with checked attributes.
    pub(super) checked: HashSet<String>,
    /// The length of the array that is being declared.
    pub(super) expected_length: Option<usize>,
    /// The paths of the helpers being inlined, outermost first.
    pub(super) inlining: Vec<String>,
    /// The constants used so far, by path; `None` during folding and for constants that cannot be folded.
    pub(super) constants: HashMap<String, Option<Value>>,
    /// The constants that are being folded.
    pub(super) folding: Vec<String>,
    /// The radicands of square roots, with their positions in the source.
    pub(super) roots: HashMap<Node, Ident>,
    /// Number of steps in the current function.
    pub(super) steps: usize,
    /// The name of the current role function.
    pub(super) role: String,
    /// The list items that the functions read.
    pub(super) reads: Vec<ListItem>,
    /// The rates of quantities that the functions call.
    pub(super) rates: Vec<MotionRate>,
    /// Factors of group elements that are products, by the parts of the product, with their group. Elements of different groups may have
    /// equal parts.
    pub(super) factors: HashMap<Vec<Node>, (Group, [Vec<Node>; 2])>,
    /// The frames of an unrolled declaration, `None` after an error, and the parent of the first of them.
    pub(super) tree_frames: Vec<Option<FrameNodes>>,
    pub(super) base: Option<FrameNodes>,
    /// The element of the current role function, in an unrolled declaration.
    pub(super) element: Option<TermElement>,
}

impl<'a> SymbolicInterpreter<'a> {
    /// Creates an interpreter of the function bodies of `model`.
    pub fn new(model: &'a Model, diagnostics: &'a mut ErrorCollector) -> Self {
        let mut expressions = Expressions::new();
        let leaves = Leaves::new(model, &mut expressions);
        let mut interpreter = Self {
            model,
            expressions,
            leaves,
            reported_before: diagnostics.len(),
            diagnostics,
            store: Store::default(),
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
            factors: HashMap::new(),
            tree_frames: Vec::new(),
            base: None,
            element: None,
        };
        interpreter.link_hand_derivatives();
        interpreter.evaluate_frames();
        interpreter
    }

    /// Returns the value of a role function with the declared output type: the parts of an element, or one expression.
    pub fn interpret(&mut self, function: &RoleFunction) -> Option<Vec<Node>> {
        let value = self.interpret_value(function)?;
        let output = self.output(value, function.output, &function.output_type);
        self.ensure_reported(&output, &function.name);
        output.ok()
    }

    /// Checks that an error has been reported if `reading` stopped because of one. A statement that is skipped without an error would
    /// change the meaning of the function.
    pub(super) fn ensure_reported<T>(&self, reading: &Interpreted<T>, at: &impl ToTokens) {
        if matches!(reading, Err(Reported)) && self.diagnostics.is_empty() {
            bug!("`{}` in `{}` has no value, and no error was reported", crate::diagnostics::source(at), self.role);
        }
    }

    /// Returns the value of a role function, of any type.
    pub(super) fn interpret_value(&mut self, function: &RoleFunction) -> Option<Value> {
        self.start();
        self.role = function.name.to_string();
        self.element.clone_from(&function.element);
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

    /// Resets the data of the previous function.
    pub(super) fn start(&mut self) {
        self.store = Store::default();
        self.scopes = vec![HashMap::new()];
        self.path.clear();
        self.frames.clear();
        self.jumps.clear();
        self.inlining.clear();
        self.expected_length = None;
        self.steps = 0;
    }

    /// Stores the source position of a square root.
    pub(super) fn remember_root(&mut self, radicand: Node, at: &Ident) {
        self.roots.entry(radicand).or_insert_with(|| at.clone());
    }

    /// Returns the source position of the square root of `radicand`.
    pub fn root(&self, radicand: Node) -> Option<&Ident> {
        self.roots.get(&radicand)
    }

    /// Returns the value of an argument of a role function.
    pub(super) fn argument(&mut self, kind: ArgumentKind) -> Value {
        if let Some(value) = self.element_argument(kind) {
            return value;
        }
        match kind {
            ArgumentKind::Parameters if self.model.parameters.is_some() => Value::Parameters,
            ArgumentKind::Inputs if self.model.inputs.is_some() => Value::Inputs,
            // An error has been reported for the struct.
            ArgumentKind::Parameters | ArgumentKind::Inputs => Value::Unknown,
            ArgumentKind::Time => Value::Scalar(self.leaves.time),
            ArgumentKind::Configuration => Value::Configuration,
            // The multipliers of called functions only.
            ArgumentKind::Velocity | ArgumentKind::Multipliers => Value::Velocity,
            ArgumentKind::States => {
                let members = &self.model.configuration.members;
                match members.iter().position(crate::model::is_of_states) {
                    Some(at) => self.leaves.velocity(at, &mut self.expressions),
                    None => Value::Unknown,
                }
            }
            // The members of an element's model are the selections.
            ArgumentKind::Members(at) => self.leaves.configuration(at),
            ArgumentKind::Velocities(at) => self.leaves.velocity(at, &mut self.expressions),
            ArgumentKind::Index => Value::Count(self.expressions.leaf(Leaf::Index, Type::SCALAR), IntegerKind::USIZE),
            ArgumentKind::Length => Value::Count(self.expressions.leaf(Leaf::Length, Type::SCALAR), IntegerKind::USIZE),
        }
    }

    /// Checks a returned value against the declared type, and returns its parts.
    pub(super) fn output(&mut self, value: Value, output: OutputShape, at: &impl ToTokens) -> Interpreted<Vec<Node>> {
        let expected = match output {
            OutputShape::Scalar => (1, 1),
            OutputShape::Vector(rows) => (rows, 1),
            OutputShape::Matrix(rows, columns) => (rows, columns),
            OutputShape::Element(group) => (group.dimension(), 1),
            OutputShape::Other => return Err(Reported),
        };
        let found = value.describe(&self.expressions);
        match (value, output) {
            (Value::Scalar(node), OutputShape::Scalar) => Ok(vec![node]),
            (Value::Matrix(node), OutputShape::Vector(_) | OutputShape::Matrix(..))
                if self.expressions.shape(node) == expected =>
            {
                Ok(vec![node])
            }
            (Value::Element(element), OutputShape::Element(group)) if element.group == group => Ok(element.parts),
            (Value::Matrix(node), OutputShape::Element(group))
                if group.is_vector_space() && self.expressions.shape(node) == expected =>
            {
                Ok(vec![node])
            }
            (Value::Struct(name, fields), OutputShape::Vector(_)) if self.is_states(&name) => {
                self.state_rates(&fields, at)
            }
            (Value::Unknown, _) => Err(Reported),
            (value, _) => {
                let wanted = match (output, expected) {
                    (OutputShape::Element(group), _) => format!("an element of {}", group.notation),
                    (_, (1, 1)) => "a scalar".to_owned(),
                    (_, (rows, 1)) => format!("a {rows}-vector"),
                    (_, (rows, columns)) => format!("a {rows}×{columns} matrix"),
                };
                let help = match (value, output) {
                    (Value::Integer(value), OutputShape::Scalar) => format!("write `{}.0`", value.value),
                    (Value::Matrix(node), OutputShape::Scalar) if self.expressions.shape(node) == (1, 1) => {
                        "write `(…)[0]` around the last expression".to_owned()
                    }
                    (Value::Unit, _) => format!("let the last expression be {wanted}, without a semicolon"),
                    // Groups that act on rigid bodies in the same way convert into each other.
                    (Value::Element(element), OutputShape::Element(group)) if group.converts(&element.group) => {
                        format!("write `{}::from(…)` around the last expression", group.name)
                    }
                    _ => format!("let the last expression be {wanted}, or change the type"),
                };
                let declared = crate::diagnostics::source(at);
                self.error_with_help(
                    at,
                    format_args!("mismatched types: the function must return `{declared}`, found {found}"),
                    help,
                )
            }
        }
    }

    /// Counts steps. Only the first step over the limit is reported.
    pub(super) fn spend(&mut self, steps: usize, at: &impl ToTokens) -> Interpreted<()> {
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

    /// Returns the left-trivialised velocity of an element along `seeds`, by blocks. The velocity of a product a b is
    /// v_b + Ad_{b⁻¹} v_a.
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

    /// Returns the tangents of the configuration's leaves along the velocity, and of time.
    pub fn motion(&mut self) -> Seeds {
        self.leaves.motion(&mut self.expressions)
    }

    /// Returns the list items that the functions read.
    pub fn reads(&self) -> Vec<ListItem> {
        self.reads.clone()
    }

    /// Returns the rates of quantities that the functions call.
    pub fn rates(&self) -> &[MotionRate] {
        &self.rates
    }

    /// Returns true if this interpreter has reported no error.
    pub fn is_clean(&self) -> bool {
        self.diagnostics.len() == self.reported_before
    }

    /// Returns true for the name of an item that is missing in the model because of an error.
    pub(super) fn is_gap(&self, name: &str) -> bool {
        self.model.gaps.names.contains(name)
    }

    /// Reports an error outside of function bodies.
    pub fn report(&mut self, node: impl ToTokens, message: impl std::fmt::Display, help: impl std::fmt::Display) {
        self.diagnostics.error_with_help(node, message, help);
    }

    pub(super) fn error<T>(&mut self, node: impl ToTokens, message: impl std::fmt::Display) -> Interpreted<T> {
        self.diagnostics.error(node, message);
        Err(Reported)
    }

    pub(super) fn error_with_help<T>(
        &mut self,
        node: impl ToTokens,
        message: impl std::fmt::Display,
        help: impl std::fmt::Display,
    ) -> Interpreted<T> {
        self.diagnostics.error_with_help(node, message, help);
        Err(Reported)
    }
}
