//! Constraints that begin and cease to act.

use approx::assert_relative_eq;
use lie_runtime::prelude::*;

/// A block that rocks between its lower corners.
#[mechanical_system]
pub mod block {
    use lie_runtime::prelude::*;

    #[configuration]
    pub struct Pose {
        pub angle: f64,
        pub x: R2,
    }

    #[parameters]
    pub struct Block {
        pub half_width: f64,
        pub half_height: f64,
        pub on_the_left: bool,
    }

    #[kinetic_energy]
    fn kinetic(p: &Block, v: &Velocity) -> f64 {
        let inertia = (p.half_width * p.half_width + p.half_height * p.half_height) / 3.0;
        0.5 * (v.x.norm_squared() + inertia * v.angle * v.angle)
    }

    #[potential]
    fn weight(q: &Pose) -> f64 {
        9.81 * q.x.y
    }

    #[constraint]
    fn corner(p: &Block, q: &Pose) -> Vector2<f64> {
        let side = if p.on_the_left { -p.half_width } else { p.half_width };
        let (s, c) = q.angle.sin_cos();
        Vector2::new(q.x.x + c * side + s * p.half_height - side, q.x.y + s * side - c * p.half_height)
    }
}

#[test]
fn a_rocking_block_loses_what_housner_says() {
    let (b, h) = (0.2, 0.5);
    let system = block::System::new(block::Block { half_width: b, half_height: h, on_the_left: true }).unwrap();
    // Tilted about its left corner.
    let angle: f64 = 0.1;
    let (s, c) = angle.sin_cos();
    let pose = block::Pose { angle, x: Vector2::new(-b + c * b - s * h, s * b + c * h) };
    let run = Simulation::of(&system)
        .initial(pose, system.zero_velocity())
        .event("upright", |_, state| state.configuration.angle)
        .apply(|at| {
            at.set(|p| p.on_the_left = !p.on_the_left);
            at.impact(["corner"], 0.0);
        })
        .event("turns", |_, state| state.velocity[0])
        .record()
        .step(1e-3)
        .end_time(1.6)
        .run()
        .unwrap();
    assert!(run.events_called("upright").count() >= 4);
    // All of the impulse acts at the new corner: r = 1 − (3/2) sin² of the angle of the diagonal.
    let ratio = 1.0 - 1.5 * b * b / (b * b + h * h);
    let radius = b.hypot(h);
    let upright = h;
    for event in run.events_called("upright") {
        let [before, after] = [&event.before, event.after.as_ref().unwrap()].map(|state| state.velocity[0]);
        assert_relative_eq!(after, ratio * before, epsilon = 1e-10);
    }
    // Between two blows energy is kept: the next turning point follows.
    let turns: Vec<_> = run.events_called("turns").collect();
    let energy = |state: &State<block::System>| {
        system.kinetic_energy(0.0, &state.configuration, &state.velocity) + 9.81 * (state.configuration.x.y - upright)
    };
    let mut expected = energy(&run.states[0]);
    for turn in &turns {
        expected *= ratio * ratio;
        assert_relative_eq!(energy(&turn.before), expected, epsilon = 1e-13, max_relative = 1e-7);
        let theta = turn.before.configuration.angle.abs();
        let height = radius * ((b / h).atan() - theta).cos();
        assert_relative_eq!(turn.before.configuration.x.y, height, epsilon = 1e-8);
    }
    assert!(turns.len() >= 3);
}

/// A block that a spring pulls, dry on its ground: it sticks, or it slips forward.
#[mechanical_system(redundant = minimum_norm)]
pub mod sledge {
    use lie_runtime::prelude::*;

    #[configuration]
    pub struct Position {
        pub x: f64,
    }

    #[parameters]
    pub struct Sledge {
        pub pull: f64,
        pub stiffness: f64,
        pub sliding_friction: f64,
        pub resting_friction: f64,
        pub sticks: bool,
    }

    #[kinetic_energy]
    fn kinetic(v: &Velocity) -> f64 {
        0.5 * v.x * v.x
    }

    #[force(on = x)]
    fn spring(p: &Sledge, t: f64, q: &Position) -> f64 {
        p.stiffness * (p.pull * t - q.x)
    }

