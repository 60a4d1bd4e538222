//! Impacts in an action, and their impulses.

#[cfg(feature = "precompiled")]
use super::dual_to_plain::converted;
use crate::integrator::{Problem, State};
use crate::scalar::Scalar;
use crate::simulate::consistent::{Collision, Law, Struck, collide, ensure_named};
use crate::simulate::failure::EventError;
use crate::simulate::motion::{Motion, ScalarOf, Simulated};
#[cfg(feature = "precompiled")]
use crate::system::erased::ErasedSystem;
use crate::system::{ConstraintDescription, MechanicalSystem};

/// The impulses of the rows of a constraint in an impact, with the sign of λ: v⁺ − v⁻ = −M⁻¹ Bᵀ Λ.
#[derive(Clone, Debug, PartialEq)]
pub struct Impulse {
    /// The name of the constraint.
    pub constraint: &'static str,
    /// The impulse of each row: N s, or N m s for a row that is an angle.
    pub rows: Vec<f64>,
}

/// An impact on one or more constraints, each with its coefficient of restitution or friction; see
/// [`Change::collide`](super::Change::collide).
#[doc(alias = "restitution")]
#[doc(alias = "Coulomb friction")]
#[derive(Clone, Debug)]
#[must_use = "an impact takes place where it is passed to `collide`"]
#[doc(alias = "coefficient of restitution")]
#[doc(alias = "contact")]
pub struct Impact<S: Scalar> {
    parts: Vec<ImpactConstraint<S>>,
}

/// A constraint of an impact.
#[derive(Clone, Debug)]
struct ImpactConstraint<S> {
    constraint: String,
    coefficient: S,
    /// The constraint whose impulse bounds the friction impulse; `None` unless this constraint is friction.
    normal: Option<String>,
    /// True for a unilateral contact: it can only push, for any coefficient.
    is_contact: bool,
}

impl<S: Scalar> Impact<S> {
    /// Returns an impact on the constraint with this name, with a coefficient of restitution between 0 and 1.
    pub fn on(constraint: impl Into<String>, restitution: impl Into<S>) -> Self {
        Impact { parts: Vec::new() }.and(constraint, restitution)
    }

    /// Adds a constraint with its coefficient of restitution.
    pub fn and(mut self, constraint: impl Into<String>, restitution: impl Into<S>) -> Self {
        self.parts.push(ImpactConstraint {
            constraint: constraint.into(),
            coefficient: restitution.into(),
            normal: None,
            is_contact: false,
        });
        self
    }

    /// Adds Coulomb friction to the constraint that was named last, the normal one: the rows of the constraint `tangent` are the components
    /// of the sliding velocity at the contact. Their impulse is at most `coefficient` times the normal impulse. If this bound is not
    /// reached, the sliding velocity becomes zero.
    pub fn friction(mut self, tangent: impl Into<String>, coefficient: impl Into<S>) -> Self {
        let normal = self.parts.iter().rev().find(|part| part.normal.is_none()).map(|part| part.constraint.clone());
        self.parts.push(ImpactConstraint {
            constraint: tangent.into(),
            coefficient: coefficient.into(),
            normal,
            is_contact: false,
        });
        self
    }

    /// Adds Coulomb friction to a named normal constraint.
    pub(in crate::simulate) fn friction_of(mut self, normal: &str, tangent: &str, coefficient: S) -> Self {
        self.parts.push(ImpactConstraint {
            constraint: tangent.to_owned(),
            coefficient,
            normal: Some(normal.to_owned()),
            is_contact: false,
        });
        self
    }

