//! The harness that the examples share.
