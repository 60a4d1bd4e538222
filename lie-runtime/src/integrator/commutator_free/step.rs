//! One step.

use super::coefficients::{Auxiliary, CommutatorFreeMethod, Composition};
use crate::field::FirstOrder;
use crate::group::TangentVector;
use crate::integrator::tableau::combination;
use crate::integrator::{FieldState, LocalEstimate, StepError};
use crate::scalar::Scalar;

/// The buffers of a step; allocated once.
#[doc(hidden)]
pub struct CommutatorFreeWorkspace<F: FirstOrder> {
    /// f of the stages.
    values: Vec<F::Algebra>,
    /// Y of the stages; the first, y_n, is not kept here.
    points: Vec<F::Point>,
    exponent: F::Algebra,
    /// Two alternating points within a product of exponentials.
    between: [F::Point; 2],
    /// ỹ.
    pub(super) auxiliary: F::Point,
    /// The buffers of evaluations.
    pub(super) field: F::Workspace,
}

impl<F: FirstOrder> CommutatorFreeWorkspace<F> {
    pub(super) fn of(system: &F::System, state: &FieldState<F>, method: &CommutatorFreeMethod) -> Self {
        let stages = 1 + method.stages.len() + method.estimate.map_or(0, |auxiliary| auxiliary.stages.len());
        let point = || state.point.clone();
        CommutatorFreeWorkspace {
            values: (0..stages).map(|_| F::zero(system)).collect(),
            points: (0..stages).map(|_| point()).collect(),
            exponent: F::zero(system),
            between: [point(), point()],
            auxiliary: point(),
            field: F::workspace(system),
        }
    }
}

/// Applies all factors of exp(h Σ row_J f) ⋯ exp(h Σ row_1 f)·y except the last and returns the resulting point. The exponent of the last
/// factor is written to `exponent`.
#[inline]
fn all_but_last<'a, F: FirstOrder>(
    rows: &[&[f64]],
    system: &F::System,
    y: &'a F::Point,
    h: f64,
    values: &[F::Algebra],
    exponent: &mut F::Algebra,
    [first, second]: &'a mut [F::Point; 2],
) -> &'a F::Point {
    let Some((last, others)) = rows.split_last() else {
        exponent.fill(num_traits::Zero::zero());
        return y;
    };
    let (mut current, mut next) = (first, second);
    for (index, row) in others.iter().enumerate() {
        combination(exponent, h, row, values);
        F::flow(system, if index == 0 { y } else { current }, exponent, next);
        core::mem::swap(&mut current, &mut next);
    }
    combination(exponent, h, last, values);
    if others.is_empty() { y } else { current }
}

/// Computes the stages `first`, `first + 1`, … with their values.
fn add_stages<F: FirstOrder>(
    compositions: &[Composition],
    nodes: &[f64],
    first: usize,
    system: &F::System,
    from: &FieldState<F>,
    h: f64,
    workspace: &mut CommutatorFreeWorkspace<F>,
) -> Result<(), StepError> {
    let CommutatorFreeWorkspace { values, points, exponent, between, field, .. } = workspace;
    for (offset, (composition, node)) in compositions.iter().zip(nodes).enumerate() {
        let i = first + offset;
        let (earlier, later) = points.split_at_mut(i);
        let start = if composition.from == 0 { &from.point } else { &earlier[composition.from] };
        let point = &mut later[0];
        let start = all_but_last::<F>(composition.exponentials, system, start, h, &values[..i], exponent, between);
        F::flow(system, start, exponent, point);
        F::evaluate(system, F::Scalar::from_f64(from.time + node * h), point, field, &mut values[i])
            .map_err(|failure| StepError { time: from.time, step: h, failure })?;
    }
    Ok(())
}

/// Makes a step without the evaluation of f at its end.
pub(super) fn step<F: FirstOrder>(
    method: &CommutatorFreeMethod,
    system: &F::System,
    from: &FieldState<F>,
    h: f64,
    to: &mut FieldState<F>,
    workspace: &mut CommutatorFreeWorkspace<F>,
) -> Result<(), StepError> {
    workspace.values[0].assign(&from.direction);
    add_stages(method.stages, method.c, 1, system, from, h, workspace)?;
    let CommutatorFreeWorkspace { values, points, exponent, between, .. } = workspace;
    let start = if method.step.from == 0 { &from.point } else { &points[method.step.from] };
    let start = all_but_last::<F>(method.step.exponentials, system, start, h, values, exponent, between);
    F::flow(system, start, exponent, &mut to.point);
    to.time = from.time + h;
    Ok(())
}

/// Returns the error estimate d(y, ỹ) of the last step.
#[inline(never)]
pub(super) fn estimate<F: FirstOrder>(
    method: &CommutatorFreeMethod,
    auxiliary: &Auxiliary,
    system: &F::System,
    from: &FieldState<F>,
    h: f64,
    to: &FieldState<F>,
    workspace: &mut CommutatorFreeWorkspace<F>,
) -> Result<LocalEstimate, StepError> {
    add_stages(auxiliary.stages, auxiliary.c, 1 + method.stages.len(), system, from, h, workspace)?;
    let CommutatorFreeWorkspace { values, points, exponent, between, auxiliary: other, field } = workspace;
    let start = if auxiliary.step.from == 0 { &from.point } else { &points[auxiliary.step.from] };
    let start = all_but_last::<F>(auxiliary.step.exponentials, system, start, h, values, exponent, between);
    F::flow(system, start, exponent, other);
    Ok(LocalEstimate {
        error: F::distance(system, &to.point, other, field),
        increment: F::distance(system, &from.point, &to.point, field),
    })
}
