//! Combination of the rows of simultaneous impacts into one problem of the struck rows. The matrix G is reduced by elimination of the rows
//! that keep their rate.

use num_traits::{One, Zero};

use super::error::ImpactError;
use super::law::{Collision, DEPENDENT, Law, RESTING};
use super::problem::{ImpactProblem, Kind};
use super::rows::CollisionRows;
use crate::group::TangentVector;
use crate::scalar::Scalar;
use crate::system::MechanicalSystem;

/// A row of the problem.
struct ContactRow<M: MechanicalSystem> {
    /// The row of B and its index.
    covector: M::Velocity,
    number: usize,
    /// The corresponding column of M⁻¹ Bᵀ.
    column: M::Velocity,
    /// (1 + e) u; zero for rows that keep their rate.
    change: M::Scalar,
    kind: Kind<M::Scalar>,
}

/// The rows of simultaneous impacts; struck rows are first.
pub(super) struct Contacts<M: MechanicalSystem> {
    rows: Vec<ContactRow<M>>,
    struck: usize,
    /// The index in the problem for each row of each struck constraint of each impact; `None` for a zero row.
    places: Vec<Vec<Vec<Option<usize>>>>,
}

impl<M: MechanicalSystem> Contacts<M> {
    /// Combines impacts for the velocity before them.
    pub fn of(collisions: &[Collision<'_, M>], t: M::Scalar, v: &M::Velocity) -> Result<Self, ImpactError> {
        let mut contacts = Contacts { rows: Vec::new(), struck: 0, places: Vec::new() };
        let mut all = Vec::with_capacity(collisions.len());
        for collision in collisions {
            all.push((Mass::of(collision, t)?, CollisionRows::of(collision, t, v)));
        }
        let largest = |(collision, (_, rows)): (&Collision<'_, M>, &(_, CollisionRows<'_, M>))| {
            let struck = collision.struck.iter().flat_map(|one| one.rows.clone());
            struck.map(|row| rows.rate(row).abs()).fold(0.0, f64::max)
        };
        let largest = collisions.iter().zip(&all).map(largest).fold(0.0, f64::max);
        for (collision, (mass, rows)) in collisions.iter().zip(&mut all) {
            let mut places: Vec<Vec<Option<usize>>> = vec![Vec::new(); collision.struck.len()];
            // Normal rows are first because friction refers to them.
            let mut order: Vec<usize> = (0..collision.struck.len()).collect();
            order.sort_by_key(|&at| collision.struck[at].is_friction());
            for at in order {
                let one = &collision.struck[at];
                // A zero row has no effect.
                let first = contacts.rows.len();
                let count = one.rows.clone().filter(|&number| rows.row(number).max_norm() > 0.0).count();
                for number in one.rows.clone() {
                    let rate = rows.rates.component(number);
                    let required = match one.law {
                        Law::Restitution { coefficient, .. } => {
                            let is_known = rate.value().abs() > RESTING * largest;
                            let pushes = one.only_pushes() && is_known;
                            let kind = if pushes { Kind::Pushes(rate.value().signum()) } else { Kind::Met };
                            Some((rate * (M::Scalar::one() + coefficient), kind))
                        }
                        // Friction requires a normal impulse.
                        Law::Friction { coefficient, normal } => {
                            let normal = place_of(collision, &places, normal);
                            normal.map(|normal| (rate, Kind::Slides { coefficient, normal, first, count }))
                        }
                    };
                    let conflict = |()| ImpactError::Conflict { constraint: one.constraint };
                    let place = match required {
                        Some(required) => contacts.add(rows.row(number), number, required, mass).map_err(conflict)?,
                        None => None,
                    };
                    places[at].push(place);
                }
            }
            contacts.places.push(places);
        }
        contacts.struck = contacts.rows.len();
        for (mass, rows) in &mut all {
            for number in 0..rows.rates.component_count() {
                if !collisions.iter().any(|one| one.strikes(number)) && rows.is_satisfied(number, v) {
                    let kept = (M::Scalar::zero(), Kind::Met);
                    // Rows that keep their rate are consistent.
                    let _ = contacts.add(rows.row(number), number, kept, mass);
                }
            }
        }
        Ok(contacts)
    }

    /// Returns the index of a row and adds it if it is new. Returns an error if the row exists with another law.
    fn add(
        &mut self,
        covector: &M::Velocity,
        number: usize,
        (change, kind): (M::Scalar, Kind<M::Scalar>),
        mass: &mut Mass<'_, M>,
    ) -> Result<Option<usize>, ()> {
        if covector.max_norm() == 0.0 {
            return Ok(None);
        }
        let is_same = |row: &ContactRow<M>| {
            let mut components = 0..covector.component_count();
            row.number == number && components.all(|at| row.covector.component(at) == covector.component(at))
        };
        if let Some(place) = self.rows.iter().position(is_same) {
            let known = &self.rows[place];
            let is_equal =
                known.change == change && core::mem::discriminant(&known.kind) == core::mem::discriminant(&kind);
            return if is_equal { Ok(Some(place)) } else { Err(()) };
        }
        let column = mass.solve(covector);
        self.rows.push(ContactRow { covector: covector.clone(), number, column, change, kind });
        Ok(Some(self.rows.len() - 1))
    }

