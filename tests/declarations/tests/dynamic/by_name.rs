//! A generated system and the same system from text through one object-safe trait.

use core::f64::consts::FRAC_PI_2;

use fixtures::systems::top_in_space;
use lie_runtime::analysis::Mode;
use lie_runtime::by_name::{AnyEnsemble, AnySystem, ByNameError, InitialValueProblem, RunRequest, Schema};
use lie_runtime::dynamic::DynamicModel;
use lie_runtime::ensemble::{MemberFailure, Samples};

use super::Pair;

/// The heavy top, generated and from text.
fn tops() -> [Box<dyn AnySystem>; 2] {
    let (system, q, v) = top_in_space::of_the_paper();
    let text = include_str!("../../../fixtures/src/systems/top_in_space.rs");
    let pair = Pair::new((text, "top_in_space"), &system, &[]);
    let of_text = InitialValueProblem::new(pair.dynamic.clone(), pair.configuration(&q), pair.vector(&v));
    [Box::new(InitialValueProblem::new(system, q, v)), Box::new(of_text)]
}

fn request() -> RunRequest {
    RunRequest::new().method("hedop5").step(1e-3).end_time(0.1)
}

/// Checks that two values agree up to round-off.
fn assert_close(x: f64, y: f64, tolerance: f64) {
    assert!((x - y).abs() <= tolerance * (1.0 + x.abs()), "{x} and {y}");
}

#[test]
fn both_have_the_same_names_shapes_and_methods() {
    let [one, two] = tops();
    let (schema, description) = (one.schema(), one.description());
    assert_eq!(schema, two.schema());
    let shapes: Vec<_> = schema.parameters.iter().map(|entry| (&entry.name[..], &entry.shape[..])).collect();
    let vector: &[usize] = &[3];
    let expected = [("mass", &[][..]), ("inertia", &[3, 3]), ("center_of_mass", vector), ("gravity", vector)];
    assert_eq!(shapes, expected);
    assert!(schema.columns.iter().any(|entry| entry.name == "multipliers.fixed_point" && entry.shape == [3]));
    assert_eq!((description.dof, &description.constraints), (two.description().dof, &two.description().constraints));
    assert_eq!((one.dimension(), one.constraint_rows()), (6, 3));
    assert_eq!(one.methods(), two.methods());
    assert_eq!(one.initial_values().record(), two.initial_values().record());
}

#[test]
fn units_and_documentation_are_doc_comments() {
    let [top, _] = tops();
    let Schema { parameters, columns, .. } = top.schema();
    let units: Vec<_> = parameters.iter().map(|entry| entry.unit.as_deref()).collect();
    assert_eq!(units, [Some("kg"), Some("kg m²"), Some("m"), Some("m/s²")]);
    assert_eq!(parameters[2].documentation, "The centre of mass in the body [m].\n\nThe origin is the fixed point.");
    let of = |name: &str| columns.iter().find(|entry| entry.name == name).expect("a column");
    assert_eq!(of("configuration.position").unit.as_deref(), Some("m"));
    assert_eq!(
        (&of("configuration.attitude").documentation[..], &of("configuration.attitude").unit),
        ("Body to space.", &None)
    );
    assert_eq!(of("multipliers.fixed_point").documentation, "The force in the fixed point [N].");
    assert_eq!((&of("energy.total").documentation[..], &of("velocity.position").unit), ("", &None));
}

#[test]
fn both_have_the_same_runs_and_gradients() {
    let runs = tops().map(|top| top.run(&request()).unwrap());
    let [one, two] = &runs;
    assert_eq!((one.samples.len(), one.method, one.statistics.accepted), (101, "hedop5", 100));
    let [one, two] = [one, two].map(|run| run.table(["t", "position", "attitude", "velocity", "fixed_point"]).unwrap());
    assert_eq!((one.names.len(), &one.names), (22, &two.names));
    for (x, y) in one.rows.iter().flatten().zip(two.rows.iter().flatten()) {
        assert_close(*x, *y, 1e-11);
    }
    let mut header = Vec::new();
    runs[0].write_csv(&mut header).unwrap();
    assert!(header.starts_with(b"t,position[0],"));

    let variables = ["mass", "inertia[1][1]", "center_of_mass", "v.attitude"];
    for column in ["position.z", "velocity.attitude[0]", "energy.total"] {
        let gradients = tops().map(|top| top.gradient(&request(), column, &variables).unwrap());
        let [one, two] = &gradients;
        assert_eq!(one[3].0, "center_of_mass[1]");
        assert_eq!(one.len(), 8);
        let largest = one.iter().fold(0.0, |largest: f64, (_, x)| largest.max(x.abs()));
        for ((name, x), (other, y)) in one.iter().zip(two) {
            assert_eq!(name, other);
            assert!((x - y).abs() <= 1e-9 * largest, "{column} by {name}: {x} and {y}");
        }
    }
    // The spin about the axis of the centre of mass moves nothing else, and the energy is constant.
    let [top, _] = tops();
    let spin = top.gradient(&request(), "energy.total", &["v.attitude[1]"]).unwrap()[0].1;
    assert_close(spin, 0.468_75 * 150.0, 1e-6);
    // Differences of runs with changed parameters.
    let [mut top, _] = tops();
    let exact = top.gradient(&request(), "position.z", &["inertia[1][1]"]).unwrap()[0].1;
    let [ahead, behind] = [1e-5, -1e-5].map(|change| {
        top.set("inertia[1][1]", &[0.468_75 + change]).unwrap();
        *top.run(&request()).unwrap().column("position.z").unwrap().last().unwrap()
    });
    assert_close(exact, (ahead - behind) / 2e-5, 1e-7);
    assert!(exact.abs() > 1e-3, "{exact}");
}

