//! Inertia for spins about the directions of spheres.
//!
//! A kinetic energy that is declared with q' = ω × q does not depend on the component of ω along q, and ∂²T/∂ω² is singular. The additional
//! term ½ c (q · ω)² makes it regular. The term changes no motion with q · ω = 0: T without the term is invariant under rotations about q,
//! the momentum q · p = c q · ω is conserved, and all other contributions of the term have the factor q · ω.
//!
//! Forces are reduced in the same way: the component of a declared moment along q does no work on motions with q · ω = 0.

use rustc_hash::FxHashMap;

use super::{DeclaredExpressions, Derivation};
use crate::expr::{Node, Seeds};

impl Derivation<'_, '_> {
    /// Σ ½ c (q · ω)² over the spheres with a block of ∂²T/∂ω² that depends on q; `None` if there are none.
    pub fn axial_energy(&mut self, energy: Node) -> Option<Node> {
        let one = self.interpreter.expressions.number(1.0);
        let gradient = self.interpreter.expressions.gradient(energy, one);
        let mut sum = None;
        let atoms = self.interpreter.leaves.atoms.clone();
        for (q, omega) in atoms.iter().flat_map(|atom| atom.group.rules.idle(&atom.parts, &atom.velocity)) {
            let Some(&momentum) = gradient.get(&omega) else { continue };
            let Some(c) = self.typical_inertia(momentum, q, omega) else { continue };
            let e = &mut self.interpreter.expressions;
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

    /// Half the trace of ∂p/∂ω at q = e₃, which is m for T = ½ m |ω × q|²; `None` if ∂p/∂ω does not depend on q.
    fn typical_inertia(&mut self, momentum: Node, q: Node, omega: Node) -> Option<Node> {
        let e = &mut self.interpreter.expressions;
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

    /// Reports kinetic energies that would accelerate spins: ∂T/∂ω · q must be c (q · ω), which is zero during every motion.
    ///
    /// This fails if the ω of a direction is coupled to other velocities, or has other inertia along other axes.
    pub fn refuse_spins(&mut self, declared: &DeclaredExpressions, energy: Node) {
        let model = self.interpreter.model;
        let told = match declared.mass_matrix {
            Some((index, _)) => vec![(index, energy)],
            None => declared.kinetic.clone(),
        };
        for (index, energy) in told {
            for (at, member) in model.configuration.members.iter().enumerate() {
                let atoms = self.interpreter.leaves.atoms_of(at).to_vec();
                let idle = atoms.iter().flat_map(|atom| atom.group.rules.idle(&atom.parts, &atom.velocity));
                if idle.collect::<Vec<_>>().into_iter().all(|(q, omega)| self.is_free_of_spins(energy, q, omega)) {
                    continue;
                }
                let (function, name) = (&model.functions[index], &member.name);
                self.interpreter.report(
                    &function.name,
                    format_args!("`{}` has inertia for spins about the direction `{name}`, which do not move it", function.name),
                    "an energy uses the ω of a direction as ½ J |ω|² only; write coupled or anisotropic inertia with q', the rate of a \
                     `#[quantity]` that returns `.direction()`",
                );
                break;
            }
        }
    }

    /// True if ∂T/∂ω · q is c (q · ω).
    fn is_free_of_spins(&mut self, energy: Node, q: Node, omega: Node) -> bool {
        let slope = self.interpreter.expressions.tangent(energy, &Seeds::from_iter([(omega, q)]));
        let mut parts = vec![self.at_rest(slope)];
        for leaf in self.interpreter.leaves.velocity_leaves() {
            let size = self.interpreter.expressions.shape(leaf).0;
            for row in (0..size).filter(|_| leaf != omega) {
                let e = &mut self.interpreter.expressions;
                let unit = if size == 1 { e.number(1.0) } else { e.unit(size, row) };
                parts.push(e.tangent(slope, &Seeds::from_iter([(leaf, unit)])));
            }
        }
        // The derivative with respect to ω is c q: along each axis of space it is c, with one value of c, and no orthogonal component.
        let mut along = Vec::new();
        for axis in 0..3 {
            for row in 0..3 {
                let e = &mut self.interpreter.expressions;
                let (unit, axis_of_space) = (e.unit(3, row), e.unit(3, axis));
                let share = e.tangent(slope, &Seeds::from_iter([(omega, unit)]));
                let there = e.substitute(share, &FxHashMap::from_iter([(q, axis_of_space)]));
                if row == axis { along.extend(self.lower(there)) } else { parts.push(there) }
            }
        }
        let is_isotropic = along.windows(2).all(|pair| pair[0] == pair[1]);
        is_isotropic
            && parts.into_iter().all(|part| self.lower(part).into_iter().all(|scalar| self.graph.is_zero(scalar)))
    }

    /// A function of the velocity without the component of ω along q. A function that does not depend on this component is unchanged.
    ///
    /// Otherwise the derivative of a dissipation and the row of a velocity constraint would have a component along q, which does not rotate
    /// the direction but accelerates its spin.
    pub fn without_spins(&mut self, node: Node) -> Node {
        let atoms = self.interpreter.leaves.atoms.clone();
        let mut replacements = FxHashMap::default();
        for (q, omega) in atoms.iter().flat_map(|atom| atom.group.rules.idle(&atom.parts, &atom.velocity)) {
            let slope = self.interpreter.expressions.tangent(node, &Seeds::from_iter([(omega, q)]));
            if self.lower(slope).into_iter().any(|scalar| !self.graph.is_zero(scalar)) {
                let across = self.across(q, omega);
                replacements.insert(omega, across);
            }
        }
        self.interpreter.expressions.substitute(node, &replacements)
    }

    /// A generalised force without the components that only accelerate spins.
    pub fn force_without_spins(&mut self, force: &[Node]) -> Vec<Node> {
        let atoms = self.interpreter.leaves.atoms.clone();
        let parts = atoms.iter().zip(force).map(|(atom, &force)| {
            let idle = atom.group.rules.idle(&atom.parts, &atom.velocity);
            if idle.is_empty() || self.interpreter.expressions.is_zero(force) {
                return force;
            }
            let (mut blocks, mut from) = (Vec::new(), 0);
            for block in &atom.velocity {
                let (size, _) = self.interpreter.expressions.shape(*block);
                let own = self.interpreter.expressions.slice(force, from, size);
                let direction = idle.iter().find(|(_, omega)| omega == block);
                blocks.push(direction.map_or(own, |&(q, _)| self.across(q, own)));
                from += size;
            }
            self.interpreter.expressions.concat(blocks)
        });
        parts.collect()
    }

    /// x − q (q · x), or x if q · x is zero identically.
    fn across(&mut self, q: Node, x: Node) -> Node {
        let along = self.interpreter.expressions.dot(q, x);
        if self.lower(along).into_iter().all(|scalar| self.graph.is_zero(scalar)) {
            return x;
        }
        let e = &mut self.interpreter.expressions;
        let spin = e.scale(along, q);
        e.sub(x, spin)
    }
}
