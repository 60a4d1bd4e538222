//! Typed expressions: scalars, vectors, matrices and rotations in a hash-consed graph.
//!
//! Invariants: every node has a type that its operands agree with; equal nodes are one node; operands come before the nodes that use them.
//! Differentiation uses the rules of the group operations at this level. Afterwards expressions are expanded into scalars (`graph`).

mod arithmetic;
mod axis_rotation;
mod build;
mod discontinuity;
mod elementary;
mod elementary_derivatives;
mod forward;
mod functions;
mod leaf;
mod path_conditions;
mod reverse;
mod roots;
mod rotation_kind;
mod rotations;
mod substitute;
#[cfg(test)]
#[path = "../../tests/unit/expr/mod.rs"]
mod tests;

use rustc_hash::FxHashMap;

pub(crate) use axis_rotation::Turn;
pub use elementary::Function;
pub(crate) use elementary::{Modulus, Parity};
pub(crate) use forward::Seeds;
pub(crate) use leaf::{Iterated, Leaf, MemberPosition, Subscript, Wrap};
pub(crate) use reverse::Gradient;
pub(crate) use roots::half_integer;
pub(crate) use rotation_kind::Rotation;

/// A node of [`Expressions`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct Node(u32);

/// The type of a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Type {
    /// A matrix; vectors have one column, scalars one entry.
    Matrix { rows: usize, columns: usize },
    /// An element of SO(2), SO(3) or S³.
    Rotation(Rotation),
    /// The outcome of a comparison.
    Bool,
}

impl Type {
    /// A scalar.
    pub const SCALAR: Type = Type::Matrix { rows: 1, columns: 1 };

    /// A vector with `rows` components.
    pub fn vector(rows: usize) -> Type {
        Type::Matrix { rows, columns: 1 }
    }

    /// The number of scalars of a value.
    pub fn numbers(self) -> usize {
        match self {
            Type::Matrix { rows, columns } => rows * columns,
            Type::Rotation(rotation) => rotation.numbers(),
            Type::Bool => 1,
        }
    }
}

/// The families of singular functions of z = x², closed under differentiation with respect to z.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum Singular {
    /// The Stumpff function c_k.
    Stumpff(u8),
    /// γ, the coefficient of ω~² in T⁻¹.
    Gamma,
}

/// An order relation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum Relation {
    Less,
    LessOrEqual,
}

/// An operation; the comment gives the value.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Op {
    /// A scalar constant, by its bits.
    Number(u64),
    /// A matrix of zeros.
    Zero,
    /// A value at run time.
    Leaf(Leaf),
    /// a + b.
    Add(Node, Node),
    /// −a.
    Neg(Node),
    /// s a with a scalar s.
    Scale(Node, Node),
    /// a b, the matrix product.
    Product(Node, Node),
    /// aᵀ.
    Transpose(Node),
    /// Σ a_ij b_ij.
    Dot(Node, Node),
    /// a × b in R³.
    Cross(Node, Node),
    /// a~ with a~ b = a × b.
    Hat(Node),
    /// The matrix with these scalar entries, by rows.
    Stack(Vec<Node>),
    /// The scalar a_{row, column}.
    Entry(Node, u32, u32),
    /// The rows from the given one on; the type has their number.
    Slice(Node, u32),
    /// Matrices stacked vertically.
    Concat(Vec<Node>),
    /// a / b of scalars.
    Divide(Node, Node),
    /// f(a).
    Function(Function, Node),
    /// aⁿ.
    Power(Node, i32),
    /// a^b.
    RealPower(Node, Node),
    /// The angle of the point (second, first).
    Atan2(Node, Node),
    /// a − b trunc(a/b), exact.
    Remainder(Node, Node),
    /// The n-th derivative of a singular function at a.
    Singular(Singular, u8, Node),
    /// a < b or a ≤ b.
    Compare(Relation, Node, Node),
    /// True if both hold.
    And(Node, Node),
    /// True if at least one holds.
    Or(Node, Node),
    /// True if the operand does not hold.
    Not(Node),
    /// The second operand if the first holds, otherwise the third.
    Select(Node, Node, Node),
    /// R v.
    Act(Node, Node),
    /// Rᵀ v.
    ActInverse(Node, Node),
    /// R S.
    Compose(Node, Node),
    /// R⁻¹.
    Invert(Node),
    /// exp(v).
    Exp(Rotation, Node),
    /// log(R).
    Log(Node),
    /// R as an element of another group of equal rotations.
    Convert(Rotation, Node),
    /// R as a matrix.
    RotationMatrix(Node),
    /// An opaque function, or (with as many directions as arguments) its derivative along them.
    Opaque { function: usize, arguments: Vec<Node>, directions: Vec<Vec<Node>> },
}

/// A position among nodes, entries or components.
pub(crate) fn position(value: usize) -> u32 {
    u32::try_from(value).unwrap_or_else(|_| bug!("position {value} has more than 32 bits"))
}

