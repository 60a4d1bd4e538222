//! A chain of rigid links, once over masses with constraints on their distances, once over the angles of the links.

use core::f64::consts::FRAC_PI_2;

use lie_runtime::nalgebra::SVector;
use lie_runtime::prelude::*;

/// Masses, the links between which are rigid.
#[mechanical_system]
pub mod masses {
    use lie_runtime::prelude::*;

    /// The masses.
    #[configuration]
    pub struct Chain {
        /// From the hook to the free end.
        #[clamped(first)]
        pub masses: Vec<R3>,
    }

    /// Data.
    #[parameters]
    pub struct Data {
        /// Mass of a node.
        pub mass: f64,
        /// Length of a link.
        pub link: f64,
        /// Downwards, along −e₃.
        pub gravity: f64,
    }

    #[kinetic_energy(over = masses)]
    fn kinetic(data: &Data, v: &Vector3<f64>) -> f64 {
        0.5 * data.mass * v.norm_squared()
    }

    #[potential(over = masses)]
    fn weight(data: &Data, x: &R3) -> f64 {
        data.mass * data.gravity * x.z
    }

    #[constraint(over = masses.windows(2))]
    fn link(data: &Data, [a, b]: [&R3; 2]) -> f64 {
        0.5 * ((b - a).norm_squared() - data.link * data.link)
    }
}

/// The number of links of the pendulum.
const LINKS: usize = 4;

/// The same links by their angles from the vertical.
#[mechanical_system(derivative_check)]
pub mod pendulum {
    use lie_runtime::prelude::*;

    const N: usize = 4;

    /// The links.
    #[configuration]
    pub struct Pendulum {
        /// From the hook to the free end; hanging down is the identity.
        pub links: [SO2; N],
    }

    /// Data.
    #[parameters]
    pub struct Data {
        /// Mass of a node.
        pub mass: f64,
        /// Length of a link.
        pub link: f64,
        /// Downwards.
        pub gravity: f64,
    }

    /// x and z of the masses, one after the other.
    #[quantity]
    pub fn places(data: &Data, q: &Pendulum) -> SVector<f64, 8> {
        let mut all = SVector::<f64, 8>::zeros();
        let mut place = Vector2::new(0.0, 0.0);
        for i in 0..N {
            place += q.links[i] * Vector2::new(0.0, -data.link);
            all[2 * i] = place[0];
            all[2 * i + 1] = place[1];
        }
        all
    }

    #[kinetic_energy]
    fn kinetic(data: &Data, q: &Pendulum, v: &Velocity) -> f64 {
        0.5 * data.mass * places_rate(data, q, v).norm_squared()
    }

    #[potential]
    fn weight(data: &Data, q: &Pendulum) -> f64 {
        let places = places(data, q);
        let mut height = 0.0;
        for i in 0..N {
            height += places[2 * i + 1];
        }
        data.mass * data.gravity * height
    }
}

const DATA: pendulum::Data = pendulum::Data { mass: 0.3, link: 0.4, gravity: 9.81 };

/// The masses of the pendulum from the hook on, and their velocities.
fn places_and_velocities(q: &pendulum::Pendulum, v: &pendulum::Velocity) -> [Vec<Vector3<f64>>; 2] {
    let spread = |all: SVector<f64, 8>| {
        let hook = core::iter::once(Vector3::zeros());
        hook.chain((0..LINKS).map(|i| Vector3::new(all[2 * i], 0.0, all[2 * i + 1]))).collect()
    };
    [spread(pendulum::places(&DATA, q)), spread(pendulum::places_rate(&DATA, q, v))]
}

#[test]
fn rigid_links_are_a_pendulum() {
    let minimal = pendulum::System::new(DATA).expect("a pendulum");
    // Every link at another angle, with another rate.
    let links = [FRAC_PI_2, 1.2, 0.3, -0.5].map(SO2::from_angle);
    let (q, rates) = (pendulum::Pendulum { links }, SVector::from([0.0, 1.0, -2.0, 0.5]));
    let [first, speeds] = places_and_velocities(&q, &minimal.velocity(&rates));
    let times: Vec<f64> = (1..=10).map(|tenth| 0.1 * f64::from(tenth)).collect();
    let exact = Simulation::of(&minimal)
        .initial(q, rates)
        .method(HalfExplicit::hedop5())
        .step(5e-4)
        .end_time(1.0)
        .output_times(&times)
        .run()
        .expect("runs");

    let data = masses::Data { mass: DATA.mass, link: DATA.link, gravity: DATA.gravity };
    let chain = masses::System::new(data, masses::Lengths { masses: LINKS + 1 }).expect("a chain");
    let run = Simulation::of(&chain)
        .initial(masses::Chain { masses: first }, masses::Velocity { masses: speeds })
        .method(HalfExplicit::hedop5())
        .step(5e-4)
        .end_time(1.0)
        .output_times(&times)
        .run()
        .expect("runs");
    assert_eq!((run.states.len(), exact.states.len()), (times.len(), times.len()));
    let mut largest = [0.0_f64; 2];
    for (found, expected) in run.states.iter().zip(&exact.states) {
        let wanted = places_and_velocities(&expected.configuration, &minimal.velocity(&expected.velocity));
        let velocity = chain.velocity(&found.velocity);
        for (k, of) in [&found.configuration.masses, &velocity.masses].into_iter().enumerate() {
            assert_eq!(of.len(), LINKS + 1);
            for (a, b) in of.iter().zip(&wanted[k]) {
                largest[k] = largest[k].max((a - b).norm());
            }
        }
    }
    let [q, v] = largest;
    assert!(q < 1e-9 && v < 1e-9, "{q:e} {v:e}");
    // The free end has come a long way.
    let (start, end) = (&exact.states[0].configuration, &exact.states[times.len() - 1].configuration);
    assert!((start.links[LINKS - 1].inverse() * end.links[LINKS - 1]).log().norm() > 0.5);
}