#[test]
fn both_have_the_modes_of_the_hanging_top() {
    let modes = tops().map(|mut top| {
        top.set("v", &[0.0; 6]).unwrap();
        top.set("q.attitude", &[-FRAC_PI_2, 0.0, 0.0]).unwrap();
        top.set("q.position", &[0.0, 0.0, -1.0]).unwrap();
        assert_eq!(top.get("q.position[2]").unwrap(), [-1.0]);
        assert_close(top.get("q.attitude").unwrap()[0], -FRAC_PI_2, 1e-15);
        top.linearise(&["v.attitude"]).unwrap().modes().unwrap()
    });
    let frequency = (15.0 * 9.81 / (0.234_375 + 15.0_f64)).sqrt();
    for modes in modes {
        let frequencies: Vec<f64> = modes.iter().map(Mode::frequency).collect();
        assert_eq!(frequencies.len(), 3);
        for (found, expected) in frequencies.into_iter().zip([0.0, frequency, frequency]) {
            assert_close(found, expected, 1e-13);
        }
    }
}

#[test]
fn parameters_are_read_and_set() {
    for mut top in tops() {
        top.set("inertia", &[1.0, 2.0, 3.0]).unwrap();
        assert_eq!(top.get("inertia").unwrap(), [1.0, 0.0, 0.0, 0.0, 2.0, 0.0, 0.0, 0.0, 3.0]);
        top.set("v.attitude[1]", &[7.0]).unwrap();
        assert_eq!(top.get("v.attitude").unwrap(), [0.0, 7.0, -4.61538]);
        let energy = top.run(&request().output_times(&[0.0])).unwrap().column("energy.kinetic").unwrap();
        let expected = 0.5 * (15.0 * 4.61538_f64.powi(2) + 2.0 * 49.0 + 3.0 * 4.61538_f64.powi(2));
        assert!((energy[0] - expected).abs() < 1e-3 * expected, "the projection changes little: {}", energy[0]);
    }
}

#[test]
fn the_equilibrium_of_a_system_from_text_becomes_its_initial_values() {
    let model = DynamicModel::from_text(include_str!("gantry.rs")).unwrap();
    let inertia = [0.4, 0.4, 0.1];
    let values = [("masses", &[3.0, 1.0][..]), ("inertia", &inertia), ("length", &[1.0]), ("stiffness", &[20.0])];
    let system = model.system(values.into_iter().chain([("damping", &[0.5][..]), ("has_stop", &[0.0])])).unwrap();
    let start = system.configuration([("rope", &[0.96, 0.28, 0.0, 0.0][..])]).unwrap();
    let mut crane: Box<dyn AnySystem> = Box::new(InitialValueProblem::at_rest(system, start));
    let found = crane.move_to_equilibrium().unwrap();
    let run = crane.run(&RunRequest::new().end_time(1.0)).unwrap();
    for (x, y) in found.configuration.numbers().iter().zip(run.samples.last().unwrap().configuration.numbers()) {
        assert_close(*x, y, 1e-9);
    }
}

