//! Every group of placements in one system: their common interface, elements as parameters, exp, log, products, inverses.

use lie_runtime::prelude::*;

/// Bodies that are placed by different groups.
#[mechanical_system(derivative_check)]
pub mod bodies {
    use lie_runtime::prelude::*;

    /// A body for each group.
    #[configuration]
    pub struct Bodies {
        /// By a dual quaternion.
        pub ship: DQ,
        /// By a matrix and a position.
        pub load: SO3xR3,
        /// By quaternions and positions.
        pub pair: [S3xR3; 2],
        /// In the plane.
        pub cart: SE2,
    }

    /// Data of the bodies.
    #[parameters]
    pub struct Data {
        /// Of inertia, of each body in space.
        pub inertia: Matrix3<f64>,
        /// The centre of mass in each body.
        pub point: Vector3<f64>,
        /// Where the ship rests.
        pub place: DQ,
        /// What the load is compared with.
        pub other: SO3xR3,
    }

    #[kinetic_energy]
    fn kinetic(data: &Data, q: &Bodies, v: &Velocity) -> f64 {
        let velocities = [
            q.ship.point_velocity(&v.ship, &data.point),
            q.load.point_velocity(&v.load, &data.point),
            q.pair[0].point_velocity(&v.pair[0], &data.point),
            q.pair[1].body_point_velocity(&v.pair[1], &data.point),
        ];
        let mut sum = 0.0;
        for velocity in velocities {
            sum += 0.5 * velocity.norm_squared();
        }
        for angular in [v.ship.angular(), v.load.angular(), v.pair[0].angular(), v.pair[1].angular()] {
            sum += 0.5 * angular.dot(&(data.inertia * angular));
        }
        let planar = q.cart.point_velocity(&v.cart, &Vector2::new(0.3, 0.2));
        sum + 0.5 * planar.norm_squared() + 0.1 * v.cart.angular() * v.cart.angular()
    }

    #[potential]
    fn springs(data: &Data, q: &Bodies) -> f64 {
        let twist = (data.place.inverse() * q.ship).log();
        let direct = (q.load.inverse() * data.other * q.load).log();
        let apart = q.ship * data.point - q.pair[0] * data.point + (q.pair[1] * q.pair[0]) * data.point;
        let shifted = DQ::new(q.pair[0].rotation(), q.ship.position()) * data.point;
        let built = SO3xR3::exp(&(0.1 * direct)).position();
        let cart = q.cart.rotation() * q.cart.position();
        0.5 * twist.norm_squared() + 0.3 * direct.norm_squared() + apart.norm_squared() + shifted.x + built.y + cart.y
    }

    #[constraint]
    fn moored(data: &Data, q: &Bodies) -> Vector3<f64> {
        q.ship.rotation().inverse() * (q.load * data.point - q.ship.position())
    }
}

/// The bodies somewhere.
///
/// # Panics
/// Never: the data are good.
pub fn somewhere() -> (bodies::System, bodies::Bodies) {
    let system = bodies::System::new(bodies::Data {
        inertia: Matrix3::new(0.3, 0.02, -0.01, 0.02, 0.5, 0.03, -0.01, 0.03, 0.4),
        point: Vector3::new(0.1, 0.7, -0.4),
        place: DQ::exp(&Vector6::new(0.1, 0.2, 0.3, 0.4, 0.5, 0.6)),
        other: SO3xR3::exp(&Vector6::new(-0.1, 0.2, 0.3, 0.4, 0.5, 0.6)),
    })
    .expect("the data are good");
    let start = bodies::Bodies {
        ship: DQ::exp(&Vector6::new(0.3, -0.2, 0.5, 1.0, 0.2, 0.1)),
        load: SO3xR3::exp(&Vector6::new(0.7, -0.2, 0.1, 1.0, 0.2, 0.1)),
        pair: [
            S3xR3::exp(&Vector6::new(0.2, 0.2, 0.1, 1.0, 0.2, 0.1)),
            S3xR3::exp(&Vector6::new(0.7, -0.8, 0.1, 1.0, 0.2, 0.1)),
        ],
        cart: SE2::exp(&Vector3::new(0.3, 0.1, 0.2)),
    };
    (system, start)
}
