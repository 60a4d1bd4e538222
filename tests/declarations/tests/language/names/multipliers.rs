//! Multipliers have the names of their constraints, in states, in files and in errors.

use lie_runtime::prelude::*;
use lie_runtime::simulate::Sampled;

#[mechanical_system]
mod slider {
    use lie_runtime::prelude::*;

    #[configuration]
    pub struct Slider {
        pub place: R3,
        pub turn: SO3,
    }

    #[kinetic_energy]
    fn kinetic(v: &Velocity) -> f64 {
        0.5 * v.place.norm_squared() + 0.5 * v.turn.norm_squared()
    }

    #[potential]
    fn weight(q: &Slider) -> f64 {
        9.81 * q.place.z + 2.0 * q.place.x
    }

    /// Its row comes last: holonomic ones are first.
    #[velocity_constraint]
    fn no_spin(v: &Velocity) -> f64 {
        v.turn.z
    }

    #[constraint]
    fn r#type(q: &Slider) -> f64 {
        q.place.z
    }

    #[constraint]
    fn rail(q: &Slider) -> Vector2<f64> {
        Vector2::new(q.place.x, q.place.y)
    }
}

#[mechanical_system]
mod rope {
    use lie_runtime::prelude::*;

    #[configuration]
    pub struct Rope {
        pub beads: Vec<R2>,
        pub hook: R2,
    }

    #[kinetic_energy(over = beads)]
    fn kinetic(v: &Vector2<f64>) -> f64 {
        0.5 * v.norm_squared()
    }

    #[kinetic_energy]
    fn of_hook(v: &Velocity) -> f64 {
        0.5 * v.hook.norm_squared()
    }

    #[potential(over = beads)]
    fn weight(bead: &R2) -> f64 {
        9.81 * bead.y
    }

    #[constraint(over = beads.windows(2))]
    fn link([a, b]: [&R2; 2]) -> f64 {
        0.5 * (b - a).norm_squared() - 0.5
    }

    #[constraint(over = (hook, beads.first()))]
    fn hung(hook: &R2, bead: &R2) -> Vector2<f64> {
        bead - hook
    }

    #[constraint]
    fn fixed(q: &Rope) -> Vector2<f64> {
        q.hook
    }
}

#[test]
fn of_a_system_of_known_size() {
    let system = slider::System::new().unwrap();
    let start = slider::Slider { place: Vector3::zeros(), turn: SO3::identity() };
    let run = Simulation::of(&system).initial(start, system.zero_velocity()).step(0.1).end_time(0.2).run().unwrap();
    let state = run.last();
    let named = slider::Multipliers::from(state.multipliers);
    // The force of the constraints is -B^T λ, and nothing moves.
    assert!((named.r#type + 9.81).abs() < 1e-12, "{named:?}");
    assert!((named.rail - Vector2::new(-2.0, 0.0)).amax() < 1e-12 && named.no_spin.abs() < 1e-12, "{named:?}");
    assert_eq!(named, system.multipliers(&state.multipliers));
    assert_eq!(system.sample(state).multipliers.get("rail").unwrap().numbers().len(), 2);
    let names = system.description().row(3).to_string();
    assert_eq!(names, "`no_spin` row 0");
}

#[test]
fn of_a_chain() {
    let lengths = rope::Lengths { beads: 4 };
    let system = rope::System::new(lengths).unwrap();
    let beads = (0..4).map(|at| Vector2::new(0.0, -f64::from(at))).collect();
    let start = rope::Rope { beads, hook: Vector2::zeros() };
    let run = Simulation::of(&system).initial(start, system.zero_velocity()).step(0.1).end_time(0.1).run().unwrap();
    let state = run.last();
    let named = system.multipliers(&state.multipliers);
    // Each link carries the beads below it; its gradient is its length, 1, downwards.
    for (at, pull) in named.link.iter().enumerate() {
        assert!((pull - 9.81 * (3 - at) as f64).abs() < 1e-9, "{named:?}");
    }
    assert!((named.hung.y + 4.0 * 9.81).abs() < 1e-9 && (named.fixed.y + 4.0 * 9.81).abs() < 1e-9, "{named:?}");
    // What is of another system is NaN.
    let other = system.multipliers(&lie_runtime::nalgebra::DVector::zeros(2));
    assert!(other.link.iter().all(|pull| pull.is_nan()) || other.hung.x.is_nan(), "{other:?}");
    let description = system.description();
    let link = description.constraints.iter().find(|constraint| constraint.name == "link").unwrap();
    assert_eq!(description.row(link.offset + 2).to_string(), "`link[2]` row 0");
}
