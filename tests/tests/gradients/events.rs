//! Reverse-mode gradients through impacts, switches and terminal events, compared with forward sensitivities of the same run and with
//! differences.

use lie_runtime::gradient::{Adjoint, EventVariation, Gradient, GradientError, Objective, Variation};
use lie_runtime::group::SO3xR3;
use lie_runtime::integrator::Integrator;
use lie_runtime::prelude::*;
use lie_runtime::scalar::Dual;
use lie_runtime::simulate::Limits;
use lie_runtime::simulate::event::EventError;

use crate::tops::top;

/// A ball on a hollow table that shakes, tied to its middle.
#[mechanical_system(gradients, redundant = minimum_norm)]
pub mod bouncing {
    use lie_runtime::prelude::*;

    #[configuration]
    pub struct Place {
        pub z: f64,
        pub x: f64,
    }

    #[parameters]
    pub struct Ball {
        pub gravity: f64,
        pub restitution: f64,
        pub amplitude: f64,
        pub frequency: f64,
        pub touches: bool,
    }

    #[kinetic_energy]
    fn kinetic(v: &Velocity) -> f64 {
        0.5 * v.z * v.z + v.x * v.x
    }

    #[potential]
    fn weight(p: &Ball, q: &Place) -> f64 {
        p.gravity * q.z + 0.3 * q.x * q.x
    }

    #[constraint]
    fn table(p: &Ball, t: f64, q: &Place) -> f64 {
        if p.touches { q.z - p.amplitude * (p.frequency * t).sin() - 0.1 * q.x * q.x } else { 0.0 }
    }

    #[event]
    fn strikes(p: &Ball, t: f64, q: &Place) -> f64 {
        q.z - p.amplitude * (p.frequency * t).sin() - 0.1 * q.x * q.x
    }
}

type Ball = bouncing::System;

const START: [f64; 4] = [9.81, 0.8, 0.05, 7.0];
const NAMES: [&str; 6] = ["gravity", "restitution", "amplitude", "frequency", "q", "v"];

fn ball([gravity, restitution, amplitude, frequency]: [f64; 4]) -> Ball {
    Ball::new(bouncing::Ball { gravity, restitution, amplitude, frequency, touches: false }).unwrap()
}

fn let_fall(system: &Ball) -> Simulation<'_, Ball> {
    let place = bouncing::Place { z: 0.6, x: 0.3 };
    Simulation::of(system).initial(place, Vector2::new(0.0, 0.5)).step(0.01).end_time(1.4)
}

fn number(value: f64) -> Dual<f64> {
    Dual::constant(value)
}

/// The height over the table, of a run that is differentiated.
macro_rules! height {
    () => {
        |system, at| {
            let (p, q) = (system.parameters(), &at.configuration);
            q.z - p.amplitude * (p.frequency * at.time).sin() - number(0.1) * q.x * q.x
        }
    };
}

/// An impact that also removes a tenth of the weight.
macro_rules! blow {
    ($at:ident) => {{
        let restitution = $at.system().parameters().restitution;
        $at.set(|p| p.touches = true);
        $at.impact(["table"], restitution);
        $at.set(|p| (p.touches, p.gravity) = (false, p.gravity * number(0.9)));
    }};
}

/// All derivatives with respect to parameters, then with respect to q₀ and v₀.
fn all<M: MechanicalSystem<Scalar = f64>>(gradient: &Gradient<M>) -> Vec<f64> {
    let components = |v: &M::Velocity| (0..v.component_count()).map(|at| v.component(at)).collect::<Vec<_>>();
    [gradient.parameters.clone(), components(&gradient.configuration), components(&gradient.velocity)].concat()
}

/// The derivatives of a gradient equal the forward sensitivities to 1e-10 of the largest.
fn agree<M: MechanicalSystem<Scalar = f64>>(gradient: &Gradient<M>, expected: impl Iterator<Item = f64>, what: &str) {
    let (own, expected) = (all(gradient), expected.collect::<Vec<_>>());
    assert_eq!(own.len(), expected.len(), "{what}");
    let size = expected.iter().fold(0.0, |size: f64, slope| size.max(slope.abs()));
    assert!(size > 0.0, "{what}: nothing depends on anything");
    for (number, (own, derivative)) in own.iter().zip(&expected).enumerate() {
        assert!((own - derivative).abs() < 1e-10 * size, "{what}, number {number}: {own:e} and {derivative:e}");
    }
}

