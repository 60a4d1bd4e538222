//! A load that hangs from a trolley on a spring.

use lie_runtime::prelude::*;

/// A trolley and a load.
#[mechanical_system]
pub mod gantry {
    use lie_runtime::prelude::*;

    /// The crane.
    #[configuration]
    pub struct Crane {
        /// The rope, along −z of its frame.
        pub rope: SO3,
        /// The place of the trolley, in m.
        pub trolley: f64,
    }

    /// Data.
    #[parameters]
    #[derive(Clone)]
    pub struct Data {
        /// Masses of trolley and load, in kg.
        pub masses: [f64; 2],
        /// Moments of inertia of the load, in kg m².
        pub inertia: Matrix3<f64>,
        /// The length of the rope, in m.
        pub length: f64,
        /// The stiffness of the spring at the trolley, in N/m.
        pub stiffness: f64,
        /// Friction of the rope, in N m s.
        pub damping: f64,
        /// True if the trolley has an end stop.
        pub has_stop: bool,
    }

    /// The load.
    #[quantity]
    fn load(p: &Data, q: &Crane) -> Vector3<f64> {
        Vector3::x() * q.trolley - q.rope * Vector3::z() * p.length
    }

    #[kinetic_energy]
    fn kinetic(p: &Data, q: &Crane, v: &Velocity) -> f64 {
        0.5 * p.masses[0] * v.trolley * v.trolley
            + 0.5 * p.masses[1] * load_rate(p, q, v).norm_squared()
            + 0.5 * v.rope.dot(&(p.inertia * v.rope))
    }

    #[potential]
    fn energy(p: &Data, q: &Crane) -> f64 {
        let over = q.trolley - 0.3;
        let stop = if p.has_stop && over > 0.0 { 50.0 * over * over * over } else { 0.0 };
        9.81 * p.masses[1] * load(p, q).z + 0.5 * p.stiffness * q.trolley * q.trolley + stop
            - 0.3 * (q.rope * Vector3::x()).x
    }

    #[dissipation]
    fn friction(p: &Data, v: &Velocity) -> f64 {
        0.5 * p.damping * v.rope.norm_squared() + 0.2 * p.damping * v.trolley * v.trolley
    }

    #[observable]
    fn place(p: &Data, q: &Crane) -> Vector3<f64> {
        load(p, q)
    }

    #[observable]
    fn speed(p: &Data, q: &Crane, v: &Velocity) -> f64 {
        load_rate(p, q, v).norm()
    }

    #[event]
    fn middle(q: &Crane) -> f64 {
        q.trolley
    }
}

/// Data of the crane.
pub(crate) fn data() -> gantry::Data {
    gantry::Data {
        masses: [2.0, 1.0],
        inertia: Matrix3::from_diagonal(&Vector3::new(0.02, 0.03, 0.04)),
        length: 1.2,
        stiffness: 30.0,
        damping: 0.05,
        has_stop: true,
    }
}
