//! Inputs between steps, at the end of a table, and those that are not finite.

use lie_runtime::inputs::{Constant, InputError, Interpolation, OverTime, Table, TableError};
use lie_runtime::integrator::{Integrator, Problem};
use lie_runtime::prelude::*;
use lie_runtime::simulate::{SetupError, Warning};

/// A cart of one kilogram that is pushed.
#[mechanical_system]
mod cart {
    use lie_runtime::prelude::*;

    #[configuration]
    pub struct Rail {
        pub x: f64,
    }

    #[inputs]
    pub struct Inputs {
        pub push: f64,
    }

    #[kinetic_energy]
    fn kinetic(v: &Velocity) -> f64 {
        0.5 * v.x * v.x
    }

    #[force(on = x)]
    fn push(u: &Inputs) -> f64 {
        u.push
    }
}

/// The same, pushed by a declared function of the time.
#[mechanical_system]
mod pushed {
    use lie_runtime::prelude::*;

    #[configuration]
    pub struct Rail {
        pub x: f64,
    }

    #[kinetic_energy]
    fn kinetic(v: &Velocity) -> f64 {
        0.5 * v.x * v.x
    }

    #[force(on = x)]
    fn push(t: f64) -> f64 {
        if t > 30.0 && t < 32.0 { 1.0 } else { 0.0 }
    }
}

fn table(times: Vec<f64>, pushes: &[f64], kind: Interpolation) -> Table<cart::Inputs> {
    Table::new(times, pushes.iter().map(|&push| cart::Inputs { push }).collect(), kind).unwrap()
}

fn driven(signal: impl OverTime<cart::Inputs> + 'static) -> cart::System {
    cart::System::new().unwrap().with_inputs_from(signal)
}

fn start(system: &cart::System) -> Simulation<'_, cart::System> {
    Simulation::of(system).initial(cart::Rail { x: 0.0 }, Vector1::new(0.0))
}

/// x and v at the end, and the number of steps.
fn end<P: Problem<State = State<cart::System>>>(run: &Trajectory<P>) -> (f64, f64, usize) {
    let last = run.last().unwrap();
    (last.configuration.x, last.velocity.x, run.statistics.accepted)
}

/// Nine gusts of one newton second each, symmetric about 10 k + 0.25.
fn gusts(kind: Interpolation) -> Table<cart::Inputs> {
    let (mut times, mut pushes) = (vec![0.0], vec![0.0]);
    for k in 1..10 {
        for (after, push) in [(0.0, 0.0), (0.25, 4.0), (0.5, 0.0)] {
            times.push(10.0 * f64::from(k) + after);
            pushes.push(push);
        }
    }
    times.push(100.0);
    pushes.push(0.0);
    table(times, &pushes, kind)
}

fn meets_the_gusts<I: Integrator<cart::System>>(method: I, tolerance: f64, most: usize) {
    let id = method.id();
    let system = driven(gusts(Interpolation::Linear));
    let run = start(&system).method(method).rtol(1e-8).atol(1e-10).end_time(100.0).run().unwrap();
    let (x, v, steps) = end(&run);
    // A gust moves the cart as a blow at its middle.
    let expected: f64 = (1..10).map(|k| 100.0 - (10.0 * f64::from(k) + 0.25)).sum();
    assert!((v - 9.0).abs() < tolerance && (x / expected - 1.0).abs() < tolerance, "{id}: {x} {v}");
    // Steps end at all bends.
    for k in 1..10 {
        for after in [0.0, 0.25, 0.5] {
            let time = 10.0 * f64::from(k) + after;
            assert!(run.times().any(|own| own == time), "{id}: {time}");
        }
    }
    assert!(steps < most, "{id}: {steps}");
}

#[test]
fn no_step_leads_over_a_gust() {
    meets_the_gusts(HalfExplicit::hedop5(), 1e-12, 200);
    meets_the_gusts(TrBdf2::new(), 1e-6, 10_000);
    meets_the_gusts(GeneralizedAlpha::lie_alpha(), 1e-6, 20_000);
    // A spline bends everywhere: the integral is that of fixed steps.
    let system = driven(gusts(Interpolation::Cubic));
    let (x, v, steps) = end(&start(&system).rtol(1e-8).atol(1e-10).end_time(100.0).run().unwrap());
    let fixed = start(&system).step(0.25).end_time(100.0).run().unwrap();
    let (x_fixed, v_fixed, _) = end(&fixed);
    assert!((x - x_fixed).abs() < 1e-9 && (v - v_fixed).abs() < 1e-10, "{x} {x_fixed} {v} {v_fixed}");
    assert!(steps < 200, "{steps}");
}

