use lie_runtime::prelude::*;

#[mechanical_system]
mod top {
    use lie_runtime::prelude::*;

    const N: usize = 1 + 1;

    #[configuration]
    pub struct Pose {
        pub attitude: lie_runtime::group::SO3,
        pub frames: [SO3; N],
        pub position: Rn<N>,
        pub unit: S3<f64>,
    }

    #[kinetic_energy]
    fn kinetic(v: &Velocity) -> f64 {
        let mut sum = v.attitude.dot(&v.attitude) + v.position.dot(&v.position) + v.unit.dot(&v.unit);
        for i in 0..N {
            sum += v.frames[i].dot(&v.frames[i]);
        }
        sum
    }
}
