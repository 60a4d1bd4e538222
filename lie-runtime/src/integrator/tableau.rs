//! Classical Runge-Kutta tableaux, for every family that is built from one.

use core::fmt;

/// The most stages a tableau may have.
pub const MAX_STAGES: usize = 8;

/// The coefficients of a Runge-Kutta method, explicit or implicit.
///
/// ```
/// use lie_runtime::integrator::tableau::{GAUSS4, RK4};
///
/// assert!(RK4.is_explicit() && !GAUSS4.is_diagonal());
/// assert_eq!(RK4.check(), Ok(()));
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct ButcherTableau {
    /// The identifier.
    pub id: &'static str,
    /// The name in words.
    pub name: &'static str,
    /// The order p.
    pub order: usize,
    /// a_{ij}: s rows of s entries.
    pub a: &'static [&'static [f64]],
    /// The weights b_i.
    pub b: &'static [f64],
    /// The nodes c_i.
    pub c: &'static [f64],
    /// The weights b̂_i of the embedded method, if there is one.
    pub embedded: Option<EmbeddedWeights>,
}

/// A second row of weights.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct EmbeddedWeights {
    /// Its order p̂.
    pub order: usize,
    /// b̂_i.
    pub b: &'static [f64],
}

/// A tableau that no step can be made with.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ButcherError {
    /// There is no stage, or more than [`MAX_STAGES`].
    Stages {
        /// How many.
        stages: usize,
    },
    /// A list does not have one entry a stage.
    Length {
        /// The list.
        list: &'static str,
    },
    /// A coefficient is NaN or infinite.
    NotFinite,
    /// More stages depend on one another than the solver takes.
    Coupled {
        /// How many.
        stages: usize,
        /// The most.
        most: usize,
    },
}

impl fmt::Display for ButcherError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ButcherError::Stages { stages } => {
                write!(f, "the tableau has {stages} stages; it has to have 1 to {MAX_STAGES}")
            }
            ButcherError::Length { list } => write!(f, "`{list}` does not have one entry a stage"),
            ButcherError::NotFinite => f.write_str("a coefficient is not finite"),
            ButcherError::Coupled { stages, most } => {
                write!(f, "{stages} stages depend on one another; the solver takes at most {most}")
            }
        }
    }
}

impl std::error::Error for ButcherError {}

impl ButcherTableau {
    /// s.
    pub fn stages(&self) -> usize {
        self.b.len()
    }

    /// True if no stage depends on itself or a later one.
    pub fn is_explicit(&self) -> bool {
        self.a.iter().enumerate().all(|(i, row)| row[i..].iter().all(|&a| a == 0.0))
    }

    /// True if no stage depends on a later one: they can be found one by one.
    pub fn is_diagonal(&self) -> bool {
        self.a.iter().enumerate().all(|(i, row)| row[i + 1..].iter().all(|&a| a == 0.0))
    }

    /// Checks lengths and numbers; orders are not checked.
    ///
    /// # Errors
    /// [`ButcherError`] with the first fault.
    pub fn check(&self) -> Result<(), ButcherError> {
        let s = self.stages();
        if !(1..=MAX_STAGES).contains(&s) {
            return Err(ButcherError::Stages { stages: s });
        }
        let length = |list, holds| if holds { Ok(()) } else { Err(ButcherError::Length { list }) };
        length("a", self.a.len() == s && self.a.iter().all(|row| row.len() == s))?;
        length("c", self.c.len() == s)?;
        length("embedded", self.embedded.is_none_or(|embedded| embedded.b.len() == s))?;
        let rows = self.a.iter().copied().chain([self.b, self.c]).chain(self.embedded.map(|embedded| embedded.b));
        if rows.flatten().all(|coefficient| coefficient.is_finite()) { Ok(()) } else { Err(ButcherError::NotFinite) }
    }
}

/// √2.
const SQRT_2: f64 = core::f64::consts::SQRT_2;
/// √3.
const SQRT_3: f64 = 1.732_050_807_568_877_2;
/// √15.
const SQRT_15: f64 = 3.872_983_346_207_417;

/// Euler's explicit rule.
pub static FORWARD_EULER: ButcherTableau = ButcherTableau {
    id: "forward_euler",
    name: "forward Euler",
    order: 1,
    a: &[&[0.0]],
    b: &[1.0],
    c: &[0.0],
    embedded: None,
};

/// Euler's implicit rule.
pub static BACKWARD_EULER: ButcherTableau = ButcherTableau {
    id: "backward_euler",
    name: "backward Euler",
    order: 1,
    a: &[&[1.0]],
    b: &[1.0],
    c: &[1.0],
    embedded: None,
};

/// The implicit midpoint rule.
pub static MIDPOINT: ButcherTableau = ButcherTableau {
    id: "midpoint",
    name: "implicit midpoint",
    order: 2,
    a: &[&[0.5]],
    b: &[1.0],
    c: &[0.5],
    embedded: None,
};

/// The trapezoidal rule, Lobatto IIIA of two stages.
pub static TRAPEZOID: ButcherTableau = ButcherTableau {
    id: "trapezoid",
    name: "trapezoidal rule",
    order: 2,
    a: &[&[0.0, 0.0], &[0.5, 0.5]],
    b: &[0.5, 0.5],
    c: &[0.0, 1.0],
    embedded: None,
};

