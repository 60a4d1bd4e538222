//! Conservative declarations over members.

use lie_runtime::prelude::*;

/// A rod with coupled inertia of its nodes, attached to a slider, together with needles.
#[mechanical_system(derivative_check)]
pub mod rod {
    use lie_runtime::prelude::*;

    #[configuration]
    pub struct Rod {
        pub slider: f64,
        #[clamped(last)]
        pub nodes: Vec<S3R3>,
        pub needles: Vec<S2>,
    }

    #[parameters]
    pub struct Section {
        pub bending: Vector3<f64>,
        pub stretching: Vector3<f64>,
        pub inertia: Vector3<f64>,
    }

    pub const SECTION: Section = Section {
        bending: Vector3::new(3.0, 5.0, 7.0),
        stretching: Vector3::new(11.0, 13.0, 17.0),
        inertia: Vector3::new(0.3, 0.5, 0.7),
    };

    #[kinetic_energy(over = nodes)]
    fn of_nodes(rod: &Section, v: &Vector6<f64>) -> f64 {
        let (angular, linear) = (v.angular(), v.linear());
        0.5 * (1.3 * linear.norm_squared() + angular.dot(&rod.inertia.component_mul(&angular)))
    }

    /// Linear in the velocity, too.
    #[kinetic_energy(over = slider)]
    fn of_slider(v: &f64) -> f64 {
        0.7 * v * v + 0.3 * v
    }

    /// A coupling of adjacent nodes that depends on their positions.
    #[kinetic_energy(over = nodes.windows(2))]
    fn of_edges([a, b]: [&S3R3; 2], [va, vb]: [&Vector6<f64>; 2]) -> f64 {
        let between = 0.5 * (a.rotation * va.linear() + b.rotation * vb.linear());
        0.4 * between.norm_squared() + 0.2 * between.x
    }

    #[kinetic_energy(over = needles)]
    fn of_needles(q: &S2, v: &Vector3<f64>) -> f64 {
        0.4 * v.cross(&q.direction()).norm_squared()
    }

    #[potential(over = nodes.windows(2))]
    fn elastic(rod: &Section, [a, b]: [&S3R3; 2]) -> f64 {
        let strain = (a.inverse() * b).log();
        let (curvature, stretch) = (strain.angular(), strain.linear() - Vector3::new(0.0, 0.0, 1.0));
        0.5 * (curvature.dot(&rod.bending.component_mul(&curvature))
            + stretch.dot(&rod.stretching.component_mul(&stretch)))
    }

    #[potential(over = (slider, nodes.first()))]
    fn hung(x: &f64, q: &S3R3) -> f64 {
        2.0 * (q.translation - Vector3::new(*x, 0.0, 0.0)).norm_squared()
    }

    #[potential(over = needles.windows(2))]
    fn attracted([a, b]: [&S2; 2]) -> f64 {
        0.3 * a.direction().z - 1.5 * a.direction().dot(&b.direction())
    }

    #[potential(over = (needles.first(), nodes.first()))]
    fn pulled(needle: &S2, node: &S3R3) -> f64 {
        0.9 * (node.rotation * Vector3::new(0.1, 0.5, 0.2)).dot(&needle.direction())
    }
}

/// Pins with needles: bodies with a direction, a power of them.
#[mechanical_system(derivative_check)]
pub mod needles {
    use lie_runtime::prelude::*;

    pub struct Pin {
        pub place: R3,
        pub needle: S2,
    }

    #[configuration]
    pub struct Pins {
        pub pins: [Pin; 4],
    }

    #[kinetic_energy(over = pins)]
    fn kinetic(pin: &Pin, v: &PinVelocity) -> f64 {
        let tip = v.place + v.needle.cross(&pin.needle.direction());
        0.5 * v.place.norm_squared() + 0.3 * tip.norm_squared()
    }

    #[potential(over = pins.windows(2))]
    fn joined([a, b]: [&Pin; 2]) -> f64 {
        let tip = a.place + a.needle.direction() - b.place;
        0.8 * tip.norm_squared() + 0.1 * tip.x * tip.y
    }
}

/// Bodies on a ring of springs: nothing holds it.
#[mechanical_system]
pub mod ring {
    use lie_runtime::prelude::*;

    #[configuration]
    pub struct Ring {
        pub bodies: Vec<SE3>,
    }

    #[kinetic_energy(over = bodies)]
    fn kinetic(v: &Vector6<f64>) -> f64 {
        let (angular, linear) = (v.angular(), v.linear());
        0.6 * linear.norm_squared() + 0.5 * angular.dot(&Vector3::new(0.3, 0.5, 0.4).component_mul(&angular))
    }

    #[potential(over = bodies.windows(2))]
    fn joined([a, b]: [&SE3; 2]) -> f64 {
        let (from, to) = (Vector3::new(0.5, 0.1, 0.0), Vector3::new(-0.5, 0.0, 0.2));
        2.0 * (b.rotation() * to + b.position() - a.rotation() * from - a.position()).norm_squared()
    }

    #[potential(over = (bodies.last(), bodies.first()))]
    fn closed(a: &SE3, b: &SE3) -> f64 {
        let (from, to) = (Vector3::new(0.5, 0.1, 0.0), Vector3::new(-0.5, 0.0, 0.2));
        2.0 * (b.rotation() * to + b.position() - a.rotation() * from - a.position()).norm_squared()
    }
}

/// The ring of three bodies, each by its name.
#[mechanical_system]
pub mod written_out {
    use lie_runtime::prelude::*;

    #[configuration]
    pub struct Ring {
        pub bodies: [SE3; 3],
    }

    #[kinetic_energy]
    fn kinetic(v: &Velocity) -> f64 {
        let mut sum = 0.0;
        for k in 0..3 {
            let (angular, linear) = (v.bodies[k].angular(), v.bodies[k].linear());
            sum +=
                0.6 * linear.norm_squared() + 0.5 * angular.dot(&Vector3::new(0.3, 0.5, 0.4).component_mul(&angular));
        }
        sum
    }

    #[potential]
    fn joined(q: &Ring) -> f64 {
        let (from, to) = (Vector3::new(0.5, 0.1, 0.0), Vector3::new(-0.5, 0.0, 0.2));
        let mut sum = 0.0;
        for k in 0..3 {
            let (a, b) = (&q.bodies[k], &q.bodies[(k + 1) % 3]);
            sum += 2.0 * (b.rotation() * to + b.position() - a.rotation() * from - a.position()).norm_squared();
        }
        sum
    }
}
