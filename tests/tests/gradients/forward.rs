//! Sensitivities carried along runs.

use fixtures::systems::driven::{driven_pendulum_example, rolling_disc_example};
use fixtures::systems::rotating_bodies::free;
use fixtures::systems::top_in_space::{of_the_paper, top_in_space as top};
use lie_runtime::gradient::{Sensitive, Variable};
use lie_runtime::group::TangentVector;
use lie_runtime::integrator::Integrator;
use lie_runtime::prelude::*;
use lie_runtime::scalar::Dual;
use lie_runtime::simulate::{Methods, Registered};
use lie_runtime::system::{Linearised, MomentumRate, TangentSystem};

/// A run to be differentiated.
struct Case<'a, M: TangentSystem> {
    system: &'a M,
    q: M::Configuration,
    v: M::Velocity,
    step: f64,
    end: f64,
    held: &'a [&'a str],
}

impl<M: TangentSystem<Lifted: Linearised + MomentumRate> + Linearised + MomentumRate + 'static> Case<'_, M> {
    fn sensitive(&self, method: &str, names: &[&str]) -> Sensitive<M> {
        let run = Simulation::of(self.system)
            .initial(self.q.clone(), self.v.clone())
            .fix_initial(self.held.iter().copied())
            .max_initial_correction(0.1)
            .step(self.step)
            .end_time(self.end)
            .with_sensitivities(names.iter().copied())
            .method_from(&Methods::all(), method, &options::<M>(method))
            .unwrap();
        run.run().unwrap_or_else(|error| panic!("{method}: {error}"))
    }

    /// The last state of a run whose data are moved by `distance` along a direction.
    fn moved(&self, method: &str, direction: &Variable, distance: f64) -> State<M> {
        let (mut parameters, mut q, mut v) = (self.system.parameters().clone(), self.q.clone(), self.v.clone());
        match direction {
            Variable::Parameter { name, component } => {
                let mut numbers = parameters.get(name).unwrap().numbers();
                numbers[*component] += distance;
                parameters.set(name, &numbers).unwrap();
            }
            Variable::Configuration(component) => {
                let mut turn = self.system.zero_velocity();
                turn.set_component(*component, distance);
                self.system.space().compose_exp(&self.q, &turn, &mut q);
            }
            Variable::Velocity(component) => v.set_component(*component, v.component(*component) + distance),
        }
        let system = self.system.with_parameters(parameters).unwrap();
        let run = Simulation::of(&system)
            .initial(q, v)
            .fix_initial(self.held.iter().copied())
            .max_initial_correction(0.1)
            .method_from(&Methods::all(), method, &options::<M>(method))
            .unwrap()
            .step(self.step)
            .end_time(self.end)
            .run();
        run.unwrap_or_else(|error| panic!("{method}: {error}")).last().clone()
    }

    /// Derivatives of the last state by central differences.
    fn differences(&self, method: &str, direction: &Variable, distance: f64) -> Vec<f64> {
        let ends = [1.0, -1.0].map(|sign| self.moved(method, direction, sign * distance));
        let mut turn = self.system.zero_velocity();
        self.system.space().log_difference(&ends[1].configuration, &ends[0].configuration, &mut turn);
        let mut all = numbers(&turn);
        let pairs =
            [ends.each_ref().map(|end| numbers(&end.velocity)), ends.each_ref().map(|end| numbers(&end.multipliers))];
        for [above, below] in pairs {
            all.extend(above.iter().zip(below).map(|(above, below)| above - below));
        }
        all.iter().map(|difference| difference / (2.0 * distance)).collect()
    }

    /// Differences come nearer to the derivatives by their order, or as near as round-off lets them.
    fn check(&self, method: &str, names: &[&str], distance: f64) {
        let run = self.sensitive(method, names);
        let directions = Variable::named(self.system, names).unwrap();
        for (column, (name, direction)) in directions.iter().enumerate() {
            let variation = &run.variations.last().unwrap()[column];
            let mut exact = numbers(&variation.configuration);
            exact.extend(numbers(&variation.velocity));
            exact.extend(numbers(&variation.multipliers));
            let size = exact.iter().fold(1.0, |size: f64, x| size.max(x.abs()));
            let errors = [1.0, 0.5].map(|part| {
                let differences = self.differences(method, direction, part * distance);
                let errors = exact.iter().zip(&differences).map(|(exact, difference)| (exact - difference).abs());
                errors.fold(0.0, f64::max) / size
            });
            let is_of_order = errors[0] < 5e-2 && errors[1] < 0.3 * errors[0];
            assert!(is_of_order || errors[1] < 1e-7, "{method}, by {name}: {errors:?} of {size}");
        }
    }
}

/// Differences divide the residual error of an iteration by their distance.
fn options<M: Linearised + MomentumRate + 'static>(method: &str) -> Vec<(&'static str, &'static str)> {
    let methods = Methods::<M>::all();
    let mut options = methods.info(method).unwrap().options.iter().map(|option| option.name);
    options.find(|name| name.ends_with("tolerance")).map(|name| (name, "1e-14")).into_iter().collect()
}

