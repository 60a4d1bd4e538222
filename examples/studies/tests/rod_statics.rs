//! Rods against closed forms: the energy of helices, their equilibrium, and the vibrations of a straight rod.

use core::f64::consts::PI;

use lie_runtime::nalgebra::DVector;
use lie_runtime::prelude::*;
use lie_runtime::system::Linearised;
use models::rods::flying_spaghetti::{Lengths, Rod, Section, System};
use models::rods::{flying_spaghetti, flying_spaghetti_kirchhoff, straight};

const ELEMENTS: usize = 12;
const LENGTH: f64 = 3.0;
/// The loads of the spaghetti are gone.
const FREE: f64 = 5.0;

/// Six stiffnesses and three inertias, all different.
fn section() -> Section {
    Section {
        length: LENGTH,
        bending: Vector3::new(30.0, 50.0, 70.0),
        stretching: Vector3::new(1100.0, 1300.0, 1700.0),
        density: 2.0,
        inertia: Vector3::new(0.3, 0.5, 0.7),
        damping: 0.0,
    }
}

fn rod(section: Section) -> System {
    System::new(section, Lengths { nodes: ELEMENTS + 1 }).expect("a rod")
}

/// Positions of the nodes along the rod.
fn arc_lengths() -> impl Iterator<Item = f64> {
    (0..=ELEMENTS).map(|node| LENGTH * node as f64 / ELEMENTS as f64)
}

fn energy(system: &System, nodes: Vec<S3R3>) -> f64 {
    system.potential_energy(FREE, &Rod { nodes })
}

fn assert_equal(found: f64, expected: f64, tolerance: f64, what: &str) {
    let error = (found - expected).abs() / expected.abs();
    assert!(error < tolerance, "{what}: {found}, in closed form {expected}, relative error {error:e}");
}

/// The Frenet frames (normal, binormal, tangent) of the helix (R cos φ, R sin φ, b φ) with φ = s/c, c² = R² + b².
fn helix(radius: f64, pitch: f64) -> Vec<S3R3> {
    let c = radius.hypot(pitch);
    // The frame at φ = 0 has the normal −e₁.
    let tilt = S3::exp(&Vector3::new(-radius.atan2(pitch), 0.0, 0.0)) * S3::exp(&Vector3::new(0.0, 0.0, PI));
    arc_lengths()
        .map(|s| {
            let angle = s / c;
            let (sin, cos) = angle.sin_cos();
            S3R3 {
                rotation: S3::exp(&Vector3::new(0.0, 0.0, angle)) * tilt,
                translation: Vector3::new(radius * cos, radius * sin, pitch * angle),
            }
        })
        .collect()
}

/// Curvature R/c² about the binormal, torsion b/c², no stretch: neither depends on the number of edges.
#[test]
fn a_helix_has_the_energy_of_its_curvature_and_torsion() {
    let system = rod(section());
    for (radius, pitch) in [(0.4, 0.1), (0.2, -0.3), (0.3, 0.0)] {
        let c2 = radius * radius + pitch * pitch;
        let (curvature, torsion) = (radius / c2, pitch / c2);
        let expected = 0.5 * LENGTH * (50.0 * curvature * curvature + 70.0 * torsion * torsion);
        assert_equal(energy(&system, helix(radius, pitch)), expected, 1e-13, &format!("R = {radius}, b = {pitch}"));
    }
}

/// q(s) = q₀ exp(s w): every strain alone, and all together.
#[test]
fn constant_strains_have_their_quadratic_energy() {
    let system = rod(section());
    let start = S3R3::new(S3::exp(&Vector3::new(0.4, -1.0, 0.3)), Vector3::new(1.0, -2.0, 0.5));
    let stiffness = [30.0, 50.0, 70.0, 1100.0, 1300.0, 1700.0];
    let all = Vector6::new(0.9, -0.5, 1.3, 0.1, -0.2, 0.3);
    let alone = |k: usize| Vector6::from_fn(|i, _| if i == k { all[k] } else { 0.0 });
    for deviation in (0..6).map(alone).chain([all]) {
        let strain = deviation + Vector6::new(0.0, 0.0, 0.0, 0.0, 0.0, 1.0);
        let nodes = arc_lengths().map(|s| start * S3R3::exp(&(s * strain))).collect();
        let quadratic: f64 = (0..6).map(|k| stiffness[k] * deviation[k] * deviation[k]).sum();
        assert_equal(energy(&system, nodes), 0.5 * LENGTH * quadratic, 1e-12, &format!("{deviation:?}"));
    }
}

