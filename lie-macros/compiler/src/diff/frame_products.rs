//! Products with the Jacobian [A J] of a frame, u = A u₋ + J v.
//!
//! Most entries of [A J] are zero, one, or equal or opposite to another entry. For a joint in space, two blocks of A are one rotation; for
//! points as frames, A is the identity. [A J] is therefore stored as its distinct scalars, and the products in eliminations are
//! straight-line kernels of these scalars.
//!
//! A point q of the sphere moves along two unit vectors t₁ and t₂ orthogonal to it, q' = a₁ t₁ + a₂ t₂, and its spin s about q has no
//! effect. In these coordinates of the velocity, two columns of J are nonzero; for points as frames they are t₁ and t₂.

use super::Derivation;
use crate::expr::{Leaf, Node, Seeds, Type, position};
use crate::model::Group;
use crate::scalar::{Graph, Scalar, ScalarOp};

/// [A J] and its products.
pub(crate) struct Products {
    /// Entries that are not constant, each once up to its sign.
    pub numbers: Vec<Scalar>,
    /// A u₋ + J v, from these scalars.
    pub push: Vec<Scalar>,
    /// Aᵀ w and Jᵀ w.
    pub pull: Vec<Scalar>,
    /// The positions of t₁ and t₂ among the scalars, for a point of the sphere.
    pub across: Option<[[usize; 3]; 2]>,
    /// Aᵀ K A (n × n), Aᵀ K J (n × m) and Jᵀ K J (m × m) for a skew-symmetric K; the first and the last by the entries above the diagonal.
    pub turn: Vec<Scalar>,
}

/// The parts of [A J]ᵀ X [A J], by rows: n × n, n × m, m × m.
fn in_parts(n: usize, dof: usize, mut entry: impl FnMut(usize, usize) -> Scalar) -> Vec<Scalar> {
    let mut all = Vec::new();
    for (rows, columns) in [(0..n, 0..n), (0..n, n..dof), (n..dof, n..dof)] {
        for row in rows {
            all.extend(columns.clone().map(|column| entry(row, column)));
        }
    }
    all
}

/// X [A J] by columns, from the rows of X.
fn weighted(graph: &mut Graph, matrix: &[Vec<Scalar>], jacobian: &[Vec<Scalar>]) -> Vec<Vec<Scalar>> {
    jacobian.iter().map(|column| matrix.iter().map(|row| graph.dot(row, column)).collect()).collect()
}

impl Derivation<'_, '_> {
    /// The point of the sphere, if the joint is one.
    fn point_of_sphere(&self) -> Option<Node> {
        let joint = self.interpreter.leaves.atoms.last()?;
        joint.group.rules.idle(&joint.parts, &joint.velocity).first().map(|&(q, _)| q)
    }

    /// [A J] by columns, for the frame at `frame` with the given velocity.
    pub(super) fn frame_jacobian(&mut self, group: Group, frame: &[Node], velocity: &[Node]) -> Vec<Vec<Scalar>> {
        let (dof, sphere) = (self.interpreter.leaves.dof, self.point_of_sphere());
        let mut columns = Vec::new();
        for index in 0..if sphere.is_some() { dof - 3 } else { dof } {
            let seeds = self.interpreter.leaves.velocity_direction(&mut self.interpreter.expressions, index);
            let tangents = self.interpreter.expressions.tangents(velocity, &seeds);
            columns.push(self.flatten(&tangents));
        }
        if let Some(q) = sphere {
            for at in 0..2 {
                let across = self.interpreter.expressions.leaf(Leaf::Across(at), Type::vector(3));
                let moved = self.interpreter.velocity_of(group, frame, &Seeds::from_iter([(q, across)]));
                columns.push(self.flatten(&moved));
            }
            let zero = self.graph.number(0.0);
            columns.push(vec![zero; group.dimension()]);
        }
        columns
    }

    /// [A J]ᵀ I [A J] in its three parts, with I by its upper triangle.
    pub(super) fn transported(&mut self, jacobian: &[Vec<Scalar>], n: usize) -> Vec<Scalar> {
        let graph = &mut self.graph;
        let entry = |row: usize, column: usize| Leaf::Symmetric(position(row.min(column) * n + row.max(column)));
        let inertia: Vec<Vec<Scalar>> =
            (0..n).map(|row| (0..n).map(|column| graph.leaf(entry(row, column), 0)).collect()).collect();
        let weighted = weighted(graph, &inertia, jacobian);
        in_parts(n, jacobian.len(), |row, column| {
            let (row, column) = (row.min(column), row.max(column));
            graph.dot(&jacobian[row], &weighted[column])
        })
    }

    /// The products with the stored scalars of [A J].
    pub(super) fn products(&mut self, jacobian: &[Vec<Scalar>], n: usize) -> Products {
        let (leaves, sphere) = (self.interpreter.leaves.velocity_leaves(), self.point_of_sphere());
        let motion = self.flatten(&leaves);
        let graph = &mut self.graph;
        let mut numbers = Vec::new();
        let mut place_of = |number: Scalar| {
            numbers.iter().position(|&known| known == number).unwrap_or_else(|| {
                numbers.push(number);
                numbers.len() - 1
            })
        };
        let mut kept = |graph: &mut Graph, number| graph.leaf(Leaf::FrameJacobian(position(place_of(number))), 0);
        let mut of_entry = |graph: &mut Graph, entry: Scalar| match *graph.op(entry) {
            ScalarOp::Number(_) => entry,
            ScalarOp::Neg(positive) => {
                let kept = kept(graph, positive);
                graph.neg(kept)
            }
            _ => kept(graph, entry),
        };
        let columns: Vec<Vec<Scalar>> =
            jacobian.iter().map(|column| column.iter().map(|&entry| of_entry(graph, entry)).collect()).collect();
        let across = sphere.map(|_| {
            [0, 1].map(|at| {
                [0, 1, 2].map(|component| {
                    let number = graph.leaf(Leaf::Across(at), component);
                    place_of(number)
                })
            })
        });
        let row_of = |row: usize| columns.iter().map(|column| column[row]).collect::<Vec<Scalar>>();
        let push = (0..n).map(|row| graph.dot(&row_of(row), &motion)).collect();
        let covector: Vec<Scalar> = (0..n).map(|row| graph.leaf(Leaf::Covector(position(row)), 0)).collect();
        let pull = columns.iter().map(|column| graph.dot(column, &covector)).collect();
        let turn = turned(graph, &columns, n);
        Products { numbers, push, pull, across, turn }
    }
}

/// [A J]ᵀ K [A J] for a skew-symmetric K.
#[allow(clippy::needless_range_loop)] // Entries on both sides of the diagonal are set together.
fn turned(graph: &mut Graph, jacobian: &[Vec<Scalar>], n: usize) -> Vec<Scalar> {
    let zero = graph.number(0.0);
    let mut skew = vec![vec![zero; n]; n];
    for row in 0..n {
        for column in row + 1..n {
            let entry = graph.leaf(Leaf::Skew(position(row * n + column)), 0);
            (skew[row][column], skew[column][row]) = (entry, graph.neg(entry));
        }
    }
    let weighted = weighted(graph, &skew, jacobian);
    in_parts(
        n,
        jacobian.len(),
        |row, column| {
            if row < column { graph.dot(&jacobian[row], &weighted[column]) } else { zero }
        },
    )
}
