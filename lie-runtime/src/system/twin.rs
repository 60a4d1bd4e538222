//! The declared functions on dual numbers, and the lift of a system to them.

use nalgebra::SMatrix;

use super::{MechanicalSystem, TransformedPoint};
use crate::group::{self, Placement, S3, SO2, SO3, placements};
use crate::scalar::{Dual, Scalar};
use crate::space::S2;

/// One of the terms whose sum a system is: all of a system without elements, or one element of a chain.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Term {
    /// The functions and what they run over; empty if there is nothing to tell apart.
    pub name: String,
    /// The component of the system's velocity that each of its own is; `None` of clamped members.
    pub components: Vec<Option<usize>>,
    /// The row of the system's multipliers that each of its own constraint rows is.
    pub rows: Vec<usize>,
}

impl Term {
    /// The components of the system's velocity that it depends on, each once.
    pub fn free(&self) -> impl Iterator<Item = usize> + '_ {
        // The ends of a chain of one are the same member.
        let earlier = |at: usize| &self.components[..at];
        let components = self.components.iter().enumerate();
        components
            .filter(move |&(at, component)| !earlier(at).contains(component))
            .filter_map(|(_, component)| *component)
    }
}

/// A system whose declared functions can be evaluated on dual numbers, by the functions as they were written.
///
/// Implemented by systems that are declared with `#[mechanical_system(derivative_check)]`. Declared functions are evaluated
/// term by term, in the order of [`terms`](Twin::terms).
pub trait Twin: MechanicalSystem {
    /// The same system on dual numbers.
    type Lifted: Twin<Scalar = Dual<Self::Scalar>>;

    /// The same system with constant parameters.
    fn lift(&self) -> Self::Lifted;
    /// The same configuration.
    fn lift_configuration(&self, q: &Self::Configuration) -> <Self::Lifted as MechanicalSystem>::Configuration;
    /// The same velocity.
    fn lift_velocity(&self, v: &Self::Velocity) -> <Self::Lifted as MechanicalSystem>::Velocity;

    /// The generated Hamiltonian at the momentum of v; `None` if there is none, or if M(q) has no inverse.
    fn legendre_transformed(
        &self,
        q: &Self::Configuration,
        v: &Self::Velocity,
    ) -> Option<TransformedPoint<Self::Velocity>> {
        let _ = (q, v);
        None
    }
    /// What the system is the sum of.
    fn terms(&self) -> Vec<Term> {
        vec![Term {
            name: String::new(),
            components: (0..self.dof()).map(Some).collect(),
            rows: (0..self.constraint_rows()).collect(),
        }]
    }
    /// What component `component` of a velocity is called.
    fn component_name(&self, component: usize) -> String {
        let members = &self.description().members;
        match members.iter().find(|member| (member.offset..member.offset + member.dof).contains(&component)) {
            Some(member) => format!("component {} of `{}`", component - member.offset, member.name),
            None => format!("component {component}"),
        }
    }
    /// What constraint row `row` is called.
    fn row_name(&self, row: usize) -> String {
        let constraints = &self.description().constraints;
        match constraints
            .iter()
            .find(|constraint| (constraint.offset..constraint.offset + constraint.rows).contains(&row))
        {
            Some(constraint) => format!("row {} of `{}`", row - constraint.offset, constraint.name),
            None => format!("row {row}"),
        }
    }

    /// The generated D_q (B v + b) of a term, by rows: a kernel that otherwise only eliminations see.
    fn rate_gradient(
        &self,
        term: usize,
        t: Self::Scalar,
        q: &Self::Configuration,
        v: &Self::Velocity,
        out: &mut [Self::Scalar],
    );
    /// Visits the generated rates of the quantities of a term.
    fn quantity_rates(
        &self,
        term: usize,
        t: Self::Scalar,
        q: &Self::Configuration,
        v: &Self::Velocity,
        visit: &mut dyn FnMut(&[Self::Scalar]),
    );

