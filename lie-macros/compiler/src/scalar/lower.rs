//! Expansion of typed expressions into scalars.

use rustc_hash::FxHashMap;

use super::{Call, Graph, Scalar};
use crate::expr::{Expressions, Node, Op, Rotation, Turn, position};

/// The scalars of the expressions expanded so far.
#[derive(Default)]
pub(crate) struct Lowering {
    known: FxHashMap<Node, Vec<Scalar>>,
    /// Matrices of the quaternions that rotate vectors.
    matrices: FxHashMap<Node, Vec<Scalar>>,
}

impl Lowering {
    /// Returns an empty expansion.
    pub fn new() -> Self {
        Self::default()
    }

    /// Defines the scalars of `node`.
    pub fn define(&mut self, node: Node, scalars: Vec<Scalar>) {
        self.known.insert(node, scalars);
    }

    /// The scalars of `root`: entries by rows, components of a rotation, or one truth value.
    pub fn lower(&mut self, expressions: &Expressions, graph: &mut Graph, root: Node) -> Vec<Scalar> {
        if !self.known.contains_key(&root) {
            for node in expressions.reachable(&[root]) {
                if !self.known.contains_key(&node) {
                    let scalars = self.expand(expressions, graph, node);
                    self.known.insert(node, scalars);
                }
            }
        }
        self.known[&root].clone()
    }

    #[allow(clippy::too_many_lines)] // One arm for each operation.
    fn expand(&mut self, e: &Expressions, g: &mut Graph, node: Node) -> Vec<Scalar> {
        let (rows, columns) = e.shape(node);
        let one = |this: &Self, a: &Node| this.known[a][0];
        match e.op(node) {
            Op::Number(bits) => vec![g.number(f64::from_bits(*bits))],
            Op::Zero => vec![g.number(0.0); rows * columns],
            Op::Leaf(leaf) => {
                (0..e.type_of(node).numbers()).map(|component| g.leaf(*leaf, position(component))).collect()
            }
            Op::Add(a, b) => {
                let (a, b) = (&self.known[a], &self.known[b]);
                a.iter().zip(b).map(|(&x, &y)| g.add(x, y)).collect()
            }
            Op::Neg(a) => self.known[a].iter().map(|&x| g.neg(x)).collect(),
            Op::Scale(s, a) => {
                let s = one(self, s);
                self.known[a].iter().map(|&x| g.mul(s, x)).collect()
            }
            Op::Product(a, b) => {
                let inner = e.shape(*a).1;
                matrix_product(g, &self.known[a], &self.known[b], rows, inner, columns)
            }
            Op::Transpose(a) => {
                let a = &self.known[a];
                (0..rows * columns).map(|at| a[(at % columns) * rows + at / columns]).collect()
            }
            Op::Dot(a, b) => vec![g.dot(&self.known[a], &self.known[b])],
            Op::Cross(a, b) => cross(g, &self.known[a], &self.known[b]),
            Op::Hat(a) => hat(g, &self.known[a]),
            Op::Stack(parts) | Op::Concat(parts) => {
                parts.iter().flat_map(|part| self.known[part].iter().copied()).collect()
            }
            Op::Entry(a, row, column) => {
                let width = e.shape(*a).1;
                vec![self.known[a][*row as usize * width + *column as usize]]
            }
            Op::Slice(a, start) => {
                let first = *start as usize * columns;
                self.known[a][first..first + rows * columns].to_vec()
            }
            Op::Divide(a, b) => vec![g.div(one(self, a), one(self, b))],
            Op::Function(function, a) => vec![g.function(*function, one(self, a))],
            Op::Power(a, exponent) => vec![g.power(one(self, a), *exponent)],
            Op::RealPower(a, b) => vec![g.real_power(one(self, a), one(self, b))],
            Op::Atan2(a, b) => vec![g.atan2(one(self, a), one(self, b))],
            Op::Remainder(a, b) => vec![g.remainder(one(self, a), one(self, b))],
            Op::Singular(function, order, a) => vec![g.singular(*function, *order, one(self, a))],
            Op::Compare(relation, a, b) => vec![g.compare(*relation, one(self, a), one(self, b))],
            Op::And(a, b) => vec![g.and(one(self, a), one(self, b))],
            Op::Or(a, b) => vec![g.or(one(self, a), one(self, b))],
            Op::Not(a) => vec![g.not(one(self, a))],
            Op::Select(condition, a, b) => {
                let condition = one(self, condition);
                let (a, b) = (&self.known[a], &self.known[b]);
                a.iter().zip(b).map(|(&x, &y)| g.select(condition, x, y)).collect()
            }
            Op::Act(r, v) => self.act(e, g, *r, *v, false),
            Op::ActInverse(r, v) => self.act(e, g, *r, *v, true),
            Op::Compose(a, b) => e.kind(node).product(g, &self.known[a], &self.known[b]),
            Op::Invert(a) => e.kind(node).inverse(g, &self.known[a]),
            Op::Exp(rotation, v) => self.exp(e, g, *rotation, *v),
            Op::Log(r) => e.kind(*r).log(g, &self.known[r]),
            Op::Convert(Rotation::S3, r) => {
                let w = e.kind(*r).log(g, &self.known[r]);
                Rotation::S3.exp(g, &w)
            }
            Op::Convert(_, r) | Op::RotationMatrix(r) => self.matrix(e, g, *r),
            Op::Opaque { function, arguments, directions } => {
                let take = |nodes: &[Node]| nodes.iter().map(|node| self.known[node].clone()).collect::<Vec<_>>();
                let call = Call::Opaque {
                    function: *function,
                    arguments: take(arguments),
                    directions: directions.iter().map(|direction| take(direction)).collect(),
                };
                g.call(&call, rows)
            }
        }
    }

