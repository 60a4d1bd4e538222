//! Simplification, and comparison of derivatives with finite differences along the group.

mod axis_rotation;
mod choices;

use rustc_hash::FxHashMap;

use super::{Expressions, Function, Leaf, MemberPosition, Node, Rotation, Seeds, Singular, Type};
use crate::scalar::tests::{Values, evaluate};
use crate::scalar::{Graph, Lowering};

const PLACE: MemberPosition = MemberPosition { member: 0, element: 0 };
const OTHER: MemberPosition = MemberPosition { member: 1, element: 0 };
const PLANAR: MemberPosition = MemberPosition { member: 2, element: 0 };

/// Leaves of test expressions.
struct Bench {
    e: Expressions,
    r: Node,
    s: Node,
    c: Node,
    x: Node,
    y: Node,
    t: Node,
}

fn bench() -> Bench {
    let mut e = Expressions::new();
    let r = e.leaf(Leaf::Configuration(PLACE, 0), Type::Rotation(Rotation::SO3));
    let s = e.leaf(Leaf::Configuration(OTHER, 0), Type::Rotation(Rotation::S3));
    let c = e.leaf(Leaf::Configuration(PLANAR, 0), Type::Rotation(Rotation::SO2));
    let x = e.leaf(Leaf::Configuration(PLACE, 1), Type::vector(3));
    let y = e.leaf(Leaf::Configuration(OTHER, 1), Type::vector(3));
    let t = e.leaf(Leaf::Time, Type::SCALAR);
    Bench { e, r, s, c, x, y, t }
}

/// Rotations and vectors at the parameter ε of a curve with the given tangents.
fn point(tangents: &[f64; 14], epsilon: f64) -> Values {
    let mut values = Values::new();
    let quaternion = |start: [f64; 3], delta: &[f64]| {
        let p = unit_quaternion(&start);
        let d: Vec<f64> = delta.iter().map(|entry| epsilon * entry).collect();
        product(p, unit_quaternion(&[d[0], d[1], d[2]]))
    };
    let q = quaternion([0.4, -0.7, 0.2], &tangents[0..3]);
    for (at, entry) in matrix(q).into_iter().enumerate() {
        values.insert((Leaf::Configuration(PLACE, 0), u32::try_from(at).unwrap()), entry);
    }
    for (at, entry) in quaternion([-0.3, 0.5, 0.9], &tangents[3..6]).into_iter().enumerate() {
        values.insert((Leaf::Configuration(OTHER, 0), u32::try_from(at).unwrap()), entry);
    }
    let angle = 0.6 + epsilon * tangents[6];
    values.insert((Leaf::Configuration(PLANAR, 0), 0), angle.cos());
    values.insert((Leaf::Configuration(PLANAR, 0), 1), angle.sin());
    for at in 0..3_u32 {
        let i = at as usize;
        values.insert((Leaf::Configuration(PLACE, 1), at), [0.3, -0.8, 0.5][i] + epsilon * tangents[7 + i]);
        values.insert((Leaf::Configuration(OTHER, 1), at), [1.1, 0.2, -0.4][i] + epsilon * tangents[10 + i]);
    }
    values.insert((Leaf::Time, 0), 0.7 + epsilon * tangents[13]);
    values
}

fn unit_quaternion(v: &[f64; 3]) -> [f64; 4] {
    let angle = v.iter().map(|x| x * x).sum::<f64>().sqrt();
    let factor = if angle == 0.0 { 0.5 } else { (0.5 * angle).sin() / angle };
    [(0.5 * angle).cos(), factor * v[0], factor * v[1], factor * v[2]]
}

fn product(p: [f64; 4], q: [f64; 4]) -> [f64; 4] {
    [
        p[0] * q[0] - p[1] * q[1] - p[2] * q[2] - p[3] * q[3],
        p[0] * q[1] + p[1] * q[0] + p[2] * q[3] - p[3] * q[2],
        p[0] * q[2] - p[1] * q[3] + p[2] * q[0] + p[3] * q[1],
        p[0] * q[3] + p[1] * q[2] - p[2] * q[1] + p[3] * q[0],
    ]
}

