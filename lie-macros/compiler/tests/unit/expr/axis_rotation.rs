//! Rotations about fixed axes: comparison with the exponential of a general vector, and with finite differences.

use super::{Bench, OTHER, PLACE, PLANAR, bench, check, point};
use crate::expr::{Leaf, Node, Rotation};
use crate::scalar::tests::evaluate;
use crate::scalar::{Graph, Lowering, Scalar};

/// Coordinate axes, axes in a coordinate plane, and general axes; with and without unit length.
const AXES: [[f64; 3]; 7] = [
    [0.0, 0.0, 1.0],
    [0.0, -1.0, 0.0],
    [2.5, 0.0, 0.0],
    [0.6, 0.0, -0.8],
    [0.3, -2.0, 0.0],
    [1.0 / 3.0, -2.0 / 3.0, 2.0 / 3.0],
    [1.0, 2.0, 0.5],
];

fn fixed(b: &mut Bench, axis: [f64; 3]) -> Node {
    let entries = axis.map(|entry| b.e.number(entry)).to_vec();
    b.e.stack(entries, 3, 1)
}

fn lowered(b: &Bench, graph: &mut Graph, node: Node) -> Vec<Scalar> {
    Lowering::new().lower(&b.e, graph, node)
}

/// A vector that is rotated by exp(θ a), in both directions.
fn turned(b: &mut Bench, rotation: Rotation, axis: Node, angle: Node) -> Node {
    let v = b.e.scale(angle, axis);
    let r = b.e.rotation_exp(rotation, v);
    let there = b.e.act(r, b.y);
    let back = b.e.act_inverse(r, b.x);
    let inverse = b.e.invert(r);
    let again = b.e.act(inverse, back);
    b.e.concat(vec![there, back, again])
}

#[test]
fn values_are_those_of_the_exponential() {
    let mut b = bench();
    for rotation in [Rotation::SO3, Rotation::S3] {
        let general = b.e.rotation_exp(rotation, b.x);
        for axis in AXES {
            let a = fixed(&mut b, axis);
            let planar = b.e.rotation_log(b.c);
            let angles = [b.t, planar, b.e.neg(b.t), b.e.neg(planar)];
            for (sense, angle) in [1.0, 1.0, -1.0, -1.0].into_iter().zip(angles) {
                let v = b.e.scale(angle, a);
                let turn = b.e.rotation_exp(rotation, v);
                let mut graph = Graph::new();
                let (found, expected) = (lowered(&b, &mut graph, turn), lowered(&b, &mut graph, general));
                for theta in [-3.0, -1e-3, 0.0, 1e-9, 0.4, 1.9, 3.1_f64] {
                    let mut values = point(&[0.0; 14], 0.0);
                    values.insert((Leaf::Time, 0), theta);
                    values.insert((Leaf::Configuration(PLANAR, 0), 0), theta.cos());
                    values.insert((Leaf::Configuration(PLANAR, 0), 1), theta.sin());
                    for (at, entry) in axis.into_iter().enumerate() {
                        let at = u32::try_from(at).unwrap();
                        values.insert((Leaf::Configuration(PLACE, 1), at), sense * theta * entry);
                    }
                    for (&x, &y) in found.iter().zip(&expected) {
                        let (x, y) = (evaluate(&graph, x, &values), evaluate(&graph, y, &values));
                        // Series of the reference at 3.1 |a|.
                        assert!((x - y).abs() < 2e-13, "{rotation:?} {axis:?} {sense} {theta}: {x} for {y}");
                    }
                }
            }
        }
    }
}

#[test]
fn derivatives_are_those_of_differences() {
    for rotation in [Rotation::SO3, Rotation::S3] {
        for axis in AXES {
            let mut b = bench();
            let a = fixed(&mut b, axis);
            let angle = b.e.dot(b.x, b.y);
            let turned = turned(&mut b, rotation, a, angle);
            check(&mut b, turned);
            let energy = b.e.dot(turned, turned);
            let one = b.e.number(1.0);
            for (_, part) in b.e.gradient(energy, one) {
                check(&mut b, part);
            }
        }
        // A rotation about a moving axis is included.
        let mut b = bench();
        let (axis, angle) = (b.y, b.t);
        let turned = turned(&mut b, rotation, axis, angle);
        check(&mut b, turned);
        let first = b.e.entry(turned, 1, 0);
        let one = b.e.number(1.0);
        for (_, part) in b.e.gradient(first, one) {
            check(&mut b, part);
        }
    }
}

