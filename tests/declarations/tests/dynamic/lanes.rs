//! Systems from text in SIMD lanes.

use lie_runtime::dynamic::{DynamicModel, DynamicSystem};
use lie_runtime::nalgebra::DVector;
use lie_runtime::prelude::*;
use lie_runtime::scalar::{F64x4, Scalar};
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

#[test]
fn systems_with_different_flags_have_no_batch() {
    let model = DynamicModel::from_text(include_str!("gantry.rs")).unwrap();
    let systems = [1.0, 1.0, 0.0, 1.0].map(|has_stop| system(&model, 1.0, has_stop));
    assert!(<DynamicSystem as Batched<F64x4>>::batch(&systems.each_ref()).is_none());
}
