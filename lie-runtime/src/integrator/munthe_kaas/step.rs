//! One step.

use super::{Commutator, Differential, MuntheKaas};
use crate::field::FirstOrder;
use crate::group::TangentVector;
use crate::integrator::field::combination;
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

    /// The rate of stage `i` from its σ and f.
    #[inline]
    fn set_rate(&mut self, differential: &Differential, system: &F::System, i: usize) {
        match *differential {
            Differential::Exact => F::rate(system, &self.sigma, &self.value, &mut self.rates[i]),
            Differential::Truncated(terms) => {
                self.rates[i].assign(&self.value);
                let [power, next] = &mut self.brackets;
                power.assign(&self.value);
                for &coefficient in &SERIES[1..=terms] {
                    F::bracket(system, &self.sigma, power, &mut self.field, next);
                    power.assign(next);
                    self.rates[i].axpy(F::Scalar::from_f64(coefficient), power);
                }
            }
            Differential::Commutators { .. } => self.rates[i].assign(&self.value),
        }
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
        F::flow(system, &from.point, &workspace.sigma, &mut workspace.point);
        let t = F::Scalar::from_f64(from.time + tableau.c[i] * h);
        F::evaluate(system, t, &workspace.point, &mut workspace.field, &mut workspace.value)
            .map_err(|failure| StepError { time: from.time, step: h, failure })?;
        workspace.set_rate(differential, system, i);
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
        workspace.value.assign(&to.direction);
        workspace.set_rate(&integrator.method.differential, system, stages - 1);
    }
    let Workspace { rates, sigma, value, point, .. } = workspace;
    combination(value, h, embedded, rates);
    F::flow(system, &from.point, value, point);
    value.axpy(-<F::Scalar as num_traits::One>::one(), sigma);
    LocalEstimate { error: crate::space::length(value), increment: crate::space::length(sigma) }
}
