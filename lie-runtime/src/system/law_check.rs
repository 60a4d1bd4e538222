//! The one-sided laws of a system with unilateral contacts and dry friction, and their check in a state.

use num_traits::One;

use super::MechanicalSystem;
use super::one_sided_law::{LawViolation, OneSidedLaw};
use super::unilateral_contact::{DryFriction, UnilateralContact, UnilateralContacts, row_of};
use crate::group::TangentVector;
use crate::scalar::Scalar;

/// Returns the contacts and the acting frictions of joints.
#[doc(hidden)]
pub fn one_sided_laws<M: UnilateralContacts>(system: &M) -> Vec<OneSidedLaw> {
    let parameters = system.parameters();
    let contacts = system.contacts().iter();
    let acts = |friction: &&DryFriction<M::Parameters, M::Scalar>| {
        friction.normal.is_none() && (friction.acts)(parameters, friction.number)
    };
    let frictions = system.frictions().iter().filter(acts).map(|friction| OneSidedLaw::Friction(friction.name));
    let named = |contact: &UnilateralContact<M::Parameters, M::Scalar>| OneSidedLaw::Contact {
        name: contact.name,
        is_active: (contact.is_active)(parameters, contact.number),
    };
    contacts.map(named).chain(frictions).collect()
}

/// The tolerance of gaps in units of a displacement of 1, and of sliding velocities in units of the velocity.
const TOUCHING: f64 = 1e-9;

/// Returns the first law that a state violates. Forces up to `round_off` count as zero.
#[doc(hidden)]
pub fn law_violation<M: UnilateralContacts>(
    system: &M,
    t: M::Scalar,
    q: &M::Configuration,
    v: &M::Velocity,
    multipliers: &M::Multipliers,
    round_off: f64,
) -> Option<LawViolation> {
    let parameters = system.parameters();
    let reaction = |row: usize| multipliers.component(row).value();
    let negligible = |row: usize| round_off / gradient_of(system, row, t, q).max_norm();
    let of_contact = |contact: &UnilateralContact<M::Parameters, M::Scalar>| {
        let (name, row) = (contact.name, row_of(system, contact.constraint)?);
        if (contact.is_active)(parameters, contact.number) {
            let (reaction, remedy) = (-reaction(row), contact.values[0]);
            let hold = contact.hold.map_or(0.0, |hold| hold(parameters, contact.number).value());
            let pulls = reaction + hold < -negligible(row);
            return pulls.then_some(LawViolation::Adhesion { contact: name, reaction, remedy });
        }
        let mut active = parameters.clone();
        (contact.set_active)(&mut active, contact.number, true);
        let active = system.with_parameters(active).ok()?;
        let mut gaps = active.zero_multipliers();
        active.constraint(t, q, &mut gaps);
        let (gap, remedy) = (gaps.component(row).value(), contact.values[1]);
        let touches = gap >= -TOUCHING * gradient_of(&active, row, t, q).max_norm();
        (!touches).then_some(LawViolation::Penetration { contact: name, gap, remedy })
    };
    let of_friction = |friction: &DryFriction<M::Parameters, M::Scalar>| {
        let (name, flag, row) = (friction.name, friction.flag, row_of(system, friction.tangent)?);
        let slip = (friction.slip)(parameters, friction.number);
        if slip == 0 {
            let normal = friction.normal.and_then(|normal| row_of(system, normal));
            let bound = (friction.coefficient)(parameters, friction.number).value()
                * normal.map_or(1.0, |normal| -reaction(normal));
            let reaction = reaction(row);
            let slips = reaction.abs() > bound + negligible(row);
            return slips.then_some(LawViolation::Slip { friction: name, reaction, bound, flag });
        }
        let mut sticking = parameters.clone();
        (friction.set_slip)(&mut sticking, friction.number, 0);
        let sticking = system.with_parameters(sticking).ok()?;
        let mut drift = sticking.zero_multipliers();
        sticking.constraint_drift(t, q, &mut drift);
        let gradient = gradient_of(&sticking, row, t, q);
        let speed = f64::from(slip.signum()) * (gradient.dot(v) + drift.component(row)).value();
        let slides = speed >= -TOUCHING * (gradient.max_norm() * v.max_norm() + drift.max_norm());
        (!slides).then_some(LawViolation::SlidingDirection { friction: name, speed, flag })
    };
    let mut acting = system.frictions().iter().filter(|friction| (friction.acts)(parameters, friction.number));
    system.contacts().iter().find_map(of_contact).or_else(|| acting.find_map(of_friction))
}

/// Returns the gradient of a constraint row.
fn gradient_of<M: MechanicalSystem>(system: &M, row: usize, t: M::Scalar, q: &M::Configuration) -> M::Velocity {
    let (mut jacobian, mut unit) = (system.zero_jacobian(), system.zero_multipliers());
    let mut gradient = system.zero_velocity();
    system.constraint_jacobian(t, q, &mut jacobian);
    unit.set_component(row, M::Scalar::one());
    system.jacobian_transpose_times(&jacobian, &unit, &mut gradient);
    gradient
}
