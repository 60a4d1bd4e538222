//! Gradients of runs by the variational method where the mass matrix depends on q, compared with dual numbers along the whole run.

use lie_runtime::gradient::Objective;
use lie_runtime::nalgebra::Vector5;
use lie_runtime::prelude::*;

use crate::case::Case;
use crate::frames::{branched, hung_links, linkage};
use crate::implicit::rattlie;

/// A shoulder, an elbow and a slide under a wind; the load of the hand grows.
#[mechanical_system(gradients)]
mod arm {
    use lie_runtime::prelude::*;

    #[configuration]
    pub struct Arm {
        pub shoulder: SO3,
        pub elbow: SO2,
        pub slide: f64,
    }

    #[parameters]
    pub struct Data {
        pub moments: Vector3<f64>,
        pub masses: Vector2<f64>,
        pub upper: f64,
        pub growth: f64,
        pub stiffness: f64,
        pub damping: f64,
        pub drag: f64,
    }

    #[inputs]
    pub struct Inputs {
        pub wind: Vector3<f64>,
    }

    /// The elbow, as the shoulder sees it.
    #[quantity]
    pub fn middle(data: &Data, q: &Arm) -> Vector3<f64> {
        q.shoulder * (Vector3::x() * data.upper)
    }

    #[quantity]
    pub fn hand(data: &Data, q: &Arm) -> Vector3<f64> {
        let along = q.elbow * Vector2::new(0.4 + q.slide, 0.1);
        q.shoulder * Vector3::new(data.upper + along.x, along.y, 0.1 * q.slide)
    }

    #[kinetic_energy]
    fn kinetic(data: &Data, t: f64, q: &Arm, v: &Velocity) -> f64 {
        let turn = 0.5 * v.shoulder.dot(&data.moments.component_mul(&v.shoulder));
        let load = data.masses[1] * (1.0 + data.growth * t);
        turn + 0.5 * data.masses[0] * middle_rate(data, q, v).norm_squared()
            + 0.5 * load * hand_rate(data, q, v).norm_squared()
            + 0.05 * v.elbow * v.elbow
            + 0.02 * v.slide * v.slide
    }

    #[potential]
    fn spring(data: &Data, q: &Arm) -> f64 {
        9.81 * (data.masses[0] * middle(data, q).z + data.masses[1] * hand(data, q).z)
            + 0.5 * data.stiffness * (q.slide * q.slide + q.elbow.angle().powi(2))
    }

    #[dissipation]
    fn friction(data: &Data, v: &Velocity) -> f64 {
        0.5 * data.damping * (v.elbow * v.elbow + v.slide * v.slide + v.shoulder.norm_squared())
    }

    #[force(at = hand)]
    fn wind(data: &Data, u: &Inputs, q: &Arm, v: &Velocity) -> Vector3<f64> {
        (u.wind - hand_rate(data, q, v)) * data.drag
    }
}

/// A four-bar written out, whose foot is shaken.
#[mechanical_system(gradients)]
mod four_bar {
    use lie_runtime::prelude::*;

    #[configuration]
    pub struct Bars {
        pub hinges: [SO2; 3],
    }

    #[parameters]
    pub struct Data {
        pub lengths: Vector3<f64>,
        pub masses: Vector3<f64>,
        pub foot: Vector2<f64>,
        pub shake: f64,
        pub friction: f64,
    }

    fn next(above: SE2, hinge: SO2, length: f64) -> SE2 {
        above * SE2::new(hinge, Vector2::zeros()) * SE2::new(SO2::identity(), Vector2::x() * length)
    }

    #[quantity]
    pub fn first(data: &Data, q: &Bars) -> SE2 {
        next(SE2::identity(), q.hinges[0], data.lengths.x)
    }

    #[quantity]
    pub fn second(data: &Data, q: &Bars) -> SE2 {
        next(first(data, q), q.hinges[1], data.lengths.y)
    }

    #[quantity]
    pub fn third(data: &Data, q: &Bars) -> SE2 {
        next(second(data, q), q.hinges[2], data.lengths.z)
    }

    fn energy(v: Vector3<f64>, mass: f64, length: f64) -> f64 {
        let across = v[2] - 0.5 * length * v[0];
        0.5 * mass * (v[1] * v[1] + across * across + length * length * v[0] * v[0] / 12.0)
    }

    #[kinetic_energy]
    fn kinetic(data: &Data, q: &Bars, v: &Velocity) -> f64 {
        energy(first_rate(data, q, v), data.masses.x, data.lengths.x)
            + energy(second_rate(data, q, v), data.masses.y, data.lengths.y)
            + energy(third_rate(data, q, v), data.masses.z, data.lengths.z)
    }

    fn height(x: SE2, mass: f64, length: f64) -> f64 {
        9.81 * mass * (x * Vector2::new(-0.5 * length, 0.0)).y
    }

    #[potential]
    fn weight(data: &Data, q: &Bars) -> f64 {
        height(first(data, q), data.masses.x, data.lengths.x)
            + height(second(data, q), data.masses.y, data.lengths.y)
            + height(third(data, q), data.masses.z, data.lengths.z)
    }

