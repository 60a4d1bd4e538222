//! The reverse pass through a step of TR-BDF2.
//!
//! Let γ = a_kk and p = −B₀ᵀ η, which is zero without holonomic rows. Stage k starts with
//!
//! ```text
//! v'_k = 0,    v̂_k = v_n + h Σ a_kj v'_j,    θ̂_k = h Σ a_kj (v_j + p_j) + h γ v̂_k    (j < k),
//! ```
//!
//! and passes p_k = (θ_k / h − Σ a_kj (v_j + p_j)) / γ − v_k to the next stage. The reverse pass starts with the [third
//! stage](completion).

mod completion;

use num_traits::{One, Zero};

use super::super::adjoint_step::{AdjointStep, Trace};
use super::super::initial::KktWorkspace;
use super::stage::{Solved, StageBack};
use crate::gradient::adjoint_state::AdjointState;
use crate::group::TangentVector;
use crate::integrator::implicit::Weights;
use crate::integrator::tableau::TR_BDF2;
use crate::integrator::tr_bdf2::{Completion, TrBdf2Workspace, step, third_stage};
use crate::integrator::{Integrator, State, StepError, TrBdf2};
use crate::scalar::Scalar;
use crate::system::{KktError, Reverse};
use completion::CompletionBack;

/// The method with the buffers of its reverse pass; allocated once.
pub(in crate::gradient::adjoint) struct TrBdf2Back<M: Reverse> {
    stages: TrBdf2Stages<M>,
    /// The cotangents of the first stage.
    of_middle: AdjointState<M>,
    /// The buffers for methods with a third stage.
    completion: Option<CompletionBack<M>>,
}

/// The stages of a step.
struct TrBdf2Stages<M: Reverse> {
    method: TrBdf2,
    workspace: TrBdf2Workspace<M>,
    back: StageBack<M>,
    kkt: KktWorkspace<M>,
    /// The repeated stages.
    states: [State<M>; 2],
    /// θ of the stages.
    theta: [M::Velocity; 2],
    projection: M::Velocity,
    /// The cotangent of v̂_k.
    of_velocity: M::Velocity,
}

impl<M: Reverse> TrBdf2Stages<M> {
    fn retrace(&mut self, system: &M, from: &State<M>, h: f64) -> Result<(), StepError> {
        let TrBdf2Stages { method, workspace: work, states: [middle, end], theta: [of_middle, of_end], .. } = self;
        step::first_stage(method.options(), system, from, h, middle, work)?;
        of_middle.assign(&work.stage.buffers.theta);
        end.clone_from(middle);
        step::second_stage(method.options(), system, from, h, end, work)?;
        of_end.assign(&work.stage.buffers.theta);
        Ok(())
    }

    /// Runs the reverse pass through stage `k`. The cotangents of θ̂ are left in the buffer of the stage, and the whole cotangent of v̂
    /// in `of_velocity`.
    fn back_through(
        &mut self,
        system: &M,
        from: &State<M>,
        h: f64,
        k: usize,
        cotangent: &mut AdjointState<M>,
    ) -> Result<(), KktError> {
        let real = M::Scalar::from_f64;
        let gamma = TR_BDF2.entry(k, k);
        let TrBdf2Stages { workspace, back, kkt, states, theta, projection, of_velocity, .. } = self;
        projection.assign_scaled(real(gamma * h), &workspace.projections[k]);
        let solved = Solved {
            from,
            to: &states[k - 1],
            h,
            weights: Weights::of_formula(1.0 / gamma),
            theta: &theta[k - 1],
            local: None,
            projection: (system.holonomic_rows() > 0).then_some(projection),
        };
        back.back(system, &solved, cotangent, kkt)?;
        let [of_increment, of_rate, _] = &back.of;
        of_velocity.assign(of_rate);
        of_velocity.axpy(real(h * gamma), of_increment);
        Ok(())
    }
}

impl<M: Reverse> TrBdf2Back<M> {
    pub fn of(system: &M, state: &State<M>, method: TrBdf2) -> Self {
        let stages = TrBdf2Stages {
            method,
            workspace: method.workspace(system, state),
            back: StageBack::of(system),
            kkt: KktWorkspace::of(system),
            states: [state.clone(), state.clone()],
            theta: [system.zero_velocity(), system.zero_velocity()],
            projection: system.zero_velocity(),
            of_velocity: system.zero_velocity(),
        };
        let is_completed = method.options().completion != Completion::Nothing;
        let completion = is_completed.then(|| CompletionBack::of(system, state));
        TrBdf2Back { stages, of_middle: AdjointState::zero(system), completion }
    }

