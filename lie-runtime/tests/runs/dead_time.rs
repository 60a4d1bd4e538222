//! Inputs with dead time, against the method of steps, whose solutions are polynomials between two breaking points.

use lie_runtime::inputs::InputError;
use lie_runtime::integrator::blie_df::BLieDFOptions;
use lie_runtime::integrator::{BLieDF, Integrator};
use lie_runtime::prelude::*;
use lie_runtime::simulate::{Failure, SetupError};

#[mechanical_system]
pub mod axis {
    #[configuration]
    pub struct Axis {
        pub x: f64,
    }

    #[parameters]
    pub struct Data {
        pub gravity: f64,
    }

    #[inputs]
    pub struct Inputs {
        pub push: f64,
        pub bias: f64,
        pub pair: [f64; 2],
        pub rest: f64,
    }

    #[kinetic_energy]
    fn kinetic(v: &Velocity) -> f64 {
        0.5 * v.x * v.x
    }

    #[potential]
    fn spring(u: &Inputs, q: &Axis) -> f64 {
        u.rest * q.x
    }

    #[force(on = x)]
    fn motor(p: &Data, u: &Inputs) -> f64 {
        u.push + u.bias + u.pair[1] - p.gravity
    }

    #[observable]
    fn command(q: &Axis, v: &Velocity) -> f64 {
        -200.0 * q.x - 20.0 * v.x
    }

    #[observable]
    fn total(u: &Inputs) -> f64 {
        u.push + u.bias
    }
}
use axis::{Axis, Data, Inputs, System};

/// x'' = −k x(t − T) − c x'(t − T) − g + b(t), with x = 1 and x' = 0 before t = 0, and x' → −e x' at x = 0.
#[derive(Clone, Copy, Default)]
struct Reference<'a> {
    dead_time: f64,
    gains: [f64; 2],
    gravity: f64,
    restitution: Option<f64>,
    /// The values of b and the times from which they apply.
    bias: &'a [(f64, f64)],
}

fn evaluated(coefficients: &[f64], t: f64) -> f64 {
    coefficients.iter().rev().fold(0.0, |sum, c| sum * t + c)
}

fn derivative(coefficients: &[f64]) -> Vec<f64> {
    coefficients.iter().enumerate().skip(1).map(|(n, c)| n as f64 * c).collect()
}

/// The coefficients of p(t + by).
fn shifted(coefficients: &[f64], by: f64) -> Vec<f64> {
    let mut shifted = coefficients.to_vec();
    for low in 0..shifted.len() {
        for at in (low..shifted.len() - 1).rev() {
            shifted[at] += by * shifted[at + 1];
        }
    }
    shifted
}

impl Reference<'_> {
    /// x and x' at a time.
    fn at(&self, end: f64) -> [f64; 2] {
        let (mut t, mut x, mut v) = (0.0, 1.0, 0.0);
        let mut pieces: Vec<(f64, Vec<f64>)> = Vec::new();
        while t < end {
            let past = pieces.iter().rev().find(|(start, _)| *start <= t - self.dead_time + 1e-12);
            let past = past.map_or(vec![1.0], |(start, piece)| shifted(piece, t - self.dead_time - start));
            let (rate, bias) = (derivative(&past), self.bias.iter().rev().find(|(from, _)| *from <= t + 1e-12));
            let mut piece = vec![x, v];
            for (n, value) in past.iter().enumerate() {
                let mut force = -self.gains[0] * value - self.gains[1] * rate.get(n).unwrap_or(&0.0);
                force += if n == 0 { bias.map_or(0.0, |(_, value)| *value) - self.gravity } else { 0.0 };
                piece.push(force / ((n + 1) * (n + 2)) as f64);
            }
            let breaks =
                pieces.iter().map(|(start, _)| start + self.dead_time).chain([self.dead_time, t + self.dead_time]);
            let breaks = breaks.chain(self.bias.iter().map(|(from, _)| *from)).filter(|time| *time > t + 1e-12);
            let mut length = breaks.fold(end, f64::min) - t;
            let is_below = |s: f64| evaluated(&piece, s) < 0.0;
            let hit = (1..=1000).map(|n| length * f64::from(n) / 1000.0).find(|s| is_below(*s));
            let hit = self.restitution.and(hit);
            if let Some(mut late) = hit {
                let mut early = late - length / 1000.0;
                while late - early > 1e-15 {
                    let middle = 0.5 * (early + late);
                    *(if is_below(middle) { &mut late } else { &mut early }) = middle;
                    if middle == early && middle == late {
                        break;
                    }
                }
                length = 0.5 * (early + late);
            }
            (x, v) = (evaluated(&piece, length), evaluated(&derivative(&piece), length));
            if let (Some(_), Some(e)) = (hit, self.restitution) {
                (x, v) = (0.0, -e * v);
            }
            pieces.push((t, piece));
            t += length;
            if end - t < 1e-12 {
                break;
            }
        }
        [x, v]
    }

    fn controlled(dead_time: f64) -> Self {
        Reference { dead_time, gains: [200.0, 20.0], ..Reference::default() }
    }
}

