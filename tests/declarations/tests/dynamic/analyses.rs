//! Observables, events and analyses of a system from text.

use lie_runtime::analysis::{Equilibrium, Linearisation};
use lie_runtime::dynamic::{DynamicError, DynamicModel, DynamicSystem, ModelLengths};
use lie_runtime::nalgebra::DVector;
use lie_runtime::prelude::*;
use lie_runtime::system::{Declared as _, ParameterSet, Parametrised};

use crate::gantry;

/// The generated system and the same from the text.
fn both() -> (gantry::gantry::System, DynamicSystem) {
    let model = DynamicModel::from_text(include_str!("gantry.rs")).expect("it compiles");
    let data = gantry::data();
    let numbers = |name: &str| data.get(name).expect("it is named").numbers();
    let values = ["masses", "inertia", "length", "stiffness", "damping"].map(|name| (name, numbers(name)));
    let values = values.iter().map(|(name, numbers)| (*name, &numbers[..])).chain([("has_stop", &[1.0][..])]);
    let dynamic = model.system(values).expect("the data are good");
    (gantry::gantry::System::new(data).expect("the data are good"), dynamic)
}

const ROPE: [f64; 4] = [0.96, 0.28, 0.0, 0.0];

fn start() -> (gantry::gantry::Crane, gantry::gantry::Velocity) {
    let rope = SO3::from_matrix(S3::from_coordinates(ROPE).unwrap().rotation_matrix()).unwrap();
    (
        gantry::gantry::Crane { rope, trolley: 0.35 },
        gantry::gantry::Velocity { rope: Vector3::new(0.1, 0.2, 0.3), trolley: -0.4 },
    )
}

/// The components of the generated system in the order of the one from text, whose real components come first.
const COMPONENTS: [usize; 4] = [3, 0, 1, 2];

#[test]
fn observables_events_and_sensitivities() {
    let (one, two) = both();
    let (q, v) = start();
    let own = two.configuration([("rope", &ROPE[..]), ("trolley", &[0.35])]).unwrap();
    let w = two.velocity([("rope", &[0.1, 0.2, 0.3][..]), ("trolley", &[-0.4])]).unwrap();
    let names = ["length", "masses[1]", "inertia", "damping", "v.trolley", "q.rope"];
    let one = Simulation::of(&one).initial(q, v).rtol(1e-8).end_time(2.0).with_sensitivities(names);
    let two = Simulation::of(&two).initial(own, w).rtol(1e-8).end_time(2.0).with_sensitivities(names);
    let one = one.declared_event("middle").record().run().unwrap();
    let two = two.declared_event("middle").record().run().unwrap();
    let of_one: Vec<f64> = one.trajectory.events_called("middle").map(|event| event.time).collect();
    let of_two: Vec<f64> = two.trajectory.events_called("middle").map(|event| event.time).collect();
    assert!(of_one.len() >= 2 && of_one.len() == of_two.len(), "{of_one:?} and {of_two:?}");
    assert!(of_one.iter().zip(&of_two).all(|(x, y)| (x - y).abs() < 1e-9));
    let (one, two) = (one.variations.last().unwrap(), two.variations.last().unwrap());
    assert_eq!(one.len(), two.len());
    for (x, y) in one.iter().zip(two) {
        for (at, component) in COMPONENTS.into_iter().enumerate() {
            let (x, y) = (x.velocity[component], y.velocity[at]);
            assert!((x - y).abs() < 1e-7 * (1.0 + x.abs()), "{x} and {y}");
        }
    }
}

#[test]
fn equilibrium_and_modes() {
    let (one, two) = both();
    let (q, _) = start();
    let own = two.configuration([("rope", &ROPE[..]), ("trolley", &[0.35])]).unwrap();
    let one_at_rest = Equilibrium::of(&one).guess(q).solve().unwrap();
    let two_at_rest = Equilibrium::of(&two).guess(own).solve().unwrap();
    let modes_of = |modes: Vec<lie_runtime::analysis::Mode>| {
        let mut frequencies: Vec<f64> = modes.iter().map(lie_runtime::analysis::Mode::frequency).collect();
        frequencies.sort_by(f64::total_cmp);
        frequencies
    };
    let q = &one_at_rest.state.configuration;
    let one = modes_of(Linearisation::of(&one).at(0.0, q, &one.zero_velocity()).unwrap().modes().unwrap());
    let q = &two_at_rest.state.configuration;
    let two = modes_of(Linearisation::of(&two).at(0.0, q, &two.zero_velocity()).unwrap().modes().unwrap());
    assert_eq!(one.len(), two.len());
    assert!(one.iter().zip(&two).all(|(x, y)| (x - y).abs() < 1e-8 * (1.0 + x)), "{one:?} and {two:?}");
}

