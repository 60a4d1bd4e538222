//! Inputs: given by the state, over time, from tables and by sampled controllers, to whole systems, chains and frames.

mod assembled;
mod sampled;
mod supplied;

use lie_runtime::inputs::{Interpolation, Jet, Table};
use lie_runtime::integrator::Integrator;
use lie_runtime::prelude::*;
use lie_runtime::system::CheckPoint;

/// A body on a ball joint that is moved and pushed from outside.
#[mechanical_system(derivative_check)]
pub mod body {
    use lie_runtime::prelude::*;

    #[configuration]
    pub struct Pose {
        pub attitude: SO3,
        pub position: R3,
    }

    #[parameters]
    pub struct Body {
        pub mass: f64,
        pub inertia: Matrix3<f64>,
        pub joint: Vector3<f64>,
    }

    #[inputs]
    pub struct Inputs {
        pub torque: Vector3<f64>,
        pub base: Vector3<f64>,
        pub gains: [f64; 2],
        pub gravity: f64,
    }

    #[kinetic_energy]
    fn kinetic(b: &Body, v: &Velocity) -> f64 {
        0.5 * b.mass * v.position.norm_squared() + 0.5 * v.attitude.dot(&(b.inertia * v.attitude))
    }

    #[potential]
    fn weight(b: &Body, u: &Inputs, q: &Pose) -> f64 {
        b.mass * u.gravity * q.position.z
    }

    #[force(on = attitude)]
    fn motor(v: &Velocity, u: &Inputs) -> Vector3<f64> {
        u.torque * u.gains[0] - v.attitude * u.gains[1]
    }

    #[dissipation]
    fn drag(v: &Velocity, u: &Inputs) -> f64 {
        0.05 * u.gains[1] * v.position.norm_squared()
    }

    #[constraint]
    fn hinge(b: &Body, u: &Inputs, q: &Pose) -> Vector3<f64> {
        q.attitude * b.joint + q.position - u.base
    }

    #[observable]
    fn pushed(u: &Inputs) -> Vector3<f64> {
        u.torque
    }
}

/// The same with everything compiled in.
#[mechanical_system]
pub mod compiled {
    use lie_runtime::prelude::*;

    #[configuration]
    pub struct Pose {
        pub attitude: SO3,
        pub position: R3,
    }

    #[parameters]
    pub struct Body {
        pub mass: f64,
        pub inertia: Matrix3<f64>,
        pub joint: Vector3<f64>,
    }

    #[kinetic_energy]
    fn kinetic(b: &Body, v: &Velocity) -> f64 {
        0.5 * b.mass * v.position.norm_squared() + 0.5 * v.attitude.dot(&(b.inertia * v.attitude))
    }

    #[potential]
    fn weight(b: &Body, q: &Pose) -> f64 {
        b.mass * 9.81 * q.position.z
    }

    #[force(on = attitude)]
    fn motor(t: f64, q: &Pose, v: &Velocity) -> Vector3<f64> {
        Vector3::new(0.3 * (2.0 * t).cos(), 0.2, 0.0) - 0.5 * v.attitude - q.attitude.log() - 0.1 * v.attitude
    }

    #[dissipation]
    fn drag(v: &Velocity) -> f64 {
        0.005 * v.position.norm_squared()
    }

    #[constraint]
    fn hinge(t: f64, b: &Body, q: &Pose) -> Vector3<f64> {
        q.attitude * b.joint + q.position - Vector3::new(0.1 * (3.0 * t).sin(), 0.0, 0.2 * t * t)
    }
}

const JOINT: Vector3<f64> = Vector3::new(0.1, 0.2, 0.6);

fn inertia() -> Matrix3<f64> {
    Matrix3::from_diagonal(&Vector3::new(0.3, 0.5, 0.7))
}

fn bare() -> body::System {
    body::System::new(body::Body { mass: 2.0, inertia: inertia(), joint: JOINT }).expect("it is sound")
}

fn over_time(t: Jet<f64>) -> body::Inputs<Jet<f64>> {
    let c = Jet::<f64>::from;
    body::Inputs {
        torque: Vector3::new(c(0.3) * (c(2.0) * t).cos(), c(0.2), c(0.0)),
        base: Vector3::new(c(0.1) * (c(3.0) * t).sin(), c(0.0), c(0.2) * t * t),
        gains: [c(1.0), c(0.1)],
        gravity: c(9.81),
    }
}

