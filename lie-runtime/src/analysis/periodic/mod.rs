//! Periodic orbits: shooting on the group, and orbital stability.

pub(super) mod branch;
pub(super) mod continuation;
pub(super) mod crossing;
pub(super) mod orbit;
pub(super) mod path;
pub(super) mod period_map;
pub(super) mod shooting;
pub(super) mod symmetries;

pub use branch::{OrbitBranch, OrbitPoint, SpecialOrbit};
pub use continuation::OrbitContinuation;
pub use orbit::{Orbit, OrbitError, SpecialOrbitKind};
pub use shooting::RunWithEvents;

use nalgebra::DVector;

use crate::analysis::periodic::period_map::{Guess, Round};
use crate::analysis::periodic::shooting::{Events, Shooting, shortest};
use crate::integrator::{HalfExplicit, Integrator};
use crate::system::TangentSystem;

/// The system, the first guess and the settings.
type OrbitSearch<'a, M, I> = (&'a M, Guess<M>, Shooting<'a, M, I>);

/// The maximum number of halvings of a correction.
const HALVINGS: i32 = 8;
/// The maximum number of iterations.
const MOST: usize = 30;
/// The number of steps per period.
const STEPS: usize = 400;

/// The search for a periodic orbit, (q(T), v(T)) = (q₀, v₀).
///
/// Newton's iteration on the group for q₀, v₀ and T uses the exact derivatives of the run ([sensitivities](crate::gradient)). For the
/// defect r = (log(q₀⁻¹ q(T)), v(T) − v₀), the monodromy Φ and the flow f = (v, v') in the same left-trivialised coordinates,
///
/// ```text
/// (Φ − 1) x + f(T) τ = −r,    f(0) · x = 0,    q₀ ← q₀ ∘ exp(x_q),    v₀ ← v₀ + x_v,    T ← T + τ.
/// ```
///
/// Motions that are periodic [up to symmetries](Self::modulo_symmetry) are relative periodic orbits, (q(T), v(T)) = G(s) (q₀, v₀) with the
/// flow G of the declared symmetries. G(−s) moves the end before the comparison, and s is an unknown like T.
///
/// The correction is the solution of least norm. Orbits of conservative systems form families; the search finds the orbit closest to the
/// start. The initial projection, including its derivatives, satisfies the constraints. T is constant for a periodically driven system
/// ([`period`](Self::period)).
///
/// Auxiliary states z are components of v. The coordinates of the states, which have no meaning, are not a part of r.
///
/// Each iteration makes one run for each of the 2n components of (q₀, v₀), which is too expensive for long chains.
///
/// ```
/// use lie_runtime::analysis::PeriodicOrbit;
/// use lie_runtime::prelude::*;
///
/// #[mechanical_system]
/// pub mod pendulum {
///     #[configuration]
///     pub struct Angle { pub theta: f64 }
///
///     #[kinetic_energy]
///     fn kinetic(v: &Velocity) -> f64 { 0.5 * v.theta * v.theta }
///
///     #[potential]
///     fn weight(q: &Angle) -> f64 { -q.theta.cos() }
/// }
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let system = pendulum::System::new()?;
/// // From rest at about a right angle, after which it swings for 4 K(1/√2).
/// let orbit = PeriodicOrbit::of(&system)
///     .guess(pendulum::Angle { theta: std::f64::consts::FRAC_PI_2 }, system.zero_velocity())
///     .period_guess(7.4)
///     .solve()?;
/// assert!((orbit.period - 7.416_298_709_205_487).abs() < 0.05);
/// assert!(orbit.defect < 1e-10);
/// // Neither grows nor decays.
/// assert!(orbit.multipliers.iter().all(|multiplier| (multiplier.norm() - 1.0).abs() < 1e-3));
/// # Ok(())
/// # }
/// ```
#[doc(alias = "limit cycle")]
#[doc(alias = "Floquet multipliers")]
#[doc(alias = "shooting")]
pub struct PeriodicOrbit<'a, M: TangentSystem, I = HalfExplicit> {
    system: &'a M,
    start: Option<(M::Configuration, M::Velocity)>,
    period: Option<f64>,
    /// The settings of the user.
    steps: Option<usize>,
    shooting: Shooting<'a, M, I>,
}

