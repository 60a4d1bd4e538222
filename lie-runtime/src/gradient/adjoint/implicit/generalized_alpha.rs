//! The reverse pass through a step of generalized-α.
//!
//! A step with the initial values v_n and a_n has the stage values
//!
//! ```text
//! v'_{n+1} = 0,    a = (α_f v'_n − α_m a_n) / (1 − α_m),
//! v̂ = v_n + h ((1 − γ) a_n + γ a),    θ̂ = h v_n + h² ((½ − β) a_n + β a),
//! ```
//!
//! and passes (a_{n+1} − v'_{n+1}) / h to the next step. This value is part of the state, and its cotangent is stored here between steps.
//! The reverse pass of a divided step goes through its parts. It does the same for a first step in which a fast damped motion is
//! [excited](crate::integrator::generalized_alpha::damped).

use num_traits::{One, Zero};

use super::super::adjoint_step::{AdjointStep, Trace};
use super::super::initial::KktWorkspace;
use super::TrBdf2Back;
use super::stage::{Solved, StageBack};
use crate::gradient::adjoint_state::AdjointState;
use crate::group::TangentVector;
use crate::integrator::generalized_alpha::workspace::Attempt;
use crate::integrator::generalized_alpha::{
    Formulation, GeneralizedAlpha, GeneralizedAlphaWorkspace, StartingValues, damped, start, step,
};
use crate::integrator::implicit::Weights;
use crate::integrator::{Integrator, State, StepError, tr_bdf2};
use crate::scalar::Scalar;
use crate::space::{LocalPoint, ReverseSpace};
use crate::system::{KktError, Reverse};

/// The method with the buffers of its reverse pass; allocated once.
pub(in crate::gradient::adjoint) struct GeneralizedAlphaBack<M: Reverse> {
    method: GeneralizedAlpha,
    workspace: GeneralizedAlphaWorkspace<M>,
    stage: StageBack<M>,
    kkt: KktWorkspace<M>,
    /// The end of a repeated step.
    end: State<M>,
    /// θ, and −B₀ᵀ η̂.
    theta: M::Velocity,
    projection: M::Velocity,
    /// Zeros.
    rest: M::Velocity,
    /// The cotangent of (a − v') / h of the current state.
    of_lag: M::Velocity,
    /// The cotangents of a_n and v_n at the start of a step.
    of_start: [M::Velocity; 2],
    of_next: M::Velocity,
    of_probe: AdjointState<M>,
    /// The buffers for first steps with an excited fast damped motion, after the first of them.
    damped: Option<Box<DampedBack<M>>>,
}

/// The buffers for first steps with an excited fast damped motion.
struct DampedBack<M: Reverse> {
    back: TrBdf2Back<M>,
    workspace: tr_bdf2::TrBdf2Workspace<M>,
    /// The states between the parts.
    states: Vec<State<M>>,
}

impl<M: Reverse> DampedBack<M> {
    fn of(system: &M, state: &State<M>) -> Self {
        let method = damped::method();
        DampedBack {
            back: TrBdf2Back::of(system, state, method),
            workspace: method.workspace(system, state),
            states: vec![state.clone(); damped::PARTS as usize + 1],
        }
    }
}

impl<M: Reverse> GeneralizedAlphaBack<M> {
    pub fn of(system: &M, state: &State<M>, method: GeneralizedAlpha) -> Self {
        let zero = || system.zero_velocity();
        GeneralizedAlphaBack {
            method,
            workspace: method.workspace(system, state),
            stage: StageBack::of(system),
            kkt: KktWorkspace::of(system),
            end: state.clone(),
            theta: zero(),
            projection: zero(),
            rest: zero(),
            of_lag: zero(),
            of_start: [zero(), zero()],
            of_next: zero(),
            of_probe: AdjointState::zero(system),
            damped: None,
        }
    }

    /// Runs the reverse pass through a step of size h, or through a part of a step.
    fn back(
        &mut self,
        system: &M,
        (from, to): (&State<M>, &State<M>),
        h: f64,
        cotangent: &mut AdjointState<M>,
    ) -> Result<(), StepError> {
        if damped::has_led_to(&self.method, to) {
            return self.back_through_damped(system, from, h, cotangent);
        }
        self.retrace(system, from, to, h)?;
        self.back_through_stage(system, (from, to), h, cotangent)
            .and_then(|()| self.back_through_prediction(system, from, h, cotangent))
            .map_err(|error| StepError::of_kkt(error, system, from, h))
    }

