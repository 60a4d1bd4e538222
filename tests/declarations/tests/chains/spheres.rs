//! Declared systems on (S²)^N: the derived equations against the printed ones, orders, and exact invariants.

use fixtures::measure::{order, run, self_convergence};
use fixtures::random::Random;
use fixtures::reference;
use fixtures::systems::spheres::{
    direction, double_pendulum, plain_pendulum, rotors, three_rotors, unit_double_pendulum,
};
use lie_runtime::integrator::CommutatorFree;
use lie_runtime::integrator::Integrator;
use lie_runtime::integrator::generalized_alpha::{self, GeneralizedAlpha, Parameters};
use lie_runtime::nalgebra::SMatrix;
use lie_runtime::nalgebra::SVector;
use lie_runtime::prelude::*;
use lie_runtime::simulate::ConsistentValues;
use lie_runtime::system::CheckPoint;

use double_pendulum::{Links, Pendulum, System};

/// ω' of the derived equations.
fn derived(system: &System, q: &Links, v: &Vector6<f64>) -> Vector6<f64> {
    let (mut mass, mut force, mut acceleration) = (system.zero_mass(), Vector6::zeros(), Vector6::zeros());
    system.mass(0.0, q, &mut mass).unwrap();
    system.force(0.0, q, v, &mut force);
    system.solve_mass(&mut mass, &force, &mut acceleration);
    acceleration
}

/// R(q) ω' = g(q, ω) as paper 3 prints it (section 5): R_ii = M_ii I, R_ij = M_ij q̂_iᵀ q̂_j.
fn printed(data: &Pendulum, q: &Links, v: &Vector6<f64>) -> Vector6<f64> {
    let directions = q.links.map(|link| link.direction());
    let below = [data.masses[0] + data.masses[1], data.masses[1]];
    let mut inertia = SMatrix::<f64, 6, 6>::zeros();
    let mut right = Vector6::zeros();
    for i in 0..2 {
        let mut row = -directions[i].cross(&Vector3::z()) * (below[i] * data.gravity * data.lengths[i]);
        for j in 0..2 {
            let coupling = below[i.max(j)] * data.lengths[i] * data.lengths[j];
            let block = if i == j {
                Matrix3::identity()
            } else {
                let omega = v.fixed_rows::<3>(3 * j);
                row += directions[i].cross(&directions[j]) * (coupling * omega.norm_squared());
                directions[i].cross_matrix().transpose() * directions[j].cross_matrix()
            };
            inertia.fixed_view_mut::<3, 3>(3 * i, 3 * j).copy_from(&(block * coupling));
        }
        right.fixed_rows_mut::<3>(3 * i).copy_from(&row);
    }
    inertia.lu().solve(&right).expect("R(q) is regular")
}

#[test]
fn derived_accelerations_are_the_printed_ones() {
    let mut random = Random::new(11);
    let mut vector = || Vector3::from_fn(|_, _| random.number());
    for _ in 0..200 {
        let data = Pendulum { masses: [1.3, 0.7], lengths: [0.9, 1.2], gravity: 9.81 };
        let q = Links { links: [(); 2].map(|()| S2::new(vector()).unwrap()) };
        let omega = q.links.map(|link| link.direction().cross(&vector()));
        let v = Vector6::from_fn(|row, _| omega[row / 3][row % 3]);
        let expected = printed(&data, &q, &v);
        let found = derived(&System::new(data).unwrap(), &q, &v);
        let deviation = (found - expected).norm() / expected.norm();
        assert!(deviation < 1e-12, "{deviation:.1e}");
        for (link, direction) in q.links.iter().enumerate() {
            let along = direction.direction().dot(&found.fixed_rows::<3>(3 * link));
            assert!(along.abs() < 1e-12 * expected.norm(), "q · ω' = {along:.1e}");
        }
    }
}

