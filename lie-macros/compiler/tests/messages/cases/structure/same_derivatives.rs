use lie_runtime::prelude::*;

#[mechanical_system]
mod bead {
    use lie_runtime::prelude::*;

    #[configuration]
    pub struct Bead {
        pub place: R3,
    }

    #[kinetic_energy]
    fn kinetic(v: &Velocity) -> f64 {
        0.5 * v.place.norm_squared()
    }

    #[constraint]
    fn wall(q: &Bead) -> Vector2<f64> {
        Vector2::new(q.place.y, q.place.x)
    }

    #[constraint]
    fn hand(q: &Bead, t: f64) -> f64 {
        q.place.x - 0.1 * t
    }
}

fn main() {}
