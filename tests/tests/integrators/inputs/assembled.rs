//! Inputs of chains and of frames.

use lie_runtime::inputs::{Constant, Jet};
use lie_runtime::prelude::*;
use lie_runtime::system::CheckPoint;
use nalgebra::DVector;

use super::order;

#[mechanical_system(derivative_check)]
pub mod chain {
    use lie_runtime::prelude::*;

    #[configuration]
    pub struct Chain {
        pub beads: Vec<R3>,
    }

    #[parameters]
    pub struct Springs {
        pub stiffness: f64,
        pub weights: Vec<f64>,
    }

    #[inputs]
    pub struct Inputs {
        pub wind: Vector3<f64>,
        pub drag: f64,
        pub base: Vector3<f64>,
    }

    #[kinetic_energy(over = beads)]
    fn kinetic(v: &Vector3<f64>) -> f64 {
        0.5 * v.norm_squared()
    }

    #[potential(over = beads.windows(2))]
    fn springs(s: &Springs, [a, b]: [&R3; 2]) -> f64 {
        0.5 * s.stiffness * (b - a).norm_squared()
    }

    #[force(over = beads)]
    fn blown(index: usize, u: &Inputs, _x: &R3, v: &Vector3<f64>) -> Vector3<f64> {
        u.wind * (1.0 + 0.1 * index as f64) - u.drag * v
    }

    #[constraint(over = beads.first())]
    fn held(x: &R3, u: &Inputs) -> Vector3<f64> {
        x - u.base
    }
}

fn beads() -> (chain::System, chain::Chain) {
    let springs = chain::Springs { stiffness: 20.0, weights: vec![1.0; 3] };
    let system = chain::System::new(springs, chain::Lengths { beads: 4 }).unwrap();
    let beads = (0..4).map(|at| Vector3::new(f64::from(at), 0.0, 0.0)).collect();
    (system, chain::Chain { beads })
}

fn base(t: Jet<f64>) -> chain::Inputs<Jet<f64>> {
    let c = Jet::<f64>::from;
    let swing = c(0.2) * (c(2.0) * t) * (c(2.0) * t);
    chain::Inputs { wind: Vector3::repeat(c(0.0)), drag: c(0.0), base: Vector3::new(c(0.0), swing, c(0.0)) }
}

#[test]
fn chains_take_inputs() {
    let (system, q) = beads();
    // Feedback sees the whole state, of which an element sees a part.
    let system = system.with_inputs_over_time(base).with_feedback(|t, q, v, u| chain::Inputs {
        wind: Vector3::new(0.0, 0.0, t.sin() - 0.3 * (q.beads[3].z + v.beads[3].z)),
        drag: 0.2,
        ..u
    });
    let run = |h: f64| {
        let run = Simulation::of(&system).initial(q.clone(), DVector::zeros(12)).step(h).end_time(1.0).run();
        run.unwrap().last().clone()
    };
    let exact = run(1.0 / 640.0);
    assert!((exact.configuration.beads[0] - Vector3::new(0.0, 0.8, 0.0)).norm() < 1e-9);
    assert!(exact.configuration.beads[3].z > 0.05);
    let [a, b] = [20.0, 40.0].map(|n| (run(1.0 / n).velocity - &exact.velocity).norm());
    assert!(order(a, b) > 4.6, "{a:e}, {b:e}");
    let implicit = Simulation::of(&system).initial(q.clone(), DVector::zeros(12));
    let implicit =
        implicit.method(GeneralizedAlpha::chung_hulbert(0.9).unwrap()).step(1.0 / 400.0).end_time(1.0).run().unwrap();
    assert!((&implicit.last().velocity - &exact.velocity).norm() < 1e-3);

    let mut moved = q.clone();
    moved.beads[3] = Vector3::new(2.8, 0.3, 0.4);
    let vector = |scale: f64| DVector::from_fn(12, |at, _| scale * (at as f64 - 5.0));
    let multipliers = DVector::from_row_slice(&[1.0, -2.0, 0.5]);
    let (v, acceleration) = (vector(0.1), vector(-0.2));
    let at = CheckPoint { t: 0.4, q: &moved, v: &v, acceleration: &acceleration, multipliers: &multipliers };
    for deviation in derivative_check(&system, at) {
        assert!(deviation.deviation < 1e-12, "{deviation:?}");
    }
}

