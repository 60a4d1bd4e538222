//! Variables of differentiation: parameters and initial values, identified by name.

use super::DirectionError;
use crate::system::parameter_lists::name_among_items;
use crate::system::value::is_within;
use crate::system::{Description, ParameterSet, TangentSystem};

/// A scalar variable of differentiation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Variable {
    /// A component of a parameter.
    Parameter {
        /// The parameter.
        name: &'static str,
        /// The index of the component, matrices by rows.
        component: usize,
    },
    /// A component of the initial configuration in body-fixed coordinates: q₀ exp(ε eᵢ).
    Configuration(usize),
    /// A component of the initial velocity.
    Velocity(usize),
}

/// Variables with their full names: `inertia[0][1]`, `q.attitude[2]`.
type NamedVariables = Vec<(String, Variable)>;

impl Variable {
    /// Returns the variables with these names: parameters and their components, members of the configuration as `q.member`, and members
    /// of the velocity as `v.member`. The names `q` and `v` select all members.
    ///
    /// # Errors
    /// [`DirectionError`] with the name that is unknown or repeated.
    pub fn named<M: TangentSystem, N: AsRef<str>>(system: &M, names: &[N]) -> Result<NamedVariables, DirectionError> {
        let mut found = NamedVariables::new();
        for name in names {
            let name = name.as_ref();
            let mut meant = of_parameter(system.parameters(), name);
            for (prefix, direction) in
                [("q", Variable::Configuration as fn(usize) -> Variable), ("v", Variable::Velocity)]
            {
                meant.extend(of_member(system.description(), prefix, name, direction));
            }
            if meant.is_empty() {
                return Err(DirectionError::Unknown {
                    name: name.to_owned(),
                    parameters: system.parameters().names(),
                    members: system.description().members.iter().map(|member| member.name).collect(),
                });
            }
            for (name, direction) in meant {
                if found.iter().any(|(_, other)| *other == direction) {
                    return Err(DirectionError::Repeated { name });
                }
                found.push((name, direction));
            }
        }
        if found.is_empty() { Err(DirectionError::Nothing) } else { Ok(found) }
    }

    /// The index of a scalar parameter among all of them, or of a component of an initial value.
    pub(super) fn place<M: TangentSystem>(&self, system: &M) -> usize {
        let (name, component) = match self {
            Variable::Parameter { name, component } => (name, component),
            Variable::Configuration(component) | Variable::Velocity(component) => return *component,
        };
        let count = |name: &&str| system.parameters().get(name).map_or(0, |value| value.numbers().len());
        let before = system.parameters().names().iter().take_while(|other| *other != name);
        before.map(count).sum::<usize>() + component
    }

    /// The parameters as a direction: the changes of these variables, and 0 in all other components.
    pub(crate) fn of_parameters<P: ParameterSet + Clone>(directions: &[(Self, f64)], parameters: &P) -> P {
        let mut slopes = parameters.clone();
        for &whole in parameters.names() {
            let mut numbers = parameters.get(whole).map(|value| value.numbers()).unwrap_or_default();
            numbers.fill(0.0);
            for (direction, size) in directions {
                if let Variable::Parameter { name, component } = direction
                    && *name == whole
                    && let Some(number) = numbers.get_mut(*component)
                {
                    *number += size;
                }
            }
            // A parameter accepts as many components as it has.
            let _ = slopes.set(whole, &numbers);
        }
        slopes
    }
}

/// The parameter components with this name: all components of a parameter, one component, or all components of a list item.
fn of_parameter<P: ParameterSet>(parameters: &P, name: &str) -> NamedVariables {
    let mut found = NamedVariables::new();
    let item = name_among_items(name);
    for &whole in parameters.names() {
        let Some(value) = parameters.get(whole) else { continue };
        let mut component = 0;
        value.for_each(whole, &mut |full, _| {
            let of_item = item.as_deref().filter(|item| is_within(full, item));
            let spelled = if name == whole || is_within(full, name) {
                Some(full.to_owned())
            } else {
                of_item.map(|item| format!("{name}{}", &full[item.len()..]))
            };
            found.extend(spelled.map(|name| (name, Variable::Parameter { name: whole, component })));
            component += 1;
        });
    }
    found
}

/// The components of the members with the name `q.name` or `v.name`.
fn of_member(description: &Description, prefix: &str, name: &str, direction: fn(usize) -> Variable) -> NamedVariables {
    let Some(rest) = name.strip_prefix(prefix).filter(|rest| rest.is_empty() || rest.starts_with('.')) else {
        return NamedVariables::new();
    };
    let wanted = rest.strip_prefix('.');
    let mut found = NamedVariables::new();
    for member in &*description.members {
        for component in 0..member.dof {
            let full = format!("{}[{component}]", member.name);
            if wanted.is_none_or(|wanted| is_within(&full, wanted)) {
                found.push((format!("{prefix}.{full}"), direction(member.offset + component)));
            }
        }
    }
    found
}
