//! A Delta robot: three driven arms, six thin rods, a platform that the rods keep level; in joint coordinates with six loops,
//! against free bodies and the ends of the rods with every joint as a constraint.

use lie_runtime::nalgebra::DVector;
use lie_runtime::prelude::*;

use jointed::{APART, ARM, HEADS, HINGES, ROD};

/// Angles of the arms, directions of the rods, the pose of the platform.
#[mechanical_system]
mod jointed {
    use lie_runtime::prelude::*;

    /// The radius of the hinges.
    pub const HINGES: f64 = 0.2;
    /// Radius of the heads of the rods on the platform.
    pub const HEADS: f64 = 0.05;
    /// The length of an arm.
    pub const ARM: f64 = 0.3;
    /// The length of a rod.
    pub const ROD: f64 = 0.7;
    /// Half the distance between the rods of a leg.
    pub const APART: f64 = 0.05;

    #[configuration]
    pub struct Robot {
        pub arms: Vec<SO2>,
        pub rods: Vec<S2>,
        pub platform: Vec<SE3>,
    }

    fn outwards(leg: usize) -> Vector3<f64> {
        let angle = 2.0 * std::f64::consts::PI / 3.0 * leg as f64;
        Vector3::new(angle.cos(), angle.sin(), 0.0)
    }

    fn across(leg: usize) -> Vector3<f64> {
        Vector3::z().cross(&outwards(leg))
    }

    /// The two rods of a leg.
    fn beside(rod: usize) -> Vector3<f64> {
        if rod.is_multiple_of(2) { across(rod / 2) * APART } else { -across(rod / 2) * APART }
    }

    fn reach(leg: usize, arm: &SO2) -> Vector3<f64> {
        outwards(leg) * (ARM * arm.angle().cos()) - Vector3::z() * (ARM * arm.angle().sin())
    }

    fn reach_rate(leg: usize, arm: &SO2, rate: f64) -> Vector3<f64> {
        (outwards(leg) * (-ARM * arm.angle().sin()) - Vector3::z() * (ARM * arm.angle().cos())) * rate
    }

    #[kinetic_energy(over = arms)]
    fn of_arms(v: &f64) -> f64 {
        0.5 * 0.8 * ARM * ARM / 3.0 * v * v
    }

    #[potential(over = arms)]
    fn weight_of_arms(index: usize, arm: &SO2) -> f64 {
        9.81 * 0.8 * 0.5 * reach(index, arm).z
    }

    /// Kinetic energy of thin rods in terms of the velocities a and b of their ends: m/6 (a² + a · b + b²).
    #[kinetic_energy(over = (arms, rods).by(elbows))]
    fn of_rods(index: usize, arm: &SO2, rod: &S2, arm_rate: &f64, turn: &Vector3<f64>) -> f64 {
        let foot = reach_rate(index / 2, arm, *arm_rate);
        let head = foot + turn.cross(&rod.direction()) * ROD;
        0.1 / 6.0 * (foot.norm_squared() + foot.dot(&head) + head.norm_squared())
    }

    #[potential(over = (arms, rods).by(elbows))]
    fn weight_of_rods(index: usize, arm: &SO2, rod: &S2) -> f64 {
        9.81 * 0.1 * (reach(index / 2, arm).z + 0.5 * ROD * rod.direction().z)
    }

    #[kinetic_energy(over = platform)]
    fn of_platform(v: &Vector6<f64>) -> f64 {
        0.5 * 0.6 * v.linear().norm_squared() + 0.5 * 0.01 * v.angular().norm_squared()
    }

    #[potential(over = platform)]
    fn weight_of_platform(x: &SE3) -> f64 {
        9.81 * 0.6 * x.translation.z
    }

    /// The head of a rod is where the platform has it.
    #[constraint(over = (arms, rods, platform).by(loops))]
    fn closed(index: usize, arm: &SO2, rod: &S2, platform: &SE3) -> Vector3<f64> {
        let leg = index / 2;
        let foot = outwards(leg) * HINGES + beside(index) + reach(leg, arm);
        foot + rod.direction() * ROD - *platform * (outwards(leg) * HEADS + beside(index))
    }
}

/// Arms and platform as free bodies, rods by their ends.
#[mechanical_system]
mod free {
    use lie_runtime::prelude::*;

    // Those of `jointed`: a declaration sees no module beside it.
    const HINGES: f64 = 0.2;
    const HEADS: f64 = 0.05;
    const ARM: f64 = 0.3;
    const ROD: f64 = 0.7;
    const APART: f64 = 0.05;

