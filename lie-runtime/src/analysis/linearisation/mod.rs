//! Linearised equations about a steady motion, reduced to the null space of the constraints.

mod error;
mod ports;
mod steady;
mod transfer;

pub use error::LinearisationError;

use nalgebra::DMatrix;

use crate::analysis::first_order::{mechanical_speed, state_components};
use crate::analysis::matrices::dense;
use crate::analysis::matrices::null_space::NullSpace;
use crate::analysis::one_sided::law_violation;
use crate::group::TangentVector;
use crate::integrator::{State, StepFailure};
use crate::simulate::ConsistentValues;
use crate::space::ConfigurationSpace;
use crate::system::declaration_check::Declared;
use crate::system::{InputValues, KktError, Linearised, MechanicalSystem, Report, TangentSystem};
use ports::{At, Deviations, Drive, Ports, RequestedOutputs, by_state, state_names};
use steady::SteadyCheck;

/// A builder of a [`Linearisation`].
pub struct Linearise<'a, M: MechanicalSystem> {
    system: &'a M,
    spin: Option<M::Velocity>,
    drive: Option<Drive<M>>,
    watch: Option<RequestedOutputs<M>>,
}

/// The equations of small deviations from a steady motion.
///
/// Deviations are left-trivialised: η with q exp(η), and δv. With r = M v' + g + Bᵀ λ they obey (paper 2, below eq. 34)
///
/// ```text
/// η' = δv − ad_v η,    M δv' + C_t δv + K_t η + Bᵀ δλ = 0,    B δv + H η = 0,    B_h η = 0,
/// ```
///
/// where B_h are the rows of holonomic constraints and H = D_q (B v + b). Let N span the null space of B and N_h the null space of B_h,
/// both orthonormal in the metric of M, and G = −B⁺ H with Nᵀ M G = 0. Then η = N_h z and δv = N w + G η, and
///
/// ```text
/// z' = P w + Q z,         P = N_hᵀ M N,    Q = N_hᵀ M (G − ad_v − σ) N_h,
/// w' = −C w − K z,        C = Nᵀ (C_t + M σ) N,    K = Nᵀ (K_t + (C_t + M σ) G) N_h.
/// ```
///
/// For systems without velocity constraints at rest, P is 1 and Q is 0: z'' + C z' + K z = 0. The term σ = −ad_h belongs to spinning bodies
/// of revolution, see [`Linearise::spin`].
///
/// Auxiliary states are the last components of w. Their deviations δz have the unit vectors as columns of N, and N_h does not contain their
/// coordinates. The last rows of C and K are the derivatives of −z'.
///
/// Inputs add B u to w', and outputs are y = C_y x + D u, see [`Linearise::inputs`] and
/// [`Linearise::outputs`].
///
/// The coefficients are constant only for a steady motion in body-fixed components: rest, constant v, or a v that rotates with the spin.
/// Other motions are an error.
#[derive(Clone, Debug)]
#[doc(alias = "state-space model")]
#[doc(alias = "modal analysis")]
#[doc(alias = "transfer function")]
pub struct Linearisation {
    /// N_h: one column per coordinate z, one row per component of η.
    pub shapes: DMatrix<f64>,
    /// N: one column per speed w, one row per component of v. The last columns belong to the auxiliary states.
    pub speeds: DMatrix<f64>,
    /// The names of the auxiliary states, such as `states.current`, in the order of the last columns of [`speeds`](Self::speeds).
    pub states: Vec<String>,
    /// P.
    pub rates_by_speeds: DMatrix<f64>,
    /// Q.
    pub rates_by_coordinates: DMatrix<f64>,
    /// C.
    pub damping: DMatrix<f64>,
    /// K.
    pub stiffness: DMatrix<f64>,
    /// The names of the inputs u, in the order of [`inputs`](Linearise::inputs).
    pub inputs: Vec<String>,
    /// B, one column per input: w' = −C w − K z + B u, B = Nᵀ ∂(−g)/∂u.
    pub input_matrix: DMatrix<f64>,
    /// The names of the outputs y, in the order of [`outputs`](Linearise::outputs).
    pub outputs: Vec<String>,
    /// C of y = C x + D u with x = (z, w), one row per output.
    pub output_matrix: DMatrix<f64>,
    /// D.
    pub feedthrough: DMatrix<f64>,
}

impl Linearisation {
    /// Creates a builder for this system.
    pub fn of<M: Linearised<Scalar = f64> + Report>(system: &M) -> Linearise<'_, M> {
        Linearise { system, spin: None, drive: None, watch: None }
    }
}

