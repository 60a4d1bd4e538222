//! Length and damping of a pendulum from noisy measurements: Gauss-Newton iterations with exact derivatives. It runs in less than a second.

use std::{error::Error, path::Path};

use lie_runtime::gradient::Objective;
use lie_runtime::picture::{Axis, Figure, Panel, Series};
use lie_runtime::prelude::*;

#[mechanical_system(gradients)]
mod pendulum {
    #[configuration]
    pub struct Swing {
        pub angle: f64,
    }

    #[parameters]
    pub struct Pendulum {
        pub length: f64,
        pub damping: f64,
    }

    #[kinetic_energy]
    fn kinetic(p: &Pendulum, v: &Velocity) -> f64 {
        0.5 * (p.length * v.angle).powi(2)
    }

    #[potential]
    fn weight(p: &Pendulum, q: &Swing) -> f64 {
        -9.81 * p.length * q.angle.cos()
    }

    #[dissipation]
    fn friction(p: &Pendulum, v: &Velocity) -> f64 {
        0.5 * p.damping * v.angle.powi(2)
    }
}

/// Writes the figures into a folder and returns the length and the damping of the fit. The exact values are 1.3 and 0.2.
pub(crate) fn simulate(folder: &Path) -> Result<Vector2<f64>, Box<dyn Error>> {
    let times: Vec<f64> = (1..=60).map(|i| 0.1 * f64::from(i)).collect();
    let system = |p: Vector2<f64>| pendulum::System::new(pendulum::Pendulum { length: p[0], damping: p[1] });
    let start = pendulum::Swing { angle: 1.0 };
    // Measurements with an error of some milliradians.
    let exact = system(Vector2::new(1.3, 0.2))?;
    let exact = Simulation::of(&exact).at_rest(start).step(0.01).end_time(6.0).output_times(&times).run()?;
    let noise = |i: usize| 0.004 * (12.9898 * i as f64).sin();
    let measured: Vec<f64> = exact.column("angle")?.iter().enumerate().map(|(i, angle)| angle + noise(i)).collect();

    let objective = |&t: &f64| Objective::<pendulum::System>::new().at_times([t], |_, state| state.configuration.angle);
    let objectives: Vec<_> = times.iter().map(objective).collect();
    let mut found = Vector2::new(1.0, 0.1);
    println!("{:>10} {:>10} {:>12}", "length", "damping", "rms error");
    let fitted = loop {
        let system = system(found)?;
        let run = Simulation::of(&system).at_rest(start).step(0.01).end_time(6.0);
        let model = run.jacobian_of(&objectives, ["length", "damping"])?;
        let residual = nalgebra::DVector::from_iterator(60, measured.iter().zip(&model.values).map(|(y, x)| y - x));
        println!("{:10.6} {:10.6} {:12.3e}", found[0], found[1], residual.norm() / 60_f64.sqrt());
        // The step minimises |residual - J step|.
        let normal = (model.matrix.transpose() * &model.matrix).cholesky().ok_or("the matrix is singular")?;
        let step = normal.solve(&(model.matrix.transpose() * residual));
        if step.norm() < 1e-9 {
            break model.values;
        }
        found += Vector2::new(step[0], step[1]);
    };
    let points = |values: &[f64]| times.iter().copied().zip(values.iter().copied()).collect();
    let series = vec![Series::line("fit", 0, points(&fitted)), Series::marks("measured", 1, points(&measured))];
    let panel = Panel::over_time("Parameter fit", Axis::linear("angle θ [rad]"), series);
    Figure::new(vec![panel]).save(folder.join("parameter_fit.svg"))?;
    Ok(found)
}

fn main() -> Result<(), Box<dyn Error>> {
    simulate(std::env::args().nth(1).unwrap_or(".".into()).as_ref()).map(drop)
}