#[test]
fn ensembles_have_the_results_of_single_runs() {
    let (system, q, v) = top_in_space::of_the_paper();
    let text = include_str!("../../../fixtures/src/systems/top_in_space.rs");
    let pair = Pair::new((text, "top_in_space"), &system, &[]);
    let of_text = InitialValueProblem::new(pair.dynamic.clone(), pair.configuration(&q), pair.vector(&v));
    let problems: [Box<dyn AnyEnsemble>; 2] = [Box::new(InitialValueProblem::new(system, q, v)), Box::new(of_text)];
    let rows = [[15.0, 0.4, 150.0, 0.0], [12.0, 0.5, 140.0, 1e-4], [-1.0, 0.4, 150.0, 0.0], [15.0, 0.4, 150.0, -1e-4]];
    let names = ["mass", "inertia[1][1]", "v.attitude[1]", "q.attitude[0]"];
    let request = request().output_times(&[0.0, 0.05, 0.1]);
    for (problem, [mut single, _]) in problems.into_iter().zip([tops(), tops()]) {
        // The mark of a parameter has no effect.
        let samples = Samples::listed(names, rows).with_variables(["mass"]).unwrap();
        let results = problem.ensemble(&request, samples, &["position", "energy.total"]).unwrap();
        let failed: Vec<usize> = results.failures().iter().map(|failure| failure.member).collect();
        assert_eq!((results.times(), failed), (&[0.0, 0.05, 0.1][..], vec![2]));
        assert_eq!(results.columns(), ["t", "position[0]", "position[1]", "position[2]", "energy.total"]);
        for (member, row) in rows.iter().enumerate() {
            let column = results.column("position[2]").unwrap();
            if member == 2 {
                assert!(matches!(
                    results.failures()[0].failure,
                    MemberFailure::Run { .. } | MemberFailure::Parameters(_)
                ));
                assert!(column.value(member, 1).is_nan());
                continue;
            }
            for (name, value) in names.iter().zip(row) {
                single.set(name, &[*value]).unwrap();
            }
            let expected = single.run(&request).unwrap().column("position.z").unwrap();
            for (state, expected) in expected.into_iter().enumerate() {
                assert_close(column.value(member, state), expected, 1e-12);
            }
        }
        let message = |samples, outputs: &[&str]| problem.ensemble(&request, samples, outputs).unwrap_err().to_string();
        let wrong = message(Samples::listed(["mas"], [[1.0]]), &[]);
        assert!(wrong.contains("unknown variable `mas`; did you mean `mass`? The parameters are `"), "{wrong}");
        let wrong = message(Samples::listed(["inertia"], [[1.0]]), &[]);
        assert!(wrong.contains("`inertia` has 9 components, found 1"), "{wrong}");
        let wrong = message(Samples::listed(["mass"], [[1.0]]), &["positoin"]);
        assert!(wrong.contains("unknown column `positoin`"), "{wrong}");
        let unknown = problem.ensemble(&RunRequest::new().method("hedop"), Samples::grid(), &[]).unwrap_err();
        assert!(matches!(unknown, ByNameError::Method(_)), "{unknown}");
    }
}

#[test]
fn unknown_names_are_errors_with_a_similar_name() {
    for mut top in tops() {
        let message = |error: Option<ByNameError>| error.unwrap().to_string();
        let wrong = message(top.set("mas", &[1.0]).err());
        assert!(wrong.contains("unknown variable `mas`; did you mean `mass`? The parameters are `"), "{wrong}");
        let wrong = message(top.get("v.atitude").err());
        assert!(wrong.contains("did you mean `v.attitude`?"), "{wrong}");
        let wrong = message(top.set("v.attitude", &[1.0]).err());
        assert!(wrong.contains("`v.attitude` has 3 components, found 1"), "{wrong}");
        let wrong = message(top.set("mass", &[f64::NAN]).err());
        assert!(wrong.contains("mass"), "{wrong}");
        let wrong = message(top.run(&request().method("hedop")).err());
        assert!(wrong.contains("did you mean `hedop5`?"), "{wrong}");
        let wrong = message(top.run(&request().method("lie_alpha").option("rho", "0.8")).err());
        assert!(wrong.contains("did you mean `rho_inf`?"), "{wrong}");
        let wrong = message(top.gradient(&request(), "positoin.z", &["mass"]).err());
        assert!(wrong.contains("did you mean `position`?"), "{wrong}");
        let Err(ByNameError::Run { record, .. }) = top.run(&request().method("hedop5").end_time(-1.0)) else {
            panic!("the end time is before the start")
        };
        assert!(record.samples.is_empty() && record.column("t").is_err());
    }
}

#[test]
fn a_failed_run_has_its_results() {
    let [top, _] = tops();
    let Err(ByNameError::Run { record, message, .. }) = top.run(&request().step(0.1).end_time(10.0)) else {
        panic!("the step is too long for 150 rad/s")
    };
    assert!(!record.samples.is_empty() && record.samples.last().unwrap().t < 10.0, "{message}");
}
