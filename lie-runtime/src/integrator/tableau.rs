//! Tableaux of classical Runge-Kutta methods, as a basis for families of Lie group methods.
//!
//! ```
//! use lie_runtime::integrator::tableau::{DORMAND_PRINCE, RUNGE_KUTTA_4};
//!
//! assert!(RUNGE_KUTTA_4.is_explicit());
//! assert!(DORMAND_PRINCE.first_same_as_last());
//! ```

mod implicit;

use crate::group::TangentVector;
use crate::messages::see;
use crate::scalar::{Scalar, pairs};

pub use implicit::{BACKWARD_EULER, GAUSS_4, GAUSS_6, IMPLICIT, RADAU_3, RADAU_5, TR_BDF2};

/// The coefficients of a Runge-Kutta method.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ButcherTableau {
    /// The identifier in files and messages.
    pub id: &'static str,
    /// The descriptive name.
    pub name: &'static str,
    /// The order p.
    pub order: usize,
    /// The rows of a_{ij}. Missing entries of a row are zero, so that the rows of an explicit method are triangular.
    pub a: &'static [&'static [f64]],
    /// The weights b_1 to b_s.
    pub b: &'static [f64],
    /// The nodes c_1 to c_s.
    pub c: &'static [f64],
    /// The weights of the embedded method.
    pub embedded: Option<EmbeddedWeights>,
}

/// The weights of a second solution from the same stages.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct EmbeddedWeights {
    /// Its order p̃.
    pub order: usize,
    /// b̃_1 to b̃_s.
    pub b: &'static [f64],
}

/// An error of a tableau.
#[derive(Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ButcherTableauError {
    /// There is no stage, or there are more stages than the family of methods supports.
    #[error("expected 1 to {most} stages, found {stages} {}", see("method-coefficients"))]
    Stages {
        /// The number of stages.
        stages: usize,
        /// The maximum number.
        most: usize,
    },
    /// The length of a list differs from the number of stages.
    #[error("`{list}` must have one entry per stage {}", see("method-coefficients"))]
    Length {
        /// The list.
        list: &'static str,
    },
    /// A stage depends on itself or on a later stage, and the family of methods is explicit.
    #[error(
        "stage {stage} depends on itself or on a later stage; use the tableau of an explicit method {}",
        see("method-coefficients")
    )]
    Implicit {
        /// The stage, counted from 1.
        stage: usize,
    },
    /// The number of coupled stages is larger than the family of methods supports.
    #[error("the tableau has {stages} coupled stages, and the maximum is {most} {}", see("method-coefficients"))]
    Coupled {
        /// The number of stages.
        stages: usize,
        /// The maximum number.
        most: usize,
    },
    /// A coefficient is NaN or infinite.
    #[error("a coefficient of the tableau is not finite {}", see("method-coefficients"))]
    NotFinite,
}

crate::messages::debug_is_the_message!(ButcherTableauError);
impl ButcherTableau {
    /// Returns the number s of stages.
    pub fn stages(&self) -> usize {
        self.b.len()
    }

    /// Returns true if every stage depends on earlier stages only.
    pub fn is_explicit(&self) -> bool {
        self.implicit_stage().is_none()
    }

    fn implicit_stage(&self) -> Option<usize> {
        self.a.iter().enumerate().position(|(i, row)| row.iter().skip(i).any(|&entry| entry != 0.0))
    }

    /// Checks that the tableau defines an explicit method of at most `most` stages.
    ///
    /// # Errors
    /// [`ButcherTableauError`] names the first fault. Orders are not checked.
    pub fn check_explicit(&self, most: usize) -> Result<(), ButcherTableauError> {
        self.check(most)?;
        self.implicit_stage().map_or(Ok(()), |stage| Err(ButcherTableauError::Implicit { stage: stage + 1 }))
    }