    /// The first axis of an arm is along it, the second axis is the axis of its hinge.
    #[configuration]
    pub struct Parts {
        pub arms: Vec<SE3>,
        pub feet: Vec<R3>,
        pub heads: Vec<R3>,
        pub platform: Vec<SE3>,
    }

    fn outwards(leg: usize) -> Vector3<f64> {
        let angle = 2.0 * std::f64::consts::PI / 3.0 * leg as f64;
        Vector3::new(angle.cos(), angle.sin(), 0.0)
    }

    fn side(rod: usize) -> f64 {
        if rod.is_multiple_of(2) { APART } else { -APART }
    }

    #[kinetic_energy(over = arms)]
    fn of_arms(v: &Vector6<f64>) -> f64 {
        let center = v.linear() + v.angular().cross(&(Vector3::x() * (0.5 * ARM)));
        let turn = v.angular();
        0.5 * 0.8 * center.norm_squared()
            + 0.5 * 0.8 * ARM * ARM / 12.0 * (turn.y * turn.y + turn.z * turn.z)
            + 0.5 * 1e-3 * turn.x * turn.x
    }

    #[potential(over = arms)]
    fn weight_of_arms(arm: &SE3) -> f64 {
        9.81 * 0.8 * (*arm * Vector3::new(0.5 * ARM, 0.0, 0.0)).z
    }

    #[kinetic_energy(over = (feet, heads).by(rods))]
    fn of_rods(foot: &Vector3<f64>, head: &Vector3<f64>) -> f64 {
        0.1 / 6.0 * (foot.norm_squared() + foot.dot(head) + head.norm_squared())
    }

    #[potential(over = (feet, heads).by(rods))]
    fn weight_of_rods(foot: &R3, head: &R3) -> f64 {
        9.81 * 0.1 * 0.5 * (foot.z + head.z)
    }

    #[kinetic_energy(over = platform)]
    fn of_platform(v: &Vector6<f64>) -> f64 {
        0.5 * 0.6 * v.linear().norm_squared() + 0.5 * 0.01 * v.angular().norm_squared()
    }

    #[potential(over = platform)]
    fn weight_of_platform(x: &SE3) -> f64 {
        9.81 * 0.6 * x.translation.z
    }

    #[constraint(over = arms)]
    fn hinge(index: usize, arm: &SE3) -> Vector5<f64> {
        let (place, axis) = (arm.translation - outwards(index) * HINGES, arm.rotation * Vector3::y());
        Vector5::new(place.x, place.y, place.z, axis.dot(&outwards(index)), axis.z)
    }

    #[constraint(over = (feet, heads).by(rods))]
    fn rigid(foot: &R3, head: &R3) -> f64 {
        0.5 * ((head - foot).norm_squared() - ROD * ROD)
    }

    #[constraint(over = (arms, feet).by(elbows))]
    fn elbow(index: usize, arm: &SE3, foot: &R3) -> Vector3<f64> {
        *arm * Vector3::new(ARM, side(index), 0.0) - foot
    }

    #[constraint(over = (heads, platform).by(mounts))]
    fn mount(index: usize, head: &R3, platform: &SE3) -> Vector3<f64> {
        let outwards = outwards(index / 2);
        head - *platform * (outwards * HEADS + Vector3::z().cross(&outwards) * side(index))
    }
}

fn joints() -> jointed::System {
    let lengths = jointed::Lengths {
        arms: 3,
        rods: 6,
        platform: 1,
        elbows: (0..6).map(|rod| [rod / 2, rod]).collect(),
        loops: (0..6).map(|rod| [rod / 2, rod, 0]).collect(),
    };
    jointed::System::new(lengths).unwrap()
}

fn parts() -> free::System {
    let lengths = free::Lengths {
        arms: 3,
        feet: 6,
        heads: 6,
        platform: 1,
        rods: (0..6).map(|rod| [rod, rod]).collect(),
        elbows: (0..6).map(|rod| [rod / 2, rod]).collect(),
        mounts: (0..6).map(|rod| [rod, 0]).collect(),
    };
    free::System::new(lengths).unwrap()
}

fn outwards(leg: usize) -> Vector3<f64> {
    let angle = 2.0 * core::f64::consts::PI / 3.0 * leg as f64;
    Vector3::new(angle.cos(), angle.sin(), 0.0)
}

