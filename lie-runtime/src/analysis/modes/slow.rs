//! The slowest modes of long systems about an equilibrium.

use nalgebra::{Complex, DVector};

use super::Mode;
use crate::analysis::equilibrium::StaticState;
use crate::analysis::first_order::state_components;
use crate::analysis::linearisation::{Linearisation, LinearisationError};
use crate::analysis::matrices::dense;
use crate::analysis::matrices::krylov::{self, BLOCK, Unfound, Wanted};
use crate::analysis::one_sided::law_violation;
use crate::analysis::pencil::{DampedPencil, Matrices, Metric, StaticPoint, TangentFactors};
use crate::group::TangentVector;
use crate::integrator::{State, StepFailure};
use crate::space::ConfigurationSpace;
use crate::system::{Linearised, Report, Value};

/// A squared frequency below this multiple of the mean stiffness is zero.
const ZERO_OF_MEAN: f64 = 1e-11;
/// The largest residual relative to its terms.
const RESIDUAL: f64 = 1e-8;
/// The largest residual relative to the effect of one rounding of every component of the shape.
const ROUNDINGS: f64 = 10.0;
/// The relative residual of the spaces of damped modes.
const CONVERGED: f64 = 1e-11;
/// Eigenvalues closer to zero than this multiple of the shift can be the two parts of a double zero.
const DRIFTS: f64 = 1e-3;
/// The shift as a multiple of the last requested eigenvalue: the lower limit, the value that replaces a shift outside the limits, and the
/// upper limit.
const SHIFT: [f64; 3] = [0.02, 0.1, 0.4];
/// The maximum number of shifts and metrics.
const SHIFTS: usize = 12;
/// The multiple of M that the metric adds to K, in units of the square of the shift, and its growth factor for an indefinite metric.
const LIFT: f64 = 10.0;
/// Shapes that differ by less are the same rigid motion.
const SAME: f64 = 1e-4;

impl<M: Linearised<Scalar = f64> + Report> StaticState<M> {
    /// Returns the `count` slowest modes about this equilibrium in ascending order: (s² M + s C + K) x + Bᵀ λ = 0, B x = 0. Complex pairs
    /// are represented by Im s > 0.
    ///
    /// For long chains the method is a block Krylov–Schur iteration with the inverse of s² M + s C + K at a real s = σ. The inverse uses
    /// the band of implicit methods: O(N) for each mode. C can be gyroscopic, K can be unsymmetric (follower forces), and modes can grow.
    /// Without damping and with a symmetric K, the modes solve K φ = ω² M φ, to higher accuracy. Rigid motions have s = 0, each once.
    /// Velocity constraints apply to deviations as well as to rates; the additional zero eigenvalues of these rows are omitted. The time is
    /// constant.
    ///
    /// The modes of a system with auxiliary states are eigenvalues of the dense state matrix of the [linearisation](Linearisation), in O(N³).
    /// Their shapes contain the changes of the states.
    ///
    /// The [residual](Mode::residual) of each mode is computed separately. Its round-off comes from the stiffest motions and grows with the
    /// length of the chain.
    ///
    /// # Errors
    /// [`LinearisationError`]; [`LinearisationError::ModesNotFound`] if the requested modes are not separated from the others. For example,
    /// strain-rate damping gives an accumulation of all stiff modes beyond s = −1/τ.
    pub fn modes(&self, system: &M, count: usize) -> Result<Vec<Mode>, LinearisationError> {
        let State { time, configuration: q, .. } = &self.state;
        self.state.check(system).map_err(LinearisationError::ForeignState)?;
        if !state_components(system).is_empty() {
            let linear = Linearisation::of(system).at(*time, q, &self.state.velocity)?;
            let failed = |error| LinearisationError::Failed(StepFailure::of_kkt_at(error, system, *time, q));
            let mut modes = linear.modes().map_err(failed)?;
            modes.truncate(count);
            return Ok(modes);
        }
        if system.is_sliding() {
            return Err(LinearisationError::Sliding);
        }
        if let Some(violation) = law_violation(system, &self.state) {
            return Err(LinearisationError::Law(violation));
        }
        system.ensure_inputs(*time, *time).map_err(LinearisationError::Inputs)?;
        ensure_no_feedback(system, *time, q)?;
        ensure_still_rows(system, *time, q)?;
        let at = StaticPoint::of(system, &self.state);
        let failed = |error| LinearisationError::Failed(StepFailure::of_kkt_at(error, system, *time, q));
        let matrices = Matrices::at(&at);
        let mean = matrices.mean_stiffness();
        let mut search = ModeSearch {
            at: &at,
            matrices: &matrices,
            metric: Metric::at(&at).map_err(failed)?,
            mean,
            factors: TangentFactors::of(system),
        };
        search.factors.shifted(&at, 1e-7 * mean).map_err(failed)?;
        let is_undamped = matrices.is_symmetric(&mut search.factors);
        let found = if is_undamped && search.is_undamped() { search.vibrations(count) } else { search.damped(count) };
        let mut modes = found.map_err(|unfound| match unfound {
            Unfound::Kkt(error) => failed(error),
            Unfound::Indefinite => LinearisationError::NoMetric,
            Unfound::NotConverged => LinearisationError::ModesNotFound { count },
        })?;
        modes.sort_by(|one, other| one.eigenvalue.norm().total_cmp(&other.eigenvalue.norm()));
        Ok(modes)
    }
}

