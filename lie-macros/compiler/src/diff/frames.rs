//! Body-fixed and spatial velocities and covectors: Ad_q and its transposes, atom by atom.

use super::Derivation;
use crate::expr::{Expressions, Node};
use crate::group::GroupRules;

/// A map of covectors for the parts of an element.
type Map = fn(&(dyn GroupRules + 'static), &mut Expressions, &[Node], &[Node]) -> Vec<Node>;

impl Derivation<'_, '_> {
    /// Ad_q v: the spatial velocity.
    pub fn spatial_velocity(&mut self) -> Vec<Node> {
        self.by_atoms(|this, atom| {
            atom.group.rules.adjoint(&mut this.interpreter.expressions, &atom.parts, &atom.velocity)
        })
    }

    /// Ad_qᵀ μ: the body-fixed covector.
    pub fn adjoint_transpose(&mut self, covector: &[Node]) -> Vec<Node> {
        self.mapped(covector, GroupRules::adjoint_transpose)
    }

    /// Ad_{q⁻¹}ᵀ p: the spatial covector.
    pub fn inverse_adjoint_transpose(&mut self, covector: &[Node]) -> Vec<Node> {
        self.mapped(covector, GroupRules::inverse_adjoint_transpose)
    }

    fn mapped(&mut self, covector: &[Node], map: Map) -> Vec<Node> {
        let mut parts = covector.iter();
        self.by_atoms(|this, atom| {
            let Some(&part) = parts.next() else { bug!("a covector has a part for each atom") };
            let e = &mut this.interpreter.expressions;
            let blocks = atom.group.split(e, part);
            map(atom.group.rules, e, &atom.parts, &blocks)
        })
    }
}
