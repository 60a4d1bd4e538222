//! The values of `index` and `length` in every kind of selection, against explicit sums.

use fixtures::random::Random;
use lie_runtime::nalgebra::DVector;
use lie_runtime::prelude::*;

/// Masses on a line, connected to a ring by numbered springs; a wheel holds the first spring.
#[mechanical_system]
mod ring {
    use lie_runtime::prelude::*;

    #[configuration]
    pub struct Ring {
        pub wheel: SO2,
        pub posts: [R2; 3],
        pub nodes: Vec<R2>,
        pub others: Vec<R1>,
    }

    #[parameters]
    pub struct Data {
        pub stiffness: f64,
    }

    #[kinetic_energy(over = nodes)]
    fn nodes(v: &Vector2<f64>) -> f64 {
        0.5 * v.norm_squared()
    }
    #[kinetic_energy(over = others)]
    fn others(v: &Vector1<f64>) -> f64 {
        0.5 * v.norm_squared()
    }
    #[kinetic_energy(over = posts)]
    fn posts(v: &Vector2<f64>) -> f64 {
        0.5 * v.norm_squared()
    }
    #[kinetic_energy(over = wheel)]
    fn wheel(v: &f64) -> f64 {
        0.5 * v * v
    }

    /// The edge from node `index` to the next, in a ring of `length`.
    fn edge(data: &Data, index: usize, length: usize, a: &R2, b: &R2) -> f64 {
        let rest = 1.0 + 0.1 * index as f64 / length as f64;
        let stretch = (b - a).norm() - rest;
        0.5 * data.stiffness * length as f64 * stretch * stretch
    }

    #[potential(over = nodes.windows(2))]
    fn edges(data: &Data, index: usize, length: usize, [a, b]: [&R2; 2]) -> f64 {
        edge(data, index, length, a, b)
    }
    #[potential(over = (nodes.last(), nodes.first()))]
    fn closing(data: &Data, index: usize, length: usize, last: &R2, first: &R2) -> f64 {
        edge(data, index, length, last, first)
    }
    #[potential(over = nodes.first())]
    fn first(index: usize, length: usize, a: &R2) -> f64 {
        (1.0 + index as f64 + 0.1 * length as f64) * a.x
    }
    #[potential(over = nodes.last())]
    fn last(index: usize, length: usize, a: &R2) -> f64 {
        (1.0 + index as f64 + 0.1 * length as f64) * a.x
    }
    #[potential(over = nodes[2])]
    fn second(index: usize, length: usize, a: &R2) -> f64 {
        (1.0 + index as f64 + 0.1 * length as f64) * a.x
    }
    #[potential(over = (wheel, nodes.last()))]
    fn held(index: usize, length: usize, wheel: &SO2, a: &R2) -> f64 {
        (index as f64 + 0.1 * length as f64) * (wheel * a).y
    }
    #[potential(over = (nodes.last(), others))]
    fn joined(index: usize, length: usize, a: &R2, b: &R1) -> f64 {
        (index as f64 + 0.1 * length as f64) * a.x * b.x
    }
    #[potential(over = (nodes[1], others.last()))]
    fn across(index: usize, length: usize, a: &R2, b: &R1) -> f64 {
        (index as f64 + 0.1 * length as f64) * a.y * b.x
    }
    #[potential(over = posts.windows(2))]
    fn fence(index: usize, length: usize, [a, b]: [&R2; 2]) -> f64 {
        (index as f64 + 0.1 * length as f64) * a.dot(b)
    }
    #[potential(over = wheel)]
    fn alone(index: usize, length: usize, wheel: &SO2) -> f64 {
        (index as f64 + 0.1 * length as f64) * wheel.log()[0]
    }
}

/// Masses on a rope whose last one is pulled.
#[mechanical_system]
mod rope {
    use lie_runtime::prelude::*;

    #[configuration]
    pub struct Rope {
        pub links: Vec<S2>,
    }

    #[kinematics(over = links)]
    fn mass(above: &R3, link: &S2) -> R3 {
        above + link.direction()
    }
    #[kinetic_energy(over = mass)]
    fn kinetic(v: &Vector3<f64>) -> f64 {
        0.5 * v.norm_squared()
    }
    #[potential(over = mass.last())]
    fn pull(index: usize, length: usize, x: &R3) -> f64 {
        (index as f64 + 0.1 * length as f64) * x.x
    }
    #[potential(over = mass[1])]
    fn lift(index: usize, length: usize, x: &R3) -> f64 {
        (index as f64 + 0.1 * length as f64) * x.z
    }
    #[observable(over = mass.last())]
    fn numbers(index: usize, length: usize, x: &R3) -> Vector3<f64> {
        Vector3::new(index as f64, length as f64, x.x)
    }
}

