//! Auxiliary first-order states: a motor with inductance and a PI controller of its current drives a pendulum.

use lie_runtime::analysis::{
    Continuation, Equilibrium, Linearisation, LoadSteps, PeriodicOrbit, SpecialKind, StateDynamics, parameter,
};
use lie_runtime::gradient::pullback_check;
use lie_runtime::nalgebra::{self, Complex, DMatrix, DVector, SVector};
use lie_runtime::prelude::*;
use lie_runtime::scalar::{F64x4, Scalar};
use lie_runtime::simulate::{MethodError, methods};
use lie_runtime::system::{Batched, CheckPoint};

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

/// The solution of x' = f(t, x) at the end, by the classical Runge-Kutta method from t = 0.
fn classical_runge_kutta<const N: usize>(
    mut x: [f64; N],
    end: f64,
    steps: u32,
    rate: impl Fn(f64, [f64; N]) -> [f64; N],
) -> [f64; N] {
    let h = end / f64::from(steps);
    let moved = |x: [f64; N], k: [f64; N], h: f64| std::array::from_fn(|at| x[at] + h * k[at]);
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

/// Angle, speed, current, integral and filtered speed at the end.
fn reference(p: &drive::Arm, end: f64, steps: u32) -> [f64; 5] {
    classical_runge_kutta([0.3, -0.5, 0.7, 0.0, 0.1], end, steps, |t, [angle, speed, current, integral, filtered]| {
        let error = p.target * (2.0 * t).sin() - current;
        let torque = p.torque * current - p.damping * speed - p.weight * angle.cos();
        let voltage = p.gains[0] * error + p.gains[1] * integral;
        let slope = (voltage - p.resistance * current - p.torque * speed) / p.inductance;
        [speed, torque / p.inertia, slope, error, 50.0 * (speed - filtered)]
    })
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

/// Every method integrates the states with its order, or refuses the system.
#[test]
fn methods_of_all_families_have_their_order() -> Outcome {
    let system = drive::System::new(arm(0.05))?;
    let exact = reference(system.parameters(), END, 20_000);
    for info in methods() {
        if let Err(refused) = Simulation::of(&system).at_rest(start().0).method_named(info.id) {
            let is_typed = matches!(refused, MethodError::OfOtherProblems { .. } | MethodError::NotApplicable { .. });
            assert!(is_typed, "{}: {refused}", info.id);
            continue;
        }
        let errors = [200.0, 400.0].map(|steps| last(&system, info.id, END / steps, END));
        let [Ok(coarse), Ok(fine)] = errors else { panic!("{}: {errors:?}", info.id) };
        for at in [0, 1, 2, 3, 4] {
            let [coarse, fine] = [coarse, fine].map(|x| (x[at] - exact[at]).abs());
            let order = (coarse / fine).log2();
            println!("{} {at}: {coarse:.2e} {fine:.2e} {order:.2} of {}", info.id, info.order);
            let is_met = fine < 1e-9 || order > info.order as f64 - 0.4;
            assert!(is_met && fine < 1e-2, "{} {at}: {coarse:.2e} {fine:.2e}", info.id);
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

/// The parameters and the time at which the target of the current is constant, 2 A.
fn held() -> (drive::Arm, f64) {
    (arm(0.05), core::f64::consts::FRAC_PI_4)
}

#[test]
fn an_equilibrium_includes_the_states() -> Outcome {
    let (arm, time) = held();
    let system = drive::System::new(arm)?;
    let far = drive::Velocity { angle: 7.0, states: drive::Motor { current: -3.0, control: Vector2::new(2.0, 5.0) } };
    let guess = drive::Pose { angle: SO2::from_angle(1.2) };
    let found = Equilibrium::of(&system).guess(guess).guess_states(far).at_time(time).solve()?;
    let v: drive::Velocity = found.state.velocity.into();
    // The error of the current is 0, the integrator holds the voltage R i, and w cos θ = k i.
    let angle = (0.4_f64 * 2.0 / 1.5).acos();
    assert!((found.state.configuration.angle.angle() - angle).abs() < 1e-12);
    assert!(v.angle == 0.0 && (v.states.current - 2.0).abs() < 1e-12);
    assert!((v.states.control - Vector2::new(0.8 * 2.0 / 40.0, 0.0)).norm() < 1e-12);
    // The coordinates of the states have no meaning and do not change.
    assert_eq!(
        found.state.configuration,
        drive::PoseWithStates::from(drive::Pose { angle: found.state.configuration.angle })
    );
    // A run from the equilibrium is at rest, apart from the change of the target.
    let loads = LoadSteps::of(parameter(&system, "target")).guess(guess).at_time(time).values(&[0.5, 1.0, 2.0])?;
    for (target, found) in [0.5, 1.0, 2.0].into_iter().zip(&loads) {
        let v: drive::Velocity = found.state.velocity.into();
        assert!((v.states.current - target).abs() < 1e-12);
        assert!((found.state.configuration.angle.angle() - (0.4 * target / 1.5).acos()).abs() < 1e-12);
    }
    Ok(())
}

#[test]
fn a_state_without_a_determined_value_is_an_error() -> Outcome {
    // With an integral gain of zero no function reads the integral.
    let system = drive::System::new(drive::Arm { gains: [3.0, 0.0], ..arm(0.05) })?;
    let error = Equilibrium::of(&system).guess(drive::Pose { angle: SO2::from_angle(1.2) }).at_time(0.7).solve();
    let message = error.err().ok_or("no error")?.to_string();
    assert!(message.contains("a change of `states.control`, which its `#[rate]` does not determine"), "{message}");
    Ok(())
}

/// x' of (θ, ω, i, integral, filtered speed) for small deviations from the equilibrium.
fn state_matrix(p: &drive::Arm, angle: f64) -> DMatrix<f64> {
    nalgebra::dmatrix![
        0.0, 1.0, 0.0, 0.0, 0.0;
        p.weight * angle.sin() / p.inertia, -p.damping / p.inertia, p.torque / p.inertia, 0.0, 0.0;
        0.0, -p.torque / p.inductance, -(p.gains[0] + p.resistance) / p.inductance, p.gains[1] / p.inductance, 0.0;
        0.0, 0.0, -1.0, 0.0, 0.0;
        0.0, 50.0, 0.0, 0.0, -50.0
    ]
}

#[test]
fn a_linearisation_contains_the_states() -> Outcome {
    let (arm, time) = held();
    let system = drive::System::new(arm)?;
    let guess = drive::Pose { angle: SO2::from_angle(1.2) };
    let found = Equilibrium::of(&system).guess(guess).at_time(time).solve()?;
    let state = &found.state;
    let linear = Linearisation::of(&system)
        .outputs(["states.current", "q.angle", "v.angle", "states.control[1]", "power"])
        .at(time, &state.configuration, &state.velocity)?;
    assert_eq!(linear.states, ["states.current", "states.control[0]", "states.control[1]"]);
    assert_eq!(linear.outputs[..2], ["states.current", "q.angle[0]"]);
    let exact = state_matrix(system.parameters(), state.configuration.angle.angle());
    let eigenvalues = exact.complex_eigenvalues();
    let (modes, complex) = (linear.modes()?, exact.map(Complex::from));
    assert_eq!(modes.len(), eigenvalues.iter().filter(|value| value.im >= 0.0).count());
    for mode in &modes {
        let nearest = eigenvalues.iter().map(|value| (value - mode.eigenvalue).norm()).fold(f64::INFINITY, f64::min);
        assert!(nearest < 1e-9, "{}: {nearest:.1e}", mode.eigenvalue);
        // The shape contains the deviations of the angle and of the states.
        let (s, x) = (mode.eigenvalue, &mode.shape);
        let vector = DVector::from_vec(vec![x[0], s * x[0], x[1], x[2], x[3]]);
        let residual = (&complex * &vector - &vector * s).norm() / vector.norm();
        assert!(residual < 1e-9 * (1.0 + s.norm()), "{s}: {residual:.1e}");
    }
    // C is exact for components, and contains the derivatives of observables: the power at rest is k i ω.
    let (c, speeds) = (&linear.output_matrix, linear.speeds[(0, 0)]);
    let expected = nalgebra::dmatrix![
        0.0, 0.0, 1.0, 0.0, 0.0;
        speeds, 0.0, 0.0, 0.0, 0.0;
        0.0, speeds, 0.0, 0.0, 0.0;
        0.0, 0.0, 0.0, 0.0, 1.0;
        0.0, 0.8 * speeds, 0.0, 0.0, 0.0
    ];
    assert!((c - expected).amax() < 1e-9, "{c}");
    Ok(())
}

#[test]
fn inputs_act_on_rates() -> Outcome {
    let system = charged::System::new()?.with_inputs_over_time(|_| charged::Supply { voltage: 0.0.into() });
    let (q, v) = (charged::Place { x: 0.0 }.into(), system.zero_velocity());
    let linear = Linearisation::of(&system).inputs(["voltage"]).outputs(["states.charge", "v.x"]).at(0.0, &q, &v)?;
    let s = Complex::new(0.3, 1.5);
    let found = linear.transfer(s).ok_or("no transfer function")?;
    // z = u / (s + 1), and s v = z.
    let charge = (s + 1.0).inv();
    assert!((found[(0, 0)] - charge).norm() < 1e-12 && (found[(1, 0)] - charge / s).norm() < 1e-12, "{found}");
    // A force of one on the state gives the same response.
    let response = linear.response(s, &SVector::from([0.0, 1.0])).ok_or("no response")?;
    assert!((response[1] - charge).norm() < 1e-12 && (response[0] - charge / (s * s)).norm() < 1e-12, "{response}");
    Ok(())
}

#[test]
fn a_motion_with_changing_states_is_not_steady() -> Outcome {
    let system = drive::System::new(arm(0.05))?;
    let (q, v) = start();
    let error = Linearisation::of(&system).at(0.0, &q.into(), &v.into()).err().ok_or("no error")?.to_string();
    assert!(error.contains("is not steady"), "{error}");
    // The mechanism is in equilibrium, and the filter is not.
    let (arm, time) = held();
    let system = drive::System::new(arm)?;
    let found = Equilibrium::of(&system).guess(drive::Pose { angle: SO2::from_angle(1.2) }).at_time(time).solve()?;
    let mut v: drive::Velocity = found.state.velocity.into();
    v.states.control.y = 1e-4;
    let error = Linearisation::of(&system).at(time, &found.state.configuration, &v.into());
    let message = error.err().ok_or("no error")?.to_string();
    assert!(message.contains("`states.control` changes by -5.00e-3"), "{message}");
    Ok(())
}

/// The steady response to the periodic target, against a long run.
#[test]
fn a_periodic_orbit_contains_the_states() -> Outcome {
    let system = drive::System::new(drive::Arm { target: 0.3, ..arm(0.05) })?;
    let guess = drive::Pose { angle: SO2::from_angle(-1.5) };
    let period = core::f64::consts::PI;
    let orbit = PeriodicOrbit::of(&system).guess(guess, system.zero_velocity()).period(period).steps(1000).solve()?;
    let run = Simulation::of(&system).at_rest(guess).rtol(1e-10).atol(1e-11).output_every(1000);
    let run = run.end_time(50.0 * period).run()?;
    let (from, to) = (&orbit.state, run.last());
    let turn = from.configuration.angle.angle() - to.configuration.angle.angle();
    assert!(
        turn.abs() < 1e-7 && (from.velocity - to.velocity).amax() < 1e-7,
        "{turn:.1e} {} {}",
        from.velocity,
        to.velocity
    );
    // Two multipliers of the pendulum and three of the states. The largest one has the growth of the slowest motion.
    assert_eq!(orbit.multipliers.len(), 5);
    let decay = (-0.5 * 0.05 / 0.2 * period).exp();
    assert!((orbit.growth() - decay).abs() < 0.03, "{} {decay}", orbit.growth());
    Ok(())
}

#[test]
fn dynamics_hide_the_states() -> Outcome {
    let system = drive::System::new(arm(0.05))?;
    let (q, v) = start();
    let p = system.parameters();
    let (q, v, a) = (drive::PoseWithStates::from(q), SVector::from(v), SVector::from([2.0, 9.0, 9.0, 9.0]));
    let (mut dynamics, t) = (StateDynamics::of(&system), 0.4);
    assert_eq!(dynamics.mass_matrix(t, &q)?, nalgebra::dmatrix![p.inertia]);
    assert_eq!(*dynamics.mass_times(t, &q, &v)?, SVector::from([-0.1, 0.0, 0.0, 0.0]));
    let bias = p.weight * 0.3_f64.cos() + p.damping * -0.5 - p.torque * 0.7;
    assert!((dynamics.bias(t, &q, &v)? - SVector::from([bias, 0.0, 0.0, 0.0])).amax() < 1e-14);
    let torque = *dynamics.inverse(t, &q, &v, &a)?;
    assert!((torque - SVector::from([0.4 + bias, 0.0, 0.0, 0.0])).amax() < 1e-14);
    assert_eq!(*dynamics.coriolis(t, &q, &v)?, SVector::<f64, 4>::zeros());
    // Forces have no effect on the states. Their rates are those of the declaration.
    let (acceleration, _) = dynamics.forward_with(t, &q, &v, &SVector::from([torque[0], 1e3, 1e3, 1e3]))?;
    let error = p.target * 0.8_f64.sin() - 0.7;
    let slope = (p.gains[0] * error - p.resistance * 0.7 + p.torque * 0.5) / p.inductance;
    let expected = SVector::from([2.0, slope, error, 50.0 * (-0.5 - 0.1)]);
    assert!((acceleration - expected).amax() < 1e-12, "{acceleration}");
    let jacobian = dynamics.jacobian(t, &q, |system, _, _, v| SVector::from([system.velocity(v).angle * 2.0]))?;
    assert_eq!(jacobian, nalgebra::dmatrix![2.0]);
    let inertia = dynamics.operational_inertia(t, &q, |system, _, _, v| SVector::from([system.velocity(v).angle]))?;
    assert!((inertia[0] - p.inertia).abs() < 1e-15);
    Ok(())
}

/// A pendulum on the shaft of a motor at a constant voltage.
#[mechanical_system]
mod lever {
    use lie_runtime::prelude::*;

    #[configuration]
    pub struct Lever {
        pub angle: f64,
    }

    #[states]
    pub struct Circuit {
        pub current: f64,
    }

    #[parameters]
    pub struct Motor {
        pub weight: f64,
        pub constant: f64,
        pub resistance: f64,
        pub inductance: f64,
        pub voltage: f64,
    }

    #[kinetic_energy]
    fn kinetic(v: &Velocity) -> f64 {
        0.5 * 0.3 * v.angle * v.angle
    }

    #[potential]
    fn weight(p: &Motor, q: &Lever) -> f64 {
        -p.weight * q.angle.cos()
    }

    #[force(on = angle)]
    fn torque(p: &Motor, z: &Circuit) -> f64 {
        p.constant * z.current
    }

    #[rate]
    fn circuit(p: &Motor, v: &Velocity, z: &Circuit) -> Circuit {
        Circuit { current: (p.voltage - p.resistance * z.current - p.constant * v.angle) / p.inductance }
    }
}

/// The branch φ = arcsin(k u / (R w)), i = u / R has a limit point at u = R w / k, and the pendulum is unstable after it.
#[test]
fn a_continuation_contains_the_states() -> Outcome {
    let (weight, constant, resistance, inductance) = (5.0, 0.05, 20.0, 0.1);
    let motor = lever::Motor { weight, constant, resistance, inductance, voltage: 0.0 };
    let system = lever::System::new(motor)?;
    let largest = resistance * weight / constant;
    let start = lever::Lever { angle: 0.1 };
    let branch = Continuation::of(parameter(&system, "voltage")).guess(0.0, start.into()).step(0.05);
    let error = branch.parameter_end(1.5 * largest).run().err().ok_or("the branch has a limit point")?;
    let branch = error.branch;
    assert!(branch.points.len() > 20, "{}", branch.points.len());
    for point in &branch.points {
        let v: lever::Velocity = point.state.velocity.into();
        let (angle, current) = (point.state.configuration.angle, v.states.current);
        assert!((current / (point.parameter / resistance) - 1.0).abs() < 1e-9 || current.abs() < 1e-9, "{current}");
        assert!((weight * angle.sin() - constant * current).abs() < 1e-9, "{angle} {current}");
        assert_eq!(point.unstable, usize::from(angle.cos() < 0.0), "{angle}");
    }
    let limits: Vec<_> = branch.of_kind(SpecialKind::Limit).collect();
    let [limit, ..] = &limits[..] else { return Err("no limit point".into()) };
    assert!((limit.parameter / largest - 1.0).abs() < 1e-9, "{}", limit.parameter);
    assert!((limit.state.configuration.angle - 0.5 * core::f64::consts::PI).abs() < 1e-6);
    assert!(branch.points.iter().any(|point| point.unstable == 1));
    Ok(())
}

#[test]
fn modes_of_an_equilibrium_contain_the_states() -> Outcome {
    let (arm, time) = held();
    let system = drive::System::new(arm)?;
    let guess = drive::Pose { angle: SO2::from_angle(1.2) };
    let found = Equilibrium::of(&system).guess(guess).at_time(time).solve()?;
    let exact = state_matrix(system.parameters(), found.state.configuration.angle.angle()).complex_eigenvalues();
    let modes = found.modes(&system, 2)?;
    assert_eq!(modes.len(), 2);
    let mut sizes: Vec<f64> = exact.iter().filter(|value| value.im >= 0.0).map(|value| value.norm()).collect();
    sizes.sort_by(f64::total_cmp);
    for (mode, size) in modes.iter().zip(sizes) {
        let nearest = exact.iter().map(|value| (value - mode.eigenvalue).norm()).fold(f64::INFINITY, f64::min);
        assert!(nearest < 1e-9 && (mode.eigenvalue.norm() - size).abs() < 1e-9, "{} {size}", mode.eigenvalue);
        assert_eq!(mode.shape.len(), 4);
    }
    Ok(())
}

/// A bob on a string in wind. The wind is a state.
#[mechanical_system]
mod windy {
    use lie_runtime::prelude::*;

    #[configuration]
    pub struct Bob {
        pub position: R2,
    }

    #[states]
    pub struct Air {
        pub wind: f64,
    }

    #[kinetic_energy]
    fn kinetic(v: &Velocity) -> f64 {
        0.5 * v.position.norm_squared()
    }

    #[potential]
    fn weight(q: &Bob) -> f64 {
        9.81 * q.position.y
    }

    #[constraint]
    fn string(q: &Bob) -> f64 {
        q.position.norm() - 1.0
    }

    #[force(on = position)]
    fn drag(z: &Air) -> Vector2<f64> {
        Vector2::new(z.wind, 0.0)
    }

    #[rate]
    fn air(z: &Air) -> Air {
        Air { wind: 3.0 * (4.0 - z.wind) }
    }
}

#[test]
fn constraints_do_not_mix_with_states() -> Outcome {
    let system = windy::System::new()?;
    let found = Equilibrium::of(&system).guess(windy::Bob { position: Vector2::new(0.1, -0.9) }).solve()?;
    let state = &found.state;
    let tension = 4.0_f64.hypot(9.81);
    assert!((state.configuration.position - Vector2::new(4.0, -9.81) / tension).norm() < 1e-12);
    assert!((state.velocity[2] - 4.0).abs() < 1e-12 && (state.multipliers[0] - tension).abs() < 1e-11);
    let linear = Linearisation::of(&system).outputs(["states.wind"]).at(0.0, &state.configuration, &state.velocity)?;
    assert_eq!((linear.shapes.ncols(), linear.speeds.ncols()), (1, 2));
    let modes = linear.modes()?;
    let [slow, swing] = &modes[..] else { return Err("two modes".into()) };
    assert!((slow.eigenvalue + 3.0).norm() < 1e-9, "{}", slow.eigenvalue);
    assert!((swing.eigenvalue - Complex::new(0.0, tension.sqrt())).norm() < 1e-9, "{}", swing.eigenvalue);
    Ok(())
}

/// A spherical pendulum with a filter of its direction.
#[mechanical_system]
mod measured {
    use lie_runtime::prelude::*;

    #[configuration]
    pub struct Pendulum {
        pub direction: S2,
    }

    #[states]
    pub struct Filter {
        pub aside: f64,
    }

    #[kinetic_energy]
    fn kinetic(v: &Velocity) -> f64 {
        0.5 * v.direction.norm_squared()
    }

    #[potential]
    fn weight(q: &Pendulum) -> f64 {
        4.0 * q.direction.direction().z
    }

    #[rate]
    fn filter(q: &Pendulum, z: &Filter) -> Filter {
        Filter { aside: 7.0 * (q.direction.direction().x - z.aside) }
    }
}

#[test]
fn spheres_do_not_mix_with_states() -> Outcome {
    let system = measured::System::new()?;
    let guess = measured::Pendulum { direction: S2::new(Vector3::new(0.1, 0.2, -1.0)).ok_or("zero")? };
    let found = Equilibrium::of(&system).guess(guess).solve()?;
    assert!(
        (found.state.configuration.direction.direction().z + 1.0).abs() < 1e-12
            && found.state.velocity[3].abs() < 1e-12
    );
    let state = &found.state;
    let modes = Linearisation::of(&system).at(0.0, &state.configuration, &state.velocity)?.modes()?;
    let found: Vec<_> = modes.iter().map(|mode| mode.eigenvalue).collect();
    let expected = [Complex::new(0.0, 2.0), Complex::new(0.0, 2.0), Complex::new(-7.0, 0.0)];
    assert_eq!(found.len(), 3);
    assert!(found.iter().zip(expected).all(|(found, expected)| (found - expected).norm() < 1e-7), "{found:?}");
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

/// A damper whose viscosity depends on a state.
#[mechanical_system(derivative_check, gradients)]
mod damped {
    use lie_runtime::prelude::*;

    #[configuration]
    pub struct Slide {
        pub x: f64,
    }

    #[states]
    pub struct Fluid {
        pub field: f64,
    }

    #[kinetic_energy]
    fn kinetic(v: &Velocity) -> f64 {
        0.5 * v.x * v.x
    }

    #[dissipation]
    fn damper(v: &Velocity, z: &Fluid) -> f64 {
        0.5 * (0.2 + z.field) * v.x * v.x
    }

    #[rate]
    fn fluid(v: &Velocity, z: &Fluid) -> Fluid {
        Fluid { field: v.x * v.x - z.field }
    }
}

#[test]
fn dissipations_read_states() -> Outcome {
    let system = damped::System::new()?;
    let v = damped::Velocity { x: 2.0, states: damped::Fluid { field: 0.5 } };
    let run = Simulation::of(&system).initial(damped::Slide { x: 0.0 }, v).rtol(1e-10).atol(1e-12).end_time(1.0);
    let run = run.monitor_energy().run()?;
    let exact = classical_runge_kutta([2.0, 0.5], 1.0, 10_000, |_, [v, z]| [-(0.2 + z) * v, v * v - z]);
    let end: damped::Velocity = run.last().velocity.into();
    assert!((end.x - exact[0]).abs() < 1e-8 && (end.states.field - exact[1]).abs() < 1e-8, "{end:?} {exact:?}");
    // The damper removes the kinetic energy, and does not act on the state.
    let samples: Vec<_> = run.samples().collect();
    let balance = samples.last().and_then(|sample| sample.balance.as_ref()).ok_or("no balance")?;
    let work = balance.work_of("damper").ok_or("no damper")?;
    assert!((work - 0.5 * (end.x * end.x - 4.0)).abs() < 1e-6, "{work}");
    let (q, v) = (run.last().configuration, run.last().velocity);
    let at = CheckPoint {
        t: 0.0,
        q: &q,
        v: &v,
        acceleration: &system.zero_velocity(),
        multipliers: &system.zero_multipliers(),
    };
    for kernel in derivative_check(&system, at) {
        assert!(kernel.deviation < 1e-10, "{}: {}", kernel.kernel, kernel.deviation);
    }
    for kernel in pullback_check(&system, run.last())? {
        assert!(kernel.deviation < 1e-10, "{}: {} in {}", kernel.kernel, kernel.deviation, kernel.entry);
    }
    Ok(())
}
