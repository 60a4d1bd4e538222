//! The articulated-body algorithm (ABA, Featherstone): M v' = f in O(N).
//!
//! The equations of a chain are M_x u' of every frame, pulled back to the members. A backward pass from the leaves
//! computes the articulated inertia I of frame i with all its descendants, and the bias force p at u' = 0,
//!
//! ```text
//! D = Jᵀ I J + M_i,   H = Aᵀ I J,   G = H D⁻¹,   I ← M_x + Aᵀ I A − G Hᵀ,   p ← Aᵀ p + G (f − Jᵀ p),
//! ```
//!
//! and a forward pass v' = D⁻¹ (f − Jᵀ p) − Gᵀ u', u' ← A u' + J v'. Each operation depends on the previous frame only,
//! so the latency of these operations determines the time of a long chain. The algorithm is the block elimination of a
//! definite matrix, so no pivoting is needed; D has the size of one member.
//!
//! Loops over components of frames and joints have sizes known at compile time and use indices, so that they are
//! unrolled.

#![allow(clippy::needless_range_loop)]

use core::fmt;

use super::forward_pass::set_frames;
use super::frame_elements::{CovectorKind, FrameLoads};
use super::inverse_dynamics::has_frame_loads;
use super::joint_elimination::{JointContext, JointInputs, eliminate_joint, solve_joint};
use super::joint_factorisation::{EliminatedJoint, forward_pass};
use super::joint_terms::{has_member_inertia, members_without_frames, solve_members_without_frames};
use super::loops::{LoopElimination, TreeElimination};
use super::{FrameMotion, FrameMotionOf, Frames, add, add_upper, negate, spin_regularisation};
use crate::scalar::Scalar;
use crate::system::Block;
use crate::system::KktError;
use crate::system::chain::ElementSystem;
use crate::system::chain::assembly;
use crate::system::chain::inverse_mass::invert_block;

/// The factorised mass matrix of a tree of joints with frames; lists are in the order of the forward pass.
///
/// The elimination of joints between a loop and the base is deferred, because the rows of the loop add to their
/// inertia: they are eliminated once, with the loop. M alone is eliminated there on request.
#[doc(alias = "ABA")]
#[doc(alias = "articulated-body algorithm")]
#[doc(alias = "Featherstone")]
pub struct ArticulatedMass<M: ElementSystem, F: Frames<M>> {
    pub(super) t: M::Scalar,
    pub(super) q: M::Configuration,
    /// The frames, and their motions at v' = 0 if they have been computed.
    pub(super) motions: Vec<FrameMotionOf<M, F>>,
    /// The upper triangles of the articulated inertias: at deferred joints without descendants that are deferred, and
    /// at frames with several children the sum of all children but the next frame.
    pub(super) inertias: Vec<F::Matrix>,
    pub(super) joints: Vec<EliminatedJoint<M, F>>,
    /// The bias force of each frame, and then its acceleration.
    pub(super) vectors: Vec<F::Vector>,
    /// M⁻¹ of members without frames, and the inertia of joints by themselves; empty if there is neither.
    pub(super) blocks: Vec<M::Scalar>,
    /// The elimination of constraint rows.
    pub(super) loops: Option<Box<LoopElimination<M, F>>>,
    /// True if no joint is deferred; and whether that has been so once, since the first factorisation checks M itself.
    pub(super) is_whole: [bool; 2],
}

impl<M: ElementSystem, F: Frames<M>> Clone for ArticulatedMass<M, F> {
    fn clone(&self) -> Self {
        ArticulatedMass {
            t: self.t,
            q: self.q.clone(),
            motions: self.motions.clone(),
            inertias: self.inertias.clone(),
            joints: self.joints.clone(),
            vectors: self.vectors.clone(),
            blocks: self.blocks.clone(),
            loops: if const { M::HAS_CONSTRAINTS } { self.loops.clone() } else { None },
            is_whole: self.is_whole,
        }
    }
}

impl<M: ElementSystem, F: Frames<M>> fmt::Debug for ArticulatedMass<M, F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ArticulatedMass").field("motions", &self.motions).finish_non_exhaustive()
    }
}

impl<M: ElementSystem, F: Frames<M>> ArticulatedMass<M, F> {
    /// Returns the number of loops that the last solution with constraints has eliminated at the base with pivoting.
    pub fn left_at_base(&self) -> usize {
        self.loops.as_ref().map_or(0, |loops| loops.left_at_base())
    }

