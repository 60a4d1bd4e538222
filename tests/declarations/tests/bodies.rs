//! Random function bodies: the value of Rust, the interpretation of the macro, and its derivatives against differences.
//!
//! The bodies are written by the build script. One that the macro refuses does not compile; a misread value is found by the check of every
//! run; rates are compared with differences of the functions themselves.

use fixtures::random::Random;

/// The share of rates that may be left out, for a jump or a kink nearby.
const LEFT_OUT: f64 = 0.05;

/// Larger values are omitted: all differences smooth waves that are shorter than their distance.
const LARGE: f64 = 1e6;

/// A rate against central differences of three steps; `None` where those disagree with each other, or of values too large.
fn agrees(function: impl Fn(f64) -> f64, rate: f64) -> Option<bool> {
    let slopes = [4e-5, 2e-5, 1e-5].map(|h| (function(h) - function(-h)) / (2.0 * h));
    let size = function(0.0).abs().max(slopes[2].abs()).max(1.0);
    let error = (slopes[2] - slopes[1]).abs().max((slopes[1] - slopes[0]).abs());
    (size <= LARGE && error <= 1e-5 * size).then(|| (slopes[2] - rate).abs() <= 10.0 * error + 1e-7 * size)
}

/// The rates of some bodies at a time: how many were compared, and left out.
#[derive(Default)]
struct Tally {
    tried: u32,
    left_out: u32,
}

impl Tally {
    /// A function along a motion against its rate.
    fn compare(&mut self, name: &str, function: impl Fn(f64) -> f64, rate: f64) {
        let agrees = agrees(function, rate);
        assert_ne!(agrees, Some(false), "{name}: {rate}");
        self.tried += 1;
        self.left_out += u32::from(agrees.is_none());
    }

    fn check(&self) {
        let Tally { tried, left_out } = self;
        assert!(f64::from(*left_out) <= LEFT_OUT * f64::from(*tried), "{left_out} of {tried}");
    }
}

/// The module with the function bodies.
const SOURCE: &str = concat!(env!("OUT_DIR"), "/bodies.rs");

/// A test for each declaration of members and inputs.
macro_rules! every_module {
    ($($module:ident: $($body:ident $rate:ident),*;)*) => {$(
        #[test]
        fn $module() {
            use $module::{Data, Inputs, Link, Part, Pose, System, Velocity};

            let part = |mass: f64, is_damped| {
                let mounting = SO3::exp(&Vector3::new(mass, 0.2, -0.1));
                Part { mass, arm: Vector3::new(0.1, mass, -0.4), mounting, is_damped }
            };
            let data = Data {
                stiffness: 0.7,
                list: [0.4, -1.1, 0.9],
                offset: Vector3::new(0.3, -0.5, 0.8),
                shape: Matrix3::new(0.9, 0.1, -0.2, 0.4, -0.7, 0.3, 0.2, 0.5, 1.1),
                parts: [part(0.6, true), part(1.2, false)],
                level: 2,
            };
            let inputs = Inputs { push: 0.4, wind: Vector3::new(-0.3, 0.6, 0.2), gains: [0.3, -0.8, 0.5] };
            let system = System::new(data.clone()).unwrap().with_inputs_from(Constant(inputs));
            let (mut random, mut tally) = (super::Random::new(7), super::Tally::default());
            for _ in 0..6 {
                let t = random.number();
                let mut link = || Link { hinge: random.number(), foot: random.vector() };
                let links = [link(), link()];
                let q = Pose {
                    place: random.vector(),
                    turn: SO3::exp(&random.vector()),
                    wheel: SO2::from_angle(random.number()),
                    links,
                };
                let v = random.vector::<15>();
                if let Err(error) = system.check_against_declaration(t, &q, &v) {
                    panic!("{error}; see {}", super::SOURCE);
                }
                let moved = |direction: &SVector<f64, 15>, by: f64| {
                    let mut moved = q.clone();
                    system.space().compose_exp(&q, &(direction * by), &mut moved);
                    moved
                };
                $(
                    let rate = $module::$rate(&data, &q, t, &Velocity::from(v));
                    tally.compare(stringify!($body), |by| $module::$body(&data, &moved(&v, by), t + by), rate);
                )*
                // At rest the forces are the gradient of the potential, by the other mode of differentiation, and what drives
                // the wheel.
                let mut force = system.zero_velocity();
                system.force(t, &q, &system.zero_velocity(), &mut force);
                let driven = $module::driven(&data, &q, t, &inputs);
                force[6] -= driven;
                // What is left of a difference of large numbers is their rounding.
                let is_lost = |component| component == 6 && driven.abs() > super::LARGE;
                for component in (0..15).filter(|component| !is_lost(*component)) {
                    let unit = SVector::<f64, 15>::ith(component, 1.0);
                    let along = |by: f64| system.potential_energy(t, &moved(&unit, by));
                    assert_ne!(super::agrees(along, -force[component]), Some(false), "force {component}: {}", force[component]);
                }
            }
            tally.check();
        }
    )*};
}

