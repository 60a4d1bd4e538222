//! Nets, ladders and domes, members joined by lists: against plain loops, a closed form and their symmetry.

use lie_runtime::nalgebra::SVector;
use lie_runtime::prelude::*;

/// A net of equal springs.
#[mechanical_system]
mod square {
    use lie_runtime::prelude::*;

    #[configuration]
    pub struct Square {
        pub knots: Vec<R3>,
    }

    #[kinetic_energy(over = knots)]
    fn kinetic(v: &Vector3<f64>) -> f64 {
        0.5 * v.norm_squared()
    }

    #[potential(over = (knots, knots).by(springs))]
    fn elastic(a: &R3, b: &R3) -> f64 {
        50.0 * ((b - a).norm() - 0.9).powi(2)
    }
}

/// 32 × 32 knots, against accelerations that are summed in a plain loop.
#[test]
fn a_net_of_a_thousand_knots() {
    const N: usize = 32;
    let springs: Vec<[usize; 2]> = (0..N * N)
        .flat_map(|k| {
            let right = (k % N + 1 < N).then_some([k, k + 1]);
            let down = (k + N < N * N).then_some([k, k + N]);
            right.into_iter().chain(down)
        })
        .collect();
    let system = square::System::new(square::Lengths { knots: N * N, springs: springs.clone() }).expect("a net");
    let place = |k: usize| {
        let (x, y) = ((k / N) as f64, (k % N) as f64);
        Vector3::new(x, y, 0.3 * (1.3 * x + 0.7 * y).sin())
    };
    let start: Vec<R3> = (0..N * N).map(place).collect();
    let (steps, h) = (20_u32, 1e-2);
    let run = Simulation::of(&system)
        .initial(square::Square { knots: start.clone() }, system.zero_velocity())
        .method(OnMechanical(MuntheKaas::rkmk4()))
        .step(h)
        .end_time(h * f64::from(steps))
        .run()
        .expect("a run");
    let acceleration = |x: &[R3]| {
        let mut sum = vec![Vector3::zeros(); x.len()];
        for &[a, b] in &springs {
            let d = x[b] - x[a];
            let pull = d * (100.0 * (d.norm() - 0.9) / d.norm());
            sum[a] += pull;
            sum[b] -= pull;
        }
        sum
    };
    // The classical Runge-Kutta method.
    let (mut x, mut v) = (start, vec![Vector3::zeros(); N * N]);
    let moved = |x: &[R3], v: &[R3], h: f64| -> Vec<R3> { x.iter().zip(v).map(|(x, v)| x + v * h).collect() };
    for _ in 0..steps {
        let (v1, a1) = (v.clone(), acceleration(&x));
        let (v2, a2) = (moved(&v, &a1, h / 2.0), acceleration(&moved(&x, &v1, h / 2.0)));
        let (v3, a3) = (moved(&v, &a2, h / 2.0), acceleration(&moved(&x, &v2, h / 2.0)));
        let (v4, a4) = (moved(&v, &a3, h), acceleration(&moved(&x, &v3, h)));
        for k in 0..x.len() {
            x[k] += (v1[k] + (v2[k] + v3[k]) * 2.0 + v4[k]) * (h / 6.0);
            v[k] += (a1[k] + (a2[k] + a3[k]) * 2.0 + a4[k]) * (h / 6.0);
        }
    }
    let last = run.last();
    let far = last.configuration.knots.iter().zip(&x).map(|(a, b)| (a - b).norm()).fold(0.0, f64::max);
    assert!(far < 1e-11, "{far:e}");
}

/// N four-bar linkages side by side: N + 1 uprights from the ground, N couplers between their tops.
#[mechanical_system]
mod ladder {
    use lie_runtime::prelude::*;

    #[configuration]
    pub struct Ladder {
        pub uprights: Vec<SE2>,
        pub couplers: Vec<SE2>,
    }

    #[parameters]
    pub struct Data {
        /// The position of a pin on its coupler.
        pub ends: Vec<f64>,
    }

    #[kinetic_energy(over = uprights)]
    fn of_uprights(v: &Vector3<f64>) -> f64 {
        0.5 * (v.y * v.y + v.z * v.z) + v.x * v.x / 24.0
    }

