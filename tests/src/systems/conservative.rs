//! Conservative systems, which have a Hamiltonian on T*G.

use lie_runtime::prelude::*;

/// A heavy top about its fixed point.
#[mechanical_system(derivative_check)]
pub mod top {
    use lie_runtime::prelude::*;

    /// The attitude.
    #[configuration]
    pub struct Attitude {
        /// Body to space.
        pub attitude: SO3,
    }

    /// Data.
    #[parameters]
    pub struct Top {
        /// About the fixed point.
        pub inertia: Matrix3<f64>,
        /// The weight in space, times the distance of the centre of mass.
        pub weight: Vector3<f64>,
        /// The direction of the centre of mass in the body.
        pub axis: Vector3<f64>,
    }

    #[kinetic_energy]
    fn kinetic(top: &Top, v: &Velocity) -> f64 {
        0.5 * v.attitude.dot(&(top.inertia * v.attitude))
    }

    #[potential]
    fn weight(top: &Top, q: &Attitude) -> f64 {
        top.weight.dot(&(q.attitude * top.axis))
    }
}

/// A body whose origin is not its centre of mass, held by a spring in translation and rotation.
#[mechanical_system(derivative_check)]
pub mod held_body {
    use lie_runtime::prelude::*;

    /// The body.
    #[configuration]
    pub struct Body {
        /// Body to space.
        pub pose: SE3,
    }

    /// Data.
    #[parameters]
    pub struct Data {
        /// The mass.
        pub mass: f64,
        /// About the centre of mass.
        pub inertia: Matrix3<f64>,
        /// The centre of mass in the body.
        pub center: Vector3<f64>,
        /// Of the springs.
        pub stiffness: f64,
        /// In space.
        pub gravity: Vector3<f64>,
    }

    #[kinetic_energy]
    fn kinetic(data: &Data, v: &Velocity) -> f64 {
        let omega = v.pose.angular();
        let center = v.pose.linear() + omega.cross(&data.center);
        0.5 * data.mass * center.norm_squared() + 0.5 * omega.dot(&(data.inertia * omega))
    }

    #[potential]
    fn weight(data: &Data, q: &Body) -> f64 {
        -data.mass * data.gravity.dot(&(q.pose * data.center))
    }

    #[potential]
    fn springs(data: &Data, q: &Body) -> f64 {
        let turn = q.pose.rotation.log();
        0.5 * data.stiffness * (q.pose.translation.norm_squared() + turn.norm_squared())
    }
}

/// Two links in a vertical plane by their angles with the vertical: the inertia couples them and depends on q.
#[mechanical_system(derivative_check)]
pub mod double_pendulum {
    use lie_runtime::prelude::*;

    /// The links.
    #[configuration]
    pub struct Links {
        /// The one that hangs on the fixed point.
        pub upper: SO2,
        /// The one that hangs on it.
        pub lower: SO2,
    }

    /// Data.
    #[parameters]
    pub struct Pendulum {
        /// The masses at the ends.
        pub masses: Vector2<f64>,
        /// The lengths.
        pub lengths: Vector2<f64>,
        /// Gravity.
        pub gravity: f64,
    }

    /// The end of the first link.
    #[quantity]
    fn elbow(data: &Pendulum, q: &Links) -> Vector2<f64> {
        q.upper * Vector2::new(0.0, -data.lengths.x)
    }

    /// The end of the second link.
    #[quantity]
    fn tip(data: &Pendulum, q: &Links) -> Vector2<f64> {
        elbow(data, q) + q.lower * Vector2::new(0.0, -data.lengths.y)
    }

    #[kinetic_energy]
    fn kinetic(data: &Pendulum, q: &Links, v: &Velocity) -> f64 {
        0.5 * data.masses.x * elbow_rate(data, q, v).norm_squared()
            + 0.5 * data.masses.y * tip_rate(data, q, v).norm_squared()
    }

    #[potential]
    fn weight(data: &Pendulum, q: &Links) -> f64 {
        data.gravity * (data.masses.x * elbow(data, q).y + data.masses.y * tip(data, q).y)
    }
}

/// A member of every group, a power among them; the inertia depends on q, and T has terms of first and zeroth degree.
#[mechanical_system(derivative_check)]
pub mod assembly {
    use lie_runtime::prelude::*;

