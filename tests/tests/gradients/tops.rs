//! A heavy top in its formulations, started consistently.

use lie_runtime::prelude::*;

/// The data of paper 1 at a moderate spin, started off the vertical.
macro_rules! top {
    ($name:ident, $group:ident) => {{
        let data = fixtures::systems::heavy_tops::$name::HeavyTop {
            mass: 15.0,
            inertia: Matrix3::new(0.3, 0.01, -0.02, 0.01, 0.47, 0.03, -0.02, 0.03, 0.25),
            center_of_mass: Vector3::new(0.1, 0.9, -0.2),
            gravity: Vector3::new(0.3, -0.2, -9.81),
        };
        let turn = Vector3::new(0.4, -0.3, 0.8);
        let rotation = SO3::exp(&turn);
        let position = rotation * data.center_of_mass;
        let pose = $group::new(crate::tops::Lift::rotation(&turn), position);
        let system = fixtures::systems::heavy_tops::$name::System::new(data).unwrap();
        let v = Vector6::new(0.7, 3.0, -1.1, 0.0, 0.0, 0.0);
        let start = Simulation::of(&system)
            .initial(fixtures::systems::heavy_tops::$name::Body { pose }, v)
            .max_initial_correction(9.0);
        let first = start.step(0.01).end_time(0.01).run().unwrap().first().clone();
        (system, first.configuration, first.velocity)
    }};
}

/// A rotation of the kind that a pose has.
pub trait Lift: Sized {
    fn rotation(turn: &Vector3<f64>) -> Self;
}
impl Lift for SO3 {
    fn rotation(turn: &Vector3<f64>) -> Self {
        SO3::exp(turn)
    }
}
impl Lift for S3 {
    fn rotation(turn: &Vector3<f64>) -> Self {
        S3::exp(turn)
    }
}

pub(crate) use top;