/// q and ω of the reference at t = 0, in a plane.
fn start_of_the_reference() -> (Links, Vector6<f64>) {
    (Links { links: [direction(1.0, 0.0, 1.0); 2] }, Vector6::new(0.0, 1.0, 0.0, 0.0, 1.0, 0.0))
}

/// A start out of the plane.
fn start_in_space() -> (Links, Vector6<f64>) {
    let links = [direction(1.0, 0.2, 0.4), direction(0.3, -0.8, 0.5)];
    let omega = [Vector3::new(0.5, 1.0, -0.7), Vector3::new(-0.3, 0.6, 1.1)];
    let omega = [0, 1].map(|link| links[link].direction().cross(&omega[link]));
    (Links { links }, Vector6::from_fn(|row, _| omega[row / 3][row % 3]))
}

/// The distance from the reference at t = 1.
fn error(method: impl Integrator<System>, steps: u32) -> f64 {
    let (end, q, omega, _) = reference::double_pendulum(0);
    let system = unit_double_pendulum();
    let trajectory = run(&system, start_of_the_reference(), method, end / f64::from(steps), end);
    let state = trajectory.states.last().unwrap();
    (0..2).fold(0.0_f64, |error, link| {
        let omega = omega[link] - state.velocity.fixed_rows::<3>(3 * link);
        error.hypot((q[link] - state.configuration.links[link].direction()).norm()).hypot(omega.norm())
    })
}

#[test]
fn orders_against_the_reference() {
    fn check(label: &str, method: impl Integrator<System> + Copy, steps: u32, expected: f64, tolerance: f64) {
        let (coarse, fine) = (error(method, steps), error(method, 2 * steps));
        let observed = order(coarse, fine);
        println!("{label}: {coarse:.2e} {fine:.2e}, order {observed:.3}");
        assert!((observed - expected).abs() < tolerance, "{label}: {observed}");
    }
    check("rkmk3", OnMechanical(MuntheKaas::rkmk3()), 1000, 3.0, 0.1);
    check("rkmk4", OnMechanical(MuntheKaas::rkmk4()), 1000, 4.0, 0.15);
    check("cf4", OnMechanical(CommutatorFree::cf4()), 1000, 4.0, 0.15);
    check("herk4", HalfExplicit::herk4(), 1000, 4.0, 0.15);
    check("hedop5", HalfExplicit::hedop5(), 400, 5.0, 0.15);
}

#[test]
fn orders_of_implicit_methods_in_space() {
    fn check(label: &str, orders: [f64; 3]) {
        println!("{label}: {orders:.3?}");
        assert!(orders[..2].iter().all(|order| (order - 2.0).abs() < 0.1), "{label}: {orders:?}");
    }
    let (system, start) = (unit_double_pendulum(), start_in_space());
    for method in generalized_alpha::METHODS {
        check(method.id, self_convergence(&system, &start, method.id, [400, 3200], 1.0));
    }
    // RATTLie wants a constant M.
    let data = plain_pendulum::Pendulum { inertia: 1.7, weight: 3.0, friction: 0.2 };
    let (system, link) = (plain_pendulum::System::new(data).unwrap(), start.0.links[0]);
    let turn = link.direction().cross(&Vector3::new(0.5, 1.0, -0.7));
    let start = (plain_pendulum::Link { link }, turn);
    check("rattlie", self_convergence(&system, &start, "rattlie", [200, 1600], 2.0));
}

/// |1 − q · q| and |q · ω| along 1000 steps.
fn defects(method: impl Integrator<System>) -> [f64; 2] {
    let system = unit_double_pendulum();
    let trajectory = run(&system, start_in_space(), method, 1e-2, 10.0);
    trajectory.states.iter().fold([0.0, 0.0], |[norm, angle], state| {
        (0..2).fold([norm, angle], |[norm, angle], link| {
            let q = state.configuration.links[link].direction();
            let along = q.dot(&state.velocity.fixed_rows::<3>(3 * link));
            [norm.max((1.0 - q.norm_squared()).abs()), angle.max(along.abs())]
        })
    })
}

