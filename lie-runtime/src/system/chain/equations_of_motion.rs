//! The equations of motion of a system of elements: sums over elements, and the contributions of frames.

use nalgebra::DVector;

use super::assembly::{
    AddForce, AddMomentum, EvaluationPoint, SetConstraint, SetCurvature, SetDrift, SetJacobian, SumEnergies, Which,
    add_transpose_times, times,
};
use super::redundant_kkt::{self, KktFactorisation};
use super::{Dynamics, ElementAssembly, ElementSystem};
use crate::scalar::Scalar;
use crate::space::{ChainSpace, ConfigurationSpace};
use crate::system::mechanical_system::end_velocity_right_hand_side;
use crate::system::{Assembled, Assembly, KktError, MechanicalSystem};

/// Returns true if a configuration belongs to this system and all vectors have the expected lengths.
#[inline]
fn belongs<M: ElementSystem, const N: usize>(
    system: &M,
    q: &<M as Assembled>::Configuration,
    lengths: [[usize; 2]; N],
) -> bool {
    system.chain_space().check(q).is_ok() && lengths.iter().all(|[given, wanted]| given == wanted)
}

/// Sets the result for a state of another system: NaN.
#[cold]
fn fill_with_nan<S: Scalar>(out: &mut [S]) {
    out.fill(S::from_f64(f64::NAN));
}

/// The mass matrix of a system.
type MassOf<M> = KktFactorisation<<<M as ElementSystem>::Dynamics as Dynamics<M>>::Mass, <M as Assembled>::Scalar>;

/// B of a system: the entries of all elements in order.
#[derive(Debug)]
pub struct ChainJacobian<S, K> {
    /// The structural nonzeros.
    pub entries: Vec<S>,
    /// The motions of the frames at the configuration of B.
    pub(super) kinematics: K,
}

impl<S: Clone, K: Clone> Clone for ChainJacobian<S, K> {
    fn clone(&self) -> Self {
        ChainJacobian { entries: self.entries.clone(), kinematics: self.kinematics.clone() }
    }
    /// Allocates nothing.
    fn clone_from(&mut self, source: &Self) {
        self.entries.clone_from(&source.entries);
        self.kinematics.clone_from(&source.kinematics);
    }
}

/// The Jacobian of a system.
pub(super) type JacobianOf<M> =
    ChainJacobian<<M as Assembled>::Scalar, <<M as ElementSystem>::Dynamics as Dynamics<M>>::Kinematics>;

impl<M: ElementSystem> Assembly<M> for ElementAssembly {
    type Velocity = DVector<M::Scalar>;
    type Space = ChainSpace<M::Configuration>;
    type Multipliers = DVector<M::Scalar>;
    type Jacobian = JacobianOf<M>;
    type Mass = MassOf<M>;

    #[inline]
    fn space(system: &M) -> &Self::Space {
        system.chain_space()
    }
    #[inline]
    fn dof(system: &M) -> usize {
        system.structure().layout().dof
    }
    #[inline]
    fn constraint_rows(system: &M) -> usize {
        system.structure().layout().rows
    }
    #[inline]
    fn holonomic_rows(system: &M) -> usize {
        system.structure().layout().holonomic_rows
    }
    fn zero_multipliers(system: &M) -> DVector<M::Scalar> {
        DVector::from_element(system.structure().layout().rows, M::Scalar::from_f64(0.0))
    }
    fn zero_jacobian(system: &M) -> JacobianOf<M> {
        let entries = vec![M::Scalar::from_f64(0.0); system.structure().jacobian_length()];
        ChainJacobian { entries, kinematics: M::Dynamics::zero_kinematics(system) }
    }
    fn zero_mass(system: &M) -> MassOf<M> {
        KktFactorisation::of(system, M::Dynamics::zero_mass(system))
    }

