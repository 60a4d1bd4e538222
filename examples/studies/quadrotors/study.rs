//! Figs. 13 to 18 of paper 3, and an animation.

use std::error::Error;
use std::io::Write;
use std::path::{Path, PathBuf};

use harness::figure::{self, Animation, Axis, Figure, MovingLine, Panel, Series};
use harness::study::{self, Curve, Halving};
use harness::{Example, Request, Sample, Step};
use lie_runtime::system::Value;

/// The methods of Fig. 13.
const METHODS: [(&str, &str); 4] =
    [("lie_heun", "RKMK2 (Lie-Heun)"), ("rkmk3", "RKMK3"), ("rkmk4", "RKMK4"), ("rkmk5", "RKMK5")];

const GROUP: &str = "tangent";

/// All of it.
pub fn study(example: &Example, folder: &Path, out: &mut dyn Write) -> Result<(), Box<dyn Error>> {
    let mut figures = vec![convergence(example, folder, out)?];
    // 2000 steps of RKMK4, as in the paper.
    let run = study::history(example, GROUP, &Request::fixed("rkmk4", 0.0025, 5.0).every(4))
        .map_err(|error| error.to_string())?;
    let history = &run.history;
    let scalar = |name: &str, index: usize| -> Vec<(f64, f64)> {
        let point = |sample: &Sample| Some((sample.t, *sample.observable(name).get(index)?));
        history.iter().filter_map(point).collect()
    };
    let load = |index: usize| -> Vec<(f64, f64)> {
        let point = |sample: &Sample| Some((sample.t, *sample.configuration.get("load")?.numbers().get(index)?));
        history.iter().filter_map(point).collect()
    };
    let components: Vec<Panel> = (0..3)
        .map(|i| {
            Panel::over_time(
                &format!("Payload, component {}", i + 1),
                Axis::Linear("y [m]".to_owned()),
                vec![Series::line("payload", 0, load(i)), Series::line("target", 1, scalar("target", i))],
            )
        })
        .collect();
    figures.push(figure::save_titled("Two quadrotors (paper 3, Fig. 15)", &components, folder, "payload")?);
    let errors = [
        Panel::over_time(
            "Deviation of the payload",
            Axis::log("|payload − target| [m]"),
            vec![Series::line("payload", 0, scalar("load_error", 0))],
        ),
        Panel::over_time(
            "Direction errors of the links",
            Axis::log("|direction − its target|"),
            (0..2).map(|i| Series::line(&format!("link {}", i + 1), i + 1, scalar("link_errors", i))).collect(),
        ),
        Panel::over_time(
            "Norms of the directions",
            Axis::Linear("(|q| − 1) · 10¹⁵".to_owned()),
            (0..2)
                .map(|i| {
                    let points = scalar("norm_deviations", i);
                    let scaled = points.into_iter().map(|(t, deviation)| (t, 1e15 * deviation)).collect();
                    Series::line(&format!("link {}", i + 1), i + 1, scaled)
                })
                .collect(),
        ),
    ];
    figures.push(figure::save_titled("Two quadrotors (paper 3, Figs. 16 to 18)", &errors, folder, "errors")?);
    figures.push(snapshots(history, folder)?);
    figures.push(film(history, folder)?);
    let last = history.last().ok_or("nothing was recorded")?;
    let deviation = history.iter().flat_map(|sample| sample.observable("norm_deviations"));
    writeln!(
        out,
        "\nAt t = 5: payload off by {:.1e} m, links by {:.1e} and {:.1e}; largest ||q| − 1| up to then {:.1e}",
        last.observable("load_error")[0],
        last.observable("link_errors")[0],
        last.observable("link_errors")[1],
        deviation.map(f64::abs).fold(0.0, f64::max),
    )?;
    study::tell_figures(out, &figures)?;
    Ok(())
}

/// Fig. 13: errors of configuration and velocity at t = 1 against the pair 5(4) with a tolerance of 1e-12.
fn convergence(example: &Example, folder: &Path, out: &mut dyn Write) -> Result<PathBuf, Box<dyn Error>> {
    let step = Step::Controlled { relative: 0.0, absolute: 1e-12 };
    let request = Request { step, ..Request::fixed("rkmk54", 1.0, 1.0) };
    let reference = study::history(example, GROUP, &request).map_err(|error| error.to_string())?;
    let exact = reference.samples.first().ok_or("the reference has no sample")?;
    let (q, v) = (exact.configuration.numbers(), exact.velocity.numbers());
    let errors = |sample: &Sample| {
        let (found_q, found_v) = (sample.configuration.numbers(), sample.velocity.numbers());
        [study::distance(&found_q, &q, 1.0), study::distance(&found_v, &v, study::norm(&v)), f64::NAN]
    };
    let halvings: Vec<Halving> =
        METHODS.iter().map(|(method, _)| Halving { group: GROUP, method, steps: 4..=9 }).collect();
    let curves = study::convergence(example, 1.0, &halvings, errors)?;
    let curves: Vec<&Curve> = curves.iter().collect();
    let labels = METHODS.map(|(_, label)| label);
    let rows: Vec<Vec<String>> = curves
        .iter()
        .zip(labels)
        .map(|(curve, label)| vec![label.to_owned(), study::order(curve.order(0)), study::order(curve.order(1))])
        .collect();
    let header = ["method", "configuration", "velocity"];
    writeln!(out, "Observed orders at t = 1\n{}", study::plain_table(&header, &rows))?;
    let panels = [(0, "configuration"), (1, "velocity")].map(|(quantity, name)| {
        figure::convergence(&curves, &labels, quantity, &format!("Error of the {name} at t = 1"))
    });
    Ok(figure::save_titled("Two quadrotors (paper 3, Fig. 13)", &panels, folder, "convergence")?)
}

