use lie_runtime::prelude::*;

#[mechanical_system]
mod pair {
    use lie_runtime::prelude::*;

    pub struct Body<T> {
        pub attitude: T,
    }

    pub struct Limb {
        pub attitude: SO3,
        pub outer: Limb,
    }

    pub struct Plain {
        pub attitude: SO3,
    }

    #[configuration]
    pub struct Pair {
        pub upper: Body<SO3>,
        pub lower: Vec<Plain<f32>>,
        pub limb: Limb,
    }

    #[kinetic_energy]
    fn kinetic(v: &Velocity) -> f64 {
        0.5 * v.upper.attitude.norm_squared()
    }
}

fn main() {}