    /// Evaluates v_n, a_n, θ and the local coordinates of the step.
    fn retrace(&mut self, system: &M, from: &State<M>, to: &State<M>, h: f64) -> Result<(), StepError> {
        let real = M::Scalar::from_f64;
        let GeneralizedAlphaBack { method, workspace, end, theta, projection, .. } = self;
        let (p, work) = (method.parameters(), &mut workspace.attempt);
        let is_plain = method.options().formulation == Formulation::Index3;
        if is_plain {
            start::prepare(method, system, from, h, work).map_err(|error| StepError::of_kkt(error, system, from, h))?;
        } else {
            step::attempt(method, system, from, h, end, work)?;
        }
        let Attempt { velocity, acceleration, next_acceleration, stage, .. } = work;
        let second = if is_plain { &to.acceleration } else { &end.acceleration };
        step::follow(method, from, acceleration, Some(second), next_acceleration);
        theta.assign_scaled(real(h), velocity);
        theta.axpy(real(h * h * (0.5 - p.beta)), acceleration);
        theta.axpy(real(h * h * p.beta), next_acceleration);
        if !is_plain {
            projection.assign(&stage.buffers.theta);
            projection.axpy(-M::Scalar::one(), theta);
            theta.assign(&stage.buffers.theta);
        }
        Ok(())
    }

    fn back_through_stage(
        &mut self,
        system: &M,
        (from, to): (&State<M>, &State<M>),
        h: f64,
        cotangent: &mut AdjointState<M>,
    ) -> Result<(), KktError> {
        let real = M::Scalar::from_f64;
        let GeneralizedAlphaBack {
            method,
            workspace,
            stage,
            kkt,
            end,
            theta,
            projection,
            rest,
            of_lag,
            of_start,
            of_next,
            ..
        } = self;
        let (p, work) = (method.parameters(), &mut workspace.attempt);
        let formulation = method.options().formulation;
        let to = if formulation == Formulation::Index3 { to } else { end };
        let scale = 1.0 / (1.0 - p.alpha_m);
        for of in &mut stage.of {
            of.fill(M::Scalar::zero());
        }
        // h times the lag is a_{n+1} − v'_{n+1}, or T(x) (a₁ − x'').
        of_lag.scale(real(1.0 / h));
        let local = formulation.coordinates().map(|map| {
            let buffers = &mut work.stage.buffers;
            let (x, rate, second) = (&buffers.local.x, &buffers.local.rate, &buffers.local.second);
            step::follow(method, from, &work.acceleration, Some(second), &mut buffers.reaction);
            buffers.reaction.axpy(-M::Scalar::one(), second);
            let lag = LocalPoint { map, x, rate: &buffers.reaction, second: rest };
            let [of_x, _, of_second] = &mut stage.of;
            of_next.fill(M::Scalar::zero());
            let scratch = &mut buffers.correction.increment;
            system.space().local_motion_pullback(&lag, [rest, of_lag, rest], [of_x, of_next, scratch]);
            of_lag.assign(of_next);
            of_second.axpy(real((1.0 - p.alpha_f) * scale - 1.0), of_lag);
            LocalPoint { map, x, rate, second }
        });
        if local.is_none() {
            stage.of[2].axpy(real((1.0 - p.alpha_f) * scale - 1.0), of_lag);
        }
        let is_stabilised = formulation == Formulation::StabilisedIndex2 && system.holonomic_rows() > 0;
        let solved = Solved {
            from,
            to,
            h,
            weights: Weights { rate: p.damping_weight(), second: p.mass_weight() },
            theta,
            local,
            projection: is_stabilised.then_some(projection),
        };
        stage.back(system, &solved, cotangent, kkt)?;

        // The cotangent of a₁ contributes to v'_n and a_n, like `next`.
        let [of_acceleration, of_velocity] = of_start;
        let [of_increment, of_rate, _] = &stage.of;
        of_next.assign_scaled(real(h * p.gamma), of_rate);
        of_next.axpy(real(h * h * p.beta), of_increment);
        of_next.axpy(M::Scalar::one(), of_lag);
        cotangent.acceleration.assign_scaled(real(p.alpha_f * scale), of_next);
        of_acceleration.assign_scaled(real(-p.alpha_m * scale), of_next);
        of_acceleration.axpy(real(h * (1.0 - p.gamma)), of_rate);
        of_acceleration.axpy(real(h * h * (0.5 - p.beta)), of_increment);
        of_velocity.assign(of_rate);
        of_velocity.axpy(real(h), of_increment);
        Ok(())
    }

