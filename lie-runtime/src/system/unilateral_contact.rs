//! Unilateral contacts of declared systems, and the Coulomb friction of sliding contacts.
//!
//! A contact with the gap row n slides along its tangential row t with the sign s of the sliding velocity. The friction force is
//!
//! ```text
//! F = μ s λ_n B_tᵀ,    M v' + B_nᵀ λ_n = −g + F,    B_n v' = −curvature,
//! ```
//!
//! where −λ_n is the normal force. This unsymmetric system is solved with the symmetric KKT system, by superposition: with λ⁰ for F = 0 and
//! the response r of λ_n to the force B_tᵀ,
//!
//! ```text
//! (1 − μ s r) λ_n = λ⁰.
//! ```
//!
//! F is then a smooth function of (t, q, v), and every method treats it as a force. Several sliding contacts have a matrix 1 − r μ s. It
//! must have positive pivots; otherwise the contact force has no unique solution (Painlevé's paradox).

use num_traits::{One, Zero};

use super::MechanicalSystem;
use super::parameters::Parametrised;
use crate::group::TangentVector;
use crate::scalar::Scalar;
use crate::solve::solve_dense;

/// A declared constraint that acts while a `bool` of the parameters is true: `#[constraint(active = p.on_floor)]`, or one side of a stop. `S`
/// is the scalar type.
#[doc(hidden)]
pub struct UnilateralContact<P, S> {
    /// The name of its events: the name of the constraint, with `lower` or `upper` for a stop.
    pub name: &'static str,
    /// The name of the constraint. Both sides of a stop have the same.
    pub constraint: &'static str,
    /// The name of the event with the gap, which has a value while the constraint is inactive, too.
    pub gap: &'static str,
    /// Returns true if the parameter activates the contact.
    pub is_active: fn(&P) -> bool,
    /// Sets the parameter.
    pub set_active: fn(&mut P, bool),
    /// The friction; `None` for a contact without friction.
    pub friction: Option<ContactFriction<P, S>>,
}

/// The friction of a contact: `#[velocity_constraint(contact = floor, friction = p.mu, slip = p.slip)]`.
#[doc(hidden)]
pub struct ContactFriction<P, S> {
    /// The name of the velocity constraint, which acts while the contact sticks.
    pub tangent: &'static str,
    /// The name of the event with the sliding velocity, which has a value in every state of the contact.
    pub speed: &'static str,
    /// Returns the coefficient of friction.
    pub coefficient: fn(&P) -> S,
    /// Returns the sign of the sliding velocity; zero if the contact sticks.
    pub slip: fn(&P) -> i32,
    /// Sets the sign.
    pub set_slip: fn(&mut P, i32),
}

impl<P, S> Clone for UnilateralContact<P, S> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<P, S> Copy for UnilateralContact<P, S> {}

impl<P, S> Clone for ContactFriction<P, S> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<P, S> Copy for ContactFriction<P, S> {}

/// A system with unilateral contacts. The macro implements it for declarations with at least one contact.
#[doc(hidden)]
#[diagnostic::on_unimplemented(
    message = "the declaration of `{Self}` has no unilateral contact",
    note = "declare `#[constraint(active = p.on_floor)] fn floor(p: &Data, q: &Pose) -> f64`, with `on_floor: bool` in the parameters"
)]
pub trait UnilateralContacts: Parametrised<Parameters: 'static> + MechanicalSystem {
    /// Returns the contacts in the order of declaration.
    fn contacts() -> &'static [UnilateralContact<Self::Parameters, Self::Scalar>];
}

/// Returns the names of the active contacts.
#[doc(hidden)]
pub fn active_contacts<M: UnilateralContacts>(system: &M) -> Vec<&'static str> {
    let active = M::contacts().iter().filter(|contact| (contact.is_active)(system.parameters()));
    active.map(|contact| contact.name).collect()
}

/// Returns the row of a constraint.
pub(crate) fn row_of<M: MechanicalSystem>(system: &M, constraint: &str) -> Option<usize> {
    let mut constraints = system.description().constraints.iter();
    constraints.find(|known| known.name == constraint).map(|known| known.offset)
}

