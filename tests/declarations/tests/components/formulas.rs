//! Ready-made functions against integrals, series, limits and differences.

use core::f64::consts::PI;

use lie_runtime::components::beam_sections::*;
use lie_runtime::components::bushings::*;
use lie_runtime::components::cables::*;
use lie_runtime::components::cosserat_rods::*;
use lie_runtime::components::joint_stops::*;
use lie_runtime::components::solid_inertia::*;
use lie_runtime::components::tyres::*;
use lie_runtime::prelude::*;

fn assert_close(found: f64, expected: f64, tolerance: f64) {
    assert!((found - expected).abs() <= tolerance * (1.0 + expected.abs()), "{found} instead of {expected}");
}

/// Simpson's rule.
fn integral(f: impl Fn(f64) -> f64, from: f64, to: f64) -> f64 {
    const PARTS: i32 = 400;
    let h = (to - from) / f64::from(PARTS);
    let weight = |k: i32| if k == 0 || k == PARTS { 1.0 } else { f64::from(2 + 2 * (k % 2)) };
    (0..=PARTS).map(|k| weight(k) * f(from + h * f64::from(k))).sum::<f64>() * h / 3.0
}

/// The inertia of a solid of revolution of mass 1 by integration over its discs, with the squares of the outer and the inner radius.
fn of_revolution(radii: impl Fn(f64) -> [f64; 2], half: f64, breaks: &[f64]) -> [f64; 2] {
    let ends: Vec<f64> = [-half].into_iter().chain(breaks.iter().copied()).chain([half]).collect();
    let over = |f: &dyn Fn(f64) -> f64| ends.windows(2).map(|part| integral(f, part[0], part[1])).sum::<f64>();
    let disc = |z: f64, power: i32| {
        let [outer, inner] = radii(z);
        PI * (outer.max(0.0).powi(power) - inner.max(0.0).powi(power))
    };
    let mass = over(&|z| disc(z, 1));
    [over(&|z| disc(z, 2) / 4.0 + disc(z, 1) * z * z) / mass, over(&|z| disc(z, 2) / 2.0) / mass]
}

#[test]
fn inertias_are_integrals() {
    let check = |found: Matrix3<f64>, [across, along]: [f64; 2]| {
        let expected = Matrix3::from_diagonal(&Vector3::new(across, across, along));
        assert!((found - expected).norm() < 1e-9 * expected.norm(), "{found}{expected}");
    };
    let (r, inner, l) = (0.7, 0.4, 1.9);
    check(cylinder_inertia(1.0, r, l), of_revolution(|_| [r * r, 0.0], 0.5 * l, &[]));
    check(hollow_cylinder_inertia(1.0, r, inner, l), of_revolution(|_| [r * r, inner * inner], 0.5 * l, &[]));
    check(sphere_inertia(1.0, r), of_revolution(|z| [r * r - z * z, 0.0], r, &[]));
    let hollow = of_revolution(|z| [r * r - z * z, inner * inner - z * z], r, &[-inner, inner]);
    check(hollow_sphere_inertia(1.0, r, inner), hollow);
    let cap = |z: f64| [r * r - (z.abs() - 0.5 * l).max(0.0).powi(2), 0.0];
    check(capsule_inertia(1.0, r, l), of_revolution(cap, 0.5 * l + r, &[-0.5 * l, 0.5 * l]));
    // A capsule without a cylinder is a ball, and all inertias are proportional to the mass.
    assert!((capsule_inertia(2.0, r, 0.0) - sphere_inertia(2.0, r)).norm() < 1e-14);
    // A box by integration of y² + z².
    let edges = Vector3::new(0.3, 1.1, 2.0);
    let square = edges.map(|edge| integral(|x| x * x, -0.5 * edge, 0.5 * edge) / edge);
    let expected = Vector3::new(square.y + square.z, square.x + square.z, square.x + square.y) * 3.0;
    assert!((box_inertia(3.0, &edges) - Matrix3::from_diagonal(&expected)).norm() < 1e-12);
    // The parallel axis theorem: a box cut into two halves.
    let half = box_inertia(1.5, &Vector3::new(0.3, 1.1, 1.0));
    let offset = |z: f64| Vector3::new(0.0, 0.0, z);
    let both = shifted_inertia(&half, 1.5, &offset(0.5)) + shifted_inertia(&half, 1.5, &offset(-0.5));
    assert!((both - box_inertia(3.0, &edges)).norm() < 1e-12);
    let (m, c) = (2.0, Vector3::new(0.3, -0.2, 0.5));
    let cross = c.cross_matrix();
    assert!((shifted_inertia(&Matrix3::zeros(), m, &c) + cross * cross * m).norm() < 1e-14);
}