    /// Maps the cotangents of v_n and a_n to the state.
    fn back_through_prediction(
        &mut self,
        system: &M,
        from: &State<M>,
        h: f64,
        cotangent: &mut AdjointState<M>,
    ) -> Result<(), KktError> {
        let one = M::Scalar::one();
        let GeneralizedAlphaBack { method, kkt, of_lag, of_start, .. } = self;
        let [of_acceleration, of_velocity] = of_start;
        cotangent.velocity.axpy(one, of_velocity);
        cotangent.acceleration.axpy(one, of_acceleration);
        let Some(memory) = from.memory_of(&method.owner()) else {
            of_lag.fill(M::Scalar::zero());
            return match method.options().start {
                StartingValues::FirstOrder => Ok(()),
                StartingValues::SecondOrder | StartingValues::Settled => {
                    self.back_through_first(system, from, h, cotangent)
                }
            };
        };
        of_lag.assign_scaled(M::Scalar::from_f64(h), of_acceleration);
        match start::change_of_residual(h, memory.step()) {
            Some(change) if start::is_settled(method, system) => {
                // v_n + (change − 1) δ with the shortest δ such that B δ = B v_n + b.
                of_velocity.scale(M::Scalar::from_f64(change - 1.0));
                kkt.back_through_shortest(system, from, &from.velocity, of_velocity, cotangent)?;
                cotangent.velocity.axpy(one, kkt.of_rate());
                Ok(())
            }
            _ => Ok(()),
        }
    }

    /// Runs the reverse pass through a first step with an excited fast damped motion.
    fn back_through_damped(
        &mut self,
        system: &M,
        from: &State<M>,
        h: f64,
        cotangent: &mut AdjointState<M>,
    ) -> Result<(), StepError> {
        let (real, parts) = (M::Scalar::from_f64, damped::PARTS as usize);
        let part = h / f64::from(damped::PARTS);
        let mut buffers = self.damped.take().unwrap_or_else(|| Box::new(DampedBack::of(system, from)));
        let DampedBack { back, workspace, states } = &mut *buffers;
        states[0].copy_motion_from(from);
        for n in 0..parts {
            let (known, next) = states.split_at_mut(n + 1);
            damped::method().step(system, &known[n], part, &mut next[0], workspace)?;
            next[0].time = from.time + (n + 1) as f64 * part;
        }
        let ends = (&states[parts - 1], &states[parts]);
        damped::conclude(&self.method, system, ends, h, &mut self.workspace.attempt)?;
        // (a − v') / h: no contribution to v' remains.
        let [of_acceleration, of_velocity] = &mut self.of_start;
        of_acceleration.assign_scaled(real(1.0 / h), &self.of_lag);
        of_velocity.assign(&cotangent.velocity);
        self.back_through_begin(system, ends.1, h, cotangent)
            .map_err(|error| StepError::of_kkt(error, system, from, h))?;
        // v''.
        self.of_next.scale(real(f64::from(damped::PARTS) / h));
        cotangent.acceleration.axpy(M::Scalar::one(), &self.of_next);
        for n in (0..parts).rev() {
            back.step_back(system, &states[n], &states[n + 1], part, None, cotangent)?;
            if n == parts - 1 {
                cotangent.acceleration.axpy(-M::Scalar::one(), &self.of_next);
            }
        }
        self.of_lag.fill(M::Scalar::zero());
        self.damped = Some(buffers);
        Ok(())
    }

    /// Runs the reverse pass through a_0 and v_0 of a first step.
    fn back_through_first(
        &mut self,
        system: &M,
        from: &State<M>,
        h: f64,
        cotangent: &mut AdjointState<M>,
    ) -> Result<(), KktError> {
        start::prepare(&self.method, system, from, h, &mut self.workspace.attempt)?;
        self.back_through_begin(system, from, h, cotangent)?;
        self.of_next.scale(self.workspace.attempt.resolved);
        self.back_through_differences(system, from, h, cotangent)
    }

