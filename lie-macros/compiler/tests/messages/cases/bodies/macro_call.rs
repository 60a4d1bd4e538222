use lie_runtime::prelude::*;

#[mechanical_system]
mod body {
    use lie_runtime::prelude::*;

    #[configuration]
    pub struct Pose {
        pub attitude: SO3,
        pub position: R3,
    }

    #[kinetic_energy]
    fn kinetic(v: &Velocity) -> f64 {
        0.5 * v.attitude.dot(&v.attitude) + 0.5 * v.position.dot(&v.position)
    }

    #[potential]
    fn height(q: &Pose) -> f64 {
        println!("{}", q.position.x);
        if q.position.x > 0.0 { 1.0 } else { unreachable!() }
    }
}

fn main() {}
