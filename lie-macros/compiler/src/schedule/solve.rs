//! The KKT solution of a system with one term as scalars, with the stored M⁻¹ and the structural nonzeros of B.

use super::{MassBlocks, MassInverse};
use crate::diff::{Canonical, Equations};
use crate::expr::{Leaf, position};
use crate::scalar::{Graph, Scalar, ScalarOp};

/// The stored scalars of M⁻¹ and B, and the outputs of the kernels of the solution.
pub(crate) struct Solve {
    pub mass_inverse: MassInverse,
    pub mass_blocks: MassBlocks,
    /// M v.
    pub momentum: Vec<Scalar>,
    /// The stored entries of B: entries that depend on time or configuration, with opposite entries stored once.
    pub jacobian: Vec<Scalar>,
    /// The system of λ before elimination: the Schur complement by rows and its right-hand side.
    pub schur: Vec<Scalar>,
    pub schur_right: Vec<Scalar>,
    /// M⁻¹ f.
    pub free: Vec<Scalar>,
    /// The velocity of a momentum, M⁻¹ (Ad_qᵀ μ − b); empty without a Hamiltonian.
    pub body_velocity: Vec<Scalar>,
    /// v' from force and multipliers.
    pub acceleration: Vec<Scalar>,
    /// B v and Bᵀ λ.
    pub times: Vec<Scalar>,
    pub transpose_times: Vec<Scalar>,
}

/// The position of a stored entry of B.
struct JacobianEntry {
    row: usize,
    column: usize,
    position: usize,
    negative: bool,
}

/// The non-constant entries of `matrix`, without repetition, and the position of each.
fn stored(graph: &mut Graph, matrix: &[Vec<Scalar>]) -> (Vec<Scalar>, Vec<JacobianEntry>) {
    let mut entries: Vec<Scalar> = Vec::new();
    let mut places = Vec::new();
    for (row, line) in matrix.iter().enumerate() {
        for (column, &entry) in line.iter().enumerate() {
            if graph.is_hoisted(entry) {
                continue;
            }
            let known = |entries: &[Scalar], entry| entries.iter().position(|&stored| stored == entry);
            let opposite = graph.neg(entry);
            let (position, negative) = match (known(&entries, entry), known(&entries, opposite)) {
                (Some(position), _) => (position, false),
                (None, Some(position)) => (position, true),
                (None, None) => {
                    let negative = matches!(graph.op(entry), ScalarOp::Neg(_));
                    entries.push(if negative { opposite } else { entry });
                    (entries.len() - 1, negative)
                }
            };
            places.push(JacobianEntry { row, column, position, negative });
        }
    }
    (entries, places)
}

impl Solve {
    /// Analyses `equations`; the solution becomes part of their graph.
    pub fn new(equations: &mut Equations) -> Solve {
        let dof = equations.inertia.mass.len();
        let rows = equations.constraints.rows();
        let (jacobian, places) = stored(&mut equations.graph, &equations.constraints.jacobian);
        let graph = &mut equations.graph;
        // B with its non-constant entries read from an array.
        let read = |graph: &mut Graph, leaf: fn(u32) -> Leaf| -> Vec<Vec<Scalar>> {
            let mut matrix = equations.constraints.jacobian.clone();
            for place in &places {
                let entry = graph.leaf(leaf(position(place.position)), 0);
                matrix[place.row][place.column] = if place.negative { graph.neg(entry) } else { entry };
            }
            matrix
        };
        let force_jacobian = read(graph, Leaf::ForceJacobian);
        let constraint_jacobian = read(graph, Leaf::ConstraintJacobian);
        let mass_inverse = MassInverse::new(&equations.inertia, graph);
        let mass_blocks = mass_inverse.outputs(&equations.inertia, graph);
        let force: Vec<Scalar> = (0..dof).map(|at| graph.leaf(Leaf::Covector(position(at)), 0)).collect();
        let momentum = equations.inertia.mass.iter().map(|row| graph.dot(row, &force)).collect();
        let right: Vec<Scalar> = (0..rows).map(|at| graph.leaf(Leaf::Row(position(at)), 0)).collect();
        let multipliers: Vec<Scalar> = (0..rows).map(|at| graph.leaf(Leaf::Multiplier(position(at)), 0)).collect();
        // Y = M⁻¹ B₁ᵀ, S = B₂ Y, S λ = B₂ M⁻¹ f − right.
        let free = mass_inverse.times(graph, &force);
        let columns: Vec<Vec<Scalar>> = force_jacobian.iter().map(|upper| mass_inverse.times(graph, upper)).collect();
        let mut schur = Vec::new();
        for lower in &constraint_jacobian {
            schur.extend(columns.iter().map(|column| graph.dot(lower, column)));
        }
        let schur_right = (0..rows)
            .map(|row| {
                let moved = graph.dot(&constraint_jacobian[row], &free);
                graph.sub(moved, right[row])
            })
            .collect();
        let transpose_times: Vec<Scalar> = (0..dof)
            .map(|column| {
                let entries: Vec<Scalar> = force_jacobian.iter().map(|row| row[column]).collect();
                graph.dot(&entries, &multipliers)
            })
            .collect();
        let rest: Vec<Scalar> = (0..dof).map(|at| graph.sub(force[at], transpose_times[at])).collect();
        let acceleration = mass_inverse.times(graph, &rest);
        let times = constraint_jacobian.iter().map(|row| graph.dot(row, &force)).collect();
        let body_velocity = match &equations.canonical {
            Ok(Canonical::Whole(legendre)) => mass_inverse.times(graph, &legendre.quadratic_momentum),
            _ => Vec::new(),
        };
        Solve {
            mass_inverse,
            mass_blocks,
            momentum,
            jacobian,
            schur,
            schur_right,
            free,
            body_velocity,
            acceleration,
            times,
            transpose_times,
        }
    }
}
