//! A tree of three kinds of joints on a moving base, and a net of bodies: frames, lists and terms over members.

use lie_runtime::prelude::*;

/// Links on a moving base.
#[mechanical_system]
pub mod crane {
    use lie_runtime::prelude::*;

    /// The joints.
    #[configuration]
    pub struct Joints {
        /// The hinges.
        pub hinges: Vec<SO2>,
        /// The telescopes, in m.
        pub slides: Vec<f64>,
        /// The ball joint.
        pub hub: SO3,
    }

    /// Data.
    #[parameters]
    pub struct Data {
        /// The mass of each link, in kg.
        pub masses: Vec<f64>,
        /// The end of each link after a hinge, in m.
        pub offsets: Vec<Vector3<f64>>,
        /// Moments of inertia, in kg m².
        pub inertia: Matrix3<f64>,
        /// The stiffness of the springs, in N/m.
        pub stiffness: f64,
        /// The moment of inertia of a rotor, in kg m².
        pub rotor: f64,
        /// The square of the length of the rod, in m².
        pub rod: f64,
    }

    /// The base moves.
    pub fn shaker(t: f64) -> SE3 {
        SE3::new(SO3::exp(&(Vector3::z() * (0.2 * t.sin()))), Vector3::new(0.1 * (2.0 * t).sin(), 0.0, 0.05 * t * t))
    }

    /// The frames.
    #[kinematics(over = hinges, base = shaker, parents = parents)]
    pub fn link(data: &Data, index: usize, length: usize, above: &SE3, angle: &SO2) -> SE3 {
        let scale = 1.0 + 0.1 * (length - index) as f64;
        *above * SE3::new(SO3::about_x(angle.angle()), data.offsets[index] * scale)
    }

    /// A telescope.
    #[kinematics(over = slides, frames = link)]
    fn telescope(above: &SE3, extension: &f64) -> SE3 {
        *above * SE3::new(SO3::about_z(0.3), Vector3::new(0.0, *extension, 0.1))
    }

    /// The ball joint.
    #[kinematics(over = hub, frames = link)]
    fn ball(above: &SE3, hub: &SO3) -> SE3 {
        *above * SE3::new(*hub, Vector3::new(0.0, 0.3, 0.0))
    }

    #[kinetic_energy(over = link)]
    fn kinetic(data: &Data, index: usize, twist: &Vector6<f64>) -> f64 {
        let (turn, speed) = (twist.angular(), twist.linear());
        0.5 * data.masses[index] * speed.norm_squared() + 0.5 * turn.dot(&(data.inertia * turn))
    }

    #[kinetic_energy(over = hinges)]
    fn rotors(data: &Data, _angle: &SO2, rate: &f64) -> f64 {
        0.5 * data.rotor * rate * rate
    }

    #[potential(over = link)]
    fn weight(data: &Data, index: usize, x: &SE3) -> f64 {
        9.81 * data.masses[index] * (*x * Vector3::new(0.0, 0.0, 0.02)).z
    }

    /// Springs between links.
    #[potential(over = (link, link).by(springs))]
    fn spring(data: &Data, index: usize, a: &SE3, b: &SE3) -> f64 {
        0.5 * data.stiffness * (1.0 + index as f64) * (a.position() - b.position()).norm_squared()
    }

    /// The square of the distance of adjacent links.
    #[quantity(over = link.windows(2))]
    fn gap([a, b]: [&SE3; 2]) -> f64 {
        (a.position() - b.position()).norm_squared()
    }

    #[dissipation(over = link.windows(2))]
    fn damper([a, b]: [&SE3; 2], [va, vb]: [&Vector6<f64>; 2]) -> f64 {
        0.2 * gap_rate([a, b], [va, vb]).powi(2) + 0.01 * (va - vb).norm_squared()
    }

    /// The tip.
    #[quantity(over = link.last())]
    fn tip(x: &SE3) -> Vector3<f64> {
        *x * Vector3::new(0.0, 0.2, 0.0)
    }

    #[force(at = tip)]
    fn wind(t: f64) -> Vector3<f64> {
        Vector3::new((3.0 * t).sin(), 0.4, 0.0)
    }

