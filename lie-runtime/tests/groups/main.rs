//! Groups, their singular functions and numbers, each by itself.

mod additions;
mod dual;
mod every_group;
mod imports;
mod layers;
mod local_coordinates;
mod placements;

mod rotations;
mod singular;
mod spaces;
