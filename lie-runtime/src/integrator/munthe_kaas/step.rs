//! One step.

use super::{Commutator, Differential, MuntheKaas};
use crate::field::FirstOrder;
use crate::group::TangentVector;
use crate::integrator::tableau::combination;
use crate::integrator::{FieldState, LocalEstimate, StepError};
use crate::scalar::Scalar;

/// B_k / k!: the series of z / (eᶻ − 1) (paper 3, eq. 8).
pub(super) const SERIES: [f64; 7] = [1.0, -0.5, 1.0 / 12.0, 0.0, -1.0 / 720.0, 0.0, 1.0 / 30_240.0];

/// The buffers of a step; allocated once.
pub struct Workspace<F: FirstOrder> {
    /// σ' of the stages.
    rates: Vec<F::Algebra>,
    /// σ of a stage, at last of the step.
    sigma: F::Algebra,
    /// f of a stage.
    value: F::Algebra,
    /// ad_σ^k f in turn with the one before, or a commutator.
    brackets: [F::Algebra; 2],
    /// Y of a stage, or ỹ.
    pub(super) point: F::Point,
    /// The buffers of evaluations.
    pub(super) field: F::Workspace,
}

impl<F: FirstOrder> Workspace<F> {
    pub(super) fn of(system: &F::System, state: &FieldState<F>, stages: usize) -> Self {
        Workspace {
            rates: (0..stages).map(|_| F::zero(system)).collect(),
            sigma: F::zero(system),
            value: F::zero(system),
            brackets: [F::zero(system), F::zero(system)],
            point: state.point.clone(),
            field: F::workspace(system),
        }
    }

    /// σ += h² Σ c [f_i, f_j].
    fn add_commutators(&mut self, system: &F::System, h: f64, terms: &[Commutator]) {
        for term in terms {
            let (left, right) = (&self.rates[term.left], &self.rates[term.right]);
            F::bracket(system, left, right, &mut self.field, &mut self.brackets[0]);
            self.sigma.axpy(F::Scalar::from_f64(h * h * term.coefficient), &self.brackets[0]);
        }
    }
}

/// σ' of a stage from its σ and f.
#[inline]
fn set_rate<F: FirstOrder>(
    differential: &Differential,
    system: &F::System,
    (sigma, value): (&F::Algebra, &F::Algebra),
    rate: &mut F::Algebra,
    field: &mut F::Workspace,
    [power, next]: &mut [F::Algebra; 2],
) {
    match *differential {
        Differential::Exact => F::rate(system, sigma, value, rate),
        Differential::Truncated(terms) => {
            rate.assign(value);
            power.assign(value);
            for &coefficient in &SERIES[1..=terms] {
                F::bracket(system, sigma, power, field, next);
                power.assign(next);
                rate.axpy(F::Scalar::from_f64(coefficient), power);
            }
        }
        Differential::Commutators { .. } => rate.assign(value),
    }
}

/// A step; its σ is left in the workspace.
#[inline]
pub(super) fn step<F: FirstOrder>(
    integrator: &MuntheKaas,
    system: &F::System,
    from: &FieldState<F>,
    h: f64,
    to: &mut FieldState<F>,
    workspace: &mut Workspace<F>,
) -> Result<(), StepError> {
    let (tableau, differential) = (integrator.method.tableau, &integrator.method.differential);
    // A last stage at the end of the step is the evaluation there.
    let stages = tableau.stages() - usize::from(integrator.first_same_as_last);
    // dexp⁻¹ at σ = 0 is the identity.
    workspace.rates[0].assign(&from.direction);
    for i in 1..stages {
        combination(&mut workspace.sigma, h, tableau.a[i], &workspace.rates[..i]);
        if let Differential::Commutators { stages, .. } = differential {
            workspace.add_commutators(system, h, stages[i]);
        }
        let Workspace { sigma, point, value, field, rates, brackets } = &mut *workspace;
        F::flow(system, &from.point, sigma, point);
        let t = F::Scalar::from_f64(from.time + tableau.c[i] * h);
        F::evaluate(system, t, point, field, value).map_err(|failure| StepError {
            time: from.time,
            step: h,
            failure,
        })?;
        set_rate::<F>(differential, system, (sigma, value), &mut rates[i], field, brackets);
    }
    combination(&mut workspace.sigma, h, tableau.b, &workspace.rates[..stages]);
    if let Differential::Commutators { step, .. } = differential {
        workspace.add_commutators(system, h, step);
    }
    F::flow(system, &from.point, &workspace.sigma, &mut to.point);
    to.time = from.time + h;
    to.evaluate(system, h, &mut workspace.field)
}

/// The estimate of the step just made, by the weights `embedded`; leaves ỹ in the workspace.
#[inline(never)]
pub(super) fn estimate<F: FirstOrder>(
    integrator: &MuntheKaas,
    embedded: &[f64],
    system: &F::System,
    from: &FieldState<F>,
    h: f64,
    to: &FieldState<F>,
    workspace: &mut Workspace<F>,
) -> LocalEstimate {
    let stages = integrator.method.tableau.stages();
    if integrator.first_same_as_last {
        let Workspace { rates, sigma, field, brackets, .. } = &mut *workspace;
        let values = (&*sigma, &to.direction);
        set_rate::<F>(&integrator.method.differential, system, values, &mut rates[stages - 1], field, brackets);
    }
    let Workspace { rates, sigma, value, point, .. } = workspace;
    combination(value, h, embedded, rates);
    F::flow(system, &from.point, value, point);
    value.axpy(-<F::Scalar as num_traits::One>::one(), sigma);
    LocalEstimate { error: crate::space::length(value), increment: crate::space::length(sigma) }
}
