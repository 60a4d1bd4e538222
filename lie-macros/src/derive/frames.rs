//! Velocities and covectors between body and space: Ad_q and its transposes, atom by atom.
//!
//! With q = (R, x) it is Ad_q (Ω, U) = (R Ω, R U + x × R Ω); in the plane R Ω is Ω.

use super::Derivation;
use crate::expr::{Expressions, Node};
use crate::model::Rotation;

/// R on the angular part: nothing in the plane.
fn turned(e: &mut Expressions, (kind, rotation): (Rotation, Node), angular: Node) -> Node {
    if kind.dimension() == 1 { angular } else { e.act(rotation, angular) }
}

/// Rᵀ on the angular part.
fn turned_back(e: &mut Expressions, (kind, rotation): (Rotation, Node), angular: Node) -> Node {
    if kind.dimension() == 1 { angular } else { e.act_inverse(rotation, angular) }
}

impl Derivation<'_, '_> {
    /// Ad_q v: the velocity as seen from space.
    pub fn spatial_velocity(&mut self) -> Vec<Node> {
        self.by_atoms(|this, atom| {
            let e = &mut this.reader.expressions;
            let Some(rotation) = atom.rotation else { return (None, atom.linear) };
            let angular = atom.angular.map(|omega| turned(e, rotation, omega));
            let linear = match (atom.linear, atom.translation, angular) {
                (Some(u), Some(x), Some(omega)) => {
                    let moved = e.act(rotation.1, u);
                    let swept = e.infinitesimal(rotation.0, omega, x);
                    Some(e.sub(moved, swept))
                }
                _ => None,
            };
            (angular, linear)
        })
    }

    /// Ad_qᵀ μ: the covector as seen from the body.
    pub fn adjoint_transpose(&mut self, covector: &[Node]) -> Vec<Node> {
        let mut parts = covector.iter().copied();
        self.by_atoms(|this, atom| {
            let e = &mut this.reader.expressions;
            let Some((angular, linear)) = parts.next().map(|part| atom.split(e, part)) else { return (None, None) };
            let Some(rotation) = atom.rotation else { return (None, linear) };
            let angular = angular.map(|angular| {
                let about = match (linear, atom.translation) {
                    (Some(linear), Some(x)) => {
                        let moment = e.moment(rotation.0, x, linear);
                        e.sub(angular, moment)
                    }
                    _ => angular,
                };
                turned_back(e, rotation, about)
            });
            (angular, linear.map(|linear| e.act_inverse(rotation.1, linear)))
        })
    }

    /// Ad_{q⁻¹}ᵀ p: the covector as seen from space.
    pub fn inverse_adjoint_transpose(&mut self, covector: &[Node]) -> Vec<Node> {
        let mut parts = covector.iter().copied();
        self.by_atoms(|this, atom| {
            let e = &mut this.reader.expressions;
            let Some((angular, linear)) = parts.next().map(|part| atom.split(e, part)) else { return (None, None) };
            let Some(rotation) = atom.rotation else { return (None, linear) };
            let linear = linear.map(|linear| e.act(rotation.1, linear));
            let angular = angular.map(|angular| {
                let angular = turned(e, rotation, angular);
                match (linear, atom.translation) {
                    (Some(linear), Some(x)) => {
                        let moment = e.moment(rotation.0, x, linear);
                        e.add(angular, moment)
                    }
                    _ => angular,
                }
            });
            (angular, linear)
        })
    }
}
