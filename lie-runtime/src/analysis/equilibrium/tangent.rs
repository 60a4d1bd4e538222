//! The linear systems of statics: K y + Bᵀ δλ = −r, B y = −Φ.
//!
//! Auxiliary states z extend the unknowns y by δz. K then contains the derivatives of g and −z' with respect to q and z.
//!
//! K_t itself can be singular; for a hanging chain without stiffness it is zero until λ is known. Only its projection onto the null space
//! of the constraints must be regular. Small systems and systems with auxiliary states are solved in this space ([`NullSpace`]). Long
//! systems use the factors of implicit methods with c_M = c_C = 0, c_K = 1, in O(N).

use nalgebra::{Complex, DMatrix, DVector, Dyn, FullPivLU};

use crate::analysis::equilibrium::error::ZeroStiffnessMode;
use crate::analysis::first_order::state_components;
use crate::analysis::matrices::dense;
use crate::analysis::matrices::krylov::Unfound;
use crate::analysis::matrices::null_space::NullSpace;
use crate::analysis::matrices::schur::Ordered;
use crate::analysis::pencil::{Matrices, SYMMETRIC, Squares, StaticPoint, TangentFactors, real};
use crate::group::TangentVector;
use crate::system::{KktError, Linearised, MechanicalSystem, Redundancy};

/// The largest number of components of systems that are solved in the null space, for any structure.
const SMALL: usize = 24;
/// A pivot below this multiple of the largest one is round-off.
const LOST: f64 = 1e-14;
/// A stiffness below this multiple of the largest one is round-off if a pivot is.
const LOOSE: f64 = 1e-13;
/// An imaginary part below this multiple of a value is round-off.
const REAL: f64 = 1e-7;
/// The corresponding limit for factors, for which only the mean stiffness is known.
const LOST_OF_MEAN: f64 = 1e-12;

/// The reasons for a linear system without a unique solution.
#[derive(Debug)]
pub(in crate::analysis) enum Unsolvable {
    /// Directions without stiffness.
    Loose(Vec<ZeroStiffnessMode>),
    /// Linearly dependent rows of B, or a value that is not finite.
    Kkt(KktError),
}

impl From<KktError> for Unsolvable {
    fn from(error: KktError) -> Self {
        Unsolvable::Kkt(error)
    }
}

/// The factorised linear system.
pub(in crate::analysis) enum FactorisedTangent<M: Linearised> {
    /// The stiffness in the null space of the constraints.
    Directions(Box<NullSpaceStiffness>),
    /// The factors that implicit methods use.
    Factors(Box<TangentFactors<M>>),
}

impl<M: Linearised<Scalar = f64>> FactorisedTangent<M> {
    /// Creates a system of the suitable kind.
    pub fn of(system: &M) -> Self {
        let is_fixed = <M::Velocity as TangentVector>::COMPONENTS.is_some();
        // The factors of implicit methods have no derivatives with respect to auxiliary states alone.
        let has_states = !state_components(system).is_empty();
        if is_fixed || has_states || system.dof() <= SMALL {
            FactorisedTangent::Directions(Box::default())
        } else {
            FactorisedTangent::Factors(Box::new(TangentFactors::of(system)))
        }
    }

    /// Factorises the system at a point.
    pub fn factorise(&mut self, at: &StaticPoint<'_, M>) -> Result<(), Unsolvable> {
        match self {
            FactorisedTangent::Directions(directions) => directions.factorise(at),
            FactorisedTangent::Factors(factors) => factors.factorise(at),
        }
    }

    /// Computes the `count` eigenvalues ω² of K φ + Bᵀ λ = ω² M φ, B φ = 0, that are closest to zero, in ascending order, with φ, at the
    /// last factorised point. A complex pair, which follower forces can cause, is listed as |ω²|, because it does not cross zero.
    pub fn lowest(&mut self, at: &StaticPoint<'_, M>, count: usize) -> Result<Vec<(f64, M::Velocity)>, Unfound> {
        let found = match self {
            FactorisedTangent::Directions(directions) => directions.squares(at)?,
            FactorisedTangent::Factors(factors) => Matrices::at(at).squares(factors, count)?,
        };
        let told =
            |square: Complex<f64>| if square.im.abs() <= REAL * square.norm() { square.re } else { square.norm() };
        let mut found: Vec<_> = found.into_iter().map(|(square, vector)| (told(square), vector)).collect();
        found.sort_by(|(one, _), (other, _)| one.abs().total_cmp(&other.abs()));
        found.truncate(count);
        Ok(found)
    }

