//! Motions that come back to where they began: shooting on the group, and whether what is near them stays near.

pub(super) mod branch;
pub(super) mod continuation;
pub(super) mod crossing;
pub(super) mod orbit;
pub(super) mod path;
pub(super) mod period_map;
pub(super) mod shooting;
pub(super) mod symmetries;

pub use branch::{OrbitBranch, OrbitPoint, SpecialOrbit, SpecialOrbitKind};
pub use continuation::OrbitContinuation;
pub use orbit::{Orbit, OrbitError};
pub use shooting::Described;

use nalgebra::DVector;

use crate::analysis::periodic::period_map::Round;
use crate::analysis::periodic::shooting::{Events, Guess, Shooting, shortest};
use crate::integrator::{HalfExplicit, Integrator};
use crate::system::TangentSystem;

/// A system, where to begin, and how.
type Search<'a, M, I> = (&'a M, Guess<M>, Shooting<'a, M, I>);

/// How often a correction is halved.
const HALVINGS: i32 = 8;
/// The most iterations.
const MOST: usize = 30;
/// Steps of a period.
const STEPS: usize = 400;

/// The search for a periodic motion, (q(T), v(T)) = (q₀, v₀).
///
/// Newton's iteration on the group for q₀, v₀ and T, by the exact derivatives of the run
/// ([sensitivities](crate::gradient)): with the defect r = (log(q₀⁻¹ q(T)), v(T) − v₀), the monodromy Φ and the flow
/// f = (v, v') in the same left-trivialised coordinates,
///
/// ```text
/// (Φ − 1) x + f(T) τ = −r,    f(0) · x = 0,    q₀ ← q₀ ∘ exp(x_q),    v₀ ← v₀ + x_v,    T ← T + τ.
/// ```
///
/// Motions that come back [up to symmetries](Self::modulo_symmetry) are relative periodic ones, (q(T), v(T)) = G(s) (q₀, v₀) with the flow G of the declared
/// symmetries: the end is moved by G(−s) before it is compared, and s is found as T is.
///
/// Of all solutions the shortest is taken. Motions that conserve energy have orbits in families: the one next to the start is found.
/// Constraints are met by the initial projection, with its derivatives; T is held where a drive has it ([`period`](Self::period)).
///
/// Each iteration is one run for each of the 2n components of (q₀, v₀); for long chains that is too much.
///
/// ```
/// use lie_runtime::analysis::PeriodicOrbit;
/// use lie_runtime::prelude::*;
///
/// #[mechanical_system]
/// pub mod pendulum {
///     use lie_runtime::prelude::*;
///
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
pub struct PeriodicOrbit<'a, M: TangentSystem, I = HalfExplicit> {
    system: &'a M,
    start: Option<(M::Configuration, M::Velocity)>,
    period: Option<f64>,
    /// As they are said.
    steps: Option<usize>,
    shooting: Shooting<'a, M, I>,
}

impl<'a, M: TangentSystem> PeriodicOrbit<'a, M> {
    /// Of this system, by [`HalfExplicit::hedop5`] in 400 steps unless something else is said.
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
        };
        PeriodicOrbit { system, start: None, period: None, steps: None, shooting }
    }
}

impl<'a, M: TangentSystem, I: Integrator<M::Lifted> + Clone> PeriodicOrbit<'a, M, I> {
    /// Near the motion that begins here.
    #[must_use]
    pub fn guess(mut self, configuration: M::Configuration, velocity: M::Velocity) -> Self {
        self.start = Some((configuration, velocity));
        self
    }

    /// It comes back after about this time; how long it takes is found.
    #[must_use]
    pub fn period_guess(mut self, period: f64) -> Self {
        (self.period, self.shooting.is_driven) = (Some(period), false);
        self
    }

    /// It comes back after this time, that of what drives it.
    #[must_use]
    pub fn period(mut self, period: f64) -> Self {
        (self.period, self.shooting.is_driven) = (Some(period), true);
        self
    }

    /// It comes back moved along this declared [`#[symmetry]`](crate::guide::language), by about `way`; how far is found. May be said of
    /// several symmetries.
    ///
    /// A top that nutates comes back turned about the vertical, and turned about its own axis.
    #[must_use]
    pub fn modulo_symmetry(mut self, symmetry: &'static str, way: f64) -> Self {
        self.shooting.symmetries.push((symmetry, way));
        self
    }

    /// It begins at this time instead of zero.
    #[must_use]
    pub fn start_time(mut self, start: f64) -> Self {
        self.shooting.from = start;
        self
    }

