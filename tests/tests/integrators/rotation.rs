//! Rotation of a rigid body (paper 5): orders, invariants, and how the methods are related.

use fixtures::measure::{energy, order, run};
use fixtures::reference;
use fixtures::systems::formulation::HeavyTop;
use fixtures::systems::free_body::motor_pendulum_example;
use fixtures::systems::heavy_tops::so3xr3;
use fixtures::systems::rotating_bodies::{MOMENTS, free, free_body, loaded, quaternion_top, top, top_on_so3};
use lie_runtime::integrator::rotation::{METHODS, RotationMap, Rule, Substep};
use lie_runtime::integrator::{Integrator, Rotation, StepFailure, tableau};
use lie_runtime::prelude::*;
use lie_runtime::system::Linearised;

/// A method by its identifier.
fn method(id: &str) -> Rotation {
    Rotation::by_id(id).unwrap()
}

/// Errors of R and of Π (or Ω: the moments are constant) at the end of a run.
fn errors<M: Linearised<Scalar = f64, Velocity = Vector3<f64>>>(
    last: &State<M>,
    attitude: Matrix3<f64>,
    exact: (Matrix3<f64>, Vector3<f64>),
) -> [f64; 2] {
    [(attitude - exact.0).norm(), (last.velocity - exact.1).norm()]
}

#[test]
fn every_method_has_its_order_on_the_slow_top() {
    let (t, attitude, velocity) = reference::slow_lagrange_top(0);
    let (system, q, v) = top(false);
    for method in Rotation::all() {
        let p = METHODS.iter().find(|entry| entry.id == method.id()).unwrap().order;
        let steps = [4096, 256, 128, 64, 64, 32][p - 1];
        let [coarse, fine] = [steps, 2 * steps].map(|steps| {
            let run = run(&system, (q, v), method, t / f64::from(steps), t);
            let last = run.last();
            errors(last, last.configuration.attitude.matrix(), (attitude, velocity))
        });
        for (coarse, fine) in coarse.into_iter().zip(fine) {
            let slope = order(coarse, fine);
            println!("{}: {slope:.3} {fine:.1e}", method.id());
            assert!((slope - p as f64).abs() < 0.1, "{}: {slope:.3}", method.id());
        }
    }
}

/// Torques of time and attitude, and both representations of rotations.
#[test]
fn torques_may_depend_on_time() {
    let (system, q, v) = loaded(2.0);
    let exact = |t: f64| SO3::<f64>::exp(&Vector3::new(t + t.sin(), 0.0, t.cos())).matrix();
    for method in Rotation::all().filter(|method| Integrator::<free_body::System>::order(method) == 2) {
        let [coarse, fine] = [200, 400].map(|steps| {
            let run = run(&system, (q, v), method, 2.0 / f64::from(steps), 2.0);
            (run.last().configuration.attitude.rotation_matrix() - exact(2.0)).norm()
        });
        let slope = order(coarse, fine);
        assert!((slope - 2.0).abs() < 0.1, "{}: {slope:.3} {fine:.1e}", method.id());
    }
}

/// The same numbers on SO(3) and on S³.
#[test]
fn matrices_and_quaternions_agree() {
    let (system, q, v) = top(false);
    let (on_s3, start, _) = quaternion_top(false);
    for method in Rotation::all() {
        let matrix = run(&system, (q, v), method, 0.01, 2.0);
        let quaternion = run(&on_s3, (start, v), method, 0.01, 2.0);
        let (matrix, quaternion) = (matrix.last(), quaternion.last());
        let difference = matrix.configuration.attitude.matrix() - quaternion.configuration.attitude.rotation_matrix();
        assert!(difference.amax() < 1e-11, "{}: {:e}", method.id(), difference.amax());
    }
}

/// The largest relative changes of energy and of the momentum in space over 1000 steps of a free body.
fn changes(method: Rotation) -> [f64; 2] {
    let (system, q, v) = free();
    let run = run(&system, (q, v), method, 0.1, 100.0);
    let start = MOMENTS.component_mul(&v);
    let kinetic = energy(&system, &run.states[0]);
    run.states.iter().fold([0.0_f64; 2], |[most, turn], state| {
        let momentum = state.configuration.attitude * MOMENTS.component_mul(&state.velocity);
        [most.max((energy(&system, state) / kinetic - 1.0).abs()), turn.max((momentum - start).norm() / start.norm())]
    })
}

