//! One step.

use super::coefficients::{Commutator, Differential, SERIES};
use super::method::MuntheKaas;
use crate::field::FirstOrder;
use crate::group::TangentVector;
use crate::integrator::tableau::{combination, combination_ending, hand_over};
use crate::integrator::{FieldState, LocalEstimate, StepError};
use crate::scalar::Scalar;

/// The buffers of a step; allocated once.
#[doc(hidden)]
pub struct MuntheKaasWorkspace<F: FirstOrder> {
    /// σ' of the stages.
    rates: Vec<F::Algebra>,
    stage: MuntheKaasStage<F>,
    /// Two alternating values of ad_σ^k f, or a commutator; and a copy of σ for them, so that no other σ is in memory.
    brackets: [F::Algebra; 3],
    /// The buffers of evaluations.
    pub(super) field: F::Workspace,
}

/// The values that one stage passes to the next.
pub(super) struct MuntheKaasStage<F: FirstOrder> {
    /// σ of a stage, finally of the step.
    sigma: F::Algebra,
    /// σ' of the previous stage.
    rate: F::Algebra,
    /// f of a stage.
    value: F::Algebra,
    /// Y of a stage, or ỹ.
    pub(super) point: F::Point,
}

impl<F: FirstOrder> Clone for MuntheKaasStage<F> {
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn clone(&self) -> Self {
        let MuntheKaasStage { sigma, rate, value, point } = self;
        MuntheKaasStage { sigma: sigma.clone(), rate: rate.clone(), value: value.clone(), point: point.clone() }
    }
}

impl<F: FirstOrder> MuntheKaasWorkspace<F> {
    pub(super) fn of(system: &F::System, state: &FieldState<F>, stages: usize) -> Self {
        let zero = || F::zero(system);
        MuntheKaasWorkspace {
            rates: (0..stages).map(|_| zero()).collect(),
            stage: MuntheKaasStage { sigma: zero(), rate: zero(), value: zero(), point: state.point.clone() },
            brackets: [zero(), zero(), zero()],
            field: F::workspace(system),
        }
    }

    /// ỹ of the last estimate.
    pub(super) fn auxiliary(&self) -> &F::Point {
        &self.stage.point
    }
}

/// Computes σ += h² Σ c [f_i, f_j].
#[cfg_attr(not(debug_assertions), inline(always))]
fn add_commutators<F: FirstOrder>(
    system: &F::System,
    h: f64,
    terms: &[Commutator],
    rates: &[F::Algebra],
    bracket: &mut F::Algebra,
    field: &mut F::Workspace,
    sigma: &mut F::Algebra,
) {
    for term in terms {
        F::bracket(system, &rates[term.left], &rates[term.right], field, bracket);
        sigma.axpy(F::Scalar::from_f64(h * h * term.coefficient), bracket);
    }
}

/// Computes σ' of a stage from its σ and f.
#[cfg_attr(not(debug_assertions), inline(always))]
fn set_rate<F: FirstOrder>(
    differential: &Differential,
    system: &F::System,
    (sigma, value): (&F::Algebra, &F::Algebra),
    rate: &mut F::Algebra,
    field: &mut F::Workspace,
    [power, next, angle]: &mut [F::Algebra; 3],
) {
    match *differential {
        Differential::Exact => F::rate(system, sigma, value, rate),
        Differential::Truncated(terms) => {
            rate.assign(value);
            power.assign(value);
            angle.assign(sigma);
            for &coefficient in &SERIES[1..=terms] {
                F::bracket(system, angle, power, field, next);
                power.assign(next);
                rate.axpy(F::Scalar::from_f64(coefficient), power);
            }
        }
        Differential::Commutators { .. } => rate.assign(value),
    }
}

