//! The methods and their construction from coefficients.

use super::coefficients::{Commutator, Differential, MuntheKaasMethod, SERIES};
use super::methods::{self, METHODS};
use crate::integrator::tableau::{ButcherTableau, ButcherTableauError};

/// The maximum number of stages.
pub const MAX_STAGES: usize = 16;

/// A Runge-Kutta-Munthe-Kaas method.
#[derive(Clone, Copy, Debug, PartialEq)]
#[doc(alias = "RKMK")]
#[doc(alias = "Runge-Kutta-Munthe-Kaas")]
pub struct MuntheKaas {
    pub(super) method: MuntheKaasMethod,
    pub(super) first_same_as_last: bool,
}

impl MuntheKaas {
    fn listed(method: &MuntheKaasMethod) -> Self {
        MuntheKaas { method: *method, first_same_as_last: method.tableau.first_same_as_last() }
    }

    /// Creates the method of an explicit tableau with a user-defined identifier.
    ///
    /// # Errors
    /// [`ButcherTableauError`] if the tableau has a fault.
    pub fn new(
        id: &'static str,
        tableau: &'static ButcherTableau,
        differential: Differential,
    ) -> Result<Self, ButcherTableauError> {
        tableau.check_explicit(MAX_STAGES)?;
        let stages = tableau.stages();
        match differential {
            Differential::Truncated(terms) if terms >= SERIES.len() => {
                return Err(ButcherTableauError::Length { list: "series of dexp^-1" });
            }
            Differential::Commutators { stages: rows, step } => {
                let early = |row: &[Commutator], before: usize| {
                    row.iter().all(|term| term.left < before && term.right < before && term.coefficient.is_finite())
                };
                if rows.len() != stages
                    || !rows.iter().enumerate().all(|(i, row)| early(row, i))
                    || !early(step, stages)
                {
                    return Err(ButcherTableauError::Length { list: "commutators" });
                }
            }
            _ => {}
        }
        Ok(Self::listed(&MuntheKaasMethod { id, name: tableau.name, tableau, differential }))
    }

    /// Returns the method with this identifier, or `None` if [`METHODS`] does not contain it.
    #[doc(hidden)]
    pub fn by_id(id: &str) -> Option<Self> {
        METHODS.into_iter().find(|method| method.id == id).map(Self::listed)
    }

    /// All methods.
    #[doc(hidden)]
    pub fn all() -> impl Iterator<Item = Self> {
        METHODS.into_iter().map(Self::listed)
    }

    named! {
        /// The Lie-Euler method.
        lie_euler: methods::LIE_EULER;
        /// The Lie-Heun method of order 2.
        lie_heun: methods::LIE_HEUN;
        /// Order 3 after Kutta.
        rkmk3: methods::RKMK3;
        /// Order 4 after the classical method, dexp⁻¹ exact.
        rkmk4: methods::RKMK4;
        /// Order 4 with two terms of the series of dexp⁻¹.
        rkmk4_truncated: methods::RKMK4_TRUNCATED;
        /// Order 4 with two commutators (paper 3, section 2.2).
        rkmk4_two_commutators: methods::RKMK4_TWO_COMMUTATORS;
        /// Order 5 after Butcher.
        rkmk5: methods::RKMK5;
        /// The pair 3(2) after Bogacki and Shampine.
        rkmk32: methods::RKMK32;
        /// The pair 5(4) after Dormand and Prince.
        rkmk54: methods::RKMK54;
    }

    /// The coefficients.
    #[doc(hidden)]
    pub fn method(&self) -> &MuntheKaasMethod {
        &self.method
    }
}
