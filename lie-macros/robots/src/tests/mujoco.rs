//! Published models against MuJoCo itself: needs Python with the package `mujoco`, and packages that contain models.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;

use super::evaluated::{Evaluated, evaluated};
use crate::model::Robot;
use crate::options::Options;
use crate::read;

/// Options that errors can require, in this order.
const WORDS: [(&str, &str); 8] = [
    ("friction", "ignore"),
    ("actuators", "ignore"),
    ("inertia", "as_written"),
    ("skip", "tendon"),
    ("skip", "density"),
    ("skip", "viscosity"),
    ("skip", "plugin"),
    ("skip", "mesh"),
];

const TOLERANCE: f64 = 1e-10;
/// MuJoCo finds the principal axes of a mesh to 4e-8 only (its principal moments, centre and mass agree with the integrals to 1e-14).
const TOLERANCE_OF_MESHES: f64 = 1e-8;

/// One state of a model, from MuJoCo.
type State = BTreeMap<String, Vec<f64>>;

/// The largest difference, relative to the largest value.
fn deviation(found: &[f64], wanted: &[f64]) -> f64 {
    assert_eq!(found.len(), wanted.len());
    let largest = wanted.iter().chain(found).fold(0.0_f64, |most, x| most.max(x.abs()));
    let difference = found.iter().zip(wanted).fold(0.0_f64, |most, (a, b)| most.max((a - b).abs()));
    if difference == 0.0 { 0.0 } else { difference / largest }
}

/// Reads a robot with the options that the errors of its file require, and returns the tolerance; or returns the error without a remedy.
fn options(text: &str, path: &Path) -> Result<(Robot, f64, Vec<String>), String> {
    let (mut options, mut used) = (Options::default(), vec![]);
    options.set("actuators", "inputs").unwrap();
    loop {
        let mistake = match read(text, path, None, &options) {
            Ok((robot, files)) => {
                let meshes = files.iter().any(|file| file.extension().is_some_and(|end| end != "xml"));
                return Ok((robot, if meshes { TOLERANCE_OF_MESHES } else { TOLERANCE }, used));
            }
            Err(mistake) => mistake,
        };
        let asked = |(name, value): &&(&str, &str)| {
            let word = if *name == "skip" { format!("{name} = [{value}]") } else { format!("{name} = {value}") };
            mistake.help.contains(&word) && !used.contains(&word)
        };
        let Some((name, value)) = WORDS.iter().find(asked) else { return Err(mistake.to_string()) };
        used.push(if *name == "skip" { format!("{name} = [{value}]") } else { format!("{name} = {value}") });
        options.set(name, value).unwrap();
    }
}

/// The largest deviation of all quantities at a state.
fn compared(found: &Evaluated, state: &State, has_actuators: bool) -> Vec<(&'static str, f64)> {
    // Forces may vanish; rates are of order one, so an entry of the mass matrix is a force as well.
    let names = ["mass", "bias", "spring", "damper", "compensation"];
    let scale = names.iter().flat_map(|name| &state[*name]).fold(0.0_f64, |most, x| most.max(x.abs()));
    let force = |found: &[f64], name: &str| {
        let difference = found.iter().zip(&state[name]).fold(0.0_f64, |most, (a, b)| most.max((a - b).abs()));
        if difference == 0.0 { 0.0 } else { difference / scale }
    };
    // Without actuators there is nothing to compare.
    let actuation: Vec<f64> = [&state["actuation"][..], &state["activation_rates"]].concat();
    let actuation = if has_actuators {
        deviation(&[&found.actuation[..], &found.activation_rates].concat(), &actuation)
    } else {
        0.0
    };
    let positions: Vec<f64> = found.frames.iter().flat_map(|frame| frame.position).collect();
    let aligned = found.frames.iter().zip(state["rotations"].chunks(4)).map(|(frame, wanted)| {
        let along: f64 = frame.rotation.0.iter().zip(wanted).map(|(a, b)| a * b).sum();
        (1.0 - along.abs()).abs()
    });
    vec![
        ("mass", deviation(&found.mass.concat(), &state["mass"])),
        ("bias", force(&found.bias, "bias")),
        ("spring", force(&found.springs, "spring")),
        ("damper", force(&found.dampers, "damper")),
        ("compensation", force(&found.compensation, "compensation")),
        ("actuation", actuation),
        ("positions", deviation(&positions, &state["positions"])),
        ("rotations", aligned.fold(0.0, f64::max)),
    ]
}

