//! What vibrates about an equilibrium: K, C and M on the directions that the constraints leave, as maps that an iteration can apply.

use nalgebra::{Complex, DVector};

use super::dense::{components, set_components, stacked};
use super::krylov::{self, Eigen, Map, Wanted};
use super::tangent::{Factors, StaticPoint};
use crate::group::TangentVector;
use crate::space::ConfigurationSpace;
use crate::system::{Linearised, SaddleError};

/// The relative residual of the vector of an undamped vibration; its square is that of ω².
const CONVERGED: f64 = 1e-9;

/// K, C and M of a system at rest, for products.
pub(super) struct Matrices<'a, 'p, M: Linearised> {
    at: &'a StaticPoint<'p, M>,
    pub stiffness: M::Matrix,
    pub damping: M::Matrix,
    pub mass: M::Matrix,
}

impl<'a, 'p, M: Linearised<Scalar = f64>> Matrices<'a, 'p, M> {
    pub fn at(at: &'a StaticPoint<'p, M>) -> Self {
        let &StaticPoint { system, t, q, multipliers } = at;
        let rest = system.zero_velocity();
        let [mut stiffness, mut damping, mut mass] = core::array::from_fn(|_| system.zero_matrix());
        system.tangent_stiffness(t, q, &rest, &rest, multipliers, &mut stiffness);
        system.tangent_damping(t, q, &rest, &mut damping);
        system.mass_matrix(t, q, &mut mass);
        Matrices { at, stiffness, damping, mass }
    }

    /// A x of one of them.
    pub fn times(&self, matrix: &M::Matrix, x: &DVector<f64>) -> DVector<f64> {
        let system = self.at.system;
        let (mut vector, mut image) = (system.zero_velocity(), system.zero_velocity());
        set_components(&mut vector, x);
        system.matrix_times(matrix, &vector, &mut image);
        components(&image)
    }

    /// Aᵀ x of one of them.
    fn transpose_times(&self, matrix: &M::Matrix, x: &DVector<f64>) -> DVector<f64> {
        let system = self.at.system;
        let (mut vector, mut image) = (system.zero_velocity(), system.zero_velocity());
        set_components(&mut vector, x);
        system.matrix_transpose_times(matrix, &vector, &mut image);
        components(&image)
    }

    /// Rayleigh's quotient of a vector without a pattern.
    pub fn mean_stiffness(&self) -> f64 {
        let x = DVector::from_fn(self.at.system.dof(), |at, _| {
            (1.0 + (7.3 * at as f64).sin()) * if at % 2 == 0 { 1.0 } else { -1.0 }
        });
        (x.dot(&self.times(&self.stiffness, &x)) / x.dot(&self.times(&self.mass, &x))).abs()
    }

    /// The `count` values ω² of K φ + Bᵀ λ = ω² M φ, B φ = 0, that are nearest to the negative shift of the factors, with φ.
    pub fn squares(&self, factors: &mut Factors<M>, count: usize) -> Result<Squares<M::Velocity>, SaddleError> {
        let (system, shift) = (self.at.system, factors.shift());
        let metric = Metric::at(self.at)?;
        let mut map = Undamped { matrices: self, factors, metric };
        let Eigen { values, vectors, is_found } =
            krylov::largest(&mut map, CONVERGED, count, &mut |_| Wanted::Leading(count))?;
        let velocity = |vector: &DVector<Complex<f64>>| {
            let mut velocity = system.zero_velocity();
            set_components(&mut velocity, &vector.map(|entry| entry.re));
            velocity
        };
        let found = values.iter().zip(&vectors).take(count);
        Ok((found.map(|(value, vector)| (1.0 / value.re - shift, velocity(vector))).collect(), is_found))
    }
}

/// Values and vectors, and whether these are all that were wanted.
pub(super) type Squares<V> = (Vec<(f64, V)>, bool);

/// The metric of M on the directions that the constraints leave.
pub(super) struct Metric<'a, 'p, M: Linearised> {
    at: &'a StaticPoint<'p, M>,
    mass: M::Mass,
    jacobian: M::Jacobian,
    multipliers: M::Multipliers,
    still: M::Multipliers,
    force: M::Velocity,
    motion: M::Velocity,
}

impl<'a, 'p, M: Linearised<Scalar = f64>> Metric<'a, 'p, M> {
    pub fn at(at: &'a StaticPoint<'p, M>) -> Result<Self, SaddleError> {
        let &StaticPoint { system, t, q, .. } = at;
        let (mut mass, mut jacobian) = (system.zero_mass(), system.zero_jacobian());
        system.mass(t, q, &mut mass)?;
        system.constraint_jacobian(t, q, &mut jacobian);
        let [multipliers, still] = core::array::from_fn(|_| system.zero_multipliers());
        let [force, motion] = core::array::from_fn(|_| system.zero_velocity());
        Ok(Metric { at, mass, jacobian, multipliers, still, force, motion })
    }

    /// y of M y + Bᵀ λ = f, B y = 0: what a force does once the constraints have taken their part. NaN if rows depend on one another.
    pub fn acceleration(&mut self, force: &DVector<f64>) -> DVector<f64> {
        let Metric { at, mass, jacobian, multipliers, still, force: given, motion } = self;
        set_components(given, force);
        let solved = if at.system.constraint_rows() == 0 {
            at.system.solve_mass(mass, given, motion);
            Ok(())
        } else {
            at.system.solve_saddle(mass, jacobian, jacobian, given, still, motion, multipliers)
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
    factors: &'f mut Factors<M>,
    metric: Metric<'a, 'p, M>,
}

impl<M: Linearised<Scalar = f64>> Map for Undamped<'_, '_, '_, M> {
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
        true
    }
}

/// What has the eigenvalues 1/μ of (μ² M + μ (C + 2σ M) + Q(σ)) x + Bᵀ λ = 0, B x = 0, s = σ + μ, on (x, μ x):
///
/// ```text
/// (x, y) ↦ (−Q(σ)⁻¹ ((C + 2σ M) x + M y), x),    Q(s) = s² M + s C + K.
/// ```
///
/// Q(σ) is the matrix of an implicit step. The metric is that of an energy, xᵀ (K + m M) x + yᵀ M y: of what is not damped the
/// map is skew there but for σ and m, whatever is stiff. In any other metric its parts of a few stiff directions are large where its
/// eigenvalues are not.
pub(super) struct Damped<'a, 'p, 'f, M: Linearised> {
    pub matrices: &'a Matrices<'a, 'p, M>,
    /// Of Q(σ).
    pub factors: &'f mut Factors<M>,
    pub metric: Metric<'a, 'p, M>,
    /// σ.
    pub shift: f64,
    /// m, large enough for what K pushes away.
    pub lift: f64,
}

/// x and y of one over the other.
fn halves(z: &DVector<f64>) -> [DVector<f64>; 2] {
    let dof = z.len() / 2;
    [z.rows(0, dof).into_owned(), z.rows(dof, dof).into_owned()]
}

impl<M: Linearised<Scalar = f64>> Damped<'_, '_, '_, M> {
    /// The shape of S z, of an eigenvector z.
    pub fn shape(&mut self, z: &DVector<Complex<f64>>) -> DVector<Complex<f64>> {
        let [re, im] = [z.map(|entry| entry.re), z.map(|entry| entry.im)].map(|part| self.apply(&part));
        re.zip_map(&im, Complex::new).rows(0, z.len() / 2).into_owned()
    }
}

impl<M: Linearised<Scalar = f64>> Map for Damped<'_, '_, '_, M> {
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
