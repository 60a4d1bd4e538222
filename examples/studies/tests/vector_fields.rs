//! The examples of paper 3, run in this process.

use super::hand_written;
use super::support::{command, last, numbers};
use crate::heavy_top_hamiltonian;
use crate::quadrotors;
use crate::spherical_pendulum;
use harness::Status;
use lie_runtime::prelude::*;
use lie_runtime::simulate::ConsistentValues;
use serde_json::Value;

fn distance(a: &Value, b: &Value) -> f64 {
    let (a, b) = (numbers(a), numbers(b));
    assert_eq!(a.len(), b.len());
    a.iter().zip(&b).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max)
}

#[test]
fn three_formulations_of_the_heavy_top_have_one_motion() {
    let example = heavy_top_hamiltonian::example();
    let run = |group: &str| last(&example, &format!("--group {group} --method rkmk54 --rtol 0 --atol 1e-12 --end 0.5"));
    let [cotangent, dual, extended] = ["cotangent", "se3_dual", "extended"].map(run);
    for name in ["body_gravity", "body_momentum", "vertical_momentum"] {
        let value = |sample: &Value| sample["observables"][name].clone();
        // M l g is about 300.
        assert!(distance(&value(&cotangent), &value(&dual)) < 1e-7, "{name}");
        assert!(distance(&value(&cotangent), &value(&extended)) < 1e-7, "{name}");
    }
    let energy = |sample: &Value| numbers(&sample["energy"]["kinetic"])[0] + numbers(&sample["energy"]["potential"])[0];
    for sample in [&dual, &extended] {
        assert!((energy(sample) / energy(&cotangent) - 1.0).abs() < 1e-11);
    }
}

/// Fig. 3: bounded, without a trend, and larger for θ = 0.
#[test]
fn energy_of_the_heavy_top_over_6000_steps() {
    let example = heavy_top_hamiltonian::example();
    let errors = |method: &str| {
        let request = harness::Request::fixed(method, 0.01, 60.0).every(1);
        let run = example.variant("cotangent").unwrap().run(&request).unwrap();
        let energy = |sample: &harness::Sample| sample.energy.kinetic + sample.energy.potential;
        let initial = energy(&run.history[0]);
        run.history.iter().map(|sample| (sample.t, energy(sample) / initial - 1.0)).collect::<Vec<_>>()
    };
    let largest = |errors: &[(f64, f64)]| errors.iter().map(|(_, error)| error.abs()).fold(0.0, f64::max);
    let (half, zero) = (errors("slgi_half"), errors("slgi_0"));
    assert_eq!(half.len(), 6001);
    assert!(largest(&half) < 2e-6 && largest(&zero) > 1e3 * largest(&half));
    for errors in [half, zero] {
        let (trend, bound) = (heavy_top_hamiltonian::trend(&errors), largest(&errors));
        assert!((60.0 * trend).abs() < 1e-2 * bound, "{trend:e} with errors of {bound:e}");
    }
}

/// Errors at the end follow the tolerance of a step, on the paper's own two links.
///
/// CF3(2)b is 42 to 45 tolerances off because of its published auxiliary member: with another one, and the same steps of
/// third order, it is where CF3(2)a is.
#[test]
fn errors_of_two_links_follow_the_tolerances() {
    use spherical_pendulum::pairs::{PAIRS, errors_in_tolerances, errors_with_a_wider_estimate};
    const TOLERANCES: [f64; 4] = [1e-4, 1e-5, 1e-6, 1e-7];
    let example = spherical_pendulum::example();
    let range =
        |errors: &[f64]| errors.iter().fold((f64::INFINITY, 0.0_f64), |(low, high), &x| (low.min(x), high.max(x)));
    for (pair, name) in PAIRS {
        let errors = errors_in_tolerances(&example, pair, &TOLERANCES).expect("runs");
        let (low, high) = range(&errors);
        // Level within a factor of ten; the motion makes the height.
        assert!(high < 10.0 * low && high < if pair == "cf3b" { 60.0 } else { 20.0 }, "{name}: {errors:?}");
    }
    let errors = errors_with_a_wider_estimate(&example, &TOLERANCES).expect("runs");
    let (low, high) = range(&errors);
    assert!(low > 8.0 && high < 11.0, "{errors:?}");
}

#[test]
fn pendulum_in_order_n_and_densely_and_in_space() {
    let example = spherical_pendulum::example();
    for links in [1, 2, 5, 12] {
        let run = |group: &str, method: &str| {
            let end = "--end 0.8 --set swing=0.7 --length 0.8";
            last(&example, &format!("--group {group} --links {links} --method {method} --rtol 0 --atol 1e-13 {end}"))
        };
        let exact = run("ts2", "rkmk54");
        assert_eq!(numbers(&exact["configuration"]["direction"]).len(), 3 * links);
        for (group, method) in [("ts2_dense", "rkmk54"), ("cartesian", "rkmk54")] {
            let other = run(group, method);
            for part in ["configuration", "velocity"] {
                let key = if part == "configuration" { "direction" } else { "angular_velocity" };
                let error = distance(&exact[part][key], &other[part][key]);
                assert!(error < 1e-10, "{links} links, {group}, {part}: {error:e}");
            }
        }
        assert!(numbers(&exact["residual"]["position"])[0] < 1e-13);
        assert!(numbers(&exact["residual"]["velocity"])[0] < 1e-13);
    }
}

