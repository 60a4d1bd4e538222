use lie_runtime::prelude::*;

#[mechanical_system]
mod pair {
    use lie_runtime::prelude::*;

    pub struct Body {
        pub attitude: SO3,
        pub position: R3,
        /// A number is a coordinate.
        pub mass: f64,
    }

    #[configuration]
    pub struct Pair {
        pub upper: Body,
    }

    #[kinetic_energy]
    fn kinetic(v: &Velocity) -> f64 {
        0.5 * v.upper.attitude.norm_squared() + 0.5 * v.upper.position.norm_squared()
    }
}

#[mechanical_system]
mod row {
    use lie_runtime::prelude::*;

    pub struct Body {
        pub attitude: SO3,
        pub position: R3,
    }

    #[configuration]
    pub struct Row {
        pub bodies: Vec<Body>,
    }

    #[kinetic_energy(over = bodies)]
    fn kinetic(v: &BodyVelocity) -> f64 {
        0.5 * v.attitude.norm_squared()
    }
}

fn main() {}
