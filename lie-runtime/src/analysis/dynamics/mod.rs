//! Dynamics at a state: inverse and forward dynamics, mass matrix, bias forces, and Jacobians of quantities.
//!
//! The terms are those of M v' + c + D_q V − f + Bᵀ λ = τ, with the inertial forces c (Coriolis and gyroscopic), the potentials V, and the
//! declared forces and dissipation f.

mod body_inertia;
mod dual_point;
mod error;
mod recorded;
mod regressor;

use core::fmt;

use nalgebra::{DMatrix, SMatrix, SVector};

use crate::analysis::first_order::{clear_states, set_states, state_components};
use crate::group::TangentVector;
use crate::integrator::{Quantity, State, StepFailure};
use crate::scalar::Dual;
use crate::solve::inverse_spd;
use crate::space::ConfigurationSpace;
use crate::system::{Evaluation, KktError, Liftable, MassFactorisation, MechanicalSystem, ModelError, MultibodySystem};
pub use body_inertia::{BodyInertia, InertiaError, total_momentum};
use dual_point::DualPoint;
pub use error::DynamicsError;
pub use recorded::{RecordedForces, RecordedMotion};
pub use regressor::{BaseParameters, LinearForces, Regressor};

/// The configuration of the system on dual numbers.
type DualConfiguration<M> = <<M as Liftable>::Lifted as MechanicalSystem>::Configuration;
/// The velocity of the system on dual numbers.
type DualVelocity<M> = <<M as Liftable>::Lifted as MechanicalSystem>::Velocity;

/// Computes forces, accelerations, matrices and Jacobians of a system at a state.
///
/// The equations of motion with additional generalised forces τ are, with left-trivialised velocities,
///
/// ```text
/// M(t, q) v' + g(t, q, v) + B(t, q)ᵀ λ = τ.
/// ```
///
/// Auxiliary states are components of v. Accelerations contain their rates z', and generalised forces contain zeros in these components.
/// Matrices and Jacobians have no rows and columns for them.
///
/// A value owns its buffers. Methods that return references overwrite the last result and allocate nothing, except for the first call of
/// [`coriolis`](Self::coriolis) or [`potential_gradient`](Self::potential_gradient). All derivatives are exact.
///
/// ```
/// use lie_runtime::analysis::StateDynamics;
/// use lie_runtime::prelude::*;
///
/// /// A point mass on a rotating and extending arm in the plane.
/// #[mechanical_system]
/// mod polar {
///     #[configuration]
///     pub struct Arm { pub angle: f64, pub length: f64 }
///
///     #[quantity]
///     pub fn tip(q: &Arm) -> Vector2<f64> { Vector2::new(q.angle.cos(), q.angle.sin()) * q.length }
///
///     #[kinetic_energy]
///     fn kinetic(q: &Arm, v: &Velocity) -> f64 { 0.5 * 3.0 * tip_rate(q, v).norm_squared() }
///
///     #[potential]
///     fn weight(q: &Arm) -> f64 { 3.0 * 9.81 * tip(q).y }
/// }
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let system = polar::System::new()?;
/// let mut dynamics = StateDynamics::of(&system);
/// let (q, v, a) = (polar::Arm { angle: 0.0, length: 2.0 }, Vector2::new(0.5, 0.1), Vector2::new(1.0, -1.0));
///
/// // The motor torque m (r² a + 2 r r' ω + g r) and the force m (r'' − r ω²).
/// let torque = *dynamics.inverse(0.0, &q, &v, &a)?;
/// assert!((torque - Vector2::new(3.0 * (4.0 + 0.2 + 19.62), 3.0 * (-1.0 - 0.5))).norm() < 1e-12);
/// // Forward dynamics with these forces returns the acceleration.
/// let (acceleration, _) = dynamics.forward_with(0.0, &q, &v, &torque)?;
/// assert!((acceleration - a).norm() < 1e-14);
///
/// // Jacobian of the tip.
/// let jacobian = dynamics.jacobian(0.0, &q, |system, _, q, v| polar::tip_rate(q, &system.velocity(v)))?;
/// assert_eq!(jacobian, nalgebra::dmatrix![0.0, 1.0; 2.0, 0.0]);
/// # Ok(())
/// # }
/// ```
///
/// The rates of quantities are functions `name_rate` that the macro generates for every `#[quantity]`, see [`jacobian`](Self::jacobian).
/// Energies are methods of the system, [`kinetic_energy`](MechanicalSystem::kinetic_energy) and
/// [`potential_energy`](MechanicalSystem::potential_energy).
#[doc(alias("inverse dynamics", "forward dynamics", "RNEA", "ABA", "CRBA", "mass matrix", "Coriolis"))]
pub struct StateDynamics<'s, M: MultibodySystem> {
    system: &'s M,
    inertia: MassFactorisation<M>,
    evaluation: Evaluation<M>,
    /// The last vector of generalised forces.
    forces: M::Velocity,
    acceleration: M::Velocity,
    curvature: M::Multipliers,
    multipliers: M::Multipliers,
    /// Zeros.
    no_multipliers: M::Multipliers,
    dual: Option<DualPoint<M>>,
}

