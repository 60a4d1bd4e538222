//! Joint limits of inverse kinematics.

use core::f64::consts::TAU;

use super::InverseKinematicsError;
use crate::group::TangentVector;
use crate::simulate::consistent::closure::FixedMembers;
use crate::simulate::setup::SetupError;
use crate::system::{MechanicalSystem, Report, scalar_coordinates};

/// A coordinate this close to its limit is at the limit.
const AT_LIMIT: f64 = 1e-12;

/// The requested limits of a member.
pub(super) struct LimitSpec<'a, M: MechanicalSystem> {
    name: String,
    interval: [f64; 2],
    /// The coordinate of each component of a velocity.
    coordinates: Coordinates<'a, M>,
}

/// Returns the coordinate of each component of a velocity that is the rate of a scalar coordinate.
type Coordinates<'a, M> = Box<dyn Fn(&<M as MechanicalSystem>::Configuration) -> Vec<Option<f64>> + 'a>;

impl<'a, M: MechanicalSystem<Scalar = f64>> LimitSpec<'a, M> {
    pub fn new(system: &'a M, name: String, interval: [f64; 2]) -> Self
    where
        M: Report,
    {
        let coordinates = Box::new(move |q: &M::Configuration| scalar_coordinates(system, q));
        LimitSpec { name, interval, coordinates }
    }

    fn error(&self, reason: &'static str) -> InverseKinematicsError {
        let [lower, upper] = self.interval;
        InverseKinematicsError::Limits { name: self.name.clone(), lower, upper, reason }
    }
}

/// A coordinate with limits.
struct LimitedComponent {
    name: String,
    component: usize,
    /// The current value; an angle of `SO2` continues beyond half a revolution.
    value: f64,
    interval: [f64; 2],
}

/// All coordinates with limits.
pub(super) struct LimitedComponents(Vec<LimitedComponent>);

impl LimitedComponents {
    /// Finds the components of the limited members that are not fixed, with their values in the guess.
    pub fn of<M: MechanicalSystem<Scalar = f64>>(
        limits: &[LimitSpec<'_, M>],
        system: &M,
        held: &FixedMembers,
        guess: &M::Configuration,
    ) -> Result<Self, InverseKinematicsError> {
        let mut found = Vec::new();
        for limit in limits {
            let [lower, upper] = limit.interval;
            // NaN is not an interval either.
            if !matches!(lower.partial_cmp(&upper), Some(core::cmp::Ordering::Less | core::cmp::Ordering::Equal)) {
                return Err(limit.error("the lower limit must not be above the upper limit"));
            }
            let name = core::slice::from_ref(&limit.name);
            let unknown = |name: &str| SetupError::unknown_member(name, system.description());
            let members =
                FixedMembers::of(name, system).map_err(|name| InverseKinematicsError::Setup(unknown(name)))?;
            let coordinates = (limit.coordinates)(guess);
            for (at, &component) in members.components.iter().enumerate() {
                let Some(mut value) = coordinates[component] else {
                    return Err(limit.error("limit a joint with scalar coordinates: `f64`, `SO2` or a vector"));
                };
                if held.components.contains(&component) {
                    continue;
                }
                if group_of(system, component).starts_with("SO(2)") {
                    value = closest_revolution(value, limit.interval);
                }
                let index = if members.components.len() > 1 { format!("[{at}]") } else { String::new() };
                let name = format!("{}{index}", limit.name);
                found.push(LimitedComponent { name, component, value, interval: limit.interval });
            }
        }
        Ok(LimitedComponents(found))
    }

    /// Writes the step from the guess to the nearest values within the limits into `out`.
    pub fn enter<V: TangentVector<Scalar = f64>>(&mut self, out: &mut V) {
        out.fill(0.0);
        for limited in &mut self.0 {
            let [lower, upper] = limited.interval;
            let inside = limited.value.max(lower).min(upper);
            if inside != limited.value {
                out.set_component(limited.component, inside - limited.value);
                limited.value = inside;
            }
        }
    }

    /// Returns the components that are at a limit and would leave it with this step.
    pub fn leaving<V: TangentVector<Scalar = f64>>(&self, step: &V) -> Vec<usize> {
        let leaves = |limited: &&LimitedComponent| {
            let (change, [lower, upper]) = (step.component(limited.component), limited.interval);
            (change > 0.0 && limited.value >= upper - AT_LIMIT) || (change < 0.0 && limited.value <= lower + AT_LIMIT)
        };
        self.0.iter().filter(leaves).map(|limited| limited.component).collect()
    }

    /// Returns the largest part of a step, at most 1, that leaves no limit.
    pub fn admissible_part<V: TangentVector<Scalar = f64>>(&self, step: &V) -> f64 {
        let part = |limited: &LimitedComponent| {
            let (change, [lower, upper]) = (step.component(limited.component), limited.interval);
            let room = if change > 0.0 { upper - limited.value } else { limited.value - lower };
            if change.abs() > room { room / change.abs() } else { 1.0 }
        };
        self.0.iter().map(part).fold(1.0, f64::min)
    }

    /// Adds a step to the values.
    pub fn advance<V: TangentVector<Scalar = f64>>(&mut self, step: &V) {
        for limited in &mut self.0 {
            limited.value += step.component(limited.component);
        }
    }

    /// True if the limits of a component permit this change.
    pub fn admits(&self, component: usize, change: f64) -> bool {
        self.0.iter().filter(|limited| limited.component == component).all(|limited| {
            let (value, [lower, upper]) = (limited.value + change, limited.interval);
            (lower - AT_LIMIT..=upper + AT_LIMIT).contains(&value)
        })
    }

    /// Returns the names of the coordinates at a limit.
    pub fn active(&self) -> Vec<String> {
        let is_at_limit = |limited: &&LimitedComponent| {
            let [lower, upper] = limited.interval;
            limited.value >= upper - AT_LIMIT || limited.value <= lower + AT_LIMIT
        };
        self.0.iter().filter(is_at_limit).map(|limited| limited.name.clone()).collect()
    }
}

/// Returns the group of the member that a component belongs to.
fn group_of<M: MechanicalSystem>(system: &M, component: usize) -> &'static str {
    let members = system.description().members.iter();
    let mut of_component = members.filter(|member| (member.offset..member.offset + member.dof).contains(&component));
    of_component.next().map_or("", |member| member.group)
}

/// Returns the angle in the revolution closest to an interval.
fn closest_revolution(angle: f64, [lower, upper]: [f64; 2]) -> f64 {
    let outside = |angle: f64| (lower - angle).max(angle - upper).max(0.0);
    let candidates = [lower, upper].into_iter().filter(|limit| limit.is_finite()).flat_map(|limit| {
        let closest = angle + TAU * ((limit - angle) / TAU).round();
        [closest, closest - TAU, closest + TAU]
    });
    candidates.fold(angle, |best, other| if outside(other) < outside(best) { other } else { best })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn angles_are_in_the_revolution_closest_to_their_limits() {
        for (angle, interval, expected) in [
            (-3.0, [2.5, 4.0], -3.0 + TAU),
            (0.5, [-1.0, 1.0], 0.5),
            (0.5, [7.0, f64::INFINITY], 0.5 + 2.0 * TAU),
            (3.0, [-4.0, -2.0], 3.0 - TAU),
        ] {
            assert_eq!(closest_revolution(angle, interval), expected, "{angle} {interval:?}");
        }
    }
}
