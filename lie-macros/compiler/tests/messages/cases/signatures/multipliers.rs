use lie_runtime::prelude::*;

#[mechanical_system]
mod bead {
    use lie_runtime::prelude::*;

    #[configuration]
    pub struct Place {
        pub x: R2,
    }

    #[kinetic_energy]
    fn kinetic(v: &Velocity) -> f64 {
        0.5 * v.x.norm_squared()
    }

    #[constraint]
    fn ring(q: &Place) -> f64 {
        q.x.norm_squared() - 1.0
    }

    #[force(on = x)]
    fn friction(v: &Velocity, lambda: &Multipliers) -> Vector2<f64> {
        -0.1 * lambda.ring.abs() * v.x
    }

    #[observable]
    fn pressure(lambda: &Multipliers) -> f64 {
        lambda.ring
    }
}

fn main() {}
