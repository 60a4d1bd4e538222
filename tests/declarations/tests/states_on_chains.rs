//! Auxiliary states of the elements of chains: muscles along a rope, motors along an arm, and one pump for a whole chain.

use lie_runtime::analysis::{Equilibrium, Linearisation};
use lie_runtime::gradient::pullback_check;
use lie_runtime::nalgebra::{DVector, SVector};
use lie_runtime::prelude::*;
use lie_runtime::simulate::{MethodError, methods};
use lie_runtime::system::{CheckPoint, ElementSystem};

type Outcome = Result<(), Box<dyn std::error::Error>>;

/// Masses with a muscle in each segment.
#[mechanical_system(derivative_check, gradients)]
mod rope {
    use lie_runtime::prelude::*;

    #[configuration]
    pub struct Rope {
        #[clamped(first)]
        pub points: Vec<f64>,
    }

    /// The states of one segment.
    #[states(over = points.windows(2))]
    #[derive(Default)]
    pub struct Muscle {
        pub activation: f64,
        /// The filtered length, once and twice.
        pub sensor: Vector2<f64>,
    }

    #[parameters]
    pub struct Data {
        pub mass: f64,
        pub stiffness: f64,
        pub damping: f64,
        pub strength: f64,
        pub time_constant: f64,
        pub signals: Vec<f64>,
    }

    #[kinetic_energy(over = points)]
    fn kinetic(p: &Data, v: &f64) -> f64 {
        0.5 * p.mass * v * v
    }

    #[potential(over = points.windows(2))]
    fn elastic(p: &Data, [a, b]: [&f64; 2]) -> f64 {
        0.5 * p.stiffness * (b - a - 1.0).powi(2)
    }

    #[dissipation(over = points.windows(2))]
    fn viscous(p: &Data, [va, vb]: [&f64; 2], z: &Muscle) -> f64 {
        0.5 * p.damping * (1.0 + z.activation) * (vb - va).powi(2)
    }

    #[quantity(over = points.windows(2))]
    pub fn distance([a, b]: [&f64; 2]) -> f64 {
        b - a
    }

    #[dissipation(over = points.windows(2))]
    fn rates(pair: [&f64; 2], velocities: [&f64; 2]) -> f64 {
        0.05 * distance_rate(pair, velocities).powi(2)
    }

    #[force(at = distance)]
    fn cable(index: usize, _pair: [&f64; 2], [va, vb]: [&f64; 2]) -> f64 {
        if index == 0 { 0.2 * (va - vb) } else { 0.1 * (va - vb) }
    }

    #[force(at = distance)]
    fn squeeze(p: &Data, z: &Muscle) -> f64 {
        -0.2 * p.strength * z.sensor.y
    }

    #[force(over = points.windows(2))]
    fn pull(p: &Data, [_a, _b]: [&f64; 2], [va, vb]: [&f64; 2], z: &Muscle) -> Vector2<f64> {
        let force = p.strength * z.activation * (1.0 - 0.1 * (vb - va));
        Vector2::new(force, -force)
    }

    #[rate(over = points.windows(2))]
    fn excite(p: &Data, t: f64, index: usize, length: usize, [a, b]: [&f64; 2], _v: [&f64; 2], z: &Muscle) -> Muscle {
        let signal = p.signals[index] * (3.0 * t + index as f64 / length as f64).sin();
        Muscle {
            activation: (signal + z.sensor.x - 1.0 - z.activation) / p.time_constant,
            sensor: Vector2::new(20.0 * (b - a - z.sensor.x), 10.0 * (z.sensor.x - z.sensor.y)),
        }
    }
}

/// The same system with a fixed number of masses.
#[mechanical_system]
mod masses {
    use lie_runtime::prelude::*;

    #[configuration]
    pub struct Masses {
        pub x: f64,
        pub y: f64,
        pub z: f64,
    }