    #[kinetic_energy(over = couplers)]
    fn of_couplers(v: &Vector3<f64>) -> f64 {
        0.5 * (v.y * v.y + v.z * v.z) + v.x * v.x / 24.0
    }

    #[potential(over = uprights)]
    fn weight(x: &SE2) -> f64 {
        9.81 * x.translation.y
    }

    #[potential(over = couplers)]
    fn weight_of_couplers(x: &SE2) -> f64 {
        9.81 * x.translation.y
    }

    #[constraint(over = uprights)]
    fn grounded(index: usize, x: &SE2) -> Vector2<f64> {
        *x * Vector2::new(-0.5, 0.0) - Vector2::new(index as f64, 0.0)
    }

    #[constraint(over = (uprights, couplers).by(pins))]
    fn pinned(p: &Data, index: usize, upright: &SE2, coupler: &SE2) -> Vector2<f64> {
        *upright * Vector2::new(0.5, 0.0) - *coupler * Vector2::new(p.ends[index], 0.0)
    }
}

/// The parallelogram has one degree of freedom: ((N + 1)/3 + N) θ'' = −((N + 1)/2 + N) g cos θ.
#[test]
fn a_ladder_of_forty_four_bar_linkages() {
    const N: usize = 40;
    let pins: Vec<[usize; 2]> = (0..N).flat_map(|at| [[at, at], [at + 1, at]]).collect();
    let data = ladder::Data { ends: [-0.5, 0.5].repeat(N) };
    let lengths = ladder::Lengths { uprights: N + 1, couplers: N, pins };
    let system = ladder::System::new(data, lengths).expect("a ladder");
    assert_eq!((system.dof(), system.constraint_rows()), (3 * (2 * N + 1), 2 * (N + 1) + 4 * N));
    let upright = |at: usize| SE2::new(SO2::from_angle(std::f64::consts::FRAC_PI_2), Vector2::new(at as f64, 0.5));
    let coupler = |at: usize| SE2::new(SO2::from_angle(0.0), Vector2::new(at as f64 + 0.5, 1.0));
    let start = ladder::Ladder { uprights: (0..=N).map(upright).collect(), couplers: (0..N).map(coupler).collect() };
    // θ' = −1: the centres of the uprights go to the right by 0.5, seen from their bodies along −y.
    let velocity = ladder::Velocity {
        uprights: vec![Vector3::new(-1.0, 0.0, -0.5); N + 1],
        couplers: vec![Vector3::new(0.0, 1.0, 0.0); N],
    };
    let end = 0.4;
    let run = Simulation::of(&system)
        .initial(start, velocity)
        .method(HalfExplicit::hedop5())
        .step(2e-3)
        .end_time(end)
        .run()
        .expect("a run");
    let n = N as f64;
    let slope = |angle: f64| -((1.5 * n + 0.5) / ((n + 1.0) / 3.0 + n)) * 9.81 * angle.cos();
    let (mut angle, mut rate, h) = (std::f64::consts::FRAC_PI_2, -1.0, 1e-4);
    for _ in 0..4000 {
        let (k1, l1) = (rate, slope(angle));
        let (k2, l2) = (rate + h / 2.0 * l1, slope(angle + h / 2.0 * k1));
        let (k3, l3) = (rate + h / 2.0 * l2, slope(angle + h / 2.0 * k2));
        let (k4, l4) = (rate + h * l3, slope(angle + h * k3));
        angle += h / 6.0 * (k1 + 2.0 * (k2 + k3) + k4);
        rate += h / 6.0 * (l1 + 2.0 * (l2 + l3) + l4);
    }
    let last = &run.last().configuration;
    let top: SVector<f64, 2> = last.uprights[0] * Vector2::new(0.5, 0.0);
    assert!((top - Vector2::new(angle.cos(), angle.sin())).norm() < 1e-8, "{top} {angle}");
}

/// A dome of rods: knots with directions, rods between listed pairs, feet that are held.
#[mechanical_system]
mod dome {
    use lie_runtime::prelude::*;

