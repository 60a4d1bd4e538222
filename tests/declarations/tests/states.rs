//! Auxiliary first-order states: a motor with inductance and a PI controller of its current drives a pendulum.

use lie_runtime::analysis::{Equilibrium, Linearisation, PeriodicOrbit, StateDynamics};
use lie_runtime::gradient::pullback_check;
use lie_runtime::nalgebra::{DVector, SVector};
use lie_runtime::prelude::*;
use lie_runtime::scalar::{F64x4, Scalar};
use lie_runtime::system::Batched;

#[mechanical_system(derivative_check, gradients)]
mod drive {
    use lie_runtime::prelude::*;

    #[configuration]
    pub struct Pose {
        pub angle: SO2,
    }

    #[states]
    #[derive(Default)]
    pub struct Motor {
        /// The current, in amperes.
        pub current: f64,
        /// The integral of the current error, and the filtered speed.
        pub control: Vector2<f64>,
    }

    #[parameters]
    pub struct Arm {
        pub inertia: f64,
        pub weight: f64,
        pub damping: f64,
        pub torque: f64,
        pub inductance: f64,
        pub resistance: f64,
        pub gains: [f64; 2],
        pub target: f64,
    }

    #[kinetic_energy]
    fn kinetic(p: &Arm, v: &Velocity) -> f64 {
        0.5 * p.inertia * v.angle * v.angle
    }

    #[potential]
    fn weight(p: &Arm, q: &Pose) -> f64 {
        p.weight * q.angle.angle().sin()
    }

    #[dissipation]
    fn bearing(p: &Arm, v: &Velocity) -> f64 {
        0.5 * p.damping * v.angle * v.angle
    }

    #[force(on = angle)]
    fn drive(p: &Arm, z: &Motor) -> f64 {
        p.torque * z.current
    }

    #[rate]
    fn circuit(p: &Arm, t: f64, v: &Velocity, z: &Motor) -> Motor {
        let error = p.target * (2.0 * t).sin() - z.current;
        let voltage = p.gains[0] * error + p.gains[1] * z.control.x;
        Motor {
            control: Vector2::new(error, 50.0 * (v.angle - z.control.y)),
            current: (voltage - p.resistance * z.current - p.torque * v.angle) / p.inductance,
        }
    }

    #[event]
    fn half(z: &Motor) -> f64 {
        z.current - 0.5
    }

    #[observable]
    pub fn power(p: &Arm, v: &Velocity, z: &Motor) -> f64 {
        p.torque * z.current * v.angle
    }
}

const END: f64 = 0.5;

type Outcome = Result<(), Box<dyn std::error::Error>>;

fn arm(inductance: f64) -> drive::Arm {
    drive::Arm {
        inertia: 0.2,
        weight: 1.5,
        damping: 0.05,
        torque: 0.4,
        inductance,
        resistance: 0.8,
        gains: [3.0, 40.0],
        target: 2.0,
    }
}

/// The classical Runge-Kutta method with small steps: angle, speed, current, integral, filtered speed.
fn reference(p: &drive::Arm, end: f64, steps: u32) -> [f64; 5] {
    let rate = |t: f64, [angle, speed, current, integral, filtered]: [f64; 5]| {
        let error = p.target * (2.0 * t).sin() - current;
        let torque = p.torque * current - p.damping * speed - p.weight * angle.cos();
        let voltage = p.gains[0] * error + p.gains[1] * integral;
        let slope = (voltage - p.resistance * current - p.torque * speed) / p.inductance;
        [speed, torque / p.inertia, slope, error, 50.0 * (speed - filtered)]
    };
    let (h, mut x) = (end / f64::from(steps), [0.3, -0.5, 0.7, 0.0, 0.1]);
    let moved = |x: [f64; 5], k: [f64; 5], h: f64| std::array::from_fn(|at| x[at] + h * k[at]);
    for step in 0..steps {
        let t = f64::from(step) * h;
        let a = rate(t, x);
        let b = rate(t + 0.5 * h, moved(x, a, 0.5 * h));
        let c = rate(t + 0.5 * h, moved(x, b, 0.5 * h));
        let d = rate(t + h, moved(x, c, h));
        x = std::array::from_fn(|at| x[at] + h / 6.0 * (a[at] + 2.0 * b[at] + 2.0 * c[at] + d[at]));
    }
    x
}

fn start() -> (drive::Pose, drive::Velocity) {
    let motor = drive::Motor { current: 0.7, control: Vector2::new(0.0, 0.1) };
    (drive::Pose { angle: SO2::from_angle(0.3) }, drive::Velocity { angle: -0.5, states: motor })
}

/// The final state of a run, in the order of the reference.
fn last(system: &drive::System, method: &str, h: f64, end: f64) -> Result<[f64; 5], Box<dyn std::error::Error>> {
    let (q, v) = start();
    let run = Simulation::of(system).initial(q, v).method_named(method)?.step(h).end_time(end).run()?;
    let v: drive::Velocity = run.last().velocity.into();
    let z = v.states;
    Ok([run.last().configuration.angle.angle(), v.angle, z.current, z.control.x, z.control.y])
}

