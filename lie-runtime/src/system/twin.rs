//! The declared functions on dual numbers, and the lift of a system to them.

use nalgebra::{SMatrix, SVector};

use super::{MechanicalSystem, TransformedPoint};
use crate::group::{S3, S3R3, SE2, SE3, SO2, SO3};
use crate::scalar::{Dual, Scalar};
use crate::space::S2;

/// A system whose declared functions can be evaluated on dual numbers, by the functions as they were written.
///
/// Implemented by systems that are declared with `#[mechanical_system(derivative_check)]`.
pub trait Twin: MechanicalSystem {
    /// The same system on dual numbers.
    type Lifted: Twin<Scalar = Dual<Self::Scalar>>;

    /// The same system with constant parameters.
    fn lift(&self) -> Self::Lifted;
    /// The same configuration.
    fn lift_configuration(&self, q: &Self::Configuration) -> <Self::Lifted as MechanicalSystem>::Configuration;
    /// The same velocity.
    fn lift_velocity(&self, v: &Self::Velocity) -> <Self::Lifted as MechanicalSystem>::Velocity;
    /// ad_vᵀ p.
    fn coadjoint(&self, v: &Self::Velocity, p: &Self::Velocity, out: &mut Self::Velocity);

    /// The generated Hamiltonian at the momentum of v; `None` if there is none, or if M(q) has no inverse.
    fn legendre_transformed(
        &self,
        q: &Self::Configuration,
        v: &Self::Velocity,
    ) -> Option<TransformedPoint<Self::Velocity>> {
        let _ = (q, v);
        None
    }
    /// The declared kinetic energy.
    fn declared_kinetic_energy(
        lifted: &Self::Lifted,
        t: Dual<Self::Scalar>,
        q: &<Self::Lifted as MechanicalSystem>::Configuration,
        v: &<Self::Lifted as MechanicalSystem>::Velocity,
    ) -> Dual<Self::Scalar>;
    /// The sum of the declared potentials.
    fn declared_potential_energy(
        lifted: &Self::Lifted,
        t: Dual<Self::Scalar>,
        q: &<Self::Lifted as MechanicalSystem>::Configuration,
    ) -> Dual<Self::Scalar>;
    /// The sum of the declared dissipation functions.
    fn declared_dissipation(
        lifted: &Self::Lifted,
        t: Dual<Self::Scalar>,
        q: &<Self::Lifted as MechanicalSystem>::Configuration,
        v: &<Self::Lifted as MechanicalSystem>::Velocity,
    ) -> Dual<Self::Scalar>;
    /// Adds the declared generalised forces on members and on the whole velocity to `out`.
    fn declared_force(
        lifted: &Self::Lifted,
        t: Dual<Self::Scalar>,
        q: &<Self::Lifted as MechanicalSystem>::Configuration,
        v: &<Self::Lifted as MechanicalSystem>::Velocity,
        out: &mut <Self::Lifted as MechanicalSystem>::Velocity,
    );
    /// Visits each spatial force with the quantity it acts at.
    #[allow(clippy::type_complexity)] // (force, quantity).
    fn declared_spatial_forces(
        lifted: &Self::Lifted,
        t: Dual<Self::Scalar>,
        q: &<Self::Lifted as MechanicalSystem>::Configuration,
        v: &<Self::Lifted as MechanicalSystem>::Velocity,
        visit: &mut dyn FnMut(&[Dual<Self::Scalar>], &[Dual<Self::Scalar>]),
    );
    /// Adds the declared constraints to `out`: Φ, and A v + b in the rows of velocity constraints (unless
    /// `holonomic_only`).
    fn declared_constraint(
        lifted: &Self::Lifted,
        t: Dual<Self::Scalar>,
        q: &<Self::Lifted as MechanicalSystem>::Configuration,
        v: &<Self::Lifted as MechanicalSystem>::Velocity,
        holonomic_only: bool,
        out: &mut <Self::Lifted as MechanicalSystem>::Multipliers,
    );
}

/// A number as a dual number without derivative.
pub fn dual<S: Scalar>(value: f64) -> Dual<S> {
    Dual { re: S::from_f64(value), eps: S::from_f64(0.0) }
}

