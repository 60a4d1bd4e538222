//! Runs of both systems with every method, and what depends on them.

use fixtures::systems::{conservative, driven, placements, top_in_space};
use lie_runtime::prelude::*;
use lie_runtime::simulate::methods;

use super::Pair;

macro_rules! file {
    ($name:literal) => {
        include_str!(concat!("../../../fixtures/src/systems/", $name, ".rs"))
    };
}

/// Compares the columns of runs with all methods that apply to the generated system, and returns the number of methods.
pub(super) fn compare_runs<M>(
    pair: &Pair<'_, M>,
    q: &M::Configuration,
    v: &M::Velocity,
    step: f64,
    tolerance: f64,
) -> usize
where
    M: MultibodySystem,
{
    let (own, w) = (pair.configuration(q), pair.vector(v));
    let mut compared = 0;
    for method in methods() {
        let one = Simulation::of(pair.generated).initial(q.clone(), v.clone()).step(step).end_time(5.0 * step);
        let two = Simulation::of(&pair.dynamic).initial(own.clone(), w.clone()).step(step).end_time(5.0 * step);
        let (one, two) = match (one.method_named(method.id), two.method_named(method.id)) {
            (Ok(one), Ok(two)) => (one.run(), two.run()),
            (Err(_), Err(_)) => continue,
            (one, two) => panic!("{}: {:?} and {:?}", method.id, one.err(), two.err()),
        };
        let (one, two) = match (one, two) {
            (Ok(one), Ok(two)) => (one, two),
            // Such as a structure-preserving method for a system with forces.
            (Err(one), Err(two)) => {
                let [one, two] = [one.to_string(), two.to_string()];
                assert_eq!(one.split('.').next(), two.split('.').next(), "{}", method.id);
                continue;
            }
            (one, two) => panic!("{}: {:?} and {:?}", method.id, one.err(), two.err()),
        };
        let records = [one.samples().last().unwrap().record(), two.samples().last().unwrap().record()];
        let mut columns: [Vec<(String, f64)>; 2] = [vec![], vec![]];
        for (columns, record) in columns.iter_mut().zip(&records) {
            record.for_each("", &mut |name, value| columns.push((name.to_owned(), value)));
            columns.retain(|(name, _)| !name.starts_with("work"));
        }
        let [one, two] = &columns;
        assert_eq!(
            one.iter().map(|(name, _)| name).collect::<Vec<_>>(),
            two.iter().map(|(name, _)| name).collect::<Vec<_>>()
        );
        for ((name, x), (_, y)) in one.iter().zip(two) {
            assert!((x - y).abs() <= tolerance * (1.0 + x.abs()), "{}: {name}: {x} and {y}", method.id);
        }
        compared += 1;
    }
    compared
}

#[test]
fn top_with_a_constraint() {
    let (system, q, v) = top_in_space::of_the_paper();
    let pair = Pair::new((file!("top_in_space"), "top_in_space"), &system, &[]);
    pair.compare_kernels(&q);
    assert!(compare_runs(&pair, &q, &v, 1e-3, 1e-9) > 20);
}

#[test]
fn pendulum_whose_pivot_is_driven() {
    let (system, q, v) = driven::driven_pendulum_example();
    let pair = Pair::new((file!("driven"), "driven_pendulum"), &system, &[]);
    pair.compare_kernels(&q);
    assert!(compare_runs(&pair, &q, &v, 1e-3, 1e-9) > 10);
}

#[test]
fn disc_with_velocity_constraints() {
    let (system, q, v) = driven::rolling_disc_example();
    let pair = Pair::new((file!("driven"), "rolling_disc"), &system, &[]);
    pair.compare_kernels(&q);
    assert!(compare_runs(&pair, &q, &v, 1e-3, 1e-9) > 10);
}

#[test]
fn double_pendulum_with_a_mass_matrix_that_changes() {
    let data = conservative::double_pendulum::Pendulum {
        masses: Vector2::new(1.0, 0.7),
        lengths: Vector2::new(1.0, 0.8),
        gravity: 9.81,
    };
    let system = conservative::double_pendulum::System::new(data).unwrap();
    let q = conservative::double_pendulum::Links { upper: SO2::from_angle(0.4), lower: SO2::from_angle(-0.9) };
    let pair = Pair::new((file!("conservative"), "double_pendulum"), &system, &[]);
    pair.compare_kernels(&q);
    assert!(compare_runs(&pair, &q, &Vector2::new(0.3, 1.0), 1e-3, 1e-9) > 20);
}

#[test]
fn all_groups_of_poses() {
    let (system, q) = placements::somewhere();
    let data = system.parameters();
    let place = data.place.coordinates().to_vec();
    let other = [data.other.rotation.matrix().transpose().as_slice(), data.other.translation.as_slice()].concat();
    let pair = Pair::new((file!("placements"), "bodies"), &system, &[("place", place), ("other", other)]);
    pair.compare_kernels(&q);
}
