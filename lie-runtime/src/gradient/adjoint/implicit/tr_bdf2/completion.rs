//! The reverse pass through the explicit third stage of TR-BDF2 and the following projection onto the constraint manifold.
//!
//! Every correction δ has least norm with B δ = d, where d = −Φ for configurations and −(B v + b) for the last configuration.

use num_traits::{One, Zero};

use super::super::super::initial::KktWorkspace;
use super::super::commutator_pullback;
use crate::gradient::adjoint_state::AdjointState;
use crate::group::TangentVector;
use crate::integrator::State;
use crate::integrator::tableau::TR_BDF2;
use crate::integrator::tr_bdf2::third_stage::{CORRECTIONS, NEGLIGIBLE};
use crate::integrator::tr_bdf2::{Completion, TrBdf2Options};
use crate::scalar::Scalar;
use crate::space::{ConfigurationSpace, ReverseSpace};
use crate::system::{KktError, Reverse};

/// A correction and its start.
struct StageCorrection<M: Reverse> {
    place: State<M>,
    /// d.
    target: M::Multipliers,
    /// δ, and ν with M δ + Bᵀ ν = 0.
    shortest: M::Velocity,
    reactions: M::Multipliers,
}

/// The buffers of the reverse pass through a third stage; allocated once.
pub(super) struct CompletionBack<M: Reverse> {
    kkt: KktWorkspace<M>,
    /// The corrections of q, followed by the correction of v.
    corrections: Vec<StageCorrection<M>>,
    /// The number of corrections of q.
    count: usize,
    /// The cotangents of q_n, and of v and v' of the three points of the quadrature.
    pub of_start: M::Velocity,
    pub of_velocities: [M::Velocity; 3],
    pub of_accelerations: [M::Velocity; 3],
    rows: M::Multipliers,
    vectors: [M::Velocity; 12],
}

impl<M: Reverse> CompletionBack<M> {
    pub fn of(system: &M, state: &State<M>) -> Self {
        let zero = || system.zero_velocity();
        let correction = |_| StageCorrection {
            place: state.clone(),
            target: system.zero_multipliers(),
            shortest: zero(),
            reactions: system.zero_multipliers(),
        };
        CompletionBack {
            kkt: KktWorkspace::of(system),
            corrections: (0..=CORRECTIONS).map(correction).collect(),
            count: 0,
            of_start: zero(),
            of_velocities: [zero(), zero(), zero()],
            of_accelerations: [zero(), zero(), zero()],
            rows: system.zero_multipliers(),
            vectors: core::array::from_fn(|_| zero()),
        }
    }

    /// Repeats the corrections, from q_n exp(θ) and v.
    pub fn retrace(
        &mut self,
        system: &M,
        from: &State<M>,
        time: f64,
        [theta, v]: [&M::Velocity; 2],
    ) -> Result<(), KktError> {
        let (t, minus) = (M::Scalar::from_f64(time), -M::Scalar::one());
        let CompletionBack { kkt, corrections, count, rows, .. } = self;
        *count = 0;
        for correction in corrections.iter_mut() {
            correction.place.time = time;
        }
        system.space().compose_exp(&from.configuration, theta, &mut corrections[0].place.configuration);
        if system.constraint_rows() == 0 {
            return Ok(());
        }
        while system.holonomic_rows() > 0 && *count < CORRECTIONS {
            let (known, next) = corrections.split_at_mut(*count + 1);
            let StageCorrection { place, target, shortest, reactions } = &mut known[*count];
            system.constraint(t, &place.configuration, target);
            target.scale(minus);
            kkt.shortest(system, place, target, shortest, reactions)?;
            system.space().compose_exp(&place.configuration, shortest, &mut next[0].place.configuration);
            *count += 1;
            if shortest.reach() <= NEGLIGIBLE {
                break;
            }
        }
        let StageCorrection { place, target, shortest, reactions } = &mut corrections[*count];
        kkt.rate(system, place, v, target);
        system.constraint_drift(t, &place.configuration, rows);
        target.axpy(M::Scalar::one(), rows);
        target.scale(minus);
        kkt.shortest(system, place, target, shortest, reactions)
    }

