//! Values that are computed once at a point belong to this point and to its parameters.

use hand_written::free_body::FreeBody;
use lie_runtime::field::{FieldState, FirstOrder, HamiltonianProblem, MechanicalField};
use lie_runtime::group::TangentVector;
use lie_runtime::integrator::CommutatorFree;
use lie_runtime::integrator::Integrator;
use lie_runtime::nalgebra::DVector;
use lie_runtime::prelude::*;
use lie_runtime::simulate::ConsistentValues;
use lie_runtime::space::Cotangent;
use lie_runtime::system::{Evaluation, MassFactorisation, Parametrised};

/// Two rods from the base and a coupler whose end is on the tip of the second one, which may be driven.
#[mechanical_system]
mod linkage {
    use lie_runtime::prelude::*;

    #[configuration]
    pub struct Angles {
        pub hinges: Vec<SO2>,
    }

    #[parameters]
    pub struct Data {
        pub arms: [Vector2<f64>; 3],
        pub mass: f64,
    }

    #[kinematics(over = hinges, parents = parents)]
    pub fn body(data: &Data, index: usize, above: &SE2, hinge: &SO2) -> SE2 {
        *above * SE2::new(*hinge, data.arms[index])
    }

    #[kinetic_energy(over = body)]
    fn kinetic(data: &Data, v: &Vector3<f64>) -> f64 {
        0.5 * data.mass * (v[1] * v[1] + v[2] * v[2]) + 0.05 * v[0] * v[0]
    }

    #[potential(over = body)]
    fn weight(x: &SE2) -> f64 {
        9.81 * x.position().y
    }

    /// A force between two frames.
    #[potential(over = (body, body).by(pins))]
    fn spring(a: &SE2, b: &SE2) -> f64 {
        2.0 * (a.position() - b.position()).norm_squared()
    }

    #[constraint(over = (body, body).by(pins))]
    fn pinned(t: f64, coupler: &SE2, rocker: &SE2) -> Vector2<f64> {
        coupler * Vector2::new(0.7 + 0.01 * t.sin(), 0.0) - rocker * Vector2::new(0.0, 0.5)
    }
}

/// A bob on a rod and a spring, in plain coordinates: M is constant, and the motion depends on it.
#[mechanical_system]
mod bob {
    use lie_runtime::prelude::*;

    #[configuration]
    pub struct Place {
        pub x: R2,
    }

    #[parameters]
    pub struct Data {
        pub mass: f64,
    }

    #[kinetic_energy]
    fn kinetic(data: &Data, v: &Velocity) -> f64 {
        0.5 * data.mass * v.x.norm_squared()
    }

    #[potential]
    fn spring(q: &Place) -> f64 {
        2.0 * (q.x - Vector2::new(1.0, 0.0)).norm_squared()
    }

    #[constraint]
    fn rod(q: &Place) -> f64 {
        0.5 * (q.x.norm_squared() - 1.0)
    }
}

/// The same without the rod, which has a Hamiltonian, along a chain: beads and springs.
#[mechanical_system]
mod beads {
    use lie_runtime::prelude::*;

    #[configuration]
    pub struct Places {
        pub x: Vec<R2>,
    }

    #[parameters]
    pub struct Data {
        pub mass: f64,
    }

    #[kinetic_energy(over = x)]
    fn kinetic(data: &Data, v: &Vector2<f64>) -> f64 {
        0.5 * data.mass * v.norm_squared()
    }

    #[potential(over = x.windows(2))]
    fn spring([a, b]: [&R2; 2]) -> f64 {
        2.0 * (b - a).norm_squared()
    }
}

fn linkage() -> linkage::System {
    let arms = [Vector2::zeros(), Vector2::new(0.0, 0.5), Vector2::new(0.7, 0.0)];
    let lengths = linkage::Lengths { hinges: 3, parents: vec![None, Some(0), None], pins: vec![[1, 2]] };
    linkage::System::new(linkage::Data { arms, mass: 2.0 }, lengths).unwrap()
}

/// A point off the constraints: derivatives of constraints do not require that the constraints hold.
fn at(angles: [f64; 3], rates: [f64; 3]) -> (linkage::Angles, DVector<f64>) {
    let hinges = angles.iter().map(|angle| SO2::exp(&Vector1::new(*angle))).collect();
    (linkage::Angles { hinges }, DVector::from_column_slice(&rates))
}

