//! The flags, the output and the exit codes of an example, run in this process.

use crate::heavy_top;
use std::fs;
use std::path::PathBuf;

use super::support::{self, numbers};
use harness::figure;
use harness::study::{self, Halving};
use harness::{Sample, Status};
use serde_json::Value;

fn command(arguments: &str) -> (Status, String, String) {
    support::command(&heavy_top::example(), arguments)
}

fn json(arguments: &str) -> Value {
    support::json(&heavy_top::example(), arguments)
}

fn folder(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name)
}

#[test]
fn json_has_the_agreed_fields() {
    let object = json("--group so3xr3 --step 0.001 --end 1 --samples 0.5,1");
    let keys: Vec<&str> = object.as_object().unwrap().keys().map(String::as_str).collect();
    assert_eq!(
        keys,
        ["model", "group", "method", "dof", "constraints", "step", "accepted", "rejected", "seconds", "samples"]
    );
    assert_eq!(object["model"], "heavy_top");
    assert_eq!(object["group"], "so3xr3");
    assert_eq!(object["method"], "hedop5");
    assert_eq!((object["dof"].as_u64(), object["constraints"].as_u64()), (Some(6), Some(3)));
    assert_eq!(object["step"], 0.001);
    assert_eq!(object["accepted"], 1000);
    assert_eq!(object["rejected"], 0);
    let samples = object["samples"].as_array().unwrap();
    assert_eq!(samples.len(), 2);
    assert_eq!((samples[0]["t"].as_f64(), samples[1]["t"].as_f64()), (Some(0.5), Some(1.0)));
    let last = &samples[1];
    let pose = &last["configuration"]["pose"];
    assert_eq!(numbers(&pose["rotation"]).len(), 9);
    assert_eq!(pose["translation"], last["observables"]["position"]);
    assert_eq!(numbers(&last["velocity"]["pose"])[..3], numbers(&last["observables"]["angular_velocity"]));
    assert_eq!(numbers(&last["velocity"]["pose"])[3..], numbers(&last["observables"]["linear_velocity"]));
    assert_eq!(numbers(&last["multipliers"]["fixed_point"]).len(), 3);
    let energy = &last["energy"];
    let total = energy["kinetic"].as_f64().unwrap() + energy["potential"].as_f64().unwrap();
    assert!((total / 5_435.696_790_865_547 - 1.0).abs() < 1e-7);
    assert!(last["residual"]["position"].as_f64().unwrap() < 1e-9);
    assert!(last["residual"]["velocity"].as_f64().unwrap() < 1e-12);
}

#[test]
fn formulations_agree_and_are_right() {
    for (group, quaternion) in [("so3xr3", false), ("se3", false), ("s3xr3", true), ("s3r3", true), ("dq", true)] {
        let object = json(&format!("--group {group} --step 0.0001220703125"));
        let sample = &object["samples"][0];
        let close = |value: &Value, expected: [f64; 3], tolerance: f64| {
            let error = numbers(value).iter().zip(expected).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
            assert!(error < tolerance, "{group}: {value} is off by {error:e}");
        };
        let observables = &sample["observables"];
        close(
            &observables["position"],
            [0.173_343_964_098_386_04, 0.640_088_592_070_568_8, -0.748_490_791_133_581_3],
            1e-9,
        );
        close(&observables["angular_velocity"], [-0.822_078_101_682_704_5, 150.0, -5.923_291_348_117_336], 1e-8);
        close(
            &sample["multipliers"]["fixed_point"],
            [58.274_563_744_197_37, 646.558_311_914_525_4, 409.441_408_863_464_7],
            1e-6,
        );
        close(
            &observables["attitude"][0],
            [0.229_299_640_803_607_6, 0.173_343_964_098_386_04, 0.957_796_191_701_550_8],
            1e-9,
        );
        let rotation = &sample["configuration"]["pose"]["rotation"];
        assert_eq!(numbers(rotation).len(), if quaternion { 4 } else { 9 });
    }
}

#[test]
fn error_controlled_runs_have_no_step() {
    let object = json("--group se3 --rtol 1e-6 --atol 1e-8 --end 0.25");
    assert!(object["step"].is_null());
    assert!(object["accepted"].as_u64().unwrap() > 50);
}

#[test]
fn samples_come_in_the_order_asked_for() {
    let object = json("--samples 0.75,0,0.3 --end 1 --step 0.001");
    let times: Vec<f64> =
        object["samples"].as_array().unwrap().iter().map(|sample| sample["t"].as_f64().unwrap()).collect();
    assert_eq!(times, [0.75, 0.0, 0.3]);
}

