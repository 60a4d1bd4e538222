//! Powers of norms where the norm is zero: forces, K_t and C_t are the limits there, and a missing limit is an error.

use lie_runtime::group::TangentVector;
use lie_runtime::integrator::{GeneralizedAlpha, State, TrBdf2};
use lie_runtime::prelude::*;
use lie_runtime::system::Linearised;

/// Drags and springs of second and third degree, as they come to be written.
#[mechanical_system]
mod drags {
    use lie_runtime::prelude::*;

    #[configuration]
    pub struct Bodies {
        pub x: R3,
        pub pose: SE3,
        pub beta: f64,
    }

    #[parameters]
    pub struct Data {
        pub drag: f64,
    }

    fn cubed(s: f64) -> f64 {
        s * s * s
    }

    #[kinetic_energy]
    fn kinetic(v: &Velocity) -> f64 {
        0.5 * (v.x.norm_squared() + v.pose.norm_squared() + v.beta * v.beta)
    }

    #[dissipation]
    fn by_power(data: &Data, v: &Velocity) -> f64 {
        data.drag * v.x.norm().powi(3) + 0.5 * (v.pose.linear().norm_squared()).sqrt().powi(2)
    }

    #[dissipation]
    fn by_helper(data: &Data, v: &Velocity) -> f64 {
        0.1 * cubed(v.pose.angular().norm()) + data.drag * v.x.norm() * (2.0 * data.drag * v.x.norm())
    }

    #[dissipation]
    fn by_real_power(v: &Velocity) -> f64 {
        v.x.norm().powf(2.5) + v.pose.linear().norm_squared().powf(1.5)
    }

    #[force(on = x)]
    fn of_second_degree(data: &Data, v: &Velocity) -> Vector3<f64> {
        -data.drag * v.x.norm() * v.x
    }

    #[force(on = beta)]
    fn of_a_number(v: &Velocity) -> f64 {
        -0.4 * v.beta.abs() * v.beta
    }

    #[potential]
    fn springs(q: &Bodies) -> f64 {
        q.x.norm().powi(3) / 3.0 + 0.2 * q.x.norm().powi(4) + 0.5 * q.beta * q.beta
    }
}

/// The same drag on every node of a chain, and on the relative motion of two nodes.
#[mechanical_system]
mod string {
    use lie_runtime::prelude::*;

    #[configuration]
    pub struct Nodes {
        pub nodes: Vec<R3>,
    }

    #[kinetic_energy(over = nodes)]
    fn kinetic(v: &Vector3<f64>) -> f64 {
        0.5 * v.norm_squared()
    }

    #[dissipation(over = nodes)]
    fn drag(v: &Vector3<f64>) -> f64 {
        0.3 * v.norm().powi(3)
    }

    #[dissipation(over = nodes.windows(2))]
    fn damper([va, vb]: [&Vector3<f64>; 2]) -> f64 {
        0.2 * (vb - va).norm().powi(3)
    }
}

/// A ball in air.
#[mechanical_system]
mod fall {
    use lie_runtime::prelude::*;

    #[configuration]
    pub struct Place {
        pub x: R3,
    }

    #[kinetic_energy]
    fn kinetic(v: &Velocity) -> f64 {
        0.5 * v.x.norm_squared()
    }

    #[potential]
    fn weight(q: &Place) -> f64 {
        9.81 * q.x.z
    }

    #[dissipation]
    fn air(v: &Velocity) -> f64 {
        0.4 / 3.0 * v.x.norm().powi(3)
    }
}

/// A norm itself: its force has no limit at rest.
#[mechanical_system]
mod cone {
    use lie_runtime::prelude::*;

    #[configuration]
    pub struct Place {
        pub x: R3,
    }

    #[kinetic_energy]
    fn kinetic(v: &Velocity) -> f64 {
        0.5 * v.x.norm_squared()
    }

    #[potential]
    fn cone(q: &Place) -> f64 {
        q.x.norm()
    }

    #[potential]
    fn wave(q: &Place) -> f64 {
        q.x.norm().cos()
    }
}

