//! Events: their location, and their changes of state and parameters.

mod contact_friction;
mod contacts;
mod dry_friction;
mod impacts;
mod located;
mod modes;
mod redundant_contacts;
mod refused;
mod remnants;
mod sensitivities;
mod simultaneous;
mod stops;
mod stribeck;
mod time_stepping;
mod unilateral;
