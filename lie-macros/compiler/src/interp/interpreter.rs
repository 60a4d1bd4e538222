//! The symbolic interpreter: role functions, their arguments, and errors.

use quote::ToTokens;
use syn::Ident;

use super::environment::{FoldedConstants, FunctionEnvironment};
use super::leaves::{ElementTree, Leaves};
use super::records::{ListItem, MotionRate, Records};
use super::value::Value;
use crate::diagnostics::ErrorCollector;
use crate::expr::{Expressions, Leaf, Node, Seeds, Type};
use crate::model::{ArgumentKind, Group, Model, OutputShape, Role, RoleFunction};

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
    /// The variables, conditions and jumps of the current role function.
    pub(super) environment: FunctionEnvironment,
    pub(super) constants: FoldedConstants,
    pub(super) records: Records,
    pub(super) tree: ElementTree,
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
            environment: FunctionEnvironment::default(),
            constants: FoldedConstants::default(),
            records: Records::default(),
            tree: ElementTree::default(),
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
            bug!(
                "`{}` in `{}` has no value, and no error was reported",
                crate::diagnostics::source(at),
                self.environment.role
            );
        }
    }

    /// Returns the value of a role function, of any type.
    pub(super) fn interpret_value(&mut self, function: &RoleFunction) -> Option<Value> {
        self.environment = FunctionEnvironment::new(function.name.to_string());
        self.tree.element.clone_from(&function.element);
        let value = self.ensure_unconditional(function.body.to_token_stream()).and_then(|()| {
            self.function(&function.name, |this| {
                for argument in &function.arguments {
                    let value = this.argument(argument.kind);
                    this.bind(&argument.pattern, value)?;
                }
                this.block(&function.body)
            })
        });
        self.environment = FunctionEnvironment::default();
        value.ok()
    }

    /// Returns the source position of the square root of `radicand`.
    pub fn root(&self, radicand: Node) -> Option<&Ident> {
        self.records.roots.get(&radicand)
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
            ArgumentKind::Velocity => Value::Velocity,
            ArgumentKind::Multipliers => self.multipliers(),
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
            ArgumentKind::Index => Value::Count(self.expressions.leaf(Leaf::Index, Type::SCALAR), false),
            ArgumentKind::Length => Value::Count(self.expressions.leaf(Leaf::Length, Type::SCALAR), false),
        }
    }

    /// Returns the multipliers under the names of their constraints, holonomic ones first. Constraints over members have one value for
    /// each element.
    fn multipliers(&mut self) -> Value {
        let with = |role: fn(&Role) -> bool| self.model.functions.iter().filter(move |function| role(&function.role));
        let holonomic = with(|role| matches!(role, Role::Constraint));
        let others = with(|role| matches!(role, Role::VelocityConstraint));
        let (mut fields, mut offset): (Vec<(String, Value)>, usize) = (vec![], 0);
        for function in holonomic.chain(others) {
            let rows = if let OutputShape::Vector(rows) = function.output { rows } else { 1 };
            let leaves = self.expressions.leaves(offset..offset + rows, Leaf::Multiplier);
            let value = if rows == 1 { Value::Scalar(leaves) } else { Value::Matrix(leaves) };
            let name = function.name.to_string();
            offset += rows;
            match fields.last_mut() {
                Some((known, Value::Array(elements))) if *known == name => elements.push(value),
                _ if function.runs_over_members() => fields.push((name, Value::Array(vec![value]))),
                _ => fields.push((name, value)),
            }
        }
        Value::Struct("Multipliers".into(), fields)
    }

    /// Counts steps. Only the first step over the limit is reported.
    pub(super) fn spend(&mut self, steps: usize, at: &impl ToTokens) -> Interpreted<()> {
        let before = self.environment.steps;
        self.environment.steps = before.saturating_add(steps);
        if self.environment.steps <= MAX_STEPS {
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
        if let Some((of, [a, b])) = self.records.factors.get(parts).cloned()
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
        self.records.reads.clone()
    }

    /// Returns the rates of quantities that the functions call.
    pub fn rates(&self) -> &[MotionRate] {
        &self.records.rates
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
