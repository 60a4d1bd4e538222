//! Closed loops in joint coordinates, with poses as quantities, against free bodies with constraints.

use lie_runtime::prelude::*;

/// A crank, a coupler and a rocker: angles, and one loop.
#[mechanical_system(derivative_check)]
pub mod jointed {
    use lie_runtime::prelude::*;

    #[configuration]
    pub struct Angles {
        pub crank: SO2,
        /// Against the crank.
        pub coupler: SO2,
        pub rocker: SO2,
    }

    #[parameters]
    pub struct Bars {
        /// Lengths of crank, coupler and rocker.
        pub lengths: [f64; 3],
        /// Between the fixed points.
        pub ground: f64,
    }

    #[quantity]
    pub fn crank(q: &Angles) -> SE2 {
        SE2::new(q.crank, Vector2::zeros())
    }

    #[quantity]
    pub fn coupler(bars: &Bars, q: &Angles) -> SE2 {
        crank(q) * SE2::new(q.coupler, Vector2::x() * bars.lengths[0])
    }

    #[quantity]
    pub fn rocker(bars: &Bars, q: &Angles) -> SE2 {
        SE2::new(q.rocker, Vector2::x() * bars.ground)
    }

    /// A bar of the mass 1 per length, by the twist of its first end.
    fn energy(length: f64, v: Vector3<f64>) -> f64 {
        let across = v[2] + 0.5 * length * v[0];
        0.5 * length * (v[1] * v[1] + across * across + length * length / 12.0 * v[0] * v[0])
    }

    #[kinetic_energy]
    fn kinetic(bars: &Bars, q: &Angles, v: &Velocity) -> f64 {
        energy(bars.lengths[0], crank_rate(q, v))
            + energy(bars.lengths[1], coupler_rate(bars, q, v))
            + energy(bars.lengths[2], rocker_rate(bars, q, v))
    }

    fn height(length: f64, bar: SE2) -> f64 {
        9.81 * length * (bar * (Vector2::x() * 0.5 * length)).y
    }

    #[potential]
    fn weight(bars: &Bars, q: &Angles) -> f64 {
        height(bars.lengths[0], crank(q))
            + height(bars.lengths[1], coupler(bars, q))
            + height(bars.lengths[2], rocker(bars, q))
    }

    #[constraint]
    fn closed(bars: &Bars, q: &Angles) -> Vector2<f64> {
        coupler(bars, q) * (Vector2::x() * bars.lengths[1]) - rocker(bars, q) * (Vector2::x() * bars.lengths[2])
    }
}

/// The same with three free bars and four pins.
#[mechanical_system]
pub mod free {
    use lie_runtime::prelude::*;

    #[configuration]
    pub struct Poses {
        pub crank: SE2,
        pub coupler: SE2,
        pub rocker: SE2,
    }

    #[parameters]
    pub struct Bars {
        pub lengths: [f64; 3],
        pub ground: f64,
    }

    fn energy(length: f64, v: Vector3<f64>) -> f64 {
        let across = v[2] + 0.5 * length * v[0];
        0.5 * length * (v[1] * v[1] + across * across + length * length / 12.0 * v[0] * v[0])
    }

    #[kinetic_energy]
    fn kinetic(bars: &Bars, v: &Velocity) -> f64 {
        energy(bars.lengths[0], v.crank) + energy(bars.lengths[1], v.coupler) + energy(bars.lengths[2], v.rocker)
    }

    fn end(length: f64, bar: &SE2) -> Vector2<f64> {
        bar * (Vector2::x() * length)
    }

    #[potential]
    fn weight(bars: &Bars, q: &Poses) -> f64 {
        let height = |length: f64, bar: &SE2| 9.81 * length * end(0.5 * length, bar).y;
        height(bars.lengths[0], &q.crank) + height(bars.lengths[1], &q.coupler) + height(bars.lengths[2], &q.rocker)
    }

