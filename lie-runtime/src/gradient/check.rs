//! A comparison of the reverse-mode kernels with forward-mode derivatives of the kernels that they differentiate.

use super::{Variable, lifting};
use crate::group::TangentVector;
use crate::integrator::State;
use crate::scalar::{Dual, Scalar};
use crate::system::{
    Cotangents, DerivativeDeviation, Linearised, MechanicalSystem, ModelError, ParameterSet, Reverse, TangentSystem,
};

/// The functions that are contracted with weights.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Contracted {
    Residual,
    Constraint,
    Rate,
    Curvature,
}

const ALL: [(Contracted, &str); 4] = [
    (Contracted::Residual, "residual_pullback"),
    (Contracted::Constraint, "constraint_pullback"),
    (Contracted::Rate, "rate_pullback"),
    (Contracted::Curvature, "curvature_pullback"),
];

/// Compares every reverse-mode kernel with dual numbers through the differentiated kernel, along every component of q, v and the
/// parameters. The state may have arbitrary v' and λ.
///
/// [`derivative_check`](crate::system::derivative_check) compares the differentiated kernels with the declared functions. Entries are
/// compared relative to the largest entry of a kernel, at least 1.
///
/// # Errors
/// [`ModelError`] if the system on dual numbers cannot be created.
pub fn pullback_check<M>(system: &M, state: &State<M>) -> Result<Vec<DerivativeDeviation>, ModelError>
where
    M: Reverse<Scalar = f64> + TangentSystem<Lifted: Linearised>,
{
    let mut names: Vec<(String, Variable)> = Vec::new();
    let dof = system.dof();
    names.extend((0..dof).map(|at| (format!("component {at} of q"), Variable::Configuration(at))));
    names.extend((0..dof).map(|at| (format!("component {at} of v"), Variable::Velocity(at))));
    for &name in system.parameters().names() {
        let Some(value) = system.parameters().get(name) else { continue };
        let mut component = 0;
        value.for_each(name, &mut |full, _| {
            names.push((full.to_owned(), Variable::Parameter { name, component }));
            component += 1;
        });
    }
    let mut deviations = Vec::new();
    for (contracted, kernel) in ALL {
        let own = pulled_back(system, contracted, state);
        let (mut worst, mut size, mut entry) = (0.0, 1.0_f64, String::new());
        for ((name, direction), own) in names.iter().zip(&own) {
            let directions = [(direction.clone(), 1.0)];
            let lifted = system.varied(&Variable::of_parameters(&directions, system.parameters()))?;
            let moved = lifting::moved(system, &lifted, state, &directions);
            let exact = value(&lifted, contracted, &moved).eps;
            size = size.max(exact.abs());
            let error = (own - exact).abs();
            if error > worst || error.is_nan() {
                (worst, entry) = (error, name.clone());
            }
        }
        deviations.push(DerivativeDeviation { kernel, deviation: worst / size, entry });
    }
    Ok(deviations)
}

/// The weight of a component: an irregular sequence.
fn weight(at: usize) -> f64 {
    (1.0 + 2.7 * at as f64).sin()
}

fn weights<V: TangentVector>(mut vector: V) -> V {
    for at in 0..vector.component_count() {
        vector.set_component(at, V::Scalar::from_f64(weight(at)));
    }
    vector
}

/// The cotangents of q, v and the parameters, one after another.
fn pulled_back<M: Reverse<Scalar = f64>>(system: &M, contracted: Contracted, state: &State<M>) -> Vec<f64> {
    let State { time, configuration: q, velocity: v, acceleration, multipliers, .. } = state;
    let (mut of_configuration, mut of_velocity) = (system.zero_velocity(), system.zero_velocity());
    let mut of_parameters = vec![0.0; system.parameter_count() + system.input_count()];
    let out = &mut Cotangents {
        of_configuration: &mut of_configuration,
        of_velocity: &mut of_velocity,
        of_parameters: &mut of_parameters,
    };
    let (forces, rows) = (weights(system.zero_velocity()), weights(system.zero_multipliers()));
    match contracted {
        Contracted::Residual => system.residual_pullback(*time, q, v, acceleration, multipliers, &forces, out),
        Contracted::Constraint => system.constraint_pullback(*time, q, &rows, out),
        Contracted::Rate => system.rate_pullback(*time, q, v, &rows, out),
        Contracted::Curvature => system.curvature_pullback(*time, q, v, &rows, out),
    }
    let components = [&of_configuration, &of_velocity].into_iter();
    let of_motion = components.flat_map(|vector| (0..vector.component_count()).map(|at| vector.component(at)));
    of_motion.chain(of_parameters.iter().copied()).collect()
}

/// Contracts a function with the weights.
fn value<L>(system: &L, contracted: Contracted, state: &State<L>) -> Dual<f64>
where
    L: Linearised + MechanicalSystem<Scalar = Dual<f64>>,
{
    let State { time, configuration: q, velocity: v, acceleration, multipliers, .. } = state;
    let t = Dual::lift(*time);
    let mut rows = system.zero_multipliers();
    match contracted {
        Contracted::Residual => {
            let mut residual = system.zero_velocity();
            system.residual(t, q, v, acceleration, multipliers, &mut residual);
            return residual.dot(&weights(system.zero_velocity()));
        }
        Contracted::Constraint => system.constraint(t, q, &mut rows),
        Contracted::Rate => {
            let (mut jacobian, mut drift) = (system.zero_jacobian(), system.zero_multipliers());
            system.constraint_jacobian(t, q, &mut jacobian);
            system.jacobian_times(&jacobian, v, &mut rows);
            system.constraint_drift(t, q, &mut drift);
            rows.axpy(Dual::lift(1.0), &drift);
        }
        Contracted::Curvature => system.constraint_curvature(t, q, v, &mut rows),
    }
    rows.dot(&weights(system.zero_multipliers()))
}

#[cfg(test)]
mod tests {
    use super::weight;

    #[test]
    fn weights_tell_components_apart() {
        let all: Vec<f64> = (0..64).map(weight).collect();
        assert!((1..64).all(|at| all[..at].iter().all(|other| (other - all[at]).abs() > 1e-6)));
    }
}