    /// Checks the lengths and coefficients of a method of at most `most` stages.
    ///
    /// # Errors
    /// [`ButcherTableauError`] names the first fault. Orders are not checked.
    pub fn check(&self, most: usize) -> Result<(), ButcherTableauError> {
        let stages = self.stages();
        if stages == 0 || stages > most {
            return Err(ButcherTableauError::Stages { stages, most });
        }
        let length = |list, holds| {
            if holds { Ok(()) } else { Err(ButcherTableauError::Length { list }) }
        };
        length("a", self.a.len() == stages && self.a.iter().all(|row| row.len() <= stages))?;
        length("c", self.c.len() == stages)?;
        length("embedded", self.embedded.is_none_or(|embedded| embedded.b.len() == stages))?;
        let rows = self.a.iter().copied().chain([self.b, self.c]).chain(self.embedded.map(|embedded| embedded.b));
        if !rows.flatten().all(|coefficient| coefficient.is_finite()) {
            return Err(ButcherTableauError::NotFinite);
        }
        Ok(())
    }

    /// Returns true if the last stage is evaluated at the end of the step, which is the start of the next step.
    pub fn first_same_as_last(&self) -> bool {
        let entry = |row: &[f64], j: usize| row.get(j).copied().unwrap_or(0.0);
        let stages = self.stages();
        stages > 1
            && self.c.last() == Some(&1.0)
            && self.a.last().is_some_and(|row| (0..stages).all(|j| entry(row, j) == entry(self.b, j)))
    }
}

/// The explicit methods of this module.
pub static EXPLICIT: [&ButcherTableau; 8] =
    [&EULER, &HEUN_2, &MIDPOINT, &KUTTA_3, &BOGACKI_SHAMPINE, &RUNGE_KUTTA_4, &BUTCHER_5, &DORMAND_PRINCE];

/// Euler's method.
pub static EULER: ButcherTableau =
    ButcherTableau { id: "euler", name: "Euler", order: 1, a: &[&[]], b: &[1.0], c: &[0.0], embedded: None };

/// Heun's method of order 2, the explicit trapezoidal rule.
pub static HEUN_2: ButcherTableau = ButcherTableau {
    id: "heun2",
    name: "Heun",
    order: 2,
    a: &[&[], &[1.0]],
    b: &[0.5, 0.5],
    c: &[0.0, 1.0],
    embedded: None,
};

/// The explicit midpoint rule.
pub static MIDPOINT: ButcherTableau = ButcherTableau {
    id: "midpoint",
    name: "explicit midpoint",
    order: 2,
    a: &[&[], &[0.5]],
    b: &[0.0, 1.0],
    c: &[0.0, 0.5],
    embedded: None,
};

/// Kutta's method of order 3.
pub static KUTTA_3: ButcherTableau = ButcherTableau {
    id: "kutta3",
    name: "Kutta 3",
    order: 3,
    a: &[&[], &[0.5], &[-1.0, 2.0]],
    b: &[1.0 / 6.0, 2.0 / 3.0, 1.0 / 6.0],
    c: &[0.0, 0.5, 1.0],
    embedded: None,
};

/// The pair 3(2) of Bogacki and Shampine.
pub static BOGACKI_SHAMPINE: ButcherTableau = ButcherTableau {
    id: "bs32",
    name: "Bogacki-Shampine 3(2)",
    order: 3,
    a: &[&[], &[0.5], &[0.0, 0.75], &[2.0 / 9.0, 1.0 / 3.0, 4.0 / 9.0]],
    b: &[2.0 / 9.0, 1.0 / 3.0, 4.0 / 9.0, 0.0],
    c: &[0.0, 0.5, 0.75, 1.0],
    embedded: Some(EmbeddedWeights { order: 2, b: &[7.0 / 24.0, 0.25, 1.0 / 3.0, 0.125] }),
};

/// The classical method of order 4.
pub static RUNGE_KUTTA_4: ButcherTableau = ButcherTableau {
    id: "rk4",
    name: "classical Runge-Kutta 4",
    order: 4,
    a: &[&[], &[0.5], &[0.0, 0.5], &[0.0, 0.0, 1.0]],
    b: &[1.0 / 6.0, 1.0 / 3.0, 1.0 / 3.0, 1.0 / 6.0],
    c: &[0.0, 0.5, 0.5, 1.0],
    embedded: None,
};

