//! The configuration as a Lie group: the direct product of its members.

use proc_macro2::{Literal, TokenStream};
use quote::quote;

use super::super::Context;
use super::super::structs::group_type;
use crate::emit::names::own;
use crate::model::Group;

/// A factor: how it is written in `q`, and its part of a velocity.
struct Factor {
    group: Group,
    /// `.attitude` or `.links[2]`.
    access: TokenStream,
    offset: usize,
}

/// All factors in order.
fn factors(context: &Context<'_>) -> Vec<Factor> {
    let mut offset = 0;
    let mut factors = Vec::new();
    for member in &context.model.configuration.members {
        let name = &member.name;
        for element in 0..member.count.unwrap_or(1) {
            let access = if member.count.is_some() {
                let element = Literal::usize_unsuffixed(element);
                quote!(.#name[#element])
            } else {
                quote!(.#name)
            };
            factors.push(Factor { group: member.group, access, offset });
            offset += member.group.dimension();
        }
    }
    factors
}

/// `rt::part::<S, __DOF, N>(vector, offset)`.
fn part(vector: &TokenStream, factor: &Factor) -> TokenStream {
    let size = Literal::usize_unsuffixed(factor.group.dimension());
    let offset = Literal::usize_unsuffixed(factor.offset);
    quote!(rt::part::<S, __DOF, #size>(#vector, #offset))
}

/// The implementation of `LieGroup`.
pub(super) fn emit(context: &Context<'_>) -> TokenStream {
    let configuration = &own(&context.model.configuration.item.ident);
    let factors = factors(context);
    let elements = |element: &dyn Fn(&TokenStream, &Factor) -> TokenStream| product(context, &factors, element);
    let vector = |value: &dyn Fn(&TokenStream, &Factor) -> TokenStream| {
        let parts = factors.iter().map(|factor| {
            let (value, offset) = (value(&group(factor), factor), Literal::usize_unsuffixed(factor.offset));
            quote!(rt::set_part(&mut out, #offset, &#value);)
        });
        quote!(let mut out: SVector<S, __DOF> = rt::zeros(); #(#parts)* out)
    };
    let of_element = |method: &str| {
        let method = super::super::names::ident(method);
        elements(&|group, Factor { access, .. }| quote!(<#group as LieGroup>::#method(&self #access)))
    };
    let (identity, inverse) = (of_element("identity_like"), of_element("inverse"));
    let compose =
        elements(&|group, Factor { access, .. }| quote!(<#group as LieGroup>::compose(&self #access, &other #access)));
    let exp = elements(&|group, factor| {
        let theta = part(&quote!(theta), factor);
        quote!(<#group as LieGroup>::exp(&#theta))
    });
    let log = vector(&|group, Factor { access, .. }| quote!(<#group as LieGroup>::log(&self #access)));
    // Of two vectors of the algebra or its dual, and of an element and a vector.
    let algebra =
        ["tangent", "tangent_transpose", "tangent_inverse", "tangent_inverse_transpose", "bracket", "coadjoint"];
    let algebra = algebra.map(|method| {
        let method = super::super::names::ident(method);
        let body = vector(&|group, factor| {
            let (a, b) = (part(&quote!(a), factor), part(&quote!(b), factor));
            quote!(<#group as LieGroup>::#method(&#a, &#b))
        });
        quote! {
            #[inline]
            fn #method(a: &SVector<S, __DOF>, b: &SVector<S, __DOF>) -> SVector<S, __DOF> { #body }
        }
    });
    let adjoint = ["adjoint", "adjoint_transpose"].map(|method| {
        let method = super::super::names::ident(method);
        let body = vector(&|group, factor| {
            let (access, b) = (&factor.access, part(&quote!(b), factor));
            quote!(<#group as LieGroup>::#method(&self #access, &#b))
        });
        quote! {
            #[inline]
            fn #method(&self, b: &SVector<S, __DOF>) -> SVector<S, __DOF> { #body }
        }
    });
    let defects = factors.iter().map(|factor| {
        let (group, access) = (group(factor), &factor.access);
        quote!(<#group as LieGroup>::membership_defect(&self #access))
    });
    let renormalize = factors.iter().map(|factor| {
        let (group, access) = (group(factor), &factor.access);
        quote!(<#group as LieGroup>::renormalize(&mut self #access);)
    });
    let finite = factors.iter().map(|factor| {
        let (group, access) = (group(factor), &factor.access);
        quote!(<#group as LieGroup>::is_finite(&self #access))
    });
    quote! {
        impl<S: Scalar> LieGroup for #configuration<S> {
            type Scalar = S;
            type Tangent = SVector<S, __DOF>;

            #[inline]
            fn dimension(&self) -> usize { __DOF }
            #[inline]
            fn identity_like(&self) -> Self { #identity }
            #[inline]
            fn compose(&self, other: &Self) -> Self { #compose }
            #[inline]
            fn inverse(&self) -> Self { #inverse }
            #[inline]
            fn exp(theta: &SVector<S, __DOF>) -> Self { #exp }
            fn log(&self) -> SVector<S, __DOF> { #log }
            #(#algebra)*
            #(#adjoint)*
            fn is_finite(&self) -> bool { #(#finite)&&* }
            fn membership_defect(&self) -> f64 { rt::largest_defect([#(#defects),*]) }
            fn renormalize(&mut self) { #(#renormalize)* }
        }
    }
}

fn group(factor: &Factor) -> TokenStream {
    group_type(factor.group, &quote!(S))
}

/// The configuration whose members are made factor by factor.
fn product(
    context: &Context<'_>,
    factors: &[Factor],
    element: &dyn Fn(&TokenStream, &Factor) -> TokenStream,
) -> TokenStream {
    let mut factors = factors.iter().map(|factor| element(&group(factor), factor));
    let members = context.model.configuration.members.iter().map(|member| {
        let name = &member.name;
        let values: Vec<TokenStream> = factors.by_ref().take(member.count.unwrap_or(1)).collect();
        if member.count.is_some() { quote!(#name: [#(#values),*]) } else { quote!(#name: #(#values)*) }
    });
    let configuration = &own(&context.model.configuration.item.ident);
    let members: Vec<TokenStream> = members.collect();
    quote!(#configuration { #(#members),* })
}