#[test]
fn methods_of_all_families_have_their_order() -> Outcome {
    let system = drive::System::new(arm(0.05))?;
    let exact = reference(system.parameters(), END, 20_000);
    let methods = [
        ("hedop5", 5.0),
        ("lie_alpha", 2.0),
        ("tr_bdf2", 2.0),
        ("radau_iia3", 3.0),
        ("gauss2", 2.0),
        ("gauss4", 4.0),
        ("rattlie", 2.0),
        ("bliedf2", 2.0),
    ];
    for (method, order) in methods {
        let errors = [100.0, 200.0].map(|steps| last(&system, method, END / steps, END));
        let [Ok(coarse), Ok(fine)] = errors else { panic!("{method}: {errors:?}") };
        for at in [0, 1, 2, 3, 4] {
            let [coarse, fine] = [coarse, fine].map(|x| (x[at] - exact[at]).abs());
            println!("{method} {at}: {coarse:.2e} {fine:.2e} {}", (coarse / fine).log2());
            assert!(fine < 1e-10 || (coarse / fine).log2() > order - 0.4, "{method} {at}: {coarse:.2e} {fine:.2e}");
            assert!(fine < 1e-2, "{method} {at}: {fine:.2e}");
        }
    }
    Ok(())
}

#[test]
fn a_stiff_current_does_not_limit_implicit_methods() -> Outcome {
    // The time constant of the circuit is 2.6e-6 s, and a step is 5e-3 s.
    let system = drive::System::new(arm(1e-5))?;
    let exact = reference(system.parameters(), 0.1, 100_000);
    for method in ["radau_iia5", "tr_bdf2"] {
        let x = last(&system, method, 5e-3, 0.1)?;
        for at in 0..3 {
            assert!((x[at] - exact[at]).abs() < 2e-2, "{method}: {x:?} {exact:?}");
        }
    }
    assert!(last(&system, "hedop5", 5e-3, 0.1).is_err());
    Ok(())
}

#[test]
fn columns_have_the_names_of_the_states() -> Outcome {
    let system = drive::System::new(arm(0.05))?;
    let (q, v) = start();
    let run = Simulation::of(&system).initial(q, v).step(1e-3).end_time(0.1).monitor_energy().run()?;
    let text = run.table(["states.current", "control", "power", "velocity.angle"])?.to_string();
    assert!(text.contains("states.current") && text.contains("states.control[1]"), "{text}");
    let samples: Vec<_> = run.samples().collect();
    assert_eq!(samples[0].states.numbers(), [0.7, 0.0, 0.1]);
    assert_eq!(samples[0].velocity.numbers(), [-0.5]);
    assert!(samples[0].configuration.get("states").is_none());
    // The kinetic energy does not contain z; the power of the motor explains the change of the energy.
    assert_eq!(samples[0].energy.kinetic, 0.5 * 0.2 * 0.25);
    let defect = run.statistics.energy_defect.ok_or("no defect")?;
    assert!(defect < 1e-8, "{defect}");
    let balance = samples.last().and_then(|sample| sample.balance.as_ref()).ok_or("no balance")?;
    let names: Vec<&str> = balance.work.iter().map(|(name, _)| *name).collect();
    assert!(names.contains(&"drive") && !names.contains(&"circuit"), "{names:?}");
    let description = system.description();
    assert_eq!((description.states, description.dof), (3, 4));
    assert!(!description.conserves_energy && !description.never_gains_energy);
    Ok(())
}

#[test]
fn analyses_refuse_states() -> Outcome {
    let system = drive::System::new(arm(0.05))?;
    let (q, v) = start();
    let (q, v) = (drive::PoseWithStates::from(q), v.into());
    let messages = [
        Equilibrium::of(&system).guess(q).solve().err().map(|error| error.to_string()),
        Linearisation::of(&system).at(0.0, &q, &v).err().map(|error| error.to_string()),
        PeriodicOrbit::of(&system).guess(q, v).period(1.0).solve().err().map(|error| error.to_string()),
        StateDynamics::of(&system).mass_matrix(0.0, &q).err().map(|error| error.to_string()),
    ];
    for message in messages {
        let message = message.ok_or("no error")?;
        assert!(message.contains("auxiliary states, and this system has 3 states"), "{message}");
    }
    Ok(())
}

#[test]
fn events_read_the_states() -> Outcome {
    let system = drive::System::new(arm(0.05))?;
    let (q, v) = start();
    let run = Simulation::of(&system).initial(q, v).rtol(1e-9).atol(1e-11).end_time(2.0);
    let run = run.declared_event("half").falling().stop().run()?;
    let currents = run.column("states.current")?;
    assert!((currents[currents.len() - 1] - 0.5).abs() < 1e-9 && run.last().time < 2.0);
    // The reference has this current at this time.
    let exact = reference(system.parameters(), run.last().time, 20_000);
    assert!((exact[2] - 0.5).abs() < 1e-7, "{exact:?}");
    Ok(())
}