/// Butcher's method of order 5 with six stages.
pub static BUTCHER_5: ButcherTableau = ButcherTableau {
    id: "butcher5",
    name: "Butcher 5",
    order: 5,
    a: &[
        &[],
        &[0.25],
        &[0.125, 0.125],
        &[0.0, -0.5, 1.0],
        &[3.0 / 16.0, 0.0, 0.0, 9.0 / 16.0],
        &[-3.0 / 7.0, 2.0 / 7.0, 12.0 / 7.0, -12.0 / 7.0, 8.0 / 7.0],
    ],
    b: &[7.0 / 90.0, 0.0, 32.0 / 90.0, 12.0 / 90.0, 32.0 / 90.0, 7.0 / 90.0],
    c: &[0.0, 0.25, 0.25, 0.5, 0.75, 1.0],
    embedded: None,
};

/// The pair 5(4) of Dormand and Prince.
pub static DORMAND_PRINCE: ButcherTableau = ButcherTableau {
    id: "dopri54",
    name: "Dormand-Prince 5(4)",
    order: 5,
    a: &[
        &[],
        &[1.0 / 5.0],
        &[3.0 / 40.0, 9.0 / 40.0],
        &[44.0 / 45.0, -56.0 / 15.0, 32.0 / 9.0],
        &[19_372.0 / 6_561.0, -25_360.0 / 2_187.0, 64_448.0 / 6_561.0, -212.0 / 729.0],
        &[9_017.0 / 3_168.0, -355.0 / 33.0, 46_732.0 / 5_247.0, 49.0 / 176.0, -5_103.0 / 18_656.0],
        &[35.0 / 384.0, 0.0, 500.0 / 1_113.0, 125.0 / 192.0, -2_187.0 / 6_784.0, 11.0 / 84.0],
    ],
    b: &[35.0 / 384.0, 0.0, 500.0 / 1_113.0, 125.0 / 192.0, -2_187.0 / 6_784.0, 11.0 / 84.0, 0.0],
    c: &[0.0, 1.0 / 5.0, 3.0 / 10.0, 4.0 / 5.0, 8.0 / 9.0, 1.0, 1.0],
    embedded: Some(EmbeddedWeights {
        order: 4,
        b: &[
            5_179.0 / 57_600.0,
            0.0,
            7_571.0 / 16_695.0,
            393.0 / 640.0,
            -92_097.0 / 339_200.0,
            187.0 / 2_100.0,
            1.0 / 40.0,
        ],
    }),
};

/// The implicit midpoint rule.
pub static IMPLICIT_MIDPOINT: ButcherTableau = ButcherTableau {
    id: "implicit_midpoint",
    name: "implicit midpoint",
    order: 2,
    a: &[&[0.5]],
    b: &[1.0],
    c: &[0.5],
    embedded: None,
};

/// The trapezoidal rule.
pub static TRAPEZOIDAL: ButcherTableau = ButcherTableau {
    id: "trapezoidal",
    name: "trapezoidal rule",
    order: 2,
    a: &[&[], &[0.5, 0.5]],
    b: &[0.5, 0.5],
    c: &[0.0, 1.0],
    embedded: None,
};

/// Computes `out = h Σ coefficients_j terms_j` for a row of a tableau or for the weights.
#[inline]
pub(super) fn combination<V: TangentVector>(out: &mut V, h: f64, coefficients: &[f64], terms: &[V]) {
    let terms = pairs(coefficients, terms).filter(|(coefficient, _)| **coefficient != 0.0);
    out.set_combination(terms.map(|(&coefficient, term)| (V::Scalar::from_f64(h * coefficient), term)));
}

/// Computes the same sum. The last coefficient belongs to `last`, the others belong to `terms`, which can have more entries.
///
/// The last term is thus read from registers and not from memory that was written immediately before.
#[cfg_attr(not(debug_assertions), inline(always))]
pub(super) fn combination_ending<V: TangentVector>(out: &mut V, h: f64, coefficients: &[f64], terms: &[V], last: &V) {
    let Some((&coefficient, others)) = coefficients.split_last() else { return out.fill(num_traits::Zero::zero()) };
    let ending = V::Scalar::from_f64(h * coefficient);
    let terms = pairs(others, terms).filter(|(coefficient, _)| **coefficient != 0.0);
    let terms = terms.map(|(&coefficient, term)| (V::Scalar::from_f64(h * coefficient), term));
    if const { core::mem::needs_drop::<V>() } {
        // One pass through the memory.
        out.set_combination(terms.chain(core::iter::once((ending, last))));
        return;
    }
    out.assign_scaled(ending, last);
    for (factor, term) in terms {
        out.axpy(factor, term);
    }
}

