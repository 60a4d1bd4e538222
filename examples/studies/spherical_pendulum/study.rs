//! Figs. 5 to 11 of paper 3, and an animation.

use std::error::Error;
use std::io::Write;
use std::path::{Path, PathBuf};

use harness::figure::{self, Animation, Axis, Figure, MovingLine, Panel, Series};
use harness::study::{self, Curve, Halving};
use harness::{Example, Outcome, Request, Sample, Settings, Step};

use super::pairs;
use models::spherical_pendulum::formulations;

/// The methods of Fig. 5, their names, and the numbers of steps as powers of two.
const METHODS: [(&str, &str, core::ops::RangeInclusive<i32>); 6] = [
    ("lie_euler", "Lie-Euler", 6..=14),
    ("lie_heun", "Lie-Heun", 6..=12),
    ("rkmk3", "RKMK3", 5..=10),
    ("rkmk4", "RKMK4", 5..=10),
    ("rkmk4_truncated", "RKMK4, truncated dexp⁻¹", 5..=10),
    ("rkmk4_two_commutators", "RKMK4, two commutators", 5..=10),
];

/// The tolerance of the runs with variable steps.
const TOLERANCE: f64 = 1e-6;

/// The errors of a study.
pub type Failure = Box<dyn Error>;

/// All of it.
///
/// # Errors
/// A run that fails, or a figure or a line that cannot be written.
pub fn study(example: &Example, folder: &Path, out: &mut dyn Write) -> Result<(), Failure> {
    let mut figures = vec![convergence(example, folder, out)?, constraints(example, folder, out)?];
    pairs::tolerances(example, out)?;
    let equal = adaptivity(example, folder, out, ("adaptivity_unit", "L = 1", 8), |_| 1.0)?;
    let scaled = adaptivity(example, folder, out, ("adaptivity_scaled", "L = 5/N", 10), |links| 5.0 / links as f64)?;
    figures.extend([equal, scaled]);
    figures.extend(spike(example, folder, out)?);
    figures.push(film(example, folder)?);
    writeln!(out, "\nFigures (SVG) and an animation for a browser:")?;
    for path in figures {
        writeln!(out, "  {}", path.display())?;
    }
    Ok(())
}

/// q and ω of all links.
pub(super) fn numbers(sample: &Sample) -> Vec<f64> {
    [sample.configuration.numbers(), sample.velocity.numbers()].concat()
}

