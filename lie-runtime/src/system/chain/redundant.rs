//! Redundant constraints over chains, in O(N): see [`solve_least_norm`](crate::solve::solve_least_norm).
//!
//! The relaxed matrices S + ε D and [A B₁ᵀ; B₂ −ε D] have the patterns of those without ε, so that bands stay bands; the turns of the
//! proximal-point method are solutions with one factorisation.

use super::assembly::times;
use super::layout::CLAMPED;
use super::matrix::Entries;
use super::order::Order;
use super::saddle;
use super::{Dynamics, ElementSystem, Structure};
use crate::scalar::Scalar;
use crate::solve::{BandedLu, SIGNS, Turn, Turns, reach, relaxation};
use crate::system::SaddleError;

/// A factorised mass matrix, and the buffers of solving with redundant constraints where they are allowed.
#[derive(Clone, Debug)]
pub struct SaddleMass<K, S> {
    pub(super) mass: K,
    turns: Option<Box<Buffers<S>>>,
}

/// What a turn needs.
#[derive(Clone, Debug)]
struct Buffers<S> {
    rest: Vec<S>,
    acceleration: Vec<S>,
    multipliers: Vec<S>,
}

impl<K, S: Scalar> SaddleMass<K, S> {
    /// The factorised mass matrix.
    pub fn eliminated(&self) -> &K {
        &self.mass
    }

    pub(super) fn of<M: ElementSystem<Scalar = S>>(system: &M, mass: K) -> Self {
        let zeros = |length| vec![S::zero(); length];
        let (dof, rows) = (system.structure().layout().dof, system.structure().layout().rows);
        let buffers = || Buffers { rest: zeros(rows), acceleration: zeros(dof), multipliers: zeros(rows) };
        SaddleMass { mass, turns: (is_redundant::<M>() && rows > 0).then(|| Box::new(buffers())) }
    }
}

/// True of systems whose constraints may be redundant.
pub(super) fn is_redundant<M: ElementSystem>() -> bool {
    const { M::REDUNDANCY.is_minimum_norm() }
}

/// Solves M v' + B₁ᵀ λ = f, B₂ v' = c; where that may be singular, turn by turn with the relaxed matrix.
#[allow(clippy::too_many_arguments)] // The six blocks of one linear system.
#[inline]
pub(super) fn solve_saddle<M: ElementSystem>(
    system: &M,
    mass: &mut SaddleMass<<M::Dynamics as Dynamics<M>>::Mass, M::Scalar>,
    first: &[M::Scalar],
    second: &[M::Scalar],
    force: &[M::Scalar],
    constraint: &[M::Scalar],
    acceleration: &mut [M::Scalar],
    multipliers: &mut [M::Scalar],
) -> Result<(), SaddleError> {
    let SaddleMass { mass, turns } = mass;
    let Some(buffers) = turns else {
        return M::Dynamics::solve_saddle(
            system,
            mass,
            None,
            first,
            second,
            force,
            constraint,
            acceleration,
            multipliers,
        );
    };
    let Buffers { rest, acceleration: change, multipliers: added } = &mut **buffers;
    for sign in SIGNS {
        let epsilon = Some(sign * relaxation::<M::Scalar>());
        M::Dynamics::solve_mass(system, mass, force, change);
        let first_size = missing::<M>(system, second, change, constraint, rest);
        M::Dynamics::solve_saddle(system, mass, epsilon, first, second, force, constraint, acceleration, multipliers)?;
        let mut turns = Turns::of::<M::Scalar>(first_size, sign);
        loop {
            let left = missing::<M>(system, second, acceleration, constraint, rest);
            match turns.next(left) {
                Turn::GoOn => {}
                Turn::Stop => return Ok(()),
                Turn::Restart => break,
            }
            M::Dynamics::solve_saddle_again(system, mass, first, rest, change, added);
            add(acceleration, change);
            add(multipliers, added);
        }
    }
    Ok(())
}

/// Solves M v' + B₁ᵀ λ = f, B₂ (w + h v') + b = 0 where that goes along a path, with B₂ read once; false, with nothing of use, elsewhere.
#[allow(clippy::too_many_arguments)] // The blocks of one linear system.
#[inline]
pub(super) fn solve_along_path<M: ElementSystem>(
    system: &M,
    mass: &mut SaddleMass<<M::Dynamics as Dynamics<M>>::Mass, M::Scalar>,
    jacobians: [&[M::Scalar]; 2],
    force: &[M::Scalar],
    ahead: (&[M::Scalar], f64),
    drift: &[M::Scalar],
    acceleration: &mut [M::Scalar],
    multipliers: &mut [M::Scalar],
) -> bool {
    let SaddleMass { mass, turns: None } = mass else { return false };
    M::Dynamics::of_members(mass).is_some_and(|mass| {
        saddle::solve_along_path(system, mass, jacobians, [force, drift], Some(ahead), acceleration, multipliers)
    })
}