    #[constraint]
    fn crank_pin(q: &Poses) -> Vector2<f64> {
        q.crank.position()
    }

    #[constraint]
    fn coupler_pin(bars: &Bars, q: &Poses) -> Vector2<f64> {
        q.coupler.position() - end(bars.lengths[0], &q.crank)
    }

    #[constraint]
    fn rocker_pin(bars: &Bars, q: &Poses) -> Vector2<f64> {
        q.rocker.position() - Vector2::x() * bars.ground
    }

    #[constraint]
    fn closed(bars: &Bars, q: &Poses) -> Vector2<f64> {
        end(bars.lengths[1], &q.coupler) - end(bars.lengths[2], &q.rocker)
    }
}

const LENGTHS: [f64; 3] = [0.4, 1.1, 0.9];
const GROUND: f64 = 1.2;

/// The system, its crank at an angle and the other bars where the loop is closed; at rest.
pub fn four_bar_at(angle: f64) -> (jointed::System, jointed::Angles, Vector3<f64>) {
    let system = jointed::System::new(jointed::Bars { lengths: LENGTHS, ground: GROUND }).unwrap();
    (system, four_bar(angle), Vector3::zeros())
}

/// Crank at an angle, and the other bars where the loop is closed; all at rest.
fn four_bar(angle: f64) -> jointed::Angles {
    let [crank, coupler, rocker] = LENGTHS;
    let joint = Vector2::new(crank * angle.cos(), crank * angle.sin());
    let way = Vector2::new(GROUND, 0.0) - joint;
    let distance = way.norm();
    // The triangle over the line from the joint to the fixed point of the rocker.
    let inner = ((coupler * coupler + distance * distance - rocker * rocker) / (2.0 * coupler * distance)).acos();
    let direction = way.y.atan2(way.x) + inner;
    let tip = joint + coupler * Vector2::new(direction.cos(), direction.sin()) - Vector2::new(GROUND, 0.0);
    jointed::Angles {
        crank: SO2::from_angle(angle),
        coupler: SO2::from_angle(direction - angle),
        rocker: SO2::from_angle(tip.y.atan2(tip.x)),
    }
}

#[test]
fn a_four_bar_in_both_coordinates() {
    let bars = jointed::Bars { lengths: LENGTHS, ground: GROUND };
    let start = four_bar(0.8);
    let poses = free::Poses {
        crank: jointed::crank(&start),
        coupler: jointed::coupler(&bars, &start),
        rocker: jointed::rocker(&bars, &start),
    };
    let one = jointed::System::new(bars.clone()).unwrap();
    let run = Simulation::of(&one).initial(start, one.zero_velocity()).method_named("hedop5").unwrap();
    let last = run.step(2e-4).end_time(1.0).run().unwrap();
    let jointed = jointed::coupler(&bars, &last.last().configuration);
    let two = free::System::new(free::Bars { lengths: LENGTHS, ground: GROUND }).unwrap();
    let run = Simulation::of(&two).initial(poses, two.zero_velocity()).method_named("hedop5").unwrap();
    let last = run.step(2e-4).end_time(1.0).run().unwrap();
    let free = last.last().configuration.coupler;
    let tip = Vector2::x() * LENGTHS[1];
    let apart = (jointed * tip - free * tip).norm();
    assert!(apart < 1e-9, "{apart:.1e}");
}

#[test]
fn derivatives_of_the_loop() {
    let system = jointed::System::new(jointed::Bars { lengths: LENGTHS, ground: GROUND }).unwrap();
    let worst = fixtures::derivatives::worst_deviations(&system, 5, |random| jointed::Angles {
        crank: SO2::from_angle(3.0 * random.number()),
        coupler: SO2::from_angle(3.0 * random.number()),
        rocker: SO2::from_angle(3.0 * random.number()),
    });
    for entry in worst {
        assert!(entry.deviation < 1e-12, "{entry:?}");
    }
}
