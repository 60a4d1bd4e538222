//! Names of a run in figures and animations, rejected input, and glTF checked against its specification.

use std::fs;

use nalgebra::{Isometry3, Vector3};
use serde_json::Value;

use super::{Animation, Axis, FigureError, Film, Shape};
use crate::group::SO3xR3;
use crate::prelude::*;
use crate::simulate::ColumnError;

/// Two bodies, an angle, an input and a constraint: one example of every kind.
#[mechanical_system]
pub mod machine {
    #[configuration]
    pub struct Pose {
        pub attitude: SO3,
        pub position: R3,
        pub wheel: SO2,
        pub tail: [R2; 3],
    }

    #[inputs]
    pub struct Inputs {
        pub push: f64,
    }

    #[kinetic_energy]
    fn kinetic(v: &Velocity) -> f64 {
        let tail = v.tail[0].norm_squared() + v.tail[1].norm_squared() + v.tail[2].norm_squared();
        0.5 * (v.attitude.norm_squared() + v.position.norm_squared() + v.wheel * v.wheel + tail)
    }

    #[force(on = wheel)]
    fn motor(u: &Inputs) -> f64 {
        u.push
    }

    #[constraint]
    fn rail(q: &Pose) -> f64 {
        q.position.y
    }

    #[observable]
    fn tip(q: &Pose) -> Vector3<f64> {
        q.position + q.attitude * Vector3::x()
    }

    #[observable]
    fn reciprocal(q: &Pose) -> f64 {
        1.0 / q.position.y
    }
}

/// A crank on a hinge and a rod at its end: a pose with body-fixed components, and one with spatial components.
#[mechanical_system]
pub mod linkage {
    #[configuration]
    pub struct Pose {
        pub crank: SE3,
        pub rod: SO3xR3,
    }

    #[kinetic_energy]
    fn kinetic(v: &Velocity) -> f64 {
        0.5 * (v.crank.angular().norm_squared() + v.crank.linear().norm_squared())
            + 0.5 * (v.rod.angular().norm_squared() + v.rod.linear().norm_squared())
    }

    #[potential]
    fn weight(q: &Pose) -> f64 {
        10.0 * (q.crank.position().z + 2.0 * q.rod.position().z)
    }

    #[constraint]
    fn hinge(q: &Pose) -> SVector<f64, 5> {
        let point = q.crank * Vector3::new(-1.0, 0.0, 0.0);
        let axis = q.crank.rotation.matrix() * Vector3::y();
        vector![point.x, point.y, point.z, axis.x, axis.z]
    }

    #[constraint]
    fn ball(q: &Pose) -> Vector3<f64> {
        q.crank * Vector3::new(1.0, 0.0, 0.0) - q.rod * Vector3::new(0.0, 0.5, 0.0)
    }
}

