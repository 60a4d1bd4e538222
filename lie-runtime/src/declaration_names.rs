//! Names that `#[mechanical_system]` imports into its module. Names that the module declares or imports by name shadow
//! them.

pub use crate::group::elements::*;
pub use crate::group::{LieGroup, Placement, TangentVector, TwistParts};
pub use crate::roles::*;
pub use crate::scalar::Scalar;
pub use crate::space::{ConfigurationSpace as _, S2, TS2, TSO3};
// Declarations of robot files name it.
pub use crate::system::UnknownJoint;
// The expansions of `vector!` and `matrix!` begin with `nalgebra::`.
#[rustfmt::skip]
pub use nalgebra::{
    self, Matrix1, Matrix1x2, Matrix1x3, Matrix1x4, Matrix1x5, Matrix1x6, Matrix2, Matrix2x1, Matrix2x3, Matrix2x4, Matrix2x5,
    Matrix2x6, Matrix3, Matrix3x1, Matrix3x2, Matrix3x4, Matrix3x5, Matrix3x6, Matrix4, Matrix4x1, Matrix4x2, Matrix4x3,
    Matrix4x5, Matrix4x6, Matrix5, Matrix5x1, Matrix5x2, Matrix5x3, Matrix5x4, Matrix5x6, Matrix6, Matrix6x1, Matrix6x2,
    Matrix6x3, Matrix6x4, Matrix6x5, RowVector1, RowVector2, RowVector3, RowVector4, RowVector5, RowVector6, SMatrix,
    SVector, Vector1, Vector2, Vector3, Vector4, Vector5, Vector6, matrix, vector,
};
