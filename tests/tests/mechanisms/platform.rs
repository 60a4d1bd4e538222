//! A Stewart platform: six legs of a universal joint, a slide and a ball joint, in joint coordinates with six loops, unrolled and along
//! frames, against thirteen free bodies with all joints as constraints.

use core::f64::consts::PI;

use lie_runtime::nalgebra::DVector;
use lie_runtime::prelude::*;

#[mechanical_system]
pub mod jointed {
    use lie_runtime::prelude::*;

    #[configuration]
    pub struct Joints {
        pub platform: SE3,
        /// Two angles of each foot, about the first and then about the second axis.
        pub feet: [SO2; 12],
        /// How far each leg is out.
        pub slides: [f64; 6],
    }

    #[parameters]
    pub struct Data {
        pub feet: [Vector3<f64>; 6],
        pub heads: [Vector3<f64>; 6],
        pub stiffness: f64,
        pub length: f64,
    }

    fn lower(data: &Data, q: &Joints, leg: usize) -> SE3 {
        let first = SO3::exp(&(Vector3::x() * q.feet[2 * leg].angle()));
        let second = SO3::exp(&(Vector3::y() * q.feet[2 * leg + 1].angle()));
        SE3::new(first * second, data.feet[leg])
    }

    fn upper(data: &Data, q: &Joints, leg: usize) -> SE3 {
        lower(data, q, leg) * SE3::new(SO3::identity(), Vector3::z() * q.slides[leg])
    }

    fn energy(mass: f64, moment: f64, v: &Vector6<f64>) -> f64 {
        0.5 * mass * v.fixed_rows::<3>(3).norm_squared() + 0.5 * moment * v.fixed_rows::<3>(0).norm_squared()
    }

    #[quantity]
    fn lower_0(data: &Data, q: &Joints) -> SE3 {
        lower(data, q, 0)
    }
    #[quantity]
    fn lower_1(data: &Data, q: &Joints) -> SE3 {
        lower(data, q, 1)
    }
    #[quantity]
    fn lower_2(data: &Data, q: &Joints) -> SE3 {
        lower(data, q, 2)
    }
    #[quantity]
    fn lower_3(data: &Data, q: &Joints) -> SE3 {
        lower(data, q, 3)
    }
    #[quantity]
    fn lower_4(data: &Data, q: &Joints) -> SE3 {
        lower(data, q, 4)
    }
    #[quantity]
    fn lower_5(data: &Data, q: &Joints) -> SE3 {
        lower(data, q, 5)
    }
    #[quantity]
    fn upper_0(data: &Data, q: &Joints) -> SE3 {
        upper(data, q, 0)
    }
    #[quantity]
    fn upper_1(data: &Data, q: &Joints) -> SE3 {
        upper(data, q, 1)
    }
    #[quantity]
    fn upper_2(data: &Data, q: &Joints) -> SE3 {
        upper(data, q, 2)
    }
    #[quantity]
    fn upper_3(data: &Data, q: &Joints) -> SE3 {
        upper(data, q, 3)
    }
    #[quantity]
    fn upper_4(data: &Data, q: &Joints) -> SE3 {
        upper(data, q, 4)
    }
    #[quantity]
    fn upper_5(data: &Data, q: &Joints) -> SE3 {
        upper(data, q, 5)
    }

    #[kinetic_energy]
    fn legs(data: &Data, q: &Joints, v: &Velocity) -> f64 {
        energy(0.4, 0.03, &lower_0_rate(data, q, v))
            + energy(0.4, 0.03, &lower_1_rate(data, q, v))
            + energy(0.4, 0.03, &lower_2_rate(data, q, v))
            + energy(0.4, 0.03, &lower_3_rate(data, q, v))
            + energy(0.4, 0.03, &lower_4_rate(data, q, v))
            + energy(0.4, 0.03, &lower_5_rate(data, q, v))
            + energy(0.3, 0.02, &upper_0_rate(data, q, v))
            + energy(0.3, 0.02, &upper_1_rate(data, q, v))
            + energy(0.3, 0.02, &upper_2_rate(data, q, v))
            + energy(0.3, 0.02, &upper_3_rate(data, q, v))
            + energy(0.3, 0.02, &upper_4_rate(data, q, v))
            + energy(0.3, 0.02, &upper_5_rate(data, q, v))
    }

    #[kinetic_energy]
    fn top(v: &Velocity) -> f64 {
        energy(2.0, 0.2, &v.platform)
    }

    #[potential]
    fn weight(data: &Data, q: &Joints) -> f64 {
        let legs: f64 = (0..6).map(|leg| 0.3 * upper(data, q, leg).position().z).sum();
        9.81 * (legs + 2.0 * q.platform.position().z)
    }

    #[potential]
    fn springs(data: &Data, q: &Joints) -> f64 {
        (0..6).map(|leg| 0.5 * data.stiffness * (q.slides[leg] - data.length).powi(2)).sum()
    }

