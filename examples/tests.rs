//! Every example runs, and its result agrees with a closed form or a conserved quantity.

use std::f64::consts::PI;
use std::fs;
use std::path::{Path, PathBuf};

use lie_runtime::nalgebra::Vector3;

/// The examples as modules. A feature in front of a name is required.
macro_rules! examples {
    ($($(#[$feature:meta])? $name:ident)*) => {
        $($(#[$feature])? #[allow(dead_code)] mod $name;)*
    };
}

examples! {
    attitude_filter
    bouncing_ball
    contact
    cosserat_rod
    dc_motor
    dead_time
    double_pendulum
    four_bar_linkage
    friction
    hill_muscle
    hydraulic_cylinder
    inverse_dynamics
    joint_stops
    lugre_friction
    #[cfg(feature = "ensemble")] monte_carlo
    parameter_fit
    pendulum
    reaction_wheels
    #[cfg(feature = "robots")] robot_from_urdf
    robot_arm
    rolling_wheel
    rope
    spinning_top
}

/// An empty folder for the figures of an example.
fn folder(name: &str) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("examples").join(name);
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).unwrap();
    folder
}

/// Runs an example and checks its files.
fn run<T>(name: &str, files: &[&str], simulate: fn(&Path) -> Result<T, Box<dyn std::error::Error>>) -> T {
    let folder = folder(name);
    let result = simulate(&folder).unwrap_or_else(|error| panic!("{name}: {error}"));
    let written =
        |extension: &&str| fs::metadata(folder.join(name).with_extension(extension)).is_ok_and(|file| file.len() > 500);
    assert!(files.iter().all(written), "{name}: {files:?}");
    result
}

fn assert_close(value: f64, expected: f64, tolerance: f64) {
    assert!((value - expected).abs() < tolerance, "{value} instead of {expected}");
}

/// The solution of x' = f(t, x) at the end, by the classical Runge-Kutta method from t = 0.
fn classical_runge_kutta<const N: usize>(
    mut x: [f64; N],
    end: f64,
    steps: u32,
    rate: impl Fn(f64, [f64; N]) -> [f64; N],
) -> [f64; N] {
    let h = end / f64::from(steps);
    let along = |x: [f64; N], k: [f64; N], h: f64| std::array::from_fn(|i| x[i] + h * k[i]);
    for step in 0..steps {
        let t = f64::from(step) * h;
        let k1 = rate(t, x);
        let k2 = rate(t + 0.5 * h, along(x, k1, 0.5 * h));
        let k3 = rate(t + 0.5 * h, along(x, k2, 0.5 * h));
        let k4 = rate(t + h, along(x, k3, h));
        x = std::array::from_fn(|i| x[i] + h / 6.0 * (k1[i] + 2.0 * k2[i] + 2.0 * k3[i] + k4[i]));
    }
    x
}

/// T = 2π √(l/g) / agm(1, cos(θ/2)) for the amplitude θ.
#[test]
fn pendulum_has_the_period_of_the_elliptic_integral() {
    let period = run("pendulum", &["svg", "html"], pendulum::simulate);
    let (mut a, mut b) = (1.0, (0.5_f64 * 2.5).cos());
    for _ in 0..6 {
        (a, b) = (0.5 * (a + b), (a * b).sqrt());
    }
    assert_close(period, 2.0 * PI * (1.5_f64 / 9.81).sqrt() / a, 1e-4);
}

/// The top is released with its axis at rest. Energy and momenta give u² − a u + a u₀ − 1 = 0 for the cosine u of the largest angle. The
/// coefficient is a = (J₃ ω)² / (2 J₁ m g l).
#[test]
fn spinning_top_nutates_to_the_root_of_the_cubic() {
    let lowest = run("spinning_top", &["svg", "html"], spinning_top::simulate);
    let (mass, height, axial) = (0.1, 0.04, 6e-5 * 200.0_f64);
    let transverse = 5e-5 + mass * height * height;
    let a = axial * axial / (2.0 * transverse * mass * 9.81 * height);
    let cosine = 0.5 * a - (0.25 * a * a - a * 0.5_f64.cos() + 1.0).sqrt();
    assert_close(lowest / height, cosine, 1e-4);
}

/// The textbook equations in angles, integrated by the classical Runge-Kutta method.
#[test]
fn double_pendulum_follows_the_equations_of_a_textbook() {
    let (angles, energy_change, separation) = run("double_pendulum", &["svg", "html"], double_pendulum::simulate);
    let rate = |[a, b, va, vb]: [f64; 4]| {
        let (g, m1, m2, l1, l2) = (9.81, 1.0, 0.8, 1.0, 0.7);
        let (sine, cosine) = (a - b).sin_cos();
        let determinant = m1 + m2 * sine * sine;
        let (x, y) = (-m2 * l2 * vb * vb * sine - (m1 + m2) * g * a.sin(), l1 * va * va * sine - g * b.sin());
        [va, vb, (x - m2 * cosine * y) / (l1 * determinant), ((m1 + m2) * y - cosine * x) / (l2 * determinant)]
    };
    let x = classical_runge_kutta([2.2, 2.0, 0.0, 0.0], 2.0, 20_000, |_, x| rate(x));
    assert_close(angles[0], x[0], 1e-6);
    assert_close(angles[1], x[1], 1e-6);
    assert_close(energy_change, 0.0, 1e-6);
    assert!(separation > 1e-4, "{separation}");
}

/// The ball leaves the table when the acceleration A ω² sin ω t of the table is g downwards. It never falls through the table.
#[test]
fn contact_ends_at_the_acceleration_of_gravity() {
    let (launch, smallest_gap) = run("contact", &["svg"], contact::simulate);
    assert_close(launch, (9.81 / (0.02 * 900.0_f64)).asin() / 30.0, 1e-9);
    assert!(smallest_gap > -1e-9, "{smallest_gap}");
}

/// The speed ω∞ (1 − (λ₂ exp(λ₁ t) − λ₁ exp(λ₂ t)) / (λ₂ − λ₁)) of two first-order equations.
/// The growth rate and the frequency are a root of s² + (c s + k) e^(−s T) = 0.
#[test]
fn dead_time_destabilises_a_joint() {
    let (k, c) = (200.0, 20.0);
    let found = run("dead_time", &["svg"], dead_time::simulate);
    assert!(found[0][1] < 0.0 && found[1][1] > 0.0, "{found:?}");
    for [dead_time, growth, frequency] in found {
        let (decay, phase) = ((-growth * dead_time).exp(), frequency * dead_time);
        let [re, im] = [c * growth + k, c * frequency];
        let real = growth.powi(2) - frequency.powi(2) + decay * (re * phase.cos() + im * phase.sin());
        let imaginary = 2.0 * growth * frequency + decay * (im * phase.cos() - re * phase.sin());
        assert!(real.hypot(imaginary) < 1e-3, "{real} {imaginary}");
    }
}

#[test]
fn dc_motor_starts_like_a_linear_system() {
    let (speed, current) = run("dc_motor", &["svg"], dc_motor::simulate);
    let [inertia, friction, constant, resistance, inductance]: [f64; 5] = [2e-3, 1e-3, 0.1, 0.8, 5e-3];
    let (sum, product) = (
        friction / inertia + resistance / inductance,
        (friction * resistance + constant * constant) / (inertia * inductance),
    );
    let root = (sum * sum - 4.0 * product).sqrt();
    let [a, b] = [(root - sum) / 2.0, (-root - sum) / 2.0];
    let (fast, slow) = ((0.2 * b).exp(), (0.2 * a).exp());
    let end = 12.0 * constant / (constant * constant + friction * resistance);
    let exact = end * (1.0 - (b * slow - a * fast) / (b - a));
    let slope = -end * a * b * (slow - fast) / (b - a);
    assert_close(speed, exact, 1e-6);
    assert_close(current, (inertia * slope + friction * exact) / constant, 1e-6);
}

/// The equations of the example as four first-order equations. The load moves at a constant speed in the end: with A₁ v = k √(p − p₁) and
/// A₂ v = k √p₂ the balance A₁ p₁ − A₂ p₂ = F + d v is a quadratic equation for v.
#[test]
fn hydraulic_cylinder_reaches_the_speed_of_the_valve() {
    let end = run("hydraulic_cylinder", &["svg"], hydraulic_cylinder::simulate);
    let ([a, b], [bulk, supply, valve]) = ([2e-3, 1.2e-3], [1400.0, 10.0, 2e-4]);
    let root = |difference: f64| difference / difference.hypot(1e-3).sqrt();
    let exact = classical_runge_kutta([0.0; 4], 0.1, 40_000, |_, [x, v, p, r]| {
        let acceleration = (1e6 * (a * p - b * r) - 5e3 - 200.0 * v) / 50.0;
        let piston = bulk * (valve * root(supply - p) - a * v) / (2e-5 + a * x);
        [v, acceleration, piston, bulk * (b * v - valve * root(r)) / (4.4e-4 - b * x)]
    });
    for (value, expected) in end.into_iter().zip(exact) {
        assert_close(value, expected, 1e-7);
    }
    let square = 1e6 * (a.powi(3) + b.powi(3)) / (valve * valve);
    let load: f64 = 1e6 * a * supply - 5e3;
    assert_close(end[1], ((200.0_f64.powi(2) + 4.0 * square * load).sqrt() - 200.0) / (2.0 * square), 1e-6);
}

/// The equations of the example as four first-order equations. In equilibrium the active force is the weight: F u exp(−(l − 1)²/0.2) = m g.
#[test]
fn hill_muscle_lifts_to_its_equilibrium() {
    let [end, rest] = run("hill_muscle", &["svg"], hill_muscle::simulate);
    let weight = 20.0 * 9.81_f64;
    let still = |excitation: f64| {
        let fibre = 1.0 - (0.2 * (1e3 * excitation / weight).ln()).sqrt();
        [0.2 + 0.1 * fibre + (weight / 4e6).sqrt(), excitation, fibre]
    };
    let [length, activation, fibre] = still(0.3);
    let [length, _, activation, fibre] =
        classical_runge_kutta([length, 0.0, activation, fibre], 0.2, 20_000, |_, [l, v, a, z]| {
            let force = 4e6 * (l - 0.1 * z - 0.2).max(0.0).powi(2);
            let f = force / (1e3 * a * (-(z - 1.0).powi(2) / 0.2).exp());
            let speed = if f < 1.0 { (1.0 - f) / (1.0 + 4.0 * f) } else { -0.2 * (f - 1.0) / (3.0 - 2.0 * f) };
            [v, 9.81 - force / 20.0, (0.8 - a) / 0.04, -10.0 * speed]
        });
    for (value, expected) in end.into_iter().chain(rest).zip([length, activation, fibre].into_iter().chain(still(0.8)))
    {
        assert_close(value, expected, 1e-7);
    }
}

/// The equations of the example as three first-order equations, in small steps.
#[test]
fn lugre_friction_sticks_and_slips() {
    let end = run("lugre_friction", &["svg"], lugre_friction::simulate);
    let exact = classical_runge_kutta([0.0; 3], 15.0, 1_000_000, |t, [x, v, z]| {
        let slope = v - 1e5 * v.abs() * z / (1.0 + 0.5 * (-(v * 1e3).powi(2)).exp());
        let friction = 1e5 * z + 1e5_f64.sqrt() * slope + 0.4 * v;
        [v, 2.0 * (0.1 * t - x) - friction, slope]
    });
    // The block has slipped, stuck and slipped again.
    assert!(end[0] > 0.7 && end[1] > 0.2, "{end:?}");
    for (value, (expected, tolerance)) in end.into_iter().zip(exact.into_iter().zip([1e-5, 1e-5, 1e-9])) {
        assert_close(value, expected, tolerance);
    }
}

/// Euler's equations with a quaternion. The total momentum is zero, so that the body ends at the target with the wheels at rest.
#[test]
fn attitude_filter_replaces_a_gyroscope() {
    let end = run("attitude_filter", &["svg"], attitude_filter::simulate);
    let (body, wheel): (Vector3<f64>, f64) = (Vector3::new(12.0, 10.0, 7.0), 0.05);
    let rotation = |w: f64, v: Vector3<f64>| v * (2.0 * v.norm().atan2(w) / v.norm());
    let angle: Vector3<f64> = Vector3::new(1.2, -0.8, 1.5);
    let (half, mut start): (f64, [f64; 13]) = (angle.norm() / 2.0, [0.0; 13]);
    start[0] = half.cos();
    start[1..4].copy_from_slice((angle.normalize() * half.sin()).as_slice());
    let exact = classical_runge_kutta(start, 20.0, 20_000, |_, x| {
        let at = |first: usize| Vector3::from_column_slice(&x[first..first + 3]);
        let (v, omega, spin, z) = (at(1), at(4), at(7), at(10));
        let slope = (rotation(x[0], v) - z) / 0.5;
        let torque = 0.5 * z + 3.5 * slope - 1e-3 * spin;
        let momentum = body.component_mul(&omega) + wheel * (omega + spin);
        let acceleration = (-omega.cross(&momentum) - torque).component_div(&body);
        let rates = [0.5 * (x[0] * omega + v.cross(&omega)), acceleration, torque / wheel - acceleration, slope];
        let mut rate = [0.0; 13];
        rate[0] = -0.5 * v.dot(&omega);
        rate[1..].copy_from_slice(&rates.map(Into::<[f64; 3]>::into).concat());
        rate
    });
    let at = |first: usize| Vector3::from_column_slice(&exact[first..first + 3]);
    for (value, expected) in end.into_iter().zip([rotation(exact[0], at(1)), at(7), at(10)]) {
        assert!((value - expected).amax() < 1e-6, "{value} {expected}");
    }
    assert!(end[0].norm() < 0.1 && end[1].norm() < 5.0, "{end:?}");
}

/// The parcel slips when the acceleration of the chute requires more than the friction limit. The travel is compared with many small steps of
/// projected friction: the relative velocity cannot change its sign in a step.
#[test]
fn friction_moves_a_parcel_downhill() {
    let (slip, travel) = run("friction", &["svg"], friction::simulate);
    let (limit, weight) = (9.81 * 0.4 * 0.2_f64.cos(), 9.81 * 0.2_f64.sin());
    assert_close(slip, ((limit - weight) / (0.01 * 625.0_f64)).asin() / 25.0, 1e-9);
    let (step, mut speed, mut reference) = (1e-6, 0.0_f64, 0.0);
    for number in 0..1_000_000 {
        let time = (f64::from(number) + 0.5) * step;
        let free = speed + step * (weight + 6.25 * (25.0 * time).sin());
        speed = free.signum() * (free.abs() - step * limit).max(0.0);
        reference += step * speed;
    }
    assert!(travel > 0.01);
    assert_close(travel, reference, 1e-5);
}

#[test]
fn robot_arm_reaches_its_goal() {
    let angles = run("robot_arm", &["svg", "html"], robot_arm::simulate);
    for (angle, goal) in angles.iter().zip([1.2, 0.9, -1.4]) {
        assert_close(*angle, goal, 1e-3);
    }
}

/// The rocker is at a limit if crank and coupler are collinear: triangles with the sides fixed link, rocker, and sum or difference of the others.
#[test]
fn four_bar_linkage_has_the_range_of_its_triangles() {
    let range = run("four_bar_linkage", &["svg", "html"], four_bar_linkage::simulate);
    let (crank, coupler, rocker, fixed) = (0.4_f64, 1.2, 0.9, 1.3);
    let limit = |side: f64| PI - ((fixed * fixed + rocker * rocker - side * side) / (2.0 * fixed * rocker)).acos();
    assert_close(range[0], limit(coupler + crank), 1e-3);
    assert_close(range[1], limit(coupler - crank), 1e-3);
}

/// The first impact slides: the friction impulse is μ (1 + e) m v against the sliding velocity of the lowest point.
#[test]
fn bouncing_ball_obeys_the_impact_law() {
    let [velocity, spin] = run("bouncing_ball", &["svg", "html"], bouncing_ball::simulate);
    let (radius, restitution, friction, fall) = (0.1, 0.8, 0.2, (2.0 * 9.81_f64).sqrt());
    let slip = [1.5 + radius * 60.0, 0.4];
    let size = f64::hypot(slip[0], slip[1]);
    let impulse = slip.map(|component| -friction * (1.0 + restitution) * fall * component / size);
    assert_close(velocity.x, 1.5 + impulse[0], 1e-4);
    assert_close(velocity.y, 0.4 + impulse[1], 1e-4);
    assert_close(velocity.z, restitution * fall, 1e-4);
    // The moment of the impulse about the centre, with the inertia 2/5 m r².
    assert_close(spin.x, impulse[1] / (0.4 * radius), 1e-3);
    assert_close(spin.y, -60.0 - impulse[0] / (0.4 * radius), 1e-3);
}

/// The controller holds the torques for a sample time h = 1 ms, so that the deviation is of the order of h.
#[test]
fn inverse_dynamics_follows_the_path() {
    let deviation = run("inverse_dynamics", &["svg"], inverse_dynamics::simulate);
    assert!(deviation < 2e-3, "{deviation}");
}

#[test]
fn rolling_wheel_returns_after_a_circle() {
    let end = run("rolling_wheel", &["svg", "html"], rolling_wheel::simulate);
    assert_close(end.x, 0.0, 1e-3);
    assert_close(end.y, 0.0, 1e-3);
    assert_close(end.z, 0.3 * 1.2_f64.sin(), 1e-4);
}

/// A catenary of length l over the span s: sag a (cosh(s/2a) − 1) with 2 a sinh(s/2a) = l.
#[test]
fn rope_ends_in_a_catenary() {
    let sag = run("rope", &["svg", "html"], rope::simulate);
    let (length, span) = (2.0, 1.5);
    let (mut low, mut high) = (0.1_f64, 10.0);
    for _ in 0..80 {
        let a = 0.5 * (low + high);
        if 2.0 * a * (0.5 * span / a).sinh() > length { low = a } else { high = a }
    }
    assert_close(sag, low * ((0.5 * span / low).cosh() - 1.0), 2e-3);
}

/// The end moment 2π EI / l bends a rod of length l into a closed circle.
#[test]
fn cosserat_rod_closes_to_a_ring() {
    let end = run("cosserat_rod", &["svg", "html"], cosserat_rod::simulate);
    assert!(end.norm() < 2e-3, "{end}");
}

#[test]
fn reaction_wheels_keep_the_angular_momentum() {
    let [angle, change] = run("reaction_wheels", &["svg", "html"], reaction_wheels::simulate);
    assert!(angle < 1e-2, "{angle}");
    assert!(change < 1e-4, "{change}");
}

#[test]
fn parameter_fit_finds_length_and_damping() {
    let found = run("parameter_fit", &["svg"], parameter_fit::simulate);
    assert_close(found[0], 1.3, 2e-3);
    assert_close(found[1], 0.2, 5e-3);
}

/// The forearm hangs down, and the motor balances the moment of both rods about the shoulder.
#[test]
#[cfg(feature = "robots")]
fn robot_from_urdf_settles_in_its_equilibrium() {
    let [shoulder, elbow] = run("robot_from_urdf", &["svg", "html"], robot_from_urdf::simulate);
    let angle = (3.0_f64 / (9.81 * (0.25 + 0.5))).asin();
    assert_close(shoulder.abs(), angle, 1e-3);
    assert_close(shoulder + elbow, 0.0, 1e-3);
}

/// The moments of x₀ cos(√k t) by the midpoint rule over the normal distribution of k; x₀ is independent with mean 1 and variance 0.2²/12.
#[test]
#[cfg(feature = "ensemble")]
fn monte_carlo_has_the_moments_of_the_exact_solution() {
    let [mean, deviation] = run("monte_carlo", &["svg"], monte_carlo::simulate);
    let (mut first, mut second, mut weight) = (0.0, 0.0, 0.0);
    for i in 0..2000 {
        let z = -5.0 + 0.005 * (f64::from(i) + 0.5);
        let (w, x) = ((-0.5 * z * z).exp(), ((4.0 + 0.4 * z).sqrt() * 5.0).cos());
        (first, second, weight) = (first + w * x, second + w * x * x, weight + w);
    }
    let (first, second) = (first / weight, second / weight * (1.0 + 0.04 / 12.0));
    assert_close(mean, first, 2e-3);
    assert_close(deviation, (second - first * first).sqrt(), 2e-3);
}

#[test]
fn examples_are_short_and_listed() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let manifest = fs::read_to_string(root.join("Cargo.toml")).unwrap();
    let mut count = 0;
    for path in fs::read_dir(root).unwrap().map(|entry| entry.unwrap().path()) {
        let name = path.file_stem().unwrap().to_string_lossy().into_owned();
        if path.extension().is_some_and(|extension| extension == "rs") && name != "tests" {
            let text = fs::read_to_string(&path).unwrap();
            assert!(text.lines().count() <= 80, "{name} has {} lines", text.lines().count());
            assert!(text.starts_with("//! ") && text.contains("It runs in"), "the header of {name} is incomplete");
            assert!(manifest.contains(&format!("name = \"{name}\"")), "{name} has no entry in Cargo.toml");
            count += 1;
        }
    }
    assert_eq!(count, manifest.matches("[[example]]").count());
}

/// The friction takes the energy τ Δφ from the door, and the impact the part 1 − e².
#[test]
fn joint_stops_end_the_motion_of_a_door() {
    let angle = run("joint_stops", &["svg"], joint_stops::simulate);
    let (inertia, open, friction, restitution) = (8.0, 1.9, 1.5, 0.7);
    let at_stop = 0.5 * inertia * 1.4 * 1.4 - friction * open;
    assert_close(angle, open - restitution * restitution * at_stop / friction, 1e-9);
}