fn system(gravity: f64) -> System {
    let inputs = Inputs { push: f64::NAN, bias: 0.0, pair: [0.0; 2], rest: 0.0 };
    System::new(Data { gravity }).unwrap().with_inputs_from(lie_runtime::inputs::Constant(inputs))
}

/// The largest error of x and x'/10.
fn error(state: &State<System>, [x, v]: [f64; 2]) -> f64 {
    (state.configuration.x - x).abs().max((state.velocity[0] - v).abs() / 10.0)
}

fn controlled<I: Integrator<System>>(method: I, dead_time: f64, h: f64) -> f64 {
    let system = system(0.0);
    let run = Simulation::of(&system).at_rest(Axis { x: 1.0 }).delayed("push", "command", dead_time).method(method);
    let run = run.step(h).end_time(0.3).run().unwrap();
    error(run.last(), Reference::controlled(dead_time).at(0.3))
}

/// Checks the order of a method with steps that divide the dead time, and with steps that do not.
fn check_order<I: Integrator<System> + Clone>(method: &I, h: f64, order: f64) {
    for dead_time in [0.02, 0.0173] {
        let [one, two] = [h, 0.5 * h].map(|h| controlled(method.clone(), dead_time, h));
        let found = (one / two).log2();
        let name = method.id();
        assert!(found > order - 0.35, "{name}, T = {dead_time}: order {found:.2}, errors {one:.2e}, {two:.2e}");
        assert!(
            found < order + 1.5 && two < 1e-3,
            "{name}, T = {dead_time}: order {found:.2}, errors {one:.2e}, {two:.2e}"
        );
    }
}

#[test]
fn the_reference_is_the_solution_of_the_method_of_steps() {
    // x = 1 − 100 t² in the first interval; in the second one x'' = −200 (1 − 100 s²) + 4000 s with s = t − T.
    let reference = Reference::controlled(0.02);
    let (s, [x, v]) = (0.01_f64, reference.at(0.03));
    let exact = 0.96 - 4.0 * s - 100.0 * s * s + 20_000.0 * s.powi(4) / 12.0 + 4000.0 * s.powi(3) / 6.0;
    assert!((x - exact).abs() < 1e-13 && v < -4.0, "{x} {exact} {v}");
    let [x, v] = reference.at(1.0);
    assert!((x - 1.899_701_419_1e-6).abs() < 1e-14 && (v + 3.911_018_066_6e-5).abs() < 1e-13, "{x} {v}");
}

#[test]
fn methods_keep_their_order_with_dead_time() {
    check_order(&HalfExplicit::hedop5(), 0.01, 5.0);
    check_order(&HalfExplicit::herk4(), 0.01, 4.0);
    check_order(&GeneralizedAlpha::chung_hulbert(0.9).unwrap(), 2.5e-3, 2.0);
    check_order(&TrBdf2::new(), 2.5e-3, 2.0);
    check_order(&BLieDF::new(2, BLieDFOptions::default()).unwrap(), 1.25e-3, 2.0);
}