/// The classical method of Kutta.
pub static RK4: ButcherTableau = ButcherTableau {
    id: "rk4",
    name: "classical Runge-Kutta",
    order: 4,
    a: &[&[0.0, 0.0, 0.0, 0.0], &[0.5, 0.0, 0.0, 0.0], &[0.0, 0.5, 0.0, 0.0], &[0.0, 0.0, 1.0, 0.0]],
    b: &[1.0 / 6.0, 1.0 / 3.0, 1.0 / 3.0, 1.0 / 6.0],
    c: &[0.0, 0.5, 0.5, 1.0],
    embedded: None,
};

/// Gauss, two stages.
pub static GAUSS4: ButcherTableau = ButcherTableau {
    id: "gauss4",
    name: "Gauss, two stages",
    order: 4,
    a: &[&[0.25, 0.25 - SQRT_3 / 6.0], &[0.25 + SQRT_3 / 6.0, 0.25]],
    b: &[0.5, 0.5],
    c: &[0.5 - SQRT_3 / 6.0, 0.5 + SQRT_3 / 6.0],
    embedded: None,
};

/// Gauss, three stages.
pub static GAUSS6: ButcherTableau = ButcherTableau {
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

/// Radau IIA, two stages.
pub static RADAU3: ButcherTableau = ButcherTableau {
    id: "radau3",
    name: "Radau IIA, two stages",
    order: 3,
    a: &[&[5.0 / 12.0, -1.0 / 12.0], &[0.75, 0.25]],
    b: &[0.75, 0.25],
    c: &[1.0 / 3.0, 1.0],
    embedded: None,
};

/// TR-BDF2 of Hosea and Shampine: a trapezoidal rule over τ = 2 − √2 of the step, then the backward differentiation
/// formula; the second row of weights is of order 3 (paper 4, eq. 9 with the weights of eq. 18).
pub static TR_BDF2: ButcherTableau = ButcherTableau {
    id: "tr_bdf2",
    name: "TR-BDF2",
    order: 2,
    a: &[
        &[0.0, 0.0, 0.0],
        &[1.0 - SQRT_2 / 2.0, 1.0 - SQRT_2 / 2.0, 0.0],
        &[SQRT_2 / 4.0, SQRT_2 / 4.0, 1.0 - SQRT_2 / 2.0],
    ],
    b: &[SQRT_2 / 4.0, SQRT_2 / 4.0, 1.0 - SQRT_2 / 2.0],
    c: &[0.0, 2.0 - SQRT_2, 1.0],
    embedded: Some(EmbeddedWeights {
        order: 3,
        b: &[(1.0 - SQRT_2 / 4.0) / 3.0, (1.0 + 3.0 * SQRT_2 / 4.0) / 3.0, (2.0 - SQRT_2) / 6.0],
    }),
};

#[cfg(test)]
mod tests {
    use super::*;

    /// Every condition of a quadrature with weights `b` up to `order`, and the row sums.
    fn assert_quadrature(tableau: &ButcherTableau, b: &[f64], order: usize) {
        for power in 0..order {
            let k = i32::try_from(power).unwrap();
            let sum: f64 = b.iter().zip(tableau.c).map(|(b, c)| b * c.powi(k)).sum();
            assert!((sum - 1.0 / (power as f64 + 1.0)).abs() < 1e-15, "{} {power}", tableau.id);
        }
        for (row, c) in tableau.a.iter().zip(tableau.c) {
            assert!((row.iter().sum::<f64>() - c).abs() < 1e-15, "{}", tableau.id);
        }
        if order >= 3 {
            let sum: f64 = b
                .iter()
                .zip(tableau.a)
                .map(|(b, row)| b * row.iter().zip(tableau.c).map(|(a, c)| a * c).sum::<f64>())
                .sum();
            assert!((sum - 1.0 / 6.0).abs() < 1e-15, "{}", tableau.id);
        }
    }

    #[test]
    fn coefficients_satisfy_their_conditions() {
        let all = [&FORWARD_EULER, &BACKWARD_EULER, &MIDPOINT, &TRAPEZOID, &RK4, &GAUSS4, &GAUSS6, &RADAU3, &TR_BDF2];
        for tableau in all {
            assert_eq!(tableau.check(), Ok(()));
            assert_quadrature(tableau, tableau.b, tableau.order);
            if let Some(embedded) = &tableau.embedded {
                assert_quadrature(tableau, embedded.b, embedded.order);
            }
        }
    }

    #[test]
    fn faults_are_named() {
        let tableau = ButcherTableau { c: &[0.5, 1.0], ..MIDPOINT.clone() };
        assert_eq!(tableau.check(), Err(ButcherError::Length { list: "c" }));
        let tableau = ButcherTableau { b: &[f64::NAN], ..MIDPOINT.clone() };
        assert_eq!(tableau.check(), Err(ButcherError::NotFinite));
        let tableau = ButcherTableau { b: &[], ..MIDPOINT.clone() };
        assert_eq!(tableau.check(), Err(ButcherError::Stages { stages: 0 }));
    }
}
