//! The stiff flyball governor (A05): two rods with balls on a turning shaft, a slider, and springs of 8e5 N/m with dampers of 4e4 N s/m
//! between the slider and the middles of the rods.

use lie_runtime::nalgebra::Vector4;
use lie_runtime::prelude::*;

/// In the coordinates of its joints: no constraint at all.
#[mechanical_system]
pub mod jointed {
    /// The joints.
    #[configuration]
    pub struct Joints {
        /// The turn of the shaft.
        pub spin: f64,
        /// The height of the slider.
        pub slider: f64,
        /// The angles of the rods below the horizontal.
        pub rods: [f64; 2],
    }

    const SIDES: [f64; 2] = [1.0, -1.0];

    fn shaft(q: &Joints) -> SE3 {
        SE3::new(SO3::exp(&(Vector3::z() * q.spin)), Vector3::zeros())
    }

    fn rod(q: &Joints, side: usize) -> SE3 {
        let turn = SO3::exp(&(Vector3::y() * (SIDES[side] * q.rods[side])));
        shaft(q) * SE3::new(turn, Vector3::new(0.05 * SIDES[side], 0.0, 1.0))
    }

    /// The frame of a rod, in its hinge.
    #[quantity]
    pub fn left(q: &Joints) -> SE3 {
        rod(q, 0)
    }

    /// The pose of the right rod.
    #[quantity]
    pub fn right(q: &Joints) -> SE3 {
        rod(q, 1)
    }

    /// A rod and its ball, by the twist of the frame in the hinge.
    fn energy(v: Vector6<f64>, side: f64) -> f64 {
        let (w, hinge) = (v.angular(), v.linear());
        let middle = hinge + w.cross(&(0.5 * side * Vector3::x()));
        let ball = hinge + w.cross(&(side * Vector3::x()));
        let inertia = 0.3 / 12.0 * (2e-4 * w.x * w.x + 1.0001 * (w.y * w.y + w.z * w.z));
        0.5 * 0.3 * middle.norm_squared() + 0.5 * inertia + 0.5 * 5.0 * ball.norm_squared()
    }

    #[kinetic_energy]
    fn kinetic(q: &Joints, v: &Velocity) -> f64 {
        let turning = 0.3 * 2e-4 / 12.0 + 3.0 * 0.02 / 12.0;
        energy(left_rate(q, v), 1.0)
            + energy(right_rate(q, v), -1.0)
            + 0.5 * turning * v.spin * v.spin
            + 0.5 * 3.0 * v.slider * v.slider
    }

    fn height(rod: SE3, side: f64) -> f64 {
        0.3 * (rod * (0.5 * side * Vector3::x())).z + 5.0 * (rod * (side * Vector3::x())).z
    }

    #[potential]
    fn weight(q: &Joints) -> f64 {
        9.81 * (height(left(q), 1.0) + height(right(q), -1.0) + 3.0 * q.slider)
    }

    /// The lengths of the springs.
    #[quantity]
    pub fn springs(q: &Joints) -> Vector2<f64> {
        let length = |side: usize| {
            let (sin, cos) = q.rods[side].sin_cos();
            (0.25 * cos * cos + (1.0 - 0.5 * sin - q.slider).powi(2)).sqrt()
        };
        Vector2::new(length(0), length(1))
    }

    #[potential]
    fn elastic(q: &Joints) -> f64 {
        0.5 * 8e5 * (springs(q) - Vector2::new(0.5, 0.5)).norm_squared()
    }

    #[dissipation]
    fn damped(q: &Joints, v: &Velocity) -> f64 {
        0.5 * 4e4 * springs_rate(q, v).norm_squared()
    }
}

/// Four free bodies in hinges and on a guide.
#[mechanical_system]
pub mod bodies {
    /// The bodies, by their frames in their centres of mass.
    #[configuration]
    pub struct Bodies {
        /// The shaft, of its frame on the ground.
        pub shaft: SE3,
        /// The slider.
        pub slider: SE3,
        /// The rods, in their middles.
        pub rods: [SE3; 2],
    }

    fn energy(v: Vector6<f64>, mass: f64, inertia: Vector3<f64>) -> f64 {
        0.5 * mass * v.linear().norm_squared() + 0.5 * v.angular().dot(&inertia.component_mul(&v.angular()))
    }

    fn ball(v: Vector6<f64>, side: f64) -> f64 {
        0.5 * 5.0 * (v.linear() + v.angular().cross(&(0.5 * side * Vector3::x()))).norm_squared()
    }

    #[kinetic_energy]
    fn kinetic(v: &Velocity) -> f64 {
        let rod = Vector3::new(0.3 * 2e-4 / 12.0, 0.3 * 1.0001 / 12.0, 0.3 * 1.0001 / 12.0);
        // The shaft's frame is at its lower end, about which it does not tilt.
        energy(v.shaft, 0.3, Vector3::new(0.1, 0.1, 0.3 * 2e-4 / 12.0))
            + energy(v.slider, 3.0, Vector3::new(0.005, 0.005, 0.005))
            + energy(v.rods[0], 0.3, rod)
            + energy(v.rods[1], 0.3, rod)
            + ball(v.rods[0], 1.0)
            + ball(v.rods[1], -1.0)
    }

