//! The comparison of derived kernels with finite differences of energies and constraints.
//!
//! The energies and constraints are kernels whose values have been compared with the declared functions. Along t' = 1,
//! q' = q v~ with constant v, and for M v' = −g without constraints,
//!
//! ```text
//! −v · (−g) = d/dt E + ∂/∂t (T − V) − Σ v · F,    E = v · ∂T/∂v − T + V,
//! d/dt Φ = B v + b,    d/dt (B v + b) = curvature,
//! ```
//!
//! since v · ad_vᵀ p = 0, with the declared forces F. M must be the matrix of T = T₀ + T₁ + v · M v / 2, and the solver
//! must apply its inverse. At the given state motions may be at rest and branches undecided: only values are compared
//! there.

use std::panic::{AssertUnwindSafe, catch_unwind};

use super::declared::{Declared, moved_along};
use super::finite_differences::{Derivative, derivatives};
use super::function_values::FunctionValues;
use super::states::{NearbyState, Noise};
use crate::group::TangentVector;
use crate::space::ConfigurationSpace;
use crate::system::jacobi_integral::jacobi_integral;
use crate::system::{ComparedQuantity, Disagreement};

/// The finest step, in time or in v · time.
const STEP: f64 = 1e-3;
/// The tolerance of a derivative relative to its largest term: differences are less accurate if positions are large.
const TOLERANCE: f64 = 1e-4;
/// The allowed multiple of the estimated error of a difference.
const ERRORS: f64 = 10.0;
/// The number of random sign patterns that estimate the size of a sum.
const SIGNS: usize = 8;

/// Returns the first kernel that disagrees at a state where no function panics.
pub(super) fn disagreement<M: Declared>(
    system: &M,
    at: &NearbyState<M>,
    evaluation: &FunctionValues,
) -> Option<Disagreement> {
    if at.is_given || evaluation.panic().is_some() {
        return None;
    }
    let kernels = Kernels { system, at, evaluation };
    // A function with a value here may have no value one step further.
    let found = || kernels.mass().or_else(|| kernels.power()).or_else(|| kernels.constraints());
    catch_unwind(AssertUnwindSafe(found)).ok().flatten()
}

struct Kernels<'a, M: Declared> {
    system: &'a M,
    at: &'a NearbyState<M>,
    evaluation: &'a FunctionValues,
}