#[test]
fn moments_of_sections_are_integrals() {
    let (w, h) = (0.3, 0.8);
    let moments = rectangle_moments(w, h);
    assert_close(rectangle_area(w, h), integral(|_| w, -0.5 * h, 0.5 * h), 1e-12);
    assert_close(moments.x, integral(|y| w * y * y, -0.5 * h, 0.5 * h), 1e-12);
    assert_close(moments.y, integral(|x| h * x * x, -0.5 * w, 0.5 * w), 1e-12);
    // The series of Saint-Venant's torsion: J = s b³/3 (1 − 192/π⁵ b/s Σ tanh(n π s / 2 b) / n⁵) over odd n.
    for (w, h) in [(1.0, 1.0), (1.0, 1.5), (3.0, 1.0), (0.1, 1.0)] {
        let (s, b) = (f64::max(w, h), f64::min(w, h));
        let terms = (0..20).map(|k| f64::from(2 * k + 1)).map(|n| (n * PI * s / (2.0 * b)).tanh() / n.powi(5));
        let exact = s * b.powi(3) / 3.0 * (1.0 - 192.0 / PI.powi(5) * b / s * terms.sum::<f64>());
        let found = rectangle_moments(w, h).z;
        assert!((found / exact - 1.0).abs() < 5e-3, "{w} × {h}: {found} {exact}");
    }
    let (outer, inner) = (0.5, 0.3);
    let tube = tube_moments(outer, inner);
    assert_close(tube_area(outer, inner), integral(|r| 2.0 * PI * r, inner, outer), 1e-12);
    assert_close(tube.z, integral(|r| 2.0 * PI * r.powi(3), inner, outer), 1e-12);
    assert_close(tube.x, integral(|r| PI * r.powi(3), inner, outer), 1e-12);
    assert_eq!(tube.x, tube.y);
    // Cowper's factors of the circle and of a thin tube.
    assert_close(tube_shear_factor(outer, 0.0, 0.3), 6.0 * 1.3 / (7.0 + 1.8), 1e-14);
    assert_close(tube_shear_factor(outer, outer, 0.3), 2.0 * 1.3 / (4.0 + 0.9), 1e-14);
    // 5/6 without lateral contraction.
    assert_close(rectangle_shear_factor(0.0), 5.0 / 6.0, 1e-14);
    let (young, poisson) = (2.1e11, 0.3);
    let [bending, stretching] =
        [bending_stiffness(young, poisson, &tube), stretching_stiffness(young, poisson, 0.5, 0.9)];
    assert_close(bending.z, young / 2.6 * tube.z, 1e-12);
    assert_close(bending.x, young * tube.x, 1e-12);
    assert!((stretching - Vector3::new(0.45 * young / 2.6, 0.45 * young / 2.6, 0.5 * young)).norm() < 1e-3);
    assert!((rotary_inertia(7800.0, &tube) - Vector3::new(tube.x, tube.x, tube.z) * 7800.0).norm() < 1e-9);
}

