//! Declared symmetries: their momenta in every run, and systems without the declared symmetry.

use lie_runtime::prelude::*;
use lie_runtime::simulate::SetupError;
use lie_runtime::system::DeclarationError;

/// A top whose tip is held by a constraint: turns about the vertical and about its own axis.
#[mechanical_system]
pub mod top {
    use lie_runtime::prelude::*;

    #[configuration]
    pub struct Pose {
        pub attitude: SO3,
        pub position: R3,
    }

    #[parameters]
    pub struct Top {
        pub inertia: Vector3<f64>,
        pub wind: f64,
    }

    #[kinetic_energy]
    fn kinetic(top: &Top, v: &Velocity) -> f64 {
        v.position.norm_squared() + 0.5 * v.attitude.dot(&top.inertia.component_mul(&v.attitude))
    }

    #[potential]
    fn weight(top: &Top, q: &Pose) -> f64 {
        2.0 * 9.81 * q.position.z + top.wind * q.position.x
    }

    #[constraint]
    fn tip(q: &Pose) -> Vector3<f64> {
        q.attitude.inverse() * q.position - Vector3::z()
    }

    #[symmetry]
    fn about_the_vertical(q: &Pose) -> Velocity {
        Velocity { attitude: q.attitude.inverse() * Vector3::z(), position: Vector3::z().cross(&q.position) }
    }

    #[symmetry]
    fn about_its_axis(_q: &Pose) -> Velocity {
        Velocity { attitude: Vector3::z(), position: Vector3::zeros() }
    }
}

fn run(inertia: Vector3<f64>, wind: f64) -> Result<Trajectory<top::System>, Box<SimulationError<top::System>>> {
    let system = top::System::new(top::Top { inertia, wind }).expect("a top");
    let attitude = SO3::exp(&Vector3::new(0.4, 0.0, 0.0));
    let spin = Vector3::new(0.3, -0.2, 20.0);
    let q = top::Pose { attitude, position: attitude * Vector3::z() };
    let v = top::Velocity { attitude: spin, position: attitude * spin.cross(&Vector3::z()) };
    Simulation::of(&system).initial(q, v).step(0.005).end_time(1.0).run().map(Into::into)
}

#[test]
fn momenta_of_declared_symmetries_are_in_every_run() {
    let run = run(Vector3::new(0.7, 0.7, 0.2), 0.0).expect("a run");
    let first = &run.balances[0];
    // R ω J about the vertical, with the share of the moving centre; J₃ ω₃ about the axis.
    let attitude = SO3::exp(&Vector3::new(0.4, 0.0, 0.0));
    let spin: Vector3<f64> = Vector3::new(0.3, -0.2, 20.0);
    let place: Vector3<f64> = attitude * Vector3::z();
    let turning: Vector3<f64> = attitude * Vector3::new(0.7, 0.7, 0.2).component_mul(&spin);
    let vertical = (turning + place.cross(&(attitude * spin.cross(&Vector3::z()))) * 2.0).z;
    assert!((first.momentum("about_the_vertical").unwrap() - vertical).abs() < 1e-12);
    assert!((first.momentum("about_its_axis").unwrap() - 4.0).abs() < 1e-12);
    let drift = run.statistics.momentum_drift.expect("they are watched");
    assert!(drift < 1e-6, "{drift}");
    assert!(run.summary().contains("momenta drift by"), "{}", run.summary());
    // The balance was not asked for.
    assert!(run.statistics.energy_defect.is_none() && first.work.is_empty());
    let system = top::System::new(top::Top { inertia: Vector3::new(0.7, 0.7, 0.2), wind: 0.0 }).expect("a top");
    let mut table = Vec::new();
    run.clone().with_system(&system).expect("its states").write_csv(&mut table).expect("a table");
    let header = String::from_utf8(table).expect("text");
    assert!(header.lines().next().is_some_and(|line| line.contains("momenta.about_its_axis")), "{header}");
}

fn refused(error: &SimulationError<top::System>) -> (&'static str, String, f64) {
    match &error.failure {
        Failure::Setup(SetupError::Declaration(DeclarationError::NotSymmetric(changed))) => {
            (changed.symmetry, changed.what.clone(), changed.change)
        }
        other => panic!("{other}"),
    }
}

