//! What uses a configuration whose members are no groups is no error of its own.

use lie_runtime::prelude::*;

#[mechanical_system]
pub mod cart {
    use lie_runtime::prelude::*;

    pub struct Wheel {
        pub turn: Option<SO2>,
        pub contact: Point2<f64>,
    }

    #[configuration]
    pub struct Cart {
        pub position: Translation3<f64>,
        pub attitude: Box<SO3>,
        pub loads: [Point2<f64>; 2],
        pub wheel: Wheel,
    }

    #[kinetic_energy]
    fn kinetic(v: &Velocity) -> f64 {
        0.5 * v.position.norm_squared() + 0.5 * v.attitude.norm_squared() + v.loads[0].norm_squared() + v.loads[1].norm_squared()
            + 0.5 * v.wheel.turn * v.wheel.turn + v.wheel.contact.norm_squared()
    }
}

fn main() {
    let system = cart::System::new().unwrap();
    let wheel = cart::Wheel { turn: SO2::identity(), contact: Vector2::zeros() };
    let (position, attitude, loads) = (Vector3::zeros(), SO3::identity(), [Vector2::zeros(); 2]);
    let q = cart::Cart { position, attitude, loads, wheel };
    let v = system.zero_velocity();
    println!("{:?}", Simulation::of(&system).initial(q, v).step(0.1).end_time(1.0).run().unwrap().states.len());
}