impl<M: Linearised<Scalar = f64> + Report> Linearise<'_, M> {
    /// Sets the spin h of bodies of revolution. The deviations of a member refer to a frame that rotates with −h relative to the body.
    ///
    /// The axes of a wheel that is a separate member rotate with the wheel, and its tilt is constant only in axes that do not. Every
    /// function of the system must be invariant under rotations of the members by h.
    #[must_use]
    pub fn spin(mut self, spin: M::Velocity) -> Self {
        self.spin = Some(spin);
        self
    }

    /// Linearises about the steady motion through (t, q, v).
    ///
    /// # Errors
    /// [`LinearisationError`] if the state does not satisfy the constraints or the motion is not steady.
    pub fn at(self, t: f64, q: &M::Configuration, v: &M::Velocity) -> Result<Linearisation, LinearisationError> {
        let system = self.system;
        let mut state = State::at_rest(system, t, q.clone());
        state.velocity.assign(v);
        state.check(system).map_err(LinearisationError::ForeignState)?;
        if system.is_sliding() {
            return Err(LinearisationError::Sliding);
        }
        system.ensure_inputs(t, t).map_err(LinearisationError::Inputs)?;
        system.ensure_finite_inputs(t, q, v).map_err(LinearisationError::Inputs)?;
        let mut consistent = ConsistentValues::of(system);
        consistent.accelerations(system, &mut state).map_err(LinearisationError::State)?;
        if let Some(violation) = law_violation(system, &state) {
            return Err(LinearisationError::Law(violation));
        }
        let failed = |error| LinearisationError::Failed(StepFailure::of_kkt_at(error, system, t, q));
        let movements = dense::movements(system, q);
        if movements.is_some() && mechanical_speed(system, v) > 0.0 {
            return Err(LinearisationError::MovingSphere);
        }
        let (mass, jacobian) = (dense::mass(system, t, q), dense::jacobian(system, t, q));
        let (mut stiffness, mut damping) = (system.zero_matrix(), system.zero_matrix());
        system.tangent_stiffness(t, q, v, &state.acceleration, &state.multipliers, &mut stiffness);
        system.tangent_damping(t, q, v, &mut damping);
        let (stiffness, mut damping) = (dense::matrix(system, &stiffness), dense::matrix(system, &damping));
        let (holonomic, states) = (system.holonomic_rows(), state_components(system).len());
        let movements = match movements {
            None if states == 0 => None,
            all => {
                let all = all.unwrap_or_else(|| DMatrix::identity(mass.nrows(), mass.nrows()));
                Some(all.columns(0, all.ncols() - states).into_owned())
            }
        };
        let space = NullSpace::of(movements.as_ref(), &mass, &jacobian).map_err(failed)?;
        let positions = if holonomic == jacobian.nrows() {
            space.clone()
        } else {
            let rows = jacobian.rows(0, holonomic).into_owned();
            NullSpace::of(movements.as_ref(), &mass, &rows).map_err(failed)?
        };
        let gradient = rate_gradient(system, t, q, v)?;
        if !stiffness.iter().chain(damping.iter()).chain(gradient.iter()).all(|entry| entry.is_finite()) {
            return Err(failed(KktError::NotFinite));
        }
        let turning = adjoint(system, v);
        let spin =
            self.spin.as_ref().map_or_else(|| DMatrix::zeros(mass.nrows(), mass.nrows()), |h| -adjoint(system, h));
        let check = SteadyCheck { system, state: &state, jacobian: &jacobian };
        check.constraints()?;
        check.steadiness(&spin, &space.basis, [&stiffness, &damping], &mass)?;
        check.turning(&(gradient.rows(0, holonomic) + jacobian.rows(0, holonomic) * (&turning + &spin)), &positions)?;

        let follow = -(&space.right_inverse * gradient);
        damping += &mass * &spin;
        let weighted = positions.basis.tr_mul(&mass);
        let (shapes, speeds) = (positions.basis, dense::with_state_columns(&space.basis, states));
        let deviations = Deviations::new(&shapes, &follow, &speeds);
        let at = At { system, t, q, v };
        let ports = Ports::of((self.drive.as_ref(), self.watch.as_ref()), at, &deviations, self.spin.is_some())?;
        let mut reduced_damping = speeds.tr_mul(&(&damping * &speeds));
        let mut reduced_stiffness = speeds.tr_mul(&((stiffness + damping * &follow) * &shapes));
        if let Some(feedback) = &ports.feedback {
            let [of_positions, of_speeds] = by_state(feedback, shapes.ncols());
            reduced_stiffness += speeds.tr_mul(&of_positions);
            reduced_damping += speeds.tr_mul(&of_speeds);
        }
        Ok(Linearisation {
            rates_by_speeds: &weighted * &speeds,
            rates_by_coordinates: &weighted * ((&follow - turning - spin) * &shapes),
            damping: reduced_damping,
            stiffness: reduced_stiffness,
            input_matrix: speeds.tr_mul(&ports.forces),
            inputs: ports.inputs,
            outputs: ports.outputs,
            states: state_names(system, v),
            output_matrix: ports.observed,
            feedthrough: ports.feedthrough,
            shapes,
            speeds,
        })
    }
}

