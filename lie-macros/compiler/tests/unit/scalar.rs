//! Folding, sharing and numerical values of graphs.

pub(crate) use super::branches::tests::random_choices;
pub(crate) use super::rewrite::tests::{Random, random_values};
use std::collections::HashMap;

use super::{Call, Graph, Kernel, Scalar, ScalarOp};
use crate::expr::{Leaf, MemberPosition, Relation, Rotation, Singular};

/// Values of leaves by component.
pub(crate) type Values = HashMap<(Leaf, u32), f64>;

/// The numerical value of a node: the reference that symbolic results are compared with.
pub(crate) fn evaluate(graph: &Graph, node: Scalar, values: &Values) -> f64 {
    let mut known: HashMap<Scalar, f64> = HashMap::new();
    let kernel = Kernel::new(graph, &[node], |_| false);
    for &at in &kernel.nodes {
        let of = |operand: &Scalar| known[operand];
        let truth = |value: bool| if value { 1.0 } else { 0.0 };
        let value = match graph.op(at) {
            ScalarOp::Number(bits) => f64::from_bits(*bits),
            ScalarOp::Leaf(leaf, component) => values[&(*leaf, *component)],
            ScalarOp::Add(a, b) => of(a) + of(b),
            ScalarOp::Sub(a, b) => of(a) - of(b),
            // Bool values are 0 and 1.
            ScalarOp::Mul(a, b) | ScalarOp::And(a, b) => of(a) * of(b),
            ScalarOp::Div(a, b) => of(a) / of(b),
            ScalarOp::Neg(a) => -of(a),
            ScalarOp::Power(a, n) => of(a).powi(*n),
            ScalarOp::RealPower(a, b) => of(a).powf(of(b)),
            ScalarOp::Atan2(a, b) => of(a).atan2(of(b)),
            ScalarOp::Remainder(a, b) => of(a) % of(b),
            ScalarOp::Singular(function, order, z) => singular(*function, *order, of(z)),
            ScalarOp::Compare(Relation::Less, a, b) => truth(of(a) < of(b)),
            ScalarOp::Compare(Relation::LessOrEqual, a, b) => truth(of(a) <= of(b)),
            ScalarOp::Or(a, b) => of(a).max(of(b)),
            ScalarOp::Not(a) => 1.0 - of(a),
            ScalarOp::Select(c, a, b) => {
                if of(c) > 0.5 {
                    of(a)
                } else {
                    of(b)
                }
            }
            ScalarOp::Function(function, a) => function.value(of(a)),
            ScalarOp::Output(Call::Log(rotation, components), output) => {
                let components: Vec<f64> = components.iter().map(of).collect();
                logarithm(*rotation, &components)[*output as usize]
            }
            ScalarOp::Output(Call::Opaque { .. }, _) => f64::NAN,
        };
        known.insert(at, value);
    }
    known[&node]
}

/// Sums the defining series term by term.
fn singular(function: Singular, order: u8, z: f64) -> f64 {
    let n = i32::from(order);
    // The n-th derivative of z^j.
    let power = |j: i32| (0..n).map(|i| f64::from(j - i)).product::<f64>() * z.powi(j - n);
    match function {
        Singular::Stumpff(k) => {
            let factorial = |m: i32| (1..=m).map(f64::from).product::<f64>();
            (n..40).map(|j| (-1.0_f64).powi(j) * power(j) / factorial(2 * j + i32::from(k))).sum()
        }
        Singular::Gamma => {
            let pi = std::f64::consts::PI;
            let zeta = |s: i32| match s {
                2 => pi.powi(2) / 6.0,
                4 => pi.powi(4) / 90.0,
                _ => (1..2_000).rev().map(|m| f64::from(m).powi(-s)).sum::<f64>(),
            };
            (n..120).map(|j| 2.0 * zeta(2 * j + 2) * power(j) / (2.0 * pi).powi(2 * j + 2)).sum()
        }
    }
}

fn logarithm(rotation: Rotation, c: &[f64]) -> [f64; 3] {
    if rotation == Rotation::S3 {
        let norm = (c[1] * c[1] + c[2] * c[2] + c[3] * c[3]).sqrt();
        let factor = 2.0 * norm.atan2(c[0]) / norm;
        return [factor * c[1], factor * c[2], factor * c[3]];
    }
    let axis = [0.5 * (c[7] - c[5]), 0.5 * (c[2] - c[6]), 0.5 * (c[3] - c[1])];
    let sine = axis.iter().map(|x| x * x).sum::<f64>().sqrt();
    let factor = sine.atan2(0.5 * (c[0] + c[4] + c[8] - 1.0)) / sine;
    axis.map(|x| factor * x)
}

fn leaf(graph: &mut Graph, component: u32) -> Scalar {
    graph.leaf(Leaf::Configuration(MemberPosition { member: 0, element: 0 }, 1), component)
}

#[test]
fn zeros_ones_and_signs_are_folded() {
    let mut g = Graph::new();
    let (x, y) = (leaf(&mut g, 0), leaf(&mut g, 1));
    let (zero, one) = (g.number(0.0), g.number(1.0));
    assert_eq!(g.add(x, zero), x);
    assert_eq!(g.mul(one, x), x);
    assert_eq!(g.mul(x, zero), zero);
    assert_eq!(g.sub(x, x), zero);
    let minus = g.neg(x);
    assert_eq!(g.neg(minus), x);
    // x + (−y) = x − y, and y − x = −(x − y).
    let minus_y = g.neg(y);
    let difference = g.add(x, minus_y);
    assert_eq!(*g.op(difference), ScalarOp::Sub(x, y));
    let turned = g.sub(y, x);
    assert_eq!(*g.op(turned), ScalarOp::Neg(difference));
    assert_eq!(g.mul(turned, turned), g.mul(difference, difference));
    // (−x)(−y) = x y.
    assert_eq!(g.mul(minus, minus_y), g.mul(y, x));
    // Half of x twice is x.
    let half = g.number(0.5);
    let part = g.mul(half, x);
    assert_eq!(g.add(part, part), x);
}

#[test]
fn equal_computations_are_one_node() {
    let mut g = Graph::new();
    let (x, y) = (leaf(&mut g, 0), leaf(&mut g, 1));
    let first = g.mul(x, y);
    assert_eq!(g.mul(y, x), first);
    let sum = g.add(first, x);
    assert_eq!(g.add(x, first), sum);
    let kernel = Kernel::new(&g, &[sum, first], |_| false);
    assert_eq!(kernel.operations(&g, |_| false), 2);
}

#[test]
fn division_by_a_power_of_two_multiplies() {
    let mut g = Graph::new();
    let x = leaf(&mut g, 0);
    let (four, three) = (g.number(4.0), g.number(3.0));
    let exact = g.div(x, four);
    assert!(matches!(g.op(exact), ScalarOp::Mul(..)));
    let rounded = g.div(x, three);
    assert!(matches!(g.op(rounded), ScalarOp::Div(..)));
}

#[test]
fn dependences_are_those_of_the_leaves() {
    use super::Dependence;
    let mut g = Graph::new();
    let mass = g.leaf(Leaf::Parameter { field: 0, element: 0 }, 0);
    let time = g.leaf(Leaf::Time, 0);
    let x = leaf(&mut g, 0);
    let first = g.mul(mass, time);
    let all = g.add(first, x);
    assert!(g.dependence(mass).within(Dependence::PARAMETERS));
    assert!(!g.dependence(first).within(Dependence::PARAMETERS));
    assert!(g.dependence(all).meets(Dependence::CONFIGURATION));
    assert!(!g.dependence(all).meets(Dependence::VELOCITY));
}