#[test]
fn controlled_steps_satisfy_the_tolerance_and_the_dead_time() {
    let system = system(0.0);
    for dead_time in [0.02, 0.0173] {
        for tolerance in [1e-6, 1e-8, 1e-10] {
            let run = Simulation::of(&system).at_rest(Axis { x: 1.0 }).delayed("push", "command", dead_time);
            let run = run.rtol(tolerance).atol(tolerance).end_time(1.0).run().unwrap();
            let found = error(run.last(), Reference::controlled(dead_time).at(1.0));
            assert!(found < 2.0 * tolerance, "T = {dead_time}, tolerance {tolerance:e}: {found:e}");
            let longest = run.states.windows(2).map(|pair| pair[1].time - pair[0].time).fold(0.0, f64::max);
            assert!(longest <= dead_time * (1.0 + 1e-8), "{longest}");
            // A recorded input is the quantity at the earlier time.
            let table = run.table(["push"]).unwrap();
            for (state, row) in run.states.iter().zip(&table.rows).step_by(20) {
                let [x, v] = Reference::controlled(dead_time).at((state.time - dead_time).max(0.0));
                assert!((row[0] + 200.0 * x + 20.0 * v).abs() < 1e3 * tolerance, "{row:?} at {}", state.time);
            }
            let between = run.at(0.123).unwrap();
            assert!(
                (between.acceleration[0] - -200.0 * Reference::controlled(dead_time).at(0.123 - dead_time)[0]
                    + 20.0 * Reference::controlled(dead_time).at(0.123 - dead_time)[1])
                    .abs()
                    < 1e3 * tolerance
            );
        }
    }
}

/// The velocity is discontinuous at an impact, and the delayed force repeats the discontinuity.
#[test]
fn a_delayed_impact_is_a_discontinuity_of_the_input() {
    let (reference, system) = (
        Reference { dead_time: 0.1, gains: [0.0, -1.0], gravity: 9.81, restitution: Some(0.8), ..Reference::default() },
        system(9.81),
    );
    let bounced = |simulation: Simulation<'_, System>| {
        let simulation = simulation.delayed("push", "velocity.x", 0.1).end_time(1.8);
        let simulation = simulation.event("floor", |_, state| state.configuration.x).falling();
        let simulation = simulation.apply(|change| change.state().velocity[0] *= -0.8);
        let run = simulation.run().unwrap();
        assert!(run.events.len() >= 2);
        error(run.last(), reference.at(1.8))
    };
    let start = || Simulation::of(&system).at_rest(Axis { x: 1.0 });
    for h in [0.02, 0.013] {
        let found = bounced(start().step(h));
        assert!(found < 1e-9, "h = {h}: {found:e}");
    }
    let found = bounced(start().rtol(1e-8).atol(1e-8));
    assert!(found < 1e-7, "{found:e}");
}

/// A sampled controller switches one input, and another one has dead time.
#[test]
fn dead_time_and_a_controller_act_together() {
    let bias: Vec<(f64, f64)> = (0..6).map(|n| (0.05 * f64::from(n), 30.0 * f64::from(n % 2))).collect();
    let reference = Reference { bias: &bias, ..Reference::controlled(0.02) };
    let system = System::new(Data { gravity: 0.0 }).unwrap();
    let system = system.with_inputs_from(lie_runtime::inputs::Constant(Inputs {
        push: 0.0,
        bias: 0.0,
        pair: [0.0; 2],
        rest: 0.0,
    }));
    let mut n = 0;
    let switch = |_: f64, _: &Axis, _: &axis::Velocity| {
        n += 1;
        Inputs { push: f64::INFINITY.recip(), bias: 30.0 * f64::from((n + 1) % 2), pair: [0.0; 2], rest: 0.0 }
    };
    let run = Simulation::of(&system).at_rest(Axis { x: 1.0 }).delayed("push", "command", 0.02);
    let run = run.controller(0.05, switch).step(0.005).end_time(0.3).run().unwrap();
    let found = error(run.last(), reference.at(0.3));
    assert!(found < 1e-7, "{found:e}");
}

