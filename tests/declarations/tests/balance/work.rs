//! The work of forces, dissipation, rheonomic constraints, time and events.

use lie_runtime::prelude::*;
use lie_runtime::simulate::{Balance, Trajectory, Warning};

#[mechanical_system]
pub mod oscillator {
    use lie_runtime::prelude::*;

    #[configuration]
    pub struct Position {
        pub x: f64,
    }

    #[parameters]
    pub struct Oscillator {
        pub stiffness: f64,
        pub damping: f64,
        /// Exponent of a dissipation that is not quadratic.
        pub cubic: f64,
    }

    #[inputs]
    pub struct Inputs {
        pub push: f64,
    }

    #[kinetic_energy]
    fn kinetic(v: &Velocity) -> f64 {
        0.5 * v.x * v.x
    }

    #[potential]
    fn spring(p: &Oscillator, q: &Position) -> f64 {
        0.5 * p.stiffness * q.x * q.x
    }

    #[dissipation]
    fn damper(p: &Oscillator, v: &Velocity) -> f64 {
        0.5 * p.damping * v.x * v.x
    }

    #[dissipation]
    fn air(p: &Oscillator, v: &Velocity) -> f64 {
        p.cubic * v.x.abs() * v.x * v.x
    }

    #[force(on = x)]
    fn shaker(u: &Inputs) -> f64 {
        u.push
    }
}

/// A bead on a straight wire that is turned about a point of it.
#[mechanical_system]
pub mod bead {
    use lie_runtime::prelude::*;

    #[configuration]
    pub struct Polar {
        pub radius: f64,
        pub angle: f64,
    }

    #[kinetic_energy]
    fn kinetic(q: &Polar, v: &Velocity) -> f64 {
        0.5 * (v.radius * v.radius + q.radius * q.radius * v.angle * v.angle)
    }

    #[constraint]
    fn wire(t: f64, q: &Polar) -> f64 {
        q.angle - 1.5 * t
    }
}

/// A mass in a field that grows with time.
#[mechanical_system]
pub mod field {
    use lie_runtime::prelude::*;

    #[configuration]
    pub struct Position {
        pub x: f64,
    }

    #[kinetic_energy]
    fn kinetic(v: &Velocity) -> f64 {
        0.5 * v.x * v.x
    }

    #[potential]
    fn growing(t: f64, q: &Position) -> f64 {
        -t * q.x
    }
}

/// Masses in a row on springs, damped between adjacent masses, pulled at the end.
#[mechanical_system]
pub mod chain {
    use lie_runtime::prelude::*;

    #[configuration]
    pub struct Nodes {
        pub nodes: Vec<R2>,
    }

    #[kinetic_energy(over = nodes)]
    fn kinetic(v: &Vector2<f64>) -> f64 {
        0.5 * v.norm_squared()
    }

    #[quantity(over = nodes.windows(2))]
    fn stretch([a, b]: [&R2; 2]) -> Vector2<f64> {
        b - a
    }

    #[potential(over = nodes.windows(2))]
    fn spring([a, b]: [&R2; 2]) -> f64 {
        0.5 * (stretch([a, b]).norm_squared() - 1.0).powi(2)
    }

    #[dissipation(over = nodes.windows(2))]
    fn damper([a, b]: [&R2; 2], [va, vb]: [&Vector2<f64>; 2]) -> f64 {
        0.1 * stretch_rate([a, b], [va, vb]).norm_squared()
    }

    #[force(over = nodes.last())]
    fn pull(t: f64, v: &Vector2<f64>) -> Vector2<f64> {
        Vector2::new(t.cos(), 0.3) - 0.2 * v
    }
}

#[mechanical_system]
pub mod ball {
    use lie_runtime::prelude::*;

    #[configuration]
    pub struct Height {
        pub z: f64,
    }

    #[kinetic_energy]
    fn kinetic(v: &Velocity) -> f64 {
        0.5 * v.z * v.z
    }

    #[potential]
    fn weight(q: &Height) -> f64 {
        10.0 * q.z
    }
}

fn of(stiffness: f64, damping: f64, cubic: f64) -> oscillator::System {
    oscillator::System::new(oscillator::Oscillator { stiffness, damping, cubic }).unwrap()
}

fn last<P: lie_runtime::integrator::Problem>(run: &Trajectory<P>) -> (&Balance, &Balance) {
    (run.balances.first().unwrap(), run.balances.last().unwrap())
}

