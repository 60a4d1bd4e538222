//! Derivatives of motions, against differences of whole runs and closed forms.

mod backward;
mod case;
mod chains;
mod checkpoints;
mod events;
mod forward;
mod frames;
mod implicit;
mod inputs;
mod jacobian;
mod pairing;
mod redundant;
mod refused;
mod second;
mod spheres;
mod tops;
mod variational;
mod velocities;
