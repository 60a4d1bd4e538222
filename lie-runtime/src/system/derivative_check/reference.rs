//! Reference derivatives of the declared functions by dual numbers, term by term.
//!
//! The reference shares nothing with the symbolic derivation. Energies, forces and constraints are the user's
//! functions, evaluated on nested dual numbers along q exp(ε w~). The Euler-Poincaré formula combines them to the
//! equations of motion. Every quantity is a sum over terms, and a term varies along the components of its own members
//! only.

use core::ops::Range;

use crate::group::TangentVector;
use crate::scalar::{Dual, Scalar};
use crate::space::ConfigurationSpace;
use crate::system::dual_model::{self, DeclaredKind, Summand};
use crate::system::{CheckPoint, DualModel, MechanicalSystem};

type ConfigurationOf<M> = <M as MechanicalSystem>::Configuration;
type VelocityOf<M> = <M as MechanicalSystem>::Velocity;
type LiftedOf<M> = <M as DualModel>::Lifted;

/// A system, its lifts to dual and nested dual numbers, and the terms of its sum.
pub(super) struct Lifts<'a, M: DualModel> {
    pub system: &'a M,
    pub once: &'a LiftedOf<M>,
    pub twice: &'a LiftedOf<LiftedOf<M>>,
    pub terms: &'a [Summand],
}

impl<M: DualModel> Clone for Lifts<'_, M> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<M: DualModel> Copy for Lifts<'_, M> {}

/// Time, configuration and velocity on dual numbers.
struct LiftedState<M: DualModel> {
    t: Dual<M::Scalar>,
    q: ConfigurationOf<LiftedOf<M>>,
    v: VelocityOf<LiftedOf<M>>,
}

fn zero<S: Scalar>() -> S {
    S::from_f64(0.0)
}

fn one<S: Scalar>() -> S {
    S::from_f64(1.0)
}

impl<M: DualModel> Lifts<'_, M> {
    pub fn all(&self) -> Range<usize> {
        0..self.terms.len()
    }

    fn unit(&self, component: usize) -> VelocityOf<M> {
        let mut unit = self.system.zero_velocity();
        unit.set_component(component, one());
        unit
    }

    /// q exp(ε `direction`).
    pub fn displaced(
        &self,
        q: &ConfigurationOf<LiftedOf<M>>,
        direction: &VelocityOf<M>,
    ) -> ConfigurationOf<LiftedOf<M>> {
        dual_model::displaced(self.system, self.once, q, direction)
    }

    /// v + ε `direction`.
    pub fn varied_velocity(&self, v: &VelocityOf<LiftedOf<M>>, direction: &VelocityOf<M>) -> VelocityOf<LiftedOf<M>> {
        let mut varied_velocity = v.clone();
        varied_velocity.axpy(Dual { re: one(), eps: zero() }, &dual_model::along(self.system, direction));
        varied_velocity
    }

    /// Returns v without the spin of directions about themselves, which dissipation and velocity constraints do not
    /// depend on.
    fn without_spin(
        &self,
        q: &ConfigurationOf<LiftedOf<M>>,
        mut v: VelocityOf<LiftedOf<M>>,
    ) -> VelocityOf<LiftedOf<M>> {
        self.once.space().remove_spins(q, &mut v);
        v
    }

    fn lift(&self, at: CheckPoint<'_, M>) -> LiftedState<M> {
        let (q, v) = (self.system.lift_configuration(at.q), self.system.lift_velocity(at.v));
        LiftedState { t: Dual { re: at.t, eps: zero() }, q, v }
    }

    /// Returns the state after ε at constant velocity.
    fn after_epsilon(&self, at: CheckPoint<'_, M>) -> LiftedState<M> {
        let (t, q) = dual_model::lift_motion(self.system, self.once, (at.t, at.q, at.v));
        LiftedState { t, q, v: self.system.lift_velocity(at.v) }
    }
}

/// Time, configuration and velocity on dual numbers.
type LiftedPoint<'a, M> =
    (Dual<<M as MechanicalSystem>::Scalar>, &'a ConfigurationOf<LiftedOf<M>>, &'a VelocityOf<LiftedOf<M>>);

/// Returns the sum of the declared scalars of one kind.
pub(super) fn energy<M: DualModel>(
    lifted: &LiftedOf<M>,
    kind: DeclaredKind,
    term: usize,
    state: LiftedPoint<'_, M>,
) -> Dual<M::Scalar> {
    let mut sum = zero();
    M::declared_values(lifted, kind, term, state, &mut |value| value.rows.iter().for_each(|row| sum += *row));
    sum
}