    pub(super) fn zeros(system: &M) -> Self {
        let structure = system.structure();
        let length = structure.tree().links().len();
        let has_any = has_member_inertia(structure) || members_without_frames(structure).next().is_some();
        let zeros = |count: usize| vec![M::Scalar::from_f64(0.0); count];
        ArticulatedMass {
            t: M::Scalar::from_f64(0.0),
            q: system.chain_space().origin(),
            motions: vec![F::origin(system, M::Scalar::from_f64(0.0)); length],
            inertias: vec![F::Matrix::zeros(); length],
            joints: vec![EliminatedJoint::zeros(); length],
            vectors: vec![F::Vector::zeros(); length],
            blocks: zeros(if has_any { structure.blocks_length() } else { 0 }),
            loops: if const { M::HAS_CONSTRAINTS } && structure.layout().rows > 0 {
                Some(Box::new(LoopElimination::new(structure)))
            } else {
                None
            },
            is_whole: [false; 2],
        }
    }
}

/// Factorises M(q), except for deferred joints.
pub(super) fn factorise<M: ElementSystem, F: Frames<M>>(
    system: &M,
    t: M::Scalar,
    q: &M::Configuration,
    mass: &mut ArticulatedMass<M, F>,
) -> Result<(), KktError> {
    mass.set_point(system, t, q)?;
    set_frames::<M, F>(system, t, q, &mut mass.motions);
    mass.eliminate_tree(system)
}

/// Factorises M(q) and adds −g of the frames. Frames whose positions are in `kinematics` are not computed again; M
/// consumes them.
pub(super) fn factorise_and_add_force<M: ElementSystem, F: Frames<M>>(
    system: &M,
    at: (M::Scalar, &M::Configuration, &[M::Scalar]),
    kinematics: Option<&mut Vec<FrameMotionOf<M, F>>>,
    mass: &mut ArticulatedMass<M, F>,
    force: &mut [M::Scalar],
) -> Result<(), KktError> {
    let (t, q, v) = at;
    match kinematics.filter(|_| F::HAS_FRAME_ELEMENTS) {
        Some(kinematics) => {
            core::mem::swap(kinematics, &mut mass.motions);
            mass.move_frames::<true>(system, at)?;
        }
        None => mass.move_frames::<false>(system, at)?,
    }
    let origin = F::origin(system, t).frame;
    let ArticulatedMass { motions, vectors, .. } = mass;
    let links = system.structure().tree().links();
    let mut behind = F::Vector::zeros();
    for place in (0..links.len()).rev() {
        let (link, mut carried) = (&links[place], vectors[place]);
        add(&mut carried, &behind);
        let above = motions.get(link.parent).map_or(&origin, |above| &above.frame);
        let (needed, mut own) = F::pull(system, link, t, q, above, &carried);
        negate(&mut own);
        link.add(force, &own);
        behind = needed;
        if !link.is_child_of_previous(place) {
            behind = F::Vector::zeros();
            if let Some(parent) = vectors.get_mut(link.parent) {
                add(parent, &needed);
            }
        }
    }
    spin_regularisation::add_force::<M, F>(system, q, v, force);
    mass.eliminate_tree(system)
}

/// Solves M v' = f − Σ (M_x u' + g_x), with the frames' terms at v' = 0 pulled back, in the elimination of M(q): the
/// bias forces take part in the backward pass of the inertias. Without constraints.
pub(super) fn accelerate<M: ElementSystem, F: Frames<M>>(
    system: &M,
    at: (M::Scalar, &M::Configuration, &[M::Scalar]),
    mass: &mut ArticulatedMass<M, F>,
    force: &[M::Scalar],
    acceleration: &mut [M::Scalar],
) -> Result<(), KktError> {
    mass.move_frames::<false>(system, at)?;
    mass.backward_pass::<true, true>(system, None, JointInputs { v: at.2, force }, acceleration)?;
    mass.forward_pass(system, acceleration);
    Ok(())
}

impl<M: ElementSystem, F: Frames<M>> ArticulatedMass<M, F> {
    /// Sets the point and the data of M that do not depend on frames.
    fn set_point(&mut self, system: &M, t: M::Scalar, q: &M::Configuration) -> Result<(), KktError> {
        let structure = system.structure();
        if has_member_inertia(structure) {
            assembly::member_mass(system, structure, t, q, &mut self.blocks);
        }
        for other in members_without_frames(structure) {
            let n = other.dimension;
            invert_block(&mut self.blocks[other.block..other.block + n * n], n)
                .map_err(|at| KktError::MassNotPositiveDefinite { component: other.offset + at })?;
        }
        self.t = t;
        self.q.clone_from(q);
        Ok(())
    }

