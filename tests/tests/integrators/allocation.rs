//! A step of a generated system allocates nothing.

use fixtures::systems::chained::chained_example;
use fixtures::systems::formulation::HeavyTop;
use fixtures::systems::heavy_tops::{s3r3, s3xr3, se3, so3xr3};
use fixtures::systems::linkages::{balls, pendulum};
use fixtures::systems::{driven, free_body, mechanisms};
use lie_runtime::integrator::CommutatorFree;
use lie_runtime::integrator::collocation::Level;
use lie_runtime::integrator::generalized_alpha::{
    GeneralizedAlpha, GeneralizedAlphaOptions, METHODS, NewtonUpdate, Parameters,
};
use lie_runtime::integrator::{BLieDF, HalfExplicit, Integrator, LocalError, Rattlie, TrBdf2};
use lie_runtime::prelude::*;
use lie_runtime::simulate::ConsistentValues;
use lie_runtime::system::{Linearised, MomentumRate};

fn assert_no_allocation<M: Linearised>(system: &M, (q, v): (M::Configuration, M::Velocity)) {
    let mut consistent = ConsistentValues::of(system);
    let (mut from, _) = consistent.state(system, 0.0, q, v).unwrap();
    let (mut to, mut error) = (from.clone(), LocalError::of(system));
    let (mut residual, mut force) = (system.zero_multipliers(), system.zero_velocity());
    for method in HalfExplicit::all() {
        let mut workspace = Integrator::<M>::workspace(&method, system, &from);
        let allocations = allocation_counter::measure(|| {
            method.start(system, &mut from, &mut workspace).unwrap();
            for _ in 0..10 {
                method.step(system, &from, 1e-4, &mut to, &mut workspace).unwrap();
                if method.tableau().embedded.is_some() {
                    method.step_with_estimate(system, &from, 1e-4, &mut to, &mut error, &mut workspace).unwrap();
                }
                core::mem::swap(&mut from, &mut to);
                consistent.accelerations(system, &mut from).unwrap();
                let t = M::Scalar::from_f64(from.time);
                system.constraint(t, &from.configuration, &mut residual);
                system.force(t, &from.configuration, &from.velocity, &mut force);
                std::hint::black_box(system.kinetic_energy(t, &from.configuration, &from.velocity));
            }
        });
        assert_eq!(allocations.count_total, 0, "{} on {}", method.tableau().id, system.description().name);
    }
    let iterations = [NewtonUpdate::Exact, NewtonUpdate::Simplified, NewtonUpdate::Modified];
    for (method, newton) in METHODS.iter().flat_map(|method| iterations.map(|newton| (method, newton))) {
        let options = GeneralizedAlphaOptions::default().formulation(method.formulation).newton(newton);
        let method = GeneralizedAlpha::new(Parameters::chung_hulbert(0.9).unwrap(), options).unwrap();
        let mut workspace = Integrator::<M>::workspace(&method, system, &from);
        // Room for what the method remembers, once in either state.
        method.start(system, &mut from, &mut workspace).unwrap();
        method.step(system, &from, 1e-4, &mut to, &mut workspace).unwrap();
        let allocations = allocation_counter::measure(|| {
            method.start(system, &mut from, &mut workspace).unwrap();
            // Sizes that change, so that velocities settle anew.
            for h in [1e-4, 1e-4, 2e-4, 1e-4] {
                method.step(system, &from, h, &mut to, &mut workspace).unwrap();
                method.step_with_estimate(system, &from, h, &mut to, &mut error, &mut workspace).unwrap();
                core::mem::swap(&mut from, &mut to);
            }
        });
        assert_eq!(allocations.count_total, 0, "{} on {}", method.id(), system.description().name);
    }
}

/// Steps of equal size.
fn assert_equal_steps<M: MechanicalSystem>(
    system: &M,
    (q, v): (M::Configuration, M::Velocity),
    method: &impl Integrator<M>,
) {
    let (mut from, _) = ConsistentValues::of(system).state(system, 0.0, q, v).unwrap();
    let mut to = from.clone();
    let mut workspace = method.workspace(system, &from);
    // Room for what the method remembers, once in either state.
    method.start(system, &mut from, &mut workspace).unwrap();
    method.step(system, &from, 1e-4, &mut to, &mut workspace).unwrap();
    let allocations = allocation_counter::measure(|| {
        method.start(system, &mut from, &mut workspace).unwrap();
        for _ in 0..10 {
            method.step(system, &from, 1e-4, &mut to, &mut workspace).unwrap();
            core::mem::swap(&mut from, &mut to);
        }
    });
    assert_eq!(allocations.count_total, 0, "{} on {}", method.id(), system.description().name);
}