impl<'a, M: TangentSystem> PeriodicOrbit<'a, M> {
    /// Creates a search in this system, by default with [`HalfExplicit::hedop5`] in 400 steps.
    pub fn of(system: &'a M) -> Self {
        let shooting = Shooting {
            is_driven: false,
            from: 0.0,
            steps: STEPS,
            tolerance: 1e-10,
            integrator: HalfExplicit::hedop5(),
            events: None,
            symmetries: Vec::new(),
            parameter: None,
            is_stopped: None,
        };
        PeriodicOrbit { system, start: None, period: None, steps: None, shooting }
    }
}

impl<'a, M: TangentSystem, I: Integrator<M::Lifted> + Clone> PeriodicOrbit<'a, M, I> {
    /// Sets the initial guess of the state.
    #[must_use]
    pub fn guess(mut self, configuration: impl Into<M::Configuration>, velocity: M::Velocity) -> Self {
        self.start = Some((configuration.into(), velocity));
        self
    }

    /// Sets an estimate of the period, which is an unknown of the search.
    #[must_use]
    pub fn period_guess(mut self, period: f64) -> Self {
        (self.period, self.shooting.is_driven) = (Some(period), false);
        self
    }

    /// Sets the period to the constant period of the drive.
    #[must_use]
    pub fn period(mut self, period: f64) -> Self {
        (self.period, self.shooting.is_driven) = (Some(period), true);
        self
    }

    /// Searches for an orbit that is periodic up to this declared `#[symmetry]`. `way` is an estimate of the
    /// displacement, which is an unknown of the search. You can call this method for several symmetries.
    ///
    /// For example, a period of a nutating top ends with rotations about the vertical and about its own axis.
    #[must_use]
    pub fn modulo_symmetry(mut self, symmetry: &'static str, way: f64) -> Self {
        self.shooting.symmetries.push((symmetry, way));
        self
    }

    /// Sets the start time, 0 by default.
    #[must_use]
    pub fn start_time(mut self, start: f64) -> Self {
        self.shooting.from = start;
        self
    }

    /// Sets the number of steps per period, 400 by default.
    #[must_use]
    pub fn steps(mut self, steps: usize) -> Self {
        (self.steps, self.shooting.steps) = (Some(steps), steps);
        self
    }

    /// Sets the tolerance of the defect, 1e-10 by default: the largest component of log(q₀⁻¹ q(T)), and of v relative to 1 + the largest
    /// component of v₀. The defect of an auxiliary state z is relative to 1 + |z₀|.
    #[must_use]
    pub fn tolerance(mut self, defect: f64) -> Self {
        self.shooting.tolerance = defect;
        self
    }

