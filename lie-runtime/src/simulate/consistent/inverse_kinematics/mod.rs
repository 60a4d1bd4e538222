//! Inverse kinematics: a configuration for given target poses.

mod error;
mod limits;
mod search;

use core::fmt;

use nalgebra::SVector;

use crate::system::{MechanicalSystem, Report};
pub use error::InverseKinematicsError;
use limits::LimitSpec;

/// Residuals of a configuration, or their rates along a velocity.
type Residuals<'a, M> = Box<dyn Fn(&<M as MechanicalSystem>::Configuration) -> Vec<f64> + 'a>;
type Rates<'a, M> =
    Box<dyn Fn(&<M as MechanicalSystem>::Configuration, &<M as MechanicalSystem>::Velocity) -> Vec<f64> + 'a>;

/// A target of a search.
struct Target<'a, M: MechanicalSystem> {
    residual: Residuals<'a, M>,
    rate: Rates<'a, M>,
    /// None for a target that is reached.
    weight: Option<f64>,
}

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
/// A [`weighted_target`](Self::weighted_target) is approached, not reached: the sum of the squares of all weighted residuals is minimal among
/// the configurations that satisfy constraints, limits and the other targets.
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
    targets: Vec<Target<'a, M>>,
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
        self,
        residual: impl Fn(&M::Configuration) -> SVector<f64, R> + 'a,
        rate: impl Fn(&M::Configuration, &M::Velocity) -> SVector<f64, R> + 'a,
    ) -> Self {
        self.with_target(None, residual, rate)
    }

    /// Adds a target that is approached: the search minimises the sum of w |r|² over all weighted targets with the weights w and the
    /// residuals r. Residuals of different units need weights that make them comparable.
    ///
    /// ```
    /// # use lie_runtime::prelude::*;
    /// # use lie_runtime::simulate::InverseKinematics;
    /// # #[mechanical_system]
    /// # mod slider {
    /// #     #[configuration] pub struct Position { pub x: f64 }
    /// #     #[kinetic_energy] fn kinetic(v: &Velocity) -> f64 { 0.5 * v.x * v.x }
    /// # }
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # let system = slider::System::new()?;
    /// // x = 1 with the weight 3, x = 2 with the weight 1: the mean is 5/4.
    /// let to = |goal: f64| move |q: &slider::Position| Vector1::new(q.x - goal);
    /// let rate = |_: &slider::Position, v: &Vector1<f64>| *v;
    /// let q = InverseKinematics::of(&system)
    ///     .weighted_target(3.0, to(1.0), rate)
    ///     .weighted_target(1.0, to(2.0), rate)
    ///     .guess(&slider::Position { x: 0.0 })
    ///     .solve()?;
    /// assert!((q.x - 1.25).abs() < 1e-9);
    /// # Ok(())
    /// # }
    /// ```
    #[must_use]
    pub fn weighted_target<const R: usize>(
        self,
        weight: f64,
        residual: impl Fn(&M::Configuration) -> SVector<f64, R> + 'a,
        rate: impl Fn(&M::Configuration, &M::Velocity) -> SVector<f64, R> + 'a,
    ) -> Self {
        self.with_target(Some(weight), residual, rate)
    }

    fn with_target<const R: usize>(
        mut self,
        weight: Option<f64>,
        residual: impl Fn(&M::Configuration) -> SVector<f64, R> + 'a,
        rate: impl Fn(&M::Configuration, &M::Velocity) -> SVector<f64, R> + 'a,
    ) -> Self {
        let residual = move |q: &M::Configuration| residual(q).as_slice().to_vec();
        let rate = move |q: &M::Configuration, v: &M::Velocity| rate(q, v).as_slice().to_vec();
        self.targets.push(Target { residual: Box::new(residual), rate: Box::new(rate), weight });
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
}