/// The history before the start is x = cos t for the equation x'' = x'(t − 3π/2), whose solution it is.
#[test]
fn a_given_history_continues_a_motion() {
    let system = system(0.0);
    let dead_time = 1.5 * core::f64::consts::PI;
    let run = Simulation::of(&system).at_rest(Axis { x: 1.0 });
    let run = run.delayed_with_history("push", "velocity.x", dead_time, |t| [-t.sin()]);
    let run = run.rtol(1e-10).atol(1e-10).end_time(20.0).run().unwrap();
    assert!(error(run.last(), [20.0_f64.cos(), -20.0_f64.sin()]) < 1e-7);
}

#[test]
fn invalid_dead_times_are_errors_that_name_the_input() {
    let system = system(0.0);
    let start = || Simulation::of(&system).at_rest(Axis { x: 1.0 }).step(0.01).end_time(1.0);
    let refused = |simulation: Simulation<'_, System>| match simulation.run().unwrap_err().failure {
        Failure::Setup(SetupError::Inputs(error)) | Failure::Inputs(error) => error,
        other => panic!("{other}"),
    };
    let text = |simulation| refused(simulation).to_string();
    let unknown = refused(start().delayed("pusch", "command", 0.02));
    assert!(matches!(unknown, InputError::UnknownInput { .. }));
    assert!(
        unknown.to_string().contains("unknown input `pusch`") && unknown.to_string().contains("did you mean `push`?")
    );
    let unknown = text(start().delayed("push", "comand", 0.02));
    assert!(unknown.contains("`.delayed(\"push\", …)`: unknown quantity `comand`"), "{unknown}");
    assert!(unknown.contains("did you mean `command`?"), "{unknown}");
    assert!(matches!(refused(start().delayed("push", "multipliers", 0.02)), InputError::UnknownQuantity { .. }));
    let short = text(start().delayed("push", "command", 0.005));
    assert!(
        short.starts_with("the step size 0.01 exceeds the dead time 0.005 of the input `push`; set `.step(0.005)`")
    );
    for dead_time in [0.0, -0.1, f64::NAN, f64::INFINITY] {
        assert!(matches!(refused(start().delayed("push", "command", dead_time)), InputError::DeadTime { .. }));
    }
    let shape = text(start().delayed("pair", "command", 0.02));
    assert!(shape.starts_with("the input `pair` has 2 values, and the quantity `command` has 1 value;"), "{shape}");
    let shape = text(start().delayed_with_history("push", "command", 0.02, |_| [0.0; 2]));
    assert!(shape.starts_with("the input `push` has 1 value, and its initial history has 2 values;"), "{shape}");
    let twice = start().delayed("push", "command", 0.02).delayed("push", "x", 0.03);
    assert!(matches!(refused(twice), InputError::DelayedTwice { input } if input == "push"));
    let prescribed = text(start().delayed("rest", "command", 0.02));
    assert!(prescribed.starts_with("`spring` reads the input `rest`"), "{prescribed}");
    let own = text(start().delayed("push", "total", 0.02));
    assert!(own.starts_with("the quantity `total` of the delayed input `push`"), "{own}");
    // Derivatives of a run with dead time do not exist.
    let by = start().delayed("push", "command", 0.02).with_sensitivities(["gravity"]).run().unwrap_err();
    assert!(by.to_string().contains("an input with dead time"), "{by}");
    let precompiled = start().delayed("push", "command", 0.02).run_precompiled("hedop5").unwrap_err();
    assert!(precompiled.to_string().contains("inputs with dead time"), "{precompiled}");
}
