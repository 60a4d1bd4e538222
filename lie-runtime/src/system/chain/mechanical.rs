//! Every system of elements is a mechanical system.

use nalgebra::DVector;

use super::assembly::{
    Constraint, Curvature, Drift, Energies, Force, Jacobian, Point, Which, add_transpose_times, times,
};
use super::redundant::{self, SaddleMass};
use super::{Dynamics, ElementSystem};
use crate::inputs::InputError;
use crate::scalar::Scalar;
use crate::space::{ChainSpace, ConfigurationSpace};
use crate::system::{DeclarationError, Description, MechanicalSystem, Redundancy, SaddleError};

/// True if a configuration and these vectors, each with its wanted length, are of this system.
#[inline]
fn belongs<M: ElementSystem, const N: usize>(
    system: &M,
    q: &<M as ElementSystem>::Configuration,
    lengths: [[usize; 2]; N],
) -> bool {
    system.chain_space().check(q).is_ok() && lengths.iter().all(|[given, wanted]| given == wanted)
}

/// What is computed from a state of another system: no number.
#[cold]
fn foreign<S: Scalar>(out: &mut [S]) {
    out.fill(S::from_f64(f64::NAN));
}

/// The mass matrix of a system.
type MassOf<M> = SaddleMass<<<M as ElementSystem>::Dynamics as Dynamics<M>>::Mass, <M as ElementSystem>::Scalar>;

impl<M: ElementSystem> MechanicalSystem for M {
    type Scalar = <M as ElementSystem>::Scalar;
    type Configuration = <M as ElementSystem>::Configuration;
    type Velocity = DVector<Self::Scalar>;
    type Space = ChainSpace<Self::Configuration>;
    type Multipliers = DVector<Self::Scalar>;
    type Jacobian = Vec<Self::Scalar>;
    type Mass = MassOf<M>;

    fn description(&self) -> &Description {
        ElementSystem::description(self)
    }
    #[inline]
    fn space(&self) -> &Self::Space {
        self.chain_space()
    }
    #[inline]
    fn dof(&self) -> usize {
        self.structure().layout().dof
    }
    #[inline]
    fn constraint_rows(&self) -> usize {
        self.structure().layout().rows
    }
    #[inline]
    fn holonomic_rows(&self) -> usize {
        self.structure().layout().holonomic_rows
    }
    #[inline]
    fn redundancy(&self) -> Redundancy {
        M::REDUNDANCY
    }

    fn zero_multipliers(&self) -> DVector<Self::Scalar> {
        DVector::from_element(self.structure().layout().rows, Self::Scalar::from_f64(0.0))
    }
    fn zero_jacobian(&self) -> Vec<Self::Scalar> {
        vec![Self::Scalar::from_f64(0.0); self.structure().jacobian_length()]
    }
    fn zero_mass(&self) -> MassOf<M> {
        SaddleMass::of(self, M::Dynamics::zero_mass(self))
    }

