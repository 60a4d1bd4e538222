//! The reverse pass through the steps of a BLieDF method.
//!
//! Step n → n + 1 computes the increment θ = x, or θ = x − B₀ᵀ η̂ with stabilisation. The increments and velocities of previous steps
//! define
//!
//! ```text
//! h v = T(θ*) c + α₀ x,    h v' = α₀ v + Σ α_i v_{n+1−i}    (i = 1 … k),
//! ```
//!
//! where θ* = Σ w_i θ_{n−i} and c = Σ α_i ψ_{n+1−i}, by the Baker-Campbell-Hausdorff formula. The reverse pass therefore stores the
//! cotangents of the increments and velocities of k steps until it reaches their steps. The first k − 1 steps are [steps of other
//! methods](crate::integrator::blie_df::start), and the sum of their increments is the increment.

use num_traits::{One, Zero};

use super::super::adjoint_step::{AdjointStep, Trace};
use super::super::explicit::{Explicit, scheme};
use super::super::initial::KktWorkspace;
use super::TrBdf2Back;
use super::stage::{Solved, StageBack};
use super::{commutator_pullback, tangent_pullback};
use crate::gradient::adjoint_state::AdjointState;
use crate::group::TangentVector;
use crate::integrator::blie_df::history::{self, Sums};
use crate::integrator::blie_df::start::{self, PARTS, STIFF};
use crate::integrator::blie_df::{BLieDFWorkspace, step};
use crate::integrator::implicit::Weights;
use crate::integrator::{BLieDF, HalfExplicit, Integrator, State, StepError, TrBdf2, tr_bdf2};
use crate::scalar::Scalar;
use crate::space::{ConfigurationSpace, ReverseSpace};
use crate::system::Reverse;

/// The method with the buffers of its reverse pass; allocated once.
pub(in crate::gradient::adjoint) struct BLieDFBack<M: Reverse> {
    method: BLieDF,
    workspace: BLieDFWorkspace<M>,
    stage: StageBack<M>,
    kkt: KktWorkspace<M>,
    end: State<M>,
    theta: M::Velocity,
    projection: M::Velocity,
    /// The cotangents of the increment of the current step, and of the increments before it.
    of_increments: Vec<M::Velocity>,
    /// The cotangents of the velocities at the starts of these steps.
    of_velocities: Vec<M::Velocity>,
    first: FirstSteps<M>,
    formula: Formula<M>,
    vectors: [M::Velocity; 6],
}

/// The parts of the first steps.
struct FirstSteps<M: Reverse> {
    back: Explicit<M>,
    workspace: <HalfExplicit as Integrator<M>>::Workspace,
    parts: Parts<M>,
    /// The parts for stiff motions, after the first stiff motion.
    stiff: Option<Box<Stiff<M>>>,
}

/// The parts of a first step.
struct Parts<M: Reverse> {
    /// The states between the parts.
    states: Vec<State<M>>,
    /// The increments of the parts; `sums` has the composition of the increments before each.
    differences: Vec<M::Velocity>,
    sums: Vec<M::Velocity>,
    /// The cotangent of the last sum.
    of_sum: M::Velocity,
    of_start: M::Velocity,
    turned: M::Velocity,
    unwanted: M::Velocity,
}

/// The parts of the first steps of stiff motions.
struct Stiff<M: Reverse> {
    back: TrBdf2Back<M>,
    workspace: tr_bdf2::TrBdf2Workspace<M>,
    /// The cotangents of the end of the step, and of the end of one sequence of parts.
    of_end: AdjointState<M>,
    of_way: AdjointState<M>,
    of_theta: M::Velocity,
}

impl<M: Reverse> Stiff<M> {
    fn of(system: &M, state: &State<M>) -> Self {
        let method = TrBdf2::new();
        Stiff {
            back: TrBdf2Back::of(system, state, method),
            workspace: method.workspace(system, state),
            of_end: AdjointState::zero(system),
            of_way: AdjointState::zero(system),
            of_theta: system.zero_velocity(),
        }
    }
}

impl<M: Reverse> Parts<M> {
    fn of(system: &M, state: &State<M>, most: usize) -> Self {
        let zeros = |count: usize| (0..count).map(|_| system.zero_velocity()).collect();
        Parts {
            states: vec![state.clone(); most + 1],
            differences: zeros(most),
            sums: zeros(most + 1),
            of_sum: system.zero_velocity(),
            of_start: system.zero_velocity(),
            turned: system.zero_velocity(),
            unwanted: system.zero_velocity(),
        }
    }

