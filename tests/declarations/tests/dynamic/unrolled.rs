//! Declarations with lists and frames at run time.

use lie_runtime::dynamic::{DynamicModel, ModelLengths};
use lie_runtime::nalgebra::Matrix3;
use lie_runtime::prelude::*;
use lie_runtime::simulate::Methods;
use lie_runtime::system::{Linearised, Value};

use crate::Pair;
use crate::tree::{crane, net};

/// An implicit method whose iteration ends at round-off.
pub(crate) const TIGHT_ALPHA: (&str, &[(&str, &str)]) = ("lie_alpha", &[("newton_tolerance", "1e-13")]);

const FILE: &str = include_str!("tree.rs");

/// Compares the last states of runs with one method.
pub(crate) fn compare_run<M: MultibodySystem>(
    pair: &Pair<'_, M>,
    q: &M::Configuration,
    (method, options): (&str, &[(&str, &str)]),
) {
    let (own, generated) = (&pair.dynamic, pair.generated);
    let v = generated.zero_velocity();
    let one = Simulation::of(generated).initial(q.clone(), v.clone()).step(1e-3).end_time(0.05);
    let two = Simulation::of(own).initial(pair.configuration(q), pair.vector(&v)).step(1e-3).end_time(0.05);
    let one = one.method_from(&Methods::all(), method, options).unwrap().run().unwrap();
    let two = two.method_from(&Methods::all(), method, options).unwrap().run().unwrap();
    let columns = |record: Value| {
        let mut columns: Vec<(String, f64)> = vec![];
        record.for_each("", &mut |name, value| columns.push((name.to_owned(), value)));
        columns.retain(|(name, _)| !name.starts_with("work"));
        columns
    };
    let [one, two] = [columns(one.samples().last().unwrap().record()), columns(two.samples().last().unwrap().record())];
    let names = |columns: &[(String, f64)]| columns.iter().map(|(name, _)| name.clone()).collect::<Vec<_>>();
    assert_eq!(names(&one), names(&two));
    for ((name, x), (_, y)) in one.iter().zip(&two) {
        // With constraints of positions λ has the round-off of Φ, about 1e-13, divided by the square of the step.
        let is_magnified = name.starts_with("multipliers") && method == "lie_alpha";
        let tolerance = if is_magnified { 1e-7 } else { 1e-9 };
        assert!((x - y).abs() <= tolerance * (1.0 + x.abs()), "{method}: {name}: {x} and {y}");
    }
}

#[test]
fn trees_are_those_of_the_generated_system() {
    let data = |rod: f64| crane::Data {
        masses: vec![1.0, 2.0, 0.5, 1.5, 0.7, 0.9],
        offsets: vec![Vector3::new(0.0, 0.4, 0.1), Vector3::new(0.1, 0.5, 0.0), Vector3::new(0.0, 0.0, 0.6)],
        inertia: Matrix3::new(0.2, 0.01, 0.0, 0.01, 0.3, 0.02, 0.0, 0.02, 0.25),
        stiffness: 3.0,
        rotor: 0.4,
        rod,
    };
    // The first frame of the list is a child of the second: the order of the frames is free.
    let parents = vec![Some(1), None, Some(1), Some(0), Some(2), Some(3)];
    let springs = vec![[0, 4], [5, 2]];
    let lengths = || crane::Lengths { hinges: 3, slides: 2, parents: parents.clone(), springs: springs.clone() };
    let q = crane::Joints {
        hinges: [0.4, -0.3, 0.9].map(SO2::from_angle).to_vec(),
        slides: vec![0.2, -0.1],
        hub: SO3::exp(&Vector3::new(0.3, -0.2, 0.5)),
    };
    let open = crane::System::new(data(0.0), lengths()).unwrap();
    let frames = open.link_frames(0.0, &q);
    let rod = (frames[1].position() - frames[3].position()).norm_squared();
    let system = crane::System::new(data(rod), lengths()).unwrap();
    let own = ModelLengths::new()
        .length("hinges", 3)
        .length("slides", 2)
        .length("masses", 6)
        .length("offsets", 3)
        .parents("parents", parents.clone())
        .connections("springs", springs.clone());
    let pair = Pair::with_lengths((FILE, "crane"), &own, &system, &[]);
    pair.compare_kernels_to(1e-12, &q);
    for method in ["rkmk4", "hedop5", "tr_bdf2"] {
        compare_run(&pair, &q, (method, &[]));
    }
    compare_run(&pair, &q, TIGHT_ALPHA);
}

