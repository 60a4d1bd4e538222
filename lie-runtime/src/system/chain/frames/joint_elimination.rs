//! One joint in the backward pass of the articulated-body algorithm: its elimination, and the solution for a force.

use super::joint_factorisation::{EliminatedJoint, backward_pass, eliminate, factor};
use super::joint_terms::add_joint_inertia;
use super::{Frames, add, spin_regularisation};
use crate::system::Block;
use crate::system::KktError;
use crate::system::chain::{ElementSystem, Link};

/// The inputs of the joints in the backward pass.
#[derive(Clone, Copy)]
pub(super) struct JointInputs<'a, S> {
    pub v: &'a [S],
    pub force: &'a [S],
}

/// The inertia of joints by themselves and of members without frames, and the configuration.
pub(super) struct JointContext<'a, M: ElementSystem> {
    pub system: &'a M,
    pub q: &'a M::Configuration,
    pub blocks: &'a [M::Scalar],
}

/// Eliminates a joint from the articulated inertia of its frame.
///
/// `meanwhile` runs between the factorisation of D, whose divisions have a high latency, and the use of its factors: it
/// solves for the previous joint. The upper triangle of the parent's contribution remains in `inertia`. The joint is
/// returned by value, because a store in pieces of one size followed by a load in pieces of another size stalls.
#[cfg_attr(not(debug_assertions), inline(always))]
pub(super) fn eliminate_joint<M: ElementSystem, F: Frames<M>>(
    &JointContext { system, q, blocks }: &JointContext<'_, M>,
    (place, link): (usize, &Link),
    (t, above): (M::Scalar, &F::Frame),
    inertia: &mut F::Matrix,
    meanwhile: impl FnOnce(),
) -> Result<EliminatedJoint<M, F>, KktError> {
    let (mut moved, mixed, mut factors, jacobian) = F::transport(system, link, t, q, above, inertia);
    if let Some(range) = link.components() {
        add_joint_inertia::<M, F>(system.structure(), q, (place, link), blocks, &jacobian, &mut factors);
        factor::<M, F>(&mut factors, F::size(link))
            .map_err(|at| KktError::MassNotPositiveDefinite { component: range.start + at })?;
    }
    meanwhile();
    let mut joint = EliminatedJoint { jacobian, ..EliminatedJoint::zeros() };
    if link.is_free() {
        joint.gains = eliminate::<M, F>(&mut moved, &mixed, &factors, F::size(link)[0]);
        joint.factors = factors;
    }
    *inertia = moved;
    Ok(joint)
}

/// Solves for a force and the bias force at one joint; the argument comes from the previous joint, the result goes to
/// the parent.
#[cfg_attr(not(debug_assertions), inline(always))]
pub(super) fn solve_joint<M: ElementSystem, F: Frames<M>, const MOVES: bool>(
    system: &M,
    (place, link, joint): (usize, &Link, &EliminatedJoint<M, F>),
    q: &M::Configuration,
    given: JointInputs<'_, M::Scalar>,
    (behind, vectors): (F::Vector, &mut [F::Vector]),
    acceleration: &mut [M::Scalar],
) -> F::Vector {
    let mut carried = vectors[place];
    add(&mut carried, &behind);
    let (mut needed, own) = F::pull_along(system, link, &joint.jacobian, &carried);
    if link.is_free() {
        let mut force: F::Member = link.of(given.force);
        if MOVES {
            spin_regularisation::add_force_at::<M, F>(
                system.structure(),
                q,
                (place, link),
                &link.of(given.v),
                &mut force,
            );
        }
        let mut rest = F::to_tangent_basis(link, q, &joint.jacobian, &force);
        rest.as_mut_slice().iter_mut().zip(own.as_slice()).for_each(|(rest, &own)| *rest -= own);
        let solved = backward_pass::<M, F>(&joint.factors, &joint.gains, &rest, &mut needed, F::size(link));
        link.set(acceleration, &solved);
    }
    if link.is_child_of_previous(place) {
        return needed;
    }
    if let Some(parent) = vectors.get_mut(link.parent) {
        add(parent, &needed);
    }
    F::Vector::zeros()
}
