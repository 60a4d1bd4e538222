//! Bodies with numbers and directions in them, bodies in bodies: spheres move with their velocities.

use fixtures::derivatives::worst_deviations;
use fixtures::measure::run;
use fixtures::random::Random;
use lie_runtime::nalgebra::SVector;
use lie_runtime::prelude::*;

/// Two masses on arms that slide and swing, as members.
#[mechanical_system]
pub mod apart {
    use lie_runtime::prelude::*;

    #[configuration]
    pub struct Arms {
        pub first_direction: S2,
        pub first_length: f64,
        pub second_direction: S2,
        pub second_length: f64,
    }

    #[parameters]
    pub struct Data {
        pub mass: f64,
        pub stiffness: f64,
    }

    #[kinetic_energy]
    fn kinetic(data: &Data, q: &Arms, v: &Velocity) -> f64 {
        let first = v.first_direction.cross(&q.first_direction.direction()) * q.first_length
            + q.first_direction.direction() * v.first_length;
        let second = v.second_direction.cross(&q.second_direction.direction()) * q.second_length
            + q.second_direction.direction() * v.second_length;
        0.5 * data.mass * (first.norm_squared() + second.norm_squared())
    }
    #[potential]
    fn springs(data: &Data, q: &Arms) -> f64 {
        let first = q.first_direction.direction() * q.first_length;
        let second = q.second_direction.direction() * q.second_length;
        let stretch = |length: f64| 0.5 * data.stiffness * (length - 1.0).powi(2);
        stretch(q.first_length)
            + stretch(q.second_length)
            + 0.5 * data.stiffness * (first - second).norm_squared()
            + 9.81 * data.mass * (first.z + second.z)
    }
}

/// The same masses as a chain of arms that are bodies with a body in them.
#[mechanical_system(derivative_check)]
pub mod arms {
    use lie_runtime::prelude::*;

    /// The direction of an arm.
    pub struct Hinge {
        pub direction: S2,
    }

    /// An arm.
    pub struct Arm {
        pub hinge: Hinge,
        pub length: f64,
    }

    impl Arm {
        fn end(&self) -> Vector3<f64> {
            self.hinge.direction.direction() * self.length
        }
    }

    #[configuration]
    pub struct Arms {
        pub arms: Vec<Arm>,
    }

    #[parameters]
    pub struct Data {
        pub mass: f64,
        pub stiffness: f64,
    }

    #[kinetic_energy(over = arms)]
    fn kinetic(data: &Data, arm: &Arm, v: &ArmVelocity) -> f64 {
        let direction = arm.hinge.direction.direction();
        let rate = v.hinge.direction.cross(&direction) * arm.length + direction * v.length;
        0.5 * data.mass * rate.norm_squared()
    }
    #[potential(over = arms)]
    fn stretch(data: &Data, arm: &Arm) -> f64 {
        0.5 * data.stiffness * (arm.length - 1.0).powi(2) + 9.81 * data.mass * arm.end().z
    }
    #[potential(over = arms.windows(2))]
    fn between(data: &Data, [a, b]: [&Arm; 2]) -> f64 {
        0.5 * data.stiffness * (a.end() - b.end()).norm_squared()
    }
}

/// The same masses as a power.
#[mechanical_system(derivative_check)]
pub mod pair {
    use lie_runtime::prelude::*;

    pub struct Arm {
        pub direction: S2,
        pub length: f64,
    }

    fn end(arm: &Arm) -> Vector3<f64> {
        arm.direction.direction() * arm.length
    }

    #[configuration]
    pub struct Arms {
        pub arms: [Arm; 2],
    }

    #[parameters]
    pub struct Data {
        pub mass: f64,
        pub stiffness: f64,
        /// A parameter of a type that members are of.
        pub rest: Arm,
    }

    #[quantity]
    pub fn ends(q: &Arms) -> Vector6<f64> {
        let [a, b] = [end(&q.arms[0]), end(&q.arms[1])];
        Vector6::new(a.x, a.y, a.z, b.x, b.y, b.z)
    }
    #[kinetic_energy]
    fn kinetic(data: &Data, q: &Arms, v: &Velocity) -> f64 {
        0.5 * data.mass * ends_rate(q, v).norm_squared()
    }
    #[potential]
    fn springs(data: &Data, q: &Arms) -> f64 {
        let [a, b] = &q.arms;
        let mut sum = 0.5 * data.stiffness * (end(a) - end(b)).norm_squared();
        for arm in [a, b] {
            sum += 0.5 * data.stiffness * (arm.length - data.rest.length).powi(2) + 9.81 * data.mass * end(arm).z;
        }
        sum + (data.rest.direction.direction().z - 1.0)
    }
}

fn direction(x: f64, y: f64, z: f64) -> S2 {
    S2::new(Vector3::new(x, y, z)).expect("a direction")
}

