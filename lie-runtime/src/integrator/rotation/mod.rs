//! Rotation of a rigid body: the midpoint and trapezoidal families (paper 5).
//!
//! A system of one rotation (`SO3` or `S3`) with constant inertia under torques of time and attitude,
//!
//! ```text
//! Π' = Π × ω + T(t, q),    q' = q ω~,    Π = J ω,
//! ```
//!
//! is integrated without a reformulation: the torque is the generated force at zero velocity, its derivative the generated tangent
//! stiffness. The trapezoidal rules are forward Euler over half a step followed by its adjoint, backward Euler; the midpoint rules are the
//! same maps in the other order ([`METHODS`]):
//!
//! | method | is | keeps without torque |
//! |---|---|---|
//! | TRAP, IMID | bE ∘ fE, fE ∘ bE in rates (sections 3.3, 3.4) | kinetic energy (TRAP: at midpoints) |
//! | TRAPM, IMIDM | the same, keeping momentum (section 3.6) | momentum in space |
//! | SWC1, BBTRAP | one increment of the mean velocity (section 4) | both |
//! | AKW | one increment by the Cayley map | both; the energy of a heavy top too |
//! | BBTRAPWD, MKRK | a Runge-Kutta method in the algebra | momentum in space |
//!
//! ```
//! use lie_runtime::integrator::Rotation;
//!
//! let method = Rotation::by_id("imidm").unwrap();
//! assert_eq!(method, Rotation::imidm());
//! assert_eq!(Rotation::all().count(), 17);
//! ```

mod algebra;
mod body;
mod branch;
mod maps;
mod methods;
mod munthe_kaas;
mod step;
mod workspace;

pub use maps::{Balance, Map};
pub use methods::{METHODS, Method, Rule, Substep};
pub use workspace::Workspace;

use super::tableau::{ButcherTableau, ButcherTableauError};
use super::{Integrator, ParameterError, State, StepError, StepFailure};
use crate::integrator::implicit::{Factors, Newton};
use crate::scalar::Scalar;
use crate::system::{Description, Linearised};
use body::{REQUIREMENT, set_components};
use munthe_kaas::{MOST_COUPLED, MOST_STAGES};

/// A method for the rotation of a rigid body.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rotation {
    id: &'static str,
    order: usize,
    rule: Rule,
    tolerance: f64,
    maximum_iterations: usize,
}

/// Returns true if the methods apply to a system with this description: one rotation, constant inertia, no constraints.
pub fn applies_to(description: &Description) -> bool {
    matches!(&*description.members, [member] if matches!(member.group, "SO(3)" | "S³"))
        && description.mass_is_constant
        && description.constraints.is_empty()
}

impl Rotation {
    fn listed(method: &Method) -> Self {
        Rotation { id: method.id, order: method.order, rule: method.rule, tolerance: 1e-16, maximum_iterations: 50 }
    }

    /// Creates the Munthe-Kaas method of a tableau.
    ///
    /// # Errors
    /// [`ButcherTableauError`] if the tableau has a fault or more than four coupled stages.
    pub fn munthe_kaas(tableau: &'static ButcherTableau) -> Result<Self, ButcherTableauError> {
        tableau.check(MOST_STAGES)?;
        let stages = tableau.stages();
        if !tableau.is_diagonal() && stages > MOST_COUPLED {
            return Err(ButcherTableauError::Coupled { stages, most: MOST_COUPLED });
        }
        let rule = Rule::MuntheKaas(tableau);
        Ok(Rotation { id: tableau.id, order: tableau.order, rule, ..Self::trap() })
    }

    /// Creates the composition of maps.
    ///
    /// # Errors
    /// [`ParameterError`] if the parts of the step do not add up to 1.
    pub fn composition(id: &'static str, order: usize, maps: &'static [Substep]) -> Result<Self, ParameterError> {
        let sum: f64 = maps.iter().map(|map| map.part).sum();
        ParameterError::unless((sum - 1.0).abs() < 1e-12, id, "sum of the parts", sum, "1")?;
        Ok(Rotation { id, order, rule: Rule::Composition(maps), ..Self::trap() })
    }

    /// Sets the tolerance of Newton's iteration as an angle in radians, 1e-16 by default, which is the level of round-off.
    ///
    /// # Errors
    /// [`ParameterError`] if it is not finite and positive.
    pub fn with_tolerance(self, tolerance: f64) -> Result<Self, ParameterError> {
        ParameterError::check_iteration(self.id, tolerance, self.maximum_iterations)?;
        Ok(Rotation { tolerance, ..self })
    }

