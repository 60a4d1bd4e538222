//! Mechanisms that are no benchmarks: each uses constructs the others do not.

use lie_runtime::prelude::*;

/// Two bodies on a moving cart with springs, dampers, thrusters: powers of groups, quantities and their rates, forces of
/// every kind, time, helpers, constants, loops, conditions, opaque functions.
#[mechanical_system(derivative_check)]
pub mod contraption {
    use lie_runtime::prelude::*;

    const LINKS: usize = 2;
    const ANCHOR: Vector3<f64> = Vector3::new(0.1, -0.4, 0.25);
    const STIFFENING: f64 = 0.75;

    /// Everything that moves.
    #[configuration]
    pub struct Everything {
        /// The cart on its plane.
        pub cart: SE2,
        /// A flywheel.
        pub wheel: SO2,
        /// Two links.
        pub links: [SO3; LINKS],
        /// A free body.
        pub body: S3R3,
        /// Another one.
        pub drone: SE3,
        /// A slider.
        pub slider: R2,
    }

    /// Data.
    #[parameters]
    #[derive(Clone, Debug)]
    pub struct Data {
        /// Masses of cart, body and slider.
        pub masses: [f64; 3],
        /// Inertias of the links.
        pub inertias: [Vector3<f64>; 2],
        /// Inertia of the free bodies.
        pub inertia: Matrix3<f64>,
        /// Length.
        pub length: f64,
        /// Stiffness.
        pub stiffness: f64,
        /// Gravity.
        pub gravity: Vector3<f64>,
        /// A name.
        pub label: String,
    }

    /// The end of the chain of links.
    #[quantity]
    fn tip(data: &Data, q: &Everything) -> Vector3<f64> {
        let base = q.cart.rotation * Vector2::new(data.length, 0.5);
        let mut point = Vector3::new(base[0] + q.cart.translation.x, base.y + q.cart.translation[1], 0.2);
        for link in &q.links {
            point += *link * (data.length * Vector3::z() + ANCHOR);
        }
        point
    }

    /// A strain between the free bodies.
    #[quantity]
    fn strain(data: &Data, q: &Everything, t: f64) -> Vector6<f64> {
        let _ = data;
        let shift = SE3::exp(&Vector6::new(0.1, 0.2, 0.3 * t.sin(), 0.0, 0.1, 0.2));
        (q.drone.inverse() * shift).log()
    }

    fn twice(x: f64) -> f64 {
        x + x
    }

    fn half_square(m: f64, v: Vector3<f64>) -> f64 {
        twice(0.25 * m) * v.dot(&v)
    }

    #[kinetic_energy]
    fn kinetic(data: &Data, q: &Everything, v: &Velocity) -> f64 {
        let mut sum = 0.5 * data.masses[0] * v.cart.linear().norm_squared() + 0.05 * v.cart.angular().powi(2);
        sum += 0.5 * 0.3 * v.wheel * v.wheel;
        for i in 0..LINKS {
            sum += 0.5 * v.links[i].dot(&data.inertias[i].component_mul(&v.links[i]));
        }
        sum += half_square(data.masses[1], tip_rate(data, q, v));
        sum += 0.5 * v.body.angular().dot(&(data.inertia * v.body.angular()));
        sum += half_square(data.masses[1], v.body.linear() + v.body.angular().cross(&ANCHOR));
        sum += 0.5 * v.drone.angular().dot(&(data.inertia * v.drone.angular()));
        sum + half_square(data.masses[1], v.drone.linear())
    }

    #[kinetic_energy]
    fn sliding(data: &Data, t: f64, q: &Everything, v: &Velocity) -> f64 {
        let m = data.masses[2] * (1.0 + 0.1 * q.slider.x * q.slider.x);
        0.5 * m * (v.slider.x.powi(2) + v.slider.y.powi(2)) + 0.2 * t.cos() * q.slider.y * v.slider.x
    }

    #[potential]
    fn springs(data: &Data, q: &Everything) -> f64 {
        let stretch = (q.body.translation - q.drone.translation).norm();
        let relative = (q.body.rotation.inverse()).log();
        let angle = q.wheel.angle();
        let side = if stretch > 1.5 { STIFFENING * (stretch - 1.5).powi(3) } else { 0.0 };
        0.5 * data.stiffness * (stretch - 1.0).powi(2) + side + relative.dot(&relative) + angle.cos() * data.length
    }

