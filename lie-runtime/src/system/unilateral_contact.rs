//! Unilateral contacts of declared systems, and dry (Coulomb) friction of contacts and joints.
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
//!
//! The friction of a joint has a constant bound τ instead of μ times the normal force: F = −τ s B_tᵀ. The compiled
//! force of the system contains the friction of the Stribeck law, with its derivatives.

use core::fmt;
use std::sync::OnceLock;

use num_traits::{One, Zero};

use super::MechanicalSystem;
use super::parameters::Parametrised;
use crate::group::TangentVector;
use crate::scalar::Scalar;
use crate::solve::solve_dense;

/// A declared constraint that acts while a `bool` of the parameters is true: `#[constraint(active = p.on_floor)]`, or one side of a stop. `S`
/// is the scalar type.
#[derive(Debug)]
#[doc(hidden)]
pub struct UnilateralContact<P, S> {
    /// The name of its events: the name of the constraint, with `lower` or `upper` for a stop.
    pub name: &'static str,
    /// The name of the constraint. Both sides of a stop have the same.
    pub constraint: &'static str,
    /// The name of the event with the gap, which has a value while the constraint is inactive, too.
    pub gap: &'static str,
    /// Returns true if the parameter activates the contact.
    pub is_active: fn(&P, usize) -> bool,
    /// Sets the parameter.
    pub set_active: fn(&mut P, usize, bool),
    /// Returns the largest pull that the friction of the joint holds at its stop; `None` without friction.
    pub hold: Option<fn(&P, usize) -> S>,
    /// The argument of these functions.
    pub number: usize,
    /// The assignments of the parameter that open and activate the contact, such as `on_floor = false`.
    pub values: [&'static str; 2],
}

/// Friction of a contact: `#[velocity_constraint(contact = floor, friction = p.mu, slip = p.slip)]`, or of a joint:
/// `#[velocity_constraint(bound = p.torque, slip = p.slip)]`.
#[derive(Debug)]
#[doc(hidden)]
pub struct DryFriction<P, S> {
    /// The name of its events: the constraint of the contact, or the velocity constraint of a joint.
    pub name: &'static str,
    /// The name of the velocity constraint, which acts while the friction sticks.
    pub tangent: &'static str,
    /// The name of the event with the sliding velocity, which has a value in every state.
    pub speed: &'static str,
    /// The constraint with the normal force; `None` for a constant bound.
    pub normal: Option<&'static str>,
    /// Returns true while the friction acts: the contact is active, or the joint is not at its stop.
    pub acts: fn(&P, usize) -> bool,
    /// Returns the coefficient of friction, or the bound.
    pub coefficient: fn(&P, usize) -> S,
    /// The Stribeck law of a joint; `None` for a constant bound.
    pub stribeck: Option<StribeckLaw<P, S>>,
    /// The parameter with the sign of the sliding velocity.
    pub flag: &'static str,
    /// Returns the sign of the sliding velocity; zero if the friction sticks.
    pub slip: fn(&P, usize) -> i32,
    /// Sets the sign.
    pub set_slip: fn(&mut P, usize, i32),
    /// The argument of these functions.
    pub number: usize,
}

/// The Stribeck law F = F_c + (F_s − F_c) exp(−(u/u_s)²) of a joint with the sliding velocity u, where F_s is the bound.
#[derive(Debug)]
#[doc(hidden)]
pub struct StribeckLaw<P, S> {
    /// Returns F_c, the force of fast sliding.
    pub sliding: fn(&P, usize) -> S,
    /// Returns u_s, the Stribeck velocity.
    pub velocity: fn(&P, usize) -> S,
}

impl<P, S> Clone for StribeckLaw<P, S> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<P, S> Copy for StribeckLaw<P, S> {}

impl<P, S> Clone for UnilateralContact<P, S> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<P, S> Copy for UnilateralContact<P, S> {}

impl<P, S> Clone for DryFriction<P, S> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<P, S> Copy for DryFriction<P, S> {}

/// A system with unilateral contacts. The macro implements it for declarations with at least one contact.
#[doc(hidden)]
#[diagnostic::on_unimplemented(
    message = "the declaration of `{Self}` has no unilateral contact",
    note = "declare `#[constraint(active = p.on_floor)] fn floor(p: &Data, q: &Pose) -> f64`, with `on_floor: bool` in the parameters"
)]
pub trait UnilateralContacts: Parametrised<Parameters: 'static> + MechanicalSystem + 'static {
    /// Returns the contacts in the order of declaration.
    fn contacts(&self) -> &[UnilateralContact<Self::Parameters, Self::Scalar>];
    /// Returns the frictions in the order of declaration.
    fn frictions(&self) -> &[DryFriction<Self::Parameters, Self::Scalar>];
}

