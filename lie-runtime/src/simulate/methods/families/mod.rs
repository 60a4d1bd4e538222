//! The methods of this crate, family by family: what is known of each, and how it is made.

pub mod blie_df;
pub mod collocation;
pub mod generalized_alpha;
pub mod half_explicit;
pub mod on_fields;
pub mod rattlie;
pub mod rotation;
pub mod symplectic;
pub mod tr_bdf2;

use super::info::MethodInfo;

/// All methods of this crate: those for mechanical systems, then those for Hamiltonian systems alone.
///
/// Methods for equations of first order are those of the families `Runge-Kutta-Munthe-Kaas` and `commutator-free`.
pub fn methods() -> Vec<MethodInfo> {
    [
        half_explicit::infos(),
        generalized_alpha::infos(),
        rattlie::infos(),
        blie_df::infos(),
        tr_bdf2::infos(),
        collocation::infos(),
        rotation::infos(),
        on_fields::infos(),
        symplectic::infos(),
    ]
    .concat()
}
