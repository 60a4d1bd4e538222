use lie_runtime::prelude::*;

const STIFFNESS: f64 = 2.0;

fn area(x: f64) -> f64 {
    x * x
}

mod other {
    pub struct Vector3;

    impl Vector3 {
        pub fn new(x: f64) -> f64 {
            x
        }
    }
}

#[mechanical_system]
mod spring {
    use lie_runtime::prelude::*;

    use super::STIFFNESS;
    use crate::other::Vector3 as Own;

    #[configuration]
    pub struct Place {
        pub x: R3,
    }

    #[kinetic_energy]
    fn kinetic(v: &Velocity) -> f64 {
        0.5 * v.x.norm_squared()
    }

    #[potential]
    fn constants(q: &Place) -> f64 {
        STIFFNESS * q.x.x
    }

    #[potential]
    fn functions(q: &Place) -> f64 {
        super::area(q.x.y)
    }

    #[potential]
    fn types(q: &Place) -> f64 {
        Own::new(q.x.z)
    }

    #[potential]
    fn traits(q: &Place) -> f64 {
        <f64 as Scalar>::sin(q.x.z)
    }
}

fn main() {}
