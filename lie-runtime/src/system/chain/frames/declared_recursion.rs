//! The declared recursion of frames on dual numbers and the terms over frames, for the derivative check.

use nalgebra::{DVector, SVector};

use super::{Frames, spin_regularisation};
use crate::group::LieGroup;
use crate::scalar::{Dual, Scalar};
use crate::system::Summand;
use crate::system::chain::{ElementSystem, Layout, Link};
use crate::system::over_scalars::{OverScalars, lowered};

/// Position and velocity of a frame by the declared recursion.
#[derive(Clone, Copy, Debug)]
pub struct DeclaredFrame<X, S, const N: usize> {
    /// The member.
    pub place: Link,
    /// x.
    pub frame: X,
    /// u, left-trivialised.
    pub velocity: SVector<S, N>,
}

/// log(x₀⁻¹ x), where x₀ is the frame without its derivative: ε times the left-trivialised velocity of x.
pub fn displacement<S, X, const N: usize>(moved: &X) -> SVector<Dual<S>, N>
where
    S: Scalar,
    X: OverScalars<Dual<S>, On<Dual<S>> = X> + LieGroup<Scalar = Dual<S>, Tangent = SVector<Dual<S>, N>>,
{
    let still = moved.map_scalars::<Dual<S>>(&mut |scalar: Dual<S>| Dual::lift(scalar.re));
    still.inverse().compose(moved).log()
}

/// Returns the frame that is `moved` after ε.
pub fn declared_frame<S, X, const N: usize>(place: Link, moved: &X) -> DeclaredFrame<X::On<S>, S, N>
where
    S: Scalar,
    X: OverScalars<Dual<S>, On<Dual<S>> = X> + LieGroup<Scalar = Dual<S>, Tangent = SVector<Dual<S>, N>>,
{
    let velocity = displacement::<S, X, N>(moved).map(|component| component.eps);
    DeclaredFrame { place, frame: lowered(moved), velocity }
}

/// Returns the recursion and the terms over its frames, each with its name and its last frame, if it does not depend on
/// all.
///
/// A frame moves with all joints on its path to the root.
pub fn frame_terms<M: ElementSystem>(system: &M, names: &[(&str, Option<usize>)]) -> Vec<Summand> {
    let tree = system.structure().tree();
    let term = |&(name, last): &(&str, Option<usize>)| {
        let links: Vec<&Link> = match last {
            Some(last) => tree.path_to_root(last).collect(),
            None => tree.links().iter().collect(),
        };
        let mut components: Vec<usize> = links.into_iter().filter_map(Link::components).flatten().collect();
        components.sort_unstable();
        Summand { name: name.to_owned(), components: components.into_iter().map(Some).collect(), rows: Vec::new() }
    };
    names.iter().map(term).collect()
}

/// Returns the number of a term after those of the elements.
pub fn beyond_elements(layout: &Layout, term: usize) -> Option<usize> {
    term.checked_sub(layout.kinds.iter().map(|kind| kind.count).sum())
}

/// Returns the energy of spins of directions about themselves, an undeclared part of T.
pub fn spin_energy<M: ElementSystem, F: Frames<M>>(
    system: &M,
    q: &M::Configuration,
    v: &DVector<M::Scalar>,
) -> M::Scalar {
    spin_regularisation::energy::<M, F>(system, q, v.as_slice())
}
