//! Systems from text in SIMD lanes.

use lie_runtime::dynamic::{DynamicModel, DynamicSystem};
use lie_runtime::ensemble::{Ensemble, Results, Samples};
use lie_runtime::integrator::{GeneralizedAlpha, Integrator, Rattlie};
use lie_runtime::nalgebra::DVector;
use lie_runtime::prelude::*;
use lie_runtime::scalar::{F64x4, F64x8, Scalar};
use lie_runtime::system::{Batched, ParameterSet};

use crate::gantry;

fn system(model: &DynamicModel, length: f64, has_stop: f64) -> DynamicSystem {
    let data = gantry::data();
    let numbers = |name: &str| data.get(name).expect("it is named").numbers();
    let values = ["masses", "inertia", "stiffness", "damping"].map(|name| (name, numbers(name)));
    let values = values.iter().map(|(name, numbers)| (*name, &numbers[..]));
    let others = [("length", &[length][..]), ("has_stop", &[has_stop][..])];
    let others: Vec<(&str, Vec<f64>)> = others.iter().map(|(name, values)| (*name, values.to_vec())).collect();
    model.system(values.chain(others.iter().map(|(name, values)| (*name, &values[..])))).expect("the data are good")
}

#[test]
fn lanes_compute_the_bits_of_single_systems() {
    let model = DynamicModel::from_text(include_str!("gantry.rs")).unwrap();
    let systems = [1.0, 1.2, 1.4, 1.6].map(|length| system(&model, length, 1.0));
    let batch = <DynamicSystem as Batched<F64x4>>::batch(&systems.each_ref()).unwrap();
    // The stop acts in two lanes.
    let configurations = [0.1, 0.35, 0.2, 0.4].map(|place| {
        let values = [("rope", &[0.96, 0.28, 0.0, 0.0][..]), ("trolley", &[place][..])];
        systems[0].configuration(values).unwrap()
    });
    let together = <DynamicSystem as Batched<F64x4>>::batch_configurations(&|lane| configurations[lane].clone());
    let velocity = DVector::from_vec(vec![-0.4, 0.1, 0.2, 0.3]);
    let wide = velocity.map(F64x4::from_f64);
    let mut in_lanes = batch.zero_velocity();
    batch.force(F64x4::from_f64(0.0), &together, &wide, &mut in_lanes);
    for (lane, (system, q)) in systems.iter().zip(&configurations).enumerate() {
        let mut alone = system.zero_velocity();
        system.force(0.0, q, &velocity, &mut alone);
        let own = in_lanes.map(|entry| entry.lane(lane));
        assert_eq!(own, alone, "lane {lane}");
        let back = <DynamicSystem as Batched<F64x4>>::lane_configuration(&together, lane);
        assert_eq!(system.space().distance(&back, q), 0.0);
    }
}

/// The columns of runs one by one and in eight lanes.
fn columns<I>(method: &I) -> [Vec<f64>; 2]
where
    I: Integrator<DynamicSystem> + Integrator<DynamicSystem<F64x8>> + Clone + PartialEq + Sync,
{
    let model = DynamicModel::from_text(include_str!("gantry.rs")).unwrap();
    let system = system(&model, 1.0, 1.0);
    let ensemble = || Ensemble::of(&system).samples(Samples::sobol(12, 3).parameter("length", 1.0..2.0));
    let values = [("rope", &[0.96, 0.28, 0.0, 0.0][..]), ("trolley", &[0.35][..])];
    let q = system.configuration(values).unwrap();
    let v = DVector::from_vec(vec![-0.4, 0.1, 0.2, 0.3]);
    let times = [0.0, 0.1, 0.2];
    let alone = ensemble().run(|system, _| {
        let run = Simulation::of(system).initial(q.clone(), v.clone()).method(method.clone());
        Ok(run.step(0.01).end_time(0.2).output_times(&times).run()?)
    });
    let in_lanes = ensemble().run_in_lanes::<F64x8, I, _>(|system, _| {
        let run = Simulation::of(system).initial(q.clone(), v.clone()).method(method.clone());
        Ok(run.step(0.01).end_time(0.2).output_times(&times))
    });
    [alone, in_lanes].map(|results| values_of(&results.unwrap()))
}

fn values_of(results: &Results) -> Vec<f64> {
    assert!(results.failures().is_empty(), "{:?}", results.failures());
    let columns = results.columns().iter().map(|name| results.column(name).unwrap());
    columns.flat_map(|column| (0..results.states()).flat_map(|at| column.values(at)).collect::<Vec<_>>()).collect()
}

#[test]
fn ensembles_in_eight_lanes_are_the_runs_one_by_one() {
    let [alone, in_lanes] = columns(&HalfExplicit::hedop5());
    assert!(alone.len() > 100);
    assert_eq!(in_lanes, alone);
    // Pivots are common to all lanes.
    for [alone, in_lanes] in [columns(&Rattlie::new()), columns(&GeneralizedAlpha::chung_hulbert(0.9).unwrap())] {
        for (own, other) in in_lanes.iter().zip(&alone) {
            assert!((own - other).abs() <= 1e-13 * other.abs().max(1.0), "{own} {other}");
        }
    }
}

#[test]
fn threads_can_share_a_system() {
    let model = DynamicModel::from_text(include_str!("gantry.rs")).unwrap();
    let system = system(&model, 1.0, 1.0);
    let force = |place: f64| {
        let values = [("rope", &[0.96, 0.28, 0.0, 0.0][..]), ("trolley", &[place][..])];
        let q = system.configuration(values).unwrap();
        let v = DVector::from_vec(vec![-0.4, 0.1, 0.2, 0.3]);
        let mut force = system.zero_velocity();
        system.force(0.0, &q, &v, &mut force);
        force
    };
    let expected = [0.1, 0.35].map(&force);
    assert_ne!(expected[0], expected[1]);
    std::thread::scope(|threads| {
        for (place, expected) in [0.1, 0.35].into_iter().zip(&expected) {
            threads.spawn(move || (0..2000).for_each(|_| assert_eq!(force(place), *expected)));
        }
    });
}

#[test]
fn systems_with_different_flags_have_no_batch() {
    let model = DynamicModel::from_text(include_str!("gantry.rs")).unwrap();
    let systems = [1.0, 1.0, 0.0, 1.0].map(|has_stop| system(&model, 1.0, has_stop));
    assert!(<DynamicSystem as Batched<F64x4>>::batch(&systems.each_ref()).is_none());
}
