//! Controllers that are asked at instants, and readings of the same system.

use lie_runtime::integrator::{Collocation, Integrator};
use lie_runtime::prelude::*;

use super::order;

#[mechanical_system]
pub mod free {
    use lie_runtime::prelude::*;

    #[configuration]
    pub struct Pose {
        pub attitude: SO3,
    }

    #[inputs]
    pub struct Inputs {
        pub torque: Vector3<f64>,
    }

    #[kinetic_energy]
    fn kinetic(v: &Velocity) -> f64 {
        0.5 * (v.attitude.x.powi(2) + 2.0 * v.attitude.y.powi(2) + 3.0 * v.attitude.z.powi(2))
    }

    #[potential]
    fn weight(q: &Pose) -> f64 {
        (q.attitude * Vector3::z()).z
    }

    #[force]
    fn motor(u: &Inputs) -> Vector3<f64> {
        u.torque
    }
}

/// A controller that remembers: a PID with a large integral.
fn pid(period: f64) -> impl FnMut(f64, &free::Pose, &free::Velocity) -> free::Inputs {
    let mut sum = Vector3::zeros();
    move |_, q, v| {
        let error = q.attitude.log();
        sum += error * period;
        free::Inputs { torque: -4.0 * error - 3.0 * sum - v.attitude }
    }
}

pub fn free_start() -> (free::Pose, Vector3<f64>) {
    (free::Pose { attitude: SO3::exp(&Vector3::new(0.4, 1.0, -0.3)) }, Vector3::new(0.5, -1.0, 2.0))
}

fn sampled<I: Integrator<free::System>>(method: I, h: f64) -> State<free::System> {
    let system = free::System::new().unwrap();
    let (q, v) = free_start();
    let simulation = Simulation::of(&system).initial(q, v).controller(0.1, pid(0.1)).method(method);
    let run = simulation.step(h).end_time(1.0).run().expect("it runs");
    assert_eq!(run.sampled_inputs().len(), 10);
    run.last().clone()
}

/// Steps converge at the order of the method for fixed samples.
#[test]
fn sampled_controllers_keep_the_order() {
    let exact = sampled(HalfExplicit::hedop5(), 0.1 / 256.0);
    let orders = |[a, b]: [State<free::System>; 2], wanted: f64, name: &str| {
        let [a, b] = [a, b].map(|last| (last.velocity - exact.velocity).norm());
        assert!(order(a, b) > wanted - 0.3, "{name}: {a:e}, {b:e}, order {}", order(a, b));
    };
    orders([0.05, 0.025].map(|h| sampled(HalfExplicit::hedop5(), h)), 5.0, "hedop5");
    orders([0.05, 0.025].map(|h| sampled(HalfExplicit::herk4(), h)), 4.0, "herk4");
    orders([0.01, 0.005].map(|h| sampled(GeneralizedAlpha::chung_hulbert(0.9).unwrap(), h)), 2.0, "lie_alpha");
    orders([0.01, 0.005].map(|h| sampled(TrBdf2::new(), h)), 2.0, "tr_bdf2");
    orders([0.01, 0.005].map(|h| sampled(Rattlie::new(), h)), 2.0, "rattlie");
    orders(
        [0.01, 0.005]
            .map(|h| sampled(BLieDF::new(2, lie_runtime::integrator::blie_df::BLieDFOptions::default()).unwrap(), h)),
        2.0,
        "blie_df",
    );
    orders([0.1, 0.05].map(|h| sampled(Collocation::gauss4(), h)), 4.0, "gauss4");
}

/// Steps that do not divide the period end at the instants all the same.
#[test]
fn steps_end_at_the_instants() {
    let (system, (q, v)) = (free::System::new().unwrap(), free_start());
    let simulation = || Simulation::of(&system).initial(q, v).controller(0.1, pid(0.1));
    let uneven = simulation().step(0.03).end_time(1.05).run().unwrap();
    assert_eq!(uneven.states.len(), 1 + 10 * 4 + 2);
    assert_eq!(uneven.sampled_inputs().len(), 11);
    let controlled = simulation().rtol(1e-9).atol(1e-9).end_time(1.0).run().unwrap();
    for instant in 1..=10 {
        let instant = 0.1 * f64::from(instant);
        assert!(controlled.times().any(|time| (time - instant).abs() < 1e-14), "no step ends at {instant}");
    }
    let exact = sampled(HalfExplicit::hedop5(), 0.1 / 256.0);
    assert!((controlled.last().velocity - exact.velocity).norm() < 1e-7);
    // Longer steps than the period are cut to it.
    let long = simulation().step(3.0).end_time(1.0).run().unwrap();
    assert_eq!(long.statistics.accepted, 10);
}

#[test]
fn a_run_that_continues_makes_the_same_steps() {
    let (system, (q, v)) = (free::System::new().unwrap(), free_start());
    let whole = Simulation::of(&system).initial(q, v).controller(0.1, pid(0.1)).step(0.03).end_time(1.0).run();
    let mut controller = pid(0.1);
    let first = Simulation::of(&system).initial(q, v).controller(0.1, &mut controller).step(0.03).end_time(0.5).run();
    let first = first.unwrap();
    let rest = Simulation::of(&system).restart_from(first.last().clone());
    let rest = rest.controller(0.1, &mut controller).step(0.03).end_time(1.0).run().unwrap();
    let (whole, rest) = (whole.unwrap(), rest.last());
    assert!((whole.last().velocity - rest.velocity).norm() < 1e-14);
}

/// A first-order reading, and numbers of another type.
#[test]
fn other_readings_take_inputs() {
    let (system, (q, v)) = (free::System::new().unwrap(), free_start());
    let run = Simulation::<lie_runtime::field::MechanicalField<free::System>>::reading(&system)
        .initial(q, v)
        .controller(0.1, pid(0.1))
        .step(0.001)
        .end_time(1.0)
        .run()
        .unwrap();
    let exact = sampled(HalfExplicit::hedop5(), 0.1 / 256.0);
    assert!((run.last().point.1 - exact.velocity).norm() < 1e-11);

    let single = free::System::<f32>::of_scalar().unwrap();
    let single =
        single.with_inputs(|t, _, v| free::Inputs { torque: v.attitude * -0.5_f32 + Vector3::new(t, 0.0, 0.0) });
    let mut force = Vector3::<f32>::zeros();
    let upright = free::Pose { attitude: SO3::<f32>::identity() };
    single.force(2.0, &upright, &Vector3::new(1.0, 0.0, 0.0), &mut force);
    assert!((force - Vector3::new(1.5, 0.0, 0.0)).norm() < 1e-6);
}
