use lie_runtime::prelude::*;

#[mechanical_system]
mod pendulum {
    use lie_runtime::prelude::*;

    #[configuration]
    struct Angle {
        pub angle: SO2,
    }

    #[parameters]
    struct Bob {
        pub mass: f64,
    }

    #[kinetic_energy]
    fn kinetic(bob: &Bob, v: &Velocity) -> f64 {
        0.5 * bob.mass * v.angle * v.angle
    }
}

fn main() {
    let system = pendulum::System::new(pendulum::Bob { mass: 1.0 }).unwrap();
    let start = pendulum::Angle { angle: SO2::from_angle(0.1) };
    let _ = Simulation::of(&system).initial(start, Vector1::new(0.0));
}