#[test]
fn a_schematic_finds_joints_and_loads_from_the_declaration() {
    let system = linkage::System::new().unwrap();
    let crank = SE3::new(SO3::exp(&Vector3::new(0.0, 0.4, 0.0)), SO3::exp(&Vector3::new(0.0, 0.4, 0.0)) * Vector3::x());
    let turn = SO3::exp(&Vector3::new(0.3, 0.0, 0.7));
    let end = crank * Vector3::x();
    let rod = SO3xR3::new(turn, end - turn * Vector3::new(0.0, 0.5, 0.0));
    let schematic = system.schematic(&linkage::Pose { crank, rod }).title("Linkage");
    let joints: Vec<(String, Vector3<f64>)> =
        schematic.joints().map(|(name, point)| (name.to_owned(), point.into())).collect();
    assert_eq!(joints.len(), 2);
    assert!(joints[0].0 == "hinge" && joints[0].1.norm() < 1e-12, "{joints:?}");
    assert!(joints[1].0 == "ball" && (joints[1].1 - end).norm() < 1e-12, "{joints:?}");
    let loads: Vec<([f64; 3], Vector3<f64>)> = schematic.loads().collect();
    assert_eq!(loads.len(), 2);
    for ((point, force), (expected, weight)) in loads.iter().zip([(crank.position(), 10.0), (rod.position(), 20.0)]) {
        assert!((Vector3::from(*point) - expected).norm() < 1e-12);
        assert!((force - Vector3::new(0.0, 0.0, -weight)).norm() < 1e-12, "{force}");
    }
    let svg = schematic.svg().unwrap();
    assert!(
        [">hinge<", ">ball<", ">crank<", ">rod<", ">10.0 N<", ">20.0 N<"].iter().all(|text| svg.contains(text)),
        "{svg}"
    );
    // The axis of the hinge is dashed, the support has a triangle.
    assert!(svg.contains(r#"stroke-dasharray="5 3""#));
    let system = machine::System::new().unwrap().with_inputs(|_, _, _| machine::Inputs { push: 1.0 });
    let run = run_of(&system);
    let planar = run.schematic().svg().unwrap();
    assert_eq!(planar, system.schematic(&run.first().configuration).svg().unwrap());
    let later = run.schematic_of(&run.at(0.5).unwrap()).svg().unwrap();
    assert!(later.contains("<metadata>points ") && later != planar, "the wheel moves");
    assert!(planar.contains(">tail[2]<") && planar.contains(">body<"), "{planar}");
    assert!(!planar.contains("black arrow"), "the key has no loads");
}

/// The format is selected by the extension; PNG needs a feature.
#[test]
fn png_is_an_extension_like_svg() {
    let file = std::env::temp_dir().join(format!("picture-{}.PNG", std::process::id()));
    let (system, run) = run();
    let figure = run.plot(&system).lines(["tip"]).save(&file);
    let schematic = system.schematic(&run.states[0].configuration).save(&file);
    let film = run.animate(&system).line_through("tip", ["tip"]).save(&file);
    if cfg!(feature = "png") {
        assert!(figure.and(schematic).is_ok());
        assert!(fs::read(&file).unwrap().starts_with(b"\x89PNG"));
        fs::remove_file(&file).unwrap();
    } else {
        for error in [figure.unwrap_err(), schematic.unwrap_err()] {
            let message = error.to_string();
            assert!(
                message.contains("requires the feature `png`: run `cargo add lie-runtime --features png`"),
                "{message}"
            );
        }
    }
    assert!(!film.unwrap_err().to_string().contains("feature"), "an animation has no PNG");
}

fn run() -> (machine::System, Trajectory<machine::System>) {
    let system = machine::System::new().unwrap().with_inputs(|_, _, _| machine::Inputs { push: 1.0 });
    let trajectory = run_of(&system).into_trajectory();
    (system, trajectory)
}

fn run_of(system: &machine::System) -> Run<'_, machine::System> {
    let tail = [0.0, 1.0, 2.0].map(|x| Vector2::new(x, 0.5));
    let start = machine::Pose { attitude: SO3::identity(), position: Vector3::zeros(), wheel: SO2::identity(), tail };
    let mut velocity = system.zero_velocity();
    (velocity[2], velocity[3], velocity[8]) = (9.0, 1.0, -0.3);
    Simulation::of(system).initial(start, velocity).step(0.005).end_time(1.0).run().unwrap()
}

/// The wheel turns by t²/2.
#[test]
fn figures_of_few_steps_follow_the_motion() {
    let (system, run) = run();
    let first = run.first().unwrap().clone();
    let coarse =
        Simulation::of(&system).initial(first.configuration, first.velocity).step(0.25).end_time(1.0).run().unwrap();
    let panels = coarse.plot().lines(["wheel"]).panels().unwrap();
    let points = &panels[0].series[0].points;
    assert_eq!((coarse.states.len(), points.len()), (5, 201));
    assert!(points.iter().all(|(t, angle)| (angle - 0.5 * t * t).abs() < 1e-12));
    assert_eq!(coarse.animate().line("point", |_| vec![Vector3::zeros()]).animation().unwrap().times.len(), 201);
}

#[test]
fn names_are_those_of_the_declaration() {
    let (system, run) = run();
    let lines = |name: &str| {
        let panels = run.plot(&system).lines([name]).panels().unwrap();
        panels[0].series.iter().map(|line| line.label.clone()).collect::<Vec<_>>()
    };
    assert_eq!(lines("energy"), ["energy.kinetic", "energy.potential", "energy.total"]);
    assert_eq!(lines("position.x"), ["position[0]"]);
    assert_eq!(lines("velocity.position.z"), ["velocity.position[2]"]);
    assert_eq!(lines("wheel"), ["wheel"]);
    assert_eq!(lines("tail.y"), ["tail[0][1]", "tail[1][1]", "tail[2][1]"]);
    assert_eq!(lines("tip").len(), 3);
    assert_eq!(lines("attitude").len(), 9);
    assert_eq!(lines("rail"), ["multipliers.rail"]);
    assert_eq!(lines("push"), ["inputs.push"]);
    assert_eq!(lines("residual.position"), ["residual.position"]);
    let over =
        run.plot(&system).lines(["tip.y y [m]"]).log_lines(["tip.z z [m]"]).x_axis("tip.x x [m]").panels().unwrap();
    assert!((over[0].series[0].points[0].0 - 1.0).abs() < 1e-15);
    assert_eq!(
        (over[0].title.as_str(), &over[0].x, &over[0].y),
        ("tip.y", &Axis::linear("tip.x x [m]"), &Axis::linear("tip.y y [m]"))
    );
    assert_eq!(over[1].y, Axis::log("|tip.z| z [m]"));
}

#[test]
fn what_cannot_be_drawn_is_told() {
    let (system, run) = run();
    let panels = |name: &str| run.plot(&system).lines([name]).panels();
    let Err(FigureError::Column(ColumnError::Unknown { nearest: Some(nearest), known, .. })) = panels("positions")
    else {
        panic!()
    };
    assert_eq!(nearest, "position");
    assert!(known.iter().any(|name| name == "tip") && !known.iter().any(|name| name.contains('[')));
    assert!(matches!(panels("zzz"), Err(FigureError::Column(ColumnError::Unknown { nearest: None, .. }))));
    let Err(FigureError::NotFinite { name, time }) = panels("reciprocal") else { panic!() };
    assert_eq!((name.as_str(), time), ("reciprocal", 0.0));
    let several = run.plot(&system).lines(["tip"]).x_axis("tip").panels();
    assert!(matches!(several, Err(FigureError::Column(ColumnError::Several { values: 3, .. }))));
    let path = std::env::temp_dir().join("picture.doc");
    assert!(matches!(run.plot(&system).lines(["tip"]).save(path), Err(FigureError::Extension { .. })));
    let mut none = run.clone();
    none.states.clear();
    assert!(matches!(none.plot(&system).lines(["tip"]).panels(), Err(FigureError::Column(ColumnError::Empty))));
    assert!(matches!(none.animate(&system).line("l", |_| vec![]).animation(), Err(FigureError::Empty)));
}

fn film<'a>(system: &machine::System, run: &'a Trajectory<machine::System>) -> Film<'a, machine::System> {
    run.animate(system)
        .title("A machine")
        .solid_at("box", Shape::Box([0.4, 0.3, 0.2]), "attitude", "position")
        .solid_at("axes", Shape::Frame(0.5), "wheel", "tip")
        .solid("ball", Shape::Ball(0.1), |state| Isometry3::translation(0.0, 0.0, state.time))
        .line_through("tail", ["tail", "tip"])
        .line("point", |state| vec![state.configuration.position])
}