/// Returns the vector of a term with this number of components, from the declared values of these kinds.
fn vector<M: DualModel>(
    lifted: &LiftedOf<M>,
    kinds: &[DeclaredKind],
    (term, count): (usize, usize),
    state: LiftedPoint<'_, M>,
) -> Vec<Dual<M::Scalar>> {
    let mut sum = vec![zero(); count];
    for &kind in kinds {
        M::declared_values(lifted, kind, term, state, &mut |value| value.add_to(&mut sum));
    }
    sum
}

/// The kinds of constraints.
const CONSTRAINTS: &[DeclaredKind] = &[DeclaredKind::Constraint, DeclaredKind::VelocityConstraint];

/// T and V.
pub(super) fn energies<M: DualModel>(of: Lifts<'_, M>, at: CheckPoint<'_, M>) -> [M::Scalar; 2] {
    let LiftedState { t, q, v } = of.lift(at);
    let mut sums = [zero(); 2];
    for term in of.all() {
        sums[0] += energy::<M>(of.once, DeclaredKind::KineticEnergy, term, (t, &q, &v)).re;
        sums[1] += energy::<M>(of.once, DeclaredKind::PotentialEnergy, term, (t, &q, &v)).re;
    }
    sums
}

/// r = d/dt ∂T/∂v − ad_vᵀ ∂T/∂v − D_q T + D_q V + ∂R/∂v − F + Bᵀ λ of some of the terms.
pub(super) fn residual<M: DualModel>(of: Lifts<'_, M>, terms: Range<usize>, at: CheckPoint<'_, M>) -> Vec<M::Scalar> {
    let Lifts { system, once, twice, .. } = of;
    let here = of.lift(at);
    let LiftedState { t, q, v } = &here;
    // The motion: q exp(ε v), v + ε v', t + ε.
    let without_spin = of.after_epsilon(at);
    let v_moving = of.varied_velocity(v, at.acceleration);
    let (q_twice, v_twice) = (once.lift_configuration(&without_spin.q), once.lift_velocity(&v_moving));
    let t_twice = Dual { re: without_spin.t, eps: zero() };
    let mut momentum = system.zero_velocity();
    // Forces on members, without the components that would spin directions about themselves.
    let mut given_to = system.zero_velocity();
    let mut result = vec![zero::<M::Scalar>(); system.dof()];
    for term in terms {
        let own = &of.terms[term];
        let applied = vector::<M>(once, &[DeclaredKind::Force], (term, own.components.len()), (*t, q, v));
        for (&component, force) in own.components.iter().zip(&applied) {
            if let Some(component) = component {
                given_to.set_component(component, given_to.component(component) + force.re);
            }
        }
        let mut forces: Vec<Vec<Dual<M::Scalar>>> = Vec::new();
        M::declared_values(once, DeclaredKind::SpatialForce, term, (*t, q, v), &mut |force| {
            forces.push(force.rows.to_vec());
        });
        for component in own.free() {
            let unit = of.unit(component);
            // d/dt ∂T/∂v: the inner ε runs along the motion, the outer one along the component of v.
            let mut v_varied = v_twice.clone();
            let inner = v_varied.component(component);
            v_varied.set_component(component, Dual { re: inner.re, eps: one() });
            let state = (t_twice, &q_twice, &v_varied);
            let mut kinetic = energy::<LiftedOf<M>>(twice, DeclaredKind::KineticEnergy, term, state);
            let is_state = component >= system.dof() - system.description().states;
            let has = |own: &Summand| own.free().any(|other| other == component);
            if is_state && of.terms.iter().position(has) == Some(term) {
                // The equations z' = f of auxiliary states have unit inertia, which is not an energy of the declaration.
                let z = v_varied.component(component);
                kinetic += z * z * Dual::from_f64(0.5);
            }
            momentum.set_component(component, momentum.component(component) + kinetic.eps.re);
            let mut entry = kinetic.eps.eps;
            let q_varied = of.displaced(q, &unit);
            entry -= energy::<M>(once, DeclaredKind::KineticEnergy, term, (*t, &q_varied, v)).eps;
            entry += energy::<M>(once, DeclaredKind::PotentialEnergy, term, (*t, &q_varied, v)).eps;
            // Auxiliary states are given values of a dissipation.
            if !is_state {
                let varied = of.without_spin(q, of.varied_velocity(v, &unit));
                entry += energy::<M>(once, DeclaredKind::Dissipation, term, (*t, q, &varied)).eps;
            }
            // (D_q x)ᵀ f: the force at its quantity, the derivative of the quantity along the direction.
            let mut given = forces.iter();
            M::declared_values(once, DeclaredKind::SpatialForce, term, (*t, &q_varied, v), &mut |value| {
                for (force, moved) in given.next().into_iter().flatten().zip(value.place) {
                    entry -= force.re * moved.eps;
                }
            });
            for (&row, slope) in own.rows.iter().zip(constraint_derivatives(of, term, component, &here)) {
                entry += slope * at.multipliers.component(row);
            }
            result[component] += entry;
        }
    }
    let mut turning = system.zero_velocity();
    system.space().coadjoint(at.v, &momentum, &mut turning);
    system.space().remove_spins(at.q, &mut given_to);
    for (component, entry) in result.iter_mut().enumerate() {
        *entry -= turning.component(component) + given_to.component(component);
    }
    result
}