#[test]
fn chains_are_sampled_and_written() {
    let (system, q) = beads();
    let system = system.with_inputs_over_time(base);
    let mut count = 0.0;
    let controller = |_: f64, _: &chain::Chain, v: &chain::Velocity| {
        count += 1.0;
        chain::Inputs { wind: Vector3::new(0.0, 0.0, count - v.beads[3].z), drag: 0.1, base: Vector3::repeat(9.0) }
    };
    let run = Simulation::of(&system).initial(q, DVector::zeros(12)).controller(0.25, controller).step(0.05);
    let run = run.end_time(1.0).run().unwrap();
    assert_eq!(run.sampled_inputs().len(), 4);
    let winds: Vec<f64> = run.samples().map(|sample| sample.inputs.numbers()[2]).collect();
    assert_eq!(winds.len(), 21);
    // Of the first state and of the five that follow in steps of the first sample.
    assert!(winds[..6].iter().all(|&wind| wind == 1.0) && winds[6] != 1.0, "{winds:?}");
    // The base is that of the function of time.
    let base: Vec<f64> = run.samples().map(|sample| sample.inputs.numbers()[5]).collect();
    assert!((base[20] - 0.8).abs() < 1e-12);
}

/// Links on joints whose last frame is pushed.
#[mechanical_system]
pub mod links {
    use lie_runtime::prelude::*;

    #[configuration]
    pub struct Joints {
        pub joints: Vec<S2>,
    }

    #[inputs]
    pub struct Inputs {
        pub push: Vector3<f64>,
        pub gravity: f64,
    }

    #[kinematics(over = joints)]
    fn mass(above: &R3, link: &S2) -> R3 {
        above + link.direction()
    }

    #[kinetic_energy(over = mass)]
    fn kinetic(v: &Vector3<f64>) -> f64 {
        0.5 * v.norm_squared()
    }

    #[potential(over = mass)]
    fn weight(u: &Inputs, x: &R3) -> f64 {
        u.gravity * x.z
    }

    #[force(over = mass.last())]
    fn tip(u: &Inputs) -> Vector3<f64> {
        u.push
    }

    #[observable(over = mass.last())]
    fn power(u: &Inputs, x: &R3, v: &Vector3<f64>) -> f64 {
        u.push.dot(v) + 0.0 * x.z
    }
}

#[test]
fn frames_take_inputs() {
    let system = links::System::new(links::Lengths { joints: 3 }).unwrap();
    let down = S2::new(Vector3::new(0.0, 0.0, -1.0)).unwrap();
    let q = links::Joints { joints: vec![down; 3] };
    let still = links::Inputs { push: Vector3::zeros(), gravity: 9.81 };
    // A constant push to the side has its equilibrium where it moves: the power is what the energy grows by.
    let system = system
        .with_inputs_from(Constant(still))
        .with_feedback(|t, _, _, u| links::Inputs { push: Vector3::new(3.0 * (2.0 * t).sin(), 0.0, 0.0), ..u });
    let run = Simulation::of(&system).initial(q, DVector::zeros(9)).step(0.001).end_time(1.0).run().unwrap();
    let samples: Vec<_> = run.samples().collect();
    let energy = |at: usize| samples[at].energy.kinetic + samples[at].energy.potential;
    let power: Vec<f64> = samples.iter().map(|sample| sample.observable("power")[0]).collect();
    let simpson: f64 = power.windows(3).step_by(2).map(|p| 0.001 / 3.0 * (p[0] + 4.0 * p[1] + p[2])).sum();
    assert!(simpson > 0.1 && (energy(1000) - energy(0) - simpson).abs() < 1e-9, "{simpson}");
}
