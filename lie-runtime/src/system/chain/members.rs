//! Members of a field and their components: the loops that generated code calls.

#![allow(clippy::missing_errors_doc)] // Called by generated code alone.

use nalgebra::SVector;

use super::Span;
use crate::scalar::Scalar;
use crate::space::Factor;
use crate::system::ModelError;

/// The components of the free members, each with the number of its member.
#[inline]
pub(super) fn free<'a, S, const N: usize>(
    span: &Span,
    components: &'a [S],
) -> impl Iterator<Item = (usize, &'a [S; N])> + use<'a, S, N> {
    let members = span.free();
    let used = &components[span.offset..span.offset + members.len() * N];
    members.zip(used.as_chunks::<N>().0)
}

/// Like [`free`], to be written to.
#[inline]
pub(super) fn free_mut<'a, S, const N: usize>(
    span: &Span,
    components: &'a mut [S],
) -> impl Iterator<Item = (usize, &'a mut [S; N])> + use<'a, S, N> {
    let members = span.free();
    let used = &mut components[span.offset..span.offset + members.len() * N];
    members.zip(used.as_chunks_mut::<N>().0)
}

#[inline]
pub(super) fn vector<S: Scalar, const N: usize>(components: &[S; N]) -> SVector<S, N> {
    SVector::from(*components)
}

/// Checks the length of a chain.
pub fn check_chain_length(span: &Span, given: usize) -> Result<(), ModelError> {
    if given == span.length {
        Ok(())
    } else {
        Err(ModelError::ChainLength { member: span.name, expected: span.length, given })
    }
}

/// qᵢ ∘ exp(θᵢ) of the free members into `out`; clamped members are copied.
#[inline]
pub fn chain_compose_exp<G, S: Scalar, const N: usize>(q: &[G], span: &Span, theta: &[S], out: &mut [G])
where
    G: Factor<Scalar = S, Tangent = SVector<S, N>>,
{
    for member in (0..span.clamped_first.min(span.length)).chain(span.free().end..span.length) {
        out[member].clone_from(&q[member]);
    }
    for (member, theta) in free::<S, N>(span, theta) {
        q[member].compose_exp_into(&vector(theta), &mut out[member]);
    }
}

/// log(fromᵢ⁻¹ ∘ toᵢ) of the free members into `out`.
#[inline]
pub fn chain_log_difference<G, S: Scalar, const N: usize>(from: &[G], to: &[G], span: &Span, out: &mut [S])
where
    G: Factor<Scalar = S, Tangent = SVector<S, N>>,
{
    for (member, out) in free_mut::<S, N>(span, out) {
        *out = G::log_difference(&from[member], &to[member]).into();
    }
}

/// T(θᵢ) vᵢ of the free members into `out`.
#[inline]
pub fn chain_tangent<G, S: Scalar, const N: usize>(span: &Span, theta: &[S], v: &[S], out: &mut [S])
where
    G: Factor<Scalar = S, Tangent = SVector<S, N>>,
{
    let given = free::<S, N>(span, theta).zip(free::<S, N>(span, v));
    for (((_, theta), (_, v)), (_, out)) in given.zip(free_mut::<S, N>(span, out)) {
        *out = G::tangent(&vector(theta), &vector(v)).into();
    }
}

/// T(θᵢ)⁻¹ vᵢ of the free members into `out`.
#[inline]
pub fn chain_tangent_inverse<G, S: Scalar, const N: usize>(span: &Span, theta: &[S], v: &[S], out: &mut [S])
where
    G: Factor<Scalar = S, Tangent = SVector<S, N>>,
{
    let given = free::<S, N>(span, theta).zip(free::<S, N>(span, v));
    for (((_, theta), (_, v)), (_, out)) in given.zip(free_mut::<S, N>(span, out)) {
        *out = G::tangent_inverse(&vector(theta), &vector(v)).into();
    }
}

/// ad_vᵢᵀ pᵢ of the free members into `out`.
#[inline]
pub fn chain_coadjoint<G, S: Scalar, const N: usize>(span: &Span, v: &[S], p: &[S], out: &mut [S])
where
    G: Factor<Scalar = S, Tangent = SVector<S, N>>,
{
    let given = free::<S, N>(span, v).zip(free::<S, N>(span, p));
    for (((_, v), (_, p)), (_, out)) in given.zip(free_mut::<S, N>(span, out)) {
        *out = G::coadjoint(&vector(v), &vector(p)).into();
    }
}

/// T(θᵢ)⁻ᵀ pᵢ of the free members into `out`.
#[inline]
pub fn chain_tangent_inverse_transpose<G, S: Scalar, const N: usize>(span: &Span, theta: &[S], p: &[S], out: &mut [S])
where
    G: Factor<Scalar = S, Tangent = SVector<S, N>>,
{
    let given = free::<S, N>(span, theta).zip(free::<S, N>(span, p));
    for (((_, theta), (_, p)), (_, out)) in given.zip(free_mut::<S, N>(span, out)) {
        *out = G::tangent_inverse_transpose(&vector(theta), &vector(p)).into();
    }
}

/// The matrices T(θᵢ)⁻¹ of the free members by rows, from the start of `out`; returns the rest of `out`.
#[inline]
pub fn chain_tangent_inverse_blocks<'a, G, S: Scalar, const N: usize>(
    span: &Span,
    theta: &[S],
    out: &'a mut [S],
) -> &'a mut [S]
where
    G: Factor<Scalar = S, Tangent = SVector<S, N>>,
{
    let (blocks, rest) = out.split_at_mut(span.free().len() * N * N);
    for ((_, theta), block) in free::<S, N>(span, theta).zip(blocks.chunks_exact_mut(N * N)) {
        let theta = vector(theta);
        for column in 0..N {
            let mut unit = SVector::<S, N>::from_element(S::zero());
            unit[column] = S::one();
            let image = G::tangent_inverse(&theta, &unit);
            for row in 0..N {
                block[row * N + column] = image[row];
            }
        }
    }
    rest
}

/// Brings every member back to its group.
pub fn chain_renormalize<G: Factor>(members: &mut [G]) {
    members.iter_mut().for_each(G::renormalize);
}

/// True if every number that represents the members is finite.
#[inline]
pub fn chain_is_finite<G: Factor>(members: &[G]) -> bool {
    members.iter().all(G::is_finite)
}

/// The velocities of all members; zeros of clamped ones, NaN where the components are those of another system.
pub fn chain_velocity<S: Scalar, const N: usize>(span: &Span, components: &[S]) -> Vec<SVector<S, N>> {
    if components.len() < span.offset + span.free().len() * N {
        return vec![SVector::from_element(S::from_f64(f64::NAN)); span.length];
    }
    let mut members = vec![SVector::from_element(S::zero()); span.length];
    for (member, components) in free::<S, N>(span, components) {
        members[member] = vector(components);
    }
    members
}

/// Appends the components of the free ones of some members.
pub fn chain_velocity_components<S: Scalar, const N: usize>(
    members: &[SVector<S, N>],
    clamped: [bool; 2],
    out: &mut Vec<S>,
) {
    let free = Span::new("", N, members.len(), clamped).free();
    out.extend(members.get(free).into_iter().flatten().flat_map(|member| member.iter().copied()));
}
