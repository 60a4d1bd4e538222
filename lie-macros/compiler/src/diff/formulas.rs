//! The equations of motion in mathematical notation for the documentation of a system, if they fit on a page.

use super::{Balance, Constraints, DeclaredExpressions, Derivation, Inertia};
use crate::expr::Node;
use crate::model::Role;
use crate::notation::Notation;

/// Largest number of nodes of all declared functions. Longer declarations are not printed, and their formulas are not derived.
const SHORT: usize = 90;

/// Equations as MathML.
pub(crate) struct Stated {
    /// Both sides of the equation of each group element: M v' and −g − Bᵀ λ.
    pub motion: Vec<[String; 2]>,
    /// The zero expressions of each constraint.
    pub constraints: Vec<String>,
    /// The kinetic and the potential energy; `None` for an energy that is too long for a line.
    pub energies: [Option<String>; 2],
}

impl Derivation<'_, '_> {
    /// The equations; `None` if they are too long.
    ///
    /// They must be derived last, so that kernels do not contain their expressions.
    pub fn stated(
        &mut self,
        declared: &DeclaredExpressions,
        inertia: &Inertia,
        constraints: &Constraints,
        balance: &Balance,
    ) -> Option<Stated> {
        let model = self.interpreter.model;
        let moves = |role: &Role| !matches!(role, Role::Quantity | Role::Kinematics);
        let moving = declared.functions.iter().filter(|(index, _)| moves(&model.functions[*index].role));
        let nodes: Vec<Node> = moving.flat_map(|(_, parts)| parts.iter().copied()).collect();
        let is_plain = model.configuration.members.iter().all(|member| member.group.rules.is_group());
        if !is_plain || self.interpreter.expressions.reachable(&nodes).len() > SHORT {
            return None;
        }
        let (kinetic_energy, momentum) = &inertia.of_parameters;
        // Kernels use leaves for the entries of a constant M; the formulas use the parameters.
        let force = if inertia.is_constant {
            self.balance(declared, *kinetic_energy, momentum).force
        } else {
            balance.force.clone()
        };
        let seeds = self.acceleration_seeds();
        let inertial = self.interpreter.expressions.tangents(momentum, &seeds);
        let (holonomic, other) = self.reactions(constraints);
        let reactions = self.plus(&holonomic, &other);
        let sides = self.minus(&force, &reactions);
        let names = constraints.declared.iter().map(|constraint| {
            (model.functions[constraint.function].name.to_string(), constraint.offset, constraint.rows)
        });
        let mut notation = Notation::of(&self.interpreter.expressions, model, names.collect());
        let motion =
            inertial.iter().zip(&sides).map(|(&left, &right)| Some([notation.line(left)?, notation.line(right)?]));
        let motion: Option<Vec<[String; 2]>> = motion.collect();
        let zeros: Option<Vec<String>> = constraints.expressions.iter().map(|(node, _)| notation.line(*node)).collect();
        let energies = [*kinetic_energy, declared.potential].map(|energy| notation.line(energy));
        Some(Stated { motion: motion?, constraints: zeros?, energies })
    }
}