fn assert_close(found: &DVector<f64>, expected: &DVector<f64>, what: &str) {
    let apart = (found - expected).amax();
    assert!(apart < 1e-12 * (1.0 + expected.amax()), "{what}: {apart:e}");
}

/// −g, M and B of an evaluation equal the results of the separate kernels.
fn assert_is_that_of(
    system: &linkage::System,
    (t, (q, v)): (f64, &(linkage::Angles, DVector<f64>)),
    here: &Evaluation<linkage::System>,
    inertia: &mut MassFactorisation<linkage::System>,
) {
    let [mut force, mut found, mut expected] = [system.zero_velocity(), system.zero_velocity(), system.zero_velocity()];
    system.force(t, q, v, &mut force);
    assert_close(&here.force, &force, "the force");
    let mut jacobian = system.zero_jacobian();
    system.constraint_jacobian(t, q, &mut jacobian);
    let [mut found_rate, mut rate] = [system.zero_multipliers(), system.zero_multipliers()];
    system.jacobian_times(&here.jacobian, v, &mut found_rate);
    system.jacobian_times(&jacobian, v, &mut rate);
    assert_close(&found_rate, &rate, "B");
    let mut mass = system.zero_mass();
    system.mass(t, q, &mut mass).unwrap();
    system.solve_mass(&mut mass, &force, &mut expected);
    system.solve_mass(inertia.factors(), &force, &mut found);
    assert_close(&found, &expected, "M");
}

/// Two points in the order of half-explicit stages: B at both before M and −g at the first, with factors that both share.
#[test]
fn two_points_share_an_inertia() {
    let system = linkage();
    let places = [
        at([0.3, -0.2, 0.5], [1.0, -2.0, 0.5]),
        at([1.4, 0.9, -1.1], [-0.3, 0.8, 2.0]),
        at([-2.0, 0.4, 2.2], [0.7, 0.1, -1.5]),
    ];
    let (mut inertia, mut here, mut there) =
        (MassFactorisation::of(&system), Evaluation::of(&system), Evaluation::of(&system));
    here.place(&system, 0.0, &places[0].0);
    for turn in 0..6 {
        let [(t, first), (then, second)] =
            [turn, turn + 1].map(|number| (0.1 * number as f64, &places[number % places.len()]));
        there.place(&system, then, &second.0);
        here.complete(&system, (t, &first.0, &first.1), &mut inertia).unwrap();
        assert_is_that_of(&system, (t, first), &here, &mut inertia);
        core::mem::swap(&mut here, &mut there);
    }
}

/// v' and λ of one point after another, by one evaluation, solve M v' + Bᵀ λ = −g, B v' = −curvature of each.
#[test]
fn accelerations_are_those_of_the_point() {
    let system = linkage();
    let (mut inertia, mut here) = (MassFactorisation::of(&system), Evaluation::of(&system));
    for (t, (q, v)) in [
        (0.0, at([0.3, -0.2, 0.5], [1.0, -2.0, 0.5])),
        (0.4, at([1.4, 0.9, -1.1], [-0.3, 0.8, 2.0])),
        (0.8, at([-2.0, 0.4, 2.2], [0.7, 0.1, -1.5])),
    ] {
        let [mut acceleration, mut expected, mut force] =
            [system.zero_velocity(), system.zero_velocity(), system.zero_velocity()];
        let [mut curvature, mut multipliers, mut rows] =
            [system.zero_multipliers(), system.zero_multipliers(), system.zero_multipliers()];
        let is_constrained = here
            .accelerations(&system, (t, &q, &v), &mut inertia, &mut curvature, &mut acceleration, &mut multipliers)
            .unwrap();
        assert!(is_constrained);
        let (mut mass, mut jacobian) = (system.zero_mass(), system.zero_jacobian());
        system.mass(t, &q, &mut mass).unwrap();
        system.constraint_jacobian(t, &q, &mut jacobian);
        system.constraint_curvature(t, &q, &v, &mut rows);
        system.jacobian_times(&jacobian, &acceleration, &mut curvature);
        assert_close(&curvature, &-rows, "B v'");
        system.force(t, &q, &v, &mut force);
        let mut reaction = system.zero_velocity();
        system.jacobian_transpose_times(&jacobian, &multipliers, &mut reaction);
        system.solve_mass(&mut mass, &(force - reaction), &mut expected);
        assert_close(&acceleration, &expected, "v'");
    }
}

