//! Inputs: given by the state, over time, from tables and by sampled controllers, to whole systems, chains and frames.

use lie_runtime::inputs::{Constant, InputError, Interpolation, Jet, OverTime, Table, TableError};
use lie_runtime::integrator::{Collocation, Integrator};
use lie_runtime::prelude::*;
use lie_runtime::simulate::SetupError;
use nalgebra::DVector;

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
    let run = Simulation::of(system).starting_at(q, v).with(method).step(h).until(end).record_every(usize::MAX).run();
    run.expect("it runs").states.pop().expect("it has an end")
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
        let reference = Simulation::of(&compiled).starting_at(q, v).step(h).until(1.0).run().unwrap();
        let (reference, last) = (reference.last().unwrap(), run(&system, HalfExplicit::hedop5(), h, 1.0));
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

/// The same body without what constraints take.
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

fn free_start() -> (free::Pose, Vector3<f64>) {
    (free::Pose { attitude: SO3::exp(&Vector3::new(0.4, 1.0, -0.3)) }, Vector3::new(0.5, -1.0, 2.0))
}

fn sampled<I: Integrator<free::System>>(method: I, h: f64) -> State<free::System> {
    let system = free::System::new().unwrap();
    let (q, v) = free_start();
    let simulation = Simulation::of(&system).starting_at(q, v).sampled_every(0.1, pid(0.1)).with(method);
    let run = simulation.step(h).until(1.0).run().expect("it runs");
    assert_eq!(run.sampled_inputs().len(), 10);
    run.last().unwrap().clone()
}

/// With the samples as they are, steps of half the size converge at the order of the method.
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
            .map(|h| sampled(BLieDF::new(2, lie_runtime::integrator::blie_df::Options::default()).unwrap(), h)),
        2.0,
        "blie_df",
    );
    orders([0.1, 0.05].map(|h| sampled(Collocation::gauss4(), h)), 4.0, "gauss4");
}

/// Steps that do not divide the period end at the instants all the same.
#[test]
fn steps_end_at_the_instants() {
    let (system, (q, v)) = (free::System::new().unwrap(), free_start());
    let simulation = || Simulation::of(&system).starting_at(q, v).sampled_every(0.1, pid(0.1));
    let uneven = simulation().step(0.03).until(1.05).run().unwrap();
    assert_eq!(uneven.states.len(), 1 + 10 * 4 + 2);
    assert_eq!(uneven.sampled_inputs().len(), 11);
    let controlled = simulation().tolerance(1e-9, 1e-9).until(1.0).run().unwrap();
    for instant in 1..=10 {
        let instant = 0.1 * f64::from(instant);
        assert!(controlled.times().any(|time| (time - instant).abs() < 1e-14), "no step ends at {instant}");
    }
    let exact = sampled(HalfExplicit::hedop5(), 0.1 / 256.0);
    assert!((controlled.last().unwrap().velocity - exact.velocity).norm() < 1e-7);
    // Longer steps than the period are cut to it.
    let long = simulation().step(3.0).until(1.0).run().unwrap();
    assert_eq!(long.statistics.accepted, 10);
}

#[test]
fn a_run_that_continues_makes_the_same_steps() {
    let (system, (q, v)) = (free::System::new().unwrap(), free_start());
    let whole = Simulation::of(&system).starting_at(q, v).sampled_every(0.1, pid(0.1)).step(0.03).until(1.0).run();
    let mut controller = pid(0.1);
    let first =
        Simulation::of(&system).starting_at(q, v).sampled_every(0.1, &mut controller).step(0.03).until(0.5).run();
    let first = first.unwrap();
    let rest = Simulation::of(&system).continuing_from(first.last().unwrap().clone());
    let rest = rest.sampled_every(0.1, &mut controller).step(0.03).until(1.0).run().unwrap();
    let (whole, rest) = (whole.unwrap(), rest.last().unwrap());
    assert!((whole.last().unwrap().velocity - rest.velocity).norm() < 1e-14);
}

/// A first-order reading, and numbers of another type.
#[test]
fn other_readings_take_inputs() {
    let (system, (q, v)) = (free::System::new().unwrap(), free_start());
    let run = Simulation::<lie_runtime::field::Mechanical<free::System>>::reading(&system)
        .starting_at(q, v)
        .sampled_every(0.1, pid(0.1))
        .step(0.001)
        .until(1.0)
        .run()
        .unwrap();
    let exact = sampled(HalfExplicit::hedop5(), 0.1 / 256.0);
    assert!((run.last().unwrap().point.1 - exact.velocity).norm() < 1e-11);

    let single = free::System::<f32>::of_scalar().unwrap();
    let single =
        single.with_inputs(|t, _, v| free::Inputs { torque: v.attitude * -0.5_f32 + Vector3::new(t, 0.0, 0.0) });
    let mut force = Vector3::<f32>::zeros();
    let upright = free::Pose { attitude: SO3::<f32>::identity() };
    single.force(2.0, &upright, &Vector3::new(1.0, 0.0, 0.0), &mut force);
    assert!((force - Vector3::new(1.5, 0.0, 0.0)).norm() < 1e-6);
}

