//! The eigenvalues of (K, M) on the constraints that are nearest to a shift, by block Lanczos iteration.

use nalgebra::DMatrix;

use crate::group::TangentVector;
use crate::system::{Linearised, SaddleError};

/// As many vectors start: more than any eigenvalue of a free body or of a round rod is repeated.
const BLOCK: usize = 8;
/// A vector of which less than this is left is a combination of the others.
const VANISHED: f64 = 1e-10;
/// The relative residual of an eigenvector that has been found.
const CONVERGED: f64 = 1e-9;
/// Directions that may be looked at, for each eigenvalue that is asked for.
const DIRECTIONS: usize = 12;

/// Eigenvalues and their vectors.
#[derive(Clone, Debug)]
pub(super) struct Eigen<V> {
    /// ω² of K φ + Bᵀ λ = ω² M φ, B φ = 0, the nearest to the shift first.
    pub values: Vec<f64>,
    /// φ, of length one in the metric of M.
    pub vectors: Vec<V>,
}

/// What the iteration asks of a system.
pub(super) trait ShiftInvert<V> {
    /// M x.
    fn mass_times(&mut self, x: &V, out: &mut V);
    /// y of (K + σ M) y + Bᵀ λ = `force`, B y = 0.
    fn solve(&mut self, force: &V, out: &mut V);
    /// Takes from x what moves nothing.
    fn clean(&mut self, x: &mut V);
}

/// The `count` eigenvalues nearest to −`shift`: block Lanczos iteration with full orthogonalisation, in the metric of M.
///
/// # Errors
/// [`SaddleError::NotFinite`].
pub(super) fn nearest<M: Linearised<Scalar = f64>>(
    system: &M,
    operator: &mut impl ShiftInvert<M::Velocity>,
    shift: f64,
    count: usize,
) -> Result<Eigen<M::Velocity>, SaddleError> {
    let dof = system.dof();
    let count = count.min(dof);
    let largest = (DIRECTIONS * count + 4 * BLOCK).min(dof);
    // V, M V and A V with A = (K + σ M)⁻¹ M.
    let [mut basis, mut weighted, mut images]: [Vec<M::Velocity>; 3] = core::array::from_fn(|_| Vec::new());
    let mut random = 0x9E37_79B9_7F4A_7C15_u64;
    let mut next = || {
        random ^= random << 13;
        random ^= random >> 7;
        random ^= random << 17;
        (random >> 11) as f64 / 4_503_599_627_370_496.0 - 1.0
    };
    let mut block: Vec<M::Velocity> = Vec::new();
    for _ in 0..BLOCK.min(dof) {
        let (mut start, mut force) = (system.zero_velocity(), system.zero_velocity());
        for at in 0..dof {
            start.set_component(at, next());
        }
        operator.clean(&mut start);
        // Onto the constraints, and away from what is stiff.
        operator.mass_times(&start, &mut force);
        operator.solve(&force, &mut start);
        block.push(start);
    }
    let mut projected = DMatrix::<f64>::zeros(0, 0);
    loop {
        for mut vector in core::mem::take(&mut block) {
            operator.clean(&mut vector);
            let mut mass = system.zero_velocity();
            operator.mass_times(&vector, &mut mass);
            let before = vector.dot(&mass).max(0.0).sqrt();
            for _ in 0..2 {
                for (known, own) in basis.iter().zip(&weighted) {
                    let share = own.dot(&vector);
                    vector.axpy(-share, known);
                }
            }
            operator.mass_times(&vector, &mut mass);
            let length = vector.dot(&mass).max(0.0).sqrt();
            if !length.is_finite() {
                return Err(SaddleError::NotFinite);
            }
            if length <= VANISHED * before || basis.len() == largest {
                continue;
            }
            vector.scale(1.0 / length);
            mass.scale(1.0 / length);
            let mut image = system.zero_velocity();
            operator.solve(&mass, &mut image);
            basis.push(vector);
            weighted.push(mass);
            block.push(image.clone());
            images.push(image);
        }
        let size = basis.len();
        if size == 0 {
            return Ok(Eigen { values: Vec::new(), vectors: Vec::new() });
        }
        projected = DMatrix::from_fn(size, size, |i, k| {
            let known = projected.nrows();
            if i < known && k < known { projected[(i, k)] } else { weighted[i].dot(&images[k]) }
        });
        let symmetric = (&projected + projected.transpose()) * 0.5;
        if !symmetric.iter().all(|entry| entry.is_finite()) {
            return Err(SaddleError::NotFinite);
        }
        let eigen = symmetric.symmetric_eigen();
        let mut order: Vec<usize> = (0..size).collect();
        order.sort_by(|&i, &k| eigen.eigenvalues[k].abs().total_cmp(&eigen.eigenvalues[i].abs()));
        order.truncate(count);
        let combined = |of: &[M::Velocity], at: usize| {
            let mut sum = system.zero_velocity();
            for (vector, &share) in of.iter().zip(eigen.eigenvectors.column(at).iter()) {
                sum.axpy(share, vector);
            }
            sum
        };
        let is_complete = block.is_empty() || size == largest;
        // A look now and then: combining vectors is as much work as a few solutions.
        if !is_complete && (size < count + BLOCK || !(size / BLOCK).is_multiple_of(2)) {
            continue;
        }
        let mut found = Eigen { values: Vec::new(), vectors: Vec::new() };
        let mut is_exact = true;
        for &at in &order {
            let (vector, mut rest) = (combined(&basis, at), combined(&images, at));
            let value = eigen.eigenvalues[at];
            rest.axpy(-value, &vector);
            let mut mass = system.zero_velocity();
            operator.mass_times(&rest, &mut mass);
            // ‖A φ − θ φ‖ in the metric of M; its square is the relative error of an eigenvalue.
            is_exact &= rest.dot(&mass).max(0.0).sqrt() <= CONVERGED * value.abs();
            found.values.push(1.0 / value - shift);
            found.vectors.push(vector);
        }
        if is_complete || is_exact {
            return Ok(found);
        }
    }
}
