//! Prediction of a rank loss of the constraint Jacobian within the next step.
//!
//! Close to a singular configuration, the reactions along a lost direction n are θ n, and θ changes its sign. Consider a force f and the
//! reactions B₁ᵀ λ that keep the configuration q₁ ahead on its constraints. The same λ act at q₀ as B₀ᵀ λ. The component along n differs by
//! the factor θ₀ / θ₁; other components differ by the rotation of the constraints. The largest eigenvalue κ of
//!
//! ```text
//! f ↦ (B₀ − B₁)ᵀ λ,    (B₁ M⁻¹ B₁ᵀ) λ = B₁ M⁻¹ f,
//! ```
//!
//! is therefore |θ₀ / θ₁ − 1|, which is at least one if θ changes its sign, or otherwise the angle of the rotation. The power method
//! computes it. Each step continues with the direction of the previous step, because the directions hardly change.

use num_traits::Zero;

use crate::group::TangentVector;
use crate::integrator::State;
use crate::scalar::Scalar;
use crate::simulate::consistent::ConsistentValues;
use crate::space::ConfigurationSpace;
use crate::system::MechanicalSystem;

/// Distance of the prediction, in steps. Stages close to a singular configuration are as inaccurate as stages after it.
const STEPS: f64 = 1.5;
/// An eigenvalue above this limit belongs to a direction that is lost up to two steps ahead or one step back, or it is the angle, in
/// radians, of a rotation that no method resolves.
const LOST: f64 = 0.6;
/// Eigenvalue from which the power method is iterated until it converges.
const REPEATED: f64 = 0.1;
/// Limit of iterations.
const REPETITIONS: usize = 6;
/// Relative change of the eigenvalue that ends the iteration.
const SETTLED: f64 = 0.1;
/// Weight of a fixed direction that is added in every step so that all directions can be found.
const FRESH: f64 = 0.3;
/// Distances along the tangent of a motion, in units of the extent of its configurations, at which rows are tested for redundancy off the
/// constraint manifold. At these distances, which are off the manifold by their squares, always-redundant rows lock the motion. An isolated
/// singular configuration is not close to all of them.
const TANGENTS: [f64; 3] = [0.2, -0.2, 0.3];
/// Part of the motion that rows may lock at the predicted configuration along the tangent. The stages of a step are off by a part of this
/// distance and lock a part proportional to its square.
const LOCKED: f64 = 1e-6;

/// The result of the prediction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum RankForecast {
    /// The rows keep their rank.
    Independent,
    /// A direction is lost, and the motion may continue after the singular configuration.
    Lost,
    /// A direction is lost, and the projection of the predicted configuration fails.
    OutOfReach,
}

/// The direction of the power method, and buffers.
pub(super) struct RankLookahead<M: MechanicalSystem> {
    mass: M::Mass,
    configuration: M::Configuration,
    /// The closest configuration on the constraint manifold.
    on: M::Configuration,
    theta: M::Velocity,
    jacobians: [M::Jacobian; 2],
    direction: M::Velocity,
    fresh: M::Velocity,
    reactions: [M::Velocity; 2],
    acceleration: M::Velocity,
    zero: M::Multipliers,
    multipliers: M::Multipliers,
}

impl<M: MechanicalSystem> RankLookahead<M> {
    pub fn of(system: &M, state: &State<M>) -> Self {
        let mut fresh = system.zero_velocity();
        // Multiples of the golden ratio, which are unrelated to the structure of any system.
        let mut part = 0.0_f64;
        for component in 0..fresh.component_count() {
            part = (part + 0.618_033_988_749_894_9).fract();
            fresh.set_component(component, M::Scalar::from_f64(part - 0.5));
        }
        normalise(&mut fresh);
        RankLookahead {
            mass: system.zero_mass(),
            configuration: state.configuration.clone(),
            on: state.configuration.clone(),
            theta: system.zero_velocity(),
            jacobians: [system.zero_jacobian(), system.zero_jacobian()],
            direction: fresh.clone(),
            fresh,
            reactions: [system.zero_velocity(), system.zero_velocity()],
            acceleration: system.zero_velocity(),
            zero: system.zero_multipliers(),
            multipliers: system.zero_multipliers(),
        }
    }

    /// Predicts the rank of the constraints within 1.5 steps of size h.
    pub fn predict(
        &mut self,
        system: &M,
        consistent: &mut ConsistentValues<M>,
        from: &State<M>,
        h: f64,
    ) -> RankForecast {
        let then = from.time + STEPS * h;
        self.theta.assign_scaled(M::Scalar::from_f64(STEPS * h), &from.velocity);
        system.space().compose_exp(&from.configuration, &self.theta, &mut self.configuration);
        system.constraint_jacobian(M::Scalar::from_f64(from.time), &from.configuration, &mut self.jacobians[0]);
        if !self.is_lost(system, then) {
            return RankForecast::Independent;
        }
        // Rows may be redundant on the constraint manifold only.
        match consistent.project_configuration(system, then, &mut self.configuration) {
            Err(_) => RankForecast::OutOfReach,
            Ok(_) if self.is_lost(system, then) => RankForecast::Lost,
            Ok(_) => RankForecast::Independent,
        }
    }

