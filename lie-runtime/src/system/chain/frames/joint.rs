//! One joint of an elimination inwards: what it is made of, what is left of it, and a force on its way past it.

use super::articulated::ArticulatedMass;
use super::factor::{Joint, eliminate, factor, inwards};
use super::own::add_own;
use super::{Frames, add, axial};
use crate::system::Block;
use crate::system::SaddleError;
use crate::system::chain::ElementSystem;

/// What joints are given on the way inwards.
#[derive(Clone, Copy)]
pub(super) struct Given<'a, S> {
    pub v: &'a [S],
    pub force: &'a [S],
}

impl<M: ElementSystem, F: Frames<M>> ArticulatedMass<M, F> {
    /// Aᵀ I A, Aᵀ I J and Jᵀ I J of a joint, and what is kept of [A J].
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn transported(
        &self,
        system: &M,
        place: usize,
        inertia: &F::Matrix,
    ) -> (F::Matrix, F::Mixed, F::MemberMatrix, F::Jacobian) {
        let link = &system.structure().tree().links()[place];
        let origin;
        let above = match self.motions.get(link.parent) {
            Some(above) => &above.frame,
            None => {
                origin = F::origin(system, self.t).frame;
                &origin
            }
        };
        F::transport(system, link, self.t, &self.q, above, inertia)
    }

    /// L and Δ⁻¹ of D in the place of Jᵀ I J.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn factor_joint(
        &self,
        system: &M,
        place: usize,
        jacobian: &F::Jacobian,
        block: &mut F::MemberMatrix,
    ) -> Result<(), SaddleError> {
        let structure = system.structure();
        let link = &structure.tree().links()[place];
        let Some(range) = link.components() else { return Ok(()) };
        add_own::<M, F>(structure, &self.q, place, &self.blocks, jacobian, block);
        factor::<M, F>(block, F::size(link))
            .map_err(|at| SaddleError::MassNotPositiveDefinite { component: range.start + at })
    }

    /// Eliminates the joint: leaves in `moved` what is left for the frame before it, the upper triangle. The joint is at hand by that: what has
    /// just been stored in pieces of one size cannot be read at once in pieces of another.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn eliminate_joint(
        &mut self,
        system: &M,
        place: usize,
        moved: &mut F::Matrix,
        mixed: &F::Mixed,
        factors: F::MemberMatrix,
        jacobian: F::Jacobian,
    ) -> Joint<M, F> {
        let mut joint = Joint { jacobian, ..Joint::zeros() };
        let link = &system.structure().tree().links()[place];
        if link.components().is_some() {
            joint.gains = eliminate::<M, F>(moved, mixed, &factors, F::size(link)[0]);
            joint.factors = factors;
        }
        self.joints[place] = joint;
        joint
    }
}

/// Takes a force and what frames need past one joint: what comes from the one behind it, and what goes on to the one before it.
#[cfg_attr(not(debug_assertions), inline(always))]
pub(super) fn solve_joint<M: ElementSystem, F: Frames<M>, const MOVES: bool>(
    system: &M,
    (place, joint): (usize, &Joint<M, F>),
    q: &M::Configuration,
    given: Given<'_, M::Scalar>,
    (behind, vectors): (F::Vector, &mut [F::Vector]),
    acceleration: &mut [M::Scalar],
) -> F::Vector {
    let structure = system.structure();
    let link = &structure.tree().links()[place];
    let mut carried = vectors[place];
    add(&mut carried, &behind);
    let (mut needed, own) = F::pull_along(system, link, &joint.jacobian, &carried);
    if link.components().is_some() {
        let mut force: F::Member = link.of(given.force);
        if MOVES {
            axial::add_force_at::<M, F>(structure, q, place, &link.of(given.v), &mut force);
        }
        let mut rest = F::in_columns(link, q, &joint.jacobian, &force);
        rest.as_mut_slice().iter_mut().zip(own.as_slice()).for_each(|(rest, &own)| *rest -= own);
        let solved = inwards::<M, F>(&joint.factors, &joint.gains, &rest, &mut needed, F::size(link));
        link.set(acceleration, &solved);
    }
    if link.follows(place) {
        return needed;
    }
    if let Some(parent) = vectors.get_mut(link.parent) {
        add(parent, &needed);
    }
    F::Vector::zeros()
}
