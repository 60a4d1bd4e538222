//! The check of declared symmetries against the energies and the constraints.
//!
//! Along q exp(ε ξ(q)) a motion q(s) becomes another motion with the velocity v(ε). A symmetry leaves L(q, v) = T − V
//! unchanged to first order in ε, and all constraints as well: Φ and A v + b. Then ⟨∂L/∂v, ξ⟩ changes by declared
//! forces and dissipation only (Noether's theorem).

use super::declared::Declared;
use super::states::NearbyState;
use crate::group::TangentVector;
use crate::scalar::difference::central;
use crate::space::ConfigurationSpace;
use crate::system::SymmetryViolation;

/// The allowed change of an energy or a constraint, relative to the change of its terms.
const KEPT: f64 = 1e-6;
/// The allowed change relative to the energies, whose round-off the differences divide by the step.
const ROUND_OFF: f64 = 1e-9;
/// Step size of the central differences of fourth order, along ξ and along the motion.
const STEP: f64 = 1e-3;

/// f'(0) by central differences of fourth order.
fn derivative_at_zero(mut f: impl FnMut(f64) -> f64) -> f64 {
    let mut difference = |step: f64| f(step) - f(-step);
    central(difference(STEP), difference(2.0 * STEP), STEP)
}

/// Returns the first symmetry that is violated at a state; constraints are compared on the constraint manifold.
pub(super) fn changed<M: Declared>(system: &M, at: &NearbyState<M>) -> Option<SymmetryViolation> {
    let mut names = system.description().symmetries.iter().enumerate();
    names.find_map(|(number, name)| SymmetryCheck { system, at, number, name }.changed())
}

struct SymmetryCheck<'a, M: Declared> {
    system: &'a M,
    at: &'a NearbyState<M>,
    number: usize,
    name: &'static str,
}

impl<M: Declared> SymmetryCheck<'_, M> {
    /// Returns ξ(q); NaN if it does not have `dof` components.
    fn along(&self, q: &M::Configuration) -> M::Velocity {
        let mut all = self.system.zero_velocity();
        all.fill(f64::NAN);
        let found = self.system.declared_symmetry(self.number, self.at.t, q);
        found.filter(|found| found.component_count() == self.system.dof()).unwrap_or(all)
    }

    /// q exp(w step).
    fn moved(&self, q: &M::Configuration, w: &M::Velocity, step: f64) -> M::Configuration {
        let (mut way, mut moved) = (w.clone(), q.clone());
        way.scale(step);
        self.system.space().compose_exp(q, &way, &mut moved);
        moved
    }

    /// L after the displacement ε along ξ.
    fn lagrangian(&self, step: f64) -> f64 {
        let NearbyState { t, q, v, .. } = self.at;
        let system = self.system;
        let transformed = |q: &M::Configuration| self.moved(q, &self.along(q), step);
        let here = transformed(q);
        let ways = [2.0, 1.0, -1.0, -2.0].map(|part| {
            let mut way = system.zero_velocity();
            system.space().log_difference(&here, &transformed(&self.moved(q, v, part * STEP)), &mut way);
            way
        });
        let mut velocity = system.zero_velocity();
        for (way, weight) in ways.iter().zip([-1.0, 8.0, -8.0, 1.0]) {
            velocity.axpy(weight / (12.0 * STEP), way);
        }
        system.kinetic_energy(*t, &here, &velocity) - system.potential_energy(*t, &here)
    }

    fn changed(&self) -> Option<SymmetryViolation> {
        let NearbyState { t, q, v, is_given } = self.at;
        let (system, along) = (self.system, self.along(q));
        let checked_state = |what: String, change: f64, scale: f64| SymmetryViolation {
            symmetry: self.name,
            what,
            change,
            scale,
            along: (0..along.component_count()).map(|component| along.component(component)).collect(),
            state: Box::new(self.at.checked_state(system)),
        };
        let mut force = system.zero_velocity();
        system.force(*t, q, v, &mut force);
        let [kinetic, potential] = [system.kinetic_energy(*t, q, v), system.potential_energy(*t, q)];
        let change = derivative_at_zero(|step| self.lagrangian(step));
        let (f, xi) = (force.dot(&force).sqrt(), along.dot(&along).sqrt());
        let scale = f * xi + kinetic.abs();
        // A NaN fails the test.
        let is_kept = change.abs() <= KEPT * scale + ROUND_OFF * (kinetic.abs() + potential.abs());
        if !is_kept {
            return Some(checked_state("the Lagrangian T − V".to_owned(), change, scale));
        }
        if !is_given || system.constraint_rows() == 0 {
            return None;
        }
        let mut jacobian = system.zero_jacobian();
        system.constraint_jacobian(*t, q, &mut jacobian);
        let (mut rates, mut unit, mut row) =
            (system.zero_multipliers(), system.zero_multipliers(), system.zero_velocity());
        system.jacobian_times(&jacobian, &along, &mut rates);
        (0..system.constraint_rows()).find_map(|number| {
            unit.fill(0.0);
            unit.set_component(number, 1.0);
            system.jacobian_transpose_times(&jacobian, &unit, &mut row);
            let scale = row.dot(&row).sqrt() * xi;
            let change = rates.component(number);
            let is_kept = change.abs() <= KEPT * scale;
            let name = system.description().constraint_of_row(number);
            (!is_kept).then(|| checked_state(format!("constraint `{name}`"), change, scale))
        })
    }
}
