//! Systems over chains: sums of elements, assembled and solved in O(N).
//!
//! A declaration over a chain says one element; the macro generates its equations ([`Term`](crate::system::Term)); this module
//! loops over the elements ([`AlongChains`]). What an element touches is known at compile time, where its members stand when the system is made
//! ([`Layout`]).

mod assembly;
mod block_tridiagonal;
mod coupling;
mod element_dynamics;
mod element_shape;
mod element_system;
mod elimination;
mod elimination_order;
mod equations_of_motion;
mod frames;
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
mod twin;

pub use coupling::Coupling;
pub use element_dynamics::MemberByMember;
pub use element_system::{AlongChains, Dynamics, ElementSystem, Linearisation, NoLinearisation, Visitor};
pub use elimination::Elimination;
pub use equations_of_motion::ChainJacobian;
pub use frames::{
    AlongTree, ArticulatedMass, DeclaredFrame, FrameCotangents, FrameLinearisation, Frames, JoinedVisitor, Motion,
    MotionOf, ReverseFrames, Seen, WeightedMotion, across, beyond_elements, declared_frame, displacement, frame_terms,
    frames_of, from_columns, in_columns, joined_rate_gradient, motions_in_order, motions_of, placed_motions,
    spin_energy,
};
pub use kinematic_tree::{Link, ROOT, Tree, ensure_frames};
pub(crate) use lagrangian::lagrangian;
pub use lagrangian::{Conservative, LagrangianTerm, LagrangianVisitor};
pub use layout::{CLAMPED, Connections, Kind, KindDeclaration, Layout};
pub use linearised::{AssembledMatrix, ChainIteration};
pub use local_coordinates::ChainBlocks;
pub use mass_matrix::ChainMass;
pub use metadata::{ElementCounts, chain_description, with_bodies};
pub use named_values::{chain_multipliers, chain_velocity, chain_velocity_components};
pub use reactions::{Reaction, reactions};
pub use redundant_kkt::SaddleMass;
pub use reverse::{ReverseDynamics, ReverseElements, ReverseVisitor};
pub use selection::{Part, Selection};
pub use structure::Structure;
pub use twin::{chain_component_name, chain_element, chain_terms, element_velocity};

pub use crate::space::Span;
pub use crate::system::Place;
