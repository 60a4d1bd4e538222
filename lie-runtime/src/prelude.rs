//! The names that a main program needs: `use lie_runtime::prelude::*;`.
//!
//! The module of a declaration does not need this import: [`mechanical_system`](macro@crate::mechanical_system) imports the
//! groups, vectors, matrices and roles. The traits without a name provide their methods. Their names are in the modules of
//! the crate, for example [`group::LieGroup`](crate::group::LieGroup).

// Declarations and their data.
pub use crate::group::{DQ, R1, R2, R3, Rn, S3, S3R3, SE2, SE3, SO2, SO3};
pub use crate::mechanical_system;
pub use crate::scalar::Scalar;
pub use crate::space::S2;
// The expansions of `vector!` and `matrix!` begin with `nalgebra::`.
#[doc(no_inline)]
pub use nalgebra::{self, Matrix3, Vector1, Vector2, Vector3, Vector6};

// Systems and fields.
pub use crate::field::VectorField;
pub use crate::system::{MechanicalSystem, MultibodySystem, derivative_check};

// Methods.
pub use crate::integrator::{
    BLieDF, Collocation, GeneralizedAlpha, HalfExplicit, MuntheKaas, OnMechanical, Rattlie, TrBdf2,
};

// Runs.
pub use crate::integrator::State;
pub use crate::simulate::event::Impact;
pub use crate::simulate::{Failure, Run, Simulation, SimulationError, Trajectory};

// Methods of traits.
pub use crate::field::LegendreTransform as _;
pub use crate::group::{LieGroup as _, Placement as _, TangentVector as _, TwistParts as _};
pub use crate::picture::DrawSchematic as _;
pub use crate::space::ConfigurationSpace as _;
pub use crate::system::{Diagnose as _, ParameterSet as _, Report as _};
