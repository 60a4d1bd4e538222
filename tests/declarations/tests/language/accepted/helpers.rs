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
    fn energy(q: &Pose) -> f64 {
        let (a, b) = parts(q);
        let [x, y] = [a, b];
        double(x) + double(double(y)) + height(q)
    }

    fn double(x: f64) -> f64 {
        x + x
    }

    fn parts(q: &Pose) -> (f64, f64) {
        let along = direction(&q.attitude);
        (along.dot(&q.position), along.z)
    }

    fn direction(rotation: &SO3) -> Vector3<f64> {
        *rotation * Vector3::z()
    }

    fn height(q: &Pose) -> f64 {
        q.position.z
    }
}
