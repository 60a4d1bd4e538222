//! A branch of equilibria followed by its arc length, round limit points and past bifurcations.

use super::branch::{Branch, BranchPoint, SpecialKind, SpecialPoint};
use super::equilibrium::{Equilibrium, Residual, explain};
use super::error::EquilibriumError;
use super::family::Family;
use super::tangent::{StaticPoint, Tangent};
use crate::group::TangentVector;
use crate::integrator::State;
use crate::space::ConfigurationSpace;
use crate::system::{Linearised, MechanicalSystem, SaddleError};

/// Eigenvalues that are looked at.
const WATCHED: usize = 6;
/// Corrections after a prediction, before the step is made shorter.
const CORRECTIONS: usize = 10;
/// The part of the step under which a branch is given up.
const SHORTEST: f64 = 1e-5;
/// The cosine of the angle by which a branch may turn in a step.
const TURN: f64 = 0.9;
/// How far beside a special point, in parts of a step, it is looked at where its linear system has no solution.
const NUDGE: f64 = 1e-9;
/// Evaluations for a special point.
const LOCATING: usize = 40;

/// The branch of equilibria of a [`Family`] of systems, from one value of its parameter on.
///
/// Points are found by pseudo-arclength continuation (H. B. Keller 1977): a step along the tangent of the branch, then Newton's
/// iteration in the plane across it, for (q, λ) and the parameter together, so that the load may have limits. Between two points
/// a change in the number of unstable directions, or in the direction of the parameter, tells of a bifurcation or a limit
/// point, which is then located.
///
/// A step that bends too much or does not converge is made shorter. What changes twice within a step is not seen: look
/// with a smaller `.step(…)`.
///
/// ```
/// # use lie_runtime::prelude::*;
/// # #[mechanical_system]
/// # pub mod column {
/// #     use lie_runtime::prelude::*;
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
///     Continuation::of(parameter(&system, "load")).starting_at(0.0, upright).towards(3.0).step(0.1).run()?;
/// let buckling = straight.of_kind(SpecialKind::Bifurcation).next().ok_or("it buckles")?;
/// assert!((buckling.parameter - 2.0).abs() < 1e-9);
///
/// // Where it has buckled, load and angle belong together: load sin(angle) = 2 angle.
/// let buckled =
///     Continuation::of(parameter(&system, "load")).branching_from(buckling, 1.0).towards(3.0).step(0.1).run()?;
/// for point in &buckled.points[1..] {
///     let angle = point.state.configuration.angle;
///     assert!((point.parameter * angle.sin() - 2.0 * angle).abs() < 1e-9 && point.unstable == 0);
/// }
/// # Ok(())
/// # }
/// ```
pub struct Continuation<'a, F: Family> {
    family: F,
    start: Option<Start<'a, F::System>>,
    to: Option<f64>,
    step: f64,
    points: usize,
    time: f64,
}

enum Start<'a, M: MechanicalSystem> {
    At(f64, M::Configuration),
    From(&'a SpecialPoint<M>, f64),
}

impl<'a, F: Family<System: Linearised<Scalar = f64>>> Continuation<'a, F> {
    /// Of these systems: a closure, [`parameter`](super::parameter) or [`input`](super::input).
    pub fn of(family: F) -> Self {
        Continuation { family, start: None, to: None, step: 0.05, points: 1000, time: 0.0 }
    }

    /// The branch begins at this value of the parameter, at the equilibrium that is found from `q`.
    #[must_use]
    pub fn starting_at(mut self, parameter: f64, q: <F::System as MechanicalSystem>::Configuration) -> Self {
        self.start = Some(Start::At(parameter, q));
        self
    }

    /// The branch is the one that crosses at a bifurcation; it leaves along the direction without stiffness, with the sign of
    /// `sign`.
    #[must_use]
    pub fn branching_from(mut self, bifurcation: &'a SpecialPoint<F::System>, sign: f64) -> Self {
        self.start = Some(Start::From(bifurcation, sign));
        self
    }

    /// The branch ends where it reaches this value, of the point after it; and where it comes back beyond the value it began
    /// with, by as much as lies between the two.
    #[must_use]
    pub fn towards(mut self, parameter: f64) -> Self {
        self.to = Some(parameter);
        self
    }

    /// The longest step: a part of the range of the parameter where the system does not move, the root of the mean square of
    /// its components where the parameter does not; 0.05 unless something is said.
    #[must_use]
    pub fn step(mut self, length: f64) -> Self {
        self.step = length;
        self
    }

    /// Ends after so many points; 1000 unless something is said.
    #[must_use]
    pub fn points(mut self, most: usize) -> Self {
        self.points = most;
        self
    }

