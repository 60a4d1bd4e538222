//! Data of members: lists as long as a chain, against the same systems written out, and the errors of wrong ones.

use fixtures::random::Random;
use lie_runtime::nalgebra::DVector;
use lie_runtime::prelude::*;
use lie_runtime::scalar::Dual;
use lie_runtime::system::ParameterSet;
use lie_runtime::system::{CheckPoint, ModelError, Value, derivative_check};

/// Every way in which an item is read.
#[mechanical_system(derivative_check)]
mod rope {
    use lie_runtime::prelude::*;

    const PATTERN: [f64; 2] = [1.0, 1.5];

    #[configuration]
    pub struct Rope {
        #[clamped(first)]
        pub nodes: Vec<R3>,
    }

    pub struct Section {
        pub stiffness: f64,
        pub rest: Vector3<f64>,
        pub weights: [f64; 2],
        pub frame: SO3,
        pub metric: Matrix3<f64>,
        pub is_bent: bool,
    }

    #[parameters]
    pub struct Data {
        pub masses: Vec<f64>,
        pub tensors: Vec<Matrix3<f64>>,
        pub sections: Vec<Section>,
        pub layers: Vec<usize>,
        pub gravity: f64,
    }

    #[kinetic_energy(over = nodes)]
    fn kinetic(p: &Data, index: usize, v: &Vector3<f64>) -> f64 {
        0.5 * p.masses[index] * PATTERN[index % 2] * v.norm_squared() + 0.5 * v.dot(&(p.tensors[index] * v))
    }

    #[quantity(over = nodes.windows(2))]
    pub fn strain(p: &Data, index: usize, [a, b]: [&R3; 2]) -> Vector3<f64> {
        let section = &p.sections[index];
        section.frame * (b - a) - section.rest
    }

    #[potential(over = nodes.windows(2))]
    fn elastic(p: &Data, index: usize, length: usize, pair: [&R3; 2]) -> f64 {
        let section = &p.sections[index];
        let before = if index > 0 { p.sections[index - 1].stiffness } else { 0.3 };
        let after = if index + 2 == length { 1.0 } else { p.sections[index + 1].weights[1] };
        let mirrored = p.sections[length - 2 - index].metric;
        let d = strain(p, index, pair);
        let bent = if section.is_bent { 0.1 * d.x } else { 0.0 };
        0.5 * (section.stiffness + before + after) * d.norm_squared() + d.dot(&(mirrored * d)) + bent
    }

    #[dissipation(over = nodes.windows(2))]
    fn viscous(p: &Data, index: usize, pair: [&R3; 2], velocities: [&Vector3<f64>; 2]) -> f64 {
        0.5 * p.sections[index / 2].weights[0] * strain_rate(p, index, pair, velocities).norm_squared()
    }

    #[potential(over = nodes)]
    fn weight(p: &Data, index: usize, length: usize, a: &R3) -> f64 {
        if index == 0 {
            return 0.0;
        }
        p.gravity * (p.masses[index - 1] + p.masses[(index + 1) % length]) * a.z * p.layers[index] as f64
    }

    #[force(over = nodes.last())]
    fn pull(p: &Data, index: usize, v: &Vector3<f64>) -> Vector3<f64> {
        -p.tensors[index] * v * p.masses[0]
    }
}

const NODES: usize = 6;

fn data() -> rope::Data {
    let number = |i: usize, k: f64| 1.0 + 0.3 * (i as f64 * k).sin();
    let section = |i| rope::Section {
        stiffness: 10.0 * number(i, 2.0),
        rest: Vector3::new(number(i, 0.3), 0.1, 0.2),
        weights: [number(i, 0.2), 0.4],
        frame: SO3::exp(&Vector3::new(0.1, number(i, 0.7), 0.2)),
        metric: Matrix3::identity() * number(i, 1.1),
        is_bent: i % 2 == 0,
    };
    rope::Data {
        masses: (0..NODES).map(|i| number(i, 1.3)).collect(),
        tensors: (0..NODES).map(|i| Matrix3::identity() * number(i, 0.9)).collect(),
        sections: (0..NODES - 1).map(section).collect(),
        layers: (0..NODES).map(|i| i % 3).collect(),
        gravity: 9.81,
    }
}

const LENGTHS: rope::Lengths = rope::Lengths { nodes: NODES };

