//! Operations of a group on its algebra as types, so that a product needs one loop over its members for all of them.

use super::{LieGroup, TangentVector};

/// An operation on two vectors of the algebra or of its dual.
#[doc(hidden)]
pub trait OnVectors {
    /// Its value.
    fn of<G: LieGroup>(a: &G::Tangent, b: &G::Tangent) -> G::Tangent;
}

/// An operation of an element on a vector.
#[doc(hidden)]
pub trait OnElement {
    /// Its value.
    fn of<G: LieGroup>(element: &G, vector: &G::Tangent) -> G::Tangent;
}

/// One type and one method of [`LieGroup`] per line.
macro_rules! operations {
    ($kind:ident($a:ident: $first:ty): $($operation:ident $method:ident;)*) => {
        $(
            #[doc = concat!("[`LieGroup::", stringify!($method), "`].")]
            #[derive(Debug)]
            pub struct $operation;

            impl $kind for $operation {
                #[inline]
                fn of<G: LieGroup>($a: &$first, b: &G::Tangent) -> G::Tangent {
                    G::$method($a, b)
                }
            }
        )*
    };
}

operations! { OnVectors(a: G::Tangent):
    TangentTranspose tangent_transpose;
    Bracket bracket;
    Coadjoint coadjoint;
}

operations! { OnElement(element: G):
    Adjoint adjoint;
    AdjointTranspose adjoint_transpose;
}

/// dexp⁻¹_σ(v) of a group: T of this crate trivialises from the left, dexp_σ = T(−σ) from the right.
#[inline]
pub(crate) fn dexp_inverse<G: LieGroup>(sigma: &G::Tangent, v: &G::Tangent) -> G::Tangent {
    let mut minus = sigma.clone();
    minus.scale(-<G::Scalar as num_traits::One>::one());
    G::tangent_inverse(&minus, v)
}

/// dexp⁻¹_σ v, that is T(−σ)⁻¹ v.
#[derive(Debug)]
#[doc(hidden)]
pub struct DexpInverse;

impl OnVectors for DexpInverse {
    #[inline]
    fn of<G: LieGroup>(sigma: &G::Tangent, v: &G::Tangent) -> G::Tangent {
        dexp_inverse::<G>(sigma, v)
    }
}

/// Ad_{exp ξ}ᵀ μ.
#[derive(Debug)]
#[doc(hidden)]
pub struct PullBack;

impl OnVectors for PullBack {
    #[inline]
    fn of<G: LieGroup>(xi: &G::Tangent, mu: &G::Tangent) -> G::Tangent {
        G::exp(xi).adjoint_transpose(mu)
    }
}

/// Ad_{q⁻¹} v.
#[derive(Debug)]
pub struct InverseAdjoint;

impl OnElement for InverseAdjoint {
    #[inline]
    fn of<G: LieGroup>(element: &G, vector: &G::Tangent) -> G::Tangent {
        element.inverse().adjoint(vector)
    }
}

/// Ad_{q⁻¹}ᵀ p.
#[derive(Debug)]
#[doc(hidden)]
pub struct InverseAdjointTranspose;

impl OnElement for InverseAdjointTranspose {
    #[inline]
    fn of<G: LieGroup>(element: &G, vector: &G::Tangent) -> G::Tangent {
        element.inverse().adjoint_transpose(vector)
    }
}
