//! Bennett's linkage: four hinges in a loop whose axes are skew. Grübler's count gives it no freedom and it has one, where the loop is
//! closed and nowhere else: stages of explicit methods that are off by δ have rows that lock it.

use lie_runtime::prelude::*;

/// Three links on four hinges, each joint declared in full: 20 rows of rank 17.
#[mechanical_system(redundant = minimum_norm)]
pub mod bodies {
    use lie_runtime::prelude::*;

    #[configuration]
    pub struct Links {
        /// Each with its frame in the hinge at its beginning.
        pub links: [SE3; 3],
    }

    #[parameters]
    pub struct Linkage {
        pub lengths: [f64; 4],
        pub twists: [f64; 4],
    }

    /// From the hinge at the beginning of a link to that at its end.
    fn along(linkage: &Linkage, i: usize) -> SE3 {
        SE3::new(SO3::exp(&(Vector3::x() * linkage.twists[i])), Vector3::x() * linkage.lengths[i])
    }

    #[kinetic_energy(over = links)]
    fn kinetic(v: &Vector6<f64>) -> f64 {
        let w = v.angular();
        0.5 * v.linear().norm_squared() + 0.5 * (0.1 * w.x * w.x + 0.2 * w.y * w.y + 0.25 * w.z * w.z)
    }

    #[potential(over = links)]
    fn weight(link: &SE3) -> f64 {
        9.81 * link.translation.y
    }

    fn hinge(a: SE3, b: SE3) -> SVector<f64, 5> {
        let place = a.rotation.inverse() * (b.translation - a.translation);
        let axis = a.rotation.inverse() * (b.rotation * Vector3::z());
        SVector::<f64, 5>::new(place.x, place.y, place.z, axis.x, axis.y)
    }

    #[constraint]
    fn first(linkage: &Linkage, q: &Links) -> SVector<f64, 5> {
        hinge(along(linkage, 0), q.links[0])
    }

    #[constraint]
    fn second(linkage: &Linkage, q: &Links) -> SVector<f64, 5> {
        hinge(q.links[0] * along(linkage, 1), q.links[1])
    }

    #[constraint]
    fn third(linkage: &Linkage, q: &Links) -> SVector<f64, 5> {
        hinge(q.links[1] * along(linkage, 2), q.links[2])
    }

    #[constraint]
    fn fourth(linkage: &Linkage, q: &Links) -> SVector<f64, 5> {
        hinge(q.links[2] * along(linkage, 3), SE3::identity())
    }
}

/// The angles in three hinges, and the fourth one as a constraint: 5 rows of rank 2.
#[mechanical_system(redundant = minimum_norm)]
pub mod hinges {
    use lie_runtime::prelude::*;

    #[configuration]
    pub struct Angles {
        pub angles: [f64; 3],
    }

    #[parameters]
    pub struct Linkage {
        pub lengths: [f64; 4],
        pub twists: [f64; 4],
    }

    fn along(linkage: &Linkage, i: usize) -> SE3 {
        SE3::new(SO3::exp(&(Vector3::x() * linkage.twists[i])), Vector3::x() * linkage.lengths[i])
    }

    fn turned(angle: f64) -> SE3 {
        SE3::new(SO3::exp(&(Vector3::z() * angle)), Vector3::zeros())
    }

    #[quantity]
    pub fn first(linkage: &Linkage, q: &Angles) -> SE3 {
        along(linkage, 0) * turned(q.angles[0])
    }

    #[quantity]
    pub fn second(linkage: &Linkage, q: &Angles) -> SE3 {
        first(linkage, q) * along(linkage, 1) * turned(q.angles[1])
    }

    #[quantity]
    pub fn third(linkage: &Linkage, q: &Angles) -> SE3 {
        second(linkage, q) * along(linkage, 2) * turned(q.angles[2])
    }

    fn of_link(v: Vector6<f64>) -> f64 {
        let w = v.angular();
        0.5 * v.linear().norm_squared() + 0.5 * (0.1 * w.x * w.x + 0.2 * w.y * w.y + 0.25 * w.z * w.z)
    }

    #[kinetic_energy]
    fn kinetic(linkage: &Linkage, q: &Angles, v: &Velocity) -> f64 {
        of_link(first_rate(linkage, q, v)) + of_link(second_rate(linkage, q, v)) + of_link(third_rate(linkage, q, v))
    }

    #[potential]
    fn weight(linkage: &Linkage, q: &Angles) -> f64 {
        let heights = first(linkage, q).translation.y + second(linkage, q).translation.y;
        9.81 * (heights + third(linkage, q).translation.y)
    }

    #[constraint]
    fn closed(linkage: &Linkage, q: &Angles) -> SVector<f64, 5> {
        let end = third(linkage, q) * along(linkage, 3);
        let (place, axis) = (end.translation, end.rotation * Vector3::z());
        SVector::<f64, 5>::new(place.x, place.y, place.z, axis.x, axis.y)
    }
}

/// The first angle alone. The others follow: tan(θ₁/2) tan(θ₂/2) is the same everywhere, and θ₃ = −θ₁.
#[mechanical_system]
pub mod angle {
    use lie_runtime::prelude::*;

    #[configuration]
    pub struct Angle {
        pub first: f64,
    }

    #[parameters]
    pub struct Linkage {
        pub lengths: [f64; 4],
        pub twists: [f64; 4],
        pub product: f64,
    }

    fn along(linkage: &Linkage, i: usize) -> SE3 {
        SE3::new(SO3::exp(&(Vector3::x() * linkage.twists[i])), Vector3::x() * linkage.lengths[i])
    }

