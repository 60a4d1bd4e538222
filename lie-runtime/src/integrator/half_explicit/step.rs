//! One step: paper 1, eqs. (12)-(15).
//!
//! Stage i ≥ 2 has two sides. Its accelerations obey the equations of motion at Q_i; its multipliers are such that the
//! *next* stage satisfies the velocity constraints at Q_{i+1}, which is known by then: Θ_{i+1} needs Θ̇_1 … Θ̇_i only.
//! So the order of work is Θ̇_i, Q_{i+1}, B(Q_{i+1}), and then one linear system for V̇_i and Λ_i.
//!
//! The first stage of a step is V̇_1 = M⁻¹(−g − Bᵀ λ_n), Θ̇_1 = v_n: the acceleration that the state brings along. A
//! step that is repeated with another size therefore repeats nothing of it, and methods whose last stage is the first of
//! the next step have it for nothing.

use super::Tableau;
use super::workspace::{Stage, Workspace};
use crate::group::TangentVector;
use crate::integrator::tableau::combination;
use crate::integrator::{LocalError, State, StepError, accelerations};
use crate::scalar::Scalar;
use crate::space::ConfigurationSpace;
use crate::system::{MechanicalSystem, SaddleError};

/// The embedded row and where its estimate goes.
type Estimate<'a, M> = Option<(&'static [f64], &'a mut LocalError<M>)>;

/// Factorises M(q) unless it is constant and has been factorised before.
#[inline]
fn factorise<M: MechanicalSystem>(
    system: &M,
    t: M::Scalar,
    q: &M::Configuration,
    mass: &mut M::Mass,
    is_factorised: &mut bool,
) -> Result<(), SaddleError> {
    if !*is_factorised {
        system.mass(t, q, mass)?;
        *is_factorised = system.description().mass_is_constant;
    }
    Ok(())
}

/// V̇_1 = M⁻¹(−g − Bᵀ λ) of a step that starts from `state`; `h` is for messages.
pub(super) fn first_stage<M: MechanicalSystem>(
    system: &M,
    state: &mut State<M>,
    h: f64,
    workspace: &mut Workspace<M>,
) -> Result<(), StepError> {
    let t = M::Scalar::from_f64(state.time);
    let Workspace { stages: [stage, _], force, reaction, mass, mass_is_factorised, .. } = workspace;
    if let Err(error) = factorise(system, t, &state.configuration, mass, mass_is_factorised) {
        return Err(StepError::of_saddle(error, system, state, h));
    }
    accelerations::from_multipliers(system, state, h, mass, &mut stage.jacobian, [force, reaction])
}

/// Checks that no NaN leaves a step.
#[inline]
fn finish<M: MechanicalSystem>(system: &M, from: &State<M>, h: f64, to: &State<M>) -> Result<(), StepError> {
    if to.velocity.all_finite() && to.multipliers.all_finite() && system.space().is_finite(&to.configuration) {
        Ok(())
    } else {
        Err(StepError::not_finite(system, from, h))
    }
}

/// What the stages of a step have in common.
struct Step<'a, M: MechanicalSystem> {
    system: &'a M,
    from: &'a State<M>,
    h: f64,
}

