//! Gradients of the recursion of frames, for the reverse (adjoint) pass.
//!
//! A residual that is contracted with w is Σ yᵢ · ρᵢ(xᵢ, uᵢ, uᵢ') over the frames, with the rates yᵢ = A y₋ + J wᵢ due to w. The gradient
//! of the recursion therefore maps the cotangents of xᵢ, uᵢ, uᵢ' and yᵢ to the cotangents of x₋, u₋, u₋', y₋, the joint and the parameters.

use super::{Datum, Derivation};
use crate::expr::{Gradient, Leaf, Node, position};
use crate::model::Group;
use crate::scalar::Scalar;

/// The cotangents of the operands of a frame.
pub(crate) struct FramePullback {
    /// The cotangents of x₋ and q, of u₋ and v, of u₋', and of y₋, one after the other.
    pub motion: Vec<Scalar>,
    /// The scalars that the recursion can read.
    pub data: Vec<Datum>,
    /// The cotangents of these scalars.
    pub of_data: Vec<Scalar>,
}

impl FramePullback {
    /// All cotangents, one after the other.
    pub fn flat(&self) -> Vec<Scalar> {
        [&self.motion[..], &self.of_data].concat()
    }
}

/// A frame and its rates, by parts.
pub(super) struct FrameParts<'a> {
    pub group: Group,
    /// x.
    pub frame: &'a [Node],
    /// u.
    pub velocity: &'a [Node],
    /// u'.
    pub acceleration: &'a [Node],
    /// A u₋ + J v; `None` for the base.
    pub push: Option<&'a [Node]>,
}

impl Derivation<'_, '_> {
    /// Derives the cotangents, if the declaration requests gradients.
    pub(super) fn frame_pullback(&mut self, parts: &FrameParts<'_>) -> Option<FramePullback> {
        self.interpreter.model.gradients.as_ref()?;
        let n = parts.group.dimension();
        let mut seeded = self.displacement_seeds(parts);
        let mut work = self.work(n, parts.velocity);
        let acceleration = self.work(2 * n, parts.acceleration);
        work = self.interpreter.expressions.add(work, acceleration);
        let (mut velocities, mut weights) = (Vec::new(), Vec::new());
        if let Some(push) = parts.push {
            velocities = self.interpreter.leaves.velocity_leaves();
            weights = self.weights_of(&velocities);
            let given = velocities.iter().copied().zip(weights.iter().copied()).collect();
            let e = &mut self.interpreter.expressions;
            let moved: Vec<Node> = push.iter().map(|&part| e.substitute(part, &given)).collect();
            let moved = self.work(3 * n, &moved);
            work = self.interpreter.expressions.add(work, moved);
        }
        let one = self.interpreter.expressions.number(1.0);
        seeded.push((work, one));
        let gradient = self.interpreter.expressions.gradient_of_all(&seeded);
        let leaves = self.data_leaves(core::slice::from_ref(&gradient));
        let (data, of_data) =
            (self.numbers_of(&leaves), self.parts_of(&gradient, leaves.iter().map(|&(_, leaf)| leaf)));
        let motion = match parts.push {
            Some(_) => self.of_motion(&gradient, n, &velocities, &weights),
            None => Vec::new(),
        };
        Some(FramePullback { motion, data, of_data })
    }

    /// The cotangents of the motion of the parent frame and of the joint.
    fn of_motion(&mut self, gradient: &Gradient, n: usize, velocities: &[Node], weights: &[Node]) -> Vec<Scalar> {
        let [configuration, velocity] = [self.configuration_part(gradient), self.velocity_part(gradient)];
        let accelerations: Vec<Node> = velocities.iter().map(|&leaf| self.acceleration_of(leaf)).collect();
        let acceleration = self.parts_of(gradient, accelerations.into_iter());
        let entries: Vec<Node> = weights.iter().flat_map(|&weight| self.entries(weight)).collect();
        let weights = self.parts_of(gradient, entries.into_iter());
        [&self.flatten(&configuration)[..], &self.flatten(&velocity), &acceleration[..n], &weights[..n]].concat()
    }

    /// The components of a vector of leaves.
    fn entries(&mut self, vector: Node) -> Vec<Node> {
        let e = &mut self.interpreter.expressions;
        (0..e.shape(vector).0).map(|row| e.entry(vector, row, 0)).collect()
    }

    fn parts_of(&mut self, gradient: &Gradient, leaves: impl Iterator<Item = Node>) -> Vec<Scalar> {
        let parts: Vec<Node> = leaves.map(|leaf| self.part(gradient, leaf)).collect();
        self.flatten(&parts)
    }

    /// Leaves in place of the leaves of the velocity.
    fn weights_of(&mut self, velocities: &[Node]) -> Vec<Node> {
        let e = &mut self.interpreter.expressions;
        let mut at = 0;
        let of_leaf = |&leaf: &Node| {
            let rows = e.shape(leaf).0;
            at += rows;
            e.leaves(at - rows..at, Leaf::Row)
        };
        velocities.iter().map(of_leaf).collect()
    }

    /// Σ c · part, with the covectors c from component `first` on.
    pub(super) fn work(&mut self, mut first: usize, parts: &[Node]) -> Node {
        let e = &mut self.interpreter.expressions;
        let mut work = e.number(0.0);
        for &part in parts {
            let rows = e.shape(part).0;
            let covector = e.leaves(first..first + rows, Leaf::Covector);
            let term = e.dot(covector, part);
            work = e.add(work, term);
            first += rows;
        }
        work
    }

    /// The cotangents of the parts of x for the covector of its left-trivialised displacement: the transpose of the map from rates to
    /// velocities.
    fn displacement_seeds(&mut self, parts: &FrameParts<'_>) -> Vec<(Node, Node)> {
        let e = &mut self.interpreter.expressions;
        let mut rates = Vec::new();
        for (at, &part) in parts.frame.iter().enumerate() {
            let zero = e.zero_tangent(part);
            let ty = e.type_of(zero);
            rates.push(e.leaf(Leaf::Momentum(position(at)), ty));
        }
        let velocity = parts.group.rules.velocity(e, parts.frame, &rates);
        let work = self.work(0, &velocity);
        let one = self.interpreter.expressions.number(1.0);
        let gradient = self.interpreter.expressions.gradient(work, one);
        let seeds: Vec<Node> = rates.iter().map(|&rate| self.part(&gradient, rate)).collect();
        parts.frame.iter().copied().zip(seeds).collect()
    }
}