    /// Computes the motions of all frames at v' = 0, and the bias forces of frames and of elements over frames; with
    /// `ARE_PLACED` the positions are known.
    #[inline]
    fn move_frames<const ARE_PLACED: bool>(
        &mut self,
        system: &M,
        (t, q, v): (M::Scalar, &M::Configuration, &[M::Scalar]),
    ) -> Result<(), KktError> {
        self.set_point(system, t, q)?;
        let origin = F::origin(system, t);
        let ArticulatedMass { motions, vectors, .. } = self;
        let mut last = origin;
        for (place, link) in system.structure().tree().links().iter().enumerate() {
            let known = || motions.get(link.parent).unwrap_or(&origin);
            let above = if link.is_child_of_previous(place) { &last } else { known() };
            let moved = F::motion(system, link, t, q, above, &link.of(v), &F::Member::zeros());
            last = if ARE_PLACED { FrameMotion { frame: motions[place].frame, ..moved } } else { moved };
            motions[place] = last;
            let mut needed = F::Vector::zeros();
            F::add_residual(system, link, t, &last, &mut needed);
            vectors[place] = needed;
        }
        if has_frame_loads::<M, F>(system, false) {
            // The elements add forces.
            vectors.iter_mut().for_each(negate);
            let (covector, multipliers) = (CovectorKind::Force, &[][..]);
            F::visit_frame_elements(
                system,
                &mut FrameLoads { system, t, motions, covector, multipliers, out: &mut *vectors },
            );
            vectors.iter_mut().for_each(negate);
        }
        Ok(())
    }

    /// Eliminates the joints that are not deferred, and the first time all joints.
    fn eliminate_tree(&mut self, system: &M) -> Result<(), KktError> {
        if const { !M::HAS_CONSTRAINTS } {
            return self.eliminate(system, None);
        }
        let mut loops = self.loops.take();
        let mut outcome = self.eliminate(system, loops.as_deref());
        if let Some(loops) = loops.as_deref_mut().filter(|_| outcome.is_ok() && !self.is_whole[1]) {
            outcome = self.complete(system, loops);
        }
        self.loops = loops;
        self.is_whole[1] |= outcome.is_ok();
        outcome
    }

    /// Eliminates the joints that `loops` do not defer.
    pub(super) fn eliminate(&mut self, system: &M, loops: Option<&LoopElimination<M, F>>) -> Result<(), KktError> {
        self.backward_pass::<true, false>(system, loops, JointInputs { v: &[], force: &[] }, &mut [])
    }

    /// The backward pass: it `ELIMINATES` the joints that are not deferred, and `SOLVES` for a force and the bias
    /// forces, except for the terms with the accelerations of frames.
    #[inline]
    fn backward_pass<const ELIMINATES: bool, const SOLVES: bool>(
        &mut self,
        system: &M,
        loops: Option<&LoopElimination<M, F>>,
        given: JointInputs<'_, M::Scalar>,
        acceleration: &mut [M::Scalar],
    ) -> Result<(), KktError> {
        let structure = system.structure();
        let links = structure.tree().links();
        if SOLVES {
            solve_members_without_frames(structure, &self.blocks, given.force, acceleration);
        }
        let ArticulatedMass { t, q, motions, inertias, joints, vectors, blocks, is_whole, .. } = self;
        // Slices of equal length remove bounds checks. The vectors are empty if nothing is solved.
        let (motions, joints) = (&motions[..links.len()], &mut joints[..links.len()]);
        let vectors = &mut vectors[..if SOLVES { links.len() } else { 0 }];
        let (own, origin) = (JointContext { system, q, blocks }, F::origin(system, *t).frame);
        if ELIMINATES {
            is_whole[0] = true;
            let several = links.iter().zip(&mut *inertias).filter(|(link, _)| link.has_other_children);
            several.for_each(|(_, inertia)| *inertia = F::Matrix::zeros());
        }
        // For joints of several components the solution follows one joint after the elimination, because the
        // elimination waits for divisions and the solution does not.
        let is_behind = SOLVES && F::MEMBER > 2;
        let (mut inertia_behind, mut needed_behind) = (F::Matrix::zeros(), F::Vector::zeros());
        for place in (0..links.len()).rev() {
            let link = &links[place];
            if !ELIMINATES {
                let (joint, behind) = ((place, link, &joints[place]), (needed_behind, &mut *vectors));
                needed_behind = solve_joint::<M, F, false>(system, joint, q, given, behind, acceleration);
                continue;
            }
            let mut inertia = core::mem::replace(&mut inertia_behind, F::Matrix::zeros());
            F::add_inertia(system, link, *t, &motions[place].frame, &mut inertia);
            if link.has_other_children {
                add_upper(&mut inertia, &inertias[place], F::FRAME);
            }
            if const { M::HAS_CONSTRAINTS } && loops.is_some_and(|loops| loops.is_deferred(place)) {
                inertias[place] = inertia;
                is_whole[0] = false;
                continue;
            }
            let at = (*t, motions.get(link.parent).map_or(&origin, |above| &above.frame));
            let joint = eliminate_joint::<M, F>(&own, (place, link), at, &mut inertia, || {
                if is_behind && place + 1 < links.len() {
                    let (place, link) = (place + 1, &links[place + 1]);
                    let (joint, behind) = ((place, link, &joints[place]), (needed_behind, &mut *vectors));
                    needed_behind = solve_joint::<M, F, true>(system, joint, q, given, behind, acceleration);
                }
            })?;
            joints[place] = joint;
            if SOLVES && !(is_behind && place > 0) {
                let (joint, behind) = ((place, link, &joint), (needed_behind, &mut *vectors));
                needed_behind = solve_joint::<M, F, true>(system, joint, q, given, behind, acceleration);
            }
            if link.is_child_of_previous(place) {
                inertia_behind = inertia;
            } else if let Some(parent) = inertias.get_mut(link.parent) {
                add_upper(parent, &inertia, F::FRAME);
            }
        }
        Ok(())
    }

