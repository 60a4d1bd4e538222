//! Instances for `f64` that this crate contains.
//!
//! A crate with a system compiles the generic functions that the system uses, except instances of functions with
//! `#[inline(never)]` that this crate contains already. The list names such functions, which do not depend on the type of
//! the system.

use std::sync::Arc;

use super::elimination_order::EliminationOrder;
use super::linearised::element_equations::add_definitions;
use super::linearised::frame_blocks::{FrameRows, add_equations, entry};
use super::mass_matrix::{ChainMass, factorise_mass, solve_mass};
use super::structure::Structure;
use crate::solve::BandedLu;
use crate::system::Description;

/// Returns the addresses of the instances, so that this crate contains them.
#[doc(hidden)]
#[inline(never)]
pub fn instances() -> [*const (); 14] {
    [
        BandedLu::<f64>::new as *const (),
        BandedLu::<f64>::solve as *const (),
        Structure::<f64>::new as *const (),
        Structure::<f64>::lift as *const (),
        ChainMass::<f64>::zeros as *const (),
        factorise_mass::<f64> as *const (),
        solve_mass::<f64> as *const (),
        entry::<f64> as *const (),
        add_equations::<f64> as *const (),
        add_definitions::<f64> as *const (),
        FrameRows::<f64>::add as *const (),
        // The last owner of a shared value calls a function of the standard library that is not inlined.
        drop::<Arc<Structure<f64>>> as *const (),
        drop::<Arc<EliminationOrder>> as *const (),
        drop::<Arc<Description>> as *const (),
    ]
}