/// Inputs that are a function of the state would contribute to K and C.
fn ensure_no_feedback<M: Linearised<Scalar = f64> + Report>(
    system: &M,
    t: f64,
    q: &M::Configuration,
) -> Result<(), LinearisationError> {
    let mut v = system.zero_velocity();
    let here = system.report_inputs(t, q, &v);
    for at in 0..system.dof() {
        v.set_component(at, 1e-3 * (1.0 + at as f64).sin());
    }
    let mut beside = q.clone();
    system.space().compose_exp(q, &v, &mut beside);
    match (system.report_inputs(t, &beside, &v), here) {
        (Value::Record(there), Value::Record(here)) if there != here => {
            let inputs = here.into_iter().map(|(name, _)| name.to_string()).collect();
            Err(LinearisationError::Feedback { inputs })
        }
        _ => Ok(()),
    }
}

/// Rows B v + b of velocity constraints with b dependent on q do not constrain deviations.
fn ensure_still_rows<M: Linearised<Scalar = f64>>(
    system: &M,
    t: f64,
    q: &M::Configuration,
) -> Result<(), LinearisationError> {
    let mut v = system.zero_velocity();
    for at in 0..system.dof() {
        v.set_component(at, (1.0 + at as f64).sin());
    }
    let [mut forth, mut back] = [system.zero_multipliers(), system.zero_multipliers()];
    system.constraint_curvature(t, q, &v, &mut forth);
    v.scale(-1.0);
    system.constraint_curvature(t, q, &v, &mut back);
    let odd = |row: usize| (forth.component(row) - back.component(row)).abs();
    let size = 1.0 + forth.max_norm();
    match (system.holonomic_rows()..system.constraint_rows()).find(|&row| odd(row) > 1e-12 * size) {
        Some(row) => {
            Err(LinearisationError::RateByPosition { constraint: system.description().constraint_of_row(row) })
        }
        None => Ok(()),
    }
}

/// The search for the slowest modes.
struct ModeSearch<'a, 'p, M: Linearised> {
    at: &'a StaticPoint<'p, M>,
    matrices: &'a Matrices<'a, 'p, M>,
    metric: Metric<'a, 'p, M>,
    factors: TangentFactors<M>,
    mean: f64,
}

type ModeShape = DVector<Complex<f64>>;

impl<M: Linearised<Scalar = f64>> ModeSearch<'_, '_, M> {
    /// C is zero.
    fn is_undamped(&self) -> bool {
        self.matrices.times(&self.matrices.damping, &self.matrices.arbitrary(0.7)).iter().all(|entry| *entry == 0.0)
    }

    /// Computes the modes of K φ + Bᵀ λ = ω² M φ.
    fn vibrations(&mut self, count: usize) -> Result<Vec<Mode>, Unfound> {
        let found = self.matrices.squares(&mut self.factors, count)?;
        let mut found: Vec<_> = found.into_iter().map(|(square, vector)| (square.re, vector)).collect();
        found.sort_by(|(one, _), (other, _)| one.total_cmp(other));
        let mut modes = Vec::new();
        for (square, vector) in found {
            let square = if square.abs() <= ZERO_OF_MEAN * self.mean { 0.0 } else { square };
            let shape = dense::components(&vector);
            let eigenvalue =
                Complex::from(square.abs()).sqrt() * if square < 0.0 { Complex::from(1.0) } else { Complex::i() };
            let residual = self.residual(eigenvalue, &shape.map(Complex::from)).size;
            modes.extend(Mode::undamped(square, &shape, residual));
        }
        Ok(modes)
    }

