//! The structs with a role: configuration and bodies, parameters, inputs.

pub(super) mod bodies;
pub(super) mod configuration;
pub(super) mod fields;
pub(super) mod inputs;
pub(super) mod parameters;
