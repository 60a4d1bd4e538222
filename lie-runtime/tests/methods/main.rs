//! Methods and simulations on systems written by hand.

mod commands;
mod constructors;
mod evaluations;
mod field_geometry;
mod field_orders;
mod fields;
mod guide;
mod half_explicit_tableaux;
mod no_allocation;
mod simulation;
mod variable_step;
