//! Starts and changes of the step size: a_0 of second order and the stationary v_n of the method.
//!
//! **a_0.** a_n approximates v' at t_n + (α_m − α_f) h (paper 2, eq. 48), hence a_0 = v'_0 + (α_m − α_f) h v''_0. The derivative is a
//! difference of second order of the accelerations of the index-1 system. It uses the times 0, s, 2s with s = h / 16 along q_0 exp(s v_0 +
//! s²/2 v'_0), v_0 + s v'_0. The error −s²/2 v''_0 of the velocity enters (−3 v'(0) + 4 v'(s) − v'(2s)) / 2s as 4 c s² − 4 c s² = 0. In
//! local coordinates x''' replaces v''.
//!
//! **v_0.** A step of an index-3 formulation from exact values misses the constraint by B l^q,
//!
//! ```text
//! l^q = h³/6 ((6β + 3 (α_m − α_f) − 1) v'' − ½ [v, v'])       on the group                  (paper 2, eq. 47)
//! l^q = h³/6  (6β + 3 (α_m − α_f) − 1) x'''                    in local coordinates, as on a vector space
//! ```
//!
//! and must compensate for it by an error l^q / (β h²) = O(h) of the accelerations, which appears in λ. After many steps the velocities
//! contain the difference, B v_n = −B l^q / h = O(h²), and λ is of second order. A start with this residual has no transient (Arnold,
//! Brüls, Cardona 2015). It uses v_0 − δ with the δ of least norm in the metric of M such that B δ = B v_0 + b + B l^q / h. The stabilised
//! formulation needs no such start because η contains the difference.
//!
//! **Unresolved motions.** v''_0 is not useful if an excited motion changes within a step: v'' is c² u for a fast damped motion and ω² u
//! for a stiff motion. The values a_0 and v_0 would cause displacements of size h³ v''. Directional derivatives of the accelerations are
//! the criterion,
//!
//! ```text
//! h |D_v v' v'_0| > |v'_0|   and   −(D_v v' d, d) ≥ ½ |D_v v' d| |d|   with d = D_v v' v'_0    damped    (gyroscopic terms turn d instead)
//! h² |D_q v' v_0| > |v_0|                                                                    stiff
//! ```
//!
//! If one of these inequalities holds, a_0 = v'_0. If a damped motion is excited, a first step of fixed size uses [another
//! method](super::damped).
//!
//! **Changes of size.** The residual of the velocities comes from the previous step and is proportional to h². For a step h' after a step
//! h, v_n is changed so that B v_n + b is multiplied by (h'/h)².

use num_traits::One;

use super::workspace::Attempt;
use super::{Formulation, GeneralizedAlpha, StartingValues};
use crate::group::{CoordinateMap, TangentVector};
use crate::integrator::State;
use crate::integrator::implicit::IterateBuffers;
use crate::scalar::{Mask, Scalar};
use crate::space::{ConfigurationSpace, LocalSpace};
use crate::system::{KktError, Linearised, LocalPoint};

/// The increment of the differences as a fraction of the first step.
const PART: f64 = 1.0 / 16.0;
/// Step sizes that differ by less than this fraction count as equal.
const SAME: f64 = 1e-9;

/// Returns true if the velocities have the stationary residual of the method at the start and after changes of the step size.
pub(crate) fn is_settled<M: Linearised>(method: &GeneralizedAlpha, system: &M) -> bool {
    method.options.start == StartingValues::Settled
        && method.options.formulation != Formulation::StabilisedIndex2
        && system.holonomic_rows() > 0
}

/// Returns the factor (h'/h)² of B v_n + b, or `None` for an unchanged step size.
pub(crate) fn change_of_residual(h: f64, before: f64) -> Option<f64> {
    let ratio = h / before;
    ((h - before).abs() > SAME * h).then_some(ratio * ratio)
}

/// Returns the times and weights of the difference for v''_0 in a first step of size h.
pub(crate) fn differences(h: f64) -> [(f64, f64); 3] {
    let s = PART * h;
    [(0.0, -1.5 / s), (s, 2.0 / s), (2.0 * s, -0.5 / s)]
}

/// Returns the times and weights of the difference for the rate of v' at x''' = 0.
pub(crate) fn central_differences(h: f64) -> [(f64, f64); 2] {
    let s = PART * h;
    [(s, 0.5 / s), (-s, -0.5 / s)]
}

