//! What a half-explicit Runge-Kutta method is: numbers.

use core::fmt;

/// The most stages a method may have.
pub const MAX_STAGES: usize = 8;

/// The coefficients of a half-explicit Runge-Kutta method with explicit first stage (paper 1, eqs. 12-15).
#[derive(Clone, Debug, PartialEq)]
pub struct Tableau {
    /// The identifier on command lines and in files.
    pub id: &'static str,
    /// The name in words.
    pub name: &'static str,
    /// The order p of q and v.
    pub order: usize,
    /// The order of λ.
    pub multiplier_order: usize,
    /// The order of λ where B is constant along the motion.
    pub multiplier_order_constant_jacobian: usize,
    /// s: q_{n+1} = Q_{s+1}, v_{n+1} = V_{s+1}; the weights b are row s + 1.
    pub stages: usize,
    /// s̄ ≥ s: the stages of a system with constraints, of which all but the first solve a linear system.
    pub constrained_stages: usize,
    /// Rows 1 to s̄ + 1 of a_{ij}, row i with its i − 1 entries (the first is empty).
    pub a: &'static [&'static [f64]],
    /// c_1 to c_{s̄+1}.
    pub c: &'static [f64],
    /// d_1 to d_{s̄}: λ_{n+1} = Σ d_i Λ_i.
    pub d: &'static [f64],
    /// The row that takes the place of the last one for the error estimate.
    pub embedded: Option<EmbeddedRow>,
}

/// An alternative to row s̄ + 1 that leads to a solution of lower order.
///
/// The last stage is solved once more with B at the configuration this row leads to; with the stage derivatives of the
/// main method alone the estimate of v would lose an order.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct EmbeddedRow {
    /// Its order p̂.
    pub order: usize,
    /// â_{s̄+1, 1} to â_{s̄+1, s̄}.
    pub row: &'static [f64],
}

/// A tableau that no step can be made with.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum TableauError {
    /// There are more stages than [`MAX_STAGES`], fewer than two, or s̄ is less than s.
    Stages,
    /// A list does not have the length that s̄ asks for.
    Length {
        /// The list.
        list: &'static str,
    },
    /// a_{i+1,i} is zero for a stage 2 ≤ i ≤ s̄, so that the stage's constraint does not determine its multiplier.
    Subdiagonal {
        /// The stage i.
        stage: usize,
    },
    /// A coefficient is NaN or infinite.
    NotFinite,
}

impl fmt::Display for TableauError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            TableauError::Stages => write!(f, "a tableau has 2 <= s <= s_bar < {MAX_STAGES}"),
            TableauError::Length { list } => write!(f, "`{list}` does not have as many entries as the stages ask for"),
            TableauError::Subdiagonal { stage } => {
                write!(f, "the last entry of row {} is zero: stage {stage} has no multiplier", stage + 1)
            }
            TableauError::NotFinite => f.write_str("a coefficient is not finite"),
        }
    }
}

impl std::error::Error for TableauError {}

impl Tableau {
    /// Checks lengths and the entries that are divided by.
    ///
    /// # Errors
    /// [`TableauError`] names the first fault; orders are not checked.
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

    /// True if the derivative of the last stage is that of the first stage of the next step.
    ///
    /// With s̄ = s + 1, c_{s̄} = 1 and d the last unit vector, stage s̄ is taken at (t_{n+1}, q_{n+1}, v_{n+1}) with
    /// Λ_{s̄} = λ_{n+1}.
    pub fn first_same_as_last(&self) -> bool {
        let s_bar = self.constrained_stages;
        s_bar == self.stages + 1
            && self.c[s_bar - 1] == 1.0
            && self.d.iter().enumerate().all(|(i, &d)| d == if i + 1 == s_bar { 1.0 } else { 0.0 })
    }
}