#[test]
fn parameters_can_be_set() {
    let object = json("--set mass=30 --set gravity=0,0,0 --end 0.01");
    let energy = &object["samples"][0]["energy"];
    assert_eq!(energy["potential"].as_f64().unwrap().abs(), 0.0);
    let expected = 0.5 * (0.46875 * 150.0f64.powi(2) + (30.0 + 0.234_375) * 4.615_38f64.powi(2));
    assert!((energy["kinetic"].as_f64().unwrap() - expected).abs() < 1e-6);
}

#[test]
fn implicit_methods_count_their_iterations() {
    let mean = |settings: &str| {
        let object = json(&format!("--method lie_alpha --step 0.002 --end 0.2 {settings}"));
        object["newton_iterations"].as_f64().expect("a number")
    };
    let exact = mean("--set rho_inf=0.8");
    assert!((2.0..4.0).contains(&exact), "{exact}");
    let simplified = mean("--set newton=simplified --set rho_inf=0.8");
    assert!((exact..6.0).contains(&simplified), "{simplified} {exact}");
    assert!(mean("--set newton=modified") > exact);
    assert!(mean("--set newton_tolerance=1e-5") < exact);
    assert!(json("--end 0.01").get("newton_iterations").is_none());
}

/// Methods for one rotation alone are not offered for a body that moves.
#[test]
fn methods_are_offered_where_they_apply() {
    let (status, stdout, _) = command("--list-methods");
    assert_eq!(status, Status::Done);
    assert!(stdout.contains("tr_bdf2") && !stdout.contains("imidm"), "{stdout}");
    let (status, _, stderr) = command("--method imidm");
    assert_eq!(status, Status::Misused);
    assert!(stderr.contains("unknown method `imidm`"), "{stderr}");
}

#[test]
fn csv_has_a_header_and_a_line_a_sample() {
    let (status, stdout, stderr) = command("--group s3r3 --samples 0.1,0.2 --format csv");
    assert_eq!(status, Status::Done);
    assert_eq!(stderr, "");
    let lines: Vec<Vec<&str>> = stdout.lines().map(|line| line.split(',').collect()).collect();
    assert_eq!(lines.len(), 3);
    assert_eq!(lines[0][..2], ["t", "configuration.pose.rotation[0]"]);
    assert!(lines.iter().all(|line| line.len() == lines[0].len()));
    assert!(lines[1..].iter().flatten().all(|number| number.parse::<f64>().is_ok()));
}

#[test]
fn what_cannot_be_used_is_told_with_exit_code_2() {
    for (arguments, expected) in [
        ("--group se4", "did you mean `se3`"),
        ("--method hedop", "did you mean `hedop5`"),
        ("--method xyz", "herk2_heun"),
        ("--format xml", "table"),
        ("--step 0", "positive"),
        ("--step -0.1", "positive"),
        ("--step nan", "finite"),
        ("--step inf", "finite"),
        ("--step x", "finite"),
        ("--end 0", "positive"),
        ("--end -1", "positive"),
        ("--end inf", "finite"),
        ("--step 0.1 --rtol 1e-6", "--rtol"),
        ("--step 0.1 --atol 1e-6", "--atol"),
        ("--rtol -1", "negative"),
        ("--atol 0", "positive"),
        ("--method herk4 --rtol 1e-6 --atol 1e-8", "hedop5"),
        ("--samples 0.5,", "--samples"),
        ("--samples x", "--samples"),
        ("--samples -0.5", "negative"),
        ("--samples nan", "finite"),
        ("--samples 2 --end 1", "after the end"),
        ("--set mass", "name=value"),
        ("--set mas=1", "did you mean `mass`"),
        ("--set mass=x", "not a number"),
        ("--set mass=nan", "finite"),
        ("--set mass=-1", "positive"),
        ("--set gravity=1,2", "3 components"),
        ("--set mass=1 --set mass=2", "twice"),
        ("--stepp 0.1", "--step"),
        ("--method lie_alpha --set rho_inf=1.5", "rho_inf"),
        ("--method lie_alpha --set hht_alpha=0.4", "1/3"),
        ("--method lie_alpha --set rho_inf=0.8 --set hht_alpha=0.1", "absent"),
        ("--method lie_alpha --set newton=exakt", "did you mean `exact`"),
        ("--method lie_alpha --set start=third_order", "second_order"),
        ("--method lie_alpha --set newton_tolerance=0", "positive"),
        ("--set rho_inf=0.9", "rho_inf"),
        ("--step 1e-300", "floating-point resolution"),
        ("extra", "extra"),
    ] {
        let (status, stdout, stderr) = command(arguments);
        assert_eq!(status, Status::Misused, "{arguments}: {stderr}");
        assert!(stderr.contains(expected), "{arguments}: {stderr}");
        assert_eq!(stdout, "", "{arguments}");
    }
}

