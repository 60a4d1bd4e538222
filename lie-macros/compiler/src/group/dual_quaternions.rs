//! Unit dual quaternions r + ε d, stored as eight scalars: the rigid motions of S³ ⋉ R³ in another form, with the position 2 d r⁻¹.

use proc_macro2::TokenStream;
use quote::quote;

use super::semidirect::Semidirect;
use super::{Form, Group, index};
use crate::expr::{Leaf, Rotation, Type};
use crate::scalar::{Graph, Scalar};

struct DualQuaternion;

pub(super) const DQ: Group = Group {
    name: "DQ",
    notation: "DQ",
    rules: &Semidirect(Rotation::S3),
    form: &DualQuaternion,
    lookalikes: &[("UnitDualQuaternion", "a type of nalgebra"), ("DualQuaternion", "a type of nalgebra")],
};

impl Form for DualQuaternion {
    fn ty(&self, s: &TokenStream) -> TokenStream {
        quote!(::lie_runtime::group::DQ<#s>)
    }
    fn has_scalar_velocity(&self) -> bool {
        false
    }
    fn fields(&self) -> &'static [&'static str] {
        &[]
    }
    /// r for the rotation, d for the position.
    fn number(&self, element: &TokenStream, part: usize, at: usize) -> TokenStream {
        let at = index(4 * part + at);
        quote!(#element.coordinates()[#at])
    }
    fn stored(&self, _: &[Type]) -> Vec<(String, usize, &'static str)> {
        [".real", ".dual"].map(|name| (name.to_owned(), 4, Rotation::S3.order())).to_vec()
    }
    /// The position 2 d r⁻¹ = 2 (w d − d₀ r + r × d), with the vectors r, d and the scalars w, d₀.
    fn unfolded(&self, g: &mut Graph, kept: &[Leaf]) -> Vec<(usize, Vec<Scalar>)> {
        let [r, d] = [kept[0], kept[1]].map(|leaf| [0, 1, 2, 3].map(|at| g.leaf(leaf, at)));
        let two = g.number(2.0);
        let position = [(1, 2, 3), (2, 3, 1), (3, 1, 2)].map(|(i, j, k)| {
            let (scaled, turned) = (g.mul(r[0], d[i]), g.mul(d[0], r[i]));
            let along = g.sub(scaled, turned);
            let (first, second) = (g.mul(r[j], d[k]), g.mul(r[k], d[j]));
            let across = g.sub(first, second);
            let half = g.add(along, across);
            g.mul(two, half)
        });
        vec![(1, position.to_vec())]
    }
    fn element(&self, parts: &[Vec<TokenStream>]) -> TokenStream {
        let (rotation, translation) = (&parts[0], &parts[1]);
        quote! {
            ::lie_runtime::group::DQ::new(
                ::lie_runtime::group::S3::from_coordinates_unchecked([#(#rotation),*]),
                rt::vector([#(#translation),*]),
            )
        }
    }
}
