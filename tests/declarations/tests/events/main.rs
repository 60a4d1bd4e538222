//! Events: where they are found, and what they change.

mod contacts;
mod impacts;
mod located;
mod modes;
mod refused;
mod remnants;
mod sensitivities;
mod simultaneous;
