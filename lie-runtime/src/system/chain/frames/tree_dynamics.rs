//! [`TreeDynamics`]: the dynamics of a system with frames.

use core::marker::PhantomData;

use super::articulated_body::{self, ArticulatedMass};
use super::frame_elements::CovectorKind;
use super::inverse_dynamics;
use super::linearised::FrameLinearisation;
use super::{
    FrameMotionOf, Frames, forward_pass, frame_element_jacobian, frame_elements, joint_terms, loop_kkt,
    spin_regularisation,
};
use crate::system::KktError;
use crate::system::chain::element_shape::ElementShape;
use crate::system::chain::{Dynamics, ElementSystem, Structure};

/// The dynamics of frames `F` along a tree of joints.
#[derive(Clone, Copy, Debug)]
#[doc(alias = "RNEA")]
#[doc(alias = "CRBA")]
#[doc(alias = "ABA")]
pub struct TreeDynamics<F>(PhantomData<F>);

impl<M: ElementSystem, F: Frames<M>> Dynamics<M> for TreeDynamics<F> {
    type Mass = ArticulatedMass<M, F>;
    type Kinematics = Vec<FrameMotionOf<M, F>>;
    type Linearisation = FrameLinearisation<M, F>;

    const HAS_FRAMES: bool = true;

    fn zero_mass(system: &M) -> Self::Mass {
        ArticulatedMass::zeros(system)
    }
    fn zero_kinematics(system: &M) -> Self::Kinematics {
        frame_elements::kinematics::<M, F>(system)
    }
    fn spin_inertia(system: &M, structure: &Structure<M::Scalar>) -> Vec<M::Scalar> {
        joint_terms::spin_inertia::<M, F>(system, structure)
    }
    fn factorise(system: &M, t: M::Scalar, q: &M::Configuration, mass: &mut Self::Mass) -> Result<(), KktError> {
        articulated_body::factorise(system, t, q, mass)
    }
    fn solve_mass(system: &M, mass: &mut Self::Mass, force: &[M::Scalar], acceleration: &mut [M::Scalar]) {
        articulated_body::solve(system, mass, force, acceleration);
    }
    fn factorise_and_add_force(
        system: &M,
        at: (M::Scalar, &M::Configuration, &[M::Scalar]),
        kinematics: &mut Self::Kinematics,
        mass: &mut Self::Mass,
        force: &mut [M::Scalar],
        curvature: Option<&mut [M::Scalar]>,
    ) -> Result<(), KktError> {
        articulated_body::factorise_and_add_force(system, at, Some(kinematics), mass, force)?;
        if let Some(curvature) = curvature {
            frame_elements::curvature_of::<M, F>(system, at.0, &mass.motions, curvature);
        }
        Ok(())
    }
    fn accelerate(
        system: &M,
        at: (M::Scalar, &M::Configuration, &[M::Scalar]),
        mass: &mut Self::Mass,
        force: &mut [M::Scalar],
        acceleration: &mut [M::Scalar],
    ) -> Result<(), KktError> {
        if system.structure().layout().rows == 0 {
            return articulated_body::accelerate(system, at, mass, force, acceleration);
        }
        // Deferred joints are eliminated together with their loops.
        articulated_body::factorise_and_add_force(system, at, None, mass, force)?;
        articulated_body::solve(system, mass, force, acceleration);
        Ok(())
    }
    fn solve_kkt(
        system: &M,
        mass: &mut Self::Mass,
        epsilon: Option<f64>,
        force_jacobian: &[M::Scalar],
        constraint_jacobian: &[M::Scalar],
        force: &[M::Scalar],
        constraint: &[M::Scalar],
        acceleration: &mut [M::Scalar],
        multipliers: &mut [M::Scalar],
    ) -> Result<(), KktError> {
        let jacobians = [force_jacobian, constraint_jacobian];
        loop_kkt::solve_kkt(system, mass, epsilon, jacobians, force, constraint, acceleration, multipliers)
    }
    fn solve_kkt_again(
        system: &M,
        mass: &mut Self::Mass,
        _: &[M::Scalar],
        _: Option<&[M::Scalar]>,
        constraint: &[M::Scalar],
        acceleration: &mut [M::Scalar],
        multipliers: &mut [M::Scalar],
    ) {
        loop_kkt::solve_kkt_again(system, mass, constraint, acceleration, multipliers);
    }
    fn add_force(system: &M, t: M::Scalar, q: &M::Configuration, v: &[M::Scalar], out: &mut [M::Scalar]) {
        inverse_dynamics::pull_back::<M, F>(system, t, q, v, CovectorKind::Force, &[], out);
        spin_regularisation::add_force::<M, F>(system, q, v, out);
    }
    fn add_residual(
        system: &M,
        t: M::Scalar,
        q: &M::Configuration,
        v: &[M::Scalar],
        acceleration: &[M::Scalar],
        multipliers: &[M::Scalar],
        out: &mut [M::Scalar],
    ) {
        inverse_dynamics::pull_back::<M, F>(system, t, q, v, CovectorKind::Residual(acceleration), multipliers, out);
        spin_regularisation::add_residual::<M, F>(system, q, v, acceleration, out);
    }
    fn zero_linearisation(system: &M) -> FrameLinearisation<M, F> {
        FrameLinearisation::zeros(system)
    }
    fn linearise(
        system: &M,
        t: M::Scalar,
        q: &M::Configuration,
        v: &[M::Scalar],
        acceleration: &[M::Scalar],
        multipliers: &[M::Scalar],
        out: &mut FrameLinearisation<M, F>,
    ) {
        out.evaluate(system, t, q, v, acceleration, multipliers);
    }
    fn add_momentum(system: &M, t: M::Scalar, q: &M::Configuration, v: &[M::Scalar], out: &mut [M::Scalar]) {
        inverse_dynamics::pull_momenta::<M, F>(system, t, q, v, out);
        spin_regularisation::add_momentum::<M, F>(system, q, v, out);
    }
    fn kinetic_energy(system: &M, t: M::Scalar, q: &M::Configuration, v: &[M::Scalar]) -> M::Scalar {
        forward_pass::kinetic_energy::<M, F>(system, t, q, v) + spin_regularisation::energy::<M, F>(system, q, v)
    }
    fn potential_energy(system: &M, t: M::Scalar, q: &M::Configuration) -> M::Scalar {
        forward_pass::potential_energy::<M, F>(system, t, q) + frame_elements::potential_energy::<M, F>(system, t, q)
    }
    fn set_constraint(system: &M, t: M::Scalar, q: &M::Configuration, out: &mut [M::Scalar]) {
        frame_elements::constraint::<M, F>(system, t, q, out);
    }
    fn set_jacobian(
        system: &M,
        t: M::Scalar,
        q: &M::Configuration,
        kinematics: &mut Self::Kinematics,
        out: &mut [M::Scalar],
    ) {
        frame_element_jacobian::jacobian::<M, F>(system, t, q, kinematics, out);
    }
    fn set_drift(system: &M, t: M::Scalar, q: &M::Configuration, out: &mut [M::Scalar]) {
        frame_elements::drift::<M, F>(system, t, q, out);
    }
    fn set_curvature(system: &M, t: M::Scalar, q: &M::Configuration, v: &[M::Scalar], out: &mut [M::Scalar]) {
        frame_elements::curvature::<M, F>(system, t, q, v, out);
    }
    fn add_shapes(system: &M, shapes: &mut Vec<ElementShape>) {
        F::visit_frame_elements(system, &mut frame_elements::FrameShapeCollector(shapes));
    }
}
