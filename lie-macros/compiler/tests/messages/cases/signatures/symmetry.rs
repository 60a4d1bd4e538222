use lie_runtime::prelude::*;

#[mechanical_system]
mod puck {
    use lie_runtime::prelude::*;

    #[configuration]
    pub struct Place {
        pub position: R2,
    }

    #[kinetic_energy]
    fn kinetic(v: &Velocity) -> f64 {
        0.5 * v.position.norm_squared()
    }

    #[symmetry]
    fn along(_q: &Place) -> Vector2<f64> {
        Vector2::x()
    }

    #[symmetry]
    fn about(q: &Place, v: &Velocity) -> Velocity {
        Velocity { position: v.position + q.position }
    }

    #[event]
    fn lands(q: &Place) -> bool {
        q.position.y < 0.0
    }
}

fn main() {}
