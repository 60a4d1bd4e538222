//! Constraints: residual, Jacobian, drift and curvature.

use super::jacobian::{DifferentiationVariable, EVERY};
use super::{DeclaredExpressions, Derivation};
use crate::expr::Node;
use crate::model::Redundancy;
use crate::scalar::{Dependence, Scalar};

/// The constraints of a system; holonomic rows come first.
pub(crate) struct Constraints {
    /// The name, first row and number of rows of each constraint, and true for holonomic ones.
    pub declared: Vec<ConstraintDeclaration>,
    /// Φ, and zeros in the rows of velocity constraints.
    pub residual: Vec<Scalar>,
    /// B by rows.
    pub jacobian: Vec<Vec<Scalar>>,
    /// The part of the velocity constraints that does not depend on v.
    pub drift: Vec<Scalar>,
    /// The terms of d/dt (B v + b) that do not depend on v'.
    pub curvature: Vec<Scalar>,
    /// Φ for holonomic constraints and B v + b for velocity constraints, as expressions.
    pub expressions: Vec<(Node, bool)>,
}

/// One declared constraint.
pub(crate) struct ConstraintDeclaration {
    pub function: usize,
    pub offset: usize,
    pub rows: usize,
    pub holonomic: bool,
    /// True if its value can be discontinuous during a motion.
    pub jumps: bool,
}

impl Constraints {
    /// The number of rows.
    pub fn rows(&self) -> usize {
        self.jacobian.len()
    }

    /// The number of holonomic rows.
    pub fn holonomic_rows(&self) -> usize {
        self.declared.iter().filter(|constraint| constraint.holonomic).map(|constraint| constraint.rows).sum()
    }
}

impl Derivation<'_, '_> {
    /// Derives the constraints; `None` if an error was reported.
    pub fn constraints(&mut self, declared: &DeclaredExpressions) -> Option<Constraints> {
        let mut result = Constraints {
            declared: Vec::new(),
            residual: Vec::new(),
            jacobian: Vec::new(),
            drift: Vec::new(),
            curvature: Vec::new(),
            expressions: Vec::new(),
        };
        for &(function, node) in &declared.constraints {
            let jacobian = self.jacobian(&[node], DifferentiationVariable::Configuration, EVERY);
            self.check_constraint(declared, function, &jacobian);
            self.check_rows(&result, declared, function, &jacobian);
            let motion = self.interpreter.motion();
            let rate = self.interpreter.expressions.tangent(node, &motion);
            let curvature = self.interpreter.expressions.tangent(rate, &motion);
            let drift = self.at_rest(rate);
            self.add_rows(&mut result, function, node, true, jacobian, drift, curvature);
        }
        for &(function, node) in &declared.velocity_constraints {
            let jacobian = self.jacobian(&[node], DifferentiationVariable::Velocity, EVERY);
            self.check_velocity_constraint(function, &jacobian);
            self.check_rows(&result, declared, function, &jacobian);
            let motion = self.interpreter.motion();
            let curvature = self.interpreter.expressions.tangent(node, &motion);
            let drift = self.at_rest(node);
            self.add_rows(&mut result, function, node, false, jacobian, drift, curvature);
        }
        self.interpreter.is_clean().then_some(result)
    }

    #[allow(clippy::too_many_arguments)] // The parts of one constraint.
    fn add_rows(
        &mut self,
        result: &mut Constraints,
        function: usize,
        node: Node,
        holonomic: bool,
        jacobian: Vec<Vec<Scalar>>,
        drift: Node,
        curvature: Node,
    ) {
        let offset = result.rows();
        let rows = jacobian.len();
        let jumps = self.may_jump(node);
        result.declared.push(ConstraintDeclaration { function, offset, rows, holonomic, jumps });
        if holonomic {
            let residual = self.lower(node);
            result.residual.extend(residual);
        } else {
            let zero = self.graph.number(0.0);
            result.residual.extend(std::iter::repeat_n(zero, rows));
        }
        result.jacobian.extend(jacobian);
        let drift = self.lower(drift);
        result.drift.extend(drift);
        let curvature = self.lower(curvature);
        result.curvature.extend(curvature);
        result.expressions.push((node, holonomic));
    }