/// The derivatives of the constraint rows of a term: holonomic rows along a direction of q, the other rows along a
/// direction of v.
fn constraint_derivatives<M: DualModel>(
    of: Lifts<'_, M>,
    term: usize,
    component: usize,
    at: &LiftedState<M>,
) -> Vec<M::Scalar> {
    let own = &of.terms[term];
    if own.rows.is_empty() {
        return Vec::new();
    }
    let unit = of.unit(component);
    let (place, q) = ((term, own.rows.len()), of.displaced(&at.q, &unit));
    let v = of.without_spin(&at.q, of.varied_velocity(&at.v, &unit));
    let positions = vector::<M>(of.once, &[DeclaredKind::Constraint], place, (at.t, &q, &at.v));
    let velocities = vector::<M>(of.once, CONSTRAINTS, place, (at.t, &at.q, &v));
    let holonomic = of.system.holonomic_rows();
    let by_row = own.rows.iter().zip(positions.iter().zip(&velocities));
    by_row.map(|(&row, (position, velocity))| if row < holonomic { position.eps } else { velocity.eps }).collect()
}

/// Φ, zero in the rows of velocity constraints.
pub(super) fn constraint<M: DualModel>(of: Lifts<'_, M>, at: CheckPoint<'_, M>) -> Vec<M::Scalar> {
    let LiftedState { t, q, v } = of.lift(at);
    let mut result = vec![zero(); of.system.constraint_rows()];
    for term in of.all() {
        let rows = &of.terms[term].rows;
        let own = vector::<M>(of.once, &[DeclaredKind::Constraint], (term, rows.len()), (t, &q, &v));
        for (&row, value) in rows.iter().zip(&own) {
            result[row] = value.re;
        }
    }
    result
}

/// B, column by column.
pub(super) fn jacobian_columns<M: DualModel>(of: Lifts<'_, M>, at: CheckPoint<'_, M>) -> Vec<M::Scalar> {
    let here = of.lift(at);
    let count = of.system.constraint_rows();
    let mut result = vec![zero(); of.system.dof() * count];
    for term in of.all() {
        for component in of.terms[term].free() {
            for (&row, slope) in of.terms[term].rows.iter().zip(constraint_derivatives(of, term, component, &here)) {
                result[component * count + row] += slope;
            }
        }
    }
    result
}

/// B v + b of some of the terms.
pub(super) fn constraint_rate<M: DualModel>(
    of: Lifts<'_, M>,
    terms: Range<usize>,
    at: CheckPoint<'_, M>,
) -> Vec<M::Scalar> {
    let LiftedState { t, q, v } = of.after_epsilon(at);
    let without_spin = of.without_spin(&q, v);
    let mut result = vec![zero(); of.system.constraint_rows()];
    for term in terms {
        let rows = &of.terms[term].rows;
        let own = vector::<M>(of.once, CONSTRAINTS, (term, rows.len()), (t, &q, &without_spin));
        for (&row, value) in rows.iter().zip(&own) {
            result[row] = if row < of.system.holonomic_rows() { value.eps } else { value.re };
        }
    }
    result
}

