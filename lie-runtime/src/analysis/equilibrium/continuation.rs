//! Arc-length continuation of equilibria through limit points and bifurcations.

use crate::analysis::continuation_settings::{ContinuationSettings, course_settings};
use crate::analysis::curve::follow;
use crate::analysis::equilibrium::Equilibrium;
use crate::analysis::equilibrium::branch::{Branch, BranchPoint, SpecialPoint};
use crate::analysis::equilibrium::error::EquilibriumError;
use crate::analysis::equilibrium::path::{BranchDirection, BranchPath};
use crate::analysis::equilibrium::residual::StaticResidual;
use crate::analysis::equilibrium::tangent::FactorisedTangent;
use crate::analysis::parameter_family::ParameterFamily;
use crate::analysis::unfinished::BranchError;
use crate::group::TangentVector;
use crate::system::{Linearised, MechanicalSystem};

/// A continuation of the equilibria of a [`ParameterFamily`] of systems over its parameter.
///
/// Points are found by pseudo-arclength continuation (H. B. Keller 1977): a step along the tangent of the branch, then Newton's iteration
/// in the orthogonal plane. Its unknowns are (q, λ) and the parameter, so that the load can have limit points. A change of the number of
/// unstable directions between two points indicates a bifurcation, and a change of the direction of the parameter indicates a limit point.
/// The point is then located.
///
/// Auxiliary states are unknowns with the equations z' = 0, and the arc length contains their changes relative to 1 + |z|. The observed
/// eigenvalues then show limit points and bifurcations. An oscillation that starts to grow is not detected; check it with
/// [`Linearisation`](crate::analysis::Linearisation).
///
/// The step is reduced at large curvature or without convergence. Two changes within one step are not detected; use a smaller `.step(…)`
/// for them.
///
/// ```
/// # use lie_runtime::prelude::*;
/// # #[mechanical_system]
/// # pub mod column {
/// #     #[configuration]
/// #     pub struct Joint { pub angle: f64 }
/// #     #[parameters]
/// #     pub struct Strut { pub stiffness: f64, pub load: f64 }
/// #     #[kinetic_energy]
/// #     fn kinetic(v: &Velocity) -> f64 { 0.5 * v.angle * v.angle }
/// #     #[potential]
/// #     fn loads(strut: &Strut, q: &Joint) -> f64 {
/// #         0.5 * strut.stiffness * q.angle * q.angle + strut.load * q.angle.cos()
/// #     }
/// # }
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// use lie_runtime::analysis::{Continuation, SpecialKind, parameter};
///
/// // A rigid column of length 1 on a joint with a spring of stiffness 2: it buckles at the load 2.
/// let system = column::System::new(column::Strut { stiffness: 2.0, load: 0.0 })?;
/// let upright = column::Joint { angle: 0.0 };
/// let straight =
///     Continuation::of(parameter(&system, "load")).guess(0.0, upright).parameter_end(3.0).step(0.1).run()?;
/// let buckling = straight.of_kind(SpecialKind::Bifurcation).next().ok_or("it buckles")?;
/// assert!((buckling.parameter - 2.0).abs() < 1e-9);
///
/// // Where it has buckled, load and angle belong together: load sin(angle) = 2 angle.
/// let buckled =
///     Continuation::of(parameter(&system, "load")).branch_from(buckling, 1.0).parameter_end(3.0).step(0.1).run()?;
/// for point in &buckled.points[1..] {
///     let angle = point.state.configuration.angle;
///     assert!((point.parameter * angle.sin() - 2.0 * angle).abs() < 1e-9 && point.unstable == 0);
/// }
/// # Ok(())
/// # }
/// ```
#[doc(alias = "arc-length continuation")]
#[doc(alias = "bifurcation diagram")]
#[doc(alias = "buckling")]
pub struct Continuation<'a, F: ParameterFamily> {
    family: F,
    start: Option<BranchStart<'a, F::System>>,
    states: Option<<F::System as MechanicalSystem>::Velocity>,
    course: ContinuationSettings,
    time: f64,
}

enum BranchStart<'a, M: MechanicalSystem> {
    At(f64, M::Configuration),
    From(&'a SpecialPoint<M>, f64),
}

impl<'a, F: ParameterFamily<System: Linearised<Scalar = f64>>> Continuation<'a, F> {
    /// Creates a continuation of these systems: a closure, [`parameter`](crate::analysis::parameter) or [`input`](crate::analysis::input).
    pub fn of(family: F) -> Self {
        Continuation { family, start: None, states: None, course: ContinuationSettings::default(), time: 0.0 }
    }