impl<M: Linearised<Scalar = f64> + TangentSystem + InputValues + Report> Linearise<'_, M>
where
    M::Lifted: InputValues,
{
    /// Selects the inputs of [`Linearisation::input_matrix`] by name: `"torque"`, or one component of a
    /// vector, `"wind[1]"`.
    ///
    /// They are added to the inputs of the steady motion. Feedback inputs remain functions of the state, so that the result is the closed
    /// loop.
    #[must_use]
    pub fn inputs<N: Into<String>>(mut self, inputs: impl IntoIterator<Item = N>) -> Self {
        self.drive = Some(Drive::of(inputs.into_iter().map(Into::into).collect()));
        self
    }
}

impl<M: Linearised<Scalar = f64> + Declared> Linearise<'_, M> {
    /// Selects the outputs of [`Linearisation::output_matrix`] by name. Declared functions such as
    /// observables and quantities: `"tip"`, or one component, `"tip[2]"`. One element of a function over members: `"strain[3]"`. Components
    /// of the velocity: `"v.attitude[0]"`. Auxiliary states: `"states.current"`. Body-fixed components of the deviation of the configuration: `"q.attitude[0]"`.
    ///
    /// Extrapolated differences give the derivatives of declared functions, with errors of about 1e-10 of the largest derivative.
    #[must_use]
    pub fn outputs<N: Into<String>>(mut self, outputs: impl IntoIterator<Item = N>) -> Self {
        self.watch = Some(RequestedOutputs::of(outputs.into_iter().map(Into::into).collect()));
        self
    }
}

/// ad_v as a matrix: its rows are ad_vᵀ of the unit covectors.
fn adjoint<M: MechanicalSystem<Scalar = f64>>(system: &M, v: &M::Velocity) -> DMatrix<f64> {
    let dof = system.dof();
    let (mut unit, mut row) = (system.zero_velocity(), system.zero_velocity());
    let mut matrix = DMatrix::zeros(dof, dof);
    for at in 0..dof {
        unit.set_component(at, 1.0);
        system.space().coadjoint(v, &unit, &mut row);
        matrix.set_row(at, &dense::components(&row).transpose());
        unit.set_component(at, 0.0);
    }
    matrix
}

/// H = D_q (B v + b).
///
/// K_t is linear in λ, and its part D_q (Bᵀ λ) gives D_q (B v) row by row: vᵀ (K_t(λ = e_k) − K_t(λ = 0)). The curvature is D_q (B v + b) v
/// + ∂_t (B v + b). Its part that is linear in v is D_q b + ∂_t B; for holonomic rows both terms are D_q Φ_t.
fn rate_gradient<M: Linearised<Scalar = f64>>(
    system: &M,
    t: f64,
    q: &M::Configuration,
    v: &M::Velocity,
) -> Result<DMatrix<f64>, LinearisationError> {
    let (rows, dof, holonomic) = (system.constraint_rows(), system.dof(), system.holonomic_rows());
    let mut gradient = DMatrix::zeros(rows, dof);
    let mut unit = system.zero_velocity();
    let [mut forth, mut back] = [system.zero_multipliers(), system.zero_multipliers()];
    for column in 0..dof {
        unit.set_component(column, 1.0);
        system.constraint_curvature(t, q, &unit, &mut forth);
        unit.set_component(column, -1.0);
        system.constraint_curvature(t, q, &unit, &mut back);
        unit.set_component(column, 0.0);
        for row in 0..rows {
            let linear = 0.5 * (forth.component(row) - back.component(row));
            gradient[(row, column)] = if row < holonomic { 0.5 * linear } else { linear };
        }
    }
    if holonomic < rows {
        let later = dense::jacobian(system, t + 0.1 * (1.0 + t.abs()), q) - dense::jacobian(system, t, q);
        if let Some(row) = (holonomic..rows).find(|&row| later.row(row).amax() > 0.0) {
            let constraint = system.description().constraint_of_row(row);
            return Err(LinearisationError::TimeDependent { constraint });
        }
    }
    if v.max_norm() == 0.0 {
        return Ok(gradient);
    }
    let (rest, mut matrix) = (system.zero_velocity(), system.zero_matrix());
    let mut multipliers = system.zero_multipliers();
    let mut stiffness = |multipliers: &M::Multipliers| {
        system.tangent_stiffness(t, q, &rest, &rest, multipliers, &mut matrix);
        dense::matrix(system, &matrix)
    };
    let alone = stiffness(&multipliers);
    // The scale equals the scale of the other terms.
    let size = alone.amax().max(1.0);
    let v = dense::components(v);
    for row in 0..rows {
        multipliers.set_component(row, size);
        let change = (stiffness(&multipliers) - &alone) / size;
        multipliers.set_component(row, 0.0);
        let mut of_row = gradient.row_mut(row);
        of_row += v.tr_mul(&change);
    }
    Ok(gradient)
}
