//! The structure of M⁻¹ and B, and the saddle-point solve as scalars.

use std::collections::BTreeMap;

use crate::derive::Equations;
use crate::expr::Leaf;
use crate::graph::{Dependence, Graph, Scalar, ScalarOp};

/// The structural nonzeros of M⁻¹ and B.
pub(crate) struct Structure {
    /// (row, column) of M⁻¹ with row ≤ column, to its position.
    pub mass_inverse: BTreeMap<(usize, usize), usize>,
    /// What is stored of B: the different values, up to sign, of entries that depend on time or configuration.
    pub jacobian: Vec<Scalar>,
    /// λ's system before elimination: the Schur complement by rows and its right-hand side.
    pub schur: Vec<Scalar>,
    pub schur_right: Vec<Scalar>,
    /// M⁻¹ f.
    pub free: Vec<Scalar>,
    /// v' from force and multipliers.
    pub acceleration: Vec<Scalar>,
    /// B v and Bᵀ λ.
    pub times: Vec<Scalar>,
    pub transpose_times: Vec<Scalar>,
}

#[allow(clippy::cast_possible_truncation)] // The front end bounds sizes.
fn small(value: usize) -> u16 {
    value as u16
}

/// Sign and value of an entry.
fn signed(graph: &Graph, entry: Scalar) -> (bool, Scalar) {
    match *graph.op(entry) {
        ScalarOp::Neg(value) => (true, value),
        _ => (false, entry),
    }
}

impl Structure {
    /// Analyses `equations`; the solve becomes part of their graph.
    pub fn new(equations: &mut Equations) -> Structure {
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
        let dependences = equations.graph.dependences();
        let mut jacobian: Vec<Scalar> = Vec::new();
        for &entry in equations.constraints.jacobian.iter().flatten() {
            let (_, value) = signed(&equations.graph, entry);
            if !dependences[Graph::index(entry)].within(Dependence::PARAMETERS) && !jacobian.contains(&value) {
                jacobian.push(value);
            }
        }
        let graph = &mut equations.graph;
        // B with its changing entries read from an array.
        let read = |graph: &mut Graph, leaf: fn(u16) -> Leaf| -> Vec<Vec<Scalar>> {
            let mut matrix = equations.constraints.jacobian.clone();
            for entry in matrix.iter_mut().flatten() {
                let (minus, value) = signed(graph, *entry);
                if let Some(position) = jacobian.iter().position(|&stored| stored == value) {
                    let stored = graph.leaf(leaf(small(position)), 0);
                    *entry = if minus { graph.neg(stored) } else { stored };
                }
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
                        Some(&position) => graph.leaf(Leaf::MassInverse(small(position)), 0),
                        None => zero,
                    })
                    .collect()
            })
            .collect();
        let force: Vec<Scalar> = (0..dof).map(|at| graph.leaf(Leaf::Covector(small(at)), 0)).collect();
        let right: Vec<Scalar> = (0..rows).map(|at| graph.leaf(Leaf::Row(small(at)), 0)).collect();
        let multipliers: Vec<Scalar> = (0..rows).map(|at| graph.leaf(Leaf::Multiplier(small(at)), 0)).collect();
        // Y = M⁻¹ B₁ᵀ, S = B₂ Y, S λ = B₂ M⁻¹ f − right.
        let free: Vec<Scalar> = (0..dof).map(|row| graph.dot(&inverse[row], &force)).collect();
        let mut schur = Vec::new();
        for lower in &constraint_jacobian {
            for upper in &force_jacobian {
                let column: Vec<Scalar> = (0..dof).map(|row| graph.dot(&inverse[row], upper)).collect();
                schur.push(graph.dot(lower, &column));
            }
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
        Structure { mass_inverse, jacobian, schur, schur_right, free, acceleration, times, transpose_times }
    }
}
