//! The step sizes at which the third stage of TR-BDF2 is stable for the modes of the cantilever.
//!
//! A step takes (ω x, v, a/ω) of an undamped oscillator of frequency ω to others by a matrix that depends on ω h alone. Its
//! spectral radius ρ, here of the steps that the integrator makes, is the growth of the mode in a step: the second stage is
//! L-stable, and the weights of order 3 let every mode grow up to ω h = 22 and, beyond as well, unless accelerations are taken from the
//! second stage. Over 0 ≤ t ≤ 4 the worst mode of a structure grows by max ρ(ω_k h)^(4/h).

use std::error::Error;
use std::io::Write;
use std::path::{Path, PathBuf};

use super::model::{at_rest, cubic, quadratic, shear_flexible};
use harness::figure::{self, Axis, Panel, Series};
use harness::study;
use lie_runtime::integrator::tr_bdf2::{Completion, TrBdf2Options};
use lie_runtime::integrator::{Integrator, State, TrBdf2};
use lie_runtime::nalgebra::{DMatrix, DVector, Matrix3, SymmetricEigen};
use lie_runtime::prelude::*;
use lie_runtime::system::Linearised;

/// x'' = −ω² x.
#[mechanical_system]
pub mod oscillator {
    /// x.
    #[configuration]
    pub struct Place {
        /// m.
        pub x: R1,
    }

    /// ω.
    #[parameters]
    pub struct Spring {
        /// rad/s.
        pub frequency: f64,
    }

    #[kinetic_energy]
    fn kinetic(v: &Velocity) -> f64 {
        0.5 * v.x.norm_squared()
    }

    #[potential]
    fn elastic(spring: &Spring, q: &Place) -> f64 {
        0.5 * spring.frequency * spring.frequency * q.x.norm_squared()
    }
}

/// How the third stage may be read.
pub struct Reading {
    /// The start of the next step.
    pub label: &'static str,
    /// The variables that the third stage sets.
    pub completion: Completion,
    /// True if the next step starts from the acceleration at the corrected configuration, false if it starts from the acceleration of the
    /// second stage.
    pub anew: bool,
}

/// The readings of paper 4; the first two follow the printed text.
pub const READINGS: [Reading; 4] = [
    Reading { label: "as printed, a from the corrected q", completion: Completion::Configuration, anew: true },
    Reading { label: "as printed, a of the second stage", completion: Completion::Configuration, anew: false },
    Reading { label: "velocities corrected too: order 3", completion: Completion::Full, anew: false },
    Reading { label: "third stage as output", completion: Completion::Nothing, anew: false },
];

/// ρ at z = ω h.
///
/// # Errors
/// An error if a step fails.
pub fn spectral_radius(reading: &Reading, z: f64) -> Result<f64, Box<dyn Error>> {
    let method = TrBdf2::with_options(TrBdf2Options::default().completion(reading.completion))?;
    let system = oscillator::System::new(oscillator::Spring { frequency: z })?;
    let mut amplification = Matrix3::zeros();
    for column in 0..3 {
        let unit = |index: usize| if index == column { 1.0 } else { 0.0 };
        let mut from = State::at_rest(&system, 0.0, oscillator::Place { x: R1::new(unit(0) / z) });
        let mut workspace = Integrator::<oscillator::System>::workspace(&method, &system, &from);
        from.velocity[0] = unit(1);
        from.acceleration[0] = z * unit(2);
        if reading.anew {
            method.start(&system, &mut from, &mut workspace)?;
        }
        let mut to = from.clone();
        method.step(&system, &from, 1.0, &mut to, &mut workspace)?;
        let state = [z * to.configuration.x[0], to.velocity[0], to.acceleration[0] / z];
        amplification.set_column(column, &state.into());
    }
    Ok(amplification.complex_eigenvalues().iter().fold(0.0, |largest, value| f64::max(largest, value.norm())))
}

/// The frequencies of a system at rest in `q`, ascending, rad/s.
pub fn frequencies<M>(system: &M, q: &M::Configuration) -> Vec<f64>
where
    M: Linearised<Scalar = f64, Velocity = DVector<f64>>,
{
    let rest = system.zero_velocity();
    let (mut stiffness, mut mass) = (system.zero_matrix(), system.zero_matrix());
    system.tangent_stiffness(0.0, q, &rest, &rest, &system.zero_multipliers(), &mut stiffness);
    system.mass_matrix(0.0, q, &mut mass);
    let dof = system.dof();
    let dense = |matrix: &M::Matrix| DMatrix::from_fn(dof, dof, |row, column| system.matrix_entry(matrix, row, column));
    let Some(factor) = dense(&mass).cholesky().map(|factors| factors.l()) else {
        return Vec::new();
    };
    // L⁻¹ K L⁻ᵀ has the squares.
    let half = factor.solve_lower_triangular(&dense(&stiffness)).map(|half| half.transpose());
    let Some(whole) = half.and_then(|half| factor.solve_lower_triangular(&half)) else {
        return Vec::new();
    };
    let mut squares: Vec<f64> = SymmetricEigen::new(whole).eigenvalues.iter().copied().collect();
    squares.sort_by(f64::total_cmp);
    squares.into_iter().map(|square| square.max(0.0).sqrt()).collect()
}