    /// Solves for (y, δλ) from the residuals (r, Φ).
    pub fn solve(
        &mut self,
        system: &M,
        balance: &M::Velocity,
        position: &M::Multipliers,
        correction: &mut (M::Velocity, M::Multipliers),
    ) {
        match self {
            FactorisedTangent::Directions(directions) => directions.solve(balance, position, correction),
            FactorisedTangent::Factors(factors) => factors.solve(system, balance, position, correction),
        }
    }
}

/// K in the null space N of the constraints.
#[derive(Default)]
pub(in crate::analysis) struct NullSpaceStiffness {
    space: Option<NullSpace>,
    stiffness: DMatrix<f64>,
    /// The triangular factors of Nᵀ K N; `None` for an empty null space.
    factors: Option<FullPivLU<f64, Dyn, Dyn>>,
    /// B, if the multipliers have least norm.
    redundant: Option<DMatrix<f64>>,
}

impl NullSpaceStiffness {
    fn factorise<M: Linearised<Scalar = f64>>(&mut self, at: &StaticPoint<'_, M>) -> Result<(), Unsolvable> {
        let &StaticPoint { system, t, q, v, multipliers } = at;
        let space = NullSpace::of_system(system, t, q)?;
        self.redundant = match (space.dependent.first(), system.redundancy()) {
            (Some(&row), Redundancy::Refused) => return Err(KktError::SingularConstraints { row }.into()),
            (Some(_), Redundancy::MinimumNorm) => Some(dense::jacobian(system, t, q)),
            (None, _) => None,
        };
        let rest = system.zero_velocity();
        let mut stiffness = system.zero_matrix();
        system.tangent_stiffness(t, q, v, &rest, multipliers, &mut stiffness);
        self.stiffness = dense::matrix(system, &stiffness);
        let states = state_components(system);
        if !states.is_empty() {
            // The derivatives with respect to z: K_t is zero in these columns, and C_t contains derivatives with respect to velocities.
            system.tangent_damping(t, q, v, &mut stiffness);
            let damping = dense::matrix(system, &stiffness);
            self.stiffness
                .columns_mut(states.start, states.len())
                .copy_from(&damping.columns(states.start, states.len()));
        }
        if !self.stiffness.iter().all(|entry| entry.is_finite()) {
            return Err(KktError::NotFinite.into());
        }
        let reduced = space.basis.tr_mul(&(&self.stiffness * &space.basis));
        let factors = (reduced.nrows() > 0).then(|| reduced.clone().full_piv_lu());
        if let Some(factors) = &factors {
            let pivots = factors.u().diagonal().abs();
            if pivots.min() <= LOST * pivots.max() {
                return Err(Unsolvable::Loose(loose(system, &space, reduced)));
            }
        }
        self.factors = factors;
        self.space = Some(space);
        Ok(())
    }

    /// Computes the values ω² with φ from the largest 1/ω² of Lᵀ (Nᵀ K N)⁻¹ L with L Lᵀ = Nᵀ M N. In this form, stiff directions do not
    /// reduce the accuracy of the small values.
    ///
    /// Statics do not need inertia. If a motion has none, the identity replaces M.
    fn squares<M: Linearised<Scalar = f64>>(&self, at: &StaticPoint<'_, M>) -> Result<Squares<M::Velocity>, KktError> {
        let (Some(space), Some(factors)) = (&self.space, &self.factors) else { return Ok(Vec::new()) };
        let StaticPoint { system, t, q, .. } = *at;
        let mass = space.basis.tr_mul(&(dense::mass(system, t, q) * &space.basis));
        let lower = mass
            .cholesky()
            .map_or_else(|| DMatrix::identity(factors.u().ncols(), factors.u().ncols()), |mass| mass.l());
        let inverse = lower.tr_mul(&factors.solve(&lower).ok_or(KktError::NotFinite)?);
        let is_symmetric = (&inverse - inverse.transpose()).amax() <= SYMMETRIC * inverse.amax();
        let form = Ordered::of(&inverse, is_symmetric)?;
        let (values, vectors) = form.eigenvectors(inverse.nrows())?;
        let vector = |column: DVector<Complex<f64>>| {
            let share = real(&column);
            let mut vector = system.zero_velocity();
            dense::set_components(
                &mut vector,
                &(&space.basis * lower.tr_solve_lower_triangular(&share).unwrap_or(share)),
            );
            vector
        };
        let found = values.into_iter().zip(vectors.column_iter());
        Ok(found.map(|(value, column)| (1.0 / value, vector(column.into()))).collect())
    }

