//! Conversion of velocities and multipliers between components and named fields, for generated code.

use nalgebra::SVector;

use super::ElementKind;
use crate::scalar::Scalar;
use crate::space::Span;
use crate::space::visitors::{free, vector};

/// Returns the velocities of all members; zeros for clamped members, NaN for components of another system.
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

/// Appends the components of the free members.
pub fn chain_velocity_components<S: Scalar, const N: usize>(
    members: &[SVector<S, N>],
    clamped: [bool; 2],
    out: &mut Vec<S>,
) {
    let free = Span::new("", N, members.len(), clamped).free();
    out.extend(members.get(free).into_iter().flatten().flat_map(|member| member.iter().copied()));
}

/// Returns the multipliers of a constraint function, element by element; NaN for multipliers of another system.
pub fn chain_multipliers<S: Scalar, const ROWS: usize>(
    kind: &ElementKind,
    function: usize,
    multipliers: &[S],
) -> Vec<SVector<S, ROWS>> {
    let start = kind.start(function);
    match multipliers.get(start..start + kind.count * ROWS) {
        Some(own) => own.chunks_exact(ROWS).map(SVector::from_column_slice).collect(),
        None => vec![SVector::from_element(S::from_f64(f64::NAN)); kind.count],
    }
}
