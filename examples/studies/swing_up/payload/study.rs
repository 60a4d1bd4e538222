//! Plans and the controller, with figures of both.

use std::error::Error;
use std::io::Write;
use std::path::{Path, PathBuf};

use harness::figure::{Animation, Axis, Figure, MovingLine, Panel, Series};
use harness::study::plain_table;
use lie_runtime::prelude::*;

use super::super::plan::Plan;
use super::super::search::search;
use super::super::told;
use super::control::{Measures, Moment, controlled, moment, moments};
use super::{BOUND, Carry, END, GRID, Weights, declared, start};
use crate::quadrotors::model::{Quadrotors, target};

/// Weights of the way and bounds; the first is drawn, and with it all of the same bound.
const PLANS: [(f64, f64); 4] = [(10.0, BOUND), (5.0, BOUND), (20.0, BOUND), (10.0, 16.0)];
/// The stride of the drawn times of a motion.
const EVERY: usize = 20;
const PLANNED: usize = 8;
/// Colours of the plan, the controller and the path, after the colours of the pendulum.
const STYLES: [usize; 3] = [2, 3, 4];

/// A plan with its motion.
struct Flown {
    weights: Weights,
    bound: f64,
    plan: Plan<declared::System>,
    moments: Vec<Moment>,
    measures: Measures,
}

/// All searches; three panels, and the animation.
pub fn study(folder: &Path, out: &mut dyn Write) -> Result<(Figure, PathBuf), Box<dyn Error>> {
    let controller = Quadrotors::default();
    let states = controlled(&controller, &start(80.0))?;
    let controlled: Vec<Moment> = states.iter().map(|state| moment(&controller, state)).collect();
    let by_controller = Measures::of(&controlled, &controller.formation);
    let mut task = Carry::beside(&controller, &start(80.0))?;
    let mut plans = vec![];
    for (way, bound) in PLANS {
        (task.weights.way, task.bound) = (way, bound);
        let plan = search(&task)?;
        let flown = plan.flown(&task)?;
        if plans.is_empty() {
            writeln!(
                out,
                "\nThe payload: cost ½ ∫ |u|² + |r|² dt = {:.4} N² s after {} steps, cost of the controller {:.4}; in a separate run it ends {:.1e} from \
                 the end of the controller; remaining derivative: {:.1e} of {:.1e}",
                plan.cost(),
                plan.progress.len() - 1,
                by_controller.cost(&task.weights),
                plan.missed(&task, &flown)?,
                plan.slope(&task, 10)?,
                plan.steepness(&task)
            )?;
            told(&plan, ["N² s", "N"], out)?;
        }
        let moments = moments(&plan, &flown);
        let measures = Measures::of(&moments, &controller.formation);
        plans.push(Flown { weights: task.weights, bound, plan, moments, measures });
    }
    let row = |name: String, measures: &Measures, rest: [String; 2]| {
        let numbers = [measures.effort, measures.from_way, measures.from_formation, measures.peak];
        let [at_bound, steps] = rest;
        let numbers = numbers.iter().map(|number| format!("{number:.3}"));
        core::iter::once(name).chain(numbers).chain([at_bound, steps]).collect::<Vec<String>>()
    };
    let mut rows = vec![row("controller".to_owned(), &by_controller, [String::new(), String::new()])];
    for Flown { weights, bound, plan, measures, .. } in &plans {
        let name = format!("plan: {} N/m, thrusts up to {bound} N", weights.way);
        task.bound = *bound;
        let at_bound = format!("{} of {}", plan.at_bounds(&task), plan.inputs.len());
        rows.push(row(name, measures, [at_bound, format!("{}", plan.progress.len() - 1)]));
    }
    let header =
        ["", "effort [N² s]", "from the way [m]", "from the formation", "peak [N]", "pieces at a bound", "steps"];
    writeln!(out, "{}", plain_table(&header, &rows))?;
    let film = film(&plans[0].moments, &controlled, &controller.lengths).save(folder, "payload")?;
    Ok((panels(&plans, &controlled, &by_controller, &controller.lengths), film))
}

