//! The start of a family of periodic orbits that crosses another family.
//!
//! The orbits z = (x, τ, ways, p) of a family satisfy F(z) = 0, and its tangent t is the null vector of F'. At a crossing there is a second
//! null vector φ, the direction of the other family (E. L. Allgower, K. Georg, Numerical continuation methods, 1990, ch. 8):
//!
//! ```text
//! F' φ = 0,    t · φ = 0.
//! ```
//!
//! For a multiplier −1, Φ² has the multiplier 1: the orbit with twice the period is a crossing.

use nalgebra::{DMatrix, DVector};

use crate::analysis::periodic::branch::{OrbitPoint, SpecialOrbit};
use crate::analysis::periodic::orbit::{OrbitError, SpecialOrbitKind};
use crate::analysis::periodic::path::OrbitPath;
use crate::analysis::periodic::period_map::{Guess, Round};
use crate::analysis::periodic::shooting::space_of;
use crate::integrator::Integrator;
use crate::system::TangentSystem;

/// A singular value below this fraction of the largest one indicates a crossing family. Its size depends on the accuracy of the location:
/// at a distance s from the symmetric orbit, the equations of a family that loses its symmetry change by s³, which is below the tolerance.
const CROSSING: f64 = 1e-3;
/// The corresponding limit at a limit point of the parameter, where a crossing family need not exist.
const AT_LIMIT: f64 = 1e-5;
/// A crossing family is unique if the next singular value is larger by this factor and above the round-off of the largest one.
const ALONE: f64 = 30.0;
const NOTHING: f64 = 1e-8;

impl<M: TangentSystem> SpecialOrbit<M> {
    /// Returns the number of periods of this family in one period of the crossing family.
    pub(in crate::analysis) fn rounds(&self) -> u8 {
        if self.kind == SpecialOrbitKind::PeriodDoubling { 2 } else { 1 }
    }
}

impl<M: TangentSystem, I: Integrator<M::Lifted> + Clone> OrbitPath<'_, M, I> {
    /// Returns the first orbit of the crossing family and its direction, with this sign of the largest component.
    pub fn crossing(
        &self,
        special: &SpecialOrbit<M>,
        guess: Guess<M>,
        sign: f64,
    ) -> Result<(OrbitPoint<M>, DVector<f64>), OrbitError<M>> {
        let SpecialOrbit { kind, parameter, .. } = *special;
        if kind == SpecialOrbitKind::Torus {
            return Err(OrbitError::Crossing { kind, others: 0 });
        }
        let system = self.system_at(parameter).map_err(OrbitError::Parameter)?;
        let round = self.shooting.round(&system, guess)?;
        let defect = round.defect();
        let is_foreign = defect.is_nan() || special.tangent.len() != self.units().len();
        if is_foreign || defect > self.shooting.tolerance.sqrt() {
            return Err(OrbitError::ForeignMotion { parameter, defect });
        }
        let mut tangent = special.tangent.clone();
        // Two periods have twice the duration and twice the displacement along symmetries.
        let (states, last) = (round.missed.len(), tangent.len() - 1);
        tangent.rows_mut(states, last - states).scale_mut(f64::from(special.rounds()));
        tangent.component_div_assign(&self.units());
        tangent.normalize_mut();
        let least = if kind == SpecialOrbitKind::Limit { AT_LIMIT } else { CROSSING };
        let (across, others) = self.across(&system, &round, (&tangent, least))?;
        if others != 1 {
            return Err(OrbitError::Crossing { kind, others });
        }
        let largest = across[across.icamax()];
        let direction = across * if (largest < 0.0) == (sign < 0.0) { 1.0 } else { -1.0 };
        Ok((self.point(&system, round, parameter, 0)?, direction))
    }

    /// Returns the second null direction, orthogonal to a tangent, and the number of such directions: the singular values up to `least` of
    /// the largest one.
    ///
    /// Excludes inadmissible deviations and displacements along symmetries, which give the same orbit.
    fn across(
        &self,
        system: &M,
        round: &Round<M>,
        (tangent, least): (&DVector<f64>, f64),
    ) -> Result<(DVector<f64>, usize), OrbitError<M>> {
        let symmetries = self.shooting.along_symmetries(system, &round.from)?;
        let matrix = self.bordered(round, tangent);
        let (states, rows, count) = (round.missed.len(), matrix.nrows(), tangent.len());
        let mut matrix = matrix.resize_vertically(rows + symmetries.ncols(), 0.0);
        matrix.view_mut((rows, 0), (symmetries.ncols(), states)).copy_from(&symmetries.transpose());
        let admitted = space_of(round.admitted.clone());
        let mut space = DMatrix::zeros(count, admitted.ncols() + count - states);
        space.view_mut((0, 0), admitted.shape()).copy_from(&admitted);
        space.view_mut((states, admitted.ncols()), (count - states, count - states)).fill_with_identity();
        let factors = (matrix * &space).svd(false, true);
        let mut values: Vec<f64> = factors.singular_values.iter().copied().collect();
        values.sort_by(f64::total_cmp);
        let largest = values.last().copied().unwrap_or_default();
        let others = match values.first() {
            Some(&first) if first <= least * largest => {
                let alike = (ALONE * first).max(NOTHING * largest);
                values.iter().filter(|value| **value <= alike).count()
            }
            _ => 0,
        };
        let row = factors.v_t.and_then(|rows| rows.row_iter().last().map(|row| row.transpose()));
        Ok((row.map_or_else(|| DVector::zeros(count), |row| space * row), others))
    }
}