/// Returns the row of a constraint.
pub(crate) fn row_of<M: MechanicalSystem>(system: &M, constraint: &str) -> Option<usize> {
    let mut constraints = system.description().constraints.iter();
    constraints.find(|known| known.name == constraint).map(|known| known.offset)
}

/// The sliding frictions of a system.
#[doc(hidden)]
pub struct Sliding<M: MechanicalSystem> {
    /// The frictions whose forces are not compiled.
    frictions: Vec<SlidingFriction<M::Scalar>>,
    /// The system with tangential rows: all its frictions stick.
    sticking: M,
}

/// A friction that slides.
struct SlidingFriction<S> {
    /// The row with the normal force; `None` for a constant bound.
    normal: Option<usize>,
    tangent: usize,
    name: &'static str,
    /// μ s, or τ s.
    coefficient: S,
}

/// The sliding frictions of a system, computed at the first use. A clone is empty.
#[doc(hidden)]
pub struct SlidingCache<M: MechanicalSystem>(OnceLock<Option<Box<Sliding<M>>>>);

impl<M: MechanicalSystem> Default for SlidingCache<M> {
    fn default() -> Self {
        SlidingCache(OnceLock::new())
    }
}

impl<M: MechanicalSystem> Clone for SlidingCache<M> {
    fn clone(&self) -> Self {
        Self::default()
    }
}

impl<M: MechanicalSystem> fmt::Debug for SlidingCache<M> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("SlidingCache")
    }
}

impl<M: UnilateralContacts> SlidingCache<M> {
    /// Returns the sliding frictions of the system with this cache; `None` if all stick.
    pub fn of(&self, system: &M) -> Option<&Sliding<M>> {
        self.0.get_or_init(|| Sliding::of(system).map(Box::new)).as_deref()
    }
}

impl<M: UnilateralContacts> Sliding<M> {
    /// Returns the sliding frictions; `None` if all stick.
    pub fn of(system: &M) -> Option<Self> {
        let parameters = system.parameters();
        let slides = |friction: &&DryFriction<M::Parameters, M::Scalar>| {
            (friction.acts)(parameters, friction.number) && (friction.slip)(parameters, friction.number) != 0
        };
        let mut sliding = system.frictions().iter().filter(slides).peekable();
        sliding.peek()?;
        let mut sticking = parameters.clone();
        let mut frictions = Vec::new();
        for friction in sliding {
            let slip = (friction.slip)(parameters, friction.number);
            (friction.set_slip)(&mut sticking, friction.number, 0);
            if friction.stribeck.is_some() {
                continue;
            }
            frictions.push(SlidingFriction {
                normal: friction.normal.and_then(|normal| row_of(system, normal)),
                tangent: row_of(system, friction.tangent)?,
                name: friction.tangent,
                coefficient: (friction.coefficient)(parameters, friction.number)
                    * M::Scalar::from_f64(f64::from(slip.signum())),
            });
        }
        Some(Sliding { frictions, sticking: system.with_parameters(sticking).ok()? })
    }
}

impl<M: MechanicalSystem> core::fmt::Debug for Sliding<M> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_list().entries(self.frictions.iter().map(|friction| friction.name)).finish()
    }
}

/// The sliding friction at a point.
pub(crate) struct SlidingForces<M: MechanicalSystem> {
    /// B_tᵀ of each friction.
    directions: Vec<M::Velocity>,
    /// The matrix 1 − r μ s of the frictions of contacts, by rows.
    matrix: Vec<M::Scalar>,
    /// λ⁰ of each contact.
    normal: Vec<M::Scalar>,
}