    #[states]
    pub struct Muscles {
        pub first: Vector3<f64>,
        pub second: Vector3<f64>,
        pub third: Vector3<f64>,
    }

    #[parameters]
    pub struct Data {
        pub mass: f64,
        pub stiffness: f64,
        pub damping: f64,
        pub strength: f64,
        pub time_constant: f64,
        pub signals: [f64; 3],
    }

    #[kinetic_energy]
    fn kinetic(p: &Data, v: &Velocity) -> f64 {
        0.5 * p.mass * (v.x * v.x + v.y * v.y + v.z * v.z)
    }

    #[potential]
    fn elastic(p: &Data, q: &Masses) -> f64 {
        0.5 * p.stiffness * ((q.x - 1.0).powi(2) + (q.y - q.x - 1.0).powi(2) + (q.z - q.y - 1.0).powi(2))
    }

    fn tension(p: &Data, v: f64, z: &Vector3<f64>) -> f64 {
        p.strength * z.x * (1.0 - 0.1 * v) + p.damping * (1.0 + z.x) * v + 0.2 * p.strength * z.z + 0.2 * v
    }

    #[force(on = x)]
    fn on_x(p: &Data, v: &Velocity, z: &Muscles) -> f64 {
        tension(p, v.y - v.x, &z.second) - tension(p, v.x, &z.first) - 0.1 * v.x
    }

    #[force(on = y)]
    fn on_y(p: &Data, v: &Velocity, z: &Muscles) -> f64 {
        tension(p, v.z - v.y, &z.third) - tension(p, v.y - v.x, &z.second)
    }

    #[force(on = z)]
    fn on_z(p: &Data, v: &Velocity, z: &Muscles) -> f64 {
        -tension(p, v.z - v.y, &z.third)
    }

    fn slope(p: &Data, t: f64, index: f64, signal: f64, length: f64, z: &Vector3<f64>) -> Vector3<f64> {
        let signal = signal * (3.0 * t + index / 4.0).sin();
        Vector3::new((signal + z.y - 1.0 - z.x) / p.time_constant, 20.0 * (length - z.y), 10.0 * (z.y - z.z))
    }

    #[rate]
    fn excite(p: &Data, t: f64, q: &Masses, z: &Muscles) -> Muscles {
        Muscles {
            first: slope(p, t, 0.0, p.signals[0], q.x, &z.first),
            second: slope(p, t, 1.0, p.signals[1], q.y - q.x, &z.second),
            third: slope(p, t, 2.0, p.signals[2], q.z - q.y, &z.third),
        }
    }
}

const SIGNALS: [f64; 3] = [0.8, 0.5, 0.3];

fn ropes(time_constant: f64) -> (rope::System, masses::System) {
    let (mass, stiffness, damping, strength) = (0.5, 40.0, 0.4, 3.0);
    let data = rope::Data { mass, stiffness, damping, strength, time_constant, signals: SIGNALS.to_vec() };
    let rope = rope::System::new(data, rope::Lengths { points: 4 }).expect("good data");
    let data = masses::Data { mass, stiffness, damping, strength, time_constant, signals: SIGNALS };
    (rope, masses::System::new(data).expect("good data"))
}

fn starts() -> ((rope::Rope, rope::Velocity), (masses::Masses, masses::Velocity)) {
    let states = [[0.1, 1.0, 0.0], [0.2, 1.1, -0.3], [0.3, 0.9, 0.4]];
    let muscle = |z: [f64; 3]| rope::Muscle { activation: z[0], sensor: Vector2::new(z[1], z[2]) };
    let rope = rope::Rope { points: vec![0.0, 1.1, 2.0, 3.2] };
    let velocity = rope::Velocity { points: vec![0.0, 0.4, -0.2, 0.1], states: states.map(muscle).to_vec() };
    let [first, second, third] = states.map(Vector3::from);
    let states = masses::Muscles { first, second, third };
    (
        (rope, velocity),
        (masses::Masses { x: 1.1, y: 2.0, z: 3.2 }, masses::Velocity { x: 0.4, y: -0.2, z: 0.1, states }),
    )
}

