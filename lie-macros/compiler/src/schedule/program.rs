//! A kernel as a program: statements over small expressions, which a back end only prints.
//!
//! Decisions made here: the values that get a name, the statements inside of a branch, the sums that are fused with a product, and the
//! order of evaluation.

use rustc_hash::FxHashMap;

use super::Hoisted;
use crate::expr::{Function, Leaf, Relation, Rotation, Singular};
use crate::scalar::{Branch, Branches, Call, Graph, Kernel, Scalar, ScalarOp};

/// Expressions with more operations get a name.
const MAX_INLINE: usize = 8;

/// Largest depth of nested branches.
const DEEPEST: usize = 4;

/// A kernel: its statements, which store all outputs.
#[derive(Debug, Default)]
pub(crate) struct Program {
    pub body: Vec<ProgramStatement>,
}

/// A statement of a program.
#[derive(Debug)]
pub(crate) enum ProgramStatement {
    /// Names a value.
    Let { name: usize, is_truth: bool, value: Expression },
    /// Names the three results of the logarithm of a rotation.
    Log { call: usize, rotation: Rotation, components: Vec<Expression> },
    /// Names the results of an opaque function of these arguments; `directions` has one entry for each order of differentiation.
    Opaque { call: usize, function: usize, arguments: Vec<Vec<Expression>>, directions: Vec<Vec<Vec<Expression>>> },
    /// Stores an output.
    Store { output: usize, value: Expression },
    /// Names values that are computed on one of two sides.
    If { condition: Expression, names: Vec<usize>, sides: [Side; 2] },
}

/// One side of a branch, and the values of the names of the branch.
#[derive(Debug)]
pub(crate) struct Side {
    pub body: Vec<ProgramStatement>,
    pub values: Vec<Expression>,
}

/// A scalar or truth value.
#[derive(Clone, Debug)]
pub(crate) enum Expression {
    Number(f64),
    Leaf(Leaf, u32),
    Hoisted(usize),
    Named(usize),
    /// A result of a call.
    Result(usize, u32),
    Negative(Box<Expression>),
    Sum([Box<Expression>; 2]),
    Difference([Box<Expression>; 2]),
    Product([Box<Expression>; 2]),
    Quotient([Box<Expression>; 2]),
    /// x y + a, one operation where the target has it.
    MultiplyAdd([Box<Expression>; 3]),
    Function(Function, Box<Expression>),
    Power(Box<Expression>, i32),
    RealPower([Box<Expression>; 2]),
    Atan2([Box<Expression>; 2]),
    Remainder([Box<Expression>; 2]),
    Singular(Singular, u8, Box<Expression>),
    Compare(Relation, [Box<Expression>; 2]),
    And([Box<Expression>; 2]),
    Or([Box<Expression>; 2]),
    Not(Box<Expression>),
    Select([Box<Expression>; 3]),
}

impl Expression {
    /// The operands of an operation.
    pub fn operands(&self) -> impl Iterator<Item = &Expression> {
        let operands: &[Box<Expression>] = match self {
            Expression::Number(_)
            | Expression::Leaf(..)
            | Expression::Hoisted(_)
            | Expression::Named(_)
            | Expression::Result(..) => &[],
            Expression::Negative(a)
            | Expression::Function(_, a)
            | Expression::Power(a, _)
            | Expression::Singular(_, _, a)
            | Expression::Not(a) => std::slice::from_ref(a),
            Expression::Sum(two)
            | Expression::Difference(two)
            | Expression::Product(two)
            | Expression::Quotient(two)
            | Expression::RealPower(two)
            | Expression::Atan2(two)
            | Expression::Remainder(two)
            | Expression::Compare(_, two)
            | Expression::And(two)
            | Expression::Or(two) => two,
            Expression::MultiplyAdd(three) | Expression::Select(three) => three,
        };
        operands.iter().map(|operand| &**operand)
    }
}

/// An opaque function, which some targets cannot call.
#[derive(Debug)]
pub(crate) struct CallsOpaque {
    /// The index of the function.
    pub function: usize,
}

