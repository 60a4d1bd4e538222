//! Methods and simulations on systems written by hand.

mod commands;
mod constructors;
mod evaluations;
mod field_geometry;
mod field_orders;
mod fields;
mod half_explicit_tableaux;
mod no_allocation;
mod simulation;
mod table_of_methods;
mod variable_step;
