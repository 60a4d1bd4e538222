//! Every method on joint coordinates: a pendulum of links and a closed chain of bars along `#[kinematics]`, against free masses
//! with constraints and against each other.

use lie_runtime::prelude::*;
use lie_runtime::simulate::{MethodError, MethodRequirement, methods};

/// Directions of links, masses on frames.
#[mechanical_system]
mod links {
    use lie_runtime::prelude::*;

    #[configuration]
    pub struct Links {
        pub links: Vec<S2>,
    }

    #[kinematics(over = links)]
    pub fn mass(above: &R3, link: &S2) -> R3 {
        above + link.direction()
    }

    #[kinetic_energy(over = mass)]
    fn kinetic(v: &Vector3<f64>) -> f64 {
        0.5 * v.norm_squared()
    }

    #[potential(over = mass)]
    fn weight(x: &R3) -> f64 {
        9.81 * x.z
    }

    #[dissipation(over = mass)]
    fn drag(v: &Vector3<f64>) -> f64 {
        0.05 * v.norm_squared()
    }
}

/// The same masses, free, on rigid links.
#[mechanical_system]
mod masses {
    use lie_runtime::prelude::*;

    #[configuration]
    pub struct Masses {
        #[clamped(first)]
        pub masses: Vec<R3>,
    }

    #[kinetic_energy(over = masses)]
    fn kinetic(v: &Vector3<f64>) -> f64 {
        0.5 * v.norm_squared()
    }

    #[potential(over = masses)]
    fn weight(x: &R3) -> f64 {
        9.81 * x.z
    }

    #[dissipation(over = masses)]
    fn drag(v: &Vector3<f64>) -> f64 {
        0.05 * v.norm_squared()
    }

    #[constraint(over = masses.windows(2))]
    fn link([a, b]: [&R3; 2]) -> f64 {
        0.5 * ((b - a).norm_squared() - 1.0)
    }
}

/// Bars in a plane, each hinged to the end of the one before; the end of the last one is held.
#[mechanical_system]
pub mod bars {
    use lie_runtime::prelude::*;

    #[configuration]
    pub struct Bars {
        pub hinges: Vec<SO2>,
    }

    #[kinematics(over = hinges)]
    pub fn bar(above: &SE2, hinge: &SO2) -> SE2 {
        *above * SE2::new(*hinge, Vector2::zeros()) * SE2::new(SO2::identity(), Vector2::x())
    }

    #[kinetic_energy(over = bar)]
    fn kinetic(v: &Vector3<f64>) -> f64 {
        let across = v[2] - 0.5 * v[0];
        0.5 * (v[1] * v[1] + across * across + v[0] * v[0] / 12.0)
    }

    #[potential(over = bar)]
    fn weight(x: &SE2) -> f64 {
        9.81 * (*x * Vector2::new(-0.5, 0.0)).y
    }

    #[constraint(over = (hinges[0], hinges[1], hinges[2]))]
    fn closed(a: &SO2, b: &SO2, c: &SO2) -> Vector2<f64> {
        *a * (Vector2::x() + *b * (Vector2::x() + *c * Vector2::x())) - Vector2::new(1.7, 0.0)
    }
}

const SECONDS: f64 = 0.4;

fn level(count: usize) -> links::Links {
    let link = |at: usize| S2::new(Vector3::new(1.0, 0.2 * at as f64, -0.3)).unwrap();
    links::Links { links: (0..count).map(link).collect() }
}

/// The positions of the masses at the end of a run in joint coordinates.
fn places(system: &links::System, method: &str, step: f64) -> Result<Vec<Vector3<f64>>, MethodError> {
    let run = Simulation::of(system).initial(level(3), system.zero_velocity()).method_named(method)?;
    let run = run.step(step).end_time(SECONDS).run().unwrap_or_else(|error| panic!("{method}: {error}"));
    Ok(system.mass_frames(SECONDS, &run.last().configuration))
}

fn distance(a: &[Vector3<f64>], b: &[Vector3<f64>]) -> f64 {
    a.iter().zip(b).map(|(a, b)| (a - b).norm()).fold(0.0, f64::max)
}

/// Free masses are the reference of joint coordinates; every method reaches it with its order, or reports why it does not apply.
#[test]
fn every_method_runs_on_links() {
    let system = links::System::new(links::Lengths { links: 3 }).unwrap();
    let free = masses::System::new(masses::Lengths { masses: 4 }).unwrap();
    let start = system.mass_frames(0.0, &level(3));
    let masses = core::iter::once(Vector3::zeros()).chain(start).collect();
    let run = Simulation::of(&free).initial(masses::Masses { masses }, free.zero_velocity());
    let run = run.method(HalfExplicit::hedop5()).step(1e-3).end_time(SECONDS).run().unwrap();
    let exact = &run.last().configuration.masses[1..];
    let (mut ran, mut refused) = (0, Vec::new());
    for card in methods().into_iter().filter(|card| card.needs != MethodRequirement::Hamiltonian) {
        match places(&system, card.id, 0.02) {
            Ok(coarse) => {
                let fine = places(&system, card.id, 0.01).unwrap();
                let [coarse, fine] = [coarse, fine].map(|found| distance(&found, exact));
                assert!(coarse < 0.05, "{}: {coarse:.1e}", card.id);
                // A method of order p halves its error p times; what is at round-off has none.
                let order = (coarse / fine).log2();
                assert!(
                    order > card.order as f64 - 0.6 || fine < 1e-9,
                    "{} of order {}: {coarse:.1e}, {fine:.1e}",
                    card.id,
                    card.order
                );
                ran += 1;
            }
            Err(error) => refused.push((card, error.to_string())),
        }
    }
    for (card, error) in &refused {
        assert!(error.contains("single rotation"), "{} is refused: {error}", card.id);
    }
    println!("{ran} methods ran, {} were refused", refused.len());
    assert!(ran >= 40, "{ran}");
}

/// Stabilised and index-3 formulations close the loop; explicit ones agree.
#[test]
fn every_method_runs_on_a_loop() {
    let system = bars::System::new(bars::Lengths { hinges: 3 }).unwrap();
    let start = [1.2, -1.0, -1.3].map(SO2::from_angle);
    let end = |method: &str, step: f64| {
        let start = bars::Bars { hinges: start.to_vec() };
        let run = Simulation::of(&system).initial(start, system.zero_velocity()).max_initial_correction(0.5);
        let run = run.method_named(method)?.step(step).end_time(SECONDS).run();
        let run = run.unwrap_or_else(|error| panic!("{method}: {error}"));
        let last = run.last();
        let place = |frame: &SE2| Vector3::new(frame.translation.x, frame.translation.y, 0.0);
        let places = system.bar_frames(SECONDS, &last.configuration).iter().map(place).collect::<Vec<_>>();
        Ok::<_, MethodError>((places, last.multipliers.norm()))
    };
    let (exact, reaction) = end("hedop5", 1e-3).unwrap();
    let mut ran = 0;
    for card in methods() {
        let Ok((found, load)) = end(card.id, 0.005) else { continue };
        let off = distance(&found, &exact);
        assert!(off < 2e-3, "{}: {off:.1e}", card.id);
        let off = (load - reaction).abs() / reaction;
        assert!(card.multiplier_order == 0 || off < 0.1, "{}: λ is off by {off:.1e}", card.id);
        ran += 1;
    }
    println!("{ran} methods ran");
    assert!(ran >= 20, "{ran}");
}