/// All components of the velocity at the end, states included.
fn ends(method: &str, h: f64) -> Result<(DVector<f64>, DVector<f64>), Box<dyn std::error::Error>> {
    let (rope, masses) = ropes(0.05);
    let ((q, v), (p, u)) = starts();
    let one = Simulation::of(&rope).initial(q, v).method_named(method)?.step(h).end_time(0.1).run()?;
    let other = Simulation::of(&masses).initial(p, u).method_named(method)?.step(h).end_time(0.1).run()?;
    let fixed: SVector<f64, 12> = other.last().velocity;
    Ok((one.last().velocity.clone(), DVector::from_row_slice(fixed.as_slice())))
}

#[test]
fn a_chain_has_the_motion_of_the_unrolled_system() -> Outcome {
    let (rope, _) = ropes(0.05);
    assert_eq!((rope.dof(), rope.description().states), (12, 9));
    for info in methods() {
        let ((q, _), _) = starts();
        if let Err(refused) = Simulation::of(&rope).at_rest(q).method_named(info.id) {
            let is_typed = matches!(refused, MethodError::OfOtherProblems { .. } | MethodError::NotApplicable { .. });
            assert!(is_typed, "{}: {refused}", info.id);
            continue;
        }
        let (one, other) = ends(info.id, 2e-3)?;
        let deviation = (&one - &other).amax();
        println!("{}: {deviation:.1e}", info.id);
        assert!(deviation < 1e-10, "{}: {deviation:.1e}\n{one}{other}", info.id);
    }
    Ok(())
}

#[test]
fn tables_have_the_names_of_elements() -> Outcome {
    let (rope, _) = ropes(0.05);
    let ((q, v), _) = starts();
    let run = Simulation::of(&rope).initial(q, v).step(1e-3).end_time(0.1).monitor_energy().run()?;
    let text = run.table(["states[1].activation", "states[2].sensor", "velocity.points[1]"])?.to_string();
    assert!(text.contains("states[1].activation") && text.contains("states[2].sensor[1]"), "{text}");
    let samples: Vec<_> = run.samples().collect();
    assert_eq!(samples[0].states.numbers(), [0.1, 1.0, 0.0, 0.2, 1.1, -0.3, 0.3, 0.9, 0.4]);
    assert_eq!(samples[0].velocity.numbers(), [0.0, 0.4, -0.2, 0.1]);
    // The kinetic energy does not contain z, and the work of the muscles explains the change of the energy.
    assert!((samples[0].energy.kinetic - 0.25 * (0.16 + 0.04 + 0.01)).abs() < 1e-15);
    let defect = run.statistics.energy_defect.ok_or("no defect")?;
    assert!(defect < 1e-8, "{defect}");
    let balance = samples.last().and_then(|sample| sample.balance.as_ref()).ok_or("no balance")?;
    let names: Vec<&str> = balance.work.iter().map(|(name, _)| *name).collect();
    assert!(names.contains(&"pull") && names.contains(&"viscous") && !names.contains(&"excite"), "{names:?}");
    Ok(())
}

#[test]
fn kernels_agree_with_dual_numbers() -> Outcome {
    let (rope, _) = ropes(0.05);
    let ((q, v), _) = starts();
    let run = Simulation::of(&rope).initial(q, v).step(1e-3).end_time(0.1).run()?;
    let state = run.last();
    let multipliers = rope.zero_multipliers();
    let at = CheckPoint {
        t: 0.3,
        q: &state.configuration,
        v: &state.velocity,
        acceleration: &state.acceleration,
        multipliers: &multipliers,
    };
    for kernel in derivative_check(&rope, at) {
        assert!(kernel.deviation < 1e-10, "{}: {} in {}", kernel.kernel, kernel.deviation, kernel.entry);
    }
    for kernel in pullback_check(&rope, state)? {
        assert!(kernel.deviation < 1e-10, "{}: {} in {}", kernel.kernel, kernel.deviation, kernel.entry);
    }
    Ok(())
}

