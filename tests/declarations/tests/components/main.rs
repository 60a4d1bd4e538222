//! Ready-made functions against independent formulas, and in declarations.

mod declared;
mod formulas;
