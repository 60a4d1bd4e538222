//! What is done with the Jacobian of a joint once it is kept: kernels of its numbers alone.

use proc_macro2::TokenStream;
use quote::quote;

use super::joints::{by_kind, joined, padded};
use crate::emit::words::environment::Environment;
use crate::emit::words::environment::Home;
use crate::emit::words::print::print;
use crate::plan::{Frames, Joint, KernelId};

/// The products with [A J].
pub(super) fn emit(frames: &Frames<'_>) -> TokenStream {
    let (size, dimension) = frames.dimensions();
    let all_kinds = |body: &dyn Fn(&Joint, usize) -> TokenStream| {
        let kinds: Vec<TokenStream> = frames.joints.iter().map(|joint| body(joint, joint.dimension())).collect();
        by_kind(&kinds)
    };
    let kernel = |joint: &Joint, id: KernelId| {
        let names = Environment { model: &joint.model, number: joint.number, home: Home::Term };
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
        fn turn_along(
            system: &System<S>, place: &rt::Link, jacobian: &Self::Jacobian, skew: &Self::Matrix,
        ) -> (Self::Matrix, Self::Mixed, Self::MemberMatrix) {
            #turn
        }
    }
}