#[test]
fn wrong_names_and_values_are_errors() {
    let model = DynamicModel::from_text(include_str!("gantry.rs")).unwrap();
    let message = |values: &[(&str, &[f64])]| model.system(values.iter().copied()).err().map(|error| error.to_string());
    let missing = message(&[("length", &[1.0])]).unwrap();
    assert!(
        missing.starts_with("the parameters `masses`, `inertia`, `stiffness`, `damping`, `has_stop` have no value")
    );
    let unknown = message(&[("lenght", &[1.0])]).unwrap();
    assert!(unknown.contains("no parameter `lenght`") && unknown.contains("`length`"), "{unknown}");
    let size = message(&[("inertia", &[1.0])]).unwrap();
    assert!(size.contains("`inertia` has 9 scalars"), "{size}");
    let (_, system) = both();
    let wrong = system.configuration([("rope", &[1.0, 0.1, 0.0, 0.0][..])]).unwrap_err();
    assert!(matches!(&wrong, DynamicError::NotInGroup { .. }), "{wrong}");
    let wrong = system.configuration([("trolley", &[f64::NAN][..])]).unwrap_err();
    assert!(wrong.to_string().contains("`trolley`"), "{wrong}");
    let mut parameters = system.parameters().clone();
    parameters.set("length", &[f64::INFINITY]).unwrap();
    assert!(system.with_parameters(parameters).unwrap_err().to_string().contains("`length`"));
}

#[test]
fn opaque_functions_need_the_macro() {
    let text = fixtures::text::declaration(include_str!("../../../fixtures/src/systems/mechanisms.rs"), "contraption");
    let error = DynamicModel::from_text(&text).unwrap_err().to_string();
    assert!(error.contains("the opaque function `bump` is not supported on a tape"), "{error}");
}

/// Rust has no other values of these types.
#[test]
fn integers_and_flags_are_checked() {
    let text = "
        #[mechanical_system]
        mod wheel {
            #[configuration] pub struct Angle { pub x: f64 }
            #[parameters] pub struct Data { pub teeth: u32, pub order: i64, pub small: u8, pub fast: bool }
            #[kinetic_energy] fn kinetic(v: &Velocity) -> f64 { 0.5 * v.x * v.x }
            #[potential] fn spring(p: &Data, q: &Angle) -> f64 {
                if p.fast { (p.teeth as i64 * p.order) as f64 * q.x } else { f64::from(p.small) * q.x }
            }
        }";
    let model = DynamicModel::from_text(text).unwrap();
    let system = |name: &str, value: f64| {
        let mut values = [("teeth", 20.0), ("order", -1.0), ("small", 7.0), ("fast", 1.0)];
        values.iter_mut().filter(|(known, _)| *known == name).for_each(|(_, given)| *given = value);
        model.system(values.iter().map(|(name, value)| (*name, core::slice::from_ref(value))))
    };
    for (name, values) in [
        ("teeth", &[-1.0, 2.5, 1e300, 40_000.0, f64::NAN, f64::INFINITY][..]),
        ("order", &[0.1, -40_000.0, f64::NAN]),
        ("small", &[-1.0, 256.0]),
        ("fast", &[-1.0, 2.0, 0.5, f64::NAN]),
    ] {
        for &value in values {
            let error = system(name, value).unwrap_err();
            let message = format!("`{name}` is {value}; set an integer from ");
            assert!(error.to_string().starts_with(&message), "{name}: {error}");
        }
    }
    let accepted = system("teeth", 32_767.0).unwrap();
    let (start, velocity) = (accepted.configuration([]).unwrap(), accepted.zero_velocity());
    let mut force = accepted.zero_velocity();
    accepted.force(0.0, &start, &velocity, &mut force);
    assert_eq!(force[0], 32_767.0);
}

