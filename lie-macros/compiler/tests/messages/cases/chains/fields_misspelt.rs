use lie_runtime::prelude::*;

#[mechanical_system]
mod rod {
    use lie_runtime::prelude::*;

    #[configuration]
    pub struct Rod {
        pub nodes: Vec<S3R3>,
        pub cranks: Vec<SO2>,
        pub others: Vec<SO4>,
        pub quaternions: Vec<UnitQuaternion<f64>>,
        pub slice: [S3R3],
        #[clamp(first)]
        pub loose: Vec<R3>,
        #[clamped = first]
        pub tight: Vec<R3>,
        #[clamped(first, first)]
        pub twice: Vec<R3>,
    }

    #[kinetic_energy(over = nodes)]
    fn kinetic(v: &Vector6<f64>) -> f64 {
        0.5 * v.dot(v)
    }
}

fn main() {}
