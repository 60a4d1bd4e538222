//! Small declarations with something to go wrong.

mod inputs;

use lie_runtime::prelude::*;

pub use inputs::{led, listed, pushed};

/// A point on the unit circle whose x is driven: x = t. After t = 1 there is no such point.
#[mechanical_system]
pub mod driven_off {
    use lie_runtime::prelude::*;

    #[configuration]
    pub struct Point {
        pub place: R2,
    }

    #[kinetic_energy]
    fn kinetic(v: &Velocity) -> f64 {
        0.5 * v.place.norm_squared()
    }

    #[constraint]
    fn circle(q: &Point) -> f64 {
        q.place.norm_squared() - 1.0
    }

    #[constraint]
    fn drive(t: f64, q: &Point) -> f64 {
        q.place.x - t
    }
}

/// A four-bar linkage: angles of crank, coupler and rocker.
#[mechanical_system]
pub mod linkage {
    use lie_runtime::prelude::*;

    #[configuration]
    pub struct Bars {
        pub crank: SO2,
        pub coupler: SO2,
        pub rocker: SO2,
    }

    #[parameters]
    pub struct Lengths {
        pub crank: f64,
        pub coupler: f64,
        pub rocker: f64,
        pub ground: f64,
    }

    #[kinetic_energy]
    fn kinetic(v: &Velocity) -> f64 {
        0.5 * (v.crank * v.crank + 2.0 * v.coupler * v.coupler + 3.0 * v.rocker * v.rocker)
    }

    #[constraint]
    fn closed(l: &Lengths, q: &Bars) -> Vector2<f64> {
        q.crank * Vector2::new(l.crank, 0.0) + q.coupler * Vector2::new(l.coupler, 0.0)
            - q.rocker * Vector2::new(l.rocker, 0.0)
            - Vector2::new(l.ground, 0.0)
    }
}

/// A mass on a spring.
#[mechanical_system]
pub mod spring {
    use lie_runtime::prelude::*;

    #[configuration]
    pub struct Position {
        pub x: R1,
    }

    #[parameters]
    pub struct Data {
        pub mass: f64,
        pub stiffness: f64,
        pub damping: f64,
    }

    #[kinetic_energy]
    fn kinetic(data: &Data, v: &Velocity) -> f64 {
        0.5 * data.mass * v.x.norm_squared()
    }

    #[potential]
    fn stretched(data: &Data, q: &Position) -> f64 {
        0.5 * data.stiffness * q.x.norm_squared()
    }

    #[dissipation]
    fn damper(data: &Data, v: &Velocity) -> f64 {
        0.5 * data.damping * v.x.norm_squared()
    }
}

/// A body whose point is held, with a stiff torsion spring.
#[mechanical_system]
pub mod held_body {
    use lie_runtime::prelude::*;

    #[configuration]
    pub struct Body {
        pub attitude: SO3,
        pub position: R3,
    }

    #[parameters]
    pub struct Data {
        pub stiffness: f64,
    }

    #[kinetic_energy]
    fn kinetic(v: &Velocity) -> f64 {
        0.5 * (0.1 * v.attitude.norm_squared() + v.position.norm_squared())
    }

    #[potential]
    fn torsion(data: &Data, q: &Body) -> f64 {
        0.5 * data.stiffness * q.attitude.log().norm_squared()
    }

    #[constraint]
    fn hinge(q: &Body) -> Vector3<f64> {
        q.attitude.inverse() * q.position - Vector3::new(0.0, 1.0, 0.0)
    }
}

/// A ball that falls onto a stiff floor.
#[mechanical_system]
pub mod contact {
    use lie_runtime::prelude::*;

    #[configuration]
    pub struct Ball {
        pub pose: S3R3,
    }

    #[parameters]
    pub struct Data {
        pub stiffness: f64,
    }

    #[kinetic_energy]
    fn kinetic(v: &Velocity) -> f64 {
        0.5 * v.pose.norm_squared()
    }

    #[potential]
    fn weight(q: &Ball) -> f64 {
        9.81 * q.pose.translation.z
    }

    #[potential]
    fn floor(data: &Data, q: &Ball) -> f64 {
        let depth = q.pose.translation.z.min(0.0);
        0.25 * data.stiffness * depth * depth * depth * depth
    }
}

/// Masses on a line, joined by springs; the first one is clamped.
#[mechanical_system]
pub mod beads {
    use lie_runtime::prelude::*;

