//! Types in generated code: types of groups, velocities and vectors, and generated types by name.

use proc_macro2::{Ident, TokenStream};
use quote::{format_ident, quote};

use super::n;
use super::names::{ident, own};
use crate::model::{Configuration, Group};
use crate::schedule::Plan;

/// Returns the velocity type of one element: a scalar for SO(2), the struct of velocities for a body, otherwise a vector.
pub(crate) fn velocity_type(group: Group, s: &TokenStream) -> TokenStream {
    if group.has_scalar_velocity() {
        return s.clone();
    }
    if let Some(body) = group.structure() {
        let name = own(&ident(&body.velocity));
        return quote!(#name<#s>);
    }
    let dof = n(group.dimension());
    quote!(::lie_runtime::__private::SVector<#s, #dof>)
}

/// Returns the velocity of one element from the vector of its components.
pub(crate) fn velocity_of_vector(group: Group, vector: TokenStream) -> TokenStream {
    match group.structure() {
        Some(body) => {
            let name = own(&ident(&body.velocity));
            quote!(#name::from(#vector))
        }
        None => vector,
    }
}

/// Returns the types of a velocity's components and of multipliers.
pub(crate) fn vectors(plan: &Plan<'_>, s: &TokenStream) -> [TokenStream; 2] {
    match plan.unrolled() {
        Some((term, _)) => [term.dof(), term.equations.constraints.rows()].map(|size| {
            let size = n(size);
            quote!(SVector<#s, #size>)
        }),
        None => [quote!(rt::DVector<#s>), quote!(rt::DVector<#s>)],
    }
}

/// Returns the dimension of each slot, in order.
pub(crate) fn dimensions(configuration: &Configuration) -> Vec<usize> {
    configuration
        .members
        .iter()
        .flat_map(|member| std::iter::repeat_n(member.group.dimension(), member.count.unwrap_or(1)))
        .collect()
}

/// Returns the type of a term.
pub(crate) fn type_name(number: usize) -> Ident {
    format_ident!("Term{number}")
}

/// Returns the type of the parameters, if there are any.
pub(crate) fn parameters_type(plan: &Plan<'_>, s: &TokenStream) -> Option<TokenStream> {
    let name = own(&plan.model.parameters.as_ref()?.item.ident);
    Some(if plan.model.parameters_are_generic() { quote!(#name<#s>) } else { quote!(#name) })
}
