//! Several systems of a model as one system with SIMD lanes.

use std::sync::Arc;

use lie_compiler::tape::TapeParameterKind;

use super::model::size_of;
use super::{DynamicConfiguration, DynamicParameters, DynamicSystem};
use crate::scalar::Lanes;
use crate::system::Batched;
use crate::system::over_scalars::{in_lanes, of_lane};

impl<L: Lanes> Batched<L> for DynamicSystem {
    type Batch = DynamicSystem<L>;

    fn batch(systems: &[&Self]) -> Option<DynamicSystem<L>> {
        let first = systems.first()?;
        let model = &first.parameters.model;
        if model.inputs.is_some() || model.is_redundant {
            return None;
        }
        let is_alike = |system: &&Self| {
            let is_equal = |range: std::ops::Range<usize>| {
                system.parameters.values[range.clone()] == first.parameters.values[range]
            };
            let others =
                model.parameters.iter().filter(|parameter| !matches!(parameter.kind, TapeParameterKind::Real(_)));
            let mut others = others.map(|parameter| parameter.first..parameter.first + size_of(parameter));
            Arc::ptr_eq(&system.parameters.model, model) && others.all(is_equal)
        };
        if !systems.iter().all(is_alike) {
            return None;
        }
        let values = (0..first.parameters.values.len())
            .map(|at| L::of_lanes(|lane| systems[lane].parameters.values[at]))
            .collect();
        DynamicSystem::new(DynamicParameters { model: Arc::clone(model), values }).ok()
    }
    fn batch_configurations(configuration: &dyn Fn(usize) -> DynamicConfiguration) -> DynamicConfiguration<L> {
        in_lanes(configuration)
    }
    fn lane_configuration(together: &DynamicConfiguration<L>, lane: usize) -> DynamicConfiguration {
        of_lane(together, lane)
    }
}