#[test]
fn solids_and_lines_go_by_names_and_by_functions() {
    let (system, run) = run();
    let film = film(&system, &run);
    let animation = film.animation().unwrap();
    assert_eq!((animation.lines.len(), animation.solids.len(), animation.times.len()), (2, 3, run.states.len()));
    let last = run.last().unwrap();
    let corner = animation.solids[0].poses.last().unwrap() * nalgebra::Point3::new(0.2, 0.0, 0.0);
    let expected = last.configuration.position + last.configuration.attitude * Vector3::new(0.2, 0.0, 0.0);
    assert!((corner.coords - expected).norm() < 1e-12);
    let turned = animation.solids[1].poses.last().unwrap().rotation.angle();
    assert!((turned - 0.5).abs() < 1e-6, "{turned}");
    assert_eq!(animation.lines[0].points[0], [[0.0, 0.5, 0.0], [1.0, 0.5, 0.0], [2.0, 0.5, 0.0], [1.0, 0.0, 0.0]]);
    let page = animation.page().unwrap();
    assert_eq!(page.matches("class=\"key\"").count(), 5);
    let wrong = |name: &str| run.animate(&system).line_through("l", [name]).animation().map(|_| ());
    assert!(matches!(wrong("attitude"), Ok(())), "its rows are points");
    assert!(matches!(wrong("wheel"), Err(FigureError::Kind { numbers: 1, .. })));
    assert!(matches!(wrong("whel"), Err(FigureError::Column(ColumnError::Unknown { .. }))));
    let wrong = |attitude: &str, position: &str| {
        run.animate(&system).solid_at("b", Shape::Ball(1.0), attitude, position).animation().map(|_| ())
    };
    assert!(matches!(wrong("position", "position"), Err(FigureError::Kind { numbers: 3, .. })));
    assert!(matches!(wrong("attitude", "tail"), Err(FigureError::Kind { numbers: 9, .. })));
    let forces = run.animate(&system).arrow("force", "tip", "position", 0.5).frame("body", 0.3, "attitude", "position");
    let forces = forces.animation().unwrap();
    let (arrow, last) = (&forces.arrows[0], run.last().unwrap().configuration.position);
    assert!((Vector3::from(*arrow.vectors.last().unwrap()) - 0.5 * last).norm() < 1e-12);
    assert!(forces.draw().unwrap().contains(">body</text>"));
    let wrong = run.animate(&system).arrow("force", "tip", "tail", 1.0).animation().map(|_| ());
    assert!(matches!(wrong, Err(FigureError::Kind { numbers: 9, .. })));
    let flat = run.animate(&system).solid("b", Shape::Box([f64::NAN, 1.0, 1.0]), |_| Isometry3::identity());
    assert!(matches!(flat.animation(), Err(FigureError::Frames { .. })));
}

