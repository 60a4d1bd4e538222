//! Systems over chains and trees: sums of elements, assembled and solved in O(N).
//!
//! A declaration over a chain defines one element. The macro generates its equations ([`Term`](crate::system::Term)),
//! and this module loops over the elements ([`ElementAssembly`]). The slots of an element are known at compile time;
//! the positions of its members follow from the lengths of the chains ([`Layout`]).
//!
//! The modules form layers: [`Layout`] and kinematic tree, elimination order and [`Structure`], the traits of systems
//! ([`ElementSystem`], [`Dynamics`]), the assembly of terms, and the solution of KKT systems: block-tridiagonal, banded
//! or sparse, along a tree of joints, and for redundant rows with the proximal-point method.

mod assembly;
mod block_tridiagonal;
mod coupling;
mod dual_model;
mod element_dynamics;
mod element_shape;
mod element_system;
mod elimination;
mod elimination_order;
mod equations_of_motion;
mod frames;
#[cfg(feature = "precompiled")]
mod instances;
mod inverse_mass;
mod kinematic_tree;
mod kkt;
mod lagrangian;
mod layout;
mod linearised;
mod local_coordinates;
mod mass_matrix;
mod metadata;
mod named_values;
mod panels;
mod preparation;
mod reactions;
mod redundant_kkt;
mod regularisation;
mod reverse;
mod schur_complement;
mod selection;
mod structure;
mod system_matrix;

pub use coupling::Coupling;
pub use dual_model::{chain_component_name, chain_element, chain_terms, element_velocity};
pub use element_dynamics::ElementDynamics;
pub use element_system::{Dynamics, ElementAssembly, ElementSystem, ElementVisitor, FrameMatrices, NoFrameMatrices};
pub use elimination::Elimination;
pub use equations_of_motion::ChainJacobian;
pub use frames::{
    ArticulatedMass, DeclaredFrame, FrameCotangents, FrameElementVisitor, FrameKinematics, FrameLinearisation,
    FrameMotion, FrameMotionOf, Frames, ReverseFrames, TreeDynamics, WeightedMotion, beyond_elements, declared_frame,
    displacement, frame_rate_gradient, frame_terms, frames_of, from_tangent_basis, inertias_of, motions_in_order,
    motions_of, placed_motions, spin_energy, tangent_basis, to_tangent_basis,
};
#[cfg(feature = "precompiled")]
pub use instances::instances;
pub use kinematic_tree::{KinematicTree, Link, ROOT, ensure_frames};
pub(crate) use lagrangian::lagrangian;
pub use lagrangian::{Conservative, LagrangianTerm, LagrangianVisitor};
pub use layout::{CLAMPED, Connections, ElementDeclaration, ElementKind, Layout};
pub use linearised::{AssembledMatrix, ChainIteration};
pub use local_coordinates::ChainBlocks;
pub use mass_matrix::ChainMass;
pub use metadata::{ElementCounts, chain_description, with_bodies};
pub use named_values::{chain_multipliers, chain_velocity, chain_velocity_components};
pub use reactions::{Reaction, reactions};
pub use redundant_kkt::KktFactorisation;
pub use reverse::{ReverseDynamics, ReverseElements, ReverseVisitor};
pub use selection::{MemberRange, Selection, windows};
pub use structure::Structure;

pub use crate::space::Span;
pub use crate::system::ElementLocation;