/// Constants of `f64` become constants of `Dual<S>`.
pub trait LiftConstant<S: Scalar> {
    /// The type on dual numbers.
    type Lifted;
    /// The constant.
    fn lift(self) -> Self::Lifted;
}

impl<S: Scalar> LiftConstant<S> for f64 {
    type Lifted = Dual<S>;
    fn lift(self) -> Dual<S> {
        dual(self)
    }
}

impl<S: Scalar, const R: usize, const C: usize> LiftConstant<S> for SMatrix<f64, R, C> {
    type Lifted = SMatrix<Dual<S>, R, C>;
    fn lift(self) -> Self::Lifted {
        self.map(dual)
    }
}

impl<S: Scalar, T: LiftConstant<S>, const N: usize> LiftConstant<S> for [T; N] {
    type Lifted = [T::Lifted; N];
    fn lift(self) -> Self::Lifted {
        self.map(LiftConstant::lift)
    }
}

/// Values of `S` become values of `Dual<S>` without derivative.
pub trait Lift<S: Scalar> {
    /// The type on dual numbers.
    type Lifted;
    /// The value.
    fn lift(self) -> Self::Lifted;
}

impl<S: Scalar> Lift<S> for S {
    type Lifted = Dual<S>;
    fn lift(self) -> Dual<S> {
        Dual { re: self, eps: S::from_f64(0.0) }
    }
}

impl<S: Scalar, const R: usize, const C: usize> Lift<S> for SMatrix<S, R, C> {
    type Lifted = SMatrix<Dual<S>, R, C>;
    fn lift(self) -> Self::Lifted {
        self.map(Lift::lift)
    }
}

impl<S: Scalar, T: Lift<S>, const N: usize> Lift<S> for [T; N] {
    type Lifted = [T::Lifted; N];
    fn lift(self) -> Self::Lifted {
        self.map(Lift::lift)
    }
}

impl<S: Scalar> Lift<S> for SO2<S> {
    type Lifted = SO2<Dual<S>>;
    fn lift(self) -> Self::Lifted {
        SO2::from_coordinates_unchecked(self.coordinates().map(Lift::lift))
    }
}

impl<S: Scalar> Lift<S> for SO3<S> {
    type Lifted = SO3<Dual<S>>;
    fn lift(self) -> Self::Lifted {
        SO3::from_matrix_unchecked(self.matrix().lift())
    }
}

impl<S: Scalar> Lift<S> for S3<S> {
    type Lifted = S3<Dual<S>>;
    fn lift(self) -> Self::Lifted {
        S3::from_coordinates_unchecked(self.coordinates().map(Lift::lift))
    }
}

impl<S: Scalar> Lift<S> for S2<S> {
    type Lifted = S2<Dual<S>>;
    fn lift(self) -> Self::Lifted {
        S2::new_unchecked(self.direction().lift())
    }
}

/// Poses lift their parts.
macro_rules! pose {
    ($($group:ident)*) => {
        $(
            impl<S: Scalar> Lift<S> for $group<S> {
                type Lifted = $group<Dual<S>>;
                fn lift(self) -> Self::Lifted {
                    $group { rotation: self.rotation.lift(), translation: self.translation.lift() }
                }
            }
        )*
    };
}

pose!(SE2 SE3 S3R3);

/// The components of a declared value: a scalar, a vector, or velocity-sized rows.
pub trait Rows<S> {
    /// The components in order.
    fn rows(self) -> Vec<S>;
}

impl<S: Scalar> Rows<S> for S {
    fn rows(self) -> Vec<S> {
        vec![self]
    }
}

impl<S: Scalar, const N: usize> Rows<S> for SVector<S, N> {
    fn rows(self) -> Vec<S> {
        self.iter().copied().collect()
    }
}

/// The components of a declared value.
pub fn rows_of<S: Scalar>(value: impl Rows<S>) -> Vec<S> {
    value.rows()
}

/// Adds rows to a vector, from `offset` on.
pub fn add_rows<S: Scalar, const N: usize>(out: &mut SVector<S, N>, offset: usize, rows: &[S]) {
    for (row, &value) in rows.iter().enumerate() {
        out[offset + row] += value;
    }
}
