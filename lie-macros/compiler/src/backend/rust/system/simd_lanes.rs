//! Several systems as one system in SIMD lanes.

use proc_macro2::TokenStream;
use quote::quote;

use crate::backend::rust::codegen::names::own;
use crate::backend::rust::data::over_scalars;
use crate::schedule::Plan;

/// Returns true for a system whose fields all have scalars. Inputs and opaque functions are functions of `f64`, and chains have a length at
/// run time.
pub(super) fn is_batched(plan: &Plan<'_>) -> bool {
    let model = plan.model;
    let has_lists = model.parameters.as_ref().is_some_and(|parameters| !parameters.lists.is_empty());
    plan.unrolled().is_some() && model.inputs.is_none() && model.opaques.is_empty() && !has_lists
}

/// Emits the map of the scalars of the system and the implementation of `Batched`.
pub(super) fn emit(plan: &Plan<'_>) -> Option<TokenStream> {
    let map = is_batched(plan).then(|| over_scalars::of_system(plan))?;
    let configuration = own(&plan.model.configuration.point());
    Some(quote! {
        #map
        impl<L: rt::Lanes> rt::Batched<L> for System<f64> {
            type Batch = System<L>;

            #[inline]
            fn batch(systems: &[&Self]) -> Option<System<L>> {
                rt::batch(systems)
            }
            #[inline]
            fn batch_configurations(configuration: &dyn ::core::ops::Fn(usize) -> #configuration<f64>) -> #configuration<L> {
                rt::in_lanes(configuration)
            }
            #[inline]
            fn lane_configuration(together: &#configuration<L>, lane: usize) -> #configuration<f64> {
                rt::of_lane(together, lane)
            }
        }
    })
}
