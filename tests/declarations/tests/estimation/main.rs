//! Values that follow from requirements: joint angles from poses, and velocities from constraints.

mod inverse_kinematics;
mod velocities;
