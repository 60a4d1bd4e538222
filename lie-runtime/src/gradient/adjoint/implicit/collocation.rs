//! The reverse pass through a step of a collocation method.
//!
//! The unknowns Θ_i and h² Λ_i of all stages solve h² r = 0 and Φ = 0 or h (B V + b) = 0, where, with ω = a⁻¹,
//!
//! ```text
//! h Y_i = Σ ω_ij Θ_j,    h V_i = T(Θ_i) h Y_i,    h A_i = Σ ω_ij (V_j − v_n),    Q_i = q_n exp(Θ_i).
//! ```
//!
//! Let F be the matrix of the iteration. −F⁻ᵀ maps the cotangents of the unknowns to the cotangents of the residuals. The reverse-mode
//! kernels map these to Q, V, A and the parameters, and then to q_n, v_n and the unknowns. The new cotangents of the unknowns are zero
//! for an exact F. The entries of F with respect to Θ are differences with about ten digits, and the remainder is processed again. All
//! contributions are added.

use num_traits::Zero;

use super::super::adjoint_step::{AdjointStep, Trace};
use super::super::initial::KktWorkspace;
use super::tangent_pullback;
use crate::gradient::adjoint_state::AdjointState;
use crate::group::TangentVector;
use crate::integrator::collocation::{CollocationStep, CollocationWorkspace, Level, matrix, step};
use crate::integrator::implicit::{IterateEquations, Unsolved};
use crate::integrator::{Collocation, Integrator, State, StepError};
use crate::scalar::{Scalar, larger};
use crate::space::ReverseSpace;
use crate::system::{Cotangents, KktError, Reverse};

/// The largest number of iterations; a matrix with ten digits needs two.
const TURNS: usize = 12;

/// The method with the buffers of its reverse pass; allocated once.
pub(in crate::gradient::adjoint) struct CollocationBack<M: Reverse> {
    method: Collocation,
    workspace: CollocationWorkspace<M>,
    kkt: KktWorkspace<M>,
    /// The end of a repeated step.
    end: State<M>,
    stages: Vec<OfStage<M>>,
    /// The transposed matrix of all stages. `weights` has the cotangents of the unknowns, and later of the residuals.
    transposed: Vec<M::Scalar>,
    weights: Vec<M::Scalar>,
    mass: M::Matrix,
    /// The weights of a stage.
    balance: M::Velocity,
    rows: [M::Multipliers; 2],
    vectors: [M::Velocity; 5],
}

/// The cotangents of a stage.
struct OfStage<M: Reverse> {
    /// The cotangents of Q, V and A.
    configuration: M::Velocity,
    velocity: M::Velocity,
    acceleration: M::Velocity,
    /// The cotangents of Θ and h² Λ.
    theta: M::Velocity,
    multipliers: M::Multipliers,
}

impl<M: Reverse> OfStage<M> {
    fn zero(system: &M) -> Self {
        let zero = || system.zero_velocity();
        OfStage {
            configuration: zero(),
            velocity: zero(),
            acceleration: zero(),
            theta: zero(),
            multipliers: system.zero_multipliers(),
        }
    }

    fn forget(&mut self) {
        let OfStage { configuration, velocity, acceleration, theta, multipliers } = self;
        for cotangent in [configuration, velocity, acceleration, theta] {
            cotangent.fill(M::Scalar::zero());
        }
        multipliers.fill(M::Scalar::zero());
    }
}

/// Reasons for a missing reverse pass.
enum ReverseStepFailure {
    Kkt(KktError),
    Slow,
}

impl<M: Reverse> CollocationBack<M> {
    pub fn of(system: &M, state: &State<M>, method: Collocation) -> Self {
        let workspace = method.workspace(system, state);
        let unknowns = workspace.buffers.unknowns.len();
        let zero = || system.zero_velocity();
        CollocationBack {
            method,
            kkt: KktWorkspace::of(system),
            end: state.clone(),
            stages: workspace.buffers.stages.iter().map(|_| OfStage::zero(system)).collect(),
            transposed: vec![M::Scalar::zero(); unknowns * unknowns],
            weights: vec![M::Scalar::zero(); unknowns],
            workspace,
            mass: system.zero_matrix(),
            balance: zero(),
            rows: [system.zero_multipliers(), system.zero_multipliers()],
            vectors: core::array::from_fn(|_| zero()),
        }
    }

