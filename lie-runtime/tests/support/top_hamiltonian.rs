//! The heavy top of paper 3, section 3.4.1, in spatial momenta (eqs. 21, 22), and as a Cartesian equation.

use lie_runtime::field::{HamiltonianSystem, LiftedHamiltonian, VectorField};
use lie_runtime::integrator::StepFailure;
use lie_runtime::nalgebra::{Matrix3, SVector, Vector3};
use lie_runtime::prelude::SO3;
use lie_runtime::scalar::{Dual, Scalar};

/// H = ½ π · Q I⁻¹ Qᵀ π + U · Q X with U = M l Γ₀.
#[derive(Clone, Copy, Debug)]
pub struct TopHamiltonian<S: Scalar = f64> {
    pub moments: Vector3<S>,
    pub weight: Vector3<S>,
    pub axis: Vector3<S>,
}

impl TopHamiltonian {
    /// The data of paper 3, section 3.4.4: l = 2, M = 15, Γ₀ = (0, 0, −9.81).
    pub fn of_the_paper() -> Self {
        TopHamiltonian {
            moments: Vector3::new(0.234_375, 0.468_75, 0.234_375),
            weight: Vector3::new(0.0, 0.0, -9.81 * 15.0 * 2.0),
            axis: Vector3::y(),
        }
    }

    /// A slow top, for orders at large steps.
    pub fn slow() -> Self {
        TopHamiltonian {
            moments: Vector3::new(1.0, 2.0, 3.0),
            weight: Vector3::new(0.5, -1.0, 4.0),
            axis: Vector3::new(0.0, 0.6, 0.8),
        }
    }

    pub fn slow_start() -> (SO3, Vector3<f64>) {
        (SO3::exp(&Vector3::new(0.4, -0.3, 0.2)), Vector3::new(1.0, -2.0, 2.5))
    }
}

fn cross<S: Scalar>(a: &Vector3<S>, b: &Vector3<S>) -> Vector3<S> {
    Vector3::new(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x)
}

impl<S: Scalar> TopHamiltonian<S> {
    fn omega(&self, q: &SO3<S>, mu: &Vector3<S>) -> Vector3<S> {
        let body = q.inverse().rotate(mu);
        let m = &self.moments;
        q.rotate(&Vector3::new(body.x / m.x, body.y / m.y, body.z / m.z))
    }
}

impl<S: Scalar> HamiltonianSystem for TopHamiltonian<S> {
    type Scalar = S;
    type Point = SO3<S>;

    fn zero(&self) -> Vector3<S> {
        Vector3::from_element(S::zero())
    }
    fn hamiltonian(&self, q: &SO3<S>, mu: &Vector3<S>) -> S {
        S::from_f64(0.5) * mu.dot(&self.omega(q, mu)) + self.weight.dot(&q.rotate(&self.axis))
    }
    fn velocity(&self, q: &SO3<S>, mu: &Vector3<S>, out: &mut Vector3<S>) {
        *out = self.omega(q, mu);
    }
    fn force(&self, q: &SO3<S>, mu: &Vector3<S>, out: &mut Vector3<S>) {
        *out = cross(mu, &self.omega(q, mu)) + cross(&self.weight, &q.rotate(&self.axis));
    }
    fn derivatives(
        &self,
        q: &SO3<S>,
        mu: &Vector3<S>,
        velocity: &mut Vector3<S>,
        force: &mut Vector3<S>,
    ) -> Result<(), StepFailure> {
        let omega = self.omega(q, mu);
        *force = cross(mu, &omega) + cross(&self.weight, &q.rotate(&self.axis));
        *velocity = omega;
        Ok(())
    }
}

impl LiftedHamiltonian for TopHamiltonian {
    type Lifted = TopHamiltonian<Dual<f64>>;

    fn lift(&self) -> Self::Lifted {
        let lift = |vector: Vector3<f64>| vector.map(Dual::lift);
        TopHamiltonian { moments: lift(self.moments), weight: lift(self.weight), axis: lift(self.axis) }
    }
    fn lift_configuration(&self, q: &SO3) -> SO3<Dual<f64>> {
        SO3::from_matrix_unchecked(q.matrix().map(Dual::lift))
    }
}

/// The same top with the nine entries of Q and π in R¹²: the group is addition.
pub struct CartesianTop(pub TopHamiltonian);

impl CartesianTop {
    pub fn point(q: &SO3, mu: &Vector3<f64>) -> SVector<f64, 12> {
        SVector::from_fn(|i, _| if i < 9 { q.matrix()[i] } else { mu[i - 9] })
    }
}

impl VectorField for CartesianTop {
    type Point = SVector<f64, 12>;
    type Workspace = ();

    fn zero(&self) -> SVector<f64, 12> {
        SVector::zeros()
    }
    fn workspace(&self) {}
    fn evaluate(
        &self,
        _: f64,
        y: &SVector<f64, 12>,
        (): &mut (),
        out: &mut SVector<f64, 12>,
    ) -> Result<(), StepFailure> {
        let (q, mu) = (Matrix3::from_fn(|i, j| y[i + 3 * j]), Vector3::new(y[9], y[10], y[11]));
        let omega = q * (q.transpose() * mu).component_div(&self.0.moments);
        let (rate, torque) = (omega.cross_matrix() * q, self.0.weight.cross(&(q * self.0.axis)));
        *out = SVector::from_fn(|i, _| if i < 9 { rate[i] } else { torque[i - 9] });
        Ok(())
    }
}