/// The rules of the specification of glTF 2.0 (sections 3.6 to 3.11) for the written elements.
#[test]
fn gltf_is_valid() {
    let (system, run) = run();
    let film = film(&system, &run);
    let folder = std::env::temp_dir().join(format!("gltf-{}", std::process::id()));
    film.save(folder.join("machine.glb")).unwrap();
    film.save(folder.join("machine.gltf")).unwrap();
    let bytes = fs::read(folder.join("machine.glb")).unwrap();
    let word = |at: usize| u32::from_le_bytes(bytes[at..at + 4].try_into().unwrap()) as usize;
    assert_eq!((&bytes[..4], word(4), word(8)), (b"glTF".as_slice(), 2, bytes.len()));
    let text = word(12);
    assert!(text.is_multiple_of(4) && &bytes[16..20] == b"JSON" && &bytes[24 + text..28 + text] == b"BIN\0");
    let buffer = &bytes[28 + text..];
    assert_eq!(word(20 + text), buffer.len());
    let scene: Value = serde_json::from_slice(&bytes[20..20 + text]).unwrap();
    check(&scene, buffer);
    let separate: Value = serde_json::from_slice(&fs::read(folder.join("machine.gltf")).unwrap()).unwrap();
    assert_eq!(separate["buffers"][0]["uri"], "machine.bin");
    assert_eq!(fs::read(folder.join("machine.bin")).unwrap(), buffer);
    fs::remove_dir_all(&folder).unwrap();
    // The last frame has the box at its final position.
    let number = |accessor: usize, at: usize| {
        let view = &scene["bufferViews"][index(&scene["accessors"][accessor]["bufferView"])];
        let at = index(&view["byteOffset"]) + 4 * at;
        f64::from(f32::from_le_bytes(buffer[at..at + 4].try_into().unwrap()))
    };
    let output = index(&scene["animations"][0]["samplers"][0]["output"]);
    let last = run.last().unwrap().configuration.position;
    for axis in 0..3 {
        assert!((number(output, 3 * (run.states.len() - 1) + axis) - last[axis]).abs() < 1e-6);
    }
}

fn index(value: &Value) -> usize {
    usize::try_from(value.as_u64().unwrap()).unwrap()
}

fn list(value: &Value) -> &[Value] {
    value.as_array().unwrap()
}

