//! The listed methods.

use super::coefficients::{Commutator, Differential, MuntheKaasMethod};
use crate::integrator::tableau::{BOGACKI_SHAMPINE, BUTCHER_5, DORMAND_PRINCE, EULER, HEUN_2, KUTTA_3, RUNGE_KUTTA_4};

/// All methods, by order.
pub static METHODS: [&MuntheKaasMethod; 9] =
    [&LIE_EULER, &LIE_HEUN, &RKMK3, &RKMK32, &RKMK4, &RKMK4_TRUNCATED, &RKMK4_TWO_COMMUTATORS, &RKMK5, &RKMK54];

/// y_{n+1} = exp(h f(y_n))·y_n.
pub static LIE_EULER: MuntheKaasMethod =
    MuntheKaasMethod { id: "lie_euler", name: "Lie-Euler", tableau: &EULER, differential: Differential::Truncated(0) };

/// y_{n+1} = exp(h (f₁ + f₂) / 2)·y_n with f₂ at the end of the Lie-Euler step; order 2 needs no commutator.
pub static LIE_HEUN: MuntheKaasMethod =
    MuntheKaasMethod { id: "lie_heun", name: "Lie-Heun", tableau: &HEUN_2, differential: Differential::Truncated(0) };

/// Order 3.
pub static RKMK3: MuntheKaasMethod =
    MuntheKaasMethod { id: "rkmk3", name: "RKMK 3", tableau: &KUTTA_3, differential: Differential::Exact };

/// The pair 3(2).
pub static RKMK32: MuntheKaasMethod = MuntheKaasMethod {
    id: "rkmk32",
    name: "RKMK 3(2) after Bogacki and Shampine",
    tableau: &BOGACKI_SHAMPINE,
    differential: Differential::Exact,
};

/// Order 4 with the exact dexp⁻¹.
pub static RKMK4: MuntheKaasMethod =
    MuntheKaasMethod { id: "rkmk4", name: "RKMK 4", tableau: &RUNGE_KUTTA_4, differential: Differential::Exact };

/// Order 4 with the series of dexp⁻¹ up to ad².
pub static RKMK4_TRUNCATED: MuntheKaasMethod = MuntheKaasMethod {
    id: "rkmk4_truncated",
    name: "RKMK 4, truncated dexp^-1",
    tableau: &RUNGE_KUTTA_4,
    differential: Differential::Truncated(2),
};

/// Order 4 with two commutators in all (paper 3, section 2.2, after Casas and Owren).
pub static RKMK4_TWO_COMMUTATORS: MuntheKaasMethod = MuntheKaasMethod {
    id: "rkmk4_two_commutators",
    name: "RKMK 4 with two commutators",
    tableau: &RUNGE_KUTTA_4,
    differential: Differential::Commutators {
        stages: &[&[], &[], &[Commutator { left: 0, right: 1, coefficient: -1.0 / 8.0 }], &[]],
        step: &[Commutator { left: 0, right: 3, coefficient: -1.0 / 12.0 }],
    },
};

/// Order 5.
pub static RKMK5: MuntheKaasMethod =
    MuntheKaasMethod { id: "rkmk5", name: "RKMK 5", tableau: &BUTCHER_5, differential: Differential::Exact };

/// The pair 5(4).
pub static RKMK54: MuntheKaasMethod = MuntheKaasMethod {
    id: "rkmk54",
    name: "RKMK 5(4) after Dormand and Prince",
    tableau: &DORMAND_PRINCE,
    differential: Differential::Exact,
};