/// V of the ring as the functions of `index` and `length` are documented.
fn written_out(q: &ring::Ring, stiffness: f64) -> f64 {
    let (count, others) = (q.nodes.len(), q.others.len());
    let weight = |index: usize, length: usize| index as f64 + 0.1 * length as f64;
    let edges = (0..count).map(|at| {
        let rest = 1.0 + 0.1 * at as f64 / count as f64;
        let stretch = (q.nodes[(at + 1) % count] - q.nodes[at]).norm() - rest;
        0.5 * stiffness * count as f64 * stretch * stretch
    });
    let last = q.nodes[count - 1];
    let singles: f64 = [0, count - 1, 2].iter().map(|&at| (1.0 + weight(at, count)) * q.nodes[at].x).sum();
    let joined: f64 = (0..others).map(|at| weight(at, others) * last.x * q.others[at].x).sum();
    let fence: f64 = (0..2).map(|at| weight(at, 3) * q.posts[at].dot(&q.posts[at + 1])).sum();
    edges.sum::<f64>()
        + singles
        + weight(count - 1, count) * (q.wheel * last).y
        + joined
        + weight(1, count) * q.nodes[1].y * q.others[others - 1].x
        + fence
        + weight(0, 1) * q.wheel.log()[0]
}

#[test]
fn a_ring_is_the_sum_of_its_numbered_terms() {
    let mut random = Random::new(23);
    for nodes in 3..7 {
        let stiffness = 50.0;
        let system = ring::System::new(ring::Data { stiffness }, ring::Lengths { nodes, others: 2 }).unwrap();
        let q = ring::Ring {
            wheel: SO2::exp(&Vector1::new(random.number())),
            posts: core::array::from_fn(|_| random.vector()),
            nodes: (0..nodes).map(|_| random.vector()).collect(),
            others: vec![random.vector(), random.vector()],
        };
        let (found, expected) = (system.potential_energy(0.0, &q), written_out(&q, stiffness));
        assert!((found - expected).abs() < 1e-13 * expected.abs().max(1.0), "{found} {expected}");

        // The forces are those of the same numbers.
        let mut force = system.zero_velocity();
        system.force(0.0, &q, &system.zero_velocity(), &mut force);
        for component in 0..system.dof() {
            let moved = |by: f64| {
                let (mut theta, mut moved) = (system.zero_velocity(), q.clone());
                theta[component] = by;
                system.space().compose_exp(&q, &theta, &mut moved);
                written_out(&moved, stiffness)
            };
            let difference = (moved(-1e-5) - moved(1e-5)) / 2e-5;
            assert!((force[component] - difference).abs() < 1e-6, "{component}: {} {difference}", force[component]);
        }
    }
}

#[test]
fn single_frames_have_their_numbers() {
    let system = rope::System::new(rope::Lengths { links: 4 }).unwrap();
    let mut random = Random::new(29);
    let q = rope::Rope { links: (0..4).map(|_| S2::new(random.vector()).unwrap()).collect() };
    let frames = system.mass_frames(0.0, &q);
    let expected = 3.4 * frames[3].x + 1.4 * frames[1].z;
    assert!((system.potential_energy(0.0, &q) - expected).abs() < 1e-14);
    let observed = system.report_observables(0.0, &q, &DVector::zeros(12));
    assert_eq!(observed.numbers(), [3.0, 4.0, frames[3].x]);
}

/// Whole numbers are divided as Rust divides them, independent of other divisions by the same number: 49 (1 / 49) is less than 1.
#[mechanical_system]
mod cells {
    use lie_runtime::prelude::*;

    #[configuration]
    pub struct Nodes {
        pub nodes: Vec<f64>,
    }

    #[parameters]
    pub struct Data {
        pub width: usize,
        pub step: i32,
        pub size: f64,
    }

    #[kinetic_energy(over = nodes)]
    fn kinetic(v: &f64) -> f64 {
        0.5 * v * v
    }

    #[potential(over = nodes)]
    // Casts are what is read here.
    #[allow(clippy::cast_possible_truncation, clippy::cast_possible_wrap, clippy::cast_lossless)]
    pub fn numbered(data: &Data, index: usize, length: usize, x: &f64) -> f64 {
        let (cell, place) = (index / data.width, index % data.width);
        let other =
            (2 * index + 5) / data.width + 10 * (length / data.width) + 100 * (index / 49) + 1000 * (3 * index / 49);
        let turn = (index as i32 - 30) / data.step + 10 * ((index as i32 - 30) % data.step);
        let real = (index as f64 / data.size).floor() + 10.0 * (2.0 * index as f64 / data.size + 0.5).floor();
        x * (cell as f64 + 0.1 * place as f64 + 0.01 * other as f64 + 0.3 * turn as f64 + 0.7 * real)
    }
}

#[test]
fn whole_numbers_are_divided_exactly() {
    const COUNT: usize = 120;
    for (width, step) in [(49, 7), (3, 49), (10, -3), (41, 47)] {
        let data = || cells::Data { width, step, size: 49.0 };
        let system = cells::System::new(data(), cells::Lengths { nodes: COUNT }).unwrap();
        let q = cells::Nodes { nodes: vec![1.0; COUNT] };
        let mut force = system.zero_velocity();
        system.force(0.0, &q, &system.zero_velocity(), &mut force);
        for index in 0..COUNT {
            let declared = cells::numbered(&data(), index, COUNT, &1.0);
            assert!(
                (force[index] + declared).abs() < 1e-10,
                "{width}, {step}, {index}: {} of {declared}",
                -force[index]
            );
        }
    }
}
