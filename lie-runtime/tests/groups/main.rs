//! Groups, their singular functions and numbers, each by itself.

mod additions;
mod dual;
mod every_group;
mod local_coordinates;
mod placements;
mod rooms;
mod rotations;
mod singular;
mod spaces;
