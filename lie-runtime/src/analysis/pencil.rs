//! The matrix pencil of vibrations about an equilibrium: K, C and M in the null space of the constraints, as linear maps, and the factors
//! of K + c C + m M.

use nalgebra::{Complex, DVector};

use crate::analysis::matrices::dense::{components, set_components, stacked};
use crate::analysis::matrices::krylov::{self, Eigen, LinearMap, Unfound, Wanted};
use crate::group::TangentVector;
use crate::integrator::State;
use crate::space::ConfigurationSpace;
use crate::system::{
    IterationCoefficients, IterationCorrection, IterationPoint, IterationResidual, KktError, Linearised,
    MechanicalSystem,
};

/// The relative residual of the vector of an undamped vibration; its square is the relative error of ω².
const CONVERGED: f64 = 1e-9;

/// A stiffness counts as symmetric if its skew part is below this multiple of the stiffnesses of the two coupled vibrations.
pub(in crate::analysis) const SYMMETRIC: f64 = 1e-9;

/// The point of evaluation of K and B.
pub(in crate::analysis) struct StaticPoint<'a, M: MechanicalSystem> {
    pub system: &'a M,
    pub t: f64,
    pub q: &'a M::Configuration,
    /// Zero, except for auxiliary states.
    pub v: &'a M::Velocity,
    pub multipliers: &'a M::Multipliers,
}

impl<'a, M: MechanicalSystem<Scalar = f64>> StaticPoint<'a, M> {
    /// Creates the point of a state.
    pub fn of(system: &'a M, state: &'a State<M>) -> Self {
        let State { time, configuration: q, velocity: v, multipliers, .. } = state;
        StaticPoint { system, t: *time, q, v, multipliers }
    }
}

/// The factors of implicit methods.
pub(in crate::analysis) struct TangentFactors<M: Linearised> {
    factorisation: M::Factorisation,
    residual: IterationResidual<M>,
    correction: IterationCorrection<M>,
    rest: M::Velocity,
    /// σ of the last factorisation.
    shift: f64,
}

impl<M: Linearised<Scalar = f64>> TangentFactors<M> {
    pub fn of(system: &M) -> Self {
        TangentFactors {
            factorisation: system.zero_factorisation(),
            residual: IterationResidual::zero(system),
            correction: IterationCorrection::zero(system),
            rest: system.zero_velocity(),
            shift: 0.0,
        }
    }

    /// Factorises K + σ M.
    pub fn shifted(&mut self, at: &StaticPoint<'_, M>, shift: f64) -> Result<(), KktError> {
        self.shift = shift;
        self.eliminated(at, [shift, 0.0])
    }

    /// σ of [`shifted`](Self::shifted).
    pub fn shift(&self) -> f64 {
        self.shift
    }

    /// Factorises K + c C + m M.
    pub fn eliminated(&mut self, at: &StaticPoint<'_, M>, [mass, damping]: [f64; 2]) -> Result<(), KktError> {
        let coefficients = IterationCoefficients { mass, damping, stiffness: 1.0, rate: 1.0, rate_gradient: 0.0 };
        let point = IterationPoint {
            t: at.t,
            q: at.q,
            v: &self.rest,
            acceleration: &self.rest,
            multipliers: at.multipliers,
            theta: &self.rest,
            local: None,
            reactions: None,
        };
        at.system.factorise_iteration(&point, &coefficients, None, &mut self.factorisation)
    }

    /// Solves (K + c C + m M) y + Bᵀ λ = `force`, B y = 0 for y.
    pub fn displacement(&mut self, at: &StaticPoint<'_, M>, force: &DVector<f64>) -> DVector<f64> {
        set_components(&mut self.residual.balance, &-force);
        self.residual.position.fill(0.0);
        self.residual.velocity.fill(0.0);
        at.system.solve_iteration(&mut self.factorisation, &self.residual, &mut self.correction);
        at.system.space().remove_spins(at.q, &mut self.correction.increment);
        components(&self.correction.increment)
    }