/// The equations that follow from one declared link are those that were worked out for the whole chain.
#[test]
fn the_declared_pendulum_is_the_one_by_hand() {
    use hand_written::{Chain, Inertia};
    use lie_runtime::field::VectorField;
    use lie_runtime::space::TS2;
    use models::spherical_pendulum::pendulum::{Lengths, Link, System};
    let (mass, length, gravity) = (0.7, 0.4, 9.81);
    for links in [1_usize, 2, 3, 10, 50] {
        let points: Vec<TS2> = (0..links)
            .map(|at| {
                let angle = 1.0 + 0.7 * at as f64;
                let q = Vector3::new(angle.sin(), 0.3 * (2.0 * angle).cos(), angle.cos());
                TS2::new(q, Vector3::new(angle, 1.0, -angle.sin())).unwrap()
            })
            .collect();
        let system = System::new(Link { mass, length, gravity }, Lengths { links }).unwrap();
        let start = points.iter().map(|point| (point.direction(), point.angular_velocity()));
        let (q, v) = models::spherical_pendulum::formulations::state(start);
        let (mut inertia, mut force, mut found) = (system.zero_mass(), system.zero_velocity(), system.zero_velocity());
        system.mass(0.0, &q, &mut inertia).unwrap();
        system.force(0.0, &q, &v, &mut force);
        system.solve_mass(&mut inertia, &force, &mut found);
        for solver in [Inertia::Banded, Inertia::Dense] {
            let chain = Chain::equal(links, mass, length, gravity, solver);
            let (mut buffers, mut field) = (chain.workspace(), VectorField::zero(&chain));
            chain.evaluate(0.0, &points, &mut buffers, &mut field).unwrap();
            let size = found.amax();
            for (at, (point, field)) in points.iter().zip(&field).enumerate() {
                let turning = point.direction().cross(&found.fixed_rows::<3>(3 * at));
                let error = (turning - field.fixed_rows::<3>(3)).norm();
                assert!(error < 1e-12 * size, "{links} links, link {at}, {solver:?}: {error:.1e}");
            }
        }
    }
}

/// Two masses on two rods: positions in space, and nothing of spheres.
#[mechanical_system]
pub mod masses {
    /// The masses in space.
    #[configuration]
    pub struct Positions {
        /// The link attached to the fixed point.
        pub first: R3,
        /// The link attached to the first one.
        pub second: R3,
    }

    #[kinetic_energy]
    fn kinetic(v: &Velocity) -> f64 {
        0.5 * v.first.norm_squared() + 0.5 * v.second.norm_squared()
    }

    #[potential]
    fn weight(q: &Positions) -> f64 {
        9.81 * (q.first.z + q.second.z)
    }

    #[constraint]
    fn first_rod(q: &Positions) -> f64 {
        0.5 * (q.first.norm_squared() - 1.0)
    }

    #[constraint]
    fn second_rod(q: &Positions) -> f64 {
        0.5 * ((q.second - q.first).norm_squared() - 1.0)
    }
}

#[test]
fn pendulum_as_constrained_point_masses() {
    let system = masses::System::new().unwrap();
    let half = 0.5_f64.sqrt();
    let (q, w) = (Vector3::new(half, 0.0, half), Vector3::new(-half * 0.7, 1.0, half * 0.7));
    let speed = w.cross(&q);
    let start = masses::Positions { first: q, second: q * 2.0 };
    let velocity: Vector6<f64> = masses::Velocity { first: speed, second: speed * 2.0 }.into();
    let (consistent, report) = ConsistentValues::of(&system).state(&system, 0.0, start, velocity).unwrap();
    assert!(report.configuration.distance < 1e-14 && report.velocity.distance < 1e-14);
    let run =
        Simulation::of(&system).restart_from(consistent).step(1e-4).end_time(0.8).output_times(&[0.8]).run().unwrap();
    let tip = run.last().configuration.second;
    let sample = last(
        &spherical_pendulum::example(),
        "--links 2 --method rkmk54 --rtol 0 --atol 1e-13 --end 0.8 --set swing=0.7",
    );
    let found = numbers(&sample["observables"]["tip"]);
    let error = (Vector3::from_column_slice(&found) - tip).norm();
    assert!(error < 1e-10, "{error:e}");
}

/// Figs. 15 to 18: 2000 steps of RKMK4.
#[test]
fn quadrotors_carry_the_payload_along_the_parabola() {
    let sample = last(&quadrotors::example(), "--method rkmk4 --step 0.0025 --end 5");
    let observables = &sample["observables"];
    assert!(numbers(&observables["load_error"])[0] < 1e-4, "it starts 0.9 m off");
    assert!(numbers(&observables["link_errors"]).iter().all(|error| *error < 1e-5));
    assert!(numbers(&observables["norm_deviations"]).iter().all(|deviation| deviation.abs() < 2e-14));
    assert_eq!(numbers(&observables["target"]), [2.5, 0.0, -0.75]);
}

#[test]
fn misuse_is_told() {
    let (pendulum, top) = (spherical_pendulum::example(), heavy_top_hamiltonian::example());
    for (example, arguments, expected) in [
        (&pendulum, "--links 0", "one link or more"),
        (&pendulum, "--method slgi_half", "rkmk54"),
        (&pendulum, "--method hedop5", "cf4"),
        (&top, "--method slgi --set theta=2", "`theta=2` of `slgi`: the value must be in [0, 1]"),
        (&top, "--group se3_dual --method slgi_0", "cf4"),
        (&top, "--method rkmk4 --rtol 1e-3 --atol 1e-3", "rkmk4"),
    ] {
        let (status, _, stderr) = command(example, arguments);
        assert_eq!(status, Status::Misused, "{arguments}");
        assert!(stderr.contains(expected), "{arguments}: {stderr}");
    }
}
