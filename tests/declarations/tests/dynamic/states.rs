//! Auxiliary states of elements, and one set of states for a chain, against the unrolled systems from text.

use lie_runtime::dynamic::ModelLengths;
use lie_runtime::prelude::*;

use crate::Pair;
use crate::unrolled::{TIGHT_ALPHA, compare_run};

const FILE: &str = include_str!("states.rs");

/// An arm with a motor at each joint.
#[mechanical_system(derivative_check, gradients)]
mod arm {
    use lie_runtime::prelude::*;

    #[configuration]
    pub struct Arm {
        pub hinges: Vec<SO2>,
    }

    #[states(over = hinges)]
    pub struct Drive {
        pub current: f64,
        pub error: f64,
    }

    #[parameters]
    pub struct Data {
        pub mass: f64,
        pub inertia: f64,
        pub rotor: f64,
        pub damping: f64,
        pub constant: f64,
        pub resistance: f64,
        pub inductance: f64,
        pub gain: f64,
        pub targets: Vec<f64>,
    }

    #[kinematics(over = hinges)]
    fn link(above: &SE2, angle: &SO2) -> SE2 {
        let turned = *above * SE2::new(*angle, Vector2::zeros());
        turned * SE2::new(SO2::identity(), Vector2::new(0.5, 0.0))
    }

    #[kinetic_energy(over = link)]
    fn kinetic(p: &Data, twist: &Vector3<f64>) -> f64 {
        0.5 * p.mass * (twist.y * twist.y + twist.z * twist.z) + 0.5 * p.inertia * twist.x * twist.x
    }

    #[kinetic_energy(over = hinges)]
    fn rotors(p: &Data, v: &f64) -> f64 {
        0.5 * p.rotor * v * v
    }

    #[potential(over = link)]
    fn weight(p: &Data, frame: &SE2) -> f64 {
        9.81 * p.mass * frame.position().y
    }

    #[dissipation(over = hinges)]
    fn bearing(p: &Data, v: &f64) -> f64 {
        0.5 * p.damping * v * v
    }

    #[force(over = hinges)]
    fn motor(p: &Data, z: &Drive) -> f64 {
        p.constant * z.current
    }

    #[rate(over = hinges)]
    fn circuit(p: &Data, index: usize, angle: &SO2, v: &f64, z: &Drive) -> Drive {
        let error = p.targets[index] - angle.angle();
        let voltage = p.gain * (error - 0.2 * v + z.error);
        Drive { current: (voltage - p.resistance * z.current - p.constant * v) / p.inductance, error }
    }
}

/// Pistons with one pump.
#[mechanical_system(derivative_check, gradients)]
mod press {
    use lie_runtime::prelude::*;

    #[configuration]
    pub struct Press {
        pub pistons: Vec<f64>,
        pub tool: f64,
    }

    #[states]
    pub struct Pump {
        pub pressure: f64,
        pub volume: f64,
    }

    #[parameters]
    pub struct Data {
        pub masses: Vec<f64>,
        pub area: f64,
        pub stiffness: f64,
        pub leak: f64,
    }

    #[kinetic_energy(over = pistons)]
    fn pistons(p: &Data, index: usize, v: &f64) -> f64 {
        0.5 * p.masses[index] * v * v
    }

    #[kinetic_energy]
    fn tool(v: &Velocity) -> f64 {
        0.5 * 3.0 * v.tool * v.tool
    }

    #[potential(over = (pistons, tool))]
    fn springs(p: &Data, piston: &f64, tool: &f64) -> f64 {
        0.5 * p.stiffness * (piston - tool).powi(2)
    }

    #[potential]
    fn ground(p: &Data, q: &Press) -> f64 {
        0.5 * p.stiffness * q.tool * q.tool
    }

    #[dissipation(over = pistons)]
    fn seal(v: &f64, z: &Pump) -> f64 {
        0.5 * (0.1 + 0.02 * z.pressure) * v * v
    }

    #[force(over = pistons)]
    fn pressed(p: &Data, z: &Pump) -> f64 {
        p.area * z.pressure
    }

    #[force(on = tool)]
    fn friction(v: &Velocity, z: &Pump) -> f64 {
        -0.5 * v.tool * (1.0 + z.pressure * z.pressure)
    }

    #[quantity]
    pub fn travel(q: &Press) -> f64 {
        q.tool.sin()
    }

    #[force(at = travel)]
    fn jet(p: &Data, z: &Pump) -> f64 {
        0.3 * p.area * z.volume
    }

    #[rate]
    fn pump(p: &Data, t: f64, q: &Press, v: &Velocity, z: &Pump) -> Pump {
        Pump {
            pressure: 4.0 * (2.0 * t).sin() - p.leak * z.pressure - 3.0 * v.tool,
            volume: z.pressure - q.tool * z.volume,
        }
    }
}

#[test]
fn an_arm_with_motors_is_that_of_the_text() {
    let data = arm::Data {
        mass: 0.7,
        inertia: 0.02,
        rotor: 0.05,
        damping: 0.3,
        constant: 0.5,
        resistance: 0.8,
        inductance: 0.02,
        gain: 60.0,
        targets: vec![0.4, -0.3, 0.2],
    };
    let system = arm::System::new(data, arm::Lengths { hinges: 3 }).unwrap();
    let lengths = ModelLengths::new().length("hinges", 3).length("targets", 3);
    let pair = Pair::with_lengths((FILE, "arm"), &lengths, &system, &[]);
    let q = arm::Arm { hinges: [0.3, -0.5, 0.7].map(SO2::from_angle).to_vec() }.into();
    pair.compare_kernels_to(1e-12, &q);
    for method in ["rkmk4", "hedop5", "tr_bdf2", "radau_iia5", "bliedf2"] {
        compare_run(&pair, &q, (method, &[]));
    }
    compare_run(&pair, &q, TIGHT_ALPHA);
}

#[test]
fn a_pump_for_all_pistons_is_that_of_the_text() {
    let data = press::Data { masses: vec![1.0, 0.8, 1.3], area: 0.7, stiffness: 30.0, leak: 2.0 };
    let system = press::System::new(data, press::Lengths { pistons: 3 }).unwrap();
    assert_eq!((system.dof(), system.description().states), (6, 2));
    let lengths = ModelLengths::new().length("pistons", 3).length("masses", 3);
    let pair = Pair::with_lengths((FILE, "press"), &lengths, &system, &[]);
    let q = press::Press { pistons: vec![0.1, -0.2, 0.3], tool: 0.05 }.into();
    pair.compare_kernels_to(1e-12, &q);
    for method in ["rkmk4", "hedop5", "tr_bdf2", "radau_iia5"] {
        compare_run(&pair, &q, (method, &[]));
    }
    compare_run(&pair, &q, TIGHT_ALPHA);
}
