//! Beams against the elastica, experiments' continuum references and circles.

use core::f64::consts::{FRAC_1_SQRT_2, FRAC_PI_4, TAU};

use lie_runtime::prelude::*;

use super::rod::{Section, loaded, order};

/// The third section axis along the x axis of space, the second one along y.
fn along_x() -> S3R3 {
    S3R3::new(S3::from_coordinates([FRAC_1_SQRT_2, 0.0, FRAC_1_SQRT_2, 0.0]).expect("a rotation"), Vector3::zeros())
}

/// A constant curvature has no error of discretisation: under 2π EI/L every mesh closes.
#[test]
fn a_tip_moment_closes_a_cantilever_to_a_circle() {
    for edges in [3, 10, 40] {
        let section = Section {
            length: 10.0,
            bending: Vector3::repeat(500.0),
            stretching: Vector3::repeat(1e4),
            curvature: Vector3::zeros(),
            density: 1.0,
            inertia: Vector3::repeat(10.0),
            force: Vector3::zeros(),
            moment: Vector3::new(0.0, TAU * 500.0 / 10.0, 0.0),
            load: 1.0,
        };
        let found = loaded(section, along_x(), edges);
        let nodes = &found.state.configuration.nodes;
        let circle = |node: usize| {
            let angle = TAU * node as f64 / edges as f64;
            10.0 / TAU * Vector3::new(angle.sin(), 0.0, angle.cos() - 1.0)
        };
        for (node, place) in nodes.iter().enumerate() {
            let error = (place.translation - circle(node)).norm();
            assert!(error < 1e-9, "{edges} edges, node {node}: {error:e}");
        }
        assert!(found.force < 1e-8, "{edges} edges: {:e} after {:?}", found.force, found.corrections);
    }
}

/// The Princeton beam: tip displacements of the continuum, by shooting, for loads at angles between the soft (y) and the stiff
/// (z) direction.
const PRINCETON: [(f64, f64, [f64; 3]); 12] = [
    (4.448, 0.0, [-0.000_033_914_4, 0.0, 0.005_359_539_4]),
    (4.448, 30.0, [-0.001_916_839_7, 0.039_949_986_0, 0.004_751_073_4]),
    (4.448, 60.0, [-0.005_527_198_0, 0.068_130_099_5, 0.002_862_209_2]),
    (4.448, 90.0, [-0.007_260_121_2, 0.078_082_977_0, 0.0]),
    (8.896, 30.0, [-0.007_661_002_7, 0.079_457_222_7, 0.010_147_256_4]),
    (8.896, 60.0, [-0.020_473_649_8, 0.129_925_260_2, 0.006_654_390_2]),
    (8.896, 90.0, [-0.026_024_802_7, 0.146_261_896_4, 0.0]),
    (13.345, 15.0, [-0.005_298_505_3, 0.064_497_284_2, 0.016_502_906_5]),
    (13.345, 45.0, [-0.030_361_782_9, 0.156_589_872_1, 0.015_342_348_5]),
    (13.345, 60.0, [-0.041_207_236_3, 0.181_923_440_0, 0.011_716_496_2]),
    (13.345, 90.0, [-0.050_406_669_7, 0.200_695_292_9, 0.0]),
    // The mirror image of the third.
    (4.448, 120.0, [-0.005_527_198_0, 0.068_130_099_5, -0.002_862_209_2]),
];

/// Section axes: the first along −z, the second along y, the third along the beam; EI about y resists loads along z.
fn princeton(force: f64, angle: f64) -> Section {
    let (sin, cos) = angle.to_radians().sin_cos();
    Section {
        length: 0.508,
        bending: Vector3::new(2.42873, 36.2794, 3.10338),
        stretching: Vector3::new(9.03881e5, 6.40131e5, 2.84191e6),
        curvature: Vector3::zeros(),
        density: 0.1,
        inertia: Vector3::new(1e-6, 1e-5, 1.1e-5),
        force: force * Vector3::new(0.0, sin, cos),
        moment: Vector3::zeros(),
        load: 1.0,
    }
}

fn tip(section: Section, edges: usize) -> Vector3<f64> {
    let found = loaded(section, along_x(), edges);
    found.state.configuration.nodes[edges].translation - Vector3::new(0.508, 0.0, 0.0)
}

#[test]
fn the_princeton_beam_converges_at_second_order_to_the_continuum() {
    for (force, angle, reference) in PRINCETON {
        let reference = Vector3::from(reference);
        let errors = [8, 16, 32].map(|edges| (tip(princeton(force, angle), edges) - reference).norm());
        let observed = order(&errors);
        assert!((1.9..2.1).contains(&observed), "P = {force}, {angle}°: order {observed}, {errors:?}");
        assert!(errors[2] < 1e-3 * reference.norm(), "P = {force}, {angle}°: {errors:?}");
        // Extrapolated, what is left is of order four.
        let fine = tip(princeton(force, angle), 64);
        let extrapolated = fine + (fine - tip(princeton(force, angle), 32)) / 3.0;
        assert!((extrapolated - reference).norm() < 2e-9, "P = {force}, {angle}°: {extrapolated}");
    }
}

/// Radius 100, an eighth of a circle in the plane of x and y, pulled out of it along z.
#[test]
fn the_bend_of_45_degrees_converges_at_second_order_to_the_continuum() {
    // Along the tangent at the root, to the centre, along the load.
    let references = [
        (300.0, [-11.932_364_257_2, -7.044_980_335_5, 40.193_266_442_7]),
        (450.0, [-18.473_108_785_8, -10.781_646_734_5, 48.504_242_138_9]),
        (600.0, [-23.561_296_785_7, -13.605_023_009_6, 53.476_108_140_3]),
    ];
    // The section's first axis is along −z of space, so that the arc turns about it by −1/R to bend towards y.
    let bend = |load: f64| Section {
        length: 100.0 * FRAC_PI_4,
        bending: Vector3::repeat(8.333e5),
        stretching: Vector3::new(4.166_67e6, 4.166_67e6, 1e7),
        curvature: Vector3::new(-0.01, 0.0, 0.0),
        density: 1.0,
        inertia: Vector3::repeat(1.0),
        force: Vector3::new(0.0, 0.0, load),
        moment: Vector3::zeros(),
        load: 1.0,
    };
    for (load, reference) in references {
        let displacement = |edges: usize| {
            let nodes = loaded(bend(load), along_x(), edges).state.configuration.nodes;
            let start = 100.0 * Vector3::new(FRAC_PI_4.sin(), 1.0 - FRAC_PI_4.cos(), 0.0);
            let moved = nodes[edges].translation - start;
            Vector3::new(moved.x, moved.y, moved.z) - Vector3::from(reference)
        };
        let found = [8, 16, 32].map(displacement);
        let errors = found.map(|error| error.norm());
        let observed = order(&errors);
        assert!((1.9..2.1).contains(&observed), "{load}: order {observed}, {errors:?} {found:?}");
        assert!((found[2] + (found[2] - found[1]) / 3.0).norm() < 2e-4, "{load}: {found:?}");
    }
}
