//! A chain of rigid links between two hooks, against the polygon of its forces and the catenary.

use lie_runtime::analysis::Equilibrium;
use lie_runtime::nalgebra::Matrix2;
use lie_runtime::prelude::*;

#[mechanical_system]
pub mod hanging {
    use lie_runtime::prelude::*;

    #[configuration]
    pub struct Chain {
        #[clamped(first, last)]
        pub nodes: Vec<R2>,
    }

    #[parameters]
    pub struct Links {
        pub link: f64,
        /// The mass of a node.
        pub mass: f64,
    }

    #[kinetic_energy(over = nodes)]
    fn kinetic(links: &Links, v: &Vector2<f64>) -> f64 {
        0.5 * links.mass * v.norm_squared()
    }

    #[potential(over = nodes)]
    fn weight(links: &Links, q: &R2) -> f64 {
        9.81 * links.mass * q.y
    }

    #[constraint(over = nodes.windows(2))]
    fn link(links: &Links, [a, b]: [&R2; 2]) -> f64 {
        (b - a).norm() - links.link
    }
}

/// Hooks at (0, 0) and (`width`, `height`), a chain of `length` in so many links.
fn chain(links: usize, width: f64, height: f64, length: f64) -> (hanging::System, hanging::Chain) {
    let link = length / links as f64;
    let system = hanging::System::new(hanging::Links { link, mass: link }, hanging::Lengths { nodes: links + 1 });
    // An arc of a circle below the hooks: n links of an angle φ have the chord sin(nφ/2)/sin(φ/2) links.
    let chord = Vector2::new(width, height);
    let (mut low, mut high) = (1e-9, core::f64::consts::TAU / links as f64);
    for _ in 0..200 {
        let half = 0.25 * (low + high);
        let is_long = (links as f64 * half).sin() / half.sin() * link > chord.norm();
        (low, high) = if is_long { (2.0 * half, high) } else { (low, 2.0 * half) };
    }
    let first = chord.y.atan2(chord.x) - 0.5 * (links as f64 - 1.0) * low;
    let mut nodes = vec![Vector2::zeros()];
    for k in 0..links {
        let (sin, cos) = (first + k as f64 * low).sin_cos();
        nodes.push(nodes[k] + link * Vector2::new(cos, sin));
    }
    nodes[links] = chord;
    (system.expect("a chain"), hanging::Chain { nodes })
}

/// The polygon whose links have the horizontal force H and vertical ones that grow by the weight of a node: (H, V) by
/// Newton's method with differences, on the two equations of the ends.
fn polygon(links: usize, [width, height]: [f64; 2], length: f64) -> Vec<Vector2<f64>> {
    let link = length / links as f64;
    let weight = 9.81 * link;
    let places = |forces: Vector2<f64>| {
        let mut places = vec![Vector2::zeros()];
        for k in 0..links {
            let direction = Vector2::new(forces.x, forces.y + k as f64 * weight).normalize();
            places.push(places[k] + link * direction);
        }
        places
    };
    let missed = |forces| places(forces)[links] - Vector2::new(width, height);
    let mut forces = Vector2::new(2.0, -4.0);
    for _ in 0..200 {
        let step = 1e-6;
        let columns = [Vector2::new(step, 0.0), Vector2::new(0.0, step)]
            .map(|d: Vector2<f64>| (missed(forces + d) - missed(forces - d)) / (2.0 * step));
        let change = Matrix2::from_columns(&columns).lu().solve(&missed(forces)).expect("regular");
        forces -= change * (0.5 / change.norm()).min(1.0);
    }
    assert!(missed(forces).norm() < 1e-12);
    places(forces)
}

#[test]
fn a_hanging_chain_is_the_polygon_of_its_forces() {
    for links in [4, 12, 200] {
        let (system, start) = chain(links, 1.0, 0.3, 1.6);
        let found = Equilibrium::of(&system).guess(start).solve().expect("hangs");
        let expected = polygon(links, [1.0, 0.3], 1.6);
        for (node, place) in found.state.configuration.nodes.iter().enumerate() {
            let error = (place - expected[node]).norm();
            assert!(error < 1e-10, "{links} links, node {node}: {error:e} after {:?}", found.corrections);
        }
        // λ is the tension with the sign of −Bᵀ λ: H over the share of the link that is horizontal.
        let horizontal = |k: usize| {
            let direction = (expected[k + 1] - expected[k]).normalize();
            found.state.multipliers[k] * direction.x
        };
        for k in 1..links {
            assert!(
                (horizontal(k) - horizontal(0)).abs() < 1e-8,
                "{links} links, {k}: {} {}",
                horizontal(k),
                horizontal(0)
            );
        }
    }
}

/// y = a cosh(x/a) between hooks of one height, with 2 a sinh(w/2a) the length.
#[test]
fn a_hanging_chain_converges_to_the_catenary() {
    let (width, length) = (1.0, 1.6);
    let mut a: f64 = 0.3;
    for _ in 0..100 {
        let missed = 2.0 * a * (0.5 * width / a).sinh() - length;
        let slope = 2.0 * (0.5 * width / a).sinh() - width / a * (0.5 * width / a).cosh();
        a -= missed / slope;
    }
    let depth = a * ((0.5 * width / a).cosh() - 1.0);
    let errors = [20, 40, 80].map(|links| {
        let (system, start) = chain(links, width, 0.0, length);
        let found = Equilibrium::of(&system).guess(start).solve().expect("hangs");
        (found.state.configuration.nodes[links / 2].y + depth).abs()
    });
    let observed = super::rod::order(&errors);
    assert!((1.9..2.1).contains(&observed), "order {observed}: {errors:?}");
}
