//! One step: paper 1, eqs. (12)-(15).
//!
//! Stage i ≥ 2 involves two points. Its accelerations satisfy the equations of motion at Q_i. Its multipliers make the *next* stage satisfy
//! the velocity constraints at Q_{i+1}, which is already known: Θ_{i+1} needs Θ̇_1 … Θ̇_i only. The order of evaluation is therefore Θ̇_i,
//! Q_{i+1}, B(Q_{i+1}), and then one linear system for V̇_i and Λ_i. The [`Evaluation`] stores the common subexpressions of B(Q_{i+1}), −g
//! and M at the same point for stage i + 1.
//!
//! The first stage of a step is V̇_1 = M⁻¹(−g − Bᵀ λ_n), Θ̇_1 = v_n: the acceleration in the state. A step that is repeated with another
//! size does not compute it again. Methods whose last stage is the first stage of the next step get it at no cost.
//!
//! Values of fixed size that one stage passes to the next are local variables and stay in registers. Buffers would store and load them with
//! different widths, which prevents store forwarding and delays the loads. Values on the heap (chains) stay in the buffers.

use super::Tableau;
use super::multiplier_change::is_gradual;
use super::workspace::{HalfExplicitStage, HalfExplicitWorkspace, SharedStageValues};
use crate::group::TangentVector;
use crate::integrator::accelerations;
use crate::integrator::tableau::{combination, combination_ending, hand_over};
use crate::integrator::{LocalError, State, StepError, StepFailure};
use crate::scalar::{Scalar, pairs};
use crate::space::ConfigurationSpace;
use crate::system::{Evaluation, KktError, MechanicalSystem};

/// The embedded row and the destination of its estimate.
type EmbeddedEstimate<'a, M> = Option<(&'static [f64], &'a mut LocalError<M>)>;

/// Projects a configuration and a velocity onto the constraint manifold at a time.
pub(crate) type Onto<'a, M> =
    &'a mut dyn FnMut(f64, &mut <M as MechanicalSystem>::Configuration, &mut <M as MechanicalSystem>::Velocity);

/// Computes V̇_1 = M⁻¹(−g − Bᵀ λ) of a step that starts from `state`. Error messages report `h`.
pub(super) fn first_stage<M: MechanicalSystem>(
    system: &M,
    state: &mut State<M>,
    h: f64,
    workspace: &mut HalfExplicitWorkspace<M>,
) -> Result<(), StepError> {
    let HalfExplicitWorkspace { kept, stage } = workspace;
    accelerations::from_multipliers(system, state, h, &mut kept.inertia, &mut stage.here, &mut stage.reaction)
}

/// Checks that the result of a step is finite.
#[inline]
fn finish<M: MechanicalSystem>(system: &M, from: &State<M>, h: f64, to: &State<M>) -> Result<(), StepError> {
    if to.velocity.all_finite() && to.multipliers.all_finite() && system.space().is_finite(&to.configuration) {
        Ok(())
    } else {
        Err(StepError::not_finite(system, from, h))
    }
}

/// The common data of the stages of a step.
struct HalfExplicitStep<'a, M: MechanicalSystem> {
    tableau: &'a Tableau,
    system: &'a M,
    from: &'a State<M>,
    h: f64,
}