impl<M: MultibodySystem> fmt::Debug for StateDynamics<'_, M> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("StateDynamics").field("system", &self.system.description().name).finish_non_exhaustive()
    }
}

impl<'s, M: MultibodySystem> StateDynamics<'s, M> {
    /// Allocates the buffers for a system.
    pub fn of(system: &'s M) -> Self {
        StateDynamics {
            system,
            inertia: MassFactorisation::of(system),
            evaluation: Evaluation::of(system),
            forces: system.zero_velocity(),
            acceleration: system.zero_velocity(),
            curvature: system.zero_multipliers(),
            multipliers: system.zero_multipliers(),
            no_multipliers: system.zero_multipliers(),
            dual: None,
        }
    }

    /// Inverse dynamics: returns the generalised forces τ = M a + g that cause the accelerations `a`. The cost is O(N).
    ///
    /// The forces are added to the declared forces. For a system with constraints, τ also replaces the constraint forces: pass multipliers
    /// to [`inverse_with`](Self::inverse_with) to keep them.
    ///
    /// # Errors
    /// [`DynamicsError`] for vectors of another length, values that are not finite and missing inputs.
    #[doc(alias("RNEA", "ID", "computed torque"))]
    pub fn inverse(
        &mut self,
        t: f64,
        q: &M::Configuration,
        v: &M::Velocity,
        a: &M::Velocity,
    ) -> Result<&M::Velocity, DynamicsError> {
        self.check(t, q, Some(v), &[("acceleration", a)])?;
        self.system.residual(t, q, v, a, &self.no_multipliers, &mut self.forces);
        self.finite_forces(t, q, v)
    }

    /// Inverse dynamics with Lagrange multipliers: returns τ = M a + g + Bᵀ λ. The cost is O(N).
    ///
    /// # Errors
    /// [`DynamicsError`] for vectors of another length, values that are not finite and missing inputs.
    pub fn inverse_with(
        &mut self,
        t: f64,
        q: &M::Configuration,
        v: &M::Velocity,
        a: &M::Velocity,
        multipliers: &M::Multipliers,
    ) -> Result<&M::Velocity, DynamicsError> {
        self.check(t, q, Some(v), &[("acceleration", a)])?;
        let (given, expected) = (multipliers.component_count(), self.system.constraint_rows());
        if given != expected {
            let vector = "vector of multipliers";
            return Err(DynamicsError::ForeignState(ModelError::VectorLength { vector, expected, given }));
        }
        if let Some(row) = (0..given).find(|&row| !multipliers.component(row).is_finite()) {
            let member = self.system.description().constraint_of_row(row);
            return Err(DynamicsError::NotFinite { vector: "vector of multipliers", member });
        }
        self.system.residual(t, q, v, a, multipliers, &mut self.forces);
        self.finite_forces(t, q, v)
    }

