//! Implicit methods.

use super::{ButcherTableau, EmbeddedWeights, IMPLICIT_MIDPOINT, TRAPEZOIDAL};

/// √2.
const SQRT_2: f64 = core::f64::consts::SQRT_2;
/// √3.
const SQRT_3: f64 = 1.732_050_807_568_877_2;
/// √6.
const SQRT_6: f64 = 2.449_489_742_783_178;
/// √15.
const SQRT_15: f64 = 3.872_983_346_207_417;

impl ButcherTableau {
    /// a_{ij}, numbered from 0; zero where the row is shorter.
    #[inline]
    pub fn entry(&self, i: usize, j: usize) -> f64 {
        self.a[i].get(j).copied().unwrap_or(0.0)
    }

    /// Returns true if no stage depends on a later stage, so that the stages are solved one by one.
    pub fn is_diagonal(&self) -> bool {
        self.a.iter().enumerate().all(|(i, row)| row.iter().skip(i + 1).all(|&entry| entry == 0.0))
    }
}

/// The implicit methods.
pub static IMPLICIT: [&ButcherTableau; 8] =
    [&BACKWARD_EULER, &IMPLICIT_MIDPOINT, &TRAPEZOIDAL, &TR_BDF2, &RADAU_3, &RADAU_5, &GAUSS_4, &GAUSS_6];

/// Euler's implicit method.
pub static BACKWARD_EULER: ButcherTableau = ButcherTableau {
    id: "backward_euler",
    name: "backward Euler",
    order: 1,
    a: &[&[1.0]],
    b: &[1.0],
    c: &[1.0],
    embedded: None,
};

/// TR-BDF2 of Hosea and Shampine: the trapezoidal rule over τ = 2 − √2 of the step, then a backward differentiation
/// formula. The other weights are of order 3 (paper 4, eq. 18; the last row of its eq. 9 is misprinted).
pub static TR_BDF2: ButcherTableau = ButcherTableau {
    id: "tr_bdf2",
    name: "TR-BDF2",
    order: 2,
    a: &[&[], &[1.0 - SQRT_2 / 2.0, 1.0 - SQRT_2 / 2.0], &[SQRT_2 / 4.0, SQRT_2 / 4.0, 1.0 - SQRT_2 / 2.0]],
    b: &[SQRT_2 / 4.0, SQRT_2 / 4.0, 1.0 - SQRT_2 / 2.0],
    c: &[0.0, 2.0 - SQRT_2, 1.0],
    embedded: Some(EmbeddedWeights {
        order: 3,
        b: &[(1.0 - SQRT_2 / 4.0) / 3.0, (1.0 + 3.0 * SQRT_2 / 4.0) / 3.0, (2.0 - SQRT_2) / 6.0],
    }),
};

/// Radau IIA with two stages.
pub static RADAU_3: ButcherTableau = ButcherTableau {
    id: "radau3",
    name: "Radau IIA, two stages",
    order: 3,
    a: &[&[5.0 / 12.0, -1.0 / 12.0], &[0.75, 0.25]],
    b: &[0.75, 0.25],
    c: &[1.0 / 3.0, 1.0],
    embedded: None,
};

/// Radau IIA with three stages.
pub static RADAU_5: ButcherTableau = ButcherTableau {
    id: "radau5",
    name: "Radau IIA, three stages",
    order: 5,
    a: &[
        &[(88.0 - 7.0 * SQRT_6) / 360.0, (296.0 - 169.0 * SQRT_6) / 1800.0, (-2.0 + 3.0 * SQRT_6) / 225.0],
        &[(296.0 + 169.0 * SQRT_6) / 1800.0, (88.0 + 7.0 * SQRT_6) / 360.0, (-2.0 - 3.0 * SQRT_6) / 225.0],
        &[(16.0 - SQRT_6) / 36.0, (16.0 + SQRT_6) / 36.0, 1.0 / 9.0],
    ],
    b: &[(16.0 - SQRT_6) / 36.0, (16.0 + SQRT_6) / 36.0, 1.0 / 9.0],
    c: &[(4.0 - SQRT_6) / 10.0, (4.0 + SQRT_6) / 10.0, 1.0],
    embedded: None,
};

/// Gauss, two stages.
pub static GAUSS_4: ButcherTableau = ButcherTableau {
    id: "gauss4",
    name: "Gauss, two stages",
    order: 4,
    a: &[&[0.25, 0.25 - SQRT_3 / 6.0], &[0.25 + SQRT_3 / 6.0, 0.25]],
    b: &[0.5, 0.5],
    c: &[0.5 - SQRT_3 / 6.0, 0.5 + SQRT_3 / 6.0],
    embedded: None,
};

/// Gauss, three stages.
pub static GAUSS_6: ButcherTableau = ButcherTableau {
    id: "gauss6",
    name: "Gauss, three stages",
    order: 6,
    a: &[
        &[5.0 / 36.0, 2.0 / 9.0 - SQRT_15 / 15.0, 5.0 / 36.0 - SQRT_15 / 30.0],
        &[5.0 / 36.0 + SQRT_15 / 24.0, 2.0 / 9.0, 5.0 / 36.0 - SQRT_15 / 24.0],
        &[5.0 / 36.0 + SQRT_15 / 30.0, 2.0 / 9.0 + SQRT_15 / 15.0, 5.0 / 36.0],
    ],
    b: &[5.0 / 18.0, 4.0 / 9.0, 5.0 / 18.0],
    c: &[0.5 - SQRT_15 / 10.0, 0.5, 0.5 + SQRT_15 / 10.0],
    embedded: None,
};
