//! Declarations full of random bodies.

use std::ops::Range;

use crate::body::Writer;
use crate::scope::{Scope, Type};

/// How many bodies a declaration has.
pub const BODIES: usize = 40;

/// How many helpers a declaration has.
const HELPERS: usize = 4;

/// How many of the bodies are added up to the potential, whose gradient the forces are.
const SUMMED: usize = 3;

/// What is the same in all declarations.
const HEAD: &str = "
    use lie_runtime::prelude::*;

    #[configuration]
    pub struct Pose { pub place: R3, pub turn: SO3, pub wheel: SO2 }

    #[parameters]
    pub struct Data { pub stiffness: f64, pub list: [f64; 3], pub offset: Vector3<f64>, pub shape: Matrix3<f64> }

    const N: usize = 3;
    const STEPS: i32 = 4 - 9;
    const HALF: f64 = 0.5;
    const TABLE: [f64; N] = [0.3, -1.2, 2.0 * HALF];

    struct Span { from: f64, to: f64 }

    #[derive(Clone, Copy)]
    struct Pair(f64, f64);

    #[derive(Clone, Copy, PartialEq)]
    enum Axis { First, Second, Other }

    fn part(axis: Axis, values: &[f64]) -> f64 {
        match (axis, values) {
            (Axis::First, [first, ..]) => *first,
            (Axis::Second, [_, second, ..]) => *second,
            (_, []) => 0.4,
            (_, [.., last]) => 0.5 * last,
        }
    }

    fn limited(x: &mut f64, limit: f64) {
        if *x > limit {
            *x = limit + 0.1 * (*x - limit);
            return;
        }
        *x *= 1.1;
    }

    fn horner<const K: usize>(coefficients: [f64; K], x: f64) -> f64 {
        coefficients.iter().rev().fold(0.0, |sum, c| sum * x + c)
    }

    #[kinetic_energy]
    fn kinetic(v: &Velocity) -> f64 {
        0.5 * (v.place.norm_squared() + v.turn.norm_squared() + v.wheel * v.wheel)
    }

    fn add(e: &mut f64, x: f64) {
        *e += x;
    }

    fn twist(v: &mut Vector3<f64>, x: f64) {
        v.x -= x;
        let z = &mut v.z;
        *z *= 0.5 + x;
    }

    fn twice(f: impl Fn(f64) -> f64, x: f64) -> f64 {
        f(0.5 * f(x))
    }

    fn along(v: &Vector3<f64>, x: f64) -> f64 {
        let mut sum = 0.0;
        for y in v.iter() {
            sum += y * x;
        }
        sum
    }

    fn reach(data: &Data, q: &Pose, x: f64) -> f64 {
        (q.turn * data.offset).dot(&q.place) - x * data.stiffness
    }
";

/// A declaration.
pub fn write(number: usize) -> String {
    let mut text = format!("#[mechanical_system]\npub mod bodies_{number} {{{HEAD}");
    let mut writer = Writer::new(1_000_000 + number);
    for helper in 0..HELPERS {
        let mut scope = Scope::default();
        for name in ["x", "y"] {
            scope.declare(name, Type::Number, false);
        }
        // The first one calls no other.
        let body = if helper == 0 { "x * y.cos() - 0.3 * y".to_owned() } else { writer.body(&mut scope) };
        let function =
            format!("\nfn helper_{helper}(data: &Data, q: &Pose, t: f64, x: f64, y: f64) -> f64 {{\n{body}\n}}\n");
        text += &function;
        writer.helpers = helper + 1;
    }
    for body in number * BODIES..(number + 1) * BODIES {
        let mut writer = Writer::new(body);
        writer.helpers = HELPERS;
        let written = writer.body(&mut Scope::default());
        let function =
            format!("\n#[quantity]\npub fn body_{body}(data: &Data, q: &Pose, t: f64) -> f64 {{\n{written}\n}}\n");
        text += &function;
    }
    let first = number * BODIES;
    let sum: Vec<String> = (first..first + SUMMED).map(|body| format!("body_{body}(data, q, t)")).collect();
    text + &format!("\n#[potential]\nfn sum(data: &Data, q: &Pose, t: f64) -> f64 {{ {} }}\n}}\n", sum.join(" + "))
}

/// The list of all declarations, for the test to run through.
pub fn list(modules: Range<usize>) -> String {
    let modules = modules.map(|number| {
        let bodies = (number * BODIES..(number + 1) * BODIES).map(|body| format!("body_{body} body_{body}_rate,"));
        format!("    bodies_{number}: {}\n", bodies.collect::<Vec<_>>().join(" "))
    });
    format!(
        "every_module! {{\n{}}}\n",
        modules.map(|line| line.trim_end().trim_end_matches(',').to_owned() + ";\n").collect::<String>()
    )
}