    /// Forward dynamics: returns the accelerations v' and the Lagrange multipliers λ.
    ///
    /// The state is not projected onto the constraint manifold. The accelerations satisfy B v' + curvature = 0.
    ///
    /// # Errors
    /// [`DynamicsError`] for vectors of another length, values that are not finite, missing inputs, a singular mass matrix and dependent
    /// constraints.
    #[doc(alias("ABA", "FD"))]
    pub fn forward(
        &mut self,
        t: f64,
        q: &M::Configuration,
        v: &M::Velocity,
    ) -> Result<(&M::Velocity, &M::Multipliers), DynamicsError> {
        self.check(t, q, Some(v), &[])?;
        self.solve_forward(t, q, v, None)
    }

    /// Forward dynamics with generalised forces τ in addition to the declared forces.
    ///
    /// # Errors
    /// The errors of [`forward`](Self::forward).
    pub fn forward_with(
        &mut self,
        t: f64,
        q: &M::Configuration,
        v: &M::Velocity,
        forces: &M::Velocity,
    ) -> Result<(&M::Velocity, &M::Multipliers), DynamicsError> {
        self.check(t, q, Some(v), &[("vector of forces", forces)])?;
        self.solve_forward(t, q, v, Some(forces))
    }

    fn solve_forward(
        &mut self,
        t: f64,
        q: &M::Configuration,
        v: &M::Velocity,
        added: Option<&M::Velocity>,
    ) -> Result<(&M::Velocity, &M::Multipliers), DynamicsError> {
        let system = self.system;
        if system.constraint_rows() > 0 {
            self.evaluation.place(system, t, q);
            let completed = self.evaluation.complete(system, (t, q, v), &mut self.inertia);
            completed.map_err(|error| failed(error, system, t, q))?;
            system.constraint_curvature(t, q, v, &mut self.curvature);
            self.curvature.scale(-1.0);
        } else {
            system.force(t, q, v, &mut self.evaluation.force);
            self.inertia.at(system, t, q).map_err(|error| failed(error, system, t, q))?;
        }
        self.forces.assign(&self.evaluation.force);
        if let Some(added) = added {
            self.forces.axpy(1.0, added);
            set_states(system, &self.evaluation.force, &mut self.forces);
        }
        self.solve(t, q)?;
        if self.acceleration.all_finite() && self.multipliers.all_finite() {
            Ok((&self.acceleration, &self.multipliers))
        } else {
            Err(self.not_finite(t, q, v))
        }
    }

    /// Solves M x + Bᵀ λ = `forces`, B x = `curvature` for x and λ, with the factors of M and with B at (t, q).
    fn solve(&mut self, t: f64, q: &M::Configuration) -> Result<(), DynamicsError> {
        let StateDynamics { system, inertia, evaluation, forces, acceleration, curvature, multipliers, .. } = self;
        if system.constraint_rows() == 0 {
            system.solve_mass(inertia.factors(), forces, acceleration);
            return Ok(());
        }
        let jacobian = &evaluation.jacobian;
        let solved =
            system.solve_kkt(inertia.factors(), jacobian, jacobian, forces, curvature, acceleration, multipliers);
        solved.map_err(|error| failed(error, *system, t, q))
    }

    /// Returns M(t, q) as a dense matrix. For long chains, use [`mass_times`](Self::mass_times).
    ///
    /// # Errors
    /// [`DynamicsError`] for a configuration of another length, and values that are not finite.
    #[doc(alias("inertia matrix", "CRBA"))]
    pub fn mass_matrix(&self, t: f64, q: &M::Configuration) -> Result<DMatrix<f64>, DynamicsError> {
        self.check(t, q, None, &[])?;
        let (mut matrix, dof) = (self.system.zero_matrix(), state_components(self.system).start);
        self.system.mass_matrix(t, q, &mut matrix);
        let dense = DMatrix::from_fn(dof, dof, |row, column| self.system.matrix_entry(&matrix, row, column));
        if dense.iter().all(|entry| entry.is_finite()) {
            return Ok(dense);
        }
        Err(self.not_finite(t, q, &self.system.zero_velocity()))
    }

