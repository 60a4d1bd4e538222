//! Systems over chains against the same written out, and against minimal coordinates.

mod bodies;
mod elements;
mod kinematics;
mod numbering;
mod rigid_links;
mod spheres;