    #[potential]
    fn weight(q: &Bodies) -> f64 {
        let rod = |rod: SE3, side: f64| 0.3 * rod.translation.z + 5.0 * (rod * (0.5 * side * Vector3::x())).z;
        9.81 * (3.0 * q.slider.translation.z + rod(q.rods[0], 1.0) + rod(q.rods[1], -1.0))
    }

    /// The lengths of the springs.
    #[quantity]
    pub fn springs(q: &Bodies) -> Vector2<f64> {
        let right: Vector3<f64> = q.rods[0].translation - q.slider * (0.05 * Vector3::x());
        let left: Vector3<f64> = q.rods[1].translation - q.slider * (-0.05 * Vector3::x());
        Vector2::new(right.norm(), left.norm())
    }

    #[potential]
    fn elastic(q: &Bodies) -> f64 {
        0.5 * 8e5 * (springs(q) - Vector2::new(0.5, 0.5)).norm_squared()
    }

    #[dissipation]
    fn damped(q: &Bodies, v: &Velocity) -> f64 {
        0.5 * 4e4 * springs_rate(q, v).norm_squared()
    }

    /// About the vertical.
    #[constraint]
    fn bearing(q: &Bodies) -> SVector<f64, 5> {
        let (x, axis) = (q.shaft.translation, q.shaft.rotation * Vector3::z());
        SVector::<f64, 5>::new(x.x, x.y, x.z, axis.x, axis.y)
    }

    /// A frame on the shaft that rotates with it.
    #[constraint]
    fn guide(q: &Bodies) -> SVector<f64, 5> {
        let seen = q.shaft.inverse() * q.slider;
        let (x, axis, across) = (seen.translation, seen.rotation * Vector3::z(), seen.rotation * Vector3::x());
        SVector::<f64, 5>::new(x.x, x.y, axis.x, axis.y, across.y)
    }

    fn hinge(shaft: SE3, rod: SE3, side: f64) -> SVector<f64, 5> {
        let seen = shaft.inverse() * rod;
        let gap = seen * (-0.5 * side * Vector3::x()) - Vector3::new(0.05 * side, 0.0, 1.0);
        let axis = seen.rotation * Vector3::y();
        SVector::<f64, 5>::new(gap.x, gap.y, gap.z, axis.x, axis.z)
    }

    #[constraint]
    fn right_hinge(q: &Bodies) -> SVector<f64, 5> {
        hinge(q.shaft, q.rods[0], 1.0)
    }

    #[constraint]
    fn left_hinge(q: &Bodies) -> SVector<f64, 5> {
        hinge(q.shaft, q.rods[1], -1.0)
    }
}

/// The joints where it starts: springs at rest, one turn a second.
pub fn joints() -> (jointed::Joints, Vector4<f64>) {
    let angle = core::f64::consts::FRAC_PI_6;
    let q = jointed::Joints { spin: 0.0, slider: 0.5, rods: [angle, angle] };
    (q, Vector4::new(core::f64::consts::TAU, 0.0, 0.0, 0.0))
}

/// The bodies there.
pub fn bodies_at_start() -> (bodies::Bodies, bodies::Velocity) {
    let (sin, cos) = core::f64::consts::FRAC_PI_6.sin_cos();
    let rod = |side: f64| {
        let turn = SO3::exp(&(Vector3::y() * (side * core::f64::consts::FRAC_PI_6)));
        SE3::new(turn, Vector3::new(side * (0.05 + 0.5 * cos), 0.0, 1.0 - 0.5 * sin))
    };
    let upright = |height: f64| SE3::new(SO3::identity(), Vector3::z() * height);
    let q = bodies::Bodies { shaft: upright(0.0), slider: upright(0.5), rods: [rod(1.0), rod(-1.0)] };
    let spin = Vector3::z() * core::f64::consts::TAU;
    let turning = |pose: &SE3| pose.twist(&(pose.rotation.inverse() * spin), &spin.cross(&pose.translation));
    let v = bodies::Velocity {
        shaft: turning(&q.shaft),
        slider: turning(&q.slider),
        rods: [turning(&q.rods[0]), turning(&q.rods[1])],
    };
    (q, v)
}

/// Times, and the height of the slider then: by an implicit method of order five to 1e-10, and by an explicit one on the bodies.
pub const SLIDER: [(f64, f64); 5] = [
    (0.1, 0.523_836_475_6),
    (0.5, 0.743_249_424_8),
    (1.0, 0.501_420_922_4),
    (5.0, 0.535_563_103_7),
    (10.0, 0.619_622_917_1),
];
