//! Velocity-sized vectors by atoms, and gradients on the group.

use super::Derivation;
use crate::expr::{Gradient, Leaf, Node, Seeds};
use crate::interp::Atom;
use crate::model::is_of_states;

impl Derivation<'_, '_> {
    /// One vector for each atom, composed of its blocks.
    pub fn by_atoms(&mut self, mut blocks: impl FnMut(&mut Self, &Atom) -> Vec<Node>) -> Vec<Node> {
        let atoms = self.interpreter.leaves.atoms.clone();
        atoms
            .iter()
            .map(|atom| {
                let blocks = blocks(self, atom);
                self.interpreter.expressions.concat(blocks)
            })
            .collect()
    }

    /// A vector of scalar leaves for each atom, by the components of the velocity.
    pub fn leaves_of_atoms(&mut self, leaf: fn(u32) -> Leaf) -> Vec<Node> {
        self.by_atoms(|this, atom| {
            vec![this.interpreter.expressions.leaves(atom.offset..atom.offset + atom.dof(), leaf)]
        })
    }

    /// The tangents of the velocity leaves along the acceleration.
    pub fn acceleration_seeds(&mut self) -> Seeds {
        let leaves = self.interpreter.leaves.velocity_leaves();
        leaves.into_iter().map(|leaf| (leaf, self.acceleration_of(leaf))).collect()
    }

    /// Zeros for each atom.
    pub fn zero_covector(&mut self) -> Vec<Node> {
        let atoms = self.interpreter.leaves.atoms.clone();
        atoms.iter().map(|atom| self.interpreter.expressions.zeros(atom.dof(), 1)).collect()
    }

    /// The left-trivialised gradient with respect to the configuration, from the cotangents of its leaves.
    pub fn configuration_part(&mut self, gradient: &Gradient) -> Vec<Node> {
        self.by_atoms(|this, atom| {
            let cotangents = this.cotangents(&atom.parts, gradient);
            atom.group.rules.covector(&mut this.interpreter.expressions, &atom.parts, &cotangents)
        })
    }

    /// The gradient with respect to the velocity, from the cotangents of its leaves.
    pub fn velocity_part(&mut self, gradient: &Gradient) -> Vec<Node> {
        self.by_atoms(|this, atom| this.cotangents(&atom.velocity, gradient))
    }

    /// The cotangents of these leaves, zero for leaves without influence.
    fn cotangents(&mut self, leaves: &[Node], gradient: &Gradient) -> Vec<Node> {
        let e = &mut self.interpreter.expressions;
        leaves.iter().map(|leaf| gradient.get(leaf).copied().unwrap_or_else(|| e.zero_tangent(*leaf))).collect()
    }

    /// D_q of a scalar expression.
    pub fn configuration_gradient(&mut self, node: Node) -> Vec<Node> {
        let one = self.interpreter.expressions.number(1.0);
        let gradient = self.interpreter.expressions.gradient(node, one);
        self.configuration_part(&gradient)
    }

    /// ∂/∂v of a scalar expression.
    pub fn velocity_gradient(&mut self, node: Node) -> Vec<Node> {
        let one = self.interpreter.expressions.number(1.0);
        let gradient = self.interpreter.expressions.gradient(node, one);
        self.velocity_part(&gradient)
    }

    /// ∂/∂v of a dissipation: auxiliary states are given values, so that their components are zero.
    pub fn dissipation_gradient(&mut self, node: Node) -> Vec<Node> {
        let (leaves, gradient) = (self.motion_leaves(), self.velocity_gradient(node));
        let atoms = self.interpreter.leaves.atoms.clone();
        let part = |(atom, part): (&Atom, Node)| {
            let is_moving = atom.velocity.iter().any(|leaf| leaves.contains(leaf));
            if is_moving { part } else { self.interpreter.expressions.zeros(atom.dof(), 1) }
        };
        atoms.iter().zip(gradient).map(part).collect()
    }

    /// The leaves of the velocity without auxiliary states.
    pub fn motion_leaves(&self) -> Vec<Node> {
        let leaves = &self.interpreter.leaves;
        let states = self.interpreter.model.configuration.members.iter().position(is_of_states);
        let states = states.map_or(&[][..], |at| leaves.atoms_of(at));
        let states: Vec<Node> = states.iter().flat_map(|atom| atom.velocity.iter().copied()).collect();
        leaves.velocity_leaves().into_iter().filter(|leaf| !states.contains(leaf)).collect()
    }

    /// The sum of covectors, atom by atom.
    pub fn plus(&mut self, a: &[Node], b: &[Node]) -> Vec<Node> {
        a.iter().zip(b).map(|(&x, &y)| self.interpreter.expressions.add(x, y)).collect()
    }

    /// The difference of covectors, atom by atom.
    pub fn minus(&mut self, a: &[Node], b: &[Node]) -> Vec<Node> {
        a.iter().zip(b).map(|(&x, &y)| self.interpreter.expressions.sub(x, y)).collect()
    }

    /// v by atoms.
    pub fn velocity(&mut self) -> Vec<Node> {
        self.by_atoms(|_, atom| atom.velocity.clone())
    }

    /// An expression at zero velocity.
    pub fn at_rest(&mut self, node: Node) -> Node {
        let velocity = self.interpreter.leaves.velocity_leaves();
        self.without(node, velocity)
    }

    /// An expression with zeros in place of these leaves.
    pub fn without(&mut self, node: Node, leaves: Vec<Node>) -> Node {
        let e = &mut self.interpreter.expressions;
        let zeros = leaves.into_iter().map(|leaf| (leaf, e.zero_tangent(leaf))).collect();
        e.substitute(node, &zeros)
    }

    /// ad_vᵀ p, atom by atom.
    pub fn coadjoint(&mut self, momentum: &[Node]) -> Vec<Node> {
        let velocity = self.velocity();
        self.coadjoint_along(&velocity, momentum)
    }

    /// ad_vᵀ p for any v.
    pub fn coadjoint_along(&mut self, velocity: &[Node], momentum: &[Node]) -> Vec<Node> {
        let mut parts = velocity.iter().zip(momentum);
        self.by_atoms(|this, atom| {
            let Some((&v, &p)) = parts.next() else { bug!("a velocity has a part for each atom") };
            let (e, group) = (&mut this.interpreter.expressions, atom.group);
            let (velocity, momentum) = (group.split(e, v), group.split(e, p));
            group.rules.coadjoint(e, &velocity, &momentum)
        })
    }
}
