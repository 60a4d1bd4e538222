//! Declared systems that together use every construct of the language.

pub mod chained;
pub mod conservative;
pub mod driven;
pub mod elements;
pub mod failing;
pub mod formulation;
pub mod free_body;
pub mod heavy_tops;
pub mod linkages;
pub mod mechanisms;
pub mod opaque;
pub mod placements;
pub mod redundant;
pub mod rotating_bodies;
pub mod spelled;
pub mod spheres;
pub mod top_in_space;
