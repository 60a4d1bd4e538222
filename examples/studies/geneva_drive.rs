//! A Geneva drive: a pin on a crank enters the slots of a wheel one after the other, rotates it by a quarter each, and a crescent holds it
//! in between.
//!
//! No paper. One constraint has a different form in each of the two phases, and events switch between them. The pin enters along the slot,
//! so that there is no impact, and the acceleration of the wheel jumps. Speeds are compared with the closed form from the conserved energy.
//!
//! ```text
//! cargo run --release --example geneva_drive                                        # the study: a table and a figure
//! cargo run --release --example geneva_drive -- --method lie_alpha_stab2 --set torque=0.3 --end 2 --format csv
//! ```

use std::error::Error;
use std::f64::consts::{FRAC_PI_2, FRAC_PI_4, SQRT_2};
use std::io::Write;
use std::path::Path;
use std::process::ExitCode;

use harness::figure::{self, Axis, Figure, Panel, Series};
use harness::{Example, InitialValueProblem, Settings, UsageError, Variant, study};
use lie_runtime::prelude::*;

/// Crank and wheel.
#[mechanical_system]
pub mod geneva {
    use std::f64::consts::{FRAC_1_SQRT_2, FRAC_PI_4};

    use lie_runtime::prelude::*;

    /// Angles from the line between the two axes.
    #[configuration]
    pub struct Angles {
        /// Angle of the arm with the pin, on the first axis.
        pub crank: f64,
        /// Angle of the wheel with its four slots, on the second axis.
        pub wheel: f64,
    }

    /// Data, and where the motion is.
    #[parameters]
    pub struct Drive {
        /// The moments of inertia.
        pub inertia: [f64; 2],
        /// The distance of the axes.
        pub distance: f64,
        /// The torque on the crank.
        pub torque: f64,
        /// The angle in the wheel of the slot that the pin is in, or is about to enter.
        pub slot: f64,
        /// The pin is in the slot.
        pub engaged: bool,
    }

    #[kinetic_energy]
    fn kinetic(drive: &Drive, v: &Velocity) -> f64 {
        0.5 * drive.inertia[0] * v.crank * v.crank + 0.5 * drive.inertia[1] * v.wheel * v.wheel
    }

    #[force(on = crank)]
    fn motor(drive: &Drive) -> f64 {
        drive.torque
    }

    /// From the wheel's axis; the arm is so long that the pin enters along the slot.
    #[observable]
    fn pin(drive: &Drive, q: &Angles) -> Vector2<f64> {
        drive.distance * (SO2::from_angle(q.crank) * Vector2::new(FRAC_1_SQRT_2, 0.0) - Vector2::x())
    }

    /// The lateral distance of the pin from the slot; while the pin is outside, the distance of the slot from the entry point of the pin. λ
    /// is the force that turns the wheel.
    #[constraint]
    fn guide(drive: &Drive, q: &Angles) -> f64 {
        let along = SO2::from_angle(q.wheel + drive.slot) * Vector2::x();
        let place = if drive.engaged { pin(drive, q) } else { -0.5 * drive.distance * Vector2::new(1.0, 1.0) };
        along.x * place.y - along.y * place.x
    }

    /// The pin comes to a slot.
    #[event]
    fn enters(drive: &Drive, q: &Angles) -> f64 {
        if drive.engaged { -1.0 } else { (q.crank + FRAC_PI_4).sin() }
    }

    /// And leaves it.
    #[event]
    fn leaves(drive: &Drive, q: &Angles) -> f64 {
        if drive.engaged { (q.crank - FRAC_PI_4).sin() } else { -1.0 }
    }
}

use geneva::{Angles, Drive, System, Velocity};

/// The speed of the crank at the beginning, 1/s.
const SPEED: f64 = 10.0;
/// The initial state, opposite to the wheel.
const START: f64 = -4.0 * FRAC_PI_4;

/// The drive of the study, with this torque; the pin is out.
fn drive(torque: f64) -> Drive {
    Drive { inertia: [2e-3, 5e-4], distance: 0.1, torque, slot: 5.0 * FRAC_PI_4, engaged: false }
}

/// A crank that turns, and the wheel at rest.
fn beginning(speed: f64) -> (Angles, Velocity) {
    (Angles { crank: START, wheel: 0.0 }, Velocity { crank: speed, wheel: 0.0 })
}

fn problem(settings: &mut Settings) -> Result<InitialValueProblem<System>, UsageError> {
    let system = System::new(settings.apply(drive(0.0))?)?;
    let (configuration, velocity) = beginning(settings.number("speed", SPEED)?);
    Ok(InitialValueProblem::new(system, configuration, velocity))
}

