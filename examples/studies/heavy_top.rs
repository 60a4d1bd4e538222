//! The heavy top of paper 1: one declaration of energies and of a constraint, on five groups of placements of a body.
//!
//! Paper 1, Figs. 1 to 6, for four of them; unit dual quaternions are the fifth. The constants of the errors, which the paper finds
//! slightly larger on quaternions, are the same there.
//!
//! ```text
//! cargo run --release --example heavy_top                                     # the study: tables and figures
//! cargo run --release --example heavy_top -- --group se3 --rtol 1e-8 --atol 1e-10 --samples 0.5,1 --format json
//! ```

use std::error::Error;
use std::io::Write;
use std::path::Path;
use std::process::ExitCode;

use harness::figure::{self, Axis, Figure, Panel, Series, SpherePath};
use harness::study::{self, Curve, Halving};
use harness::{Example, InitialValueProblem, Request, Sample, Settings, UsageError, Variant};
use lie_runtime::group::{S3xR3, SO3xR3};
use lie_runtime::prelude::*;

/// The top on a group of placements of its body.
macro_rules! heavy_top {
    ($($name:ident: $group:ident;)*) => {
        $(
            /// The heavy top.
            #[mechanical_system]
            pub mod $name {
                use lie_runtime::prelude::*;

                /// The body.
                #[configuration]
                pub struct Body {
                    /// Pose of the body frame at the centre of mass.
                    pub pose: $group,
                }

                /// Data of the top.
                #[parameters]
                pub struct HeavyTop {
                    /// The mass.
                    pub mass: f64,
                    /// Principal moments of inertia about the centre of mass.
                    pub inertia: Vector3<f64>,
                    /// The body-fixed vector from the fixed point to the centre of mass.
                    pub center_of_mass: Vector3<f64>,
                    /// Gravity in space.
                    pub gravity: Vector3<f64>,
                }

                #[kinetic_energy]
                fn kinetic(top: &HeavyTop, q: &Body, v: &Velocity) -> f64 {
                    let velocity = q.pose.point_velocity(&v.pose, &Vector3::zeros());
                    let angular = v.pose.angular();
                    0.5 * top.mass * velocity.norm_squared() + 0.5 * angular.dot(&top.inertia.component_mul(&angular))
                }

                #[potential]
                fn weight(top: &HeavyTop, q: &Body) -> f64 {
                    -top.mass * top.gravity.dot(&q.pose.position())
                }

                #[constraint]
                fn fixed_point(top: &HeavyTop, q: &Body) -> Vector3<f64> {
                    q.pose.rotation().inverse() * q.pose.position() - top.center_of_mass
                }

                #[observable]
                fn position(q: &Body) -> Vector3<f64> {
                    q.pose.position()
                }

                #[observable]
                fn attitude(q: &Body) -> Matrix3<f64> {
                    q.pose.rotation().rotation_matrix()
                }

                #[observable]
                fn angular_velocity(v: &Velocity) -> Vector3<f64> {
                    v.pose.angular()
                }

                /// Velocity of the centre of mass, in space.
                #[observable]
                fn linear_velocity(q: &Body, v: &Velocity) -> Vector3<f64> {
                    q.pose.point_velocity(&v.pose, &Vector3::zeros())
                }
            }
        )*

        /// The formulations by the names of their groups.
        fn variants() -> Vec<Variant> {
            vec![$(Variant::new(stringify!($name), |settings: &mut Settings| -> Result<_, UsageError> {
                // The data of paper 1, section 2.4, with what the user has set.
                let top = settings.apply($name::HeavyTop {
                    mass: 15.0,
                    inertia: Vector3::new(0.234_375, 0.468_75, 0.234_375),
                    center_of_mass: Vector3::new(0.0, 1.0, 0.0),
                    gravity: Vector3::new(0.0, 0.0, -9.81),
                })?;
                let pose = $group::new($group::identity().rotation(), top.center_of_mass);
                let pose_rate = pose.twist(&ANGULAR_VELOCITY, &ANGULAR_VELOCITY.cross(&top.center_of_mass));
                Ok(InitialValueProblem::new($name::System::new(top)?, $name::Body { pose }, $name::Velocity { pose: pose_rate }))
            })),*]
        }
    };
}

