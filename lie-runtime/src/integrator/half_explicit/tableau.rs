//! The coefficients of half-explicit Runge-Kutta methods.

use crate::messages::see;

/// The maximum number of stages.
pub const MAX_STAGES: usize = 8;

/// The coefficients of a half-explicit Runge-Kutta method with explicit first stage (paper 1, eqs. 12-15).
#[derive(Clone, Debug, PartialEq)]
pub struct Tableau {
    /// The identifier in command lines and files.
    pub id: &'static str,
    /// The descriptive name.
    pub name: &'static str,
    /// The order p of q and v.
    pub order: usize,
    /// The order of λ.
    pub multiplier_order: usize,
    /// The order of λ where B is constant along the motion.
    pub multiplier_order_constant_jacobian: usize,
    /// s: q_{n+1} = Q_{s+1}, v_{n+1} = V_{s+1}; the weights b are row s + 1.
    pub stages: usize,
    /// s̄ ≥ s: the number of stages of a system with constraints. All except the first solve a linear system.
    pub constrained_stages: usize,
    /// Rows 1 to s̄ + 1 of a_{ij}, row i with its i − 1 entries (the first is empty).
    pub a: &'static [&'static [f64]],
    /// c_1 to c_{s̄+1}.
    pub c: &'static [f64],
    /// d_1 to d_{s̄}: λ_{n+1} = Σ d_i Λ_i.
    pub d: &'static [f64],
    /// The row that replaces the last row for the error estimate.
    pub embedded: Option<EmbeddedRow>,
}

/// An alternative to row s̄ + 1 that leads to a solution of lower order.
///
/// The last stage is solved again with B at the configuration of this row. The stage derivatives of the main method alone would give an
/// estimate of v of lower order.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct EmbeddedRow {
    /// Its order p̂.
    pub order: usize,
    /// â_{s̄+1, 1} to â_{s̄+1, s̄}.
    pub row: &'static [f64],
}

/// An error of a tableau.
#[derive(Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum TableauError {
    /// There are more stages than [`MAX_STAGES`], fewer than two, or s̄ is less than s.
    #[error("a tableau must have 2 <= s <= s_bar < {MAX_STAGES} {}", see("method-coefficients"))]
    Stages,
    /// The length of a list does not match s̄.
    #[error("the length of `{list}` does not match the number of stages {}", see("method-coefficients"))]
    Length {
        /// The list.
        list: &'static str,
    },
    /// a_{i+1,i} is zero for a stage 2 ≤ i ≤ s̄, so that the stage's constraint does not determine its multiplier.
    #[error(
        "the last entry of row {} is zero, so that stage {stage} does not determine its multiplier {}",
        .stage + 1,
        see("method-coefficients")
    )]
    Subdiagonal {
        /// The stage i.
        stage: usize,
    },
    /// A coefficient is NaN or infinite.
    #[error("a coefficient of the tableau is not finite {}", see("method-coefficients"))]
    NotFinite,
}

crate::messages::debug_is_the_message!(TableauError);
impl Tableau {
    /// Checks the lengths and the entries that are divisors.
    ///
    /// # Errors
    /// [`TableauError`] names the first fault. Orders are not checked.
    #[doc(hidden)]
    pub fn check(&self) -> Result<(), TableauError> {
        let (s, s_bar) = (self.stages, self.constrained_stages);
        if s < 2 || s_bar < s || s_bar >= MAX_STAGES {
            return Err(TableauError::Stages);
        }
        let length = |list, holds| {
            if holds { Ok(()) } else { Err(TableauError::Length { list }) }
        };
        length("a", self.a.len() == s_bar + 1 && self.a.iter().enumerate().all(|(i, row)| row.len() == i))?;
        length("c", self.c.len() == s_bar + 1)?;
        length("d", self.d.len() == s_bar)?;
        if let Some(embedded) = &self.embedded {
            length("embedded", embedded.row.len() == s_bar && s_bar == s + 1)?;
        }
        let rows = self.a.iter().copied().chain([self.c, self.d]).chain(self.embedded.map(|embedded| embedded.row));
        if !rows.flatten().all(|coefficient| coefficient.is_finite()) {
            return Err(TableauError::NotFinite);
        }
        if let Some(stage) = (2..=s_bar).find(|&i| self.a[i][i - 1] == 0.0) {
            return Err(TableauError::Subdiagonal { stage });
        }
        if self.embedded.is_some_and(|embedded| embedded.row[s_bar - 1] == 0.0) {
            return Err(TableauError::Subdiagonal { stage: s_bar });
        }
        Ok(())
    }

    /// Returns true if the last stage has the same derivative as the first stage of the next step.
    ///
    /// If s̄ = s + 1, c_{s̄} = 1 and d is the last unit vector, stage s̄ is evaluated at (t_{n+1}, q_{n+1}, v_{n+1}) with Λ_{s̄} = λ_{n+1}.
    #[doc(hidden)]
    pub fn first_same_as_last(&self) -> bool {
        let s_bar = self.constrained_stages;
        s_bar == self.stages + 1
            && self.c[s_bar - 1] == 1.0
            && self.d.iter().enumerate().all(|(i, &d)| d == if i + 1 == s_bar { 1.0 } else { 0.0 })
    }
}