    /// Returns M(t, q) w. With w = v this is the generalised momentum.
    ///
    /// # Errors
    /// [`DynamicsError`] for vectors of another length, and values that are not finite.
    pub fn mass_times(&mut self, t: f64, q: &M::Configuration, w: &M::Velocity) -> Result<&M::Velocity, DynamicsError> {
        self.check(t, q, Some(w), &[])?;
        self.system.momentum(t, q, w, &mut self.forces);
        self.finite_forces(t, q, w)
    }

    /// Returns the bias forces g(t, q, v): inertial forces and potential gradient, minus all declared forces and dissipation.
    ///
    /// [`coriolis`](Self::coriolis) and [`potential_gradient`](Self::potential_gradient) are parts of them.
    ///
    /// # Errors
    /// [`DynamicsError`] for vectors of another length, values that are not finite and missing inputs.
    #[doc(alias("nonlinear effects", "qfrc_bias"))]
    pub fn bias(&mut self, t: f64, q: &M::Configuration, v: &M::Velocity) -> Result<&M::Velocity, DynamicsError> {
        self.check(t, q, Some(v), &[])?;
        self.system.force(t, q, v, &mut self.forces);
        self.forces.scale(-1.0);
        self.finite_forces(t, q, v)
    }

    /// Returns the inertial forces c that are quadratic in v: Ṁ v − ad_vᵀ M v − ½ D_q (vᵀ M v).
    ///
    /// Terms of a kinetic energy that are linear in v, such as a magnetic field, are in [`bias`](Self::bias) only. The cost is one
    /// evaluation of M v per degree of freedom.
    ///
    /// # Errors
    /// [`DynamicsError`] for vectors of another length, and values that are not finite.
    #[doc(alias("centrifugal", "gyroscopic"))]
    pub fn coriolis(&mut self, t: f64, q: &M::Configuration, v: &M::Velocity) -> Result<&M::Velocity, DynamicsError> {
        self.check(t, q, Some(v), &[])?;
        let system = self.system;
        system.momentum(t, q, v, &mut self.acceleration);
        system.space().coadjoint(v, &self.acceleration, &mut self.forces);
        self.forces.scale(-1.0);
        let dual = self.dual.get_or_insert_with(|| DualPoint::of(system, q));
        dual.add_inertial(system, (t, q, v), &mut self.forces);
        self.finite_forces(t, q, v)
    }

    /// Returns the gradient D_q V of all potentials along q w~: weight, springs, elastic energies.
    ///
    /// The cost is one evaluation of the potential per degree of freedom.
    ///
    /// # Errors
    /// [`DynamicsError`] for a configuration of another length, values that are not finite and missing inputs.
    #[doc(alias("gravity", "generalized gravity"))]
    pub fn potential_gradient(&mut self, t: f64, q: &M::Configuration) -> Result<&M::Velocity, DynamicsError> {
        self.check(t, q, None, &[])?;
        let system = self.system;
        let dual = self.dual.get_or_insert_with(|| DualPoint::of(system, q));
        dual.gradient_of_potential(system, t, q, &mut self.forces);
        if self.forces.all_finite() {
            return Ok(&self.forces);
        }
        Err(self.not_finite(t, q, &system.zero_velocity()))
    }

