//! Frames along a tree of joints: what terms run over that are written in positions, not in the coordinates of the joints.
//!
//! The frames are a recursion xᵢ = k(x₋, qᵢ), with x₋ the frame that frame i hangs on, or the base. Their left-trivialised velocities are
//! uᵢ = A u₋ + J vᵢ (+ b, if k depends on time), and by d'Alembert's principle the terms of the frames, a small system
//! M_x u' + g_x each, act on the members through the transposes of A and J. So nothing larger than the matrices of one
//! member and one frame is ever formed:
//!
//! * forces: positions, velocities and accelerations outwards (`forward_pass`), covectors wᵢ = M_x u' + g_x + Aᵀ wᵢ₊₁ inwards (`sweep`);
//! * M⁻¹: articulated inertias inwards, accelerations outwards (`articulated`), an exact elimination in O(N);
//! * v' at one point: the frames move once, and what they need goes inwards with their inertia, in the same elimination; with constraints
//!   B sees where they are before it is known how they move, and M, −g and the curvature go on from there;
//! * constraint rows: the same way inwards, and no further than to the frame where a loop closes (`loops`), in O(N + m);
//! * K_t, C_t and M: what hangs on a frame as one matrix of its own, inwards, and from each joint on to the root (`linearised`);
//! * what acts between frames, or constrains them: as covectors that go inwards from each (`joined`), along ways that are known before (`paths`);
//! * gradients: cotangents of what frames are and do, inwards (`reverse`).
//!
//! [`Dynamics`] is where a system says whether it has frames.

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
pub use forward_pass::{frames_of, motions_in_order, motions_of, placed_motions};
pub use frame_system::{FrameElementVisitor, FrameKinematics, FrameMotion, FrameMotionOf, Frames};
use frame_system::{add, add_upper, negate};
pub use linearised::{FrameLinearisation, frame_rate_gradient};
pub(in crate::system::chain) use loops::closing;
pub use reverse::{FrameCotangents, ReverseFrames, WeightedMotion};
pub use sphere_tangent_basis::{from_tangent_basis, tangent_basis, to_tangent_basis};
pub use tree_dynamics::TreeDynamics;