/// Writes the state at `time` after the start along q_0 exp(s v_0 + s²/2 v'_0), v_0 + s v'_0 to the probe, with the accelerations of the
/// index-1 system.
pub(crate) fn probe<M: Linearised>(
    system: &M,
    from: &State<M>,
    time: f64,
    work: &mut Attempt<M>,
) -> Result<(), KktError> {
    let real = M::Scalar::from_f64;
    work.probe.time = from.time + time;
    let theta = &mut work.stage.buffers.theta;
    theta.assign(&from.velocity);
    theta.scale(real(time));
    theta.axpy(real(0.5 * time * time), &from.acceleration);
    system.space().compose_exp(&from.configuration, theta, &mut work.probe.configuration);
    work.probe.velocity.assign(&from.velocity);
    work.probe.velocity.axpy(real(time), &from.acceleration);
    accelerations(system, work)
}

/// Writes x = s v_0 + s²/2 v'_0 and its rates, at `time` after the start, to the local coordinates.
pub(crate) fn place<M: Linearised>(from: &State<M>, time: f64, work: &mut Attempt<M>) {
    let real = M::Scalar::from_f64;
    let local = &mut work.stage.buffers.local;
    local.x.assign(&from.velocity);
    local.x.scale(real(time));
    local.x.axpy(real(0.5 * time * time), &from.acceleration);
    local.rate.assign(&from.velocity);
    local.rate.axpy(real(time), &from.acceleration);
    local.second.assign(&from.acceleration);
}

/// Returns the coordinates for the differences of v''_0 or x'''_0.
pub(crate) fn coordinates(method: &GeneralizedAlpha) -> &CoordinateMap {
    method.options.formulation.coordinates().unwrap_or(&CoordinateMap::RotationVector)
}

/// Writes v'(t, q, v) of the index-1 system to the probe.
pub(super) fn accelerations<M: Linearised>(system: &M, work: &mut Attempt<M>) -> Result<(), KktError> {
    let Attempt { probe, at_probe, inertia, stage, other_solves, .. } = work;
    let t = M::Scalar::from_f64(probe.time);
    let (q, v) = (&probe.configuration, &probe.velocity);
    let (acceleration, multipliers) = (&mut probe.acceleration, &mut probe.multipliers);
    let is_constrained =
        at_probe.accelerations(system, (t, q, v), inertia, &mut stage.buffers.drift, acceleration, multipliers)?;
    *other_solves += u64::from(is_constrained);
    Ok(())
}

/// Sets a_n and v_n of a step of size h.
#[inline]
pub(crate) fn prepare<M: Linearised>(
    method: &GeneralizedAlpha,
    system: &M,
    from: &State<M>,
    h: f64,
    work: &mut Attempt<M>,
) -> Result<(), KktError> {
    work.velocity.assign(&from.velocity);
    work.acceleration.assign(&from.acceleration);
    work.normal_is_known = false;
    work.excited = Mask::splat(false);
    let is_settled = is_settled(method, system);
    let Some(memory) = from.memory_of(&method.owner()) else {
        return if method.options.start == StartingValues::FirstOrder {
            Ok(())
        } else {
            first(method, system, from, h, is_settled, work)
        };
    };
    work.acceleration.axpy(M::Scalar::from_f64(h), memory.vector(0));
    if memory.is_estimated() {
        work.normal.assign(memory.vector(1));
        work.normal_is_known = true;
    }
    match change_of_residual(h, memory.step()) {
        Some(change) if is_settled => settle_anew(system, from, change, work),
        _ => Ok(()),
    }
}

/// The first step.
#[cold]
#[inline(never)]
fn first<M: Linearised>(
    method: &GeneralizedAlpha,
    system: &M,
    from: &State<M>,
    h: f64,
    is_settled: bool,
    work: &mut Attempt<M>,
) -> Result<(), KktError> {
    let real = M::Scalar::from_f64;
    let is_stiff = look(system, from, h, work)?;
    work.resolved = M::Scalar::select(work.excited | is_stiff, real(0.0), real(1.0));
    // v''_0 into `next_acceleration`.
    work.next_acceleration.fill(num_traits::Zero::zero());
    for (time, weight) in differences(h) {
        if time == 0.0 {
            work.next_acceleration.axpy(real(weight), &work.normal);
            continue;
        }
        probe(system, from, time, work)?;
        work.next_acceleration.axpy(real(weight), &work.probe.acceleration);
    }
    work.next_acceleration.scale(work.resolved);
    begin(method, system, from, h, is_settled, work)
}

