//! Systems over chains: sums of elements, assembled and solved in O(N).
//!
//! A declaration over a chain says one element; the macro generates its equations ([`Term`](crate::system::Term)); this module
//! loops over the elements ([`AlongChains`]). What an element touches is known at compile time, where its members stand when the system is made
//! ([`Layout`]).

mod assembly;
mod card;
mod coupling;
mod element;
mod elimination;
mod frames;
mod lagrangian;
mod layout;
mod linearised;
mod local;
mod mass;
mod matrix;
mod mechanical;
mod named;
mod order;
mod part;
mod path;
mod reactions;
mod redundant;
mod reverse;
mod saddle;
mod schur;
mod stretches;
mod structure;
mod twin;

pub use card::{ElementCounts, chain_description, with_bodies};
pub use coupling::Coupling;
pub use element::{AlongChains, ElementSystem, Visitor};
pub use elimination::Elimination;
pub use frames::{
    AlongTree, ArticulatedMass, DeclaredFrame, Dynamics, FrameCotangents, FrameLinearisation, Frames, JoinedVisitor,
    Linearisation, Link, MemberByMember, Motion, MotionOf, NoLinearisation, ROOT, ReverseDynamics, ReverseFrames, Seen,
    Tree, WeightedMotion, across, beyond_elements, declared_frame, displacement, ensure_frames, frame_terms, frames_of,
    from_columns, in_columns, joined_rate_gradient, motions_in_order, motions_of, placed_motions, spin_energy,
};
pub(crate) use lagrangian::lagrangian;
pub use lagrangian::{Conservative, LagrangianTerm, LagrangianVisitor};
pub use layout::{CLAMPED, Connections, Kind, KindDeclaration, Layout, Place};
pub use linearised::{AssembledMatrix, ChainIteration};
pub use local::ChainBlocks;
pub use mass::ChainMass;
pub use mechanical::ChainJacobian;
pub use named::{chain_multipliers, chain_velocity, chain_velocity_components};
pub use part::{Part, Selection};
pub use reactions::{Reaction, reactions};
pub use redundant::SaddleMass;
pub use reverse::{ReverseElements, ReverseVisitor};
pub use structure::Structure;
pub use twin::{chain_component_name, chain_element, chain_terms, element_velocity};

pub use crate::space::Span;
