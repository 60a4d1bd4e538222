//! A generated system and the same system from text, both without their types.

use std::collections::BTreeMap;

use lie_runtime::dynamic::{DynamicConfiguration, DynamicModel, DynamicSystem};
use lie_runtime::group::TangentVector;
use lie_runtime::space::ConfigurationSpace;
use lie_runtime::system::erased::{ErasedSystem, ErasedValue, ErasedVector};
use lie_runtime::system::{MechanicalSystem, ModelError, Report, Value};

use crate::Declared;
use crate::sample::{Sampled, Source};

/// Both systems with the same parameters, and the same configuration.
pub struct Pair {
    pub generated: ErasedSystem,
    pub of_text: ErasedSystem,
    /// The system from text with its types.
    dynamic: DynamicSystem,
    pub q: ErasedValue,
    pub q_of_text: ErasedValue,
    /// The component of the generated system for each component of the system from text.
    pub order: Vec<usize>,
    /// The row of the generated system for each row of the system from text: terms over members have another order.
    pub rows: Vec<usize>,
}

/// The lengths of chains that are tried.
const LENGTHS: [usize; 4] = [4, 5, 3, 6];

/// Returns a generated system with random parameters. The lengths of lists follow from the functions that read them.
fn sampled(declared: &Declared, seed: u64) -> Result<(Sampled, Source), String> {
    let mut reason = String::new();
    for length in LENGTHS {
        let mut lists = BTreeMap::new();
        for _ in 0..20 {
            let mut source = Source::new(seed, length, lists);
            match (declared.sampled)(&mut source) {
                Ok(sampled) => return Ok((sampled, source)),
                Err(error) => {
                    reason = error.to_string();
                    lists = source.lists;
                    match error {
                        ModelError::ListLength { parameter, needed, .. } => lists.insert(parameter.to_owned(), needed),
                        ModelError::ParentCount { list, frames, .. } => lists.insert(list.to_owned(), frames),
                        _ => break,
                    };
                }
            }
        }
    }
    Err(reason)
}

/// Returns the scalars of a parameter or an input from the scalars of its parts.
fn scalars_of(source: &Source, name: &str) -> Vec<f64> {
    // Parameters have the names of their fields as declared.
    let name = name.replace("r#", "");
    let is_part =
        |path: &str| path.strip_prefix(&name).is_some_and(|rest| rest.is_empty() || rest.starts_with(['[', '.']));
    source.scalars.iter().filter(|(path, _)| is_part(path)).flat_map(|(_, scalars)| scalars.iter().copied()).collect()
}

/// Returns the components 1, 2, … by name.
fn numbered(system: &ErasedSystem) -> [Vec<(String, f64)>; 2] {
    let numbers = |zeros: ErasedVector| vector(zeros, |at| 1.0 + at as f64);
    let (v, multipliers) = (numbers(system.zero_velocity()), numbers(system.zero_multipliers()));
    let named = |records: &[Value]| {
        let mut named = vec![];
        for record in records {
            record.for_each("", &mut |name, value| named.push((name.to_owned(), value)));
        }
        // Clamped members are at rest.
        named.retain(|(_, value)| *value != 0.0);
        named
    };
    [named(&[system.report_velocity(&v), system.report_states(&v)]), named(&[system.report_multipliers(&multipliers)])]
}

/// Returns the component of the generated system for each component of the system from text. The names of components are equal.
fn order(of_text: &[(String, f64)], generated: &[(String, f64)]) -> Result<Vec<usize>, String> {
    let mut order = vec![usize::MAX; of_text.len()];
    for (name, number) in of_text {
        let known = generated.iter().find(|(known, _)| known == name).ok_or_else(|| format!("no component {name}"))?;
        let [own, other] = [*number, known.1].map(|number| (1..=order.len()).find(|&at| number == at as f64));
        let (Some(own), Some(other)) = (own, other) else { return Err(format!("no number of {name}")) };
        order[own - 1] = other - 1;
    }
    Ok(order)
}