/// A cosine in 100 000 rows, and noise of some millionths.
#[test]
fn dense_tables_cost_what_their_curve_costs() {
    let rows = 100_000_u32;
    let times: Vec<f64> = (0..=rows).map(|k| 1e-4 * f64::from(k)).collect();
    for (kind, noise, tolerance, most) in [
        (Interpolation::Cubic, 0.0, 1e-6, 300),
        (Interpolation::Linear, 0.0, 1e-6, 400),
        (Interpolation::Linear, 2e-6, 1e-4, 400),
    ] {
        let pushes: Vec<f64> = times.iter().zip((0..7).cycle()).map(|(t, k)| t.cos() + noise * f64::from(k)).collect();
        let system = driven(table(times.clone(), &pushes, kind));
        let (x, v, steps) = end(&start(&system).rtol(tolerance).atol(tolerance).end_time(10.0).run().unwrap());
        assert!((v - 10.0_f64.sin()).abs() < 20.0 * tolerance, "{kind:?}: {v}");
        assert!((x - (1.0 - 10.0_f64.cos())).abs() < 100.0 * tolerance, "{kind:?}: {x}");
        assert!(steps < most, "{kind:?}: {steps} steps");
    }
    // A gust of three rows in a table that is constant otherwise.
    let mut pushes = vec![1.0; times.len()];
    pushes[50_000] = 1001.0;
    let system = driven(table(times, &pushes, Interpolation::Linear));
    let (_, v, steps) = end(&start(&system).rtol(1e-6).atol(1e-9).end_time(10.0).run().unwrap());
    assert!((v - 10.1).abs() < 1e-9 && steps < 100, "{v} {steps}");
}

#[test]
fn stretches_are_cubic() {
    let times = vec![0.0, 1.0, 2.0, 3.0, 4.0, 5.0];
    let ramp = table(times.clone(), &[0.0, 1.0, 2.0, 3.0, 2.0, 1.0], Interpolation::Linear);
    assert_eq!(ramp.smooth_until(0.0, 9.0, 1e-6), Some(3.0));
    assert_eq!(ramp.smooth_until(0.5, 2.5, 1e-6), Some(2.5));
    assert_eq!(ramp.smooth_until(3.0, 9.0, 1e-6), Some(5.0));
    assert_eq!(ramp.smooth_until(3.0 - 1e-15, 9.0, 1e-6), Some(5.0));
    assert_eq!(ramp.smooth_until(5.0, 9.0, 1e-6), Some(9.0));
    assert_eq!(ramp.clone().constant_extrapolation().smooth_until(-2.0, 9.0, 1e-6), Some(0.0));
    let cubes: Vec<f64> = times.iter().map(|t| t * t * t).collect();
    assert_eq!(table(times.clone(), &cubes, Interpolation::Cubic).smooth_until(0.25, 9.0, 1e-9), Some(5.0));
    assert_eq!(table(times, &cubes, Interpolation::Linear).smooth_until(0.25, 9.0, 1e-9), Some(1.0));
    assert_eq!(Constant(cart::Inputs { push: 1.0 }).smooth_until(0.0, 2.0, 0.0), Some(2.0));
}

#[test]
fn fixed_steps_over_rows_are_a_warning() {
    let system = driven(gusts(Interpolation::Linear));
    let warnings = |h: f64| start(&system).step(h).end_time(100.0).run().unwrap().warnings().to_vec();
    let [Warning::InputsBetweenSteps { time: 10.0, distance: 0.25, step: 0.5 }] = warnings(0.5)[..] else {
        panic!("{:?}", warnings(0.5))
    };
    assert!(warnings(0.5)[0].to_string().contains("at t = 10.0"), "{}", warnings(0.5)[0]);
    assert!(warnings(0.25).is_empty() && warnings(0.1).is_empty());
    // Rows on a smooth curve, 100 in a step.
    let times: Vec<f64> = (0..=10_000).map(|k| 1e-3 * f64::from(k)).collect();
    let pushes: Vec<f64> = times.iter().map(|t| t.sin()).collect();
    let system = driven(table(times, &pushes, Interpolation::Linear));
    assert!(start(&system).step(0.1).end_time(10.0).run().unwrap().warnings().is_empty());
}

/// A closure, and a declared function of the time, of which nothing is known.
#[test]
fn steps_over_closures_have_a_longest() {
    let pulse = |t: f64, at: f64, width: f64| if t >= at && t < at + width { 1.0 / width } else { 0.0 };
    let closure = |width: f64| {
        cart::System::new().unwrap().with_inputs(move |t, _, _| cart::Inputs { push: pulse(t, 30.0, width) })
    };
    let run = |system: &cart::System, longest: Option<f64>| {
        let run = start(system).rtol(1e-8).atol(1e-10).end_time(100.0);
        let run = if let Some(longest) = longest { run.max_step(longest) } else { run }.run().unwrap();
        let sizes = run.times().zip(run.times().skip(1)).map(|(a, b)| b - a);
        (run.last().velocity.x, sizes.fold(0.0, f64::max))
    };
    // One hundredth of the run is the default.
    let (v, longest) = run(&closure(2.0), None);
    assert!((v - 1.0).abs() < 1e-4 && longest <= 1.01, "{v} {longest}");
    let (v, longest) = run(&closure(0.05), Some(0.05));
    assert!((v - 1.0).abs() < 1e-4 && longest <= 0.0505, "{v} {longest}");
    let system = pushed::System::new().unwrap();
    let simulation = || Simulation::of(&system).initial(pushed::Rail { x: 0.0 }, Vector1::new(0.0));
    let v = simulation().rtol(1e-8).atol(1e-10).end_time(100.0).run().unwrap().last().velocity.x;
    assert!((v - 2.0).abs() < 1e-4, "{v}");
    let error = simulation().step(0.1).max_step(0.05).end_time(1.0).run().unwrap_err();
    let Failure::Setup(SetupError::MaximumStep { maximum: 0.05, step: Some(0.1) }) = error.failure else {
        panic!("{error}")
    };
    let error = simulation().rtol(1e-6).atol(1e-6).max_step(0.0).end_time(1.0).run().unwrap_err();
    assert!(error.to_string().contains("must be positive"), "{error}");
}