    /// Maps the cotangent of the end to the second stage, and to the cotangents stored here; v is the velocity before its correction.
    #[allow(clippy::too_many_arguments)] // A step and what its stages have found.
    pub fn back(
        &mut self,
        options: &TrBdf2Options,
        system: &M,
        to: &State<M>,
        h: f64,
        [theta, v]: [&M::Velocity; 2],
        velocities: &[M::Velocity; 3],
        cotangent: &mut AdjointState<M>,
    ) -> Result<(), KktError> {
        let (real, one, zero) = (M::Scalar::from_f64, M::Scalar::one(), M::Scalar::zero());
        let is_full = options.completion == Completion::Full;
        if is_full {
            self.kkt.back_through_accelerations(system, to, cotangent)?;
        }
        if system.constraint_rows() > 0 {
            self.back_through_corrections(system, v, cotangent)?;
        }
        let CompletionBack { of_start, of_velocities, of_accelerations, vectors, .. } = self;
        let [of_theta, of_commutator, turn, bent, of_turn, of_bent, buffers @ ..] = vectors;
        of_start.fill(zero);
        of_theta.fill(zero);
        system.space().motion_pullback(theta, &cotangent.configuration, of_start, of_theta);
        cotangent.configuration.fill(zero);
        let weights = TR_BDF2.embedded.map_or(TR_BDF2.b, |embedded| embedded.b);
        for (j, &b) in weights.iter().enumerate() {
            of_velocities[j].assign_scaled(real(h * b), of_theta);
            of_accelerations[j].assign_scaled(real(if is_full { h * b } else { 0.0 }), &cotangent.velocity);
        }
        if is_full {
            of_velocities[0].axpy(one, &cotangent.velocity);
        }
        // The correction term: a multiple of T(−u) w − T(u) w, with u = h v_n and w = τ² v_{n+1} − v_{n+τ}.
        let tau = TR_BDF2.c[1];
        let factor = 2.0 * options.correction * h / (tau * (tau - 1.0));
        bent.assign_scaled(real(tau * tau), &velocities[2]);
        bent.axpy(-one, &velocities[1]);
        turn.assign_scaled(real(h), &velocities[0]);
        of_commutator.assign_scaled(real(factor), of_theta);
        for vector in [&mut *of_turn, of_bent] {
            vector.fill(zero);
        }
        let out = [&mut *of_turn, &mut *of_bent];
        commutator_pullback(system, [turn, bent], of_commutator, out, buffers.each_mut());
        of_velocities[0].axpy(real(h), of_turn);
        of_velocities[1].axpy(-one, of_bent);
        of_velocities[2].axpy(real(tau * tau), of_bent);
        if is_full {
            cotangent.velocity.fill(zero);
        }
        cotangent.velocity.axpy(one, &of_velocities[2]);
        cotangent.acceleration.axpy(one, &of_accelerations[2]);
        Ok(())
    }

    fn back_through_corrections(
        &mut self,
        system: &M,
        v: &M::Velocity,
        cotangent: &mut AdjointState<M>,
    ) -> Result<(), KktError> {
        let CompletionBack { kkt, corrections, count, vectors: [of_shortest, of_place, ..], .. } = self;
        let StageCorrection { place, shortest, reactions, .. } = &corrections[*count];
        let t = M::Scalar::from_f64(place.time);
        of_shortest.assign(&cotangent.velocity);
        let rows = kkt.back_through_correction(system, place, [shortest, of_shortest], reactions, cotangent)?;
        rows.scale(-M::Scalar::one());
        system.rate_pullback(t, &place.configuration, v, rows, &mut cotangent.of_motion());
        for StageCorrection { place, shortest, reactions, .. } in corrections[..*count].iter().rev() {
            for vector in [&mut *of_shortest, of_place] {
                vector.fill(M::Scalar::zero());
            }
            system.space().motion_pullback(shortest, &cotangent.configuration, of_place, of_shortest);
            cotangent.configuration.assign(of_place);
            let rows = kkt.back_through_correction(system, place, [shortest, of_shortest], reactions, cotangent)?;
            rows.scale(-M::Scalar::one());
            system.constraint_pullback(t, &place.configuration, rows, &mut cotangent.of_motion());
        }
        cotangent.note_inputs(system, t.value());
        Ok(())
    }
}
