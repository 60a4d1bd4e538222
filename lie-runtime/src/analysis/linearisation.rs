//! How a system moves near a steady motion: its equations, linearised and reduced to the directions that the constraints leave.

use core::fmt;

use nalgebra::{Complex, DMatrix, DVector};

use super::dense;
use super::null_space::NullSpace;
use crate::group::TangentVector;
use crate::inputs::InputError;
use crate::integrator::{State, StepFailure};
use crate::simulate::{ConsistencyError, ConsistentValues};
use crate::space::ConfigurationSpace;
use crate::system::{Linearised, MechanicalSystem, ModelError, SaddleError};

/// What a state may miss of its constraints and of a steady motion, in units of what acts there.
const STEADY: f64 = 1e-7;

/// A system to be linearised; see [`Linearisation`].
pub struct Linearise<'a, M: MechanicalSystem> {
    system: &'a M,
    spin: Option<M::Velocity>,
}

/// The equations of small deviations from a steady motion.
///
/// Deviations are left-trivialised: η with q exp(η), and δv. With r = M v' + g + Bᵀ λ they obey (paper 2, below eq. 34)
///
/// ```text
/// η' = δv − ad_v η,    M δv' + C_t δv + K_t η + Bᵀ δλ = 0,    B δv + H η = 0,    B_h η = 0,
/// ```
///
/// where B_h are the rows of holonomic constraints and H = D_q (B v + b). Let N span the null space of B and N_h that of B_h, both of
/// length one in the metric of M, and G = −B⁺ H with Nᵀ M G = 0. Then η = N_h z and δv = N w + G η, and
///
/// ```text
/// z' = P w + Q z,         P = N_hᵀ M N,    Q = N_hᵀ M (G − ad_v − σ) N_h,
/// w' = −C w − K z,        C = Nᵀ (C_t + M σ) N,    K = Nᵀ (K_t + (C_t + M σ) G) N_h.
/// ```
///
/// Without velocity constraints, and at rest, P is 1 and Q is 0: z'' + C z' + K z = 0. σ = −ad_h is there for bodies of revolution that
/// spin, see [`Linearise::spinning`].
///
/// The coefficients are constant only if the motion is steady, seen from the bodies: at rest, at constant v, or at a v that turns
/// with the spin. Everything else is refused.
#[derive(Clone, Debug)]
pub struct Linearisation {
    /// N_h, a coordinate z a column, a component of η a row.
    pub shapes: DMatrix<f64>,
    /// N, a speed w a column, a component of v a row.
    pub speeds: DMatrix<f64>,
    /// P.
    pub rates_by_speeds: DMatrix<f64>,
    /// Q.
    pub rates_by_coordinates: DMatrix<f64>,
    /// C.
    pub damping: DMatrix<f64>,
    /// K.
    pub stiffness: DMatrix<f64>,
}

/// A state that cannot be linearised about.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum LinearisationError {
    /// The state belongs to another system.
    ForeignState(ModelError),
    /// The inputs that the system takes are not given.
    Inputs(InputError),
    /// The accelerations or multipliers of the state are not determined.
    State(ConsistencyError),
    /// The state does not meet a constraint.
    OffConstraints {
        /// The constraint.
        constraint: &'static str,
        /// `position` or `velocity`.
        level: &'static str,
        /// The residual.
        residual: f64,
    },
    /// The velocity changes, seen from the bodies.
    NotSteady {
        /// The member whose velocity changes most.
        member: &'static str,
        /// The largest component of v' beyond what the spin explains.
        acceleration: f64,
    },
    /// The directions that a constraint leaves change along the motion, seen from the bodies.
    ConstraintTurns {
        /// The constraint.
        constraint: &'static str,
        /// By how much, in units of its gradient.
        rate: f64,
    },
    /// A velocity constraint that depends on time of itself.
    TimeDependent {
        /// The constraint.
        constraint: &'static str,
    },
    /// Steady motions of directions on spheres have no left-trivialised deviations; equilibria have.
    MovingSphere,
    /// A matrix could not be made.
    Failed(StepFailure),
}