    #[constraint]
    fn heads(data: &Data, q: &Joints) -> SVector<f64, 18> {
        let gap = |leg: usize| upper(data, q, leg).position() - q.platform * data.heads[leg];
        let gaps = [gap(0), gap(1), gap(2), gap(3), gap(4), gap(5)];
        SVector::<f64, 18>::from_fn(|row, _| gaps[row / 3][row % 3])
    }
}

#[mechanical_system]
pub mod free {
    use lie_runtime::prelude::*;

    #[configuration]
    pub struct Bodies {
        pub lower: Vec<SE3>,
        pub upper: Vec<SE3>,
        pub platform: Vec<SE3>,
    }

    #[parameters]
    pub struct Data {
        pub feet: Vec<Vector3<f64>>,
        pub heads: Vec<Vector3<f64>>,
        pub stiffness: f64,
        pub length: f64,
    }

    fn energy(mass: f64, moment: f64, v: &Vector6<f64>) -> f64 {
        0.5 * mass * v.fixed_rows::<3>(3).norm_squared() + 0.5 * moment * v.fixed_rows::<3>(0).norm_squared()
    }

    #[kinetic_energy(over = lower)]
    fn of_lower(v: &Vector6<f64>) -> f64 {
        energy(0.4, 0.03, v)
    }

    #[kinetic_energy(over = upper)]
    fn of_upper(v: &Vector6<f64>) -> f64 {
        energy(0.3, 0.02, v)
    }

    #[kinetic_energy(over = platform)]
    fn of_platform(v: &Vector6<f64>) -> f64 {
        energy(2.0, 0.2, v)
    }

    #[potential(over = upper)]
    fn weight_of_upper(leg: &SE3) -> f64 {
        9.81 * 0.3 * leg.position().z
    }

    #[potential(over = platform)]
    fn weight(platform: &SE3) -> f64 {
        9.81 * 2.0 * platform.position().z
    }

    /// The second axis of a leg remains orthogonal to the first axis of space.
    #[constraint(over = lower)]
    fn foot(data: &Data, index: usize, leg: &SE3) -> Vector4<f64> {
        let gap = leg.position() - data.feet[index];
        Vector4::new(gap.x, gap.y, gap.z, (leg.rotation() * Vector3::y()).x)
    }

    #[constraint(over = (lower, upper).by(legs))]
    fn slide(lower: &SE3, upper: &SE3) -> SVector<f64, 5> {
        let relative = lower.inverse() * *upper;
        let turn = relative.rotation().log();
        SVector::<f64, 5>::from([turn.x, turn.y, turn.z, relative.position().x, relative.position().y])
    }

    #[potential(over = (lower, upper).by(legs))]
    fn spring(data: &Data, lower: &SE3, upper: &SE3) -> f64 {
        0.5 * data.stiffness * ((lower.inverse() * upper.position()).z - data.length).powi(2)
    }

    #[constraint(over = (upper, platform).by(heads))]
    fn head(data: &Data, index: usize, upper: &SE3, platform: &SE3) -> Vector3<f64> {
        upper.position() - platform * data.heads[index]
    }
}

/// Legs and platform as trees of joints, each head a loop between two frames.
#[mechanical_system]
pub mod framed {
    use lie_runtime::prelude::*;

    #[configuration]
    pub struct Joints {
        pub platform: SE3,
        /// Two of each leg.
        pub feet: Vec<SO2>,
        pub slides: Vec<f64>,
    }

    #[parameters]
    pub struct Data {
        pub feet: Vec<Vector3<f64>>,
        pub heads: Vec<Vector3<f64>>,
        /// Inertia of every frame.
        pub masses: Vec<f64>,
        pub moments: Vec<f64>,
        pub stiffness: f64,
        pub length: f64,
    }

    #[kinematics(over = platform, parents = parents)]
    pub fn body(above: &SE3, platform: &SE3) -> SE3 {
        *above * *platform
    }

    #[kinematics(over = feet, frames = body)]
    fn turned(data: &Data, index: usize, above: &SE3, foot: &SO2) -> SE3 {
        let axis = if index.is_multiple_of(2) { Vector3::x() } else { Vector3::y() };
        *above * SE3::new(SO3::exp(&(axis * foot.angle())), data.feet[index])
    }

    #[kinematics(over = slides, frames = body)]
    fn out(above: &SE3, slide: &f64) -> SE3 {
        *above * SE3::new(SO3::identity(), Vector3::z() * *slide)
    }

    #[kinetic_energy(over = body)]
    fn kinetic(data: &Data, index: usize, v: &Vector6<f64>) -> f64 {
        0.5 * data.masses[index] * v.linear().norm_squared() + 0.5 * data.moments[index] * v.angular().norm_squared()
    }

    #[potential(over = body)]
    fn weight(data: &Data, index: usize, x: &SE3) -> f64 {
        9.81 * data.masses[index] * x.position().z
    }

    #[potential(over = slides)]
    fn spring(data: &Data, slide: &f64) -> f64 {
        0.5 * data.stiffness * (slide - data.length).powi(2)
    }

