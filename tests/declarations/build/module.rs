//! Declarations full of random bodies.

use std::ops::Range;

use crate::body::Writer;
use crate::scope::{Place, Scope, Type};

/// How many bodies a declaration has.
pub const BODIES: usize = 40;

/// How many helpers a declaration has.
const HELPERS: usize = 4;

/// How many of the bodies are added up to the potential, whose gradient the forces are.
const SUMMED: usize = 3;

/// One in so many declarations is of a chain.
const CHAINS: usize = 3;

/// The common part of all declarations.
const COMMON: &str = "
    const N: usize = 3;
    const STEPS: i32 = 4_i32 - 9;
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

    fn horner<const K: usize>(coefficients: [f64; K], x: f64) -> f64 {
        coefficients.iter().rev().fold(0.0, |sum, c| sum * x + c)
    }

    fn added(e: f64, x: f64) -> f64 {
        e + x
    }

    fn twisted(v: Vector3<f64>, x: f64) -> Vector3<f64> {
        let mut v = v;
        v.x -= x;
        v.z *= 0.5 + x;
        v
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
";

/// Members of several kinds, bodies in an array among them, and inputs.
const WHOLE: &str = "
    use lie_runtime::prelude::*;

    pub struct Link { pub hinge: f64, pub foot: R3 }

    impl Link {
        fn reach(&self, x: f64) -> f64 { x * self.hinge.cos() + self.foot.z }
    }

    #[configuration]
    pub struct Pose { pub place: R3, pub turn: SO3, pub wheel: SO2, pub links: [Link; 2] }

    pub struct Part { pub mass: f64, pub arm: Vector3<f64>, pub mounting: SO3, pub is_damped: bool }

    #[parameters]
    pub struct Data {
        pub stiffness: f64, pub list: [f64; 3], pub offset: Vector3<f64>, pub shape: Matrix3<f64>,
        pub parts: [Part; 2], pub level: usize,
    }

    #[inputs]
    pub struct Inputs { pub push: f64, pub wind: Vector3<f64>, pub gains: [f64; 3] }

    #[kinetic_energy]
    fn kinetic(v: &Velocity) -> f64 {
        let links = v.links.iter().map(|link| link.hinge * link.hinge + link.foot.norm_squared()).sum::<f64>();
        0.5 * (v.place.norm_squared() + v.turn.norm_squared() + v.wheel * v.wheel + links)
    }

    #[quantity]
    pub fn hand(data: &Data, q: &Pose) -> SE3 {
        SE3::new(q.turn * SO3::exp(&(0.3 * q.links[1].hinge * data.offset)), q.place + q.links[0].foot)
    }

    fn relative(a: &Link, b: &Link, x: f64) -> f64 {
        (a.foot - b.foot).norm_squared() * x - a.hinge
    }

    fn reach(data: &Data, q: &Pose, x: f64) -> f64 {
        (q.turn * data.offset).dot(&q.place) - x * data.stiffness
    }
";

/// A chain of bodies, and lists with an item for each of them.
const CHAIN: &str = "
    use lie_runtime::prelude::*;

    pub struct Node { pub place: R3, pub turn: SO3, pub wheel: SO2 }

    impl Node {
        fn lift(&self, x: f64) -> f64 { x * self.place.z - self.wheel.angle() }
    }

    #[configuration]
    pub struct Pose { pub nodes: Vec<Node> }

    pub struct Section { pub area: f64, pub axis: Vector3<f64> }

    #[parameters]
    pub struct Data {
        pub stiffness: f64, pub list: [f64; 3], pub offset: Vector3<f64>, pub shape: Matrix3<f64>,
        pub masses: Vec<f64>, pub sections: Vec<Section>,
    }

    #[kinetic_energy(over = nodes)]
    fn kinetic(data: &Data, index: usize, v: &NodeVelocity) -> f64 {
        0.5 * (data.masses[index] * v.place.norm_squared() + v.turn.norm_squared() + v.wheel * v.wheel)
    }

    #[potential(over = nodes.windows(2))]
    fn joint(data: &Data, index: usize, [q, next]: [&Node; 2]) -> f64 {
        data.sections[index].area * (next.place - q.place).norm_squared()
    }

    fn reach(data: &Data, q: &Node, x: f64) -> f64 {
        (q.turn * data.offset).dot(&q.place) - x * data.stiffness
    }
";

/// True of declarations of chains.
fn is_chain(number: usize) -> bool {
    number % CHAINS == CHAINS - 1
}

/// A declaration.
pub fn write(number: usize) -> String {
    let is_chain = is_chain(number);
    let (head, state) = if is_chain { (CHAIN, "Node") } else { (WHOLE, "Pose") };
    let mut text = format!("#[mechanical_system]\npub mod bodies_{number} {{{head}{COMMON}");
    let mut writer = Writer::new(1_000_000 + number);
    for helper in 0..HELPERS {
        let mut scope = Scope::of(if is_chain { Place::Node } else { Place::Whole });
        for name in ["x", "y"] {
            scope.declare(name, Type::Number, false);
        }
        // The first one calls no other.
        let body = if helper == 0 { "x * y.cos() - 0.3 * y".to_owned() } else { writer.body(&mut scope) };
        let function =
            format!("\nfn helper_{helper}(data: &Data, q: &{state}, t: f64, x: f64, y: f64) -> f64 {{\n{body}\n}}\n");
        text += &function;
        writer.helpers = helper + 1;
    }
    let (over, arguments, values) = if is_chain {
        let arguments = "data: &Data, index: usize, length: usize, [q, next]: [&Node; 2], t: f64";
        ("(over = nodes.windows(2))", arguments, "data, index, length, [q, next], t")
    } else {
        ("", "data: &Data, q: &Pose, t: f64", "data, q, t")
    };
    for body in number * BODIES..(number + 1) * BODIES {
        let mut writer = Writer::new(body);
        writer.helpers = HELPERS;
        let written = writer.body(&mut Scope::of(if is_chain { Place::Element } else { Place::Whole }));
        let function = format!("\n#[quantity{over}]\npub fn body_{body}({arguments}) -> f64 {{\n{written}\n}}\n");
        text += &function;
    }
    let first = number * BODIES;
    let sum: Vec<String> = (first..first + SUMMED).map(|body| format!("body_{body}({values})")).collect();
    let potential = format!("\n#[potential{over}]\nfn sum({arguments}) -> f64 {{ {} }}\n", sum.join(" + "));
    text += &potential;
    if !is_chain {
        text += &given(number);
    }
    text + "}\n"
}

/// A potential and a force of the inputs.
fn given(number: usize) -> String {
    let mut text = String::new();
    for (role, name, seed) in [("potential", "fed", 2_000_000), ("force(on = wheel)", "driven", 3_000_000)] {
        let mut writer = Writer::new(seed + number);
        writer.helpers = HELPERS;
        let body = writer.body(&mut Scope::of(Place::Given));
        let function = format!(
            "\n#[{role}]\npub fn {name}(data: &Data, q: &Pose, t: f64, given: &Inputs) -> f64 {{\n{body}\n}}\n"
        );
        text += &function;
    }
    text
}

/// The lists of all declarations, for the test to run through.
pub fn list(modules: Range<usize>) -> String {
    let lists = ["every_module", "every_chain"].map(|name| {
        let of_kind = modules.clone().filter(|&number| is_chain(number) == (name == "every_chain"));
        let lines = of_kind.map(|number| {
            let bodies = (number * BODIES..(number + 1) * BODIES).map(|body| format!("body_{body} body_{body}_rate"));
            format!("    bodies_{number}: {};\n", bodies.collect::<Vec<_>>().join(", "))
        });
        format!("{name}! {{\n{}}}\n", lines.collect::<String>())
    });
    lists.concat()
}
