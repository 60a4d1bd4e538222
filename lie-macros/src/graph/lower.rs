//! Expansion of typed expressions into scalars.

use std::collections::HashMap;

use super::{Call, Graph, Scalar};
use crate::expr::{Expressions, Function, Node, Op, Singular, Type, position};
use crate::model::Rotation;

/// What is known of the expansion so far.
#[derive(Default)]
pub(crate) struct Lowering {
    known: HashMap<Node, Vec<Scalar>>,
    /// Matrices of the quaternions that act.
    matrices: HashMap<Node, Vec<Scalar>>,
}

impl Lowering {
    /// Nothing expanded yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// States what scalars `node` stands for.
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
                let size = match e.type_of(node) {
                    Type::Rotation(Rotation::SO2) => 2,
                    Type::Rotation(Rotation::SO3) => 9,
                    Type::Rotation(Rotation::S3) => 4,
                    _ => rows * columns,
                };
                (0..size).map(|component| g.leaf(*leaf, position(component))).collect()
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
            Op::Compose(a, b) => {
                let (a, b) = (&self.known[a], &self.known[b]);
                match e.rotation(node) {
                    Some(Rotation::SO2) => {
                        let (cc, ss) = (g.mul(a[0], b[0]), g.mul(a[1], b[1]));
                        let (cs, sc) = (g.mul(a[0], b[1]), g.mul(a[1], b[0]));
                        vec![g.sub(cc, ss), g.add(cs, sc)]
                    }
                    Some(Rotation::S3) => quaternion_product(g, a, b),
                    _ => matrix_product(g, a, b, 3, 3, 3),
                }
            }
            Op::Invert(a) => {
                let a = &self.known[a];
                match e.rotation(node) {
                    Some(Rotation::SO3) => (0..9).map(|at| a[(at % 3) * 3 + at / 3]).collect(),
                    _ => std::iter::once(a[0]).chain(a[1..].iter().map(|&x| g.neg(x))).collect(),
                }
            }
            Op::Exp(rotation, v) => rotation_exp(g, *rotation, &self.known[v]),
            Op::Log(r) => {
                let components = self.known[r].clone();
                let rotation = e.kind(*r);
                if rotation == Rotation::SO2 {
                    return vec![g.atan2(components[1], components[0])];
                }
                g.call(&Call::Log(rotation, components), 3)
            }
            Op::RotationMatrix(r) => self.matrix(e, g, *r),
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

    /// R v or Rᵀ v. Quaternions act through their matrix, which all their actions share.
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

    fn matrix(&mut self, e: &Expressions, g: &mut Graph, r: Node) -> Vec<Scalar> {
        if let Some(matrix) = self.matrices.get(&r) {
            return matrix.clone();
        }
        let components = self.known[&r].clone();
        let matrix = match e.rotation(r) {
            Some(Rotation::SO2) => {
                let minus = g.neg(components[1]);
                vec![components[0], minus, components[1], components[0]]
            }
            Some(Rotation::S3) => quaternion_matrix(g, &components),
            _ => components,
        };
        self.matrices.insert(r, matrix.clone());
        matrix
    }
}

fn matrix_product(g: &mut Graph, a: &[Scalar], b: &[Scalar], rows: usize, inner: usize, columns: usize) -> Vec<Scalar> {
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

fn cross(g: &mut Graph, a: &[Scalar], b: &[Scalar]) -> Vec<Scalar> {
    [(1, 2), (2, 0), (0, 1)]
        .into_iter()
        .map(|(i, j)| {
            let first = g.mul(a[i], b[j]);
            let second = g.mul(a[j], b[i]);
            g.sub(first, second)
        })
        .collect()
}

fn hat(g: &mut Graph, a: &[Scalar]) -> Vec<Scalar> {
    let zero = g.number(0.0);
    let minus: Vec<Scalar> = a.iter().map(|&x| g.neg(x)).collect();
    vec![zero, minus[2], a[1], a[2], zero, minus[0], minus[1], a[0], zero]
}

fn quaternion_product(g: &mut Graph, p: &[Scalar], q: &[Scalar]) -> Vec<Scalar> {
    let vector = g.dot(&p[1..], &q[1..]);
    let real = g.mul(p[0], q[0]);
    let mut result = vec![g.sub(real, vector)];
    let turn = cross(g, &p[1..], &q[1..]);
    for at in 1..4 {
        let first = g.mul(p[0], q[at]);
        let second = g.mul(q[0], p[at]);
        let sum = g.add(first, second);
        result.push(g.add(sum, turn[at - 1]));
    }
    result
}

/// The rotation matrix of a unit quaternion: with d = 2u, R = I + w d~ + u~ d~.
fn quaternion_matrix(g: &mut Graph, q: &[Scalar]) -> Vec<Scalar> {
    let one = g.number(1.0);
    let double: Vec<Scalar> = q[1..].iter().map(|&x| g.add(x, x)).collect();
    let mut result = vec![one; 9];
    for i in 0..3 {
        let (j, k) = ((i + 1) % 3, (i + 2) % 3);
        // Diagonal: 1 − 2 (q_j² + q_k²).
        let jj = g.mul(q[1 + j], double[j]);
        let kk = g.mul(q[1 + k], double[k]);
        let sum = g.add(jj, kk);
        result[4 * i] = g.sub(one, sum);
        // Off the diagonal: 2 (q_i q_j ± w q_k).
        let ij = g.mul(q[1 + i], double[j]);
        let wk = g.mul(q[0], double[k]);
        result[3 * i + j] = g.sub(ij, wk);
        result[3 * j + i] = g.add(ij, wk);
    }
    result
}

/// exp on the rotations (paper 1, eqs. 16 and 17).
fn rotation_exp(g: &mut Graph, rotation: Rotation, v: &[Scalar]) -> Vec<Scalar> {
    let z = g.dot(v, v);
    match rotation {
        Rotation::SO2 => vec![g.function(Function::Cos, v[0]), g.function(Function::Sin, v[0])],
        Rotation::S3 => {
            let (quarter, half) = (g.number(0.25), g.number(0.5));
            let z = g.mul(quarter, z);
            let cosine = g.singular(Singular::Stumpff(0), 0, z);
            let sine = g.singular(Singular::Stumpff(1), 0, z);
            let factor = g.mul(half, sine);
            std::iter::once(cosine).chain(v.iter().map(|&x| g.mul(factor, x))).collect()
        }
        Rotation::SO3 => {
            let c1 = g.singular(Singular::Stumpff(1), 0, z);
            let c2 = g.singular(Singular::Stumpff(2), 0, z);
            let c0 = g.singular(Singular::Stumpff(0), 0, z);
            // R = c_0 I + c_1 v~ + c_2 v vᵀ.
            let scaled: Vec<Scalar> = v.iter().map(|&x| g.mul(c2, x)).collect();
            let turn: Vec<Scalar> = v.iter().map(|&x| g.mul(c1, x)).collect();
            let turn = hat(g, &turn);
            (0..9)
                .map(|at| {
                    let (row, column) = (at / 3, at % 3);
                    let outer = g.mul(scaled[row.min(column)], v[row.max(column)]);
                    let sum = if row == column { g.add(c0, outer) } else { outer };
                    g.add(sum, turn[at])
                })
                .collect()
        }
    }
}
