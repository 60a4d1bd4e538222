//! Reaction forces at clamped members.

use super::assembly::{EvaluationPoint, gather, gather_rows};
use super::layout::CLAMPED;
use super::{ElementSystem, ElementVisitor};
use crate::scalar::Scalar;
use crate::space::ConfigurationSpace;
use crate::system::{Assembled, Block, Evaluation, KktError, MassFactorisation, MechanicalSystem, Term};

/// The reaction force at a clamped member.
#[derive(Clone, Debug, PartialEq)]
pub struct Reaction<S> {
    /// The field of the configuration.
    pub member: &'static str,
    /// The number of the member in the field.
    pub index: usize,
    /// The generalised force on the member, conjugate to its velocity: for a pose the moment and the force in
    /// body-fixed components, for `S2` the moment in spatial components.
    pub force: Vec<S>,
}

/// Returns the reaction forces that hold the clamped members, at (t, q, v).
///
/// They are the rows of r = M v' + g + Bᵀ λ of the clamped members, with v' and λ of the index-1 system.
///
/// # Errors
/// [`KktError`] if v' and λ are not unique.
#[doc(alias = "reaction force")]
#[doc(alias = "support force")]
pub fn reactions<M: ElementSystem>(
    system: &M,
    t: M::Scalar,
    q: &<M as Assembled>::Configuration,
    v: &<M as MechanicalSystem>::Velocity,
) -> Result<Vec<Reaction<M::Scalar>>, KktError> {
    if system.chain_space().check(q).is_err() || v.len() != system.dof() {
        return Err(KktError::NotFinite);
    }
    let (mut inertia, mut here) = (MassFactorisation::of(system), Evaluation::of(system));
    let mut acceleration = system.zero_velocity();
    let [mut curvature, mut multipliers] = [system.zero_multipliers(), system.zero_multipliers()];
    here.accelerations(system, (t, q, v), &mut inertia, &mut curvature, &mut acceleration, &mut multipliers)?;
    let mut reactions = Vec::new();
    for span in &system.structure().layout().spans {
        let held = (0..span.length).filter(|index| !span.free().contains(index));
        reactions.extend(held.map(|index| Reaction {
            member: span.name,
            index,
            force: vec![M::Scalar::from_f64(0.0); span.dimension],
        }));
    }
    system.visit(&mut ClampReactions {
        point: EvaluationPoint { system, t, q },
        v: v.as_slice(),
        acceleration: acceleration.as_slice(),
        multipliers: multipliers.as_slice(),
        reactions: &mut reactions,
    });
    let finite = reactions.iter().all(|reaction| M::Scalar::all_finite(reaction.force.iter().copied()));
    if finite { Ok(reactions) } else { Err(KktError::NotFinite) }
}

/// Adds r in the rows of clamped members.
struct ClampReactions<'a, M: ElementSystem> {
    point: EvaluationPoint<'a, M>,
    v: &'a [M::Scalar],
    acceleration: &'a [M::Scalar],
    multipliers: &'a [M::Scalar],
    reactions: &'a mut [Reaction<M::Scalar>],
}

impl<M: ElementSystem> ElementVisitor<M> for ClampReactions<'_, M> {
    fn element<E: Term<M>>(&mut self) {
        let EvaluationPoint { system, t, q } = self.point;
        let layout = system.structure().layout();
        let (mut v, mut acceleration, mut local) = (E::Vector::zeros(), E::Vector::zeros(), E::Vector::zeros());
        let mut multipliers = E::Rows::zeros();
        for place in self.point.places::<E>().filter(|place| place.offsets.contains(&CLAMPED)) {
            gather::<M, E>(&place, self.v, v.as_mut_slice());
            gather::<M, E>(&place, self.acceleration, acceleration.as_mut_slice());
            gather_rows::<M, E>(&place, self.multipliers, multipliers.as_mut_slice());
            E::residual(system, &place, t, q, &v, &acceleration, &multipliers, &mut local);
            let (mut rest, fields) = (local.as_slice(), &layout.kinds[E::KIND].fields);
            for ((&size, &field), (&index, &offset)) in
                E::SLOTS.iter().zip(fields).zip(place.members.iter().zip(place.offsets))
            {
                let (own, after) = rest.split_at(size);
                rest = after;
                let member = layout.spans[field].name;
                let reaction = (offset == CLAMPED)
                    .then(|| self.reactions.iter_mut().find(|held| held.member == member && held.index == index));
                for (sum, &term) in reaction.flatten().into_iter().flat_map(|held| held.force.iter_mut().zip(own)) {
                    *sum += term;
                }
            }
        }
    }
}