    #[configuration]
    pub struct Dome {
        pub knots: Vec<S3R3>,
    }

    #[parameters]
    pub struct Data {
        /// The vector from the first to the second end of each rod.
        pub rests: Vec<Vector6<f64>>,
        pub feet: Vec<Vector3<f64>>,
        pub load: f64,
    }

    #[kinetic_energy(over = knots)]
    fn kinetic(v: &Vector6<f64>) -> f64 {
        0.5 * v.norm_squared()
    }

    #[quantity(over = (knots, knots).by(rods))]
    pub fn strain(p: &Data, index: usize, a: &S3R3, b: &S3R3) -> Vector6<f64> {
        (a.inverse() * *b).log() - p.rests[index]
    }

    #[potential(over = (knots, knots).by(rods))]
    fn elastic(p: &Data, index: usize, a: &S3R3, b: &S3R3) -> f64 {
        100.0 * strain(p, index, a, b).norm_squared()
    }

    #[dissipation(over = (knots, knots).by(rods))]
    fn viscous(p: &Data, index: usize, a: &S3R3, b: &S3R3, va: &Vector6<f64>, vb: &Vector6<f64>) -> f64 {
        strain_rate(p, index, a, b, va, vb).norm_squared()
    }

    #[constraint(over = knots.by(supports))]
    fn held(p: &Data, index: usize, knot: &S3R3) -> Vector3<f64> {
        knot.translation - p.feet[index]
    }

    #[potential(over = knots.first())]
    fn load(p: &Data, apex: &S3R3) -> f64 {
        p.load * apex.translation.z
    }
}

/// A dome remains symmetric under a load at its apex, for every order of its rods.
#[test]
fn a_dome_of_rods_stays_symmetric() {
    const SIDES: usize = 6;
    let turn = |at: usize| SO3::exp(&(Vector3::z() * (std::f64::consts::TAU * at as f64 / SIDES as f64)));
    // All directions are alike, so that turning the dome turns every strain.
    let pose = |at: usize, radius: f64, height: f64| S3R3 {
        rotation: S3::identity(),
        translation: turn(at) * Vector3::new(radius, 0.0, height),
    };
    // The apex, a ring, and the feet.
    let mut knots = vec![S3R3 { rotation: S3::identity(), translation: Vector3::new(0.0, 0.0, 1.4) }];
    knots.extend((0..SIDES).map(|at| pose(at, 1.0, 1.0)));
    knots.extend((0..SIDES).map(|at| pose(at, 1.6, 0.0)));
    let (ring, foot) = (|at: usize| 1 + at % SIDES, |at: usize| 1 + SIDES + at % SIDES);
    let rods: Vec<[usize; 2]> = (0..SIDES)
        .flat_map(|at| [[ring(at), 0], [ring(at), ring(at + 1)], [foot(at), ring(at)], [foot(at), ring(at + 1)]])
        .collect();
    let rests = rods.iter().map(|&[a, b]| (knots[a].inverse() * knots[b]).log()).collect();
    let feet = (0..SIDES).map(|at| knots[foot(at)].translation).collect();
    let supports = (0..SIDES).map(|at| [foot(at)]).collect();
    let data = dome::Data { rests, feet, load: 20.0 };
    let lengths = dome::Lengths { knots: knots.len(), rods, supports };
    let system = dome::System::new(data, lengths).expect("a dome");
    assert_eq!((system.dof(), system.constraint_rows()), (6 * (1 + 2 * SIDES), 3 * SIDES));
    let run = Simulation::of(&system)
        .initial(dome::Dome { knots }, system.zero_velocity())
        .method(TrBdf2::default())
        .step(1e-2)
        .end_time(0.5)
        .run()
        .expect("a run");
    let knots = &run.last().configuration.knots;
    assert!(knots[0].translation.xy().norm() < 1e-9 && knots[0].translation.z < 1.39, "{}", knots[0].translation);
    for at in 1..SIDES {
        let turned = turn(at) * knots[ring(0)].translation;
        assert!((turned - knots[ring(at)].translation).norm() < 1e-9, "{at}");
    }
}
