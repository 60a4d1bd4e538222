//! Valid declarations for tests.

mod large;

pub(crate) use large::LARGE;

/// The heavy top on SO(3) x R^3.
pub(crate) const HEAVY_TOP: &str = r"
/// The heavy top.
#[allow(dead_code)]
pub mod heavy_top {
    use lie_runtime::prelude::*;

    /// Pose of the body frame at the centre of mass.
    #[configuration]
    pub struct Pose { pub attitude: SO3, pub position: R3 }

    #[parameters]
    #[derive(Clone, Debug)]
    pub struct HeavyTop {
        pub mass: f64,
        pub inertia: Matrix3<f64>,
        pub center_of_mass: Vector3<f64>,
        pub gravity: Vector3<f64>,
    }

    #[kinetic_energy]
    fn kinetic(top: &HeavyTop, v: &Velocity) -> f64 {
        0.5 * top.mass * v.position.dot(&v.position) + 0.5 * v.attitude.dot(&(top.inertia * v.attitude))
    }

    #[potential]
    fn gravity(top: &HeavyTop, q: &Pose) -> f64 { -top.mass * top.gravity.dot(&q.position) }

    #[constraint]
    fn fixed_point(top: &HeavyTop, q: &Pose) -> Vector3<f64> {
        q.attitude.inverse() * q.position - top.center_of_mass
    }

    #[observable]
    pub fn position(q: &Pose) -> Vector3<f64> { q.position }
}
";

/// The heavy top on SE(3), with a mass matrix.
pub(crate) const HEAVY_TOP_SE3: &str = r"
mod heavy_top_se3 {
    use lie_runtime::prelude::*;

    #[configuration]
    struct Pose { frame: lie_runtime::group::SE3 }

    #[parameters]
    struct HeavyTop { mass: f64, inertia: nalgebra::Matrix3<f64>, center_of_mass: Vector3<f64>, gravity: SVector<f64, 3> }

    #[mass_matrix]
    fn mass(top: &HeavyTop) -> SMatrix<f64, 6, 6> {
        let j = top.inertia;
        let m = top.mass;
        Matrix6::new(
            j[(0, 0)], j[(0, 1)], j[(0, 2)], 0.0, 0.0, 0.0,
            j[(0, 1)], j[(1, 1)], j[(1, 2)], 0.0, 0.0, 0.0,
            j[(0, 2)], j[(1, 2)], j[(2, 2)], 0.0, 0.0, 0.0,
            0.0, 0.0, 0.0, m, 0.0, 0.0,
            0.0, 0.0, 0.0, 0.0, m, 0.0,
            0.0, 0.0, 0.0, 0.0, 0.0, m,
        )
    }

    #[potential]
    fn gravity(top: &self::HeavyTop, q: &Pose<f64>) -> f64 { -top.mass * top.gravity.dot(&q.frame.translation) }

    #[constraint]
    fn fixed_point(top: &HeavyTop, q: &Pose) -> nalgebra::Vector3<f64> {
        q.frame.rotation.inverse() * q.frame.translation - top.center_of_mass
    }
}
";

/// The planar double pendulum in angles, with helper functions and constants.
pub(crate) const DOUBLE_PENDULUM: &str = r"
pub(crate) mod double_pendulum {
    use lie_runtime::prelude::*;

    const GRAVITY: f64 = 9.81;
    const LINKS: usize = 1 + 1;

    #[configuration]
    pub struct Angles { pub angles: Rn<LINKS> }

    #[parameters]
    pub struct Arm { pub lengths: [f64; LINKS], pub masses: [f64; 2], pub points: [Vector2<f64>; 2], pub name: String }

    fn along(angle: f64, length: f64) -> Vector2<f64> { Vector2::new(length * angle.sin(), -length * angle.cos()) }

    fn height(arm: &Arm, q: &Angles) -> f64 { along(q.angles[0], arm.lengths[0]).y }

    #[quantity]
    fn elbow(arm: &Arm, q: &Angles) -> Vector2<f64> { along(q.angles[0], arm.lengths[0]) }

    #[quantity]
    pub fn tip(arm: &Arm, q: &Angles) -> Vector2<f64> {
        elbow(arm, q) + along(q.angles[1], arm.lengths[1])
    }

    #[kinetic_energy]
    fn kinetic(arm: &Arm, q: &Angles, v: &Velocity) -> f64 {
        let lower = tip_rate(arm, q, v);
        let upper = elbow_rate(arm, q, v);
        0.5 * (arm.masses[0] * upper.norm_squared() + arm.masses[1] * lower.dot(&lower))
    }

    #[potential]
    fn gravity(arm: &Arm, q: &Angles) -> f64 { GRAVITY * (arm.masses[0] * height(arm, q) + arm.masses[1] * tip(arm, q).y) }

    #[dissipation]
    fn friction(v: &Velocity) -> f64 { if v.angles[0] > 0.0 { 0.1 * v.angles[0] } else { 0.0 } }

