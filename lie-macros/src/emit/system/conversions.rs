//! Velocities with named fields to components and back.

use proc_macro2::{Literal, TokenStream};
use quote::quote;

use super::super::{Context, structs};

/// Velocities with named fields to components and back.
pub(super) fn emit(context: &Context<'_>) -> TokenStream {
    let mut from = Vec::new();
    let mut to = Vec::new();
    let mut offset = 0;
    for member in &context.model.configuration.members {
        let name = &member.name;
        let size = member.group.dimension();
        let is_scalar = structs::velocity_type(member.group, &quote!(S)).to_string() == "S";
        let mut elements = Vec::new();
        for element in 0..member.count.unwrap_or(1) {
            let place = match member.count {
                Some(_) => {
                    let element = Literal::usize_unsuffixed(element);
                    quote!(velocity.#name[#element])
                }
                None => quote!(velocity.#name),
            };
            let at = Literal::usize_unsuffixed(offset);
            let n = Literal::usize_unsuffixed(size);
            if is_scalar {
                elements.push(quote!(components[#at]));
                to.push(quote!(components[#at] = #place;));
            } else {
                elements.push(quote!(rt::part::<S, __DOF, #n>(&components, #at)));
                to.push(quote!(rt::set_part(&mut components, #at, &#place);));
            }
            offset += size;
        }
        from.push(if member.count.is_some() { quote!(#name: [#(#elements),*]) } else { quote!(#name: #(#elements)*) });
    }
    quote! {
        impl<S: Scalar> From<SVector<S, __DOF>> for Velocity<S> {
            #[inline]
            fn from(components: SVector<S, __DOF>) -> Self {
                Velocity { #(#from),* }
            }
        }
        impl<S: Scalar> From<Velocity<S>> for SVector<S, __DOF> {
            #[inline]
            fn from(velocity: Velocity<S>) -> Self {
                let mut components: SVector<S, __DOF> = rt::zeros();
                #(#to)*
                components
            }
        }
    }
}