/// The sliding contacts of a system.
#[doc(hidden)]
pub struct Sliding<M: MechanicalSystem> {
    contacts: Vec<SlidingContact<M::Scalar>>,
    /// The system with tangential rows: all its contacts stick.
    sticking: M,
}

/// A contact that slides.
struct SlidingContact<S> {
    normal: usize,
    tangent: usize,
    name: &'static str,
    /// μ s.
    coefficient: S,
}

impl<M: UnilateralContacts> Sliding<M> {
    /// Returns the sliding contacts; `None` if no contact slides.
    pub fn of(system: &M) -> Option<Self> {
        let parameters = system.parameters();
        let slip = |contact: &UnilateralContact<M::Parameters, M::Scalar>| {
            let friction = contact.friction.filter(|_| (contact.is_active)(parameters))?;
            Some((friction, (friction.slip)(parameters))).filter(|(_, slip)| *slip != 0)
        };
        if !M::contacts().iter().any(|contact| slip(contact).is_some()) {
            return None;
        }
        let mut sticking = parameters.clone();
        let mut contacts = Vec::new();
        for contact in M::contacts() {
            let Some((friction, slip)) = slip(contact) else { continue };
            (friction.set_slip)(&mut sticking, 0);
            contacts.push(SlidingContact {
                normal: row_of(system, contact.constraint)?,
                tangent: row_of(system, friction.tangent)?,
                name: friction.tangent,
                coefficient: (friction.coefficient)(parameters) * M::Scalar::from_f64(f64::from(slip.signum())),
            });
        }
        Some(Sliding { contacts, sticking: system.with_parameters(sticking).ok()? })
    }
}

/// The friction of sliding contacts at a point.
pub(crate) struct SlidingForces<M: MechanicalSystem> {
    /// B_tᵀ of each contact.
    directions: Vec<M::Velocity>,
    /// The matrix 1 − r μ s, by rows.
    matrix: Vec<M::Scalar>,
    /// λ⁰ of each contact.
    normal: Vec<M::Scalar>,
}

impl<M: MechanicalSystem> SlidingForces<M> {
    /// Computes the directions, the matrix and λ⁰ for the other forces −g; `None` if the linear system has no solution.
    fn of(
        system: &M,
        Sliding { contacts, sticking }: &Sliding<M>,
        (t, q, v): (M::Scalar, &M::Configuration, &M::Velocity),
        force: &M::Velocity,
    ) -> Option<Self> {
        let [mut jacobian, mut tangents] = [system.zero_jacobian(), system.zero_jacobian()];
        system.constraint_jacobian(t, q, &mut jacobian);
        sticking.constraint_jacobian(t, q, &mut tangents);
        let mut mass = system.zero_mass();
        system.mass(t, q, &mut mass).ok()?;
        let (mut rows, mut curvature) = (system.zero_multipliers(), system.zero_multipliers());
        system.constraint_curvature(t, q, v, &mut curvature);
        curvature.scale(-M::Scalar::one());
        let mut acceleration = system.zero_velocity();
        let mut solve = |force: &M::Velocity, rows: &M::Multipliers| -> Option<Vec<M::Scalar>> {
            let mut multipliers = system.zero_multipliers();
            let solved =
                system.solve_kkt(&mut mass, &jacobian, &jacobian, force, rows, &mut acceleration, &mut multipliers);
            solved.ok()?;
            Some(contacts.iter().map(|contact| multipliers.component(contact.normal)).collect())
        };
        let normal = solve(force, &curvature)?;
        let count = contacts.len();
        let (mut directions, mut matrix) = (Vec::with_capacity(count), vec![M::Scalar::zero(); count * count]);
        curvature.fill(M::Scalar::zero());
        for (column, contact) in contacts.iter().enumerate() {
            rows.fill(M::Scalar::zero());
            rows.set_component(contact.tangent, M::Scalar::one());
            let mut direction = system.zero_velocity();
            sticking.jacobian_transpose_times(&tangents, &rows, &mut direction);
            for (row, response) in solve(&direction, &curvature)?.into_iter().enumerate() {
                let unit = M::Scalar::from_f64(if row == column { 1.0 } else { 0.0 });
                matrix[row * count + column] = unit - response * contact.coefficient;
            }
            directions.push(direction);
        }
        Some(SlidingForces { directions, matrix, normal })
    }

