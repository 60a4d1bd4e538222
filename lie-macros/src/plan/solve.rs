//! The saddle-point solve of a system that is one term, as scalars: with the structural nonzeros of M⁻¹ and B.

use std::collections::BTreeMap;

use crate::derive::{Canonical, Equations};
use crate::expr::{Leaf, position};
use crate::graph::{Graph, Scalar, ScalarOp};

/// The structural nonzeros of M⁻¹ and B, and the outputs of the kernels that solve with them.
pub(crate) struct Solve {
    /// (row, column) of M⁻¹ with row ≤ column, to its position.
    pub mass_inverse: BTreeMap<(usize, usize), usize>,
    /// What is stored of B: the entries that depend on time or configuration, those that differ in sign only once.
    pub jacobian: Vec<Scalar>,
    /// λ's system before elimination: the Schur complement by rows and its right-hand side.
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

/// Where an entry of B is stored.
struct Place {
    row: usize,
    column: usize,
    position: usize,
    negative: bool,
}

/// The entries of `matrix` that change, without repetition, and where each is found.
fn stored(graph: &mut Graph, matrix: &[Vec<Scalar>]) -> (Vec<Scalar>, Vec<Place>) {
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
            places.push(Place { row, column, position, negative });
        }
    }
    (entries, places)
}

impl Solve {
    /// Analyses `equations`; the solve becomes part of their graph.
    pub fn new(equations: &mut Equations) -> Solve {
        let dof = equations.inertia.mass.len();
        let rows = equations.constraints.rows();
        // Numbered in the order of the keys, which is that of the kernel `mass`: blocks may interleave.
        let mut mass_inverse = BTreeMap::new();
        for block in &equations.inertia.blocks {
            for (at, &row) in block.iter().enumerate() {
                mass_inverse.extend(block[at..].iter().map(|&column| ((row, column), 0)));
            }
        }
        for (at, position) in mass_inverse.values_mut().enumerate() {
            *position = at;
        }
        let (jacobian, places) = stored(&mut equations.graph, &equations.constraints.jacobian);
        let graph = &mut equations.graph;
        // B with its changing entries read from an array.
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
        let zero = graph.number(0.0);
        let inverse: Vec<Vec<Scalar>> = (0..dof)
            .map(|row| {
                (0..dof)
                    .map(|column| match mass_inverse.get(&(row.min(column), row.max(column))) {
                        Some(&at) => graph.leaf(Leaf::MassInverse(position(at)), 0),
                        None => zero,
                    })
                    .collect()
            })
            .collect();
        let force: Vec<Scalar> = (0..dof).map(|at| graph.leaf(Leaf::Covector(position(at)), 0)).collect();
        let right: Vec<Scalar> = (0..rows).map(|at| graph.leaf(Leaf::Row(position(at)), 0)).collect();
        let multipliers: Vec<Scalar> = (0..rows).map(|at| graph.leaf(Leaf::Multiplier(position(at)), 0)).collect();
        // Y = M⁻¹ B₁ᵀ, S = B₂ Y, S λ = B₂ M⁻¹ f − right.
        let free: Vec<Scalar> = (0..dof).map(|row| graph.dot(&inverse[row], &force)).collect();
        let columns: Vec<Vec<Scalar>> =
            force_jacobian.iter().map(|upper| (0..dof).map(|row| graph.dot(&inverse[row], upper)).collect()).collect();
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
        let acceleration = (0..dof).map(|row| graph.dot(&inverse[row], &rest)).collect();
        let times = constraint_jacobian.iter().map(|row| graph.dot(row, &force)).collect();
        let body_velocity = match &equations.canonical {
            Ok(Canonical::Whole(legendre)) => {
                inverse.iter().map(|row| graph.dot(row, &legendre.quadratic_momentum)).collect()
            }
            _ => Vec::new(),
        };
        Solve { mass_inverse, jacobian, schur, schur_right, free, body_velocity, acceleration, times, transpose_times }
    }
}