#[test]
fn nets_are_those_of_the_generated_system() {
    let data = net::Data { masses: vec![1.0, 2.0, 1.5, 0.8], beams: vec![5.0, 4.0, 3.0] };
    let (ropes, supports) = (vec![[2, 0], [1, 1]], vec![[2], [3]]);
    let lengths = net::Lengths { nodes: 4, ropes: ropes.clone(), supports: supports.clone() };
    let system = net::System::new(data, lengths).unwrap();
    let own = ModelLengths::new()
        .length("nodes", 4)
        .length("masses", 4)
        .length("beams", 3)
        .connections("ropes", ropes)
        .connections("supports", supports);
    let pair = Pair::with_lengths((FILE, "net"), &own, &system, &[]);
    let place = |n: usize| {
        let n = n as f64;
        SE3::new(SO3::exp(&Vector3::new(0.1 * n, 0.05, -0.2)), Vector3::new(0.9 * n, 0.1 * n, 0.0))
    };
    let q = net::Net {
        nodes: (0..4).map(place).collect(),
        cart: R1::new(0.3),
        weights: [Vector3::new(1.0, 0.0, -0.5), Vector3::new(0.7, 0.2, -0.4)],
    };
    pair.compare_kernels_to(1e-12, &q);
    compare_run(&pair, &q, ("hedop5", &[]));
    compare_run(&pair, &q, TIGHT_ALPHA);
}

#[test]
fn missing_and_wrong_lengths_are_errors() {
    let text = fixtures::text::declaration(FILE, "net");
    let message = |lengths: &ModelLengths| DynamicModel::from_text_with(&text, lengths).unwrap_err().to_string();
    let error = message(&ModelLengths::new());
    assert!(error.contains("error[back-end]: the length of the chain `nodes` is missing"), "{error}");
    assert!(error.contains("give the length: `ModelLengths::new().length(\"nodes\", 5)`"), "{error}");
    let lengths = ModelLengths::new().length("nodes", 4).length("beams", 3).connections("ropes", [[0, 0]]);
    let error = message(&lengths);
    assert!(error.contains("the length of the list `masses` is missing"), "{error}");
    let lengths = lengths.length("masses", 4);
    assert!(message(&lengths).contains("the connections `supports` are missing"));
    let wrong = lengths.clone().connections("supports", [[4]]);
    assert!(message(&wrong).contains("the connection [4] of `supports` is not a tuple of different members"));
    let wrong = lengths.clone().connections("supports", [[3]]).length("knots", 3);
    assert!(message(&wrong).contains("the declaration has no list `knots`"));
    let short = lengths.clone().connections("supports", [[0]]).length("nodes", 1);
    assert!(message(&short).contains("needs 2 members of `nodes`, which has 1"), "{}", message(&short));
    // The list `beams` has one item less than its term reads.
    let short = lengths.connections("supports", [[0]]).length("beams", 2);
    assert!(message(&short).contains("beams"), "{}", message(&short));
    // One item more than there are elements, of a list of numbers and of a list of structs.
    for (list, length) in [("masses", 4), ("beams", 3)] {
        let long = short.clone().connections("supports", [[3]]).length("beams", 3).length(list, length + 1);
        let expected = format!("the list `{list}` has {} items, and the functions read {length}", length + 1);
        assert!(message(&long).contains(&expected), "{}", message(&long));
    }
}

#[test]
fn too_many_elements_are_an_error() {
    let text = fixtures::text::declaration(FILE, "net");
    let lengths = ModelLengths::new()
        .length("nodes", 400)
        .length("masses", 400)
        .length("beams", 399)
        .connections("supports", [[3]])
        .connections("ropes", [[0, 0]]);
    let error = DynamicModel::from_text_with(&text, &lengths).unwrap_err().to_string();
    assert!(error.contains("is too large to unroll"), "{error}");
    assert!(error.contains("give smaller lengths, or compile the declaration with the macro"), "{error}");
}

