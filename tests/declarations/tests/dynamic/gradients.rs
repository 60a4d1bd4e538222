//! Adjoint gradients of systems from text.

use fixtures::systems::{driven, spheres};
use lie_runtime::dynamic::{DynamicModel, DynamicSystem};
use lie_runtime::gradient::{Adjoint, Derivatives, Gradient, GradientError, Objective};
use lie_runtime::integrator::AnyMethod;
use lie_runtime::nalgebra::DVector;
use lie_runtime::prelude::*;
use lie_runtime::system::Reverse;

use super::Pair;

/// Depends on every component of a state, without their order.
fn value<L: MechanicalSystem>(lifted: &L, state: &State<L>) -> L::Scalar {
    let (t, q, v) = (L::Scalar::from_f64(state.time), &state.configuration, &state.velocity);
    let energies = lifted.potential_energy(t, q) + lifted.kinetic_energy(t, q, v) * L::Scalar::from_f64(0.3);
    let rows = 0..state.multipliers.component_count();
    let multipliers = rows.map(|row| state.multipliers.component(row) * L::Scalar::from_f64(0.01 - 0.003 * row as f64));
    let sum = multipliers.fold(energies, |sum, part| sum + part);
    sum + v.dot(v) + v.dot(&state.acceleration) * L::Scalar::from_f64(0.02)
}

fn gradient<M>(
    system: &M,
    method: &str,
    q: &M::Configuration,
    v: &M::Velocity,
) -> Result<Gradient<M>, Box<GradientError<M>>>
where
    M: MultibodySystem + Reverse<Scalar = f64>,
    AnyMethod<M>: Adjoint<M>,
{
    let lifted = system.lift();
    let objective = Objective::<M>::new()
        .at_times([0.04], |_, state| value(&lifted, state))
        .at_end(|state| value(&lifted, state))
        .over_time(|state| value(&lifted, state));
    let run = Simulation::of(system).initial(q.clone(), v.clone()).step(0.02).end_time(0.2);
    run.method_named(method).unwrap().gradient_of(&objective)
}

/// Compares the gradients with all methods of both systems, and returns the number of methods with a gradient.
fn compare<M>(pair: &Pair<'_, M>, q: M::Configuration, v: M::Velocity) -> usize
where
    M: MultibodySystem + Reverse<Scalar = f64>,
    AnyMethod<M>: Adjoint<M>,
{
    // Consistent to round-off.
    let first = Simulation::of(pair.generated).initial(q, v).step(0.01).end_time(0.01).run().unwrap().first().clone();
    let (q, v) = (first.configuration, first.velocity);
    let (own, w) = (pair.configuration(&q), pair.vector(&v));
    let mut compared = 0;
    for method in
        ["hedop5", "herk3", "rkmk4", "lie_alpha", "tr_bdf2", "gauss4", "radau_iia3", "bliedf2", "rattlie", "cf4"]
    {
        let is_known = Simulation::of(pair.generated).initial(q.clone(), v.clone()).method_named(method).is_ok();
        if !is_known {
            continue;
        }
        let (one, two) =
            (gradient(pair.generated, method, &q, &v), gradient::<DynamicSystem>(&pair.dynamic, method, &own, &w));
        let (one, two) = match (one, two) {
            (Ok(one), Ok(two)) => (one, two),
            (Err(one), Err(two)) => {
                assert_eq!(one.to_string().split('.').next(), two.to_string().split('.').next(), "{method}");
                continue;
            }
            (one, two) => panic!("{method}: {:?} and {:?}", one.err(), two.err()),
        };
        let close = |what: &str, x: &DVector<f64>, y: &DVector<f64>| {
            let scale = 1.0 + x.amax();
            assert!((x - y).amax() <= 1e-12 * scale, "{method}: {what}: {x} and {y}");
        };
        let of_parameters = |names: &[String], by: &dyn Fn(&str) -> f64| {
            DVector::from_iterator(names.len(), names.iter().map(|name| by(name)))
        };
        let (slopes, others): (&Derivatives<M>, &Derivatives<DynamicSystem>) = (&one, &two);
        let names = &slopes.names;
        close("value", &DVector::from_element(1, one.value), &DVector::from_element(1, two.value));
        close(
            "parameters",
            &of_parameters(names, &|name| slopes.by(name).unwrap()),
            &of_parameters(names, &|name| others.by(name).unwrap()),
        );
        close("configuration", &pair.vector(&slopes.configuration), &others.configuration);
        close("velocity", &pair.vector(&slopes.velocity), &others.velocity);
        compared += 1;
    }
    compared
}

#[test]
fn equal_the_gradients_of_generated_systems() {
    let file = include_str!("../../../fixtures/src/systems/driven.rs");
    let (system, q, v) = driven::driven_pendulum_example();
    let compared = compare(&Pair::new((file, "driven_pendulum"), &system, &[]), q, v);
    assert!(compared >= 6, "{compared} methods");
    let (system, q, v) = driven::rolling_disc_example();
    let compared = compare(&Pair::new((file, "rolling_disc"), &system, &[]), q, v);
    assert!(compared >= 4, "{compared} methods");
}

#[test]
fn of_directions() {
    let file = include_str!("../../../fixtures/src/systems/spheres.rs");
    let data = spheres::double_pendulum::Pendulum { masses: [1.3, 0.7], lengths: [0.9, 1.2], gravity: 9.81 };
    let system = spheres::double_pendulum::System::new(data).unwrap();
    let q = spheres::double_pendulum::Links {
        links: [spheres::direction(1.0, 0.2, -0.3), spheres::direction(-0.1, 0.4, -1.0)],
    };
    let compared = compare(&Pair::new((file, "double_pendulum"), &system, &[]), q, system.zero_velocity());
    assert!(compared >= 3, "{compared} methods");
}

#[test]
fn of_dry_friction_and_unknown_values_are_errors() {
    let model = DynamicModel::from_text(
        "#[mechanical_system]
        mod sled {
            #[configuration] pub struct Place { pub x: f64 }
            #[parameters] pub struct Data { pub force: f64, pub slip: i32 }
            #[kinetic_energy] fn kinetic(v: &Velocity) -> f64 { 0.5 * v.x * v.x }
            #[potential] fn pull(p: &Data, q: &Place) -> f64 { -p.force * q.x }
            #[velocity_constraint(bound = 0.3, slip = p.slip)] fn ground(p: &Data, v: &Velocity) -> f64 { v.x }
        }",
    )
    .unwrap();
    let system = model.system([("force", &[2.0][..]), ("slip", &[1.0])]).unwrap();
    let (q, v) = (system.configuration([]).unwrap(), system.velocity([("x", &[1.0][..])]).unwrap());
    let x = system.state_value("x").unwrap();
    let end = Objective::<DynamicSystem>::new()
        .at_end(|state| x.of(&state.configuration, &state.velocity, &state.multipliers)[0]);
    let error = Simulation::of(&system).initial(q, v).step(0.1).end_time(1.0).gradient_of(&end).err().unwrap();
    assert!(error.to_string().starts_with("dry friction has no adjoint gradients"), "{error}");
    let unknown = system.state_value("velocity.y").unwrap_err().to_string();
    assert!(unknown.contains("`velocity.x`") && unknown.contains("`multipliers.ground`"), "{unknown}");
}
