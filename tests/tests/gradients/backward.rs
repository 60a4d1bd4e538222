//! Gradients backwards through runs: those of dual numbers carried along the whole run, and of differences.

use lie_runtime::gradient::{Adjoint, Gradient, Objective, Sensitive, pullback_check};
use lie_runtime::integrator::Integrator;
use lie_runtime::prelude::*;
use lie_runtime::scalar::Dual;
use lie_runtime::system::{Reverse, Varied};
use tests::systems::driven::{driven_pendulum_example, knife_edge_example, rolling_disc_example, skate_example};
use tests::systems::heavy_tops::{dq, s3r3, s3xr3, se3, so3xr3};

/// A run and an objective of it: energies and velocities, at the end, at times and all along.
struct Case<'a, M: Varied> {
    system: &'a M,
    still: M::Lifted,
    q: M::Configuration,
    v: M::Velocity,
    step: f64,
    end: f64,
}

impl<'a, M: Reverse<Scalar = f64> + Varied + 'static> Case<'a, M> {
    fn new(system: &'a M, q: M::Configuration, v: M::Velocity, step: f64, end: f64) -> Self {
        // All directions are zero but that of the parameter, which is set to zero as well.
        let mut zero = system.parameters().clone();
        for name in <M::Parameters as ParameterSet>::names() {
            let count = zero.get(name).unwrap().numbers().len();
            zero.set(name, &vec![0.0; count]).unwrap();
        }
        // Consistent to round-off: the first state of a run.
        let first = Simulation::of(system).starting_at(q, v).step(step).until(step).run().unwrap().states.remove(0);
        Case { system, still: system.varied(&zero).unwrap(), q: first.configuration, v: first.velocity, step, end }
    }

    fn at_end(&self, state: &State<M::Lifted>) -> Dual<f64> {
        let (t, q, v) = (Dual::lift(state.time), &state.configuration, &state.velocity);
        let mut sum = self.still.potential_energy(t, q);
        for at in 0..v.component_count() {
            sum += v.component(at).sin() * Dual::lift(0.3 + at as f64);
        }
        let multipliers = &state.multipliers;
        (0..multipliers.component_count()).fold(sum, |sum, at| sum + multipliers.component(at) * Dual::lift(0.01))
    }

    fn along(&self, state: &State<M::Lifted>) -> Dual<f64> {
        let energy = self.still.kinetic_energy(Dual::lift(state.time), &state.configuration, &state.velocity);
        energy * Dual::lift(0.5) + self.still.potential_energy(Dual::lift(state.time), &state.configuration)
    }

    fn objective(&self) -> Objective<'_, M> {
        Objective::new()
            .at_end(|state| self.at_end(state))
            .at_times([2.0 * self.step, 3.0 * self.step], |number, state| {
                self.along(state) * Dual::lift(number as f64 + 0.5)
            })
            .over_time(|state| self.along(state))
    }

    fn gradient<I: Adjoint<M>>(&self, method: I) -> Gradient<M> {
        let run = Simulation::of(self.system).starting_at(self.q.clone(), self.v.clone()).with(method).step(self.step);
        run.until(self.end).gradient_of(&self.objective()).unwrap_or_else(|error| panic!("{error}"))
    }

    /// Everything along which the gradient is known, by dual numbers through the whole run.
    fn reference<I: Integrator<M::Lifted> + Clone>(&self, method: I) -> (Sensitive<M>, Vec<f64>) {
        let names = <M::Parameters as ParameterSet>::names().iter().copied().chain(["q", "v"]);
        let run =
            Simulation::of(self.system).starting_at(self.q.clone(), self.v.clone()).step(self.step).until(self.end);
        let run = run.with_sensitivities(names).with(method).run().unwrap();
        let states = &run.trajectory.states;
        let last = states.len() - 1;
        let mut slopes = vec![0.0; run.names.len()];
        for (at, (state, variations)) in states.iter().zip(&run.variations).enumerate() {
            for (slope, variation) in slopes.iter_mut().zip(variations) {
                let varied = self.varied(state, variation);
                let weight = if at == 0 || at == last { 0.5 * self.step } else { self.step };
                *slope += weight * self.along(&varied).eps;
                *slope += if at == last { self.at_end(&varied).eps } else { 0.0 };
                *slope += if at == 2 || at == 3 { self.along(&varied).eps * (at as f64 - 1.5) } else { 0.0 };
            }
        }
        (run, slopes)
    }

    /// The state with its derivatives.
    fn varied(&self, state: &State<M>, variation: &lie_runtime::gradient::Variation<M>) -> State<M::Lifted> {
        let configuration = self.system.lift_configuration(&state.configuration);
        let mut varied = State::at_rest(&self.still, state.time, configuration.clone());
        let mut turn = self.still.zero_velocity();
        for at in 0..self.system.dof() {
            turn.set_component(at, Dual { re: 0.0, eps: variation.configuration.component(at) });
            let velocity = Dual { re: state.velocity.component(at), eps: variation.velocity.component(at) };
            varied.velocity.set_component(at, velocity);
        }
        for at in 0..self.system.constraint_rows() {
            let eps = variation.multipliers.component(at);
            varied.multipliers.set_component(at, Dual { re: state.multipliers.component(at), eps });
        }
        self.still.space().compose_exp(&configuration, &turn, &mut varied.configuration);
        varied
    }

    /// Both agree, component by component.
    fn check<I: Adjoint<M> + Integrator<M::Lifted> + Clone>(&self, method: I) {
        let id = Integrator::<M>::id(&method);
        let gradient = self.gradient(method.clone());
        let (run, slopes) = self.reference(method);
        let mut all = gradient.parameters.clone();
        for vector in [&gradient.configuration, &gradient.velocity] {
            all.extend((0..vector.component_count()).map(|at| vector.component(at)));
        }
        assert_eq!(all.len(), slopes.len());
        let size = slopes.iter().fold(0.0, |size: f64, slope| size.max(slope.abs()));
        assert!(size > 0.0, "{id}: nothing depends on anything");
        for ((name, own), slope) in run.names.iter().zip(&all).zip(&slopes) {
            let error = (own - slope).abs() / size;
            assert!(error < 1e-11, "{id}, by {name}: {own:e} and {slope:e}, {error:.1e} of {size:.1e}");
        }
        assert_eq!(gradient.trajectory.states.len(), run.trajectory.states.len());
    }
}

