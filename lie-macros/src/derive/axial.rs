//! Inertia about the directions of spheres.
//!
//! A kinetic energy that is declared through q' = ω × q does not see the part of ω along q, and ∂²T/∂ω² has no inverse.
//! With ½ c (q · ω)² added it has. That changes no motion with q · ω = 0: T without the term is the same whatever the
//! rotation about q, the momentum q · p = c q · ω is conserved, and every other trace of the term has the factor q · ω.

use rustc_hash::FxHashMap;

use super::Derivation;
use crate::expr::{Node, Seeds};

impl Derivation<'_, '_> {
    /// Σ ½ c (q · ω)² over the spheres whose own block of ∂²T/∂ω² depends on q; `None` if there are none.
    pub fn axial_energy(&mut self, energy: Node) -> Option<Node> {
        let one = self.reader.expressions.number(1.0);
        let gradient = self.reader.expressions.gradient(energy, one);
        let mut sum = None;
        let atoms = self.reader.leaves.atoms.clone();
        for (q, omega) in atoms.iter().flat_map(|atom| atom.group.rules.idle(&atom.parts, &atom.velocity)) {
            let Some(&momentum) = gradient.get(&omega) else { continue };
            let Some(c) = self.typical_inertia(momentum, q, omega) else { continue };
            let e = &mut self.reader.expressions;
            let half = e.number(0.5);
            let along = e.dot(q, omega);
            let square = e.scale(along, along);
            let weight = e.scale(half, c);
            let term = e.scale(weight, square);
            sum = Some(match sum {
                Some(sum) => e.add(sum, term),
                None => term,
            });
        }
        sum
    }

    /// Half the trace of ∂p/∂ω where q = e₃, which is m if T = ½ m |ω × q|²; `None` if ∂p/∂ω does not depend on q.
    fn typical_inertia(&mut self, momentum: Node, q: Node, omega: Node) -> Option<Node> {
        let e = &mut self.reader.expressions;
        let columns: Vec<Node> = (0..3)
            .map(|column| {
                let unit = e.unit(3, column);
                let seeds = Seeds::from_iter([(omega, unit)]);
                e.tangent(momentum, &seeds)
            })
            .collect();
        if !e.reachable(&columns).contains(&q) {
            return None;
        }
        let mut trace = e.number(0.0);
        for (at, &column) in columns.iter().enumerate() {
            let entry = e.entry(column, at, 0);
            trace = e.add(trace, entry);
        }
        let third = e.unit(3, 2);
        let half = e.number(0.5);
        let upright = e.substitute(trace, &FxHashMap::from_iter([(q, third)]));
        Some(e.scale(half, upright))
    }
}
