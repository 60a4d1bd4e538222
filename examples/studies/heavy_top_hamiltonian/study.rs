//! Figs. 2 and 3 of paper 3.

use std::error::Error;
use std::io::Write;
use std::path::{Path, PathBuf};

use harness::figure::{self, Axis, Band, Figure, Panel, Series, SpherePath};
use harness::study::{self, Curve, Halving};
use harness::{Example, Request, Sample};
use lie_runtime::system::Value;

/// The methods of Fig. 2 with their names there, and the numbers of steps as powers of two.
const METHODS: [(&str, &str, &str); 4] = [
    ("cotangent", "slgi_0", "SLGI, θ = 0"),
    ("cotangent", "slgi_half", "SLGI, θ = ½"),
    ("cotangent", "slgi_1", "SLGI, θ = 1"),
    ("extended", "slgi_half", "SLGIKK, θ = ½"),
];

/// The number of steps whose range and mean are one point of the figure of the energy.
const WINDOW: usize = 50;

/// The numbers that every formulation on a cotangent bundle has: the nine of Q.
fn attitude(sample: &Sample) -> Vec<f64> {
    sample.configuration.get("attitude").map(Value::numbers).unwrap_or_default()
}

/// π.
fn momentum(sample: &Sample) -> Vec<f64> {
    let momenta = sample.velocity.get("momentum");
    momenta.and_then(|momenta| momenta.get("attitude")).map(Value::numbers).unwrap_or_default()
}

/// The study: Figs. 2 and 3 of paper 3.
pub(super) fn study(example: &Example, folder: &Path, out: &mut dyn Write) -> Result<(), Box<dyn Error>> {
    let mut figures = vec![convergence(example, folder, out)?];
    figures.extend(short_motion(example, folder)?);
    figures.extend(energies(example, folder, out)?);
    writeln!(out, "\nFigures (SVG):")?;
    for path in figures {
        writeln!(out, "  {}", path.display())?;
    }
    Ok(())
}

/// Fig. 2, right: errors at t = 1 against RKMK of order 5 with steps of 2⁻¹⁴.
fn convergence(example: &Example, folder: &Path, out: &mut dyn Write) -> Result<PathBuf, Box<dyn Error>> {
    let request = Request::fixed("rkmk54", 0.5f64.powi(14), 1.0);
    let reference = study::history(example, "cotangent", &request).map_err(|error| error.to_string())?;
    let exact = reference.samples.first().ok_or("the reference has no sample")?;
    let (q, pi) = (attitude(exact), momentum(exact));
    let errors = |sample: &Sample| {
        let (of_q, of_pi) = (study::distance(&attitude(sample), &q, 1.0), momentum(sample));
        [of_q, study::distance(&of_pi, &pi, study::norm(&pi)), f64::NAN]
    };
    let halvings: Vec<Halving> =
        METHODS.iter().map(|(group, method, _)| Halving { group, method, steps: 8..=14 }).collect();
    let curves = study::convergence(example, 1.0, &halvings, errors)?;
    let curves: Vec<&Curve> = curves.iter().collect();
    let labels = METHODS.map(|(_, _, label)| label);
    writeln!(out, "Errors of Q and π at t = 1 and observed orders")?;
    let rows: Vec<Vec<String>> = curves
        .iter()
        .zip(labels)
        .map(|(curve, label)| {
            let last = curve.points.last().map_or([f64::NAN; 3], |point| point.1);
            vec![
                label.to_owned(),
                format!("{:.2e}", last[0]),
                study::order(curve.order(0)),
                format!("{:.2e}", last[1]),
                study::order(curve.order(1)),
            ]
        })
        .collect();
    let header = ["method", "Q, h = 1/16384", "order", "π, h = 1/16384", "order"];
    writeln!(out, "{}", study::plain_table(&header, &rows))?;
    let panels = [(0, "Q"), (1, "π")].map(|(quantity, name)| {
        figure::convergence(&curves, &labels, quantity, &format!("Error of {name} at t = 1 s"))
    });
    Ok(figure::save_titled("Heavy top on T*SO(3) (paper 3, Fig. 2)", &panels, folder, "convergence")?)
}

/// A vector observable over time.
fn observed(history: &[Sample], name: &str) -> Vec<(f64, [f64; 3])> {
    history.iter().filter_map(|sample| Some((sample.t, sample.observable(name).try_into().ok()?))).collect()
}