    /// The time of loads and constraints that depend on it; zero unless something is said.
    #[must_use]
    pub fn at_time(mut self, time: f64) -> Self {
        self.time = time;
        self
    }

    /// Follows the branch.
    ///
    /// # Errors
    /// [`EquilibriumError`] if there is no equilibrium to begin with, or the branch cannot be followed on.
    pub fn run(mut self) -> Result<Branch<F::System>, EquilibriumError> {
        if !(self.step > 0.0 && self.step.is_finite()) {
            return Err(EquilibriumError::Setting { option: "step", value: self.step });
        }
        let Some(start) = self.start.take() else { return Err(EquilibriumError::NoStart) };
        let from = match &start {
            Start::At(parameter, _) => *parameter,
            Start::From(special, _) => special.parameter,
        };
        let to = self.to.unwrap_or(from + 1.0);
        let range = (to - from).abs();
        if !(range > 0.0 && range.is_finite()) {
            return Err(EquilibriumError::Setting { option: "towards", value: to });
        }
        let system = system_at(&self.family, from)?;
        let mut path = Path {
            family: &self.family,
            range,
            count: system.dof().max(1) as f64,
            tangent: Tangent::of(&system),
            residual: Residual::of(&system),
            push: Residual::of(&system),
        };
        let mut direction;
        let mut here = match start {
            Start::At(_, q) => {
                let found = Equilibrium::of(&system).at_time(self.time).starting_at(q).solve()?;
                direction = Direction::of(&system);
                direction.parameter = to - from;
                path.point(&system, from, found.state, &mut direction)?
            }
            Start::From(special, sign) => {
                direction = Direction::of(&system);
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
        let mut branch = Branch { points: Vec::new(), special: Vec::new() };
        let mut is_regular = here.lowest.first() != Some(&0.0);
        let mut step = self.step;
        let is_beyond = |parameter: f64| {
            let share = (parameter - from) / (to - from);
            !(-1.0..1.0).contains(&share)
        };
        while branch.points.len() + 1 < self.points && !is_beyond(here.parameter) {
            let (next, ahead) = loop {
                match path.step(&here, &direction, step) {
                    Ok((next, ahead, corrections)) => {
                        let turns = is_regular && path.cosine(&direction, &ahead).abs() < TURN;
                        if !turns {
                            let factor = if corrections <= 5 { 1.5 } else { 1.0 };
                            step = (factor * step).min(self.step);
                            break (next, ahead);
                        }
                    }
                    Err(Lost::ForGood(error)) => return Err(error),
                    Err(Lost::ThisTime) => {}
                }
                step *= 0.5;
                if step < SHORTEST * self.step {
                    let points = branch.points.len() + 1;
                    return Err(EquilibriumError::Branch { parameter: here.parameter, step, points });
                }
            };
            if is_regular {
                let between = Between { after: branch.points.len(), here: &here, direction: &direction };
                branch.special.extend(path.locate(&between, &next, &ahead));
            }
            is_regular = true;
            branch.points.push(core::mem::replace(&mut here, next));
            direction = ahead;
        }
        branch.points.push(here);
        Ok(branch)
    }
}

/// A system of the family.
fn system_at<F: Family>(family: &F, value: f64) -> Result<F::System, EquilibriumError> {
    family.at(value).map_err(|error| EquilibriumError::Family { value, error })
}

/// A direction along the branch, of length one.
struct Direction<M: MechanicalSystem> {
    motion: M::Velocity,
    multipliers: M::Multipliers,
    parameter: f64,
}

impl<M: MechanicalSystem> Direction<M> {
    fn of(system: &M) -> Self {
        Direction { motion: system.zero_velocity(), multipliers: system.zero_multipliers(), parameter: 0.0 }
    }
}

/// Why a step has no result.
enum Lost {
    /// A shorter one may have.
    ThisTime,
    ForGood(EquilibriumError),
}

/// The point that a step led to, the tangent there, and how many corrections that took.
type Step<M> = (BranchPoint<M>, Direction<M>, usize);

/// Where a step begins.
struct Between<'a, M: MechanicalSystem> {
    after: usize,
    here: &'a BranchPoint<M>,
    direction: &'a Direction<M>,
}

struct Path<'f, F: Family<System: Linearised>> {
    family: &'f F,
    /// The unit of the parameter.
    range: f64,
    /// The number of components.
    count: f64,
    tangent: Tangent<F::System>,
    residual: Residual<F::System>,
    /// The residual of another value of the parameter.
    push: Residual<F::System>,
}

