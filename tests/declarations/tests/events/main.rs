//! Events: where they are found, and what they change.

mod impacts;
mod located;
mod modes;
mod refused;
mod remnants;
mod sensitivities;