fn matrix([w, x, y, z]: [f64; 4]) -> [f64; 9] {
    [
        1.0 - 2.0 * (y * y + z * z),
        2.0 * (x * y - w * z),
        2.0 * (x * z + w * y),
        2.0 * (x * y + w * z),
        1.0 - 2.0 * (x * x + z * z),
        2.0 * (y * z - w * x),
        2.0 * (x * z - w * y),
        2.0 * (y * z + w * x),
        1.0 - 2.0 * (x * x + y * y),
    ]
}

/// Compares tangent and gradient of `node` with central differences along several directions.
fn check(b: &mut Bench, node: Node) {
    let mut graph = Graph::new();
    let mut lowering = Lowering::new();
    let plain = lowering.lower(&b.e, &mut graph, node);
    let (rows, columns) = b.e.shape(node);
    let weights = (0..rows * columns).map(|at| b.e.number(1.0 + 0.3 * at as f64)).collect();
    let cotangent = b.e.stack(weights, rows, columns);
    let gradient = b.e.gradient(node, cotangent);
    for round in 0..3 {
        let tangents: [f64; 14] = std::array::from_fn(|at| ((at * 7 + round * 5) % 11) as f64 / 5.0 - 1.0);
        let mut seeds = Seeds::default();
        let leaves = [(b.r, 0, 3), (b.s, 3, 3), (b.c, 6, 1), (b.x, 7, 3), (b.y, 10, 3), (b.t, 13, 1)];
        for (leaf, first, size) in leaves {
            let entries = tangents[first..first + size].iter().map(|&value| b.e.number(value)).collect();
            let seed = b.e.stack(entries, size, 1);
            seeds.insert(leaf, seed);
        }
        let tangent = b.e.tangent(node, &seeds);
        let derivative = lowering.lower(&b.e, &mut graph, tangent);
        let here = point(&tangents, 0.0);
        let mut weighted = 0.0;
        for (at, (&value, &slope)) in plain.iter().zip(&derivative).enumerate() {
            let h = 1e-4;
            let difference = |h: f64| {
                let ahead = evaluate(&graph, value, &point(&tangents, h));
                (ahead - evaluate(&graph, value, &point(&tangents, -h))) / (2.0 * h)
            };
            // One extrapolation: the error is O(h⁴) = 1e-16, round-off 1e-12.
            let expected = (4.0 * difference(h) - difference(2.0 * h)) / 3.0;
            let found = evaluate(&graph, slope, &here);
            assert!((found - expected).abs() < 1e-9 * (1.0 + expected.abs()), "entry {at}: {found} for {expected}");
            weighted += (1.0 + 0.3 * at as f64) * found;
        }
        // <gradient, tangents> is the weighted sum of the derivatives.
        let mut paired = 0.0;
        for (&leaf, &part) in &gradient {
            let scalar = b.e.dot(part, seeds[&leaf]);
            let scalar = lowering.lower(&b.e, &mut graph, scalar)[0];
            paired += evaluate(&graph, scalar, &here);
        }
        assert!((paired - weighted).abs() < 1e-11 * (1.0 + weighted.abs()), "{paired} for {weighted}");
    }
}

#[test]
fn rotations_act() {
    let mut b = bench();
    let turned = b.e.act(b.r, b.x);
    check(&mut b, turned);
    let back = b.e.act_inverse(b.s, turned);
    check(&mut b, back);
    let matrix = b.e.rotation_matrix(b.s);
    let image = b.e.product(matrix, b.y);
    check(&mut b, image);
}

#[test]
fn relative_rotations_have_logarithms() {
    let mut b = bench();
    let exp = b.e.rotation_exp(Rotation::S3, b.x);
    let inverse = b.e.invert(b.s);
    let relative = b.e.compose(inverse, exp);
    let log = b.e.rotation_log(relative);
    check(&mut b, log);
    let exp = b.e.rotation_exp(Rotation::SO3, b.y);
    let relative = b.e.compose(exp, b.r);
    let log = b.e.rotation_log(relative);
    let turned = b.e.act(b.r, log);
    check(&mut b, turned);
    let angle = b.e.rotation_log(b.c);
    check(&mut b, angle);
}

