//! Systems on R^N with unit masses and dense B: only forces and constraints remain to be written.

use lie_runtime::nalgebra::{SMatrix, SVector};
use lie_runtime::solve::solve_lu;
use lie_runtime::space::FixedSpace;
use lie_runtime::system::{Description, KktError, MechanicalSystem};

/// The specific functions of a system on R^N with M constraint rows.
pub trait VectorSystem<const N: usize, const M: usize> {
    fn card(&self) -> &'static Description;
    fn holonomic(&self) -> usize;
    fn masses(&self) -> SVector<f64, N> {
        SVector::repeat(1.0)
    }
    fn forces(&self, t: f64, q: &SVector<f64, N>, v: &SVector<f64, N>) -> SVector<f64, N>;
    fn residual(&self, t: f64, q: &SVector<f64, N>) -> SVector<f64, M>;
    fn gradient(&self, t: f64, q: &SVector<f64, N>) -> SMatrix<f64, M, N>;
    fn drift(&self, _t: f64, _q: &SVector<f64, N>) -> SVector<f64, M> {
        SVector::zeros()
    }
    fn curvature(&self, t: f64, q: &SVector<f64, N>, v: &SVector<f64, N>) -> SVector<f64, M>;
}

/// Makes a [`VectorSystem`] a [`MechanicalSystem`].
#[derive(Clone, Debug)]
pub struct OnVectors<T, const N: usize, const M: usize>(pub T);

impl<T: VectorSystem<N, M>, const N: usize, const M: usize> MechanicalSystem for OnVectors<T, N, M> {
    type Scalar = f64;
    type Configuration = SVector<f64, N>;
    type Velocity = SVector<f64, N>;
    type Space = FixedSpace<SVector<f64, N>, N>;
    type Multipliers = SVector<f64, M>;
    type Jacobian = SMatrix<f64, M, N>;
    type Mass = SVector<f64, N>;

    fn description(&self) -> &'static Description {
        self.0.card()
    }
    fn space(&self) -> &Self::Space {
        const { &FixedSpace::NEW }
    }
    fn constraint_rows(&self) -> usize {
        M
    }
    fn holonomic_rows(&self) -> usize {
        self.0.holonomic()
    }
    fn zero_multipliers(&self) -> SVector<f64, M> {
        SVector::zeros()
    }
    fn zero_jacobian(&self) -> SMatrix<f64, M, N> {
        SMatrix::zeros()
    }
    fn zero_mass(&self) -> SVector<f64, N> {
        SVector::zeros()
    }
    fn mass(&self, _: f64, _: &SVector<f64, N>, out: &mut SVector<f64, N>) -> Result<(), KktError> {
        let masses = self.0.masses();
        for component in 0..N {
            if masses[component].is_nan() || masses[component] <= 0.0 {
                return Err(KktError::MassNotPositiveDefinite { component });
            }
            out[component] = 1.0 / masses[component];
        }
        Ok(())
    }
    fn solve_mass(&self, mass: &mut SVector<f64, N>, force: &SVector<f64, N>, acceleration: &mut SVector<f64, N>) {
        *acceleration = force.component_mul(mass);
    }
    fn force(&self, t: f64, q: &SVector<f64, N>, v: &SVector<f64, N>, out: &mut SVector<f64, N>) {
        *out = self.0.forces(t, q, v);
    }
    fn constraint(&self, t: f64, q: &SVector<f64, N>, out: &mut SVector<f64, M>) {
        *out = self.0.residual(t, q);
    }
    fn constraint_jacobian(&self, t: f64, q: &SVector<f64, N>, out: &mut SMatrix<f64, M, N>) {
        *out = self.0.gradient(t, q);
    }
    fn constraint_drift(&self, t: f64, q: &SVector<f64, N>, out: &mut SVector<f64, M>) {
        *out = self.0.drift(t, q);
    }
    fn constraint_curvature(&self, t: f64, q: &SVector<f64, N>, v: &SVector<f64, N>, out: &mut SVector<f64, M>) {
        *out = self.0.curvature(t, q, v);
    }
    fn jacobian_times(&self, jacobian: &SMatrix<f64, M, N>, v: &SVector<f64, N>, out: &mut SVector<f64, M>) {
        *out = jacobian * v;
    }
    fn jacobian_transpose_times(
        &self,
        jacobian: &SMatrix<f64, M, N>,
        multipliers: &SVector<f64, M>,
        out: &mut SVector<f64, N>,
    ) {
        *out = jacobian.tr_mul(multipliers);
    }
    fn solve_kkt(
        &self,
        mass: &mut SVector<f64, N>,
        first: &SMatrix<f64, M, N>,
        second: &SMatrix<f64, M, N>,
        force: &SVector<f64, N>,
        constraint: &SVector<f64, M>,
        acceleration: &mut SVector<f64, N>,
        multipliers: &mut SVector<f64, M>,
    ) -> Result<(), KktError> {
        let weighted = SMatrix::<f64, N, M>::from_fn(|i, k| mass[i] * first[(k, i)]);
        let free = force.component_mul(mass);
        *multipliers = solve_lu(&(second * weighted), &(second * free - constraint))?;
        *acceleration = free - weighted * *multipliers;
        Ok(())
    }
    fn kinetic_energy(&self, _: f64, _: &SVector<f64, N>, v: &SVector<f64, N>) -> f64 {
        0.5 * self.0.masses().component_mul(v).dot(v)
    }
    fn potential_energy(&self, _: f64, _: &SVector<f64, N>) -> f64 {
        0.0
    }
}