/// The simulation that goes on from slot to slot.
pub fn from_slot_to_slot(simulation: Simulation<'_, System>) -> Simulation<'_, System> {
    simulation
        .declared_event("enters")
        .rising()
        .apply(|at| at.set(|drive| drive.engaged = true))
        .declared_event("leaves")
        .rising()
        .apply(|at| {
            at.set(|drive| {
                drive.engaged = false;
                drive.slot += FRAC_PI_2;
            });
        })
}

/// The drive as an example.
pub fn example() -> Example {
    Example {
        name: "geneva_drive",
        about: "A Geneva drive: a wheel that is turned by quarters and held between.",
        variants: vec![Variant::new("r2", |settings| Ok(problem(settings)?.with_setup(from_slot_to_slot)))],
        method: "hedop5",
        step: 1e-3,
        end: 2.0,
        options: &[],
        study: Some(study),
    }
}

/// How far the wheel turns with the crank, where the pin is in a slot: dβ/dα.
pub fn ratio(crank: f64) -> f64 {
    let inward = (crank + FRAC_PI_4).rem_euclid(4.0 * FRAC_PI_2) - FRAC_PI_4;
    if inward > FRAC_PI_4 {
        return 0.0;
    }
    // β = atan2(sin α, cos α − √2) of a pin on a circle of radius 1, the axes √2 apart.
    (1.0 - SQRT_2 * inward.cos()) / (3.0 - 2.0 * SQRT_2 * inward.cos())
}

/// The speed of the crank at an angle: the torque does the work τ (α − α₀) on ½ (J₁ + J₂ (dβ/dα)²) α'².
pub fn speed(drive: &Drive, crank: f64) -> f64 {
    let energy = 0.5 * drive.inertia[0] * SPEED * SPEED + drive.torque * (crank - START);
    (2.0 * energy / (drive.inertia[0] + drive.inertia[1] * ratio(crank).powi(2))).sqrt()
}

/// A run with this torque, by this method.
///
/// # Errors
/// An error if it cannot be started or fails.
pub fn run(torque: f64, method: &str, (step, end): (f64, f64)) -> Result<Trajectory<System>, Box<dyn Error>> {
    let system = System::new(drive(torque))?;
    let (configuration, velocity) = beginning(SPEED);
    let begun = from_slot_to_slot(Simulation::of(&system).initial(configuration, velocity));
    Ok(begun.method_named(method)?.step(step).end_time(end).run()?.into())
}

/// The largest relative deviation of the speeds from the closed form.
pub fn error(torque: f64, run: &Trajectory<System>) -> f64 {
    let drive = drive(torque);
    let parts = run.states.iter().map(|state| {
        let exact = speed(&drive, state.configuration.crank);
        (state.velocity[0] / exact - 1.0).abs()
    });
    parts.fold(0.0, f64::max)
}

/// Speeds against the closed form, and the motion of the wheel.
fn study(_: &Example, folder: &Path, out: &mut dyn Write) -> Result<(), Box<dyn Error>> {
    let methods = ["hedop5", "lie_alpha", "lie_alpha_stab2", "rattlie"];
    let mut rows = Vec::new();
    for method in methods {
        let errors = [2e-3, 1e-3].map(|step| run(0.0, method, (step, 2.0)).map(|run| error(0.0, &run)));
        let [coarse, fine] = errors;
        let (coarse, fine) = (coarse?, fine?);
        rows.push(vec![
            method.to_owned(),
            format!("{coarse:.1e}"),
            format!("{fine:.1e}"),
            study::order((coarse / fine).log2()),
        ]);
    }
    let header = ["method", "speed off by, h = 0.002 s", "h = 0.001 s", "order"];
    writeln!(
        out,
        "The speed of the crank against the closed form, over {} turns\n{}",
        3,
        study::plain_table(&header, &rows)
    )?;

    let run = run(0.0, "hedop5", (5e-4, 1.5))?;
    let over = |value: &dyn Fn(&State<System>) -> f64| -> Vec<(f64, f64)> {
        figure::interrupted(&run.states.iter().map(|state| (state.time, value(state))).collect::<Vec<_>>())
    };
    let degrees = |at: fn(&Angles) -> f64| over(&|state| at(&state.configuration).to_degrees());
    let panels = vec![
        Panel::over_time(
            "Angles",
            Axis::linear("angle [°]"),
            vec![Series::line("crank", 0, degrees(|q| q.crank)), Series::line("wheel", 1, degrees(|q| q.wheel))],
        ),
        Panel::over_time(
            "Angular velocities",
            Axis::linear("angular velocity [rad/s]"),
            vec![
                Series::line("crank", 0, over(&|state| state.velocity[0])),
                Series::line("wheel", 1, over(&|state| state.velocity[1])),
            ],
        ),
        Panel::over_time(
            "Force on the wheel",
            Axis::linear("constraint force λ [N]"),
            vec![Series::line("λ", 2, over(&|state| state.multipliers[0]))],
        ),
    ];
    let times: Vec<f64> = run.events.iter().map(|event| event.time).collect();
    let marked = |panel: Panel| times.iter().fold(panel, |panel, &time| panel.event(time, ""));
    let caption = "A crank without torque drives the wheel by a pin in its slots (hedop5, h = 0.0005 s). Vertical lines: the pin enters or leaves \
                   a slot. Between two slots a crescent holds the wheel; the multiplier then is the force of the crescent.";
    let figure = Figure::new(panels.into_iter().map(marked).collect()).title("Geneva drive").caption(caption);
    study::tell_figures(out, &[figure.save_in(folder, "motion")?])?;
    Ok(())
}

/// The program.
#[allow(dead_code)] // Where the tests have it as a module.
fn main() -> ExitCode {
    harness::main(&example())
}