/// Derivatives of the final state with respect to a parameter and an initial state, against finite differences.
#[test]
fn states_have_sensitivities() -> Outcome {
    let end = |inductance: f64, current: f64| -> Result<DVector<f64>, Box<dyn std::error::Error>> {
        let system = drive::System::new(arm(inductance))?;
        let (q, mut v) = start();
        v.states.current = current;
        let run = Simulation::of(&system).initial(q, v).step(2e-3).end_time(0.2).run()?;
        Ok(DVector::from_row_slice(run.last().velocity.as_slice()))
    };
    let system = drive::System::new(arm(0.05))?;
    let (q, v) = start();
    let run = Simulation::of(&system).initial(q, v).step(2e-3).end_time(0.2);
    let run = run.with_sensitivities(["inductance", "v.states.current"]).run()?;
    let variations = run.variations.last().ok_or("no variations")?;
    let (h, k) = (1e-5, 1e-4);
    let differences = [
        (end(0.05 + h, 0.7)? - end(0.05 - h, 0.7)?) / (2.0 * h),
        (end(0.05, 0.7 + k)? - end(0.05, 0.7 - k)?) / (2.0 * k),
    ];
    for (variation, difference) in variations.iter().zip(&differences) {
        let exact = DVector::from_row_slice(variation.velocity.as_slice());
        assert!((&exact - difference).norm() < 1e-5 * (1.0 + exact.norm()), "{exact} and {difference}");
    }
    Ok(())
}

/// The kernels of reverse-mode differentiation agree with dual numbers.
#[test]
fn states_have_gradients() -> Outcome {
    let system = drive::System::new(arm(0.05))?;
    let (q, v) = start();
    let run = Simulation::of(&system).initial(q, v).step(2e-3).end_time(0.02).run()?;
    for kernel in pullback_check(&system, run.last())? {
        assert!(kernel.deviation < 1e-10, "{}: {} in {}", kernel.kernel, kernel.deviation, kernel.entry);
    }
    Ok(())
}

/// A rate that reads an input.
#[mechanical_system]
mod charged {
    use lie_runtime::prelude::*;

    #[configuration]
    pub struct Place {
        pub x: f64,
    }

    #[states]
    pub struct Circuit {
        pub charge: f64,
    }

    #[inputs]
    pub struct Supply {
        pub voltage: f64,
    }

    #[kinetic_energy]
    fn kinetic(v: &Velocity) -> f64 {
        0.5 * v.x * v.x
    }

    #[force(on = x)]
    fn pull(z: &Circuit) -> f64 {
        z.charge
    }

    #[rate]
    fn circuit(u: &Supply, z: &Circuit) -> Circuit {
        Circuit { charge: u.voltage - z.charge }
    }
}

#[test]
fn rates_read_inputs() -> Outcome {
    let system = charged::System::new()?.with_inputs_over_time(|_| charged::Supply { voltage: 2.0.into() });
    let run = Simulation::of(&system).at_rest(charged::Place { x: 0.0 }).rtol(1e-9).atol(1e-11).end_time(1.5).run()?;
    // z = 2 (1 − exp(−t)), and x' = 2 (t − 1 + exp(−t)).
    let (charge, speed) = (run.column("states.charge")?, run.column("velocity.x")?);
    let exact = [2.0 * (1.0 - (-1.5_f64).exp()), 2.0 * (0.5 + (-1.5_f64).exp())];
    assert!((charge[charge.len() - 1] - exact[0]).abs() < 1e-7 && (speed[speed.len() - 1] - exact[1]).abs() < 1e-7);
    Ok(())
}

/// Four motors in SIMD lanes have the forces and rates that each has alone.
#[test]
fn states_run_in_lanes() -> Outcome {
    let systems = [0.05, 0.06, 0.07, 0.08].map(|inductance| drive::System::new(arm(inductance)).expect("good data"));
    let batch = <drive::System as Batched<F64x4>>::batch(&systems.each_ref()).ok_or("no batch")?;
    let (q, v) = start();
    let (q, v): (drive::PoseWithStates, SVector<f64, 4>) = (q.into(), v.into());
    let together = <drive::System as Batched<F64x4>>::batch_configurations(&|_| q);
    let mut in_lanes = batch.zero_velocity();
    batch.force(F64x4::from_f64(0.3), &together, &v.map(F64x4::from_f64), &mut in_lanes);
    for (lane, system) in systems.iter().enumerate() {
        let mut alone = system.zero_velocity();
        system.force(0.3, &q, &v, &mut alone);
        assert_eq!(in_lanes.map(|entry| entry.lane(lane)), alone);
    }
    Ok(())
}
