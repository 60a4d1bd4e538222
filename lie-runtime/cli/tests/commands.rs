//! The program `liemech` on good and bad files: outputs, messages and exit codes.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// An example of the repository.
fn example(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples").join(name)
}

/// Writes a file for a test.
fn written(name: &str, text: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    fs::write(&path, text).unwrap();
    path
}

/// Runs the program in the folder of test files.
fn liemech(arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_liemech"));
    command.current_dir(env!("CARGO_TARGET_TMPDIR")).args(arguments).output().unwrap()
}

/// Returns the standard output of a run without errors.
fn output(arguments: &[&str]) -> String {
    let Output { status, stdout, stderr } = liemech(arguments);
    let stderr = String::from_utf8(stderr).unwrap();
    assert!(status.success() && stderr.is_empty(), "{arguments:?}: {status}\n{stderr}");
    String::from_utf8(stdout).unwrap()
}

/// Returns the exit code and the standard error of a run without output.
fn failure(arguments: &[&str]) -> (i32, String) {
    let Output { status, stdout, stderr } = liemech(arguments);
    assert!(stdout.is_empty(), "{arguments:?}: {}", String::from_utf8_lossy(&stdout));
    (status.code().unwrap(), String::from_utf8(stderr).unwrap())
}

const TWO: &str = "\
//! Two systems.
use lie_runtime::prelude::*;

#[mechanical_system]
mod slider {
    #[configuration]
    pub struct Position { pub x: f64 }
    #[parameters]
    pub struct Slider { pub mass: f64, pub stiffness: f64 }
    #[kinetic_energy]
    fn kinetic(p: &Slider, v: &Velocity) -> f64 { 0.5 * p.mass * v.x * v.x }
    #[potential]
    fn spring(p: &Slider, q: &Position) -> f64 { 0.5 * p.stiffness * q.x * q.x }
}

mod inner {
    #[mechanical_system]
    pub mod wheel {
        #[configuration]
        pub struct Angle { pub wheel: SO2 }
        #[kinetic_energy]
        fn kinetic(v: &Velocity) -> f64 { 0.5 * v.wheel * v.wheel }
    }
}

fn main() {}
";

#[test]
fn check_reports_each_system() {
    written("two.rs", TWO);
    assert_eq!(output(&["check", "two.rs"]), "`slider` has no errors\n`wheel` has no errors\n");
    assert_eq!(output(&["check", "two.rs", "--system", "wheel"]), "`wheel` has no errors\n");
}

#[test]
fn errors_have_the_lines_of_the_file() {
    written("bad.rs", &TWO.replace("q.x * q.x", "q.y * q.x").replace("wheel: SO2", "wheel: SO9"));
    let (code, text) = failure(&["check", "bad.rs"]);
    assert_eq!(code, 1);
    let first = "\
error[body]: the configuration has no field `y`
  --> bad.rs:13:72
   |
13 |     fn spring(p: &Slider, q: &Position) -> f64 { 0.5 * p.stiffness * q.y * q.x }
   |                                                                        ^
";
    assert!(text.starts_with(first), "{text}");
    assert!(text.contains("\n  --> bad.rs:20:39\n"), "{text}");
    assert_eq!(text.matches("error: 1 error in the declaration\n").count(), 2, "{text}");
    // The other commands report the errors of the selected system.
    for command in ["equations", "expand", "c"] {
        let (code, text) = failure(&[command, "bad.rs", "--system", "slider"]);
        assert!(code == 1 && text.starts_with(first), "{command}: {code}\n{text}");
    }
}

#[test]
fn wrong_arguments_have_their_own_exit_code() {
    written("several.rs", TWO);
    let message = "error: `several.rs` has several systems (`slider`, `wheel`): select a system with `--system NAME`\n";
    assert_eq!(failure(&["equations", "several.rs"]), (2, message.to_owned()));
    let message = "error: `several.rs` has no system `top`; its systems are `slider`, `wheel`\n";
    assert_eq!(failure(&["check", "several.rs", "--system", "top"]), (2, message.to_owned()));
    written("twice.rs", &format!("mod a {{ {TWO} }} mod b {{ {TWO} }}").replace("//! Two systems.", ""));
    let message = "error: `twice.rs` has several systems `slider`: rename one of the modules\n";
    assert_eq!(failure(&["equations", "twice.rs", "--system", "slider"]), (2, message.to_owned()));
    let (code, text) = failure(&["check", "missing.rs"]);
    assert!(code == 2 && text.starts_with("error: the file `missing.rs` cannot be read: "), "{code} {text}");
    let (code, text) = failure(&["solve", "several.rs"]);
    assert!(code == 2 && text.starts_with("error: unrecognized subcommand 'solve'"), "{code} {text}");
    written("empty.rs", "fn main() {}\n");
    let (code, text) = failure(&["check", "empty.rs"]);
    assert_eq!(code, 1);
    assert!(
        text.starts_with("error[module]: the text has no `#[mechanical_system]` module\n --> empty.rs:1:1\n"),
        "{text}"
    );
}

