use lie_runtime::prelude::*;

#[mechanical_system(redundant = drop)]
mod bead {
    use lie_runtime::prelude::*;

    #[configuration]
    pub struct Bead {
        pub place: R2,
    }

    #[kinetic_energy]
    fn kinetic(v: &Velocity) -> f64 {
        0.5 * v.place.norm_squared()
    }
}

fn main() {}