    /// The declared kinetic energy.
    fn declared_kinetic_energy(
        lifted: &Self::Lifted,
        term: usize,
        t: Dual<Self::Scalar>,
        q: &<Self::Lifted as MechanicalSystem>::Configuration,
        v: &<Self::Lifted as MechanicalSystem>::Velocity,
    ) -> Dual<Self::Scalar>;
    /// The sum of the declared potentials.
    fn declared_potential_energy(
        lifted: &Self::Lifted,
        term: usize,
        t: Dual<Self::Scalar>,
        q: &<Self::Lifted as MechanicalSystem>::Configuration,
    ) -> Dual<Self::Scalar>;
    /// The sum of the declared dissipation functions.
    fn declared_dissipation(
        lifted: &Self::Lifted,
        term: usize,
        t: Dual<Self::Scalar>,
        q: &<Self::Lifted as MechanicalSystem>::Configuration,
        v: &<Self::Lifted as MechanicalSystem>::Velocity,
    ) -> Dual<Self::Scalar>;
    /// Adds the declared generalised forces on members and on the whole velocity to `out`, the term's own components.
    fn declared_force(
        lifted: &Self::Lifted,
        term: usize,
        t: Dual<Self::Scalar>,
        q: &<Self::Lifted as MechanicalSystem>::Configuration,
        v: &<Self::Lifted as MechanicalSystem>::Velocity,
        out: &mut [Dual<Self::Scalar>],
    );
    /// Visits each spatial force with the quantity it acts at.
    #[allow(clippy::type_complexity)] // (force, quantity).
    fn declared_spatial_forces(
        lifted: &Self::Lifted,
        term: usize,
        t: Dual<Self::Scalar>,
        q: &<Self::Lifted as MechanicalSystem>::Configuration,
        v: &<Self::Lifted as MechanicalSystem>::Velocity,
        visit: &mut dyn FnMut(&[Dual<Self::Scalar>], &[Dual<Self::Scalar>]),
    );
    /// Adds the declared constraints to `out`, the term's own rows: Φ, and A v + b in the rows of velocity constraints (unless
    /// `holonomic_only`).
    fn declared_constraint(
        lifted: &Self::Lifted,
        term: usize,
        t: Dual<Self::Scalar>,
        q: &<Self::Lifted as MechanicalSystem>::Configuration,
        v: &<Self::Lifted as MechanicalSystem>::Velocity,
        holonomic_only: bool,
        out: &mut [Dual<Self::Scalar>],
    );
    /// Visits the declared quantities with their names, in the order of [`quantity_rates`](Twin::quantity_rates).
    #[allow(clippy::type_complexity)] // (name, components).
    fn declared_quantities(
        lifted: &Self::Lifted,
        term: usize,
        t: Dual<Self::Scalar>,
        q: &<Self::Lifted as MechanicalSystem>::Configuration,
        visit: &mut dyn FnMut(&'static str, &[Dual<Self::Scalar>]),
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
            impl<S: Scalar> Lift<S> for group::$group<S> {
                type Lifted = group::$group<Dual<S>>;
                fn lift(self) -> Self::Lifted {
                    group::$group::new(self.rotation().lift(), self.position().lift())
                }
            }
        )*
    };
}

placements!(pose);

/// The components of a declared value: a scalar, a vector, a matrix by rows, an element of a group.
pub trait Rows<S> {
    /// The components in order.
    fn rows(self) -> Vec<S>;
}

impl<S: Scalar> Rows<S> for S {
    fn rows(self) -> Vec<S> {
        vec![self]
    }
}

impl<S: Scalar, const R: usize, const C: usize> Rows<S> for SMatrix<S, R, C> {
    fn rows(self) -> Vec<S> {
        self.transpose().iter().copied().collect()
    }
}

impl<S: Scalar> Rows<S> for SO2<S> {
    fn rows(self) -> Vec<S> {
        self.coordinates().to_vec()
    }
}

impl<S: Scalar> Rows<S> for SO3<S> {
    fn rows(self) -> Vec<S> {
        self.matrix().rows()
    }
}

impl<S: Scalar> Rows<S> for S3<S> {
    fn rows(self) -> Vec<S> {
        self.coordinates().to_vec()
    }
}

/// The rows of a pose are those of its parts.
macro_rules! rows_of_parts {
    ($($group:ident)*) => {
        $(
            impl<S: Scalar> Rows<S> for group::$group<S> {
                fn rows(self) -> Vec<S> {
                    let mut rows = self.rotation().rows();
                    rows.extend(self.position().rows());
                    rows
                }
            }
        )*
    };
}

placements!(rows_of_parts);

/// The components of a declared value.
pub fn rows_of<S: Scalar>(value: impl Rows<S>) -> Vec<S> {
    value.rows()
}

/// Adds rows to a vector, from `offset` on.
pub fn add_rows<S: Scalar>(out: &mut [S], offset: usize, rows: &[S]) {
    for (out, &value) in out[offset..].iter_mut().zip(rows) {
        *out += value;
    }
}