impl<F: Family<System: Linearised<Scalar = f64>>> Path<'_, F> {
    /// The inner product of the arc length.
    fn product(&self, one: &Direction<F::System>, other: &Direction<F::System>) -> f64 {
        one.motion.dot(&other.motion) / self.count + one.parameter * other.parameter / (self.range * self.range)
    }

    fn length(&self, direction: &Direction<F::System>) -> f64 {
        self.product(direction, direction).sqrt()
    }

    fn cosine(&self, one: &Direction<F::System>, other: &Direction<F::System>) -> f64 {
        self.product(one, other) / (self.length(one) * self.length(other))
    }

    /// The derivative of the residuals by the parameter, into `self.push`.
    ///
    /// It is a difference: where the branch runs follows from equilibria alone, which it does not enter.
    fn differentiate(&mut self, parameter: f64, state: &State<F::System>) -> Result<(), Lost> {
        let step = 1e-6 * self.range;
        let State { time, configuration: q, multipliers, .. } = state;
        let ends = [parameter + step, parameter - step].map(|value| self.family.at(value).ok());
        let [Some(beyond), Some(before)] = ends else { return Err(Lost::ThisTime) };
        if !self.push.evaluate(&beyond, *time, q, multipliers) {
            return Err(Lost::ThisTime);
        }
        let (balance, position) = (self.push.balance.clone(), self.push.position.clone());
        if !self.push.evaluate(&before, *time, q, multipliers) {
            return Err(Lost::ThisTime);
        }
        self.push.balance.axpy(-1.0, &balance);
        self.push.balance.scale(-0.5 / step);
        self.push.position.axpy(-1.0, &position);
        self.push.position.scale(-0.5 / step);
        Ok(())
    }

    /// ∂(q, λ)/∂p at a point whose linear system has been eliminated, with the derivative in `self.push`.
    fn slope(&mut self, system: &F::System) -> Direction<F::System> {
        let mut solution = (system.zero_velocity(), system.zero_multipliers());
        self.tangent.solve(system, &self.push.balance, &self.push.position, &mut solution);
        Direction { motion: solution.0, multipliers: solution.1, parameter: 1.0 }
    }

    /// The point of an equilibrium; `direction` becomes the tangent there that goes on along it.
    fn point(
        &mut self,
        system: &F::System,
        parameter: f64,
        state: State<F::System>,
        direction: &mut Direction<F::System>,
    ) -> Result<BranchPoint<F::System>, EquilibriumError> {
        let State { time, configuration: q, multipliers, .. } = &state;
        let point = StaticPoint { system, t: *time, q, multipliers };
        self.residual.evaluate(system, *time, q, multipliers);
        let failed = |error, residual: &_| explain(error, system, &state, residual, 0);
        self.tangent.factorise(&point).map_err(|error| failed(error, &self.residual))?;
        let lowest = self.tangent.lowest(&point, WATCHED).map_err(|error| failed(error.into(), &self.residual))?;
        self.differentiate(parameter, &state).map_err(|lost| match lost {
            Lost::ForGood(error) => error,
            Lost::ThisTime => failed(SaddleError::NotFinite.into(), &self.residual),
        })?;
        let mut slope = self.slope(system);
        let sign = if self.product(&slope, direction) < 0.0 { -1.0 } else { 1.0 };
        let factor = sign / self.length(&slope);
        slope.motion.scale(factor);
        slope.multipliers.scale(factor);
        slope.parameter *= factor;
        *direction = slope;
        let lowest: Vec<f64> = lowest.into_iter().map(|(value, _)| value).collect();
        let unstable = lowest.iter().filter(|value| **value < 0.0).count();
        Ok(BranchPoint { parameter, state, length: 0.0, lowest, unstable })
    }

    /// A step of that length: the point, the tangent there and the number of corrections.
    fn step(
        &mut self,
        here: &BranchPoint<F::System>,
        direction: &Direction<F::System>,
        length: f64,
    ) -> Result<Step<F::System>, Lost> {
        let mut parameter = here.parameter + length * direction.parameter;
        let mut system = self.family.at(parameter).map_err(|_| Lost::ThisTime)?;
        let mut state = here.state.clone();
        let mut motion = direction.motion.clone();
        motion.scale(length);
        system.space().compose_exp(&here.state.configuration, &motion, &mut state.configuration);
        state.multipliers.axpy(length, &direction.multipliers);
        let (mut previous, mut free) = (f64::INFINITY, Direction::of(&system));
        let (mut corrections, mut grown) = (0, 0);
        self.differentiate(parameter, &state)?;
        loop {
            let State { time, configuration: q, multipliers, .. } = &state;
            if !self.residual.evaluate(&system, *time, q, multipliers) {
                return Err(Lost::ThisTime);
            }
            let point = StaticPoint { system: &system, t: *time, q, multipliers };
            self.tangent.factorise(&point).map_err(|_| Lost::ThisTime)?;
            let mut solution = (free.motion, free.multipliers);
            self.tangent.solve(&system, &self.residual.balance, &self.residual.position, &mut solution);
            (free.motion, free.multipliers) = solution;
            free.parameter = 0.0;
            let slope = self.slope(&system);
            // Across the direction of the step.
            let change = -self.product(&free, direction) / self.product(&slope, direction);
            free.motion.axpy(change, &slope.motion);
            free.multipliers.axpy(change, &slope.multipliers);
            let size = free.motion.max_norm().max(change.abs() / self.range);
            let is_round_off = size > 0.25 * previous && size <= 1e-7;
            grown += usize::from(size > previous && !is_round_off);
            if !size.is_finite() || grown > 1 || corrections == CORRECTIONS {
                return Err(Lost::ThisTime);
            }
            let mut moved = state.configuration.clone();
            system.space().compose_exp(&state.configuration, &free.motion, &mut moved);
            system.space().renormalize(&mut moved);
            state.configuration = moved;
            state.multipliers.axpy(1.0, &free.multipliers);
            parameter += change;
            system = self.family.at(parameter).map_err(|_| Lost::ThisTime)?;
            corrections += 1;
            if size <= 1e-10 || is_round_off {
                break;
            }
            previous = size;
        }
        let mut ahead = Direction { parameter: direction.parameter, ..Direction::of(&system) };
        ahead.motion.assign(&direction.motion);
        let mut next = self.point(&system, parameter, state, &mut ahead).map_err(|error| match error {
            EquilibriumError::Loose { .. } => Lost::ThisTime,
            error => Lost::ForGood(error),
        })?;
        next.length = here.length + length;
        Ok((next, ahead, corrections))
    }

    /// What lies between two points.
    fn locate(
        &mut self,
        between: &Between<'_, F::System>,
        next: &BranchPoint<F::System>,
        ahead: &Direction<F::System>,
    ) -> Option<SpecialPoint<F::System>> {
        let (here, direction) = (between.here, between.direction);
        let kind = if direction.parameter * ahead.parameter < 0.0 {
            SpecialKind::Limit
        } else if here.unstable != next.unstable {
            SpecialKind::Bifurcation
        } else {
            return None;
        };
        // The eigenvalue that passes zero, by its place in their order.
        let number = here.unstable.min(next.unstable);
        let test = |point: &BranchPoint<F::System>, tangent: &Direction<F::System>| match kind {
            SpecialKind::Limit => tangent.parameter,
            SpecialKind::Bifurcation => {
                let mut values = point.lowest.clone();
                values.sort_by(f64::total_cmp);
                values.get(number).copied().unwrap_or(0.0)
            }
        };
        // Regula falsi, halving the value of an end that stays (the Illinois algorithm).
        let (mut low, mut high) = ((0.0, test(here, direction)), (next.length - here.length, test(next, ahead)));
        let whole = high.0;
        let mut found = None;
        for _ in 0..LOCATING {
            let length = (low.0 * high.1 - high.0 * low.1) / (high.1 - low.1);
            // A guess may hit the point itself, where nothing is to be solved; beside it there is.
            let mut beside = [0.0, NUDGE, 1e3 * NUDGE].into_iter();
            let attempt = beside.find_map(|nudge| self.step(here, direction, length + nudge * whole).ok());
            let Some((point, tangent, _)) = attempt else { break };
            let value = test(&point, &tangent);
            let is_low = (value > 0.0) == (low.1 > 0.0);
            let moved = if is_low { length - low.0 } else { high.0 - length };
            if is_low {
                (low, high.1) = ((length, value), 0.5 * high.1);
            } else {
                (high, low.1) = ((length, value), 0.5 * low.1);
            }
            found = Some(point);
            if value == 0.0 || moved.abs() < 1e-11 * whole || (high.0 - low.0).abs() < 1e-11 * whole {
                break;
            }
        }
        let point = found?;
        let system = self.family.at(point.parameter).ok()?;
        let State { time, configuration: q, multipliers, .. } = &point.state;
        let at = StaticPoint { system: &system, t: *time, q, multipliers };
        let (_, loose) = self.tangent.lowest(&at, 1).ok()?.into_iter().next()?;
        Some(SpecialPoint {
            kind,
            parameter: point.parameter,
            state: point.state,
            direction: loose,
            after: between.after,
        })
    }
}