/// The terms of d/dt (B v + b) that are free of v'.
pub(super) fn constraint_curvature<M: DualModel>(of: Lifts<'_, M>, at: CheckPoint<'_, M>) -> Vec<M::Scalar> {
    let Lifts { system, once, twice, .. } = of;
    let LiftedState { t, q, v } = of.after_epsilon(at);
    // d²/dt² along q exp(t v) with constant v: both ε along the same curve.
    let lifted = once.lift_configuration(&q);
    let mut direction = once.lift_velocity(&v);
    direction.scale(Dual { re: zero(), eps: one() });
    let mut q_twice = lifted.clone();
    twice.space().compose_exp(&lifted, &direction, &mut q_twice);
    let (t_twice, v_twice) = (Dual { re: t, eps: one() }, once.lift_velocity(&v));
    let mut result = vec![zero(); system.constraint_rows()];
    for term in of.all() {
        let rows = &of.terms[term].rows;
        let place = (term, rows.len());
        let first = vector::<M>(once, CONSTRAINTS, place, (t, &q, &of.without_spin(&q, v.clone())));
        let state = (t_twice, &q_twice, &v_twice);
        let second = vector::<LiftedOf<M>>(twice, &[DeclaredKind::Constraint], place, state);
        for (&row, (first, second)) in rows.iter().zip(first.iter().zip(&second)) {
            result[row] = if row < system.holonomic_rows() { second.eps.eps } else { first.eps };
        }
    }
    result
}

/// The rates of the declared quantities along the motion: (term, name, components).
pub(super) fn rates<M: DualModel>(of: Lifts<'_, M>, at: CheckPoint<'_, M>) -> Vec<(usize, String, Vec<M::Scalar>)> {
    let LiftedState { t, q, v } = of.after_epsilon(at);
    let mut result = Vec::new();
    for term in of.all() {
        M::declared_values(of.once, DeclaredKind::Quantity, term, (t, &q, &v), &mut |value| {
            result.push((term, value.name.to_owned(), value.rows.iter().map(|row| row.eps).collect()));
        });
    }
    result
}

/// D_q r, D_v r, D_v' r and D_q (B v + b), column by column.
pub(super) struct ReferenceMatrices<S> {
    pub stiffness: Vec<S>,
    pub damping: Vec<S>,
    pub mass: Vec<S>,
    pub rate_gradient: Vec<S>,
}

/// Returns the matrices; `lifted` are the lifts of the system on dual numbers.
pub(super) fn matrices<M: DualModel>(
    of: Lifts<'_, M>,
    lifted: Lifts<'_, LiftedOf<M>>,
    at: CheckPoint<'_, M>,
) -> ReferenceMatrices<M::Scalar> {
    let LiftedState { t, q, v } = of.lift(at);
    let acceleration = of.system.lift_velocity(at.acceleration);
    let mut multipliers = MechanicalSystem::zero_multipliers(of.once);
    for row in 0..of.system.constraint_rows() {
        multipliers.set_component(row, Dual { re: at.multipliers.component(row), eps: zero() });
    }
    let (dof, rows) = (of.system.dof(), of.system.constraint_rows());
    let square = vec![zero(); dof * dof];
    let mut matrices = ReferenceMatrices {
        stiffness: square.clone(),
        damping: square.clone(),
        mass: square,
        rate_gradient: vec![zero(); dof * rows],
    };
    for term in of.all() {
        for column in of.terms[term].free() {
            let unit = of.unit(column);
            let add = |matrix: &mut [M::Scalar], q: &_, v: &_, acceleration: &_| {
                let at = CheckPoint::<LiftedOf<M>> { t, q, v, acceleration, multipliers: &multipliers };
                let slopes = residual(lifted, term..term + 1, at);
                for row in of.terms[term].free() {
                    matrix[column * dof + row] += slopes[row].eps;
                }
            };
            let displaced = of.displaced(&q, &unit);
            add(&mut matrices.stiffness, &displaced, &v, &acceleration);
            add(&mut matrices.damping, &q, &of.varied_velocity(&v, &unit), &acceleration);
            add(&mut matrices.mass, &q, &v, &of.varied_velocity(&acceleration, &unit));
            if !of.terms[term].rows.is_empty() {
                let at = CheckPoint::<LiftedOf<M>> {
                    t,
                    q: &displaced,
                    v: &v,
                    acceleration: &acceleration,
                    multipliers: &multipliers,
                };
                let slopes = constraint_rate(lifted, term..term + 1, at);
                for &row in &of.terms[term].rows {
                    matrices.rate_gradient[column * rows + row] += slopes[row].eps;
                }
            }
        }
    }
    matrices
}