    /// Returns an impact on unilateral contacts, each with its coefficient of restitution.
    pub(in crate::simulate) fn on_contacts<'n>(contacts: impl IntoIterator<Item = (&'n str, S)>) -> Self {
        let part = |(name, coefficient): (&str, S)| ImpactConstraint {
            constraint: name.to_owned(),
            coefficient,
            normal: None,
            is_contact: true,
        };
        Impact { parts: contacts.into_iter().map(part).collect() }
    }

    /// Returns an impact on these constraints with one coefficient of restitution.
    pub(super) fn on_all<'n>(constraints: impl IntoIterator<Item = &'n str>, restitution: S) -> Self {
        constraints.into_iter().fold(Impact { parts: Vec::new() }, |impact, name| impact.and(name, restitution))
    }

    /// Returns the rows of the named constraints of a system.
    pub(in crate::simulate) fn rows_in<M: MechanicalSystem<Scalar = S>>(
        &self,
        system: &M,
    ) -> Result<Vec<Struck<S>>, EventError> {
        let known = &system.description().constraints;
        let find = |name: &str| -> Result<&ConstraintDescription, EventError> {
            known.iter().find(|constraint| constraint.name == name).ok_or_else(|| EventError::UnknownConstraint {
                name: name.to_owned(),
                known: known.iter().map(|constraint| constraint.name).collect(),
            })
        };
        let is_normal = |name: &str| self.parts.iter().any(|part| part.normal.as_deref() == Some(name));
        let strike = |part: &ImpactConstraint<S>| {
            let found = find(&part.constraint)?;
            let (coefficient, value) = (part.coefficient, part.coefficient.value());
            let law = match &part.normal {
                None if !(0.0..=1.0).contains(&value) => return Err(EventError::Restitution { coefficient: value }),
                None => Law::Restitution { coefficient, is_contact: part.is_contact || is_normal(&part.constraint) },
                // The negation covers NaN.
                Some(_) if !(value >= 0.0 && value.is_finite()) => {
                    return Err(EventError::Friction { coefficient: value });
                }
                Some(normal) => {
                    let normal = find(normal)?;
                    if normal.rows != 1 {
                        return Err(EventError::NormalRows { constraint: normal.name, rows: normal.rows });
                    }
                    Law::Friction { coefficient, normal: normal.offset }
                }
            };
            Ok(Struck { constraint: found.name, rows: found.offset..found.offset + found.rows, law })
        };
        self.parts.iter().map(strike).collect()
    }
}

/// An impact of an event, which is solved together with the other impacts at the same instant.
pub(super) struct Request<P: Simulated> {
    system: Box<P::System>,
    state: P::State,
    struck: Vec<Struck<ScalarOf<P>>>,
}

/// Solves all requests of one instant for the velocity after the impact, and returns the impulses of each request.
type SolveImpacts<P> = fn(&[&Request<P>], ScalarOf<P>, &mut <P as Problem>::State) -> Impulses;
type Impulses = Result<Vec<Vec<Impulse>>, EventError>;
/// Checks that each active row is either named in a request or satisfied.
type CheckImpacts<P> = fn(&[&Request<P>], ScalarOf<P>, &<P as Problem>::State) -> Result<(), EventError>;

/// The impacts of an event so far.
pub(super) struct Impacts<P: Simulated> {
    pub requests: Vec<Request<P>>,
    /// The states before and after the impacts.
    pub states: Option<Box<[P::State; 2]>>,
    pub solve: Option<(SolveImpacts<P>, CheckImpacts<P>)>,
    /// The impulses of impacts that a change of the velocity separates from the current ones.
    pub settled: Vec<Impulse>,
    pub impulses: Vec<Impulse>,
}

impl<P: Simulated> Impacts<P> {
    pub fn none() -> Self {
        Impacts { requests: Vec::new(), states: None, solve: None, settled: Vec::new(), impulses: Vec::new() }
    }

    /// Completes the current impacts if the velocity was changed after them; the next impact is then a new problem.
    ///
    /// # Errors
    /// An active row is neither named nor satisfied.
    pub fn settle(&mut self, time: ScalarOf<P>, state: &P::State) -> Result<(), EventError> {
        let Some(states) = &self.states else { return Ok(()) };
        if state.has_velocity_of(&states[1]) {
            return Ok(());
        }
        self.check(time, &states[0])?;
        self.requests.clear();
        self.states = None;
        self.settled.clone_from(&self.impulses);
        Ok(())
    }