    /// Steps a period; 400 unless something is said.
    #[must_use]
    pub fn steps(mut self, steps: usize) -> Self {
        (self.steps, self.shooting.steps) = (Some(steps), steps);
        self
    }

    /// What a motion may miss its start by, 1e-10: any component of log(q₀⁻¹ q(T)), and of v, times 1 + the largest of v₀.
    #[must_use]
    pub fn tolerance(mut self, defect: f64) -> Self {
        self.shooting.tolerance = defect;
        self
    }

    /// Steps of this method.
    pub fn method<J: Integrator<M::Lifted> + Clone>(self, integrator: J) -> PeriodicOrbit<'a, M, J> {
        let PeriodicOrbit { system, start, period, steps: said, shooting } = self;
        let Shooting { is_driven, from, steps, tolerance, events, symmetries, parameter, .. } = shooting;
        let shooting = Shooting { is_driven, from, steps, tolerance, integrator, events, symmetries, parameter };
        PeriodicOrbit { system, start, period, steps: said, shooting }
    }

    /// With events on the way, `|run| run.when_falling("strikes", …).then(…)`: blows, switches. Derivatives go across them (see
    /// [`gradient`](crate::gradient#events)), and so do the multipliers.
    ///
    /// The motion begins between events, and what they change of the parameters they have to change back within a period: an orbit
    /// of which that is not so is none, and is not noticed.
    #[must_use]
    pub fn with_events(mut self, events: impl Fn(Described<'a, M>) -> Described<'a, M> + 'a) -> Self {
        self.shooting.events = Some(Events { system: self.system, said: Box::new(events) });
        self
    }

    /// Follows the family of such motions from the one that is found in the parameter of this name.
    pub fn following(self, parameter: &'a str) -> OrbitContinuation<'a, M, I> {
        OrbitContinuation::of(self, parameter)
    }

    /// Looks for the motion.
    ///
    /// # Errors
    /// [`OrbitError`] if there is none near the start, or a run fails.
    pub fn solve(self) -> Result<Orbit<M>, OrbitError<M>> {
        let (system, guess, shooting) = self.described()?;
        let (round, iterations) = found(system, guess, &shooting)?;
        shooting.orbit(system, round, iterations)
    }

    pub(super) fn system(&self) -> &'a M {
        self.system
    }

    /// The system, where to begin and how, of settings that have been looked at.
    pub(super) fn described(mut self) -> Result<Search<'a, M, I>, OrbitError<M>> {
        let (configuration, velocity) = self.start.take().ok_or(OrbitError::Nowhere { option: ".near(q, v)" })?;
        let period = self.period.ok_or(OrbitError::Nowhere { option: ".period_guess(period)` or `.period(period)" })?;
        let ways = self.shooting.symmetries.iter().map(|(_, way)| *way).collect();
        self.ensured(Guess { configuration, velocity, period, ways })
    }

    /// The same of a family that leaves another one at this motion.
    pub(super) fn departing(mut self, special: &SpecialOrbit<M>) -> Result<Search<'a, M, I>, OrbitError<M>> {
        let orbit = &special.orbit;
        let guess = Guess::of(orbit, special.rounds());
        let shooting = &mut self.shooting;
        (shooting.is_driven, shooting.from) = (orbit.is_driven, orbit.state.time);
        shooting.steps = self.steps.unwrap_or(orbit.steps * usize::from(special.rounds()));
        shooting.symmetries = orbit.ways.iter().zip(&guess.ways).map(|((name, _), way)| (*name, *way)).collect();
        self.ensured(guess)
    }

    fn ensured(self, guess: Guess<M>) -> Result<Search<'a, M, I>, OrbitError<M>> {
        let Shooting { steps, tolerance, .. } = self.shooting;
        for (option, value) in [("period", guess.period), ("number of steps", steps as f64), ("tolerance", tolerance)] {
            if !(value > 0.0 && value.is_finite()) {
                return Err(OrbitError::Setting { option, value });
            }
        }
        Ok((self.system, guess, self.shooting))
    }
}

/// The round of a motion that comes back, near a guess, and how many iterations it took.
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
        let derivative = shooting.derivative(&round);
        let mut right = DVector::zeros(derivative.nrows());
        right.rows_mut(0, round.missed.len()).copy_from(&-&round.missed);
        let from = round.guess();
        let attempt = |correction: &DVector<f64>, part: f64| {
            let guess = from.moved(system, correction, part);
            // A run that fails is too long a way, too.
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
        round = better.ok_or(failed)?;
        iterations += 1;
    }
}