/// For C^K a multiple of 1 the moment is along the curvature: a helix is held by moments at its ends alone.
#[test]
fn a_helix_of_a_round_rod_is_in_equilibrium() {
    let system = rod(Section { bending: Vector3::repeat(50.0), ..section() });
    let (radius, pitch) = (0.4, 0.1);
    let c2: f64 = radius * radius + pitch * pitch;
    let moment = 50.0 * Vector3::new(0.0, radius / c2, pitch / c2);
    let mut force = system.zero_velocity();
    system.force(FREE, &Rod { nodes: helix(radius, pitch) }, &system.zero_velocity(), &mut force);
    for node in 0..=ELEMENTS {
        let expected = match node {
            0 => moment,
            ELEMENTS => -moment,
            _ => Vector3::zeros(),
        };
        let (angular, linear) = (force.rows(6 * node, 3), force.rows(6 * node + 3, 3));
        assert!((angular - expected).norm() < 1e-10, "node {node}: {angular}");
        assert!(linear.norm() < 1e-10, "node {node}: {linear}");
    }
}

/// A rod at rest along e₃.
fn at_rest() -> Vec<S3R3> {
    straight(Vector3::zeros(), Vector3::new(0.0, 0.0, LENGTH), ELEMENTS).expect("a line")
}

/// (2/ds) sin(kπ/2N).
fn wave_number(k: usize) -> f64 {
    2.0 * ELEMENTS as f64 / LENGTH * (0.5 * k as f64 * PI / ELEMENTS as f64).sin()
}

/// K φ − ω² M φ.
fn defect(system: &System, mode: &DVector<f64>, squared_frequency: f64) -> DVector<f64> {
    let (q, rest) = (Rod { nodes: at_rest() }, system.zero_velocity());
    let (mut stiffness, mut mass) = (system.zero_matrix(), system.zero_matrix());
    system.tangent_stiffness(FREE, &q, &rest, &rest, &system.zero_multipliers(), &mut stiffness);
    system.mass_matrix(FREE, &q, &mut mass);
    let dof = system.dof();
    DVector::from_fn(dof, |row, _| {
        let entry = |column: usize| {
            system.matrix_entry(&stiffness, row, column) - squared_frequency * system.matrix_entry(&mass, row, column)
        };
        (0..dof).map(|column| entry(column) * mode[column]).sum()
    })
}

/// Axial and torsional: φ_i = cos(kπi/N), ω = (2/ds) √(C/ρ) sin(kπ/2N) for every k.
#[test]
fn axial_and_torsional_modes_are_those_of_a_chain_of_springs() {
    let system = rod(section());
    for (component, stiffness, inertia) in [(5, 1700.0, 2.0), (2, 70.0, 0.7)] {
        for k in 0..=ELEMENTS {
            let mut mode = DVector::zeros(system.dof());
            for node in 0..=ELEMENTS {
                mode[6 * node + component] = ((k * node) as f64 * PI / ELEMENTS as f64).cos();
            }
            let squared_frequency = stiffness / inertia * wave_number(k).powi(2);
            let left = defect(&system, &mode, squared_frequency).amax();
            assert!(left < 1e-9, "component {component}, k = {k}: {left:e}");
        }
    }
}

