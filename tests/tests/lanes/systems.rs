//! A top with constraints and structured parameters, a pendulum with a stop, and a direction: systems whose lanes may take different
//! branches.

use lie_runtime::prelude::*;

/// The heavy top on SE(3), with its composition in a struct and a flag.
#[mechanical_system]
pub mod top {
    use lie_runtime::prelude::*;

    #[configuration]
    pub struct Body {
        pub pose: SE3,
    }

    pub struct Inertia {
        pub mass: f64,
        pub moments: Vector3<f64>,
    }

    #[parameters]
    pub struct Top {
        pub body: Inertia,
        pub center: [f64; 3],
        pub mounted: SO3,
        pub gravity: Vector3<f64>,
        pub is_damped: bool,
    }

    #[kinetic_energy]
    fn kinetic(top: &Top, v: &Velocity) -> f64 {
        let (angular, linear) = (v.pose.angular(), v.pose.linear());
        0.5 * top.body.mass * linear.dot(&linear) + 0.5 * angular.dot(&top.body.moments.component_mul(&angular))
    }

    #[potential]
    fn weight(top: &Top, q: &Body) -> f64 {
        -top.body.mass * top.gravity.dot(&(top.mounted * q.pose.translation))
    }

    #[dissipation]
    fn damping(top: &Top, v: &Velocity) -> f64 {
        let angular = v.pose.angular();
        if top.is_damped { 0.01 * angular.dot(&angular) } else { 0.0 }
    }

    #[constraint]
    fn fixed_point(top: &Top, q: &Body) -> Vector3<f64> {
        q.pose.rotation.inverse() * q.pose.translation - Vector3::new(top.center[0], top.center[1], top.center[2])
    }
}

/// A top that spins with `spin`.
pub fn top_of(mass: f64, is_damped: bool) -> top::System {
    let gravity = Vector3::new(0.0, 0.0, -9.81);
    let body = top::Inertia { mass, moments: Vector3::new(0.234_375, 0.468_75, 0.234_375) };
    let parameters = top::Top { body, center: [0.0, 1.0, 0.0], mounted: SO3::identity(), gravity, is_damped };
    top::System::new(parameters).expect("masses are positive")
}

/// Its start, tilted by an angle.
pub fn top_start(tilt: f64, spin: f64) -> (top::Body, Vector6<f64>) {
    let rotation = SO3::exp(&Vector3::new(tilt, 0.1, 0.0));
    let angular = Vector3::new(0.3, spin, -0.2);
    let linear = angular.cross(&Vector3::y());
    let q = top::Body { pose: SE3::new(rotation, rotation * Vector3::y()) };
    (q, Vector6::new(angular.x, angular.y, angular.z, linear.x, linear.y, linear.z))
}

/// A pendulum that a stiff spring stops on one side.
#[mechanical_system]
pub mod stopped {
    use lie_runtime::prelude::*;

    #[configuration]
    pub struct Angle {
        pub arm: SO2,
        pub direction: S2,
    }

    #[parameters]
    pub struct Data {
        pub stiffness: f64,
    }

    #[kinetic_energy]
    fn kinetic(v: &Velocity) -> f64 {
        0.5 * v.arm * v.arm + 0.5 * v.direction.norm_squared()
    }

    #[potential]
    fn stop(data: &Data, q: &Angle) -> f64 {
        let angle = q.arm.angle();
        let weight = -angle.cos() + q.direction.direction().z;
        if angle > 0.2 { weight + 0.5 * data.stiffness * (angle - 0.2) * (angle - 0.2) } else { weight }
    }
}

/// A ball in a viscous liquid before a wall at x = 0 whose force exceeds every number.
#[mechanical_system]
pub mod sunk {
    use lie_runtime::prelude::*;

    #[configuration]
    pub struct Ball {
        pub x: R1,
    }

    #[parameters]
    pub struct Data {
        pub damping: f64,
    }

    #[kinetic_energy]
    fn kinetic(v: &Velocity) -> f64 {
        0.5 * v.x.norm_squared()
    }

    #[potential]
    fn wall(q: &Ball) -> f64 {
        1e-3 * (-1e3 * q.x.x).exp()
    }

    #[dissipation]
    fn drag(data: &Data, v: &Velocity) -> f64 {
        0.5 * data.damping * v.x.norm_squared()
    }
}
