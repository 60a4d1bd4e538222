//! The exact linearisation: residual, tangent stiffness and tangent damping (paper 2, eqs. 33 and 34), and the gradient
//! of the constraints at the level of velocities.

use super::forces::Balance;
use super::{Constraints, Derivation, Inertia};
use crate::expr::{Leaf, Node, Type};
use crate::graph::Scalar;

/// r = M v' + g + Bᵀ λ and its derivatives.
pub(crate) struct Linearisation {
    pub residual: Vec<Scalar>,
    /// D_q r by rows.
    pub stiffness: Vec<Vec<Scalar>>,
    /// D_v r by rows.
    pub damping: Vec<Vec<Scalar>>,
    /// D_q (B v + b) by rows.
    pub rate_gradient: Vec<Vec<Scalar>>,
}

impl Derivation<'_, '_> {
    /// Derives r, K_t and C_t.
    pub fn linearise(&mut self, _inertia: &Inertia, balance: &Balance, constraints: &Constraints) -> Linearisation {
        let reactions = self.reactions(constraints);
        let residual = self.plus(&balance.residual, &reactions);
        let dof = self.reader.leaves.dof;
        let (mut stiffness, mut damping) = (Vec::new(), Vec::new());
        for column in 0..dof {
            let seeds = self.reader.leaves.direction(&mut self.reader.expressions, column);
            let tangents = self.reader.expressions.tangents(&residual, &seeds);
            stiffness.push(self.flatten(&tangents));
            let seeds = self.reader.leaves.velocity_direction(&mut self.reader.expressions, column);
            let tangents = self.reader.expressions.tangents(&residual, &seeds);
            damping.push(self.flatten(&tangents));
        }
        let by_rows = |columns: &[Vec<Scalar>]| -> Vec<Vec<Scalar>> {
            (0..dof).map(|row| columns.iter().map(|column| column[row]).collect()).collect()
        };
        let (stiffness, damping) = (by_rows(&stiffness), by_rows(&damping));
        let rate_gradient = self.rate_gradient(constraints);
        Linearisation { residual: self.flatten(&residual), stiffness, damping, rate_gradient }
    }

    /// The derivatives of the constraints at the level of velocities along q w~.
    fn rate_gradient(&mut self, constraints: &Constraints) -> Vec<Vec<Scalar>> {
        let mut rows = Vec::new();
        for &(node, holonomic) in &constraints.expressions {
            let rate = if holonomic {
                let motion = self.reader.motion();
                self.reader.expressions.tangent(node, &motion)
            } else {
                node
            };
            let columns: Vec<Vec<Scalar>> = (0..self.reader.leaves.dof)
                .map(|column| {
                    let seeds = self.reader.leaves.direction(&mut self.reader.expressions, column);
                    let tangent = self.reader.expressions.tangent(rate, &seeds);
                    self.lower(tangent)
                })
                .collect();
            let count = columns.first().map_or(0, Vec::len);
            rows.extend((0..count).map(|row| columns.iter().map(|column| column[row]).collect()));
        }
        rows
    }

    /// Bᵀ λ by atoms, as an expression of q and λ.
    fn reactions(&mut self, constraints: &Constraints) -> Vec<Node> {
        let mut sum = self.zero_covector();
        for (declared, &(node, holonomic)) in constraints.declared.iter().zip(&constraints.expressions) {
            let e = &mut self.reader.expressions;
            let multipliers = (declared.offset..declared.offset + declared.rows)
                .map(|row| {
                    #[allow(clippy::cast_possible_truncation)] // The front end bounds sizes.
                    let leaf = Leaf::Multiplier(row as u16);
                    e.leaf(leaf, Type::SCALAR)
                })
                .collect();
            let multipliers = e.stack(multipliers, declared.rows, 1);
            let gradient = e.gradient(node, multipliers);
            let term = if holonomic { self.configuration_part(&gradient) } else { self.velocity_part(&gradient) };
            sum = self.plus(&sum, &term);
        }
        sum
    }
}
