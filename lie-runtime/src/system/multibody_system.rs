//! [`MultibodySystem`]: the bound of code that accepts any declared system.

use core::fmt::Debug;

use super::{Declared, Liftable, Linearised, MomentumRate, TangentSystem};

/// Any declared system.
///
/// The `System` that [`mechanical_system`](macro@crate::mechanical_system) generates implements this trait. A generic
/// function needs no other bound:
///
/// ```
/// use lie_runtime::prelude::*;
///
/// /// Returns the time at which a system that is released from rest has its largest kinetic energy.
/// fn time_of_largest_kinetic_energy<M: MultibodySystem>(
///     system: &M,
///     released: M::Configuration,
///     end: f64,
/// ) -> Result<f64, Box<dyn std::error::Error>> {
///     let run = Simulation::of(system).at_rest(released).method_named("lie_alpha")?.step(0.01).end_time(end).run()?;
///     let energy = |s: &State<M>| system.kinetic_energy(s.time, &s.configuration, &s.velocity);
///     let fastest = run.states.iter().max_by(|a, b| energy(a).total_cmp(&energy(b)));
///     Ok(fastest.ok_or("no states")?.time)
/// }
///
/// #[mechanical_system]
/// mod oscillator {
///     #[configuration]
///     pub struct Position { pub x: f64 }
///
///     #[kinetic_energy]
///     fn kinetic(v: &Velocity) -> f64 { 0.5 * v.x * v.x }
///
///     #[potential]
///     fn spring(q: &Position) -> f64 { 0.5 * q.x * q.x }
/// }
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let system = oscillator::System::new()?;
/// let time = time_of_largest_kinetic_energy(&system, oscillator::Position { x: 1.0 }, 3.0)?;
/// assert!((time - std::f64::consts::FRAC_PI_2).abs() < 0.01);
/// # Ok(())
/// # }
/// ```
///
/// | supertrait | provides |
/// |---|---|
/// | [`MechanicalSystem`](super::MechanicalSystem) on `f64` | description, energies, forces, constraints, mass matrix |
/// | [`Linearised`] | stiffness and damping, for implicit methods and analyses |
/// | [`MomentumRate`], [`Momentum`](super::Momentum) | momenta, for [`Rattlie`](crate::integrator::Rattlie) |
/// | [`Parametrised`](super::Parametrised), [`TangentSystem`] | parameters, and sensitivities with respect to them |
/// | [`Liftable`] | dual numbers (forward-mode automatic differentiation) |
/// | [`Report`](super::Report) | names of components, for tables, files and plots |
#[doc(alias = "generic code")]
#[doc(alias = "declared system")]
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a declared system",
    note = "the `System` of a module with `#[mechanical_system]` is one. Functions that also accept hand-written systems have the bound \
            `MechanicalSystem`"
)]
pub trait MultibodySystem:
    Declared
    + Linearised
    + MomentumRate
    + TangentSystem
    + Liftable<Lifted: Linearised + MomentumRate>
    + Clone
    + Debug
    + 'static
{
}

impl<M> MultibodySystem for M where
    M: Declared
        + Linearised
        + MomentumRate
        + TangentSystem
        + Liftable<Lifted: Linearised + MomentumRate>
        + Clone
        + Debug
        + 'static
{
}