    #[configuration]
    pub struct Line {
        #[clamped(first)]
        pub beads: Vec<R3>,
    }

    #[kinetic_energy(over = beads)]
    fn kinetic(v: &Vector3<f64>) -> f64 {
        0.5 * v.norm_squared()
    }

    #[potential(over = beads.windows(2))]
    fn spring([a, b]: [&R3; 2]) -> f64 {
        0.5 * (b - a).norm_squared()
    }

    #[constraint(over = beads.last())]
    fn on_the_floor(bead: &R3) -> f64 {
        bead.z
    }
}

/// A mass that drifts and is struck once: a force of the time that lasts for a millisecond.
#[mechanical_system]
pub mod struck {
    use lie_runtime::prelude::*;

    #[configuration]
    pub struct Position {
        pub x: R1,
    }

    #[kinetic_energy]
    fn kinetic(v: &Velocity) -> f64 {
        0.5 * v.x.norm_squared()
    }

    #[force]
    fn blow(t: f64) -> Vector1<f64> {
        let s = (t - 1.0) / 0.001;
        Vector1::new(1e6 * (-s * s).exp())
    }
}

/// A charge that passes another charge of the same sign, and a spring that is released by a potential.
#[mechanical_system]
pub mod released {
    use lie_runtime::prelude::*;

    #[configuration]
    pub struct Position {
        pub x: R1,
    }

    #[kinetic_energy]
    fn kinetic(v: &Velocity) -> f64 {
        0.5 * v.x.norm_squared()
    }

    #[potential]
    fn cliff(q: &Position) -> f64 {
        -1e6 * ((q.x.x - 1.0) / 1e-3).tanh()
    }
}

/// A wheel on a spring along a line: x = cos ω t.
#[mechanical_system]
pub mod wheel {
    use lie_runtime::prelude::*;

    #[configuration]
    pub struct Wheel {
        pub x: R1,
    }

    #[parameters]
    pub struct Data {
        pub inertia: f64,
        pub spring: f64,
    }

    #[kinetic_energy]
    fn kinetic(data: &Data, v: &Velocity) -> f64 {
        0.5 * data.inertia * v.x.norm_squared()
    }

    #[potential]
    fn spring(data: &Data, q: &Wheel) -> f64 {
        0.5 * data.spring * q.x.norm_squared()
    }
}

/// A ball on springs in a frame that rotates with Ω = 1: T has parts of all degrees in v.
#[mechanical_system]
pub mod merry_go_round {
    use lie_runtime::prelude::*;

    #[configuration]
    pub struct Ball {
        pub place: R2,
    }

    #[kinetic_energy]
    fn kinetic(q: &Ball, v: &Velocity) -> f64 {
        0.5 * (v.place + Vector2::new(-q.place.y, q.place.x)).norm_squared()
    }

    #[potential]
    fn springs(q: &Ball) -> f64 {
        0.5 * 2.0 * q.place.x * q.place.x + 0.5 * 3.0 * q.place.y * q.place.y
    }
}

/// A foot that is carried along.
#[mechanical_system]
pub mod treadmill {
    use lie_runtime::prelude::*;

    #[configuration]
    pub struct Foot {
        pub place: R2,
    }

    #[kinetic_energy]
    fn kinetic(v: &Velocity) -> f64 {
        0.5 * v.place.norm_squared()
    }

    #[velocity_constraint]
    fn carried(v: &Velocity) -> f64 {
        v.place.x - 1.0
    }
}

/// A direction with a weight at its tip, and its composition.
#[mechanical_system]
pub mod pointer {
    use lie_runtime::prelude::*;

    pub struct Joint {
        pub tip: S2,
    }

    pub struct Arm {
        pub lower: Joint,
        pub upper: Joint,
    }

    #[configuration]
    pub struct Pose {
        pub arm: Arm,
    }

    #[kinetic_energy]
    fn kinetic(v: &Velocity) -> f64 {
        0.5 * v.arm.lower.tip.norm_squared() + 0.5 * v.arm.upper.tip.norm_squared()
    }

    #[potential]
    fn weight(q: &Pose) -> f64 {
        (q.arm.lower.tip.direction() + q.arm.upper.tip.direction()).z
    }
}

/// A particle that is drawn to a centre.
#[mechanical_system]
pub mod drawn {
    use lie_runtime::prelude::*;

    #[configuration]
    pub struct Place {
        pub x: f64,
    }

    #[parameters]
    pub struct Data {
        pub attraction: f64,
    }

