//! The benchmark bicycle of J. P. Meijaard, J. M. Papadopoulos, A. Ruina, A. L. Schwab (Proc. R. Soc. A 463, 2007) and of the IFToMM
//! library: four bodies, three hinges, two wheels that roll.

use lie_runtime::prelude::*;

macro_rules! bicycle {
    ($name:ident, $rotation:ident, $start:ident) => {
        /// The bicycle, with this kind of rotation.
        #[mechanical_system]
        pub mod $name {
            use lie_runtime::prelude::*;

            /// x forward, y to the right, z down.
            #[configuration]
            pub struct Pose {
                /// Attitude of the rear frame.
                pub attitude: $rotation,
                /// Position of the centre of the rear wheel.
                pub position: R3,
                /// Angle about the steering axis.
                pub steer: f64,
                /// Rotation angle of the rear wheel.
                pub rear_spin: f64,
                /// Rotation angle of the front wheel.
                pub front_spin: f64,
            }

            const REAR_RADIUS: f64 = 0.3;
            const FRONT_RADIUS: f64 = 0.35;

            /// From the centre of the rear wheel, as it stands upright.
            fn from_rear(x: f64, z: f64) -> Vector3<f64> {
                Vector3::new(x, 0.0, z + REAR_RADIUS)
            }

            /// The steering axis, tilted by π/10; it meets the ground 0.08 before the front wheel.
            fn axis() -> Vector3<f64> {
                Vector3::new(0.309_016_994_374_947_45, 0.0, 0.951_056_516_295_153_5)
            }
            fn head() -> Vector3<f64> {
                from_rear(1.1, 0.0)
            }

            fn fork(q: &Pose) -> $rotation {
                q.attitude * $rotation::exp(&(q.steer * axis()))
            }
            fn on_fork(q: &Pose, x: f64, z: f64) -> Vector3<f64> {
                q.position + q.attitude * head() + fork(q) * (from_rear(x, z) - head())
            }

            /// The centre of mass of frame and rider.
            #[quantity]
            pub fn rider(q: &Pose) -> Vector3<f64> {
                q.position + q.attitude * from_rear(0.3, -0.9)
            }
            /// Inertia of the handlebar and fork.
            #[quantity]
            pub fn handlebar(q: &Pose) -> Vector3<f64> {
                on_fork(q, 0.9, -0.7)
            }
            /// The centre of the front wheel.
            #[quantity]
            pub fn front(q: &Pose) -> Vector3<f64> {
                on_fork(q, 1.02, -FRONT_RADIUS)
            }

            /// The body-fixed angular velocity of the fork.
            fn fork_rate(q: &Pose, v: &Velocity) -> Vector3<f64> {
                $rotation::exp(&(q.steer * axis())).inverse() * v.attitude + v.steer * axis()
            }

            #[kinetic_energy]
            fn kinetic(q: &Pose, v: &Velocity) -> f64 {
                let frame = Matrix3::new(9.2, 0.0, 2.4, 0.0, 11.0, 0.0, 2.4, 0.0, 2.8);
                let bar = Matrix3::new(0.05892, 0.0, -0.00756, 0.0, 0.06, 0.0, -0.00756, 0.0, 0.00708);
                let turn = fork_rate(q, v);
                let rear_turn = v.attitude + v.rear_spin * Vector3::y();
                let front_turn = turn + v.front_spin * Vector3::y();
                let moving = 85.0 * rider_rate(q, v).norm_squared()
                    + 2.0 * v.position.norm_squared()
                    + 4.0 * handlebar_rate(q, v).norm_squared()
                    + 3.0 * front_rate(q, v).norm_squared();
                let turning = v.attitude.dot(&(frame * v.attitude))
                    + rear_turn.dot(&Vector3::new(0.0603, 0.12, 0.0603).component_mul(&rear_turn))
                    + turn.dot(&(bar * turn))
                    + front_turn.dot(&Vector3::new(0.1405, 0.28, 0.1405).component_mul(&front_turn));
                0.5 * (moving + turning)
            }

            #[potential]
            fn weight(q: &Pose) -> f64 {
                -9.81 * (85.0 * rider(q).z + 2.0 * q.position.z + 4.0 * handlebar(q).z + 3.0 * front(q).z)
            }

            /// The wheel's lowest point is on the ground.
            #[constraint]
            fn rear_stands(q: &Pose) -> f64 {
                let axle = q.attitude * Vector3::y();
                q.position.z + REAR_RADIUS * (1.0 - axle.z * axle.z).sqrt()
            }
            #[constraint]
            fn front_stands(q: &Pose) -> f64 {
                let axle = fork(q) * Vector3::y();
                front(q).z + FRONT_RADIUS * (1.0 - axle.z * axle.z).sqrt()
            }

            /// From the centre of a wheel to its lowest point.
            fn down(axle: Vector3<f64>, radius: f64) -> Vector3<f64> {
                (Vector3::z() - axle.z * axle) * (radius / (1.0 - axle.z * axle.z).sqrt())
            }

            #[velocity_constraint]
            fn rear_rolls(q: &Pose, v: &Velocity) -> Vector2<f64> {
                let axle = q.attitude * Vector3::y();
                let turn = q.attitude * (v.attitude + v.rear_spin * Vector3::y());
                let slip = v.position + turn.cross(&down(axle, REAR_RADIUS));
                Vector2::new(slip.x, slip.y)
            }
            #[velocity_constraint]
            fn front_rolls(q: &Pose, v: &Velocity) -> Vector2<f64> {
                let axle = fork(q) * Vector3::y();
                let turn = fork(q) * (fork_rate(q, v) + v.front_spin * Vector3::y());
                let slip = front_rate(q, v) + turn.cross(&down(axle, FRONT_RADIUS));
                Vector2::new(slip.x, slip.y)
            }
        }

        /// Straight on and upright, at this speed and with this rate of roll; the rates of the others follow.
        pub fn $start(speed: f64, roll: f64) -> ($name::Pose, $name::Velocity) {
            let q = $name::Pose {
                attitude: $rotation::identity(),
                position: Vector3::new(0.0, 0.0, -0.3),
                steer: 0.0,
                rear_spin: 0.0,
                front_spin: 0.0,
            };
            // The rear wheel stands on the line that the frame rolls about.
            let v = $name::Velocity {
                attitude: Vector3::new(roll, 0.0, 0.0),
                position: Vector3::new(speed, 0.3 * roll, 0.0),
                steer: 0.0,
                rear_spin: -speed / 0.3,
                front_spin: -speed / 0.35,
            };
            (q, v)
        }
    };
}

bicycle!(so3, SO3, straight);
bicycle!(s3, S3, straight_with_quaternions);
