//! Everything that acts between frames at once: on a moving base, with a free body and joints of several kinds.

use fixtures::derivatives::worst_deviations;
use lie_runtime::prelude::*;

#[mechanical_system(derivative_check)]
pub mod linkage {
    use lie_runtime::prelude::*;

    #[configuration]
    pub struct Linkage {
        pub trunk: SE3,
        pub hinges: Vec<SO2>,
        pub slides: Vec<f64>,
    }

    #[parameters]
    pub struct Data {
        /// One for each spring.
        pub stiffness: Vec<f64>,
        pub damping: f64,
    }

    fn base(t: f64) -> SE3 {
        SE3::new(SO3::exp(&(Vector3::z() * (0.3 * t))), Vector3::new(0.1 * t * t, 0.0, 0.2 * t.sin()))
    }

    #[kinematics(over = trunk, base = base, parents = parents)]
    pub fn body(above: &SE3, trunk: &SE3) -> SE3 {
        *above * *trunk
    }

    #[kinematics(over = hinges, frames = body)]
    fn turned(index: usize, above: &SE3, hinge: &SO2) -> SE3 {
        let axis = if index.is_multiple_of(2) { Vector3::z() } else { Vector3::y() };
        *above * SE3::new(SO3::exp(&(axis * hinge.angle())), Vector3::new(0.5, 0.1, 0.0))
    }

    #[kinematics(over = slides, frames = body)]
    fn lifted(above: &SE3, way: &f64) -> SE3 {
        *above * SE3::new(SO3::exp(&(Vector3::x() * 0.4)), Vector3::z() * *way)
    }

    #[kinetic_energy(over = body)]
    fn kinetic(v: &Vector6<f64>) -> f64 {
        0.5 * 2.0 * v.linear().norm_squared() + 0.5 * 0.1 * v.angular().norm_squared() + 0.02 * v[0] * v[4]
    }

    #[potential(over = body)]
    fn weight(x: &SE3) -> f64 {
        2.0 * 9.81 * x.translation.z
    }

    /// A pin in a slot along the second axis of the first body.
    #[constraint(over = (body, body).by(pins))]
    fn pinned(index: usize, a: &SE3, b: &SE3) -> Vector2<f64> {
        let way = a.inverse() * (b * Vector3::new(0.1, 0.2, 0.0)) - Vector3::new(0.1 * index as f64, 0.0, 0.3);
        Vector2::new(way.x, way.z)
    }

    /// A point of one body is led across.
    #[constraint(over = body[2])]
    fn led(t: f64, body: &SE3) -> f64 {
        (*body * Vector3::x()).y - 0.3 * t
    }

    #[velocity_constraint(over = (body[3], body[1]))]
    fn rolls(a: &SE3, _b: &SE3, va: &Vector6<f64>, vb: &Vector6<f64>) -> f64 {
        va[0] * a.translation.x + vb[3] - 0.5 * va[5]
    }

    #[quantity(over = (body, body).by(springs))]
    pub fn stretch(a: &SE3, b: &SE3) -> f64 {
        (a * Vector3::new(0.1, 0.0, 0.3) - b * Vector3::new(0.0, -0.2, 0.0)).norm()
    }

    #[potential(over = (body, body).by(springs))]
    fn spring(index: usize, data: &Data, a: &SE3, b: &SE3) -> f64 {
        0.5 * data.stiffness[index] * (stretch(a, b) - 0.3).powi(2)
    }

    #[dissipation(over = (body, body).by(springs))]
    fn damper(data: &Data, a: &SE3, b: &SE3, va: &Vector6<f64>, vb: &Vector6<f64>) -> f64 {
        0.5 * data.damping * stretch_rate(a, b, va, vb).powi(2)
    }

    #[force(at = stretch)]
    fn pull(t: f64) -> f64 {
        0.2 * t.sin()
    }

    /// A motor between two bodies: opposite torques act on the bodies.
    #[force(over = (body[1], body.last()))]
    fn motor(a: &SE3, b: &SE3) -> SVector<f64, 12> {
        let moment = Vector3::new(0.1, 0.4, -0.2);
        let back = -(b.rotation.inverse() * (a.rotation * moment));
        let mut out = SVector::<f64, 12>::zeros();
        for at in 0..3 {
            out[at] = moment[at];
            out[6 + at] = back[at];
        }
        out
    }
}

