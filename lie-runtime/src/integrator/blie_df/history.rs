//! The previous steps, as a state stores them, and the coordinates of their ends.
//!
//! A state stores the increments θ of the steps. They are unknowns of the method and include full rotations; logarithms of distant
//! configurations do not. The coordinates of the points before q_n,
//!
//! ```text
//! exp(ψ_{n−i}) = exp(−θ_n) exp(−θ_{n−1}) … exp(−θ_{n+1−i}),
//! ```
//!
//! follow from them by the formula of Baker, Campbell and Hausdorff,
//!
//! ```text
//! exp(a) exp(b) = exp(a + b + ½ [a, b] + 1/12 [a − b, [a, b]] + …).
//! ```
//!
//! Increments of one motion differ by O(h²), so that [a, b] = O(h³) for sums a and b of increments. The truncated terms are O(h⁵), equal to
//! the order of the error of BDF-4 in c. For a rotation about a fixed axis the formula is exact.

use super::coefficients::MAX_STEPS;
use crate::group::TangentVector;
use crate::integrator::{HistoryOwner, MethodHistory, State, StepError, StepFailure};
use crate::scalar::Scalar;
use crate::space::ConfigurationSpace;
use crate::system::Linearised;

/// Step sizes that differ by less than this fraction count as equal.
const SAME: f64 = 1e-6;

/// The index in the memory of the increment of the i-th previous step; step 0 led to the state.
pub(crate) const fn increment(i: usize) -> usize {
    3 * i
}
/// The index of v at the start of that step.
pub(super) const fn velocity(i: usize) -> usize {
    3 * i + 1
}
/// The index of v' at the start of that step.
pub(super) const fn acceleration(i: usize) -> usize {
    3 * i + 2
}

/// Allocates the memory of k steps.
pub(super) fn make_room<M: Linearised>(system: &M, k: usize, state: &mut State<M>) {
    state.memory.make_room(system, &state.configuration, 3 * k, k);
}

/// Returns the number of stored steps of size `h` before `from`.
#[inline]
pub(crate) fn count<M: Linearised>(owner: &HistoryOwner, from: &State<M>, h: f64) -> Result<usize, StepError> {
    let Some(memory) = from.memory_of(owner) else { return Ok(0) };
    if (h - memory.step()).abs() > SAME * memory.step().abs() {
        let failure = StepFailure::VariableStep { method: owner.method, expected: memory.step() };
        return Err(StepError { time: from.time, step: h, failure });
    }
    Ok(memory.count())
}

/// Writes the memory of `to`: the step of size h by the increment θ from `from`, which has `count` previous steps.
#[inline]
pub(super) fn advance<M: Linearised>(
    owner: HistoryOwner,
    system: &M,
    (from, count): (&State<M>, usize),
    h: f64,
    theta: &M::Velocity,
    k: usize,
    to: &mut State<M>,
) {
    make_room(system, k, to);
    let memory = &mut to.memory;
    for i in 1..k.min(count + 1) {
        for vector in [increment, velocity, acceleration] {
            memory.vector_mut(vector(i)).assign(from.memory.vector(vector(i - 1)));
        }
        memory.multipliers_mut(i).assign(from.memory.multipliers(i - 1));
    }
    memory.vector_mut(increment(0)).assign(theta);
    memory.vector_mut(velocity(0)).assign(&from.velocity);
    memory.vector_mut(acceleration(0)).assign(&from.acceleration);
    memory.multipliers_mut(0).assign(&from.multipliers);
    to.remember(owner, h, k.min(count + 1));
}

/// Buffers for sums in the algebra.
pub(crate) struct Sums<V> {
    a: V,
    b: V,
    bracket: V,
    scratch: [V; 2],
}

impl<V: TangentVector> Sums<V> {
    pub fn of(zero: impl Fn() -> V) -> Self {
        Sums { a: zero(), b: zero(), bracket: zero(), scratch: [zero(), zero()] }
    }

    /// `sum` becomes log(exp(`sum`) exp(−θ)) up to terms of four factors.
    #[inline]
    pub fn go_back<M: Linearised<Velocity = V, Scalar = V::Scalar>>(&mut self, system: &M, sum: &mut V, theta: &V) {
        self.b.assign(theta);
        self.b.scale(V::Scalar::from_f64(-1.0));
        self.append(system, sum);
    }

    /// `sum` becomes log(exp(`sum`) exp(θ)) up to terms of four factors.
    #[inline]
    pub fn go_on<M: Linearised<Velocity = V, Scalar = V::Scalar>>(&mut self, system: &M, sum: &mut V, theta: &V) {
        self.b.assign(theta);
        self.append(system, sum);
    }

    /// Combines `sum` and b.
    #[inline]
    fn append<M: Linearised<Velocity = V, Scalar = V::Scalar>>(&mut self, system: &M, sum: &mut V) {
        let real = V::Scalar::from_f64;
        let Sums { a, b, bracket, scratch } = self;
        a.assign(sum);
        sum.axpy(real(1.0), b);
        commutator(system, a, b, bracket, scratch.each_mut());
        sum.axpy(real(0.5), bracket);
        a.axpy(real(-1.0), b);
        commutator(system, a, bracket, b, scratch.each_mut());
        sum.axpy(real(1.0 / 12.0), b);
    }
}

/// T(−u) w − T(u) w, which is [u, w] (1 + O(|u|²)), into `out`.
#[inline]
pub(crate) fn commutator<M: Linearised>(
    system: &M,
    u: &M::Velocity,
    w: &M::Velocity,
    out: &mut M::Velocity,
    [minus, forth]: [&mut M::Velocity; 2],
) {
    minus.assign(u);
    minus.scale(M::Scalar::from_f64(-1.0));
    system.space().tangent(minus, w, out);
    system.space().tangent(u, w, forth);
    out.axpy(M::Scalar::from_f64(-1.0), forth);
}

/// c = Σ_{i=2}^k α_i ψ_{n+1−i} into `out`, from the increments before q_n.
#[inline]
pub(super) fn past<M: Linearised>(
    system: &M,
    alpha: &[f64],
    memory: &MethodHistory<M>,
    (sums, psi): (&mut Sums<M::Velocity>, &mut M::Velocity),
    out: &mut M::Velocity,
) {
    let real = M::Scalar::from_f64;
    out.fill(num_traits::Zero::zero());
    psi.fill(num_traits::Zero::zero());
    for (i, &weight) in alpha.iter().enumerate().skip(2) {
        sums.go_back(system, psi, memory.vector(increment(i - 2)));
        out.axpy(real(weight), psi);
    }
}

/// The largest k.
const _: () = assert!(MAX_STEPS <= 4, "the coordinates omit terms of five factors");