const STEP: f64 = 0.01;

/// q and v after a few steps, with buffers that may have been used before.
fn after<M, I>(system: &M, method: &I, start: &State<M>, workspace: &mut I::Workspace) -> State<M>
where
    M: MechanicalSystem<Scalar = f64>,
    I: Integrator<M>,
{
    let mut from = start.clone();
    ConsistentValues::of(system).accelerations(system, &mut from).unwrap();
    let mut to = from.clone();
    method.start(system, &mut from, workspace).unwrap();
    for _ in 0..5 {
        method.step(system, &from, STEP, &mut to, workspace).unwrap();
        core::mem::swap(&mut from, &mut to);
    }
    from
}

fn apart<M: MechanicalSystem<Scalar = f64>>(a: &State<M>, b: &State<M>) -> f64 {
    let mut difference = a.velocity.clone();
    difference.axpy(-1.0, &b.velocity);
    let mut accelerations = a.acceleration.clone();
    accelerations.axpy(-1.0, &b.acceleration);
    difference.max_norm() + accelerations.max_norm()
}

/// A run with other parameters in buffers that a run has used is that in fresh ones, and another one than the run before.
fn assert_forgets<M, I>([light, heavy]: [&M; 2], start: &State<M>, method: &I)
where
    M: MechanicalSystem<Scalar = f64>,
    I: Integrator<M>,
{
    let mut workspace = method.workspace(light, start);
    let before = after(light, method, start, &mut workspace);
    let found = after(heavy, method, start, &mut workspace);
    let expected = after(heavy, method, start, &mut method.workspace(heavy, start));
    assert!(apart(&found, &expected) < 1e-9, "{}: {:e}", method.id(), apart(&found, &expected));
    assert!(apart(&before, &expected) > 0.1, "{}: the mass does not matter", method.id());
}

#[test]
fn a_constant_mass_is_that_of_the_run() {
    let light = bob::System::new(bob::Data { mass: 1.0 }).unwrap();
    let heavy = light.with_parameters(bob::Data { mass: 3.0 }).unwrap();
    assert!(light.description().mass_is_constant);
    let start = bob::Place { x: Vector2::new(0.6, -0.8) };
    let (start, _) =
        ConsistentValues::of(&light).state(&light, 0.0, start, Vector2::new(0.4, 0.3)).expect("on the rod");
    let systems = [&light, &heavy];
    for method in HalfExplicit::all() {
        assert_forgets(systems, &start, &method);
    }
    for method in MuntheKaas::all() {
        assert_forgets(systems, &start, &OnMechanical(method));
    }
    for method in CommutatorFree::all() {
        assert_forgets(systems, &start, &OnMechanical(method));
    }
    for id in ["radau_iia3", "radau_iia3_index3"] {
        assert_forgets(systems, &start, &Collocation::by_id(id).expect("a method"));
    }
    for method in BLieDF::all() {
        assert_forgets(systems, &start, &method);
    }
    assert_forgets(systems, &start, &Rattlie::new());
    assert_forgets(systems, &start, &GeneralizedAlpha::simo_vu_quoc());
    assert_forgets(systems, &start, &TrBdf2::new());
    assert_forgets(systems, &start, &TrBdf2::third_order());
}

/// The same of a system by hand, whose factors are computed at a point and not with the system.
#[test]
fn factors_that_are_computed_are_those_of_the_run() {
    let [first, second] = [FreeBody(Vector3::new(1.0, 2.0, 3.0)), FreeBody(Vector3::new(3.0, 1.0, 2.0))];
    let mut start = State::at_rest(&first, 0.0, Matrix3::identity());
    start.velocity = Vector3::new(1.0, 2.0, 3.0);
    for method in HalfExplicit::all() {
        assert_forgets([&first, &second], &start, &method);
    }
    for method in MuntheKaas::all() {
        assert_forgets([&first, &second], &start, &OnMechanical(method));
    }
    for method in CommutatorFree::all() {
        assert_forgets([&first, &second], &start, &OnMechanical(method));
    }
}