/// A test for each declaration of a chain.
macro_rules! every_chain {
    ($($module:ident: $($body:ident $rate:ident),*;)*) => {$(
        #[test]
        fn $module() {
            use $module::{Data, Lengths, Node, Pose, Section, System};

            let data = Data {
                stiffness: 0.7,
                list: [0.4, -1.1, 0.9],
                offset: Vector3::new(0.3, -0.5, 0.8),
                shape: Matrix3::new(0.9, 0.1, -0.2, 0.4, -0.7, 0.3, 0.2, 0.5, 1.1),
                masses: vec![1.1, 0.4, 0.8, 1.7],
                sections: [0.5, -0.2, 0.9].map(|area| Section { area, axis: Vector3::new(0.3, area, -0.6) }).to_vec(),
            };
            let length = data.masses.len();
            let system = System::new(data.clone(), Lengths { nodes: length }).unwrap();
            let (mut random, mut tally) = (super::Random::new(11), super::Tally::default());
            for _ in 0..3 {
                let t = random.number();
                let mut node = |_| Node {
                    place: random.vector(),
                    turn: SO3::exp(&random.vector()),
                    wheel: SO2::from_angle(random.number()),
                };
                let q = Pose { nodes: (0..length).map(&mut node).collect() };
                let mut v = system.zero_velocity();
                for component in 0..v.component_count() {
                    v.set_component(component, random.number());
                }
                if let Err(error) = system.check_against_declaration(t, &q, &v) {
                    panic!("{error}; see {}", super::SOURCE);
                }
                let moved = |v: &_, by: f64| {
                    let (mut moved, mut way) = (q.clone(), Clone::clone(v));
                    TangentVector::scale(&mut way, by);
                    system.space().compose_exp(&q, &way, &mut moved);
                    moved
                };
                let rates = system.velocity(&v).nodes;
                for index in 0..length - 1 {
                    let along = [&rates[index], &rates[index + 1]];
                    $(
                        let rate = $module::$rate(&data, index, length, [&q.nodes[index], &q.nodes[index + 1]], t, along);
                        let function = |by: f64| {
                            let moved = moved(&v, by).nodes;
                            $module::$body(&data, index, length, [&moved[index], &moved[index + 1]], t + by)
                        };
                        tally.compare(stringify!($body), function, rate);
                    )*
                }
                let mut force = system.zero_velocity();
                system.force(t, &q, &system.zero_velocity(), &mut force);
                for component in 0..v.component_count() {
                    let mut unit = system.zero_velocity();
                    unit.set_component(component, 1.0);
                    let along = |by: f64| system.potential_energy(t, &moved(&unit, by));
                    assert_ne!(super::agrees(along, -force.component(component)), Some(false), "force {component}: {}", force.component(component));
                }
            }
            tally.check();
        }
    )*};
}

#[allow(warnings, clippy::all, clippy::pedantic)]
mod generated {
    use lie_runtime::group::TangentVector;
    use lie_runtime::inputs::Constant;
    use lie_runtime::nalgebra::SVector;
    use lie_runtime::prelude::*;

    include!(concat!(env!("OUT_DIR"), "/bodies.rs"));
}
