use lie_runtime::prelude::*;

#[mechanical_system]
mod crane {
    use lie_runtime::prelude::*;

    #[configuration]
    pub struct Crane {
        pub load: R3,
        pub wheel: SO2,
        pub joints: [f64; 2],
    }

    #[kinetic_energy]
    fn kinetic(v: &Velocity) -> f64 {
        0.5 * v.load.norm_squared()
    }
}

fn main() {}