    #[kinetic_energy]
    fn kinetic(v: &Velocity) -> f64 {
        0.5 * v.x * v.x
    }

    #[force(on = x)]
    fn pull(data: &Data, q: &Place) -> f64 {
        -data.attraction / (q.x * q.x)
    }
}

/// A ball before a wall at x = 0 that no number is large enough for.
#[mechanical_system]
pub mod wall {
    use lie_runtime::prelude::*;

    #[configuration]
    pub struct Ball {
        pub x: f64,
    }

    #[parameters]
    pub struct Data {
        pub stiffness: f64,
        pub damping: f64,
    }

    #[kinetic_energy]
    fn kinetic(v: &Velocity) -> f64 {
        0.5 * v.x * v.x
    }

    #[dissipation]
    fn damper(data: &Data, v: &Velocity) -> f64 {
        0.5 * data.damping * v.x * v.x
    }

    #[force(on = x)]
    fn push(data: &Data, q: &Ball) -> f64 {
        (-data.stiffness * q.x).exp()
    }
}

/// A rotor and the bob of a pendulum of length 1 in a viscous liquid.
#[mechanical_system(gradients)]
pub mod viscous {
    use lie_runtime::prelude::*;

    #[configuration]
    pub struct Bodies {
        pub rotor: SO3,
        pub bob: R2,
    }

    #[parameters]
    pub struct Liquid {
        pub damping: f64,
        pub gravity: f64,
    }

    #[kinetic_energy]
    fn kinetic(v: &Velocity) -> f64 {
        0.5 * (v.rotor.norm_squared() + v.bob.norm_squared())
    }

    #[potential]
    fn weight(data: &Liquid, q: &Bodies) -> f64 {
        data.gravity * q.bob.y
    }

    #[dissipation]
    fn drag(data: &Liquid, v: &Velocity) -> f64 {
        0.5 * data.damping * (v.rotor.norm_squared() + v.bob.norm_squared())
    }

    #[constraint]
    fn rod(q: &Bodies) -> f64 {
        0.5 * (q.bob.norm_squared() - 1.0)
    }
}

/// Points joined by springs of length 1, the first attached to the origin by another spring, also with length 1.
#[mechanical_system]
pub mod web {
    use lie_runtime::prelude::*;

    #[configuration]
    pub struct Points {
        pub one: R2,
        pub other: R2,
    }

    #[parameters]
    pub struct Data {
        pub load: f64,
    }

    #[kinetic_energy]
    fn kinetic(v: &Velocity) -> f64 {
        0.5 * (v.one.norm_squared() + v.other.norm_squared())
    }

    #[potential]
    fn springs(q: &Points) -> f64 {
        0.5 * (q.one.norm() - 1.0).powi(2) + 0.5 * ((q.other - q.one).norm() - 1.0).powi(2)
    }

    #[potential]
    fn weight(data: &Data, q: &Points) -> f64 {
        data.load * (q.one.y + q.other.y)
    }
}

/// A shallow truss: a mass at the top of two springs of a half span of 1, which snaps through under its load.
#[mechanical_system]
pub mod truss {
    use lie_runtime::prelude::*;

    #[configuration]
    pub struct Apex {
        pub height: f64,
    }

    #[parameters]
    pub struct Data {
        pub load: f64,
    }

    #[kinetic_energy]
    fn kinetic(v: &Velocity) -> f64 {
        0.5 * v.height * v.height
    }

    #[potential]
    fn springs(q: &Apex) -> f64 {
        ((1.0 + q.height * q.height).sqrt() - (1.25_f64).sqrt()).powi(2)
    }

    #[potential]
    fn loads(data: &Data, q: &Apex) -> f64 {
        data.load * q.height
    }
}

/// A wheel in rings without mass: three angles, of which the first and the last turn alike where the middle one is zero.
#[mechanical_system]
pub mod gimbal {
    use lie_runtime::prelude::*;

    #[configuration]
    pub struct Angles {
        pub precession: f64,
        pub nutation: f64,
        pub spin: f64,
    }

    #[kinetic_energy]
    fn kinetic(q: &Angles, v: &Velocity) -> f64 {
        let (sin, cos) = (q.nutation.sin(), q.nutation.cos());
        let across = v.nutation * v.nutation + v.precession * v.precession * sin * sin;
        let along = v.spin + v.precession * cos;
        0.5 * (across + 2.0 * along * along)
    }
}