#[test]
fn what_is_missing_is_said() {
    let failure = |system: &body::System, end: f64| {
        let (q, v) = start();
        match Simulation::of(system).starting_at(q, v).step(0.01).until(end).run().expect_err("it cannot run").failure {
            Failure::Setup(SetupError::Inputs(error)) | Failure::Inputs(error) => error,
            other => panic!("{other}"),
        }
    };
    let inputs = driven().inputs_at(0.0, &start().0, &start().1);
    assert!(matches!(failure(&bare(), 1.0), InputError::Missing { inputs: "Inputs", .. }));
    let of_state = bare().with_inputs(move |_, _, _| inputs);
    assert_eq!(failure(&of_state, 1.0), InputError::NotOverTime { function: "hinge" });
    let table = |interpolation| Table::new(vec![0.0, 0.4, 1.0], vec![inputs; 3], interpolation).unwrap();
    let linear = bare().with_inputs_from(table(Interpolation::Linear));
    assert_eq!(failure(&linear, 1.0), InputError::NotSmooth { function: "hinge" });
    let short = bare().with_inputs_from(table(Interpolation::Cubic));
    let range = [0.0, 1.0];
    assert_eq!(failure(&short, 1.5), InputError::OutOfRange { time: 1.5, range, inputs: "Inputs" });
    let undefined = driven().with_feedback(|t, _, _, u| body::Inputs {
        torque: Vector3::new(0.0, if t > 0.5 { f64::NAN } else { 0.0 }, 0.0),
        ..u
    });
    match failure(&undefined, 1.0) {
        InputError::NotFinite { field: "torque", time } => assert!((0.49..0.52).contains(&time), "{time}"),
        other => panic!("{other}"),
    }
    let (q, v) = start();
    let jumping = bare();
    let jumping = Simulation::of(&jumping).starting_at(q, v).sampled_every(0.1, |_, _, _| inputs);
    let failed = jumping.step(0.01).until(1.0).run().expect_err("a constraint cannot jump").failure;
    assert_eq!(failed, Failure::Setup(SetupError::Inputs(InputError::NotSmooth { function: "hinge" })));
    for period in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        let system = driven();
        let run = Simulation::of(&system)
            .starting_at(q, v)
            .sampled_every(period, |_, _, _| inputs)
            .step(0.01)
            .until(1.0)
            .run();
        let failed = run.expect_err("no period").failure;
        assert!(matches!(failed, Failure::Setup(SetupError::Inputs(InputError::Period { .. }))), "{failed}");
    }
    let (system, (q, v)) = (free::System::new().unwrap(), free_start());
    let nan = |t: f64, _: &free::Pose, _: &free::Velocity| free::Inputs { torque: Vector3::repeat((0.35 - t).sqrt()) };
    let run = Simulation::of(&system).starting_at(q, v).sampled_every(0.1, nan).step(0.01).until(1.0).run();
    let failed = run.expect_err("NaN").failure;
    assert!(matches!(failed, Failure::Inputs(InputError::NotFinite { field: "torque", .. })), "{failed}");
}

#[test]
fn tables_are_checked_and_read() {
    type Rows = Table<body::Inputs>;
    let row = driven().inputs_at(0.0, &start().0, &start().1);
    let table = |times: Vec<f64>, rows| Rows::new(times, rows, Interpolation::Cubic).map(|_| ());
    assert_eq!(table(vec![0.0], vec![row]), Err(TableError::TooShort { rows: 1 }));
    assert_eq!(table(vec![0.0], vec![row; 2]), Err(TableError::Lengths { times: 1, rows: 2 }));
    assert_eq!(table(vec![0.0, 0.0], vec![row; 2]), Err(TableError::NotSorted { row: 1, time: 0.0 }));
    assert_eq!(table(vec![0.0, f64::NAN], vec![row; 2]), Err(TableError::NotFinite { row: 1, column: "t".to_owned() }));
    let bad = body::Inputs { gravity: f64::INFINITY, ..row };
    assert_eq!(
        table(vec![0.0, 1.0], vec![row, bad]),
        Err(TableError::NotFinite { row: 1, column: "gravity".to_owned() })
    );

    let text = "gravity,t,base[0],base[1],base[2],torque[2],torque[1],torque[0],gains[0],gains[1]\n\
                1,0, 2,3,4, 7,6,5, 8,9\n\n2,1, 2,3,4, 7,6,5, 8,9\n";
    let read = Rows::from_csv(text, Interpolation::Linear).unwrap();
    let at = read.at(0.25);
    assert_eq!((at.gravity, at.torque, at.gains), (1.25, Vector3::new(5.0, 6.0, 7.0), [8.0, 9.0]));
    assert!(read.at(-0.1).gravity.is_nan() && read.clone().holding_ends().at(-0.1).gravity == 1.0);
    let read = |text: &str| Rows::from_csv(text, Interpolation::Linear).map(|_| ());
    assert!(matches!(read("t,gravity\n"), Err(TableError::Column { column, .. }) if column == "torque[0]"));
    assert!(
        matches!(read(&text.replace("gains[1]", "gain")), Err(TableError::Column { column, .. }) if column == "gain")
    );
    assert!(matches!(read(&text.replace("2,1,", "two,1,")), Err(TableError::NoNumber { line: 4, .. })));
}

