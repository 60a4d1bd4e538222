//! Everything a model needs: `use lie_runtime::prelude::*;`.

// Declarations.
pub use crate::group::elements::*;
pub use crate::group::{LieGroup, Placement, TangentVector, TwistParts};
pub use crate::mechanical_system;
pub use crate::roles::*;
pub use crate::scalar::Scalar;
pub use crate::space::{ConfigurationSpace, S2, TS2, TSO3};
// What `vector!` and `matrix!` expand to begins with `nalgebra::`.
pub use nalgebra::{
    self, Matrix1, Matrix2, Matrix3, Matrix4, Matrix5, Matrix6, SMatrix, SVector, Vector1, Vector2, Vector3, Vector4,
    Vector5, Vector6, matrix, vector,
};

// What is generated from them, and fields that are written by hand.
pub use crate::field::{LegendreTransform, VectorField};
pub use crate::integrator::State;
pub use crate::space::{Coadjoint, Cotangent};
pub use crate::system::{
    CheckPoint, Diagnose, Diagnosis, MechanicalSystem, ParameterSet, Report, UnknownJoint, derivative_check,
};

// Methods for mechanical systems.
pub use crate::integrator::{
    BLieDF, Collocation, GeneralizedAlpha, HalfExplicit, OnMechanical, Rattlie, Rotation, TrBdf2,
};
// Methods for equations of first order.
pub use crate::integrator::{CommutatorFree, MuntheKaas, SymplecticLieGroup};

// Runs, and why they fail.
pub use crate::integrator::{Quantity, StepController, StepFailure};
pub use crate::simulate::event::Impact;
pub use crate::simulate::{ConsistentValues, Failure, Simulation, SimulationError, Trajectory};
#[cfg(feature = "export")]
pub use crate::simulate::{write_csv, write_npz};