impl Linearisation {
    /// Of this system, at a state to be said.
    pub fn of<M: Linearised<Scalar = f64>>(system: &M) -> Linearise<'_, M> {
        Linearise { system, spin: None }
    }

    /// The matrix A of x' = A x with x = (z, w).
    pub fn state_matrix(&self) -> DMatrix<f64> {
        let (positions, speeds) = (self.shapes.ncols(), self.speeds.ncols());
        let mut matrix = DMatrix::zeros(positions + speeds, positions + speeds);
        matrix.view_mut((0, 0), (positions, positions)).copy_from(&self.rates_by_coordinates);
        matrix.view_mut((0, positions), (positions, speeds)).copy_from(&self.rates_by_speeds);
        matrix.view_mut((positions, 0), (speeds, positions)).copy_from(&-&self.stiffness);
        matrix.view_mut((positions, positions), (speeds, speeds)).copy_from(&-&self.damping);
        matrix
    }

    /// η(s) under a generalised force f e^{st}: the deviation of all components, with amplitude and phase. `None` where s is an
    /// eigenvalue.
    ///
    /// With s = iω it is the frequency response; its product with an output's gradient is a transfer function.
    pub fn response<V: TangentVector<Scalar = f64>>(
        &self,
        s: Complex<f64>,
        force: &V,
    ) -> Option<DVector<Complex<f64>>> {
        let positions = self.shapes.ncols();
        let mut matrix = self.state_matrix().map(|entry| Complex::from(-entry));
        for at in 0..matrix.nrows() {
            matrix[(at, at)] += s;
        }
        let push = self.speeds.tr_mul(&dense::components(force));
        let mut right = DVector::zeros(matrix.nrows());
        for (at, &entry) in push.iter().enumerate() {
            right[positions + at] = Complex::from(entry);
        }
        let found = matrix.full_piv_lu().solve(&right)?;
        Some(self.shapes.map(Complex::from) * found.rows(0, positions))
    }
}

impl<M: Linearised<Scalar = f64>> Linearise<'_, M> {
    /// The spin h of bodies of revolution: the deviations of a member are seen from a frame that turns back by it.
    ///
    /// A wheel that is a member of its own carries its axes with it, and what is constant about its tilt is so only in axes that do not
    /// turn with the wheel. Every function of the system has to be left unchanged when the members turn by h about themselves.
    #[must_use]
    pub fn spinning(mut self, spin: M::Velocity) -> Self {
        self.spin = Some(spin);
        self
    }

    /// The equations of deviations from the steady motion that passes through (t, q, v).
    ///
    /// # Errors
    /// [`LinearisationError`]: the state is not on the constraints, or the motion is not steady.
    pub fn at(self, t: f64, q: &M::Configuration, v: &M::Velocity) -> Result<Linearisation, LinearisationError> {
        let system = self.system;
        let mut state = State::at_rest(system, t, q.clone());
        state.velocity.assign(v);
        state.check(system).map_err(LinearisationError::ForeignState)?;
        system.ensure_inputs(t, t).map_err(LinearisationError::Inputs)?;
        system.ensure_finite_inputs(t, q, v).map_err(LinearisationError::Inputs)?;
        let mut consistent = ConsistentValues::of(system);
        consistent.accelerations(system, &mut state).map_err(LinearisationError::State)?;
        let failed = |error| LinearisationError::Failed(StepFailure::of_saddle_at(error, system, t, q));
        let movements = dense::movements(system, q);
        if movements.is_some() && v.max_norm() > 0.0 {
            return Err(LinearisationError::MovingSphere);
        }
        let (mass, jacobian) = (dense::mass(system, t, q), dense::jacobian(system, t, q));
        let (mut stiffness, mut damping) = (system.zero_matrix(), system.zero_matrix());
        system.tangent_stiffness(t, q, v, &state.acceleration, &state.multipliers, &mut stiffness);
        system.tangent_damping(t, q, v, &mut damping);
        let (stiffness, mut damping) = (dense::matrix(system, &stiffness), dense::matrix(system, &damping));
        let holonomic = system.holonomic_rows();
        let space = NullSpace::of(movements.as_ref(), &mass, &jacobian).map_err(failed)?;
        let positions = if holonomic == jacobian.nrows() {
            space.clone()
        } else {
            let rows = jacobian.rows(0, holonomic).into_owned();
            NullSpace::of(movements.as_ref(), &mass, &rows).map_err(failed)?
        };
        let gradient = rate_gradient(system, t, q, v)?;
        if !stiffness.iter().chain(damping.iter()).chain(gradient.iter()).all(|entry| entry.is_finite()) {
            return Err(failed(SaddleError::NotFinite));
        }
        let turning = adjoint(system, v);
        let spin =
            self.spin.as_ref().map_or_else(|| DMatrix::zeros(mass.nrows(), mass.nrows()), |h| -adjoint(system, h));
        let check = Check { system, state: &state, jacobian: &jacobian };
        check.constraints()?;
        check.steadiness(&spin, &space.basis.tr_mul(&(&stiffness * &space.basis)))?;
        check.turning(&(gradient.rows(0, holonomic) + jacobian.rows(0, holonomic) * (&turning + &spin)), &positions)?;

        let follow = -(&space.right_inverse * gradient);
        damping += &mass * &spin;
        let weighted = positions.basis.tr_mul(&mass);
        let (shapes, speeds) = (positions.basis, space.basis);
        Ok(Linearisation {
            rates_by_speeds: &weighted * &speeds,
            rates_by_coordinates: &weighted * ((&follow - turning - spin) * &shapes),
            damping: speeds.tr_mul(&(&damping * &speeds)),
            stiffness: speeds.tr_mul(&((stiffness + damping * follow) * &shapes)),
            shapes,
            speeds,
        })
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
/// K_t is linear in λ, and its part D_q (Bᵀ λ) gives D_q (B v) row by row: vᵀ (K_t(λ = e_k) − K_t(λ = 0)). Of the curvature, which is
/// D_q (B v + b) v + ∂_t (B v + b), the part that is linear in v is D_q b + ∂_t B; of holonomic rows both are D_q Φ_t.
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
    // As large as what it is told apart from.
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

/// A state that may be steady.
struct Check<'a, M: MechanicalSystem> {
    system: &'a M,
    state: &'a State<M>,
    jacobian: &'a DMatrix<f64>,
}