    /// Solves for (y, δλ) from the residuals (r, Φ).
    pub fn solve(
        &mut self,
        system: &M,
        balance: &M::Velocity,
        position: &M::Multipliers,
        correction: &mut (M::Velocity, M::Multipliers),
    ) {
        self.residual.balance.assign(balance);
        self.residual.position.assign(position);
        self.residual.velocity.fill(0.0);
        system.solve_iteration(&mut self.factorisation, &self.residual, &mut self.correction);
        correction.0.assign(&self.correction.increment);
        correction.1.assign(&self.correction.multipliers);
    }
}

/// K, C and M of a system at rest, for products.
pub(in crate::analysis) struct Matrices<'a, 'p, M: Linearised> {
    at: &'a StaticPoint<'p, M>,
    pub stiffness: M::Matrix,
    pub damping: M::Matrix,
    pub mass: M::Matrix,
}

impl<'a, 'p, M: Linearised<Scalar = f64>> Matrices<'a, 'p, M> {
    pub fn at(at: &'a StaticPoint<'p, M>) -> Self {
        let &StaticPoint { system, t, q, multipliers, .. } = at;
        let rest = system.zero_velocity();
        let [mut stiffness, mut damping, mut mass] = core::array::from_fn(|_| system.zero_matrix());
        system.tangent_stiffness(t, q, &rest, &rest, multipliers, &mut stiffness);
        system.tangent_damping(t, q, &rest, &mut damping);
        system.mass_matrix(t, q, &mut mass);
        Matrices { at, stiffness, damping, mass }
    }

    /// Computes A x for one of the matrices.
    pub fn times(&self, matrix: &M::Matrix, x: &DVector<f64>) -> DVector<f64> {
        let system = self.at.system;
        let (mut vector, mut image) = (system.zero_velocity(), system.zero_velocity());
        set_components(&mut vector, x);
        system.matrix_times(matrix, &vector, &mut image);
        components(&image)
    }

    /// Computes Aᵀ x for one of the matrices.
    fn transpose_times(&self, matrix: &M::Matrix, x: &DVector<f64>) -> DVector<f64> {
        let system = self.at.system;
        let (mut vector, mut image) = (system.zero_velocity(), system.zero_velocity());
        set_components(&mut vector, x);
        system.matrix_transpose_times(matrix, &vector, &mut image);
        components(&image)
    }

    /// Returns the Rayleigh quotient of a vector without a pattern.
    pub fn mean_stiffness(&self) -> f64 {
        let x = DVector::from_fn(self.at.system.dof(), |at, _| {
            (1.0 + (7.3 * at as f64).sin()) * if at % 2 == 0 { 1.0 } else { -1.0 }
        });
        (x.dot(&self.times(&self.stiffness, &x)) / x.dot(&self.times(&self.mass, &x))).abs()
    }

    /// Returns a vector without a pattern.
    pub fn arbitrary(&self, of: f64) -> DVector<f64> {
        DVector::from_fn(self.at.system.dof(), |at, _| (of * (1.0 + at as f64) + (at * at % 101) as f64).sin())
    }

    /// K is symmetric, between slow motions.
    pub fn is_symmetric(&self, factors: &mut TangentFactors<M>) -> bool {
        if self.at.system.description().conserves_energy {
            return true;
        }
        let forces = [0.7, 1.3].map(|of| self.times(&self.mass, &self.arbitrary(of)));
        let [x, y] = [&forces[0], &forces[1]].map(|force| factors.displacement(self.at, force));
        let [of_x, of_y] = [&x, &y].map(|motion| self.times(&self.stiffness, motion));
        let scale = (x.dot(&forces[0]) * y.dot(&forces[1])).abs().sqrt();
        (y.dot(&of_x) - x.dot(&of_y)).abs() <= SYMMETRIC * scale
    }