heavy_top! {
    so3xr3: SO3xR3;
    se3: SE3;
    s3xr3: S3xR3;
    s3r3: S3R3;
    dq: DQ;
}

/// The top starts unrotated, R = I, with this angular velocity; x = X and x' = Ω × X follow.
const ANGULAR_VELOCITY: Vector3<f64> = Vector3::new(0.0, 150.0, -4.615_38);

/// The heavy top as an example.
pub fn example() -> Example {
    Example {
        name: "heavy_top",
        about: "A heavy top with a fixed point (paper 1, section 2.4) on five groups.",
        variants: variants(),
        method: "hedop5",
        step: 1e-3,
        end: 1.0,
        options: &[],
        study: Some(study),
    }
}

/// The methods of the paper by order, and the numbers of steps a unit of time of their runs as powers of two: from where
/// a step turns the top by half a radian to where round-off begins.
const METHODS: [(&str, &str, core::ops::RangeInclusive<i32>); 4] = [
    ("herk2_heun", "herk2_heun, p = 2", 8..=17),
    ("herk3", "herk3, p = 3", 8..=16),
    ("herk4", "herk4, p = 4", 8..=14),
    ("hedop5", "hedop5, p = 5", 8..=13),
];

/// The groups as the paper writes them, and its figures of their errors.
const GROUPS: [(&str, &str, &str); 5] = [
    ("so3xr3", "SO(3) × R³", " (paper 1, Fig. 1)"),
    ("se3", "SE(3)", " (paper 1, Fig. 2)"),
    ("s3xr3", "S³ × R³", " (paper 1, Fig. 4)"),
    ("s3r3", "S³ ⋉ R³", " (paper 1, Fig. 5)"),
    ("dq", "DQ", ""),
];

/// The exact motion at t = 1, computed in minimal coordinates with 113 bits; all digits are right.
mod exact {
    /// R by rows.
    pub const ATTITUDE: [f64; 9] = [
        0.229_299_640_803_607_6,
        0.173_343_964_098_386_04,
        0.957_796_191_701_550_8,
        -0.765_340_742_204_681,
        0.640_088_592_070_568_8,
        0.067_380_580_456_872_72,
        -0.601_394_398_917_153_7,
        -0.748_490_791_133_581_3,
        0.279_439_282_384_028_67,
    ];
    /// x.
    pub const POSITION: [f64; 3] = [ATTITUDE[1], ATTITUDE[4], ATTITUDE[7]];
    /// Ω.
    pub const ANGULAR: [f64; 3] = [-0.822_078_101_682_704_5, 150.0, -5.923_291_348_117_336];
    /// x'.
    pub const LINEAR: [f64; 3] = [0.570_825_303_425_487_1, -4.588_728_296_334_952, -3.791_955_154_710_042];
    /// λ of Φ = Rᵀ x − X.
    pub const MULTIPLIERS: [f64; 3] = [58.274_563_744_197_37, 646.558_311_914_525_4, 409.441_408_863_464_7];
}

/// The errors of q (the maximum of the rotation angle to the exact attitude and of |x − x*|, |x*| = 1), of v and of
/// λ (relative) at t = 1.
pub fn errors(sample: &Sample) -> [f64; 3] {
    let attitude = study::distance(&sample.observable("attitude"), &exact::ATTITUDE, 1.0);
    let angle = 2.0 * (attitude / 8f64.sqrt()).min(1.0).asin();
    let position = study::distance(&sample.observable("position"), &exact::POSITION, 1.0);
    let velocity = [sample.observable("angular_velocity"), sample.observable("linear_velocity")].concat();
    let reference = [exact::ANGULAR, exact::LINEAR].concat();
    let multipliers = sample.multipliers.numbers();
    [
        angle.max(position),
        study::distance(&velocity, &reference, study::norm(&reference)),
        study::distance(&multipliers, &exact::MULTIPLIERS, study::norm(&exact::MULTIPLIERS)),
    ]
}

