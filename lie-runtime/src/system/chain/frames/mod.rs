//! Frames along a tree of joints (O(N) recursive dynamics): terms over positions of frames instead of joint
//! coordinates.
//!
//! The frames are a recursion xᵢ = k(x₋, qᵢ), where x₋ is the parent frame or the base. Their left-trivialised
//! velocities are uᵢ = A u₋ + J vᵢ (+ b, if k depends on time). By d'Alembert's principle the terms of a frame, a small
//! system M_x u' + g_x, act on the members through the transposes of A and J. The algorithms form no matrix larger than
//! those of one member and one frame:
//!
//! * forces, inverse dynamics (`inverse_dynamics`): a forward pass of positions, velocities and accelerations
//!   (`forward_pass`), and a backward pass of covectors wᵢ = M_x u' + g_x + Aᵀ wᵢ₊₁;
//! * M⁻¹, articulated-body algorithm (`articulated_body`): a backward pass of articulated inertias and a forward pass
//!   of accelerations, an exact elimination in O(N);
//! * v' at one point: a single forward pass moves the frames, and bias forces take part in the elimination. With
//!   constraints, B is computed from the positions before velocities are known, and M, −g and the curvature reuse the
//!   positions;
//! * constraint rows (`loops`, `loop_kkt`): the same backward pass, up to the frame where a loop closes, in O(N + m);
//! * K_t, C_t and M (`linearised`): a backward pass of composite matrices of each frame with its descendants, and for
//!   each joint a pass to the root;
//! * interactions and constraints between frames (`frame_elements`): covectors along ancestor paths that are computed
//!   once;
//! * vector-Jacobian products (`reverse`): a backward pass of cotangents.
//!
//! [`Dynamics`](super::Dynamics) selects whether a system has frames.

mod articulated_body;
mod declared_recursion;
mod forward_pass;
mod frame_element_jacobian;
mod frame_element_linearised;
mod frame_elements;
mod frame_system;
mod inverse_dynamics;
mod joint_elimination;
mod joint_factorisation;
mod joint_terms;
mod linearised;
mod loop_kkt;
mod loops;
mod recursion_tangents;
mod reverse;
mod sphere_tangent_basis;
mod spin_regularisation;
mod tree_dynamics;

pub use articulated_body::ArticulatedMass;
pub use declared_recursion::{DeclaredFrame, beyond_elements, declared_frame, displacement, frame_terms, spin_energy};
pub use forward_pass::{frames_of, inertias_of, motions_in_order, motions_of, placed_motions};
pub use frame_system::{FrameElementVisitor, FrameKinematics, FrameMotion, FrameMotionOf, Frames};
use frame_system::{add, add_upper, negate};
pub use linearised::{FrameLinearisation, frame_rate_gradient};
pub(in crate::system::chain) use loops::loop_counts;
pub use reverse::{FrameCotangents, ReverseFrames, WeightedMotion};
pub use sphere_tangent_basis::{from_tangent_basis, tangent_basis, to_tangent_basis};
pub use tree_dynamics::TreeDynamics;
