//! Systems from text with contacts, stops, friction and redundant constraints.

use lie_runtime::dynamic::{DynamicModel, DynamicSystem};
use lie_runtime::prelude::*;
use lie_runtime::simulate::Run;
use lie_runtime::system::{Parametrised, UnilateralContacts};

use super::Pair;
use super::runs::compare_runs;

/// A spinning disk that falls on a floor, and an arm with a stop and dry friction.
#[mechanical_system(redundant = minimum_norm)]
pub mod machine {
    use lie_runtime::prelude::*;

    #[configuration]
    pub struct Place {
        pub arm: f64,
        pub disk: R2,
        pub spin: f64,
    }

    #[parameters]
    #[derive(Clone)]
    pub struct Data {
        pub mass: f64,
        pub radius: f64,
        pub mu: f64,
        pub torque: f64,
        pub slide: f64,
        pub open: f64,
        pub on_floor: bool,
        pub slip: i32,
        pub stop: i32,
        pub stick: i32,
    }

    #[kinetic_energy]
    fn kinetic(p: &Data, v: &Velocity) -> f64 {
        0.5 * p.mass * (v.disk.norm_squared() + 0.5 * p.radius * p.radius * v.spin * v.spin) + 0.5 * 2.0 * v.arm * v.arm
    }

    #[potential]
    fn weight(p: &Data, q: &Place) -> f64 {
        9.81 * p.mass * q.disk.y + 2.0 * q.arm
    }

    #[constraint(active = p.on_floor)]
    fn floor(p: &Data, q: &Place) -> f64 {
        q.disk.y - p.radius
    }

    #[velocity_constraint(contact = floor, friction = p.mu, slip = p.slip)]
    fn sliding(p: &Data, v: &Velocity) -> f64 {
        v.disk.x + p.radius * v.spin
    }

    #[constraint(lower = -0.2, upper = p.open, stop = p.stop)]
    fn gate(p: &Data, q: &Place) -> f64 {
        q.arm
    }

    #[velocity_constraint(bound = p.torque, sliding = p.slide, stribeck = 0.3, slip = p.stick, stop = gate)]
    fn hinge(p: &Data, v: &Velocity) -> f64 {
        v.arm
    }
}

fn data() -> machine::Data {
    let (mass, radius, mu) = (2.0, 0.1, 0.3);
    machine::Data { mass, radius, mu, torque: 0.5, slide: 0.5, open: 0.4, on_floor: false, slip: 0, stop: 0, stick: 0 }
}

const STATE: [&str; 4] = ["on_floor", "slip", "stop", "stick"];

/// The system from text, with the flags of the contacts.
fn pair<'s>(model: &DynamicModel, generated: &'s machine::System) -> Pair<'s, machine::System> {
    let p = generated.parameters();
    let flags = [f64::from(p.on_floor), f64::from(p.slip), f64::from(p.stop), f64::from(p.stick)];
    let flags: Vec<(&str, Vec<f64>)> = STATE.into_iter().zip(flags.map(|flag| vec![flag])).collect();
    Pair::of(model, generated, &flags)
}

fn model() -> DynamicModel {
    let text = fixtures::text::declaration(include_str!("contacts.rs"), "machine");
    DynamicModel::from_text(&text.replace("#[mechanical_system]", "#[mechanical_system(redundant = minimum_norm)]"))
        .unwrap_or_else(|error| panic!("{error}"))
}

/// Compares columns, events and their times.
fn compare<M: MultibodySystem>(one: &Run<'_, M>, two: &Run<'_, DynamicSystem>, columns: &[&str], tolerance: f64) {
    let one_events: Vec<(&str, f64)> = one.events.iter().map(|event| (&*event.event, event.time)).collect();
    let two_events: Vec<(&str, f64)> = two.events.iter().map(|event| (&*event.event, event.time)).collect();
    assert_eq!(
        one_events.iter().map(|(name, _)| name).collect::<Vec<_>>(),
        two_events.iter().map(|(name, _)| name).collect::<Vec<_>>()
    );
    for ((name, one), (_, two)) in one_events.iter().zip(&two_events) {
        assert!((one - two).abs() < tolerance, "{name}: {one} and {two}");
    }
    for column in columns {
        let [one, two] = [one.column(column).unwrap(), two.column(column).unwrap()];
        assert_eq!(one.len(), two.len());
        let worst = one.iter().zip(&two).map(|(x, y)| (x - y).abs()).fold(0.0, f64::max);
        assert!(worst < tolerance, "{column}: {worst}");
    }
}