    /// Returns true if rows are redundant on the constraint manifold only, tested along the tangent of the motion. Returns `None` for a
    /// system at rest.
    ///
    /// For example, the hinges of Bennett's linkage permit one motion. If the loop is open by δ, they permit none: a formerly redundant row
    /// requires that δ times the speed vanishes.
    pub fn locks_off_constraints(
        &mut self,
        system: &M,
        consistent: &mut ConsistentValues<M>,
        from: &State<M>,
    ) -> Option<bool> {
        let way = [&from.velocity, &from.acceleration].into_iter().find(|way| way.max_norm() > 0.0)?;
        let unit = system.space().extent(&from.configuration).min(1.0) / way.dot(way).value().sqrt();
        let mut locks = |part: f64| self.locked_part(system, consistent, from, (way, part * unit), from.time) > LOST;
        Some(TANGENTS.into_iter().all(&mut locks))
    }

    /// Returns true if rows that are redundant on the constraint manifold only lock a significant part of the motion within a step of size
    /// h.
    pub fn locks(&mut self, system: &M, consistent: &mut ConsistentValues<M>, from: &State<M>, h: f64) -> bool {
        self.locked_part(system, consistent, from, (&from.velocity, STEPS * h), from.time + STEPS * h) > LOCKED
    }

    /// Returns the part of a motion that rows lock at a distance along the tangent, compared with the closest configuration on the
    /// constraint manifold.
    fn locked_part(
        &mut self,
        system: &M,
        consistent: &mut ConsistentValues<M>,
        from: &State<M>,
        (way, length): (&M::Velocity, f64),
        time: f64,
    ) -> f64 {
        self.theta.assign_scaled(M::Scalar::from_f64(length), way);
        system.space().compose_exp(&from.configuration, &self.theta, &mut self.configuration);
        self.on.clone_from(&self.configuration);
        if consistent.project_configuration(system, time, &mut self.on).is_err() {
            return 0.0;
        }
        system.constraint_jacobian(M::Scalar::from_f64(time), &self.on, &mut self.jacobians[0]);
        self.lost_part(system, time)
    }

    /// Returns true if a direction is lost between the first Jacobian and the predicted configuration.
    fn is_lost(&mut self, system: &M, time: f64) -> bool {
        self.lost_part(system, time) > LOST
    }

    /// Returns κ between the first Jacobian and the predicted configuration.
    fn lost_part(&mut self, system: &M, time: f64) -> f64 {
        let t = M::Scalar::from_f64(time);
        if system.mass(t, &self.configuration, &mut self.mass).is_err() {
            // The step reports this error.
            return 0.0;
        }
        system.constraint_jacobian(t, &self.configuration, &mut self.jacobians[1]);
        let mut largest = 0.0;
        for repetition in 0..REPETITIONS {
            let Some(factor) = self.turn(system) else { return f64::INFINITY };
            let is_settled = (factor - largest).abs() < SETTLED * factor;
            largest = factor;
            if factor < REPEATED || (repetition > 0 && is_settled) {
                break;
            }
        }
        self.direction.axpy(M::Scalar::from_f64(FRESH), &self.fresh);
        normalise(&mut self.direction);
        largest
    }

    /// Performs one iteration of the power method. Returns the growth of the direction, if it is finite.
    fn turn(&mut self, system: &M) -> Option<f64> {
        let Self { mass, jacobians: [before, after], direction, reactions: [here, there], .. } = self;
        let (acceleration, multipliers) = (&mut self.acceleration, &mut self.multipliers);
        system.solve_kkt(mass, after, after, direction, &self.zero, acceleration, multipliers).ok()?;
        system.jacobian_transpose_times(before, multipliers, here);
        system.jacobian_transpose_times(after, multipliers, there);
        here.axpy(M::Scalar::from_f64(-1.0), there);
        direction.assign(here);
        let factor = normalise(direction);
        if factor.is_finite() {
            return Some(factor);
        }
        direction.assign(&self.fresh);
        None
    }
}

/// Normalises a vector unless it is zero. Returns its previous length.
fn normalise<V: TangentVector>(vector: &mut V) -> f64 {
    let length = vector.dot(vector).value().sqrt();
    if length > 0.0 && length.is_finite() {
        vector.scale(V::Scalar::from_f64(length.recip()));
    } else {
        vector.fill(Zero::zero());
    }
    length
}
