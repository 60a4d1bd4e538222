//! Systems that are good declarations with something to go wrong at run time.

use lie_runtime::prelude::*;

/// A body whose point is held twice, by formulas that are not the same.
#[mechanical_system]
pub mod held_twice {
    use lie_runtime::prelude::*;

    /// The body.
    #[configuration]
    pub struct Body {
        /// The frame at the centre of mass.
        pub pose: SE3,
    }

    /// Data.
    #[parameters]
    pub struct Data {
        /// The mass.
        pub mass: f64,
        /// The point in the body.
        pub point: Vector3<f64>,
    }

    #[kinetic_energy]
    fn kinetic(data: &Data, v: &Velocity) -> f64 {
        0.5 * data.mass * v.pose.norm_squared()
    }

    #[constraint]
    fn hinge(data: &Data, q: &Body) -> Vector3<f64> {
        q.pose.rotation.inverse() * q.pose.translation + data.point
    }

    #[constraint]
    fn same_hinge(data: &Data, q: &Body) -> Vector3<f64> {
        q.pose * data.point
    }
}

/// A particle in a potential that ends at x = 1: √(1 − x).
#[mechanical_system]
pub mod edge {
    use lie_runtime::prelude::*;

    /// The particle.
    #[configuration]
    pub struct Particle {
        /// Where it is.
        pub place: R2,
    }

    /// Data.
    #[parameters]
    pub struct Data {
        /// The mass.
        pub mass: f64,
        /// The height of the hill.
        pub height: f64,
    }

    #[kinetic_energy]
    fn kinetic(data: &Data, v: &Velocity) -> f64 {
        0.5 * data.mass * v.place.norm_squared()
    }

    #[potential]
    fn hill(data: &Data, q: &Particle) -> f64 {
        data.height * (1.0 - q.place.x).sqrt()
    }
}

/// A particle on the cross x y = 0, whose gradient vanishes in the middle.
#[mechanical_system]
pub mod cross {
    use lie_runtime::prelude::*;

    /// The particle.
    #[configuration]
    pub struct Particle {
        /// Where it is.
        pub place: R2,
    }

    #[kinetic_energy]
    fn kinetic(v: &Velocity) -> f64 {
        0.5 * v.place.norm_squared()
    }

    #[constraint]
    fn crossing(q: &Particle) -> f64 {
        q.place.x * q.place.y
    }
}

/// A particle that loses mass on its way: m (1 − x).
#[mechanical_system]
pub mod leaking {
    use lie_runtime::prelude::*;

    /// Wagon and load.
    #[configuration]
    pub struct Train {
        /// A flywheel of constant inertia.
        pub wheel: SO2,
        /// The wagon.
        pub wagon: R1,
    }

    /// Data.
    #[parameters]
    pub struct Data {
        /// The mass at the start.
        pub mass: f64,
    }

    #[kinetic_energy]
    fn kinetic(data: &Data, q: &Train, v: &Velocity) -> f64 {
        0.5 * v.wheel * v.wheel + 0.5 * data.mass * (1.0 - q.wagon.x) * v.wagon.x * v.wagon.x
    }
}

/// A circle that nothing on the line y = 2 can reach.
#[mechanical_system]
pub mod unreachable {
    use lie_runtime::prelude::*;

    /// The particle.
    #[configuration]
    pub struct Particle {
        /// Where it is on the line.
        pub place: R1,
    }

    #[kinetic_energy]
    fn kinetic(v: &Velocity) -> f64 {
        0.5 * v.place.norm_squared()
    }

    #[constraint]
    fn circle(q: &Particle) -> f64 {
        q.place.x * q.place.x + 4.0 - 1.0
    }
}