impl<M: MechanicalSystem> HalfExplicitStep<'_, M> {
    /// t_n + c h.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn time(&self, c: f64) -> M::Scalar {
        M::Scalar::from_f64(self.from.time + c * self.h)
    }

    /// Computes Θ_{i+1}, Q_{i+1}, V_{i+1} without its last term, and B(Q_{i+1}) from row i + 1, whose last entry is the factor of Θ̇_i in
    /// the stage. If there `is_another` stage, it also evaluates the common parts of B and the force.
    ///
    /// Writes b to `drift` and returns h a_{i+1,i}. V̇_i must satisfy B (V_{i+1} + h a_{i+1,i} V̇_i) + b = 0.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn aim(
        &self,
        row: &[f64],
        c: f64,
        theta_rates: &[M::Velocity],
        accelerations: &[M::Velocity],
        is_another: bool,
        stage: &mut HalfExplicitStage<M>,
    ) -> f64 {
        let t = self.time(c);
        let (whole, last) = (row, self.h * row[row.len() - 1]);
        let row = &row[..row.len() - 1];
        let HalfExplicitStage { theta, configuration, velocity, rate, there, drift, .. } = stage;
        let factor = |coefficient: &f64| M::Scalar::from_f64(self.h * coefficient);
        if const { core::mem::needs_drop::<M::Velocity>() } {
            // Each sum is one pass through the memory.
            combination_ending(theta, self.h, whole, theta_rates, rate);
            let terms = pairs(row, accelerations).filter(|(coefficient, _)| **coefficient != 0.0);
            let terms = terms.map(|(coefficient, acceleration)| (factor(coefficient), acceleration));
            let start = (num_traits::One::one(), &self.from.velocity);
            velocity.set_combination(core::iter::once(start).chain(terms));
        } else {
            velocity.assign(&self.from.velocity);
            let mut terms = pairs(row.iter().map(factor), pairs(theta_rates, accelerations));
            // Not 0 + …, which costs an unnecessary addition.
            if let Some((factor, (rate, acceleration))) = terms.next() {
                theta.assign_scaled(factor, rate);
                velocity.axpy(factor, acceleration);
            } else {
                theta.fill(num_traits::Zero::zero());
            }
            for (factor, (rate, acceleration)) in terms {
                theta.axpy(factor, rate);
                velocity.axpy(factor, acceleration);
            }
            theta.axpy(M::Scalar::from_f64(last), rate);
        }
        self.system.space().compose_exp(&self.from.configuration, theta, configuration);
        if is_another {
            there.place(self.system, t, configuration);
        } else {
            there.place_rows(self.system, t, configuration);
        }
        self.system.constraint_drift(t, configuration, drift);
        last
    }

    /// Computes all stages. Writes q and v at the end and the sum of the multipliers to `to`, and Θ_{s+1} to `increment`.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn stages(
        &self,
        to: &mut State<M>,
        mut increment: Option<&mut M::Velocity>,
        kept: &mut SharedStageValues<M>,
        stage: &mut HalfExplicitStage<M>,
    ) -> Result<(), StepError> {
        let &HalfExplicitStep { tableau, system, from, h } = self;
        let (s, s_bar) = (tableau.stages, tableau.constrained_stages);
        let SharedStageValues { theta_rates, accelerations, multipliers, inertia, linear_solves } = kept;

        // Stage 1 is explicit: V_2 is not constrained.
        theta_rates[0].assign(&from.velocity);
        accelerations[0].assign(&from.acceleration);
        to.multipliers.assign_scaled(M::Scalar::from_f64(tableau.d[0]), &from.multipliers);
        let factor = M::Scalar::from_f64(h * tableau.a[1][0]);
        stage.theta.assign_scaled(factor, &from.velocity);
        system.space().compose_exp(&from.configuration, &stage.theta, &mut stage.configuration);
        stage.velocity.assign_sum(&from.velocity, factor, &from.acceleration);
        let t = self.time(tableau.c[1]);
        stage.here.place(system, t, &stage.configuration);
        system.space().tangent_inverse(&stage.theta, &stage.velocity, &mut stage.rate);

        for i in 2..=s_bar {
            let (t, row) = (self.time(tableau.c[i - 1]), tableau.a[i]);
            let at = (t, &stage.configuration, &stage.velocity);
            stage.here.complete(system, at, inertia).map_err(|error| self.failed(error))?;
            let last = self.aim(row, tableau.c[i], theta_rates, accelerations, i < s_bar, stage);
            *linear_solves += 1;
            let HalfExplicitStage {
                theta,
                configuration,
                velocity,
                rate,
                acceleration,
                here,
                there,
                drift,
                reaction,
                ..
            } = stage;
            let multipliers = &mut multipliers[i - 1];
            let (mass, Evaluation { jacobian, force }) = (inertia.factors(), &*here);
            system
                .solve_kkt_end_velocity(
                    mass,
                    jacobian,
                    &there.jacobian,
                    force,
                    (&*velocity, last),
                    drift,
                    acceleration,
                    multipliers,
                )
                .map_err(|error| self.failed(error))?;
            if system.has_least_norm() {
                let change = (drift, reaction);
                if !is_gradual(system, jacobian, [&from.multipliers, multipliers], force, change) {
                    return Err(StepError { time: from.time, step: h, failure: StepFailure::MultipliersJump });
                }
            }
            if tableau.d[i - 1] != 0.0 {
                to.multipliers.axpy(M::Scalar::from_f64(tableau.d[i - 1]), multipliers);
            }
            velocity.axpy(M::Scalar::from_f64(h * row[i - 1]), acceleration);
            // Later stages read these values.
            hand_over(rate, &mut theta_rates[i - 1]);
            hand_over(acceleration, &mut accelerations[i - 1]);
            if i == s {
                to.configuration.clone_from(configuration);
                to.velocity.assign(velocity);
                if let Some(increment) = &mut increment {
                    increment.assign(theta);
                }
            }
            if i < s_bar {
                hand_over(there, here);
                // This evaluation is not at the start of the next stage. The compiler packs loop-carried values in pairs into registers;
                // the values of Θ, which are known long before V, would wait for V. That costs 20 of the 225 cycles between the Λ of two
                // stages.
                system.space().tangent_inverse(theta, velocity, rate);
            }
        }
        Ok(())
    }

    /// Solves stage s̄ again for the row of the embedded method, with the buffers after the last stage.
    #[inline]
    fn estimate(
        &self,
        row: &[f64],
        to: &State<M>,
        error: &mut LocalError<M>,
        workspace: &mut HalfExplicitWorkspace<M>,
    ) -> Result<(), StepError> {
        let last = self.tableau.constrained_stages - 1;
        let HalfExplicitWorkspace {
            kept: SharedStageValues { theta_rates, accelerations, inertia, linear_solves, .. },
            stage,
        } = workspace;
        core::mem::swap(&mut stage.rate, &mut theta_rates[last]);
        let ahead = self.aim(row, row.iter().sum(), theta_rates, accelerations, false, stage);
        *linear_solves += 1;
        let HalfExplicitStage { theta, velocity, here, there, drift, reaction, multipliers, .. } = stage;
        let (mass, Evaluation { jacobian, force }) = (inertia.factors(), here);
        self.system
            .solve_kkt_end_velocity(
                mass,
                jacobian,
                &there.jacobian,
                force,
                (&*velocity, ahead),
                drift,
                reaction,
                multipliers,
            )
            .map_err(|error| self.failed(error))?;
        velocity.axpy(M::Scalar::from_f64(self.h * row[last]), reaction);
        difference(&mut error.increment_error, theta, &error.increment);
        difference(&mut error.velocity_error, velocity, &to.velocity);
        Ok(())
    }

    #[cold]
    fn failed(&self, error: KktError) -> StepError {
        StepError::of_kkt(error, self.system, self.from, self.h)
    }
}

