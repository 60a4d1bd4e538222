//! The search: damped Gauss-Newton steps.

use core::f64::consts::{PI, TAU};

use super::limits::LimitedComponents;
use super::{InverseKinematics, InverseKinematicsError, Target};
use crate::group::TangentVector;
use crate::simulate::consistent::closure::{Closure, DAMPING, FixedMembers, MET, TargetRow};
use crate::simulate::setup::SetupError;
use crate::space::ConfigurationSpace;
use crate::system::{KktError, MechanicalSystem};

/// Maximum number of Gauss-Newton iterations.
const MAXIMUM_ITERATIONS: usize = 100;
/// Maximum number of bisections of a step that increases the residual.
const MAXIMUM_HALVINGS: usize = 12;
/// Corrections below this size are round-off.
const NEGLIGIBLE: f64 = 1e-13;
/// The last step of a search with weighted targets is smaller.
const STATIONARY: f64 = 1e-7;

/// The buffers of a search.
struct InverseKinematicsWorkspace<M: MechanicalSystem> {
    mass: M::Mass,
    jacobian: M::Jacobian,
    constraint: M::Multipliers,
    closure: Closure<M>,
    correction: M::Velocity,
    rows: Vec<TargetRow<M>>,
    /// The factor of the violation of exact equations in the measure of progress. It exceeds the norm of their multipliers, so that the
    /// measure has its minimum where the equations are satisfied.
    penalty: f64,
}