    /// Sets the integration method.
    pub fn method<J: Integrator<M::Lifted> + Clone>(self, integrator: J) -> PeriodicOrbit<'a, M, J> {
        let PeriodicOrbit { system, start, period, steps: said, shooting } = self;
        let Shooting { is_driven, from, steps, tolerance, events, symmetries, parameter, is_stopped, .. } = shooting;
        let shooting =
            Shooting { is_driven, from, steps, tolerance, integrator, events, symmetries, parameter, is_stopped };
        PeriodicOrbit { system, start, period, steps: said, shooting }
    }

    /// Adds events such as impacts and switches to the runs, `|run| run.event("strikes", …).falling().apply(…)`. Derivatives include the
    /// events (see [`gradient`](crate::gradient#events)), and so do the multipliers.
    ///
    /// The orbit must start between events. Events that change parameters must restore them within a period; this condition is not checked.
    #[must_use]
    pub fn events(mut self, events: impl Fn(RunWithEvents<'a, M>) -> RunWithEvents<'a, M> + 'a) -> Self {
        self.shooting.events = Some(Events { system: self.system, said: Box::new(events) });
        self
    }

    /// Ends the search with [`OrbitError::Stopped`] if the function returns true, for example after a signal. It is called before the runs of
    /// each period.
    #[must_use]
    pub fn stop_when(mut self, is_stopped: impl Fn() -> bool + 'a) -> Self {
        self.shooting.is_stopped = Some(Box::new(is_stopped));
        self
    }

    /// Runs the search.
    ///
    /// # Errors
    /// [`OrbitError`] if there is no orbit close to the start or a run fails.
    pub fn solve(self) -> Result<Orbit<M>, OrbitError<M>> {
        let (system, guess, shooting) = self.described()?;
        let (round, iterations) = found(system, guess, &shooting)?;
        shooting.orbit(system, round, iterations)
    }

    pub(super) fn system(&self) -> &'a M {
        self.system
    }

    /// Checks the settings and returns the system, the first guess and the settings of the search.
    pub(super) fn described(mut self) -> Result<OrbitSearch<'a, M, I>, OrbitError<M>> {
        let (configuration, velocity) = self.start.take().ok_or(OrbitError::Nowhere { option: ".guess(q, v)" })?;
        let period = self.period.ok_or(OrbitError::Nowhere { option: ".period_guess(period)` or `.period(period)" })?;
        let ways = self.shooting.symmetries.iter().map(|(_, way)| *way).collect();
        self.ensured(Guess { configuration, velocity, period, ways })
    }

    /// Returns the same data for a family that crosses another one at this orbit.
    pub(super) fn departing(mut self, special: &SpecialOrbit<M>) -> Result<OrbitSearch<'a, M, I>, OrbitError<M>> {
        let orbit = &special.orbit;
        let guess = Guess::of(orbit, special.rounds());
        let shooting = &mut self.shooting;
        (shooting.is_driven, shooting.from) = (orbit.is_driven, orbit.state.time);
        shooting.steps = self.steps.unwrap_or(orbit.steps * usize::from(special.rounds()));
        shooting.symmetries = orbit.ways.iter().zip(&guess.ways).map(|((name, _), way)| (*name, *way)).collect();
        self.ensured(guess)
    }

    fn ensured(self, guess: Guess<M>) -> Result<OrbitSearch<'a, M, I>, OrbitError<M>> {
        let Shooting { steps, tolerance, .. } = self.shooting;
        for (option, value) in [("period", guess.period), ("number of steps", steps as f64), ("tolerance", tolerance)] {
            if !(value > 0.0 && value.is_finite()) {
                return Err(OrbitError::Setting { option, value });
            }
        }
        Ok((self.system, guess, self.shooting))
    }
}

/// Returns the period map of the orbit close to a guess, and the number of iterations.
pub(super) fn found<M: TangentSystem, I: Integrator<M::Lifted> + Clone>(
    system: &M,
    guess: Guess<M>,
    shooting: &Shooting<'_, M, I>,
) -> Result<(Round<M>, usize), OrbitError<M>> {
    let mut round = shooting.round(system, guess)?;
    let mut iterations = 0;
    loop {
        let (defect, period) = (round.defect(), round.period);
        if defect <= shooting.tolerance {
            return Ok((round, iterations));
        }
        let failed = OrbitError::NotConverged { iterations, period, defect };
        if iterations == MOST {
            return Err(failed);
        }
        let derivative = shooting.derivative(system, &round);
        let mut right = DVector::zeros(derivative.nrows());
        right.rows_mut(0, round.missed.len()).copy_from(&-&round.missed);
        let from = round.guess();
        let attempt = |correction: &DVector<f64>, part: f64| {
            let guess = from.moved(system, correction, part);
            // A failed run also means that the correction is too large.
            if guess.period > 0.1 * period { shooting.round(system, guess).ok() } else { None }
        };
        let feigned = shooting.feigned(&round);
        let first = (feigned > 0.0).then(|| shortest(derivative.clone(), &right, feigned));
        let near = first.and_then(|correction| attempt(&correction, 1.0)).filter(|next| next.defect() < 0.5 * defect);
        let better = near.or_else(|| {
            let correction = shortest(derivative, &right, 0.0);
            let mut parts = (0..=HALVINGS).map(|halvings| 0.5_f64.powi(halvings));
            parts.find_map(|part| attempt(&correction, part).filter(|next| next.defect() < defect))
        });
        round = match better {
            Some(round) => round,
            // The attempts after the stop have no result.
            None if shooting.is_stopped() => return Err(OrbitError::Stopped),
            None => return Err(failed),
        };
        iterations += 1;
    }
}
