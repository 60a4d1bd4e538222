use lie_runtime::prelude::*;

#[mechanical_system]
mod spring {
    use lie_runtime::prelude::*;
    use lie_runtime::roles as r;

    #[configuration]
    pub struct Place {
        pub x: R3,
    }

    #[kinetic_energy]
    fn kinetic(v: &Velocity) -> f64 {
        0.5 * v.x.norm_squared()
    }

    #[r::potential]
    fn energy(q: &Place) -> f64 {
        q.x.norm_squared()
    }
}

fn main() {}