    /// Checks that each active row is named or satisfied in the state before the impacts.
    pub fn check(&self, time: ScalarOf<P>, before: &P::State) -> Result<(), EventError> {
        let requests: Vec<_> = self.requests.iter().collect();
        self.solve.map_or(Ok(()), |(_, check)| check(&requests, time, before))
    }
}

impl<M: MechanicalSystem> Impacts<M> {
    /// Hides the type of the system.
    #[cfg(feature = "precompiled")]
    pub fn erased(
        self,
        system: impl Fn(&M) -> ErasedSystem,
        state: impl Fn(&State<M>) -> State<ErasedSystem>,
    ) -> Impacts<ErasedSystem>
    where
        M: MechanicalSystem<Scalar = f64>,
    {
        let request = |request: Request<M>| Request {
            system: Box::new(system(&request.system)),
            state: state(&request.state),
            struck: request.struck,
        };
        Impacts {
            requests: converted(self.requests, request),
            states: self.states.map(|states| Box::new([state(&states[0]), state(&states[1])])),
            solve: self.solve.map(|_| solve_erased()),
            settled: self.settled,
            impulses: self.impulses,
        }
    }

    /// Adds an impact, and solves all impacts so far together for the velocity before the first of them.
    ///
    /// # Errors
    /// Invalid names and coefficients, and the failure of the impact problem.
    pub fn add(
        &mut self,
        impact: &Impact<M::Scalar>,
        system: Box<M>,
        (time, state): (M::Scalar, &mut State<M>),
    ) -> Result<(), EventError> {
        let struck = impact.rows_in(&*system)?;
        self.settle(time, state)?;
        let before = self.states.take().map_or_else(|| state.clone(), |states| states[0].clone());
        self.requests.push(Request { system, state: state.clone(), struck });
        self.solve = Some((solve::<M>, check::<M>));
        let requests: Vec<_> = self.requests.iter().collect();
        state.velocity.clone_from(&before.velocity);
        let impulses = solve(&requests, time, state)?;
        self.impulses.clone_from(&self.settled);
        self.impulses.extend(impulses.into_iter().flatten());
        self.states = Some(Box::new([before, state.clone()]));
        Ok(())
    }
}

/// Returns the functions for systems without their type, which this crate compiles once.
#[cfg(feature = "precompiled")]
#[inline(never)]
fn solve_erased() -> (SolveImpacts<ErasedSystem>, CheckImpacts<ErasedSystem>) {
    (solve::<ErasedSystem>, check::<ErasedSystem>)
}

fn collisions<'r, M: MechanicalSystem>(requests: &[&'r Request<M>]) -> Vec<Collision<'r, M>> {
    let collision = |request: &&'r Request<M>| -> Collision<'r, M> {
        Collision { system: &request.system, configuration: &request.state.configuration, struck: &request.struck }
    };
    requests.iter().map(collision).collect()
}

fn solve<M: MechanicalSystem>(requests: &[&Request<M>], time: M::Scalar, state: &mut State<M>) -> Impulses {
    let impulses = collide(&collisions(requests), time, &mut state.velocity).map_err(EventError::Impact)?;
    let named = |(request, impulses): (&&Request<M>, Vec<Vec<M::Scalar>>)| {
        let rows = |rows: Vec<M::Scalar>| rows.into_iter().map(Scalar::value).collect();
        let all = request.struck.iter().zip(impulses);
        all.map(|(one, impulses)| Impulse { constraint: one.constraint, rows: rows(impulses) }).collect()
    };
    Ok(requests.iter().zip(impulses).map(named).collect())
}

fn check<M: MechanicalSystem>(requests: &[&Request<M>], time: M::Scalar, before: &State<M>) -> Result<(), EventError> {
    ensure_named(&collisions(requests), time, &before.velocity).map_err(EventError::Impact)
}
