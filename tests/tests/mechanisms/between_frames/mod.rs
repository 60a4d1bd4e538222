//! Constraints, springs, dampers and forces between any two frames of a tree.

mod drifting;
mod elimination;
mod ladder;
mod linkage;
mod redundant;