    /// Sets the initial value of the parameter and the configuration `q` that starts the search for the first equilibrium.
    #[must_use]
    pub fn guess(mut self, parameter: f64, q: <F::System as MechanicalSystem>::Configuration) -> Self {
        self.start = Some(BranchStart::At(parameter, q));
        self
    }

    /// Sets the values of the auxiliary states that start the search for the first equilibrium to the states of this velocity, zero by
    /// default. The other components are not used.
    #[must_use]
    pub fn guess_states(mut self, v: impl Into<<F::System as MechanicalSystem>::Velocity>) -> Self {
        self.states = Some(v.into());
        self
    }

    /// Selects the branch that crosses at a bifurcation. It starts along the direction without stiffness with the sign of `sign`.
    #[must_use]
    pub fn branch_from(mut self, bifurcation: &'a SpecialPoint<F::System>, sign: f64) -> Self {
        self.start = Some(BranchStart::From(bifurcation, sign));
        self
    }

    course_settings!();

    /// Sets the time of time-dependent loads and constraints, 0 by default.
    #[must_use]
    pub fn at_time(mut self, time: f64) -> Self {
        self.time = time;
        self
    }

    /// Follows the branch.
    ///
    /// # Errors
    /// [`BranchError`] with the branch so far: if there is no initial equilibrium, the continuation fails, or the branch ends before
    /// [`parameter_end`](Self::parameter_end).
    pub fn run(self) -> BranchResult<F::System> {
        let unfinished = |error, (points, special)| Box::new(BranchError { error, branch: Branch { points, special } });
        match self.followed() {
            Ok(Ok((points, special))) => Ok(Branch { points, special }),
            Ok(Err((error, found))) => Err(unfinished(error, found)),
            Err(error) => Err(unfinished(error, (Vec::new(), Vec::new()))),
        }
    }

    /// The points found so far, if there is an initial equilibrium.
    fn followed(mut self) -> Result<FollowedBranch<F>, EquilibriumError> {
        let Some(start) = self.start.take() else { return Err(EquilibriumError::NoStart) };
        let from = match &start {
            BranchStart::At(parameter, _) => *parameter,
            BranchStart::From(special, _) => special.parameter,
        };
        let extent = self.course.from(from).map_err(|(option, value)| EquilibriumError::Setting { option, value })?;
        let system = system_at(&self.family, from)?;
        let mut path = BranchPath {
            family: &self.family,
            range: extent.range(),
            count: system.dof().max(1) as f64,
            units: Vec::new(),
            tangent: FactorisedTangent::of(&system),
            residual: StaticResidual::of(&system),
            push: StaticResidual::of(&system),
        };
        let mut direction;
        let here = match start {
            BranchStart::At(_, q) => {
                let mut search = Equilibrium::of(&system).at_time(self.time).guess(q);
                if let Some(states) = self.states.take() {
                    search = search.guess_states(states);
                }
                let found = search.solve()?;
                direction = BranchDirection::of(&system);
                direction.parameter = extent.to - from;
                path.point(&system, from, found.state, &mut direction)?
            }
            BranchStart::From(special, sign) => {
                direction = BranchDirection::of(&system);
                path.set_units(&system, &special.state);
                direction.motion.assign(&special.direction);
                let length = path.length(&direction) * if sign < 0.0 { -1.0 } else { 1.0 };
                direction.motion.scale(1.0 / length);
                BranchPoint {
                    parameter: from,
                    state: special.state.clone(),
                    length: 0.0,
                    lowest: vec![0.0],
                    unstable: 0,
                }
            }
        };
        let is_regular = here.lowest.first() != Some(&0.0);
        Ok(follow(&mut path, (here, direction), is_regular, &extent))
    }
}

/// A branch, or the reason for its early end.
type BranchResult<M> = Result<Branch<M>, Box<BranchError<Branch<M>, EquilibriumError>>>;
/// Points and special points.
type BranchPoints<F> =
    (Vec<BranchPoint<<F as ParameterFamily>::System>>, Vec<SpecialPoint<<F as ParameterFamily>::System>>);
/// The points and special points, and the error if the target was not reached.
type FollowedBranch<F> = Result<BranchPoints<F>, (EquilibriumError, BranchPoints<F>)>;

/// Returns a system of the family.
fn system_at<F: ParameterFamily>(family: &F, value: f64) -> Result<F::System, EquilibriumError> {
    family.at(value).map_err(|error| EquilibriumError::Family { value, error })
}
