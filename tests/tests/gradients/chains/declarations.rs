//! Chains with gradients: data of each member and of each edge, shared data, constraints that move, clamped ends.

/// A rod of rigid nodes and elastic edges, each with data of its own; clamped at its first node.
#[lie_runtime::mechanical_system(gradients)]
pub mod rod {
    use lie_runtime::prelude::*;

    /// The frames of the nodes.
    #[configuration]
    pub struct Rod {
        /// Their third axes are along the rod.
        #[clamped(first)]
        pub nodes: Vec<S3R3>,
    }

    /// An edge.
    pub struct Edge {
        /// Its length.
        pub length: f64,
        /// Its bending and torsional stiffness.
        pub bending: Vector3<f64>,
        /// Its shear and axial stiffness.
        pub stretching: Vector3<f64>,
    }

    /// The material of the rod.
    #[parameters]
    pub struct Section {
        /// Mass per length.
        pub density: f64,
        /// The edges from node to node.
        pub edges: Vec<Edge>,
        /// Rotary inertia per length.
        pub inertia: Vector3<f64>,
        /// The rotational resistance of each node.
        pub friction: Vec<f64>,
        /// The force on the last node, as space sees it.
        pub load: Vector3<f64>,
        /// Gravity.
        pub gravity: f64,
    }

    /// Half of the edges on both sides; the first node has no edge before it, the last node no edge after it.
    fn share(rod: &Section, index: usize, length: usize) -> f64 {
        let before = if index == 0 { 0.0 } else { rod.edges[index - 1].length };
        let behind = if index + 1 == length { 0.0 } else { rod.edges[index].length };
        0.5 * (before + behind)
    }

    #[kinetic_energy(over = nodes)]
    fn kinetic(rod: &Section, index: usize, length: usize, v: &Vector6<f64>) -> f64 {
        let (angular, linear) = (v.angular(), v.linear());
        0.5 * share(rod, index, length)
            * (rod.density * linear.norm_squared() + angular.dot(&rod.inertia.component_mul(&angular)))
    }

    #[potential(over = nodes)]
    fn weight(rod: &Section, index: usize, length: usize, node: &S3R3) -> f64 {
        rod.gravity * rod.density * share(rod, index, length) * node.translation.z
    }

    #[potential(over = nodes.windows(2))]
    fn elastic(rod: &Section, index: usize, [a, b]: [&S3R3; 2]) -> f64 {
        let edge = &rod.edges[index];
        let strain = (a.inverse() * b).log() / edge.length;
        let (curvature, stretch) = (strain.angular(), strain.linear() - Vector3::new(0.0, 0.0, 1.0));
        0.5 * edge.length
            * (curvature.dot(&edge.bending.component_mul(&curvature))
                + stretch.dot(&edge.stretching.component_mul(&stretch)))
    }

    #[dissipation(over = nodes)]
    fn friction(rod: &Section, index: usize, v: &Vector6<f64>) -> f64 {
        0.5 * rod.friction[index] * v.angular().norm_squared()
    }

    #[potential(over = nodes.last())]
    fn load(rod: &Section, tip: &S3R3) -> f64 {
        -rod.load.dot(&tip.translation)
    }
}

/// Bodies hung one on the other by joints, the first one on a support that is moved.
#[lie_runtime::mechanical_system(gradients)]
pub mod pendulum {
    use lie_runtime::prelude::*;

    /// The bodies.
    #[configuration]
    pub struct Chain {
        /// Their centres of mass.
        pub links: Vec<SE3>,
    }

    /// The data of the bodies.
    #[parameters]
    pub struct Data {
        /// How far the joints of each body are from its centre.
        pub halves: Vec<f64>,
        /// Their masses.
        pub masses: Vec<f64>,
        /// Their inertia, the same of all.
        pub inertia: Matrix3<f64>,
        /// How far the support is moved.
        pub amplitude: f64,
        /// The rotational resistance of the joints.
        pub friction: f64,
    }

    #[kinetic_energy(over = links)]
    fn kinetic(data: &Data, index: usize, v: &Vector6<f64>) -> f64 {
        let (angular, linear) = (v.angular(), v.linear());
        0.5 * (data.masses[index] * linear.norm_squared() + angular.dot(&(data.inertia * angular)))
    }

    #[potential(over = links)]
    fn weight(data: &Data, index: usize, link: &SE3) -> f64 {
        9.81 * data.masses[index] * link.position().z
    }

    #[dissipation(over = links.windows(2))]
    fn friction(data: &Data, [a, b]: [&Vector6<f64>; 2]) -> f64 {
        0.5 * data.friction * (a.angular() - b.angular()).norm_squared()
    }

    #[constraint(over = links.first())]
    fn support(data: &Data, t: f64, link: &SE3) -> Vector3<f64> {
        let end = link * Vector3::new(0.0, 0.0, data.halves[0]);
        end - Vector3::new(data.amplitude * (3.0 * t).sin(), 0.0, 0.0)
    }

    #[constraint(over = links.windows(2))]
    fn joint(data: &Data, index: usize, [a, b]: [&SE3; 2]) -> Vector3<f64> {
        let lower = a * Vector3::new(0.0, 0.0, -data.halves[index]);
        let upper = b * Vector3::new(0.0, 0.0, data.halves[index + 1]);
        lower - upper
    }
}

/// Two springs on one mass, written out, their stiffnesses in a list.
#[lie_runtime::mechanical_system(gradients)]
pub mod springs {
    use lie_runtime::prelude::*;

    /// The mass.
    #[configuration]
    pub struct Mass {
        /// The position.
        pub place: R2,
    }

    /// Stiffness of the springs.
    #[parameters]
    pub struct Springs {
        /// The stiffnesses.
        pub stiffness: Vec<f64>,
        /// The mass.
        pub mass: f64,
    }

    #[kinetic_energy]
    fn kinetic(springs: &Springs, v: &Velocity) -> f64 {
        0.5 * springs.mass * v.place.norm_squared()
    }

    #[potential]
    fn elastic(springs: &Springs, q: &Mass) -> f64 {
        0.5 * (springs.stiffness[0] * q.place.x * q.place.x + springs.stiffness[1] * q.place.y.powi(4))
    }
}