#[test]
fn parameters_that_are_elements_are_in_their_group() {
    let model = DynamicModel::from_text(
        "#[mechanical_system]
        mod body {
            #[configuration] pub struct Attitude { pub attitude: SO3 }
            #[parameters] pub struct Spring { pub rest: SO3 }
            #[kinetic_energy] fn kinetic(v: &Velocity) -> f64 { 0.5 * v.attitude.norm_squared() }
            #[potential] fn spring(p: &Spring, q: &Attitude) -> f64 {
                (p.rest.inverse() * q.attitude).log().norm_squared()
            }
        }",
    )
    .unwrap();
    let stretched = [1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.1];
    let wrong = model.system([("rest", &stretched[..])]).unwrap_err();
    assert!(matches!(&wrong, DynamicError::NotInGroup { name, .. } if name == "rest"), "{wrong}");
    let mirror = [1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, -1.0];
    let wrong = model.system([("rest", &mirror[..])]).unwrap_err();
    assert!(matches!(&wrong, DynamicError::Reflection { name, .. } if name == "rest"), "{wrong}");
    // A quaternion is the same rotation: the angle of 2 arctan(3/4), whose square is the potential energy.
    let system = model.system([("rest", &[0.8, 0.0, 0.6, 0.0][..])]).unwrap();
    let q = system.configuration([]).unwrap();
    assert!((system.potential_energy(0.0, &q) - (2.0 * 0.75_f64.atan()).powi(2)).abs() < 1e-14);
}

/// A bead that slides off a dome, and links between nodes.
const WITH_REACTIONS: [&str; 2] = [
    "#[mechanical_system]
    mod bead {
        #[configuration] pub struct Place { pub x: R2 }
        #[kinetic_energy] fn kinetic(v: &Velocity) -> f64 { 0.5 * v.x.norm_squared() }
        #[potential] fn weight(q: &Place) -> f64 { 10.0 * q.x.y }
        #[constraint] fn dome(q: &Place) -> f64 { q.x.norm() - 1.0 }
        #[event] fn leaves(lambda: &Multipliers) -> f64 { lambda.dome }
    }",
    "#[mechanical_system]
    mod links {
        #[configuration] pub struct Nodes { pub nodes: Vec<R2> }
        #[kinetic_energy(over = nodes)] fn kinetic(v: &Vector2<f64>) -> f64 { 0.5 * v.norm_squared() }
        #[velocity_constraint(over = nodes.last())] fn blade(v: &Vector2<f64>) -> Vector2<f64> { *v }
        #[constraint(over = nodes.windows(2))] fn link([a, b]: [&R2; 2]) -> f64 { 0.5 * ((b - a).norm_squared() - 1.0) }
        #[event]
        fn weighted(lambda: &Multipliers) -> f64 {
            let links: f64 = lambda.link.iter().sum();
            links + 10.0 * lambda.link[1] + 100.0 * lambda.blade.y
        }
    }",
];

#[test]
fn events_read_the_multipliers() {
    let [bead, links] = WITH_REACTIONS;
    let system = DynamicModel::from_text(bead).unwrap().system([]).unwrap();
    // From rest at the angle α, cos θ = (2/3) cos α.
    let (sin, cos) = 0.2_f64.sin_cos();
    let start = system.configuration([("x", &[sin, cos][..])]).unwrap();
    let run = Simulation::of(&system).at_rest(start).declared_event("leaves").rising().stop();
    let run = run.full_order_multipliers().step(1e-3).end_time(5.0).run().unwrap();
    let last = run.last();
    let height = system.state_value("x").unwrap().of(&last.configuration, &last.velocity, &last.multipliers)[1];
    assert!((height - 2.0 / 3.0 * cos).abs() < 1e-9, "{height}");

    let model = DynamicModel::from_text_with(links, &ModelLengths::new().length("nodes", 3)).unwrap();
    let system = model.system([]).unwrap();
    let nodes = [("nodes[1]", &[1.0, 0.0][..]), ("nodes[2]", &[2.0, 0.0])];
    let q = system.configuration(nodes).unwrap();
    // Constraints on the configuration are first.
    let multipliers = DVector::from_vec(vec![1.0, 2.0, 3.0, 4.0]);
    let value = system.declared_event(0, 0.0, &q, &system.zero_velocity(), &multipliers);
    assert_eq!(value, 3.0 + 20.0 + 400.0);
}
