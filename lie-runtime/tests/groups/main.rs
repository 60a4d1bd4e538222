//! Groups, their singular functions and dual numbers, each tested separately.

mod additions;
mod dual;
mod error_messages;
mod every_group;
mod imports;
mod layers;
mod local_coordinates;
mod placements;
mod public_names;

mod rotations;
mod singular;
mod spaces;