/// BLieDF with its start, RATTLie, and collocation.
fn assert_others<M: Linearised + MomentumRate>(system: &M, (q, v): (M::Configuration, M::Velocity)) {
    for method in BLieDF::all() {
        assert_equal_steps(system, (q.clone(), v.clone()), &method);
    }
    for method in Collocation::all().filter(|method| method.method().level == Level::Velocities) {
        assert_equal_steps(system, (q.clone(), v.clone()), &method);
    }
    assert_equal_steps(system, (q, v), &Rattlie::new());
}

#[test]
fn bliedf_rattlie_and_collocation() {
    assert_others(&so3xr3::System::of_the_paper(), so3xr3::System::initial());
    assert_others(&se3::System::of_the_paper(), se3::System::initial());
    let (system, q, v) = free_body::carriages_example();
    assert_others(&system, (q, v));
    let (system, q, v) = driven::driven_pendulum_example();
    assert_others(&system, (q, v));
    let (system, q, v) = driven::rolling_disc_example();
    assert_others(&system, (q, v));
    let (system, q, v) = free_body::motor_pendulum_example();
    assert_others(&system, (q, v));
}

#[test]
fn the_counter_counts() {
    let seen = allocation_counter::measure(|| drop(std::hint::black_box(Box::new(1))));
    assert_eq!(seen.count_total, 1);
}

#[test]
fn heavy_tops() {
    assert_no_allocation(&so3xr3::System::of_the_paper(), so3xr3::System::initial());
    assert_no_allocation(&s3xr3::System::of_the_paper(), s3xr3::System::initial());
    assert_no_allocation(&se3::System::of_the_paper(), se3::System::initial());
    assert_no_allocation(&s3r3::System::of_the_paper(), s3r3::System::initial());
}

#[test]
fn rheonomic_nonholonomic_and_free_systems() {
    let (system, q, v) = driven::driven_pendulum_example();
    assert_no_allocation(&system, (q, v));
    let (system, q, v) = driven::knife_edge_example();
    assert_no_allocation(&system, (q, v));
    let (system, q, v) = driven::rolling_disc_example();
    assert_no_allocation(&system, (q, v));
    let (system, q, v) = free_body::free_body_example();
    assert_no_allocation(&system, (q, v));
    let (system, q, v) = free_body::motor_pendulum_example();
    assert_no_allocation(&system, (q, v));
}

/// A mass matrix that depends on q, forces of every kind, opaque functions by dual numbers.
#[test]
fn contraption() {
    let (system, q, v) = mechanisms::contraption_example();
    assert_no_allocation(&system, (q, v));
}

/// Chains have buffers of a length known at run time alone; each is made once.
#[test]
fn chains() {
    let (system, q, v) = chained_example();
    assert_no_allocation(&system, (q.clone(), v.clone()));
    for method in BLieDF::all() {
        assert_equal_steps(&system, (q.clone(), v.clone()), &method);
    }
    // The inertia of this one changes with q.
    assert_equal_steps(&system, (q.clone(), v.clone()), &Rattlie::new());
    assert_equal_steps(&system, (q, v), &TrBdf2::third_order());
}

/// Frames along a chain: their buffers are made with the workspace, or are of fixed size.
#[test]
fn frames() {
    let data = pendulum::Data { mass: 0.7, length: 0.1, growth: 0.0, gravity: 9.81 };
    let system = pendulum::System::new(data, pendulum::Lengths { links: 100 }).unwrap();
    let start = || (pendulum::Pendulum { links: vec![S2::new_unchecked(Vector3::x()); 100] }, system.zero_velocity());
    assert_equal_steps(&system, start(), &OnMechanical(MuntheKaas::rkmk4()));
    assert_equal_steps(&system, start(), &OnMechanical(CommutatorFree::cf4()));
    assert_equal_steps(&system, start(), &HalfExplicit::hedop5());
    let data = balls::Data {
        mass: 0.6,
        spread: Vector3::new(0.02, 0.05, 0.03),
        axis: Vector3::x(),
        arm: Vector3::new(0.4, 0.1, -0.3),
        friction: 0.2,
    };
    let system = balls::System::new(data, balls::Lengths { joints: 40 }).unwrap();
    let rest = system.zero_velocity();
    let q = balls::Chain { joints: vec![S3::identity(); 40], other: Vector1::new(0.1) };
    assert_equal_steps(&system, (q, rest), &HalfExplicit::herk4());
}