impl<M: MechanicalSystem> Step<'_, M> {
    /// t_n + c h.
    #[inline]
    fn time(&self, c: f64) -> M::Scalar {
        M::Scalar::from_f64(self.from.time + c * self.h)
    }

    /// Θ_{i+1}, Q_{i+1}, V_{i+1} up to its last term and B(Q_{i+1}), from row i + 1 with its i entries.
    ///
    /// Leaves in `residual` what B V̇_i has to be for V_{i+1} to satisfy the velocity constraints:
    /// −(B V_{i+1} + b) / (h a_{i+1,i}) without the last term.
    #[inline]
    #[allow(clippy::too_many_arguments)] // Buffers.
    fn aim(
        &self,
        row: &[f64],
        c: f64,
        theta_rates: &[M::Velocity],
        accelerations: &[M::Velocity],
        next: &mut Stage<M>,
        drift: &mut M::Multipliers,
        residual: &mut M::Multipliers,
    ) {
        let t = self.time(c);
        let last = row.len() - 1;
        combination(&mut next.theta, self.h, row, theta_rates);
        self.system.space().compose_exp(&self.from.configuration, &next.theta, &mut next.configuration);
        next.velocity.assign(&self.from.velocity);
        next.velocity.add_combination(self.h, &row[..last], accelerations);
        self.system.constraint_jacobian(t, &next.configuration, &mut next.jacobian);
        self.system.jacobian_times(&next.jacobian, &next.velocity, residual);
        self.system.constraint_drift(t, &next.configuration, drift);
        residual.axpy(num_traits::One::one(), drift);
        residual.scale(M::Scalar::from_f64(-1.0 / (self.h * row[last])));
    }

    /// Stage s̄ once more, aimed at the row of the embedded method; the buffers are as the last stage left them.
    #[inline]
    fn estimate(
        &self,
        tableau: &Tableau,
        row: &[f64],
        to: &State<M>,
        error: &mut LocalError<M>,
        workspace: &mut Workspace<M>,
    ) -> Result<(), StepError> {
        let s_bar = tableau.constrained_stages;
        let Workspace { theta_rates, accelerations, stages: [first, second], force, reaction, .. } = workspace;
        let Workspace { mass, drift, residual, multipliers, linear_solves, .. } = workspace;
        let (stage, next) = if s_bar.is_multiple_of(2) { (first, second) } else { (second, first) };
        self.aim(row, row.iter().sum(), theta_rates, accelerations, next, drift, residual);
        *linear_solves += 1;
        self.system
            .solve_saddle(mass, &stage.jacobian, &next.jacobian, force, residual, reaction, multipliers)
            .map_err(|error| self.failed(error))?;
        next.velocity.axpy(M::Scalar::from_f64(self.h * row[s_bar - 1]), reaction);
        difference(&mut error.increment_error, &next.theta, &error.increment);
        difference(&mut error.velocity_error, &next.velocity, &to.velocity);
        Ok(())
    }

    #[cold]
    fn failed(&self, error: SaddleError) -> StepError {
        StepError::of_saddle(error, self.system, self.from, self.h)
    }
}

/// A step of a system with constraints.
#[inline]
#[allow(clippy::too_many_arguments)] // Those of `Integrator::step`, and the method.
pub(super) fn constrained<M: MechanicalSystem>(
    tableau: &Tableau,
    first_same_as_last: bool,
    system: &M,
    from: &State<M>,
    h: f64,
    to: &mut State<M>,
    mut estimate: Estimate<'_, M>,
    workspace: &mut Workspace<M>,
) -> Result<(), StepError> {
    let step = Step { system, from, h };
    let (s, s_bar) = (tableau.stages, tableau.constrained_stages);
    let Workspace {
        theta_rates,
        accelerations,
        stages: [first, second],
        force,
        mass,
        mass_is_factorised,
        drift,
        residual,
        multipliers,
        linear_solves,
        ..
    } = &mut *workspace;
    // References take turns: what is stage i + 1 now is stage i in the next round.
    let (mut stage, mut next) = (first, second);

    // Stage 1 is explicit; V_2 is not constrained.
    theta_rates[0].assign(&from.velocity);
    accelerations[0].assign(&from.acceleration);
    to.multipliers.assign(&from.multipliers);
    to.multipliers.scale(M::Scalar::from_f64(tableau.d[0]));
    combination(&mut stage.theta, h, tableau.a[1], theta_rates);
    system.space().compose_exp(&from.configuration, &stage.theta, &mut stage.configuration);
    stage.velocity.assign(&from.velocity);
    stage.velocity.add_combination(h, tableau.a[1], accelerations);
    system.constraint_jacobian(step.time(tableau.c[1]), &stage.configuration, &mut stage.jacobian);

    for i in 2..=s_bar {
        let (t, row) = (step.time(tableau.c[i - 1]), tableau.a[i]);
        system.space().tangent_inverse(&stage.theta, &stage.velocity, &mut theta_rates[i - 1]);
        system.force(t, &stage.configuration, &stage.velocity, force);
        factorise(system, t, &stage.configuration, mass, mass_is_factorised).map_err(|error| step.failed(error))?;
        step.aim(row, tableau.c[i], theta_rates, accelerations, next, drift, residual);
        let acceleration = &mut accelerations[i - 1];
        *linear_solves += 1;
        system
            .solve_saddle(mass, &stage.jacobian, &next.jacobian, force, residual, acceleration, multipliers)
            .map_err(|error| step.failed(error))?;
        if tableau.d[i - 1] != 0.0 {
            to.multipliers.axpy(M::Scalar::from_f64(tableau.d[i - 1]), multipliers);
        }
        next.velocity.axpy(M::Scalar::from_f64(h * row[i - 1]), acceleration);
        if i == s {
            to.configuration.clone_from(&next.configuration);
            to.velocity.assign(&next.velocity);
            if let Some((_, error)) = &mut estimate {
                error.increment.assign(&next.theta);
            }
        }
        if i < s_bar {
            core::mem::swap(&mut stage, &mut next);
        }
    }
    to.time = from.time + h;
    finish(system, from, h, to)?;

    if let Some((row, error)) = estimate {
        step.estimate(tableau, row, to, error, workspace)?;
    }
    if first_same_as_last {
        to.acceleration.assign(&workspace.accelerations[s_bar - 1]);
        Ok(())
    } else {
        first_stage(system, to, h, workspace)
    }
}

