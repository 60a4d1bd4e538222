//! Shared parts of examples with chains: their lengths, and the positions of their nodes.

use lie_runtime::system::Value;

use crate::settings::{Settings, UsageError};

/// More edges than that take more memory than one wants to spend unawares.
const MOST_ELEMENTS: usize = 1_000_000;

/// The number of edges that the user has set.
///
/// # Errors
/// [`UsageError`] if it is not from `least` to 1 000 000.
pub fn elements(settings: &mut Settings, default: usize, least: usize) -> Result<usize, UsageError> {
    settings.count_in("elements", default, least..=MOST_ELEMENTS)
}

/// Returns the positions of the nodes of a chain of frames from the report of a configuration; none if there is no such chain.
pub fn centreline(configuration: &Value, chain: &str) -> Vec<[f64; 3]> {
    let Some(Value::List(nodes)) = configuration.get(chain) else {
        return Vec::new();
    };
    nodes.iter().filter_map(|node| node.get("translation")?.numbers().try_into().ok()).collect()
}