    /// Maps the cotangent of the end to the start, through the second stage and the first.
    fn back(&mut self, system: &M, from: &State<M>, h: f64, cotangent: &mut AdjointState<M>) -> Result<(), KktError> {
        let (real, one, zero) = (M::Scalar::from_f64, M::Scalar::one(), M::Scalar::zero());
        let gamma = TR_BDF2.entry(1, 1);
        let TrBdf2Back { stages, of_middle, completion } = self;
        for of in &mut stages.back.of {
            of.fill(zero);
        }
        stages.back_through(system, from, h, 2, cotangent)?;
        let TrBdf2Stages { back, of_velocity, .. } = &mut *stages;
        let [of_increment, of_rate, of_second] = &mut back.of;
        let entry = |j: usize| real(h * TR_BDF2.entry(2, j));
        cotangent.velocity.assign(of_velocity);
        cotangent.velocity.axpy(entry(0), of_increment);
        cotangent.acceleration.assign_scaled(entry(0), of_velocity);
        of_middle.configuration.fill(zero);
        of_middle.acceleration.assign_scaled(entry(1), of_velocity);
        of_middle.velocity.assign_scaled(entry(1), of_increment);
        if system.holonomic_rows() > 0 {
            // The cotangents of p_1 and v_1 are equal: the contribution through v_1 is subtracted.
            of_increment.scale(entry(1));
            cotangent.velocity.axpy(real(-TR_BDF2.entry(1, 0) / gamma), of_increment);
            of_middle.velocity.axpy(-one, of_increment);
            of_increment.scale(real(1.0 / (gamma * h)));
        } else {
            of_increment.fill(zero);
        }
        of_rate.fill(zero);
        of_second.fill(zero);
        if let Some(completion) = completion {
            of_middle.velocity.axpy(one, &completion.of_velocities[1]);
            of_middle.acceleration.axpy(one, &completion.of_accelerations[1]);
        }

        of_middle.exchange_data(cotangent);
        let outcome = stages.back_through(system, from, h, 1, of_middle);
        of_middle.exchange_data(cotangent);
        outcome?;
        let entry = real(h * TR_BDF2.entry(1, 0));
        cotangent.configuration.axpy(one, &of_middle.configuration);
        cotangent.velocity.axpy(one, &stages.of_velocity);
        cotangent.velocity.axpy(entry, &stages.back.of[0]);
        cotangent.acceleration.axpy(entry, &stages.of_velocity);
        if let Some(completion) = completion {
            cotangent.configuration.axpy(one, &completion.of_start);
            cotangent.velocity.axpy(one, &completion.of_velocities[0]);
            cotangent.acceleration.axpy(one, &completion.of_accelerations[0]);
        }
        Ok(())
    }

    /// Runs the reverse pass through the third stage, if there is one.
    fn back_through_third_stage(
        &mut self,
        system: &M,
        (from, to): (&State<M>, &State<M>),
        h: f64,
        cotangent: &mut AdjointState<M>,
    ) -> Result<(), KktError> {
        let TrBdf2Back { stages, completion: Some(completion), .. } = self else { return Ok(()) };
        let options = stages.method.options();
        third_stage::combine(options, system, h, &mut stages.workspace);
        let work = &stages.workspace;
        let v = match options.completion {
            Completion::Full => &work.completed_velocity,
            _ => &stages.states[1].velocity,
        };
        let third = [&work.completed, v];
        completion.retrace(system, from, to.time, third)?;
        completion.back(options, system, to, h, third, &work.velocities, cotangent)
    }
}

impl<M: Reverse> AdjointStep<M> for TrBdf2Back<M> {
    fn step_back(
        &mut self,
        system: &M,
        from: &State<M>,
        to: &State<M>,
        h: f64,
        _: Option<Trace<'_, M>>,
        cotangent: &mut AdjointState<M>,
    ) -> Result<(), StepError> {
        self.stages.retrace(system, from, h)?;
        self.back_through_third_stage(system, (from, to), h, cotangent)
            .and_then(|()| self.back(system, from, h, cotangent))
            .map_err(|error| StepError::of_kkt(error, system, from, h))
    }

    fn start_back(
        &mut self,
        system: &M,
        given: &State<M>,
        state: &State<M>,
        cotangent: &mut AdjointState<M>,
    ) -> Result<(), StepError> {
        self.stages.kkt.back_to_initial_values(system, given, state, cotangent)
    }
}