/// The study of paper 1: convergence (Figs. 1, 2, 4, 5), drift (Figs. 3, 6), and a picture of the motion.
fn study(example: &Example, folder: &Path, out: &mut dyn Write) -> Result<(), Box<dyn Error>> {
    let halvings: Vec<Halving> = GROUPS
        .iter()
        .flat_map(|(group, ..)| {
            METHODS.iter().map(|(method, _, steps)| Halving { group, method, steps: steps.clone() })
        })
        .collect();
    let curves = study::convergence(example, 1.0, &halvings, errors)?;
    let labels = METHODS.map(|(_, label, _)| label);
    let mut figures = Vec::new();
    for (group, notation, printed) in GROUPS {
        let curves: Vec<&Curve> = curves.iter().filter(|curve| curve.group == group).collect();
        writeln!(out, "\nHeavy top on {notation}: errors at t = 1")?;
        writeln!(out, "{}", study::table_of_errors(&curves))?;
        let panels = [(0, "q"), (2, "λ")].map(|(quantity, name)| {
            figure::convergence(&curves, &labels, quantity, &format!("Error of {name} at t = 1 s"))
        });
        let caption = format!(
            "Half-explicit methods, relative errors against a reference of 15 digits{printed}. A triangle shows the order of a line. λ has \
             the order p if the constraint has a constant Jacobian in the body frame and p ≥ 4; otherwise p − 1, which the method of order \
             2 reaches after a plateau."
        );
        let figure = Figure::new(panels.to_vec()).title(&format!("Heavy top on {notation}")).caption(&caption);
        figures.push(figure.save_in(folder, &format!("convergence_{group}"))?);
    }
    writeln!(out, "\nObserved orders of q / v / λ at the finest steps above round-off")?;
    let rows: Vec<Vec<String>> = GROUPS
        .iter()
        .map(|(group, notation, _)| {
            let orders = curves
                .iter()
                .filter(|curve| curve.group == *group)
                .map(|curve| [0, 1, 2].map(|quantity| study::order(curve.order(quantity))).join(" / "));
            core::iter::once((*notation).to_owned()).chain(orders).collect()
        })
        .collect();
    let header = ["group", "p = 2", "p = 3", "p = 4", "p = 5"];
    writeln!(out, "{}", study::plain_table(&header, &rows))?;

    writeln!(
        out,
        "Errors of q on S³ × R³ and on SO(3) × R³ differ by {:.1e} of themselves at most, on S³ ⋉ R³ and on SE(3) by {:.1e},\n\
         on DQ and on SE(3) by {:.1e} (above 1e-9): the increments are the same, and unit quaternions only represent them;\n\
         the constants of the errors, which paper 1 finds slightly larger on quaternions (Figs. 4 and 5), are the same too.",
        largest_ratio(&curves, "so3xr3", "s3xr3"),
        largest_ratio(&curves, "se3", "s3r3"),
        largest_ratio(&curves, "se3", "dq"),
    )?;

    drift(example, folder, out, &mut figures)?;
    figures.push(motion(example, folder)?);
    study::tell_figures(out, &figures)?;
    Ok(())
}

/// The largest |e₂/e₁ − 1| of the errors of q on two groups, where they are no round-off.
fn largest_ratio(curves: &[Curve], first: &str, second: &str) -> f64 {
    let errors = |group: &str| {
        let own: Vec<f64> = curves
            .iter()
            .filter(|curve| curve.group == group)
            .flat_map(|curve| curve.points.iter().map(|(_, errors, _)| errors[0]))
            .collect();
        own
    };
    let pairs = errors(first).into_iter().zip(errors(second));
    pairs
        .filter(|(first, _)| *first > 1e-9)
        .fold(0.0, |largest, (first, second)| largest.max((second / first - 1.0).abs()))
}

