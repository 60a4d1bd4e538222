//! Jacobians by columns (forward mode) or by rows (reverse mode), depending on the number of operations.

use super::Derivation;
use crate::expr::Node;
use crate::scalar::{Graph, Kernel, Scalar};

/// The variable of the differentiation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum DifferentiationVariable {
    /// q, along the unit vectors of the algebra.
    Configuration,
    /// v.
    Velocity,
}

/// Selects the entries (row, column) that are needed; other entries can be wrong.
pub(super) type EntryFilter = fn(usize, usize) -> bool;

/// All entries.
pub(super) const EVERY: EntryFilter = |_, _| true;
/// The upper triangle of a symmetric matrix.
pub(super) const UPPER: EntryFilter = |row, column| row <= column;
/// The lower triangle of a symmetric matrix.
pub(super) const LOWER: EntryFilter = |row, column| row >= column;

/// Larger Jacobians are not derived in both modes: the second mode takes equally long, and is rarely shorter.
const LARGEST: usize = 2_000;

impl Derivation<'_, '_> {
    /// The derivatives along some directions, one after the other, by rows.
    pub(super) fn jacobian(
        &mut self,
        outputs: &[Node],
        along: DifferentiationVariable,
        wanted: EntryFilter,
    ) -> Vec<Vec<Scalar>> {
        let forward = self.forward_jacobian(outputs, along);
        if self.cost(&forward.concat()) > LARGEST {
            return forward;
        }
        let reverse = self.reverse_jacobian(outputs, along);
        let entries = |jacobian: &[Vec<Scalar>]| -> Vec<Scalar> {
            let rows = jacobian.iter().enumerate();
            let own =
                rows.flat_map(|(row, entries)| entries.iter().enumerate().map(move |(at, &entry)| (row, at, entry)));
            own.filter(|&(row, column, _)| wanted(row, column)).map(|(.., entry)| entry).collect()
        };
        let both = [&forward, &reverse].map(|jacobian| entries(jacobian));
        // Compares the derived operations, and the optimised operations if this is promising.
        let [of_forward, of_reverse] = both.each_ref().map(|entries| self.cost(entries));
        let is_promising = of_reverse < of_forward;
        let is_better = is_promising && {
            let [forward, reverse] = both.map(|entries| {
                let entries = self.graph.optimised(&entries, Graph::is_hoisted);
                Kernel::new(&self.graph, &entries, |node| self.graph.is_hoisted(node))
                    .operations(&self.graph, |node| self.graph.is_hoisted(node))
            });
            reverse < forward
        };
        if is_better { reverse } else { forward }
    }

    fn forward_jacobian(&mut self, outputs: &[Node], along: DifferentiationVariable) -> Vec<Vec<Scalar>> {
        let columns: Vec<Vec<Scalar>> = (0..self.interpreter.leaves.dof)
            .map(|column| {
                let (leaves, e) = (&self.interpreter.leaves, &mut self.interpreter.expressions);
                let seeds = match along {
                    DifferentiationVariable::Configuration => leaves.direction(e, column),
                    DifferentiationVariable::Velocity => leaves.velocity_direction(e, column),
                };
                let tangents = e.tangents(outputs, &seeds);
                self.flatten(&tangents)
            })
            .collect();
        let rows = columns.first().map_or(0, Vec::len);
        (0..rows).map(|row| columns.iter().map(|column| column[row]).collect()).collect()
    }

    fn reverse_jacobian(&mut self, outputs: &[Node], along: DifferentiationVariable) -> Vec<Vec<Scalar>> {
        let mut all = Vec::new();
        for &output in outputs {
            let rows = self.interpreter.expressions.shape(output).0;
            for row in 0..rows {
                let seed = self.interpreter.expressions.unit(rows, row);
                let gradient = self.interpreter.expressions.gradient(output, seed);
                let parts = match along {
                    DifferentiationVariable::Configuration => self.configuration_part(&gradient),
                    DifferentiationVariable::Velocity => self.velocity_part(&gradient),
                };
                all.push(self.flatten(&parts));
            }
        }
        all
    }
}