/// x'' + 2 δ x' + x = 0 loses the work of its damper, with an error of fourth order.
#[test]
fn a_damper_takes_what_the_energy_has_lost() {
    let delta = 0.1_f64;
    let rate = (1.0 - delta * delta).sqrt();
    let energy = |t: f64| {
        let (sin, cos) = (rate * t).sin_cos();
        let decay = (-delta * t).exp();
        let (x, v) = (decay * (cos + delta / rate * sin), -decay * sin / rate);
        0.5 * (x * x + v * v)
    };
    let system = of(1.0, 2.0 * delta, 0.0).with_inputs(|_, _, _| oscillator::Inputs { push: 0.0 });
    let error = |h: f64| {
        let run = Simulation::of(&system)
            .initial(oscillator::Position { x: 1.0 }, Vector1::new(0.0))
            .monitor_energy()
            .step(h)
            .end_time(6.0)
            .run()
            .unwrap();
        assert_eq!(run.balances.len(), run.states.len());
        let (_, balance) = last(&run);
        assert_eq!(balance.work_of("shaker"), Some(0.0));
        assert_eq!(balance.work_of("nothing"), None);
        let taken = balance.work_of("damper").unwrap();
        assert!((run.statistics.energy_defect.unwrap() - (taken - (energy(6.0) - 0.5)).abs()).abs() < 1e-6);
        (taken - (energy(6.0) - 0.5)).abs()
    };
    let (coarse, fine) = (error(0.2), error(0.1));
    assert!(coarse < 1e-5, "{coarse:.1e}");
    let order = (coarse / fine).log2();
    assert!((3.7..4.6).contains(&order), "order {order:.2}");
}

/// In resonance, x'' + x = cos t, the shaker has given E = t²/8 + …: exactly ∫ cos t (sin t + t cos t)/2 dt.
#[test]
fn an_input_gives_what_the_energy_has_gained() {
    let system = of(1.0, 0.0, 0.0).with_inputs_over_time(|t| oscillator::Inputs { push: t.cos() });
    let run = Simulation::of(&system)
        .initial(oscillator::Position { x: 0.0 }, Vector1::new(0.0))
        .monitor_energy()
        .step(0.01)
        .end_time(7.0)
        .output_times(&[0.333, 3.0, 7.0])
        .run()
        .unwrap();
    for (state, balance) in run.states.iter().zip(&run.balances) {
        let t = state.time;
        let given =
            (1.0 - (2.0 * t).cos()) / 8.0 + t * t / 8.0 + t * (2.0 * t).sin() / 8.0 + ((2.0 * t).cos() - 1.0) / 16.0;
        let (x, v) = (0.5 * t * t.sin(), 0.5 * (t.sin() + t * t.cos()));
        assert!((given - 0.5 * (x * x + v * v)).abs() < 1e-12, "the closed form");
        assert!((balance.work_of("shaker").unwrap() - given).abs() < 1e-8, "at {t}");
        assert!((balance.energy - given).abs() < 1e-8);
    }
}

/// R = c |v|³ takes 3 R.
#[test]
fn a_dissipation_need_not_be_quadratic() {
    let system = of(0.0, 0.0, 0.2).with_inputs(|_, _, _| oscillator::Inputs { push: 0.0 });
    let run = Simulation::of(&system)
        .initial(oscillator::Position { x: 0.0 }, Vector1::new(2.0))
        .monitor_energy()
        .step(0.02)
        .end_time(3.0)
        .run()
        .unwrap();
    // v' = −0.6 v².
    let speed = 2.0 / (1.0 + 0.6 * 2.0 * 3.0);
    assert!((last(&run).1.work_of("air").unwrap() - (0.5 * speed * speed - 2.0)).abs() < 1e-6);
}

/// r = cosh ω t: the wire works, and does it by its multiplier.
#[test]
fn a_constraint_that_moves_works() {
    let (system, rate) = (bead::System::new().unwrap(), 1.5_f64);
    let velocity = bead::Velocity { radius: 0.0, angle: rate };
    let run = Simulation::of(&system)
        .initial(bead::Polar { radius: 1.0, angle: 0.0 }, velocity)
        .monitor_energy()
        .step(0.01)
        .end_time(1.0)
        .run()
        .unwrap();
    let (first, end) = last(&run);
    let energy = 0.5 * rate * rate * (rate.sinh().powi(2) + rate.cosh().powi(2));
    assert!((end.energy - energy).abs() < 1e-7);
    assert!((end.work_of(Balance::CONSTRAINTS).unwrap() - (energy - first.energy)).abs() < 1e-6);
    assert!(run.statistics.energy_defect.unwrap() < 1e-6);
}

/// x = t³/6 in the potential −t x: time gives −t⁴/24.
#[test]
fn time_works() {
    let system = field::System::new().unwrap();
    let run = Simulation::of(&system)
        .initial(field::Position { x: 0.0 }, Vector1::new(0.0))
        .monitor_energy()
        .step(0.05)
        .end_time(2.0)
        .run()
        .unwrap();
    assert!((last(&run).1.work_of(Balance::TIME).unwrap() + 16.0 / 24.0).abs() < 1e-6);
    assert!(run.statistics.energy_defect.unwrap() < 1e-6);
}