fn numbers<V: TangentVector<Scalar = f64>>(vector: &V) -> Vec<f64> {
    (0..vector.component_count()).map(|at| vector.component(at)).collect()
}

/// Every half-explicit method: parameters that the constraint depends on move the initial values too.
#[test]
fn of_a_fast_top_by_every_half_explicit_method() {
    let (system, q, v) = of_the_paper();
    let case = Case { system: &system, q, v, step: 1e-3, end: 0.008, held: &[] };
    for method in HalfExplicit::all() {
        case.check(
            Integrator::<top::System>::id(&method),
            &["inertia[1][1]", "center_of_mass[2]", "q.attitude[0]", "v.attitude[1]"],
            2e-2,
        );
    }
}

/// Values equal the run without derivatives, bitwise if no factors are reused between steps.
#[test]
fn values_are_those_of_the_plain_run() {
    let (system, q, v) = of_the_paper();
    let case = Case { system: &system, q, v, step: 1e-3, end: 0.02, held: &[] };
    for method in ["hedop5", "rattlie", "tr_bdf2", "radau_iia5"] {
        let run = case.sensitive(method, &["mass", "q.attitude[2]"]);
        let plain = case.moved(method, &Variable::Velocity(0), 0.0);
        let last = run.trajectory.last().unwrap();
        assert_eq!(last.configuration.attitude, plain.configuration.attitude, "{method}");
        assert_eq!(last.velocity, plain.velocity, "{method}");
    }
}

/// A constraint that moves with time by its parameters.
#[test]
fn of_a_driven_pendulum() {
    let (system, q, v) = driven_pendulum_example();
    let names = ["mass", "arm", "amplitude", "frequency", "q.body[0]", "v.body[0]"];
    let case = Case { system: &system, q, v, step: 0.01, end: 0.3, held: &[] };
    for method in ["hedop5", "herk4", "lie_alpha", "rattlie", "tr_bdf2"] {
        case.check(method, &names, 1e-2);
    }
}

/// The position and its derivative follow from closure if the attitude is held.
#[test]
fn of_initial_values_that_follow_from_held_ones() {
    let (system, q, v) = of_the_paper();
    let case = Case { system: &system, q, v, step: 1e-3, end: 0.004, held: &["attitude"] };
    case.check("hedop5", &["center_of_mass", "q.attitude", "q.position"], 1e-3);
    // q.position is a guess that closure corrects in full.
    let run = case.sensitive("hedop5", &["q.position"]);
    assert!(run.variations[0].iter().all(|variation| variation.configuration.norm() < 1e-13));
}

/// Rows of velocities, and error-controlled steps, whose sizes values decide on.
#[test]
fn of_a_rolling_disc_in_controlled_steps() {
    let (system, q, v) = rolling_disc_example();
    let controlled = |names: &[&str]| {
        let run = Simulation::of(&system).initial(q, v).rtol(1e-6).atol(1e-8).end_time(0.2);
        run.with_sensitivities(names.iter().copied()).run().unwrap()
    };
    let (both, one) = (controlled(&["q", "v"]), controlled(&["v"]));
    let columns = both.names.len() - one.names.len();
    for (both, one) in both.variations.iter().zip(&one.variations) {
        assert_eq!(both[columns].velocity, one[0].velocity);
    }
}

/// A free body about a principal axis turns by ω t: ∂θ/∂ω = t up to the error of the method, and the inertia matters to nothing.
#[test]
fn of_a_free_body_by_methods_of_one_rotation() {
    let (system, q, _) = free();
    let v = Vector3::new(0.0, 0.0, 2.0);
    let case = Case { system: &system, q, v, step: 0.01, end: 0.5, held: &[] };
    let methods = <fixtures::systems::rotating_bodies::free_body::System as Registered>::methods();
    for info in methods.infos().filter(|info| info.needs.are_met_by(system.description())) {
        let run = case.sensitive(info.id, &["v", "moments[2]"]);
        let last = run.variations.last().unwrap();
        // Some turn by an angle that has an error of second order.
        let error = (last[2].configuration[2] - 0.5).abs();
        assert!(error < 1e-4, "{}: {error}", info.id);
        assert!(last[3].configuration.norm() < 1e-12 && last[3].velocity.norm() < 1e-12, "{}", info.id);
    }
}

#[test]
fn dual_numbers_say_what_they_carry() {
    const { assert!(<Dual<f64> as Scalar>::HAS_DERIVATIVES && !<f64 as Scalar>::HAS_DERIVATIVES) };
    let x = Dual { re: Dual { re: 2.0, eps: -3.0 }, eps: Dual { re: 1.0, eps: 0.5 } };
    assert_eq!(x.variation(), 3.0);
    let derivatives = x.derivatives();
    assert_eq!((derivatives.re.re, derivatives.re.eps, derivatives.eps.re), (0.0, -3.0, 1.0));
}
