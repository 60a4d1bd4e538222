//! Common parts of the kernels of joints: selection of the kind, access, and padding.

use proc_macro2::TokenStream;
use quote::quote;

use crate::backend::rust::codegen::environment::{Environment, Scope, slot};
use crate::backend::rust::codegen::n;
use crate::backend::rust::codegen::names::own;
use crate::backend::rust::codegen::print::print;
use crate::schedule::{JointKernels, KernelId, Plan};

/// Emits the statements and values of a kernel of one kind of joints; `above` is the parent frame.
pub(crate) fn kernel(
    plan: &Plan<'_>,
    joint: &JointKernels,
    id: KernelId,
    above: &TokenStream,
) -> (TokenStream, Vec<TokenStream>) {
    let names = Environment { model: &joint.model, number: joint.number, scope: Scope::Term };
    let printed = print(&joint.recursion.graph, joint.kernels.outputs(id), Some(&joint.hoisted), &names);
    let statements = &printed.statements;
    let (first, second, member) = (slot(0), slot(1), member_of(plan, joint.field));
    let body = quote! {
        let #first = #above;
        let #second = #member;
        #(#statements)*
    };
    (body, printed.outputs)
}

/// Returns the arguments of a kernel of a joint that depends on the configuration.
pub(crate) fn point(plan: &Plan<'_>) -> TokenStream {
    let configuration = own(&plan.model.configuration.point());
    quote!(system: &System<S>, place: &rt::Link, t: S, q: &#configuration<S>)
}

/// Returns the joint at `place`.
pub(crate) fn member_of(plan: &Plan<'_>, field: usize) -> TokenStream {
    let member = &plan.model.configuration.members[field];
    let name = &member.name;
    let subscript = member.is_run().then(|| quote!([place.index]));
    quote!(&q.#name #subscript)
}

/// Returns the result for each kind of joints; `place` is the joint.
pub(crate) fn by_kind<J>(joints: &[J], result: impl FnMut(&J) -> TokenStream) -> TokenStream {
    let kinds: Vec<TokenStream> = joints.iter().map(result).collect();
    match &kinds[..] {
        [only] => quote! { let place = &place.joint(); #only },
        [first @ .., last] => {
            let numbers = (0..first.len()).map(n);
            quote! {
                let kind = place.kind;
                let place = &place.joint();
                match kind {
                    #(#numbers => { #first })*
                    _ => { #last }
                }
            }
        }
        [] => bug!("frames follow no joints"),
    }
}

/// Concatenates two arrays: `[first[0], first[1], …, second[0], …]`.
pub(crate) fn joined(first: &TokenStream, second: &TokenStream, sizes: (usize, usize)) -> TokenStream {
    let first = (0..sizes.0).map(|at| {
        let at = n(at);
        quote!(#first[#at])
    });
    let second = (0..sizes.1).map(|at| {
        let at = n(at);
        quote!(#second[#at])
    });
    quote!([#(#first,)* #(#second),*])
}

/// Returns the rows of a joint with fewer components than other joints, padded with zeros.
pub(crate) fn padded(values: &[TokenStream], own: usize, dimension: usize) -> Vec<TokenStream> {
    let zeros = || core::iter::repeat_n(quote!(<S as Scalar>::from_f64(0.0)), dimension - own);
    values.chunks(own).flat_map(|row| row.iter().cloned().chain(zeros()).collect::<Vec<_>>()).collect()
}
