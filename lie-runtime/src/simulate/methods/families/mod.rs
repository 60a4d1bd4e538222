//! The methods of this crate by family: information and creation.

pub mod blie_df;
pub mod collocation;
pub mod generalized_alpha;
pub mod half_explicit;
pub mod moreau_jean;
pub mod on_fields;
pub mod rattlie;
pub mod rotation;
pub mod symplectic;
pub mod tr_bdf2;

use super::info::MethodInfo;

/// Returns all methods of this crate: first those for mechanical systems, then those for Hamiltonian systems.
///
/// The families `Runge-Kutta-Munthe-Kaas` and `commutator-free` are for first-order equations.
pub fn methods() -> Vec<MethodInfo> {
    [
        half_explicit::infos(),
        generalized_alpha::infos(),
        rattlie::infos(),
        blie_df::infos(),
        tr_bdf2::infos(),
        collocation::infos(),
        rotation::infos(),
        moreau_jean::infos(),
        on_fields::infos(),
        symplectic::infos(),
    ]
    .concat()
}
