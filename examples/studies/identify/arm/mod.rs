//! The arm as it is identified: angles and torques of its joints are measured while its motors follow sums of sines.

mod excitation;
mod model;
mod moments;

use lie_runtime::inputs::OverTime;
use lie_runtime::prelude::*;
use lie_runtime::scalar::Dual;
use lie_runtime::system::{Liftable, ModelError};

use super::device::Device;
use excitation::Excitation;
pub use model::links;
use moments::{AXES, base_parameters};

/// How many joints it has.
pub const JOINTS: usize = 6;
/// The deviation of an angle that is measured [rad].
const ANGLE: f64 = 2e-4;
/// Deviations of the torques [N m].
const TORQUES: [f64; JOINTS] = [0.2, 0.2, 0.1, 0.02, 0.02, 0.004];
/// The size of a length of a link [m].
const LENGTH: f64 = 0.1;
/// The arm and its measurements.
pub struct Arm;

/// Angles and torques of the joints in one state.
#[derive(Clone, Debug)]
pub struct Reading {
    angles: Vector6<f64>,
    /// [N m].
    pub torques: Vector6<f64>,
}

/// A link of these data; L, the spread of its mass, by rows.
fn link(mass: f64, center: [f64; 3], spread: [f64; 6], friction: f64) -> links::Link {
    let [xx, yx, yy, zx, zy, zz] = spread;
    let (extent, skew) = (Vector3::new(xx, yy, zz).map(f64::ln), Vector3::new(yx, zx, zy));
    links::Link { mass, center: center.into(), extent, skew, friction }
}

/// The arm of all experiments: six different links.
pub fn data() -> links::Arm {
    let links = [
        link(9.0, [0.01, -0.02, 0.12], [0.09, 0.010, 0.08, -0.005, 0.008, 0.10], 1.5),
        link(7.0, [0.015, -0.03, 0.21], [0.06, -0.008, 0.07, 0.012, 0.004, 0.14], 1.2),
        link(4.5, [0.02, 0.015, 0.12], [0.05, 0.006, 0.06, -0.010, 0.007, 0.10], 0.9),
        link(2.5, [-0.005, 0.008, 0.15], [0.035, 0.004, 0.04, 0.006, -0.005, 0.08], 0.1),
        link(1.6, [0.006, -0.01, 0.05], [0.03, -0.003, 0.025, 0.004, 0.003, 0.035], 0.06),
        link(0.8, [0.012, -0.007, 0.06], [0.03, 0.005, 0.035, -0.004, 0.006, 0.025], 0.02),
    ];
    let places = [
        Vector3::new(0.0, 0.0, 0.25),
        Vector3::new(0.05, 0.10, 0.12),
        Vector3::new(0.0, -0.05, 0.40),
        Vector3::new(0.03, 0.0, 0.15),
        Vector3::new(0.0, 0.0, 0.20),
        Vector3::new(0.0, 0.0, 0.07),
    ];
    let stiffness = Vector6::new(500.0, 700.0, 150.0, 6.0, 5.0, 0.5);
    links::Arm { links, places, stiffness, damping: Vector6::new(40.0, 50.0, 10.0, 0.3, 0.25, 0.02) }
}

/// The prior data of its links: all values are wrong by a tenth or more.
fn guessed() -> links::Arm {
    let mut arm = data();
    for (at, link) in arm.links.iter_mut().enumerate() {
        let sign = if at % 2 == 0 { 1.0 } else { -1.0 };
        link.mass *= 1.0 + 0.1 * sign;
        link.center = link.center * (1.0 - 0.12 * sign) + Vector3::new(0.004, -0.003, 0.002) * sign;
        link.extent += Vector3::repeat((1.0 + 0.15 * sign).ln());
        link.skew = Vector3::zeros();
        link.friction *= 1.0 - 0.3 * sign;
    }
    arm
}

/// The arm with these data and the reference motions of its motors.
///
/// # Errors
/// [`ModelError`] of invalid data.
pub fn system(arm: links::Arm) -> Result<links::System, ModelError> {
    Ok(links::System::new(arm)?.with_inputs_from(Excitation::of_period(Arm::END)))
}