    /// Returns the Jacobian J of a quantity with the given rate: column i is the derivative of the rate with respect to component i of v.
    ///
    /// `rate` receives the system on dual numbers, t, q and v. Its body is a call of the generated function:
    ///
    /// | quantity | rate |
    /// |---|---|
    /// | `#[quantity] fn tip(q)` | `\|system, _, q, v\| tip_rate(q, &system.velocity(v))` |
    /// | with parameters | `\|system, _, q, v\| tip_rate(system.parameters(), q, &system.velocity(v))` |
    /// | scalar | `\|system, _, q, v\| Vector1::new(angle_rate(q, &system.velocity(v)))` |
    /// | over members | `\|system, _, q, v\| { let v = system.velocity(v); strain_rate([&q.x[0], &q.x[1]], [&v.x[0], &v.x[1]]) }` |
    /// | frame 3 of `#[kinematics] fn link` | `\|system, t, q, v\| system.link_velocities(t, q, v)[3]` |
    ///
    /// The rate of a pose is its left-trivialised twist. A misspelt quantity is a compile error. The cost is one evaluation of the rate per
    /// degree of freedom.
    ///
    /// # Errors
    /// [`DynamicsError`] for a configuration of another length, and a Jacobian that is not finite.
    #[doc(alias("geometric Jacobian", "mj_jac"))]
    pub fn jacobian<const R: usize>(
        &mut self,
        t: f64,
        q: &M::Configuration,
        rate: impl Fn(&M::Lifted, Dual<f64>, &DualConfiguration<M>, &DualVelocity<M>) -> SVector<Dual<f64>, R>,
    ) -> Result<DMatrix<f64>, DynamicsError> {
        self.check(t, q, None, &[])?;
        let system = self.system;
        let (mut jacobian, dof) = (DMatrix::zeros(R, state_components(system).start), state_components(system).start);
        let dual = self.dual.get_or_insert_with(|| DualPoint::of(system, q));
        dual.derivatives_by_velocity(system, t, q, |lifted, t, q, v, component| {
            if component < dof {
                jacobian.set_column(component, &rate(lifted, t, q, v).map(|value| value.eps));
            }
        });
        match jacobian.iter().position(|entry| !entry.is_finite()) {
            None => Ok(jacobian),
            Some(at) => Err(DynamicsError::JacobianNotFinite { row: at % R }),
        }
    }

    /// Returns J' v, the acceleration of a quantity at v' = 0: the acceleration is J v' + J' v.
    ///
    /// `rate` is the same function as for [`jacobian`](Self::jacobian). Derivatives of a time-dependent quantity with respect to t are
    /// included.
    ///
    /// # Errors
    /// [`DynamicsError`] for vectors of another length, and values that are not finite.
    #[doc(alias("Jdot v", "bias acceleration", "drift"))]
    pub fn jacobian_rate_times_velocity<const R: usize>(
        &mut self,
        t: f64,
        q: &M::Configuration,
        v: &M::Velocity,
        rate: impl Fn(&M::Lifted, Dual<f64>, &DualConfiguration<M>, &DualVelocity<M>) -> SVector<Dual<f64>, R>,
    ) -> Result<SVector<f64, R>, DynamicsError> {
        self.check(t, q, Some(v), &[])?;
        let system = self.system;
        let dual = self.dual.get_or_insert_with(|| DualPoint::of(system, q));
        let (lifted, t, q, v) = dual.along_motion(system, (t, q, v));
        let found = rate(lifted, t, q, v).map(|value| value.eps);
        match found.iter().position(|value| !value.is_finite()) {
            None => Ok(found),
            Some(row) => Err(DynamicsError::JacobianNotFinite { row }),
        }
    }