impl Program {
    /// Returns the program that computes and stores `outputs` without calls of opaque functions.
    ///
    /// # Errors
    /// The opaque function that the outputs need.
    pub fn new(graph: &Graph, outputs: &[Scalar], hoisted: Option<&Hoisted>) -> Result<Program, CallsOpaque> {
        let program = Self::with_opaque_calls(graph, outputs, hoisted);
        match opaque_call(&program.body) {
            Some(function) => Err(CallsOpaque { function }),
            None => Ok(program),
        }
    }

    /// Returns the program that computes and stores `outputs`.
    pub fn with_opaque_calls(graph: &Graph, outputs: &[Scalar], hoisted: Option<&Hoisted>) -> Program {
        let given = |node: Scalar| hoisted.is_some_and(|hoisted| hoisted.position(node).is_some());
        let kernel = Kernel::new(graph, outputs, given);
        let branches = Branches::new(graph, &kernel, given);
        let (known, calls) = (FxHashMap::default(), FxHashMap::default());
        let mut builder = Builder { graph, hoisted, kernel, branches, body: vec![], named: 0, inside: 0, known, calls };
        for (output, &node) in outputs.iter().enumerate() {
            let value = builder.value(node);
            builder.body.push(ProgramStatement::Store { output, value });
        }
        Program { body: builder.body }
    }
}

/// Returns the first opaque function that the statements call.
fn opaque_call(body: &[ProgramStatement]) -> Option<usize> {
    body.iter().find_map(|statement| match statement {
        ProgramStatement::Opaque { function, .. } => Some(*function),
        ProgramStatement::If { sides, .. } => sides.iter().find_map(|side| opaque_call(&side.body)),
        _ => None,
    })
}

struct Builder<'a> {
    graph: &'a Graph,
    hoisted: Option<&'a Hoisted>,
    kernel: Kernel,
    branches: Branches,
    body: Vec<ProgramStatement>,
    /// The number of named values.
    named: usize,
    /// The number of open branches.
    inside: usize,
    /// The expression of a node, and the number of operations in it.
    known: FxHashMap<Scalar, (Expression, usize)>,
    calls: FxHashMap<Call, usize>,
}

