//! The elimination of constraint rows along a tree: M v' + B₁ᵀ λ = f, B₂ v' = c in O(N + m) for loops that close close
//! to where they open.
//!
//! The elimination of a joint removes its acceleration from the constraint rows as from the equations of motion
//! (`articulated_body`). Let −w be the force of a row on a frame, from B₁, and −v its coefficients of the frame's
//! acceleration u', from B₂:
//!
//! ```text
//! b₁ = B₁ − Jᵀ w,   w ← Aᵀ w + H D⁻¹ b₁,      b₂ = B₂ − Jᵀ v,   v ← Aᵀ v + Hᵣ D⁻ᵀ b₂,
//! S ← S + b₂ᵀ D⁻¹ b₁,   ρ ← ρ + b₂ᵀ D⁻¹ (f − Jᵀ p),
//! ```
//!
//! At every frame the rows that have crossed the joints of its descendants are S λ = ρ − vᵀ u'. A row acts on the
//! ancestors of the frame where its paths meet through that frame only (`loop_inertia`). There the rows can be solved
//! for λ: the frame gets the rest of the loop as inertia, and other rows that share joints with the loop get the Schur
//! complement,
//!
//! ```text
//! I ← I + w S⁻¹ vᵀ,   p ← p − w S⁻¹ ρ,   and of another row    w₂ ← w₂ − w S⁻¹ S₁₂,  v₂ᵀ ← v₂ᵀ − S₂₁ S⁻¹ vᵀ,  S₂₂ ← S₂₂ − S₂₁ S⁻¹ S₁₂.
//! ```
//!
//! Joints from there to the base are eliminated once, with that inertia (`loop_augmented_inertia`). The symmetric part
//! of S is definite up to the difference of B₁ and B₂, so that no pivoting is needed. The remaining rows are eliminated
//! at the base, where u' is known, with a band. If S is ill-conditioned before, all rows are eliminated at the base
//! with partial pivoting.

mod backward_pass;
mod constraint_rows;
mod elimination_plan;
mod factorisation;
mod forward_pass;
mod loop_augmented_inertia;
mod loop_inertia;
mod workspace;

pub(super) use elimination_plan::EliminationPlan;
pub(in crate::system::chain) use elimination_plan::loop_counts;
pub(super) use factorisation::EliminationOutcome;
pub(super) use workspace::{KktUnknowns, LoopElimination, TreeElimination};
