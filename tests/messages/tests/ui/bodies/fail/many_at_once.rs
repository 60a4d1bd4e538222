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
        let a = q.position.x.sine();
        let b = q.position + 1.0;
        let c = match b {
            _ => a,
        };
        for i in 0..3 {
            helper(q.position[i]);
        }
        c + 1 / 2
    }

    #[potential]
    fn other(q: &Pose) -> f64 {
        q.attitude + q.attitude
    }

    #[potential]
    fn third(q: &Pose) -> f64 {
        if q.position.x > 0.0 { 1.0 }
    }
}

fn main() {}