/// The strain of an arc of a circle is its curvature and the unit tangent, for any length.
#[test]
fn the_strain_of_an_arc_is_its_curvature() {
    let base = SE3::exp(&Vector6::new(0.3, -1.0, 0.4, 2.0, 0.1, -0.7));
    for (radius, length) in [(2.0, 0.1), (2.0, 5.0), (0.5, 1.2)] {
        let angle = length / radius;
        // A rotation about the first axis bends the third axis towards −y.
        let position = Vector3::new(0.0, -radius * (1.0 - angle.cos()), radius * angle.sin());
        let end = SE3::new(SO3::exp(&(Vector3::x() * angle)), position);
        let strain = rod_strain(&base, &(base * end), length);
        assert!((strain - Vector6::new(1.0 / radius, 0.0, 0.0, 0.0, 0.0, 1.0)).norm() < 1e-12, "{strain}");
        let quaternion = S3R3::new(S3::exp(&(Vector3::x() * angle)), position);
        assert!((rod_strain_s3r3(&S3R3::identity(), &quaternion, length) - strain).norm() < 1e-12);
        let (bending, stretching) = (Vector3::new(3.0, 4.0, 5.0), Vector3::new(30.0, 40.0, 50.0));
        let energy = rod_energy(&strain, &straight_strain(), &bending, &stretching, length);
        assert_close(energy, 0.5 * 3.0 * length / (radius * radius), 1e-12);
    }
    let stretched = Vector6::new(0.0, 0.0, 0.0, 0.0, 0.0, 1.01);
    let energy = rod_energy(&stretched, &straight_strain(), &Vector3::zeros(), &Vector3::new(0.0, 0.0, 50.0), 2.0);
    assert_close(energy, 0.5 * 50.0 * 1e-4 * 2.0, 1e-12);
}

#[test]
fn cables_pull_and_never_push() {
    for elongation in [-1.0, -1e-3, 1e-3, 0.05, 0.3] {
        let slope = |energy: &dyn Fn(f64) -> f64| (energy(elongation + 1e-6) - energy(elongation - 1e-6)) / 2e-6;
        let tension = slope(&|e| cable_energy(e, 40.0));
        assert_close(cable_tension(elongation, 0.0, 40.0, 3.0), tension, 1e-7);
        assert_close(tension, if elongation > 0.0 { 40.0 * elongation } else { 0.0 }, 1e-7);
        let smooth = slope(&|e| smooth_cable_energy(e, 40.0, 0.1));
        let expected = match elongation {
            e if e <= 0.0 => 0.0,
            e if e < 0.1 => 40.0 * e * e / 0.2,
            e => 40.0 * (e - 0.05),
        };
        assert_close(smooth, expected, 1e-7);
        assert!([-10.0, 0.0, 10.0].iter().all(|rate| cable_tension(elongation, *rate, 40.0, 3.0) >= 0.0));
    }
    assert_close(cable_tension(0.2, 0.5, 40.0, 3.0), 8.0 + 1.5, 1e-14);
    assert_eq!(cable_tension(-0.2, 5.0, 40.0, 3.0), 0.0);
}

#[test]
fn bushings_are_springs_about_and_along_their_axes() {
    let base = SE3::exp(&Vector6::new(0.3, -1.0, 0.4, 2.0, 0.1, -0.7));
    let stiffness = Vector6::new(1.0, 2.0, 3.0, 10.0, 20.0, 30.0);
    // One rotation of any size, or displacements without a rotation, are exact.
    let turned = base * SE3::new(SO3::exp(&(Vector3::y() * 2.5)), Vector3::zeros());
    assert_close(bushing_energy(&bushing_deformation(&base, &turned), &stiffness), 0.5 * 2.0 * 2.5 * 2.5, 1e-12);
    let moved = base * SE3::new(SO3::identity(), Vector3::new(0.1, -0.2, 0.3));
    let energy = 0.5 * (10.0 * 0.01 + 20.0 * 0.04 + 30.0 * 0.09);
    assert_close(bushing_energy(&bushing_deformation(&base, &moved), &stiffness), energy, 1e-12);
    let rate = Vector6::new(1.0, -1.0, 0.5, 2.0, 0.0, 0.1);
    let power: f64 = rate.iter().zip(&stiffness).map(|(rate, damping)| damping * rate * rate).sum();
    assert_close(bushing_dissipation(&rate, &stiffness), 0.5 * power, 1e-14);
}

