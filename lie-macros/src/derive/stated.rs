//! The equations of motion as they are written by hand, where they fit a page: for the documentation of a system.

use super::{Balance, Constraints, Declared, Derivation, Inertia};
use crate::expr::{Node, Seeds};
use crate::model::Role;
use crate::notation::Notation;

/// Nodes of all declared functions together; of longer ones the derivatives fit no page, and are not derived for it.
const SHORT: usize = 90;

/// Equations as MathML.
pub(crate) struct Stated {
    /// What is on both sides of an equation for each group element: M v' and −g − Bᵀ λ.
    pub motion: Vec<[String; 2]>,
    /// The sides that are zero, of each constraint.
    pub constraints: Vec<String>,
}

impl Derivation<'_, '_> {
    /// The equations; `None` of those that are too long.
    ///
    /// What is derived for it is derived last: no kernel knows of it.
    pub fn stated(
        &mut self,
        declared: &Declared,
        inertia: &Inertia,
        constraints: &Constraints,
        balance: &Balance,
    ) -> Option<Stated> {
        let model = self.reader.model;
        let moves = |role: &Role| !matches!(role, Role::Quantity | Role::Kinematics);
        let moving = declared.functions.iter().filter(|(index, _)| moves(&model.functions[*index].role));
        let nodes: Vec<Node> = moving.flat_map(|(_, parts)| parts.iter().copied()).collect();
        let is_plain = model.configuration.members.iter().all(|member| member.group.rules.is_group());
        if !is_plain || self.reader.expressions.reachable(&nodes).len() > SHORT {
            return None;
        }
        let (kinetic_energy, momentum) = &inertia.of_parameters;
        // Entries of a constant M stand for themselves in what is computed.
        let force = if inertia.is_constant {
            self.balance(declared, *kinetic_energy, momentum).force
        } else {
            balance.force.clone()
        };
        let mut seeds = Seeds::default();
        for leaf in self.reader.leaves.velocity_leaves() {
            let acceleration = self.acceleration_of(leaf);
            seeds.insert(leaf, acceleration);
        }
        let inertial = self.reader.expressions.tangents(momentum, &seeds);
        let (holonomic, other) = self.reactions(constraints);
        let reactions = self.plus(&holonomic, &other);
        let sides = self.minus(&force, &reactions);
        let names = constraints.declared.iter().map(|constraint| {
            (model.functions[constraint.function].name.to_string(), constraint.offset, constraint.rows)
        });
        let mut notation = Notation::of(&self.reader.expressions, model, names.collect());
        let motion =
            inertial.iter().zip(&sides).map(|(&left, &right)| Some([notation.line(left)?, notation.line(right)?]));
        let motion: Option<Vec<[String; 2]>> = motion.collect();
        let zeros: Option<Vec<String>> = constraints.expressions.iter().map(|(node, _)| notation.line(*node)).collect();
        Some(Stated { motion: motion?, constraints: zeros? })
    }
}