    fn turned(angle: f64) -> SE3 {
        SE3::new(SO3::exp(&(Vector3::z() * angle)), Vector3::zeros())
    }

    #[quantity]
    pub fn first(linkage: &Linkage, q: &Angle) -> SE3 {
        along(linkage, 0) * turned(q.first)
    }

    #[quantity]
    pub fn second(linkage: &Linkage, q: &Angle) -> SE3 {
        let half = 0.5 * q.first;
        first(linkage, q) * along(linkage, 1) * turned(2.0 * (linkage.product * half.cos()).atan2(half.sin()))
    }

    #[quantity]
    pub fn third(linkage: &Linkage, q: &Angle) -> SE3 {
        second(linkage, q) * along(linkage, 2) * turned(-q.first)
    }

    fn of_link(v: Vector6<f64>) -> f64 {
        let w = v.angular();
        0.5 * v.linear().norm_squared() + 0.5 * (0.1 * w.x * w.x + 0.2 * w.y * w.y + 0.25 * w.z * w.z)
    }

    #[kinetic_energy]
    fn kinetic(linkage: &Linkage, q: &Angle, v: &Velocity) -> f64 {
        of_link(first_rate(linkage, q, v)) + of_link(second_rate(linkage, q, v)) + of_link(third_rate(linkage, q, v))
    }

    #[potential]
    fn weight(linkage: &Linkage, q: &Angle) -> f64 {
        let heights = first(linkage, q).translation.y + second(linkage, q).translation.y;
        9.81 * (heights + third(linkage, q).translation.y)
    }
}

const END: f64 = 2.0;
/// Angles between adjacent axes.
const TWISTS: [f64; 2] = [0.5, 1.1];

/// Lengths are as the sines of the twists.
fn lengths() -> [f64; 4] {
    let longer = TWISTS[1].sin() / TWISTS[0].sin();
    [1.0, longer, 1.0, longer]
}

fn twists() -> [f64; 4] {
    [TWISTS[0], TWISTS[1], TWISTS[0], TWISTS[1]]
}

/// The start and the end of the motion, identified by the angle.
fn reference() -> (angle::System, [angle::Angle; 2]) {
    let [half_sum, half_difference] = [0.5 * (TWISTS[1] + TWISTS[0]), 0.5 * (TWISTS[1] - TWISTS[0])];
    let product = -half_sum.sin() / half_difference.sin();
    let system = angle::System::new(angle::Linkage { lengths: lengths(), twists: twists(), product }).unwrap();
    let start = angle::Angle { first: 1.0 };
    let run = Simulation::of(&system)
        .initial(start, Vector1::new(0.0))
        .step(2e-3)
        .end_time(END)
        .run_precompiled("hedop5")
        .unwrap();
    let end = run.last().configuration;
    // It goes round by more than half a turn.
    assert!(end.first < -3.0, "{end:?}");
    (system, [start, end])
}

/// Steps of every size, by which stages come off the constraints as far as they like.
#[test]
fn hinges_that_are_redundant_on_the_constraints_alone_do_not_lock() {
    let (told, [start, end]) = reference();
    let system = hinges::System::new(hinges::Linkage { lengths: lengths(), twists: twists() }).unwrap();
    let second = 2.0 * (told.parameters().product * (0.5 * start.first).cos()).atan2((0.5 * start.first).sin());
    let q = hinges::Angles { angles: [start.first, second, -start.first] };
    let cases = [
        ("hedop5", 2e-2, 1e-7),
        ("hedop5", 1e-2, 1e-7),
        ("hedop5", 2e-3, 1e-7),
        ("herk4", 5e-3, 1e-7),
        ("herk2_heun", 2e-3, 8e-5),
        ("lie_alpha", 2e-3, 4e-6),
    ];
    for (method, h, bound) in cases {
        let run = Simulation::of(&system).initial(q, Vector3::zeros()).step(h).end_time(END);
        let run = run.run_precompiled(method).unwrap_or_else(|error| panic!("{method} {h}: {error}"));
        let error = run.last().configuration.angles[0] - end.first;
        assert!(error.abs() < bound, "{method} {h}: {error:e}");
    }
}

#[test]
fn bodies_whose_hinges_are_redundant_on_the_constraints_alone_do_not_lock() {
    let (told, [start, end]) = reference();
    let system = bodies::System::new(bodies::Linkage { lengths: lengths(), twists: twists() }).unwrap();
    let links = |q: &angle::Angle| {
        let p = told.parameters();
        [angle::first(p, q), angle::second(p, q), angle::third(p, q)]
    };
    let q = bodies::Links { links: links(&start) };
    assert_eq!(system.diagnose(0.0, &q).unwrap().degrees_of_freedom(), 1);
    for (method, h) in [("hedop5", 1e-2), ("herk4", 5e-3)] {
        let run = Simulation::of(&system).initial(q, system.zero_velocity()).monitor_rank().step(h).end_time(END);
        let run = run.run_precompiled(method).unwrap_or_else(|error| panic!("{method} {h}: {error}"));
        // Of the seventeen rows that are independent all along, not of the twenty.
        let kept =
            |state: &State<bodies::System>| system.diagnose(state.time, &state.configuration).unwrap().smallest_kept;
        let smallest = run.states.iter().map(kept).fold(1.0, f64::min);
        let seen = run.statistics.smallest_singular_value.unwrap();
        assert!(seen.value > 1e-3 && (seen.value - smallest).abs() < 1e-6, "{method} {h}: {seen:?} {smallest:e}");
        for (link, expected) in run.last().configuration.links.iter().zip(links(&end)) {
            let off = (expected.inverse() * *link).log().norm();
            assert!(off < 1e-7, "{method} {h}: {off:e}");
        }
    }
}