    /// Computes y = −B⁺ Φ + N z with Nᵀ K N z = −Nᵀ (r − K B⁺ Φ), then δλ = −(B⁺)ᵀ (r + K y).
    fn solve<V: TangentVector<Scalar = f64>, L: TangentVector<Scalar = f64>>(
        &self,
        balance: &V,
        position: &L,
        correction: &mut (V, L),
    ) {
        let Some(space) = &self.space else { return };
        let (balance, position) = (dense::components(balance), dense::components(position));
        let mut y = -(&space.right_inverse * position);
        if let Some(factors) = &self.factors {
            let right = -space.basis.tr_mul(&(&balance + &self.stiffness * &y));
            let z = factors.solve(&right).unwrap_or_else(|| DVector::from_element(right.len(), f64::NAN));
            y += &space.basis * z;
        }
        let force = balance + &self.stiffness * &y;
        let multipliers = match &self.redundant {
            None => -space.right_inverse.tr_mul(&force),
            Some(jacobian) => {
                let factors = jacobian.transpose().svd(true, true);
                let lost = factors.singular_values.max() * 1e-10;
                -factors.solve(&force, lost).unwrap_or_else(|_| DVector::from_element(jacobian.nrows(), f64::NAN))
            }
        };
        dense::set_components(&mut correction.0, &y);
        dense::set_components(&mut correction.1, &multipliers);
    }
}

/// Returns the directions in which Nᵀ K N is at round-off level; one direction if only the factors indicate it.
#[cold]
fn loose<M: MechanicalSystem>(system: &M, space: &NullSpace, reduced: DMatrix<f64>) -> Vec<ZeroStiffnessMode> {
    let factors = reduced.svd(false, true);
    let largest = factors.singular_values.max();
    let smallest = factors.singular_values.min();
    let is_loose = |value: f64| value <= (LOOSE * largest).max(smallest);
    let rows = factors.singular_values.iter().zip(factors.v_t.iter().flat_map(DMatrix::row_iter));
    let rows = rows.filter(|(value, _)| is_loose(**value));
    rows.map(|(_, row)| ZeroStiffnessMode::of(system.description(), &(&space.basis * row.transpose()))).collect()
}

impl<M: Linearised<Scalar = f64>> TangentFactors<M> {
    /// Factorises K. If K has no factors, the stiffness is increased by a value that is small relative to the lowest stiffness.
    fn factorise(&mut self, at: &StaticPoint<'_, M>) -> Result<(), Unsolvable> {
        let Err(error) = self.shifted(at, 0.0) else { return Ok(()) };
        let matrices = Matrices::at(at);
        let mean = matrices.mean_stiffness();
        if !mean.is_finite() || mean == 0.0 {
            return Err(error.into());
        }
        let shift = 1e-6 * mean;
        self.shifted(at, shift)?;
        let lowest = matrices.squares(self, 2 * 8).map_err(|unfound| match unfound {
            Unfound::Kkt(error) => error,
            // The relevant error is the missing factorisation of K.
            Unfound::Indefinite | Unfound::NotConverged => error,
        })?;
        let lowest: Vec<_> = lowest.into_iter().map(|(square, vector)| (square.norm(), vector)).collect();
        let is_loose = |value: f64| value.abs() <= LOST_OF_MEAN * mean;
        let held = lowest.iter().map(|(value, _)| *value).filter(|&value| !is_loose(value));
        let nearest = held.fold(f64::INFINITY, |m, value| m.min(value.abs()));
        let loose: Vec<ZeroStiffnessMode> = lowest
            .iter()
            .filter(|(value, _)| is_loose(*value))
            .map(|(_, vector)| ZeroStiffnessMode::of(at.system.description(), &dense::components(vector)))
            .collect();
        if !loose.is_empty() {
            return Err(Unsolvable::Loose(loose));
        }
        self.shifted(at, 1e-6 * nearest.min(mean)).map_err(Unsolvable::from)
    }
}