/// Solves M v' + Bᵀ λ = 0, B v' = c with the factors of the last solution, where these are those of the whole system: not of rows
/// that may be redundant, nor of loops, whose elimination leaves something to turns that go round it.
pub(super) fn solve_saddle_again<M: ElementSystem>(
    system: &M,
    mass: &mut SaddleMass<<M::Dynamics as Dynamics<M>>::Mass, M::Scalar>,
    jacobian: &[M::Scalar],
    zero: &[M::Scalar],
    constraint: &[M::Scalar],
    acceleration: &mut [M::Scalar],
    multipliers: &mut [M::Scalar],
) -> Result<(), SaddleError> {
    if M::Dynamics::HAS_FRAMES || mass.turns.is_some() {
        return solve_saddle(system, mass, jacobian, jacobian, zero, constraint, acceleration, multipliers);
    }
    M::Dynamics::solve_saddle_again(system, &mut mass.mass, jacobian, constraint, acceleration, multipliers);
    let is_finite = multipliers.iter().all(|multiplier| multiplier.is_finite());
    if is_finite { Ok(()) } else { Err(SaddleError::NotFinite) }
}

/// c − B v' into `out`; returns its largest component, or derivative.
fn missing<M: ElementSystem>(
    system: &M,
    jacobian: &[M::Scalar],
    acceleration: &[M::Scalar],
    constraint: &[M::Scalar],
    out: &mut [M::Scalar],
) -> f64 {
    times(system, jacobian, acceleration, out);
    let mut largest = 0.0_f64;
    for (rest, &wanted) in out.iter_mut().zip(constraint) {
        *rest = wanted - *rest;
        largest = largest.max(reach(*rest));
    }
    largest
}

fn add<S: Scalar>(sum: &mut [S], terms: &[S]) {
    for (sum, &term) in sum.iter_mut().zip(terms) {
        *sum += term;
    }
}

/// ε D added to a matrix S; rows of zeros are given the diagonal of the largest row. D moves with S, and so does the norm of λ where numbers
/// carry derivatives.
pub(super) fn relax<S: Scalar>(matrix: &mut BandedLu<S>, epsilon: f64) {
    let size = |matrix: &mut BandedLu<S>, row: usize| {
        let at = matrix.position(row, row);
        matrix.values_mut()[at].abs()
    };
    let largest = (0..matrix.size()).fold(0.0_f64, |largest, row| largest.max(size(matrix, row).value()));
    let blank = S::from_f64(if largest > 0.0 { largest } else { 1.0 });
    for row in 0..matrix.size() {
        let own = size(matrix, row);
        let own = if own.value() > 0.0 { own } else { blank };
        matrix.add(row, row, S::from_f64(epsilon) * own);
    }
}

/// −ε D added beside the multipliers of a matrix that is otherwise full: D is that of the rows, weighed with the diagonal of A.
pub(super) fn relax_jointly<S: Scalar>(
    structure: &Structure<S>,
    order: &Order,
    is_stabilised: bool,
    epsilon: f64,
    matrix: &mut Entries<'_, S>,
) {
    let kinds = structure.layout().kinds.iter().zip(&structure.shapes).zip(&order.rows);
    for ((kind, shape), rows) in kinds {
        for (index, &first) in rows.iter().enumerate() {
            // λ̂ acts on the first copy of the components, η̂ on the second.
            let projections = if is_stabilised { shape.holonomic } else { 0 };
            for at in 0..shape.rows + projections {
                let (row, is_projection) = (first + at, at >= shape.rows);
                let mut length = S::zero();
                let place = kind.place(index);
                let free = place.offsets.iter().filter(|&&offset| offset != CLAMPED);
                for member in free.map(|&offset| structure.member_of[offset]) {
                    let (position, size) = (order.members[member], structure.members[member].dimension);
                    let start = position + if is_projection { size } else { 0 };
                    for component in start..start + size {
                        let weight = matrix.size_of(component, component);
                        let product = matrix.size_of(row, component) * matrix.size_of(component, row);
                        length += if weight.value() > 0.0 { product / weight } else { product };
                    }
                }
                let length = if length.value() > 0.0 { length } else { S::one() };
                matrix.add(row, row, S::from_f64(-epsilon) * length);
            }
        }
    }
}