/// The data of paper 1 at a moderate spin, started off the vertical.
macro_rules! top {
    ($name:ident, $group:ident) => {{
        let data = $name::HeavyTop {
            mass: 15.0,
            inertia: Matrix3::new(0.3, 0.01, -0.02, 0.01, 0.47, 0.03, -0.02, 0.03, 0.25),
            center_of_mass: Vector3::new(0.1, 0.9, -0.2),
            gravity: Vector3::new(0.3, -0.2, -9.81),
        };
        let turn = Vector3::new(0.4, -0.3, 0.8);
        let rotation = SO3::exp(&turn);
        let position = rotation * data.center_of_mass;
        let pose = $group::new(Lift::rotation(&turn), position);
        let system = $name::System::new(data).unwrap();
        let v = Vector6::new(0.7, 3.0, -1.1, 0.0, 0.0, 0.0);
        let start = Simulation::of(&system).starting_at($name::Body { pose }, v).allowing_initial_correction(9.0);
        let first = start.step(0.01).until(0.01).run().unwrap().states.remove(0);
        (system, first.configuration, first.velocity)
    }};
}

/// A rotation of the kind that a pose has.
trait Lift: Sized {
    fn rotation(turn: &Vector3<f64>) -> Self;
}
impl Lift for SO3 {
    fn rotation(turn: &Vector3<f64>) -> Self {
        SO3::exp(turn)
    }
}
impl Lift for S3 {
    fn rotation(turn: &Vector3<f64>) -> Self {
        S3::exp(turn)
    }
}

#[test]
fn of_the_heavy_top_in_every_formulation() {
    macro_rules! each {
        ($($name:ident: $group:ident)*) => {$({
            let (system, q, v) = top!($name, $group);
            let case = Case::new(&system, q, v, 0.01, 0.2);
            case.check(HalfExplicit::hedop5());
            case.check(HalfExplicit::herk4());
            case.check(OnMechanical(MuntheKaas::rkmk4()));
        })*};
    }
    each! { so3xr3: SO3xR3 s3xr3: S3xR3 se3: SE3 s3r3: S3R3 dq: DQ }
}