/// SE(3) acts on (q, ω): both hold to round-off. If R³ acts on ω alone, the second has the order of the method.
#[test]
fn directions_stay_on_the_tangent_bundle() {
    for (label, defects) in [
        ("rkmk3", defects(OnMechanical(MuntheKaas::rkmk3()))),
        ("rkmk4", defects(OnMechanical(MuntheKaas::rkmk4()))),
        ("cf4", defects(OnMechanical(CommutatorFree::cf4()))),
    ] {
        println!("{label}: {defects:?}");
        // |ω| is about ten; what is along q is the round-off of one step.
        assert!(defects[0] < 1e-13 && defects[1] < 1e-14, "{label}: {defects:?}");
    }
    let [norm, angle] = defects(HalfExplicit::herk3());
    println!("herk3: {norm:.1e} {angle:.1e}");
    assert!(norm < 1e-12 && angle > 1e-10, "{norm:.1e} {angle:.1e}");
}

/// A rotation about a direction moves nothing: a simulation removes it from the initial velocity and reports it.
#[test]
fn spins_are_taken_from_initial_velocities() {
    let (system, (q, v)) = (unit_double_pendulum(), start_in_space());
    let mut spinning = v;
    for link in 0..2 {
        let spin = q.links[link].direction() * (1.0 + link as f64);
        let omega = spinning.fixed_rows::<3>(3 * link) + spin;
        spinning.fixed_rows_mut::<3>(3 * link).copy_from(&omega);
    }
    let (state, consistency) = ConsistentValues::of(&system).state(&system, 0.0, q, spinning).unwrap();
    assert!((state.velocity - v).norm() < 1e-15);
    assert!((consistency.velocity.distance - 5.0_f64.sqrt()).abs() < 1e-14);
    // One that is tangential to round-off is not touched.
    let (state, consistency) = ConsistentValues::of(&system).state(&system, 0.0, q, v).unwrap();
    assert_eq!((state.velocity, consistency.velocity.distance), (v, 0.0));
    // The same of a chain.
    let data = rotors::Data { inertia: 1.3, stiffness: 4.0 };
    let chain = rotors::System::new(data, rotors::Lengths { rotors: 2 }).unwrap();
    let rotors = rotors::Rotors { rotors: q.links.to_vec() };
    let given = lie_runtime::nalgebra::DVector::from_column_slice(spinning.as_slice());
    let (state, consistency) = ConsistentValues::of(&chain).state(&chain, 0.0, rotors, given).unwrap();
    assert!((state.velocity.fixed_rows::<6>(0) - v).norm() < 1e-15);
    assert!((consistency.velocity.distance - 5.0_f64.sqrt()).abs() < 1e-14);
}

#[test]
fn both_forms_of_the_inertia_move_alike() {
    // T = ½ J |ω|² and T = ½ m L² |ω × q|² of a single link: the lower one of a chain whose upper mass is immovable.
    let plain = plain_pendulum::Pendulum { inertia: 1.44, weight: 11.772, friction: 0.0 };
    let plain = plain_pendulum::System::new(plain).unwrap();
    let data = Pendulum { masses: [1e9, 1.0], lengths: [1.0, 1.2], gravity: 9.81 };
    let (start, turn) = (direction(0.3, -0.8, 0.5), Vector3::new(0.8, 0.3, 0.0));
    let method = OnMechanical(MuntheKaas::rkmk4());
    let system = System::new(data).unwrap();
    let chain = run(
        &system,
        (Links { links: [direction(0.0, 0.0, -1.0), start] }, Vector6::new(0.0, 0.0, 0.0, turn.x, turn.y, turn.z)),
        method,
        1e-3,
        1.0,
    );
    let single = run(&plain, (plain_pendulum::Link { link: start }, turn), method, 1e-3, 1.0);
    let (chain, single) = (chain.states.last().unwrap(), single.states.last().unwrap());
    let difference = chain.configuration.links[1].direction() - single.configuration.link.direction();
    assert!(difference.norm() < 1e-7, "{:.1e}", difference.norm());
}

