//! The balance of momenta without multipliers.

use std::ops::Range;

use super::quantity_inertia::Change;
use super::{DeclaredExpressions, Derivation};
use crate::expr::{Gradient, Leaf, Node, Op, Type, position};
use crate::interp::Atom;
use crate::model::{ElementMember, ForceTarget, Group, Member, OutputShape, Role, TermElement, is_of_states};

/// The terms of the equations of motion, by atoms.
pub(crate) struct Balance {
    /// −g(t, q, v).
    pub force: Vec<Node>,
    /// M v' + g without the potential's gradient.
    pub residual: Vec<Node>,
    /// D_q V.
    pub potential: Vec<Node>,
    /// False only if g + ad_vᵀ M v with a constant M is recognised as independent of the velocity.
    pub is_of_velocity: bool,
}

impl Derivation<'_, '_> {
    /// Collects −g and M v' + g.
    pub fn balance(&mut self, declared: &DeclaredExpressions, kinetic_energy: Node, momentum: &[Node]) -> Balance {
        let carried = self.carried(kinetic_energy);
        let own = if carried.is_empty() { momentum.to_vec() } else { self.velocity_gradient(carried.energy) };
        // d/dt p without v'.
        let seeds = carried.along(self, Change::Motion);
        let convective = self.interpreter.expressions.tangents(&own, &seeds);
        let coadjoint = self.coadjoint(&own);
        let kinetic = self.configuration_gradient(carried.energy);
        let potential = self.configuration_gradient(declared.potential);
        let dissipation = self.dissipation_gradient(declared.dissipation);
        let applied = self.applied(declared);
        let is_of_velocity = {
            let besides = [&convective[..], &kinetic, &dissipation, &applied].concat();
            !carried.is_empty() || self.is_of_velocity(&besides) || self.is_somewhere_at_rest(&own)
        };
        let mut other = self.minus(&coadjoint, &convective);
        other = self.plus(&other, &kinetic);
        other = carried.in_motion(self, &other);
        for (term, adds) in [(dissipation, false), (applied, true)] {
            other = if adds { self.plus(&other, &term) } else { self.minus(&other, &term) };
        }
        // M v' = ∂p/∂v v'.
        let seeds = carried.along(self, Change::Velocity);
        let inertial = self.interpreter.expressions.tangents(&own, &seeds);
        let inertial = carried.in_motion(self, &inertial);
        let [without, with] = [Change::Motion, Change::Both].map(|change| carried.back(self, change));
        let residual = self.minus(&inertial, &other);
        let residual = self.plus(&residual, &with);
        let force = self.minus(&other, &potential);
        let force = self.minus(&force, &without);
        Balance { force, residual, potential, is_of_velocity }
    }

    /// True if the parts depend on the velocity.
    fn is_of_velocity(&self, parts: &[Node]) -> bool {
        let e = &self.interpreter.expressions;
        let is_velocity = |node: Node| matches!(e.op(node), Op::Leaf(Leaf::Velocity(..)));
        e.reachable(parts).into_iter().any(is_velocity)
    }

    /// True if momenta have terms in addition to M v.
    fn is_somewhere_at_rest(&mut self, momentum: &[Node]) -> bool {
        let rest: Vec<Node> = momentum.iter().map(|&part| self.at_rest(part)).collect();
        self.flatten(&rest).into_iter().any(|entry| !self.graph.is_zero(entry))
    }

    /// The acceleration leaf of a velocity leaf.
    pub(super) fn acceleration_of(&mut self, velocity: Node) -> Node {
        let e = &mut self.interpreter.expressions;
        let ty = e.type_of(velocity);
        match *e.op(velocity) {
            crate::expr::Op::Leaf(leaf) => match leaf.acceleration() {
                Some(acceleration) => e.leaf(acceleration, ty),
                None => e.zero_tangent(velocity),
            },
            _ => e.zero_tangent(velocity),
        }
    }

    /// The declared generalised forces.
    fn applied(&mut self, declared: &DeclaredExpressions) -> Vec<Node> {
        let mut sum = self.zero_covector();
        for &(index, force) in &declared.forces {
            let term = self.generalised(declared, index, force);
            sum = self.plus(&sum, &term);
        }
        sum
    }

    /// A declared force as a covector; a spatial force f at a quantity x(q) contributes (D_q x)ᵀ f.
    pub(super) fn generalised(&mut self, declared: &DeclaredExpressions, index: usize, force: Node) -> Vec<Node> {
        let model = self.interpreter.model;
        let element = model.functions[index].element.as_ref();
        match &model.functions[index].role {
            Role::Force(ForceTarget::Velocity) if let Some(element) = element => self.at_element(element, force),
            Role::Force(ForceTarget::Velocity) => {
                let configuration = &model.configuration;
                let all = 0..self.interpreter.leaves.dof - configuration.states().map_or(0, Member::dof);
                let force = self.rows_of(force, &all);
                self.force_without_spins(&force)
            }
            Role::Force(ForceTarget::Member(member, rows)) => {
                let offset = self.interpreter.leaves.atoms_of(*member).first().map_or(0, |atom| atom.offset);
                let force = self.rows_of(force, &(offset + rows.start..offset + rows.end));
                self.force_without_spins(&force)
            }
            Role::Force(ForceTarget::Quantity(name)) => {
                let quantity = declared.quantities.iter().find(|(index, _)| {
                    model.functions[*index].name == *name && model.functions[*index].element.as_ref() == element
                });
                match quantity {
                    Some((at, parts)) => self.at_quantity(*at, parts, force),
                    None => self.zero_covector(),
                }
            }
            Role::Force(ForceTarget::Slip) => self.along_slip(force),
            Role::Force(ForceTarget::States) => {
                let at = model.configuration.members.iter().position(is_of_states);
                // The states of an element are the last slot of the element.
                let slot = match element.and_then(|element| element.slots.last()).map(Vec::as_slice) {
                    Some(&[ElementMember::Member(_, slot)]) => slot,
                    _ => 0,
                };
                let atom = at.and_then(|at| self.interpreter.leaves.atoms_of(at).get(slot).cloned());
                match atom {
                    Some(atom) => self.rows_of(force, &(atom.offset..atom.offset + atom.dof())),
                    None => self.zero_covector(),
                }
            }
            _ => self.zero_covector(),
        }
    }