/// Frames: the trunk, four hinges, two slides, the last of which stands on the base.
fn system() -> linkage::System {
    let parents = vec![None, Some(0), Some(1), Some(0), Some(3), Some(2), None];
    let (pins, springs) = (vec![[2, 4], [5, 6]], vec![[6, 0], [1, 4]]);
    let lengths = linkage::Lengths { hinges: 4, slides: 2, parents, pins, springs };
    linkage::System::new(linkage::Data { stiffness: vec![10.0, 20.0], damping: 0.3 }, lengths).unwrap()
}

#[test]
fn derivatives() {
    let worst = worst_deviations(&system(), 3, |random| linkage::Linkage {
        trunk: SE3::exp(&Vector6::from_fn(|_, _| random.number())),
        hinges: (0..4).map(|_| SO2::from_angle(3.0 * random.number())).collect(),
        slides: (0..2).map(|_| random.number()).collect(),
    });
    assert!(worst.len() > 12);
    for entry in worst {
        assert!(entry.deviation < 1e-12, "{entry:?}");
    }
}

#[test]
fn runs_of_explicit_and_implicit_methods_agree() {
    let system = system();
    let guess = linkage::Linkage {
        trunk: SE3::new(SO3::identity(), Vector3::new(0.4, 0.1, -0.3)),
        hinges: vec![SO2::from_angle(0.3), SO2::from_angle(-0.7), SO2::from_angle(1.1), SO2::from_angle(0.2)],
        slides: vec![0.6, -0.4],
    };
    let start = lie_runtime::simulate::InverseKinematics::of(&system).guess(&guess).solve().unwrap();
    let moved = |method: &str, step: f64| {
        let run = Simulation::of(&system).initial(start.clone(), system.zero_velocity());
        let run = run.max_initial_correction(10.0).method_named(method).unwrap().step(step).end_time(0.2).run();
        let run = run.unwrap_or_else(|error| panic!("{method}: {error}"));
        system.body_frames(0.2, &run.last().configuration)
    };
    let reference = moved("hedop5", 5e-4);
    for method in ["tr_bdf2", "lie_alpha", "lie_alpha_stab2"] {
        let error = |step| {
            let frames = moved(method, step);
            frames.iter().zip(&reference).map(|(a, b)| (a.inverse() * *b).log().norm()).fold(0.0, f64::max)
        };
        let (coarse, fine) = (error(4e-3), error(2e-3));
        let rate = (coarse / fine).log2();
        assert!(fine < 1e-4 && rate > 1.7, "{method}: {coarse:.1e}, {fine:.1e}, rate {rate:.2}");
    }
}

#[test]
fn lists_of_frames_are_checked() {
    let lengths = |pins: Vec<[usize; 2]>| linkage::Lengths {
        hinges: 4,
        slides: 2,
        parents: vec![None, Some(0), Some(1), Some(0), Some(3), Some(2), None],
        pins,
        springs: vec![],
    };
    let text = |pins| {
        let data = linkage::Data { stiffness: vec![], damping: 0.3 };
        linkage::System::new(data, lengths(pins)).unwrap_err().to_string()
    };
    // A list may be empty.
    let data = linkage::Data { stiffness: vec![], damping: 0.3 };
    let system = linkage::System::new(data, lengths(vec![])).unwrap();
    let q = linkage::Linkage { trunk: SE3::identity(), hinges: vec![SO2::identity(); 4], slides: vec![0.0; 2] };
    let mut jacobian = system.zero_jacobian();
    system.constraint_jacobian(0.0, &q, &mut jacobian);
    assert_eq!(system.constraint_rows(), 2);

    let missing = text(vec![[2, 7]]);
    assert!(missing.contains("`pins[0]`") && missing.contains("`body[7]`"), "{missing}");
    let twice = text(vec![[2, 4], [3, 3]]);
    assert!(twice.contains("`pins[1]`") && twice.contains("`body[3]`"), "{twice}");
}