#[test]
fn contacts_with_friction_and_stops_of_joints() {
    let model = model();
    let system = machine::System::new(data()).unwrap();
    let pair = pair(&model, &system);
    assert_eq!(pair.dynamic.contacts().len(), 3);
    let q = machine::Place { disk: Vector2::new(0.0, 0.5), spin: 0.0, arm: 0.0 };
    let v = machine::Velocity { disk: Vector2::new(1.5, 0.0), spin: 20.0, arm: 1.1 };
    let v: <machine::System as MechanicalSystem>::Velocity = v.into();
    for step in [Some(0.01), None] {
        let one = Simulation::of(&system).initial(q, v).contact("floor", 0.6).contact("gate", 0.5).dry_friction();
        let two = Simulation::of(&pair.dynamic).initial(pair.configuration(&q), pair.vector(&v));
        let two = two.contact("floor", 0.6).contact("gate", 0.5).dry_friction();
        let (one, two) = match step {
            Some(step) => (one.step(step).end_time(2.0).run(), two.step(step).end_time(2.0).run()),
            None => (one.rtol(1e-8).atol(1e-9).end_time(2.0).run(), two.rtol(1e-8).atol(1e-9).end_time(2.0).run()),
        };
        let (one, two) = (one.unwrap(), two.unwrap());
        for name in ["floor", "gate upper"] {
            assert!(one.events_called(name).next().is_some(), "{name}");
        }
        assert_eq!(one.statistics.accepted, two.statistics.accepted);
        compare(&one, &two, &["arm", "disk[0]", "disk[1]", "spin", "velocity.spin", "multipliers.floor"], 1e-9);
    }
}

#[test]
fn every_method_with_an_active_contact_that_sticks_or_slides() {
    let model = model();
    let q = machine::Place { disk: Vector2::new(0.0, 0.1), spin: 0.0, arm: 0.1 };
    for (slip, stick) in [(0, 0), (1, 0), (0, -1)] {
        let state = machine::Data { on_floor: true, slip, stick, slide: 0.2, ..data() };
        let system = machine::System::new(state).unwrap();
        let pair = pair(&model, &system);
        pair.compare_kernels_to(1e-12, &q);
        let spin = if slip == 0 { -10.0 } else { 3.0 };
        let v = machine::Velocity { disk: Vector2::new(1.0, 0.0), spin, arm: f64::from(stick) };
        let compared = compare_runs(&pair, &q, &v.into(), 0.01, 1e-9);
        assert!(compared > 20, "{compared} methods");
    }
}

/// A four-bar mechanism in space with a redundant row, at run time.
#[test]
fn multipliers_of_least_norm() {
    let text = "
        #[mechanical_system(redundant = minimum_norm)]
        mod hung {
            #[configuration] pub struct Place { pub x: R3 }
            #[parameters] pub struct Data { pub mass: f64 }
            #[kinetic_energy] fn kinetic(p: &Data, v: &Velocity) -> f64 { 0.5 * p.mass * v.x.norm_squared() }
            #[potential] fn weight(p: &Data, q: &Place) -> f64 { 9.81 * p.mass * q.x.z }
            #[constraint] fn rope(q: &Place) -> f64 { q.x.norm_squared() - 1.0 }
            #[constraint] fn twin(q: &Place) -> f64 { 2.0 * (q.x.norm_squared() - 1.0) }
        }";
    let model = DynamicModel::from_text(text).unwrap();
    let system = model.system([("mass", &[2.0][..])]).unwrap();
    let q = system.configuration([("x", &[0.6, 0.0, -0.8][..])]).unwrap();
    for method in ["hedop5", "lie_alpha", "tr_bdf2", "rattlie"] {
        let run = Simulation::of(&system).at_rest(q.clone()).method_named(method).unwrap().step(0.002).end_time(0.2);
        let run = run.run().unwrap();
        // 2 x (λ₁ + 2 λ₂) is the force of one rope, and the norm weights rows by B M⁻¹ Bᵀ, here 1 : 4.
        let [rope, twin] = ["multipliers.rope", "multipliers.twin"].map(|name| run.column(name).unwrap());
        let (x, z) = (run.column("x[0]").unwrap(), run.column("x[2]").unwrap());
        let at = 50;
        assert!((rope[at] - 2.0 * twin[at]).abs() < 1e-6 * rope[at].abs(), "{method}: {} and {}", rope[at], twin[at]);
        let drop = 9.81 * (-0.8 - z[at]);
        let speed = 2.0 * drop;
        let tension = 2.0 * (speed - 9.81 * z[at]);
        let sum = (rope[at] + 2.0 * twin[at]) * 2.0;
        assert!((sum.abs() - tension).abs() < 1e-3 * tension, "{method}: {sum} and {tension}, x = {}", x[at]);
    }
    // Without the option the row is named.
    let model = DynamicModel::from_text(&text.replace("(redundant = minimum_norm)", "")).unwrap();
    let system = model.system([("mass", &[2.0][..])]).unwrap();
    let refused = Simulation::of(&system).at_rest(q).step(0.01).end_time(0.1).run().unwrap_err().to_string();
    assert!(refused.contains("twin"), "{refused}");
}

#[test]
fn the_state_of_contacts_is_open_by_default() {
    let system = model().system([
        ("mass", &[2.0][..]),
        ("radius", &[0.1]),
        ("mu", &[0.3]),
        ("torque", &[0.5]),
        ("slide", &[0.2]),
        ("open", &[0.4]),
    ]);
    let system = system.expect("the state of contacts is zero by default");
    assert!(system.contacts().iter().all(|contact| !(contact.is_active)(system.parameters(), contact.number)));
}