fn force<M: Linearised<Scalar = f64>>(system: &M, q: &M::Configuration, v: &M::Velocity) -> Vec<f64> {
    let mut out = system.zero_velocity();
    system.force(0.0, q, v, &mut out);
    (0..v.component_count()).map(|at| out.component(at)).collect()
}

/// K_t and C_t by rows, without accelerations and multipliers.
fn matrices<M: Linearised<Scalar = f64>>(system: &M, q: &M::Configuration, v: &M::Velocity) -> [Vec<Vec<f64>>; 2] {
    let dof = v.component_count();
    let rows = |matrix: &M::Matrix| {
        (0..dof).map(|row| (0..dof).map(|column| system.matrix_entry(matrix, row, column)).collect()).collect()
    };
    let (mut stiffness, mut damping) = (system.zero_matrix(), system.zero_matrix());
    system.tangent_stiffness(0.0, q, v, &system.zero_velocity(), &system.zero_multipliers(), &mut stiffness);
    system.tangent_damping(0.0, q, v, &mut damping);
    [rows(&stiffness), rows(&damping)]
}

/// C_t and K_t against central differences of the force; `moved` is the state moved along a component of q or of v.
fn check<M: Linearised<Scalar = f64>>(system: &M, q: &M::Configuration, v: &M::Velocity) {
    let dof = v.component_count();
    let [stiffness, damping] = matrices(system, q, v);
    let h = 1e-6;
    for column in 0..dof {
        let mut unit = system.zero_velocity();
        unit.set_component(column, 1.0);
        let along = |by: f64| {
            let (mut turned, mut direction) = (q.clone(), unit.clone());
            direction.scale(by);
            system.space().compose_exp(q, &direction, &mut turned);
            force(system, &turned, v)
        };
        let faster = |by: f64| {
            let mut faster = v.clone();
            faster.axpy(by, &unit);
            force(system, q, &faster)
        };
        let slopes = [(along(h), along(-h), &stiffness), (faster(h), faster(-h), &damping)];
        for (ahead, behind, matrix) in slopes {
            for row in 0..dof {
                let derivative = -(ahead[row] - behind[row]) / (2.0 * h);
                // Powers between two and three have derivatives that are only Hölder continuous of order 1/2.
                assert!(
                    (derivative - matrix[row][column]).abs() < 5e-3,
                    "{row} {column}: {derivative} {}",
                    matrix[row][column]
                );
            }
        }
    }
}

fn at_rest() -> (drags::System, drags::Bodies) {
    let system = drags::System::new(drags::Data { drag: 0.7 }).unwrap();
    (system, drags::Bodies { x: R3::zeros(), pose: SE3::identity(), beta: 0.0 })
}

#[test]
fn smooth_powers_of_a_norm_have_their_limits_at_rest() {
    let (system, q) = at_rest();
    let v = system.zero_velocity();
    assert!(force(&system, &q, &v).iter().all(|entry| *entry == 0.0));
    let [stiffness, damping] = matrices(&system, &q, &v);
    for row in 0..10 {
        for column in 0..10 {
            // The squares are left, those of the norms among them: 2 · 2 drag² and 2 · ½.
            let expected = if row == column {
                [4.0 * 0.49, 0.0, 1.0, 0.0][usize::from(row > 2) + usize::from(row > 5) + usize::from(row > 8)]
            } else {
                0.0
            };
            assert!((damping[row][column] - expected).abs() < 1e-15, "C {row} {column}: {}", damping[row][column]);
            let expected = if row == 9 && column == 9 { 1.0 } else { 0.0 };
            assert!((stiffness[row][column] - expected).abs() < 1e-15, "K {row} {column}: {}", stiffness[row][column]);
        }
    }
    check(&system, &q, &v);
}