/// Makes a step of a system with constraints.
#[inline]
#[allow(clippy::too_many_arguments)] // The arguments of `Integrator::step` and the method.
pub(super) fn constrained<M: MechanicalSystem>(
    tableau: &Tableau,
    first_same_as_last: bool,
    system: &M,
    from: &State<M>,
    h: f64,
    to: &mut State<M>,
    mut estimate: EmbeddedEstimate<'_, M>,
    workspace: &mut HalfExplicitWorkspace<M>,
) -> Result<(), StepError> {
    let step = HalfExplicitStep { tableau, system, from, h };
    let HalfExplicitWorkspace { kept, stage } = &mut *workspace;
    let increment = estimate.as_mut().map(|(_, error)| &mut error.increment);
    if const { core::mem::needs_drop::<HalfExplicitStage<M>>() } {
        step.stages(to, increment, kept, stage)?;
    } else {
        let mut variable = stage.clone();
        step.stages(to, increment, kept, &mut variable)?;
        if estimate.is_some() {
            *stage = variable;
        }
    }
    to.time = from.time + h;
    finish(system, from, h, to)?;

    if let Some((row, error)) = estimate {
        step.estimate(row, to, error, workspace)?;
    }
    if first_same_as_last {
        to.acceleration.assign(&workspace.kept.accelerations[tableau.constrained_stages - 1]);
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

/// Makes a step of the index-1 equations, v' = M⁻¹(−g − Bᵀ λ) with λ from B v' + curvature = 0, with s stages of a Runge-Kutta-Munthe-Kaas
/// method. Systems without constraints have no other equations. For systems with constraints, `onto` can project the stages, so that the
/// method integrates the vector field on the constraint manifold and not its continuation off the manifold.
#[inline]
#[allow(clippy::too_many_arguments)] // The arguments of `constrained`.
pub(super) fn reduced<M: MechanicalSystem>(
    tableau: &Tableau,
    system: &M,
    from: &State<M>,
    h: f64,
    to: &mut State<M>,
    mut onto: Option<Onto<'_, M>>,
    estimate: EmbeddedEstimate<'_, M>,
    workspace: &mut HalfExplicitWorkspace<M>,
) -> Result<(), StepError> {
    let s = tableau.stages;
    let failed = |error| StepError::of_kkt(error, system, from, h);
    let HalfExplicitWorkspace { kept, stage } = &mut *workspace;
    let SharedStageValues { theta_rates, accelerations, inertia, linear_solves, .. } = kept;
    let HalfExplicitStage { theta, configuration, velocity, here, drift, .. } = stage;
    theta_rates[0].assign(&from.velocity);
    accelerations[0].assign(&from.acceleration);
    for i in 2..=s + 1 {
        let (t, row) = (M::Scalar::from_f64(from.time + tableau.c[i - 1] * h), tableau.a[i - 1]);
        combination(theta, h, row, theta_rates);
        system.space().compose_exp(&from.configuration, theta, configuration);
        velocity.assign(&from.velocity);
        velocity.add_combination(h, row, accelerations);
        if let Some(onto) = &mut onto {
            onto(from.time + tableau.c[i - 1] * h, configuration, velocity);
        }
        if i > s {
            break;
        }
        system.space().tangent_inverse(theta, velocity, &mut theta_rates[i - 1]);
        let (acceleration, multipliers) = (&mut accelerations[i - 1], &mut to.multipliers);
        let at = (t, &*configuration, &*velocity);
        let is_constrained =
            here.accelerations(system, at, inertia, drift, acceleration, multipliers).map_err(failed)?;
        *linear_solves += u64::from(is_constrained);
    }
    to.configuration.clone_from(configuration);
    to.velocity.assign(velocity);
    to.time = from.time + h;
    finish(system, from, h, to)?;
    accelerate(system, to, h, workspace)?;

    if let Some((row, error)) = estimate {
        // Stage s + 1 is the first stage of the next step.
        let HalfExplicitWorkspace { kept: SharedStageValues { theta_rates, accelerations, .. }, stage } = workspace;
        system.space().tangent_inverse(&stage.theta, &to.velocity, &mut theta_rates[s]);
        accelerations[s].assign(&to.acceleration);
        combination(&mut error.increment_error, h, row, theta_rates);
        error.increment.assign(&stage.theta);
        error.increment_error.axpy(-<M::Scalar as num_traits::One>::one(), &stage.theta);
        error.velocity_error.assign(&from.velocity);
        error.velocity_error.add_combination(h, row, accelerations);
        error.velocity_error.axpy(-<M::Scalar as num_traits::One>::one(), &to.velocity);
    }
    Ok(())
}

/// Computes v' and λ of a state from the index-1 equations. Error messages report `h`.
pub(super) fn accelerate<M: MechanicalSystem>(
    system: &M,
    state: &mut State<M>,
    h: f64,
    workspace: &mut HalfExplicitWorkspace<M>,
) -> Result<(), StepError> {
    let t = M::Scalar::from_f64(state.time);
    let HalfExplicitWorkspace { kept: SharedStageValues { inertia, linear_solves, .. }, stage } = workspace;
    let HalfExplicitStage { here, drift, acceleration, multipliers, .. } = stage;
    let at = (t, &state.configuration, &state.velocity);
    match here.accelerations(system, at, inertia, drift, acceleration, multipliers) {
        Ok(is_constrained) => *linear_solves += u64::from(is_constrained),
        Err(error) => return Err(StepError::of_kkt(error, system, state, h)),
    }
    state.acceleration.assign(acceleration);
    if system.constraint_rows() > 0 {
        state.multipliers.assign(multipliers);
    }
    if state.acceleration.all_finite() { Ok(()) } else { Err(StepError::not_finite(system, state, h)) }
}
