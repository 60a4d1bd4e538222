//! The examples, run in this process, against the numbers of the papers.

mod analyses;
mod benchmarks;
mod bouncing_top;
mod browser;
mod cantilever_accuracy;
mod command_line;
mod driven_joint;
mod driven_pendulum;
mod ensemble;
mod geneva_drive;
mod gradient_cost;
mod hand_written;
mod heavy_top_index3;
mod identify;
mod lists;
mod mechanisms;
mod rocking_block;
mod rod_statics;
mod rods;
mod rolling_disc;
mod rotating_bodies;
mod support;
mod swing_up;
mod tune_rod;
mod vector_fields;
mod work_precision;
