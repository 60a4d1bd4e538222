//! Redundant constraints and singular configurations.

mod bennett;
mod contact_at_rest;
mod diagnosis;
mod motion;
mod parallelogram;
mod poles;
mod singularity_crossing;

/// A method of each kind, of those that carry constraints.
const METHODS: [&str; 11] = [
    "herk2_heun",
    "herk3",
    "herk4",
    "hedop5",
    "lie_alpha",
    "lie_alpha_stab2",
    "bliedf2",
    "bliedf3_stab2",
    "tr_bdf2",
    "tr_bdf2_third_order",
    "rattlie",
];
