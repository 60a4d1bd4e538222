//! Inverse kinematics: a configuration for given target poses.

mod error;
mod limits;

use core::f64::consts::{PI, TAU};
use core::fmt;

use nalgebra::SVector;

use super::closure::{Closure, FixedMembers, MET};
use crate::group::TangentVector;
use crate::simulate::setup::SetupError;
use crate::space::ConfigurationSpace;
use crate::system::{KktError, MechanicalSystem, Report};
pub use error::InverseKinematicsError;
use limits::{LimitSpec, LimitedComponents};

/// Maximum number of Gauss-Newton iterations.
const MAXIMUM_ITERATIONS: usize = 100;
/// Maximum number of bisections of a step that increases the residual.
const MAXIMUM_HALVINGS: usize = 12;
/// Corrections below this size are round-off.
const NEGLIGIBLE: f64 = 1e-13;

/// Residuals of a configuration, or their rates along a velocity.
type Residuals<'a, M> = Box<dyn Fn(&<M as MechanicalSystem>::Configuration) -> Vec<f64> + 'a>;
type Rates<'a, M> =
    Box<dyn Fn(&<M as MechanicalSystem>::Configuration, &<M as MechanicalSystem>::Velocity) -> Vec<f64> + 'a>;

/// Computes the configuration closest to a guess that satisfies the constraints, the fixed members and the targets.
///
/// A target consists of a residual, which is a function of q, and the rate of the residual. The functions of a `#[quantity]` provide both.
/// For example, the tip of a robot with `#[quantity] fn tip(arm: &Arm, q: &Joints) -> Vector3<f64>`:
///
/// ```
/// # use lie_runtime::prelude::*;
/// # #[mechanical_system]
/// # mod arm {
/// #     #[configuration]
/// #     pub struct Joints { pub shoulder: f64, pub elbow: f64, pub wrist: f64 }
/// #     #[kinetic_energy]
/// #     fn kinetic(v: &Velocity) -> f64 { v.shoulder.powi(2) + 0.5 * v.elbow.powi(2) + 0.25 * v.wrist.powi(2) }
/// #     #[quantity]
/// #     pub fn tip(q: &Joints) -> Vector2<f64> {
/// #         let (a, b) = (q.shoulder, q.shoulder + q.elbow);
/// #         let c = b + q.wrist;
/// #         Vector2::new(a.cos() + b.cos() + 0.5 * c.cos(), a.sin() + b.sin() + 0.5 * c.sin())
/// #     }
/// # }
/// use lie_runtime::simulate::InverseKinematics;
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let system = arm::System::new()?;
/// let goal = Vector2::new(1.2, 0.8);
/// let guess = arm::Joints { shoulder: 0.3, elbow: 0.5, wrist: 0.2 };
/// let q = InverseKinematics::of(&system)
///     .fix(["wrist"])
///     .target(|q| arm::tip(q) - goal, |q, v| arm::tip_rate(q, &system.velocity(v)))
///     .guess(&guess).solve()?;
/// assert!((arm::tip(&q) - goal).norm() < 1e-12 && q.wrist == 0.2);
///
/// // The error of a target out of reach contains its distance.
/// let far = InverseKinematics::of(&system).target(|q| arm::tip(q) - goal * 3.0, |q, v| arm::tip_rate(q, &system.velocity(v)));
/// assert!(far.guess(&guess).solve().unwrap_err().to_string().starts_with("target 0 is not reached"));
/// # Ok(())
/// # }
/// ```
///
/// Steps are minimal in the metric of the mass matrix, so that heavy bodies move little. A target pose X for a pose x has the residual
/// `(goal.inverse() * x).log()`, and its rate is the rate of x. Rates need to be correct only at the target.
///
/// [`limits`](Self::limits) bound joints. A step ends at the first limit that it reaches, and the joint leaves its limit only if a later
/// step points back into the interval.
///
/// The first steps are long if the guess is distant from all solutions, and an angle of type `f64` may pass several revolutions. The
/// result contains each of these angles in the revolution closest to the guess. Another branch of the solution (elbow up or down) remains
/// possible. Use intermediate targets in this case, each with the previous configuration as its guess.
///
/// [`ConsistentVelocity`](crate::simulate::ConsistentVelocity) computes velocities in this configuration.
#[doc(alias("IK", "Placement", "pose", "joint limits"))]
pub struct InverseKinematics<'a, M: MechanicalSystem> {
    system: &'a M,
    time: f64,
    held: Vec<String>,
    targets: Vec<(Residuals<'a, M>, Rates<'a, M>)>,
    limits: Vec<LimitSpec<'a, M>>,
    guess: Option<M::Configuration>,
}

