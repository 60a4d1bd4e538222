//! Systems from text with inputs.

use lie_runtime::analysis::{Equilibrium, Linearisation};
use lie_runtime::by_name::{AnySystem, ByNameError, InitialValueProblem, RunRequest};
use lie_runtime::dynamic::{DynamicError, DynamicSystem};
use lie_runtime::inputs::{InputError, InputSignal, Interpolation, Table, TableError};
use lie_runtime::nalgebra;
use lie_runtime::prelude::*;
use lie_runtime::simulate::{Failure, SetupError};
use lie_runtime::system::{Report, Value};

use super::Pair;
use super::runs::compare_runs;

/// A load on a cable of variable length.
#[mechanical_system]
pub mod hoist {
    use lie_runtime::prelude::*;

    #[configuration]
    pub struct Place {
        pub load: R2,
        pub trolley: f64,
    }

    #[parameters]
    #[derive(Clone)]
    pub struct Data {
        pub masses: Vector2<f64>,
        pub length: f64,
        pub stiffness: f64,
    }

    #[inputs]
    pub struct Drive {
        pub motor: f64,
        pub wind: Vector2<f64>,
        pub anchor: f64,
        pub winch: f64,
    }

    #[kinetic_energy]
    fn kinetic(p: &Data, v: &Velocity) -> f64 {
        0.5 * p.masses[0] * v.trolley * v.trolley + 0.5 * p.masses[1] * v.load.norm_squared()
    }

    #[potential]
    fn weight(p: &Data, q: &Place, u: &Drive) -> f64 {
        let stretch = q.trolley - u.anchor;
        9.81 * p.masses[1] * q.load.y + 0.5 * p.stiffness * stretch * stretch
    }

    #[force(on = trolley)]
    fn drive(u: &Drive, v: &Velocity) -> f64 {
        u.motor - 0.2 * v.trolley
    }

    #[force(on = load)]
    fn drag(u: &Drive, v: &Velocity) -> Vector2<f64> {
        (u.wind - v.load) * 0.3
    }

    #[constraint]
    fn cable(p: &Data, q: &Place, u: &Drive) -> f64 {
        let length = p.length - u.winch;
        (q.load - Vector2::new(q.trolley, 0.0)).norm_squared() - length * length
    }

    #[observable]
    fn sway(q: &Place, u: &Drive) -> f64 {
        q.load.x - q.trolley + u.motor
    }
}

const TABLE: &str = "t,motor,wind[0],wind[1],anchor,winch
0.0,0.0,1.0,0.0,0.0,0.0
0.1,0.5,2.0,0.1,0.1,0.0005
0.25,0.7,1.5,-0.2,0.15,0.002
0.4,0.2,0.5,0.3,0.1,0.004
0.6,0.1,0.0,0.0,0.0,0.004
";

fn data() -> hoist::Data {
    hoist::Data { masses: Vector2::new(3.0, 2.0), length: 1.2, stiffness: 40.0 }
}

/// The columns of an input of [`TABLE`].
fn csv(input: &str) -> String {
    let header: Vec<&str> = TABLE.lines().next().unwrap().split(',').collect();
    let is_wanted = |at: &usize| header[*at] == "t" || header[*at].split('[').next() == Some(input);
    let line = |line: &str| {
        let cells: Vec<&str> = line.split(',').collect();
        (0..cells.len()).filter(is_wanted).map(|at| cells[at]).collect::<Vec<_>>().join(",")
    };
    TABLE.lines().map(line).collect::<Vec<_>>().join("\n")
}

fn pair(generated: &hoist::System) -> Pair<'_, hoist::System> {
    let Pair { generated, dynamic, components } = Pair::new((include_str!("inputs.rs"), "hoist"), generated, &[]);
    let driven = ["motor", "wind", "anchor", "winch"].into_iter().fold(dynamic, |system, input| {
        system.with_input_csv(input, &csv(input), Interpolation::Cubic).expect("the table is good")
    });
    Pair { generated, dynamic: driven, components }
}

fn generated() -> hoist::System {
    let table = Table::from_csv(TABLE, Interpolation::Cubic).expect("the table is good");
    hoist::System::new(data()).expect("the data are good").with_inputs_from(table)
}

