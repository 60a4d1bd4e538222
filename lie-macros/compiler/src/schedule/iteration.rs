//! The linear system of an implicit iteration as scalars.
//!
//! Let y = T(θ) ζ be the body-fixed change of q. The rows of holonomic constraints are the rows of B:
//!
//! ```text
//! ((c_M M + c_C C) T⁻¹ + c_K K) y + Bᵀ λ̂ = −h² r,    B y = −Φ,    (B T⁻¹ + (c_H/c_B) H) y = −h (B v + b) / c_B.
//! ```
//!
//! The kernel uses the structure of the given matrices: zeros and constants, equal or opposite entries, and entries that depend only on
//! parameters.

use rustc_hash::FxHashMap;

use super::KernelId;
use super::elimination::{EliminationOrder, EntryValue, order, solve};
use crate::diff::Equations;
use crate::expr::{Iterated, Leaf, position};
use crate::model::Configuration;
use crate::scalar::{Graph, Kernel, Scalar};

/// Largest number of unknowns.
const LARGEST: usize = 64;

/// Largest number of operations; a longer kernel costs more compile time than it saves.
const LONGEST: usize = 1500;

/// The positions of the coefficients of the iteration: c_M, c_C, c_K and c_H/c_B.
const COEFFICIENTS: [u32; 4] = [0, 1, 2, 3];

/// The matrices of an iteration by rows.
struct Matrices {
    mass: Vec<Vec<Scalar>>,
    damping: Vec<Vec<Scalar>>,
    stiffness: Vec<Vec<Scalar>>,
    jacobian: Vec<Vec<Scalar>>,
    rate_gradient: Vec<Vec<Scalar>>,
}

/// ζ, λ̂ and the safety of all pivots. `None` if the kernel is too
/// long, or if no order is safe for all pivots.
pub(super) fn correction(
    equations: &mut Equations,
    configuration: &Configuration,
    outputs: impl Fn(KernelId) -> Vec<Scalar>,
) -> Option<Vec<Scalar>> {
    let dof = equations.inertia.mass.len();
    let holonomic = equations.constraints.holonomic_rows();
    if dof + equations.constraints.rows() > LARGEST {
        return None;
    }
    let graph = &mut equations.graph;
    let mut known = FxHashMap::default();
    let mut read = |id, matrix| given(graph, &outputs(id), dof, matrix, &mut known);
    let matrices = Matrices {
        mass: read(KernelId::MassMatrix, Iterated::Mass),
        damping: read(KernelId::TangentDamping, Iterated::Damping),
        stiffness: read(KernelId::TangentStiffness, Iterated::Stiffness),
        jacobian: read(KernelId::ConstraintJacobian, Iterated::Jacobian),
        rate_gradient: read(KernelId::RateGradient, Iterated::RateGradient),
    };
    let tangent = tangent_inverse(graph, configuration)?;
    let (matrix, order) = matrices.assembled(graph, &tangent, holonomic)?;
    let mut right: Vec<Scalar> = Vec::new();
    for at in 0..matrix.len() {
        let leaf = if at < dof { Leaf::Covector(position(at)) } else { Leaf::Row(position(at - dof)) };
        let residual = graph.leaf(leaf, 0);
        right.push(graph.neg(residual));
    }
    let (solution, is_safe) = solve(graph, matrix, right, &order.pivots);
    let (y, multipliers) = solution.split_at(dof);
    let mut all: Vec<Scalar> = tangent.iter().map(|row| graph.dot(row, y)).collect();
    all.extend(multipliers);
    all.push(is_safe);
    let operations = Kernel::new(graph, &all, |_| false).operations(graph, |_| false);
    (operations <= LONGEST).then_some(all)
}

/// A matrix by rows as an argument of the kernel: entries of parameters stay expressions, and other equal or opposite entries share one
/// argument.
fn given(
    graph: &mut Graph,
    entries: &[Scalar],
    columns: usize,
    matrix: Iterated,
    known: &mut FxHashMap<Scalar, Scalar>,
) -> Vec<Vec<Scalar>> {
    let mut rows = Vec::new();
    for (row, entries) in entries.chunks(columns.max(1)).enumerate() {
        let mut line = Vec::new();
        for (column, &entry) in entries.iter().enumerate() {
            if graph.is_hoisted(entry) {
                line.push(entry);
                continue;
            }
            let opposite = graph.neg(entry);
            line.push(match (known.get(&entry), known.get(&opposite)) {
                (Some(&leaf), _) => leaf,
                (None, Some(&leaf)) => graph.neg(leaf),
                (None, None) => {
                    let leaf = graph.leaf(Leaf::Entry(matrix, position(row), position(column)), 0);
                    known.insert(entry, leaf);
                    leaf
                }
            });
        }
        rows.push(line);
    }
    rows
}