#[test]
fn a_run_that_fails_shows_how_far_it_came() {
    let (status, stdout, stderr) = command("--step 0.2 --end 10 --samples 0,10 --format json");
    assert_eq!(status, Status::Failed);
    assert!(stderr.starts_with("error: "), "{stderr}");
    let object: Value = serde_json::from_str(&stdout).expect("one JSON object");
    assert_eq!(object["samples"][0]["t"], 0.0);
    assert!(object["failure"].is_string());
}

#[test]
fn lists_name_everything() {
    let (status, stdout, _) = command("--list-methods");
    assert_eq!(status, Status::Done);
    let ids: Vec<&str> = stdout.lines().filter_map(|line| line.split_whitespace().next()).collect();
    let half_explicit = lie_runtime::integrator::half_explicit::METHODS.map(|method| method.id);
    assert!(half_explicit.iter().chain(&["lie_alpha", "lie_alpha_stab2"]).all(|id| ids.contains(id)), "{ids:?}");
    assert!(["hedop5", "rkmk4", "cf4"].iter().all(|id| ids.contains(id)));
    let object = json("--list-methods");
    assert_eq!(object.as_array().unwrap().len(), ids.len());
    assert_eq!(command("--list-groups").1, "so3xr3\nse3\ns3xr3\ns3r3\ndq\n");
    let (status, stdout, _) = command("--help");
    assert_eq!(status, Status::Done);
    assert!(stdout.contains("--samples") && stdout.contains("so3xr3"));
}

#[test]
fn trajectories_go_to_files() {
    let folder = folder("trajectory");
    let _ = fs::remove_dir_all(&folder);
    let (status, stdout, stderr) = command(&format!("--end 0.1 --format json --out {}", folder.display()));
    assert_eq!(status, Status::Done, "{stderr}");
    assert!(serde_json::from_str::<Value>(&stdout).is_ok());
    let table = fs::read_to_string(folder.join("trajectory.csv")).unwrap();
    assert_eq!(table.lines().count(), 102);
    assert!(fs::metadata(folder.join("trajectory.npz")).unwrap().len() > 1000);
}

#[test]
fn schematics_are_drawn_without_a_run() {
    let file = folder("schematic").join("top.svg");
    let (status, stdout, _) = command(&format!("--group se3 --set mass=10 --schematic {}", file.display()));
    assert_eq!((status, stdout.as_str()), (Status::Done, ""));
    let svg = fs::read_to_string(file).unwrap();
    assert!(svg.contains(">pose<") && svg.contains(">98.1 N<"), "{svg}");
}

#[test]
fn a_folder_that_cannot_be_made_is_told() {
    let file = folder("not_a_folder");
    fs::write(&file, "").unwrap();
    let (status, _, stderr) = command(&format!("--end 0.1 --out {}", file.display()));
    assert_ne!(status, Status::Done);
    assert!(stderr.contains("--out"), "{stderr}");
}

#[test]
fn studies_measure_orders_and_draw_them() {
    let example = heavy_top::example();
    let halvings = [Halving { group: "se3", method: "herk4", steps: 10..=12 }];
    let error = |sample: &Sample| {
        let exact = [0.173_343_964_098_386_04, 0.640_088_592_070_568_8, -0.748_490_791_133_581_3];
        [study::distance(&sample.observable("position"), &exact, 1.0); 3]
    };
    let curves = study::convergence(&example, 1.0, &halvings, error).unwrap();
    assert!((curves[0].order(0) - 4.0).abs() < 0.15, "{}", curves[0].order(0));
    let panel = figure::convergence(&[&curves[0]], &["p = 4"], 0, "q & λ < 1");
    assert_eq!(panel.triangles.len(), 1);
    let path = figure::save(&[panel], &folder("figures"), "convergence").unwrap();
    let svg = fs::read_to_string(&path).unwrap();
    assert!(svg.contains("10⁻⁵") || svg.contains("10⁻⁴"));
    assert!(svg.contains("q &amp; λ &lt; 1"), "titles are escaped");
    assert!(fs::metadata(path.with_extension("png")).unwrap().len() > 1000);
    let nothing = figure::save(&[], &folder("figures"), "nothing");
    assert!(matches!(nothing, Err(figure::FigureError::Empty)), "{nothing:?}");
}
