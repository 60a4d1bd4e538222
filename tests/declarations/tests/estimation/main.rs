//! Values that follow from requirements: joint angles from poses, velocities from constraints, parameters from measurements.

mod fits;
mod inverse_kinematics;
mod noise;
mod velocities;