#[test]
fn invariants_of_the_free_body() {
    let kept = 1e-13;
    let lost = 1e-6..1e-2;
    for (id, keeps_energy, keeps_momentum) in [
        ("imid", true, false),
        ("trap", false, false),
        ("imidm", false, true),
        ("trapm", false, true),
        ("swc1", true, true),
        ("bbtrap", true, true),
        ("akw", true, true),
        ("bbtrapwd", false, true),
        ("mkrk_midpoint", false, true),
    ] {
        let [energy, momentum] = changes(method(id));
        println!("{id}: {energy:.1e} {momentum:.1e}");
        assert!(if keeps_energy { energy < kept } else { lost.contains(&energy) }, "{id}: energy {energy:e}");
        assert!(if keeps_momentum { momentum < kept } else { lost.contains(&momentum) }, "{id}: momentum {momentum:e}");
    }
}

/// TRAP keeps the energy of its midpoints, which forward Euler over half a step leads to (paper 5, section 3.5).
#[test]
fn trap_keeps_the_energy_of_midpoints() {
    let (system, q, v) = free();
    let h = 0.1;
    let run = run(&system, (q, v), Rotation::trap(), h, 100.0);
    let kinetic = |v: &Vector3<f64>| {
        let momentum = MOMENTS.component_mul(v);
        let middle = momentum + 0.5 * h * momentum.cross(v);
        0.5 * middle.dot(&middle.component_div(&MOMENTS))
    };
    let start = kinetic(&v);
    for state in &run.states {
        assert!((kinetic(&state.velocity) / start - 1.0).abs() < 1e-13);
    }
}

/// One step of each method in turn; the parts of the steps may be negative.
fn steps<M: Linearised<Scalar = f64>>(system: &M, start: &State<M>, methods: &[(Rotation, f64)]) -> State<M> {
    let (mut from, mut to) = (start.clone(), start.clone());
    for (method, h) in methods {
        let mut workspace = Integrator::<M>::workspace(method, system, &from);
        method.start(system, &mut from, &mut workspace).unwrap();
        method.step(system, &from, *h, &mut to, &mut workspace).unwrap();
        core::mem::swap(&mut from, &mut to);
    }
    from
}

/// The largest difference of two states, as an angle or relative to the velocity.
fn difference<M: Linearised<Scalar = f64, Velocity = Vector3<f64>>>(system: &M, a: &State<M>, b: &State<M>) -> f64 {
    let mut theta = system.zero_velocity();
    system.space().log_difference(&a.configuration, &b.configuration, &mut theta);
    theta.amax().max((a.velocity - b.velocity).amax() / b.velocity.amax())
}

/// A top well on its way, so that nothing vanishes.
fn on_its_way() -> (top_on_so3::System, State<top_on_so3::System>) {
    let (system, q, v) = top(false);
    let state = run(&system, (q, v), Rotation::imidm(), 0.01, 1.0).last().clone();
    (system, state)
}

const H: f64 = 0.05;

#[test]
fn methods_are_symmetric_and_the_euler_methods_adjoint() {
    let (system, state) = on_its_way();
    let pairs = [
        ("trap", "trap"),
        ("imid", "imid"),
        ("trapm", "trapm"),
        ("imidm", "imidm"),
        ("swc1", "swc1"),
        ("akw", "akw"),
        ("bbtrap", "bbtrap"),
        ("euler_forward", "euler_backward"),
        ("euler_backward", "euler_forward"),
        ("eulerm_forward", "eulerm_backward"),
        ("eulerm_backward", "eulerm_forward"),
    ];
    for (there, back) in pairs {
        let end = steps(&system, &state, &[(method(there), H), (method(back), -H)]);
        let error = difference(&system, &end, &state);
        assert!(error < 2e-14, "{there}, {back}: {error:e}");
    }
    // A method that is not symmetric does not come back.
    let end = steps(&system, &state, &[(method("euler_forward"), H), (method("euler_forward"), -H)]);
    assert!(difference(&system, &end, &state) > 1e-4);
}

