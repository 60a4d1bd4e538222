use lie_runtime::prelude::*;

#[mechanical_system]
pub mod pair {
    use lie_runtime::prelude::*;

    struct Body {
        pub attitude: SO3,
    }

    pub struct Wheel {
        pub angle: SO2,
    }

    pub struct WheelVelocity {
        pub angle: f64,
    }

    #[configuration]
    pub struct Pair {
        pub upper: Body,
        pub wheels: Vec<Wheel>,
    }

    #[kinetic_energy(over = wheels)]
    fn kinetic(v: &WheelVelocity) -> f64 {
        0.5 * v.angle * v.angle
    }
}

fn main() {}
