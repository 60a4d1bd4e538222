//! Systems over chains: sums of elements, assembled and solved in O(N).
//!
//! A declaration over a chain says one element; the macro generates its equations ([`Element`]); this module loops over
//! the elements. What an element touches is known at compile time, where its members stand when the system is made
//! ([`Layout`]).

mod assembly;
mod bundle;
mod card;
mod covectors;
mod element;
mod frames;
mod layout;
mod linearised;
mod local;
mod mass;
mod matrix;
mod mechanical;
mod members;
mod order;
mod path;
mod saddle;
mod schur;
mod structure;
mod twin;

pub use bundle::{chain_bundle_directions, chain_bundle_rates, chain_move_bundles, chain_remove_spins};
pub use card::{ElementCounts, chain_description};
pub use element::{Block, Element, ElementSystem, Terms, Visitor};
pub use frames::{
    AlongChain, ArticulatedMass, Dynamics, Frames, Linearisable, Link, MemberByMember, Motion, ensure_frames,
    frames_of, motions_of,
};
pub use layout::{CLAMPED, Kind, KindDeclaration, Layout, Part, Place, Selection, Span};
pub use linearised::ChainIteration;
pub use local::{ChainBlocks, ChainCoordinates, chain_flat_blocks, chain_local_blocks, chain_local_motion};
pub use mass::ChainMass;
pub use members::{
    chain_coadjoint, chain_compose_exp, chain_is_finite, chain_log_difference, chain_renormalize, chain_tangent,
    chain_tangent_inverse, chain_tangent_inverse_blocks, chain_tangent_inverse_transpose, chain_velocity,
    chain_velocity_components, check_chain_length,
};
pub use structure::{Elimination, Structure};
pub use twin::{chain_component_name, chain_element, chain_row_name, chain_terms, element_velocity};