    /// A thruster, and its drag.
    #[force(over = link[1])]
    fn thrust(twist: &Vector6<f64>) -> Vector6<f64> {
        Vector6::new(0.0, 0.1, 0.0, 0.0, 0.0, 2.0) - 0.1 * twist
    }

    #[force(over = hinges.first())]
    fn motor(index: usize, length: usize, _angle: &SO2, rate: &f64) -> f64 {
        1.0 + (index + length) as f64 - 0.3 * rate
    }

    /// A rod between two links.
    #[constraint(over = (link[1], link[3]))]
    fn rod(data: &Data, a: &SE3, b: &SE3) -> f64 {
        (a.position() - b.position()).norm_squared() - data.rod
    }

    /// The height of each link.
    #[observable(over = link)]
    pub fn height(x: &SE3) -> f64 {
        x.position().z
    }

    /// The position of the last link.
    #[observable(over = link.last())]
    pub fn top(x: &SE3) -> Vector3<f64> {
        x.position()
    }
}

/// Bodies on springs.
#[mechanical_system]
pub mod net {
    use lie_runtime::prelude::*;

    /// The bodies, and a cart.
    #[configuration]
    pub struct Net {
        /// The bodies.
        pub nodes: Vec<SE3>,
        /// The cart.
        pub cart: R1,
        /// Two weights.
        pub weights: [R3; 2],
    }

    /// Data.
    #[parameters]
    pub struct Data {
        /// The mass of each body, in kg.
        pub masses: Vec<f64>,
        /// The stiffness of each beam.
        pub beams: Vec<f64>,
    }

    #[kinetic_energy(over = nodes)]
    fn inertia(data: &Data, index: usize, v: &Vector6<f64>) -> f64 {
        let (turn, speed) = (v.angular(), v.linear());
        0.5 * turn.dot(&Vector3::new(0.1, 0.2, 0.3).component_mul(&turn))
            + 0.5 * data.masses[index] * speed.norm_squared()
    }

    #[kinetic_energy]
    fn kinetic(v: &Velocity) -> f64 {
        0.5 * 3.0 * v.cart.norm_squared()
    }

    #[kinetic_energy(over = weights)]
    fn hanging(index: usize, v: &Vector3<f64>) -> f64 {
        0.5 * (1.0 + index as f64) * v.norm_squared()
    }

    /// The strain of a beam.
    #[quantity(over = nodes.windows(2))]
    fn strain([a, b]: [&SE3; 2]) -> Vector6<f64> {
        (a.inverse() * *b).log() - Vector6::new(0.0, 0.0, 0.0, 1.0, 0.0, 0.0)
    }

    #[potential(over = nodes.windows(2))]
    fn beam(data: &Data, index: usize, [a, b]: [&SE3; 2]) -> f64 {
        0.5 * data.beams[index] * strain([a, b]).norm_squared()
    }

    #[dissipation(over = nodes.windows(2))]
    fn friction([a, b]: [&SE3; 2], [va, vb]: [&Vector6<f64>; 2]) -> f64 {
        0.05 * strain_rate([a, b], [va, vb]).norm_squared()
    }

    #[potential(over = (cart, nodes[1]))]
    fn rope(index: usize, cart: &R1, node: &SE3) -> f64 {
        0.5 * (2.0 + index as f64) * (node.position().x - cart[0]).powi(2)
    }

    #[potential(over = (nodes, weights).by(ropes))]
    fn hang(a: &SE3, b: &R3) -> f64 {
        2.0 * (a.position() - b).norm_squared() + 9.81 * b.z
    }

    #[force(over = nodes.last())]
    fn follower(t: f64, v: &Vector6<f64>) -> Vector6<f64> {
        Vector6::new(0.0, 0.0, 0.1, 0.0, t, 0.0) - 0.05 * v
    }

    #[constraint(over = nodes.first())]
    fn anchor(x: &SE3) -> Vector3<f64> {
        x.position()
    }

    /// Supports of bodies.
    #[constraint(over = nodes.by(supports))]
    fn support(x: &SE3) -> f64 {
        x.position().z
    }

    /// A blade.
    #[velocity_constraint(over = nodes.by(supports))]
    fn blade(_x: &SE3, v: &Vector6<f64>) -> f64 {
        v.linear().y
    }
}
