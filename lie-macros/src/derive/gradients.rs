//! Gradients for adjoints: of the residual r = M v' + g + Bᵀ λ and of the constraints, each contracted with given weights, in
//! reverse with respect to all that they are functions of.
//!
//! With respect to v' and λ the gradients of w · r are M w and B w, and that of μ · (B v + b) with respect to v is Bᵀ μ: there
//! are kernels of these anyway.

use super::{Constraints, Declared, Derivation, Inertia};
use crate::expr::{Gradient, Leaf, Node, Type, position};
use crate::graph::Scalar;
use crate::read::Value;

/// The cotangents of what a contracted function depends on.
pub(crate) struct Pullback {
    /// Of q, in the algebra.
    pub configuration: Vec<Scalar>,
    /// Of v.
    pub velocity: Vec<Scalar>,
    /// Of the numbers of the parameters, one entry after the other, matrices by rows, and of those of the inputs.
    pub data: Vec<Scalar>,
}

/// Those of all that integrators evaluate.
pub(crate) struct Gradients {
    /// Of w · (M v' + g + Bᵀ λ).
    pub residual: Pullback,
    /// Of μ · Φ.
    pub constraint: Pullback,
    /// Of μ · (B v + b).
    pub rate: Pullback,
    /// Of μ · curvature.
    pub curvature: Pullback,
}

impl Pullback {
    /// All cotangents, one after the other.
    pub fn flat(&self) -> Vec<Scalar> {
        [&self.configuration[..], &self.velocity, &self.data].concat()
    }
}

impl Gradients {
    /// Of the residual, of Φ, of B v + b and of the curvature.
    pub fn all(&self) -> [&Pullback; 4] {
        [&self.residual, &self.constraint, &self.rate, &self.curvature]
    }
}

impl Derivation<'_, '_> {
    /// Derives the gradients.
    pub fn gradients(&mut self, declared: &Declared, inertia: &Inertia, constraints: &Constraints) -> Gradients {
        let (kinetic_energy, momentum) = &inertia.of_parameters;
        let balance = self.balance(declared, *kinetic_energy, momentum);
        let (holonomic, other) = self.reactions(constraints);
        let mut residual = self.plus(&balance.residual, &balance.potential);
        for reactions in [holonomic, other] {
            residual = self.plus(&residual, &reactions);
        }
        let weights = self.weights();
        let e = &mut self.reader.expressions;
        let mut sum = e.number(0.0);
        for (&weight, &part) in weights.iter().zip(&residual) {
            let product = e.dot(weight, part);
            sum = e.add(sum, product);
        }
        let residual = self.pullback(sum);
        let motion = self.reader.motion();
        let [mut constraint, mut rate, mut curvature] = [self.reader.expressions.number(0.0); 3];
        for (declared, &(node, is_holonomic)) in constraints.declared.iter().zip(&constraints.expressions) {
            let e = &mut self.reader.expressions;
            let rows = (declared.offset..declared.offset + declared.rows)
                .map(|row| e.leaf(Leaf::Row(position(row)), Type::SCALAR))
                .collect();
            let weights = e.stack(rows, declared.rows, 1);
            let speed = if is_holonomic { e.tangent(node, &motion) } else { node };
            let bend = e.tangent(speed, &motion);
            let mut add = |sum: &mut Node, node: Node| {
                let product = e.dot(weights, node);
                *sum = e.add(*sum, product);
            };
            if is_holonomic {
                add(&mut constraint, node);
            }
            add(&mut rate, speed);
            add(&mut curvature, bend);
        }
        let [constraint, rate, curvature] = [constraint, rate, curvature].map(|sum| self.pullback(sum));
        Gradients { residual, constraint, rate, curvature }
    }

    /// w by atoms.
    fn weights(&mut self) -> Vec<Node> {
        let atoms = self.reader.leaves.atoms.clone();
        let e = &mut self.reader.expressions;
        let of_atom = |atom: &crate::read::Atom| {
            let components = (atom.offset..atom.offset + atom.dof())
                .map(|at| e.leaf(Leaf::Covector(position(at)), Type::SCALAR))
                .collect();
            e.stack(components, atom.dof(), 1)
        };
        atoms.iter().map(of_atom).collect()
    }

    fn pullback(&mut self, sum: Node) -> Pullback {
        let one = self.reader.expressions.number(1.0);
        let gradient = self.reader.expressions.gradient(sum, one);
        let [configuration, velocity] = [self.configuration_part(&gradient), self.velocity_part(&gradient)];
        let mut data = self.parameter_part(&gradient);
        data.extend(self.input_part(&gradient));
        Pullback {
            configuration: self.flatten(&configuration),
            velocity: self.flatten(&velocity),
            data: self.flatten(&data),
        }
    }

    /// The cotangents of the parameters that are set by their numbers, in the order of declaration.
    fn parameter_part(&mut self, gradient: &Gradient) -> Vec<Node> {
        let entries = self.reader.model.parameters.iter().flat_map(|parameters| &parameters.entries).enumerate();
        let settable: Vec<usize> =
            entries.filter(|(_, entry)| entry.kind.is_settable() && entry.list.is_none()).map(|(at, _)| at).collect();
        let values = settable.into_iter().map(|entry| self.reader.leaves.entry(entry)).collect();
        self.parts_of(gradient, values)
    }

    /// The cotangents of the inputs, in the order of declaration; of their rates there are none.
    fn input_part(&mut self, gradient: &Gradient) -> Vec<Node> {
        let entries = self.reader.model.inputs.iter().flat_map(|inputs| &inputs.entries);
        let values = entries.filter_map(|entry| self.reader.leaves.input(&entry.name)).collect();
        self.parts_of(gradient, values)
    }

    fn parts_of(&mut self, gradient: &Gradient, values: Vec<Value>) -> Vec<Node> {
        let leaves = values.into_iter().flat_map(|value| match value {
            Value::Array(items) => items,
            value => vec![value],
        });
        let mut parts = Vec::new();
        for leaf in leaves {
            let (Value::Scalar(leaf) | Value::Matrix(leaf)) = leaf else {
                bug!("what is set by numbers is a number, a vector or a matrix")
            };
            let zero = self.reader.expressions.zero_tangent(leaf);
            parts.push(gradient.get(&leaf).copied().unwrap_or(zero));
        }
        parts
    }
}