/// Φᴹ = (Φᵇᴱ)⁻¹ Φᵀ Φᵇᴱ with half steps, where (Φᵇᴱ_{h/2})⁻¹ = Φᶠᴱ_{−h/2} (paper 5, section 3.5).
#[test]
fn midpoint_and_trapezoidal_rules_are_conjugate() {
    let (system, state) = on_its_way();
    for (midpoint, trapezoid, forward, backward) in
        [("imid", "trap", "euler_forward", "euler_backward"), ("imidm", "trapm", "eulerm_forward", "eulerm_backward")]
    {
        let chain = [(method(backward), 0.5 * H), (method(trapezoid), H), (method(forward), -0.5 * H)];
        let direct = steps(&system, &state, &[(method(midpoint), H)]);
        let error = difference(&system, &steps(&system, &state, &chain), &direct);
        assert!(error < 1e-13, "{midpoint}: {error:e}");
    }
}

#[test]
fn some_methods_are_the_same() {
    let (system, q, v) = free();
    let last = |id: &str| run(&system, (q, v), method(id), 0.1, 20.0).last().clone();
    assert!(difference(&system, &last("bbtrap"), &last("swc1")) < 1e-12);
    assert!(difference(&system, &last("bbtrap"), &last("bbtrapwd")) > 1e-6);

    let (system, state) = on_its_way();
    let one = |id: &str| steps(&system, &state, &[(method(id), H)]);
    assert!(difference(&system, &one("imidm"), &one("mkrk_midpoint")) < 1e-14);
    assert!(difference(&system, &one("bbtrap"), &one("swc1")) > 1e-6);
    let euler = |tableau| steps(&system, &state, &[(Rotation::munthe_kaas(tableau).unwrap(), H)]);
    assert!(difference(&system, &one("eulerm_forward"), &euler(&tableau::EULER)) < 1e-14);
    assert!(difference(&system, &one("eulerm_backward"), &euler(&tableau::BACKWARD_EULER)) < 1e-14);
}

/// BBTRAPWD as the paper writes it: Ψ = h/2 (T(Ψ)⁻¹ ω₁ + ω₀), Π₁ = exp(−Ψ) (Π₀ + h/2 T₀) + h/2 T₁.
#[test]
fn the_trapezoidal_tableau_is_bbtrapwd() {
    let (system, state) = on_its_way();
    let end = steps(&system, &state, &[(method("bbtrapwd"), H)]);
    let psi = (state.configuration.attitude.inverse() * end.configuration.attitude).log();
    let mean = 0.5 * H * (SO3::tangent_inverse(&psi, &end.velocity) + state.velocity);
    assert!((psi - mean).amax() < 1e-14, "{:e}", (psi - mean).amax());
    let moments = Vector3::new(5.0, 5.0, 1.0);
    let torque = |state: &State<_>| {
        let mut torque = Vector3::zeros();
        system.force(state.time, &state.configuration, &Vector3::zeros(), &mut torque);
        torque
    };
    let carried = moments.component_mul(&state.velocity) + 0.5 * H * torque(&state);
    let momentum = SO3::exp(&psi).inverse() * carried + 0.5 * H * torque(&end);
    assert!((moments.component_mul(&end.velocity) - momentum).amax() < 1e-13);
}

/// AKW keeps the energy of the heavy top too: its torque is linear in R (paper 5, section 4).
#[test]
fn akw_keeps_the_energy_of_the_top() {
    let (system, q, v) = top(false);
    let change = |id: &str| {
        let run = run(&system, (q, v), method(id), 0.02, 20.0);
        let start = energy(&system, &run.states[0]);
        run.states.iter().map(|state| (energy(&system, state) / start - 1.0).abs()).fold(0.0, f64::max)
    };
    assert!(change("akw") < 1e-13, "{:e}", change("akw"));
    assert!(change("imidm") > 1e-6);
}

#[test]
fn newton_converges_quadratically() {
    let (system, mut state) = on_its_way();
    let mut to = state.clone();
    for method in Rotation::all() {
        let explicit = match method.rule() {
            Rule::Composition(maps) => maps.iter().all(|substep| matches!(substep.map, RotationMap::Forward(_))),
            Rule::MuntheKaas(tableau) => tableau.is_explicit(),
        };
        let mut workspace = Integrator::<top_on_so3::System>::workspace(&method, &system, &state);
        method.start(&system, &mut state, &mut workspace).unwrap();
        method.step(&system, &state, 0.2, &mut to, &mut workspace).unwrap();
        let corrections = workspace.corrections();
        assert_eq!(corrections.is_empty(), explicit, "{}", method.id());
        for pair in corrections.windows(2).filter(|pair| pair[0] < 0.1) {
            assert!(pair[1] < 2.0 * pair[0].powi(2) + 1e-15, "{}: {corrections:?}", method.id());
        }
        assert!(corrections.len() <= 6, "{}: {corrections:?}", method.id());
    }
}

