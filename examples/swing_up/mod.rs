//! A pendulum on a cart is swung up with the least effort.
//!
//! No paper; the data are those of M. Kelly, SIAM Review 59 (2017), pp. 849-904, section 6: the cart has two seconds to get from one place to
//! another, with a pole that hangs at first and is balanced in the end, by a force that is constant piece by piece and bounded. Direct multiple
//! shooting with Gauss-Newton steps: defects are logarithms on the group, derivatives those of the runs.
//!
//! ```text
//! cargo run --release --example swing_up --features estimation                                # the search, in some seconds
//! cargo run --release --example swing_up --features estimation -- --set length=0.4 --end 1 --format json
//! ```

mod search;

use std::error::Error;
use std::io::Write;
use std::path::Path;
use std::process::ExitCode;

use harness::figure::{self, Animation, Axis, MovingLine, Panel, Series};
use harness::study::{plain_table, tell_figures};
use harness::{Example, Problem, Settings, UsageError, Variant};
use lie_runtime::inputs::Constant;
use lie_runtime::prelude::*;
pub use search::{Plan, search};

/// A pendulum on a cart.
#[mechanical_system(gradients)]
pub mod cart_pole {
    use lie_runtime::prelude::*;

    /// Place of the cart, and attitude of the pole: the identity stands upright.
    #[configuration]
    pub struct Pose {
        /// Along the rail.
        pub cart: f64,
        /// Against upright.
        pub pole: SO2,
    }

    /// Masses and length.
    #[parameters]
    pub struct CartPole {
        /// The mass of the cart.
        pub cart: f64,
        /// That of the bob.
        pub bob: f64,
        /// From the one to the other.
        pub length: f64,
    }

    /// What is looked for.
    #[inputs]
    pub struct Inputs {
        /// The force on the cart.
        pub motor: f64,
    }

    /// Where the bob is.
    #[quantity]
    pub fn bob(data: &CartPole, q: &Pose) -> Vector2<f64> {
        Vector2::new(q.cart, 0.0) + q.pole * Vector2::new(0.0, data.length)
    }

    #[kinetic_energy]
    fn kinetic(data: &CartPole, q: &Pose, v: &Velocity) -> f64 {
        0.5 * data.cart * v.cart * v.cart + 0.5 * data.bob * bob_rate(data, q, v).norm_squared()
    }

    #[potential]
    fn weight(data: &CartPole, q: &Pose) -> f64 {
        9.81 * data.bob * bob(data, q).y
    }

    #[force(on = cart)]
    fn motor(u: &Inputs) -> f64 {
        u.motor
    }

    /// How high the bob is.
    #[observable]
    pub fn height(data: &CartPole, q: &Pose) -> f64 {
        bob(data, q).y
    }
}

/// How long it may take [s].
pub const END: f64 = 2.0;
/// How far the cart has to go [m].
pub const WAY: f64 = 1.0;
/// Of the states of the motion every so many are drawn.
const EVERY: usize = 16;
/// The bound of the force [N].
pub const BOUND: f64 = 10.0;

/// The data of the article.
pub fn data() -> cart_pole::CartPole {
    cart_pole::CartPole { cart: 1.0, bob: 0.3, length: 0.5 }
}

/// Hanging at rest.
pub fn start() -> cart_pole::Pose {
    cart_pole::Pose { cart: 0.0, pole: SO2::from_angle(core::f64::consts::PI) }
}

/// The pendulum as an example: pushed by a constant force.
pub fn example() -> Example {
    let hanging = Variant::new("hanging", |settings: &mut Settings| -> Result<_, UsageError> {
        let system = cart_pole::System::new(settings.apply(data())?)?;
        let system = system.with_inputs_from(Constant(cart_pole::Inputs { motor: 1.0 }));
        Ok(Problem { system, configuration: start(), velocity: Vector2::zeros() })
    });
    Example {
        name: "swing_up",
        about: "A pendulum on a cart is swung up with the least effort.",
        variants: vec![hanging],
        method: "hedop5",
        step: 5e-3,
        end: END,
        options: &[],
        study: Some(study),
    }
}

