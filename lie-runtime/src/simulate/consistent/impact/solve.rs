//! Solution of an impact: a linear system if it satisfies all laws, and otherwise the complementarity problem of all rows.

use num_traits::One;

use super::super::values::ConsistentValues;
use super::contacts::Contacts;
use super::error::ImpactError;
use super::law::{Collision, Law, MET, RESTING, ROUND_OFF, Struck};
use super::rows::CollisionRows;
use crate::group::TangentVector;
use crate::scalar::Scalar;
use crate::system::MechanicalSystem;

/// Changes v according to the laws of all struck rows. Returns the impulses Λ of the rows of each struck constraint of each impact. The
/// rates follow from v and from the system and configuration of each impact.
///
/// # Errors
/// [`ImpactError`], except for [`NotNamed`](ImpactError::NotNamed), see [`ensure_named`].
pub(in crate::simulate) fn collide<M: MechanicalSystem>(
    collisions: &[Collision<'_, M>],
    t: M::Scalar,
    v: &mut M::Velocity,
) -> Result<Vec<Vec<Vec<M::Scalar>>>, ImpactError> {
    for collision in collisions {
        ensure_acting(collision, t, v)?;
    }
    let before = v.clone();
    let is_linear = |collision: &Collision<'_, M>| !collision.struck.iter().any(Struck::is_friction);
    let linear = match collisions {
        [only] if is_linear(only) => rebound(only, t, v)?,
        _ => None,
    };
    let impulses = match linear {
        Some(impulses) => vec![impulses],
        None => {
            v.clone_from(&before);
            Contacts::of(collisions, t, v)?.solve(v)?
        }
    };
    check(collisions, &impulses, t, [&before, v])?;
    Ok(impulses)
}

/// Checks that every struck constraint is active: at least one row has a gradient that is not zero.
///
/// # Errors
/// [`ImpactError::NotActing`].
fn ensure_acting<M: MechanicalSystem>(
    collision: &Collision<'_, M>,
    t: M::Scalar,
    v: &M::Velocity,
) -> Result<(), ImpactError> {
    let mut rows = CollisionRows::of(collision, t, v);
    let is_idle = |one: &&Struck<M::Scalar>| one.rows.clone().all(|row| rows.row(row).max_norm() == 0.0);
    match collision.struck.iter().find(is_idle) {
        Some(one) => Err(ImpactError::NotActing { constraint: one.constraint }),
        None => Ok(()),
    }
}

/// Checks that every active constraint is struck in an impact or satisfied by the velocity v before them.
///
/// # Errors
/// [`ImpactError::NotNamed`].
pub(in crate::simulate) fn ensure_named<M: MechanicalSystem>(
    collisions: &[Collision<'_, M>],
    t: M::Scalar,
    v: &M::Velocity,
) -> Result<(), ImpactError> {
    for collision in collisions {
        let mut rows = CollisionRows::of(collision, t, v);
        for row in 0..rows.rates.component_count() {
            if !collisions.iter().any(|one| one.strikes(row)) && !rows.is_satisfied(row, v) {
                let rate = rows.rate(row);
                return Err(ImpactError::NotNamed { row: collision.system.description().row(row), rate });
            }
        }
    }
    Ok(())
}

/// Solves an impact without friction by one system with the generated M and B. Returns `None` if a row that can only push would pull.
fn rebound<M: MechanicalSystem>(
    collision: &Collision<'_, M>,
    t: M::Scalar,
    v: &mut M::Velocity,
) -> Result<Option<Vec<Vec<M::Scalar>>>, ImpactError> {
    let Collision { system, configuration, struck } = *collision;
    let rates = CollisionRows::of(collision, t, v).rates;
    let mut changes = system.zero_multipliers();
    for one in struck {
        let Law::Restitution { coefficient, .. } = one.law else { return Ok(None) };
        for row in one.rows.clone() {
            changes.set_component(row, rates.component(row) * (M::Scalar::one() + coefficient));
        }
    }
    let mut values = ConsistentValues::of(system);
    let (jump, impulses) = values.jump(system, t, configuration, &changes).map_err(ImpactError::Failed)?;
    let powers = |one: &Struck<M::Scalar>| {
        one.rows.clone().map(|row| impulses.component(row).value() * rates.component(row).value()).sum::<f64>()
    };
    let most = struck.iter().map(|one| powers(one).abs()).fold(0.0, f64::max);
    if struck.iter().any(|one| one.only_pushes() && powers(one) < -ROUND_OFF * most) {
        return Ok(None);
    }
    v.axpy(M::Scalar::one(), jump);
    Ok(Some(struck.iter().map(|one| one.rows.clone().map(|row| impulses.component(row)).collect()).collect()))
}

/// Checks the laws and the energy for the velocities before and after.
fn check<M: MechanicalSystem>(
    collisions: &[Collision<'_, M>],
    impulses: &[Vec<Vec<M::Scalar>>],
    t: M::Scalar,
    [before, after]: [&M::Velocity; 2],
) -> Result<(), ImpactError> {
    let (mut lost, mut exchanged, mut round_off) = (0.0, 0.0, 0.0);
    let mut worst: Option<(f64, ImpactError)> = None;
    for (collision, impulses) in collisions.iter().zip(impulses) {
        let [mut rows, rows_after] = [before, after].map(|v| CollisionRows::of(collision, t, v));
        let largest = collision.struck.iter().flat_map(|one| one.rows.clone());
        let largest = largest.map(|row| rows.rate(row).abs()).fold(0.0, f64::max);
        for (one, impulses) in collision.struck.iter().zip(impulses) {
            for (row, impulse) in one.rows.clone().zip(impulses) {
                let (rate, rate_after, impulse) = (rows.rate(row), rows_after.rate(row), impulse.value());
                let gain = -0.5 * impulse * (rate + rate_after);
                lost -= gain;
                exchanged += 0.5 * impulse.abs() * (rate.abs() + rate_after.abs());
                if gain > 0.0 {
                    round_off += RESTING * impulse.abs() * rows.terms(row, before);
                }
                let Law::Restitution { coefficient, .. } = one.law else { continue };
                let required = -coefficient.value() * rate;
                // A row that can only push may separate faster.
                let separates = one.only_pushes() && (rate_after - required) * rate < 0.0;
                let deviation = (rate_after - required).abs();
                let is_met = separates || deviation <= MET * largest || deviation <= RESTING * rows.terms(row, before);
                if !is_met && worst.as_ref().is_none_or(|(worst, _)| deviation > *worst) {
                    let row = collision.system.description().row(row);
                    worst = Some((deviation, ImpactError::NotMet { row, required, rate: rate_after }));
                }
            }
        }
    }
    if let Some((_, error)) = worst {
        return Err(error);
    }
    if lost < -MET * exchanged - round_off { Err(ImpactError::EnergyGain { gained: -lost, exchanged }) } else { Ok(()) }
}
