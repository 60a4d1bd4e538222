//! Members of the configuration: numbers, alone, in powers and in chains.

use lie_runtime::nalgebra::{SVector, Vector4};
use lie_runtime::prelude::*;

use super::assert_as_declared;

#[mechanical_system(derivative_check)]
mod crank {
    use lie_runtime::prelude::*;

    type Angle = f64;

    #[configuration]
    pub struct Joints {
        pub beta: Angle,
        pub slides: [f64; 2],
        pub hub: SO2,
    }

    #[parameters]
    pub struct Data {
        pub length: f64,
        pub mass: f64,
    }

    #[quantity]
    pub fn tip(data: &Data, q: &Joints) -> Vector2<f64> {
        let turn = SO2::from_angle(q.beta);
        turn * Vector2::new(data.length, q.slides[0]) + q.hub * Vector2::new(q.slides[1], 0.0)
    }

    #[kinetic_energy]
    pub fn kinetic(data: &Data, q: &Joints, v: &Velocity) -> f64 {
        0.5 * data.mass * tip_rate(data, q, v).norm_squared()
            + 0.5 * (v.beta * v.beta + v.slides[0].powi(2) + v.slides[1] * v.slides[1] + v.hub * v.hub)
    }

    #[potential]
    pub fn potential(data: &Data, q: &Joints) -> f64 {
        data.mass * 9.81 * data.length * q.beta.cos() + q.slides[0] * q.slides[0] + q.slides[1].powi(2)
    }

    #[dissipation]
    fn friction(v: &Velocity) -> f64 {
        0.1 * v.beta * v.beta + 0.2 * v.slides[1] * v.slides[1]
    }

    #[force(on = beta)]
    fn motor(t: f64, q: &Joints) -> f64 {
        t.sin() * q.beta
    }

    #[constraint]
    fn coupled(q: &Joints) -> f64 {
        q.slides[0] - q.beta.sin()
    }
}

#[test]
fn numbers_as_members() {
    use crank::{Data, Joints, System, Velocity, potential};
    let data = || Data { length: 0.7, mass: 1.3 };
    let system = System::new(data()).unwrap();
    assert_eq!(system.description().group, "ℝ × ℝ^2 × SO(2)");
    let v = Velocity { beta: 0.1, slides: [0.2, 0.3], hub: 0.4 };
    let components: SVector<f64, 4> = v.into();
    assert_eq!((components, Velocity::from(components)), (Vector4::new(0.1, 0.2, 0.3, 0.4), v));
    assert_as_declared(
        &system,
        |random| Joints {
            beta: 3.0 * random.number(),
            slides: [random.number(), random.number()],
            hub: SO2::from_angle(random.number()),
        },
        |_, q| potential(&data(), q),
    );
}

#[mechanical_system(derivative_check)]
mod row {
    use lie_runtime::prelude::*;

    #[configuration]
    pub struct Row {
        pub joints: Vec<f64>,
        pub end: f64,
    }

    #[parameters]
    pub struct Data {
        pub stiffness: f64,
    }

    #[kinetic_energy(over = joints)]
    fn kinetic(v: &f64) -> f64 {
        0.5 * v * v
    }

    #[kinetic_energy(over = end)]
    fn kinetic_of_end(x: &f64, v: &f64) -> f64 {
        0.5 * (2.0 + x.sin()) * v * v
    }

    #[potential(over = joints.windows(2))]
    pub fn spring(data: &Data, [a, b]: [&f64; 2]) -> f64 {
        data.stiffness * (a - b).powi(2) + a.cos() * b.sin()
    }

    #[potential(over = (joints.last(), end))]
    pub fn last(data: &Data, a: &f64, end: &f64) -> f64 {
        0.5 * data.stiffness * (a - end).powi(2)
    }

    #[dissipation(over = joints.windows(2))]
    fn damper([va, vb]: [&f64; 2]) -> f64 {
        0.5 * (va - vb).powi(2)
    }
}

#[test]
fn numbers_in_chains() {
    use row::{Data, Lengths, Row, System, last, spring};
    let data = || Data { stiffness: 3.0 };
    let system = System::new(data(), Lengths { joints: 4 }).unwrap();
    assert_as_declared(
        &system,
        |random| Row { joints: (0..4).map(|_| random.number()).collect(), end: random.number() },
        |_, q| {
            q.joints.windows(2).map(|pair| spring(&data(), [&pair[0], &pair[1]])).sum::<f64>()
                + last(&data(), &q.joints[3], &q.end)
        },
    );
    let mut trajectory = Row { joints: vec![0.1, 0.2, -0.3, 0.4], end: 0.3 };
    trajectory.joints[0] = 20.0; // Turns are counted.
    let v = system.zero_velocity();
    let run = Simulation::of(&system).initial(trajectory, v).step(1e-3).end_time(0.05).run().unwrap();
    assert!(run.last().configuration.joints[0] > 15.0);
}
