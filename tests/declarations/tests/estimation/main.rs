//! Values that follow from requirements: joint angles from poses, velocities from constraints, forces from accelerations, parameters from
//! measurements.

mod bodies;
mod dynamics;
mod fits;
mod inverse_kinematics;
mod noise;
mod recorded;
mod regressor;
mod velocities;