    fn check_constraint(&mut self, declared: &DeclaredExpressions, function: usize, jacobian: &[Vec<Scalar>]) {
        let model = self.interpreter.model;
        if model.redundancy == Redundancy::Unasked {
            return;
        }
        let name = &model.functions[function].name;
        if jacobian.iter().flatten().all(|&entry| self.graph.is_zero(entry)) {
            self.interpreter.report(
                name,
                format_args!("the constraint `{name}` does not depend on the configuration"),
                "a constraint is an equation that the configuration must fulfil",
            );
            return;
        }
        for (row, entries) in jacobian.iter().enumerate() {
            if entries.iter().all(|&entry| self.graph.is_zero(entry)) {
                self.interpreter.report(
                    name,
                    format_args!("row {row} of the constraint `{name}` does not depend on the configuration"),
                    "remove the row: its multiplier is not determined",
                );
            }
        }
        let node = declared.constraints.iter().find(|(index, _)| *index == function).map(|(_, node)| *node);
        // A name that is declared twice is reported elsewhere.
        let is_other = |index: usize| index < function && model.functions[index].name != *name;
        let twin = declared.constraints.iter().find(|(index, other)| is_other(*index) && Some(*other) == node);
        if let Some((other, _)) = twin.filter(|_| !model.is_redundant()) {
            let first = &model.functions[*other].name;
            self.interpreter.report(
                name,
                format_args!("the constraint `{name}` is the same as `{first}`"),
                "remove one of them, or keep both with #[mechanical_system(redundant = minimum_norm)]",
            );
        }
    }

    /// Rows with equal derivatives are redundant in every configuration, or contradictory.
    fn check_rows(
        &mut self,
        before: &Constraints,
        declared: &DeclaredExpressions,
        function: usize,
        jacobian: &[Vec<Scalar>],
    ) {
        let model = self.interpreter.model;
        if model.redundancy != Redundancy::Reported {
            return;
        }
        let name = &model.functions[function].name;
        let node_of = |function: usize| declared.constraints.iter().find(|(index, _)| *index == function);
        for (row, entries) in jacobian.iter().enumerate() {
            if entries.iter().all(|&entry| self.graph.is_zero(entry)) {
                continue;
            }
            let same = |other: &[Scalar]| other == entries.as_slice();
            let earlier = before.declared.iter().find_map(|other| {
                let rows = &before.jacobian[other.offset..other.offset + other.rows];
                rows.iter().position(|other| same(other)).map(|row| (other.function, row))
            });
            let own = || jacobian[..row].iter().position(|other| same(other)).map(|row| (function, row));
            let Some((other, first)) = earlier.or_else(own) else { continue };
            // Equal formulas have been reported as a whole.
            if other != function && node_of(other).map(|(_, node)| node) == node_of(function).map(|(_, node)| node) {
                continue;
            }
            let other = &model.functions[other].name;
            self.interpreter.report(
                name,
                format_args!(
                    "row {row} of the constraint `{name}` has the same derivatives as row {first} of `{other}`"
                ),
                "remove one row, or keep both with #[mechanical_system(redundant = minimum_norm)]",
            );
        }
    }

    fn check_velocity_constraint(&mut self, function: usize, jacobian: &[Vec<Scalar>]) {
        let model = self.interpreter.model;
        if model.redundancy == Redundancy::Unasked {
            return;
        }
        let name = &model.functions[function].name;
        let entries = jacobian.concat();
        if self.dependence(&entries).meets(Dependence::VELOCITY) {
            self.interpreter.report(
                name,
                format_args!("the velocity constraint `{name}` is not linear in the velocity"),
                "write it in the form A(t, q) v + b(t, q) = 0",
            );
        } else if jacobian.iter().any(|row| row.iter().all(|&entry| self.graph.is_zero(entry))) {
            self.interpreter.report(
                name,
                format_args!("a row of the velocity constraint `{name}` does not depend on the velocity"),
                "a condition on the configuration alone is a `#[constraint]`",
            );
        }
    }
}
