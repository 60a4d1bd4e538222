//! The buffers of a step.

use super::method::Collocation;
use super::methods::Level;
use crate::integrator::State;
use crate::integrator::implicit::{MatrixUpdate, NewtonIteration};
use crate::scalar::Scalar;
use crate::solve::solve_dense;
use crate::system::{Evaluation, Linearised, MassFactorisation};

/// The most unknowns of a step, stages times the sum of degrees of freedom and constraint rows: 512.
pub const MOST_UNKNOWNS: usize = 512;

/// The buffers of a step, for one system with fixed parameters; allocated once.
#[doc(hidden)]
pub struct CollocationWorkspace<M: Linearised> {
    pub(super) newton: NewtonIteration,
    pub(crate) buffers: CollocationBuffers<M>,
    pub(super) inertia: MassFactorisation<M>,
    /// B and −g at the start of a run and at the end of a step.
    pub(super) at_end: Evaluation<M>,
    pub(super) steps: u64,
    /// The time of a start with linearly dependent rows; `None` after a step.
    pub(super) dependent_at: Option<f64>,
    /// The unsatisfied requirement of the method, if the system has one.
    pub(super) refusal: Option<&'static str>,
}

/// The buffers of the stages.
pub(crate) struct CollocationBuffers<M: Linearised> {
    pub coefficients: InverseTableau,
    pub stages: Vec<StagePoint<M>>,
    /// M, C or K T of one stage.
    pub matrix: M::Matrix,
    /// A derivative of one stage, by rows.
    pub dense: Vec<M::Scalar>,
    /// The matrix of all equations, by rows; its factors after a correction.
    pub equations: Vec<M::Scalar>,
    /// −(residuals), then the correction.
    pub unknowns: Vec<M::Scalar>,
    pub configuration: M::Configuration,
    pub jacobian: M::Jacobian,
    pub multipliers: M::Multipliers,
    pub drift: M::Multipliers,
    pub vector: M::Velocity,
    pub image: M::Velocity,
    pub other: M::Velocity,
}

/// One stage at the current iterate.
pub(crate) struct StagePoint<M: Linearised> {
    pub configuration: M::Configuration,
    /// Θ.
    pub theta: M::Velocity,
    /// h Y.
    pub rate: M::Velocity,
    /// V.
    pub velocity: M::Velocity,
    /// A.
    pub acceleration: M::Velocity,
    /// Λ.
    pub multipliers: M::Multipliers,
    /// h² r.
    pub balance: M::Velocity,
    /// Φ, or h (B V + b), in the units of Θ.
    pub constraint: M::Multipliers,
    pub jacobian: M::Jacobian,
    /// T(Θ), by rows.
    pub tangent: Vec<M::Scalar>,
    /// P, by rows.
    pub bend: Vec<M::Scalar>,
}

/// The equations of a step.
pub(crate) struct CollocationStep<'a, M: Linearised> {
    pub method: &'a Collocation,
    pub system: &'a M,
    pub from: &'a State<M>,
    pub h: f64,
    pub work: &'a mut CollocationBuffers<M>,
}

impl<M: Linearised> CollocationStep<'_, M> {
    /// t_i.
    pub fn time(&self, stage: usize) -> M::Scalar {
        M::Scalar::from_f64(self.from.time + self.method.method().tableau.c[stage] * self.h)
    }

    /// True if the stages satisfy a constraint row by Φ = 0.
    pub fn is_position(&self, row: usize) -> bool {
        self.method.method().level == Level::Positions && row < self.system.holonomic_rows()
    }
}

/// ω = a⁻¹ by rows, and d = ωᵀ b.
pub(crate) struct InverseTableau {
    pub inverse: Vec<f64>,
    pub end: Vec<f64>,
}

impl InverseTableau {
    fn of(method: &Collocation) -> Self {
        let tableau = method.method().tableau;
        let s = tableau.stages();
        let mut inverse = vec![0.0; s * s];
        for column in 0..s {
            let mut matrix: Vec<f64> = (0..s * s).map(|k| tableau.entry(k / s, k % s)).collect();
            let mut unit: Vec<f64> = (0..s).map(|row| f64::from(u8::from(row == column))).collect();
            // None of the listed tableaux is singular.
            if solve_dense(&mut matrix, &mut unit).is_ok() {
                for row in 0..s {
                    inverse[row * s + column] = unit[row];
                }
            }
        }
        let end = (0..s).map(|j| (0..s).map(|i| tableau.b[i] * inverse[i * s + j]).sum()).collect();
        InverseTableau { inverse, end }
    }

    /// ω_ij.
    #[inline]
    pub fn entry(&self, i: usize, j: usize) -> f64 {
        self.inverse[i * self.end.len() + j]
    }
}

impl<M: Linearised> CollocationWorkspace<M> {
    /// Allocates the buffers; `state` provides the lengths of chains.
    pub(super) fn of(system: &M, state: &State<M>, method: &Collocation) -> Self {
        let (n, rows, stages) = (system.dof(), system.constraint_rows(), method.method().tableau.stages());
        let unknowns = stages * (n + rows);
        let refusal = if method.method().level == Level::Unconstrained && rows > 0 {
            Some("independent coordinates without constraints (use a Radau IIA method for constrained systems)")
        } else if unknowns > MOST_UNKNOWNS {
            Some("at most 512 unknowns per step (stages times the sum of degrees of freedom and constraint rows)")
        } else {
            None
        };
        // A system that does not satisfy the requirements needs no buffers.
        let (n, stages, unknowns) = if refusal.is_some() { (0, 0, 0) } else { (n, stages, unknowns) };
        let (velocity, multipliers) = (|| system.zero_velocity(), || system.zero_multipliers());
        let zeros = |length| vec![M::Scalar::from_f64(0.0); length];
        let point = || StagePoint {
            configuration: state.configuration.clone(),
            theta: velocity(),
            rate: velocity(),
            velocity: velocity(),
            acceleration: velocity(),
            multipliers: multipliers(),
            balance: velocity(),
            constraint: multipliers(),
            jacobian: system.zero_jacobian(),
            tangent: zeros(n * n),
            bend: zeros(n * n),
        };
        let options = method.options();
        CollocationWorkspace {
            newton: NewtonIteration::new::<M::Scalar>(
                options.tolerance,
                options.maximum_iterations,
                MatrixUpdate::Exact,
            ),
            buffers: CollocationBuffers {
                coefficients: InverseTableau::of(method),
                stages: (0..stages).map(|_| point()).collect(),
                matrix: system.zero_matrix(),
                dense: zeros(n * n),
                equations: zeros(unknowns * unknowns),
                unknowns: zeros(unknowns),
                configuration: state.configuration.clone(),
                jacobian: system.zero_jacobian(),
                multipliers: multipliers(),
                drift: multipliers(),
                vector: velocity(),
                image: velocity(),
                other: velocity(),
            },
            inertia: MassFactorisation::of(system),
            at_end: Evaluation::of(system),
            steps: 0,
            dependent_at: None,
            refusal,
        }
    }

    /// The largest corrections x of the last step, the first 16.
    pub fn corrections(&self) -> &[f64] {
        self.newton.corrections()
    }
}
