//! Elements of groups from the scalars that users write.

use lie_compiler::tape::TapeGroup;
use nalgebra::{Matrix3, Vector3};

use super::DynamicError;
use super::configuration::Kind;
use crate::group::{DQ, GroupError, S3};

/// Largest distance of given elements from their group.
const LARGEST_DEFECT: f64 = 1e-6;

/// The kind of the elements of a group, and the number of entries in the list of the kind.
pub(super) fn kind_of(group: TapeGroup) -> (Kind, usize) {
    match group {
        TapeGroup::Vector(n) => (Kind::Number, n),
        TapeGroup::SO2 => (Kind::SO2, 1),
        TapeGroup::SO3 => (Kind::SO3, 1),
        TapeGroup::S3 => (Kind::S3, 1),
        TapeGroup::SE2 => (Kind::SE2, 1),
        TapeGroup::SE3 => (Kind::SE3, 1),
        TapeGroup::S3R3 => (Kind::S3R3, 1),
        TapeGroup::DQ => (Kind::DQ, 1),
        TapeGroup::SO3xR3 => (Kind::SO3xR3, 1),
        TapeGroup::S3xR3 => (Kind::S3xR3, 1),
        TapeGroup::S2 => (Kind::S2, 1),
        // `TapeGroup::Number`, the only other one of the compiler of this version.
        _ => (Kind::Number, 1),
    }
}

/// The notation of a group, and the order of its scalars.
pub(super) fn notation(group: TapeGroup) -> (&'static str, &'static str) {
    match group {
        TapeGroup::Vector(_) => ("a vector space", "components"),
        TapeGroup::SO2 => ("SO(2)", "cosine, sine; or the angle"),
        TapeGroup::SO3 => ("SO(3)", "a matrix by rows"),
        TapeGroup::S3 => ("S³", "w, x, y, z"),
        TapeGroup::SE2 => ("SE(2)", "cosine, sine, position"),
        TapeGroup::SE3 => ("SE(3)", "a rotation matrix by rows, position"),
        TapeGroup::S3R3 => ("S³ ⋉ R³", "w, x, y, z, position"),
        TapeGroup::DQ => ("the unit dual quaternions", "real part w, x, y, z, then dual part"),
        TapeGroup::SO3xR3 => ("SO(3) × R³", "a rotation matrix by rows, position"),
        TapeGroup::S3xR3 => ("S³ × R³", "w, x, y, z, position"),
        TapeGroup::S2 => ("S²", "a unit vector"),
        _ => ("ℝ", "a number"),
    }
}

/// Returns the scalars of an element of a group as they are stored, without rounding errors.
pub(super) fn element(name: &str, group: TapeGroup, scalars: &[f64]) -> Result<Vec<f64>, DynamicError> {
    let ((kind, entries), (notation, order)) = (kind_of(group), notation(group));
    let scalars = stored(name, group, scalars)?;
    let expected = kind.scalars() * entries;
    if scalars.len() != expected {
        return Err(DynamicError::WrongSize { name: name.to_owned(), expected, order, given: scalars.len() });
    }
    let mut values = Vec::with_capacity(expected);
    for element in scalars.chunks(kind.scalars()) {
        let is_finite = element.iter().all(|scalar| scalar.is_finite());
        let (normalised, defect) = if is_finite { kind.normalised(element) } else { (vec![], f64::NAN) };
        if defect.is_nan() || defect > LARGEST_DEFECT {
            return Err(DynamicError::NotInGroup { name: name.to_owned(), group: notation, defect });
        }
        // The defect does not contain the sign of the determinant.
        if matches!(kind, Kind::SO3 | Kind::SE3 | Kind::SO3xR3)
            && Matrix3::from_row_slice(&normalised[..9]).determinant() < 0.0
        {
            return Err(DynamicError::Reflection { name: name.to_owned(), error: GroupError::Reflection });
        }
        values.extend(normalised);
    }
    Ok(values)
}

/// Returns the scalars of an element as they are stored, from any form that users write.
fn stored(name: &str, group: TapeGroup, scalars: &[f64]) -> Result<Vec<f64>, DynamicError> {
    let of_angle = |angle: f64| [angle.cos(), angle.sin()];
    let of_quaternion = |&[w, x, y, z]: &[f64; 4]| {
        let defect = (w * w + x * x + y * y + z * z - 1.0).abs();
        let quaternion = S3::from_coordinates([w, x, y, z]).ok().filter(|_| defect <= LARGEST_DEFECT);
        let group = "the unit quaternions";
        quaternion.ok_or_else(|| DynamicError::NotInGroup { name: name.to_owned(), group, defect })
    };
    let rows = |quaternion: S3| quaternion.rotation_matrix().transpose().as_slice().to_vec();
    Ok(match (group, scalars) {
        (TapeGroup::SO2, [angle]) => of_angle(*angle).to_vec(),
        (TapeGroup::SE2, [angle, position @ ..]) if position.len() == 2 => [&of_angle(*angle), position].concat(),
        (TapeGroup::SO3, [w, x, y, z]) => rows(of_quaternion(&[*w, *x, *y, *z])?),
        (TapeGroup::SE3 | TapeGroup::SO3xR3, [w, x, y, z, position @ ..]) if position.len() == 3 => {
            [&rows(of_quaternion(&[*w, *x, *y, *z])?)[..], position].concat()
        }
        (TapeGroup::DQ, &[w, x, y, z, a, b, c]) => {
            DQ::new(of_quaternion(&[w, x, y, z])?, Vector3::new(a, b, c)).coordinates().to_vec()
        }
        _ => scalars.to_vec(),
    })
}