/// Detects excited motions that a step of size h does not resolve, separately in each lane. Writes the lanes with damped motions to
/// `excited`, v'_0 to `normal`, and returns the lanes with stiff ones.
fn look<M: Linearised>(
    system: &M,
    from: &State<M>,
    h: f64,
    work: &mut Attempt<M>,
) -> Result<<M::Scalar as Scalar>::Mask, KktError> {
    let (real, one, s) = (M::Scalar::from_f64, M::Scalar::one(), PART * h);
    probe(system, from, 0.0, work)?;
    work.normal.assign(&work.probe.acceleration);
    let change = |work: &mut Attempt<M>| {
        accelerations(system, work)?;
        work.probe.acceleration.axpy(-one, &work.normal);
        Ok(())
    };
    if system.description().forces_depend_on_velocity {
        work.probe.velocity.axpy(real(s), &from.acceleration);
        change(work)?;
        // s d, with d compared to v'.
        work.next_acceleration.assign(&work.probe.acceleration);
        let [size, grown] = [from.acceleration.lane_norm(), work.next_acceleration.lane_norm()];
        let is_excited = size.lt(real(h / s) * grown);
        if is_excited.any() {
            // The same distance as before, along d.
            let part = M::Scalar::select(is_excited, real(s) * size / grown, real(0.0));
            work.probe.velocity.assign(&from.velocity);
            work.probe.velocity.axpy(part, &work.next_acceleration);
            change(work)?;
            let (direction, of_direction) = (&work.next_acceleration, &work.probe.acceleration);
            let lengths = (direction.dot(direction) * of_direction.dot(of_direction)).sqrt();
            work.excited = is_excited & (real(0.5) * lengths).le(-of_direction.dot(direction));
        }
    }
    let Attempt { probe, stage, .. } = &mut *work;
    let theta = &mut stage.buffers.theta;
    theta.assign_scaled(real(s), &from.velocity);
    system.space().compose_exp(&from.configuration, theta, &mut probe.configuration);
    probe.velocity.assign(&from.velocity);
    change(work)?;
    Ok(from.velocity.lane_norm().lt(real(h * h / s) * work.probe.acceleration.lane_norm()))
}

/// Computes a and v for a state of another origin, in the buffers of v' and v; v'' is in `next_acceleration`.
pub(super) fn begin<M: Linearised>(
    method: &GeneralizedAlpha,
    system: &M,
    from: &State<M>,
    h: f64,
    is_settled: bool,
    work: &mut Attempt<M>,
) -> Result<(), KktError> {
    let real = M::Scalar::from_f64;
    let parameters = &method.parameters;
    // Writes v''_0 at x''' = 0 to `reaction`; it is −½ [v, v'] for the exponential map.
    bending(system, from, coordinates(method), h, work);
    let is_local = method.options.formulation.coordinates().is_some();
    if is_local {
        work.next_acceleration.axpy(real(-1.0), &work.stage.buffers.reaction);
    }
    work.acceleration.axpy(real(parameters.shift() * h), &work.next_acceleration);
    if !is_settled {
        return Ok(());
    }

    // B l^q / h.
    let error = &mut work.next_acceleration;
    error.scale(real(parameters.defect()));
    if !is_local {
        error.axpy(real(1.0), &work.stage.buffers.reaction);
    }
    error.scale(real(h * h / 6.0));
    let t = real(from.time);
    let IterateBuffers { jacobian, residual, drift, .. } = &mut work.stage.buffers;
    system.constraint_jacobian(t, &from.configuration, jacobian);
    system.jacobian_times(jacobian, error, drift);
    // The residual of v_0, which can be inconsistent.
    system.jacobian_times(jacobian, &from.velocity, &mut residual.velocity);
    drift.axpy(real(1.0), &residual.velocity);
    system.constraint_drift(t, &from.configuration, &mut residual.velocity);
    drift.axpy(real(1.0), &residual.velocity);
    work.inertia.at(system, t, &from.configuration)?;
    shortest(system, work)?;
    work.velocity.axpy(real(-1.0), &work.stage.buffers.correction.increment);
    Ok(())
}

