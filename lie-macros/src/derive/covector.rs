//! Velocity-sized vectors by atoms, and gradients on the group.

use super::Derivation;
use crate::expr::{Gradient, Node};
use crate::read::Atom;

impl Derivation<'_, '_> {
    /// One vector for each atom, made from its angular and linear part.
    pub fn by_atoms(&mut self, mut part: impl FnMut(&mut Self, &Atom) -> (Option<Node>, Option<Node>)) -> Vec<Node> {
        let atoms = self.reader.leaves.atoms.clone();
        atoms
            .iter()
            .map(|atom| {
                let (angular, linear) = part(self, atom);
                self.reader.expressions.concat([angular, linear].into_iter().flatten().collect())
            })
            .collect()
    }

    /// Zeros for each atom.
    pub fn zero_covector(&mut self) -> Vec<Node> {
        let atoms = self.reader.leaves.atoms.clone();
        atoms.iter().map(|atom| self.reader.expressions.zeros(atom.dof(), 1)).collect()
    }

    /// The left-trivialised gradient with respect to the configuration, from the cotangents of its leaves; on spheres
    /// q × ∂f/∂q, along the turns ξ × q.
    pub fn configuration_part(&mut self, gradient: &Gradient) -> Vec<Node> {
        self.by_atoms(|this, atom| {
            let e = &mut this.reader.expressions;
            let angular = atom
                .rotation
                .map(|(kind, leaf)| gradient.get(&leaf).copied().unwrap_or_else(|| e.zeros(kind.dimension(), 1)));
            let linear = atom.translation.map(|leaf| {
                let plain = gradient.get(&leaf).copied().unwrap_or_else(|| e.zeros(atom.group.translation, 1));
                // x' = R u in a semidirect product.
                match atom.rotation {
                    Some((_, rotation)) => e.act_inverse(rotation, plain),
                    None if atom.group.is_sphere => e.cross(leaf, plain),
                    None => plain,
                }
            });
            (angular, linear)
        })
    }

    /// The gradient with respect to the velocity, from the cotangents of its leaves.
    pub fn velocity_part(&mut self, gradient: &Gradient) -> Vec<Node> {
        self.by_atoms(|this, atom| {
            let e = &mut this.reader.expressions;
            let angular =
                atom.angular.map(|leaf| gradient.get(&leaf).copied().unwrap_or_else(|| e.zeros(atom.turning(), 1)));
            let linear = atom
                .linear
                .map(|leaf| gradient.get(&leaf).copied().unwrap_or_else(|| e.zeros(atom.group.translation, 1)));
            (angular, linear)
        })
    }

    /// D_q of a scalar expression.
    pub fn configuration_gradient(&mut self, node: Node) -> Vec<Node> {
        let one = self.reader.expressions.number(1.0);
        let gradient = self.reader.expressions.gradient(node, one);
        self.configuration_part(&gradient)
    }

    /// ∂/∂v of a scalar expression.
    pub fn velocity_gradient(&mut self, node: Node) -> Vec<Node> {
        let one = self.reader.expressions.number(1.0);
        let gradient = self.reader.expressions.gradient(node, one);
        self.velocity_part(&gradient)
    }

    /// The sum of covectors, atom by atom.
    pub fn plus(&mut self, a: &[Node], b: &[Node]) -> Vec<Node> {
        a.iter().zip(b).map(|(&x, &y)| self.reader.expressions.add(x, y)).collect()
    }

    /// The difference of covectors, atom by atom.
    pub fn minus(&mut self, a: &[Node], b: &[Node]) -> Vec<Node> {
        a.iter().zip(b).map(|(&x, &y)| self.reader.expressions.sub(x, y)).collect()
    }

    /// v by atoms.
    pub fn velocity(&mut self) -> Vec<Node> {
        self.by_atoms(|_, atom| (atom.angular, atom.linear))
    }

    /// An expression where the velocity is zero.
    pub fn at_rest(&mut self, node: Node) -> Node {
        let velocity = self.reader.leaves.velocity_leaves();
        let e = &mut self.reader.expressions;
        let rest = velocity.into_iter().map(|leaf| (leaf, e.zero_tangent(leaf))).collect();
        e.substitute(node, &rest)
    }

    /// ad_vᵀ p, atom by atom.
    pub fn coadjoint(&mut self, momentum: &[Node]) -> Vec<Node> {
        let velocity = self.velocity();
        self.coadjoint_along(&velocity, momentum)
    }

    /// ad_vᵀ p of any v: p × Ω on rotations, (π × Ω + γ × U, γ × Ω) on semidirect products.
    ///
    /// ω × p on spheres, whose velocities are seen from space: δω = ξ' − ω × ξ.
    pub fn coadjoint_along(&mut self, velocity: &[Node], momentum: &[Node]) -> Vec<Node> {
        let mut parts = velocity.iter().copied().zip(momentum.iter().copied());
        self.by_atoms(|this, atom| {
            let e = &mut this.reader.expressions;
            let Some((v, p)) = parts.next() else { return (None, None) };
            let (omega, moving) = atom.split(e, v);
            let (angular_momentum, linear_momentum) = atom.split(e, p);
            let Some((kind, _)) = atom.rotation else {
                if let (true, Some(omega)) = (atom.group.is_sphere, moving) {
                    return (None, Some(e.cross(omega, p)));
                }
                return (None, moving.map(|_| e.zeros(atom.group.translation, 1)));
            };
            let planar = kind.dimension() == 1;
            let mut angular = match (angular_momentum, omega) {
                (Some(pi), Some(omega)) if !planar => e.cross(pi, omega),
                _ => e.zeros(kind.dimension(), 1),
            };
            let linear = match (linear_momentum, omega, moving) {
                (Some(gamma), Some(omega), Some(u)) => {
                    // moment(u, γ) is u × γ; in the plane its third component.
                    let turning = e.moment(kind, u, gamma);
                    angular = e.sub(angular, turning);
                    let moved = e.infinitesimal(kind, omega, gamma);
                    Some(e.neg(moved))
                }
                _ => None,
            };
            (Some(angular), linear)
        })
    }
}
