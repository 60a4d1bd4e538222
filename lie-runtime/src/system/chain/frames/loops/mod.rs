//! M v' + B₁ᵀ λ = f, B₂ v' = c along a tree, in O(N + m) where loops close near to where they open.
//!
//! Eliminating a joint takes its acceleration out of the rows of constraints as it does out of the equations of motion (`articulated`). With
//! −w and −v what a row asks of a frame as a force, from B₁, and as an equation in its acceleration u', from B₂,
//!
//! ```text
//! b₁ = B₁ − Jᵀ w,   w ← Aᵀ w + H D⁻¹ b₁,      b₂ = B₂ − Jᵀ v,   v ← Aᵀ v + Hᵣ D⁻ᵀ b₂,
//! S ← S + b₂ᵀ D⁻¹ b₁,   ρ ← ρ + b₂ᵀ D⁻¹ (f − Jᵀ p),
//! ```
//!
//! and at every frame the rows that have passed the joints behind it read S λ = ρ − vᵀ u'. Where a row acts on joints further inwards through
//! that frame alone (`beyond`), where the ways of all that it sees meet, that can be solved for λ: the frame gets the rest of the loop as
//! inertia, and others that share joints with it what is left of them,
//!
//! ```text
//! I ← I + w S⁻¹ vᵀ,   p ← p − w S⁻¹ ρ,   and of another row    w₂ ← w₂ − w S⁻¹ S₁₂,  v₂ᵀ ← v₂ᵀ − S₂₁ S⁻¹ vᵀ,  S₂₂ ← S₂₂ − S₂₁ S⁻¹ S₁₂.
//! ```
//!
//! Joints from there to the base are eliminated with that inertia, and once (`augmented`). S has a definite symmetric part there, up to the difference of
//! B₁ and B₂, so that it needs no interchanges. Rows that are left at the base, where u' is known, have a band of their own; if S is not well
//! determined before, all rows are taken there and interchanged.

mod backward_pass;
mod constraint_rows;
mod elimination_plan;
mod factorisation;
mod forward_pass;
mod loop_augmented_inertia;
mod loop_inertia;
mod workspace;

pub(super) use elimination_plan::EliminationPlan;
pub(in crate::system::chain) use elimination_plan::closing;
pub(super) use factorisation::EliminationOutcome;
pub(super) use workspace::{KktUnknowns, LoopElimination, TreeElimination};
