//! Loops over the members of a field and their velocity components; every operation on a product uses them.
//!
//! The operations of a step are always inlined, so that constant spans and loops are unrolled.

use nalgebra::SVector;

use super::{Factor, Span};
use crate::group::{CoordinateMap, LocalCoordinates};
use crate::scalar::{Scalar, pairs};

/// The components of the free members, each with the number of its member.
#[cfg_attr(not(debug_assertions), inline(always))]
pub(crate) fn free<'a, S, const N: usize>(
    span: &Span,
    components: &'a [S],
) -> impl Iterator<Item = (usize, &'a [S; N])> + use<'a, S, N> {
    let members = span.free();
    let used = &components[span.offset..span.offset + members.len() * N];
    pairs(members, used.as_chunks::<N>().0)
}

/// Mutable version of [`free`].
#[cfg_attr(not(debug_assertions), inline(always))]
pub(crate) fn free_mut<'a, S, const N: usize>(
    span: &Span,
    components: &'a mut [S],
) -> impl Iterator<Item = (usize, &'a mut [S; N])> + use<'a, S, N> {
    let members = span.free();
    let used = &mut components[span.offset..span.offset + members.len() * N];
    pairs(members, used.as_chunks_mut::<N>().0)
}

#[cfg_attr(not(debug_assertions), inline(always))]
pub(crate) fn vector<S: Scalar, const N: usize>(components: &[S; N]) -> SVector<S, N> {
    SVector::from(*components)
}

/// An operator on pairs of velocities or covectors of a factor.
pub(super) trait Operator {
    /// Its value.
    fn of<G: Factor>(a: &G::Tangent, b: &G::Tangent) -> G::Tangent;
}

/// One type and one method of [`Factor`] per line.
macro_rules! operators {
    ($($operator:ident $method:ident;)*) => {
        $(
            pub(super) struct $operator;

            impl Operator for $operator {
                #[cfg_attr(not(debug_assertions), inline(always))]
                fn of<G: Factor>(a: &G::Tangent, b: &G::Tangent) -> G::Tangent {
                    G::$method(a, b)
                }
            }
        )*
    };
}

operators! {
    Tangent tangent;
    TangentTranspose tangent_transpose;
    TangentInverse tangent_inverse;
    TangentInverseTranspose tangent_inverse_transpose;
    Bracket bracket;
    Coadjoint coadjoint;
}

/// Applies the operator to the components of every free member; writes into `out`.
#[cfg_attr(not(debug_assertions), inline(always))]
pub(super) fn operate<O: Operator, G, S: Scalar, const N: usize>(span: &Span, a: &[S], b: &[S], out: &mut [S])
where
    G: Factor<Scalar = S, Tangent = SVector<S, N>>,
{
    let given = pairs(free::<S, N>(span, a), free::<S, N>(span, b));
    for (((_, a), (_, b)), (_, out)) in pairs(given, free_mut::<S, N>(span, out)) {
        *out = O::of::<G>(&vector(a), &vector(b)).into();
    }
}

/// Writes qᵢ ∘ exp(θᵢ) of the free members into `out`; clamped members are copied.
#[cfg_attr(not(debug_assertions), inline(always))]
pub(super) fn compose_exp<G, S: Scalar, const N: usize>(q: &[G], span: &Span, theta: &[S], out: &mut [G])
where
    G: Factor<Scalar = S, Tangent = SVector<S, N>>,
{
    copy_clamped(q, span, out);
    for (member, theta) in free::<S, N>(span, theta) {
        q[member].compose_exp_into(&vector(theta), &mut out[member]);
    }
}

/// q ∘ exp(θ) of one member into `out`.
///
/// Never inlined: a caller selects the member at run time, and copies of this function for several fields would be merged into one join of as
/// many values as a member has. LLVM 22 vectorises such a join into code that reads a register before it is loaded.
#[inline(never)]
pub(super) fn compose_exp_of_one<G, S: Scalar, const N: usize>(q: &G, theta: &[S; N], out: &mut G)
where
    G: Factor<Scalar = S, Tangent = SVector<S, N>>,
{
    q.compose_exp_into(&vector(theta), out);
}

/// Copies the clamped members to `out`.
#[cfg_attr(not(debug_assertions), inline(always))]
pub(super) fn copy_clamped<G: Clone>(q: &[G], span: &Span, out: &mut [G]) {
    for member in (0..span.clamped_first.min(span.length)).chain(span.free().end..span.length) {
        out[member].clone_from(&q[member]);
    }
}

/// Writes log(fromᵢ⁻¹ ∘ toᵢ) of the free members into `out`.
#[inline]
pub(super) fn log_difference<G, S: Scalar, const N: usize>(from: &[G], to: &[G], span: &Span, out: &mut [S])
where
    G: Factor<Scalar = S, Tangent = SVector<S, N>>,
{
    for (member, out) in free_mut::<S, N>(span, out) {
        *out = G::log_difference(&from[member], &to[member]).into();
    }
}

/// Moves the free members with their velocities, for groups that act on both (see [`Factor::move_with_velocity`]).
#[cfg_attr(not(debug_assertions), inline(always))]
pub(super) fn move_with_velocity<G, S: Scalar, const N: usize>(
    (q, v): (&[G], &[S]),
    span: &Span,
    [theta, w]: [&[S]; 2],
    (out_q, out_v): (&mut [G], &mut [S]),
) where
    G: Factor<Scalar = S, Tangent = SVector<S, N>>,
{
    copy_clamped(q, span, out_q);
    let twists = pairs(free::<S, N>(span, theta), free::<S, N>(span, w));
    let velocities = pairs(free::<S, N>(span, v), free_mut::<S, N>(span, out_v));
    for (((member, theta), (_, w)), ((_, v), (_, out_velocity))) in pairs(twists, velocities) {
        let xi = [&vector(theta), &vector(w)];
        *out_velocity = q[member].move_with_velocity(&vector(v), xi, &mut out_q[member]).into();
    }
}

/// The rates of the coordinates for groups that act on velocities.
#[cfg_attr(not(debug_assertions), inline(always))]
pub(super) fn rate_with_velocity<G, S: Scalar, const N: usize>(
    span: &Span,
    sigma: [&[S]; 2],
    direction: [&[S]; 2],
    [theta, w]: [&mut [S]; 2],
) where
    G: Factor<Scalar = S, Tangent = SVector<S, N>>,
{
    let sigmas = pairs(free::<S, N>(span, sigma[0]), free::<S, N>(span, sigma[1]));
    let directions = pairs(free::<S, N>(span, direction[0]), free::<S, N>(span, direction[1]));
    let outs = pairs(free_mut::<S, N>(span, theta), free_mut::<S, N>(span, w));
    for ((((_, a), (_, b)), ((_, u), (_, x))), ((_, out_theta), (_, out_w))) in pairs(pairs(sigmas, directions), outs) {
        let [rate, second] = G::rate_with_velocity([&vector(a), &vector(b)], [&vector(u), &vector(x)]);
        (*out_theta, *out_w) = (rate.into(), second.into());
    }
}

/// The directions with these accelerations.
#[cfg_attr(not(debug_assertions), inline(always))]
pub(super) fn directions<G, S: Scalar, const N: usize>(q: &[G], span: &Span, acceleration: &[S], out: &mut [S])
where
    G: Factor<Scalar = S, Tangent = SVector<S, N>>,
{
    for ((member, acceleration), (_, out)) in pairs(free::<S, N>(span, acceleration), free_mut::<S, N>(span, out)) {
        *out = q[member].direction_of(&vector(acceleration)).into();
    }
}

/// Removes the velocity components that do not move the free members. Returns the square of the norm of the removed part.
pub(super) fn remove_spins<G, S: Scalar, const N: usize>(q: &[G], span: &Span, v: &mut [S]) -> f64
where
    G: Factor<Scalar = S, Tangent = SVector<S, N>>,
{
    free_mut::<S, N>(span, v).fold(0.0, |sum, (member, components)| {
        let mut velocity = vector(components);
        let square = q[member].remove_spin(&mut velocity);
        *components = velocity.into();
        sum + square
    })
}

/// The reverse pass of [`remove_spins`]: adds the cotangents of the points and replaces the cotangents of the velocities.
pub(super) fn spin_pullback<G, S: Scalar, const N: usize>(
    q: &[G],
    span: &Span,
    v: &[S],
    [of_configuration, of_velocity]: [&mut [S]; 2],
) where
    G: Factor<Scalar = S, Tangent = SVector<S, N>>,
{
    let sums = pairs(free_mut::<S, N>(span, of_configuration), free_mut::<S, N>(span, of_velocity));
    for ((member, v), ((_, of_configuration), (_, of_velocity))) in pairs(free::<S, N>(span, v), sums) {
        let [from_point, from_velocity] = q[member].spin_pullback(&vector(v), &vector(of_velocity));
        add(of_configuration, &from_point);
        *of_velocity = from_velocity.into();
    }
}

/// Writes θ, v and v' of the free members for coordinates x, x', x''.
#[inline]
pub(super) fn local_motion<G, S: Scalar, const N: usize>(
    span: &Span,
    map: &CoordinateMap,
    [x, rate, second]: [&[S]; 3],
    [theta, velocity, acceleration]: [&mut [S]; 3],
) where
    G: LocalCoordinates<S, N>,
{
    let given = pairs(pairs(free::<S, N>(span, x), free::<S, N>(span, rate)), free::<S, N>(span, second));
    let results = pairs(free_mut::<S, N>(span, theta), free_mut::<S, N>(span, velocity));
    let results = pairs(results, free_mut::<S, N>(span, acceleration));
    for ((((_, x), (_, rate)), (_, second)), (((_, theta), (_, velocity)), (_, acceleration))) in pairs(given, results)
    {
        let motion = G::local_motion(map, &vector(x), &vector(rate), &vector(second));
        *theta = motion.theta.into();
        *velocity = motion.velocity.into();
        *acceleration = motion.acceleration.into();
    }
}

/// Adds the cotangents of x, x' and x'' of every free member.
pub(super) fn local_motion_pullback<G, S: Scalar, const N: usize>(
    span: &Span,
    map: &CoordinateMap,
    at: [&[S]; 3],
    cotangents: [&[S]; 3],
    mut out: [&mut [S]; 3],
) where
    G: LocalCoordinates<S, N>,
{
    for place in 0..span.free().len() {
        let first = span.offset + place * N;
        let member = |components: &[S]| SVector::<S, N>::from_fn(|component, _| components[first + component]);
        let [x, rate, second] = at.map(member);
        let given = cotangents.map(member);
        let found = G::local_gradient(map, &x, &rate, &second).transposed_times(given.each_ref());
        for (out, found) in out.iter_mut().zip(&found) {
            for component in 0..N {
                out[first + component] += found[component];
            }
        }
    }
}

/// Adds the cotangents of qᵢ and θᵢ of the free members from the cotangents of qᵢ ∘ exp(θᵢ).
#[inline]
pub(super) fn motion_pullback<G, S: Scalar, const N: usize>(
    span: &Span,
    theta: &[S],
    cotangent: &[S],
    [of_start, of_theta]: [&mut [S]; 2],
) where
    G: Factor<Scalar = S, Tangent = SVector<S, N>>,
{
    let given = pairs(free::<S, N>(span, theta), free::<S, N>(span, cotangent));
    let sums = pairs(free_mut::<S, N>(span, of_start), free_mut::<S, N>(span, of_theta));
    for (((_, theta), (_, cotangent)), ((_, of_start), (_, of_theta))) in pairs(given, sums) {
        let [from_start, from_theta] = motion_pullback_of::<G, S, N>(&vector(theta), &vector(cotangent));
        add(of_start, &from_start);
        add(of_theta, &from_theta);
    }
}

/// The cotangents of q and θ for one factor.
#[inline]
pub(super) fn motion_pullback_of<G, S: Scalar, const N: usize>(
    theta: &SVector<S, N>,
    cotangent: &SVector<S, N>,
) -> [SVector<S, N>; 2]
where
    G: Factor<Scalar = S, Tangent = SVector<S, N>>,
{
    let of_theta = G::tangent_transpose(theta, cotangent);
    [cotangent - G::coadjoint(theta, &of_theta), of_theta]
}

/// Adds the cotangents of θᵢ and vᵢ of the free members from the cotangents of θᵢ' = T(θᵢ)⁻¹ vᵢ.
#[inline]
pub(super) fn coordinate_rate_pullback<G, S: Scalar, const N: usize>(
    span: &Span,
    [theta, v]: [&[S]; 2],
    cotangent: &[S],
    [of_theta, of_velocity]: [&mut [S]; 2],
) where
    G: LocalCoordinates<S, N>,
{
    let given = pairs(pairs(free::<S, N>(span, theta), free::<S, N>(span, v)), free::<S, N>(span, cotangent));
    let sums = pairs(free_mut::<S, N>(span, of_theta), free_mut::<S, N>(span, of_velocity));
    for ((((_, theta), (_, v)), (_, cotangent)), ((_, of_theta), (_, of_velocity))) in pairs(given, sums) {
        let [from_theta, from_velocity] = G::rate_pullback([&vector(theta), &vector(v)], &vector(cotangent));
        if !G::IS_FLAT {
            add(of_theta, &from_theta);
        }
        add(of_velocity, &from_velocity);
    }
}

#[inline]
fn add<S: Scalar, const N: usize>(sum: &mut [S; N], term: &SVector<S, N>) {
    for (sum, &term) in sum.iter_mut().zip(term) {
        *sum += term;
    }
}
