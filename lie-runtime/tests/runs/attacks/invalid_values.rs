//! Names, numbers and lists that fit nothing, and a motion that no controller can follow.

use lie_runtime::prelude::*;
use lie_runtime::simulate::Methods;

use super::{Attack, at, end, repel, spring_of};
use crate::models::{beads, drawn, listed, spring};

fn net(masses: Vec<f64>, knots: usize, springs: Vec<[usize; 2]>) -> Result<f64, String> {
    let data = listed::Data { masses, stiffness: 1.0 };
    let system = listed::System::new(data, listed::Lengths { knots, springs }).map_err(|error| error.to_string())?;
    let q = listed::Net { knots: (0..knots).map(|at| Vector2::new(at as f64, 0.0)).collect() };
    end(Simulation::of(&system).initial(q, system.zero_velocity()).step(0.1).end_time(1.0).run())
}

#[test]
#[allow(clippy::too_many_lines)] // A table.
fn names_and_parameters() {
    let soft = spring_of(1.0, 1.0, 0.0).unwrap();
    let by_name = |id: &str, options: &[(&str, &str)]| {
        let run = Simulation::of(&soft).initial(at(1.0), Vector1::zeros());
        let run = run.method_from(&Methods::<spring::System>::all(), id, options).map_err(first_line)?;
        end(run.step(0.1).end_time(1.0).run())
    };
    let attacks: Vec<Attack<'_>> = vec![
        ("no name", &["``"], Box::new(|| by_name("", &[]))),
        ("a shouted name", &["`HEDOP5`", "hedop5"], Box::new(|| by_name("HEDOP5", &[]))),
        ("a name with a blank", &["` hedop5`", "hedop5"], Box::new(|| by_name(" hedop5", &[]))),
        ("a misspelt name", &["`lie_alfa`", "lie_alpha"], Box::new(|| by_name("lie_alfa", &[]))),
        ("an option of nothing", &["`colour`"], Box::new(|| by_name("hedop5", &[("colour", "red")]))),
        ("ρ = 2", &["rho_inf"], Box::new(|| by_name("lie_alpha", &[("rho_inf", "2")]))),
        ("ρ = NaN", &["rho_inf"], Box::new(|| by_name("lie_alpha", &[("rho_inf", "NaN")]))),
        ("ρ of words", &["rho_inf"], Box::new(|| by_name("lie_alpha", &[("rho_inf", "much")]))),
        ("a rotation's method", &["imidm"], Box::new(|| by_name("imidm", &[]))),
        ("mass NaN", &["`mass` is NaN"], Box::new(|| spring_of(f64::NAN, 1.0, 0.0).map(|_| 0.0))),
        ("mass −1", &["mass matrix"], Box::new(|| spring_of(-1.0, 1.0, 0.0).map(|_| 0.0))),
        ("mass −0", &["mass matrix"], Box::new(|| spring_of(-0.0, 1.0, 0.0).map(|_| 0.0))),
        ("stiffness ∞", &["`stiffness` is inf"], Box::new(|| spring_of(1.0, f64::INFINITY, 0.0).map(|_| 0.0))),
        (
            "the heaviest mass",
            &[],
            Box::new(|| {
                let heavy = spring_of(f64::MAX, 1.0, 0.0)?;
                end(Simulation::of(&heavy).initial(at(1.0), Vector1::zeros()).step(0.1).end_time(1.0).run())
            }),
        ),
        ("no masses", &["`masses` has 0 items", "`kinetic`"], Box::new(|| net(vec![], 2, vec![[0, 1]]))),
        ("a mass too few", &["`masses` has 1 item"], Box::new(|| net(vec![1.0], 2, vec![[0, 1]]))),
        ("a mass too many", &["`masses` has 3 items"], Box::new(|| net(vec![1.0; 3], 2, vec![[0, 1]]))),
        ("a mass of zero in the list", &["mass matrix"], Box::new(|| net(vec![1.0, 0.0], 2, vec![[0, 1]]))),
        (
            "a mass that is NaN in the list",
            &["`masses[1]` is NaN"],
            Box::new(|| net(vec![1.0, f64::NAN], 2, vec![[0, 1]])),
        ),
        ("a spring to nowhere", &["`springs[0]` connects `knots[2]`"], Box::new(|| net(vec![1.0; 2], 2, vec![[0, 2]]))),
        ("a spring to far away", &["`springs[0]`"], Box::new(|| net(vec![1.0; 2], 2, vec![[0, usize::MAX]]))),
        ("a spring to itself", &["with itself"], Box::new(|| net(vec![1.0; 2], 2, vec![[1, 1]]))),
        ("a spring twice", &[], Box::new(|| net(vec![1.0; 2], 2, vec![[0, 1], [0, 1], [1, 0]]))),
        ("no springs", &[], Box::new(|| net(vec![1.0; 2], 2, vec![]))),
        ("no knots", &["knots"], Box::new(|| net(vec![], 0, vec![]))),
        (
            "beads beyond counting",
            &["beads"],
            Box::new(|| {
                beads::System::new(beads::Lengths { beads: usize::MAX }).map(|_| 0.0).map_err(|error| error.to_string())
            }),
        ),
        (
            "no beads",
            &["beads"],
            Box::new(|| {
                beads::System::new(beads::Lengths { beads: 0 }).map(|_| 0.0).map_err(|error| error.to_string())
            }),
        ),
        (
            "one bead, clamped and on the floor",
            &["beads"],
            Box::new(|| {
                beads::System::new(beads::Lengths { beads: 1 }).map(|_| 0.0).map_err(|error| error.to_string())
            }),
        ),
    ];
    repel(attacks);
}

#[test]
fn a_fall_into_a_centre_ends() {
    let attraction = || {
        let system = drawn::System::new(drawn::Data { attraction: 1.0 }).map_err(|error| error.to_string())?;
        let run = Simulation::of(&system).initial(drawn::Place { x: 1.0 }, Vector1::zeros());
        end(run.rtol(1e-8).atol(1e-10).end_time(10.0).run())
    };
    // It is met at π / √8.
    repel(vec![("into a centre of attraction", &["below the minimum", "t = 1.1107"], Box::new(attraction))]);
}

/// A message without the list below it.
fn first_line(error: impl core::fmt::Display) -> String {
    error.to_string().lines().next().unwrap_or_default().to_owned()
}