/// Bending of a rod whose ends are held but may turn: u_i = U sin(kπi/N), θ_i = Θ cos(kπi/N).
///
/// The linear shear of an edge is Δu/ds minus the mean of both θ (for u along e₁ and θ about e₂; the other sign for e₂ and
/// e₁). For s = (2/ds) sin(kπ/2N) and c = cos(kπ/2N), U and Θ are the eigenvectors of
///
/// [GA s², −GA s c; −GA s c, GA c² + EI s²] against diag(ρ, J),
///
/// the dispersion of Timoshenko's beam for s → kπ/L, c → 1.
#[test]
fn bending_modes_are_those_of_timoshenko() {
    let system = rod(section());
    let planes = [(3, 1, 1.0, 1100.0, 50.0, 0.5), (4, 0, -1.0, 1300.0, 30.0, 0.3)];
    for (along, about, sign, shear, bending, inertia) in planes {
        for k in 1..ELEMENTS {
            let (s, c) = (wave_number(k), (0.5 * k as f64 * PI / ELEMENTS as f64).cos());
            let density = 2.0;
            let (a, b, d) = (shear * s * s, -shear * s * c, shear * c * c + bending * s * s);
            // (a − ρ x)(d − J x) = b².
            let half = 0.5 * (a / density + d / inertia);
            let root = (half * half - (a * d - b * b) / (density * inertia)).sqrt();
            for squared_frequency in [half - root, half + root] {
                let (u, theta) = (-b, a - density * squared_frequency);
                let mut mode = DVector::zeros(system.dof());
                for node in 0..=ELEMENTS {
                    let (sin, cos) = ((k * node) as f64 * PI / ELEMENTS as f64).sin_cos();
                    mode[6 * node + along] = u * sin;
                    mode[6 * node + about] = sign * theta * cos;
                }
                let scale = (squared_frequency * mode.amax()).max(1.0);
                let mut left = defect(&system, &mode, squared_frequency);
                // The supports carry these.
                (left[along], left[6 * ELEMENTS + along]) = (0.0, 0.0);
                assert!(left.amax() < 1e-11 * scale, "k = {k}, ω² = {squared_frequency}: {:e}", left.amax() / scale);
            }
        }
    }
}

/// Standing waves along and about the axis are exact motions, however large.
macro_rules! standing_waves {
    ($module:ident) => {{
        let data = section();
        let system = $module::System::new(
            $module::Section {
                length: data.length,
                bending: data.bending,
                stretching: data.stretching,
                density: data.density,
                inertia: data.inertia,
                damping: data.damping,
            },
            $module::Lengths { nodes: ELEMENTS + 1 },
        )
        .expect("a rod");
        let (axial, torsional) = (3, 2);
        let frequency = |k, ratio: f64| wave_number(k) * ratio.sqrt();
        let (axial_frequency, torsional_frequency) = (frequency(axial, 1700.0 / 2.0), frequency(torsional, 70.0 / 0.7));
        let exact = |t: f64| -> Vec<S3R3> {
            let shape = |k: usize, node: usize| ((k * node) as f64 * PI / ELEMENTS as f64).cos();
            (0..=ELEMENTS)
                .map(|node| {
                    let turn = 1.2 * shape(torsional, node) * (torsional_frequency * t).cos();
                    let shift = 0.04 * shape(axial, node) * (axial_frequency * t).cos();
                    let place = LENGTH * node as f64 / ELEMENTS as f64 + shift;
                    S3R3::new(S3::exp(&Vector3::new(0.0, 0.0, turn)), Vector3::new(0.0, 0.0, place))
                })
                .collect()
        };
        let end = FREE + 0.4;
        let run = Simulation::of(&system)
            .initial($module::Rod { nodes: exact(0.0) }, system.zero_velocity())
            .method(HalfExplicit::hedop5())
            .start_time(FREE)
            .step(5e-4)
            .end_time(end)
            .run()
            .expect("runs");
        let last = run.last();
        for (node, (found, expected)) in last.configuration.nodes.iter().zip(exact(last.time - FREE)).enumerate() {
            let error = (expected.inverse() * *found).log().norm();
            assert!(error < 1e-9, "{}, node {node}: {error:e}", stringify!($module));
        }
        // Neither wave shears.
        assert!(last.multipliers.amax() < 1e-9, "{}", last.multipliers.amax());
    }};
}

#[test]
fn standing_waves_keep_their_frequency() {
    standing_waves!(flying_spaghetti);
    standing_waves!(flying_spaghetti_kirchhoff);
}