#[test]
fn equations_are_text() {
    written("slider.rs", TWO);
    let expected = "\
System `slider` on ℝ

  M(q) v' = force(t, q, v) - B(q)^T λ,   B v + drift = 0
  v: left-trivialised velocity, λ: Lagrange multipliers, B: constraint Jacobian

Configuration q
  x  ℝ

Parameters
  mass       scalar
  stiffness  scalar

Equations of motion
  mass x'' = -x stiffness

Kinetic energy
  T = 1/2 x' x' mass

Potential energy
  V = 1/2 x x stiffness

Mass matrix, symmetric, 1 × 1
  M[1, 1] = mass

Force
  force[1] = -x * stiffness
";
    assert_eq!(output(&["equations", "slider.rs", "--system", "slider"]), expected);
    let page = include_str!("../../book/src/howto/command_line.md");
    assert!(page.contains(expected), "the page has another output");
}

#[test]
fn equations_of_constraints_and_chains_are_text() {
    let top = output(&["equations", example("spinning_top.rs").to_str().unwrap()]);
    for line in
        ["  0 = position - height R_attitude [0; 0; 1]", "  B[2, 1] = R_attitude_22 * height", "  M[4, 4] = mass"]
    {
        assert!(top.lines().any(|found| found == line), "`{line}` is not in\n{top}");
    }
    let rope = output(&["equations", example("rope.rs").to_str().unwrap()]);
    for line in [
        "# Elements over masses.windows(2): `link`",
        "  mass a'' = [0; 0; -9.81 mass] - drag a'",
        "  0 = sqrt((b - a) ⋅ (b - a)) - length",
    ] {
        assert!(rope.lines().any(|found| found == line), "`{line}` is not in\n{rope}");
    }
}

/// Branches, calls and opaque functions have a form in text.
#[test]
fn equations_of_branches_and_opaque_functions_are_text() {
    let text = "
        #[mechanical_system]
        mod post {
            #[configuration] pub struct Q { pub x: f64, pub pose: SO3 }
            #[opaque] fn wall<S: Scalar>(x: S, y: S) -> S { x * x * x * y }
            #[kinetic_energy] fn kinetic(v: &Velocity) -> f64 { v.x * v.x + v.pose.norm_squared() }
            #[potential] fn push(q: &Q) -> f64 { if q.x < 0.5 { wall(q.x, 2.0) } else { 0.0 } }
            #[potential] fn twist(q: &Q) -> f64 { q.pose.log().norm_squared() }
        }";
    written("post.rs", text);
    let text = output(&["equations", "post.rs"]);
    for part in ["wall(x, 2)", "= log(R_pose_11, R_pose_12, ", "if x < 0.5", ", derivative of order 1 along (1, 0)"] {
        assert!(text.contains(part), "`{part}` is not in\n{text}");
    }
}

#[test]
fn expansions_are_rust() {
    let path = example("pendulum.rs");
    let text = output(&["expand", path.to_str().unwrap()]);
    let file = syn::parse_file(&text).unwrap();
    let names: Vec<String> = file
        .items
        .iter()
        .filter_map(|item| match item {
            syn::Item::Mod(module) => Some(module.ident.to_string()),
            _ => None,
        })
        .collect();
    assert_eq!(names, ["pendulum"]);
    assert!(text.contains("fn mass_matrix"), "{text}");
}

#[test]
fn robot_files_are_declarations() {
    let path = example("two_link_arm.urdf");
    let path = path.to_str().unwrap();
    let declaration = output(&["expand", path]);
    assert!(declaration.contains("#[mechanical_system]\npub mod two_link_arm {\n"), "{declaration}");
    written("two_link_arm.rs", &declaration);
    assert_eq!(output(&["check", "two_link_arm.rs"]), output(&["check", path]));
    assert_eq!(output(&["equations", "two_link_arm.rs"]), output(&["equations", path]));
    // A path in an attribute is relative to the package of the file.
    let checked = output(&["check", example("robot_from_urdf.rs").to_str().unwrap()]);
    assert!(checked.ends_with("has no errors\n"), "{checked}");
}

#[test]
fn errors_in_robot_files_have_a_line() {
    let robot = "<robot name=\"arm\">\n  <link name=\"base\"/>\n  <joint name=\"a\" type=\"bent\"/>\n</robot>\n";
    written("bent.urdf", robot);
    let (code, text) = failure(&["check", "bent.urdf"]);
    assert_eq!(code, 1);
    assert!(text.starts_with("error[robot-file]: ") && text.contains("\n --> bent.urdf:3:1\n  = help: "), "{text}");
    let (code, text) = failure(&["check", "bent.urdf", "--option", "base=loose"]);
    assert!(code == 2 && text.contains("base"), "{text}");
}