#[test]
fn of_a_ball_are_those_of_sensitivities() {
    fn check<I: Adjoint<Ball> + Integrator<<Ball as lie_runtime::system::Liftable>::Lifted>>(
        system: &Ball,
        method: &I,
    ) {
        let run = let_fall(system).with_sensitivities(NAMES).method(method.clone());
        let run = run.event("strikes", height!()).falling().apply(|at| blow!(at)).run().unwrap();
        let objective = Objective::<Ball>::new().at_end(|state| {
            state.configuration.z + number(0.3) * state.velocity[1] + state.velocity[0] * state.configuration.x
        });
        let start = let_fall(system).method(method.clone()).with_gradients();
        let gradient =
            start.event("strikes", height!()).falling().apply(|at| blow!(at)).gradient_of(&objective).unwrap();
        assert_eq!(gradient.trajectory.events.len(), 2);
        let last = gradient.trajectory.last().unwrap();
        let slope = |by: &Variation<Ball>| {
            by.configuration[0]
                + 0.3 * by.velocity[1]
                + by.velocity[0] * last.configuration.x
                + last.velocity[0] * by.configuration[1]
        };
        agree(&gradient, run.variations.last().unwrap().iter().map(slope), Integrator::<Ball>::id(method));
    }
    let system = ball(START);
    check(&system, &HalfExplicit::hedop5());
    check(&system, &OnMechanical(MuntheKaas::rkmk4()));
}

/// Objectives over time, at impacts and their times, at the end: for runs that continue, that an impact stops, and that stop after an
/// impact.
#[test]
fn of_everything_at_once_are_those_of_differences() {
    let objective = Objective::<Ball>::new()
        .over_time(|state| state.configuration.z * state.configuration.z + state.velocity[0])
        .at_event("strikes", |count, at| (at.velocity[0] * at.time + at.configuration.x) * number(1.0 + count as f64))
        .at_event("strikes", |_, at| at.acceleration[1] * at.acceleration[0])
        .at_times([0.2, 0.3], |_, state| state.velocity[0] * state.configuration.x)
        .at_end(|state| state.velocity[1] + state.acceleration[1]);
    let gradient = |start: [f64; 4], stops: bool, last: f64| {
        let system = ball(start);
        let run = let_fall(&system).with_gradients().declared_event("strikes").falling();
        let run = if stops {
            run.stop()
        } else {
            run.apply(move |at| {
                blow!(at);
                if at.time().re > last {
                    at.stop();
                }
            })
        };
        run.gradient_of(&objective).unwrap()
    };
    for (stops, last) in [(false, 9.0), (true, 9.0), (false, 0.8)] {
        let own = gradient(START, stops, last);
        for by in 0..4 {
            let value = |part: f64| {
                let mut start = START;
                start[by] += part * 1e-4;
                gradient(start, stops, last).value
            };
            let sides = [1.0, 2.0, 3.0].map(|part| value(part) - value(-part));
            let expected = (45.0 * sides[0] - 9.0 * sides[1] + sides[2]) / (60.0 * 1e-4);
            let error = (own.parameters[by] - expected).abs();
            assert!(error < 1e-8, "{stops}, {last}, number {by}: {error:e} of {expected}");
        }
    }
}

/// In a run for sensitivities an event by its name is the same event.
#[test]
fn of_declared_events_are_those_of_functions() {
    let system = ball(START);
    let by_name = let_fall(&system)
        .with_sensitivities(NAMES)
        .declared_event("strikes")
        .falling()
        .apply(|at| blow!(at))
        .run()
        .unwrap();
    let run = let_fall(&system).with_sensitivities(NAMES).event("strikes", height!()).falling().apply(|at| blow!(at));
    let run = run.run().unwrap();
    let numbers = |of: &EventVariation<Ball>| [of.time, of.state.velocity[0], of.state.configuration[1]];
    assert_eq!((run.events.len(), by_name.events.len()), (2, 2));
    for (own, expected) in by_name.events.iter().flatten().zip(run.events.iter().flatten()) {
        for (own, expected) in numbers(own).into_iter().zip(numbers(expected)) {
            assert!((own - expected).abs() < 1e-9, "{own:e} and {expected:e}");
        }
    }
    let error =
        let_fall(&system).with_sensitivities(NAMES).declared_event("strike").stop().run().unwrap_err().to_string();
    assert!(error.contains("`strikes`"), "{error}");
    let error =
        let_fall(&system).with_gradients().declared_event("strike").stop().gradient_of(&Objective::new()).unwrap_err();
    assert!(error.to_string().contains("`strikes`"), "{error}");
}