    #[constraint(over = (body, body).by(legs))]
    fn head(data: &Data, index: usize, leg: &SE3, platform: &SE3) -> Vector3<f64> {
        leg.position() - platform * data.heads[index]
    }
}

/// The platform along frames: number 0; then two feet a leg, and the slides.
fn along_frames(data: &jointed::Data) -> framed::System {
    let feet = (0..12).map(|at| if at % 2 == 0 { data.feet[at / 2] } else { Vector3::zeros() }).collect();
    let of_frames = |platform: f64, lower: f64, upper: f64| {
        let feet = (0..12).map(|at| if at % 2 == 0 { 0.0 } else { lower });
        core::iter::once(platform).chain(feet).chain([upper; 6]).collect()
    };
    let parents = (0..19).map(|frame| match frame {
        13.. => Some(2 * (frame - 13) + 2),
        frame if frame > 0 && frame % 2 == 0 => Some(frame - 1),
        _ => None,
    });
    let lengths = framed::Lengths {
        feet: 12,
        slides: 6,
        parents: parents.collect(),
        legs: (0..6).map(|leg| [13 + leg, 0]).collect(),
    };
    let data = framed::Data {
        feet,
        heads: data.heads.to_vec(),
        masses: of_frames(2.0, 0.4, 0.3),
        moments: of_frames(0.2, 0.03, 0.02),
        stiffness: data.stiffness,
        length: data.length,
    };
    framed::System::new(data, lengths).unwrap()
}

/// Points on a circle, in pairs.
fn points(radius: f64, apart: f64, turned: f64) -> [Vector3<f64>; 6] {
    core::array::from_fn(|at| {
        let side = if at % 2 == 0 { -1.0 } else { 1.0 };
        let angle = 2.0 * PI / 3.0 * (at / 2) as f64 + turned + side * apart;
        Vector3::new(radius * angle.cos(), radius * angle.sin(), 0.0)
    })
}

/// The joints where the platform is at a place.
fn joints(platform: SE3, data: &jointed::Data) -> jointed::Joints {
    let ways: [Vector3<f64>; 6] = core::array::from_fn(|leg| platform * data.heads[leg] - data.feet[leg]);
    let feet = core::array::from_fn(|at| {
        let direction = ways[at / 2].normalize();
        SO2::from_angle(if at % 2 == 0 { (-direction.y).atan2(direction.z) } else { direction.x.asin() })
    });
    jointed::Joints { platform, feet, slides: ways.map(|way| way.norm()) }
}

#[test]
fn a_platform_in_all_coordinates() {
    let (feet, heads) = (points(1.0, 0.2, 0.0), points(0.6, 0.2, PI / 3.0));
    let (stiffness, length) = (400.0, 1.3);
    let data = jointed::Data { feet, heads, stiffness, length };
    let place = SE3::new(SO3::exp(&Vector3::new(0.1, -0.05, 0.2)), Vector3::new(0.05, 0.1, 1.1));
    let start = joints(place, &data);
    let pose = |leg: usize| {
        let first = SO3::exp(&(Vector3::x() * start.feet[2 * leg].angle()));
        SE3::new(first * SO3::exp(&(Vector3::y() * start.feet[2 * leg + 1].angle())), feet[leg])
    };
    let bodies = free::Bodies {
        lower: (0..6).map(pose).collect(),
        upper: (0..6).map(|leg| pose(leg) * SE3::new(SO3::identity(), Vector3::z() * start.slides[leg])).collect(),
        platform: vec![place],
    };
    let along = along_frames(&data);
    let joints = framed::Joints { platform: place, feet: start.feet.to_vec(), slides: start.slides.to_vec() };
    let one = jointed::System::new(data).unwrap();
    let data = free::Data { feet: feet.to_vec(), heads: heads.to_vec(), stiffness, length };
    let lists = [(0..6).map(|leg| [leg, leg]).collect(), (0..6).map(|leg| [leg, 0]).collect()];
    let [legs, on_platform] = lists;
    let two =
        free::System::new(data, free::Lengths { lower: 6, upper: 6, platform: 1, legs, heads: on_platform }).unwrap();
    let run = Simulation::of(&one).initial(start, one.zero_velocity()).method_named("hedop5").unwrap();
    let one = run.step(1e-3).end_time(0.3).run().unwrap();
    let run = Simulation::of(&two).initial(bodies, DVector::zeros(78)).method_named("hedop5").unwrap();
    let two = run.step(1e-3).end_time(0.3).run().unwrap();
    let run = Simulation::of(&along).initial(joints, along.zero_velocity()).method_named("hedop5").unwrap();
    let three = run.step(1e-3).end_time(0.3).run().unwrap();
    let end = one.last().configuration.platform;
    let apart = |other: SE3| (end.inverse() * other).log().norm();
    assert!(apart(place) > 0.02, "it moves: {:e}", apart(place));
    let (free, framed) = (two.last().configuration.platform[0], three.last().configuration.platform);
    assert!(apart(free) < 1e-9, "{:e}", apart(free));
    // The same coordinates: the same steps.
    assert!(apart(framed) < 1e-12, "{:e}", apart(framed));
}