/// A cubic spline of smooth data: the method's order as long as its rows are dense.
#[test]
fn a_table_of_a_smooth_signal_drives_a_constraint() {
    let exact = run(&driven(), HalfExplicit::hedop5(), 1.0 / 1024.0, 1.0);
    let (q, v) = start();
    let error = |rows: u32| {
        let times: Vec<f64> = (0..=rows).map(|at| f64::from(at) / f64::from(rows)).collect();
        let signal = driven();
        let rows = times.iter().map(|&t| signal.inputs_at(t, &q, &v)).collect();
        let system = bare().with_inputs_from(Table::new(times, rows, Interpolation::Cubic).unwrap());
        (run(&system, HalfExplicit::hedop5(), 1.0 / 320.0, 1.0).configuration.position - exact.configuration.position)
            .norm()
    };
    let [a, b] = [20, 40].map(error);
    assert!(order(a, b) > 3.5 && b < 1e-6, "{a:e}, {b:e}");
}

/// Every member of a chain is pushed, and the first is held to a moving place.
#[mechanical_system(derivative_check)]
pub mod chain {
    use lie_runtime::prelude::*;

    #[configuration]
    pub struct Chain {
        pub beads: Vec<R3>,
    }

    #[parameters]
    pub struct Springs {
        pub stiffness: f64,
        pub weights: Vec<f64>,
    }

    #[inputs]
    pub struct Inputs {
        pub wind: Vector3<f64>,
        pub drag: f64,
        pub base: Vector3<f64>,
    }

    #[kinetic_energy(over = beads)]
    fn kinetic(v: &Vector3<f64>) -> f64 {
        0.5 * v.norm_squared()
    }

    #[potential(over = beads.windows(2))]
    fn springs(s: &Springs, [a, b]: [&R3; 2]) -> f64 {
        0.5 * s.stiffness * (b - a).norm_squared()
    }

    #[force(over = beads)]
    fn blown(index: usize, u: &Inputs, _x: &R3, v: &Vector3<f64>) -> Vector3<f64> {
        u.wind * (1.0 + 0.1 * index as f64) - u.drag * v
    }

    #[constraint(over = beads.first())]
    fn held(x: &R3, u: &Inputs) -> Vector3<f64> {
        x - u.base
    }
}

fn beads() -> (chain::System, chain::Chain) {
    let springs = chain::Springs { stiffness: 20.0, weights: vec![1.0; 3] };
    let system = chain::System::new(springs, chain::Lengths { beads: 4 }).unwrap();
    let beads = (0..4).map(|at| Vector3::new(f64::from(at), 0.0, 0.0)).collect();
    (system, chain::Chain { beads })
}

fn base(t: Jet<f64>) -> chain::Inputs<Jet<f64>> {
    let c = Jet::<f64>::from;
    let swing = c(0.2) * (c(2.0) * t) * (c(2.0) * t);
    chain::Inputs { wind: Vector3::repeat(c(0.0)), drag: c(0.0), base: Vector3::new(c(0.0), swing, c(0.0)) }
}

