//! Constraints: residual, Jacobian, drift and curvature.

use super::jacobian::{DifferentiationVariable, EVERY};
use super::{DeclaredExpressions, Derivation};
use crate::expr::Node;
use crate::model::Redundancy;
use crate::scalar::{Dependence, Scalar};

/// The constraints of a system; holonomic rows come first.
#[derive(Default)]
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
        let mut result = Constraints::default();
        let holonomic = declared.constraints.iter().map(|&(function, node)| (function, node, true));
        let others = declared.velocity_constraints.iter().map(|&(function, node)| (function, node, false));
        for (function, node, holonomic) in holonomic.chain(others) {
            let variable =
                if holonomic { DifferentiationVariable::Configuration } else { DifferentiationVariable::Velocity };
            let jacobian = self.jacobian(&[node], variable, EVERY);
            if holonomic {
                self.check_constraint(declared, function, &jacobian);
            } else {
                self.check_velocity_constraint(function, &jacobian);
            }
            self.check_rows(&result, declared, function, &jacobian);
            let motion = self.interpreter.motion();
            let rate = if holonomic { self.interpreter.expressions.tangent(node, &motion) } else { node };
            let curvature = self.interpreter.expressions.tangent(rate, &motion);
            let drift = self.at_rest(rate);
            let (offset, rows, jumps) = (result.rows(), jacobian.len(), self.may_jump(node));
            result.declared.push(ConstraintDeclaration { function, offset, rows, holonomic, jumps });
            let residual = if holonomic { self.lower(node) } else { vec![self.graph.number(0.0); rows] };
            result.residual.extend(residual);
            result.jacobian.extend(jacobian);
            result.drift.extend(self.lower(drift));
            result.curvature.extend(self.lower(curvature));
            result.expressions.push((node, holonomic));
        }
        self.interpreter.is_clean().then_some(result)
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
        let runs_over_members = model.functions[function].runs_over_members();
        for (row, entries) in jacobian.iter().enumerate() {
            if !runs_over_members && entries.iter().all(|&entry| self.graph.is_zero(entry)) {
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

    /// Rows with equal derivatives are redundant in every configuration, or contradictory. Those over members depend on lengths and
    /// connections: runs report them, for generated code and systems from text alike.
    fn check_rows(
        &mut self,
        before: &Constraints,
        declared: &DeclaredExpressions,
        function: usize,
        jacobian: &[Vec<Scalar>],
    ) {
        let model = self.interpreter.model;
        let runs_over_members = |function: usize| model.functions[function].runs_over_members();
        if model.redundancy != Redundancy::Reported || runs_over_members(function) {
            return;
        }
        let name = &model.functions[function].name;
        let node_of = |function: usize| declared.constraints.iter().find(|(index, _)| *index == function);
        for (row, entries) in jacobian.iter().enumerate() {
            if entries.iter().all(|&entry| self.graph.is_zero(entry)) {
                continue;
            }
            let same = |other: &[Scalar]| other == entries.as_slice();
            let earlier = before.declared.iter().filter(|other| !runs_over_members(other.function)).find_map(|other| {
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
