use lie_runtime::prelude::*;

#[mechanical_system]
mod pair {
    use lie_runtime::prelude::*;

    #[parameters]
    pub struct Body {
        pub mass: f64,
    }

    #[configuration]
    pub struct Pair {
        pub upper: Body,
        pub lower: SO3,
    }

    #[kinetic_energy]
    fn kinetic(body: &Body, v: &Velocity) -> f64 {
        0.5 * body.mass * v.lower.norm_squared()
    }
}

#[mechanical_system]
mod marked {
    use lie_runtime::prelude::*;

    #[configuration]
    pub struct Body {
        pub attitude: SO3,
    }

    #[configuration]
    pub struct Pair {
        pub upper: Body,
        pub lower: Body,
    }

    #[kinetic_energy]
    fn kinetic(v: &Velocity) -> f64 {
        0.5 * v.upper.attitude.norm_squared()
    }
}

fn main() {}