    /// Returns the smallest pivot of the matrix: 1 without coupling of friction and normal force.
    fn smallest_pivot(&self) -> f64 {
        let n = self.normal.len();
        let mut matrix: Vec<f64> = self.matrix.iter().map(|entry| entry.value()).collect();
        let mut smallest = f64::INFINITY;
        for k in 0..n {
            let pivot = matrix[k * n + k];
            smallest = smallest.min(pivot);
            for row in k + 1..n {
                let factor = matrix[row * n + k] / pivot;
                for column in k..n {
                    matrix[row * n + column] -= factor * matrix[k * n + column];
                }
            }
        }
        smallest
    }
}

/// Returns the smallest pivot of the matrix 1 − r μ s in a state; infinity if no contact slides.
pub(crate) fn smallest_pivot<M: UnilateralContacts>(
    system: &M,
    at: (M::Scalar, &M::Configuration, &M::Velocity),
) -> f64 {
    let Some(sliding) = Sliding::of(system) else { return f64::INFINITY };
    let forces = SlidingForces::of(system, &sliding, at, &system.zero_velocity());
    forces.map_or(f64::NAN, |forces| forces.smallest_pivot())
}

impl<M: MechanicalSystem> Sliding<M> {
    /// Returns the system with tangential rows: all its contacts stick.
    pub(super) fn sticking(&self) -> &M {
        &self.sticking
    }

    /// Adds the friction to the other forces −g. The sum is NaN if the linear system has no solution.
    pub(super) fn add_to(&self, system: &M, at: (M::Scalar, &M::Configuration, &M::Velocity), force: &mut M::Velocity) {
        let (friction, _) = self.friction(system, at, force);
        force.axpy(M::Scalar::one(), &friction);
    }

    /// Subtracts the friction for the other forces −g from the residual r.
    pub(super) fn subtract_from(
        &self,
        system: &M,
        at: (M::Scalar, &M::Configuration, &M::Velocity),
        force: &M::Velocity,
        residual: &mut M::Velocity,
    ) {
        let (friction, _) = self.friction(system, at, force);
        residual.axpy(-M::Scalar::one(), &friction);
    }

    /// Returns the power of the friction of each contact, for the other forces −g.
    pub(super) fn powers(
        &self,
        system: &M,
        at: (M::Scalar, &M::Configuration, &M::Velocity),
        force: &M::Velocity,
    ) -> Vec<(&'static str, f64)> {
        self.friction(system, at, force).1
    }

    /// Returns the friction for the other forces −g, and its power for each contact. The force is NaN if the linear system has no solution.
    fn friction(
        &self,
        system: &M,
        at: (M::Scalar, &M::Configuration, &M::Velocity),
        force: &M::Velocity,
    ) -> (M::Velocity, Vec<(&'static str, f64)>) {
        let (mut sum, mut powers) = (system.zero_velocity(), Vec::with_capacity(self.contacts.len()));
        let solved = SlidingForces::of(system, self, at, force).and_then(|mut forces| {
            solve_dense(&mut forces.matrix, &mut forces.normal).ok()?;
            Some(forces)
        });
        let Some(forces) = solved else {
            sum.fill(M::Scalar::from_f64(f64::NAN));
            return (sum, powers);
        };
        for ((contact, direction), normal) in self.contacts.iter().zip(&forces.directions).zip(&forces.normal) {
            let size = contact.coefficient * *normal;
            sum.axpy(size, direction);
            powers.push((contact.name, (size * direction.dot(at.2)).value()));
        }
        (sum, powers)
    }
}