    #[force(at = tip)]
    fn wind(t: f64) -> Vector2<f64> { Vector2::new(t.sin(), 0.0) }

    #[force(on = angles)]
    fn motors(_: &Arm, _q: &Angles, t: f64) -> Vector2<f64> { Vector2::new(t, 0.0) }
}
";

/// A power of a group, a nonholonomic and a rheonomic constraint, an opaque function with its derivative.
pub(crate) const LINKS: &str = r"
mod links {
    use lie_runtime::prelude::*;

    const N: usize = 2;

    #[configuration]
    struct Links { frames: [SO3; N], base: [R1; 2], quaternion: S3, plane: SE2, wheel: SO2 }

    #[kinetic_energy]
    fn kinetic(v: &Velocity) -> f64 {
        let mut sum = 0.0;
        for i in 0..N { sum += 0.5 * v.frames[i].dot(&v.frames[i]); }
        sum + v.base[0].x * v.base[0].x + v.base[1].x * v.base[1].x + 0.5 * v.quaternion.dot(&v.quaternion)
            + v.plane.dot(&v.plane) + v.wheel * v.wheel
    }

    #[constraint]
    fn driven(t: f64, q: &Links) -> f64 { q.base[0].x - t.sin() }

    #[velocity_constraint]
    fn rolls(q: &Links, v: &Velocity) -> Vector2<f64> { v.plane.fixed_rows::<2>(1) + q.plane.translation }

    #[force]
    fn control(_v: &Velocity) -> SVector<f64, 15> { SVector::<f64, 15>::zeros() }

    #[potential]
    fn springs(q: &Links) -> f64 {
        let turn = q.frames[0].inverse() * q.frames[1];
        smooth(q.base[1].x, turn.log()) + bump(q.base[0].x)
    }

    #[opaque]
    fn smooth<S: Scalar>(x: S, v: Vector3<S>) -> S { x + v.norm() }

    #[opaque(derivative = bump_derivative)]
    fn bump<S: Scalar>(x: S) -> S { x * x }

    #[opaque]
    fn bump_derivative<S: Scalar>(x: S) -> S { x + x }

    impl Links { fn length(&self) -> usize { N } }
}
";

/// All declarations.
pub(crate) const ALL: &[&str] = &[HEAVY_TOP, HEAVY_TOP_SE3, DOUBLE_PENDULUM, LINKS, SPRINGS, CRANE, HANGING, BODIES];

/// Masses on springs below a slider, with all selections of members.
pub(crate) const SPRINGS: &str = r"
mod springs {
    #[configuration]
    struct Chain { slider: R1, #[clamped(last)] masses: Vec<R2>, guides: [SO2; 2] }
    #[parameters]
    struct Data { mass: f64, stiffness: f64, damping: f64 }

    #[kinetic_energy(over = masses)]
    fn kinetic(data: &Data, index: usize, length: usize, v: &Vector2<f64>) -> f64 {
        let share = if index == 0 || index + 1 == length { 0.5 } else { 1.0 };
        0.5 * share * data.mass / (length - 1) as f64 * v.dot(v)
    }
    #[kinetic_energy]
    fn others(v: &Velocity) -> f64 { 0.5 * (v.slider.dot(&v.slider) + v.guides[0] * v.guides[0] + v.guides[1] * v.guides[1]) }
    #[quantity(over = masses.windows(2))]
    fn stretch([a, b]: [&R2; 2]) -> f64 { (b - a).norm() - 1.0 }
    #[potential(over = masses.windows(2))]
    fn elastic(data: &Data, pair: [&R2; 2]) -> f64 { 0.5 * data.stiffness * stretch(pair).powi(2) }
    #[dissipation(over = masses.windows(2))]
    fn viscous(data: &Data, [a, b]: [&R2; 2], [va, vb]: [&Vector2<f64>; 2]) -> f64 {
        0.5 * data.damping * stretch_rate([a, b], [va, vb]).powi(2)
    }
    #[constraint(over = (slider, masses.first()))]
    fn hung(s: &R1, m: &R2) -> f64 { m[0] - s[0] }
    #[velocity_constraint(over = (masses.first(), guides[1]))]
    fn steered(m: &R2, _: &SO2, vm: &Vector2<f64>, va: &f64) -> f64 { vm[1] - va }
    #[force(over = masses)]
    fn weight(t: f64, data: &Data) -> Vector2<f64> { Vector2::new(0.0, -data.mass * t) }
    #[force(at = stretch)]
    fn pull(t: f64) -> f64 { -t }
    #[observable]
    fn tip(q: &Chain) -> Vector2<f64> { q.masses[0] }
}
";

/// A conservative system: the inertia depends on q; terms of degree one and zero in the velocity.
pub(crate) const CRANE: &str = r"
mod crane {
    use lie_runtime::prelude::*;

    #[configuration]
    pub struct Crane { cart: SE2, cables: [SO2; 1], gyroscope: S3 }