fn check(scene: &Value, buffer: &[u8]) {
    assert_eq!(scene["asset"]["version"], "2.0");
    assert_eq!(index(&scene["buffers"][0]["byteLength"]), buffer.len());
    let mut end = 0;
    for view in list(&scene["bufferViews"]) {
        let (from, length) = (index(&view["byteOffset"]), index(&view["byteLength"]));
        assert!(from >= end && from.is_multiple_of(4) && length > 0, "views are aligned, and none is within another");
        end = from + length;
        assert!(end <= buffer.len());
    }
    let numbers = |accessor: &Value| -> Vec<Vec<f64>> {
        let view = &scene["bufferViews"][index(&accessor["bufferView"])];
        let width = match accessor["type"].as_str().unwrap() {
            "SCALAR" => 1,
            "VEC3" => 3,
            "VEC4" => 4,
            other => panic!("{other}"),
        };
        let is_float = match index(&accessor["componentType"]) {
            5126 => true,
            5125 => false,
            other => panic!("{other}"),
        };
        let size = 4;
        let (from, count) = (index(&view["byteOffset"]), index(&accessor["count"]));
        assert_eq!(index(&view["byteLength"]), count * width * size);
        let bytes = &buffer[from..from + count * width * size];
        let all: Vec<f64> = if is_float {
            bytes.chunks_exact(4).map(|part| f64::from(f32::from_le_bytes(part.try_into().unwrap()))).collect()
        } else {
            bytes.chunks_exact(4).map(|part| f64::from(u32::from_le_bytes(part.try_into().unwrap()))).collect()
        };
        all.chunks(width).map(<[f64]>::to_vec).collect()
    };
    let accessors: Vec<Vec<Vec<f64>>> = list(&scene["accessors"]).iter().map(numbers).collect();
    for (accessor, numbers) in list(&scene["accessors"]).iter().zip(&accessors) {
        assert!(numbers.iter().flatten().copied().all(f64::is_finite));
        for (bound, pick) in [("min", f64::min as fn(f64, f64) -> f64), ("max", f64::max)] {
            let Some(bounds) = accessor[bound].as_array() else { continue };
            for (at, bound) in bounds.iter().enumerate() {
                let found = numbers.iter().map(|element| element[at]).reduce(pick).unwrap();
                assert_eq!(bound.as_f64().unwrap(), found, "bounds are exact");
            }
        }
    }
    for mesh in list(&scene["meshes"]) {
        for primitive in list(&mesh["primitives"]) {
            let attribute = |name: &str| index(&primitive["attributes"][name]);
            let position = &scene["accessors"][attribute("POSITION")];
            assert!(position["min"].is_array() && position["max"].is_array());
            let count = accessors[attribute("POSITION")].len();
            assert_eq!(accessors[attribute("NORMAL")].len(), count);
            for normal in &accessors[attribute("NORMAL")] {
                assert!((normal.iter().map(|x| x * x).sum::<f64>() - 1.0).abs() < 1e-5);
            }
            let corners = &accessors[index(&primitive["indices"])];
            assert!(corners.len().is_multiple_of(3) && corners.iter().all(|corner| corner[0] < count as f64));
            assert!(index(&primitive["material"]) < list(&scene["materials"]).len());
        }
    }
    let nodes = list(&scene["nodes"]);
    let mut parents = vec![0; nodes.len()];
    for child in nodes.iter().filter_map(|node| node["children"].as_array()).flatten() {
        parents[index(child)] += 1;
    }
    for root in list(&scene["scenes"][index(&scene["scene"])]["nodes"]) {
        parents[index(root)] += 1;
    }
    assert!(parents.iter().all(|&count| count == 1), "a tree: {parents:?}");
    let animation = &scene["animations"][0];
    let mut targets = Vec::new();
    for channel in list(&animation["channels"]) {
        let sampler = &animation["samplers"][index(&channel["sampler"])];
        let (input, output) = (index(&sampler["input"]), index(&sampler["output"]));
        assert!(scene["accessors"][input]["min"].is_array() && scene["accessors"][input]["max"].is_array());
        let times: Vec<f64> = accessors[input].iter().map(|time| time[0]).collect();
        assert!(times[0] >= 0.0 && times.windows(2).all(|pair| pair[0] < pair[1]), "strictly increasing");
        assert_eq!(accessors[output].len(), times.len());
        let path = channel["target"]["path"].as_str().unwrap();
        let width = if path == "rotation" { 4 } else { 3 };
        assert!(accessors[output].iter().all(|element| element.len() == width));
        if path == "rotation" {
            for pair in accessors[output].windows(2) {
                let dot = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(x, y)| x * y).sum::<f64>();
                assert!((dot(&pair[0], &pair[0]) - 1.0).abs() < 1e-5 && dot(&pair[0], &pair[1]) >= 0.0);
            }
        }
        let target = (index(&channel["target"]["node"]), path.to_owned());
        assert!(target.0 < nodes.len() && !targets.contains(&target), "one channel a target");
        targets.push(target);
    }
}

#[test]
fn frames_too_near_for_single_precision_are_refused() {
    let (system, run) = run();
    let film = film(&system, &run);
    let mut animation: Animation = film.animation().unwrap().clone();
    animation.times = (0..animation.times.len()).map(|at| 1e9 * f64::from(u8::from(at > 0)) + at as f64).collect();
    assert!(matches!(animation.glb(), Err(FigureError::Frames { .. })));
}
