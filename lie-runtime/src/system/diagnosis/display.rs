//! Prints a diagnosis as a page.

use core::fmt;

use super::{ConstraintRow, Dependency, Diagnosis};

/// Prints the rows of one constraint or element after its name: `` `hinge` row 2``, `` `link[7]` rows 0, 1``.
fn rows_of_one(f: &mut fmt::Formatter<'_>, rows: &[ConstraintRow]) -> fmt::Result {
    let Some(first) = rows.first() else { return Ok(()) };
    write!(f, "`{}", first.constraint)?;
    if let Some(element) = first.element {
        write!(f, "[{element}]")?;
    }
    write!(f, "` row{} {}", if rows.len() > 1 { "s" } else { "" }, first.row)?;
    rows[1..].iter().try_for_each(|row| write!(f, ", {}", row.row))
}

/// Prints rows, grouped by constraint.
fn listed(f: &mut fmt::Formatter<'_>, rows: &[ConstraintRow]) -> fmt::Result {
    let groups: Vec<&[ConstraintRow]> =
        rows.chunk_by(|one, other| (one.constraint, one.element) == (other.constraint, other.element)).collect();
    for (at, group) in groups.iter().enumerate() {
        let separator = match at {
            0 => "",
            _ if at + 1 == groups.len() => " and ",
            _ => ", ",
        };
        f.write_str(separator)?;
        rows_of_one(f, group)?;
    }
    Ok(())
}

impl fmt::Display for ConstraintRow {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        rows_of_one(f, &[*self])
    }
}

impl fmt::Display for Dependency {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} ", self.row)?;
        if self.follows_from.is_empty() {
            f.write_str("has no gradient")?;
        } else {
            f.write_str("follows from ")?;
            let rows: Vec<ConstraintRow> = self.follows_from.iter().map(|(row, _)| *row).collect();
            listed(f, &rows)?;
        }
        if !self.is_consistent {
            let (level, mismatch) = if self.mismatch.abs() >= self.rate_mismatch.abs() {
                ("", self.mismatch)
            } else {
                (" of the rates", self.rate_mismatch)
            };
            write!(f, ", with a contradiction{level} of {mismatch:.2e}")?;
        }
        Ok(())
    }
}

impl fmt::Display for Diagnosis {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let rows = self.rows.len();
        writeln!(f, "`{}` at t = {:?}", self.system, self.time)?;
        writeln!(
            f,
            "  {} degrees of freedom, {rows} constraint rows of rank {}: {} left, index {}",
            self.dof,
            self.rank,
            self.degrees_of_freedom(),
            self.index
        )?;
        if rows == 0 {
            return f.write_str("  there are no constraints");
        }
        write!(f, "  smallest singular value of the scaled rows {:.2e}", self.smallest_singular_value)?;
        if !self.is_regular() {
            write!(f, ", of the independent ones {:.2e}", self.smallest_kept)?;
        }
        let range = |pick: fn(f64, f64) -> f64, from: f64| self.lengths.iter().copied().fold(from, pick);
        writeln!(f, "\n  lengths of rows from {:.2e} to {:.2e}", range(f64::min, f64::INFINITY), range(f64::max, 0.0))?;
        if let Some((row, residual)) = self.residual {
            writeln!(f, "  largest residual {:.2e}, in {row}", residual.abs())?;
        }
        for dependency in &self.dependencies {
            writeln!(f, "  {dependency}")?;
        }
        if self.is_regular() {
            f.write_str("  every row is independent, every multiplier unique")?;
        } else {
            let unique: Vec<ConstraintRow> = self.unique_rows().collect();
            f.write_str(if unique.is_empty() { "  no multiplier is unique" } else { "  unique multipliers: " })?;
            listed(f, &unique)?;
        }
        for (at, member) in self.free_directions.iter().enumerate() {
            f.write_str(if at == 0 { "\n  free directions: " } else { ", " })?;
            write!(f, "`{}` {} of {}", member.member, member.free, member.dof)?;
        }
        Ok(())
    }
}