    /// Returns the method with this identifier, or `None` if [`METHODS`] does not contain it.
    pub fn by_id(id: &str) -> Option<Self> {
        METHODS.iter().find(|method| method.id == id).map(Self::listed)
    }

    /// All methods.
    pub fn all() -> impl Iterator<Item = Self> {
        METHODS.iter().map(Self::listed)
    }

    named! {
        /// The trapezoidal rule in rates.
        trap: methods::TRAP;
        /// The midpoint rule in rates.
        imid: methods::IMID;
        /// The trapezoidal rule that conserves the spatial momentum.
        trapm: methods::TRAPM;
        /// The midpoint rule that conserves the spatial momentum.
        imidm: methods::IMIDM;
        /// Simo and Wong.
        swc1: methods::SWC1;
        /// Austin, Krishnaprasad and Wang.
        akw: methods::AKW;
        /// Bottasso and Borri.
        bbtrap: methods::BBTRAP;
        /// Bottasso and Borri, on the trapezoidal rule of Munthe-Kaas.
        bbtrapwd: methods::BBTRAPWD;
        /// Munthe-Kaas on the midpoint rule.
        mkrk_midpoint: methods::MKRK_MIDPOINT;
        /// Munthe-Kaas on Radau IIA with two stages.
        mkrk_radau3: methods::MKRK_RADAU3;
        /// Munthe-Kaas on the classical method of order 4.
        mkrk_rk4: methods::MKRK_RK4;
        /// Munthe-Kaas on Gauss with two stages.
        mkrk_gauss4: methods::MKRK_GAUSS4;
        /// Munthe-Kaas on Gauss with three stages.
        mkrk_gauss6: methods::MKRK_GAUSS6;
        /// Forward Euler in rates.
        euler_forward: methods::EULER_FORWARD;
        /// Backward Euler in rates.
        euler_backward: methods::EULER_BACKWARD;
        /// Forward Euler that conserves the spatial momentum.
        eulerm_forward: methods::EULERM_FORWARD;
        /// Backward Euler that conserves the spatial momentum.
        eulerm_backward: methods::EULERM_BACKWARD;
    }

    /// The identifier.
    pub fn id(&self) -> &'static str {
        self.id
    }

    /// The structure of a step.
    pub fn rule(&self) -> &Rule {
        &self.rule
    }
}

impl<M: Linearised> Integrator<M> for Rotation {
    type Workspace = Workspace<M>;

    fn id(&self) -> &'static str {
        self.id
    }

    fn order(&self) -> usize {
        self.order
    }

    fn workspace(&self, system: &M, state: &State<M>) -> Workspace<M> {
        Workspace::of(
            system,
            &state.configuration,
            &Newton::new::<M::Scalar>(self.tolerance, self.maximum_iterations, Factors::Exact),
        )
    }

    fn linear_solves(&self, workspace: &Workspace<M>) -> u64 {
        workspace.work.newton.iterations
    }

    fn newton_iterations(&self, workspace: &Workspace<M>) -> Option<f64> {
        Some(workspace.work.newton.iterations as f64 / workspace.steps.max(1) as f64)
    }

    fn start(&self, system: &M, state: &mut State<M>, workspace: &mut Workspace<M>) -> Result<(), StepError> {
        StepError::check(system, state)?;
        let failure = StepFailure::NotApplicable { method: self.id, requirement: REQUIREMENT };
        let unsuitable = StepError { time: state.time, step: 0.0, failure };
        if !workspace.applies {
            return Err(unsuitable);
        }
        let t = M::Scalar::from_f64(state.time);
        let body = &mut workspace.work.body;
        body.trial.clone_from(&state.configuration);
        let acceleration = body.acceleration(system, t, &state.configuration, &state.velocity);
        if !acceleration.iter().all(|component| component.is_finite()) {
            return Err(StepError::not_finite(system, state, 0.0));
        }
        if body.has_torque_of_velocity(system, t, &state.velocity) {
            return Err(unsuitable);
        }
        set_components(&mut state.acceleration, &acceleration);
        Ok(())
    }

    #[inline]
    fn step(
        &self,
        system: &M,
        from: &State<M>,
        h: f64,
        to: &mut State<M>,
        workspace: &mut Workspace<M>,
    ) -> Result<(), StepError> {
        step::step(self, system, from, h, to, workspace)
    }
}
