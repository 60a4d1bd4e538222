//! The motion of the controller of paper 3, in the variables of a plan.

use lie_runtime::field::VectorFieldProblem;
use lie_runtime::integrator::FieldState;
use lie_runtime::prelude::*;
use lie_runtime::space::TS2;

use super::super::error::PlanError;
use super::super::plan::Plan;
use super::super::task::Knot;
use super::{BOUND, Carry, END, Weights, data, declared, gliding};
use crate::quadrotors::model::{self, Quadrotors, target};

/// Steps of the paper.
const STEPS: usize = 2000;

/// A moment of a motion: how it is measured does not depend on who makes it.
#[derive(Clone, Copy, Debug)]
pub struct Moment {
    /// t.
    pub time: f64,
    /// The payload.
    pub payload: Vector3<f64>,
    /// qᵢ.
    pub links: [Vector3<f64>; 2],
    /// uᵢ.
    pub thrusts: [Vector3<f64>; 2],
}

/// The cost of a motion.
#[derive(Clone, Copy, Debug)]
pub struct Measures {
    /// ∫ |u₁|² + |u₂|² dt [N² s].
    pub effort: f64,
    /// √(∫ |y − y_d|² dt / T) [m].
    pub from_way: f64,
    /// √(∫ Σ |qᵢ − rᵢ|² dt / T).
    pub from_formation: f64,
    /// The largest thrust [N].
    pub peak: f64,
}

impl Measures {
    /// The costs of a motion, with integrals by the trapezoidal rule; at a jump there are two moments at one time.
    pub fn of(moments: &[Moment], formation: &[Vector3<f64>; 2]) -> Self {
        let integral = |of: &dyn Fn(&Moment) -> f64| -> f64 {
            moments.windows(2).map(|pair| 0.5 * (pair[1].time - pair[0].time) * (of(&pair[0]) + of(&pair[1]))).sum()
        };
        let aside = |moment: &Moment| (0..2).map(|i| (moment.links[i] - formation[i]).norm_squared()).sum();
        Measures {
            effort: integral(&|moment| moment.thrusts.iter().map(Vector3::norm_squared).sum()),
            from_way: (integral(&|moment| (moment.payload - target(moment.time)).norm_squared()) / END).sqrt(),
            from_formation: (integral(&aside) / END).sqrt(),
            peak: moments.iter().flat_map(|moment| moment.thrusts).map(|thrust| thrust.norm()).fold(0.0, f64::max),
        }
    }

    /// ½ ∫ |u|² + |r|² dt.
    pub fn cost(&self, weights: &Weights) -> f64 {
        let [way, formation] =
            [weights.way * self.from_way, weights.formation * self.from_formation].map(|x| END * x * x);
        0.5 * (self.effort + way + formation)
    }
}

/// The moments of the motion of a plan.
pub fn moments(plan: &Plan<declared::System>, flown: &[State<declared::System>]) -> Vec<Moment> {
    let steps = (flown.len() - 1) / plan.inputs.len();
    let pieces = plan.inputs.iter().zip(flown.windows(steps + 1).step_by(steps));
    let moment = |inputs: &[f64], state: &State<declared::System>| Moment {
        time: state.time,
        payload: state.configuration.payload,
        links: state.configuration.links.map(|link| link.direction()),
        thrusts: [0, 3].map(|first| Vector3::from_column_slice(&inputs[first..first + 3])),
    };
    pieces.flat_map(|(inputs, states)| states.iter().map(move |state| moment(inputs, state))).collect()
}

/// The motion under the controller from a start on, by the fourth-order method and the steps of the paper.
///
/// # Errors
/// [`PlanError::Run`].
pub fn controlled(
    system: &Quadrotors,
    from: &Knot<declared::System>,
) -> Result<Vec<FieldState<VectorFieldProblem<Quadrotors>>>, PlanError> {
    let velocity: declared::Velocity = from.velocity.into();
    let (mut load, bodies, _) = model::start();
    load.fixed_rows_mut::<3>(0).copy_from(&from.configuration.payload);
    load.fixed_rows_mut::<3>(3).copy_from(&velocity.payload);
    let links = [0, 1].map(|link| TS2::new_unchecked(from.configuration.links[link].direction(), velocity.links[link]));
    let run = Simulation::of_field(system).initial((load, bodies, links)).method(MuntheKaas::rkmk4());
    Ok(run.step(END / STEPS as f64).end_time(END).run().map_err(PlanError::run)?.into_trajectory().states)
}

/// A state of the controlled motion with its thrusts.
pub fn moment(system: &Quadrotors, state: &FieldState<VectorFieldProblem<Quadrotors>>) -> Moment {
    let (load, _, links) = &state.point;
    let [payload, velocity] = [0, 3].map(|first| load.fixed_rows::<3>(first).into_owned());
    let control = system.control(state.time, (&payload, &velocity), links);
    let thrusts = [0, 1].map(|i| system.thrust(i, &control, &links[i]).iter().sum());
    Moment { time: state.time, payload, links: links.map(|link| link.direction()), thrusts }
}

/// The configuration and the velocity of such a state.
fn knot(state: &FieldState<VectorFieldProblem<Quadrotors>>) -> Knot<declared::System> {
    let (load, _, links) = &state.point;
    let [payload, rate] = [0, 3].map(|first| load.fixed_rows::<3>(first).into_owned());
    let configuration = declared::Pose { payload, links: links.map(|link| S2::new_unchecked(link.direction())) };
    let velocity = declared::Velocity { payload: rate, links: links.map(|link| link.angular_velocity()) };
    Knot { configuration, velocity: velocity.into() }
}

impl Carry {
    /// From a start to where the controller ends.
    ///
    /// # Errors
    /// [`PlanError::Run`].
    pub fn beside(system: &Quadrotors, from: &Knot<declared::System>) -> Result<Self, PlanError> {
        let states = controlled(system, from)?;
        let end = knot(states.last().ok_or_else(|| PlanError::run("a run without states"))?);
        let (data, weights) = (data(system), Weights::default());
        let guess = gliding(&data, [from, &end]);
        Ok(Carry { data, bound: BOUND, weights, formation: system.formation, guess })
    }
}