#[test]
fn stops_are_smooth_and_never_pull() {
    let (k, w) = (500.0, 0.02);
    for x in [-0.1, 0.0, 0.005, 0.0199, 0.0201, 0.1] {
        let slope = (penalty_energy(x + 1e-7, k, w) - penalty_energy(x - 1e-7, k, w)) / 2e-7;
        assert_close(penalty_moment(x, k, w), slope, 1e-6);
        let stiffness = |x: f64| (penalty_moment(x + 1e-7, k, w) - penalty_moment(x - 1e-7, k, w)) / 2e-7;
        assert_close(stiffness(x), k * (x / w).clamp(0.0, 1.0), 1e-3);
        let moment = stop_moment(1.0 + x, 0.0, -0.5, 1.0, k, w, 0.3);
        assert_close(moment, -penalty_moment(x, k, w), 1e-12);
        assert_close(stop_moment(-0.5 - x, 0.0, -0.5, 1.0, k, w, 0.3), -moment, 1e-9);
        assert_close(stop_energy(-0.5 - x, -0.5, 1.0, k, w), stop_energy(1.0 + x, -0.5, 1.0, k, w), 1e-9);
        for rate in [-100.0, -1.0, 1.0, 100.0] {
            assert!(stop_moment(1.0 + x, rate, -0.5, 1.0, k, w, 0.3) <= 0.0);
            assert!(stop_moment(-0.5 - x, rate, -0.5, 1.0, k, w, 0.3) >= 0.0);
        }
    }
    // Hunt and Crossley: the moment grows by the factor 1 + c x'.
    assert_close(stop_moment(1.1, 2.0, -0.5, 1.0, k, w, 0.3), -penalty_moment(0.1, k, w) * 1.6, 1e-12);
}

#[test]
fn the_magic_formula_has_its_slope_and_its_peak() {
    let (b, c, d, e) = (10.0, 1.9, 4000.0, 0.97);
    let force = |x: f64| magic_formula(x, b, c, d, e);
    assert_close((force(1e-6) - force(-1e-6)) / 2e-6, b * c * d, 1e-6);
    let peak = (0..10_000).map(|k| force(f64::from(k) * 1e-3)).fold(0.0, f64::max);
    assert_close(peak, d, 1e-6);
    assert_close(force(-0.07), -force(0.07), 1e-14);
    // At a large slip the argument of the sine is C π/2 if E < 1.
    assert_close(force(1e9), d * (c * 0.5 * PI).sin(), 1e-6);
    // C = 1: sin(atan y) = y / √(1 + y²), with y = B x for E = 0 and y = atan(B x) for E = 1.
    for x in [-0.3, 0.02, 0.4] {
        let closed = |y: f64| d * y / (1.0 + y * y).sqrt();
        assert_close(magic_formula(x, b, 1.0, d, 0.0), closed(b * x), 1e-13);
        assert_close(magic_formula(x, b, 1.0, d, 1.0), closed((b * x).atan()), 1e-13);
    }
    assert_close(longitudinal_slip(11.0, 10.0, 1e-6), 0.1, 1e-9);
    assert_close(longitudinal_slip(-11.0, -10.0, 1e-6), -0.1, 1e-9);
    assert_close(slip_angle(10.0 * 0.1_f64.tan(), 10.0, 1e-6), 0.1, 1e-9);
    assert_eq!((longitudinal_slip(0.0, 0.0, 0.1), slip_angle(0.0, 0.0, 0.1)), (0.0, 0.0));
    assert_close(friction_ellipse(3.0, 5.0), 0.8, 1e-14);
    assert_eq!(friction_ellipse(6.0, 5.0), 0.0);
}