impl<M: MechanicalSystem> fmt::Debug for InverseKinematics<'_, M> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let InverseKinematics { time, held, targets, limits, .. } = self;
        let (targets, limits) = (targets.len(), limits.len());
        f.debug_struct("InverseKinematics")
            .field("time", time)
            .field("held", held)
            .field("targets", &targets)
            .field("limits", &limits)
            .finish()
    }
}

/// The buffers of a search.
struct InverseKinematicsWorkspace<M: MechanicalSystem> {
    mass: M::Mass,
    jacobian: M::Jacobian,
    constraint: M::Multipliers,
    closure: Closure<M>,
    correction: M::Velocity,
    /// The rows of the targets and their required values.
    rows: Vec<(M::Velocity, f64)>,
}

impl<'a, M: MechanicalSystem<Scalar = f64>> InverseKinematics<'a, M> {
    /// Creates a problem without targets, at the time 0.
    pub fn of(system: &'a M) -> Self {
        InverseKinematics { system, time: 0.0, held: Vec::new(), targets: Vec::new(), limits: Vec::new(), guess: None }
    }

    /// Sets the time of time-dependent constraints. Default: 0.
    #[must_use]
    pub fn at_time(mut self, time: f64) -> Self {
        self.time = time;
        self
    }

    /// Fixes these members at their values in the guess, with names as in [`fix_initial`](crate::simulate::Simulation::fix_initial).
    #[must_use]
    pub fn fix<N: Into<String>>(mut self, members: impl IntoIterator<Item = N>) -> Self {
        self.held.extend(members.into_iter().map(Into::into));
        self
    }

    /// Adds a target: a residual, and its rate along a velocity.
    #[must_use]
    pub fn target<const R: usize>(
        mut self,
        residual: impl Fn(&M::Configuration) -> SVector<f64, R> + 'a,
        rate: impl Fn(&M::Configuration, &M::Velocity) -> SVector<f64, R> + 'a,
    ) -> Self {
        let residual = move |q: &M::Configuration| residual(q).as_slice().to_vec();
        let rate = move |q: &M::Configuration, v: &M::Velocity| rate(q, v).as_slice().to_vec();
        self.targets.push((Box::new(residual), Box::new(rate)));
        self
    }

    /// Limits the coordinates of a member to the interval `[lower, upper]`: angles of type `f64` or `SO2` in radians, displacements, and
    /// vectors, each component with the same limits. The name is as for [`fix`](Self::fix). Use an infinite limit for a one-sided interval.
    ///
    /// A guess outside the limits is moved to the nearest limit. Limits do not apply to fixed members.
    ///
    /// ```
    /// # use lie_runtime::prelude::*;
    /// # use lie_runtime::simulate::InverseKinematics;
    /// # #[mechanical_system]
    /// # mod arm {
    /// #     #[configuration]
    /// #     pub struct Joints { pub shoulder: f64, pub elbow: f64, pub wrist: f64 }
    /// #     #[kinetic_energy]
    /// #     fn kinetic(v: &Velocity) -> f64 { v.shoulder.powi(2) + 0.5 * v.elbow.powi(2) + 0.25 * v.wrist.powi(2) }
    /// #     #[quantity]
    /// #     pub fn tip(q: &Joints) -> Vector2<f64> {
    /// #         let (a, b) = (q.shoulder, q.shoulder + q.elbow);
    /// #         let c = b + q.wrist;
    /// #         Vector2::new(a.cos() + b.cos() + 0.5 * c.cos(), a.sin() + b.sin() + 0.5 * c.sin())
    /// #     }
    /// # }
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # let system = arm::System::new()?;
    /// let goal = Vector2::new(1.2, 0.8);
    /// let q = InverseKinematics::of(&system)
    ///     .target(|q| arm::tip(q) - goal, |q, v| arm::tip_rate(q, &system.velocity(v)))
    ///     .limits("elbow", [0.0, 1.0])
    ///     .limits("wrist", [-2.0, 2.0])
    ///     .guess(&arm::Joints { shoulder: 0.3, elbow: 0.5, wrist: 0.2 })
    ///     .solve()?;
    /// assert!((arm::tip(&q) - goal).norm() < 1e-12 && q.elbow <= 1.0 && q.wrist <= 2.0);
    /// # Ok(())
    /// # }
    /// ```
    #[must_use]
    #[doc(alias = "joint limits")]
    pub fn limits(mut self, member: impl Into<String>, [lower, upper]: [f64; 2]) -> Self
    where
        M: Report,
    {
        self.limits.push(LimitSpec::new(self.system, member.into(), [lower, upper]));
        self
    }

