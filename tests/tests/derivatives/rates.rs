//! Kinetic energies by the rates of quantities of all kinds: products of poses, turns, points, numbers, some of them moved by time.

use fixtures::derivatives::worst_deviations;
use lie_runtime::prelude::*;

#[mechanical_system(derivative_check)]
pub mod crane {
    use lie_runtime::prelude::*;

    #[configuration]
    pub struct Crane {
        pub cart: SE2,
        pub cable: SO2,
        pub body: SE3,
        pub ball: SO3,
        pub rod: S2,
        pub slide: f64,
    }

    #[parameters]
    pub struct Data {
        pub mass: f64,
        pub length: f64,
        pub offset: Vector3<f64>,
        pub place: SE3,
    }

    #[quantity]
    fn tip(data: &Data, q: &Crane, t: f64) -> Vector2<f64> {
        q.cart * (q.cable * Vector2::new(t.sin(), -data.length))
    }

    #[quantity]
    fn hand(data: &Data, q: &Crane, t: f64) -> SE3 {
        q.body * data.place * SE3::new(q.ball, Vector3::new(q.slide, t * t, 0.3))
    }

    #[quantity]
    fn hook(data: &Data, q: &Crane) -> SE2 {
        q.cart * SE2::new(q.cable, Vector2::new(data.length, q.slide))
    }

    #[quantity]
    fn turn(data: &Data, q: &Crane) -> SO3 {
        q.ball * SO3::exp(&(data.offset * q.slide))
    }

    #[quantity]
    fn mixed(q: &Crane) -> Vector3<f64> {
        Vector3::new(q.slide * q.slide, (q.body.rotation * q.rod.direction()).y, q.cable.angle())
    }

    #[kinetic_energy]
    fn kinetic(data: &Data, q: &Crane, v: &Velocity, t: f64) -> f64 {
        let (hand, hook, mixed) = (hand_rate(data, q, t, v), hook_rate(data, q, v), mixed_rate(q, v));
        let turning = turn_rate(data, q, v);
        // Explicit in q, v and t as well, and of first degree.
        0.5 * data.mass * (tip_rate(data, q, t, v).norm_squared() + v.cart.norm_squared())
            + (1.0 + q.slide * q.slide) * hand.angular().norm_squared()
            + 0.4 * (hand.linear() - hand.angular().cross(&data.offset)).norm_squared()
            + 0.05 * turning.dot(&(q.body.rotation * turning))
            + mixed.norm_squared() / 3.0
            + 0.1 * hook[0] * hook[0]
            + 0.3 * hook.norm_squared()
            + t.cos() * mixed.x
            + 0.5 * v.slide * v.slide
            + v.rod.norm_squared()
            + v.body.norm_squared()
            + v.ball.norm_squared()
    }

    #[potential]
    fn weight(data: &Data, q: &Crane, t: f64) -> f64 {
        data.mass * tip(data, q, t).y
    }
}

#[test]
fn what_rates_carry_is_what_the_energy_says() {
    let pose = |x: f64| SE3::new(SO3::exp(&Vector3::new(x, 0.5, -0.2)), Vector3::new(1.0, x, 0.3));
    let data = crane::Data { mass: 1.3, length: 0.7, offset: Vector3::new(0.2, -0.3, 0.5), place: pose(0.4) };
    let system = crane::System::new(data).unwrap();
    let deviations = worst_deviations(&system, 10, |random| crane::Crane {
        cart: SE2::new(SO2::from_angle(3.0 * random.number()), random.vector()),
        cable: SO2::from_angle(3.0 * random.number()),
        body: SE3::new(SO3::exp(&random.rotation_vector()), random.vector()),
        ball: SO3::exp(&random.rotation_vector()),
        rod: S2::new(random.vector::<3>().normalize()).unwrap(),
        slide: random.number(),
    });
    for worst in deviations {
        assert!(worst.deviation < 1e-13, "{worst:?}");
    }
}
