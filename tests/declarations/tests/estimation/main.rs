//! Values that follow from requirements: joint angles from poses, velocities from constraints, forces from accelerations, parameters from
//! measurements.

mod dynamics;
mod fits;
mod inverse_kinematics;
mod noise;
mod velocities;