/// Elements are summed under the name of their function; the audit does not change the run.
#[test]
fn elements_add_up_and_nothing_is_touched() {
    let system = chain::System::new(chain::Lengths { nodes: 5 }).unwrap();
    let nodes =
        || chain::Nodes { nodes: (0..5).map(|at| Vector2::new(f64::from(at), 0.1 * f64::from(at * at))).collect() };
    let start = || {
        let at_rest = system.zero_velocity();
        Simulation::of(&system).initial(nodes(), at_rest).rtol(1e-8).atol(1e-10).end_time(2.0)
    };
    let (seen, unseen) = (start().monitor_energy().run().unwrap(), start().run().unwrap());
    assert!(unseen.balances.is_empty() && unseen.statistics.energy_defect.is_none());
    assert_eq!(seen.states.len(), unseen.states.len());
    for (a, b) in seen.states.iter().zip(&unseen.states) {
        assert_eq!((a.time, &a.velocity, &a.acceleration), (b.time, &b.velocity, &b.acceleration));
    }
    let (_, end) = last(&seen);
    let (damped, pulled) = (end.work_of("damper").unwrap(), end.work_of("pull").unwrap());
    assert!(damped < -1e-2 && pulled.abs() > 1e-2, "{damped} {pulled}");
    assert!(seen.statistics.energy_defect.unwrap() < 1e-5, "{:?}", seen.statistics.energy_defect);
}

/// An impact with restitution e leaves e² of the energy above the plate.
#[test]
fn a_blow_is_a_jump() {
    let system = ball::System::new().unwrap();
    let run = Simulation::of(&system)
        .initial(ball::Height { z: 1.0 }, Vector1::new(0.0))
        .monitor_energy()
        .event("bounce", |_, state| state.configuration.z)
        .falling()
        .apply(|at| at.state().velocity.x *= -0.5)
        .step(0.01)
        .end_time(0.6)
        .run()
        .unwrap();
    assert_eq!(run.events.len(), 1);
    let (first, end) = last(&run);
    assert!((first.energy - 10.0).abs() < 1e-12 && (end.energy - 2.5).abs() < 1e-9);
    assert!((end.work_of(Balance::JUMPS).unwrap() + 7.5).abs() < 1e-9);
    assert!(run.statistics.energy_defect.unwrap() < 1e-9);
}

/// The columns of a table, of watched runs alone.
#[test]
fn tables_have_the_accounts() {
    let system = of(1.0, 0.2, 0.0).with_inputs(|_, _, _| oscillator::Inputs { push: 0.0 });
    let start =
        || Simulation::of(&system).initial(oscillator::Position { x: 1.0 }, Vector1::new(0.0)).step(0.1).end_time(0.2);
    let header = |run: &Trajectory<oscillator::System>| {
        let mut table = Vec::new();
        run.clone().with_system(&system).unwrap().write_csv(&mut table).unwrap();
        String::from_utf8(table).unwrap().lines().next().unwrap().to_owned()
    };
    let watched = start().monitor_energy().run().unwrap();
    assert!(
        header(&watched).ends_with(
            "balance.energy,balance.work.damper,balance.work.air,balance.work.shaker,balance.work.moving constraints,\
             balance.work.passing time,balance.work.jumps"
        ),
        "{}",
        header(&watched)
    );
    assert!(!header(&start().run().unwrap()).contains("balance"));
    let summary = watched.summary();
    assert!(summary.starts_with("hedop5: 2 steps from t = 0 to 0.2") && summary.contains("damper -"), "{summary}");
}

/// Methods whose advantage does not apply to the system, and methods that destroy an invariant of the system.
#[test]
fn methods_and_declarations_that_do_not_go_together_are_told() {
    let damped = of(1.0, 0.2, 0.0).with_inputs(|_, _, _| oscillator::Inputs { push: 0.0 });
    let start = || Simulation::of(&damped).initial(oscillator::Position { x: 1.0 }, Vector1::new(0.0));
    let run = start().method_named("rattlie").unwrap().step(0.1).end_time(1.0).run().unwrap();
    let by = vec!["damper", "air", "shaker"];
    assert_eq!(run.warnings(), [Warning::NotConservative { method: "rattlie", by }]);
    assert!(run.summary().contains("changes by `damper`"));
    assert!(start().method_named("tr_bdf2").unwrap().step(0.1).end_time(1.0).run().unwrap().warnings().is_empty());
    let free = ball::System::new().unwrap();
    let start = || Simulation::of(&free).initial(ball::Height { z: 1.0 }, Vector1::new(0.0)).end_time(0.5);
    let run = start().method_named("tr_bdf2").unwrap().step(0.1).run().unwrap();
    assert_eq!(run.warnings(), [Warning::NumericalDissipation { method: "tr_bdf2" }]);
    for method in ["rattlie", "hedop5", "gauss4"] {
        assert!(start().method_named(method).unwrap().step(0.1).run().unwrap().warnings().is_empty());
    }
}
