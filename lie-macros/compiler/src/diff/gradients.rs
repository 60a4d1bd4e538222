//! Gradients for adjoints: reverse-mode derivatives of the contracted residual w · (M v' + g + Bᵀ λ) and of the contracted constraints,
//! with respect to all arguments.
//!
//! The gradients of w · r with respect to v' and λ are M w and B w. The gradient of μ · (B v + b) with respect to v is Bᵀ μ. These products
//! have kernels already.

use super::{Constraints, DeclaredExpressions, Derivation, Inertia};
use crate::expr::{Gradient, Leaf, Node, Op, Subscript};
use crate::interp::Value;
use crate::model::ParameterKind;
use crate::scalar::Scalar;

/// A scalar with a cotangent, other than state variables. The scalars of an entry are counted in order, matrices by rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Datum {
    /// A scalar of a parameter.
    Parameter { entry: usize, number: usize },
    /// A scalar of a list item; `sure` is true if the item exists for every element.
    Item { entry: usize, number: usize, at: Subscript, sure: bool },
    /// A scalar of the inputs, which are counted together.
    Input { number: usize },
}

impl Datum {
    /// The scalar with the index increased by `by`.
    fn later(self, by: usize) -> Datum {
        match self {
            Datum::Parameter { entry, number } => Datum::Parameter { entry, number: number + by },
            Datum::Item { entry, number, at, sure } => Datum::Item { entry, number: number + by, at, sure },
            Datum::Input { number } => Datum::Input { number: number + by },
        }
    }
}

/// The cotangents of the arguments of a contracted function.
pub(crate) struct Pullback {
    /// The cotangent of q, in the algebra.
    pub configuration: Vec<Scalar>,
    /// The cotangent of v.
    pub velocity: Vec<Scalar>,
    /// The cotangents of the [data](Gradients::data).
    pub data: Vec<Scalar>,
}

/// The gradients of all functions that integrators evaluate.
pub(crate) struct Gradients {
    /// The scalars that the functions can read.
    pub data: Vec<Datum>,
    /// The gradient of w · (M v' + g + Bᵀ λ).
    pub residual: Pullback,
    /// The gradient of μ · Φ.
    pub constraint: Pullback,
    /// The gradient of μ · (B v + b).
    pub rate: Pullback,
    /// The gradient of μ · curvature.
    pub curvature: Pullback,
}

impl Pullback {
    /// All cotangents, one after the other.
    pub fn flat(&self) -> Vec<Scalar> {
        [&self.configuration[..], &self.velocity, &self.data].concat()
    }
}

impl Gradients {
    /// The gradients of the residual, of Φ, of B v + b and of the curvature.
    pub fn all(&self) -> [&Pullback; 4] {
        [&self.residual, &self.constraint, &self.rate, &self.curvature]
    }
}

impl Derivation<'_, '_> {
    /// Derives the gradients.
    pub fn gradients(
        &mut self,
        declared: &DeclaredExpressions,
        inertia: &Inertia,
        constraints: &Constraints,
    ) -> Gradients {
        let (kinetic_energy, momentum) = &inertia.of_parameters;
        let balance = self.balance(declared, *kinetic_energy, momentum);
        let (holonomic, other) = self.reactions(constraints);
        let mut residual = self.plus(&balance.residual, &balance.potential);
        for reactions in [holonomic, other] {
            residual = self.plus(&residual, &reactions);
        }
        let residual = self.work(0, &residual);
        let motion = self.interpreter.motion();
        let [mut constraint, mut rate, mut curvature] = [self.interpreter.expressions.number(0.0); 3];
        for (declared, &(node, is_holonomic)) in constraints.declared.iter().zip(&constraints.expressions) {
            let e = &mut self.interpreter.expressions;
            let weights = e.leaves(declared.offset..declared.offset + declared.rows, Leaf::Row);
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
        let one = self.interpreter.expressions.number(1.0);
        let all = [residual, constraint, rate, curvature].map(|sum| self.interpreter.expressions.gradient(sum, one));
        let leaves = self.data_leaves(&all);
        let data = self.numbers_of(&leaves);
        let [residual, constraint, rate, curvature] = all.map(|gradient| self.pullback(&gradient, &leaves));
        Gradients { data, residual, constraint, rate, curvature }
    }

    fn pullback(&mut self, gradient: &Gradient, leaves: &[(Datum, Node)]) -> Pullback {
        let [configuration, velocity] = [self.configuration_part(gradient), self.velocity_part(gradient)];
        let data: Vec<Node> = leaves.iter().map(|(_, leaf)| self.part(gradient, *leaf)).collect();
        Pullback {
            configuration: self.flatten(&configuration),
            velocity: self.flatten(&velocity),
            data: self.flatten(&data),
        }
    }

    /// The leaves of settable parameters, of used list items and of inputs, each with its first scalar. The rates of inputs have no leaves
    /// here.
    pub(super) fn data_leaves(&self, gradients: &[Gradient]) -> Vec<(Datum, Node)> {
        let mut data = Vec::new();
        let entries = self.interpreter.model.parameters.iter().flat_map(|parameters| &parameters.entries);
        let kinds: Vec<ParameterKind> = entries.clone().map(|entry| entry.kind).collect();
        for (entry, declared) in entries.enumerate() {
            if declared.kind.is_settable() && declared.list.is_none() {
                let first = Datum::Parameter { entry, number: 0 };
                self.extend(&mut data, first, self.interpreter.leaves.entry(entry));
            }
        }
        let mut items: Vec<Node> = gradients.iter().flat_map(|gradient| gradient.keys().copied()).collect();
        items.sort_unstable();
        items.dedup();
        for node in items {
            let Op::Leaf(Leaf::Item { field, element, at, sure }) = *self.interpreter.expressions.op(node) else {
                continue;
            };
            let entry = field as usize;
            if kinds[entry].is_settable() {
                let (rows, columns) = self.interpreter.expressions.shape(node);
                let number = element as usize * rows * columns;
                data.push((Datum::Item { entry, number, at, sure }, node));
            }
        }
        let inputs = self.interpreter.model.inputs.iter().flat_map(|inputs| &inputs.entries);
        let mut number = 0;
        for entry in inputs {
            if let Some(value) = self.interpreter.leaves.input(&entry.name) {
                self.extend(&mut data, Datum::Input { number }, value);
            }
            number += entry.kind.numbers();
        }
        data
    }

    /// The scalars of the leaves, one after the other.
    pub(super) fn numbers_of(&self, leaves: &[(Datum, Node)]) -> Vec<Datum> {
        let numbers = leaves.iter().flat_map(|&(first, leaf)| {
            let (rows, columns) = self.interpreter.expressions.shape(leaf);
            (0..rows * columns).map(move |by| first.later(by))
        });
        numbers.collect()
    }

    /// Adds the leaves of an entry with the given first scalar.
    fn extend(&self, data: &mut Vec<(Datum, Node)>, mut first: Datum, value: Value) {
        let leaves = match value {
            Value::Array(items) => items,
            value => vec![value],
        };
        for leaf in leaves {
            let (Value::Scalar(leaf) | Value::Matrix(leaf)) = leaf else {
                bug!("a settable parameter is a scalar, a vector or a matrix")
            };
            data.push((first, leaf));
            let (rows, columns) = self.interpreter.expressions.shape(leaf);
            first = first.later(rows * columns);
        }
    }

    pub(super) fn part(&mut self, gradient: &Gradient, leaf: Node) -> Node {
        let zero = self.interpreter.expressions.zero_tangent(leaf);
        gradient.get(&leaf).copied().unwrap_or(zero)
    }
}