/// Thrusts, paths, and the cost of deviations from the path.
fn panels(plans: &[Flown], controlled: &[Moment], by_controller: &Measures, lengths: &[f64; 2]) -> Figure {
    let [plan, controller, way] = STYLES;
    let thrusts = |label: &str, style: usize, moments: &[Moment]| {
        let lines = (0..2).map(|i| {
            let points = moments.iter().map(|moment| (moment.time, moment.thrusts[i].norm())).collect();
            Series::line(label, style, points)
        });
        lines.collect::<Vec<Series>>()
    };
    let thinned: Vec<Moment> = controlled.iter().step_by(4).copied().collect();
    // Of what is held on a piece both ends are enough.
    let steps = plans[0].moments.len() / GRID.pieces;
    let held = plans[0].moments.chunks(steps).flat_map(|piece| [piece[0], piece[steps - 1]]);
    let held: Vec<Moment> = held.collect();
    let force = Panel::over_time(
        "Thrusts",
        Axis::linear("thrust |f| [N]"),
        [thrusts("controller", controller, &thinned), thrusts("plan", plan, &held)].concat(),
    );

    // e₃ points down.
    let side = |vector: Vector3<f64>| (vector.x, -vector.z);
    let path = |moments: &[Moment], every: usize| -> Vec<(f64, f64)> {
        moments.iter().step_by(every).map(|moment| side(moment.payload)).collect()
    };
    let mut lines = vec![
        Series::line("reference path", way, (0..=50).map(|k| side(target(END * f64::from(k) / 50.0))).collect())
            .dashed(),
        Series::line("controller", controller, path(controlled, EVERY)),
        Series::line("plan", plan, path(&plans[0].moments, PLANNED)),
    ];
    for moment in plans[0].moments.iter().step_by(5 * steps) {
        let [first, second] = [0, 1].map(|i| side(moment.payload - moment.links[i] * lengths[i]));
        lines.push(Series::line("plan", plan, vec![first, side(moment.payload), second]));
    }
    let paths = Panel::new("Payload and links", Axis::length("y₁ [m]"), Axis::length("height −y₃ [m]"), lines);

    let mut front: Vec<(f64, f64)> = plans
        .iter()
        .filter(|flown| flown.bound == BOUND)
        .map(|flown| (flown.measures.effort, flown.measures.from_way))
        .collect();
    front.sort_by(|a, b| a.0.total_cmp(&b.0));
    let front = Panel::new(
        "Effort against accuracy",
        Axis::linear("effort [N² s]"),
        Axis::linear("rms distance from the path [m]"),
        vec![
            Series::marks("controller", controller, vec![(by_controller.effort, by_controller.from_way)]),
            Series::marked("plan", plan, front),
        ],
    );
    let caption = "Two quadrotors carry a payload on two rigid links: the controller of paper 3 and the optimal plans, which weigh the effort \
                   against the distance from the reference path. Left: both thrusts. Right: paths of the payload, and the links of a plan \
                   at equal distances of time. Below: effort and mean distance of plans with different weights.";
    Figure::new(vec![force, paths, front]).title("Optimal transport of a payload").caption(caption).columns(2)
}

/// Payload and links of the plan and of the controller; e₃ points down, the third axis of the picture up.
fn film(planned: &[Moment], controlled: &[Moment], lengths: &[f64; 2]) -> Animation {
    let upright = |vector: Vector3<f64>| [vector.x, -vector.y, -vector.z];
    // A frame for each piece and one between: at jumps the plan has two moments at one time.
    let steps = planned.len() / GRID.pieces;
    let planned: Vec<&Moment> =
        planned.chunks(steps).flat_map(|piece| [&piece[0], &piece[steps / 2]]).chain(planned.last()).collect();
    let controlled = planned.iter().map(|moment| {
        let at = controlled.partition_point(|other| other.time < moment.time - 1e-9);
        &controlled[at.min(controlled.len() - 1)]
    });
    let links = |label: &str, style: usize, moments: &mut dyn Iterator<Item = &Moment>| MovingLine {
        label: label.to_owned(),
        style,
        trail: Some(1),
        points: moments
            .map(|moment| {
                let [first, second] = [0, 1].map(|i| moment.payload - moment.links[i] * lengths[i]);
                [first, moment.payload, second].map(upright).to_vec()
            })
            .collect(),
    };
    let times: Vec<f64> = planned.iter().map(|moment| moment.time).collect();
    let way = MovingLine {
        label: "way".to_owned(),
        style: STYLES[2],
        trail: Some(0),
        points: times.iter().map(|&time| vec![upright(target(time))]).collect(),
    };
    let lines = vec![
        links("plan", STYLES[0], &mut planned.iter().copied()),
        links("controller", STYLES[1], &mut controlled.into_iter()),
        way,
    ];
    Animation {
        title: "A payload on two quadrotors".to_owned(),
        eye: [-70.0, 15.0],
        times,
        lines,
        ..Animation::default()
    }
}