/// A run that has to reach its end.
pub(super) fn run(example: &Example, group: &str, request: &Request) -> Result<Outcome, Failure> {
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
pub(super) fn controlled(method: &str, tolerance: f64, end: f64) -> Request {
    Request { step: Step::Controlled { relative: 0.0, absolute: tolerance }, ..Request::fixed(method, 1.0, end) }
}

/// q and ω at the end by the classical pair in R^6N, which shares no geometry with the tested methods.
pub(super) fn reference(example: &Example, links: usize, length: f64, end: f64) -> Result<Vec<f64>, Failure> {
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
        figure::convergence(&curves, &labels, quantity, &format!("Error of {name} at t = 1 s"))
    });
    let caption = "Two links of 1 m on (TS²)², errors at t = 1 s against a Runge-Kutta pair of order 5 with a tolerance of 1e-12 (paper 3, Fig. 5). A \
                   triangle shows the order of a line. The three variants of RKMK4 coincide: the truncated dexp⁻¹ has the full order.";
    let figure = Figure::new(panels.to_vec()).title("Spherical double pendulum: errors").caption(caption);
    Ok(figure.save_in(folder, "convergence")?)
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
            series.push(Series::line(label, style, points));
        }
        rows.push(row);
    }
    writeln!(out, "\nTwo links: largest deviations up to t = 5")?;
    writeln!(out, "{}", study::plain_table(&["method", "|1 − q·q|", "|q·ω|"], &rows))?;
    writeln!(out, "On (TS²)² that is the round-off of 1000 steps, some 1e-17 of each.")?;
    let panels: Vec<Panel> = ["|1 − q·q|", "|q·ω|"]
        .iter()
        .zip(series)
        .map(|(name, series)| Panel::over_time(name, Axis::log(name), series))
        .collect();
    Ok(figure::save_titled("Two links that leave the plane (paper 3, Figs. 6 and 7)", &panels, folder, "constraints")?)
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
    (name, title, printed): (&str, &str, u32),
    length: impl Fn(usize) -> f64 + Sync,
) -> Result<PathBuf, Failure> {
    const END: f64 = 3.0;
    let links: Vec<usize> = (2..=20).collect();
    let results = study::in_parallel(links.len(), |index| {
        let (links, length) = (links[index], length(links[index]));
        let one = || -> Result<_, Failure> {
            let exact = reference(example, links, length, END)?;
            let variable = run(example, "ts2", &chain(controlled("rkmk54", TOLERANCE, END), links, length)?)?;
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
    let series =
        vec![Series::marked("RKMK5(4), variable", 0, variable), Series::marked("RKMK5, constant", 1, constant)];
    let sizes = results.last().map(|result| result.3.clone()).unwrap_or_default();
    let panels = [
        Panel::new("Error at t = 3", Axis::linear("number of links N"), Axis::log("Euclidean error"), series),
        Panel::over_time("Step sizes, N = 20", Axis::log("h [s]"), vec![Series::line("RKMK5(4), variable", 0, sizes)]),
    ];
    Ok(figure::save_titled(&format!("Links of {title} m (paper 3, Fig. {printed})"), &panels, folder, name)?)
}

/// Two links, three ways: their names, and how they go through the spike of ω̇ near t = 2.2.
fn three_ways(example: &Example) -> Result<[(&'static str, Outcome); 3], Failure> {
    const END: f64 = 3.0;
    let variable = run(example, "ts2", &controlled("rkmk54", TOLERANCE, END).every(1))?;
    let request = Request::fixed("rkmk5", END / variable.accepted as f64, END).every(1);
    let constant = run(example, "ts2", &request)?;
    let classical = run(example, "cartesian", &controlled("rkmk54", TOLERANCE, END).every(1))?;
    Ok([("RK5(4) in R¹²", classical), ("RKMK5, constant", constant), ("RKMK5(4), variable", variable)])
}

/// A component of q or ω over time.
fn component(outcome: &Outcome, index: usize) -> Vec<(f64, f64)> {
    outcome.history.iter().filter_map(|sample| Some((sample.t, *numbers(sample).get(index)?))).collect()
}

/// The components of both links; q, then ω.
const COMPONENTS: usize = 3;

/// Fig. 9: the twelve components, a figure for each mass.
fn components(ways: &[(&str, Outcome)], folder: &Path) -> Result<Vec<PathBuf>, Failure> {
    let mut figures = Vec::new();
    for (link, side) in ["left", "right"].into_iter().enumerate() {
        let panels: Vec<Panel> = (0..2 * COMPONENTS)
            .map(|at| {
                let (part, k) = (at / COMPONENTS, at % COMPONENTS);
                let name = format!("{}{}, component {}", ["q", "ω"][part], ["₁", "₂"][link], k + 1);
                let lines = ways.iter().enumerate().map(|(style, (label, outcome))| {
                    Series::line(label, style, component(outcome, 2 * COMPONENTS * part + COMPONENTS * link + k))
                });
                Panel::over_time(&name, Axis::linear(["q", "ω [1/s]"][part]), lines.collect())
            })
            .collect();
        let title = format!("Two links: mass {} (paper 3, Fig. 9, {side})", link + 1);
        figures.push(figure::save_titled(&title, &panels, folder, &format!("components_{}", link + 1))?);
    }
    Ok(figures)
}

/// Figs. 9 and 11: the spike of ω̇ near t = 2.2, the steps that resolve it, and the result of larger steps.
fn spike(example: &Example, folder: &Path, out: &mut dyn Write) -> Result<Vec<PathBuf>, Failure> {
    const ZOOM: f64 = 2.1;
    let ways = three_ways(example)?;
    let mut figures = components(&ways, folder)?;
    let [(_, classical), (_, constant), (_, variable)] = &ways;
    let constant_step = constant.history.get(1).map_or(f64::NAN, |sample| sample.t);
    let sizes = vec![
        Series::line(ways[0].0, 0, step_sizes(classical)),
        Series::line(ways[1].0, 1, vec![(0.0, constant_step), (3.0, constant_step)]),
        Series::line(ways[2].0, 2, step_sizes(variable)),
    ];
    let smallest = sizes[2]
        .points
        .iter()
        .copied()
        .fold((f64::NAN, f64::INFINITY), |best, step| if step.1 < best.1 && step.0 > 0.5 { step } else { best });
    let late = |outcome: &Outcome, index: usize| -> Vec<(f64, f64)> {
        component(outcome, index).into_iter().filter(|(t, _)| *t >= ZOOM).collect()
    };
    // The second components of ω₁ and ω₂: one colour a curve.
    let zoom = (0..2).flat_map(|link| {
        ways.iter().enumerate().map(move |(way, (label, outcome))| {
            let label = format!("ω{}, {label}", ["₁", "₂"][link]);
            Series::line(&label, 3 * link + way, late(outcome, 2 * COMPONENTS + COMPONENTS * link + 1))
        })
    });
    let zoom: Vec<Series> = zoom.collect();
    let rates = accelerations(variable)?;
    let peak =
        rates[1].iter().copied().fold((0.0, 0.0_f64), |best, at| if at.1.abs() > best.1.abs() { at } else { best });
    writeln!(
        out,
        "\nTwo links: the smallest step after the start is {:.1e} at t = {:.2}, where ω̇₂ reaches {:.0}/s² (t = {:.2})",
        smallest.1, smallest.0, peak.1, peak.0
    )?;
    let turning = rates.into_iter().enumerate();
    let turning = turning.map(|(link, points)| Series::line(&format!("ω̇{}", ["₁", "₂"][link]), 3 + link, points));
    let panels = [
        Panel::over_time("Step sizes", Axis::log("h [s]"), sizes),
        Panel::over_time("Second components of ω̇", Axis::linear("ω̇ [1/s²]"), turning.collect()),
    ];
    let title = "Two links: the spike (paper 3, Fig. 11, left and right)";
    figures.push(figure::save_titled(title, &panels, folder, "spike")?);
    let panel = Panel::over_time("Second components of ω, t ≥ 2.1 s", Axis::linear("ω [1/s]"), zoom);
    figures.push(figure::save_titled("Two links: the spike (paper 3, Fig. 11, centre)", &[panel], folder, "zoom")?);
    Ok(figures)
}

/// The second components of ω̇₁ and ω̇₂ along a recorded run of two links.
fn accelerations(outcome: &Outcome) -> Result<[Vec<(f64, f64)>; 2], Failure> {
    let system = super::two_links()?;
    let mut rates = [Vec::new(), Vec::new()];
    for sample in &outcome.history {
        let (q, w) = (sample.configuration.numbers(), sample.velocity.numbers());
        let acceleration = formulations::acceleration(&system, &q, &w).map_err(|_| "the inertia is singular")?;
        for (link, points) in rates.iter_mut().enumerate() {
            points.push((sample.t, acceleration[COMPONENTS * link + 1]));
        }
    }
    Ok(rates)
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
        ..Animation::default()
    };
    Ok(film.save(folder, "animation")?)
}