#[test]
fn other_systems_are_refused_with_a_reason() {
    fn failure<M: Linearised<Scalar = f64>>(system: &M, q: M::Configuration, v: M::Velocity) -> StepFailure {
        let mut state = State::at_rest(system, 0.0, q);
        state.velocity = v;
        let method = Rotation::imidm();
        let mut workspace = Integrator::<M>::workspace(&method, system, &state);
        let failure = method.start(system, &mut state, &mut workspace).unwrap_err().failure;
        let mut to = state.clone();
        if system.dof() != 3 {
            assert_eq!(method.step(system, &state, 0.1, &mut to, &mut workspace).unwrap_err().failure, failure);
        }
        failure
    }
    let refused = |failure: StepFailure| {
        assert!(matches!(failure, StepFailure::NotApplicable { method: "imidm", .. }), "{failure:?}");
        assert!(failure.to_string().contains("without constraints"), "{failure}");
    };
    let (q, v) = so3xr3::System::initial();
    refused(failure(&so3xr3::System::of_the_paper(), q, v));
    let (system, q, v) = motor_pendulum_example();
    refused(failure(&system, q, v));
    let (system, q, v) = damped_example();
    refused(failure(&system, q, v));
}

/// A torque that depends on the velocity.
#[mechanical_system]
pub mod damped {
    use lie_runtime::prelude::*;

    /// The body.
    #[configuration]
    pub struct Body {
        /// Body to space.
        pub attitude: SO3,
    }

    #[kinetic_energy]
    fn rotation(v: &Velocity) -> f64 {
        0.5 * v.attitude.norm_squared()
    }

    #[dissipation]
    fn friction(v: &Velocity) -> f64 {
        0.01 * v.attitude.norm_squared()
    }
}

fn damped_example() -> (damped::System, damped::Body, Vector3<f64>) {
    (damped::System::new().unwrap(), damped::Body { attitude: SO3::identity() }, Vector3::x())
}

/// A composition of one's own: the midpoint rule three times, of order 4 (Suzuki, Yoshida).
#[test]
fn compositions_of_ones_own() {
    const GAMMA: f64 = 1.351_207_191_959_657_8;
    const fn half(map: RotationMap, part: f64) -> Substep {
        Substep { map, part: 0.5 * part }
    }
    const BACKWARD: RotationMap = RotationMap::Backward(lie_runtime::integrator::rotation::MomentumBalance::Momentum);
    const FORWARD: RotationMap = RotationMap::Forward(lie_runtime::integrator::rotation::MomentumBalance::Momentum);
    static MAPS: [Substep; 6] = [
        half(BACKWARD, GAMMA),
        half(FORWARD, GAMMA),
        half(BACKWARD, 1.0 - 2.0 * GAMMA),
        half(FORWARD, 1.0 - 2.0 * GAMMA),
        half(BACKWARD, GAMMA),
        half(FORWARD, GAMMA),
    ];
    let method = Rotation::composition("yoshida4", 4, &MAPS).unwrap();
    let (t, attitude, velocity) = reference::slow_lagrange_top(0);
    let (system, q, v) = top(false);
    let [coarse, fine] = [64, 128].map(|steps| {
        let run = run(&system, (q, v), method, t / f64::from(steps), t);
        let last = run.last();
        errors(last, last.configuration.attitude.matrix(), (attitude, velocity))
    });
    assert!((order(coarse[0], fine[0]) - 4.0).abs() < 0.1, "{:.3}", order(coarse[0], fine[0]));
}

#[test]
fn a_step_allocates_nothing() {
    let (system, mut state) = on_its_way();
    let mut to = state.clone();
    for method in Rotation::all() {
        let mut workspace = Integrator::<top_on_so3::System>::workspace(&method, &system, &state);
        let allocations = allocation_counter::measure(|| {
            method.start(&system, &mut state, &mut workspace).unwrap();
            for _ in 0..10 {
                method.step(&system, &state, 0.01, &mut to, &mut workspace).unwrap();
            }
        });
        assert_eq!(allocations.count_total, 0, "{}", method.id());
    }
}
