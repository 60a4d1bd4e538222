//! Constraints, springs, dampers and forces between any two frames of a tree.

mod elimination;
mod ladder;
mod linkage;
mod redundant;