    /// The forward pass: replaces s by v' = s − Gᵀ u', and computes u' of all frames.
    #[inline]
    fn forward_pass(&mut self, system: &M, acceleration: &mut [M::Scalar]) {
        let ArticulatedMass { joints, vectors, .. } = self;
        let mut last = F::Vector::zeros();
        for (place, (link, joint)) in system.structure().tree().links().iter().zip(&*joints).enumerate() {
            let known = || vectors.get(link.parent).copied().unwrap_or_else(F::Vector::zeros);
            let u = if link.is_child_of_previous(place) { last } else { known() };
            let mut own = link.of::<M::Scalar, F::Member>(acceleration);
            if link.is_free() {
                forward_pass::<M, F>(&joint.gains, &u, &mut own, F::size(link)[0]);
                link.set(acceleration, &F::from_tangent_basis(link, &self.q, &joint.jacobian, &own));
            }
            last = F::push_along(system, link, &joint.jacobian, &u, &own);
            vectors[place] = last;
        }
    }

    /// Eliminates the deferred joints as well, as if there were no loops.
    pub(super) fn complete(&mut self, system: &M, loops: &mut LoopElimination<M, F>) -> Result<(), KktError> {
        if self.is_whole[0] {
            return Ok(());
        }
        let links = system.structure().tree().links();
        loops.reset_augmented(&self.inertias);
        let ArticulatedMass { t, q, motions, joints, blocks, is_whole, .. } = self;
        let (own, origin) = (JointContext { system, q, blocks }, F::origin(system, *t).frame);
        loops.eliminate_deferred(|inertia, place| {
            let (link, mut inertia) = (&links[place], *inertia);
            let at = (*t, motions.get(link.parent).map_or(&origin, |above| &above.frame));
            joints[place] = eliminate_joint::<M, F>(&own, (place, link), at, &mut inertia, || ())?;
            Ok((link.parent, inertia))
        })?;
        is_whole[0] = true;
        Ok(())
    }

    /// Returns the data from which loops are eliminated.
    pub(super) fn tree<'a>(&'a mut self, system: &'a M) -> TreeElimination<'a, M, F> {
        let ArticulatedMass { t, q, motions, inertias, joints, blocks, .. } = self;
        TreeElimination { system, structure: system.structure(), t: *t, q, motions, inertias, joints, blocks }
    }
}

/// Solves M v' = f.
pub(super) fn solve<M: ElementSystem, F: Frames<M>>(
    system: &M,
    mass: &mut ArticulatedMass<M, F>,
    force: &[M::Scalar],
    acceleration: &mut [M::Scalar],
) {
    if const { M::HAS_CONSTRAINTS }
        && let Some(mut loops) = mass.loops.take()
    {
        let outcome = mass.complete(system, &mut loops);
        mass.loops = Some(loops);
        if outcome.is_err() {
            return acceleration.fill(M::Scalar::from_f64(f64::NAN));
        }
    }
    mass.vectors.fill(F::Vector::zeros());
    // The solution cannot fail.
    let outcome = mass.backward_pass::<false, true>(system, None, JointInputs { v: &[], force }, acceleration);
    debug_assert!(outcome.is_ok());
    mass.forward_pass(system, acceleration);
}