/// The frequencies of five elements a leg.
macro_rules! modes {
    ($module:ident) => {{
        let edges = 5 * $module::ORDER;
        let nodes = at_rest(edges)?;
        let section = $module::Section::of_simo_and_vu_quoc(edges);
        let system = $module::System::new(section, $module::Lengths { nodes: nodes.len() })?;
        frequencies(&system, &$module::Cantilever { nodes })
    }};
}

/// The name of an element, and the frequencies of five of them a leg.
pub type Modes = (&'static str, Vec<f64>);

/// Returns the three elements.
///
/// # Errors
/// The errors of the model.
pub fn modes() -> Result<[Modes; 3], Box<dyn Error>> {
    Ok([("two nodes", modes!(shear_flexible)), ("three nodes", modes!(quadratic)), ("four nodes", modes!(cubic))])
}

/// The interval of the paper.
const END: f64 = 4.0;
/// ρ above this is not drawn.
const LARGEST: f64 = 2.6;
/// log₁₀ of the growth at which it is cut.
const MOST_DECADES: f64 = 40.0;

/// log₁₀ of the growth of the worst of these modes up to the end of the interval.
///
/// # Errors
/// An error if a step fails.
pub fn decades_of_growth(reading: &Reading, modes: &[f64], h: f64) -> Result<f64, Box<dyn Error>> {
    let mut decades = 0.0;
    for &mode in modes {
        decades = f64::max(decades, END / h * spectral_radius(reading, mode * h)?.log10());
    }
    Ok(decades)
}

/// Steps at which the growth is printed.
const TOLD_STEPS: [f64; 7] = [0.2, 0.1, 0.05, 0.02, 0.01, 0.001, 0.000_25];

/// ρ over ω h, and the growth of the worst mode over the step size.
pub(super) fn study(folder: &Path, out: &mut dyn Write) -> Result<PathBuf, Box<dyn Error>> {
    let mut series = Vec::new();
    for (style, reading) in READINGS.iter().enumerate() {
        let mut points = Vec::new();
        for index in 0..=400 {
            let z = 10f64.powf(-1.5 + 4.5 * f64::from(index) / 400.0);
            let radius = spectral_radius(reading, z)?;
            if radius <= LARGEST {
                points.push((z, radius));
            }
        }
        series.push(Series::line(reading.label, style, points));
    }
    let radii = Panel::new("Growth in a step", Axis::log("ω h"), Axis::linear("spectral radius ρ"), series)
        .between(0.0, LARGEST);

    let modes = modes()?;
    let rows: Vec<Vec<String>> = modes
        .iter()
        .map(|(name, modes)| {
            let [slowest, fastest] = [modes.first(), modes.last()].map(|mode| mode.copied().unwrap_or(f64::NAN));
            vec![(*name).to_owned(), modes.len().to_string(), format!("{slowest:.3}"), format!("{fastest:.0}")]
        })
        .collect();
    writeln!(out, "\nModes of five elements a leg, rad/s")?;
    writeln!(out, "{}", study::plain_table(&["elements of", "modes", "slowest", "fastest"], &rows))?;

    // As printed, in the milder reading.
    let reading = &READINGS[1];
    let mut rows = Vec::new();
    for h in TOLD_STEPS {
        let mut row = vec![h.to_string()];
        for (_, modes) in &modes {
            row.push(format!("{:.1}", decades_of_growth(reading, modes, h)?));
        }
        rows.push(row);
    }
    writeln!(
        out,
        "\nThird stage {}: log₁₀ of the growth of the worst mode up to t = {END}\n{}",
        reading.label,
        study::plain_table(&["h", "two nodes", "three nodes", "four nodes"], &rows)
    )?;
    let mut series = Vec::new();
    for (style, (name, modes)) in modes.iter().enumerate() {
        let mut points = Vec::new();
        for index in 0..=130 {
            let h = 2f64.powf(-f64::from(index) / 10.0);
            points.push((h, 10f64.powf(decades_of_growth(reading, modes, h)?.min(MOST_DECADES))));
        }
        series.push(Series::line(&format!("elements of {name}"), READINGS.len() + style, points));
    }
    let growth = Panel::new(
        "Of the worst mode up to t = 4 s, a of the second stage",
        Axis::log("step size h [s]"),
        Axis::log("growth, cut at 10⁴⁰"),
        series,
    );
    let title = "TR-BDF2: growth of undamped modes by the readings of its third stage (compare paper 4, Figs. 8 and 9)";
    Ok(figure::save_titled(title, &[radii, growth], folder, "stability")?)
}
