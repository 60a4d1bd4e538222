//! Knots in coordinates, and the defect between a piece and the next knot, with its derivatives.

use lie_runtime::gradient::Objective;
use lie_runtime::nalgebra::{DMatrix, DVector};
use lie_runtime::prelude::*;
use lie_runtime::scalar::Dual;
use lie_runtime::system::Liftable;

use super::error::PlanError;
use super::task::{Grid, Knot, Steered, Task};

type SystemOf<T> = <T as Task>::System;
type VelocityOf<T> = <SystemOf<T> as MechanicalSystem>::Velocity;

/// Axes shorter than this move nothing.
const NOTHING: f64 = 1e-8;

/// A full set of orthonormal velocities that move a configuration: unit vectors on a group, two for each direction on spheres, because a
/// rotation about a direction moves nothing.
pub fn axes<M: MechanicalSystem<Scalar = f64>>(system: &M, q: &M::Configuration) -> Vec<M::Velocity> {
    let mut axes: Vec<M::Velocity> = vec![];
    for component in 0..system.dof() {
        let mut axis = system.zero_velocity();
        axis.set_component(component, 1.0);
        system.space().remove_spins(q, &mut axis);
        // Twice, so that they are orthogonal to round-off.
        for _ in 0..2 {
            for other in &axes {
                axis.axpy(-axis.dot(other), other);
            }
        }
        let length = axis.dot(&axis).sqrt();
        if length > NOTHING {
            axis.scale(1.0 / length);
            axes.push(axis);
        }
    }
    axes
}

/// (q ∘ exp(θ), v + w) by the coordinates of θ and w along the axes at q.
pub fn moved<M: MechanicalSystem<Scalar = f64>>(
    system: &M,
    knot: &Knot<M>,
    axes: &[M::Velocity],
    by: &[f64],
) -> Knot<M> {
    let (mut theta, mut moved) = (system.zero_velocity(), knot.clone());
    for (at, axis) in axes.iter().enumerate() {
        theta.axpy(by[at], axis);
        moved.velocity.axpy(by[axes.len() + at], axis);
    }
    system.space().compose_exp(&knot.configuration, &theta, &mut moved.configuration);
    system.space().renormalize(&mut moved.configuration);
    system.space().remove_spins(&moved.configuration, &mut moved.velocity);
    moved
}

/// (log(q⁻¹ ∘ q'), v' − v), along the axes at the first state: the difference of another state from this state.
pub fn difference<M: MechanicalSystem<Scalar = f64>>(
    system: &M,
    from: &Knot<M>,
    to: &Knot<M>,
    axes: &[M::Velocity],
) -> DVector<f64> {
    let (mut theta, mut rate) = (system.zero_velocity(), to.velocity.clone());
    system.space().log_difference(&from.configuration, &to.configuration, &mut theta);
    rate.axpy(-1.0, &from.velocity);
    let along = |vector: &M::Velocity, at: usize| axes[at].dot(vector);
    let count = axes.len();
    DVector::from_fn(2 * count, |at, _| if at < count { along(&theta, at) } else { along(&rate, at - count) })
}

/// A velocity as a constant on dual numbers.
pub fn constant<M: Liftable<Scalar = f64>>(
    lifted: &M::Lifted,
    velocity: &M::Velocity,
) -> <M::Lifted as MechanicalSystem>::Velocity {
    let mut constant = lifted.zero_velocity();
    for component in 0..velocity.component_count() {
        constant.set_component(component, Dual::constant(velocity.component(component)));
    }
    constant
}

/// q ∘ exp(ε axis), on dual numbers: functions of it contain the derivative along the axis.
pub fn aside<M: Liftable<Scalar = f64>>(
    system: &M,
    lifted: &M::Lifted,
    q: &M::Configuration,
    axis: &M::Velocity,
) -> <M::Lifted as MechanicalSystem>::Configuration {
    let mut theta = lifted.zero_velocity();
    for component in 0..axis.component_count() {
        theta.set_component(component, Dual::variable(0.0, axis.component(component)));
    }
    let q = system.lift_configuration(q);
    let mut out = q.clone();
    lifted.space().compose_exp(&q, &theta, &mut out);
    out
}