#[test]
fn in_motion_they_are_what_they_were() {
    let (system, mut q) = at_rest();
    q.x = R3::new(0.3, -0.2, 0.6);
    let x = Vector3::new(0.4, -0.9, 0.2);
    let mut v = system.zero_velocity();
    let linear = Vector3::new(-0.3, 0.1, 0.8);
    for at in 0..3 {
        v.set_component(at, x[at]);
        v.set_component(3 + at, 0.5 - 0.2 * at as f64);
        v.set_component(6 + at, linear[at]);
    }
    v.set_component(9, -0.6);
    check(&system, &q, &v);
    let s = x.norm();
    let r = q.x.norm();
    let expected = -(3.0 * 0.7 * s + 4.0 * 0.49 + 2.5 * s.sqrt() + 0.7 * s) * x - (r + 0.8 * r * r) * q.x;
    let found = force(&system, &q, &v);
    for at in 0..3 {
        assert!((found[at] - expected[at]).abs() < 1e-14, "{at}: {} {}", found[at], expected[at]);
    }
    assert!((found[9] - 0.4 * 0.36).abs() < 1e-15);
    let [_, damping] = matrices(&system, &q, &v);
    // ∂/∂v of (3c |v| + 4c² + ⁵⁄₂ |v|^½ + c |v|) v.
    let slope = (3.0 * 0.7 + 0.7) / s + 1.25 * s.powf(-1.5);
    let along =
        Matrix3::identity() * (3.0 * 0.7 * s + 4.0 * 0.49 + 2.5 * s.sqrt() + 0.7 * s) + slope * x * x.transpose();
    for row in 0..3 {
        for column in 0..3 {
            assert!((damping[row][column] - along[(row, column)]).abs() < 1e-14);
        }
    }
}

#[test]
fn chains_too() {
    let system = string::System::new(string::Lengths { nodes: 4 }).unwrap();
    let q = string::Nodes { nodes: vec![R3::zeros(); 4] };
    let mut v = system.zero_velocity();
    let [stiffness, damping] = matrices(&system, &q, &v);
    assert!(damping.iter().chain(&stiffness).flatten().all(|entry| *entry == 0.0));
    // Two move alike, the others do not: one norm of three is zero.
    for at in 0..12 {
        v.set_component(at, [0.3, -0.2, 0.4][at % 3] * [1.0, 1.0, 2.0, 0.0][at / 3]);
    }
    check(&system, &q, &v);
}

/// A ball that falls from rest against quadratic drag: v = √(g/k) tanh(√(g k) t).
#[test]
fn implicit_methods_start_from_rest() {
    let system = fall::System::new().unwrap();
    let (end, terminal, rate) = (1.5_f64, (9.81_f64 / 0.4).sqrt(), (9.81_f64 * 0.4).sqrt());
    let check = |last: &State<fall::System>, tolerance: f64| {
        let v = last.velocity;
        assert!((v[2] + terminal * (rate * end).tanh()).abs() < tolerance && v.xy().norm() < 1e-12, "{v}");
    };
    let start = || (fall::Place { x: R3::zeros() }, system.zero_velocity());
    let builder = || {
        let (q, v) = start();
        Simulation::of(&system).initial(q, v).step(1e-3).end_time(end)
    };
    check(builder().method(TrBdf2::new()).run().unwrap().last(), 1e-5);
    check(builder().method(GeneralizedAlpha::lie_alpha()).run().unwrap().last(), 1e-4);
    check(builder().run().unwrap().last(), 1e-8);
}

/// No value is invented for a missing limit.
#[test]
fn a_norm_itself_is_an_error_at_rest() {
    let system = cone::System::new().unwrap();
    let (q, v) = (cone::Place { x: R3::zeros() }, system.zero_velocity());
    let error = Simulation::of(&system).initial(q, v).step(1e-3).end_time(1.0).run().unwrap_err().to_string();
    assert!(["the force on `x`", "is not finite", "norm"].iter().all(|part| error.contains(part)), "{error}");
    // Away from there the derivative equals the derivative of the cone and of the wave.
    let q = cone::Place { x: R3::new(0.6, 0.0, -0.8) };
    let found = force(&system, &q, &v);
    let expected = (1.0_f64.sin() - 1.0) * q.x;
    assert!((0..3).all(|at| (found[at] - expected[at]).abs() < 1e-15), "{found:?}");
    check(&system, &q, &v);
}