/// Neither values nor derivatives of a rotation about a fixed axis contain functions of singular families.
#[test]
fn turns_take_a_sine_and_a_cosine() {
    for axis in AXES {
        let mut b = bench();
        let a = fixed(&mut b, axis);
        let angle = b.t;
        let turned = turned(&mut b, Rotation::SO3, a, angle);
        let weights = b.e.concat(vec![b.x, b.y, b.x]);
        let sum = b.e.dot(turned, weights);
        let one = b.e.number(1.0);
        let slope = b.e.gradient(sum, one)[&b.t];
        let mut graph = Graph::new();
        let outputs: Vec<Scalar> = [sum, slope].into_iter().flat_map(|node| lowered(&b, &mut graph, node)).collect();
        let text: Vec<String> = crate::scalar::Kernel::new(&graph, &outputs, |_| false)
            .nodes
            .iter()
            .map(|&node| format!("{:?}", graph.op(node)))
            .collect();
        assert!(!text.iter().any(|op| op.starts_with("Singular")), "{axis:?}: {text:?}");
        assert_eq!(text.iter().filter(|op| op.starts_with("Function")).count(), 2, "{axis:?}: {text:?}");
    }
}

#[test]
fn exponentials_of_numbers() {
    use std::f64::consts::FRAC_PI_2;

    let mut b = bench();
    let third = FRAC_PI_2 * (4.0 / 3.0) / 3.0_f64.sqrt();
    for (vector, expected) in [
        ([0.0; 3], [1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0]),
        ([FRAC_PI_2, 0.0, 0.0], [1.0, 0.0, 0.0, 0.0, 0.0, -1.0, 0.0, 1.0, 0.0]),
        ([0.0, 0.0, 2.0 * FRAC_PI_2], [-1.0, 0.0, 0.0, 0.0, -1.0, 0.0, 0.0, 0.0, 1.0]),
        ([third; 3], [0.0, 0.0, 1.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0]),
    ] {
        let v = fixed(&mut b, vector);
        let r = b.e.rotation_exp(Rotation::SO3, v);
        let mut graph = Graph::new();
        let found: Vec<Option<f64>> =
            lowered(&b, &mut graph, r).into_iter().map(|entry| graph.as_number(entry)).collect();
        assert_eq!(found, expected.map(Some), "{vector:?}");
    }
    // A small rotation has the digits of the exponential at run time.
    let v = fixed(&mut b, [3e-3, -2e-3, 0.0]);
    let (small, mut graph) = (b.e.rotation_exp(Rotation::SO3, v), Graph::new());
    let entry = lowered(&b, &mut graph, small)[1];
    assert_eq!(graph.as_number(entry), None);
    assert!((evaluate(&graph, entry, &point(&[0.0; 14], 0.0)) / -3e-6 - 1.0).abs() < 1e-5);
    // Another group uses its own exponential.
    let values = point(&[0.0; 14], 0.0);
    let v = fixed(&mut b, [0.2, -0.5, 0.1]);
    for rotation in [Rotation::SO3, Rotation::S3] {
        let (known, general) = (b.e.rotation_exp(rotation, v), b.e.rotation_exp(rotation, b.y));
        let mut graph = Graph::new();
        let (found, expected) = (lowered(&b, &mut graph, known), lowered(&b, &mut graph, general));
        let mut values = values.clone();
        for (at, entry) in [0.2, -0.5, 0.1].into_iter().enumerate() {
            values.insert((Leaf::Configuration(OTHER, 1), u32::try_from(at).unwrap()), entry);
        }
        for (&x, &y) in found.iter().zip(&expected) {
            let (x, y) = (evaluate(&graph, x, &values), evaluate(&graph, y, &values));
            assert!((x - y).abs() < 1e-15, "{rotation:?}: {x} for {y}");
        }
    }
}