impl Builder<'_> {
    /// Returns the expression of an output, after the missing statements that it needs. The order is depth first, so that values are used
    /// soon after their computation.
    fn value(&mut self, output: Scalar) -> Expression {
        let mut open = vec![output];
        while let Some(&node) = open.last() {
            if self.known.contains_key(&node) {
                open.pop();
                continue;
            }
            let position = self.hoisted.and_then(|hoisted| hoisted.position(node));
            if position.is_none() {
                let before = open.len();
                let operands = match self.branch(node) {
                    Some(branch) => branch.needs.clone(),
                    None => self.graph.operands(node),
                };
                open.extend(operands.into_iter().rev().filter(|operand| !self.known.contains_key(operand)));
                if open.len() > before {
                    continue;
                }
            }
            open.pop();
            if position.is_none() && self.branch(node).is_some() {
                self.take(node);
                continue;
            }
            let (value, size) = match position {
                Some(position) => (Expression::Hoisted(position), 0),
                None => self.expression(node),
            };
            let op = self.graph.op(node);
            let is_atom = matches!(op, ScalarOp::Number(_));
            let entry = if !is_atom && (self.kernel.uses_of(node) > 1 || size > MAX_INLINE) {
                let is_truth =
                    matches!(op, ScalarOp::Compare(..) | ScalarOp::And(..) | ScalarOp::Or(..) | ScalarOp::Not(_));
                let name = self.named;
                self.named += 1;
                self.body.push(ProgramStatement::Let { name, is_truth, value });
                (Expression::Named(name), 0)
            } else {
                (value, size)
            };
            self.known.insert(node, entry);
        }
        self.operand(output)
    }

    /// Returns the branch of a selection.
    fn branch(&self, node: Scalar) -> Option<&Branch> {
        self.branches.of(node).filter(|_| self.inside < DEEPEST)
    }

    /// Adds a branch, with the nodes that only its sides need inside of them.
    fn take(&mut self, choice: Scalar) {
        let Some(Branch { condition, choices, sides, .. }) = self.branch(choice).cloned() else { return };
        self.inside += 1;
        let sides = sides.map(|side| {
            let outside = std::mem::take(&mut self.body);
            let values = side.iter().map(|&value| self.value(value)).collect();
            Side { body: std::mem::replace(&mut self.body, outside), values }
        });
        self.inside -= 1;
        let names: Vec<usize> = (self.named..).take(choices.len()).collect();
        self.named += names.len();
        let condition = self.operand(condition);
        self.known
            .extend(choices.into_iter().zip(&names).map(|(choice, &name)| (choice, (Expression::Named(name), 0))));
        self.body.push(ProgramStatement::If { condition, names, sides });
    }

    /// Returns b − a instead of −(a − b), if only the negative difference is needed.
    fn turned_difference(&mut self, node: Scalar) -> Option<Expression> {
        let ScalarOp::Sub(a, b) = *self.graph.op(node) else { return None };
        if !self.is_inline(node) {
            return None;
        }
        let [a_is_product, b_is_product] = [a, b].map(|node| self.is_product(node));
        Some(match self.operand(node) {
            Expression::Difference([a, b]) => Expression::Difference([b, a]),
            Expression::MultiplyAdd([x, y, a]) if b_is_product => match *a {
                Expression::Product([u, v]) if a_is_product => Expression::MultiplyAdd([
                    Box::new(Expression::Negative(u)),
                    v,
                    Box::new(Expression::Product([Box::new(positive(*x)), y])),
                ]),
                a => Expression::MultiplyAdd([Box::new(positive(*x)), y, Box::new(Expression::Negative(Box::new(a)))]),
            },
            Expression::MultiplyAdd([x, y, b]) => {
                Expression::MultiplyAdd([Box::new(Expression::Negative(x)), y, Box::new(positive(*b))])
            }
            other => bug!("{other:?} is not a difference"),
        })
    }

    /// True for a product that is only used in one sum.
    fn is_product(&self, node: Scalar) -> bool {
        matches!(self.graph.op(node), ScalarOp::Mul(..)) && self.is_inline(node)
    }

    /// Returns the factors of a product that is only used in one sum.
    fn contracted(&mut self, node: Scalar) -> Option<[Box<Expression>; 2]> {
        if !self.is_product(node) {
            return None;
        }
        match self.operand(node) {
            Expression::Product(factors) => Some(factors),
            other => bug!("{other:?} is not a product"),
        }
    }

    fn is_inline(&self, node: Scalar) -> bool {
        self.kernel.uses_of(node) == 1 && self.known[&node].1 > 0
    }

    /// Returns the expression of an operand. An expression of operations has one use, and is moved.
    fn operand(&mut self, node: Scalar) -> Expression {
        match self.known.get_mut(&node) {
            Some((expression, 0)) => expression.clone(),
            Some((expression, _)) => std::mem::replace(expression, Expression::Number(0.0)),
            None => bug!("{node:?} has no value"),
        }
    }

    fn boxed(&mut self, node: Scalar) -> Box<Expression> {
        Box::new(self.operand(node))
    }

    fn all_boxed<const N: usize>(&mut self, nodes: [Scalar; N]) -> [Box<Expression>; N] {
        nodes.map(|node| self.boxed(node))
    }

    /// a − b.
    fn difference(&mut self, a: Scalar, b: Scalar) -> Expression {
        if let Some([x, y]) = self.contracted(b) {
            return Expression::MultiplyAdd([Box::new(Expression::Negative(x)), y, self.boxed(a)]);
        }
        match self.contracted(a) {
            Some([x, y]) => Expression::MultiplyAdd([x, y, Box::new(Expression::Negative(self.boxed(b)))]),
            None => Expression::Difference(self.all_boxed([a, b])),
        }
    }

    /// a + b.
    fn sum(&mut self, a: Scalar, b: Scalar) -> Expression {
        let (product, other) = if self.is_product(b) { (b, a) } else { (a, b) };
        match self.contracted(product) {
            Some([x, y]) => Expression::MultiplyAdd([x, y, self.boxed(other)]),
            None => Expression::Sum(self.all_boxed([a, b])),
        }
    }

    /// Returns the expression of a node and the number of its operations.
    fn expression(&mut self, node: Scalar) -> (Expression, usize) {
        let operands = self.graph.operands(node);
        let size = 1 + operands.iter().map(|operand| self.known[operand].1).sum::<usize>();
        let value = match *self.graph.op(node) {
            ScalarOp::Number(bits) => return (Expression::Number(f64::from_bits(bits)), 0),
            ScalarOp::Leaf(leaf, component) => return (Expression::Leaf(leaf, component), 0),
            ScalarOp::Add(a, b) => self.sum(a, b),
            ScalarOp::Sub(a, b) => self.difference(a, b),
            ScalarOp::Mul(a, b) => Expression::Product(self.all_boxed([a, b])),
            ScalarOp::Div(a, b) => Expression::Quotient(self.all_boxed([a, b])),
            ScalarOp::Neg(a) => {
                if let Some(difference) = self.turned_difference(a) {
                    return (difference, size - 1);
                }
                Expression::Negative(self.boxed(a))
            }
            ScalarOp::Function(function, a) => Expression::Function(function, self.boxed(a)),
            ScalarOp::Power(a, exponent) => Expression::Power(self.boxed(a), exponent),
            ScalarOp::RealPower(a, b) => Expression::RealPower(self.all_boxed([a, b])),
            ScalarOp::Atan2(a, b) => Expression::Atan2(self.all_boxed([a, b])),
            ScalarOp::Remainder(a, b) => Expression::Remainder(self.all_boxed([a, b])),
            ScalarOp::Singular(function, order, z) => Expression::Singular(function, order, self.boxed(z)),
            ScalarOp::Compare(relation, a, b) => Expression::Compare(relation, self.all_boxed([a, b])),
            ScalarOp::And(a, b) => Expression::And(self.all_boxed([a, b])),
            ScalarOp::Or(a, b) => Expression::Or(self.all_boxed([a, b])),
            ScalarOp::Not(a) => Expression::Not(self.boxed(a)),
            ScalarOp::Select(condition, a, b) => Expression::Select(self.all_boxed([condition, a, b])),
            ScalarOp::Output(ref call, output) => return (Expression::Result(self.call(&call.clone()), output), 0),
        };
        (value, size)
    }

    /// Returns the index of a call, after its statement.
    fn call(&mut self, call: &Call) -> usize {
        if let Some(&index) = self.calls.get(call) {
            return index;
        }
        let index = self.calls.len();
        let mut list = |scalars: &[Scalar]| scalars.iter().map(|&scalar| self.operand(scalar)).collect::<Vec<_>>();
        let mut lists = |all: &[Vec<Scalar>]| all.iter().map(|scalars| list(scalars)).collect::<Vec<_>>();
        let statement = match call {
            Call::Log(rotation, components) => {
                ProgramStatement::Log { call: index, rotation: *rotation, components: list(components) }
            }
            Call::Opaque { function, arguments, directions } => ProgramStatement::Opaque {
                call: index,
                function: *function,
                arguments: lists(arguments),
                directions: directions.iter().map(|direction| lists(direction)).collect(),
            },
        };
        self.body.push(statement);
        self.calls.insert(call.clone(), index);
        index
    }
}

/// Returns a from −a.
fn positive(negative: Expression) -> Expression {
    match negative {
        Expression::Negative(a) => *a,
        other => bug!("{other:?} has no sign"),
    }
}

#[cfg(test)]
#[path = "../../tests/unit/program.rs"]
mod tests;
