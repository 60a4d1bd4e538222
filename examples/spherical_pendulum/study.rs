//! Figs. 5 to 11 of paper 3, and an animation.

use std::error::Error;
use std::io::Write;
use std::path::{Path, PathBuf};

use examples::figure::{self, Animation, Axis, MovingLine, Panel, Series};
use examples::study::{self, Curve, Halving};
use examples::{Example, Outcome, Request, Sample, Settings, Step};

/// The methods of Fig. 5, their names, and the numbers of steps as powers of two.
const METHODS: [(&str, &str, core::ops::RangeInclusive<i32>); 6] = [
    ("lie_euler", "Lie-Euler", 6..=14),
    ("lie_heun", "Lie-Heun", 6..=12),
    ("rkmk3", "RKMK3", 5..=10),
    ("rkmk4", "RKMK4", 5..=10),
    ("rkmk4_truncated", "RKMK4, truncated dexp⁻¹", 5..=10),
    ("rkmk4_two_commutators", "RKMK4, two commutators", 5..=10),
];

type Failure = Box<dyn Error>;

/// All of it.
pub fn study(example: &Example, folder: &Path, out: &mut dyn Write) -> Result<(), Failure> {
    let mut figures = vec![convergence(example, folder, out)?, constraints(example, folder, out)?];
    let equal = adaptivity(example, folder, out, "adaptivity_unit", "L = 1", |_| 1.0)?;
    let scaled = adaptivity(example, folder, out, "adaptivity_scaled", "L = 5/N", |links| 5.0 / links as f64)?;
    figures.extend([equal, scaled, spike(example, folder, out)?, film(example, folder)?]);
    writeln!(out, "\nFigures (SVG, and PNG beside it) and an animation for a browser:")?;
    for path in figures {
        writeln!(out, "  {}", path.display())?;
    }
    Ok(())
}

/// q and ω of all links.
fn numbers(sample: &Sample) -> Vec<f64> {
    [sample.configuration.numbers(), sample.velocity.numbers()].concat()
}

/// A run that has to reach its end.
fn run(example: &Example, group: &str, request: &Request) -> Result<Outcome, Failure> {
    study::history(example, group, request).map_err(|error| error.to_string().into())
}

/// The request with a number of links of some length.
fn chain(mut request: Request, links: usize, length: f64) -> Result<Request, Failure> {
    let mut settings = Settings::default();
    settings.insert("links", &links.to_string())?;
    settings.insert("length", &length.to_string())?;
    request.settings = settings;
    Ok(request)
}

/// A run of `method` with this tolerance.
fn controlled(method: &str, tolerance: f64, end: f64) -> Request {
    Request { step: Step::Controlled { relative: 0.0, absolute: tolerance }, ..Request::fixed(method, 1.0, end) }
}

/// q and ω at the end by the classical pair in R^6N, which shares no geometry with what it judges.
fn reference(example: &Example, links: usize, length: f64, end: f64) -> Result<Vec<f64>, Failure> {
    let outcome = run(example, "cartesian", &chain(controlled("rkmk54", 1e-12, end), links, length)?)?;
    outcome.samples.first().map(numbers).ok_or_else(|| "the reference has no sample".into())
}

/// Fig. 5: orders for N = 2.
fn convergence(example: &Example, folder: &Path, out: &mut dyn Write) -> Result<PathBuf, Failure> {
    let exact = reference(example, 2, 1.0, 1.0)?;
    let (half, size) = (exact.len() / 2, study::norm(&exact));
    let errors = |sample: &Sample| {
        let found = numbers(sample);
        [
            study::distance(&found[..half], &exact[..half], 1.0),
            study::distance(&found[half..], &exact[half..], size),
            f64::NAN,
        ]
    };
    let halvings: Vec<Halving> =
        METHODS.iter().map(|(method, _, steps)| Halving { group: "ts2", method, steps: steps.clone() }).collect();
    let curves = study::convergence(example, 1.0, &halvings, errors)?;
    let curves: Vec<&Curve> = curves.iter().collect();
    let labels = METHODS.map(|(_, label, _)| label);
    let rows: Vec<Vec<String>> = curves
        .iter()
        .zip(labels)
        .map(|(curve, label)| vec![label.to_owned(), study::order(curve.order(0)), study::order(curve.order(1))])
        .collect();
    writeln!(out, "Two links: observed orders at t = 1\n{}", study::plain_table(&["method", "q", "ω"], &rows))?;
    let panels = [(0, "q"), (1, "ω")].map(|(quantity, name)| {
        Panel::convergence(&curves, &labels, quantity, &format!("Two links: error of {name} at t = 1"))
    });
    Ok(figure::save(&panels, folder, "convergence")?)
}