/// The residuals of both constraints over ten seconds, at a step and at half of it.
fn drift(
    example: &Example,
    folder: &Path,
    out: &mut dyn Write,
    figures: &mut Vec<std::path::PathBuf>,
) -> Result<(), Box<dyn Error>> {
    const END: f64 = 10.0;
    const STEPS: [usize; 2] = [2048, 4096];
    let count = METHODS.len();
    let runs = study::in_parallel(GROUPS.len() * count * STEPS.len(), |index| {
        let (group, method, steps) =
            (GROUPS[index / count / STEPS.len()].0, METHODS[index / STEPS.len() % count].0, STEPS[index % STEPS.len()]);
        let request = Request::fixed(method, 1.0 / steps as f64, END).every(steps / 64);
        study::history(example, group, &request)
    })
    .map_err(|error| error.to_string())?;
    let worst = |run: usize, residual: fn(&Sample) -> f64| runs[run].history.iter().map(residual).fold(0.0, f64::max);
    let mut rows = Vec::new();
    for (group, (_, notation, _)) in GROUPS.iter().enumerate() {
        for (method, (id, _, _)) in METHODS.iter().enumerate() {
            let run = STEPS.len() * (group * count + method);
            let [coarse, fine] = [run, run + 1].map(|run| worst(run, |sample| sample.residual.position));
            let order = if fine < 1e-13 { "round-off".to_owned() } else { study::order((coarse / fine).log2()) };
            let speed = worst(run, |sample| sample.residual.velocity);
            rows.push(vec![
                (*notation).to_owned(),
                (*id).to_owned(),
                format!("{coarse:.1e}"),
                format!("{fine:.1e}"),
                order,
                format!("{speed:.1e}"),
            ]);
        }
    }
    writeln!(out, "\nLargest residuals of the constraints up to t = {END}")?;
    let header = ["group", "method", "|Φ|, h = 1/2048", "h = 1/4096", "order", "|B v|, h = 1/2048"];
    writeln!(out, "{}", study::plain_table(&header, &rows))?;
    for (name, groups, printed) in [("drift_matrices", 0..2, 3), ("drift_quaternions", 2..GROUPS.len(), 6)] {
        let panels = groups.map(|group| {
            let series = METHODS.iter().enumerate().map(|(method, (_, label, _))| {
                let run = &runs[STEPS.len() * (group * count + method)];
                Series::line(label, method, study::series(run, |sample| sample.residual.position))
            });
            Panel::over_time(GROUPS[group].1, Axis::log("|Φ| [m]"), series.collect())
        });
        let panels: Vec<Panel> = panels.collect();
        let title = format!("Heavy top: drift from Φ = 0, h = 1/2048 s (paper 1, Fig. {printed})");
        figures.push(figure::save_titled(&title, &panels, folder, name)?);
    }
    Ok(())
}

/// The path of the centre of mass over about one turn of the precession.
fn motion(example: &Example, folder: &Path) -> Result<std::path::PathBuf, Box<dyn Error>> {
    let request = Request::fixed("hedop5", 1.0 / 2000.0, 10.0).every(5);
    let run = study::history(example, "se3", &request).map_err(|error| error.to_string())?;
    let path = run.history.iter().filter_map(|sample| sample.observable("position").try_into().ok());
    let motion = SpherePath {
        title: "Path of the centre of mass, 0 ≤ t ≤ 10 s".to_owned(),
        caption:
            "View from below. The centre of mass moves on a sphere around the fixed point; the colour is the time."
                .to_owned(),
        ends: ["t = 0".to_owned(), "t = 10 s".to_owned()],
        path: path.collect(),
        eye: [60.0, -65.0],
    };
    Ok(motion.save(folder, "motion")?)
}

/// The program.
#[allow(dead_code)] // Where the tests have it as a module.
fn main() -> ExitCode {
    harness::main(&example())
}