    /// Computes the modes of s² M + s C + K by its inverse at a shift σ.
    fn damped(&mut self, count: usize) -> Result<Vec<Mode>, Unfound> {
        let mut shift = (1e-7 * self.mean).sqrt();
        let mut lifted = LIFT;
        for attempt in 1..=SHIFTS {
            let is_last = attempt == SHIFTS;
            match self.factors.eliminated(self.at, [shift * shift, shift]) {
                Err(error) if is_last => return Err(error.into()),
                // A mode grows at the rate of the shift.
                Err(_) => {
                    shift *= 1.37;
                    continue;
                }
                Ok(()) => {}
            }
            let mut better = None;
            let metric = Metric::at(self.at)?;
            let mut map = DampedPencil {
                matrices: self.matrices,
                factors: &mut self.factors,
                metric,
                shift,
                lift: lifted * shift * shift,
            };
            let found = krylov::largest(&mut map, CONVERGED, 2 * count + 2 * BLOCK, &mut |values| {
                let spectrum = Spectrum { values, shift };
                better = spectrum.better_shift(count).filter(|_| !is_last);
                if better.is_some() { Wanted::Nothing } else { Wanted::Leading(spectrum.leading(count)) }
            });
            let found = match found {
                Err(Unfound::Indefinite) if !is_last => {
                    lifted *= LIFT;
                    continue;
                }
                found => found?,
            };
            match better {
                Some(better) => shift = better,
                None => {
                    // A second application reduces stiff components.
                    let shapes: Vec<ModeShape> = found.vectors.iter().map(|vector| map.shape(vector)).collect();
                    let eigenvalues = found.values.iter().map(|value| 1.0 / value + shift);
                    return self.told(eigenvalues.zip(shapes).collect(), count).ok_or(Unfound::NotConverged);
                }
            }
        }
        Err(Unfound::NotConverged)
    }

    /// Returns the modes of eigenvalues and shapes, rigid motions each once; `None` if a residual is too large.
    fn told(&mut self, found: Vec<(Complex<f64>, ModeShape)>, count: usize) -> Option<Vec<Mode>> {
        let (mut modes, mut rigid) = (Vec::new(), Vec::new());
        for (mut s, mut shape) in found {
            let length = self.product(&self.matrices.mass, &shape).re.sqrt();
            shape.unscale_mut(length);
            let [k, c] = [&self.matrices.stiffness, &self.matrices.damping].map(|matrix| self.product(matrix, &shape));
            // The zero root of s² + c s + k = 0 with k = 0, or one of two zero roots.
            if k.norm() <= ZERO_OF_MEAN * self.mean && s.norm() <= 2.0 * (s + c).norm() {
                rigid.extend([shape.map(|entry| entry.re), shape.map(|entry| entry.im)]);
                continue;
            }
            if s.im.abs() <= 1e-10 * s.norm() {
                s.im = 0.0;
            }
            if s.im >= 0.0 {
                modes.push((s, shape));
            }
        }
        modes.extend(self.independent(rigid).into_iter().map(|x| (Complex::from(0.0), x.map(Complex::from))));
        modes.sort_by(|(one, _), (other, _)| one.norm().total_cmp(&other.norm()));
        modes.truncate(count);
        let told = modes.into_iter().map(|(s, shape)| {
            let ModeResidual { size, terms, rounding } = self.residual(s, &shape);
            (size <= RESIDUAL * terms + ROUNDINGS * rounding).then(|| Mode::of(s, shape, size))
        });
        told.collect()
    }

    /// Computes x̄ᵀ A x.
    fn product(&self, matrix: &M::Matrix, x: &ModeShape) -> Complex<f64> {
        x.dotc(&self.complex_times(matrix, x))
    }

    fn complex_times(&self, matrix: &M::Matrix, x: &ModeShape) -> ModeShape {
        let [re, im] = [x.map(|entry| entry.re), x.map(|entry| entry.im)];
        self.matrices.times(matrix, &re).zip_map(&self.matrices.times(matrix, &im), Complex::new)
    }