/// One search.
fn study(_: &Example, folder: &Path, out: &mut dyn Write) -> Result<(), Box<dyn Error>> {
    let plan = search(&data())?;
    writeln!(
        out,
        "effort ∫ u² dt = {:.6} N² s after {} steps; {} of {} pieces at the bound",
        plan.effort(),
        plan.progress.len() - 1,
        plan.forces.iter().filter(|force| force.abs() > BOUND - 1e-6).count(),
        plan.forces.len()
    )?;
    let flown = plan.flown(&data())?;
    let last = flown.last().ok_or("a run without states")?;
    writeln!(
        out,
        "in a run by itself, by another method and in smaller steps, it ends {:.1e} from upright at rest; \
         slope that is left, by differences of such runs: {:.1e} of {:.1e}",
        Plan::missed(last),
        plan.slope(&data())?,
        plan.steepness()
    )?;
    let rows = plan.progress.iter().enumerate().map(|(number, step)| {
        vec![
            format!("{number}"),
            format!("{:.6}", step.effort),
            format!("{:.1e}", step.defect),
            format!("{:.1e}", step.change),
            format!("{}", step.length),
        ]
    });
    let rows: Vec<Vec<String>> = rows.collect();
    writeln!(
        out,
        "{}",
        plain_table(&["step", "effort [N² s]", "largest defect", "largest change [N]", "length"], &rows)
    )?;

    let held = plan.forces.iter().enumerate().flat_map(|(piece, &force)| {
        let begin = piece as f64 * Plan::piece();
        [(begin, force), (begin + Plan::piece(), force)]
    });
    let force =
        Panel::over_time("The force", Axis::linear("force [N]"), vec![Series::line("force", 0, held.collect())])
            .between(-1.2 * BOUND, 1.2 * BOUND);
    let shown = || flown.iter().step_by(EVERY);
    let over_time = |of: fn(&State<cart_pole::System>) -> f64| shown().map(|state| (state.time, of(state))).collect();
    // An angle that counts its turns, from hanging on: it is between one and seven.
    let motion = Panel::over_time(
        "The motion",
        Axis::linear("place [m], angle [rad]"),
        vec![
            Series::line("cart", 0, over_time(|state| state.configuration.cart)),
            Series::line(
                "pole",
                1,
                over_time(|state| 1.0 + (state.configuration.pole.angle() - 1.0).rem_euclid(core::f64::consts::TAU)),
            ),
        ],
    );
    let path = shown().map(|state| {
        let bob = cart_pole::bob(&data(), &state.configuration);
        (bob.x, bob.y)
    });
    let path = Panel::new(
        "The path of the bob",
        Axis::linear("x [m]"),
        Axis::linear("y [m]"),
        vec![Series::line("bob", 0, path.collect())],
    );
    let steps = |of: fn(&search::Progress) -> f64| -> Vec<(f64, f64)> {
        plan.progress.iter().enumerate().map(|(number, step)| (number as f64, of(step))).collect()
    };
    let progress = Panel::new(
        "The search",
        Axis::linear("step"),
        Axis::log("N² s; -"),
        vec![
            Series::marked("effort", 0, steps(|step| step.effort.max(1e-16)).split_off(1)),
            Series::marked("largest defect", 1, steps(|step| step.defect.max(1e-16))),
        ],
    );
    let figures = [
        figure::save(&[force, motion, path], folder, "motion")?,
        figure::save(&[progress], folder, "progress")?,
        film(&flown).save(folder, "animation")?,
    ];
    tell_figures(out, &figures)?;
    Ok(())
}

/// The cart on its rail, and the pole.
fn film(states: &[State<cart_pole::System>]) -> Animation {
    let frames = || states.iter().step_by(EVERY);
    let line = |label: &str, style, trail, points: fn(&cart_pole::Pose) -> Vec<[f64; 2]>| MovingLine {
        label: label.to_owned(),
        style,
        trail,
        points: frames()
            .map(|state| points(&state.configuration).iter().map(|[x, z]| [*x, 0.0, *z]).collect())
            .collect(),
    };
    let lines = vec![
        line("rail", 3, None, |_| vec![[-1.0, 0.0], [2.0, 0.0]]),
        line("cart", 0, None, |q| {
            [[-0.1, -0.05], [0.1, -0.05], [0.1, 0.05], [-0.1, 0.05], [-0.1, -0.05]]
                .map(|[x, z]| [q.cart + x, z])
                .to_vec()
        }),
        line("pole", 1, Some(1), |q| {
            let bob = cart_pole::bob(&data(), q);
            vec![[q.cart, 0.0], [bob.x, bob.y]]
        }),
    ];
    Animation {
        title: "A pendulum on a cart is swung up".to_owned(),
        eye: [-90.0, 0.0],
        times: frames().map(|state| state.time).collect(),
        lines,
        solids: Vec::new(),
    }
}

/// The program.
#[allow(dead_code)] // Where the tests have it as a module.
fn main() -> ExitCode {
    harness::main(&example())
}
