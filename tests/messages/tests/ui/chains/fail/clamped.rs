use lie_runtime::prelude::*;

#[mechanical_system]
mod rod {
    use lie_runtime::prelude::*;

    #[configuration]
    pub struct Rod {
        #[clamped]
        pub nodes: Vec<S3R3>,
        #[clamped(first)]
        pub hub: SE3,
        #[clamped(frist)]
        pub others: Vec<SE3>,
    }

    #[kinetic_energy(over = nodes)]
    fn kinetic(v: &Vector6<f64>) -> f64 {
        0.5 * v.dot(v)
    }

}

fn main() {
    let system = rod::System::new(rod::Lengths { nodes: 3, others: 2 }).unwrap();
    let _ = system.zero_velocity();
}
