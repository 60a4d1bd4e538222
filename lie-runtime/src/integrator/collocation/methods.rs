//! The methods as data.

use crate::integrator::tableau::{
    BACKWARD_EULER, ButcherTableau, GAUSS_4, GAUSS_6, IMPLICIT_MIDPOINT, RADAU_3, RADAU_5,
};

/// The level at which the stages satisfy holonomic constraints.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Level {
    /// None: for systems without constraints.
    Unconstrained,
    /// B V + b = 0, index 2.
    Velocities,
    /// Φ(Q) = 0, index 3.
    Positions,
}

/// An entry of the list of methods.
#[derive(Clone, Copy, Debug, PartialEq)]
#[doc(hidden)]
pub struct CollocationMethod {
    /// The identifier.
    pub id: &'static str,
    /// The name.
    pub name: &'static str,
    /// The coefficients; (a_ij) is regular, and the last row is b where there are constraints.
    pub tableau: &'static ButcherTableau,
    /// The level of the constraints.
    pub level: Level,
    /// The order of q and v; equal to the order of the tableau for systems without constraints.
    pub order: usize,
    /// The order of λ.
    pub multiplier_order: usize,
}

const fn method(
    id: &'static str,
    name: &'static str,
    tableau: &'static ButcherTableau,
    level: Level,
    [order, multiplier_order]: [usize; 2],
) -> CollocationMethod {
    CollocationMethod { id, name, tableau, level, order, multiplier_order }
}

/// Creates a method from its coefficients, the order of q and v and the order of λ.
macro_rules! methods {
    ($($constant:ident = $id:literal, $name:literal, $tableau:ident, $level:ident, $orders:expr;)*) => {
        $(
            #[doc = $name]
            pub const $constant: CollocationMethod = method($id, $name, &$tableau, Level::$level, $orders);
        )*

        /// All methods.
        pub static METHODS: &[CollocationMethod] = &[$($constant),*];
    };
}

#[rustfmt::skip]
methods! {
    GAUSS_ONE = "gauss2", "Gauss, one stage", IMPLICIT_MIDPOINT, Unconstrained, [2, 2];
    GAUSS_TWO = "gauss4", "Gauss, two stages", GAUSS_4, Unconstrained, [4, 4];
    GAUSS_THREE = "gauss6", "Gauss, three stages", GAUSS_6, Unconstrained, [6, 6];
    RADAU_ONE = "radau_iia1", "Radau IIA, one stage, index 2", BACKWARD_EULER, Velocities, [1, 1];
    RADAU_TWO = "radau_iia3", "Radau IIA, two stages, index 2", RADAU_3, Velocities, [3, 2];
    RADAU_THREE = "radau_iia5", "Radau IIA, three stages, index 2", RADAU_5, Velocities, [5, 3];
    RADAU_ONE_INDEX_3 = "radau_iia1_index3", "Radau IIA, one stage, index 3", BACKWARD_EULER, Positions, [1, 1];
    RADAU_TWO_INDEX_3 = "radau_iia3_index3", "Radau IIA, two stages, index 3", RADAU_3, Positions, [2, 1];
    RADAU_THREE_INDEX_3 = "radau_iia5_index3", "Radau IIA, three stages, index 3", RADAU_5, Positions, [3, 2];
}