/// The arms are given; rods and platform are a guess that the closure corrects.
fn start(system: &jointed::System) -> (jointed::Robot, DVector<f64>) {
    let arms: Vec<SO2> = [0.3, 0.45, 0.2].map(SO2::from_angle).to_vec();
    let platform = SE3::new(SO3::identity(), Vector3::new(0.0, 0.0, -0.63));
    let rods = (0..6).map(|rod| {
        let (leg, out) = (rod / 2, outwards(rod / 2));
        let foot = out * (HINGES + ARM * arms[leg].angle().cos()) - Vector3::z() * (ARM * arms[leg].angle().sin());
        S2::new(platform.translation + out * HEADS - foot).unwrap()
    });
    let rods = rods.collect();
    let mut v = system.zero_velocity();
    for (at, rate) in [0.5, -0.3, 0.2].into_iter().enumerate() {
        v[at] = rate;
    }
    (jointed::Robot { arms, rods, platform: vec![platform] }, v)
}

/// The same state of the free parts.
fn taken_apart(q: &jointed::Robot, v: &DVector<f64>) -> (free::Parts, DVector<f64>) {
    let (mut parts, mut velocity) =
        (free::Parts { arms: vec![], feet: vec![], heads: vec![], platform: q.platform.clone() }, Vec::new());
    let mut axes = Vec::new();
    for (leg, arm) in q.arms.iter().enumerate() {
        let (out, across) = (outwards(leg), Vector3::z().cross(&outwards(leg)));
        let along = out * arm.angle().cos() - Vector3::z() * arm.angle().sin();
        let turn = Matrix3::from_columns(&[along, across, along.cross(&across)]);
        parts.arms.push(SE3::new(SO3::from_matrix_unchecked(turn), out * HINGES));
        velocity.extend([0.0, v[leg], 0.0, 0.0, 0.0, 0.0]);
        axes.push((across, along));
    }
    let mut heads = Vec::new();
    for (rod, direction) in q.rods.iter().enumerate() {
        let (arm, (across, along)) = (&parts.arms[rod / 2], axes[rod / 2]);
        let side = if rod.is_multiple_of(2) { APART } else { -APART };
        let foot = *arm * Vector3::new(ARM, side, 0.0);
        let rate = (across * v[rod / 2]).cross(&(along * ARM));
        let turn = Vector3::from_fn(|k, _| v[3 + 3 * rod + k]);
        parts.feet.push(foot);
        parts.heads.push(foot + direction.direction() * ROD);
        velocity.extend(rate.iter());
        heads.extend((rate + turn.cross(&direction.direction()) * ROD).iter().copied());
    }
    velocity.extend(heads);
    velocity.extend(v.iter().skip(21));
    (parts, DVector::from_vec(velocity))
}

/// The platform at the end of a run from closed states.
fn end(system: &jointed::System, method: &str, step: f64) -> SE3 {
    let (q, v) = start(system);
    let run = Simulation::of(system).initial(q, v).fix_initial(["arms"]).method_named(method).unwrap();
    let run = run.step(step).end_time(0.2).run().unwrap_or_else(|error| panic!("{method}: {error}"));
    run.last().configuration.platform[0]
}

fn distance(a: &SE3, b: &SE3) -> f64 {
    (a.inverse() * *b).log().norm()
}

#[test]
fn joint_coordinates_agree_with_free_parts() {
    let (system, parts) = (joints(), parts());
    assert_eq!((system.dof() - 6, system.constraint_rows()), (21, 18));
    assert_eq!((parts.dof(), parts.constraint_rows()), (60, 57));
    let (q, v) = start(&system);
    let run = Simulation::of(&system).initial(q, v).fix_initial(["arms"]).method(HalfExplicit::hedop5());
    let run = run.step(1e-3).end_time(0.2).run().unwrap();
    let first = &run.states[0];
    // What was told was kept, and the platform stays level.
    assert_eq!(first.configuration.arms[1].angle(), 0.45);
    let found = run.last().configuration.platform[0];
    assert!((found.rotation.matrix() - Matrix3::identity()).norm() < 1e-9, "{found:?}");
    assert!(distance(&found, &first.configuration.platform[0]) > 0.05);
    let (q, v) = taken_apart(&first.configuration, &first.velocity);
    let apart = Simulation::of(&parts).initial(q, v).method(HalfExplicit::hedop5()).step(1e-3).end_time(0.2);
    let apart = apart.run().unwrap().last().configuration.platform[0];
    assert!(distance(&found, &apart) < 1e-9, "{:.1e}", distance(&found, &apart));
    // Half the step, an error of a half to the power of the order.
    for (method, order) in [("lie_alpha", 2.0), ("herk4", 4.0), ("tr_bdf2", 2.0)] {
        let errors = [8e-3, 4e-3].map(|step| distance(&end(&system, method, step), &apart));
        let found = (errors[0] / errors[1]).log2();
        assert!(found > order - 0.5, "{method}: {errors:?}");
    }
}