    #[potential]
    fn weight(data: &Data, q: &Everything, t: f64) -> f64 {
        let rotation = q.links[0].inverse() * q.links[1];
        let matrix = rotation.matrix();
        -data.masses[1] * data.gravity.dot(&tip(data, q)) * (1.0 + 0.1 * (3.0 * t).sin()) + 0.3 * matrix[(0, 1)]
            - 0.2 * matrix.trace()
            + (rotation.log() * 0.5).norm_squared()
    }

    /// Any Rust: differentiated by dual numbers.
    #[opaque]
    fn bump<S: Scalar>(x: S, d: Vector3<S>) -> S {
        let mut sum = S::from_f64(0.0);
        let mut k = 0;
        while k < 3 {
            sum += d[k] * x * d[k];
            k += 1;
        }
        (sum + x * x).sqrt()
    }

    /// With a derivative written by hand.
    #[opaque(derivative = hill_slope)]
    fn hill<S: Scalar>(x: S) -> S {
        (-(x * x)).exp()
    }

    #[opaque]
    fn hill_slope<S: Scalar>(x: S) -> S {
        S::from_f64(-2.0) * x * (-(x * x)).exp()
    }

    #[potential]
    fn landscape(data: &Data, q: &Everything) -> f64 {
        bump(1.5 + q.slider.x.sin(), q.body.translation * data.length) + hill(q.slider.x * q.slider.y)
    }

    #[dissipation]
    fn damping(data: &Data, q: &Everything, v: &Velocity, t: f64) -> f64 {
        let rate = strain_rate(data, q, t, v);
        0.5 * rate.dot(&rate) + 0.1 * v.wheel.powi(4) + 0.2 * v.slider.norm_squared()
    }

    #[force(on = wheel)]
    fn motor(q: &Everything, v: &Velocity, t: f64) -> f64 {
        (2.0 * t).sin() - 0.1 * v.wheel * v.wheel.abs() + q.slider.x.atan2(2.0 + q.slider.y)
    }

    #[force(on = links)]
    fn torques(q: &Everything, v: &Velocity) -> SVector<f64, 6> {
        let turned = q.links[1].inverse() * ANCHOR;
        SVector::<f64, 6>::new(turned.x, turned.y, turned.z, -v.links[0].x, v.links[1].y.tanh(), 0.0)
    }

    #[force(at = tip)]
    fn wind(data: &Data, q: &Everything, v: &Velocity) -> Vector3<f64> {
        let rate = tip_rate(data, q, v);
        Vector3::new(0.3, 0.1, 0.0) - 0.2 * rate * (0.1 + rate.norm_squared()).sqrt()
    }

    #[force]
    fn everything(t: f64) -> SVector<f64, 24> {
        let mut all = SVector::<f64, 24>::zeros();
        all[3] = t;
        all[23] = 1.0 - t * t;
        all
    }

    #[constraint]
    fn driven(q: &Everything, t: f64) -> f64 {
        q.wheel.angle() - 0.5 * (1.0 - t.cos())
    }

    #[constraint]
    fn joint(data: &Data, q: &Everything) -> Vector3<f64> {
        q.body * ANCHOR - tip(data, q)
    }

    #[velocity_constraint]
    fn blade(q: &Everything, v: &Velocity, t: f64) -> Vector2<f64> {
        let across = v.cart.linear().y;
        Vector2::new(across - 0.1 * t, (1.0 + q.slider.x * q.slider.x) * v.slider.y + v.drone.linear().z)
    }
}

/// The contraption at rest, closed by the projection.
///
/// # Panics
/// Never: the data are good.
pub fn contraption_example() -> (contraption::System, contraption::Everything, SVector<f64, 24>) {
    use contraption::{Data, Everything, System};
    let system = System::new(Data {
        masses: [1.5, 0.7, 0.9],
        inertias: [Vector3::new(0.3, 0.4, 0.5), Vector3::new(0.2, 0.7, 0.6)],
        inertia: Matrix3::new(0.3, 0.02, -0.01, 0.02, 0.5, 0.03, -0.01, 0.03, 0.4),
        length: 0.8,
        stiffness: 3.0,
        gravity: Vector3::new(0.0, 0.3, -9.81),
        label: "contraption".to_owned(),
    });
    let start = Everything {
        cart: SE2::identity(),
        wheel: SO2::identity(),
        links: [SO3::identity(), SO3::identity()],
        body: S3R3 { rotation: S3::identity(), translation: Vector3::new(1.0, 0.2, 0.3) },
        drone: SE3 { rotation: SO3::identity(), translation: Vector3::new(-0.5, 1.2, 0.1) },
        slider: Vector2::new(0.4, -0.2),
    };
    (system.expect("good data"), start, SVector::zeros())
}
