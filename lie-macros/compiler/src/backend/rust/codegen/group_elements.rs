//! Values in generated code: the types, scalars and construction of elements of groups, and the places of parameters.

use proc_macro2::{Span, TokenStream};
use quote::{ToTokens, format_ident, quote};

use super::n;
use crate::expr::{Rotation, Type};
use crate::group::{Group, Storage};
use crate::identifier::identifier;
use crate::model::{AccessPath, AccessStep};

/// Returns the type of the elements of a group, with scalars of the type `s`.
pub(crate) fn group_type(group: Group, s: &TokenStream) -> TokenStream {
    match group.storage {
        Storage::Number => s.clone(),
        Storage::Vector(size) => {
            let size = n(size);
            quote!(::lie_runtime::__private::SVector<#s, #size>)
        }
        Storage::Direction => quote!(::lie_runtime::space::S2<#s>),
        Storage::Struct(structure) => {
            let name = identifier(&structure.name, Span::call_site());
            quote!(self::#name<#s>)
        }
        Storage::Rotation(_) | Storage::Pose(_) | Storage::DualQuaternion => {
            let name = format_ident!("{}", group.name);
            quote!(::lie_runtime::group::#name<#s>)
        }
    }
}

/// Returns a scalar of an element: a component of a part, or of the data that is stored instead of the part.
pub(crate) fn scalar_of(group: Group, element: &TokenStream, part: usize, at: usize) -> TokenStream {
    let component = n(at);
    match group.storage {
        Storage::Number => element.clone(),
        Storage::Vector(_) => quote!(#element[#component]),
        Storage::Direction => quote!(#element.direction()[#component]),
        Storage::Rotation(Rotation::SO3) => {
            let (row, column) = (n(at / 3), n(at % 3));
            quote!(#element.matrix()[(#row, #column)])
        }
        Storage::Rotation(_) => quote!(#element.coordinates()[#component]),
        Storage::Pose(rotation) if part == 0 => {
            scalar_of(Group::of_rotations(rotation), &quote!(#element.rotation), 0, at)
        }
        Storage::Pose(_) => quote!(#element.translation[#component]),
        // The real part replaces the rotation, the dual part the translation.
        Storage::DualQuaternion => {
            let component = n(4 * part + at);
            quote!(#element.coordinates()[#component])
        }
        Storage::Struct(structure) => {
            let (name, group, part) = structure.locate(part);
            let name = identifier(name, Span::call_site());
            scalar_of(group, &quote!(#element.#name), part, at)
        }
    }
}

/// Returns the element with these scalars, one part after the other.
pub(crate) fn element_of(group: Group, numbers: &[TokenStream]) -> TokenStream {
    let pose = |rotation: Rotation| {
        let rotation = Group::of_rotations(rotation);
        let count: usize = rotation.rules.parts().into_iter().map(Type::numbers).sum();
        let (turned, translation) = numbers.split_at(count);
        let (name, rotation) = (format_ident!("{}", group.name), element_of(rotation, turned));
        quote!(::lie_runtime::group::#name::new(#rotation, rt::vector([#(#translation),*])))
    };
    match group.storage {
        Storage::Number => quote!(#(#numbers)*),
        Storage::Vector(_) => quote!(rt::vector([#(#numbers),*])),
        Storage::Direction => quote!(::lie_runtime::space::S2::new_unchecked(rt::vector([#(#numbers),*]))),
        Storage::Rotation(Rotation::SO3) => {
            quote!(::lie_runtime::group::SO3::from_matrix_unchecked(SMatrix::<S, 3, 3>::new(#(#numbers),*)))
        }
        Storage::Rotation(_) => {
            let name = format_ident!("{}", group.name);
            quote!(::lie_runtime::group::#name::from_coordinates_unchecked([#(#numbers),*]))
        }
        Storage::Pose(rotation) => pose(rotation),
        Storage::DualQuaternion => pose(Rotation::S3),
        Storage::Struct(structure) => {
            let mut rest = numbers;
            let fields = structure.fields.iter().map(|(name, group)| {
                let count = group.rules.parts().into_iter().map(Type::numbers).sum();
                let (own, further) = rest.split_at(count);
                rest = further;
                let (name, value) = (identifier(name, Span::call_site()), element_of(*group, own));
                quote!(#name: #value)
            });
            let name = identifier(&structure.name, Span::call_site());
            quote!(self::#name { #(#fields),* })
        }
    }
}

impl ToTokens for AccessPath {
    fn to_tokens(&self, tokens: &mut TokenStream) {
        for step in &self.0 {
            tokens.extend(match step {
                AccessStep::Field(name) => quote!(.#name),
                AccessStep::Index(at) => {
                    let at = n(*at);
                    quote!([#at])
                }
            });
        }
    }
}