    #[force(on = x)]
    fn friction(p: &Sledge) -> f64 {
        if p.sticks { 0.0 } else { -p.sliding_friction }
    }

    #[velocity_constraint]
    fn ground(p: &Sledge, v: &Velocity) -> f64 {
        if p.sticks { v.x } else { 0.0 }
    }
}

#[test]
fn a_sledge_sticks_and_slips_as_the_formulas_say() {
    let (pull, stiffness, resting, sliding) = (0.1, 4.0, 1.0, 0.6);
    let parameters =
        sledge::Sledge { pull, stiffness, sliding_friction: sliding, resting_friction: resting, sticks: true };
    let system = sledge::System::new(parameters).unwrap();
    let run = Simulation::of(&system)
        .initial(sledge::Position { x: 0.0 }, Vector1::new(0.0))
        .event("breaks loose", |system, state| {
            let p = system.parameters();
            if p.sticks { state.multipliers.x.abs() - p.resting_friction } else { -1.0 }
        })
        .rising()
        .apply(|at| at.set(|p| p.sticks = false))
        .event("stops", |system, state| if system.parameters().sticks { 1.0 } else { state.velocity.x })
        .falling()
        .apply(|at| {
            at.set(|p| p.sticks = true);
            at.impact(["ground"], 0.0);
        })
        .step(0.01)
        .end_time(12.0)
        .run()
        .unwrap();
    let first = resting / (stiffness * pull);
    let omega = stiffness.sqrt();
    let excess = (resting - sliding) / stiffness;
    // v = V (1 − cos ωτ) + Δ ω sin ωτ is zero at tan(ωτ/2) = −Δ ω / V.
    let slip = (core::f64::consts::TAU - 2.0 * (excess * omega / pull).atan()) / omega;
    let times: Vec<(&str, f64)> = run.events.iter().map(|event| (event.event.as_str(), event.time)).collect();
    assert!(times.len() >= 4, "{times:?}");
    assert_relative_eq!(times[0].1, first, epsilon = 1e-10);
    assert_relative_eq!(times[1].1, first + slip, epsilon = 1e-9);
    assert_eq!((times[0].0, times[1].0), ("breaks loose", "stops"));
    // The spring is short by as much as it was long, about sliding friction: it has to be stretched by that again.
    let pause = 2.0 * excess * stiffness / (stiffness * pull);
    assert_relative_eq!(times[2].1, first + slip + pause, epsilon = 1e-8);
    assert_relative_eq!(times[3].1, first + 2.0 * slip + pause, epsilon = 1e-8);
}

/// Two carts on a rail with a hook.
#[mechanical_system(redundant = minimum_norm)]
pub mod carts {
    use lie_runtime::prelude::*;

    #[configuration]
    pub struct Rail {
        pub x: f64,
        pub y: f64,
    }

    #[parameters]
    pub struct Carts {
        pub hooked: bool,
    }

    #[kinetic_energy]
    fn kinetic(v: &Velocity) -> f64 {
        0.5 * (2.0 * v.x * v.x + 3.0 * v.y * v.y)
    }

    #[constraint]
    fn hook(p: &Carts, q: &Rail) -> f64 {
        if p.hooked { q.y - q.x } else { 0.0 }
    }

    #[observable]
    fn hooked(p: &Carts) -> f64 {
        if p.hooked { 1.0 } else { 0.0 }
    }
}