    /// Computes the given number of parts of size h from `from`. Each call of `step` computes a part, and returns its increment.
    fn make(
        &mut self,
        system: &M,
        (from, count, h): (&State<M>, usize, f64),
        sums: &mut Sums<M::Velocity>,
        mut step: impl FnMut(&State<M>, &mut State<M>, &mut M::Velocity) -> Result<(), StepError>,
    ) -> Result<(), StepError> {
        self.states[0].copy_motion_from(from);
        self.sums[0].fill(M::Scalar::zero());
        for part in 0..count {
            let (known, next) = self.states.split_at_mut(part + 1);
            step(&known[part], &mut next[0], &mut self.differences[part])?;
            next[0].time = from.time + h * (part + 1) as f64;
            let (known, next) = self.sums.split_at_mut(part + 1);
            next[0].assign(&known[part]);
            sums.go_on(system, &mut next[0], &self.differences[part]);
        }
        Ok(())
    }

    /// Runs the reverse pass through the parts of size h, with the cotangent of the composition of their increments.
    fn back(
        &mut self,
        system: &M,
        (count, h): (usize, f64),
        formula: &mut Formula<M>,
        method: &mut dyn AdjointStep<M>,
        cotangent: &mut AdjointState<M>,
    ) -> Result<(), StepError> {
        let one = M::Scalar::one();
        let Parts { states, differences, sums, of_sum, of_start, turned, unwanted } = self;
        for (part, difference) in differences[..count].iter().enumerate().rev() {
            formula.back(system, [&sums[part], difference], of_sum);
            let [of_before, of_difference] = &formula.of;
            of_sum.assign(of_before);
            // From δ(q exp(d)) = Ad(exp(−d)) δq + T(d) δd.
            system.space().tangent_inverse_transpose(difference, of_difference, turned);
            cotangent.configuration.axpy(one, turned);
            turned.scale(-one);
            of_start.fill(M::Scalar::zero());
            system.space().motion_pullback(difference, turned, of_start, unwanted);
            method.step_back(system, &states[part], &states[part + 1], h, None, cotangent)?;
            cotangent.configuration.axpy(one, of_start);
        }
        Ok(())
    }
}

/// The Baker-Campbell-Hausdorff formula and its reverse pass.
struct Formula<M: Reverse> {
    sums: Sums<M::Velocity>,
    /// The cotangents of a and b.
    of: [M::Velocity; 2],
    bracket: M::Velocity,
    vectors: [M::Velocity; 10],
}

impl<M: Reverse> Formula<M> {
    fn of(system: &M) -> Self {
        let zero = || system.zero_velocity();
        Formula {
            sums: Sums::of(zero),
            of: [zero(), zero()],
            bracket: zero(),
            vectors: core::array::from_fn(|_| zero()),
        }
    }

    /// Computes the cotangents of a and b from the cotangent of a + b + ½ [a, b] + 1/12 [a − b, [a, b]].
    fn back(&mut self, system: &M, [a, b]: [&M::Velocity; 2], of_sum: &M::Velocity) {
        let (real, one) = (M::Scalar::from_f64, M::Scalar::one());
        let Formula { of: [of_a, of_b], bracket, vectors: [rest, of_bracket, of_rest, scaled, buffers @ ..], .. } =
            self;
        let [minus, forth, ..] = &mut *buffers;
        history::commutator(system, a, b, bracket, [minus, forth]);
        rest.assign(a);
        rest.axpy(-one, b);
        of_a.assign(of_sum);
        of_b.assign(of_sum);
        of_bracket.assign_scaled(real(0.5), of_sum);
        scaled.assign_scaled(real(1.0 / 12.0), of_sum);
        of_rest.fill(M::Scalar::zero());
        let out = [&mut *of_rest, &mut *of_bracket];
        commutator_pullback(system, [rest, bracket], scaled, out, buffers.each_mut());
        of_a.axpy(one, of_rest);
        of_b.axpy(-one, of_rest);
        commutator_pullback(system, [a, b], of_bracket, [of_a, of_b], buffers.each_mut());
    }
}