    /// Repeats the step, and evaluates its iterate and the matrix.
    fn retrace(&mut self, system: &M, from: &State<M>, h: f64) -> Result<(), StepError> {
        step::attempt(&self.method, system, from, h, &mut self.end, &mut self.workspace)?;
        let mut step = CollocationStep { method: &self.method, system, from, h, work: &mut self.workspace.buffers };
        step.place();
        step.residuals(false);
        matrix::form(&mut step);
        Ok(())
    }

    /// Maps the cotangent of the end to the stages; the remaining cotangent of the start contains only its direct contributions.
    fn begin(&mut self, system: &M, h: f64, cotangent: &mut AdjointState<M>) {
        let (real, zero) = (M::Scalar::from_f64, M::Scalar::zero());
        let CollocationBack { method, workspace, stages, vectors: [theta, of_theta, of_end, ..], .. } = self;
        stages.iter_mut().for_each(OfStage::forget);
        if method.method().level == Level::Unconstrained {
            let buffers = &workspace.buffers;
            for vector in [&mut *theta, of_theta, of_end] {
                vector.fill(zero);
            }
            for (stage, &d) in buffers.stages.iter().zip(&buffers.coefficients.end) {
                theta.axpy(real(d), &stage.theta);
            }
            system.space().motion_pullback(theta, &cotangent.configuration, of_end, of_theta);
            cotangent.configuration.assign(of_end);
            for (stage, &d) in stages.iter_mut().zip(&buffers.coefficients.end) {
                stage.theta.axpy(real(d), of_theta);
                stage.velocity.axpy(real(d), &cotangent.velocity);
            }
            cotangent.velocity.scale(real(1.0 - buffers.coefficients.end.iter().sum::<f64>()));
        } else if let Some(last) = stages.last_mut() {
            last.configuration.assign(&cotangent.configuration);
            last.velocity.assign(&cotangent.velocity);
            last.multipliers.assign_scaled(real(1.0 / (h * h)), &cotangent.multipliers);
            cotangent.configuration.fill(zero);
            cotangent.velocity.fill(zero);
        }
        cotangent.multipliers.fill(zero);
    }

    /// Maps the cotangents of Q, V and A to q_n, v_n and the unknowns.
    fn hand_back(&mut self, system: &M, h: f64, cotangent: &mut AdjointState<M>) {
        let (real, zero) = (M::Scalar::from_f64, M::Scalar::zero());
        let CollocationBack { workspace, stages, vectors: [of_rate, scaled, image, scratch, unwanted], .. } = self;
        let (coefficients, points) = (&workspace.buffers.coefficients, &workspace.buffers.stages);
        for i in 0..stages.len() {
            scaled.assign(&stages[i].acceleration);
            stages[i].acceleration.fill(zero);
            for (j, stage) in stages.iter_mut().enumerate() {
                let weight = coefficients.entry(i, j) / h;
                stage.velocity.axpy(real(weight), scaled);
                cotangent.velocity.axpy(real(-weight), scaled);
            }
        }
        for (j, point) in points.iter().enumerate() {
            let of = &mut stages[j];
            let of_start = &mut cotangent.configuration;
            system.space().motion_pullback(&point.theta, &of.configuration, of_start, &mut of.theta);
            // h V = T(Θ) h Y.
            scaled.assign_scaled(real(1.0 / h), &of.velocity);
            of_rate.fill(zero);
            let at = [&point.theta, &point.rate];
            let buffers = [&mut *image, &mut *scratch, &mut *unwanted];
            tangent_pullback(system, at, scaled, [&mut of.theta, &mut *of_rate], buffers);
            of.configuration.fill(zero);
            of.velocity.fill(zero);
            for (k, stage) in stages.iter_mut().enumerate() {
                stage.theta.axpy(real(coefficients.entry(j, k)), of_rate);
            }
        }
        unwanted.fill(zero);
    }

    /// Solves for the cotangents of the residuals from the cotangents of the unknowns.
    fn weigh(&mut self, system: &M) -> Result<(), KktError> {
        let n = system.dof();
        let CollocationBack { workspace, stages, transposed, weights, .. } = self;
        let (size, block) = (weights.len(), n + system.constraint_rows());
        for (row, entries) in workspace.buffers.equations.chunks_exact(size).enumerate() {
            for (column, &entry) in entries.iter().enumerate() {
                transposed[column * size + row] = entry;
            }
        }
        for (stage, out) in stages.iter().zip(weights.chunks_exact_mut(block)) {
            for (at, out) in out.iter_mut().enumerate() {
                *out = match at.checked_sub(n) {
                    None => -stage.theta.component(at),
                    Some(row) => -stage.multipliers.component(row),
                };
            }
        }
        matrix::solve(transposed, weights, [n, block - n]).map_err(|column| match (column % block).checked_sub(n) {
            Some(row) => KktError::SingularConstraints { row },
            None => KktError::NotFinite,
        })
    }

