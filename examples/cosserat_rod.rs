//! A Cosserat rod that a moment at its end bends into a ring: a stiff system with an implicit method. It runs in a few seconds.

use std::{error::Error, path::Path};

use lie_runtime::prelude::*;

#[mechanical_system]
mod rod {
    #[configuration]
    pub struct Rod {
        /// The frames of the cross sections, with the x axis along the rod.
        #[clamped(first)]
        pub sections: Vec<SE3>,
    }

    #[parameters]
    pub struct Material {
        /// The length of an element.
        pub element: f64,
        /// Moments of inertia and mass of an element.
        pub inertia: Vector6<f64>,
        /// Stiffness: torsion and bending, then axial and shear.
        pub stiffness: Vector6<f64>,
        pub moment: f64,
    }

    #[kinetic_energy(over = sections)]
    fn kinetic(p: &Material, v: &Vector6<f64>) -> f64 {
        0.5 * v.dot(&p.inertia.component_mul(v))
    }

    #[quantity(over = sections.windows(2))]
    fn strain(p: &Material, [a, b]: [&SE3; 2]) -> Vector6<f64> {
        (a.inverse() * *b).log() / p.element - Vector6::new(0.0, 0.0, 0.0, 1.0, 0.0, 0.0)
    }

    #[potential(over = sections.windows(2))]
    fn elastic(p: &Material, [a, b]: [&SE3; 2]) -> f64 {
        0.5 * p.element * strain(p, [a, b]).dot(&p.stiffness.component_mul(&strain(p, [a, b])))
    }

    #[dissipation(over = sections.windows(2))]
    fn viscous(p: &Material, [a, b]: [&SE3; 2], [va, vb]: [&Vector6<f64>; 2]) -> f64 {
        let rate = strain_rate(p, [a, b], [va, vb]);
        0.5 * 0.1 * p.element * rate.dot(&p.stiffness.component_mul(&rate))
    }

    /// The moment increases for 2 s.
    #[force(over = sections.last())]
    fn moment(p: &Material, t: f64) -> Vector6<f64> {
        Vector6::new(0.0, -p.moment * (0.5 * t).min(1.0), 0.0, 0.0, 0.0, 0.0)
    }
}

/// Writes the figures into a folder and returns the final position of the end, which is the origin for a closed ring.
pub(crate) fn simulate(folder: &Path) -> Result<Vector3<f64>, Box<dyn Error>> {
    let (elements, element, bending) = (20, 0.05, 0.2);
    let inertia = Vector6::new(2e-6, 2e-6, 2e-6, 5e-3, 5e-3, 5e-3);
    let stiffness = Vector6::new(0.2, bending, bending, 2e3, 1e3, 1e3);
    let material = rod::Material { element, inertia, stiffness, moment: std::f64::consts::TAU * bending };
    let system = rod::System::new(material, rod::Lengths { sections: elements + 1 })?;
    let section = |i: usize| SE3::new(SO3::identity(), Vector3::new(element * i as f64, 0.0, 0.0));
    let start = rod::Rod { sections: (0..=elements).map(section).collect() };
    let times: Vec<f64> = (0..=250).map(|i| 0.02 * f64::from(i)).collect();
    let run = Simulation::of(&system).at_rest(start).method(TrBdf2::new()).end_time(5.0).output_times(&times).run()?;

    let end = format!("sections[{elements}].translation");
    println!("{}", run.table(["t", &end, "energy.total"])?.every(25));
    run.plot().lines([end + " r [m]"]).title("Cosserat rod").save(folder.join("cosserat_rod.svg"))?;
    run.animate()
        .line("rod", |state| state.configuration.sections.iter().map(|section| section.translation).collect())
        .save(folder.join("cosserat_rod.html"))?;
    Ok(run.last().configuration.sections[elements].translation)
}

fn main() -> Result<(), Box<dyn Error>> {
    simulate(std::env::args().nth(1).unwrap_or(".".into()).as_ref()).map(drop)
}
