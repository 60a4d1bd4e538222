//! A rope between two hooks that falls from a triangle into a catenary: a chain of masses and links. It runs in a second.

use std::{error::Error, path::Path};

use lie_runtime::prelude::*;

#[mechanical_system]
mod rope {
    #[configuration]
    pub struct Rope {
        /// The masses from one hook to the other.
        #[clamped(first, last)]
        pub masses: Vec<R3>,
    }

    #[parameters]
    pub struct Link {
        pub mass: f64,
        pub length: f64,
        pub drag: f64,
    }

    #[kinetic_energy(over = masses)]
    fn kinetic(p: &Link, v: &Vector3<f64>) -> f64 {
        0.5 * p.mass * v.norm_squared()
    }

    #[potential(over = masses)]
    fn weight(p: &Link, x: &R3) -> f64 {
        9.81 * p.mass * x.z
    }

    /// Drag of the air.
    #[dissipation(over = masses)]
    fn drag(p: &Link, v: &Vector3<f64>) -> f64 {
        0.5 * p.drag * v.norm_squared()
    }

    #[constraint(over = masses.windows(2))]
    fn link(p: &Link, [a, b]: [&R3; 2]) -> f64 {
        (b - a).norm() - p.length
    }

    #[observable]
    fn middle(q: &Rope) -> Vector3<f64> {
        q.masses[q.masses.len() / 2]
    }
}

/// Writes the figures into a folder and returns the final sag of the rope, in metres.
pub(crate) fn simulate(folder: &Path) -> Result<f64, Box<dyn Error>> {
    // 40 links of 0.05 m between hooks at a distance of 1.5 m. The corner of the initial shape is after 12 links.
    let (links, corner, length, span) = (40, 12, 0.05, 1.5);
    let system = rope::System::new(rope::Link { mass: 0.01, length, drag: 0.02 }, rope::Lengths { masses: links + 1 })?;
    let (left, right) = (corner as f64 * length, (links - corner) as f64 * length);
    let x = (left * left - right * right + span * span) / (2.0 * span);
    let (hook, corner_point) = (Vector3::new(span, 0.0, 0.0), Vector3::new(x, 0.0, -(left * left - x * x).sqrt()));
    let mass = |i: usize| {
        let right = hook + (corner_point - hook) * ((links - i) as f64 / (links - corner) as f64);
        if i <= corner { corner_point * (i as f64 / corner as f64) } else { right }
    };
    let times: Vec<f64> = (0..=500).map(|i| 0.02 * f64::from(i)).collect();
    let start = rope::Rope { masses: (0..=links).map(mass).collect() };
    let run = Simulation::of(&system).at_rest(start).end_time(10.0).output_times(&times).run()?;

    println!("{}", run.table(["t", "middle", "energy.total"])?.every(50));
    let tension = run.reaction("link")?;
    println!("The tension at the hook is {:.4} N at the end.", -tension[500][0]);
    run.plot().lines(["middle.x x [m]", "middle.z z [m]"]).title("Rope").save(folder.join("rope.svg"))?;
    run.animate().line_through("rope", ["masses"]).save(folder.join("rope.html"))?;
    Ok(run.last().configuration.masses.iter().map(|mass| -mass.z).fold(0.0, f64::max))
}

fn main() -> Result<(), Box<dyn Error>> {
    simulate(std::env::args().nth(1).unwrap_or(".".into()).as_ref()).map(drop)
}
