//! Parameters: structs of the module, arrays of them, mounting frames, truth values and whole numbers, aliases.

use lie_runtime::prelude::*;
use lie_runtime::system::ModelError;
use lie_runtime::system::ParameterSet;

use super::assert_as_declared;

#[mechanical_system(derivative_check)]
mod arm {
    use lie_runtime::prelude::*;

    type Inertia = Matrix3<f64>;
    type Lengths3 = [f64; 3];

    #[derive(Clone, Debug)]
    pub struct Body {
        pub mass: f64,
        pub inertia: Inertia,
        pub name: String,
        pub center: Point,
    }

    #[derive(Clone, Copy, Debug, PartialEq)]
    pub struct Point {
        pub place: Vector3<f64>,
    }

    /// Nothing of it becomes generic.
    pub struct Switches {
        pub is_damped: bool,
        pub order: u8,
        pub offsets: [i32; 2],
    }

    #[configuration]
    pub struct Pose {
        pub attitude: SO3,
        pub position: R3,
    }

    #[parameters]
    pub struct Arm {
        pub upper: Body,
        pub others: [Body; 2],
        pub table: [[f64; 2]; 2],
        pub inertias: [Inertia; 2],
        pub lengths: Lengths3,
        pub mount: SE3,
        pub turn: SO2,
        pub tilts: [S3; 2],
        pub axis: S2,
        pub offset: R3,
        pub switches: Switches,
        pub is_heavy: bool,
        pub count: usize,
    }

    #[kinetic_energy]
    fn kinetic(arm: &Arm, v: &Velocity) -> f64 {
        0.5 * arm.upper.mass * v.position.norm_squared() + 0.5 * v.attitude.dot(&(arm.upper.inertia * v.attitude))
    }

    #[potential]
    pub fn structs(arm: &Arm, q: &Pose) -> f64 {
        let mut sum = weight(&arm.upper, q);
        for body in &arm.others {
            sum += weight(body, q);
        }
        sum + arm.others[1].inertia[(0, 1)] * q.position.x
    }

    fn weight(body: &Body, q: &Pose) -> f64 {
        9.81 * body.mass * (q.attitude * body.center.place + q.position).z
    }

    #[potential]
    pub fn arrays(arm: &Arm, q: &Pose) -> f64 {
        let bent = arm.inertias[1] * q.position;
        arm.table[1][0] * q.position.y + arm.table[0][1] * bent.x + arm.lengths[2] * bent.norm_squared()
    }

    #[potential]
    pub fn groups(arm: &Arm, q: &Pose) -> f64 {
        let seen = arm.mount.inverse() * (q.attitude * arm.offset + q.position);
        let flat = arm.turn * Vector2::new(seen.x, seen.y);
        let tilted = (arm.tilts[0].inverse() * arm.tilts[1]) * seen;
        let relative = arm.mount.rotation.inverse() * q.attitude;
        flat.x * flat.y + arm.axis.direction().dot(&tilted).powi(2) + relative.log().norm_squared()
    }

    #[potential]
    pub fn switches(arm: &Arm, q: &Pose) -> f64 {
        let factor = if arm.is_heavy && !arm.switches.is_damped { 3.0 } else { 0.5 };
        let order = if arm.switches.order > 2 { 1.0 } else { 2.0 };
        factor * order * q.position.x * arm.count as f64 + arm.switches.offsets[1] as f64 * q.position.y
    }

    impl Switches {
        fn is_high(&self) -> bool {
            self.order > 2
        }
    }

    #[potential]
    pub fn whole_numbers(arm: &Arm, q: &Pose) -> f64 {
        let [first, second] = arm.switches.offsets;
        let half = (arm.count / 2) as f64;
        let (quotient, rest) = ((second / 3) as f64, (second % 3) as f64);
        let chosen = match arm.switches.order {
            1 => 3.0,
            3 if first > 0 => 5.0,
            _ => 7.0,
        };
        let sum = arm.switches.order as i64 + second as i64;
        let heavy = f64::from(arm.is_heavy);
        let high = if arm.switches.is_high() == arm.is_heavy { 1.5 } else { 2.5 };
        half * q.position.x
            + quotient * q.position.y
            + rest * chosen * q.position.z
            + (sum as f64 + heavy * high) * q.position.x
    }
}

fn data(is_heavy: bool, order: u8) -> arm::Arm {
    let body = |mass: f64| arm::Body {
        mass,
        inertia: Matrix3::new(2.0, 0.1, 0.2, 0.1, 3.0, 0.3, 0.2, 0.3, 4.0) * mass,
        name: String::from("body"),
        center: arm::Point { place: Vector3::new(0.1, mass, 0.3) },
    };
    arm::Arm {
        upper: body(1.5),
        others: [body(0.5), body(0.7)],
        table: [[1.0, 2.0], [3.0, 4.0]],
        inertias: [Matrix3::identity(), Matrix3::new(1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 10.0)],
        lengths: [0.1, 0.2, 0.3],
        mount: SE3::new(SO3::exp(&Vector3::new(0.3, -0.2, 0.5)), Vector3::new(1.0, 2.0, 3.0)),
        turn: SO2::from_angle(0.4),
        tilts: [S3::exp(&Vector3::new(0.1, 0.2, 0.3)), S3::exp(&Vector3::new(-0.4, 0.2, 0.1))],
        axis: S2::new_unchecked(Vector3::new(0.6, 0.0, 0.8)),
        offset: Vector3::new(0.2, 0.1, 0.4),
        switches: arm::Switches { is_damped: false, order, offsets: [3, -4] },
        is_heavy,
        count: 5,
    }
}

#[test]
fn structs_arrays_groups_and_switches() {
    use arm::{Pose, System, arrays, groups, structs, switches, whole_numbers};
    for (is_heavy, order) in [(true, 1), (true, 3), (false, 3)] {
        let data = || data(is_heavy, order);
        let system = System::new(data()).unwrap();
        assert_as_declared(
            &system,
            |random| Pose { attitude: SO3::exp(&random.rotation_vector()), position: random.vector() },
            |_, q| {
                let first = structs(&data(), q) + arrays(&data(), q) + groups(&data(), q);
                first + switches(&data(), q) + whole_numbers(&data(), q)
            },
        );
    }
}

#[test]
fn parameters_in_structs_have_names() {
    let mut data = data(true, 1);
    assert!(data.names().contains(&"others[1].center.place"));
    data.set("upper.mass", &[2.5]).unwrap();
    data.set("others[1].center.place", &[1.0, 2.0, 3.0]).unwrap();
    assert_eq!((data.upper.mass, data.others[1].center.place), (2.5, Vector3::new(1.0, 2.0, 3.0)));
    data.set("table[1]", &[f64::NAN, 0.0]).unwrap();
    let error = arm::System::new(data).unwrap_err();
    assert!(matches!(&error, ModelError::NonFiniteParameter { parameter, .. } if parameter == "table[1]"), "{error}");
}