/// T⁻¹ by rows; `None` for spheres. Entries are zero if no power of ad_θ has an entry there, one on an uncoupled diagonal; equal blocks of
/// ad_θ have equal blocks of T⁻¹.
fn tangent_inverse(graph: &mut Graph, configuration: &Configuration) -> Option<Vec<Vec<Scalar>>> {
    let members = configuration.members.iter();
    let groups = members.flat_map(|member| std::iter::repeat_n(member.group, member.count.unwrap_or(1)));
    let dof = configuration.dof();
    let zero = graph.number(0.0);
    let mut matrix = vec![vec![zero; dof]; dof];
    let mut offset = 0;
    for group in groups {
        if group.has_sphere() {
            return None;
        }
        let size = group.dimension();
        // ad_θ = Σ θ_j ad_j by its entries: each (row, column) is plus or minus a component of θ.
        let mut adjoint = vec![vec![None; size]; size];
        for (j, i) in (0..size).flat_map(|j| (0..size).map(move |i| (j, i))) {
            if let Some((k, sign)) = group.rules.bracket(j, i) {
                adjoint[k][i] = Some((j, sign));
            }
        }
        let mut reaches: Vec<Vec<bool>> = adjoint
            .iter()
            .enumerate()
            .map(|(k, row)| (0..size).map(|i| k == i || row[i].is_some()).collect())
            .collect();
        for via in 0..size {
            for k in 0..size {
                for i in 0..size {
                    reaches[k][i] |= reaches[k][via] && reaches[via][i];
                }
            }
        }
        let block = |k: usize| -> Vec<usize> { (0..size).filter(|&i| reaches[k][i] && reaches[i][k]).collect() };
        let entry = |k: usize, i: usize| {
            let (own, other) = (block(k), block(i));
            let at = |of: usize| own.iter().position(|&component| component == of);
            let (Some(row), Some(column)) = (at(k), at(i)) else { return (k, i) };
            if own != other {
                return (k, i);
            }
            // The first block on the diagonal with an equal block of ad_θ.
            let mut blocks = (0..size).map(block);
            let same = blocks.find(|first| {
                first.len() == own.len()
                    && (0..own.len())
                        .all(|a| (0..own.len()).all(|b| adjoint[first[a]][first[b]] == adjoint[own[a]][own[b]]))
            });
            same.map_or((k, i), |first| (first[row], first[column]))
        };
        for k in 0..size {
            let is_alone = adjoint[k].iter().all(Option::is_none);
            for i in 0..size {
                matrix[offset + k][offset + i] = match (reaches[k][i], is_alone && k == i) {
                    (_, true) => graph.number(1.0),
                    (true, _) => {
                        let (row, column) = entry(k, i);
                        let (row, column) = (position(offset + row), position(offset + column));
                        graph.leaf(Leaf::Entry(Iterated::TangentInverse, row, column), 0)
                    }
                    _ => zero,
                };
            }
        }
        offset += size;
    }
    Some(matrix)
}

/// The rows of a times the matrix b.
fn times(graph: &mut Graph, a: &[Vec<Scalar>], b: &[Vec<Scalar>]) -> Vec<Vec<Scalar>> {
    let columns: Vec<Vec<Scalar>> = (0..b.len()).map(|column| b.iter().map(|row| row[column]).collect()).collect();
    a.iter().map(|row| columns.iter().map(|column| graph.dot(row, column)).collect()).collect()
}

/// The sum of multiples of matrices.
fn combined(graph: &mut Graph, terms: &[(Option<Scalar>, &Vec<Vec<Scalar>>)]) -> Vec<Vec<Scalar>> {
    let first = terms[0].1;
    let mut sum = vec![vec![graph.number(0.0); first.first().map_or(0, Vec::len)]; first.len()];
    for (factor, matrix) in terms {
        for (entry, &other) in sum.iter_mut().flatten().zip(matrix.iter().flatten()) {
            let multiple = factor.map_or(other, |factor| graph.mul(factor, other));
            *entry = graph.add(*entry, multiple);
        }
    }
    sum
}

impl Matrices {
    /// The matrix of the whole system in y and λ̂, and its elimination order.
    fn assembled(
        &self,
        graph: &mut Graph,
        tangent: &[Vec<Scalar>],
        holonomic: usize,
    ) -> Option<(Vec<Vec<Scalar>>, EliminationOrder)> {
        let [mass, damping, stiffness, rate] = COEFFICIENTS.map(|at| Some(graph.leaf(Leaf::Coefficient(at), 0)));
        let along = combined(graph, &[(mass, &self.mass), (damping, &self.damping)]);
        let along = times(graph, &along, tangent);
        let forces = combined(graph, &[(None, &along), (stiffness, &self.stiffness)]);
        let rates = times(graph, &self.jacobian, tangent);
        let rates = combined(graph, &[(None, &rates), (rate, &self.rate_gradient)]);
        let (dof, rows) = (forces.len(), self.jacobian.len());
        let zero = graph.number(0.0);
        let mut matrix = vec![vec![zero; dof + rows]; dof + rows];
        for (at, row) in forces.into_iter().enumerate() {
            matrix[at][..dof].copy_from_slice(&row);
        }
        for (number, jacobian) in self.jacobian.iter().enumerate() {
            let own = if number < holonomic { jacobian } else { &rates[number] };
            matrix[dof + number][..dof].copy_from_slice(own);
            for (column, &entry) in jacobian.iter().enumerate() {
                matrix[column][dof + number] = entry;
            }
        }
        let entry = |&scalar: &Scalar| match graph.as_number(scalar) {
            Some(0.0) => EntryValue::Zero,
            Some(number) => EntryValue::Number(number),
            None => EntryValue::Other,
        };
        let pattern: Vec<Vec<EntryValue>> = matrix.iter().map(|row| row.iter().map(entry).collect()).collect();
        let has_mass = |at: usize| !graph.is_zero(self.mass[at][at]);
        let orders = [true, false].map(|of_numbers| order(pattern.clone(), dof, has_mass, of_numbers));
        let best = orders.into_iter().flatten().min_by_key(|order| order.products)?;
        Some((matrix, best))
    }
}