    /// Everything that moves.
    #[configuration]
    pub struct Members {
        /// A cart on its plane.
        pub cart: SE2,
        /// Links on it.
        pub links: [SO3; 2],
        /// A flywheel.
        pub wheel: SO2,
        /// A free body.
        pub body: S3R3,
        /// Another one.
        pub drone: SE3,
        /// A gyroscope.
        pub gyroscope: S3,
        /// A slider.
        pub slider: R2,
    }

    /// Data.
    #[parameters]
    pub struct Data {
        /// Of cart, links, bodies.
        pub masses: Vector3<f64>,
        /// Of every body.
        pub inertia: Matrix3<f64>,
        /// Of the links.
        pub length: f64,
        /// Of terms that are linear in the velocity.
        pub field: Vector3<f64>,
    }

    /// The end of the links.
    #[quantity]
    fn tip(data: &Data, q: &Members) -> Vector3<f64> {
        let base = q.cart * Vector2::new(0.3, 0.1);
        let arm = q.links[0] * (q.links[1] * Vector3::new(0.0, 0.2, data.length) + Vector3::new(0.1, 0.0, data.length));
        Vector3::new(base.x, base.y, 0.0) + arm
    }

    #[kinetic_energy]
    fn bodies(data: &Data, v: &Velocity) -> f64 {
        let mut sum = 0.5 * data.masses.x * v.cart.linear().norm_squared() + 0.2 * v.cart.angular().powi(2);
        for link in &v.links {
            sum += 0.5 * link.dot(&(data.inertia * link));
        }
        sum += 0.5 * v.body.angular().dot(&(data.inertia * v.body.angular()));
        sum += 0.5
            * data.masses.z
            * (v.body.linear() + v.body.angular().cross(&Vector3::new(0.1, -0.2, 0.3))).norm_squared();
        sum += 0.5 * v.drone.angular().dot(&(data.inertia * v.drone.angular()));
        sum += 0.5 * data.masses.z * v.drone.linear().norm_squared();
        sum + 0.5 * v.gyroscope.dot(&(data.inertia * v.gyroscope)) + 0.3 * v.wheel.powi(2)
    }

    #[kinetic_energy]
    fn end(data: &Data, q: &Members, v: &Velocity) -> f64 {
        0.5 * data.masses.y * tip_rate(data, q, v).norm_squared()
    }

    /// Seen from a frame that moves: terms of second, first and zeroth degree.
    #[kinetic_energy]
    fn sliding(data: &Data, q: &Members, v: &Velocity) -> f64 {
        let carried = (q.gyroscope * data.field).xy() + Vector2::new(-q.slider.y, q.slider.x);
        0.5 * data.masses.x * (1.0 + 0.1 * q.slider.x.powi(2)) * (v.slider + carried).norm_squared()
    }

    #[kinetic_energy]
    fn gyroscopic(data: &Data, q: &Members, v: &Velocity) -> f64 {
        (q.drone.rotation * v.drone.linear()).dot(&q.drone.translation.cross(&data.field))
            + data.field.x * q.slider.x * v.wheel
    }

    #[potential]
    fn springs(data: &Data, q: &Members) -> f64 {
        let turn = (q.links[0].inverse() * q.links[1]).log();
        let stretch = (q.body.translation - q.drone.translation).norm() - 1.0;
        0.5 * stretch.powi(2)
            + turn.norm_squared()
            + q.wheel.angle().cos() * data.length
            + 0.5 * (q.cart.translation - q.slider).norm_squared()
    }

    #[potential]
    fn weight(data: &Data, q: &Members) -> f64 {
        9.81 * (data.masses.y * tip(data, q).z + data.masses.z * (q.gyroscope * data.field).z)
    }
}

/// A particle whose mass vanishes where x = 0.
#[mechanical_system(derivative_check)]
pub mod vanishing_mass {
    use lie_runtime::prelude::*;

    /// The particle.
    #[configuration]
    pub struct Position {
        /// Its place.
        pub position: R2,
    }

    #[kinetic_energy]
    fn kinetic(q: &Position, v: &Velocity) -> f64 {
        0.5 * q.position.x * v.position.x.powi(2) + 0.5 * v.position.y.powi(2)
    }
}