/// Returns a vector with these components, from a vector of the system.
pub fn vector(mut zeros: ErasedVector, mut component: impl FnMut(usize) -> f64) -> ErasedVector {
    (0..zeros.component_count()).for_each(|at| zeros.set_component(at, component(at)));
    zeros
}

impl Pair {
    pub fn new(declared: &Declared, seed: u64) -> Result<Self, String> {
        let (Sampled { system: generated, configuration: q }, source) = sampled(declared, seed)?;
        let model =
            DynamicModel::from_text_with(declared.text, &source.lengths).map_err(|error| format!("text: {error}"))?;
        let parameters = model.parameters();
        let values: Vec<(&str, Vec<f64>)> =
            parameters.iter().map(|parameter| (&parameter.name[..], scalars_of(&source, &parameter.name))).collect();
        let system = model.system(values.iter().map(|(name, scalars)| (*name, &scalars[..])));
        let mut system = system.map_err(|error| format!("parameters: {error}"))?;
        for (name, _) in inputs(&system) {
            let scalars = scalars_of(&source, &format!("inputs.{name}"));
            system = system.with_input(name, &scalars).map_err(|error| format!("inputs: {error}"))?;
        }
        let of_text = ErasedSystem::of(&system);
        let ([own, own_rows], [other, other_rows]) = (numbered(&of_text), numbered(&generated));
        let (order, rows) = (order(&own, &other)?, order(&own_rows, &other_rows)?);
        let q_of_text = ErasedValue::of(configuration(&system, &generated.report_configuration(&q))?);
        Ok(Pair { generated, of_text, dynamic: system, q, q_of_text, order, rows })
    }

    /// Returns a configuration of the generated system as a configuration of the system from text.
    pub fn of_text_configuration(&self, q: &ErasedValue) -> Result<ErasedValue, String> {
        configuration(&self.dynamic, &self.generated.report_configuration(q)).map(ErasedValue::of)
    }

    /// Returns a vector in the order of the system from text.
    pub fn of_text_order(&self, v: &ErasedVector) -> ErasedVector {
        vector(self.of_text.zero_velocity(), |at| v.component(self.order[at]))
    }

    /// Returns multipliers in the order of the system from text.
    pub fn of_text_rows(&self, multipliers: &ErasedVector) -> ErasedVector {
        vector(self.of_text.zero_multipliers(), |at| multipliers.component(self.rows[at]))
    }
}

/// Returns the inputs with their names.
fn inputs(system: &DynamicSystem) -> Vec<(&'static str, Value)> {
    let (q, v) = (system.configuration([]).expect("all members have defaults"), system.zero_velocity());
    match system.report_inputs(0.0, &q, &v) {
        Value::Record(entries) => entries,
        _ => vec![],
    }
}

/// Returns a reported configuration.
fn configuration(system: &DynamicSystem, reported: &Value) -> Result<DynamicConfiguration, String> {
    let mut named: Vec<(String, f64)> = vec![];
    reported.for_each("", &mut |name, value| named.push((name.to_owned(), value)));
    let members = system.description().members.iter().map(|member| {
        let is_within = |name: &str| {
            name.strip_prefix(member.name).is_some_and(|rest| rest.is_empty() || rest.starts_with(['.', '[']))
        };
        (member.name, named.iter().filter(|(name, _)| is_within(name)).map(|(_, value)| *value).collect::<Vec<_>>())
    });
    // The coordinates of auxiliary states have no value.
    let members: Vec<_> = members.filter(|(_, scalars)| !scalars.is_empty()).collect();
    let q = system.configuration(members.iter().map(|(name, scalars)| (*name, &scalars[..])));
    let mut q = q.map_err(|error| format!("configuration: {error}"))?;
    // Reported elements are equal to the last bit only without a conversion.
    system.space().renormalize(&mut q);
    Ok(q)
}
