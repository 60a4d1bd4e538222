//! The search for the least effort, and its figures.

use std::error::Error;
use std::io::Write;
use std::path::{Path, PathBuf};

use harness::figure::{Animation, Axis, Figure, MovingLine, Panel, Series};
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
    pub figure: Figure,
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
    Ok(Swung { figure: figure(&task, &plan, &flown), progress, film })
}

/// The force, the motion, and the path of the bob.
fn figure(task: &SwingUp, plan: &Plan<declared::System>, flown: &[State<declared::System>]) -> Figure {
    let piece = task.grid().piece();
    let held = plan.inputs.iter().enumerate().flat_map(|(number, inputs)| {
        let begin = number as f64 * piece;
        [(begin, inputs[0]), (begin + piece, inputs[0])]
    });
    let end = plan.inputs.len() as f64 * piece;
    let bounds = [BOUND, -BOUND].map(|bound| Series::line("bound", 6, vec![(0.0, bound), (end, bound)]).dotted());
    let force = Panel::over_time(
        "Force",
        Axis::linear("force on the cart u [N]"),
        [Series::line("u", 0, held.collect())].into_iter().chain(bounds).collect(),
    );
    let shown = || flown.iter().step_by(EVERY);
    let over_time = |of: fn(&State<declared::System>) -> f64| shown().map(|state| (state.time, of(state))).collect();
    let cart = over_time(|state| state.configuration.cart);
    let cart = Panel::over_time("Cart", Axis::linear("position x [m]"), vec![Series::line("x", 0, cart)]);
    // An angle that counts its revolutions, from hanging on: it is between one and seven.
    let pole = over_time(|state| 1.0 + (state.configuration.pole.angle() - 1.0).rem_euclid(core::f64::consts::TAU));
    let pole = Panel::over_time("Pole", Axis::linear("angle θ [rad]"), vec![Series::line("θ", 0, pole)]);
    let place = |state: &State<declared::System>| {
        let bob = declared::bob(&task.data, &state.configuration);
        (bob.x, bob.y)
    };
    let mut lines = vec![Series::line("path of the bob", 0, shown().map(place).collect())];
    // The pole at equal distances of time.
    let poles = shown().step_by(shown().count().div_ceil(12).max(1)).chain(flown.last());
    lines.extend(poles.map(|state| Series::line("pole", 2, vec![(state.configuration.cart, 0.0), place(state)])));
    let path = Panel::new("Motion in space", Axis::length("x [m]"), Axis::length("z [m]"), lines);
    let caption = format!(
        "Swing-up of a pendulum on a cart with the least effort ∫ u² dt = {:.3} N² s and |u| ≤ {BOUND} N, from direct multiple shooting \
         with exact derivatives. The pendulum hangs at the beginning and stands at rest at the end.",
        plan.effort(task)
    );
    Figure::new(vec![force, cart, pole, path]).title("Optimal swing-up of a pendulum on a cart").caption(&caption)
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
        ..Animation::default()
    }
}