#[test]
fn inputs_of_forces_potentials_and_constraints() {
    let generated = generated();
    let pair = pair(&generated);
    let q = hoist::Place { load: Vector2::new(0.3, -1.1), trolley: 0.1 };
    pair.compare_kernels_to(1e-12, &q);
    let q = hoist::Place { load: Vector2::new(0.0, -1.2), trolley: 0.0 };
    let compared = compare_runs(&pair, &q, &generated.zero_velocity(), 0.01, 1e-9);
    assert!(compared > 20, "{compared} methods");
    // Over all rows of the table.
    let start = pair.configuration(&q);
    let one = Simulation::of(&generated).at_rest(q).step(0.005).end_time(0.6).run().unwrap();
    let two = Simulation::of(&pair.dynamic).at_rest(start.clone()).step(0.005).end_time(0.6).run().unwrap();
    for column in ["t", "load[0]", "load[1]", "trolley", "sway", "inputs.wind[1]", "multipliers.cable"] {
        let [one, two] = [one.column(column).unwrap(), two.column(column).unwrap()];
        assert_eq!(one.len(), two.len());
        let worst = one.iter().zip(&two).map(|(x, y)| (x - y).abs()).fold(0.0, f64::max);
        assert!(worst < 1e-9 * (1.0 + one[0].abs()), "{column}: {worst}");
    }
    // Error control ends steps at the bends of the tables.
    let one = Simulation::of(&generated).at_rest(q).rtol(1e-9).atol(1e-10).end_time(0.6).run().unwrap();
    let two = Simulation::of(&pair.dynamic).at_rest(start).rtol(1e-9).atol(1e-10).end_time(0.6).run().unwrap();
    assert_eq!(one.statistics.accepted, two.statistics.accepted);
}

/// The times of [`TABLE`] and the rows of an input.
fn signal(input: &str, interpolation: Interpolation) -> InputSignal {
    let numbers = |line: &str| line.split(',').map(|cell| cell.parse().unwrap()).collect();
    let lines: Vec<Vec<f64>> = csv(input).lines().skip(1).map(numbers).collect();
    let (times, rows) = lines.iter().map(|line| (line[0], line[1..].to_vec())).unzip();
    InputSignal::Table { times, rows, interpolation }
}

#[test]
fn signals_by_the_names_of_inputs() {
    let undriven = hoist::System::new(data()).unwrap();
    let Pair { dynamic, .. } = Pair::new((include_str!("inputs.rs"), "hoist"), &undriven, &[]);
    let q = hoist::Place { load: Vector2::new(0.0, -1.2), trolley: 0.0 };
    let start = dynamic.configuration([("load", &[0.0, -1.2][..])]).unwrap();
    let systems: [Box<dyn AnySystem>; 2] = [
        Box::new(InitialValueProblem::at_rest(undriven.clone(), q)),
        Box::new(InitialValueProblem::at_rest(dynamic, start)),
    ];
    let fixed = RunRequest::new().method("hedop5").step(0.005).end_time(0.6);
    let controlled = RunRequest::new().method("hedop5").rtol(1e-9).atol(1e-10).end_time(0.6);
    let (typed, columns) = (generated(), ["t", "load", "trolley", "sway", "inputs", "multipliers.cable"]);
    let simulation = || Simulation::of(&typed).at_rest(q).method_named("hedop5").unwrap().end_time(0.6);
    let expected = simulation().step(0.005).run().unwrap().table(columns).unwrap();
    let accepted = simulation().rtol(1e-9).atol(1e-10).run().unwrap().statistics.accepted;
    let gradients = systems.map(|mut system| {
        let failure = |system: &dyn AnySystem| match system.run(&fixed) {
            Err(ByNameError::Run { failure, .. }) => match *failure {
                Failure::Inputs(error) | Failure::Setup(SetupError::Inputs(error)) => error,
                other => panic!("{other}"),
            },
            _ => panic!("the inputs are wrong"),
        };
        system.set_input("motor", &InputSignal::Constant(vec![0.1])).unwrap();
        assert_eq!(failure(&*system), InputError::MissingByName { fields: vec!["wind", "anchor", "winch"] });
        for input in ["wind", "anchor", "winch"] {
            system.set_input(input, &signal(input, Interpolation::Linear)).unwrap();
        }
        assert!(matches!(failure(&*system), InputError::NotSmooth { function: "cable" }));
        for input in ["anchor", "winch"] {
            system.set_input(input, &signal(input, Interpolation::Cubic)).unwrap();
        }
        // Tables of forces can have kinks.
        system.run(&fixed).unwrap();
        for input in ["motor", "wind"] {
            system.set_input(input, &signal(input, Interpolation::Cubic)).unwrap();
        }
        let found = system.run(&fixed).unwrap().table(columns).unwrap();
        assert_eq!((&found.names, found.rows.len()), (&expected.names, 121));
        for (x, y) in expected.rows.iter().flatten().zip(found.rows.iter().flatten()) {
            assert!((x - y).abs() < 1e-11 * (1.0 + x.abs()), "{x} and {y}");
        }
        // Error control ends steps at the bends of all tables.
        assert_eq!(system.run(&controlled).unwrap().statistics.accepted, accepted);

        let message = |result: Result<(), ByNameError>| result.unwrap_err().to_string();
        let unknown = message(system.set_input("moter", &InputSignal::Constant(vec![0.0])));
        assert!(unknown.contains("unknown input `moter`") && unknown.contains("did you mean `motor`?"), "{unknown}");
        let count = message(system.set_input("wind", &InputSignal::Constant(vec![0.0])));
        assert!(count.contains("`wind` has 2 components, found 1"), "{count}");
        let table = InputSignal::Table {
            times: vec![1.0, 0.0],
            rows: vec![vec![0.0]; 2],
            interpolation: Interpolation::Linear,
        };
        assert!(message(system.set_input("motor", &table)).contains("sort the rows"));

        let value = |system: &dyn AnySystem| *system.run(&fixed).unwrap().column("trolley").unwrap().last().unwrap();
        let exact = system.gradient(&fixed, "trolley", &["stiffness"]).unwrap()[0].1;
        let [ahead, behind] = [40.01, 39.99].map(|stiffness| {
            system.set("stiffness", &[stiffness]).unwrap();
            value(&*system)
        });
        assert!((exact - (ahead - behind) / 0.02).abs() < 1e-8, "{exact}");
        exact
    });
    assert!((gradients[0] - gradients[1]).abs() < 1e-11 && gradients[0].abs() > 1e-4, "{gradients:?}");
    let hold = |_: f64, _: &hoist::Place, v: &hoist::Velocity| hoist::Drive {
        motor: -v.trolley,
        wind: Vector2::zeros(),
        anchor: 0.0,
        winch: 0.0,
    };
    let mut feedback = InitialValueProblem::at_rest(undriven.with_inputs(hold), q);
    let refused = feedback.set_input("motor", &InputSignal::Constant(vec![0.0]));
    assert!(refused.unwrap_err().to_string().contains("depend on the state"));
}