#[test]
fn carts_that_hook_go_on_together_and_are_told_so() {
    let system = carts::System::new(carts::Carts { hooked: false }).unwrap();
    let run = Simulation::of(&system)
        .initial(carts::Rail { x: 0.0, y: 1.0 }, Vector2::new(1.0, 0.0))
        .event("meet", |_, state| state.configuration.y - state.configuration.x)
        .falling()
        .apply(|at| {
            at.set(|p| p.hooked = true);
            at.impact(["hook"], 0.0);
        })
        .step(0.3)
        .end_time(2.0)
        .run()
        .unwrap();
    assert_relative_eq!(run.events[0].time, 1.0, epsilon = 1e-13);
    let last = run.last();
    assert_relative_eq!(last.velocity, Vector2::new(0.4, 0.4), epsilon = 1e-13);
    assert_relative_eq!(last.configuration.x, 1.4, epsilon = 1e-12);
    assert_eq!(run.events_called("meet").count(), 1);
    assert!(!system.parameters().hooked, "the borrowed system is unchanged");
    // Gone on with from there.
    let hooked = run.events[0].system.as_ref().unwrap();
    let further = Simulation::of(&**hooked).restart_from(last.clone()).step(0.3).end_time(3.0).run().unwrap();
    let q = further.last().configuration;
    assert_relative_eq!(Vector2::new(q.x, q.y), Vector2::new(1.8, 1.8), epsilon = 1e-12);
    // Five states before (0, 0.3, 0.6, 0.9, 1.0), five after (1.0, 1.2, 1.5, 1.8, 2.0).
    let told: Vec<f64> = run.samples().map(|sample| sample.observable("hooked")[0]).collect();
    assert_eq!(told, [0.0, 0.0, 0.0, 0.0, 0.0, 1.0, 1.0, 1.0, 1.0, 1.0]);
}

/// A bead on top of a dome.
#[mechanical_system(redundant = minimum_norm)]
pub mod bead {
    use lie_runtime::prelude::*;

    #[configuration]
    pub struct Place {
        pub x: R2,
    }

    #[parameters]
    pub struct Bead {
        pub touches: bool,
    }

    #[kinetic_energy]
    fn kinetic(v: &Velocity) -> f64 {
        0.5 * v.x.norm_squared()
    }

    #[potential]
    fn weight(q: &Place) -> f64 {
        10.0 * q.x.y
    }

    #[constraint]
    fn dome(p: &Bead, q: &Place) -> f64 {
        if p.touches { q.x.norm() - 1.0 } else { 0.0 }
    }

    /// The force of the dome is −Bᵀ λ: it is directed away from the dome if λ is negative.
    #[event]
    fn leaves(p: &Bead, lambda: &Multipliers) -> f64 {
        if p.touches { lambda.dome } else { -1.0 }
    }
}

#[test]
fn a_bead_leaves_at_two_thirds_of_the_height() {
    let system = bead::System::new(bead::Bead { touches: true }).unwrap();
    // From rest at the angle α, cos θ = (2/3) cos α: as near to the top as it moves from by itself.
    let (sin, cos) = 0.02_f64.sin_cos();
    for full in [false, true] {
        let run = Simulation::of(&system)
            .initial(bead::Place { x: Vector2::new(sin, cos) }, Vector2::zeros())
            .declared_event("leaves")
            .rising()
            .stop()
            .step(1e-3)
            .end_time(5.0);
        let run = if full { run.full_order_multipliers() } else { run };
        let left = run.run().unwrap().last().configuration.x.y;
        assert!((left - 2.0 / 3.0 * cos).abs() < if full { 1e-10 } else { 1e-6 }, "{:e}", left - 2.0 / 3.0 * cos);
    }
}

#[test]
fn a_bead_leaves_its_dome_where_the_dome_would_have_to_pull() {
    let system = bead::System::new(bead::Bead { touches: true }).unwrap();
    let run = Simulation::of(&system)
        .initial(bead::Place { x: Vector2::new(0.0, 1.0) }, Vector2::new(1.0, 0.0))
        // The force of the dome is −Bᵀ λ: it is directed away from the dome if λ is negative.
        .event("leaves", |system, state| if system.parameters().touches { state.multipliers.x } else { -1.0 })
        .rising()
        .apply(|at| at.set(|p| p.touches = false))
        .event("lands", |_, state| state.configuration.x.y)
        .falling()
        .stop()
        .step(1e-3)
        .end_time(5.0)
        .run()
        .unwrap();
    let leaves = run.events_called("leaves").next().unwrap();
    // cos θ = (2 + v² / (g R)) / 3.
    assert_relative_eq!(leaves.before.configuration.x.y, 0.7, epsilon = 1e-7);
    let state = leaves.after.as_ref().unwrap();
    assert_eq!(state.acceleration, Vector2::new(0.0, -10.0));
    // A parabola from there on.
    let (height, fall) = (state.configuration.x.y, state.velocity.y);
    let time = (fall + (fall * fall + 20.0 * height).sqrt()) / 10.0;
    assert_relative_eq!(run.stopped.unwrap(), leaves.time + time, epsilon = 1e-11);
}