/// A curve without markers.
fn line(label: &str, style: usize, points: Vec<(f64, f64)>) -> Series {
    Series { label: label.to_owned(), style, marked: false, points }
}

/// Figs. 6 and 7: |1 − q·q| and |q·ω| on [0, 5] for N = 2, in a motion that leaves the plane.
fn constraints(example: &Example, folder: &Path, out: &mut dyn Write) -> Result<PathBuf, Failure> {
    let runs = [
        ("RKMK4 on (TS²)²", "ts2", Request::fixed("rkmk4", 0.005, 5.0)),
        ("CF4 on (TS²)²", "ts2", Request::fixed("cf4", 0.005, 5.0)),
        ("classical Runge-Kutta 4", "cartesian", Request::fixed("rkmk4", 0.005, 5.0)),
        ("classical Dormand-Prince 5(4)", "cartesian", controlled("rkmk54", 1e-6, 5.0)),
    ];
    let mut series = [Vec::new(), Vec::new()];
    let mut rows = Vec::new();
    for (style, (label, group, request)) in runs.into_iter().enumerate() {
        let mut request = request.every(1);
        request.settings.insert("swing", "1")?;
        let history = run(example, group, &request)?.history;
        let mut row = vec![label.to_owned()];
        for (residual, series) in
            [|sample: &Sample| sample.residual.position, |sample: &Sample| sample.residual.velocity]
                .into_iter()
                .zip(&mut series)
        {
            // Zero has no place on a logarithmic axis.
            let points: Vec<(f64, f64)> =
                history.iter().map(|sample| (sample.t, residual(sample).max(1e-17))).collect();
            row.push(format!("{:.1e}", points.iter().map(|(_, value)| *value).fold(0.0, f64::max)));
            series.push(line(label, style, points));
        }
        rows.push(row);
    }
    writeln!(out, "\nTwo links: largest deviations up to t = 5")?;
    writeln!(out, "{}", study::plain_table(&["method", "|1 − q·q|", "|q·ω|"], &rows))?;
    let panels: Vec<Panel> = ["|1 − q·q|", "|q·ω|"]
        .iter()
        .zip(series)
        .map(|(name, series)| Panel {
            title: format!("Two links: {name}"),
            x: Axis::Linear("time t [s]".to_owned()),
            y: Axis::Log((*name).to_owned()),
            series,
            triangles: Vec::new(),
        })
        .collect();
    Ok(figure::save(&panels, folder, "constraints")?)
}

/// The sizes of the accepted steps over time.
fn step_sizes(outcome: &Outcome) -> Vec<(f64, f64)> {
    outcome.steps.iter().filter(|step| step.accepted).map(|step| (step.time, step.step)).collect()
}

/// Figs. 8 and 10: variable against constant steps, as many, at t = 3 for N = 2 … 20.
fn adaptivity(
    example: &Example,
    folder: &Path,
    out: &mut dyn Write,
    name: &str,
    title: &str,
    length: impl Fn(usize) -> f64 + Sync,
) -> Result<PathBuf, Failure> {
    const END: f64 = 3.0;
    let links: Vec<usize> = (2..=20).collect();
    let results = study::in_parallel(links.len(), |index| {
        let (links, length) = (links[index], length(links[index]));
        let one = || -> Result<_, Failure> {
            let exact = reference(example, links, length, END)?;
            let variable = run(example, "ts2", &chain(controlled("rkmk54", 1e-6, END), links, length)?)?;
            let request = Request::fixed("rkmk5", END / variable.accepted as f64, END);
            let constant = run(example, "ts2", &chain(request, links, length)?)?;
            let error = |outcome: &Outcome| {
                outcome.samples.first().map_or(f64::NAN, |sample| study::distance(&numbers(sample), &exact, 1.0))
            };
            Ok((variable.accepted, error(&variable), error(&constant), step_sizes(&variable)))
        };
        one().map_err(|error| error.to_string())
    })?;
    let rows: Vec<Vec<String>> = links
        .iter()
        .zip(&results)
        .map(|(links, (steps, variable, constant, _))| {
            vec![links.to_string(), steps.to_string(), format!("{variable:.1e}"), format!("{constant:.1e}")]
        })
        .collect();
    writeln!(out, "\nErrors at t = 3 with {title}, tolerance 1e-6")?;
    writeln!(out, "{}", study::plain_table(&["N", "steps", "RKMK5(4)", "RKMK5, constant"], &rows))?;
    let points = |errors: &mut dyn Iterator<Item = f64>| {
        links.iter().zip(errors).map(|(links, error)| (*links as f64, error)).collect()
    };
    let variable = points(&mut results.iter().map(|result| result.1));
    let constant = points(&mut results.iter().map(|result| result.2));
    let mut series = vec![line("RKMK5(4), variable", 0, variable), line("RKMK5, constant", 1, constant)];
    for series in &mut series {
        series.marked = true;
    }
    let sizes = results.last().map(|result| result.3.clone()).unwrap_or_default();
    let panels = [
        Panel {
            title: format!("{title}: error at t = 3"),
            x: Axis::Linear("number of links N".to_owned()),
            y: Axis::Log("Euclidean error".to_owned()),
            series,
            triangles: Vec::new(),
        },
        Panel {
            title: format!("{title}, N = 20: step sizes"),
            x: Axis::Linear("time t [s]".to_owned()),
            y: Axis::Log("h [s]".to_owned()),
            series: vec![line("RKMK5(4), variable", 0, sizes)],
            triangles: Vec::new(),
        },
    ];
    Ok(figure::save(&panels, folder, name)?)
}

