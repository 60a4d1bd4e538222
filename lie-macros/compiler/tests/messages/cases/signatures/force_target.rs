use lie_runtime::prelude::*;

#[mechanical_system]
mod top {
    use lie_runtime::prelude::*;

    #[configuration]
    pub struct Pose {
        pub attitude: SO3,
        pub position: R3,
    }

    #[parameters]
    pub struct HeavyTop {
        pub mass: f64,
        pub gravity: Vector3<f64>,
    }

    #[kinetic_energy]
    fn kinetic(v: &Velocity) -> f64 {
        0.5 * v.attitude.dot(&v.attitude) + 0.5 * v.position.dot(&v.position)
    }

    #[quantity]
    fn tip(q: &Pose) -> Vector3<f64> {
        q.position
    }

    #[force(on = atitude)]
    fn one(top: &HeavyTop) -> Vector3<f64> {
        top.gravity
    }

    #[force(at = top)]
    fn two(top: &HeavyTop) -> Vector3<f64> {
        top.gravity
    }

    #[force(on = tip)]
    fn three(top: &HeavyTop) -> Vector3<f64> {
        top.gravity
    }

    #[force(on = position, at = tip)]
    fn four(top: &HeavyTop) -> Vector3<f64> {
        top.gravity
    }

    #[force(onto = position)]
    fn five(top: &HeavyTop) -> Vector6<f64> {
        Vector6::zeros() * top.mass
    }
}

fn main() {}