    #[parameters]
    pub struct Data { mass: f64, length: f64, field: Vector3<f64> }

    #[quantity]
    fn tip(data: &Data, q: &Crane) -> Vector2<f64> { q.cart * (q.cables[0] * Vector2::new(0.0, -data.length)) }

    #[kinetic_energy]
    fn kinetic(data: &Data, q: &Crane, v: &Velocity) -> f64 {
        0.5 * data.mass * (tip_rate(data, q, v).norm_squared() + v.cart.dot(&v.cart))
            + 0.5 * (v.cables[0] + (q.gyroscope * data.field).z).powi(2) + 0.5 * v.gyroscope.dot(&v.gyroscope)
    }

    #[potential]
    fn weight(data: &Data, q: &Crane) -> f64 { data.mass * tip(data, q).y }
}
";

/// A chain of pendulums: frames along a chain, with terms over them.
pub(crate) const HANGING: &str = r"
mod hanging {
    #[configuration]
    struct Pendulum { links: Vec<S2>, hub: R1 }
    #[parameters]
    struct Data { mass: f64, length: f64, drag: f64 }

    #[kinematics(over = links)]
    fn place(data: &Data, t: f64, index: usize, above: &R3, link: &S2) -> R3 {
        let lift = if index == 0 { t.sin() } else { 0.0 };
        above + link.direction() * data.length + Vector3::z() * lift
    }
    #[kinetic_energy(over = place)]
    fn kinetic(data: &Data, v: &Vector3<f64>) -> f64 { 0.5 * data.mass * v.norm_squared() }
    #[kinetic_energy(over = hub)]
    fn of_the_hub(v: &Vector1<f64>) -> f64 { 0.5 * v[0] * v[0] }
    #[potential(over = place)]
    fn weight(data: &Data, index: usize, length: usize, x: &R3) -> f64 {
        let share = if index + 1 == length { 2.0 } else { 1.0 };
        9.81 * share * data.mass * x.z
    }
    #[dissipation(over = place)]
    fn drag(data: &Data, v: &Vector3<f64>) -> f64 { 0.5 * data.drag * v.norm_squared() }
    #[quantity(over = place.last())]
    fn height(x: &R3) -> f64 { x.z }
    #[force(at = height)]
    fn lift(t: f64) -> f64 { t.cos() }
    #[force(over = place.first())]
    fn wind(v: &Vector3<f64>) -> Vector3<f64> { -v }
    #[potential(over = links.windows(2))]
    fn bending([a, b]: [&S2; 2]) -> f64 { (a.direction() - b.direction()).norm_squared() }
    #[observable(over = place.last())]
    fn tip(x: &R3, v: &Vector3<f64>) -> Vector3<f64> { x + v }
}
";

/// Bodies as members: a nested body, an array and a chain.
pub(crate) const BODIES: &str = r"
mod bodies {
    pub struct Joint { pub direction: S2, pub slide: f64 }
    pub struct Body { pub attitude: SO3, pub position: R3 }
    impl Body {
        fn point(&self, x: Vector3<f64>) -> Vector3<f64> { self.position + self.attitude * x }
    }
    pub struct Arm { pub joint: Joint, pub wheel: SO2 }

    #[configuration]
    pub struct Machine { pub pair: [Body; 2], pub arms: Vec<Arm>, #[clamped] pub base: Body }
    #[parameters]
    pub struct Data { pub mass: f64, pub half: Vector3<f64>, pub rest: Body }

    fn energy(data: &Data, rate: &BodyVelocity) -> f64 {
        let BodyVelocity { attitude, position } = rate;
        0.5 * data.mass * position.norm_squared() + 0.5 * attitude.norm_squared()
    }
    #[kinetic_energy]
    fn of_pair(data: &Data, v: &Velocity) -> f64 { v.pair.iter().map(|rate| energy(data, rate)).sum() }
    #[kinetic_energy(over = arms)]
    fn of_arms(arm: &Arm, v: &ArmVelocity) -> f64 {
        let rate = v.joint.direction.cross(&arm.joint.direction.direction()) + v.joint.slide * Vector3::x();
        0.5 * rate.norm_squared() + 0.5 * v.joint.slide.powi(2) + 0.5 * v.wheel.powi(2)
    }
    #[potential(over = arms.windows(2))]
    fn spring([a, b]: [&Arm; 2]) -> f64 { (a.joint.slide - b.joint.slide).powi(2) + (a.wheel.inverse() * b.wheel).angle() }
    #[force(on = pair[1].attitude)]
    fn torque(data: &Data, q: &Machine) -> Vector3<f64> { q.base.attitude * data.half }
    #[constraint]
    fn joint(data: &Data, q: &Machine) -> Vector3<f64> { q.pair[0].point(data.half) - q.pair[1].point(-data.half) }
    #[constraint(over = (base, pair[0]))]
    fn hook(data: &Data, base: &Body, body: &Body) -> Vector3<f64> { body.point(-data.half) - base.position - data.rest.position }
}
";