/// Analyses of the chain against analyses of the unrolled system.
#[test]
fn equilibrium_and_linearisation_are_those_of_the_unrolled_system() -> Outcome {
    let (rope, masses) = ropes(0.05);
    let ((q, _), (p, _)) = starts();
    let one = Equilibrium::of(&rope).guess(q).at_time(0.4).solve()?.state;
    let other = Equilibrium::of(&masses).guess(p).at_time(0.4).solve()?.state;
    assert!((&one.velocity - DVector::from_row_slice(other.velocity.as_slice())).amax() < 1e-12);
    assert!((one.configuration.points[3] - other.configuration.z).abs() < 1e-12);
    // The coordinates of the states have no meaning and do not change.
    assert_eq!(one.configuration, rope::Rope { points: one.configuration.points.clone() }.into());
    let outputs = ["states[1].activation", "v.points[2]"];
    let linear = Linearisation::of(&rope).outputs(outputs).at(0.4, &one.configuration, &one.velocity)?;
    assert_eq!(linear.states[..2], ["states[0].activation", "states[0].sensor[0]"]);
    let outputs = ["states.second[0]", "v.y"];
    let unrolled = Linearisation::of(&masses).outputs(outputs).at(0.4, &other.configuration, &other.velocity)?;
    let [one, other] = [linear.modes()?, unrolled.modes()?];
    assert_eq!((one.len(), linear.states.len()), (other.len(), 9));
    for (one, other) in one.iter().zip(&other) {
        assert!((one.eigenvalue - other.eigenvalue).norm() < 1e-9, "{} {}", one.eigenvalue, other.eigenvalue);
    }
    let s = lie_runtime::nalgebra::Complex::new(0.1, 3.0);
    let _ = s;
    assert!((linear.output_matrix.norm() - unrolled.output_matrix.norm()).abs() < 1e-12);
    Ok(())
}

/// Derivatives of the final state with respect to a parameter and an initial state, against the unrolled system and differences.
#[test]
fn states_have_sensitivities() -> Outcome {
    let (rope, masses) = ropes(0.05);
    let ((q, v), (p, u)) = starts();
    let one = Simulation::of(&rope).initial(q, v).step(2e-3).end_time(0.1);
    let one = one.with_sensitivities(["strength", "signals[1]", "v.states[3]"]).run()?;
    let other = Simulation::of(&masses).initial(p, u).step(2e-3).end_time(0.1);
    let other = other.with_sensitivities(["strength", "signals[1]", "v.states.second[0]"]).run()?;
    let (one, other) = (one.variations.last().ok_or("none")?, other.variations.last().ok_or("none")?);
    for (one, other) in one.iter().zip(other) {
        let other = DVector::from_row_slice(other.velocity.as_slice());
        assert!(other.amax() > 1e-6 && (&one.velocity - &other).amax() < 1e-12, "{} {other}", one.velocity);
    }
    Ok(())
}

/// A step costs O(N): the states of an element are adjacent to its members in the eliminations.
#[test]
fn the_band_does_not_grow_with_the_length() {
    let widths = [10, 100].map(|points| {
        let data = rope::Data {
            mass: 0.5,
            stiffness: 40.0,
            damping: 0.4,
            strength: 3.0,
            time_constant: 0.05,
            signals: vec![0.3; points - 1],
        };
        let rope = rope::System::new(data, rope::Lengths { points }).expect("good data");
        assert_eq!(rope.description().states, 3 * (points - 1));
        rope.structure().eliminations()
    });
    assert_eq!(widths[0], widths[1], "{widths:?}");
}
