//! Whether constraints lose rank within a step that is to be made.
//!
//! Where a direction n is lost, reactions along it are θ n, with a θ that passes zero. Of a force f with the reactions B₁ᵀ λ that let q₁ ahead
//! stay on its constraints, q₀ takes B₀ᵀ λ: along n that is θ₀ / θ₁ times as much, along others as much up to the turn
//! of the constraints. So the largest eigenvalue κ of
//!
//! ```text
//! f ↦ (B₀ − B₁)ᵀ λ,    (B₁ M⁻¹ B₁ᵀ) λ = B₁ M⁻¹ f,
//! ```
//!
//! is |θ₀ / θ₁ − 1|, one and more if θ passes zero on the way, or else the angle of the turn. It is found by the power method, which goes on from step to
//! step: the directions hardly change from one to the next.

use num_traits::Zero;

use crate::group::TangentVector;
use crate::integrator::State;
use crate::scalar::Scalar;
use crate::simulate::consistent::ConsistentValues;
use crate::space::ConfigurationSpace;
use crate::system::MechanicalSystem;

/// How far ahead is looked, in steps: stages near to where rank is lost are as useless as those beyond.
const STEPS: f64 = 1.5;
/// An eigenvalue that is this large is that of a direction which is lost, two steps further on or one behind, or the
/// angle, in radians, of a turn that no method resolves.
const LOST: f64 = 0.6;
/// From here on the power method is repeated until it says how large it is.
const REPEATED: f64 = 0.1;
/// Repetitions at most.
const REPETITIONS: usize = 6;
/// Repetitions end when the eigenvalue changes by less than this part.
const SETTLED: f64 = 0.1;
/// What is added to the direction in every step, so that it may turn into any other.
const FRESH: f64 = 0.3;
/// How far along the tangent of a motion, in units of the extent of its configurations, rows are asked whether they are redundant off the
/// constraints too. As much as that off by its square they lock a motion for good, and a point at which rank is lost is not all around.
const TANGENTS: [f64; 3] = [0.2, -0.2, 0.3];
/// What part of the motion rows may lock a step and a half ahead along the tangent: the stages of a step are off by a part of that, and lock by its
/// square.
const LOCKED: f64 = 1e-6;

/// What there is ahead of a motion.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum RankForecast {
    /// Rows keep their rank.
    Independent,
    /// A direction is lost, and the motion may go on behind.
    Lost,
    /// A direction is lost, and no configuration behind is found to be on the constraints.
    OutOfReach,
}

/// The direction, and what looking takes.
pub(super) struct RankLookahead<M: MechanicalSystem> {
    mass: M::Mass,
    configuration: M::Configuration,
    /// The configuration next to that on the constraints.
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
        // Multiples of the golden section, which no structure of a system knows of.
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

    /// What becomes of the constraints within a step of size h and a half, or near to it.
    pub fn look(&mut self, system: &M, consistent: &mut ConsistentValues<M>, from: &State<M>, h: f64) -> RankForecast {
        let then = from.time + STEPS * h;
        self.theta.assign_scaled(M::Scalar::from_f64(STEPS * h), &from.velocity);
        system.space().compose_exp(&from.configuration, &self.theta, &mut self.configuration);
        system.constraint_jacobian(M::Scalar::from_f64(from.time), &from.configuration, &mut self.jacobians[0]);
        if !self.is_lost(system, then) {
            return RankForecast::Independent;
        }
        // Rows that are redundant wherever the constraints hold are not where they do not.
        match consistent.project_configuration(system, then, &mut self.configuration) {
            Err(_) => RankForecast::OutOfReach,
            Ok(_) if self.is_lost(system, then) => RankForecast::Lost,
            Ok(_) => RankForecast::Independent,
        }
    }

    /// Whether rows are redundant on the constraints alone, told along the tangent of a motion; nothing of one that does not move.
    ///
    /// The hinges of Bennett's linkage leave it one way to move, and none where the loop is open by δ: there a row that
    /// was redundant asks for δ times the speed to vanish.
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

    /// True if rows that are redundant on the constraints alone lock a part of the motion that shows, within a step of size h.
    pub fn locks(&mut self, system: &M, consistent: &mut ConsistentValues<M>, from: &State<M>, h: f64) -> bool {
        self.locked_part(system, consistent, from, (&from.velocity, STEPS * h), from.time + STEPS * h) > LOCKED
    }

    /// The part of a motion that rows lock off the constraints of a time, so far along a tangent, and not next to that on them.
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

    /// True if a direction is lost between the first Jacobian and the configuration ahead.
    fn is_lost(&mut self, system: &M, time: f64) -> bool {
        self.lost_part(system, time) > LOST
    }

    /// κ between the first Jacobian and the configuration ahead.
    fn lost_part(&mut self, system: &M, time: f64) -> f64 {
        let t = M::Scalar::from_f64(time);
        if system.mass(t, &self.configuration, &mut self.mass).is_err() {
            // That is for the step to say.
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

    /// A turn of the power method; by how much the direction has grown, if that is a number.
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

/// Makes a vector one of length 1, unless it is zero; how long it was.
fn normalise<V: TangentVector>(vector: &mut V) -> f64 {
    let length = vector.dot(vector).value().sqrt();
    if length > 0.0 && length.is_finite() {
        vector.scale(V::Scalar::from_f64(length.recip()));
    } else {
        vector.fill(Zero::zero());
    }
    length
}
