//! The exact linearisation: residual, tangent stiffness and tangent damping (paper 2, eqs. 33 and 34), and the gradient of the constraints
//! at velocity level.

use super::forces::Balance;
use super::jacobian::{DifferentiationVariable, EVERY, LOWER};
use super::{Constraints, Derivation};
use crate::expr::{Leaf, Node};
use crate::scalar::Scalar;

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
    pub fn linearise(&mut self, balance: &Balance, constraints: &Constraints) -> Linearisation {
        let (holonomic, other) = self.reactions(constraints);
        // The gradient of V + λᵀ Φ, and all other terms.
        let gradient = self.plus(&balance.potential, &holonomic);
        let rest = self.plus(&balance.residual, &other);
        let residual = self.plus(&rest, &gradient);
        let mut stiffness = self.second_derivatives(&gradient);
        let others = self.jacobian(&rest, DifferentiationVariable::Configuration, EVERY);
        for (entry, other) in stiffness.iter_mut().flatten().zip(others.into_iter().flatten()) {
            *entry = self.graph.add(*entry, other);
        }
        let damping = self.jacobian(&residual, DifferentiationVariable::Velocity, EVERY);
        let rate_gradient = self.rate_gradient(constraints);
        Linearisation { residual: self.flatten(&residual), stiffness, damping, rate_gradient }
    }

    /// The derivatives of a gradient D_q f along the unit vectors of the algebra, by rows.
    ///
    /// Left-invariant fields do not commute: D_j D_i f − D_i D_j f = D_[e_j, e_i] f. One half of the matrix is differentiated, and the
    /// other half follows from it and from the gradient. Fields of different members commute.
    fn second_derivatives(&mut self, gradient: &[Node]) -> Vec<Vec<Scalar>> {
        let dof = self.interpreter.leaves.dof;
        let entries = self.flatten(gradient);
        let half = self.jacobian(gradient, DifferentiationVariable::Configuration, LOWER);
        let mut matrix: Vec<Vec<Scalar>> =
            (0..dof).map(|row| (0..dof).map(|column| half[row.max(column)][row.min(column)]).collect()).collect();
        for atom in self.interpreter.leaves.atoms.clone() {
            for i in 0..atom.dof() {
                for j in 0..i {
                    let (row, column) = (atom.offset + j, atom.offset + i);
                    if let Some((k, sign)) = atom.group.rules.bracket(i, j) {
                        let (part, entry) = (entries[atom.offset + k], matrix[row][column]);
                        let graph = &mut self.graph;
                        matrix[row][column] = if sign { graph.add(entry, part) } else { graph.sub(entry, part) };
                    }
                }
            }
        }
        matrix
    }

    /// The derivatives of the constraints at velocity level along q w~.
    fn rate_gradient(&mut self, constraints: &Constraints) -> Vec<Vec<Scalar>> {
        let mut rows = Vec::new();
        for &(node, holonomic) in &constraints.expressions {
            let rate = if holonomic {
                let motion = self.interpreter.motion();
                self.interpreter.expressions.tangent(node, &motion)
            } else {
                node
            };
            rows.extend(self.jacobian(&[rate], DifferentiationVariable::Configuration, EVERY));
        }
        rows
    }

    /// Bᵀ λ by atoms as an expression of q and λ: first the holonomic constraints, for which it is a gradient, then all others.
    pub(super) fn reactions(&mut self, constraints: &Constraints) -> (Vec<Node>, Vec<Node>) {
        let (mut gradients, mut others) = (self.zero_covector(), self.zero_covector());
        for (declared, &(node, holonomic)) in constraints.declared.iter().zip(&constraints.expressions) {
            let e = &mut self.interpreter.expressions;
            let multipliers = e.leaves(declared.offset..declared.offset + declared.rows, Leaf::Multiplier);
            let gradient = e.gradient(node, multipliers);
            if holonomic {
                let term = self.configuration_part(&gradient);
                gradients = self.plus(&gradients, &term);
            } else {
                let term = self.velocity_part(&gradient);
                others = self.plus(&others, &term);
            }
        }
        (gradients, others)
    }
}