    fn mass(system: &M, t: M::Scalar, q: &M::Configuration, out: &mut MassOf<M>) -> Result<(), KktError> {
        if !belongs(system, q, []) {
            return Err(KktError::NotFinite);
        }
        M::Dynamics::factorise(system, t, q, &mut out.mass)
    }
    fn solve_mass(system: &M, mass: &mut MassOf<M>, force: &DVector<M::Scalar>, acceleration: &mut DVector<M::Scalar>) {
        M::Dynamics::solve_mass(system, &mut mass.mass, force.as_slice(), acceleration.as_mut_slice());
    }
    fn accelerate(
        system: &M,
        t: M::Scalar,
        q: &M::Configuration,
        v: &DVector<M::Scalar>,
        mass: &mut MassOf<M>,
        force: &mut DVector<M::Scalar>,
        acceleration: &mut DVector<M::Scalar>,
    ) -> Result<(), KktError> {
        let dof = system.dof();
        if !belongs(system, q, [[v.len(), dof], [force.len(), dof], [acceleration.len(), dof]]) {
            return Err(KktError::NotFinite);
        }
        let (at, here, force) = ((t, q, v.as_slice()), system.in_state(t, q, v), cleared(force));
        let here = add_element_force(here.as_ref().unwrap_or(system), Which::All, at, force);
        M::Dynamics::accelerate(here, at, &mut mass.mass, force, acceleration.as_mut_slice())
    }
    fn mass_and_force(
        system: &M,
        t: M::Scalar,
        q: &M::Configuration,
        v: &DVector<M::Scalar>,
        jacobian: &mut JacobianOf<M>,
        mass: &mut MassOf<M>,
        force: &mut DVector<M::Scalar>,
        curvature: Option<&mut DVector<M::Scalar>>,
    ) -> Result<(), KktError> {
        let (dof, rows) = (system.dof(), system.constraint_rows());
        let length = curvature.as_ref().map_or(rows, |curvature| curvature.len());
        if !belongs(system, q, [[v.len(), dof], [force.len(), dof], [length, rows]]) {
            return Err(KktError::NotFinite);
        }
        let (at, here, force) = ((t, q, v.as_slice()), system.in_state(t, q, v), force.as_mut_slice());
        let curvature = curvature.map(|out| {
            let out = out.as_mut_slice();
            system.visit(&mut SetCurvature {
                point: EvaluationPoint { system, t, q },
                v: v.as_slice(),
                out: &mut *out,
            });
            out
        });
        let here = add_element_force(here.as_ref().unwrap_or(system), Which::WithoutJacobian, at, force);
        M::Dynamics::factorise_and_add_force(here, at, &mut jacobian.kinematics, &mut mass.mass, force, curvature)
    }
    #[inline]
    fn force(system: &M, t: M::Scalar, q: &M::Configuration, v: &DVector<M::Scalar>, out: &mut DVector<M::Scalar>) {
        let dof = system.dof();
        if !belongs(system, q, [[v.len(), dof], [out.len(), dof]]) {
            return fill_with_nan(out.as_mut_slice());
        }
        add_force(system, Which::All, (t, q, v), cleared(out));
    }
    #[inline]
    fn complete_force(
        system: &M,
        t: M::Scalar,
        q: &M::Configuration,
        v: &DVector<M::Scalar>,
        out: &mut DVector<M::Scalar>,
    ) {
        let dof = system.dof();
        if !belongs(system, q, [[v.len(), dof], [out.len(), dof]]) {
            return fill_with_nan(out.as_mut_slice());
        }
        add_force(system, Which::WithoutJacobian, (t, q, v), out.as_mut_slice());
    }
    #[inline]
    fn constraint(system: &M, t: M::Scalar, q: &M::Configuration, out: &mut DVector<M::Scalar>) {
        if !belongs(system, q, [[out.len(), system.constraint_rows()]]) {
            return fill_with_nan(out.as_mut_slice());
        }
        system.visit(&mut SetConstraint { point: EvaluationPoint { system, t, q }, out: out.as_mut_slice() });
        M::Dynamics::set_constraint(system, t, q, out.as_mut_slice());
    }
    #[inline]
    fn constraint_jacobian(system: &M, t: M::Scalar, q: &M::Configuration, out: &mut JacobianOf<M>) {
        let ChainJacobian { entries, kinematics } = out;
        if !belongs(system, q, [[entries.len(), system.structure().jacobian_length()]]) {
            return fill_with_nan(entries);
        }
        system.visit(&mut SetJacobian { point: EvaluationPoint { system, t, q }, out: &mut *entries, force: None });
        M::Dynamics::set_jacobian(system, t, q, kinematics, entries);
    }
    #[inline]
    fn jacobian_and_force(
        system: &M,
        t: M::Scalar,
        q: &M::Configuration,
        out: &mut JacobianOf<M>,
        force: Option<&mut DVector<M::Scalar>>,
    ) {
        let Some(force) = force else { return system.constraint_jacobian(t, q, out) };
        let ChainJacobian { entries, kinematics } = out;
        if !belongs(system, q, [[entries.len(), system.structure().jacobian_length()], [force.len(), system.dof()]]) {
            fill_with_nan(force.as_mut_slice());
            return fill_with_nan(entries);
        }
        system.visit(&mut SetJacobian {
            point: EvaluationPoint { system, t, q },
            out: &mut *entries,
            force: Some(cleared(force)),
        });
        M::Dynamics::set_jacobian(system, t, q, kinematics, entries);
    }
    #[inline]
    fn constraint_drift(system: &M, t: M::Scalar, q: &M::Configuration, out: &mut DVector<M::Scalar>) {
        if !belongs(system, q, [[out.len(), system.constraint_rows()]]) {
            return fill_with_nan(out.as_mut_slice());
        }
        system.visit(&mut SetDrift { point: EvaluationPoint { system, t, q }, out: out.as_mut_slice() });
        M::Dynamics::set_drift(system, t, q, out.as_mut_slice());
    }
    #[inline]
    fn constraint_curvature(
        system: &M,
        t: M::Scalar,
        q: &M::Configuration,
        v: &DVector<M::Scalar>,
        out: &mut DVector<M::Scalar>,
    ) {
        if !belongs(system, q, [[v.len(), system.dof()], [out.len(), system.constraint_rows()]]) {
            return fill_with_nan(out.as_mut_slice());
        }
        system.visit(&mut SetCurvature {
            point: EvaluationPoint { system, t, q },
            v: v.as_slice(),
            out: out.as_mut_slice(),
        });
        M::Dynamics::set_curvature(system, t, q, v.as_slice(), out.as_mut_slice());
    }
    #[inline]
    fn jacobian_times(system: &M, jacobian: &JacobianOf<M>, v: &DVector<M::Scalar>, out: &mut DVector<M::Scalar>) {
        let (length, dof, rows) = (system.structure().jacobian_length(), system.dof(), system.constraint_rows());
        if [jacobian.entries.len(), v.len(), out.len()] != [length, dof, rows] {
            return fill_with_nan(out.as_mut_slice());
        }
        times(system, &jacobian.entries, v.as_slice(), out.as_mut_slice());
    }
    #[inline]
    fn jacobian_transpose_times(
        system: &M,
        jacobian: &JacobianOf<M>,
        multipliers: &DVector<M::Scalar>,
        out: &mut DVector<M::Scalar>,
    ) {
        let (length, dof, rows) = (system.structure().jacobian_length(), system.dof(), system.constraint_rows());
        if [jacobian.entries.len(), multipliers.len(), out.len()] != [length, rows, dof] {
            return fill_with_nan(out.as_mut_slice());
        }
        add_transpose_times(system, &jacobian.entries, multipliers.as_slice(), M::Scalar::from_f64(1.0), cleared(out));
    }
    #[inline]
    fn solve_kkt(
        system: &M,
        mass: &mut MassOf<M>,
        force_jacobian: &JacobianOf<M>,
        constraint_jacobian: &JacobianOf<M>,
        force: &DVector<M::Scalar>,
        constraint: &DVector<M::Scalar>,
        acceleration: &mut DVector<M::Scalar>,
        multipliers: &mut DVector<M::Scalar>,
    ) -> Result<(), KktError> {
        if const { !M::HAS_CONSTRAINTS } {
            Self::solve_mass(system, mass, force, acceleration);
            return Ok(());
        }
        redundant_kkt::solve_kkt(
            system,
            mass,
            &force_jacobian.entries,
            &constraint_jacobian.entries,
            force.as_slice(),
            constraint.as_slice(),
            acceleration.as_mut_slice(),
            multipliers.as_mut_slice(),
        )
    }
    #[inline]
    fn solve_kkt_end_velocity(
        system: &M,
        mass: &mut MassOf<M>,
        force_jacobian: &JacobianOf<M>,
        constraint_jacobian: &JacobianOf<M>,
        force: &DVector<M::Scalar>,
        ahead: (&DVector<M::Scalar>, f64),
        drift: &mut DVector<M::Scalar>,
        acceleration: &mut DVector<M::Scalar>,
        multipliers: &mut DVector<M::Scalar>,
    ) -> Result<(), KktError> {
        if const { !M::HAS_CONSTRAINTS } {
            Self::solve_mass(system, mass, force, acceleration);
            return Ok(());
        }
        let jacobians = [&*force_jacobian.entries, &*constraint_jacobian.entries];
        let is_solved = redundant_kkt::solve_block_tridiagonal(
            system,
            mass,
            jacobians,
            force.as_slice(),
            (ahead.0.as_slice(), ahead.1),
            drift.as_slice(),
            acceleration.as_mut_slice(),
            multipliers.as_mut_slice(),
        );
        if is_solved {
            return Ok(());
        }
        end_velocity_right_hand_side(system, constraint_jacobian, ahead, drift, multipliers);
        Self::solve_kkt(system, mass, force_jacobian, constraint_jacobian, force, drift, acceleration, multipliers)
    }
    fn solve_kkt_again(
        system: &M,
        mass: &mut MassOf<M>,
        jacobian: &JacobianOf<M>,
        zero: &DVector<M::Scalar>,
        constraint: &DVector<M::Scalar>,
        acceleration: &mut DVector<M::Scalar>,
        multipliers: &mut DVector<M::Scalar>,
    ) -> Result<(), KktError> {
        if const { !M::HAS_CONSTRAINTS } {
            Self::solve_mass(system, mass, zero, acceleration);
            return Ok(());
        }
        redundant_kkt::solve_kkt_again(
            system,
            mass,
            &jacobian.entries,
            zero.as_slice(),
            constraint.as_slice(),
            acceleration.as_mut_slice(),
            multipliers.as_mut_slice(),
        )
    }

