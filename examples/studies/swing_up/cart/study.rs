//! The search for the least effort, and its figures.

use std::error::Error;
use std::io::Write;
use std::path::{Path, PathBuf};

use harness::figure::{Animation, Axis, MovingLine, Panel, Series};
use lie_runtime::prelude::*;

use super::super::plan::Plan;
use super::super::search::{Progress, search};
use super::super::task::Task;
use super::super::told;
use super::{BOUND, SwingUp, declared};

/// The stride of the drawn states.
const EVERY: usize = 16;

/// The results of the study.
pub struct Swung {
    /// The force, the motion, and the path of the bob.
    pub panels: Vec<Panel>,
    /// The steps of the search.
    pub progress: Panel,
    /// The animation.
    pub film: PathBuf,
}

/// One search.
pub fn study(folder: &Path, out: &mut dyn Write) -> Result<Swung, Box<dyn Error>> {
    let task = SwingUp::default();
    let plan = search(&task)?;
    writeln!(
        out,
        "The pendulum: effort ∫ u² dt = {:.6} N² s after {} steps; {} of {} pieces at the bound",
        plan.effort(&task),
        plan.progress.len() - 1,
        plan.at_bounds(&task),
        plan.inputs.len()
    )?;
    let flown = plan.flown(&task)?;
    writeln!(
        out,
        "in a separate run with another method and smaller steps it ends {:.1e} from upright at rest; \
         remaining derivative, by differences of such runs: {:.1e} of {:.1e}",
        plan.missed(&task, &flown)?,
        plan.slope(&task, 1)?,
        plan.steepness(&task)
    )?;
    told(&plan, ["N² s", "N"], out)?;
    let steps = |of: fn(&Progress) -> f64| -> Vec<(f64, f64)> {
        plan.progress.iter().enumerate().map(|(number, step)| (number as f64, of(step))).collect()
    };
    let progress = Panel::new(
        "The search",
        Axis::linear("step"),
        Axis::log("N² s; -"),
        vec![
            Series::marked("effort", 0, steps(|step| step.effort.max(1e-16)).split_off(1)),
            Series::marked("longest defect", 1, steps(|step| step.defect.max(1e-16))),
        ],
    );
    let film = film(&task.data, &flown).save(folder, "animation")?;
    Ok(Swung { panels: panels(&task, &plan, &flown), progress, film })
}

/// The force, the motion, and the path of the bob.
fn panels(task: &SwingUp, plan: &Plan<declared::System>, flown: &[State<declared::System>]) -> Vec<Panel> {
    let piece = task.grid().piece();
    let held = plan.inputs.iter().enumerate().flat_map(|(number, inputs)| {
        let begin = number as f64 * piece;
        [(begin, inputs[0]), (begin + piece, inputs[0])]
    });
    let force =
        Panel::over_time("The force", Axis::linear("force [N]"), vec![Series::line("force", 0, held.collect())])
            .between(-1.2 * BOUND, 1.2 * BOUND);
    let shown = || flown.iter().step_by(EVERY);
    let over_time = |of: fn(&State<declared::System>) -> f64| shown().map(|state| (state.time, of(state))).collect();
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
        let bob = declared::bob(&task.data, &state.configuration);
        (bob.x, bob.y)
    });
    let path = Panel::new(
        "The path of the bob",
        Axis::linear("x [m]"),
        Axis::linear("y [m]"),
        vec![Series::line("bob", 0, path.collect())],
    );
    vec![force, motion, path]
}

/// The cart on its rail, and the pole.
fn film(data: &declared::CartPole, states: &[State<declared::System>]) -> Animation {
    let frames = || states.iter().step_by(EVERY);
    let line = |label: &str, style, trail, points: &dyn Fn(&declared::Pose) -> Vec<[f64; 2]>| MovingLine {
        label: label.to_owned(),
        style,
        trail,
        points: frames()
            .map(|state| points(&state.configuration).iter().map(|[x, z]| [*x, 0.0, *z]).collect())
            .collect(),
    };
    let lines = vec![
        line("rail", 3, None, &|_| vec![[-1.0, 0.0], [2.0, 0.0]]),
        line("cart", 0, None, &|q| {
            [[-0.1, -0.05], [0.1, -0.05], [0.1, 0.05], [-0.1, 0.05], [-0.1, -0.05]]
                .map(|[x, z]| [q.cart + x, z])
                .to_vec()
        }),
        line("pole", 1, Some(1), &|q| {
            let bob = declared::bob(data, q);
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