/// A chain of spheres is the power of the same length, for explicit and for implicit methods.
#[test]
fn chains_move_like_powers() {
    let few = three_rotors::System::new(three_rotors::Data { inertia: 1.3, stiffness: 4.0 }).unwrap();
    let data = rotors::Data { inertia: 1.3, stiffness: 4.0 };
    let chain = rotors::System::new(data, rotors::Lengths { rotors: 3 }).unwrap();
    let links = [direction(1.0, 0.2, 0.4), direction(0.3, -0.8, 0.5), direction(-0.2, 0.1, 1.0)];
    let omega = SVector::<f64, 9>::from_fn(|row, _| {
        links[row / 3].direction().cross(&Vector3::new(0.7, -0.4, [0.2, 1.2, 2.2][row / 3]))[row % 3]
    });
    let start = || (three_rotors::Rotors { rotors: links }, omega);
    let long = || {
        let velocity = lie_runtime::nalgebra::DVector::from_column_slice(omega.as_slice());
        (rotors::Rotors { rotors: links.to_vec() }, velocity)
    };
    let explicit = OnMechanical(MuntheKaas::rkmk4());
    let implicit = GeneralizedAlpha::index3(Parameters::chung_hulbert(0.8).unwrap());
    for (label, a, b) in [
        ("rkmk4", run(&few, start(), explicit, 1e-2, 2.0), run(&chain, long(), explicit, 1e-2, 2.0)),
        ("lie_alpha", run(&few, start(), implicit, 1e-2, 2.0), run(&chain, long(), implicit, 1e-2, 2.0)),
    ] {
        let (a, b) = (a.states.last().unwrap(), b.states.last().unwrap());
        for (link, (one, other)) in a.configuration.rotors.iter().zip(&b.configuration.rotors).enumerate() {
            let along = other.direction().dot(&b.velocity.fixed_rows::<3>(3 * link));
            println!("{label}: {:.1e}, q · ω = {along:.1e}", (one.direction() - other.direction()).norm());
            assert!((one.direction() - other.direction()).norm() < 1e-10, "{label}");
            assert!(label != "rkmk4" || along.abs() < 1e-13, "{label}: {along}");
        }
    }
}

/// Two directions with moments, friction and a velocity constraint, all declared in terms of the full ω.
#[mechanical_system(derivative_check)]
pub mod told_by_omega {
    use lie_runtime::prelude::*;

    #[configuration]
    pub struct Needles {
        pub needles: [S2; 2],
        pub wheel: SO2,
    }

    #[kinetic_energy]
    fn kinetic(v: &Velocity) -> f64 {
        0.5 * (v.needles[0].norm_squared() + 2.0 * v.needles[1].norm_squared() + v.wheel * v.wheel)
    }

    #[force(on = needles[0])]
    fn moment() -> Vector3<f64> {
        Vector3::new(0.2, 0.0, 1.0)
    }

    #[force]
    fn everywhere(v: &Velocity) -> SVector<f64, 7> {
        let w = v.needles[1];
        SVector::<f64, 7>::from_column_slice(&[0.0, 0.1, 0.0, 0.3 * w.y, 0.2, -0.1, 0.05])
    }

    #[dissipation]
    fn rubbed(v: &Velocity) -> f64 {
        0.2 * (v.needles[0] - v.needles[1]).norm_squared()
    }

    /// The wheel turns as fast as the second needle about the vertical.
    #[velocity_constraint]
    fn geared(v: &Velocity) -> f64 {
        v.wheel - v.needles[1].z
    }
}