/// The models in a report of `published_models.py`, with the options that their errors require.
#[derive(Default)]
struct Summary {
    plain: usize,
    with_options: BTreeMap<String, usize>,
    optional: usize,
    /// The number of states with actuators.
    actuated: usize,
    refused: Vec<String>,
    wrong: Vec<String>,
    /// The largest deviation without and with inertia of meshes.
    worst: [(f64, String); 2],
}

impl Summary {
    /// Compares all states of all models, in files whose paths begin at `folder`.
    fn of(report: &str, folder: &Path) -> Self {
        let mut summary = Self::default();
        for model in report.split("model ").skip(1) {
            let (name, states) = model.split_once('\n').unwrap();
            let path = folder.join(name);
            let source = std::fs::read_to_string(&path).unwrap();
            match options(&source, &path) {
                Err(mistake) => summary.refused.push(format!("{name}: {mistake}")),
                Ok((robot, tolerance, used)) => {
                    *if used.is_empty() { &mut summary.plain } else { &mut summary.optional } += 1;
                    for word in used {
                        *summary.with_options.entry(word).or_default() += 1;
                    }
                    summary.compare(&robot, tolerance, name, states);
                }
            }
        }
        summary
    }

    fn compare(&mut self, robot: &Robot, tolerance: f64, name: &str, states: &str) {
        let mut state = State::new();
        for line in states.lines().filter(|line| *line != "end") {
            let mut words = line.split_whitespace();
            let quantity = words.next().unwrap().to_owned();
            let is_last = quantity == "rotations";
            state.insert(quantity, words.map(|word| word.parse().unwrap()).collect());
            if !is_last {
                continue;
            }
            let has_actuators = !robot.actuators.is_empty();
            self.actuated += usize::from(has_actuators);
            let [q, v, control, activation] = ["qpos", "qvel", "control", "activation"].map(|name| &state[name][..]);
            let found = evaluated(robot, [q, v], [control, activation]);
            for (quantity, deviation) in compared(&found, &state, has_actuators) {
                let worst = &mut self.worst[usize::from(tolerance > TOLERANCE)];
                if deviation > worst.0 {
                    *worst = (deviation, format!("{quantity} of {name}"));
                }
                if deviation.is_nan() || deviation > tolerance {
                    self.wrong.push(format!("{quantity} of {name}: {deviation:e}"));
                }
            }
            state.clear();
        }
    }
}

/// Small models with stored numbers of MuJoCo 4.0.0, which `published_models.py --only` writes.
#[test]
fn small_models_agree_with_stored_values_of_mujoco() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/tests/models");
    let summary = Summary::of(include_str!("models/mujoco.txt"), &folder);
    assert_eq!((summary.plain, summary.optional, &summary.refused), (5, 0, &vec![]));
    assert!(summary.wrong.is_empty(), "{:#?}", summary.wrong);
    let [exact, meshes] = &summary.worst;
    assert!(exact.0 < 1e-14 && meshes.0 < 1e-12, "{:?}", summary.worst);
}

/// Reads every model in the installed packages and in the folders of `LIE_MJCF_MODELS`, with the options that its errors require. Compares
/// mass matrix, bias, passive forces and poses at two random states.
#[test]
fn published_models_agree_with_mujoco() {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/tests/published_models.py");
    let python = std::env::var("LIE_PYTHON").unwrap_or_else(|_| "python3".to_owned());
    let folders = std::env::var("LIE_MJCF_MODELS").unwrap_or_default();
    // MuJoCo writes its warnings to a file in the current folder.
    let mut command = Command::new(&python);
    command.arg(&script).args(folders.split_whitespace()).current_dir(std::env::temp_dir());
    let Ok(output) = command.output() else {
        eprintln!(
            "skipped: there is no `{python}`; set LIE_PYTHON to a Python with the packages mujoco and dm_control"
        );
        return;
    };
    let text = String::from_utf8_lossy(&output.stdout);
    if text.starts_with("no mujoco") {
        eprintln!(
            "skipped: `{python}` has no package `mujoco`: `pip install mujoco dm_control gymnasium`, and set LIE_PYTHON"
        );
        return;
    }
    assert!(text.ends_with("end\n"), "{}", String::from_utf8_lossy(&output.stderr));
    let Summary { plain, optional, actuated, with_options, refused, wrong, worst } = Summary::of(&text, Path::new(""));
    let count = refused.len();
    println!(
        "{plain} models without options, {optional} with {with_options:?}, {count} refused, {} with actuators; largest deviation {worst:?}",
        actuated / 2
    );
    for line in &refused {
        println!("refused: {line}");
    }
    for line in &wrong {
        println!("wrong: {line}");
    }
    assert!(plain + optional > 0, "no models");
    assert!(wrong.is_empty(), "{} states deviate", wrong.len());
}
