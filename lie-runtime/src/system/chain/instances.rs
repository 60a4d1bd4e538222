//! Instances for `f64` that this crate contains.
//!
//! A crate with a system compiles the generic functions that the system uses, except instances of functions with
//! `#[inline(never)]` that this crate contains already. The list names such functions, which do not depend on the type of
//! the system.

use std::sync::Arc;

use super::elimination_order::EliminationOrder;
use super::inverse_mass::{invert_block, invert_blocks};
use super::linearised::element_equations::add_definitions;
use super::linearised::frame_blocks::{FrameRows, add_equations, entry};
use super::local_coordinates::{set_local_blocks, set_tangent_inverses};
use super::mass_matrix::{ChainMass, factorise_mass, solve_mass};
use super::structure::Structure;
use crate::group::{SE2, SE3, SO2, SO3};
use crate::solve::BandedLu;
use crate::space::visitors::farthest;
use crate::system::Description;
use crate::system::dual_values::by_rows;

/// Returns the addresses of the instances, so that this crate contains them.
#[doc(hidden)]
#[inline(never)]
pub fn instances() -> Vec<*const ()> {
    let mut all = vec![
        BandedLu::<f64>::new as *const (),
        BandedLu::<f64>::solve as *const (),
        Structure::<f64>::new as *const (),
        Structure::<f64>::lift as *const (),
        Structure::<f64>::with_shapes as *const (),
        Structure::<f64>::set_constant_mass as *const (),
        ChainMass::<f64>::zeros as *const (),
        invert_block::<f64> as *const (),
        invert_blocks::<f64> as *const (),
        factorise_mass::<f64> as *const (),
        solve_mass::<f64> as *const (),
        entry::<f64> as *const (),
        add_equations::<f64> as *const (),
        add_definitions::<f64> as *const (),
        FrameRows::<f64>::add as *const (),
        by_rows::<f64> as *const (),
        // The last owner of a shared value calls a function of the standard library that is not inlined.
        drop::<Arc<Structure<f64>>> as *const (),
        drop::<Arc<EliminationOrder>> as *const (),
        drop::<Arc<Description>> as *const (),
    ];
    /// Adds the functions of members with these groups.
    macro_rules! members {
        ($($group:ident: $dimension:literal;)*) => {
            $(all.extend([
                farthest::<$group<f64>, f64, $dimension> as *const (),
                set_local_blocks::<$group<f64>, f64, $dimension> as *const (),
                set_tangent_inverses::<$group<f64>, f64, $dimension> as *const (),
            ]);)*
        };
    }
    members! { SO2: 1; SO3: 3; SE2: 3; SE3: 6; }
    all
}
