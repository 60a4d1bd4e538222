//! A run, an objective of it, and both ways to the derivatives: backwards, and by dual numbers carried along the whole run.

use lie_runtime::gradient::{Adjoint, Gradient, Objective, Sensitive, Variable};
use lie_runtime::integrator::Integrator;
use lie_runtime::prelude::*;
use lie_runtime::scalar::Dual;
use lie_runtime::system::ParameterSet;
use lie_runtime::system::{Liftable, Reverse, TangentSystem};

/// The objective at the last state.
fn at_end<L: MechanicalSystem>(still: &L, state: &State<L>) -> L::Scalar {
    let (t, q, v, number) =
        (L::Scalar::from_f64(state.time), &state.configuration, &state.velocity, L::Scalar::from_f64);
    let mut sum = still.potential_energy(t, q);
    for at in 0..v.component_count() {
        sum += v.component(at).sin() * number(0.3 + at as f64);
    }
    for at in 0..v.component_count() {
        sum += state.acceleration.component(at) * number(0.01 - 0.003 * at as f64);
    }
    let multipliers = &state.multipliers;
    (0..multipliers.component_count()).fold(sum, |sum, at| sum + multipliers.component(at) * number(0.01))
}

/// The objective at intermediate states.
pub fn along<L: MechanicalSystem>(still: &L, state: &State<L>) -> L::Scalar {
    let t = L::Scalar::from_f64(state.time);
    let energy = still.kinetic_energy(t, &state.configuration, &state.velocity);
    let drag = state.velocity.dot(&state.acceleration) * L::Scalar::from_f64(0.02);
    energy * L::Scalar::from_f64(0.5) + still.potential_energy(t, &state.configuration) + drag
}

/// The sum of both, of a run with these times.
pub fn objective<'o, M: Liftable>(still: &'o M::Lifted, times: &[f64]) -> Objective<'o, M> {
    let factor = |number: usize| <M::Lifted as MechanicalSystem>::Scalar::from_f64(number as f64 + 0.5);
    Objective::new()
        .at_end(|state| at_end(still, state))
        .at_times([times[2], times[3]], move |number, state| along(still, state) * factor(number))
        .over_time(|state| along(still, state))
}

/// A run and an objective of it: energies and velocities, at the end, at times and all along.
pub struct Case<'a, M: TangentSystem> {
    pub system: &'a M,
    pub still: M::Lifted,
    pub q: M::Configuration,
    pub v: M::Velocity,
    pub step: f64,
    pub end: f64,
    /// Tolerances of error-controlled runs.
    pub tolerance: Option<f64>,
    /// The parameters of the compared derivatives.
    pub names: Vec<&'a str>,
}

impl<'a, M: Reverse<Scalar = f64> + TangentSystem + 'static> Case<'a, M> {
    pub fn new(system: &'a M, q: M::Configuration, v: M::Velocity, step: f64, end: f64) -> Self {
        // All directions are zero but that of the parameter, which is set to zero as well.
        let mut zero = system.parameters().clone();
        for name in system.parameters().names() {
            let count = zero.get(name).unwrap().numbers().len();
            zero.set(name, &vec![0.0; count]).unwrap();
        }
        // Consistent to round-off: the first state of a run.
        let first = Simulation::of(system).initial(q, v).step(step).end_time(step).run().unwrap().first().clone();
        let (q, v) = (first.configuration, first.velocity);
        let names = system.parameters().names().iter().copied().chain(["q", "v"]).collect();
        Case { system, still: system.varied(&zero).unwrap(), q, v, step, end, tolerance: None, names }
    }

    /// The same, its derivatives compared by these names alone.
    pub fn compared_by(self, names: &[&'a str]) -> Self {
        Case { names: names.to_vec(), ..self }
    }

    /// The same in steps whose errors are controlled.
    pub fn controlled(self, tolerance: f64) -> Self {
        Case { tolerance: Some(tolerance), ..self }
    }

    /// The run, but for its method.
    pub fn run(&self) -> Simulation<'a, M> {
        let run = Simulation::of(self.system).initial(self.q.clone(), self.v.clone());
        match self.tolerance {
            Some(tolerance) => run.rtol(tolerance).atol(tolerance).initial_step(self.step).end_time(self.end),
            None => run.step(self.step).end_time(self.end),
        }
    }

    pub fn gradient<I: Adjoint<M> + Clone>(&self, method: I) -> Gradient<M> {
        let plain = self.run().method(method.clone()).run().unwrap_or_else(|error| panic!("{error}"));
        let times: Vec<f64> = plain.times().collect();
        let run = self.run().method(method);
        run.gradient_of(&objective(&self.still, &times)).unwrap_or_else(|error| panic!("{error}"))
    }

    /// Everything along which the gradient is known, by dual numbers through the whole run.
    pub fn reference<I: Integrator<M::Lifted> + Clone>(&self, method: I) -> (Sensitive<M>, Vec<f64>) {
        let run = self.run().with_sensitivities(self.names.iter().copied()).method(method).run().unwrap();
        let states = &run.trajectory.states;
        let last = states.len() - 1;
        let size = |at: usize| if at < last { states[at + 1].time - states[at].time } else { 0.0 };
        let mut slopes = vec![0.0; run.names.len()];
        for (at, (state, variations)) in states.iter().zip(&run.variations).enumerate() {
            for (slope, variation) in slopes.iter_mut().zip(variations) {
                let varied = self.varied(state, variation);
                let weight = 0.5 * (size(at) + at.checked_sub(1).map_or(0.0, size));
                *slope += weight * along(&self.still, &varied).eps;
                *slope += if at == last { at_end(&self.still, &varied).eps } else { 0.0 };
                *slope += if at == 2 || at == 3 { along(&self.still, &varied).eps * (at as f64 - 1.5) } else { 0.0 };
            }
        }
        (run, slopes)
    }

    /// The state with its derivatives.
    pub fn varied(&self, state: &State<M>, variation: &lie_runtime::gradient::Variation<M>) -> State<M::Lifted> {
        let configuration = self.system.lift_configuration(&state.configuration);
        let mut varied = State::at_rest(&self.still, state.time, configuration.clone());
        let mut turn = self.still.zero_velocity();
        for at in 0..self.system.dof() {
            turn.set_component(at, Dual { re: 0.0, eps: variation.configuration.component(at) });
            let velocity = Dual { re: state.velocity.component(at), eps: variation.velocity.component(at) };
            varied.velocity.set_component(at, velocity);
            let acceleration = Dual { re: state.acceleration.component(at), eps: variation.acceleration.component(at) };
            varied.acceleration.set_component(at, acceleration);
        }
        for at in 0..self.system.constraint_rows() {
            let eps = variation.multipliers.component(at);
            varied.multipliers.set_component(at, Dual { re: state.multipliers.component(at), eps });
        }
        self.still.space().compose_exp(&configuration, &turn, &mut varied.configuration);
        varied
    }

    /// Both agree, component by component.
    pub fn check<I: Adjoint<M> + Integrator<M::Lifted> + Clone>(&self, method: I) {
        let id = Integrator::<M>::id(&method);
        let gradient = self.gradient(method.clone());
        let (run, slopes) = self.reference(method);
        let directions = Variable::named(self.system, &self.names).unwrap();
        let all: Vec<f64> = directions
            .iter()
            .map(|(name, direction)| match direction {
                Variable::Parameter { .. } => gradient.by(name).unwrap(),
                Variable::Configuration(at) => gradient.configuration.component(*at),
                Variable::Velocity(at) => gradient.velocity.component(*at),
            })
            .collect();
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