impl<M: Reverse + 'static> BLieDFBack<M> {
    pub fn of(system: &M, state: &State<M>, method: BLieDF) -> Self {
        let zero = || system.zero_velocity();
        let zeros = |count: usize| (0..count).map(|_| zero()).collect::<Vec<_>>();
        let (k, starter) = (method.steps(), HalfExplicit::hedop5());
        BLieDFBack {
            method,
            workspace: method.workspace(system, state),
            stage: StageBack::of(system),
            kkt: KktWorkspace::of(system),
            end: state.clone(),
            theta: zero(),
            projection: zero(),
            of_increments: zeros(k),
            of_velocities: zeros(k),
            first: FirstSteps {
                back: Explicit::of(system, state, scheme(&starter)),
                workspace: starter.workspace(system, state),
                parts: Parts::of(system, state, PARTS as usize),
                stiff: None,
            },
            formula: Formula::of(system),
            vectors: core::array::from_fn(|_| zero()),
        }
    }

    /// Runs the reverse pass through an implicit step.
    fn back(&mut self, system: &M, from: &State<M>, h: f64, cotangent: &mut AdjointState<M>) -> Result<(), StepError> {
        let (real, one, zero) = (M::Scalar::from_f64, M::Scalar::one(), M::Scalar::zero());
        let alpha = self.method.formula().derivative;
        step::attempt(&self.method, system, from, h, &mut self.end, &mut self.workspace)?;
        let BLieDFBack { method, workspace, stage, kkt, end, theta, projection, of_increments, of_velocities, .. } =
            self;
        theta.assign(&workspace.iteration.stage.buffers.theta);
        let is_stabilised = method.is_stabilised(system);
        if is_stabilised {
            // θ − x.
            projection.assign_scaled(real(1.0 / alpha[0]), &workspace.iteration.past);
            projection.axpy(real(-h / alpha[0]), &end.velocity);
            projection.axpy(one, theta);
        }
        stage.of.iter_mut().for_each(|of| of.fill(zero));
        stage.of[0].assign(&of_increments[0]);
        let solved = Solved {
            from,
            to: end,
            h,
            weights: Weights::of_formula(alpha[0]),
            theta,
            local: None,
            projection: is_stabilised.then_some(projection),
        };
        stage.back(system, &solved, cotangent, kkt).map_err(|error| StepError::of_kkt(error, system, from, h))?;
        let [_, of_rate, of_second] = &mut stage.of;
        of_rate.axpy(real(alpha[0] / h), of_second);
        // The cotangent of v_n; the cotangents of earlier velocities belong to earlier steps.
        for (i, &weight) in alpha.iter().enumerate().skip(1) {
            of_velocities[i - 1].axpy(real(weight / h), of_second);
        }
        of_rate.scale(real(1.0 / h));
        of_increments[0].fill(zero);
        of_increments.rotate_left(1);
        self.back_through_past(system, from);
        self.take_velocity(cotangent);
        Ok(())
    }

    /// Maps the cotangent of T(θ*) c, which the stage stores with v̂, to the increments of previous steps.
    fn back_through_past(&mut self, system: &M, from: &State<M>) {
        let (real, one, zero) = (M::Scalar::from_f64, M::Scalar::one(), M::Scalar::zero());
        let BLieDFBack { method, workspace, stage, of_increments, formula, vectors, first, .. } = self;
        let coefficients = method.formula();
        if coefficients.steps == 1 {
            return;
        }
        let [of_angle, of_sum, of_psi, image, scratch, turned] = vectors;
        for vector in [&mut *of_angle, of_sum, of_psi] {
            vector.fill(zero);
        }
        let iteration = &workspace.iteration;
        let out = [&mut *of_angle, &mut *of_sum];
        let at = [&iteration.extrapolated, &iteration.sum];
        tangent_pullback(system, at, &stage.of[1], out, [image, scratch, &mut *turned]);
        for (of, &weight) in of_increments.iter_mut().zip(coefficients.extrapolation) {
            of.axpy(real(weight), of_angle);
        }
        // ψ of the previous points, in the buffers for the sums of a first step.
        let (points, weights) = (&mut first.parts.sums, &coefficients.derivative[2..]);
        points[0].fill(zero);
        for at in 1..weights.len() {
            let (known, next) = points.split_at_mut(at);
            next[0].assign(&known[at - 1]);
            formula.sums.go_back(system, &mut next[0], from.memory.vector(history::increment(at - 1)));
        }
        for (at, &weight) in weights.iter().enumerate().rev() {
            of_psi.axpy(real(weight), of_sum);
            turned.assign_scaled(-one, from.memory.vector(history::increment(at)));
            formula.back(system, [&points[at], turned], of_psi);
            let [of_before, of_turned] = &formula.of;
            of_psi.assign(of_before);
            of_increments[at].axpy(-one, of_turned);
        }
    }

    /// The contributions of later steps to the cotangent of v at the start of this step.
    fn take_velocity(&mut self, cotangent: &mut AdjointState<M>) {
        cotangent.velocity.axpy(M::Scalar::one(), &self.of_velocities[0]);
        self.of_velocities[0].fill(M::Scalar::zero());
        self.of_velocities.rotate_left(1);
    }

    /// Runs the reverse pass through one of the first steps.
    fn back_through_first(
        &mut self,
        system: &M,
        from: &State<M>,
        h: f64,
        cotangent: &mut AdjointState<M>,
    ) -> Result<(), StepError> {
        if start::is_stiff(&mut self.workspace.fastest, system, from, h) {
            self.back_through_stiff(system, from, h, cotangent)?;
        } else {
            let BLieDFBack { of_increments, first, formula, .. } = self;
            let FirstSteps { back, workspace, parts, .. } = first;
            let (count, h) = (PARTS as usize, h / f64::from(PARTS));
            parts.make(system, (from, count, h), &mut formula.sums, |here, next, difference| {
                HalfExplicit::hedop5().step(system, here, h, next, workspace)?;
                system.space().log_difference(&here.configuration, &next.configuration, difference);
                Ok(())
            })?;
            parts.of_sum.assign(&of_increments[0]);
            parts.back(system, (count, h), formula, back, cotangent)?;
        }
        self.of_increments[0].fill(M::Scalar::zero());
        self.of_increments.rotate_left(1);
        self.take_velocity(cotangent);
        Ok(())
    }

    /// The first step of stiff motions: θ = Σ w θ_w, q = q_n exp(θ), and likewise v, v' and λ.
    fn back_through_stiff(
        &mut self,
        system: &M,
        from: &State<M>,
        h: f64,
        cotangent: &mut AdjointState<M>,
    ) -> Result<(), StepError> {
        let (one, zero) = (M::Scalar::one(), M::Scalar::zero());
        self.method.step(system, from, h, &mut self.end, &mut self.workspace)?;
        let BLieDFBack { workspace, of_increments, first, formula, .. } = self;
        let FirstSteps { parts, stiff, .. } = first;
        let stiff = stiff.get_or_insert_with(|| Box::new(Stiff::of(system, from)));
        let Stiff { back, workspace: starter, of_end, of_way, of_theta } = &mut **stiff;
        for (own, of) in [
            (&mut of_end.configuration, &mut cotangent.configuration),
            (&mut of_end.velocity, &mut cotangent.velocity),
            (&mut of_end.acceleration, &mut cotangent.acceleration),
        ] {
            own.assign(of);
            of.fill(zero);
        }
        of_end.multipliers.assign(&cotangent.multipliers);
        cotangent.multipliers.fill(zero);
        of_theta.assign(&of_increments[0]);
        let theta = &workspace.iteration.stage.buffers.theta;
        system.space().motion_pullback(theta, &of_end.configuration, &mut cotangent.configuration, of_theta);
        for (count, weight) in STIFF {
            let (weight, h) = (M::Scalar::from_f64(weight), h / f64::from(count));
            let count = count as usize;
            parts.make(system, (from, count, h), &mut formula.sums, |here, next, difference| {
                TrBdf2::new().step(system, here, h, next, starter)?;
                difference.assign(starter.increment());
                Ok(())
            })?;
            parts.of_sum.assign_scaled(weight, of_theta);
            of_way.configuration.fill(zero);
            of_way.velocity.assign_scaled(weight, &of_end.velocity);
            of_way.acceleration.assign_scaled(weight, &of_end.acceleration);
            of_way.multipliers.assign_scaled(weight, &of_end.multipliers);
            of_way.exchange_data(cotangent);
            let outcome = parts.back(system, (count, h), formula, back, of_way);
            of_way.exchange_data(cotangent);
            outcome?;
            cotangent.configuration.axpy(one, &of_way.configuration);
            cotangent.velocity.axpy(one, &of_way.velocity);
            cotangent.acceleration.axpy(one, &of_way.acceleration);
            cotangent.multipliers.axpy(one, &of_way.multipliers);
        }
        Ok(())
    }
}

impl<M: Reverse + 'static> AdjointStep<M> for BLieDFBack<M> {
    fn step_back(
        &mut self,
        system: &M,
        from: &State<M>,
        _: &State<M>,
        h: f64,
        _: Option<Trace<'_, M>>,
        cotangent: &mut AdjointState<M>,
    ) -> Result<(), StepError> {
        let owner = self.method.owner();
        let count = history::count(&owner, from, h)?;
        if count + 1 < self.method.steps() {
            self.back_through_first(system, from, h, cotangent)
        } else {
            self.back(system, from, h, cotangent)
        }
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