/// Moves a value that is no longer needed: values of fixed size are copied, heap memory is exchanged.
#[cfg_attr(not(debug_assertions), inline(always))]
pub(super) fn hand_over<V: Clone>(value: &mut V, place: &mut V) {
    if const { core::mem::needs_drop::<V>() } {
        core::mem::swap(value, place);
    } else {
        place.clone_from(value);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The order conditions of rooted trees: Φ(t) as a vector over the stages and γ(t), for every tree of each order.
    fn trees(tableau: &ButcherTableau, highest: usize) -> Vec<Vec<(Vec<f64>, f64)>> {
        let stages = tableau.stages();
        let mut by_order: Vec<Vec<(Vec<f64>, f64)>> = vec![vec![], vec![(vec![1.0; stages], 1.0)]];
        for order in 2..=highest {
            // A root with subtrees of these orders, not increasing, so that each forest occurs once (up to repetitions).
            let mut found = Vec::new();
            let mut open = vec![(order - 1, order - 1, vec![1.0; stages], order as f64)];
            while let Some((left, largest, product, density)) = open.pop() {
                if left == 0 {
                    found.push((product, density));
                    continue;
                }
                for (size, trees) in by_order.iter().enumerate().take(left.min(largest) + 1) {
                    for (weights, gamma) in trees {
                        let next = (0..stages).map(|i| {
                            let row = tableau.a[i];
                            product[i] * row.iter().zip(weights).map(|(a, weight)| a * weight).sum::<f64>()
                        });
                        open.push((left - size, size, next.collect(), density * gamma));
                    }
                }
            }
            by_order.push(found);
        }
        by_order
    }

    fn defect(tableau: &ButcherTableau, b: &[f64], order: usize) -> f64 {
        trees(tableau, order)[order]
            .iter()
            .map(|(weights, gamma)| (b.iter().zip(weights).map(|(b, w)| b * w).sum::<f64>() - 1.0 / gamma).abs())
            .fold(0.0, f64::max)
    }

    #[test]
    fn order_conditions_hold_up_to_the_order_and_no_further() {
        for tableau in EXPLICIT.into_iter().chain(IMPLICIT) {
            let embedded = tableau.embedded.map(|embedded| (embedded.b, embedded.order));
            for (b, order) in [(tableau.b, tableau.order)].into_iter().chain(embedded) {
                for lower in 1..=order {
                    assert!(defect(tableau, b, lower) < 1e-14, "{} {lower}", tableau.id);
                }
                assert!(defect(tableau, b, order + 1) > 1e-5, "{}", tableau.id);
            }
            for (row, c) in tableau.a.iter().zip(tableau.c) {
                assert!((row.iter().sum::<f64>() - c).abs() < 1e-14, "{}", tableau.id);
            }
        }
    }

    #[test]
    fn faults_are_named() {
        for tableau in EXPLICIT {
            assert_eq!(tableau.check_explicit(7), Ok(()));
        }
        assert_eq!(IMPLICIT_MIDPOINT.check_explicit(7), Err(ButcherTableauError::Implicit { stage: 1 }));
        assert_eq!(TRAPEZOIDAL.check_explicit(7), Err(ButcherTableauError::Implicit { stage: 2 }));
        assert_eq!(DORMAND_PRINCE.check_explicit(6), Err(ButcherTableauError::Stages { stages: 7, most: 6 }));
        let short = ButcherTableau { c: &[0.0], ..HEUN_2 };
        assert_eq!(short.check_explicit(7), Err(ButcherTableauError::Length { list: "c" }));
        let broken = ButcherTableau { b: &[f64::NAN, 0.5], ..HEUN_2 };
        assert_eq!(broken.check_explicit(7), Err(ButcherTableauError::NotFinite));
    }

    #[test]
    fn last_stages_at_the_end_of_the_step() {
        let same: Vec<_> = EXPLICIT.into_iter().filter(|tableau| tableau.first_same_as_last()).collect();
        assert_eq!(same, [&BOGACKI_SHAMPINE, &DORMAND_PRINCE]);
    }
}
