//! Methods on declared systems: orders, conservation, drift, Newton iterations, errors.

mod allocation;
mod blie_df;
mod by_name;
mod changing_steps;
mod collocation;
mod continuing;
mod convergence;
mod drift;
mod error_control;
mod formulations;
mod generalized_alpha;
mod inputs;
mod leaps;
mod newton;
mod options;
mod rattlie;
mod rotation;
mod rotation_examples;
mod stiff_rod;
mod time_and_velocity_constraints;
mod tr_bdf2;
mod unconstrained;
mod vector_spaces;
