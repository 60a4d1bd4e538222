//! The heavy top with a fixed point: SO(3) × R³ with the constraint R X − x = 0.

#[mechanical_system]
pub mod heavy_top {
    #[configuration]
    pub struct Pose {
        pub attitude: SO3,
        pub position: R3,
    }

    #[parameters]
    pub struct HeavyTop {
        /// The mass [kg].
        pub mass: f64,
        /// Inertia about the centre of mass [kg m²].
        pub inertia: Matrix3<f64>,
        pub center_of_mass: Vector3<f64>,
        pub gravity: Vector3<f64>,
    }

    #[kinetic_energy]
    fn kinetic(top: &HeavyTop, v: &Velocity) -> f64 {
        0.5 * top.mass * v.position.norm_squared() + 0.5 * v.attitude.dot(&(top.inertia * v.attitude))
    }

    #[potential]
    fn weight(top: &HeavyTop, q: &Pose) -> f64 {
        -top.mass * top.gravity.dot(&q.position)
    }

    #[constraint]
    fn pivot(top: &HeavyTop, q: &Pose) -> Vector3<f64> {
        q.attitude * top.center_of_mass - q.position
    }

    #[observable]
    fn height(q: &Pose) -> f64 {
        q.position.z
    }

    #[event]
    fn level(q: &Pose) -> f64 {
        q.position.y
    }
}