    /// Computes the `count` values ω² of K φ + Bᵀ λ = ω² M φ, B φ = 0, that are closest to the negative shift of the factors, with φ.
    pub fn squares(&self, factors: &mut TangentFactors<M>, count: usize) -> Result<Squares<M::Velocity>, Unfound> {
        let (system, shift) = (self.at.system, factors.shift());
        let is_symmetric = self.is_symmetric(factors);
        let mut map = Undamped { matrices: self, factors, metric: Metric::at(self.at)?, is_symmetric };
        let Eigen { values, vectors } = krylov::largest(&mut map, CONVERGED, count, &mut |_| Wanted::Leading(count))?;
        let velocity = |vector: &DVector<Complex<f64>>| {
            let mut velocity = system.zero_velocity();
            set_components(&mut velocity, &real(vector));
            velocity
        };
        let found = values.iter().zip(&vectors).take(count);
        Ok(found.map(|(value, vector)| (1.0 / value - shift, velocity(vector))).collect())
    }
}

/// Values and vectors.
pub(in crate::analysis) type Squares<V> = Vec<(Complex<f64>, V)>;

/// Normalises the phase of an eigenvector: its largest entry becomes real, and then all entries for a real eigenvalue.
pub(in crate::analysis) fn real(vector: &DVector<Complex<f64>>) -> DVector<f64> {
    let turn = vector[vector.icamax()].conj();
    let turn = if turn.norm() > 0.0 { turn / turn.norm() } else { Complex::from(1.0) };
    vector.map(|entry| (entry * turn).re)
}

/// The metric of M in the null space of the constraints.
pub(in crate::analysis) struct Metric<'a, 'p, M: Linearised> {
    at: &'a StaticPoint<'p, M>,
    mass: M::Mass,
    jacobian: M::Jacobian,
    multipliers: M::Multipliers,
    still: M::Multipliers,
    force: M::Velocity,
    motion: M::Velocity,
}

impl<'a, 'p, M: Linearised<Scalar = f64>> Metric<'a, 'p, M> {
    pub fn at(at: &'a StaticPoint<'p, M>) -> Result<Self, KktError> {
        let &StaticPoint { system, t, q, .. } = at;
        let (mut mass, mut jacobian) = (system.zero_mass(), system.zero_jacobian());
        system.mass(t, q, &mut mass)?;
        system.constraint_jacobian(t, q, &mut jacobian);
        let [multipliers, still] = core::array::from_fn(|_| system.zero_multipliers());
        let [force, motion] = core::array::from_fn(|_| system.zero_velocity());
        Ok(Metric { at, mass, jacobian, multipliers, still, force, motion })
    }

    /// Solves M y + Bᵀ λ = f, B y = 0 for y, the acceleration from a force under the constraints. Returns NaN for linearly dependent rows.
    pub fn acceleration(&mut self, force: &DVector<f64>) -> DVector<f64> {
        let Metric { at, mass, jacobian, multipliers, still, force: given, motion } = self;
        set_components(given, force);
        let solved = if at.system.constraint_rows() == 0 {
            at.system.solve_mass(mass, given, motion);
            Ok(())
        } else {
            at.system.solve_kkt(mass, jacobian, jacobian, given, still, motion, multipliers)
        };
        if solved.is_err() {
            motion.fill(f64::NAN);
        }
        at.system.space().remove_spins(at.q, motion);
        components(motion)
    }
}

/// (K + σ M)⁻¹ M.
struct Undamped<'a, 'p, 'f, M: Linearised> {
    matrices: &'a Matrices<'a, 'p, M>,
    factors: &'f mut TangentFactors<M>,
    metric: Metric<'a, 'p, M>,
    /// K is symmetric, because there are no follower forces.
    is_symmetric: bool,
}

