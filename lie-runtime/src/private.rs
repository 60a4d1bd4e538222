//! Items for generated code. They are not part of the stable interface.

pub use crate::field::legendre::{force_or_nan, velocity_of_momentum, velocity_or_nan};
pub use crate::field::over_elements::{at_velocity_of_elements, derivatives_of_elements, element_momenta};
pub use crate::field::transformed::legendre_transformed;
pub use crate::field::{ElementMomenta, HamiltonianSystem, LegendreTransform, OnCotangent};
pub use crate::group::LocalCoordinates;
pub use crate::group::{CoordinateMap, LieGroup};
pub use crate::inputs::ensure_finite as ensure_finite_inputs;
pub use crate::problem::StepFailure;
pub use crate::scalar::singular::{gamma, stumpff};
pub use crate::scalar::{Dual, Lanes, Scalar};
pub use crate::space::product_factor::{EachGroup, GroupFields};
pub use crate::space::{
    ChainSpace, ConfigurationSpace, EachField, Factor, Field, Fields, FixedFields, FixedSpace, FramedSpace,
    HomogeneousSpace, LeftAction, LeftSpace, OnElement, OnVectors, ReverseSpace,
};
pub use crate::system::FunctionElement;
pub use crate::system::chain::*;
pub use crate::system::codegen_runtime::*;
pub use crate::system::declaration_check::{
    Declared, EnergyContribution, FunctionComparison, change_parameters, check_in_f64, displacement_between,
    moved_along, power_along, powers_in_f64, singular_function_in_f64, symmetry_in_f64,
};
pub use crate::system::dual_model::{ResidualDerivatives, lift_motion};
pub use crate::system::dual_values::{ValueComponents, add_rows, dual, rows_of};
pub use crate::system::named_entries::{NamedEntries, check_entries, merge_entries};
pub use crate::system::over_scalars::{
    OverScalars, ScalarMap, batch, derivatives_of, in_lanes, lift, lift_onto, lowered, of_lane, varied,
};
pub use crate::system::parameter_lists::{ListRead, ListReads, Listing, Subscript, Wrap};
pub use crate::system::simd_lanes::Batched;
pub use crate::system::{
    Assembled, Block, CheckPoint, ConstraintDescription, Contributions, Cotangents, DeclarationError, DeclaredKind,
    DeclaredValue, Description, DryFriction, DualModel, FixedSizeAssembly, FixedSizeKernels, ImposedLaws,
    IterationMatrices, KernelDescription, KktError, LawRows, LawViolation, Liftable, Linearised, MechanicalSystem,
    MemberDescription, ModelError, OneSidedLaw, ParameterSet, Parametrised, Redundancy, Report, ReverseTerm,
    Reversible, Sliding, SlidingCache, StribeckLaw, Summand, TangentSystem, Term, TransformedPoint, UnilateralContact,
    UnilateralContacts, Value, law_rows, law_violation, one_sided_laws,
};
pub use nalgebra::{self, DVector, SMatrix, SVector};

#[path = "declaration_names.rs"]
pub mod declaration;

/// Operations of a struct of fields as a factor and as a direct product.
pub mod direct_product {
    pub use crate::space::product_factor::*;
}
