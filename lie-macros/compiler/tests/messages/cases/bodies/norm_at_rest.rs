use lie_runtime::prelude::*;

#[mechanical_system]
mod body {
    use lie_runtime::prelude::*;

    #[configuration]
    pub struct Pose {
        pub attitude: SO3,
        pub position: R3,
    }

    #[kinetic_energy]
    fn kinetic(v: &Velocity) -> f64 {
        0.5 * v.attitude.dot(&v.attitude) + 0.5 * v.position.dot(&v.position)
    }

    #[dissipation]
    fn dry(v: &Velocity) -> f64 {
        0.3 * v.position.norm() + (v.attitude.dot(&v.attitude)).sqrt()
    }

    #[dissipation]
    fn wet(v: &Velocity) -> f64 {
        0.3 * v.position.norm().powi(3)
    }
}

fn main() {}