fn driven() -> body::System {
    bare().with_inputs_over_time(over_time)
}

fn with_feedback() -> body::System {
    driven().with_feedback(|_, q, v, u| body::Inputs {
        torque: u.torque - 0.5 * v.attitude - q.attitude.log(),
        // What the constraint takes stays what it is.
        base: Vector3::repeat(f64::NAN),
        ..u
    })
}

fn start() -> (body::Pose, Vector6<f64>) {
    let attitude = SO3::exp(&Vector3::new(0.3, -0.2, 0.4));
    let mut v = Vector6::zeros();
    // The rate of the base at rest: its velocity is 0.3 along x.
    v.fixed_rows_mut::<3>(3).copy_from(&Vector3::new(0.3, 0.0, 0.0));
    (body::Pose { attitude, position: -(attitude * JOINT) }, v)
}

fn run<I: Integrator<body::System>>(system: &body::System, method: I, h: f64, end: f64) -> State<body::System> {
    let (q, v) = start();
    let run = Simulation::of(system).initial(q, v).method(method).step(h).end_time(end).output_every(usize::MAX).run();
    run.expect("it runs").last().clone()
}

/// The order between two errors of steps h and h / 2.
fn order(coarse: f64, fine: f64) -> f64 {
    (coarse / fine).log2()
}

#[test]
fn given_inputs_are_those_compiled_in() {
    let compiled = compiled::System::new(compiled::Body { mass: 2.0, inertia: inertia(), joint: JOINT }).unwrap();
    let system = with_feedback();
    let (q, v) = start();
    let q = compiled::Pose { attitude: q.attitude, position: q.position };
    for h in [0.01, 0.05] {
        let reference = Simulation::of(&compiled).initial(q, v).step(h).end_time(1.0).run().unwrap();
        let (reference, last) = (reference.last(), run(&system, HalfExplicit::hedop5(), h, 1.0));
        assert!((reference.velocity - last.velocity).norm() < 1e-13);
        assert!((reference.multipliers - last.multipliers).norm() < 1e-11);
    }
}

#[test]
fn orders_along_a_driven_constraint() {
    for system in [driven(), with_feedback()] {
        let exact = run(&system, HalfExplicit::hedop5(), 1.0 / 1024.0, 1.0);
        let error = |last: State<body::System>| (last.velocity - exact.velocity).norm();
        let [a, b] = [20.0, 40.0].map(|n| error(run(&system, HalfExplicit::hedop5(), 1.0 / n, 1.0)));
        assert!(order(a, b) > 4.7, "hedop5: {a:e}, {b:e}");
        // Implicit methods do not see how the feedback depends on the state, and converge to the same.
        let alpha = || GeneralizedAlpha::chung_hulbert(0.9).unwrap();
        let [a, b] = [100.0, 200.0].map(|n| error(run(&system, alpha(), 1.0 / n, 1.0)));
        assert!((order(a, b) - 2.0).abs() < 0.2, "lie_alpha: {a:e}, {b:e}");
    }
}

#[test]
fn kernels_are_the_derivatives_of_what_is_declared() {
    let q = body::Pose { attitude: SO3::exp(&Vector3::new(0.3, 0.5, 0.1)), position: Vector3::new(0.2, -0.3, 0.1) };
    let v = Vector6::from_fn(|i, _| 0.3 * i as f64 - 0.5);
    let acceleration = Vector6::from_fn(|i, _| 0.1 * i as f64 + 0.2);
    let multipliers = Vector3::new(1.0, 2.0, -0.4);
    let table = {
        let times: Vec<f64> = (0..=10).map(|at| 0.1 * f64::from(at)).collect();
        let rows = times.iter().map(|&t| driven().inputs_at(t, &q, &v)).collect();
        bare().with_inputs_from(Table::new(times, rows, Interpolation::Cubic).unwrap())
    };
    for system in [driven(), with_feedback(), table] {
        let at = CheckPoint { t: 0.73, q: &q, v: &v, acceleration: &acceleration, multipliers: &multipliers };
        for deviation in derivative_check(&system, at) {
            assert!(deviation.deviation < 1e-12, "{deviation:?}");
        }
    }
}