/// Fig. 14: payload, cables and rotors every second, view from the side.
fn snapshots(history: &[Sample], folder: &Path) -> Result<PathBuf, Box<dyn Error>> {
    const ARM: f64 = 0.3;
    // e₃ points down.
    let side = |vector: &[f64]| (vector[0], -vector[2]);
    let load = |sample: &Sample| sample.configuration.get("load").map(Value::numbers).unwrap_or_default();
    let mut series = vec![
        Series::line(
            "target of the payload",
            1,
            history.iter().map(|sample| side(&sample.observable("target"))).collect(),
        )
        .dashed(),
        Series::line("payload", 0, history.iter().map(|sample| side(&load(sample))).collect()),
    ];
    let mut instants = Vec::new();
    for sample in history.iter().step_by(100) {
        let (load, quadrotors) = (side(&load(sample)), sample.observable("quadrotors"));
        // R by rows, one quadrotor after the other.
        let attitudes = sample.configuration.get("attitude").map(Value::numbers).unwrap_or_default();
        for (centre, attitude) in quadrotors.chunks_exact(3).map(side).zip(attitudes.chunks_exact(9)) {
            series.push(Series::line("cables", 6, vec![load, centre]));
            // The arm along the first axis of the frame.
            let arm = side(&[attitude[0], attitude[3], attitude[6]]);
            let tip = |side: f64| (centre.0 + side * ARM * arm.0, centre.1 + side * ARM * arm.1);
            series.push(Series::line("rotors", 2, vec![tip(-1.0), tip(1.0)]));
        }
        instants.push((load, format!("{:.0} s", sample.t)));
    }
    let mut panel = Panel::new("", Axis::length("y₁ [m]"), Axis::length("height −y₃ [m]"), series);
    panel.series.push(Series::marks("", 0, instants.iter().map(|(load, _)| *load).collect()));
    for (load, text) in instants {
        panel = panel.note(load, &text);
    }
    let caption = "Two quadrotors carry a payload along a parabola, RKMK4, h = 0.0025 s (paper 3, Fig. 14). Side view every second. The rotors \
                   are drawn twice as long. The payload starts off its target and reaches it within two seconds.";
    let figure = Figure::new(vec![panel]).title("Quadrotors with a payload").caption(caption);
    Ok(figure.save_in(folder, "snapshots")?)
}

/// Payload, links, and the arms of both quadrotors along the first two axes of their frames; e₃ points down, the third
/// axis of the picture up.
fn film(history: &[Sample], folder: &Path) -> Result<PathBuf, Box<dyn Error>> {
    const ARM: f64 = 0.15;
    // Turned about e₁, so that no motion is mirrored.
    let upright = |[x, y, z]: [f64; 3]| [x, -y, -z];
    let frames: Vec<&Sample> = history.iter().step_by(5).collect();
    let load = |sample: &Sample| sample.configuration.get("load").map(Value::numbers).unwrap_or_default();
    let place = |sample: &Sample, i: usize| -> [f64; 3] {
        let all = sample.observable("quadrotors");
        core::array::from_fn(|k| all[3 * i + k])
    };
    let point = |numbers: Vec<f64>| -> [f64; 3] { core::array::from_fn(|k| numbers[k]) };
    let moving = |label: &str, style, trail, of: &dyn Fn(&Sample) -> Vec<[f64; 3]>| MovingLine {
        label: label.to_owned(),
        style,
        trail,
        points: frames.iter().map(|sample| of(sample).into_iter().map(upright).collect()).collect(),
    };
    let mut lines = vec![
        moving("payload and links", 0, Some(1), &|sample| {
            vec![place(sample, 0), point(load(sample)), place(sample, 1)]
        }),
        moving("target", 1, Some(0), &|sample| vec![point(sample.observable("target"))]),
    ];
    for i in 0..2 {
        lines.push(moving(["first quadrotor", "second quadrotor"][i], 2 + i, None, &|sample| {
            // R by rows, one quadrotor after the other.
            let attitude = sample.configuration.get("attitude").map(Value::numbers).unwrap_or_default();
            let centre = place(sample, i);
            let tip = |axis: usize, side: f64| -> [f64; 3] {
                core::array::from_fn(|k| centre[k] + side * ARM * attitude[9 * i + 3 * k + axis])
            };
            vec![tip(0, 1.0), tip(0, -1.0), centre, tip(1, 1.0), tip(1, -1.0)]
        }));
    }
    let film = Animation {
        title: "Two quadrotors with a payload".to_owned(),
        eye: [-70.0, 15.0],
        times: frames.iter().map(|sample| sample.t).collect(),
        lines,
        ..Animation::default()
    };
    Ok(film.save(folder, "animation")?)
}