/// Both q and both ω after a second: moments without their parts along q, and the wheel as inertia of the second needle.
fn by_hand(start: [Vector3<f64>; 4]) -> [Vector3<f64>; 4] {
    let rate = |[p, q, v, w]: [Vector3<f64>; 4]| {
        let across = |n: Vector3<f64>, x: Vector3<f64>| x - n * n.dot(&x);
        let first = across(p, Vector3::new(0.2, 0.1, 1.0) - 0.4 * (v - w));
        // The wheel turns with a · ω, a = P e₃: its inertia and its moment act on ω along a, whose rate is −(a · q)' q − (e₃ · q) q'.
        let (a, turned) = (across(q, Vector3::z()), w.cross(&q));
        let bend = -q * turned.z - turned * q.z;
        let own = across(q, Vector3::new(0.3 * w.y, 0.2, -0.1) - 0.4 * (w - v));
        let second = own + a * (0.05 - bend.dot(&w));
        let inertia = Matrix3::identity() * 2.0 + a * a.transpose();
        [v.cross(&p), turned, first, inertia.try_inverse().unwrap() * second]
    };
    let moved = |x: [Vector3<f64>; 4], k: [Vector3<f64>; 4], h: f64| core::array::from_fn(|at| x[at] + k[at] * h);
    let (mut x, h) = (start, 1e-3);
    for _ in 0..1000 {
        let k1 = rate(x);
        let k2 = rate(moved(x, k1, 0.5 * h));
        let k3 = rate(moved(x, k2, 0.5 * h));
        let k4 = rate(moved(x, k3, h));
        x = core::array::from_fn(|at| x[at] + (k1[at] + 2.0 * k2[at] + 2.0 * k3[at] + k4[at]) * (h / 6.0));
    }
    x
}

/// The component along q of a moment, of a derivative of a dissipation and of a constraint row does not rotate a direction.
#[test]
fn what_is_told_by_omega_moves_directions_alone() {
    let system = told_by_omega::System::new().unwrap();
    let directions = [Vector3::new(0.6, 0.0, 0.8), Vector3::new(0.0, 0.28, -0.96)];
    let omegas = [Vector3::new(0.0, 0.5, 0.0), Vector3::new(0.7, 0.0, 0.0)];
    let q0 = told_by_omega::Needles { needles: directions.map(|q| S2::new(q).unwrap()), wheel: SO2::identity() };
    let v0 = told_by_omega::Velocity { needles: omegas, wheel: 0.0 };
    let expected = by_hand([directions[0], directions[1], omegas[0], omegas[1]]);
    for (method, tolerance) in [
        ("hedop5", 1e-9),
        ("rkmk4", 1e-7),
        ("gauss4", 1e-7),
        ("radau_iia5", 1e-9),
        ("lie_alpha", 1e-3),
        ("tr_bdf2", 1e-3),
        ("bliedf3", 1e-4),
        ("rattlie", 1e-3),
    ] {
        let start = Simulation::of(&system).initial(q0, v0);
        // Gauss methods take no constraints.
        let Ok(run) = start.method_named(method) else { continue };
        let run = run.step(0.01).end_time(1.0).monitor_energy().run().unwrap();
        let end = run.last();
        for (at, needle) in end.configuration.needles.iter().enumerate() {
            let omega: Vector3<f64> = end.velocity.fixed_rows::<3>(3 * at).into();
            let error = (needle.direction() - expected[at]).norm() + (omega - expected[2 + at]).norm();
            assert!(error < tolerance, "{method}, needle {at}: {error:.1e}");
        }
        assert!(run.statistics.energy_defect.unwrap() < 10.0 * tolerance.max(1e-8), "{method}");
    }
    let mut random = Random::new(7);
    for _ in 0..3 {
        let mut vector = || SVector::<f64, 7>::from_fn(|_, _| random.number());
        let (v, acceleration) = (vector(), vector());
        let at = CheckPoint { t: 0.2, q: &q0, v: &v, acceleration: &acceleration, multipliers: &Vector1::new(0.7) };
        for kernel in derivative_check(&system, at) {
            assert!(kernel.deviation < 1e-12, "{kernel:?}");
        }
    }
}