/// Every tableau: with the last stage the first of the next step, and without.
#[test]
fn of_every_explicit_method() {
    let (system, q, v) = top!(so3xr3, SO3xR3);
    let case = Case::new(&system, q, v, 0.01, 0.1);
    for method in HalfExplicit::all() {
        case.check(method);
    }
    case.check(OnMechanical(MuntheKaas::rkmk54()));
    case.check(OnMechanical(MuntheKaas::rkmk3()));
}

/// A constraint that moves with time, and one of velocities.
#[test]
fn of_driven_and_rolling_bodies() {
    let (system, q, v) = driven_pendulum_example();
    let case = Case::new(&system, q, v, 0.02, 0.4);
    case.check(HalfExplicit::hedop5());
    case.check(HalfExplicit::herk3());
    case.check(OnMechanical(MuntheKaas::rkmk4()));
    let (system, q, v) = rolling_disc_example();
    let case = Case::new(&system, q, v, 0.02, 0.4);
    case.check(HalfExplicit::hedop5());
    case.check(OnMechanical(MuntheKaas::rkmk4()));
}

/// Each kernel by itself, at accelerations and multipliers that are no solution, off the constraints.
#[test]
fn of_each_kernel() {
    macro_rules! each {
        ($($system:expr, $q:expr;)*) => {$({
            let (system, q) = ($system, $q);
            let mut state = State::at_rest(&system, 0.7, q);
            for at in 0..system.dof() {
                state.velocity.set_component(at, 0.4 + (at as f64).cos());
                state.acceleration.set_component(at, 1.0 - (at as f64).sin());
            }
            for at in 0..system.constraint_rows() {
                state.multipliers.set_component(at, 0.8 - 0.3 * at as f64);
            }
            let mut turn = system.zero_velocity();
            for at in 0..system.dof() {
                turn.set_component(at, 0.3 + 0.2 * at as f64);
            }
            let start = state.configuration.clone();
            system.space().compose_exp(&start, &turn, &mut state.configuration);
            for kernel in pullback_check(&system, &state).unwrap() {
                assert!(kernel.deviation < 1e-13, "{}: {kernel:?}", system.description().name);
            }
        })*};
    }
    macro_rules! tops {
        ($($name:ident: $group:ident)*) => {$({
            let (system, q, _) = top!($name, $group);
            each! { system, q; }
        })*};
    }
    tops! { so3xr3: SO3xR3 s3xr3: S3xR3 se3: SE3 s3r3: S3R3 dq: DQ }
    each! {
        driven_pendulum_example().0, driven_pendulum_example().1;
        rolling_disc_example().0, rolling_disc_example().1;
        skate_example().0, skate_example().1;
        knife_edge_example().0, knife_edge_example().1;
    }
}

/// J(p + ε d) − J(p) − ε g · d is of second order.
#[test]
fn of_taylor() {
    let (system, q, v) = top!(se3, SE3);
    let case = Case::new(&system, q, v, 0.01, 0.2);
    let gradient = case.gradient(HalfExplicit::hedop5());
    let slope = gradient.by("mass").unwrap();
    let rests = [0.04, 0.02].map(|distance| {
        let mut data = system.parameters().clone();
        data.mass += distance;
        let other = se3::System::new(data).unwrap();
        let moved = Case {
            still: system
                .varied(&se3::HeavyTop {
                    mass: 0.0,
                    inertia: Matrix3::zeros(),
                    center_of_mass: Vector3::zeros(),
                    gravity: Vector3::zeros(),
                })
                .unwrap(),
            system: &other,
            q: case.q,
            v: case.v,
            step: case.step,
            end: case.end,
        };
        moved.gradient(HalfExplicit::hedop5()).value - gradient.value - distance * slope
    });
    let order = (rests[0] / rests[1]).log2();
    assert!((order - 2.0).abs() < 0.1, "{rests:?}");
}
