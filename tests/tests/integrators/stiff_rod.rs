//! Methods on a stiff rod: the largest step with which a method follows a slow motion.
//!
//! A steel rod of a metre and 5 mm radius, clamped at one end, is bent to and fro at the other. It bends at 44 rad/s; its
//! axial, shear and rotary waves are 10³ to 10⁵ times as fast, and no load excites them. The values are listed in the table on the guide's
//! page on methods.

use fixtures::measure::Method;
use fixtures::systems::steel_rod::steel;
use lie_runtime::prelude::*;
use lie_runtime::simulate::PrecompiledError;

const ELEMENTS: usize = 6;
const END: f64 = 0.25;

/// The rod, straight.
fn rod() -> (steel::System, steel::Rod) {
    let (radius, density): (f64, f64) = (5e-3, 7850.0);
    let (young, shear) = (2.1e11, 8.1e10);
    let area = core::f64::consts::PI * radius * radius;
    let second = 0.25 * area * radius * radius;
    let section = steel::Section {
        length: 1.0,
        bending: Vector3::new(young * second, young * second, 2.0 * shear * second),
        stretching: Vector3::new(shear * area, shear * area, young * area),
        density: density * area,
        inertia: Vector3::new(second, second, 2.0 * second) * density,
        damping: 0.0,
    };
    let nodes = (0..=ELEMENTS)
        .map(|node| S3R3 {
            rotation: S3::identity(),
            translation: Vector3::new(0.0, 0.0, node as f64 / ELEMENTS as f64),
        })
        .collect();
    let system = steel::System::new(section, steel::Lengths { nodes: ELEMENTS + 1 }).unwrap();
    (system, steel::Rod { nodes })
}

/// The tip at quarters of the motion, unless a step fails.
fn tips((id, options): Method<'_>, h: f64) -> Option<Vec<Vector3<f64>>> {
    let (system, start) = rod();
    let times = [0.25, 0.5, 0.75, 1.0].map(|part| part * END);
    let run = Simulation::of(&system).initial(start, system.zero_velocity()).step(h).end_time(END);
    let run = match run.output_times(&times).run_precompiled_with(id, options) {
        Ok(run) => run,
        Err(PrecompiledError::Run(_)) => return None,
        Err(error) => panic!("{error}"),
    };
    Some(run.states.iter().map(|state| state.configuration.nodes[ELEMENTS].translation).collect())
}

/// How far the tip is off at most, in metres; infinitely far where the run fails.
fn error(method: Method<'_>, h: f64, exact: &[Vector3<f64>]) -> f64 {
    match tips(method, h) {
        Some(tips) => tips.iter().zip(exact).map(|(a, b)| (a - b).norm()).fold(0.0, f64::max),
        None => f64::INFINITY,
    }
}

/// A step with which a method follows the motion to 3 mm, and one with which it does not.
#[test]
fn largest_steps_on_a_stiff_rod() {
    let plain = |id| (id, &[][..]);
    let exact = tips(plain("lie_alpha"), 2e-4).unwrap();
    for (method, survives, fails) in [
        (("lie_alpha", &[("rho_inf", "0.8")][..]), Some(5e-3), None),
        (("lie_alpha", &[("rho_inf", "1")][..]), Some(5e-3), None),
        (plain("tr_bdf2"), Some(5e-3), None),
        (plain("radau_iia1"), Some(5e-4), Some(1e-3)),
        (plain("radau_iia3"), Some(5e-3), None),
        (plain("gauss2"), Some(2e-3), Some(5e-3)),
        (plain("gauss4"), Some(2e-3), Some(5e-3)),
        (plain("bliedf1"), Some(5e-4), Some(1e-3)),
        (plain("bliedf2"), Some(5e-3), None),
        (plain("bliedf3"), None, Some(5e-5)),
        (plain("bliedf4"), None, Some(5e-5)),
        (plain("tr_bdf2_third_order"), None, Some(5e-5)),
        (plain("tr_bdf2_configuration"), None, Some(5e-5)),
        (plain("rattlie"), None, Some(1e-5)),
        (plain("herk2_heun"), None, Some(1e-5)),
        (plain("herk4"), None, Some(1e-5)),
        (plain("hedop5"), None, Some(1e-5)),
        (plain("rkmk4"), None, Some(1e-5)),
    ] {
        let id = method.0;
        if let Some(h) = survives {
            let off = error(method, h, &exact);
            assert!(off < 3e-3, "{id} at {h:e}: {off:.1e}");
        }
        if let Some(h) = fails {
            let off = error(method, h, &exact);
            assert!(off > 3e-3, "{id} at {h:e}: {off:.1e}");
        }
    }
}
