use lie_runtime::prelude::*;

#[mechanical_system]
mod spring {
    use lie_runtime::prelude::*;

    const NAME: &str = "spring";
    const STIFFNESS: f64 = NAME.len() as f64;
    const SINGLE: f32 = 0.1;

    #[configuration]
    pub struct Place {
        pub x: R3,
    }

    #[kinetic_energy]
    fn kinetic(v: &Velocity) -> f64 {
        0.5 * v.x.norm_squared()
    }

    #[potential]
    fn energy(q: &Place) -> f64 {
        STIFFNESS * q.x.norm_squared()
    }

    #[potential]
    fn again(q: &Place) -> f64 {
        STIFFNESS * q.x.x
    }

    #[potential]
    fn single(q: &Place) -> f64 {
        f64::from(SINGLE) * q.x.x
    }
}

fn main() {}