/// The initial state of the reference motions.
pub fn start() -> (links::Joints, Vector6<f64>) {
    let u = Excitation::of_period(Arm::END).at(0.0);
    (links::Joints { angles: u.angles }, u.rates)
}

/// The names of all data of the links, with the size of each.
pub fn all_data() -> Vec<(String, f64)> {
    let of_link = |(at, link): (usize, &links::Link)| {
        let size = move |name: &str| match name {
            "mass" => link.mass,
            "friction" => link.friction,
            extent if extent.starts_with("extent") => 1.0,
            _ => LENGTH,
        };
        data_of(at).map(move |(name, full)| (full, size(&name))).collect::<Vec<_>>()
    };
    data().links.iter().enumerate().flat_map(of_link).collect()
}

/// The names of the data of a link: in the link, and in the arm.
fn data_of(at: usize) -> impl Iterator<Item = (String, String)> {
    let of_vector = |name| (0..3).map(move |axis| format!("{name}[{axis}]"));
    let names = ["mass", "friction"].map(str::to_owned).into_iter();
    let names = names.chain(["center", "extent", "skew"].into_iter().flat_map(of_vector));
    names.map(move |name| (name.clone(), format!("links[{at}].{name}")))
}

impl Device for Arm {
    type System = links::System;
    type Method = OnMechanical<MuntheKaas>;
    type Reading = Reading;

    const STEP: f64 = 0.0125;
    const EVERY: usize = 1;
    const END: f64 = 1.25;
    const NUMBERS: usize = 2 * JOINTS;

    fn truth() -> Result<links::System, ModelError> {
        system(data())
    }

    fn guess() -> Result<links::System, ModelError> {
        system(guessed())
    }

    /// Data that mass on the axis between two links can shift remain at their guess: the mass, and centre and extent along the axis. For
    /// the first link only one extent is identified.
    fn unknowns() -> Vec<String> {
        let is_searched = |at: usize, name: &str| match at {
            0 => name == "friction" || name == "extent[0]",
            _ => {
                let axis = AXES[at];
                name != "mass" && name != format!("center[{axis}]") && name != format!("extent[{axis}]")
            }
        };
        let of_link = |at| data_of(at).filter(move |(name, _)| is_searched(at, name)).map(|(_, full)| full);
        (0..JOINTS).flat_map(of_link).collect()
    }

    fn begun(system: &links::System) -> Simulation<'_, links::System, Self::Method> {
        let (q0, v0) = start();
        Simulation::of(system).initial(q0, v0).method(OnMechanical(MuntheKaas::rkmk5()))
    }

    fn read(system: &links::System, state: &State<links::System>, noise: &[f64]) -> Reading {
        let (q, v) = (&state.configuration, &state.velocity);
        let u = system.inputs_at(state.time, q, v);
        let torques = links::torques(system.parameters(), q, &system.velocity(v), &u);
        let [angles, of_torques] = [0, JOINTS].map(|from| Vector6::from_column_slice(&noise[from..from + JOINTS]));
        Reading {
            angles: q.angles + angles * ANGLE,
            torques: torques + of_torques.component_mul(&Vector6::from(TORQUES)),
        }
    }

    /// The motors follow their references by feedback of the angles and rates.
    fn left(
        system: &<links::System as Liftable>::Lifted,
        state: &State<<links::System as Liftable>::Lifted>,
        measured: &Reading,
    ) -> Vec<Dual<f64>> {
        let (q, v) = (state.configuration.angles, state.velocity);
        let (arm, reference) = (system.parameters(), Excitation::of_period(Arm::END).at(state.time));
        let lifted = |vector: Vector6<f64>| vector.map(Dual::from_f64);
        let torques = arm.stiffness.component_mul(&(lifted(reference.angles) - q))
            + arm.damping.component_mul(&(lifted(reference.rates) - v));
        let angles = (q - lifted(measured.angles)) / Dual::from_f64(ANGLE);
        let torques = (torques - lifted(measured.torques)).component_div(&lifted(Vector6::from(TORQUES)));
        angles.iter().chain(&torques).copied().collect()
    }

    fn determined(system: &<links::System as Liftable>::Lifted) -> Vec<(String, Dual<f64>)> {
        base_parameters(system.parameters())
    }
}