    fn kinetic_energy(system: &M, t: M::Scalar, q: &M::Configuration, v: &DVector<M::Scalar>) -> M::Scalar {
        if !belongs(system, q, [[v.len(), system.dof()]]) {
            return M::Scalar::from_f64(f64::NAN);
        }
        let point = EvaluationPoint { system, t, q };
        let mut energies = SumEnergies { point, v: Some(v.as_slice()), sum: M::Scalar::from_f64(0.0) };
        system.visit(&mut energies);
        energies.sum + M::Dynamics::kinetic_energy(system, t, q, v.as_slice())
    }
    fn potential_energy(system: &M, t: M::Scalar, q: &M::Configuration) -> M::Scalar {
        if !belongs(system, q, []) {
            return M::Scalar::from_f64(f64::NAN);
        }
        let point = EvaluationPoint { system, t, q };
        let mut energies = SumEnergies { point, v: None, sum: M::Scalar::from_f64(0.0) };
        system.visit(&mut energies);
        energies.sum + M::Dynamics::potential_energy(system, t, q)
    }
    fn momentum(system: &M, t: M::Scalar, q: &M::Configuration, v: &DVector<M::Scalar>, out: &mut DVector<M::Scalar>) {
        out.fill(M::Scalar::from_f64(0.0));
        let point = EvaluationPoint { system, t, q };
        system.visit(&mut AddMomentum { point, v: v.as_slice(), out: out.as_mut_slice() });
        M::Dynamics::add_momentum(system, t, q, v.as_slice(), out.as_mut_slice());
    }
}