#[test]
fn every_derivative_is_that_of_the_items() {
    let system = rope::System::new(data(), LENGTHS).expect("a rope");
    let mut random = Random::new(7);
    for _ in 0..5 {
        let q = rope::Rope { nodes: (0..NODES).map(|_| random.vector::<3>()).collect() };
        let [v, acceleration] = [0, 1].map(|_| DVector::from_fn(system.dof(), |_, _| random.number()));
        let multipliers = system.zero_multipliers();
        let at = CheckPoint { t: 0.3, q: &q, v: &v, acceleration: &acceleration, multipliers: &multipliers };
        for kernel in derivative_check(&system, at) {
            assert!(kernel.deviation < 1e-13, "{kernel:?}");
        }
        system.check_against_declaration(0.3, &q, &v).expect("the functions themselves");
    }
}

#[test]
fn lists_that_do_not_fit_are_named() {
    let error = |change: fn(&mut rope::Data)| {
        let mut data = data();
        change(&mut data);
        rope::System::new(data, LENGTHS).expect_err("a wrong list").to_string()
    };
    let masses = "parameter `masses` has 5 items, and `p.masses[index]` in `kinetic` reads 6: pass 6";
    assert!(error(|data| data.masses.truncate(5)).starts_with(masses));
    assert!(error(|data| data.masses.push(1.0)).starts_with(&masses.replace("5 items", "7 items")));
    assert!(error(|data| data.masses.clear()).starts_with(&masses.replace("5 items", "0 items")));
    assert!(
        error(|data| data.sections.truncate(4)).starts_with("parameter `sections` has 4 items, and `p.sections[index")
    );
    assert!(error(|data| data.layers.truncate(2)).starts_with("parameter `layers` has 2 items"));
    let masses = error(|data| data.masses[3] = f64::NAN);
    assert!(masses.starts_with("parameter `masses[3]` is NaN; set a finite value"), "{masses}");
    let sections = error(|data| data.sections[2].rest.y = f64::INFINITY);
    assert!(sections.starts_with("parameter `sections[2].rest` is inf; set a finite value"), "{sections}");
    assert!(
        error(|data| data.sections[4].frame = SO3::exp(&Vector3::new(f64::NAN, 0.0, 0.0)))
            .contains("`sections[4].frame`")
    );
    // A longer chain wants longer lists.
    let longer = rope::System::new(data(), rope::Lengths { nodes: NODES + 1 }).expect_err("lists of 6");
    assert!(matches!(longer, ModelError::ListLength { parameter: "masses", needed: 7, exactly: true, .. }), "{longer}");
    assert!(rope::System::new(data(), rope::Lengths { nodes: 0 }).is_err());
}

/// Reads a missing item, unless the access is checked.
#[mechanical_system]
mod careless {
    use lie_runtime::prelude::*;

    #[configuration]
    pub struct Points {
        pub points: Vec<f64>,
    }

    #[parameters]
    pub struct Data {
        pub stiffness: Vec<f64>,
    }

    #[kinetic_energy(over = points)]
    fn kinetic(v: &f64) -> f64 {
        0.5 * v * v
    }

    #[potential(over = points)]
    fn elastic(p: &Data, index: usize, x: &f64) -> f64 {
        0.5 * p.stiffness[index - 1] * x * x
    }
}

/// A table that is shorter than a chain may be.
#[mechanical_system]
mod tabulated {
    use lie_runtime::prelude::*;

    const TABLE: [f64; 3] = [1.0, 2.0, 3.0];

    #[configuration]
    pub struct Points {
        pub points: Vec<f64>,
    }

    #[kinetic_energy(over = points)]
    fn kinetic(index: usize, v: &f64) -> f64 {
        0.5 * TABLE[index] * v * v
    }
}

#[test]
fn items_before_the_first_are_named() {
    let made = |points| {
        let data = careless::Data { stiffness: vec![1.0; points] };
        careless::System::new(data, careless::Lengths { points }).expect_err("nothing at −1").to_string()
    };
    let before = made(2);
    assert!(before.starts_with("`p.stiffness[index - 1]` in `elastic` is out of bounds at index 0"), "{before}");
    assert!(tabulated::System::new(tabulated::Lengths { points: 3 }).is_ok());
    let beyond = tabulated::System::new(tabulated::Lengths { points: 4 }).expect_err("three items").to_string();
    assert!(beyond.contains("`TABLE[index]` in `kinetic`") && beyond.contains("`TABLE` has 3 items"), "{beyond}");
}

