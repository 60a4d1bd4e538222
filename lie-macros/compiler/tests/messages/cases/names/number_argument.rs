use lie_runtime::prelude::*;

#[mechanical_system]
mod spring {
    use lie_runtime::prelude::*;

    #[configuration]
    pub struct Place {
        pub x: R3,
    }

    #[kinetic_energy]
    fn kinetic(v: &Velocity) -> f64 {
        0.5 * v.x.norm_squared()
    }

    #[potential]
    fn energy(stiffness: f64, q: &Place) -> f64 {
        0.5 * stiffness * q.x.norm_squared()
    }
}

#[mechanical_system]
mod chain {
    use lie_runtime::prelude::*;

    #[configuration]
    pub struct Places {
        pub x: Vec<R3>,
    }

    #[parameters]
    pub struct Data {
        pub mass: f64,
    }

    #[kinetic_energy(over = x)]
    fn kinetic(data: &Data, v: &Vector3<f64>) -> f64 {
        0.5 * data.mass * v.norm_squared()
    }

    #[potential(over = x)]
    fn energy(stiffness: f64, x: &R3) -> f64 {
        0.5 * stiffness * x.norm_squared()
    }
}

fn main() {}
