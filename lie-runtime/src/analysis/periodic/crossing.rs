//! Where a family of periodic motions begins at one of another family.
//!
//! The motions z = (x, τ, ways, p) of a family have F(z) = 0, and its tangent t is the null vector of F'. Where another family crosses
//! there is a second one, φ, along which that family leaves (E. L. Allgower, K. Georg, Numerical continuation methods, 1990, ch. 8):
//!
//! ```text
//! F' φ = 0,    t · φ = 0.
//! ```
//!
//! Where a multiplier is −1, Φ² has the multiplier 1: taken for two rounds as one, the same motion is a crossing.

use nalgebra::{DMatrix, DVector};

use crate::analysis::periodic::branch::{OrbitPoint, SpecialOrbit, SpecialOrbitKind};
use crate::analysis::periodic::orbit::OrbitError;
use crate::analysis::periodic::path::Path;
use crate::analysis::periodic::period_map::Round;
use crate::analysis::periodic::shooting::{Guess, space_of};
use crate::integrator::Integrator;
use crate::system::TangentSystem;

/// A singular value under this part of the largest one is that of a family that crosses. It is as small as the motion was located well: off the
/// symmetric one by s, the equations of a family that loses its symmetry change by s³, which the tolerance hides.
const CROSSING: f64 = 1e-3;
/// The same where the parameter turns back, which may be all that happens.
const AT_LIMIT: f64 = 1e-5;
/// A family is the only one that crosses if the next singular value is larger by this factor, and no round-off of the largest.
const ALONE: f64 = 30.0;
const NOTHING: f64 = 1e-8;

impl<M: TangentSystem> SpecialOrbit<M> {
    /// How often a family that leaves goes round while this one does once.
    pub(in crate::analysis) fn rounds(&self) -> u8 {
        if self.kind == SpecialOrbitKind::PeriodDoubling { 2 } else { 1 }
    }
}

impl<M: TangentSystem, I: Integrator<M::Lifted> + Clone> Path<'_, M, I> {
    /// The first motion of the family that crosses, and the direction in which it leaves, the largest component with this sign.
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
        // Two rounds take twice as long, and go twice as far along symmetries.
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

    /// The direction across a tangent in which motions come back as well, and how many there are, as singular values up to `least` of the largest
    /// one tell.
    ///
    /// Deviations that constraints do not admit are none, and what symmetries make of a motion is the same one.
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
