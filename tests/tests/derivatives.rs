//! Generated kernels against dual numbers on the declared functions.
use lie_runtime::prelude::*;
use lie_runtime::system::{CheckPoint, derivative_check};

/// The heavy top on SO(3) × R³.
#[mechanical_system(derivative_check)]
pub mod heavy_top {
    use lie_runtime::prelude::*;

    #[configuration]
    pub struct Pose {
        pub attitude: SO3,
        pub position: R3,
    }

    #[parameters]
    pub struct HeavyTop {
        pub mass: f64,
        pub inertia: Vector3<f64>,
        pub center_of_mass: Vector3<f64>,
        pub gravity: Vector3<f64>,
    }

    #[kinetic_energy]
    fn kinetic(top: &HeavyTop, v: &Velocity) -> f64 {
        0.5 * (top.mass * v.position.dot(&v.position) + v.attitude.dot(&top.inertia.component_mul(&v.attitude)))
    }

    #[potential]
    fn gravity(top: &HeavyTop, q: &Pose) -> f64 {
        -top.mass * top.gravity.dot(&q.position)
    }

    #[constraint]
    fn fixed_point(top: &HeavyTop, q: &Pose) -> Vector3<f64> {
        q.attitude.inverse() * q.position - top.center_of_mass
    }

    #[observable]
    fn position(q: &Pose) -> Vector3<f64> {
        q.position
    }
}

#[test]
fn heavy_top_agrees_with_dual_numbers() {
    use heavy_top::{HeavyTop, Pose, System};
    let system = System::new(HeavyTop {
        mass: 15.0,
        inertia: Vector3::new(0.2, 0.4, 0.25),
        center_of_mass: Vector3::new(0.1, 1.0, -0.3),
        gravity: Vector3::new(0.1, 0.0, -9.81),
    })
    .unwrap();
    let q = Pose { attitude: SO3::exp(&Vector3::new(0.3, -0.7, 1.1)), position: Vector3::new(0.4, 0.2, -0.9) };
    let v = SVector::<f64, 6>::from_fn(|i, _| 0.3 * i as f64 - 0.7);
    let a = SVector::<f64, 6>::from_fn(|i, _| 0.9 - 0.5 * i as f64);
    let multipliers = Vector3::new(0.4, 1.4, -0.3);
    let report = derivative_check(&system, CheckPoint { t: 0.3, q: &q, v: &v, acceleration: &a, multipliers: &multipliers });
    println!("{report:#?}");
    for entry in report {
        assert!(entry.deviation < 1e-13, "{}: {}", entry.kernel, entry.deviation);
    }
    println!("{:#?}", system.description());
}