#[test]
fn symmetries_that_a_system_does_not_have_are_told_with_numbers() {
    let (symmetry, what, change) = refused(&run(Vector3::new(0.7, 0.9, 0.2), 0.0).unwrap_err());
    assert_eq!((symmetry, what.as_str()), ("about_its_axis", "the Lagrangian T − V"));
    // d/dφ of (J₁ cos² + J₂ sin²) ω²/2 and so on: (J₁ − J₂) ω₁ ω₂.
    assert!((change.abs() - 0.2 * 0.3 * 0.2).abs() < 1e-7, "{change}");
    let (symmetry, _, change) = refused(&run(Vector3::new(0.7, 0.7, 0.2), 3.0).unwrap_err());
    assert_eq!(symmetry, "about_the_vertical");
    // −∂V/∂x (e_z × x)ₓ.
    assert!((change - 3.0 * (SO3::exp(&Vector3::new(0.4, 0.0, 0.0)) * Vector3::z()).y).abs() < 1e-7, "{change}");
}

/// A train of wagons, pushed or not, that begins anywhere; one is on a leash.
#[mechanical_system]
pub mod train {
    use lie_runtime::prelude::*;

    #[configuration]
    pub struct Train {
        pub wagons: Vec<R2>,
    }

    #[parameters]
    pub struct Coupling {
        pub stiffness: f64,
        pub leash: bool,
    }

    #[kinetic_energy(over = wagons)]
    fn kinetic(v: &Vector2<f64>) -> f64 {
        0.5 * v.norm_squared()
    }

    #[potential(over = wagons.windows(2))]
    fn coupling(p: &Coupling, [a, b]: [&R2; 2]) -> f64 {
        0.5 * p.stiffness * (b - a).norm_squared()
    }

    #[force(over = wagons.last())]
    fn brake(v: &Vector2<f64>) -> Vector2<f64> {
        -0.5 * v
    }

    #[constraint(over = wagons.first())]
    fn held(p: &Coupling, a: &R2) -> f64 {
        if p.leash { a.x } else { a.y }
    }

    #[symmetry]
    fn along(q: &Train) -> Velocity {
        Velocity { wagons: vec![Vector2::x(); q.wagons.len()] }
    }

    /// How far the train is stretched beyond a length of 2.1.
    #[event]
    fn stretched(q: &Train) -> f64 {
        (q.wagons[q.wagons.len() - 1] - q.wagons[0]).norm() - 2.1
    }
}

#[test]
fn chains_have_symmetries_and_what_acts_along_them_shows() {
    let coupled = |leash| {
        let system =
            train::System::new(train::Coupling { stiffness: 4.0, leash }, train::Lengths { wagons: 3 }).unwrap();
        let q = train::Train {
            wagons: (0..3).map(|k| Vector2::new(f64::from(k) * if leash { 0.0 } else { 1.0 }, 0.0)).collect(),
        };
        let mut v = system.zero_velocity();
        v[4] = 2.0;
        Simulation::of(&system)
            .initial(q, v)
            .declared_event("stretched")
            .rising()
            .record()
            .step(0.01)
            .end_time(1.0)
            .run()
            .map(Run::into_trajectory)
    };
    let run = coupled(false).unwrap();
    let [first, .., last] = run.balances.as_slice() else { unreachable!() };
    assert!((first.momentum("along").unwrap() - 2.0).abs() < 1e-13);
    // The brake takes ∫ v/2 of it.
    let taken: f64 = run.states.windows(2).map(|ends| 0.005 * 0.5 * (ends[0].velocity[4] + ends[1].velocity[4])).sum();
    let left = last.momentum("along").unwrap();
    assert!(taken.abs() > 0.1 && (2.0 - taken - left).abs() < 1e-4, "{taken} {left}");
    assert!(run.statistics.momentum_drift.unwrap() > (2.0 - left).abs() - 1e-12);
    assert_eq!(run.events_called("stretched").count(), 1);
    let refused = coupled(true).unwrap_err();
    let text = refused.failure.to_string();
    assert!(text.contains("`along`") && text.contains("constraint `held`"), "{text}");
}

#[test]
fn events_are_called_by_their_names() {
    let system =
        train::System::new(train::Coupling { stiffness: 4.0, leash: false }, train::Lengths { wagons: 2 }).unwrap();
    let q = train::Train { wagons: vec![Vector2::zeros(), Vector2::new(2.0, 0.0)] };
    let start = || Simulation::of(&system).initial(q.clone(), system.zero_velocity()).step(0.01).end_time(1.0);
    let text = start().declared_event("streched").stop().run().unwrap_err().to_string();
    assert!(text.contains("unknown event `streched`") && text.contains("did you mean `stretched`?"), "{text}");
    let declared = start().declared_event("stretched").falling().stop().run().unwrap();
    assert!(declared.stopped.is_none(), "it is never longer than it was");
}