/// The motion of one piece, from a knot on.
fn run<'a, M: Steered>(system: &'a M, from: &Knot<M>, grid: &Grid) -> Simulation<'a, M, HalfExplicit> {
    let run = Simulation::of(system).initial(from.configuration.clone(), from.velocity.clone());
    run.method(HalfExplicit::herk4()).without_declaration_check().step(grid.step()).end_time(grid.piece())
}

/// The defect between the end of a piece and the next knot, along the axes there.
pub fn defect_of<T: Task>(
    task: &T,
    from: &Knot<SystemOf<T>>,
    inputs: &[f64],
    next: &Knot<SystemOf<T>>,
) -> Result<DVector<f64>, PlanError> {
    let system = task.driven(inputs).map_err(PlanError::run)?;
    let ended = run(&system, from, &task.grid()).run().map_err(PlanError::run)?;
    let end = ended.last();
    let end = Knot { configuration: end.configuration.clone(), velocity: end.velocity.clone() };
    Ok(difference(&system, &end, next, &axes(&system, &next.configuration)))
}

/// A defect, and its derivatives by the knots at both ends, in coordinates along their axes, and by the inputs.
pub struct Piece {
    /// The defect.
    pub defect: DVector<f64>,
    /// By the knot before.
    pub by_knot: DMatrix<f64>,
    /// Derivative with respect to the next knot.
    pub by_next: DMatrix<f64>,
    /// By the inputs.
    pub by_inputs: DMatrix<f64>,
}

/// A piece between two knots with their axes: one run, and a reverse pass through it for each component of the defect.
pub fn piece<T: Task>(
    task: &T,
    (from, from_axes): (&Knot<SystemOf<T>>, &[VelocityOf<T>]),
    inputs: &[f64],
    (next, axes): (&Knot<SystemOf<T>>, &[VelocityOf<T>]),
) -> Result<Piece, PlanError> {
    let system = task.driven(inputs).map_err(PlanError::run)?;
    let lifted = system.lift();
    let (lifted, goal) = (&lifted, system.lift_configuration(&next.configuration));
    let (goal, goal_velocity) = (&goal, &constant::<SystemOf<T>>(lifted, &next.velocity));
    let axes_there: Vec<_> = axes.iter().map(|axis| constant::<SystemOf<T>>(lifted, axis)).collect();
    let of_configuration = axes_there.iter().map(|axis| {
        Objective::<SystemOf<T>>::new().at_end(move |state| {
            let mut theta = lifted.zero_velocity();
            lifted.space().log_difference(&state.configuration, goal, &mut theta);
            axis.dot(&theta)
        })
    });
    let of_velocity = axes_there.iter().map(|axis| {
        Objective::<SystemOf<T>>::new().at_end(move |state| axis.dot(goal_velocity) - axis.dot(&state.velocity))
    });
    let components: Vec<_> = of_configuration.chain(of_velocity).collect();
    let found = run(&system, from, &task.grid()).jacobian_of(&components, ["q", "v"]).map_err(PlanError::run)?;

    // By the coordinates along the axes of the knot before.
    let (count, dof) = (components.len(), system.dof());
    let along = DMatrix::from_fn(2 * dof, 2 * from_axes.len(), |row, at| {
        let (axis, of_velocity) = (at % from_axes.len(), at >= from_axes.len());
        if (row >= dof) == of_velocity { from_axes[axis].component(row % dof) } else { 0.0 }
    });
    let mut by_inputs = DMatrix::zeros(count, inputs.len());
    for (mut row, slopes) in by_inputs.row_iter_mut().zip(&found.rows) {
        let pieces = slopes.by_inputs(&[0.0]).map_err(PlanError::run)?;
        pieces[0].iter().enumerate().for_each(|(at, &slope)| row[at] = slope);
    }
    let mut by_next = DMatrix::identity(count, count);
    let end = found.trajectory.last().ok_or_else(|| PlanError::run("a run without states"))?;
    let end = system.lift_configuration(&end.configuration);
    for (at, axis) in axes.iter().enumerate() {
        let mut theta = lifted.zero_velocity();
        let aside = aside(&system, lifted, &next.configuration, axis);
        lifted.space().log_difference(&end, &aside, &mut theta);
        for (row, axis) in axes_there.iter().enumerate() {
            by_next[(row, at)] = axis.dot(&theta).eps;
        }
    }
    let defect = DVector::from_vec(found.values);
    Ok(Piece { defect, by_knot: found.matrix * along, by_next, by_inputs })
}