    /// Returns the vectors that are linearly independent of the previous ones.
    fn independent(&self, vectors: Vec<DVector<f64>>) -> Vec<DVector<f64>> {
        let mut kept: Vec<DVector<f64>> = Vec::new();
        for mut vector in vectors {
            for _ in 0..2 {
                let weighted = self.matrices.times(&self.matrices.mass, &vector);
                for known in &kept {
                    vector.axpy(-known.dot(&weighted), known, 1.0);
                }
            }
            let length = vector.dot(&self.matrices.times(&self.matrices.mass, &vector)).max(0.0).sqrt();
            if length > SAME {
                kept.push(vector / length);
            }
        }
        kept
    }

    /// Computes the residual of a shape.
    fn residual(&mut self, s: Complex<f64>, shape: &ModeShape) -> ModeResidual {
        let matrices = self.matrices;
        let length = self.product(&matrices.mass, shape).re.sqrt();
        let mut terms = [(&matrices.mass, s * s), (&matrices.damping, s), (&matrices.stiffness, Complex::from(1.0))]
            .map(|(matrix, factor)| self.complex_times(matrix, shape) * (factor / length))
            .to_vec();
        terms.push(&terms[0] + &terms[1] + &terms[2]);
        // Rounding errors have irregular signs, so that their effect on the stiffest motions does not cancel.
        let sign = |at: usize| if (at as u64).wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 63 == 0 { 1.0 } else { -1.0 };
        let rounded = ModeShape::from_fn(shape.len(), |at, _| shape[at] * (sign(at) * f64::EPSILON / length));
        terms.push(self.complex_times(&matrices.stiffness, &rounded));
        let mut square = |force: DVector<f64>| {
            let motion = self.metric.acceleration(&force);
            motion.dot(&matrices.times(&matrices.mass, &motion))
        };
        let mut norm = |force: &ModeShape| (square(force.map(|x| x.re)) + square(force.map(|x| x.im))).max(0.0).sqrt();
        let lengths: Vec<f64> = terms.iter().map(&mut norm).collect();
        ModeResidual { size: lengths[3], terms: lengths[..3].iter().sum(), rounding: lengths[4] }
    }
}

/// ‖s² M x + s C x + K x + Bᵀ λ‖ of a shape x of length one, in the metric of M.
struct ModeResidual {
    size: f64,
    /// The sum of the lengths of its terms.
    terms: f64,
    /// The effect of one rounding of every component of x.
    rounding: f64,
}

/// The eigenvalues θ = 1/(s − σ) in descending order: all eigenvalues within a circle about σ.
struct Spectrum<'a> {
    values: &'a [Complex<f64>],
    shift: f64,
}

impl Spectrum<'_> {
    fn size(&self, value: Complex<f64>) -> f64 {
        (1.0 / value + self.shift).norm()
    }

    /// Returns the number of modes of an eigenvalue: one half for a member of a pair or of a double zero.
    fn share(&self, value: Complex<f64>) -> f64 {
        let is_half = value.im.abs() > 1e-10 * value.norm() || self.size(value) <= DRIFTS * self.shift;
        if is_half { 0.5 } else { 1.0 }
    }

    /// Returns the number of eigenvalues in the circle for which the circle about zero within it contains `count` modes; a number above the
    /// count of eigenvalues means unknown.
    fn leading(&self, count: usize) -> usize {
        let holds = |leading: usize| {
            let radius = 1.0 / self.values[leading - 1].norm() - self.shift;
            let within = self.values[..leading].iter().filter(|value| self.size(**value) <= radius * (1.0 + 1e-9));
            within.map(|value| self.share(*value)).sum::<f64>() >= count as f64
        };
        (1..=self.values.len()).find(|&leading| holds(leading)).unwrap_or(self.values.len() + 1)
    }

    /// Returns a better shift for the slowest `count` modes.
    fn better_shift(&self, count: usize) -> Option<f64> {
        let mut by_size: Vec<(f64, f64)> =
            self.values.iter().map(|&value| (self.size(value), self.share(value))).collect();
        by_size.sort_by(|(one, _), (other, _)| one.total_cmp(other));
        let mut modes = 0.0;
        let last = by_size.iter().find(|(_, share)| {
            modes += share;
            modes >= count as f64
        });
        let size = last.or(by_size.last())?.0;
        let suits = (SHIFT[0] * size..=SHIFT[2] * size).contains(&self.shift) || size <= DRIFTS * self.shift;
        (!suits).then_some(SHIFT[1] * size)
    }
}
