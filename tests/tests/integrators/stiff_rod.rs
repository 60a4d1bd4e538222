//! Methods on a stiff rod: the largest step with which a method follows a slow motion.
//!
//! A steel rod of a metre and 5 mm radius, clamped at one end, is bent to and fro at the other. It bends at 44 rad/s; its
//! axial, shear and rotary waves are 10³ to 10⁵ times as fast, and no load excites them. The values are listed in the table on the guide's
//! page on methods.

use lie_runtime::integrator::generalized_alpha::Parameters;
use lie_runtime::integrator::{AnyMethod, BLieDF, Rattlie};
use lie_runtime::prelude::*;

#[mechanical_system]
mod steel {
    use lie_runtime::prelude::*;

    #[configuration]
    pub struct Rod {
        #[clamped(first)]
        pub nodes: Vec<S3R3>,
    }

    #[parameters]
    pub struct Section {
        pub length: f64,
        /// Bending and torsion.
        pub bending: Vector3<f64>,
        /// Shear and extension.
        pub stretching: Vector3<f64>,
        /// Mass per length.
        pub density: f64,
        /// Rotary inertia per length.
        pub inertia: Vector3<f64>,
    }

    #[kinetic_energy(over = nodes)]
    fn kinetic(rod: &Section, index: usize, length: usize, v: &Vector6<f64>) -> f64 {
        let edge = rod.length / (length - 1) as f64;
        let share = if index == 0 || index + 1 == length { 0.5 * edge } else { edge };
        let (angular, linear) = (v.angular(), v.linear());
        0.5 * share * (rod.density * linear.norm_squared() + angular.dot(&rod.inertia.component_mul(&angular)))
    }

    #[potential(over = nodes.windows(2))]
    fn elastic(rod: &Section, length: usize, [a, b]: [&S3R3; 2]) -> f64 {
        let edge = rod.length / (length - 1) as f64;
        let strain = (a.inverse() * b).log() / edge;
        let (curvature, stretch) = (strain.angular(), strain.linear() - Vector3::new(0.0, 0.0, 1.0));
        0.5 * edge
            * (curvature.dot(&rod.bending.component_mul(&curvature))
                + stretch.dot(&rod.stretching.component_mul(&stretch)))
    }

    /// The pose of the last node.
    #[quantity(over = nodes.last())]
    pub fn tip(q: &S3R3) -> Vector3<f64> {
        q.translation
    }

    #[force(over = nodes.last(), at = tip)]
    fn pull(t: f64) -> Vector3<f64> {
        Vector3::new(10.0 * (20.0 * t).sin(), 5.0 * (13.0 * t).sin(), 0.0)
    }
}

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

/// The tip at quarters of the motion, the first word of the error if there is one.
fn tips(method: AnyMethod<steel::System>, h: f64) -> Result<Vec<Vector3<f64>>, String> {
    let (system, start) = rod();
    let times = [0.25, 0.5, 0.75, 1.0].map(|part| part * END);
    let run = Simulation::of(&system).initial(start, system.zero_velocity()).method(method).step(h).end_time(END);
    let run = run.output_times(&times).run().map_err(|error| error.to_string())?;
    Ok(run.states.iter().map(|state| state.configuration.nodes[ELEMENTS].translation).collect())
}

/// How far the tip is off at most, in metres; infinitely far where the run fails.
fn error(method: &AnyMethod<steel::System>, h: f64, exact: &[Vector3<f64>]) -> f64 {
    match tips(method.clone(), h) {
        Ok(tips) => tips.iter().zip(exact).map(|(a, b)| (a - b).norm()).fold(0.0, f64::max),
        Err(_) => f64::INFINITY,
    }
}

/// A step with which a method follows the motion to 3 mm, and one with which it does not.
#[test]
fn largest_steps_on_a_stiff_rod() {
    let alpha = |rho| AnyMethod::of(GeneralizedAlpha::index3(Parameters::chung_hulbert(rho).unwrap()));
    let bdf = |id| AnyMethod::of(BLieDF::by_id(id).unwrap());
    let exact = tips(alpha(0.9), 5e-5).unwrap();
    for (method, survives, fails) in [
        (alpha(0.8), Some(5e-3), None),
        (alpha(1.0), Some(5e-3), None),
        (AnyMethod::of(TrBdf2::new()), Some(5e-3), None),
        (AnyMethod::of(Collocation::radau_iia1()), Some(5e-4), Some(1e-3)),
        (AnyMethod::of(Collocation::radau_iia3()), Some(5e-3), None),
        (AnyMethod::of(Collocation::gauss2()), Some(2e-3), Some(5e-3)),
        (AnyMethod::of(Collocation::gauss4()), Some(2e-3), Some(5e-3)),
        (bdf("bliedf1"), Some(5e-4), Some(1e-3)),
        (bdf("bliedf2"), Some(5e-3), None),
        (bdf("bliedf3"), None, Some(5e-5)),
        (bdf("bliedf4"), None, Some(5e-5)),
        (AnyMethod::of(TrBdf2::third_order()), None, Some(5e-5)),
        (AnyMethod::of(TrBdf2::by_id("tr_bdf2_configuration").unwrap()), None, Some(5e-5)),
        (AnyMethod::of(Rattlie::new()), None, Some(1e-5)),
        (AnyMethod::of(HalfExplicit::herk2_heun()), None, Some(1e-5)),
        (AnyMethod::of(HalfExplicit::herk4()), None, Some(1e-5)),
        (AnyMethod::of(HalfExplicit::hedop5()), None, Some(1e-5)),
        (AnyMethod::of(OnMechanical(MuntheKaas::rkmk4())), None, Some(1e-5)),
    ] {
        let id = lie_runtime::integrator::Integrator::id(&method);
        if let Some(h) = survives {
            let off = error(&method, h, &exact);
            assert!(off < 3e-3, "{id} at {h:e}: {off:.1e}");
        }
        if let Some(h) = fails {
            let off = error(&method, h, &exact);
            assert!(off > 3e-3, "{id} at {h:e}: {off:.1e}");
        }
    }
}