/// Makes a step and stores its σ in the workspace.
pub(super) fn step<F: FirstOrder>(
    integrator: &MuntheKaas,
    system: &F::System,
    from: &FieldState<F>,
    h: f64,
    to: &mut FieldState<F>,
    workspace: &mut MuntheKaasWorkspace<F>,
) -> Result<(), StepError> {
    let MuntheKaasWorkspace { rates, stage, brackets, field } = workspace;
    let buffers = (&mut rates[..], brackets, &mut *field);
    if const { core::mem::needs_drop::<MuntheKaasStage<F>>() } {
        stages(integrator, system, from, h, &mut to.point, buffers, stage)?;
    } else {
        // A local variable of fixed size stays in registers between operations.
        let mut local = stage.clone();
        stages(integrator, system, from, h, &mut to.point, buffers, &mut local)?;
        // The estimate needs nothing else of it.
        stage.sigma.assign(&local.sigma);
    }
    to.time = from.time + h;
    to.evaluate(system, h, field)
}

/// Computes the stages of a step and y at its end.
#[cfg_attr(not(debug_assertions), inline(always))]
fn stages<F: FirstOrder>(
    integrator: &MuntheKaas,
    system: &F::System,
    from: &FieldState<F>,
    h: f64,
    end: &mut F::Point,
    (rates, brackets, field): (&mut [F::Algebra], &mut [F::Algebra; 3], &mut F::Workspace),
    stage: &mut MuntheKaasStage<F>,
) -> Result<(), StepError> {
    let (tableau, differential) = (integrator.method.tableau, &integrator.method.differential);
    // A last stage at the end of the step is the evaluation there.
    let stages = tableau.stages() - usize::from(integrator.first_same_as_last);
    let MuntheKaasStage { sigma, rate, value, point } = stage;
    // dexp⁻¹ at σ = 0 is the identity.
    rate.assign(&from.direction);
    for i in 1..stages {
        combination_ending(sigma, h, &tableau.a[i][..i], rates, rate);
        // The next stages read this value.
        hand_over(rate, &mut rates[i - 1]);
        if let Differential::Commutators { stages, .. } = differential {
            add_commutators::<F>(system, h, stages[i], rates, &mut brackets[0], field, sigma);
        }
        F::flow(system, &from.point, sigma, point);
        let t = F::Scalar::from_f64(from.time + tableau.c[i] * h);
        F::evaluate(system, t, point, field, value).map_err(|failure| StepError {
            time: from.time,
            step: h,
            failure,
        })?;
        set_rate::<F>(differential, system, (sigma, value), rate, field, brackets);
    }
    combination_ending(sigma, h, &tableau.b[..stages], rates, rate);
    hand_over(rate, &mut rates[stages - 1]);
    if let Differential::Commutators { step, .. } = differential {
        add_commutators::<F>(system, h, step, rates, &mut brackets[0], field, sigma);
    }
    F::flow(system, &from.point, sigma, end);
    Ok(())
}

/// Computes the error estimate of the last step from the weights `embedded`; stores ỹ in the workspace.
#[inline(never)]
pub(super) fn estimate<F: FirstOrder>(
    integrator: &MuntheKaas,
    embedded: &[f64],
    system: &F::System,
    from: &FieldState<F>,
    h: f64,
    to: &FieldState<F>,
    workspace: &mut MuntheKaasWorkspace<F>,
) -> LocalEstimate {
    let stages = integrator.method.tableau.stages();
    if integrator.first_same_as_last {
        let MuntheKaasWorkspace { rates, stage: MuntheKaasStage { sigma, .. }, field, brackets } = &mut *workspace;
        let values = (&*sigma, &to.direction);
        set_rate::<F>(&integrator.method.differential, system, values, &mut rates[stages - 1], field, brackets);
    }
    let MuntheKaasWorkspace { rates, stage: MuntheKaasStage { sigma, value, point, .. }, .. } = workspace;
    combination(value, h, embedded, rates);
    F::flow(system, &from.point, value, point);
    value.axpy(-<F::Scalar as num_traits::One>::one(), sigma);
    LocalEstimate { error: crate::space::length(value), increment: crate::space::length(sigma) }
}