#[test]
fn arms_move_as_their_members() {
    let (one, other) = (direction(1.0, 0.2, 0.0), direction(0.0, 1.0, -0.4));
    let (rates, slides) = ([Vector3::new(0.0, 0.0, 1.0), Vector3::new(1.0, 0.0, 0.0)], [0.3, -0.2]);
    let system = apart::System::new(apart::Data { mass: 0.7, stiffness: 11.0 }).unwrap();
    let members = apart::Arms { first_direction: one, first_length: 1.1, second_direction: other, second_length: 0.9 };
    let v = apart::Velocity {
        first_direction: rates[0],
        first_length: slides[0],
        second_direction: rates[1],
        second_length: slides[1],
    };
    let rest = pair::Arm { direction: direction(0.0, 0.0, 1.0), length: 1.0 };
    let powers = pair::System::new(pair::Data { mass: 0.7, stiffness: 11.0, rest }).unwrap();
    let power =
        pair::Arms { arms: [pair::Arm { direction: one, length: 1.1 }, pair::Arm { direction: other, length: 0.9 }] };
    let of_power =
        pair::Velocity { arms: [0, 1].map(|at| pair::ArmVelocity { direction: rates[at], length: slides[at] }) };
    let chains = arms::System::new(arms::Data { mass: 0.7, stiffness: 11.0 }, arms::Lengths { arms: 2 }).unwrap();
    let arm = |direction, length| arms::Arm { hinge: arms::Hinge { direction }, length };
    let chain = arms::Arms { arms: vec![arm(one, 1.1), arm(other, 0.9)] };
    let rate =
        |at: usize| arms::ArmVelocity { hinge: arms::HingeVelocity { direction: rates[at] }, length: slides[at] };
    let of_chain = arms::Velocity { arms: vec![rate(0), rate(1)] };
    assert_eq!(chains.velocity(&of_chain.clone().into()), of_chain);
    assert_eq!(pair::Velocity::from(SVector::from(of_power)), of_power);

    macro_rules! compare {
        ($method:expr, $tolerance:literal) => {
            let expected = run(&system, (members, v.into()), $method, 1e-3, 0.3);
            let last = expected.last();
            let (q, v) = (last.configuration, apart::Velocity::from(last.velocity));
            let of_members = [q.first_direction, q.second_direction].map(|direction| direction.direction());
            assert!((v.first_direction - rates[0]).norm() > 0.1, "nothing moves");

            let trajectory = run(&powers, (power, of_power.into()), $method, 1e-3, 0.3);
            let last = trajectory.last();
            for (at, arm) in last.configuration.arms.iter().enumerate() {
                assert!((arm.direction.direction() - of_members[at]).norm() < $tolerance);
            }
            let found = pair::Velocity::from(last.velocity);
            assert!((found.arms[0].direction - v.first_direction).norm() < $tolerance);
            assert!((found.arms[1].length - v.second_length).abs() < $tolerance);

            let trajectory = run(&chains, (chain.clone(), of_chain.clone().into()), $method, 1e-3, 0.3);
            let last = trajectory.last();
            for (at, arm) in last.configuration.arms.iter().enumerate() {
                assert!((arm.hinge.direction.direction() - of_members[at]).norm() < $tolerance);
            }
            let found = chains.velocity(&last.velocity);
            assert!((found.arms[0].hinge.direction - v.first_direction).norm() < $tolerance);
            assert!((found.arms[1].length - v.second_length).abs() < $tolerance);
        };
    }
    compare!(HalfExplicit::hedop5(), 1e-11);
    compare!(GeneralizedAlpha::chung_hulbert(0.8).expect("a radius"), 1e-9);
}

#[test]
fn kernels_of_arms_are_derivatives() {
    let rest = pair::Arm { direction: direction(0.0, 0.0, 1.0), length: 1.0 };
    let powers = pair::System::new(pair::Data { mass: 0.7, stiffness: 11.0, rest }).unwrap();
    let anywhere = |random: &mut Random| {
        let place: Vector3<f64> = random.vector();
        (direction(place.x, place.y, place.z + 1.1), 1.0 + 0.3 * random.number())
    };
    let one = |random: &mut Random| {
        let (direction, length) = anywhere(random);
        pair::Arm { direction, length }
    };
    for entry in worst_deviations(&powers, 5, |random| pair::Arms { arms: [one(random), one(random)] }) {
        assert!(entry.deviation < 1e-12, "{entry:?}");
    }
    let chains = arms::System::new(arms::Data { mass: 0.7, stiffness: 11.0 }, arms::Lengths { arms: 3 }).unwrap();
    let one = |random: &mut Random| {
        let (direction, length) = anywhere(random);
        arms::Arm { hinge: arms::Hinge { direction }, length }
    };
    for entry in worst_deviations(&chains, 5, |random| arms::Arms { arms: (0..3).map(|_| one(random)).collect() }) {
        assert!(entry.deviation < 1e-12, "{entry:?}");
    }
}