#[test]
fn planar_rotations_act() {
    let mut b = bench();
    let plane = b.e.slice(b.x, 0, 2);
    let turned = b.e.act(b.c, plane);
    let back = b.e.act_inverse(b.c, turned);
    assert_eq!(back, plane);
    check(&mut b, turned);
    let matrix = b.e.rotation_matrix(b.c);
    let entry = b.e.entry(matrix, 1, 0);
    check(&mut b, entry);
}

#[test]
fn second_derivatives_are_tangents_of_gradients() {
    let mut b = bench();
    let inverse = b.e.invert(b.r);
    let exp = b.e.rotation_exp(Rotation::SO3, b.y);
    let relative = b.e.compose(inverse, exp);
    let log = b.e.rotation_log(relative);
    let turned = b.e.act(b.s, b.x);
    let strain = b.e.add(log, turned);
    let energy = b.e.dot(strain, strain);
    let one = b.e.number(1.0);
    for (_, part) in b.e.gradient(energy, one) {
        check(&mut b, part);
    }
}

#[test]
fn elementary_functions() {
    let mut b = bench();
    let square = b.e.dot(b.x, b.x);
    let small = {
        let tenth = b.e.number(0.1);
        b.e.scale(tenth, square)
    };
    let one = b.e.number(1.0);
    let above = b.e.add(one, small);
    for &function in Function::ALL {
        let argument = if function == Function::Acosh { above } else { small };
        let value = b.e.function(function, argument);
        check(&mut b, value);
    }
    // The quotient exceeds 1: −trunc(a/b) is not 0.
    let seven = b.e.number(7.0);
    let (large, divisor) = (b.e.scale(seven, square), b.e.function(Function::Exp, small));
    let remainder = b.e.remainder(large, divisor);
    check(&mut b, remainder);
    let third = b.e.number(0.3);
    let remainder = b.e.remainder(square, third);
    check(&mut b, remainder);
    for k in 0..4 {
        let value = b.e.singular(Singular::Stumpff(k), 0, square);
        check(&mut b, value);
    }
    let value = b.e.singular(Singular::Gamma, 1, square);
    check(&mut b, value);
    let power = b.e.power(small, -3);
    check(&mut b, power);
    let real = b.e.real_power(square, b.t);
    check(&mut b, real);
    let first = b.e.entry(b.x, 0, 0);
    let angle = b.e.atan2(b.t, first);
    check(&mut b, angle);
    let quotient = b.e.divide(first, square);
    check(&mut b, quotient);
}

#[test]
fn the_least_power_has_a_derivative() {
    let mut b = bench();
    let x = b.e.entry(b.x, 0, 0);
    let power = b.e.power(x, i32::MIN);
    let one = b.e.number(1.0);
    assert!(!b.e.gradient(power, one).is_empty());
}

#[test]
fn rotations_cancel_where_they_can() {
    let mut b = bench();
    let (turned, other) = (b.e.act(b.r, b.x), b.e.act(b.r, b.y));
    assert_eq!(b.e.dot(turned, other), b.e.dot(b.x, b.y));
    assert_eq!(b.e.act_inverse(b.r, turned), b.x);
    let sum = b.e.add(turned, b.y);
    let back = b.e.act_inverse(b.r, sum);
    let expected = {
        let part = b.e.act_inverse(b.r, b.y);
        b.e.add(b.x, part)
    };
    assert_eq!(back, expected);
    let cross = b.e.cross(turned, other);
    let inner = b.e.cross(b.x, b.y);
    assert_eq!(cross, b.e.act(b.r, inner));
}

#[test]
fn substitution_simplifies() {
    let mut b = bench();
    let turned = b.e.act(b.r, b.x);
    let sum = b.e.add(turned, b.y);
    let zero = b.e.zeros(3, 1);
    let replaced = b.e.substitute(sum, &FxHashMap::from_iter([(b.x, zero)]));
    assert_eq!(replaced, b.y);
}