#[test]
fn items_have_names() {
    let mut data = data();
    assert!(data.names().contains(&"sections.rest"));
    data.set("masses[2]", &[3.5]).expect("an item");
    data.set("sections[1].rest", &[1.0, 2.0, 3.0]).expect("a vector in an item");
    data.set("sections.stiffness", &[1.0, 2.0, 3.0, 4.0, 5.0]).expect("all of them");
    assert_eq!((data.masses[2], data.sections[1].rest.y, data.sections[4].stiffness), (3.5, 2.0, 5.0));
    let Some(Value::Scalar(mass)) = data.get("masses[2]") else { panic!("a number") };
    assert!((mass - 3.5).abs() < f64::EPSILON);
    assert!(data.get("masses[6]").is_none() && data.get("sections[1]").is_none());
    assert!(matches!(data.set("masses[6]", &[1.0]), Err(ModelError::UnknownParameter { .. })));
    assert!(matches!(data.set("masses", &[1.0]), Err(ModelError::ParameterShape { expected: 6, given: 1, .. })));
}

/// Beads on springs, with data of each.
#[mechanical_system]
mod beads {
    use lie_runtime::prelude::*;

    #[configuration]
    pub struct Beads {
        pub x: Vec<f64>,
    }

    #[parameters]
    pub struct Data {
        pub masses: Vec<f64>,
        pub springs: Vec<f64>,
    }

    #[kinetic_energy(over = x)]
    fn kinetic(p: &Data, index: usize, v: &f64) -> f64 {
        0.5 * p.masses[index] * v * v
    }

    #[potential(over = x.windows(2))]
    fn elastic(p: &Data, index: usize, [a, b]: [&f64; 2]) -> f64 {
        0.5 * p.springs[index] * (b - a).powi(2)
    }
}

/// A system that is written out reads the items it names.
#[mechanical_system]
mod named {
    use lie_runtime::prelude::*;

    #[configuration]
    pub struct Points {
        pub x: [f64; 2],
    }

    #[parameters]
    pub struct Data {
        pub masses: Vec<f64>,
        pub springs: Vec<Vector2<f64>>,
    }

    #[kinetic_energy]
    fn kinetic(p: &Data, v: &Velocity) -> f64 {
        let mut sum = 0.0;
        for i in 0..2 {
            sum += 0.5 * p.masses[i] * v.x[i] * v.x[i];
        }
        sum
    }

    #[potential]
    fn elastic(p: &Data, q: &Points) -> f64 {
        0.5 * p.springs[1].y * (q.x[1] - q.x[0]).powi(2)
    }
}

#[test]
fn what_is_written_out_reads_items_by_number() {
    let data = named::Data { masses: vec![2.0, 4.0, 8.0], springs: vec![Vector2::zeros(), Vector2::new(0.0, 3.0)] };
    let system = named::System::new(data.clone()).expect("more than is read");
    let (q, v) = (named::Points { x: [0.0, 1.0] }, system.zero_velocity());
    let mut force = system.zero_velocity();
    system.force(0.0, &q, &v, &mut force);
    assert_eq!((force[0], force[1]), (3.0, -3.0));
    let error = named::System::new(named::Data { masses: vec![2.0], ..data }).expect_err("one is missing").to_string();
    assert!(
        error.starts_with("parameter `masses` has 1 item, and `p.masses[i]` in `kinetic` reads 2: pass at least 2"),
        "{error}"
    );
}

/// The potential of four springs has the gradient ½ d² with respect to each stiffness.
#[test]
fn sensitivities_to_single_items() {
    let x = [0.0, 0.3, 1.0, 1.2, 2.0];
    for at in 0..4 {
        let number = |value: f64, rate: f64| Dual { re: value, eps: rate };
        let data = beads::Data {
            masses: vec![number(1.0, 0.0); 5],
            springs: (0..4).map(|i| number(2.0, f64::from(u8::from(i == at)))).collect(),
        };
        let system = beads::System::new(data, beads::Lengths { x: 5 }).expect("beads");
        let q = beads::Beads { x: x.iter().map(|x| number(*x, 0.0)).collect() };
        let slope = system.potential_energy(number(0.0, 0.0), &q).eps;
        assert!((slope - 0.5 * (x[at + 1] - x[at]).powi(2)).abs() < 1e-15);
    }
}
