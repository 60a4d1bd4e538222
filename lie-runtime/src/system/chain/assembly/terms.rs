//! The terms of the equations of motion, the constraints and the energies.

use super::{ElementSizes, EvaluationPoint, gather, gather_rows, scatter, set_rows, visitor};
use crate::scalar::Scalar;
use crate::system::chain::{ElementSystem, ElementVisitor};
use crate::system::{Block, Term};

/// The kinds of elements to visit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::system::chain) enum Which {
    All,
    /// The kinds whose force is not computed together with B.
    WithoutJacobian,
}

visitor! {
    /// Adds −g.
    AddForce { which: Which, v: &'a [M::Scalar], out: &'a mut [M::Scalar] } (self, E) {
        if const { !E::CONTRIBUTIONS.force } || (E::FORCE_WITH_JACOBIAN && self.which == Which::WithoutJacobian) {
            return;
        }
        let EvaluationPoint { system, t, q } = self.point;
        let (mut v, mut local) = (E::Vector::zeros(), E::Vector::zeros());
        for place in self.point.places::<E>() {
            gather::<M, E>(&place, self.v, v.as_mut_slice());
            E::force(system, &place, t, q, &v, &mut local);
            scatter::<M, E>(&place, local.as_slice(), self.out);
        }
    }
}

visitor! {
    /// Adds M v.
    AddMomentum { v: &'a [M::Scalar], out: &'a mut [M::Scalar] } (self, E) {
        if const { !E::CONTRIBUTIONS.inertia } {
            return;
        }
        let EvaluationPoint { system, t, q } = self.point;
        let (mut v, mut local, mut mass) = (E::Vector::zeros(), E::Vector::zeros(), E::Matrix::zeros());
        for place in self.point.places::<E>() {
            gather::<M, E>(&place, self.v, v.as_mut_slice());
            E::mass_matrix(system, &place, t, q, &mut mass);
            for (out, row) in local.as_mut_slice().iter_mut().zip(mass.as_slice().chunks_exact(ElementSizes::<M, E>::COMPONENTS)) {
                *out = row.iter().zip(v.as_slice()).fold(M::Scalar::from_f64(0.0), |sum, (&a, &b)| sum + a * b);
            }
            scatter::<M, E>(&place, local.as_slice(), self.out);
        }
    }
}

visitor! {
    /// Adds r; optionally sets Φ.
    AddResidual {
        v: &'a [M::Scalar],
        acceleration: &'a [M::Scalar],
        multipliers: &'a [M::Scalar],
        out: &'a mut [M::Scalar],
        constraint: Option<&'a mut [M::Scalar]>
    } (self, E) {
        if const { !(E::CONTRIBUTIONS.force || E::CONTRIBUTIONS.inertia || ElementSizes::<M, E>::ROWS > 0) } {
            return;
        }
        let EvaluationPoint { system, t, q } = self.point;
        let (mut v, mut acceleration, mut local) = (E::Vector::zeros(), E::Vector::zeros(), E::Vector::zeros());
        let (mut multipliers, mut rows) = (E::Rows::zeros(), E::Rows::zeros());
        for place in self.point.places::<E>() {
            gather::<M, E>(&place, self.v, v.as_mut_slice());
            gather::<M, E>(&place, self.acceleration, acceleration.as_mut_slice());
            gather_rows::<M, E>(&place, self.multipliers, multipliers.as_mut_slice());
            match &mut self.constraint {
                Some(constraint) if ElementSizes::<M, E>::ROWS > 0 => {
                    let out = (&mut local, &mut rows);
                    E::residual_and_constraint(system, &place, t, q, &v, &acceleration, &multipliers, out.0, out.1);
                    set_rows::<M, E>(&place, rows.as_slice(), constraint);
                }
                _ => E::residual(system, &place, t, q, &v, &acceleration, &multipliers, &mut local),
            }
            scatter::<M, E>(&place, local.as_slice(), self.out);
        }
    }
}

visitor! {
    /// Sets Φ.
    SetConstraint { out: &'a mut [M::Scalar] } (self, E) {
        if const { ElementSizes::<M, E>::ROWS == 0 } {
            return;
        }
        let EvaluationPoint { system, t, q } = self.point;
        let mut local = E::Rows::zeros();
        for place in self.point.places::<E>() {
            E::constraint(system, &place, t, q, &mut local);
            set_rows::<M, E>(&place, local.as_slice(), self.out);
        }
    }
}

visitor! {
    /// Sets b.
    SetDrift { out: &'a mut [M::Scalar] } (self, E) {
        if const { ElementSizes::<M, E>::ROWS == 0 } {
            return;
        }
        let EvaluationPoint { system, t, q } = self.point;
        let mut local = E::Rows::zeros();
        for place in self.point.places::<E>() {
            E::constraint_drift(system, &place, t, q, &mut local);
            set_rows::<M, E>(&place, local.as_slice(), self.out);
        }
    }
}

visitor! {
    /// Sets the curvature terms.
    SetCurvature { v: &'a [M::Scalar], out: &'a mut [M::Scalar] } (self, E) {
        if const { ElementSizes::<M, E>::ROWS == 0 } {
            return;
        }
        let EvaluationPoint { system, t, q } = self.point;
        let (mut v, mut local) = (E::Vector::zeros(), E::Rows::zeros());
        for place in self.point.places::<E>() {
            gather::<M, E>(&place, self.v, v.as_mut_slice());
            E::constraint_curvature(system, &place, t, q, &v, &mut local);
            set_rows::<M, E>(&place, local.as_slice(), self.out);
        }
    }
}

visitor! {
    /// Sets the list of Jacobians; optionally adds −g of the kinds that compute it together.
    SetJacobian { out: &'a mut [M::Scalar], force: Option<&'a mut [M::Scalar]> } (self, E) {
        if const { ElementSizes::<M, E>::ROWS == 0 } {
            return;
        }
        let EvaluationPoint { system, t, q } = self.point;
        let size = ElementSizes::<M, E>::ROWS * ElementSizes::<M, E>::COMPONENTS;
        let out = &mut self.out[system.structure().jacobian_starts[E::KIND]..];
        let (mut local, mut local_force) = (E::Jacobian::zeros(), E::Vector::zeros());
        for (place, out) in self.point.places::<E>().zip(out.chunks_exact_mut(size)) {
            match &mut self.force {
                Some(force) if E::FORCE_WITH_JACOBIAN => {
                    E::force_and_jacobian(system, &place, t, q, &mut local_force, &mut local);
                    scatter::<M, E>(&place, local_force.as_slice(), force);
                }
                _ => E::constraint_jacobian(system, &place, t, q, &mut local),
            }
            out.copy_from_slice(local.as_slice());
        }
    }
}

visitor! {
    /// Adds both energies.
    SumEnergies { v: Option<&'a [M::Scalar]>, sum: M::Scalar } (self, E) {
        let EvaluationPoint { system, t, q } = self.point;
        let mut local = E::Vector::zeros();
        for place in self.point.places::<E>() {
            match self.v {
                Some(v) if E::CONTRIBUTIONS.inertia => {
                    gather::<M, E>(&place, v, local.as_mut_slice());
                    self.sum += E::kinetic_energy(system, &place, t, q, &local);
                }
                Some(_) => {}
                None => self.sum += E::potential_energy(system, &place, t, q),
            }
        }
    }
}
