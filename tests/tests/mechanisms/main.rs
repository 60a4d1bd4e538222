//! Mechanisms as they are built: bodies whose poses are quantities, trees of joints, closed loops.

mod between_frames;
mod delta;
mod directions;
mod elimination;
mod featherstone;
mod groups;
mod joint_coordinates;
mod loops;
mod platform;
mod quadruped;
mod robots;
mod trees;
mod variational;