impl<M: Declared> Kernels<'_, M> {
    fn step(&self) -> f64 {
        STEP / self.at.v.max_norm().max(1.0)
    }

    /// Compares M, applied to a velocity, and M⁻¹, applied to the resulting momentum.
    fn mass(&self) -> Option<Disagreement> {
        let (system, NearbyState { t, q, .. }) = (self.system, self.at);
        let mut noise = Noise::new(0);
        let [mut velocity, mut momentum, mut offset, mut room] = core::array::from_fn(|_| system.zero_velocity());
        system.momentum(*t, q, &offset, &mut room);
        // Auxiliary states are not a part of the kinetic energy; their rows of M are 1.
        for component in 0..system.dof() - system.description().states {
            velocity.set_component(component, noise.number());
        }
        system.space().remove_spins(q, &mut velocity);
        system.momentum(*t, q, &velocity, &mut momentum);
        momentum.axpy(-1.0, &room);
        let mut twice = |velocity: &M::Velocity| 2.0 * jacobi_integral(system, (*t, q, velocity), &mut room)[0];
        let declared = twice(&velocity);
        let products = |a: &M::Velocity, b: &M::Velocity| -> (f64, f64) {
            let products = (0..a.component_count()).map(|index| a.component(index) * b.component(index));
            products.fold((0.0, 0.0), |(sum, size), product| (sum + product, size + product.abs()))
        };
        let (generated, size) = products(&velocity, &momentum);
        let checked_state = |what, generated: f64| Disagreement {
            functions: self.evaluation.kinetic.functions.clone(),
            element: None,
            component: 0,
            what,
            declared,
            generated,
        };
        let differs = |a: f64, b: f64| a.is_finite() && b.is_finite() && (a - b).abs() > TOLERANCE * size.max(b.abs());
        if differs(generated, declared) {
            return Some(checked_state(ComparedQuantity::Mass, generated));
        }
        let mut mass = system.zero_mass();
        system.mass(*t, q, &mut mass).ok()?;
        system.solve_mass(&mut mass, &momentum, &mut offset);
        offset.axpy(-1.0, &velocity);
        // A backward stable solution has a relative error of the square root of the condition number in the norm of M.
        let off = twice(&offset);
        (off > TOLERANCE * declared).then(|| checked_state(ComparedQuantity::MassInverse, off))
    }

    /// Returns the power of the declared forces and dissipation, and the sum of its absolute terms.
    fn supply(&self, visit: &mut dyn FnMut(&'static str)) -> (f64, f64) {
        let NearbyState { t, q, v, .. } = self.at;
        let (mut supplied, mut size) = (0.0, 0.0);
        self.system.compare(*t, q, v, &mut |comparison| {
            if let Some(power) = comparison.power {
                let power = power();
                (supplied, size) = (supplied + power, size + power.abs());
                visit(comparison.function);
            }
        });
        (supplied, size)
    }

    /// Compares the power of forces, inertia and potentials.
    fn power(&self) -> Option<Disagreement> {
        let (system, NearbyState { t, q, v, .. }) = (self.system, self.at);
        let mut functions = self.evaluation.kinetic.functions.clone();
        functions.extend(&self.evaluation.potential.functions);
        let (supplied, supplies) = self.supply(&mut |name| {
            if !functions.contains(&name) {
                functions.push(name);
            }
        });
        let mut force = system.zero_velocity();
        system.force(*t, q, v, &mut force);
        // Inputs may differ from call to call.
        if (self.supply(&mut |_| {}).0 - supplied).abs() > f64::EPSILON * supplies {
            return None;
        }
        let products = (0..system.dof()).map(|index| force.component(index) * v.component(index));
        let (generated, size) = products.fold((0.0, 0.0), |(sum, size), own| (sum + own, size + own.abs()));
        let energy = |step: f64| {
            let (t, q, _) = moved_along(system, (*t, q, v), step);
            let [kinetic, potential] = jacobi_integral(system, (t, &q, v), &mut system.zero_velocity());
            Some(vec![kinetic, potential])
        };
        let energy = derivatives(self.step(), &energy)?;
        let lagrangian = |step: f64| {
            let t = t + step;
            Some(vec![system.kinetic_energy(t, q, v), system.potential_energy(t, q)])
        };
        let lagrangian = derivatives(self.step(), &lagrangian)?;
        let terms = [energy[0].value, energy[1].value, lagrangian[0].value, -lagrangian[1].value];
        let declared = Derivative {
            value: supplied - terms.iter().sum::<f64>(),
            error: energy.iter().chain(&lagrangian).map(|term| term.error).sum(),
        };
        let size = terms.iter().fold(size + supplies, |size, term| size + term.abs());
        let checked_state = Disagreement {
            functions,
            element: None,
            component: 0,
            what: ComparedQuantity::Power,
            declared: declared.value,
            generated,
        };
        declared.excludes(generated, ERRORS, TOLERANCE * size).then_some(checked_state)
    }

    /// Estimates the size of the terms of each row of B v: the root mean square of Σ ±(B v) with random signs.
    fn sizes(&self, jacobian: &M::Jacobian) -> Vec<f64> {
        let (system, rows) = (self.system, self.system.constraint_rows());
        let (mut out, mut turned) = (system.zero_multipliers(), system.zero_velocity());
        let (mut noise, mut squares) = (Noise::new(1), vec![0.0; rows]);
        for _ in 0..SIGNS {
            for index in 0..system.dof() {
                turned.set_component(index, noise.number().signum() * self.at.v.component(index));
            }
            system.jacobian_times(jacobian, &turned, &mut out);
            for (row, square) in squares.iter_mut().enumerate() {
                *square += out.component(row).powi(2);
            }
        }
        squares.into_iter().map(|square: f64| (square / SIGNS as f64).sqrt()).collect()
    }

    /// Compares B v + b and the curvature terms.
    fn constraints(&self) -> Option<Disagreement> {
        let (system, NearbyState { t, q, v, .. }) = (self.system, self.at);
        let rows = system.constraint_rows();
        if rows == 0 {
            return None;
        }
        let components = |row: &M::Multipliers| (0..rows).map(|index| row.component(index)).collect::<Vec<f64>>();
        let rates = |t: f64, q: &M::Configuration| {
            let (mut jacobian, mut drift, mut rates) =
                (system.zero_jacobian(), system.zero_multipliers(), system.zero_multipliers());
            system.constraint_jacobian(t, q, &mut jacobian);
            system.constraint_drift(t, q, &mut drift);
            system.jacobian_times(&jacobian, v, &mut rates);
            rates.axpy(1.0, &drift);
            (jacobian, components(&rates))
        };
        let (jacobian, here) = rates(*t, q);
        let sizes = self.sizes(&jacobian);
        let holonomic = system.holonomic_rows();
        let residuals = |step: f64| {
            let (t, q, _) = moved_along(system, (*t, q, v), step);
            let mut out = system.zero_multipliers();
            system.constraint(t, &q, &mut out);
            Some(components(&out))
        };
        let residuals = derivatives(self.step(), &residuals)?;
        let wrong = |declared: &Derivative, generated: f64, size: f64| {
            declared.excludes(generated, ERRORS, TOLERANCE * size.max(generated.abs()).max(declared.value.abs()))
        };
        let checked_state = |row: usize, what, declared: &Derivative, generated: f64| {
            let of = system.description().row(row);
            Disagreement {
                functions: vec![of.constraint],
                element: of.element,
                component: of.row,
                what,
                declared: declared.value,
                generated,
            }
        };
        let mut found = (0..holonomic).filter(|&row| wrong(&residuals[row], here[row], sizes[row]));
        if let Some(row) = found.next() {
            return Some(checked_state(row, ComparedQuantity::ConstraintRate, &residuals[row], here[row]));
        }
        let moved = |step: f64| {
            let (t, q, _) = moved_along(system, (*t, q, v), step);
            Some(rates(t, &q).1)
        };
        let moved = derivatives(self.step(), &moved)?;
        let mut out = system.zero_multipliers();
        system.constraint_curvature(*t, q, v, &mut out);
        let curvature = components(&out);
        // The curvature may vanish while its terms do not: in the time in which v moves by 1, B v changes by its own
        // size.
        let speed = v.max_norm().max(1.0);
        let mut found = (0..rows).filter(|&row| wrong(&moved[row], curvature[row], sizes[row] * speed));
        found.next().map(|row| checked_state(row, ComparedQuantity::ConstraintCurvature, &moved[row], curvature[row]))
    }
}