    #[dissipation]
    fn friction(data: &Data, v: &Velocity) -> f64 {
        let [a, b, c] = v.hinges;
        0.5 * data.friction * (a * a + b * b + c * c)
    }

    #[constraint]
    fn closed(data: &Data, t: f64, q: &Bars) -> Vector2<f64> {
        third(data, q) * Vector2::zeros() - data.foot - Vector2::y() * (data.shake * (3.0 * t).sin())
    }
}

fn reaching() -> (arm::System, arm::Arm, Vector5<f64>) {
    let data = arm::Data {
        moments: Vector3::new(0.2, 0.3, 0.25),
        masses: Vector2::new(1.2, 0.7),
        upper: 0.8,
        growth: 0.4,
        stiffness: 12.0,
        damping: 0.1,
        drag: 0.2,
    };
    let system = arm::System::new(data).unwrap();
    let system =
        system.with_inputs_from(lie_runtime::inputs::Constant(arm::Inputs { wind: Vector3::new(0.5, -0.3, 0.2) }));
    let shoulder = SO3::exp(&Vector3::new(0.3, -0.4, 0.8));
    let start = arm::Arm { shoulder, elbow: SO2::from_angle(0.7), slide: 0.2 };
    (system, start, Vector5::new(0.8, -0.5, 1.1, -0.9, 0.4))
}

fn shaken() -> (four_bar::System, four_bar::Bars, Vector3<f64>) {
    let data = four_bar::Data {
        lengths: Vector3::new(0.6, 1.5, 1.1),
        masses: Vector3::new(1.0, 1.3, 0.8),
        foot: Vector2::new(1.7, 0.1),
        shake: 0.1,
        friction: 0.05,
    };
    let system = four_bar::System::new(data).unwrap();
    let guess = four_bar::Bars { hinges: [1.2, -0.9, -1.0].map(SO2::from_angle) };
    let q = lie_runtime::simulate::InverseKinematics::of(&system).guess(&guess).solve().unwrap();
    let start = Simulation::of(&system).initial(q, Vector3::new(1.0, -1.0, 0.3)).max_initial_correction(10.0);
    let first = start.step(1e-3).end_time(1e-3).run().unwrap().first().clone();
    (system, first.configuration, first.velocity)
}

#[test]
fn of_an_arm() {
    let (system, q, v) = reaching();
    Case::new(&system, q, v, 0.01, 0.2).check(rattlie());
    Case::new(&system, q, v, 0.05, 0.5).check(rattlie());
}

#[test]
fn of_a_four_bar_written_out() {
    let (system, q, v) = shaken();
    Case::new(&system, q, v, 0.01, 0.2).check(rattlie());
}

/// A loop of joints.
#[test]
fn of_a_four_bar_of_frames() {
    let (system, q, v) = linkage(&[0.6, 1.5, 1.1], &[1.2, -0.9, -1.0]);
    Case::new(&system, q, v, 0.01, 0.15).check(rattlie());
}

/// Ball joints along frames.
#[test]
fn of_a_pendulum_of_three_links() {
    let (system, q, v) = hung_links(3);
    Case::new(&system, q, v, 0.002, 0.02).check(rattlie());
}

/// Loops, a slot, a point that is led and a rolling condition, on a base that moves, under inputs.
#[test]
fn of_a_tree_with_all_that_there_is() {
    let (system, q, v) = branched();
    let names = ["bodies[2].moments", "bodies[4].mass", "bodies[6].center", "places", "stiffness", "friction[1]"];
    let others = ["rest", "damping", "slope", "slot", "gravity", "shake", "q", "v"];
    let names: Vec<&str> = names.into_iter().chain(others).collect();
    Case::new(&system, q, v, 0.005, 0.03).compared_by(&names).check(rattlie());
}

/// Against differences of the inputs.
#[test]
fn by_inputs() {
    let (still, q, v) = reaching();
    let gradient_at = |wind: Vector3<f64>| {
        let system = still.clone().with_inputs_from(lie_runtime::inputs::Constant(arm::Inputs { wind }));
        let run = Simulation::of(&system).initial(q, v).method(rattlie()).step(0.01).end_time(0.3);
        let gradient =
            run.gradient_of(&Objective::<arm::System>::new().at_end(|state| state.configuration.slide)).unwrap();
        (gradient.value, gradient.by_inputs(&[0.0]).unwrap().remove(0))
    };
    let wind = Vector3::new(0.5, -0.3, 0.2);
    let derivatives = gradient_at(wind).1;
    for at in 0..3 {
        let moved = |sign: f64| gradient_at(wind + Vector3::ith(at, sign * 1e-3)).0;
        let difference = (moved(1.0) - moved(-1.0)) / 2e-3;
        assert!(
            (derivatives[at] - difference).abs() < 1e-7 * derivatives[at].abs().max(1e-3),
            "{derivatives:?}, {at}: {difference}"
        );
    }
}