    /// Maps the cotangents of a and v at a restart of the method to the state. The cotangent of v'' goes to `of_next`.
    fn back_through_begin(
        &mut self,
        system: &M,
        from: &State<M>,
        h: f64,
        cotangent: &mut AdjointState<M>,
    ) -> Result<(), KktError> {
        let (real, one) = (M::Scalar::from_f64, M::Scalar::one());
        let GeneralizedAlphaBack { method, workspace, kkt, of_start, of_next, theta, stage, rest, .. } = self;
        let (p, work) = (method.parameters(), &mut workspace.attempt);
        let [of_acceleration, of_velocity] = of_start;
        let is_local = method.options().formulation.coordinates().is_some();
        // The cotangent of v''_0 (x'''_0) goes to `of_next`, and the cotangent of the curvature term to `of_velocity`.
        of_next.assign_scaled(real(h * p.shift()), of_acceleration);
        if start::is_settled(method, system) {
            // B l^q / h: the error and v_0.
            theta.assign(&work.next_acceleration);
            theta.axpy(one, &from.velocity);
            of_velocity.scale(-one);
            kkt.back_through_shortest(system, from, theta, of_velocity, cotangent)?;
            cotangent.velocity.axpy(one, kkt.of_rate());
            of_velocity.assign_scaled(real(h * h / 6.0), kkt.of_rate());
            of_next.axpy(real(p.defect()), of_velocity);
        } else {
            of_velocity.fill(M::Scalar::zero());
        }
        if is_local {
            of_velocity.assign_scaled(-one, of_next);
        }
        for (time, weight) in start::central_differences(h) {
            start::place(from, time, work);
            let local = &work.stage.buffers.local;
            let map = start::coordinates(method);
            let point = LocalPoint { map, x: &local.x, rate: &local.rate, second: &local.second };
            theta.assign_scaled(real(weight), of_velocity);
            for of in &mut stage.of {
                of.fill(M::Scalar::zero());
            }
            system.space().local_motion_pullback(&point, [rest, rest, theta], stage.of.each_mut());
            let [of_x, of_rate, of_second] = &stage.of;
            cotangent.velocity.axpy(real(time), of_x);
            cotangent.velocity.axpy(one, of_rate);
            cotangent.acceleration.axpy(real(0.5 * time * time), of_x);
            cotangent.acceleration.axpy(real(time), of_rate);
            cotangent.acceleration.axpy(one, of_second);
        }
        Ok(())
    }

    /// Maps the cotangent of v''_0.
    fn back_through_differences(
        &mut self,
        system: &M,
        from: &State<M>,
        h: f64,
        cotangent: &mut AdjointState<M>,
    ) -> Result<(), KktError> {
        let (real, one) = (M::Scalar::from_f64, M::Scalar::one());
        let GeneralizedAlphaBack { workspace, kkt, of_next, stage, of_probe, .. } = self;
        let work = &mut workspace.attempt;
        for (time, weight) in start::differences(h) {
            start::probe(system, from, time, work)?;
            of_probe.configuration.fill(M::Scalar::zero());
            of_probe.velocity.fill(M::Scalar::zero());
            of_probe.acceleration.assign_scaled(real(weight), of_next);
            of_probe.exchange_data(cotangent);
            let outcome = kkt.back_through_accelerations(system, &work.probe, of_probe);
            of_probe.exchange_data(cotangent);
            outcome?;
            let [of_theta, ..] = &mut stage.of;
            of_theta.fill(M::Scalar::zero());
            let along = &work.stage.buffers.theta;
            system.space().motion_pullback(along, &of_probe.configuration, &mut cotangent.configuration, of_theta);
            cotangent.velocity.axpy(real(time), of_theta);
            cotangent.velocity.axpy(one, &of_probe.velocity);
            cotangent.acceleration.axpy(real(0.5 * time * time), of_theta);
            cotangent.acceleration.axpy(real(time), &of_probe.velocity);
        }
        Ok(())
    }

    /// Computes the states between the parts of a step.
    fn parts(&mut self, system: &M, from: &State<M>, count: u32, h: f64) -> Result<Vec<State<M>>, StepError> {
        let mut states = vec![from.clone()];
        for part in 1..=count {
            let mut next = from.clone();
            let before = &states[states.len() - 1];
            step::attempt(&self.method, system, before, h, &mut next, &mut self.workspace.attempt)?;
            next.time = from.time + f64::from(part) * h;
            states.push(next);
        }
        Ok(states)
    }
}

impl<M: Reverse> AdjointStep<M> for GeneralizedAlphaBack<M> {
    fn step_back(
        &mut self,
        system: &M,
        from: &State<M>,
        to: &State<M>,
        h: f64,
        _: Option<Trace<'_, M>>,
        cotangent: &mut AdjointState<M>,
    ) -> Result<(), StepError> {
        let part = to.memory.step();
        let halvings = (1..=self.method.options().maximum_halvings).map(|halvings| 2_u32.pow(halvings));
        let Some(parts) = halvings.into_iter().find(|&parts| (f64::from(parts) * part - h).abs() < 1e-6 * h) else {
            return self.back(system, (from, to), h, cotangent);
        };
        let states = self.parts(system, from, parts, part)?;
        states.windows(2).rev().try_for_each(|pair| self.back(system, (&pair[0], &pair[1]), part, cotangent))
    }

    fn start_back(
        &mut self,
        system: &M,
        given: &State<M>,
        state: &State<M>,
        cotangent: &mut AdjointState<M>,
    ) -> Result<(), StepError> {
        self.kkt.back_to_initial_values(system, given, state, cotangent)
    }
}