/// Every pair of 8 ends and 12 steps, of which 12 of 48 failed, with a method of stages at the end and one with a memory.
#[test]
fn runs_reach_the_exact_end_of_their_table() {
    for end in [0.3, 0.7, 1.0, 2.0, 3.0, 5.0, 10.0, 20.0, 50.0, 100.0] {
        for h in [0.5, 0.3, 0.2, 0.1, 0.07, 0.05, 0.03, 0.02, 0.01, 1.0 / 3.0] {
            for from in [0.0, 0.1] {
                let system = driven(table(vec![from, end], &[1.0; 2], Interpolation::Linear));
                let explicit = start(&system).start_time(from).step(h).end_time(end).run();
                let implicit =
                    start(&system).method(GeneralizedAlpha::lie_alpha()).start_time(from).step(h).end_time(end).run();
                let even = ((end - from) / h).round() * h;
                let is_even = (even - (end - from)).abs() < 1e-9;
                let stepped = is_even
                    .then(|| start(&system).method(BLieDF::bliedf2()).start_time(from).step(h).end_time(end).run());
                for run in [explicit, implicit].into_iter().chain(stepped) {
                    let run = run.unwrap_or_else(|error| panic!("h = {h}, end = {end}: {error}"));
                    let last = run.last();
                    assert!(last.time == end && (last.velocity.x - (end - from)).abs() < 1e-10 * end, "{h} {end}");
                }
            }
        }
    }
    // Beyond the round-off of times it is an error as before.
    let system = driven(table(vec![0.0, 1.0], &[1.0; 2], Interpolation::Linear));
    let error = start(&system).step(0.1).end_time(1.0 + 1e-12).run().unwrap_err();
    assert!(matches!(error.failure, Failure::Setup(SetupError::Inputs(InputError::OutOfRange { .. }))), "{error}");
}

/// At half the way the input is not a number; by time, and by the state.
fn names_the_input<I: Integrator<cart::System> + Clone>(method: &I, controlled: bool) {
    let id = method.id();
    let nan = |is: bool| cart::Inputs { push: if is { f64::NAN } else { 2.0 } };
    let by_time = cart::System::new().unwrap().with_inputs(move |t, _, _| nan(t > 0.5));
    let by_state = cart::System::new().unwrap().with_inputs(move |_, q, _| nan(q.x > 0.25));
    for system in [by_time, by_state] {
        let run = start(&system).method(method.clone()).end_time(1.0);
        let run = if controlled { run.rtol(1e-6).atol(1e-6) } else { run.step(0.03) };
        let error = run.run().unwrap_err();
        let Failure::Inputs(InputError::NotFinite { field: "push", time }) = error.failure else {
            panic!("{id}: {error}")
        };
        assert!((0.46..0.55).contains(&time), "{id}: {error}");
        assert!(error.to_string().starts_with("the input `push` is not finite at t = 0."), "{error}");
    }
}

#[test]
fn inputs_that_are_no_numbers_are_named_by_every_method() {
    names_the_input(&HalfExplicit::hedop5(), false);
    names_the_input(&HalfExplicit::hedop5(), true);
    names_the_input(&GeneralizedAlpha::lie_alpha(), false);
    names_the_input(&GeneralizedAlpha::lie_alpha(), true);
    names_the_input(&TrBdf2::new(), true);
    names_the_input(&BLieDF::bliedf2(), false);
}

#[test]
fn columns_are_unknown_duplicate_or_missing() {
    let read = |text: &str| Table::<cart::Inputs>::from_csv(text, Interpolation::Linear).map(|_| ()).unwrap_err();
    let unknown = read("t,psuh\n0,1\n1,1\n");
    let expected = vec!["t".to_owned(), "push".to_owned()];
    let nearest = Some("push".to_owned());
    assert_eq!(unknown, TableError::UnknownColumn { column: "psuh".into(), nearest, expected: expected.clone() });
    assert!(
        unknown
            .to_string()
            .starts_with("unknown column `psuh` in the table; did you mean `push`? the columns are `t` and `push`")
    );
    assert_eq!(read("t,push,push\n0,1,1\n1,1,1\n"), TableError::DuplicateColumn { column: "push".into() });
    assert_eq!(read("push\n0\n1\n"), TableError::MissingColumn { column: "t".into(), expected });
    // What `main` prints is the message.
    assert_eq!(format!("{unknown:?}"), unknown.to_string());
}