/// The same of fields, which have momenta or velocities.
fn assert_field_forgets<F, I>(light: &F::System, heavy: &F::System, point: &F::Point, method: &I)
where
    F: FirstOrder<Scalar = f64>,
    I: Integrator<F>,
{
    let run = |system: &F::System, workspace: &mut I::Workspace| {
        let mut from = FieldState::<F>::at(system, 0.0, point.clone());
        let mut to = from.clone();
        method.start(system, &mut from, workspace).unwrap();
        for _ in 0..5 {
            method.step(system, &from, STEP, &mut to, workspace).unwrap();
            core::mem::swap(&mut from, &mut to);
        }
        from.direction
    };
    let mut workspace = method.workspace(light, &FieldState::at(light, 0.0, point.clone()));
    let mut before = run(light, &mut workspace);
    let mut found = run(heavy, &mut workspace);
    let expected = run(heavy, &mut method.workspace(heavy, &FieldState::at(heavy, 0.0, point.clone())));
    found.axpy(-1.0, &expected);
    assert!(found.max_norm() < 1e-9, "{}: {:e}", method.id(), found.max_norm());
    before.axpy(-1.0, &expected);
    assert!(before.max_norm() > 0.1, "{}: the mass does not matter", method.id());
}

#[test]
fn a_constant_mass_is_that_of_the_field() {
    let light = beads::System::new(beads::Data { mass: 1.0 }, beads::Lengths { x: 3 }).unwrap();
    let heavy = light.with_parameters(beads::Data { mass: 3.0 }).unwrap();
    assert!(light.description().mass_is_constant);
    let x = vec![Vector2::new(0.0, 0.0), Vector2::new(1.0, 0.3), Vector2::new(1.7, -0.4)];
    let q = beads::Places { x };
    let v = DVector::from_column_slice(&[0.3, 0.1, -0.2, 0.5, 1.0, -0.6]);
    for method in MuntheKaas::all() {
        assert_field_forgets::<MechanicalField<_>, _>(&light, &heavy, &(q.clone(), v.clone()), &method);
    }
    let momentum = Cotangent { configuration: q, momentum: v };
    for method in CommutatorFree::all() {
        assert_field_forgets::<HamiltonianProblem<_>, _>(&light, &heavy, &momentum, &method);
    }
    for method in lie_runtime::integrator::symplectic::METHODS {
        assert_field_forgets::<HamiltonianProblem<_>, _>(&light, &heavy, &momentum, &method);
    }
}

/// A mass that an event changes remains changed: the rest of the run equals a run of the other system from the state at the event.
#[test]
fn an_event_changes_the_mass() {
    let light = bob::System::new(bob::Data { mass: 1.0 }).unwrap();
    let heavy = light.with_parameters(bob::Data { mass: 3.0 }).unwrap();
    for id in ["hedop5", "herk4", "rkmk4", "cf4", "rattlie", "lie_alpha", "tr_bdf2", "radau_iia3"] {
        let run = |system: &bob::System, x: Vector2<f64>, v: Vector2<f64>, until: f64| {
            let run = Simulation::of(system)
                .initial(bob::Place { x }, v)
                .method_named(id)
                .unwrap()
                .event("loaded", |_, state| state.time - 0.1)
                .rising()
                .apply(|at| at.set(|data| data.mass = 3.0))
                .step(STEP)
                .end_time(until)
                .run()
                .unwrap();
            (run.events.len(), run.states.last().unwrap().clone())
        };
        let (x, v) = (Vector2::new(0.6, -0.8), Vector2::new(0.4, 0.3));
        let (events, found) = run(&light, x, v, 0.2);
        assert_eq!(events, 1, "{id}");
        let (_, loaded) = run(&light, x, v, 0.1);
        let (_, expected) = run(&heavy, loaded.configuration.x, loaded.velocity, 0.1);
        let apart =
            (found.configuration.x - expected.configuration.x).norm() + (found.velocity - expected.velocity).norm();
        let (_, unloaded) = run(&light, loaded.configuration.x, loaded.velocity, 0.0999);
        let effect = (unloaded.velocity - expected.velocity).norm();
        // The event is a part of a step before, or behind, the end of one, and of methods of second order.
        assert!(effect > 1e-2 && apart < 1e-2 * effect, "{id}: {apart:e} of {effect:e}");
    }
}