    /// Adds the contributions of the residuals to Q, V, A, h² Λ and the parameters.
    fn back_through_residuals(&mut self, system: &M, from: &State<M>, h: f64, cotangent: &mut AdjointState<M>) {
        let (real, n, rows) = (M::Scalar::from_f64, system.dof(), system.constraint_rows());
        let CollocationBack { method, workspace, stages, weights, mass, balance, rows: [position, velocity], .. } =
            self;
        let positions = if method.method().level == Level::Positions { system.holonomic_rows() } else { 0 };
        let times = method.method().tableau.c.iter().map(|c| from.time + c * h);
        let all = workspace.buffers.stages.iter().zip(stages).zip(weights.chunks_exact(n + rows)).zip(times);
        for (((point, of), weights), time) in all {
            let t = real(time);
            let q = &point.configuration;
            for (component, &weight) in weights[..n].iter().enumerate() {
                balance.set_component(component, weight);
            }
            if rows > 0 {
                system.jacobian_times(&point.jacobian, balance, position);
                of.multipliers.axpy(real(1.0), position);
            }
            balance.scale(real(h * h));
            system.mass_matrix(t, q, mass);
            system.matrix_times(mass, balance, &mut of.acceleration);
            let out = &mut Cotangents {
                of_configuration: &mut of.configuration,
                of_velocity: &mut of.velocity,
                of_parameters: &mut cotangent.parameters,
            };
            let (v, acceleration) = (&point.velocity, &point.acceleration);
            system.residual_pullback(t, q, v, acceleration, &point.multipliers, balance, out);
            for (row, &weight) in weights[n..].iter().enumerate() {
                let is_position = row < positions;
                position.set_component(row, if is_position { weight } else { M::Scalar::zero() });
                velocity.set_component(row, if is_position { M::Scalar::zero() } else { real(h) * weight });
            }
            if positions > 0 {
                system.constraint_pullback(t, q, position, out);
            }
            if positions < rows {
                system.rate_pullback(t, q, v, velocity, out);
            }
            cotangent.note_inputs(system, time);
        }
    }

    fn back(
        &mut self,
        system: &M,
        from: &State<M>,
        h: f64,
        cotangent: &mut AdjointState<M>,
    ) -> Result<(), ReverseStepFailure> {
        self.begin(system, h, cotangent);
        self.hand_back(system, h, cotangent);
        let (mut first, mut before) = (None, f64::INFINITY);
        for _ in 0..TURNS {
            let left = self
                .stages
                .iter()
                .fold(0.0, |largest, stage| larger(largest, larger(stage.theta.reach(), stage.multipliers.reach())));
            // The remainder is round-off if it has not decreased in an iteration.
            let first = *first.get_or_insert(left);
            if left <= f64::EPSILON * first || (left <= 1e-12 * first && left > 0.1 * before) {
                return Ok(());
            }
            before = left;
            self.weigh(system).map_err(ReverseStepFailure::Kkt)?;
            self.back_through_residuals(system, from, h, cotangent);
            self.hand_back(system, h, cotangent);
        }
        Err(ReverseStepFailure::Slow)
    }
}

impl<M: Reverse> AdjointStep<M> for CollocationBack<M> {
    fn step_back(
        &mut self,
        system: &M,
        from: &State<M>,
        to: &State<M>,
        h: f64,
        _: Option<Trace<'_, M>>,
        cotangent: &mut AdjointState<M>,
    ) -> Result<(), StepError> {
        // v' at the end is a function of q, v and λ there; the start value of the next iteration does not affect the result.
        if cotangent.acceleration.reach() > 0.0 {
            let back = self.kkt.back_through_first_stage(system, to, cotangent);
            back.map_err(|error| StepError::of_kkt(error, system, from, h))?;
        }
        self.retrace(system, from, h)?;
        self.back(system, from, h, cotangent).map_err(|failure| match failure {
            ReverseStepFailure::Kkt(error) => StepError::of_kkt(error, system, from, h),
            ReverseStepFailure::Slow => Unsolved::Unsettled(TURNS).explained([f64::NAN; 2], system, from, h),
        })
    }

    fn start_back(
        &mut self,
        system: &M,
        given: &State<M>,
        state: &State<M>,
        cotangent: &mut AdjointState<M>,
    ) -> Result<(), StepError> {
        self.kkt.back_to_initial_values(system, given, state, cotangent)
    }
}
