//! Impacts in an action.

use super::change::{Change, Own};
use super::impact::{Impact, Impulse};
use crate::simulate::failure::EventError;
use crate::simulate::motion::Simulated;
use crate::system::MechanicalSystem;

impl<M: MechanicalSystem> Change<'_, M> {
    /// Applies an impact (collision) to the constraints with these names, with one coefficient of `restitution` e between 0 and 1: the rate
    /// B v + b of each row becomes −e times as large (Newton's law of impact).
    ///
    /// This is [`collide`](Self::collide) with equal coefficients; its rules apply.
    #[doc(alias = "restitution")]
    #[doc(alias = "collision")]
    pub fn impact<'n>(&mut self, constraints: impl IntoIterator<Item = &'n str>, restitution: impl Into<M::Scalar>) {
        self.collide(Impact::on_all(constraints, restitution.into()));
    }

    /// Applies an impact (collision) with a coefficient for each constraint.
    ///
    /// One problem determines the velocity after the impact and the [impulses](Self::impulses) Λ: M (v⁺ − v⁻) = −Bᵀ Λ.
    ///
    /// * The named constraints must be active: call [`set`](Change::set) first. A named constraint with a zero gradient in all rows is an
    ///   error.
    /// * An active constraint that is not named keeps its rate. This rate must be zero, otherwise the run ends with an error.
    /// * A constraint of one row with a positive coefficient of restitution, or with friction, only pushes. It separates faster than
    ///   Newton's law requires if another impact separates it.
    /// * Impacts of one event, and of all events at one instant, are solved together: their order has no influence. A change of
    ///   the velocity between two impacts separates them.
    /// * An impact that would increase the kinetic energy ends the run with an error. This is possible with different coefficients of
    ///   coupled rows, not with one coefficient e ≤ 1.
    ///
    /// ```
    /// # use lie_runtime::prelude::*;
    /// #[mechanical_system(redundant = minimum_norm)]
    /// pub mod ball {
    ///     #[configuration]
    ///     pub struct Ball { pub x: f64, pub z: f64, pub angle: f64 }
    ///
    ///     #[parameters]
    ///     pub struct P { pub touches: bool }
    ///
    ///     #[kinetic_energy]
    ///     fn kinetic(v: &Velocity) -> f64 { 0.5 * (v.x * v.x + v.z * v.z) + 0.5 * 0.004 * v.angle * v.angle }
    ///
    ///     #[potential]
    ///     fn weight(q: &Ball) -> f64 { 9.81 * q.z }
    ///
    ///     #[velocity_constraint]
    ///     fn floor(p: &P, v: &Velocity) -> f64 { if p.touches { v.z } else { 0.0 } }
    ///
    ///     #[velocity_constraint]
    ///     fn sliding(p: &P, v: &Velocity) -> f64 { if p.touches { v.x - 0.1 * v.angle } else { 0.0 } }
    /// }
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// let system = ball::System::new(ball::P { touches: false })?;
    /// let run = Simulation::of(&system)
    ///     .initial(ball::Ball { x: 0.0, z: 1.0, angle: 0.0 }, Vector3::new(1.0, 0.0, -20.0))
    ///     .event("lands", |_, state| state.configuration.z)
    ///     .falling()
    ///     .apply(|at| {
    ///         at.set(|p| p.touches = true);
    ///         at.collide(Impact::on("floor", 0.5).friction("sliding", 0.05));
    ///         assert_eq!(at.impulses().len(), 2);
    ///         at.set(|p| p.touches = false);
    ///     })
    ///     .rtol(1e-9).atol(1e-9)
    ///     .end_time(0.5)
    ///     .run()?;
    /// let [normal, tangential] = &run.events[0].impulses[..] else { panic!() };
    /// // The ball slides through the impact: the tangential impulse is at its bound.
    /// assert!((tangential.rows[0].abs() - 0.05 * normal.rows[0].abs()).abs() < 1e-12);
    /// # Ok(())
    /// # }
    /// ```
    #[allow(clippy::needless_pass_by_value)] // It is built where it is passed.
    pub fn collide(&mut self, impact: Impact<M::Scalar>) {
        if self.failure.is_none()
            && let Err(error) = self.solve_impact(&impact)
        {
            self.failure = Some(error);
        }
    }

    fn solve_impact(&mut self, impact: &Impact<M::Scalar>) -> Result<(), EventError> {
        let own: Own<M> = self.own;
        self.impacts.add(impact, own(self.system), (self.time, self.state))
    }
}

impl<P: Simulated> Change<'_, P> {
    /// Returns the impulses of the impacts of this event so far, in the order in which their constraints were named.
    ///
    /// If other events at the same instant have impacts, [`Occurrence::impulses`](super::Occurrence::impulses) contains the joint
    /// solution after the run.
    pub fn impulses(&self) -> &[Impulse] {
        &self.impacts.impulses
    }
}