/// Figs. 9 and 11: the velocities of two links, the spike of ω₂' near t = 2.2 and the steps that resolve it.
fn spike(example: &Example, folder: &Path, out: &mut dyn Write) -> Result<PathBuf, Failure> {
    let outcome = run(example, "ts2", &controlled("rkmk54", 1e-6, 3.0).every(1))?;
    let component = |index: usize| -> Vec<(f64, f64)> {
        outcome.history.iter().filter_map(|sample| Some((sample.t, *sample.velocity.numbers().get(index)?))).collect()
    };
    let series = (0..6).map(|i| {
        let label = format!("ω{}, component {}", ["₁", "₂"][i / 3], i % 3 + 1);
        line(&label, i, component(i))
    });
    let directions = (0..6).map(|i| {
        let points = outcome.history.iter();
        let points = points.filter_map(|sample| Some((sample.t, *sample.configuration.numbers().get(i)?)));
        line(&format!("q{}, component {}", ["₁", "₂"][i / 3], i % 3 + 1), i, points.collect())
    });
    let sizes = step_sizes(&outcome);
    let smallest = sizes
        .iter()
        .copied()
        .fold((f64::NAN, f64::INFINITY), |best, step| if step.1 < best.1 && step.0 > 0.5 { step } else { best });
    writeln!(
        out,
        "\nTwo links: the smallest step after the start is {:.1e} at t = {:.2}, where ω₂ turns",
        smallest.1, smallest.0
    )?;
    let time = || Axis::Linear("time t [s]".to_owned());
    let panel = |title: &str, y, series| Panel { title: title.to_owned(), x: time(), y, series, triangles: Vec::new() };
    let panels = [
        panel("Two links: q", Axis::Linear("q".to_owned()), directions.collect()),
        panel("Two links: ω", Axis::Linear("ω [1/s]".to_owned()), series.collect()),
        panel("Two links: step sizes", Axis::Log("h [s]".to_owned()), vec![line("step size", 6, sizes)]),
    ];
    Ok(figure::save(&panels, folder, "spike")?)
}

/// Ten links that swing out of their plane, frame by frame.
fn film(example: &Example, folder: &Path) -> Result<PathBuf, Failure> {
    const LINKS: usize = 10;
    const LENGTH: f64 = 0.5;
    let mut request = chain(controlled("rkmk54", 1e-6, 6.0), LINKS, LENGTH)?;
    request.settings.insert("swing", "1")?;
    request.samples = (0..=240).map(|frame| 0.025 * f64::from(frame)).collect();
    let frames = run(example, "ts2", &request)?.samples;
    // x_i = x_{i−1} + L q_i from the fixed point on.
    let masses = |sample: &Sample| {
        let mut places = vec![[0.0; 3]];
        for link in sample.configuration.numbers().chunks_exact(3) {
            let last = places[places.len() - 1];
            places.push(core::array::from_fn(|k| last[k] + LENGTH * link[k]));
        }
        places
    };
    let film = Animation {
        title: format!("Spherical pendulum of {LINKS} links"),
        eye: [-50.0, 20.0],
        times: frames.iter().map(|sample| sample.t).collect(),
        lines: vec![MovingLine {
            label: "links and masses".to_owned(),
            style: 0,
            trail: Some(LINKS),
            points: frames.iter().map(masses).collect(),
        }],
    };
    Ok(film.save(folder, "animation")?)
}