impl<M: Linearised<Scalar = f64>> LinearMap for Undamped<'_, '_, '_, M> {
    fn size(&self) -> usize {
        self.matrices.at.system.dof()
    }
    fn apply(&mut self, x: &DVector<f64>) -> DVector<f64> {
        let force = self.weigh(x);
        self.factors.displacement(self.matrices.at, &force)
    }
    fn weigh(&mut self, x: &DVector<f64>) -> DVector<f64> {
        self.matrices.times(&self.matrices.mass, x)
    }
    fn admit(&mut self, x: DVector<f64>) -> DVector<f64> {
        let weighted = self.weigh(&x);
        self.metric.acceleration(&weighted)
    }
    fn is_symmetric(&self) -> bool {
        self.is_symmetric
    }
}

/// The linear map on (x, μ x) with the eigenvalues 1/μ of (μ² M + μ (C + 2σ M) + Q(σ)) x + Bᵀ λ = 0, B x = 0, s = σ + μ:
///
/// ```text
/// (x, y) ↦ (−Q(σ)⁻¹ ((C + 2σ M) x + M y), x),    Q(s) = s² M + s C + K.
/// ```
///
/// Q(σ) is the matrix of an implicit step. The metric is an energy, xᵀ (K + m M) x + yᵀ M y. In this metric the map of an undamped system
/// is skew except for σ and m, for any stiffness. In other metrics the parts of a few stiff directions are large although the eigenvalues
/// are not.
pub(in crate::analysis) struct DampedPencil<'a, 'p, 'f, M: Linearised> {
    pub matrices: &'a Matrices<'a, 'p, M>,
    /// The factors of Q(σ).
    pub factors: &'f mut TangentFactors<M>,
    pub metric: Metric<'a, 'p, M>,
    /// σ.
    pub shift: f64,
    /// m, large enough for negative directions of K.
    pub lift: f64,
}

/// Splits a vector into x and y.
fn halves(z: &DVector<f64>) -> [DVector<f64>; 2] {
    let dof = z.len() / 2;
    [z.rows(0, dof).into_owned(), z.rows(dof, dof).into_owned()]
}

impl<M: Linearised<Scalar = f64>> DampedPencil<'_, '_, '_, M> {
    /// Returns the shape of S z for an eigenvector z.
    pub fn shape(&mut self, z: &DVector<Complex<f64>>) -> DVector<Complex<f64>> {
        let [re, im] = [z.map(|entry| entry.re), z.map(|entry| entry.im)].map(|part| self.apply(&part));
        re.zip_map(&im, Complex::new).rows(0, z.len() / 2).into_owned()
    }
}

impl<M: Linearised<Scalar = f64>> LinearMap for DampedPencil<'_, '_, '_, M> {
    fn size(&self) -> usize {
        2 * self.matrices.at.system.dof()
    }
    fn apply(&mut self, z: &DVector<f64>) -> DVector<f64> {
        let [x, y] = halves(z);
        let matrices = self.matrices;
        let momenta = matrices.times(&matrices.mass, &(&x * (2.0 * self.shift) + y));
        let force = -(momenta + matrices.times(&matrices.damping, &x));
        stacked(&self.factors.displacement(matrices.at, &force), &x)
    }
    fn weigh(&mut self, z: &DVector<f64>) -> DVector<f64> {
        let [x, y] = halves(z);
        let Matrices { stiffness, mass, .. } = self.matrices;
        let elastic = (self.matrices.times(stiffness, &x) + self.matrices.transpose_times(stiffness, &x)) * 0.5;
        stacked(&(elastic + self.matrices.times(mass, &x) * self.lift), &self.matrices.times(mass, &y))
    }
    fn admit(&mut self, z: DVector<f64>) -> DVector<f64> {
        let [x, y] = halves(&z).map(|half| {
            let momentum = self.matrices.times(&self.matrices.mass, &half);
            self.metric.acceleration(&momentum)
        });
        stacked(&x, &y)
    }
    fn is_symmetric(&self) -> bool {
        false
    }
}