    /// Returns the operational-space inertia Λ = (J M⁻¹ Jᵀ)⁻¹ of a quantity.
    ///
    /// For systems with constraints, M⁻¹ is the inverse on the velocities with B v = 0. A force f on the quantity accelerates it by
    /// Λ⁻¹ f, in addition to its motion without f.
    ///
    /// # Errors
    /// The errors of [`jacobian`](Self::jacobian) and [`forward`](Self::forward), and [`DynamicsError::SingularQuantity`] if some direction of the
    /// quantity cannot move.
    #[doc(alias("task-space inertia", "apparent mass"))]
    pub fn operational_inertia<const R: usize>(
        &mut self,
        t: f64,
        q: &M::Configuration,
        rate: impl Fn(&M::Lifted, Dual<f64>, &DualConfiguration<M>, &DualVelocity<M>) -> SVector<Dual<f64>, R>,
    ) -> Result<SMatrix<f64, R, R>, DynamicsError> {
        let jacobian = self.jacobian(t, q, rate)?;
        let system = self.system;
        self.inertia.at(system, t, q).map_err(|error| failed(error, system, t, q))?;
        if system.constraint_rows() > 0 {
            self.evaluation.place_rows(system, t, q);
            self.curvature.fill(0.0);
        }
        let mut mobility = SMatrix::<f64, R, R>::zeros();
        clear_states(system, &mut self.forces);
        for column in 0..R {
            for component in 0..jacobian.ncols() {
                self.forces.set_component(component, jacobian[(column, component)]);
            }
            self.solve(t, q)?;
            for row in 0..R {
                let terms = (0..jacobian.ncols()).map(|at| jacobian[(row, at)] * self.acceleration.component(at));
                mobility[(row, column)] = terms.sum();
            }
        }
        inverse_spd(&mobility).map_err(|error| match error {
            KktError::MassNotPositiveDefinite { component } => DynamicsError::SingularQuantity { row: component },
            error => failed(error, system, t, q),
        })
    }

    /// Returns the generalised forces if they are finite, with zeros for auxiliary states.
    fn finite_forces(&mut self, t: f64, q: &M::Configuration, v: &M::Velocity) -> Result<&M::Velocity, DynamicsError> {
        clear_states(self.system, &mut self.forces);
        if self.forces.all_finite() { Ok(&self.forces) } else { Err(self.not_finite(t, q, v)) }
    }

    /// Returns the error of a result that is not finite.
    #[cold]
    fn not_finite(&self, t: f64, q: &M::Configuration, v: &M::Velocity) -> DynamicsError {
        let mut state = State::at_rest(self.system, t, q.clone());
        state.velocity.assign(v);
        DynamicsError::Failed(StepFailure::NotFinite { quantity: Quantity::find(self.system, &state) })
    }

    /// Checks the lengths of all vectors, their values, and the inputs.
    fn check(
        &self,
        t: f64,
        q: &M::Configuration,
        v: Option<&M::Velocity>,
        others: &[(&'static str, &M::Velocity)],
    ) -> Result<(), DynamicsError> {
        let (system, expected) = (self.system, self.system.dof());
        system.space().check(q).map_err(|error| DynamicsError::ForeignState(error.into()))?;
        for (vector, values) in v.map(|v| ("velocity", v)).into_iter().chain(others.iter().copied()) {
            let given = values.component_count();
            if given != expected {
                return Err(DynamicsError::ForeignState(ModelError::VectorLength { vector, expected, given }));
            }
            if let Some(component) = (0..given).find(|&component| !values.component(component).is_finite()) {
                let member = system.description().member_of_component(component);
                return Err(DynamicsError::NotFinite { vector, member });
            }
        }
        if !t.is_finite() {
            return Err(DynamicsError::NotFinite { vector: "argument", member: "t" });
        }
        if !system.space().is_finite(q) {
            return Err(DynamicsError::NotFinite { vector: "argument", member: "q" });
        }
        system.ensure_inputs(t, t).map_err(DynamicsError::Inputs)
    }
}

/// Returns the error of a linear system, with the names of the declaration.
#[cold]
fn failed<M: MultibodySystem>(error: KktError, system: &M, t: f64, q: &M::Configuration) -> DynamicsError {
    DynamicsError::Failed(StepFailure::of_kkt_at(error, system, t, q))
}