    /// Sets the initial guess. Members that are fixed keep their values in the guess.
    #[must_use]
    pub fn guess(mut self, q: &M::Configuration) -> Self {
        self.guess = Some(q.clone());
        self
    }

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
        let mut limited = LimitedComponents::of(&self.limits, system, &held, guess)?;
        let count = self.residuals(guess).len();
        let mut search = InverseKinematicsWorkspace::<M> {
            mass: system.zero_mass(),
            jacobian: system.zero_jacobian(),
            constraint: system.zero_multipliers(),
            closure: Closure::reaching(system, held, count),
            correction: system.zero_velocity(),
            rows: (0..count).map(|_| (system.zero_velocity(), 0.0)).collect(),
        };
        let (mut q, mut trial) = (guess.clone(), guess.clone());
        limited.enter(&mut search.correction);
        system.space().compose_exp(guess, &search.correction, &mut q);
        let mut missed = self.missed(&q, &mut search);
        for _ in 0..MAXIMUM_ITERATIONS {
            self.correct_within(&q, &mut limited, &mut search)?;
            let size = search.correction.max_norm();
            if size <= NEGLIGIBLE {
                break;
            }
            let mut is_smaller = false;
            for _ in 0..=MAXIMUM_HALVINGS {
                system.space().compose_exp(&q, &search.correction, &mut trial);
                let left = self.missed(&trial, &mut search);
                if left < missed {
                    (missed, is_smaller) = (left, true);
                    break;
                }
                search.correction.scale(0.5);
            }
            if !is_smaller {
                break;
            }
            core::mem::swap(&mut q, &mut trial);
            limited.advance(&search.correction);
        }
        self.check(&q, &limited, &mut search)?;
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

    fn residuals(&self, q: &M::Configuration) -> Vec<f64> {
        self.targets.iter().flat_map(|(residual, _)| residual(q)).collect()
    }

    /// Returns the norm of all residuals.
    fn missed(&self, q: &M::Configuration, search: &mut InverseKinematicsWorkspace<M>) -> f64 {
        self.system.constraint(self.time, q, &mut search.constraint);
        let rows = (0..self.system.holonomic_rows()).map(|row| search.constraint.component(row));
        rows.chain(self.residuals(q)).map(|residual| residual * residual).sum::<f64>().sqrt()
    }

    /// Computes the minimal step that satisfies all equations.
    fn correct(
        &self,
        q: &M::Configuration,
        search: &mut InverseKinematicsWorkspace<M>,
    ) -> Result<(), InverseKinematicsError> {
        let (system, t) = (self.system, self.time);
        let InverseKinematicsWorkspace { mass, jacobian, constraint, closure, correction, rows } = search;
        system.mass(t, q, mass).map_err(InverseKinematicsError::Failed)?;
        system.constraint_jacobian(t, q, jacobian);
        system.constraint(t, q, constraint);
        constraint.scale(-1.0);
        for ((_, wanted), residual) in rows.iter_mut().zip(self.residuals(q)) {
            *wanted = -residual;
        }
        let mut unit = system.zero_velocity();
        for component in 0..system.dof() {
            unit.fill(0.0);
            unit.set_component(component, 1.0);
            // Time-dependent residuals also have a rate at zero velocity, which is subtracted.
            let slopes = self.targets.iter().flat_map(|(_, rate)| {
                let at_rest = rate(q, &system.zero_velocity());
                rate(q, &unit).into_iter().zip(at_rest).map(|(rate, at_rest)| rate - at_rest)
            });
            for ((row, _), slope) in rows.iter_mut().zip(slopes) {
                row.set_component(component, slope);
            }
        }
        closure.correct(system, mass, jacobian, constraint, rows, correction);
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
        for (target, (residual, _)) in self.targets.iter().enumerate() {
            let residual = residual(q);
            let lengths = rows.by_ref().take(residual.len()).map(|(row, _)| row.dot(row).sqrt());
            let is_met = residual.iter().zip(lengths).all(|(residual, length)| residual.abs() <= MET * length.max(1.0));
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
