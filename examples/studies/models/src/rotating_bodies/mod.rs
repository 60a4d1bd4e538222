//! Bodies that rotate about a fixed point, on matrices (`so3`) and on quaternions (`s3`), with their data in paper 5,
//! section 5, and paper 4, section IV.A.

#[macro_use]
mod declaration;
pub mod free;
pub mod lagrangian_top;
pub mod prescribed;
pub mod soft_wall;