impl<M: MechanicalSystem> SlidingForces<M> {
    /// Computes the directions, the matrix and λ⁰ for the other forces −g; `None` if the linear system has no solution.
    fn of(
        system: &M,
        Sliding { frictions, sticking }: &Sliding<M>,
        (t, q, v): (M::Scalar, &M::Configuration, &M::Velocity),
        force: &M::Velocity,
    ) -> Option<Self> {
        let mut tangents = system.zero_jacobian();
        sticking.constraint_jacobian(t, q, &mut tangents);
        let mut rows = system.zero_multipliers();
        let mut direction = |friction: &SlidingFriction<M::Scalar>| {
            rows.fill(M::Scalar::zero());
            rows.set_component(friction.tangent, M::Scalar::one());
            let mut direction = system.zero_velocity();
            sticking.jacobian_transpose_times(&tangents, &rows, &mut direction);
            direction
        };
        let directions: Vec<M::Velocity> = frictions.iter().map(&mut direction).collect();
        let all = || frictions.iter().zip(&directions);
        let contacts: Vec<_> =
            all().filter_map(|(friction, along)| Some((friction.normal?, friction, along))).collect();
        let mut forces = SlidingForces { directions: Vec::new(), matrix: Vec::new(), normal: Vec::new() };
        if !contacts.is_empty() {
            let mut force = force.clone();
            for (friction, direction) in all().filter(|(friction, _)| friction.normal.is_none()) {
                force.axpy(-friction.coefficient, direction);
            }
            let mut jacobian = system.zero_jacobian();
            system.constraint_jacobian(t, q, &mut jacobian);
            let mut mass = system.zero_mass();
            system.mass(t, q, &mut mass).ok()?;
            let mut curvature = system.zero_multipliers();
            system.constraint_curvature(t, q, v, &mut curvature);
            curvature.scale(-M::Scalar::one());
            let mut acceleration = system.zero_velocity();
            let mut solve = |force: &M::Velocity, rows: &M::Multipliers| -> Option<Vec<M::Scalar>> {
                let mut multipliers = system.zero_multipliers();
                let solved =
                    system.solve_kkt(&mut mass, &jacobian, &jacobian, force, rows, &mut acceleration, &mut multipliers);
                solved.ok()?;
                Some(contacts.iter().map(|(normal, ..)| multipliers.component(*normal)).collect())
            };
            forces.normal = solve(&force, &curvature)?;
            let count = contacts.len();
            forces.matrix = vec![M::Scalar::zero(); count * count];
            curvature.fill(M::Scalar::zero());
            for (column, (_, friction, direction)) in contacts.iter().enumerate() {
                for (row, response) in solve(direction, &curvature)?.into_iter().enumerate() {
                    let unit = M::Scalar::from_f64(if row == column { 1.0 } else { 0.0 });
                    forces.matrix[row * count + column] = unit - response * friction.coefficient;
                }
            }
        }
        Some(SlidingForces { directions, ..forces })
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

/// Returns the smallest pivot of the matrix 1 − r μ s in a state; infinity if no friction slides.
pub(crate) fn smallest_pivot<M: UnilateralContacts>(
    system: &M,
    at: (M::Scalar, &M::Configuration, &M::Velocity),
) -> f64 {
    let Some(sliding) = Sliding::of(system) else { return f64::INFINITY };
    let forces = SlidingForces::of(system, &sliding, at, &system.zero_velocity());
    forces.map_or(f64::NAN, |forces| forces.smallest_pivot())
}

impl<M: MechanicalSystem> Sliding<M> {
    /// Returns the system with tangential rows: all its frictions stick.
    pub(super) fn sticking(&self) -> &M {
        &self.sticking
    }

    /// Calls `visit` with the name, the power and the force of each friction, for the other forces −g. The force is NaN if the linear system
    /// has no solution.
    pub(crate) fn visit(
        &self,
        system: &M,
        at: (M::Scalar, &M::Configuration, &M::Velocity),
        others: &M::Velocity,
        visit: &mut dyn FnMut(&'static str, f64, &M::Velocity),
    ) {
        let solved = SlidingForces::of(system, self, at, others).and_then(|mut forces| {
            if !forces.normal.is_empty() {
                solve_dense(&mut forces.matrix, &mut forces.normal).ok()?;
            }
            Some(forces)
        });
        let Some(forces) = solved else {
            let mut undefined = system.zero_velocity();
            undefined.fill(M::Scalar::from_f64(f64::NAN));
            return visit("", f64::NAN, &undefined);
        };
        let mut normals = forces.normal.into_iter();
        for (friction, mut force) in self.frictions.iter().zip(forces.directions) {
            let bound = if friction.normal.is_some() { normals.next() } else { None };
            // −λ is the normal force.
            force.scale(friction.coefficient * bound.unwrap_or(-M::Scalar::one()));
            visit(friction.name, force.dot(at.2).value(), &force);
        }
    }
}
