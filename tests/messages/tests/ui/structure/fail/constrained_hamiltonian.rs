//! A system with constraints has no Hamiltonian on T*G.

use lie_runtime::field::LegendreTransform;
use lie_runtime::prelude::*;

#[mechanical_system]
pub mod bead {
    use lie_runtime::prelude::*;

    #[configuration]
    pub struct Position {
        pub position: R3,
    }

    #[kinetic_energy]
    fn kinetic(v: &Velocity) -> f64 {
        0.5 * v.position.norm_squared()
    }

    #[constraint]
    fn on_a_sphere(q: &Position) -> f64 {
        q.position.norm() - 1.0
    }
}

fn momentum<H: LegendreTransform>(_: &H) {}

fn main() {
    momentum(&bead::System::new().unwrap());
}
