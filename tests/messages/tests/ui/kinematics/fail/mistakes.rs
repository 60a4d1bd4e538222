use lie_runtime::prelude::*;

#[mechanical_system]
mod no_chain {
    use lie_runtime::prelude::*;

    #[configuration]
    pub struct Pendulum {
        pub links: Vec<S2>,
        pub hub: SO2,
    }

    #[kinematics(over = links.first())]
    fn mass(above: &R3, link: &S2) -> R3 {
        above + link.direction()
    }

    #[kinetic_energy(over = links)]
    fn kinetic(v: &Vector3<f64>) -> f64 {
        0.5 * v.norm_squared()
    }

    #[kinetic_energy]
    fn turning(v: &Velocity) -> f64 {
        0.5 * v.hub * v.hub
    }
}

#[mechanical_system]
mod without_over {
    use lie_runtime::prelude::*;

    #[configuration]
    pub struct Pendulum {
        pub links: Vec<S2>,
    }

    #[kinematics]
    fn mass(above: &R3, link: &S2) -> R3 {
        above + link.direction()
    }

    #[kinetic_energy(over = links)]
    fn kinetic(v: &Vector3<f64>) -> f64 {
        0.5 * v.norm_squared()
    }
}

#[mechanical_system]
mod arguments {
    use lie_runtime::prelude::*;

    #[configuration]
    pub struct Pendulum {
        pub links: Vec<S2>,
    }

    #[kinematics(over = links)]
    fn mass(link: &S2, above: &R3) -> R3 {
        above + link.direction()
    }

    #[kinetic_energy(over = links)]
    fn kinetic(v: &Vector3<f64>) -> f64 {
        0.5 * v.norm_squared()
    }
}

#[mechanical_system]
mod frames_of_a_sphere {
    use lie_runtime::prelude::*;

    #[configuration]
    pub struct Pendulum {
        pub links: Vec<S2>,
    }

    #[kinematics(over = links)]
    fn mass(_above: &S2, link: &S2) -> S2 {
        *link
    }

    #[kinetic_energy(over = links)]
    fn kinetic(v: &Vector3<f64>) -> f64 {
        0.5 * v.norm_squared()
    }
}

#[mechanical_system]
mod the_name_of_a_member {
    use lie_runtime::prelude::*;

    #[configuration]
    pub struct Pendulum {
        pub links: Vec<S2>,
    }

    #[kinematics(over = links)]
    fn links(above: &R3, link: &S2) -> R3 {
        above + link.direction()
    }

    #[kinetic_energy(over = links)]
    fn kinetic(v: &Vector3<f64>) -> f64 {
        0.5 * v.norm_squared()
    }
}

#[mechanical_system]
mod two_of_them {
    use lie_runtime::prelude::*;

    #[configuration]
    pub struct Pendulum {
        pub links: Vec<S2>,
    }

    #[kinematics(over = links)]
    fn mass(above: &R3, link: &S2) -> R3 {
        above + link.direction()
    }

    #[kinematics(over = links)]
    fn middle(above: &R3, link: &S2) -> R3 {
        above + link.direction() * 0.5
    }

    #[kinetic_energy(over = mass)]
    fn kinetic(v: &Vector3<f64>) -> f64 {
        0.5 * v.norm_squared()
    }
}

fn main() {}