/// `out = a - b`.
#[inline]
fn difference<V: TangentVector>(out: &mut V, a: &V, b: &V) {
    out.assign(a);
    out.axpy(-<V::Scalar as num_traits::One>::one(), b);
}

/// A step without constraints: s stages of a Runge-Kutta-Munthe-Kaas method.
#[inline]
pub(super) fn unconstrained<M: MechanicalSystem>(
    tableau: &Tableau,
    system: &M,
    from: &State<M>,
    h: f64,
    to: &mut State<M>,
    estimate: Estimate<'_, M>,
    workspace: &mut Workspace<M>,
) -> Result<(), StepError> {
    let s = tableau.stages;
    let Workspace { theta_rates, accelerations, stages: [stage, last], force, mass, mass_is_factorised, .. } =
        &mut *workspace;
    theta_rates[0].assign(&from.velocity);
    accelerations[0].assign(&from.acceleration);
    for i in 2..=s {
        let (t, row) = (M::Scalar::from_f64(from.time + tableau.c[i - 1] * h), tableau.a[i - 1]);
        combination(&mut stage.theta, h, row, theta_rates);
        system.space().compose_exp(&from.configuration, &stage.theta, &mut stage.configuration);
        stage.velocity.assign(&from.velocity);
        stage.velocity.add_combination(h, row, accelerations);
        system.space().tangent_inverse(&stage.theta, &stage.velocity, &mut theta_rates[i - 1]);
        if let Err(error) = factorise(system, t, &stage.configuration, mass, mass_is_factorised) {
            return Err(StepError::of_saddle(error, system, from, h));
        }
        system.force(t, &stage.configuration, &stage.velocity, force);
        system.solve_mass(mass, force, &mut accelerations[i - 1]);
    }
    combination(&mut last.theta, h, tableau.a[s], theta_rates);
    system.space().compose_exp(&from.configuration, &last.theta, &mut to.configuration);
    to.velocity.assign(&from.velocity);
    to.velocity.add_combination(h, tableau.a[s], accelerations);
    to.multipliers.assign(&from.multipliers);
    to.time = from.time + h;
    finish(system, from, h, to)?;
    first_stage(system, to, h, workspace)?;

    if let Some((row, error)) = estimate {
        // Stage s + 1 is the first of the next step.
        let Workspace { theta_rates, accelerations, stages: [_, last], .. } = workspace;
        system.space().tangent_inverse(&last.theta, &to.velocity, &mut theta_rates[s]);
        accelerations[s].assign(&to.acceleration);
        combination(&mut error.increment_error, h, row, theta_rates);
        error.increment.assign(&last.theta);
        error.increment_error.axpy(-<M::Scalar as num_traits::One>::one(), &last.theta);
        error.velocity_error.assign(&from.velocity);
        error.velocity_error.add_combination(h, row, accelerations);
        error.velocity_error.axpy(-<M::Scalar as num_traits::One>::one(), &to.velocity);
    }
    Ok(())
}