impl<M: Linearised<Scalar = f64>> Check<'_, M> {
    /// Φ = 0 and B v + b = 0, in units of a displacement of 1 and of the velocity.
    fn constraints(&self) -> Result<(), LinearisationError> {
        let State { time, configuration: q, velocity: v, .. } = self.state;
        let system = self.system;
        let (mut position, mut drift) = (system.zero_multipliers(), system.zero_multipliers());
        system.constraint(*time, q, &mut position);
        system.constraint_drift(*time, q, &mut drift);
        let rates = self.jacobian * dense::components(v) + dense::components(&drift);
        for row in 0..self.jacobian.nrows() {
            let length = self.jacobian.row(row).norm();
            let missed = [
                ("position", if row < system.holonomic_rows() { position.component(row) } else { 0.0 }, length),
                ("velocity", rates[row], length * (v.max_norm() + drift.max_norm() / length)),
            ];
            for (level, residual, scale) in missed {
                // What is NaN is not within.
                let is_met = residual.abs() <= STEADY * scale;
                if !is_met {
                    let constraint = system.description().constraint_of_row(row);
                    return Err(LinearisationError::OffConstraints { constraint, level, residual });
                }
            }
        }
        Ok(())
    }

    /// v' = σ v, in units of what a displacement of 1 and the velocity cause.
    fn steadiness(&self, spin: &DMatrix<f64>, stiffness: &DMatrix<f64>) -> Result<(), LinearisationError> {
        let v = dense::components(&self.state.velocity);
        let rest = dense::components(&self.state.acceleration) - spin * &v;
        let scale = v.amax() * v.amax() + if stiffness.is_empty() { 0.0 } else { stiffness.amax() };
        let worst = rest.iamax();
        let is_steady = rest.is_empty() || rest[worst].abs() <= STEADY * scale;
        if is_steady {
            return Ok(());
        }
        let member = self.system.description().member_of_component(worst);
        Err(LinearisationError::NotSteady { member, acceleration: rest[worst] })
    }

    /// The rate of B_h, H_h + B_h (ad_v + σ), leaves its null space where it is.
    fn turning(&self, rate: &DMatrix<f64>, space: &NullSpace) -> Result<(), LinearisationError> {
        let moved = rate * &space.basis;
        for row in 0..moved.nrows() {
            let scale = self.jacobian.row(row).norm() * space.basis.norm() * (1e-9 + self.state.velocity.max_norm());
            let turned = moved.row(row).norm();
            let is_fixed = turned <= STEADY * scale;
            if !is_fixed {
                let constraint = self.system.description().constraint_of_row(row);
                return Err(LinearisationError::ConstraintTurns {
                    constraint,
                    rate: turned / self.jacobian.row(row).norm(),
                });
            }
        }
        Ok(())
    }
}

impl fmt::Display for LinearisationError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            LinearisationError::ForeignState(error) => write!(f, "the state is not of this system: {error}"),
            LinearisationError::Inputs(error) => error.fmt(f),
            LinearisationError::State(error) => error.fmt(f),
            LinearisationError::OffConstraints { constraint, level, residual } => write!(
                f,
                "the {level} misses constraint `{constraint}` by {residual:.2e}; `ConsistentValues` or `Equilibrium` find a \
                 state that meets it"
            ),
            LinearisationError::NotSteady { member, acceleration } => write!(
                f,
                "the motion is not steady: the velocity of `{member}` changes by {acceleration:.2e} a unit of time; start from an \
                 `Equilibrium` or a steady motion, and of a body that spins about its axis say `.spinning(…)`"
            ),
            LinearisationError::ConstraintTurns { constraint, rate } => write!(
                f,
                "the motion is not steady for constraint `{constraint}`: its directions turn, seen from the bodies, at a rate of \
                 {rate:.2e}; say the spin of bodies of revolution by `.spinning(…)`, or let an angle of its own count the spin"
            ),
            LinearisationError::TimeDependent { constraint } => write!(
                f,
                "velocity constraint `{constraint}` depends on time, so that no motion is steady; let an input or a parameter hold \
                 what it takes of time"
            ),
            LinearisationError::MovingSphere => {
                f.write_str("a direction on a sphere moves; steady motions are linearised of SO3, S3 or angles instead")
            }
            LinearisationError::Failed(failure) => failure.fmt(f),
        }
    }
}

impl std::error::Error for LinearisationError {}