/// Adds −g of all kinds of elements, or of the kinds whose force is not computed together with B.
#[inline]
fn add_force<M: ElementSystem>(
    system: &M,
    which: Which,
    (t, q, v): (M::Scalar, &<M as Assembled>::Configuration, &DVector<M::Scalar>),
    out: &mut [M::Scalar],
) {
    let (at, here) = ((t, q, v.as_slice()), system.in_state(t, q, v));
    let here = add_element_force(here.as_ref().unwrap_or(system), which, at, out);
    M::Dynamics::add_force(here, t, q, v.as_slice(), out);
}

/// Adds −g of the elements of a system with the inputs at a state, and returns that system.
#[inline]
fn add_element_force<'a, M: ElementSystem>(
    here: &'a M,
    which: Which,
    (t, q, v): (M::Scalar, &<M as Assembled>::Configuration, &[M::Scalar]),
    out: &mut [M::Scalar],
) -> &'a M {
    here.visit(&mut AddForce { point: EvaluationPoint { system: here, t, q }, which, v, out });
    here
}

/// Returns the components, set to zero.
#[inline]
pub(super) fn cleared<S: Scalar>(vector: &mut DVector<S>) -> &mut [S] {
    let components = vector.as_mut_slice();
    components.fill(S::zero());
    components
}