#[test]
fn chains_take_inputs() {
    let (system, q) = beads();
    // Feedback sees the whole state, of which an element sees a part.
    let system = system.with_inputs_over_time(base).with_feedback(|t, q, v, u| chain::Inputs {
        wind: Vector3::new(0.0, 0.0, t.sin() - 0.3 * (q.beads[3].z + v.beads[3].z)),
        drag: 0.2,
        ..u
    });
    let run = |h: f64| {
        let run = Simulation::of(&system).starting_at(q.clone(), DVector::zeros(12)).step(h).until(1.0).run();
        run.unwrap().states.pop().unwrap()
    };
    let exact = run(1.0 / 640.0);
    assert!((exact.configuration.beads[0] - Vector3::new(0.0, 0.8, 0.0)).norm() < 1e-9);
    assert!(exact.configuration.beads[3].z > 0.05);
    let [a, b] = [20.0, 40.0].map(|n| (run(1.0 / n).velocity - &exact.velocity).norm());
    assert!(order(a, b) > 4.6, "{a:e}, {b:e}");
    let implicit = Simulation::of(&system).starting_at(q.clone(), DVector::zeros(12));
    let implicit =
        implicit.with(GeneralizedAlpha::chung_hulbert(0.9).unwrap()).step(1.0 / 400.0).until(1.0).run().unwrap();
    assert!((&implicit.last().unwrap().velocity - &exact.velocity).norm() < 1e-3);

    let mut moved = q.clone();
    moved.beads[3] = Vector3::new(2.8, 0.3, 0.4);
    let vector = |scale: f64| DVector::from_fn(12, |at, _| scale * (at as f64 - 5.0));
    let multipliers = DVector::from_row_slice(&[1.0, -2.0, 0.5]);
    let (v, acceleration) = (vector(0.1), vector(-0.2));
    let at = CheckPoint { t: 0.4, q: &moved, v: &v, acceleration: &acceleration, multipliers: &multipliers };
    for deviation in derivative_check(&system, at) {
        assert!(deviation.deviation < 1e-12, "{deviation:?}");
    }
}

#[test]
fn chains_are_sampled_and_written() {
    let (system, q) = beads();
    let system = system.with_inputs_over_time(base);
    let mut count = 0.0;
    let controller = |_: f64, _: &chain::Chain, v: &chain::Velocity| {
        count += 1.0;
        chain::Inputs { wind: Vector3::new(0.0, 0.0, count - v.beads[3].z), drag: 0.1, base: Vector3::repeat(9.0) }
    };
    let run = Simulation::of(&system).starting_at(q, DVector::zeros(12)).sampled_every(0.25, controller).step(0.05);
    let run = run.until(1.0).run().unwrap();
    assert_eq!(run.sampled_inputs().len(), 4);
    let winds: Vec<f64> = run.samples(&system).unwrap().map(|sample| sample.inputs.numbers()[2]).collect();
    assert_eq!(winds.len(), 21);
    // Of the first state and of the five that follow in steps of the first sample.
    assert!(winds[..6].iter().all(|&wind| wind == 1.0) && winds[6] != 1.0, "{winds:?}");
    // The base is that of the function of time.
    let base: Vec<f64> = run.samples(&system).unwrap().map(|sample| sample.inputs.numbers()[5]).collect();
    assert!((base[20] - 0.8).abs() < 1e-12);
}

/// Links on joints whose last frame is pushed.
#[mechanical_system]
pub mod links {
    use lie_runtime::prelude::*;

    #[configuration]
    pub struct Joints {
        pub joints: Vec<S2>,
    }

    #[inputs]
    pub struct Inputs {
        pub push: Vector3<f64>,
        pub gravity: f64,
    }

    #[kinematics(over = joints)]
    fn mass(above: &R3, link: &S2) -> R3 {
        above + link.direction()
    }

    #[kinetic_energy(over = mass)]
    fn kinetic(v: &Vector3<f64>) -> f64 {
        0.5 * v.norm_squared()
    }

    #[potential(over = mass)]
    fn weight(u: &Inputs, x: &R3) -> f64 {
        u.gravity * x.z
    }

    #[force(over = mass.last())]
    fn tip(u: &Inputs) -> Vector3<f64> {
        u.push
    }

    #[observable(over = mass.last())]
    fn power(u: &Inputs, x: &R3, v: &Vector3<f64>) -> f64 {
        u.push.dot(v) + 0.0 * x.z
    }
}

#[test]
fn frames_take_inputs() {
    let system = links::System::new(links::Lengths { joints: 3 }).unwrap();
    let down = S2::new(Vector3::new(0.0, 0.0, -1.0)).unwrap();
    let q = links::Joints { joints: vec![down; 3] };
    let still = links::Inputs { push: Vector3::zeros(), gravity: 9.81 };
    // A constant push to the side has its equilibrium where it moves: the power is what the energy grows by.
    let system = system
        .with_inputs_from(Constant(still))
        .with_feedback(|t, _, _, u| links::Inputs { push: Vector3::new(3.0 * (2.0 * t).sin(), 0.0, 0.0), ..u });
    let run = Simulation::of(&system).starting_at(q, DVector::zeros(9)).step(0.001).until(1.0).run().unwrap();
    let samples: Vec<_> = run.samples(&system).unwrap().collect();
    let energy = |at: usize| samples[at].energy.kinetic + samples[at].energy.potential;
    let power: Vec<f64> = samples.iter().map(|sample| sample.observable("power")[0]).collect();
    let simpson: f64 = power.windows(3).step_by(2).map(|p| 0.001 / 3.0 * (p[0] + 4.0 * p[1] + p[2])).sum();
    assert!(simpson > 0.1 && (energy(1000) - energy(0) - simpson).abs() < 1e-9, "{simpson}");
}