    /// (∂u/∂v)ᵀ f of the force f and the velocity u of a friction.
    fn along_slip(&mut self, both: Node) -> Vec<Node> {
        let e = &mut self.interpreter.expressions;
        let (force, velocity) = (e.entry(both, 0, 0), e.entry(both, 1, 0));
        let velocity = self.without_spins(velocity);
        let gradient = self.interpreter.expressions.gradient(velocity, force);
        self.velocity_part(&gradient)
    }

    /// (D_q x)ᵀ f; for an element, f acts on its velocity u and contributes (∂u/∂v)ᵀ f.
    fn at_quantity(&mut self, function: usize, parts: &[Node], force: Node) -> Vec<Node> {
        let OutputShape::Element(group) = self.interpreter.model.functions[function].output else {
            let gradient = match parts {
                [value] => self.interpreter.expressions.gradient(*value, force),
                _ => Gradient::new(),
            };
            return self.configuration_part(&gradient);
        };
        self.at_group(group, parts, force)
    }

    /// (∂u/∂v)ᵀ f with the velocity u of an element of a group.
    fn at_group(&mut self, group: Group, parts: &[Node], force: Node) -> Vec<Node> {
        let along = self.interpreter.leaves.along(&mut self.interpreter.expressions);
        let velocity = self.interpreter.velocity_of(group, parts, &along);
        // f can depend on the velocity: it replaces a constant covector after the differentiation.
        let pulled = self.pulled(&velocity);
        let e = &mut self.interpreter.expressions;
        let given = (0..group.dimension())
            .map(|row| (e.leaf(Leaf::Covector(position(row)), Type::SCALAR), e.entry(force, row, 0)))
            .collect();
        pulled.into_iter().map(|part| e.substitute(part, &given)).collect()
    }

    /// A force on the members of an element, member after member.
    fn at_element(&mut self, element: &TermElement, force: Node) -> Vec<Node> {
        let mut sum = self.zero_covector();
        let mut first = 0;
        let states = self.interpreter.model.configuration.members.iter().position(is_of_states);
        let is_of_motion =
            |member: &ElementMember| !matches!(member, ElementMember::Member(field, _) if Some(*field) == states);
        for &member in element.slots.iter().flatten().filter(|member| is_of_motion(member)) {
            let (term, dof) = match member {
                ElementMember::Member(field, at) => {
                    let atom = &self.interpreter.leaves.atoms_of(field)[at];
                    let (offset, dof) = (atom.offset, atom.dof());
                    let own = self.interpreter.expressions.slice(force, first, dof);
                    let rows = self.rows_of(own, &(offset..offset + dof));
                    (self.force_without_spins(&rows), dof)
                }
                frame => {
                    let Some(frame) = self.interpreter.frame(frame) else { return sum };
                    let dof = frame.group.dimension();
                    let own = self.interpreter.expressions.slice(force, first, dof);
                    (self.at_group(frame.group, &frame.parts, own), dof)
                }
            };
            sum = self.plus(&sum, &term);
            first += dof;
        }
        sum
    }

    /// vᵀ M v / 2 with the velocities v of the members of an element.
    pub(super) fn element_energy(&mut self, function: usize, mass: Node) -> Node {
        let element = self.interpreter.model.functions[function].element.as_ref();
        let members = element.map_or_else(Vec::new, |element| element.slots.concat());
        let blocks = members.into_iter().flat_map(|member| self.interpreter.velocity_blocks(member)).collect();
        let e = &mut self.interpreter.expressions;
        let v = e.concat(blocks);
        let momentum = e.product(mass, v);
        let (twice, half) = (e.dot(v, momentum), e.number(0.5));
        e.scale(half, twice)
    }

    /// A force with the given components as rows, as covectors of the atoms.
    fn rows_of(&mut self, force: Node, components: &Range<usize>) -> Vec<Node> {
        let atoms = self.interpreter.leaves.atoms.clone();
        let covector = |atom: &Atom| {
            let e = &mut self.interpreter.expressions;
            let own = atom.offset..atom.offset + atom.dof();
            let given = components.start.clamp(own.start, own.end)..components.end.clamp(own.start, own.end);
            if given.is_empty() {
                return e.zeros(atom.dof(), 1);
            }
            let rows = e.slice(force, given.start - components.start, given.len());
            if given == own {
                return rows;
            }
            let mut parts = vec![rows];
            if own.start < given.start {
                parts.insert(0, e.zeros(given.start - own.start, 1));
            }
            if given.end < own.end {
                parts.push(e.zeros(own.end - given.end, 1));
            }
            e.concat(parts)
        };
        atoms.iter().map(covector).collect()
    }
}