/// Fig. 2, left and centre: M l Q⁻¹ Γ₀ in space and the components of Q X.
fn short_motion(example: &Example, folder: &Path) -> Result<[PathBuf; 2], Box<dyn Error>> {
    let run = |(group, method, _)| {
        study::history(example, group, &Request::fixed(method, 1.0 / 2048.0, 1.0).every(2))
            .map_err(|error| error.to_string())
    };
    let half = run(METHODS[1])?;
    let path = observed(&half.history, "body_gravity").into_iter().map(|(_, vector)| vector).collect();
    let ends = ["t = 0".to_owned(), "t = 1 s".to_owned()];
    let motion = SpherePath {
        title: "Torque of the weight in the body frame, 0 ≤ t ≤ 1 s".to_owned(),
        caption: "M l Q⁻¹ Γ₀, as in paper 3, Fig. 2; the colour is the time.".to_owned(),
        ends,
        path,
        eye: [30.0, -35.0],
    };
    let series = observed(&half.history, "axis");
    let series = ["(Q X)₁", "(Q X)₂", "(Q X)₃"]
        .iter()
        .enumerate()
        .map(|(i, label)| Series::line(label, i, series.iter().map(|(t, vector)| (*t, vector[i])).collect()));
    let panel = Panel::over_time("SLGI θ = ½, h = 1/2048 s", Axis::linear("Q X"), series.collect());
    let title = "Components of Q X (paper 3, Fig. 2)";
    Ok([motion.save(folder, "body_gravity")?, figure::save_titled(title, &[panel], folder, "axis")?])
}

/// Fig. 3: 6000 steps of h = 0.01, the error of the energy and M l Q⁻¹ Γ₀.
fn energies(example: &Example, folder: &Path, out: &mut dyn Write) -> Result<[PathBuf; 2], Box<dyn Error>> {
    let methods = [METHODS[1], METHODS[0]];
    let mut panels = Vec::new();
    let mut rows = Vec::new();
    let mut path = Vec::new();
    for (group, method, label) in methods {
        let request = Request::fixed(method, 0.01, 60.0).every(1);
        let run = study::history(example, group, &request).map_err(|error| error.to_string())?;
        let energy = |sample: &Sample| sample.energy.kinetic + sample.energy.potential;
        let initial = run.history.first().map_or(f64::NAN, energy);
        let errors: Vec<(f64, f64)> =
            run.history.iter().map(|sample| (sample.t, (energy(sample) - initial) / initial)).collect();
        let (largest, trend) = (largest(&errors), trend(&errors));
        rows.push(vec![label.to_owned(), format!("{largest:.2e}"), format!("{:.1e}", 60.0 * trend)]);
        if path.is_empty() {
            path = observed(&run.history, "body_gravity").into_iter().map(|(_, vector)| vector).collect();
        }
        let (mut edges, mut means) = (Vec::new(), Vec::new());
        for steps in errors.chunks_exact(WINDOW) {
            let (time, values) = (steps[WINDOW / 2].0, steps.iter().map(|(_, error)| *error));
            let (low, high) =
                (values.clone().fold(f64::INFINITY, f64::min), values.clone().fold(f64::NEG_INFINITY, f64::max));
            edges.push((time, low, high));
            means.push((time, values.sum::<f64>() / steps.len() as f64));
        }
        let style = panels.len();
        let range = Band { label: format!("range of {WINDOW} steps"), style, opacity: 0.35, edges };
        let mean = Series::line("mean", style, means);
        panels.push(
            Panel::over_time(label, Axis::linear("energy error (H − H₀)/H₀"), vec![mean]).with_bands(vec![range]),
        );
    }
    writeln!(out, "\nRelative errors of the energy over 6000 steps of 0.01 s")?;
    writeln!(out, "{}", study::plain_table(&["method", "largest", "trend over the run"], &rows))?;
    let ends = ["t = 0".to_owned(), "t = 60 s".to_owned()];
    let motion = SpherePath {
        title: "Torque of the weight in the body frame, 6000 steps of 0.01 s".to_owned(),
        caption: "M l Q⁻¹ Γ₀, as in paper 3, Fig. 3; the colour is the time.".to_owned(),
        ends,
        path,
        eye: [30.0, -35.0],
    };
    let caption = format!(
        "Heavy top on T*SO(3), 6000 steps of h = 0.01 s (paper 3, Fig. 3). Trend of the absolute error over the whole run, by linear \
         regression: {} for θ = ½ and {} for θ = 0. The symmetric method has a smaller error by orders of magnitude and no drift.",
        rows[0][2], rows[1][2]
    );
    let figure =
        Figure::new(panels).title("Energy error of symplectic Lie group integrators").caption(&caption).columns(1);
    Ok([figure.save_in(folder, "energy")?, motion.save(folder, "body_gravity_long")?])
}

fn largest(errors: &[(f64, f64)]) -> f64 {
    errors.iter().map(|(_, error)| error.abs()).fold(0.0, f64::max)
}

/// The growth rate of |error| over t by linear regression.
pub fn trend(errors: &[(f64, f64)]) -> f64 {
    let count = errors.len() as f64;
    let mean = |value: fn(&(f64, f64)) -> f64| errors.iter().map(value).sum::<f64>() / count;
    let (time, size) = (mean(|(t, _)| *t), mean(|(_, error)| error.abs()));
    let covariance: f64 = errors.iter().map(|(t, error)| (t - time) * (error.abs() - size)).sum();
    covariance / errors.iter().map(|(t, _)| (t - time) * (t - time)).sum::<f64>()
}