    /// Returns the impulses of the struck rows, in the order of the impacts. On output, v is the velocity after the impact.
    pub fn solve(&self, v: &mut M::Velocity) -> Result<Vec<Vec<Vec<M::Scalar>>>, ImpactError> {
        let n = self.rows.len();
        let mut matrix: Vec<Vec<M::Scalar>> = (0..n)
            .map(|row| (0..n).map(|column| self.rows[row].covector.dot(&self.rows[column].column)).collect())
            .collect();
        let diagonal: Vec<f64> = (0..n).map(|at| matrix[at][at].value()).collect();
        let pivots = eliminate(&mut matrix, &diagonal, self.struck);
        let problem = ImpactProblem {
            kinds: self.rows[..self.struck].iter().map(|row| row.kind).collect(),
            changes: self.rows[..self.struck].iter().map(|row| row.change).collect(),
            matrix: matrix[..self.struck].iter().map(|row| row[..self.struck].to_vec()).collect(),
            is_fixed: (0..self.struck).map(|at| matrix[at][at].value() <= DEPENDENT * diagonal[at]).collect(),
        };
        let mut impulses = problem.impulses()?;
        impulses.resize(n, M::Scalar::zero());
        // The impulses of the eliminated rows, by back substitution.
        for (at, &pivot) in pivots.iter().enumerate().rev() {
            let later = (0..self.struck).chain(pivots[at + 1..].iter().copied());
            let rest = later.fold(M::Scalar::zero(), |rest, other| rest + matrix[pivot][other] * impulses[other]);
            impulses[pivot] = -rest / matrix[pivot][pivot];
        }
        for (row, impulse) in self.rows.iter().zip(&impulses) {
            v.axpy(-*impulse, &row.column);
        }
        let of = |place: &Option<usize>| place.map_or(M::Scalar::zero(), |place| impulses[place]);
        Ok(self
            .places
            .iter()
            .map(|places| places.iter().map(|places| places.iter().map(of).collect()).collect())
            .collect())
    }
}

/// Returns the index of the first row of the constraint that contains this row of B.
fn place_of<M: MechanicalSystem>(
    collision: &Collision<'_, M>,
    places: &[Vec<Option<usize>>],
    row: usize,
) -> Option<usize> {
    let at = collision.struck.iter().position(|one| !one.is_friction() && one.rows.contains(&row))?;
    places[at].get(row - collision.struck[at].rows.start).copied().flatten()
}

/// Eliminates the rows from `first` on and skips dependent rows. Returns the pivots in order.
fn eliminate<S: Scalar>(matrix: &mut [Vec<S>], diagonal: &[f64], first: usize) -> Vec<usize> {
    let n = matrix.len();
    let (mut left, mut pivots): (Vec<usize>, Vec<usize>) = ((first..n).collect(), Vec::new());
    let part = |matrix: &[Vec<S>], at: usize| matrix[at][at].value() / diagonal[at];
    while let Some(best) =
        (0..left.len()).max_by(|&one, &other| part(matrix, left[one]).total_cmp(&part(matrix, left[other])))
    {
        let pivot = left.swap_remove(best);
        if part(matrix, pivot) <= DEPENDENT {
            break;
        }
        pivots.push(pivot);
        let own = matrix[pivot].clone();
        for row in (0..first).chain(left.iter().copied()) {
            let factor = matrix[row][pivot] / own[pivot];
            for column in (0..first).chain(left.iter().copied()) {
                matrix[row][column] -= factor * own[column];
            }
        }
    }
    pivots
}

/// The factorised mass matrix of an impact.
struct Mass<'c, M: MechanicalSystem> {
    system: &'c M,
    factors: M::Mass,
}

impl<'c, M: MechanicalSystem> Mass<'c, M> {
    fn of(collision: &Collision<'c, M>, t: M::Scalar) -> Result<Self, ImpactError> {
        let mut factors = collision.system.zero_mass();
        let made = collision.system.mass(t, collision.configuration, &mut factors);
        made.map_err(|error| collision.failed(t, error))?;
        Ok(Mass { system: collision.system, factors })
    }

    fn solve(&mut self, right: &M::Velocity) -> M::Velocity {
        let mut out = self.system.zero_velocity();
        self.system.solve_mass(&mut self.factors, right, &mut out);
        out
    }
}
