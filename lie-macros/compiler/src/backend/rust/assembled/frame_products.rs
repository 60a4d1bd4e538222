//! Products with the stored Jacobian of a joint: kernels that only use its scalars.

use proc_macro2::TokenStream;
use quote::quote;

use super::joints::{by_kind, joined, member_of, padded};
use crate::backend::rust::codegen::environment::Environment;
use crate::backend::rust::codegen::environment::Scope;
use crate::backend::rust::codegen::n;
use crate::backend::rust::codegen::names::own;
use crate::backend::rust::codegen::print::print;
use crate::schedule::{Frames, JointKernels, KernelId, Plan};

/// Returns the two tangent vectors of a joint that is a point of the sphere.
pub(super) fn across(plan: &Plan<'_>, joint: &JointKernels) -> Option<TokenStream> {
    joint.recursion.products.across.map(|_| {
        let member = member_of(plan, joint.field);
        quote!(let across = rt::tangent_basis(&(#member).direction().into());)
    })
}

/// Returns the number of components in the elimination, the number of all components, and the maps between given components and columns of
/// J. Only points of the sphere have other components.
fn columns(plan: &Plan<'_>, frames: &Frames<'_>) -> [TokenStream; 3] {
    let dimension = frames.dimensions().1;
    let size = by_kind(&frames.joints, |joint| {
        let (width, all) = (n(joint.width()), n(joint.dimension()));
        quote!([#width, #all])
    });
    let through = |function: TokenStream| {
        if frames.joints.iter().all(|joint| joint.recursion.products.across.is_none()) {
            return quote!(*given);
        }
        by_kind(&frames.joints, |joint| {
            let Some(across) = joint.recursion.products.across else { return quote!(*given) };
            let member = member_of(plan, joint.field);
            let [first, second] = across.map(|vector| {
                let numbers = vector.into_iter().map(n);
                quote!([#(jacobian[#numbers]),*])
            });
            let rest = (3..dimension).map(n);
            quote! {
                let [x, y, z] = #function(
                    &(#member).direction().into(), &[#first, #second], &[given[0], given[1], given[2]],
                );
                [x, y, z #(, given[#rest])*]
            }
        })
    };
    [size, through(quote!(rt::to_tangent_basis)), through(quote!(rt::from_tangent_basis))]
}

/// Emits the products with [A J].
pub(super) fn emit(plan: &Plan<'_>, frames: &Frames<'_>) -> TokenStream {
    let configuration = &own(&plan.model.configuration.point());
    let [sizes, to_tangent_basis, from_tangent_basis] = columns(plan, frames);
    let (size, dimension) = frames.dimensions();
    let all_kinds = |body: &dyn Fn(&JointKernels, usize) -> TokenStream| {
        by_kind(&frames.joints, |joint| body(joint, joint.dimension()))
    };
    let kernel = |joint: &JointKernels, id: KernelId| {
        let names = Environment { model: &joint.model, number: joint.number, scope: Scope::Term };
        let printed = print(&joint.recursion.graph, joint.kernels.outputs(id), Some(&joint.hoisted), &names);
        (printed.statements, printed.outputs)
    };
    let push = all_kinds(&|joint, own| {
        let (statements, values) = kernel(joint, KernelId::FramePushAlong);
        let v = joined(&quote!(u), &quote!(v), (size, own));
        quote!(let v = #v; #(#statements)* [#(#values),*])
    });
    let pull = all_kinds(&|joint, own| {
        let (statements, values) = kernel(joint, KernelId::FramePullAlong);
        let (above, rest) = values.split_at(size);
        let rest = padded(rest, own, dimension);
        quote!(#(#statements)* ([#(#above),*], [#(#rest),*]))
    });
    let turn = all_kinds(&|joint, own| {
        let (statements, values) = kernel(joint, KernelId::FrameTurnAlong);
        let (moved, rest) = values.split_at(size * size);
        let (mixed, block) = rest.split_at(size * own);
        let (mixed, mut block) = (padded(mixed, own, dimension), padded(block, own, dimension));
        block.resize(dimension * dimension, quote!(<S as Scalar>::from_f64(0.0)));
        quote!(#(#statements)* ([#(#moved),*], [#(#mixed),*], [#(#block),*]))
    });
    quote! {
        #[inline]
        fn size(place: &rt::Link) -> [usize; 2] {
            #sizes
        }
        #[inline]
        fn to_tangent_basis(
            place: &rt::Link, q: &#configuration<S>, jacobian: &Self::Jacobian, given: &Self::Member,
        ) -> Self::Member {
            #to_tangent_basis
        }
        #[inline]
        fn from_tangent_basis(
            place: &rt::Link, q: &#configuration<S>, jacobian: &Self::Jacobian, given: &Self::Member,
        ) -> Self::Member {
            #from_tangent_basis
        }
        #[inline]
        fn push_along(
            system: &System<S>,
            place: &rt::Link,
            jacobian: &Self::Jacobian,
            u: &Self::Vector,
            v: &Self::Member,
        ) -> Self::Vector {
            #push
        }
        #[inline]
        fn pull_along(
            system: &System<S>, place: &rt::Link, jacobian: &Self::Jacobian, force: &Self::Vector,
        ) -> (Self::Vector, Self::Member) {
            #pull
        }
        #[inline]
        fn transport_skew(
            system: &System<S>, place: &rt::Link, jacobian: &Self::Jacobian, skew: &Self::Matrix,
        ) -> (Self::Matrix, Self::Mixed, Self::MemberMatrix) {
            #turn
        }
    }
}
