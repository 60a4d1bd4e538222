use lie_runtime::prelude::*;

#[mechanical_system]
mod pendulum {
    use lie_runtime::prelude::*;

    #[configuration]
    pub struct Link {
        pub link: TS2,
    }

    #[kinetic_energy]
    fn kinetic(v: &Velocity) -> f64 {
        0.5 * v.link.norm_squared()
    }
}

#[mechanical_system]
mod spinning {
    use lie_runtime::prelude::*;

    #[configuration]
    pub struct Link {
        pub link: S2,
    }

    #[kinetic_energy]
    fn kinetic(v: &Velocity) -> f64 {
        0.5 * v.link.norm_squared()
    }

    #[potential]
    fn weight(q: &Link) -> f64 {
        (q.link * 2.0).z
    }
}

fn main() {}
