//! Forces between frames on a base that moves with time: their power belongs to the joints, not to the base.

use lie_runtime::prelude::*;
use lie_runtime::simulate::Balance;

/// Planar links on a car that drives to and fro and tilts: the links with wind and damping move with the car as well.
#[mechanical_system]
pub mod arm {
    use lie_runtime::prelude::*;

    #[configuration]
    pub struct Arm {
        pub hinges: Vec<SO2>,
    }

    fn car(t: f64) -> SE2 {
        SE2::new(SO2::from_angle(0.3 * (2.0 * t).sin()), Vector2::new(0.4 * (3.0 * t).sin(), 0.1 * t * t))
    }

    #[kinematics(over = hinges, base = car)]
    fn link(above: &SE2, hinge: &SO2) -> SE2 {
        *above * SE2::new(*hinge, *hinge * Vector2::new(0.5, 0.0))
    }

    #[kinetic_energy(over = link)]
    fn kinetic(v: &Vector3<f64>) -> f64 {
        0.5 * v.linear().norm_squared() + 0.05 * v.angular() * v.angular()
    }

    #[dissipation(over = link.last())]
    fn air(v: &Vector3<f64>) -> f64 {
        0.2 * v.linear().norm_squared()
    }

    #[force(over = link)]
    fn wind(x: &SE2) -> Vector3<f64> {
        let force = x.rotation.inverse() * Vector2::new(0.7, 0.2);
        Vector3::new(0.1, force.x, force.y)
    }

    #[dissipation(over = (link.first(), link.last()))]
    fn rubbed(v: &Vector3<f64>, w: &Vector3<f64>) -> f64 {
        0.1 * v.linear().norm_squared() + 0.3 * (w.angular() - v.angular()).powi(2)
    }
}

/// The work of forces on frames is done along the joint motion: the motion of their base depends on time, not on v.
#[test]
fn forces_on_frames_work_on_a_base_that_moves() {
    let system = arm::System::new(arm::Lengths { hinges: 3 }).unwrap();
    let start = arm::Arm { hinges: vec![SO2::from_angle(-0.4); 3] };
    let run = Simulation::of(&system)
        .initial(start, system.zero_velocity())
        .monitor_energy()
        .step(0.005)
        .end_time(2.0)
        .run()
        .unwrap();
    let end = run.balances.last().unwrap();
    for name in ["air", "wind", "rubbed", Balance::TIME] {
        assert!(end.work_of(name).unwrap().abs() > 1e-2, "{name}: {:?}", end.work);
    }
    assert!(run.statistics.energy_defect.unwrap() < 1e-6, "{:?}", run.statistics.energy_defect);
}
