use lie_runtime::integrator::Rattlie;
use lie_runtime::prelude::*;

#[mechanical_system]
pub mod pendulum {
    use lie_runtime::prelude::*;

    #[configuration]
    pub struct Pendulum {
        pub links: Vec<S2>,
    }

    #[kinematics(over = links)]
    fn mass(above: &R3, link: &S2) -> R3 {
        above + link.direction()
    }

    #[kinetic_energy(over = mass)]
    fn kinetic(v: &Vector3<f64>) -> f64 {
        0.5 * v.norm_squared()
    }
}

fn main() {
    let system = pendulum::System::new(pendulum::Lengths { links: 2 }).unwrap();
    let links = vec![S2::new_unchecked(Vector3::x()); 2];
    let rest = system.zero_velocity();
    let _ = Simulation::of(&system).starting_at(pendulum::Pendulum { links }, rest).with(Rattlie::new());
}
