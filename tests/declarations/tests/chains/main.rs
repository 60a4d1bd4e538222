//! Systems over chains against the same written out, and against minimal coordinates.

mod bodies;
mod connections;
mod element_kernels;
mod kinematics;
mod lattices;
mod lists;
mod measured;
mod numbering;
mod placements;
mod points;
mod reactions;
mod rigid_links;
mod spheres;
mod zero_products;