/// The header compiles without warnings, and its functions return the mass matrix and the force of a spinning top.
#[test]
fn headers_compile() {
    let path = example("spinning_top.rs");
    let header = output(&["c", path.to_str().unwrap()]);
    written("top.h", &header);
    let program = "
        #include <stdio.h>
        #include \"top.h\"
        int main(void) {
            double p[TOP_SIZE_PARAMETERS] = {0}, hoisted[TOP_SIZE_HOISTED + 1], m[36], f[6];
            double q[TOP_SIZE_Q] = {0}, v[6] = {1.0, 2.0, 3.0, 0.0, 0.0, 0.0};
            int i;
            p[TOP_PARAMETER_MASS] = 2.0;
            for (i = 0; i < 3; i++) p[TOP_PARAMETER_INERTIA + i] = 4.0 + i;
            for (i = 0; i < 3; i++) q[TOP_Q_ATTITUDE + 4 * i] = 1.0;
            top_prepare(p, hoisted);
            top_mass_matrix(p, hoisted, 0.0, q, m);
            top_force(p, hoisted, 0.0, q, v, f);
            for (i = 0; i < 6; i++) printf(\"%g %g\\n\", m[7 * i], f[i]);
            return 0;
        }";
    let source = written("top.c", program);
    let binary = source.with_extension("exe");
    let compiler = std::env::var("CC").unwrap_or_else(|_| "cc".to_owned());
    let compiled = Command::new(&compiler)
        .args(["-std=c99", "-Wall", "-Wextra", "-pedantic", "-Werror", "-o"])
        .args([&binary, &source])
        .arg("-lm")
        .output();
    let Ok(compiled) = compiled else { return eprintln!("no C compiler: the header is not compiled") };
    assert!(compiled.status.success(), "{}", String::from_utf8_lossy(&compiled.stderr));
    let printed = String::from_utf8(Command::new(&binary).output().unwrap().stdout).unwrap();
    // I w × w = (4, 10, 18) × (1, 2, 3).
    assert_eq!(printed, "4 -6\n5 6\n6 -2\n2 0\n2 0\n2 -19.62\n");
}

#[test]
fn every_method_has_a_line() {
    let table = output(&["methods"]);
    for info in lie_runtime::simulate::methods() {
        let line = table.lines().find(|line| line.split_whitespace().next() == Some(info.id));
        let line = line.unwrap_or_else(|| panic!("{} is not in\n{table}", info.id));
        let control = if info.estimates { "controlled" } else { "constant" };
        let start = format!("{} {} {} {control}", info.id, info.order, info.multiplier_order);
        assert!(line.split_whitespace().collect::<Vec<_>>().join(" ").starts_with(&start), "{line}");
    }
}

#[test]
fn a_run_prints_a_table_and_writes_files() {
    let file = written("run.rs", TWO);
    let file = file.to_str().unwrap();
    let (csv, svg) = (written("run.csv", ""), written("run.svg", ""));
    let files = ["--csv", csv.to_str().unwrap(), "--plot", svg.to_str().unwrap()];
    let physical = ["--set", "mass=2", "--set", "stiffness=8", "--initial", "x=0.5", "--velocity", "x=-0.1"];
    let common = ["run", file, "--system", "slider", "--until", "1", "--rows", "3"];
    let text = output(&[&common[..], &physical, &files].concat());
    assert!(text.contains("wrote ") && text.contains("run.csv"), "{text}");
    let text = output(&[&common[..], &physical].concat());
    // x = 0.5 cos 2t − 0.05 sin 2t.
    let end = 0.5 * 2.0_f64.cos() - 0.05 * 2.0_f64.sin();
    let last = text.lines().rev().find(|line| line.trim_start().starts_with('1')).unwrap();
    let value: f64 = last.split_whitespace().last().unwrap().parse().unwrap();
    assert!((value - end).abs() < 1e-5, "{text}");
    assert_eq!(fs::read_to_string(csv).unwrap().lines().count(), 4);
    assert!(fs::read_to_string(svg).unwrap().starts_with("<svg"));
    let fixed = ["--method", "lie_alpha", "--step", "0.001", "--columns", "energy.total"];
    let Output { status, stdout, stderr } = liemech(&[&common[..], &physical, &fixed].concat());
    let (stdout, stderr) = (String::from_utf8(stdout).unwrap(), String::from_utf8(stderr).unwrap());
    assert!(status.success() && stdout.contains("energy.total\n") && !stdout.contains("warning"), "{stdout}");
    assert!(stderr.starts_with("warning: `lie_alpha` dissipates"), "{stderr}");
}

#[test]
fn robots_and_chains_run() {
    let path = example("two_link_arm.urdf");
    let arm = ["run", path.to_str().unwrap(), "--until", "0.5", "--rows", "3"];
    let text = output(&[&arm[..], &["--initial", "elbow=0.3"]].concat());
    let first = text.lines().find(|line| line.trim_start().starts_with("0.000000")).unwrap();
    assert_eq!(first.split_whitespace().collect::<Vec<_>>(), ["0.000000", "0.000000", "0.300000"], "{text}");
    let (code, text) = failure(&[&arm[..], &["--keyframe", "home"]].concat());
    assert!(code == 2 && text.contains("no keyframe `home`; it has `reference`"), "{text}");
    let file = written(
        "chain.rs",
        "#[mechanical_system]
        mod chain {
            #[configuration] pub struct Chain { pub nodes: Vec<R1> }
            #[kinetic_energy(over = nodes)] fn kinetic(v: &Vector1<f64>) -> f64 { 0.5 * v.norm_squared() }
            #[potential(over = nodes.windows(2))]
            fn spring([a, b]: [&R1; 2]) -> f64 { 0.5 * (b - a).norm_squared() }
        }",
    );
    let chain = ["run", file.to_str().unwrap(), "--until", "1", "--rows", "2", "--initial", "nodes[1]=1"];
    let text = output(&[&chain[..], &["--length", "nodes=2"]].concat());
    // The distance is cos(√2 t).
    let last: Vec<f64> = text
        .lines()
        .rev()
        .find(|line| line.trim_start().starts_with("1.0"))
        .unwrap()
        .split_whitespace()
        .map(|x| x.parse().unwrap())
        .collect();
    assert!((last[2] - last[1] - 2.0_f64.sqrt().cos()).abs() < 1e-5, "{text}");
    let (code, text) = failure(&chain);
    assert!(code == 1 && text.contains("the length of the chain `nodes` is missing"), "{text}");
    let (code, text) = failure(&[&chain[..], &["--length", "nodes=two"]].concat());
    assert!(code == 2 && text.contains("`nodes=two` is not a length"), "{text}");
}

#[test]
fn trees_have_parents_and_connections() {
    let file = written(
        "tree.rs",
        "#[mechanical_system]
        mod tree {
            #[configuration] pub struct Joints { pub hinges: Vec<SO2> }
            #[kinematics(over = hinges, parents = parents)]
            fn body(above: &SE2, angle: &SO2) -> SE2 { *above * SE2::new(*angle, Vector2::x()) }
            #[kinetic_energy(over = hinges)] fn kinetic(v: &f64) -> f64 { 0.5 * v * v }
            #[potential(over = (hinges, hinges).by(springs))]
            fn spring(a: &SO2, b: &SO2) -> f64 { 0.5 * (a.angle() - b.angle()).powi(2) }
            #[potential(over = body.by(heavy))]
            fn weight(a: &SE2) -> f64 { a.translation.y }
        }",
    );
    let tree = ["run", file.to_str().unwrap(), "--until", "1", "--rows", "2", "--length", "hinges=3"];
    let lists = ["--parents", "parents=base,0,0", "--connections", "springs=1-2"];
    let start = ["--connections", "heavy=", "--initial", "hinges[2]=1"];
    let text = output(&[&tree[..], &lists, &start].concat());
    let last: Vec<f64> = text.lines().last().unwrap().split_whitespace().map(|x| x.parse().unwrap()).collect();
    assert!((last[3] - last[2] - 2.0_f64.sqrt().cos()).abs() < 1e-5 && last[1] == 0.0, "{text}");
    let (code, text) = failure(&tree);
    assert!(code == 1 && text.contains("give `--parents parents=base,0` with a parent for each frame"), "{text}");
    let (code, text) = failure(&[&tree[..], &lists].concat());
    assert!(code == 1 && text.contains("give `--connections heavy=0`"), "{text}");
    let (code, text) = failure(&[&tree[..], &["--parents", "parents=base,x,0"]].concat());
    assert!(code == 2 && text.contains("is no list of frames: write `--parents parents=base,0,0`"), "{text}");
    let (code, text) = failure(&[&tree[..], &["--connections", "springs=1-x"]].concat());
    assert!(code == 2 && text.contains("is no list of members: write `--connections springs=0-1,1-2`"), "{text}");
}

#[test]
fn inputs_and_contacts_of_a_run() {
    let file = written(
        "cart.rs",
        "#[mechanical_system]
        mod cart {
            #[configuration] pub struct Rail { pub x: f64 }
            #[parameters] pub struct Data { pub stop: i32, pub slip: i32 }
            #[inputs] pub struct Inputs { pub push: f64 }
            #[kinetic_energy] fn kinetic(v: &Velocity) -> f64 { 0.5 * v.x * v.x }
            #[force(on = x)] fn motor(u: &Inputs) -> f64 { u.push }
            #[constraint(upper = 0.5, stop = p.stop)] fn rail(p: &Data, q: &Rail) -> f64 { q.x }
            #[velocity_constraint(bound = 0.5, slip = p.slip, stop = rail)] fn wheel(p: &Data, v: &Velocity) -> f64 { v.x }
        }",
    );
    let table = written("push.csv", "t,push\n0,1.5\n1,1.5\n2,1.5\n");
    let from_table = format!("push={}", table.to_str().unwrap());
    for input in ["push=1.5", &from_table] {
        let run = ["run", file.to_str().unwrap(), "--until", "2", "--rows", "5", "--input", input];
        let text = output(&run);
        // x = t² / 2 until the plastic impact at the stop.
        let last = text.lines().rev().find(|line| line.trim_start().starts_with("2.0")).unwrap();
        let x: f64 = last.split_whitespace().last().unwrap().parse().unwrap();
        assert!((x - 0.5).abs() < 1e-6, "{text}");
        // It bounces back with 0.8 m/s at 1 s. Force and friction stop it at 1.4 s and 0.34 m, and then it moves forward.
        let text = output(&[&run[..], &["--contact", "rail=0.8", "--step", "0.01"]].concat());
        let row = text.lines().find(|line| line.trim_start().starts_with("1.5")).unwrap();
        let x: f64 = row.split_whitespace().last().unwrap().parse().unwrap();
        assert!((x - (0.5 - 0.16 + 0.005)).abs() < 2e-6, "{text}");
    }
    let (code, text) = failure(&["run", file.to_str().unwrap(), "--until", "2"]);
    assert!(code == 2 && text.contains("missing inputs `push`"), "{text}");
    let (code, text) = failure(&["run", file.to_str().unwrap(), "--until", "2", "--input", "pull=1"]);
    assert!(code == 2 && text.contains("no input `pull`; it has `push`"), "{text}");
    let (code, text) = failure(&["run", file.to_str().unwrap(), "--until", "2", "--input", "push=none.csv"]);
    assert!(code == 2 && text.contains("the file `none.csv` cannot be read"), "{text}");
}

#[test]
fn wrong_arguments_of_a_run_are_errors() {
    let file = written("wrong_run.rs", TWO);
    let common = ["run", file.to_str().unwrap(), "--system", "slider", "--until", "1"];
    let physical = ["--set", "mass=2", "--set", "stiffness=8"];
    let (code, text) = failure(&[&common[..], &["--set", "mass=2"]].concat());
    assert!(code == 2 && text.contains("the parameters `stiffness` have no value"), "{text}");
    let (code, text) = failure(&[&common[..], &physical, &["--initial", "y=1"]].concat());
    assert!(code == 2 && text.contains("no member `y`"), "{text}");
    let (code, text) = failure(&[&common[..], &physical, &["--method", "hedop"]].concat());
    assert!(code == 2 && text.contains("hedop5"), "{text}");
    let (code, text) = failure(&[&common[..], &["--set", "mass"]].concat());
    assert!(code == 2 && text.contains("`mass` has no value"), "{text}");
    let (code, text) = failure(&[&common[..], &["--set", "mass=0", "--set", "stiffness=8"]].concat());
    assert!(code == 1 && text.contains("mass"), "{text}");
}

#[test]
fn remedies_are_options() {
    let file = written("options.rs", DRIVEN);
    let run = ["run", file.to_str().unwrap(), "--until", "2", "--set", "mass=1", "--set", "stiffness=4"];
    let message = |arguments: &[&str]| failure(&[&run[..], arguments].concat());
    let (code, text) = message(&[]);
    assert!(code == 2 && text.starts_with("error: missing inputs `push`: set `--input push=0` (book: "), "{text}");
    let (code, text) = message(&["--input", "push=0", "--method", "gauss4"]);
    assert!(code == 2 && text.contains("; set `--step STEP`, or choose another method"), "{text}");
    let (code, text) = message(&["--input", "push=0", "--initial", "x=1", "--rtol", "0", "--atol", "1e-40"]);
    assert!(code == 2 && text.contains("Set `--rtol 3.6e-15 --atol 1e-40`, or"), "{text}");
    let short = written("short.csv", "t,push\n0,1\n1,1\n");
    let (code, text) = message(&["--input", &format!("push={}", short.display())]);
    assert!(code == 2 && text.contains(". Add rows to the table, or set an earlier end time (book"), "{text}");
}

/// A user of the program cannot call functions of the library.
#[test]
fn messages_name_no_calls_of_rust() {
    let file = written("calls.rs", DRIVEN);
    let chain = written(
        "calls_of_lists.rs",
        "#[mechanical_system]
        mod chain {
            #[configuration] pub struct Chain { pub nodes: Vec<R1> }
            #[parameters] pub struct Data { pub masses: Vec<f64> }
            #[kinetic_energy(over = nodes)]
            fn kinetic(p: &Data, index: usize, v: &Vector1<f64>) -> f64 { 0.5 * p.masses[index] * v.norm_squared() }
        }",
    );
    let table = written("calls.csv", "t,push\n0,1\n1,1\n");
    let table = format!("push={}", table.display());
    let (file, chain) = (file.to_str().unwrap(), chain.to_str().unwrap());
    let run = ["run", file, "--until", "2", "--set", "mass=1", "--set", "stiffness=4"];
    let ensemble = ["ensemble", file, "--until", "2", "--set", "stiffness=4", "--input", "push=0"];
    let sobol: Vec<String> = (0..21).flat_map(|at| ["--vary".to_owned(), format!("m{at}=1..2")]).collect();
    let sobol: Vec<&str> = sobol.iter().map(String::as_str).collect();
    let lists = ["run", chain, "--until", "1"];
    for (command, arguments) in [
        (&run[..], &[][..]),
        (&run, &["--input", &table]),
        (&run, &["--input", "push=0", "--method", "gauss4"]),
        (&run, &["--input", "push=0", "--rtol", "0", "--atol", "1e-40", "--initial", "x=1"]),
        (&run, &["--input", "push=0", "--step", "1e-15"]),
        (&run, &["--input", "push=0", "--step", "1e-18", "--initial", "x=1"]),
        (&run, &["--input", "push=NaN"]),
        (&run, &["--input", "push=0", "--contact", "floor=0.5"]),
        (&ensemble, &["--vary", "mass=1,2", "--columns", "y"]),
        (&ensemble, &["--vary", "mess=1,2"]),
        (&ensemble, &[&["--design", "sobol", "--trajectories", "4"], &sobol[..]].concat()),
        (&lists, &[]),
        (&lists, &["--length", "nodes=2"]),
        (&lists, &["--length", "nodes=2", "--length", "masses=3"]),
        (&lists, &["--length", "nodes=99999999999", "--length", "masses=3"]),
    ] {
        let (code, text) = failure(&[command, arguments].concat());
        let calls = ["`.", "::", "system.", "()"].iter().find(|call| text.contains(**call));
        assert!(code > 0 && calls.is_none(), "{arguments:?}: {code}\n{text}");
    }
}

#[test]
fn arguments_without_effect_are_errors() {
    let file = written("no_effect.rs", DRIVEN);
    let run = ["run", file.to_str().unwrap(), "--until", "2", "--set", "mass=1", "--set", "stiffness=4"];
    let message = |arguments: &[&str]| failure(&[&run[..], arguments].concat());
    assert_eq!(message(&["--set", "mass=2"]), (2, "error: `mass` is set twice\n".to_owned()));
    assert_eq!(message(&["--input", "push=2", "--input", "push=1"]), (2, "error: `push` is set twice\n".to_owned()));
    let (code, text) = message(&["--input", "push=0", "--length", "x=3"]);
    assert!(code == 1 && text.contains("the declaration has no list `x`"), "{text}");
    let (code, text) = message(&["--input", "push=0", "--rows", "1"]);
    assert!(code == 2 && text.contains("--rows"), "{text}");
    for step in ["-1", "0", "NaN", "inf"] {
        let (code, text) = message(&["--input", "push=0", "--step", step]);
        assert!(code == 2 && text.contains(&format!("the step size is {step}; it must be")), "{text}");
    }
    let (code, text) = message(&["--input", "push=0", "--plot", "run.pdf"]);
    assert_eq!((code, &text[..]), (2, "error: the figure `run.pdf` is not an SVG file: write `--plot run.svg`\n"));
    for files in [&["--csv", "a.svg", "--plot", "a.svg"][..], &["--csv", file.to_str().unwrap()]] {
        let (code, text) = message(&[&["--input", "push=0"], files].concat());
        assert!(code == 2 && text.contains("is set twice: choose another name"), "{text}");
    }
    let (code, text) = message(&["--input", "push=0", "--rows", "4000000000"]);
    assert!(code == 2 && text.contains("4000000000 is not in 2..=10000000"), "{text}");
    let (code, text) = message(&["--input", "push=0", "--contact", "floor=0.5,0.3"]);
    assert!(code == 2 && text.contains("`floor` has one coefficient: write `--contact floor=0.5`"), "{text}");
    let (code, text) = message(&["--input", "push=0", "--csv", "no/folder.csv"]);
    assert!(code == 2 && text.contains("`no/folder.csv` cannot be written: its folder does not exist"), "{text}");
    let path = example("two_link_arm.urdf");
    let (code, text) = failure(&["run", path.to_str().unwrap(), "--until", "1", "--length", "x=3"]);
    assert!(code == 2 && text.contains("a robot file has no lists"), "{text}");
}

/// x'' = -stiffness x / mass, with units.
const DRIVEN: &str = "\
#[mechanical_system]
mod slider {
    #[configuration]
    pub struct Position {
        /// Displacement [m].
        pub x: f64,
    }
    #[parameters]
    pub struct Slider {
        pub mass: f64,
        pub stiffness: f64,
    }
    #[inputs]
    pub struct Inputs {
        /// Force of the motor [N].
        pub push: f64,
    }
    #[kinetic_energy]
    fn kinetic(p: &Slider, v: &Velocity) -> f64 { 0.5 * p.mass * v.x * v.x }
    #[potential]
    fn spring(p: &Slider, q: &Position) -> f64 { 0.5 * p.stiffness * q.x * q.x }
    #[force(on = x)]
    fn motor(u: &Inputs) -> f64 { u.push }
    /// Force of the spring [N].
    #[observable]
    fn spring_force(p: &Slider, q: &Position) -> f64 { -p.stiffness * q.x }
}
";

/// Returns the columns of a CSV file.
fn table(path: &Path) -> Vec<(String, Vec<String>)> {
    let text = fs::read_to_string(path).unwrap();
    let mut lines = text.lines().map(|line| line.split(',').map(str::to_owned).collect::<Vec<_>>());
    let mut columns: Vec<(String, Vec<String>)> =
        lines.next().unwrap().into_iter().map(|name| (name, vec![])).collect();
    for line in lines {
        columns.iter_mut().zip(line).for_each(|(column, value)| column.1.push(value));
    }
    columns
}

/// Returns the numbers of a column of a CSV file.
fn column(path: &Path, name: &str) -> Vec<f64> {
    let found = table(path).into_iter().find(|(known, _)| known == name).unwrap_or_else(|| panic!("no column {name}"));
    found.1.iter().map(|value| value.parse().unwrap()).collect()
}

#[test]
fn tables_and_figures_have_units() {
    let file = written("units.rs", DRIVEN);
    let (svg, csv) = (written("units.svg", ""), written("units.csv", ""));
    let run = ["run", file.to_str().unwrap(), "--until", "1", "--set", "mass=1", "--set", "stiffness=4"];
    let run = [&run[..], &["--input", "push=2", "--columns", "x,spring_force,inputs,velocity"]].concat();
    let text = output(&run);
    let header = text.lines().find(|line| line.trim_start().starts_with("t ")).unwrap();
    let header: Vec<&str> = header.split("  ").map(str::trim).filter(|name| !name.is_empty()).collect();
    assert_eq!(header, ["t", "x [m]", "spring_force [N]", "inputs.push [N]", "velocity.x"]);
    output(&[&run[..], &["--plot", svg.to_str().unwrap(), "--csv", csv.to_str().unwrap()]].concat());
    let figure = fs::read_to_string(svg).unwrap();
    for label in [">x [m]<", ">spring_force [N]<", ">inputs [N]<", ">velocity<"] {
        assert!(figure.contains(label), "{label}");
    }
    // Readers of the file know the names of the declaration.
    assert!(fs::read_to_string(csv).unwrap().starts_with("t,x,velocity.x,"));
    let path = example("two_link_arm.urdf");
    let text = output(&["run", path.to_str().unwrap(), "--until", "1"]);
    assert!(text.contains("  shoulder [rad]   elbow [rad]\n"), "{text}");
}

#[test]
fn ensembles_vary_parameters_and_initial_values() {
    let file = written("ensemble.rs", DRIVEN);
    let [csv, statistics, svg] = ["ensemble.csv", "statistics.csv", "ensemble.svg"].map(|name| written(name, ""));
    let until = ["ensemble", file.to_str().unwrap(), "--until", "1", "--input", "push=0"];
    let files =
        ["--csv", csv.to_str().unwrap(), "--statistics", statistics.to_str().unwrap(), "--plot", svg.to_str().unwrap()];
    let varied =
        ["--vary", "stiffness=1,4", "--vary", "q.x=0.5,1,2", "--vary", "mass=2", "--columns", "x", "--rows", "3"];
    let tolerances = ["--rtol", "1e-10", "--atol", "1e-12"];
    let text = output(&[&until[..], &varied, &tolerances, &files].concat());
    assert!(text.starts_with("6 samples of stiffness, q.x, mass in ") && text.matches("wrote ").count() == 3, "{text}");
    // All combinations; the motion is x cos(t √(stiffness / mass)).
    let [member, stiffness, start, t, x] =
        ["member", "sample.stiffness", "sample.q.x", "t", "x"].map(|name| column(&csv, name));
    assert_eq!(member.len(), 18);
    for row in 0..18 {
        let expected = start[row] * (t[row] * (stiffness[row] / 2.0).sqrt()).cos();
        assert!((x[row] - expected).abs() < 1e-8, "{row}: {} {expected}", x[row]);
    }
    let mean: f64 = (0..6).map(|member| x[3 * member + 2]).sum::<f64>() / 6.0;
    assert!((column(&statistics, "mean")[5] - mean).abs() < 1e-12);
    let figure = fs::read_to_string(svg).unwrap();
    assert!(figure.contains(">x [m]<") && figure.contains("Median and range from 5 % to 95 % of 6 samples"));
    // Without files, the statistics at the end time.
    let text = output(&[&until[..], &varied[..8], &tolerances].concat());
    let last = text.lines().last().unwrap();
    assert!(last.contains("1.000000  x [m] ") && last.contains(&format!(" {mean:.6} ")), "{text}");
}

#[test]
fn random_ensembles_depend_on_the_seed() {
    let file = written("random.rs", DRIVEN);
    let csv = written("random.csv", "");
    let run = |further: &[&str]| {
        let common = ["ensemble", file.to_str().unwrap(), "--until", "0.1", "--rows", "2", "--input", "push=0"];
        let varied = ["--vary", "mass=1..2", "--vary", "stiffness=normal:4,0.1", "--trajectories", "8"];
        output(&[&common[..], &varied, &["--csv", csv.to_str().unwrap()], further].concat());
        (column(&csv, "sample.mass"), column(&csv, "sample.stiffness"))
    };
    let (mass, stiffness) = run(&[]);
    // One value in each eighth of the range.
    let mut eighths: Vec<f64> = mass.iter().step_by(2).map(|mass| ((mass - 1.0) * 8.0).floor()).collect();
    eighths.sort_by(f64::total_cmp);
    assert_eq!(eighths, [0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0]);
    assert!(stiffness.iter().all(|stiffness| (3.5..4.5).contains(stiffness)), "{stiffness:?}");
    assert_eq!(run(&["--seed", "0"]), (mass.clone(), stiffness));
    assert_ne!(run(&["--seed", "1"]).0, mass);
    assert_ne!(run(&["--design", "random"]).0, mass);
    // Samples from a file.
    let samples = written("samples.csv", "mass, stiffness, v.x\n1, 4, 0.5\n2, 4, 0\n");
    let text =
        ["ensemble", file.to_str().unwrap(), "--until", "1", "--input", "push=0", "--csv", csv.to_str().unwrap()];
    let text = output(&[&text[..], &["--samples", samples.to_str().unwrap(), "--rows", "2"]].concat());
    assert!(text.starts_with("2 samples of mass, stiffness, v.x in "), "{text}");
    assert!((column(&csv, "x")[1] - 0.25 * 2.0_f64.sin()).abs() < 1e-6 && column(&csv, "x")[3] == 0.0);
}

#[test]
fn failed_samples_have_an_exit_code_and_the_other_results() {
    let file = written("failed.rs", DRIVEN);
    let csv = written("failed.csv", "");
    let common = ["ensemble", file.to_str().unwrap(), "--until", "1", "--input", "push=0", "--set", "stiffness=4"];
    let samples = ["--vary", "mass=1,0,2", "--rows", "2", "--csv", csv.to_str().unwrap()];
    let Output { status, stdout, stderr } = liemech(&[&common[..], &samples].concat());
    let (stdout, stderr) = (String::from_utf8(stdout).unwrap(), String::from_utf8(stderr).unwrap());
    assert_eq!(status.code(), Some(1));
    assert!(stdout.starts_with("3 samples of mass in "), "{stdout}");
    assert!(stderr.starts_with("error: 1 of 3 samples have failed; the first failure: member 1: "), "{stderr}");
    let missing: Vec<bool> = column(&csv, "x").iter().map(|x| x.is_nan()).collect();
    assert_eq!(missing, [false, false, true, true, false, false]);
}

#[test]
fn wrong_arguments_of_an_ensemble_are_errors() {
    let file = written("wrong_ensemble.rs", DRIVEN);
    written("names_only.csv", "mass\n");
    let common = ["ensemble", file.to_str().unwrap(), "--until", "1", "--input", "push=0", "--set", "stiffness=4"];
    for (arguments, part) in [
        (&[][..], "--vary <NAME=VALUES>"),
        (&["--vary", "mass"], "`mass` has no values: write `--vary mass=1,2`"),
        (&["--vary", "mass=a"], "write `mass=1,2,4`, `mass=1..2`, `mass=normal:1,0.1` or `mass=log:0.1..10`"),
        (
            &["--vary", "mass=1..2"],
            "`mass=1..2` is a distribution: set the number of samples with `--trajectories 100`",
        ),
        (&["--vary", "mass=2..1", "--trajectories", "5"], "the lower bound 2.0 is not below the upper bound 1.0"),
        (&["--vary", "mass=1,2", "--trajectories", "0"], "there are no samples"),
        (&["--vary", "mass=1,2", "--seed", "0"], "--trajectories <COUNT>"),
        (&["--set", "mass=1", "--vary", "mas=1,2"], "did you mean `mass`"),
        (&["--vary", "mass=1,2", "--columns", "y"], "unknown column `y`"),
        (&["--vary", "mass=1,2", "--method", "hedop"], "hedop5"),
        (&["--vary", "mass=1,2", "--vary", "mass=1,2"], "duplicate variable `mass`"),
        (&["--vary", "mass=1,2", "--step", "0"], "the step size is 0; it must be finite and positive"),
        (&["--samples", "names_only.csv"], "`names_only.csv` has no samples: write a line of values below the names"),
        (&["--samples", "none.csv"], "the file `none.csv` cannot be read"),
        (&["--vary", "mass=1,2", "--plot", "a.png"], "write `--plot a.svg`"),
    ] {
        let (code, text) = failure(&[&common[..], arguments].concat());
        assert!(code == 2 && text.contains(part), "{arguments:?}: {code}\n{text}");
    }
}

/// The states before the end of a run that fails.
#[test]
fn failed_runs_print_their_states() {
    let file = written(
        "explosion.rs",
        "#[mechanical_system]
        mod explosion {
            #[configuration] pub struct Rail { pub x: f64 }
            #[kinetic_energy] fn kinetic(v: &Velocity) -> f64 { 0.5 * v.x * v.x }
            #[potential] fn hill(q: &Rail) -> f64 { -q.x.powi(4) }
        }",
    );
    let run = ["run", file.to_str().unwrap(), "--until", "10", "--rows", "101", "--initial", "x=1"];
    let Output { status, stdout, stderr } = liemech(&run);
    let (stdout, stderr) = (String::from_utf8(stdout).unwrap(), String::from_utf8(stderr).unwrap());
    assert_eq!(status.code(), Some(1));
    assert!(stderr.starts_with("error: "), "{stderr}");
    assert!(stdout.contains("\n    0.500000 "), "{stdout}");
    assert!(!stdout.contains("\n    9.000000 "), "{stdout}");
}