    fn check_against_declaration(
        &self,
        t: Self::Scalar,
        q: &Self::Configuration,
        v: &DVector<Self::Scalar>,
    ) -> Result<(), DeclarationError> {
        self.check_declaration(t, q, v)
    }
    fn powers(
        &self,
        t: Self::Scalar,
        q: &Self::Configuration,
        v: &DVector<Self::Scalar>,
        visit: &mut dyn FnMut(&'static str, f64),
    ) -> bool {
        self.powers_of_terms(t, q, v, visit)
    }
    fn symmetry(&self, number: usize, t: Self::Scalar, q: &Self::Configuration) -> Option<DVector<Self::Scalar>> {
        self.symmetry_of_all(number, t, q)
    }

    fn ensure_inputs(&self, start: f64, end: f64) -> Result<(), InputError> {
        ElementSystem::ensure_inputs(self, start, end)
    }
    fn ensure_finite_inputs(
        &self,
        t: Self::Scalar,
        q: &Self::Configuration,
        v: &DVector<Self::Scalar>,
    ) -> Result<(), InputError> {
        ElementSystem::ensure_finite_inputs(self, t, q, v)
    }

    fn mass(&self, t: Self::Scalar, q: &Self::Configuration, out: &mut MassOf<M>) -> Result<(), SaddleError> {
        if !belongs(self, q, []) {
            return Err(SaddleError::NotFinite);
        }
        M::Dynamics::factorise(self, t, q, &mut out.mass)
    }
    fn solve_mass(
        &self,
        mass: &mut MassOf<M>,
        force: &DVector<Self::Scalar>,
        acceleration: &mut DVector<Self::Scalar>,
    ) {
        M::Dynamics::solve_mass(self, &mut mass.mass, force.as_slice(), acceleration.as_mut_slice());
    }
    #[inline]
    fn force(
        &self,
        t: Self::Scalar,
        q: &Self::Configuration,
        v: &DVector<Self::Scalar>,
        out: &mut DVector<Self::Scalar>,
    ) {
        let dof = self.dof();
        if !belongs(self, q, [[v.len(), dof], [out.len(), dof]]) {
            return foreign(out.as_mut_slice());
        }
        add_force(self, Which::All, (t, q, v), cleared(out));
    }
    #[inline]
    fn complete_force(
        &self,
        t: Self::Scalar,
        q: &Self::Configuration,
        v: &DVector<Self::Scalar>,
        out: &mut DVector<Self::Scalar>,
    ) {
        let dof = self.dof();
        if !belongs(self, q, [[v.len(), dof], [out.len(), dof]]) {
            return foreign(out.as_mut_slice());
        }
        add_force(self, Which::WithoutJacobian, (t, q, v), out.as_mut_slice());
    }
    #[inline]
    fn constraint(&self, t: Self::Scalar, q: &Self::Configuration, out: &mut DVector<Self::Scalar>) {
        if !belongs(self, q, [[out.len(), self.constraint_rows()]]) {
            return foreign(out.as_mut_slice());
        }
        self.visit(&mut Constraint { point: Point { system: self, t, q }, out: out.as_mut_slice() });
        M::Dynamics::set_constraint(self, t, q, out.as_mut_slice());
    }
    #[inline]
    fn constraint_jacobian(&self, t: Self::Scalar, q: &Self::Configuration, out: &mut Vec<Self::Scalar>) {
        if !belongs(self, q, [[out.len(), self.structure().jacobian_length()]]) {
            return foreign(out.as_mut_slice());
        }
        self.visit(&mut Jacobian { point: Point { system: self, t, q }, out, force: None });
        M::Dynamics::set_jacobian(self, t, q, out);
    }
    #[inline]
    fn jacobian_and_force(
        &self,
        t: Self::Scalar,
        q: &Self::Configuration,
        out: &mut Vec<Self::Scalar>,
        force: Option<&mut DVector<Self::Scalar>>,
    ) {
        let Some(force) = force else { return self.constraint_jacobian(t, q, out) };
        if !belongs(self, q, [[out.len(), self.structure().jacobian_length()], [force.len(), self.dof()]]) {
            foreign(force.as_mut_slice());
            return foreign(out);
        }
        self.visit(&mut Jacobian { point: Point { system: self, t, q }, out, force: Some(cleared(force)) });
        M::Dynamics::set_jacobian(self, t, q, out);
    }
    #[inline]
    fn constraint_drift(&self, t: Self::Scalar, q: &Self::Configuration, out: &mut DVector<Self::Scalar>) {
        if !belongs(self, q, [[out.len(), self.constraint_rows()]]) {
            return foreign(out.as_mut_slice());
        }
        self.visit(&mut Drift { point: Point { system: self, t, q }, out: out.as_mut_slice() });
        M::Dynamics::set_drift(self, t, q, out.as_mut_slice());
    }
    #[inline]
    fn constraint_curvature(
        &self,
        t: Self::Scalar,
        q: &Self::Configuration,
        v: &DVector<Self::Scalar>,
        out: &mut DVector<Self::Scalar>,
    ) {
        if !belongs(self, q, [[v.len(), self.dof()], [out.len(), self.constraint_rows()]]) {
            return foreign(out.as_mut_slice());
        }
        self.visit(&mut Curvature { point: Point { system: self, t, q }, v: v.as_slice(), out: out.as_mut_slice() });
        M::Dynamics::set_curvature(self, t, q, v.as_slice(), out.as_mut_slice());
    }
    #[inline]
    fn jacobian_times(&self, jacobian: &Vec<Self::Scalar>, v: &DVector<Self::Scalar>, out: &mut DVector<Self::Scalar>) {
        let (length, dof, rows) = (self.structure().jacobian_length(), self.dof(), self.constraint_rows());
        if [jacobian.len(), v.len(), out.len()] != [length, dof, rows] {
            return foreign(out.as_mut_slice());
        }
        times(self, jacobian, v.as_slice(), out.as_mut_slice());
    }
    #[inline]
    fn jacobian_transpose_times(
        &self,
        jacobian: &Vec<Self::Scalar>,
        multipliers: &DVector<Self::Scalar>,
        out: &mut DVector<Self::Scalar>,
    ) {
        let (length, dof, rows) = (self.structure().jacobian_length(), self.dof(), self.constraint_rows());
        if [jacobian.len(), multipliers.len(), out.len()] != [length, rows, dof] {
            return foreign(out.as_mut_slice());
        }
        add_transpose_times(self, jacobian, multipliers.as_slice(), Self::Scalar::from_f64(1.0), cleared(out));
    }
    #[inline]
    fn solve_saddle(
        &self,
        mass: &mut MassOf<M>,
        force_jacobian: &Vec<Self::Scalar>,
        constraint_jacobian: &Vec<Self::Scalar>,
        force: &DVector<Self::Scalar>,
        constraint: &DVector<Self::Scalar>,
        acceleration: &mut DVector<Self::Scalar>,
        multipliers: &mut DVector<Self::Scalar>,
    ) -> Result<(), SaddleError> {
        redundant::solve_saddle(
            self,
            mass,
            force_jacobian,
            constraint_jacobian,
            force.as_slice(),
            constraint.as_slice(),
            acceleration.as_mut_slice(),
            multipliers.as_mut_slice(),
        )
    }

    fn kinetic_energy(&self, t: Self::Scalar, q: &Self::Configuration, v: &DVector<Self::Scalar>) -> Self::Scalar {
        if !belongs(self, q, [[v.len(), self.dof()]]) {
            return Self::Scalar::from_f64(f64::NAN);
        }
        let point = Point { system: self, t, q };
        let mut energies = Energies { point, v: Some(v.as_slice()), sum: Self::Scalar::from_f64(0.0) };
        self.visit(&mut energies);
        energies.sum + M::Dynamics::kinetic_energy(self, t, q, v.as_slice())
    }
    fn potential_energy(&self, t: Self::Scalar, q: &Self::Configuration) -> Self::Scalar {
        if !belongs(self, q, []) {
            return Self::Scalar::from_f64(f64::NAN);
        }
        let point = Point { system: self, t, q };
        let mut energies = Energies { point, v: None, sum: Self::Scalar::from_f64(0.0) };
        self.visit(&mut energies);
        energies.sum + M::Dynamics::potential_energy(self, t, q)
    }
}

/// Adds −g, of elements of all kinds or of those where it does not come with B.
#[inline]
fn add_force<M: ElementSystem>(
    system: &M,
    which: Which,
    (t, q, v): (M::Scalar, &<M as ElementSystem>::Configuration, &DVector<M::Scalar>),
    out: &mut [M::Scalar],
) {
    let here = system.in_state(t, q, v);
    let here = here.as_ref().unwrap_or(system);
    system.visit(&mut Force { point: Point { system: here, t, q }, which, v: v.as_slice(), out });
    M::Dynamics::add_force(here, t, q, v.as_slice(), out);
}

/// The components, set to zero.
#[inline]
pub(super) fn cleared<S: Scalar>(vector: &mut DVector<S>) -> &mut [S] {
    let components = vector.as_mut_slice();
    components.fill(S::zero());
    components
}