/// Writes the rate of v' at x = 0 along x = t v + t²/2 v', by a central difference, to `reaction`.
fn bending<M: Linearised>(system: &M, from: &State<M>, map: &CoordinateMap, h: f64, work: &mut Attempt<M>) {
    work.stage.buffers.reaction.fill(num_traits::Zero::zero());
    for (time, weight) in central_differences(h) {
        place(from, time, work);
        let Attempt { stage, probe, .. } = &mut *work;
        let IterateBuffers { reaction, local, theta, correction, .. } = &mut stage.buffers;
        let point = LocalPoint { map, x: &local.x, rate: &local.rate, second: &local.second };
        system.space().local_motion(&point, [theta, &mut probe.velocity, &mut correction.increment]);
        reaction.axpy(M::Scalar::from_f64(weight), &correction.increment);
    }
}

/// Multiplies B v_n + b by `change`.
fn settle_anew<M: Linearised>(system: &M, from: &State<M>, change: f64, work: &mut Attempt<M>) -> Result<(), KktError> {
    know_normal(system, from, work)?;
    work.velocity.axpy(M::Scalar::from_f64(change - 1.0), &work.normal);
    work.normal.scale(M::Scalar::from_f64(change));
    Ok(())
}

/// Computes the normal part of v_n if the previous step has not stored it.
pub(super) fn know_normal<M: Linearised>(system: &M, from: &State<M>, work: &mut Attempt<M>) -> Result<(), KktError> {
    if !work.normal_is_known {
        normal_velocity(system, from.time, &from.configuration, None, work)?;
        work.normal.assign(&work.stage.buffers.correction.increment);
        work.normal_is_known = true;
    }
    Ok(())
}

/// Writes the δ of least norm with B δ = B v + b in holonomic rows to `correction.increment`, for v_n by default. B and M at q are
/// available afterwards.
pub(super) fn normal_velocity<M: Linearised>(
    system: &M,
    time: f64,
    q: &M::Configuration,
    v: Option<&M::Velocity>,
    work: &mut Attempt<M>,
) -> Result<(), KktError> {
    let t = M::Scalar::from_f64(time);
    let Attempt { stage, inertia, velocity, .. } = &mut *work;
    let v = v.unwrap_or(velocity);
    let IterateBuffers { jacobian, residual, drift, .. } = &mut stage.buffers;
    system.constraint_jacobian(t, q, jacobian);
    system.jacobian_times(jacobian, v, &mut residual.velocity);
    system.constraint_drift(t, q, drift);
    drift.axpy(M::Scalar::from_f64(1.0), &residual.velocity);
    inertia.at(system, t, q)?;
    shortest(system, work)
}

/// Writes the δ of least norm to `correction.increment` for which B δ is `drift` in the holonomic rows and zero in the others. The metric
/// is M at its last evaluation.
pub(super) fn shortest<M: Linearised>(system: &M, work: &mut Attempt<M>) -> Result<(), KktError> {
    shortest_by(system, false, work)
}

/// Solves the same problem for another `drift` with the existing factors.
pub(super) fn shortest_again<M: Linearised>(system: &M, work: &mut Attempt<M>) -> Result<(), KktError> {
    shortest_by(system, true, work)
}

fn shortest_by<M: Linearised>(system: &M, is_factorised: bool, work: &mut Attempt<M>) -> Result<(), KktError> {
    work.other_solves += 1;
    let Attempt { inertia, stage, .. } = work;
    let IterateBuffers { jacobian, reaction, drift, correction, .. } = &mut stage.buffers;
    for row in system.holonomic_rows()..system.constraint_rows() {
        drift.set_component(row, num_traits::Zero::zero());
    }
    reaction.fill(num_traits::Zero::zero());
    let (increment, multipliers) = (&mut correction.increment, &mut correction.multipliers);
    if is_factorised {
        system.solve_kkt_again(inertia.factors(), jacobian, reaction, drift, increment, multipliers)
    } else {
        system.solve_kkt(inertia.factors(), jacobian, jacobian, reaction, drift, increment, multipliers)
    }
}