#[test]
fn sampled_controllers_by_name() {
    let generated = generated();
    let Pair { dynamic, components, .. } = Pair::new((include_str!("inputs.rs"), "hoist"), &generated, &[]);
    let driven = ["anchor", "winch"].into_iter().fold(dynamic, |system, input| {
        system.with_input_csv(input, &csv(input), Interpolation::Cubic).expect("the table is good")
    });
    let pair = Pair { generated: &generated, dynamic: driven, components };
    let q = hoist::Place { load: Vector2::new(0.0, -1.2), trolley: 0.0 };
    let law = |sum: &mut f64, trolley: f64, rate: f64, load: f64| {
        *sum += 0.02 * trolley;
        (-30.0 * trolley - 5.0 * *sum - 4.0 * rate, [0.5 * load, 0.1])
    };
    let (mut sum, mut other) = (0.0, 0.0);
    // Inputs that are functions of time have other values here, which have no effect.
    let control = |_: f64, q: &hoist::Place, v: &hoist::Velocity| {
        let (motor, wind) = law(&mut sum, q.trolley, v.trolley, q.load.x);
        hoist::Drive { motor, wind: Vector2::from(wind), anchor: 9.0, winch: 9.0 }
    };
    let by_name = |system: &DynamicSystem, state: &State<DynamicSystem>| {
        let value = |values: Value, member: &str| values.get(member).unwrap().numbers()[0];
        let (q, v) = (|| system.report_configuration(&state.configuration), system.report_velocity(&state.velocity));
        let (motor, wind) = law(&mut other, value(q(), "trolley"), value(v, "trolley"), value(q(), "load"));
        [("wind", wind.to_vec()), ("motor", vec![motor])]
    };
    let one = Simulation::of(&generated).at_rest(q).controller(0.02, control).rtol(1e-8).end_time(0.5).run().unwrap();
    let start = pair.configuration(&q);
    let two = Simulation::of(&pair.dynamic).at_rest(start).controller_by_name(0.02, by_name).rtol(1e-8).end_time(0.5);
    let two = two.run().unwrap();
    assert_eq!((one.sampled_inputs().len(), two.sampled_inputs().len()), (25, 25));
    for column in
        ["t", "load[0]", "trolley", "sway", "inputs.motor", "inputs.wind[0]", "inputs.anchor", "multipliers.cable"]
    {
        let [one, two] = [one.column(column).unwrap(), two.column(column).unwrap()];
        assert_eq!(one.len(), two.len());
        let worst = one.iter().zip(&two).map(|(x, y)| (x - y).abs()).fold(0.0, f64::max);
        assert!(worst < 1e-11, "{column}: {worst}");
    }
}

