//! The interface between generated systems and integrators.
//!
//! The equations of motion are (paper 1, eqs. 1 and 5), with left-trivialised velocities,
//!
//! ```text
//! q' = q v~,    M(q) v' = -g(t, q, v) - B(t, q)^T λ,    B(t, q) v + b(t, q) = 0,
//! ```
//!
//! where the first rows of B belong to the holonomic constraints Φ(t, q) = 0 (b = Φ_t) and the other rows to velocity
//! constraints. [`MechanicalSystem`] evaluates single terms. An [`Evaluation`] evaluates several terms at one point and
//! shares their common subexpressions; a [`MassFactorisation`] factorises a constant M once.

mod assembly;
#[doc(hidden)]
pub mod chain;
mod check_point;
pub(crate) mod codegen_runtime;
pub(crate) mod declaration_check;
mod declaration_error;
mod derivative_check;
mod description;
mod diagnosis;
mod driven;
pub(crate) mod dual_model;
pub(crate) mod dual_values;
mod element_location;
#[cfg(feature = "precompiled")]
#[doc(hidden)]
pub mod erased;
mod error;
mod evaluation;
mod fixed_size;
mod hand_written;
pub(crate) mod jacobi_integral;
mod joints;
mod law_check;
mod law_rows;
mod liftable;
mod linearised;
pub(crate) mod local_coordinates;
mod mass_factorisation;
mod mechanical_system;
mod momentum;
mod multibody_system;
pub(crate) mod named_entries;
mod newton_iteration;
mod one_sided_law;
pub(crate) mod over_scalars;
pub(crate) mod parameter_lists;
pub(crate) mod parameters;
mod report;
pub(crate) mod reverse;
pub(crate) mod simd_lanes;
mod term;
mod unilateral_contact;
pub(crate) mod value;

#[doc(hidden)]
pub use assembly::{Assembled, Assembly, LinearisedAssembly, ReverseAssembly, Reversible};
pub use check_point::CheckPoint;
#[doc(hidden)]
pub use check_point::TransformedPoint;
#[doc(hidden)]
pub use codegen_runtime::FieldVisitor;
#[doc(hidden)]
pub use declaration_check::Declared;
pub use declaration_error::DeclarationError;
#[doc(hidden)]
pub use declaration_error::{CheckedState, ComparedQuantity, Disagreement, SymmetryViolation};
pub use derivative_check::{DerivativeDeviation, derivative_check};
pub(crate) use description::unit;
pub use description::{ConstraintDescription, Description, FunctionElement, KernelDescription, MemberDescription};
#[doc(hidden)]
pub use diagnosis::smallest_singular_value;
pub(crate) use diagnosis::smallest_singular_value_of_acting_rows;
pub use diagnosis::{ConstraintRow, Dependency, Diagnose, Diagnosis, FreeDirections};
pub(crate) use diagnosis::{redundant_rows, singular_values};
pub use driven::{Driven, InputValues, NamedInputs};
#[doc(hidden)]
pub use dual_model::{DeclaredKind, DeclaredValue, DualModel, ResidualDerivatives, Summand};
pub use element_location::ElementLocation;
pub use error::ModelError;
pub use evaluation::Evaluation;
#[doc(hidden)]
pub use fixed_size::{FixedSizeAssembly, FixedSizeKernels};
pub use hand_written::{EquationsOfMotion, HandWritten};
pub use joints::UnknownJoint;
#[doc(hidden)]
pub use law_check::{law_violation, one_sided_laws};
#[doc(hidden)]
pub use law_rows::law_rows;
pub use liftable::Liftable;
pub use linearised::Linearised;
pub use mass_factorisation::MassFactorisation;
pub use mechanical_system::{MechanicalSystem, Redundancy};
#[doc(hidden)]
pub use momentum::DualMomentum;
pub use momentum::{Momentum, MomentumRate};
pub use multibody_system::MultibodySystem;
#[doc(hidden)]
pub use newton_iteration::{
    DenseIteration, IterationCoefficients, IterationCorrection, IterationMatrices, IterationPoint, IterationResidual,
};
pub use one_sided_law::LawViolation;
#[doc(hidden)]
pub use one_sided_law::{ImposedLaws, LawRow, LawRows, OneSidedLaw, RowLaw};
pub use parameters::{ParameterSet, Parametrised, TangentSystem};
pub use report::Report;
pub(crate) use report::scalar_coordinates;
#[doc(hidden)]
pub use reverse::Cotangents;
pub use reverse::Reverse;
pub use simd_lanes::Batched;
#[doc(hidden)]
pub use term::{Block, Contributions, ReverseTerm, Term};
pub use unilateral_contact::{DryFriction, Sliding, SlidingCache, StribeckLaw, UnilateralContact, UnilateralContacts};
pub(crate) use unilateral_contact::{row_of, smallest_pivot};
pub use value::Value;

pub use chain::{ElementSystem, Elimination, Reaction, Structure};

pub use crate::solve::KktError;
#[doc(hidden)]
pub use crate::space::LocalPoint;
pub use crate::space::{ForeignLength, MemberDefect};