    /// R v or Rᵀ v. Quaternions use their matrix, which all their products share.
    fn act(&mut self, e: &Expressions, g: &mut Graph, r: Node, v: Node, inverse: bool) -> Vec<Scalar> {
        let matrix = self.matrix(e, g, r);
        let v = &self.known[&v];
        let n = v.len();
        (0..n)
            .map(|row| {
                let line: Vec<Scalar> =
                    (0..n).map(|column| matrix[if inverse { column * n + row } else { row * n + column }]).collect();
                g.dot(&line, v)
            })
            .collect()
    }

    /// exp(v); cosine and sine of the angle of an element of SO(2) are known.
    fn exp(&self, e: &Expressions, g: &mut Graph, kind: Rotation, v: Node) -> Vec<Scalar> {
        if let Some(vector) = e.as_numbers(v) {
            let general = kind.exp(g, &self.known[&v]);
            return kind.exp_of_numbers(g, &vector, general);
        }
        match e.about_axis(v) {
            Some(Turn { axis, angle }) => {
                let planar = e.planar(angle).map(|r| &self.known[&r]);
                kind.about(g, axis, self.known[&angle][0], planar.map(|numbers| (numbers[0], numbers[1])))
            }
            None => kind.exp(g, &self.known[&v]),
        }
    }

    fn matrix(&mut self, e: &Expressions, g: &mut Graph, r: Node) -> Vec<Scalar> {
        if let Some(matrix) = self.matrices.get(&r) {
            return matrix.clone();
        }
        let matrix = e.kind(r).matrix(g, &self.known[&r]);
        self.matrices.insert(r, matrix.clone());
        matrix
    }
}

pub(super) fn matrix_product(
    g: &mut Graph,
    a: &[Scalar],
    b: &[Scalar],
    rows: usize,
    inner: usize,
    columns: usize,
) -> Vec<Scalar> {
    let mut result = Vec::with_capacity(rows * columns);
    for row in 0..rows {
        for column in 0..columns {
            let line = &a[row * inner..(row + 1) * inner];
            let other: Vec<Scalar> = (0..inner).map(|at| b[at * columns + column]).collect();
            result.push(g.dot(line, &other));
        }
    }
    result
}

pub(super) fn cross(g: &mut Graph, a: &[Scalar], b: &[Scalar]) -> Vec<Scalar> {
    [(1, 2), (2, 0), (0, 1)]
        .into_iter()
        .map(|(i, j)| {
            let first = g.mul(a[i], b[j]);
            let second = g.mul(a[j], b[i]);
            g.sub(first, second)
        })
        .collect()
}

pub(super) fn hat(g: &mut Graph, a: &[Scalar]) -> Vec<Scalar> {
    let zero = g.number(0.0);
    let minus: Vec<Scalar> = a.iter().map(|&x| g.neg(x)).collect();
    vec![zero, minus[2], a[1], a[2], zero, minus[0], minus[1], a[0], zero]
}
