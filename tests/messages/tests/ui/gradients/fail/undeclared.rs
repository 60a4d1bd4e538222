//! A gradient of a system that was declared without the kernels for it.

use lie_runtime::gradient::Objective;
use lie_runtime::prelude::*;

#[mechanical_system]
mod point {
    use lie_runtime::prelude::*;

    #[configuration]
    pub struct Point {
        pub x: R1,
    }

    #[parameters]
    pub struct Data {
        pub mass: f64,
    }

    #[kinetic_energy]
    fn kinetic(data: &Data, v: &Velocity) -> f64 {
        0.5 * data.mass * v.x.norm_squared()
    }
}

fn main() {
    let system = point::System::new(point::Data { mass: 1.0 }).unwrap();
    let run = Simulation::of(&system).initial(point::Point { x: Vector1::zeros() }, Vector1::zeros());
    let place = Objective::<point::System>::new().at_end(|state| state.configuration.x[0]);
    let _ = run.step(0.1).end_time(1.0).gradient_of(&place);
}
