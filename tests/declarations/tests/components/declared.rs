//! All components in one declaration: derivatives, and values of the functions of the library.

use lie_runtime::components::{bushings, cables, cosserat_rods, joint_stops, solid_inertia, tyres};
use lie_runtime::prelude::*;
use lie_runtime::system::CheckPoint;

/// Two bodies with a rod, a bushing and a cable between them, and a wheel with a stop and a tyre.
#[mechanical_system(derivative_check)]
mod rig {
    use lie_runtime::components::beam_sections::{bending_stiffness, rectangle_moments};
    use lie_runtime::components::solid_inertia::*;
    use lie_runtime::components::tyres::{magic_formula as pacejka, slip_angle};
    use lie_runtime::components::{bushings::*, cables, cosserat_rods::*, joint_stops::*};

    #[configuration]
    pub struct Rig {
        pub a: SE3,
        pub b: SE3,
        pub steer: f64,
    }

    #[parameters]
    pub struct Data {
        pub mass: f64,
        pub edges: Vector3<f64>,
        pub young: f64,
        pub bushing: Vector6<f64>,
        pub rest: f64,
        pub tyre: Vector4<f64>,
    }

    fn of_body(data: &Data, v: &Vector6<f64>) -> f64 {
        let angular = v.angular();
        0.5 * data.mass * v.linear().norm_squared()
            + 0.5 * angular.dot(&(box_inertia(data.mass, &data.edges) * angular))
    }

    #[kinetic_energy]
    fn kinetic(data: &Data, v: &Velocity) -> f64 {
        of_body(data, &v.a) + of_body(data, &v.b) + 0.5 * data.mass * v.steer * v.steer
    }

    #[potential]
    fn rod(data: &Data, q: &Rig) -> f64 {
        let moments = rectangle_moments(data.edges.x, data.edges.y);
        let bending = bending_stiffness(data.young, 0.3, &moments);
        let strain = rod_strain(&q.a, &q.b, data.edges.z);
        rod_energy(&strain, &straight_strain(), &bending, &Vector3::new(3.0, 3.0, 5.0), data.edges.z)
    }

    #[quantity]
    fn deformation(q: &Rig) -> Vector6<f64> {
        bushing_deformation(&q.a, &q.b)
    }

    #[potential]
    fn bushing(data: &Data, q: &Rig) -> f64 {
        bushing_energy(&deformation(q), &data.bushing)
    }

    #[dissipation]
    fn bushing_damper(data: &Data, q: &Rig, v: &Velocity) -> f64 {
        0.1 * bushing_dissipation(&deformation_rate(q, v), &data.bushing)
    }

    #[quantity]
    fn distance(q: &Rig) -> f64 {
        (q.a.translation - q.b.translation).norm()
    }

    #[potential]
    fn cable(data: &Data, q: &Rig) -> f64 {
        cables::smooth_cable_energy(distance(q) - data.rest, 40.0, 0.3)
            + cables::cable_energy(distance(q) - 0.5 * data.rest, 7.0)
    }

    #[force(at = distance)]
    fn cable_damper(data: &Data, q: &Rig, v: &Velocity) -> f64 {
        -cables::cable_tension(distance(q) - data.rest, distance_rate(q, v), 3.0, 0.2)
    }

    #[potential]
    fn stop(q: &Rig) -> f64 {
        stop_energy(q.steer, -0.5, 0.4, 300.0, 0.2)
    }

    #[force(on = steer)]
    fn aligning(data: &Data, q: &Rig, v: &Velocity) -> f64 {
        let slip = slip_angle(0.3 * v.steer, 10.0, 0.1);
        stop_moment(q.steer, v.steer, -0.5, 0.4, 20.0, 0.2, 0.05)
            - pacejka(slip, data.tyre.x, data.tyre.y, data.tyre.z, data.tyre.w)
    }
}

fn state() -> (rig::Data, rig::Rig, rig::Velocity) {
    let data = rig::Data {
        mass: 1.5,
        edges: Vector3::new(0.2, 0.3, 0.9),
        young: 100.0,
        bushing: Vector6::new(1.0, 2.0, 3.0, 4.0, 5.0, 6.0),
        rest: 0.8,
        tyre: lie_runtime::nalgebra::Vector4::new(9.0, 1.6, 30.0, 0.5),
    };
    let a = SE3::exp(&Vector6::new(0.3, -0.2, 0.4, 0.5, 0.1, -0.7));
    let b = a * SE3::exp(&Vector6::new(0.2, 0.5, -0.1, 0.1, 0.2, 0.9));
    let v = |at: f64| Vector6::from_fn(|row, _| (at + 1.3 * row as f64).sin());
    (data, rig::Rig { a, b, steer: 0.55 }, rig::Velocity { a: v(0.2), b: v(1.1), steer: 0.8 })
}

#[test]
fn components_in_a_declaration_are_differentiated() {
    let (data, q, v) = state();
    let system = rig::System::new(data.clone()).unwrap();
    let (velocity, acceleration) = (v.into(), system.zero_velocity());
    let multipliers = system.zero_multipliers();
    let at = CheckPoint { t: 0.0, q: &q, v: &velocity, acceleration: &acceleration, multipliers: &multipliers };
    for deviation in derivative_check(&system, at) {
        assert!(deviation.deviation < 1e-8, "{deviation:?}");
    }
    // The functions of the library, called outside of the declaration.
    let moments = lie_runtime::components::beam_sections::rectangle_moments(data.edges.x, data.edges.y);
    let bending = lie_runtime::components::beam_sections::bending_stiffness(data.young, 0.3, &moments);
    let strain = cosserat_rods::rod_strain(&q.a, &q.b, data.edges.z);
    let straight = cosserat_rods::straight_strain();
    let distance = (q.a.translation - q.b.translation).norm();
    let expected = cosserat_rods::rod_energy(&strain, &straight, &bending, &Vector3::new(3.0, 3.0, 5.0), data.edges.z)
        + bushings::bushing_energy(&bushings::bushing_deformation(&q.a, &q.b), &data.bushing)
        + cables::smooth_cable_energy(distance - data.rest, 40.0, 0.3)
        + cables::cable_energy(distance - 0.5 * data.rest, 7.0)
        + joint_stops::stop_energy(q.steer, -0.5, 0.4, 300.0, 0.2);
    let found = system.potential_energy(0.0, &q);
    assert!((found - expected).abs() < 1e-12 * expected, "{found} {expected}");
    let inertia = solid_inertia::box_inertia(data.mass, &data.edges);
    let of = |v: &Vector6<f64>| {
        0.5 * data.mass * v.linear().norm_squared() + 0.5 * v.angular().dot(&(inertia * v.angular()))
    };
    let expected = of(&v.a) + of(&v.b) + 0.5 * data.mass * 0.64;
    assert!((system.kinetic_energy(0.0, &q, &v.into()) - expected).abs() < 1e-12 * expected);
    let _ = tyres::magic_formula;
}

/// The run compares the functions of the declaration with the generated code, and motions satisfy the energy balance.
#[test]
fn a_motion_with_components_keeps_its_energy_balance() {
    let (data, q, v) = state();
    let system = rig::System::new(data).unwrap();
    let run = Simulation::of(&system).initial(q, v).step(1e-3).end_time(0.5).monitor_energy().run().unwrap();
    let defect = run.statistics.energy_defect.unwrap();
    assert!(defect < 1e-6, "{defect}");
}
