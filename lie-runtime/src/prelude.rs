//! Everything a model needs: `use lie_runtime::prelude::*;`.

pub use crate::field::{LegendreTransform, VectorField};
pub use crate::group::{LieGroup, S3, S3R3, SE2, SE3, SO2, SO3, TangentVector, TwistParts};
pub use crate::group::{R1, R2, R3, R4, R5, R6, Rn};
pub use crate::integrator::{CommutatorFree, MuntheKaas, OnMechanical, SymplecticLieGroup};
pub use crate::integrator::{HalfExplicit, State, StepController};
pub use crate::mechanical_system;
pub use crate::roles::*;
pub use crate::scalar::Scalar;
pub use crate::simulate::{FieldSimulation, Simulation, SimulationError, Trajectory};
pub use crate::space::{S2, TS2, TSO3};
pub use crate::system::{MechanicalSystem, ParameterSet, Report};
pub use nalgebra::{
    Matrix1, Matrix2, Matrix3, Matrix4, Matrix5, Matrix6, SMatrix, SVector, Vector1, Vector2, Vector3, Vector4,
    Vector5, Vector6,
};