#[test]
fn mass_matrices_of_elements_are_added() {
    let text = "#[mechanical_system]
        mod bar {
            #[configuration] pub struct Bar { pub nodes: Vec<f64> }
            #[parameters] pub struct Data { pub masses: Vec<f64> }
            #[mass_matrix(over = nodes.windows(2))]
            fn consistent(p: &Data, index: usize) -> Matrix2<f64> { Matrix2::new(2.0, 1.0, 1.0, 2.0) * p.masses[index] }
        }";
    let lengths = ModelLengths::new().length("nodes", 3).length("masses", 2);
    let model = DynamicModel::from_text_with(text, &lengths).unwrap_or_else(|error| panic!("{error}"));
    let system = model.system([("masses", &[1.0, 10.0][..])]).unwrap();
    let q = system.configuration([]).unwrap();
    let mut mass = system.zero_matrix();
    system.mass_matrix(0.0, &q, &mut mass);
    assert_eq!(mass.as_slice(), [2.0, 1.0, 0.0, 1.0, 22.0, 10.0, 0.0, 10.0, 20.0]);
    let v = system.velocity([("nodes[1]", &[1.0][..]), ("nodes[2]", &[1.0])]).unwrap();
    assert_eq!(system.kinetic_energy(0.0, &q, &v), 0.5 * (22.0 + 2.0 * 10.0 + 20.0));
}

/// L z' = u − R z, and x'' = k z.
#[test]
fn auxiliary_states_are_columns_and_velocities() {
    let model = DynamicModel::from_text(
        "#[mechanical_system]
        mod drive {
            #[configuration] pub struct Pose { pub x: f64, pub turn: SO3 }
            #[states] pub struct Motor { pub current: f64, pub filter: Vector2<f64> }
            #[parameters] pub struct Data { pub inductance: f64, pub resistance: f64, pub voltage: f64, pub gain: f64 }
            #[kinetic_energy] fn kinetic(v: &Velocity) -> f64 { 0.5 * v.x * v.x + 0.5 * v.turn.norm_squared() }
            #[force(on = x)] fn pull(p: &Data, z: &Motor) -> f64 { p.gain * z.current }
            #[rate] fn circuit(p: &Data, q: &Pose, z: &Motor) -> Motor {
                Motor {
                    current: (p.voltage - p.resistance * z.current) / p.inductance,
                    filter: Vector2::new(q.x - z.filter.x, z.filter.x - z.filter.y),
                }
            }
            #[observable] fn power(p: &Data, z: &Motor) -> f64 { p.voltage * z.current }
        }",
    )
    .unwrap_or_else(|error| panic!("{error}"));
    assert_eq!((model.description().states, model.description().dof), (3, 7));
    assert_eq!(model.member_names(), ["x", "turn", "states.current", "states.filter"]);
    let values = [("inductance", 0.5), ("resistance", 2.0), ("voltage", 3.0), ("gain", 4.0)];
    let system = model.system(values.each_ref().map(|(name, value)| (*name, core::slice::from_ref(value)))).unwrap();
    let q = system.configuration([]).unwrap();
    let v = system.velocity([("states.current", &[1.0][..]), ("turn", &[0.1, 0.2, 0.3])]).unwrap();
    // z = 1.5 − 0.5 e^(−4t), x'' = 4 z.
    let z = |t: f64| 1.5 - 0.5 * (-4.0 * t).exp();
    for method in ["rkmk4", "hedop5", "tr_bdf2", "lie_alpha"] {
        let run = Simulation::of(&system).initial(q.clone(), v.clone()).step(1e-3).end_time(1.0);
        let Ok(run) = run.method_named(method) else { panic!("{method} exists") };
        let run = run.run().unwrap_or_else(|error| panic!("{method}: {error}"));
        let last = |name: &str| *run.column(name).unwrap().last().unwrap();
        assert!((last("states.current") - z(1.0)).abs() < 1e-5, "{method}: {}", last("states.current"));
        assert!((last("power") - 3.0 * z(1.0)).abs() < 1e-4, "{method}");
        assert_eq!(run.column("states.filter[1]").unwrap().len(), run.column("t").unwrap().len());
        // x = 3 t² − (e^(−4t) − 1 + 4 t) / 8.
        let x = 3.0 - ((-4.0_f64).exp() - 1.0 + 4.0) / 8.0;
        assert!((last("x") - x).abs() < 1e-5, "{method}: {} and {x}", last("x"));
    }
}