#[test]
fn linearisations_by_the_names_of_inputs_and_outputs() {
    let hold = hoist::Drive { motor: 0.4, wind: Vector2::new(0.2, 0.0), anchor: 0.01, winch: 0.0 };
    let generated = hoist::System::new(data()).unwrap().with_inputs_from(lie_runtime::inputs::Constant(hold));
    let pair = pair(&generated);
    let constants = [("motor", vec![0.4]), ("wind", vec![0.2, 0.0]), ("anchor", vec![0.01]), ("winch", vec![0.0])];
    let dynamic =
        constants.iter().fold(pair.dynamic.clone(), |system, (name, value)| system.with_input(name, value).unwrap());
    let one = Equilibrium::of(&generated).guess(hoist::Place { load: Vector2::new(0.0, -1.2), trolley: 0.0 }).solve();
    let one = one.expect("an equilibrium").state;
    let q = pair.configuration(&one.configuration);
    let inputs = ["motor", "wind[1]", "anchor"];
    let rest = generated.zero_velocity();
    let expected = Linearisation::of(&generated).inputs(inputs).outputs(["sway", "v.trolley[0]"]);
    let expected = expected.at(0.0, &one.configuration, &rest).expect("at rest");
    let found = Linearisation::of(&dynamic).inputs(inputs).outputs(["sway", "v.trolley[0]"]);
    let found = found.at(0.0, &q, &dynamic.zero_velocity()).expect("at rest");
    assert_eq!((&found.inputs, &found.outputs), (&expected.inputs, &expected.outputs));
    let s = nalgebra::Complex::new(-0.1, 1.7);
    let (expected, found) = (expected.transfer(s).unwrap(), found.transfer(s).unwrap());
    assert!((&expected - &found).norm() < 1e-9 * expected.norm(), "{expected} and {found}");
    // The winch moves the constraint.
    let refused = Linearisation::of(&dynamic).inputs(["winch"]).at(0.0, &q, &dynamic.zero_velocity());
    assert!(refused.unwrap_err().to_string().contains("winch"));
}

#[test]
fn sources_of_inputs_and_their_errors() {
    let generated = generated();
    let Pair { dynamic, .. } = Pair::new((include_str!("inputs.rs"), "hoist"), &generated, &[]);
    let start = dynamic.configuration([("load", &[0.0, -1.2][..])]).unwrap();
    let failure = |system: &DynamicSystem| {
        let run = Simulation::of(system).at_rest(start.clone()).step(0.01).end_time(0.3).run();
        match run.unwrap_err().failure {
            Failure::Inputs(error) | Failure::Setup(SetupError::Inputs(error)) => error,
            other => panic!("{other}"),
        }
    };
    let missing = InputError::MissingByName { fields: vec!["motor", "wind", "anchor", "winch"] };
    assert_eq!(failure(&dynamic), missing);
    let dynamic = dynamic.with_input("motor", &[0.0]).unwrap().with_input("wind", &[0.0, 0.0]).unwrap();
    let dynamic = dynamic.with_input("anchor", &[0.0]).unwrap();
    // A constraint needs two derivatives.
    let bent = dynamic.clone().with_input_table("winch", &[0.0, 1.0], &[[0.0], [0.1]], Interpolation::Linear).unwrap();
    assert_eq!(failure(&bent), InputError::NotSmooth { function: "cable" });
    let short = dynamic.clone().with_input_table("winch", &[0.0, 0.1], &[[0.0], [0.1]], Interpolation::Cubic).unwrap();
    assert!(matches!(failure(&short), InputError::OutOfRange { inputs: "winch", .. }));
    // A function of time: the cable keeps its length, 1.2 − t²/10.
    let wound =
        dynamic.with_input_over_time("winch", |t| vec![t * t * lie_runtime::inputs::Jet::from_f64(0.1)]).unwrap();
    let end = Simulation::of(&wound).at_rest(start.clone()).step(0.01).end_time(0.3).run().unwrap();
    let y = end.column("load[1]").unwrap();
    assert!((y[y.len() - 1] + 1.2 - 0.1 * 0.09).abs() < 1e-8, "{y:?}");
    let unknown = wound.clone().with_input("moter", &[0.0]).unwrap_err();
    assert!(unknown.to_string().contains("`motor`"), "{unknown}");
    let size = wound.clone().with_input("wind", &[0.0]).unwrap_err();
    assert!(matches!(size, DynamicError::WrongSize { expected: 2, given: 1, .. }));
    let column = wound.with_input_csv("wind", "t,wind[0]\n0,1\n1,1\n", Interpolation::Linear).unwrap_err();
    assert!(matches!(column, DynamicError::InputTable(TableError::MissingColumn { .. })), "{column}");
}