impl<M: MechanicalSystem<Scalar = f64>> InverseKinematics<'_, M> {
    /// Computes the configuration closest to the guess.
    ///
    /// # Errors
    /// [`InverseKinematicsError`].
    pub fn solve(&self) -> Result<M::Configuration, InverseKinematicsError> {
        let guess = self.guess.as_ref().ok_or(InverseKinematicsError::NoGuess)?;
        let system = self.system;
        let held = FixedMembers::of(&self.held, system)
            .map_err(|name| InverseKinematicsError::Setup(SetupError::unknown_member(name, system.description())))?;
        if system.space().check(guess).is_err() || !system.space().is_finite(guess) {
            return Err(InverseKinematicsError::Failed(KktError::NotFinite));
        }
        let has_weights = self.check_weights()?;
        let mut limited = LimitedComponents::of(&self.limits, system, &held, guess)?;
        let rows = self.targets.iter().flat_map(|target| {
            let count = (target.residual)(guess).len();
            let row = || TargetRow { row: system.zero_velocity(), required: 0.0, weight: target.weight.unwrap_or(0.0) };
            (0..count).map(move |_| row())
        });
        let rows: Vec<TargetRow<M>> = rows.collect();
        let mut search = InverseKinematicsWorkspace::<M> {
            mass: system.zero_mass(),
            jacobian: system.zero_jacobian(),
            constraint: system.zero_multipliers(),
            closure: Closure::reaching(system, held, rows.len()),
            correction: system.zero_velocity(),
            rows,
            penalty: 1.0,
        };
        let (mut q, mut trial) = (guess.clone(), guess.clone());
        limited.enter(&mut search.correction);
        system.space().compose_exp(guess, &search.correction, &mut q);
        let mut last = f64::INFINITY;
        for _ in 0..MAXIMUM_ITERATIONS {
            self.correct_within(&q, &mut limited, &mut search)?;
            let size = search.correction.max_norm();
            // Damped steps that become smaller approach a minimum; less damping makes it faster.
            if size < 0.5 * last {
                search.closure.damping = DAMPING.max(0.25 * search.closure.damping);
            }
            last = size;
            if size <= NEGLIGIBLE {
                break;
            }
            let missed = self.missed(&q, &mut search);
            let mut is_smaller = false;
            for _ in 0..=MAXIMUM_HALVINGS {
                system.space().compose_exp(&q, &search.correction, &mut trial);
                if self.missed(&trial, &mut search) < missed {
                    is_smaller = true;
                    break;
                }
                if has_weights {
                    search.closure.damping *= 8.0;
                    self.correct_within(&q, &mut limited, &mut search)?;
                } else {
                    search.correction.scale(0.5);
                }
            }
            if !is_smaller {
                break;
            }
            core::mem::swap(&mut q, &mut trial);
            limited.advance(&search.correction);
        }
        self.check(&q, &limited, &mut search)?;
        if has_weights && last > STATIONARY {
            return Err(InverseKinematicsError::NotStationary { step: last });
        }
        Ok(self.closest_revolution(q, &limited, &mut search))
    }

    /// Computes the minimal step that satisfies all equations and leaves no limit.
    fn correct_within(
        &self,
        q: &M::Configuration,
        limited: &mut LimitedComponents,
        search: &mut InverseKinematicsWorkspace<M>,
    ) -> Result<(), InverseKinematicsError> {
        let fixed = search.closure.held.clone();
        let result = loop {
            if let Err(error) = self.correct(q, search) {
                break Err(error);
            }
            // A step that would leave an active limit is computed again without the component.
            let leaving = limited.leaving(&search.correction);
            if leaving.is_empty() {
                search.correction.scale(limited.admissible_part(&search.correction));
                break Ok(());
            }
            search.closure.fix(self.system, &leaving);
        };
        search.closure.release_to(self.system, fixed);
        result
    }

    /// Removes full revolutions from angles of type `f64` if all targets and constraints permit it.
    fn closest_revolution(
        &self,
        mut q: M::Configuration,
        limited: &LimitedComponents,
        search: &mut InverseKinematicsWorkspace<M>,
    ) -> M::Configuration {
        let Some(guess) = &self.guess else { return q };
        let system = self.system;
        let mut difference = system.zero_velocity();
        system.space().log_difference(guess, &q, &mut difference);
        let far: Vec<(usize, f64)> = (0..system.dof())
            .map(|component| (component, difference.component(component)))
            .filter(|(component, change)| change.is_finite() && change.abs() > PI && !search.closure.holds(*component))
            .map(|(component, change)| (component, -TAU * (change / TAU).round()))
            .filter(|&(component, shift)| shift != 0.0 && limited.admits(component, shift))
            .collect();
        if far.is_empty() {
            return q;
        }
        // Coupled angles are shifted together, other angles one by one.
        let each = far.iter().map(core::slice::from_ref);
        let mut trial = q.clone();
        for shifts in core::iter::once(far.as_slice()).chain(each) {
            let mut all = system.zero_velocity();
            for &(component, shift) in shifts {
                all.set_component(component, shift);
            }
            system.space().compose_exp(&q, &all, &mut trial);
            if self.check(&trial, limited, search).is_ok() {
                core::mem::swap(&mut q, &mut trial);
                if shifts.len() == far.len() {
                    break;
                }
            }
        }
        q
    }

    /// Returns true if there are weighted targets.
    fn check_weights(&self) -> Result<bool, InverseKinematicsError> {
        let weights = || self.targets.iter().enumerate().filter_map(|(at, target)| Some((at, target.weight?)));
        match weights().find(|(_, weight)| !(*weight > 0.0 && weight.is_finite())) {
            Some((target, weight)) => Err(InverseKinematicsError::Weight { target, weight }),
            None => Ok(weights().next().is_some()),
        }
    }

    fn residuals(&self, q: &M::Configuration) -> Vec<f64> {
        self.targets.iter().flat_map(|target| (target.residual)(q)).collect()
    }

    /// Returns the measure of progress: half of the weighted sum of squares, and the norm of all residuals without a weight.
    fn missed(&self, q: &M::Configuration, search: &mut InverseKinematicsWorkspace<M>) -> f64 {
        self.system.constraint(self.time, q, &mut search.constraint);
        let rows = (0..self.system.holonomic_rows()).map(|row| search.constraint.component(row));
        let mut exact = rows.map(|residual| residual * residual).sum::<f64>();
        let mut weighted = 0.0;
        for target in &self.targets {
            let squares = (target.residual)(q).iter().map(|residual| residual * residual).sum::<f64>();
            match target.weight {
                Some(weight) => weighted += 0.5 * weight * squares,
                None => exact += squares,
            }
        }
        weighted + search.penalty * exact.sqrt()
    }

    /// Computes the minimal step that satisfies all equations.
    fn correct(
        &self,
        q: &M::Configuration,
        search: &mut InverseKinematicsWorkspace<M>,
    ) -> Result<(), InverseKinematicsError> {
        let (system, t) = (self.system, self.time);
        let InverseKinematicsWorkspace { mass, jacobian, constraint, closure, correction, rows, penalty } = search;
        system.mass(t, q, mass).map_err(InverseKinematicsError::Failed)?;
        system.constraint_jacobian(t, q, jacobian);
        system.constraint(t, q, constraint);
        constraint.scale(-1.0);
        for (row, residual) in rows.iter_mut().zip(self.residuals(q)) {
            row.required = -residual;
        }
        let mut unit = system.zero_velocity();
        for component in 0..system.dof() {
            unit.fill(0.0);
            unit.set_component(component, 1.0);
            // Time-dependent residuals also have a rate at zero velocity, which is subtracted.
            let slopes = self.targets.iter().flat_map(|Target { rate, .. }| {
                let at_rest = rate(q, &system.zero_velocity());
                rate(q, &unit).into_iter().zip(at_rest).map(|(rate, at_rest)| rate - at_rest)
            });
            for (target, slope) in rows.iter_mut().zip(slopes) {
                target.row.set_component(component, slope);
            }
        }
        let multipliers = closure.correct(system, mass, jacobian, constraint, rows, correction);
        *penalty = penalty.max(2.0 * multipliers);
        if correction.all_finite() { Ok(()) } else { Err(InverseKinematicsError::Failed(KktError::NotFinite)) }
    }

    /// Returns an error for the first unsatisfied target or constraint.
    fn check(
        &self,
        q: &M::Configuration,
        limited: &LimitedComponents,
        search: &mut InverseKinematicsWorkspace<M>,
    ) -> Result<(), InverseKinematicsError> {
        self.system.constraint(self.time, q, &mut search.constraint);
        let held = || search.closure.held.names.clone();
        let mut rows = search.rows.iter();
        for (target, Target { residual, weight, .. }) in self.targets.iter().enumerate() {
            let residual = residual(q);
            let lengths: Vec<f64> =
                rows.by_ref().take(residual.len()).map(|target| target.row.dot(&target.row).sqrt()).collect();
            let is_met = weight.is_some()
                || residual.iter().zip(lengths).all(|(residual, length)| residual.abs() <= MET * length.max(1.0));
            if !is_met {
                let missed = residual.iter().map(|residual| residual * residual).sum::<f64>().sqrt();
                return Err(InverseKinematicsError::OutOfReach {
                    target,
                    missed,
                    held: held(),
                    limited: limited.active(),
                });
            }
        }
        match search.closure.missed(&search.constraint, 1.0) {
            Some(row) => Err(InverseKinematicsError::NoClosure {
                row: self.system.description().row(row),
                residual: search.constraint.component(row),
                held: held(),
                limited: limited.active(),
            }),
            None => Ok(()),
        }
    }
}