/// The arena of all expressions of a declaration.
#[derive(Default)]
pub(crate) struct Expressions {
    ops: Vec<Op>,
    types: Vec<Type>,
    known: FxHashMap<(Op, Type), Node>,
    /// Known entries (row, column) and slices (start, rows), so that shared terms are searched once.
    entries: FxHashMap<(Node, (u32, u32)), Node>,
    slices: FxHashMap<(Node, (u32, u32)), Node>,
    /// Known results of R v, Rᵀ v and inverses.
    turned: FxHashMap<(Node, Node, bool), Node>,
    inverses: FxHashMap<Node, Node>,
    /// Opaque functions with a hand-written derivative, which is another opaque function.
    hand_derivatives: FxHashMap<usize, usize>,
}

impl Expressions {
    /// An empty arena.
    pub fn new() -> Self {
        Self::default()
    }

    /// The number of nodes.
    #[cfg(test)]
    pub fn len(&self) -> usize {
        self.ops.len()
    }

    /// Sets the opaque function `derivative` as the gradient of the opaque function `function`.
    pub fn set_hand_derivative(&mut self, function: usize, derivative: usize) {
        self.hand_derivatives.insert(function, derivative);
    }

    /// The operation of a node.
    pub fn op(&self, node: Node) -> &Op {
        &self.ops[node.0 as usize]
    }

    /// The type of a node.
    pub fn type_of(&self, node: Node) -> Type {
        self.types[node.0 as usize]
    }

    /// Rows and columns; (0, 0) for a node that is not a matrix.
    pub fn shape(&self, node: Node) -> (usize, usize) {
        match self.type_of(node) {
            Type::Matrix { rows, columns } => (rows, columns),
            _ => (0, 0),
        }
    }

    /// The kind of a rotation.
    pub fn rotation(&self, node: Node) -> Option<Rotation> {
        match self.type_of(node) {
            Type::Rotation(rotation) => Some(rotation),
            _ => None,
        }
    }

    /// The kind of a node with rotation type.
    pub fn kind(&self, node: Node) -> Rotation {
        self.rotation(node).unwrap_or_else(|| bug!("{:?} is no rotation", self.op(node)))
    }

    /// The node at a position of the arena.
    fn node(index: usize) -> Node {
        Node(position(index))
    }

    /// The value of a constant scalar.
    pub fn as_number(&self, node: Node) -> Option<f64> {
        match self.op(node) {
            Op::Number(bits) => Some(f64::from_bits(*bits)),
            Op::Zero if self.type_of(node) == Type::SCALAR => Some(0.0),
            _ => None,
        }
    }

    /// True for a matrix of zeros.
    pub fn is_zero(&self, node: Node) -> bool {
        match self.op(node) {
            Op::Zero => true,
            Op::Number(bits) => f64::from_bits(*bits) == 0.0,
            _ => false,
        }
    }

    /// The operands of a node, in order.
    pub fn operands(&self, node: Node) -> Vec<Node> {
        match self.op(node) {
            Op::Number(_) | Op::Zero | Op::Leaf(_) => Vec::new(),
            Op::Neg(a)
            | Op::Transpose(a)
            | Op::Hat(a)
            | Op::Entry(a, ..)
            | Op::Slice(a, _)
            | Op::Function(_, a)
            | Op::Power(a, _)
            | Op::Singular(_, _, a)
            | Op::Not(a)
            | Op::Invert(a)
            | Op::Exp(_, a)
            | Op::Log(a)
            | Op::Convert(_, a)
            | Op::RotationMatrix(a) => vec![*a],
            Op::Add(a, b)
            | Op::Scale(a, b)
            | Op::Product(a, b)
            | Op::Dot(a, b)
            | Op::Cross(a, b)
            | Op::Divide(a, b)
            | Op::RealPower(a, b)
            | Op::Atan2(a, b)
            | Op::Remainder(a, b)
            | Op::Compare(_, a, b)
            | Op::And(a, b)
            | Op::Or(a, b)
            | Op::Act(a, b)
            | Op::ActInverse(a, b)
            | Op::Compose(a, b) => vec![*a, *b],
            Op::Select(a, b, c) => vec![*a, *b, *c],
            Op::Stack(parts) | Op::Concat(parts) => parts.clone(),
            Op::Opaque { arguments, directions, .. } => {
                arguments.iter().chain(directions.iter().flatten()).copied().collect()
            }
        }
    }

    /// Returns the node of an operation; creates it if it is not known. The constructors (`build`) simplify.
    fn intern(&mut self, op: Op, ty: Type) -> Node {
        if let Some(&node) = self.known.get(&(op.clone(), ty)) {
            return node;
        }
        let node = Self::node(self.ops.len());
        self.ops.push(op.clone());
        self.types.push(ty);
        self.known.insert((op, ty), node);
        node
    }
}
