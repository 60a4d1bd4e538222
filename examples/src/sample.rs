//! What is known of a motion at one time, under the names of the declaration.

use lie_runtime::field::FieldReport;
use lie_runtime::group::TangentVector;
use lie_runtime::integrator::State;
use lie_runtime::system::Value;

use crate::example::Model;

/// A motion at one time.
#[derive(Clone, Debug, PartialEq)]
pub struct Sample {
    /// The time.
    pub t: f64,
    /// The members of q.
    pub configuration: Value,
    /// The members of v.
    pub velocity: Value,
    /// The multipliers under the names of their constraints.
    pub multipliers: Value,
    /// The declared observables.
    pub observables: Value,
    /// The energies.
    pub energy: Energy,
    /// How well the constraints hold.
    pub residual: Residual,
}

/// Energies.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Energy {
    /// The kinetic energy.
    pub kinetic: f64,
    /// The potential energy.
    pub potential: f64,
}

/// The largest absolute residuals of the constraints; zero without constraints.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Residual {
    /// Of Φ(t, q) = 0.
    pub position: f64,
    /// Of B v + b = 0.
    pub velocity: f64,
}

impl Sample {
    /// Evaluates all that is known of `state`.
    pub fn of<M: Model>(system: &M, state: &State<M>) -> Self {
        let (t, q, v) = (state.time, &state.configuration, &state.velocity);
        let mut position = system.zero_multipliers();
        system.constraint(t, q, &mut position);
        let (mut jacobian, mut rate, mut drift) =
            (system.zero_jacobian(), system.zero_multipliers(), system.zero_multipliers());
        system.constraint_jacobian(t, q, &mut jacobian);
        system.jacobian_times(&jacobian, v, &mut rate);
        system.constraint_drift(t, q, &mut drift);
        rate.axpy(1.0, &drift);
        Sample {
            t,
            configuration: system.report_configuration(q),
            velocity: system.report_velocity(v),
            multipliers: system.report_multipliers(&state.multipliers),
            observables: system.report_observables(t, q, v),
            energy: Energy { kinetic: system.kinetic_energy(t, q, v), potential: system.potential_energy(t, q) },
            residual: Residual { position: position.max_norm(), velocity: rate.max_norm() },
        }
    }

    /// Evaluates all that is known of a point of a field; its defects stand for residuals.
    pub fn of_field<P, S: FieldReport<P>>(system: &S, t: f64, point: &P) -> Self {
        let [position, velocity] = system.defect(point);
        Sample {
            t,
            configuration: system.report_configuration(point),
            velocity: system.report_velocity(point),
            multipliers: Value::Record(Vec::new()),
            observables: system.report_observables(t, point),
            energy: Energy { kinetic: system.kinetic_energy(t, point), potential: system.potential_energy(t, point) },
            residual: Residual { position, velocity },
        }
    }

    /// The sample as one record, in the order in which it is printed.
    pub fn record(&self) -> Value {
        Value::Record(vec![
            ("t", Value::Scalar(self.t)),
            ("configuration", self.configuration.clone()),
            ("velocity", self.velocity.clone()),
            ("multipliers", self.multipliers.clone()),
            ("observables", self.observables.clone()),
            (
                "energy",
                Value::Record(vec![
                    ("kinetic", Value::Scalar(self.energy.kinetic)),
                    ("potential", Value::Scalar(self.energy.potential)),
                ]),
            ),
            (
                "residual",
                Value::Record(vec![
                    ("position", Value::Scalar(self.residual.position)),
                    ("velocity", Value::Scalar(self.residual.velocity)),
                ]),
            ),
        ])
    }

    /// The numbers of an observable; none if there is no such observable.
    pub fn observable(&self, name: &str) -> Vec<f64> {
        self.observables.get(name).map(Value::numbers).unwrap_or_default()
    }
}