/// Below a height the weight of a top depends on its position and a brake acts: every kind of method, with constraints on a group.
#[test]
fn of_switches_are_those_of_sensitivities_by_every_kind_of_method() {
    let (system, q, v) = top!(so3xr3, SO3xR3);
    macro_rules! switched {
        ($run:expr) => {
            $run.event("passes", |system, at| {
                at.configuration.pose.position().z + number(0.006) * system.parameters().gravity.z
            })
            .falling()
            .apply(|at| {
                let height = at.state().configuration.pose.position().z;
                let keeps = number(0.5) + height * number(0.1) + at.time();
                at.state().velocity *= keeps;
                at.set(|p| p.gravity *= number(1.0) + height * number(0.2));
            })
        };
    }
    macro_rules! each {
        ($($method:expr;)*) => {$({
            let method = $method;
            let start = || Simulation::of(&system).initial(q, v).step(0.01).end_time(0.2);
            let names = ["mass", "inertia", "center_of_mass", "gravity", "q", "v"];
            let run = switched!(start().with_sensitivities(names).method(method)).run().unwrap();
            let objective = Objective::<fixtures::systems::heavy_tops::so3xr3::System>::new()
                .at_end(|state| state.velocity[1] * state.configuration.pose.position().z + state.velocity[3])
                .at_event("passes", |_, at| at.time * at.velocity[0]);
            let gradient = switched!(start().method(method).with_gradients()).gradient_of(&objective).unwrap();
            let (last, event) = (run.trajectory.last().unwrap(), &run.trajectory.events[0]);
            let end = run.variations.last().unwrap().iter().zip(&run.events[0]).map(|(by, moved)| {
                let turn = last.configuration.pose.position().z * by.velocity[1] + by.velocity[3];
                let height = last.velocity[1] * by.configuration[5];
                turn + height + moved.time * event.before.velocity[0] + event.time * moved.state.velocity[0]
            });
            agree(&gradient, end, run.trajectory.method);
        })*};
    }
    each! {
        HalfExplicit::hedop5();
        HalfExplicit::herk4();
        OnMechanical(MuntheKaas::rkmk4());
        GeneralizedAlpha::lie_alpha();
        GeneralizedAlpha::lie_alpha_stab2();
        TrBdf2::new();
        Collocation::radau_iia3();
        Rattlie::new();
    }
}

#[test]
fn refused_are_events_that_have_none() {
    let system = ball(START);
    let failed = |error: Box<GradientError<Ball>>| *error;
    let start = || let_fall(&system).with_gradients();
    // Thrown upwards, a parabola with its top 1e-11 over what is looked for.
    let highest = 0.6 + 0.5 * 4.0 / START[0] - 1e-11;
    let thrown = Simulation::of(&system).initial(bouncing::Place { z: 0.6, x: 0.0 }, Vector2::new(2.0, 0.0));
    let thrown = thrown.step(0.01).end_time(1.0).with_gradients();
    let touching = thrown.event("touches", move |_, at| at.configuration.z - number(highest)).stop();
    match failed(touching.gradient_of(&Objective::<Ball>::new().at_end(|state| state.velocity[1])).unwrap_err()) {
        GradientError::AtEvent(failure) => {
            let Failure::Event { error, .. } = *failure else { panic!("{failure}") };
            assert!(matches!(*error, EventError::Grazing { .. }), "{error}");
        }
        other => panic!("{other}"),
    }
    let strikes = |objective: &Objective<'_, Ball>| {
        failed(start().declared_event("strikes").falling().record().gradient_of(objective).unwrap_err())
    };
    let missing = strikes(&Objective::new().at_event("strikes", |_, at| at.time));
    assert!(matches!(&missing, GradientError::NoEvent { name, .. } if name == "strikes"), "{missing}");
    assert!(missing.to_string().contains("`.apply(|_| ())`"), "{missing}");
    let interpolated = let_fall(&system).method(BLieDF::bliedf2()).with_gradients().declared_event("strikes").stop();
    let interpolated = failed(interpolated.gradient_of(&Objective::new()).unwrap_err());
    assert!(matches!(interpolated, GradientError::Method { .. }), "{interpolated}");
    let few = let_fall(&system).limits(Limits::default().bytes(1 << 10)).with_gradients();
    let few = failed(few.declared_event("strikes").falling().stop().gradient_of(&Objective::new()).unwrap_err());
    assert!(matches!(few, GradientError::RoomForEvents { bytes: 1024, .. }), "{few}");
    // Several events at one instant, whichever of them changes something.
    let twice =
        start().event("strikes", height!()).falling().apply(|at| blow!(at)).event("again", height!()).falling().stop();
    let GradientError::Run(error) = failed(twice.gradient_of(&Objective::new()).unwrap_err()) else { panic!() };
    let Failure::Event { error, .. } = error.failure else { panic!("{error}") };
    assert_eq!(*error, EventError::Simultaneous { with: vec!["again".to_owned()] });
}
