//! The flexible four-bar mechanism with a misaligned hinge (paper 2, section 7.3; Bauchau and Bottasso 1999).
//!
//! Bars AB, BC and CD start as three sides of a rectangle, A = (0, 0, 0), B = (0, 0.12, 0), C = (0.24, 0.12, 0) and
//! D = (0.24, 0, 0); revolute joints connect them to each other and, in A and D, to the ground. The axes are along e₃, except for the axis
//! of C, which is rotated about e₂ by a few degrees: rigid bars could not move. The angle of the hinge A is driven (eq. 86).
//!
//! The frames of a bar have their third axis along it. At the start they are turned from the space frame by the shortest
//! rotation, so that the space axes are, by components in the frame:
//!
//! | bar | e₁ | e₂ | e₃ |
//! |---|---|---|---|
//! | AB, along e₂ | e₁ | e₃ | −e₂ |
//! | BC, along e₁ | e₃ | e₂ | −e₁ |
//! | CD, along −e₂ | e₁ | −e₃ | e₂ |

use lie_runtime::prelude::*;

/// Three bars in hinges.
#[mechanical_system]
pub mod mechanism {
    /// The frames of the nodes.
    #[configuration]
    pub struct Bars {
        /// From A to B.
        pub ab: Vec<S3R3>,
        /// From B to C.
        pub bc: Vec<S3R3>,
        /// From C to D.
        pub cd: Vec<S3R3>,
    }

    /// Data of the bars AB, BC and CD (paper 2, Table 2).
    #[parameters]
    pub struct Sections {
        /// Lengths, m.
        pub length: Vector3<f64>,
        /// Axial stiffness EA, N.
        pub axial: Vector3<f64>,
        /// Bending stiffness EI, N m².
        pub bending: Vector3<f64>,
        /// Torsional stiffness, N m².
        pub torsion: Vector3<f64>,
        /// Shear stiffness GA, N.
        pub shear: Vector3<f64>,
        /// Mass per length, kg/m.
        pub density: Vector3<f64>,
        /// Inertia per length about the axis of the bar, kg m.
        pub polar_inertia: Vector3<f64>,
        /// Inertia per length about transverse axes, kg m.
        pub transverse_inertia: Vector3<f64>,
        /// The angle between the axes of C and of the others, degrees.
        pub misalignment: f64,
        /// ω: the speed of the hinge A, rad/s.
        pub speed: f64,
        /// t_s: how long it takes to reach it, s.
        pub start_up: f64,
    }

    /// The trapezoidal rule: half an edge at both ends.
    fn inertia(bars: &Sections, bar: usize, index: usize, length: usize, v: &Vector6<f64>) -> f64 {
        let edge = bars.length[bar] / (length - 1) as f64;
        let share = if index == 0 || index + 1 == length { 0.5 * edge } else { edge };
        let (angular, linear) = (v.angular(), v.linear());
        let transverse = angular[0] * angular[0] + angular[1] * angular[1];
        0.5 * share
            * (bars.density[bar] * linear.norm_squared()
                + bars.transverse_inertia[bar] * transverse
                + bars.polar_inertia[bar] * angular[2] * angular[2])
    }

    #[kinetic_energy(over = ab)]
    fn inertia_of_ab(bars: &Sections, index: usize, length: usize, v: &Vector6<f64>) -> f64 {
        inertia(bars, 0, index, length, v)
    }

    #[kinetic_energy(over = bc)]
    fn inertia_of_bc(bars: &Sections, index: usize, length: usize, v: &Vector6<f64>) -> f64 {
        inertia(bars, 1, index, length, v)
    }

    #[kinetic_energy(over = cd)]
    fn inertia_of_cd(bars: &Sections, index: usize, length: usize, v: &Vector6<f64>) -> f64 {
        inertia(bars, 2, index, length, v)
    }

    fn strain_energy(bars: &Sections, bar: usize, length: usize, [a, b]: [&S3R3; 2]) -> f64 {
        let edge = bars.length[bar] / (length - 1) as f64;
        let strain = (a.inverse() * b).log() / edge;
        let (curvature, stretch) = (strain.angular(), strain.linear());
        let extension = stretch[2] - 1.0;
        0.5 * edge
            * (bars.bending[bar] * (curvature[0] * curvature[0] + curvature[1] * curvature[1])
                + bars.torsion[bar] * curvature[2] * curvature[2]
                + bars.shear[bar] * (stretch[0] * stretch[0] + stretch[1] * stretch[1])
                + bars.axial[bar] * extension * extension)
    }

    #[potential(over = ab.windows(2))]
    fn elastic_ab(bars: &Sections, length: usize, nodes: [&S3R3; 2]) -> f64 {
        strain_energy(bars, 0, length, nodes)
    }

    #[potential(over = bc.windows(2))]
    fn elastic_bc(bars: &Sections, length: usize, nodes: [&S3R3; 2]) -> f64 {
        strain_energy(bars, 1, length, nodes)
    }

    #[potential(over = cd.windows(2))]
    fn elastic_cd(bars: &Sections, length: usize, nodes: [&S3R3; 2]) -> f64 {
        strain_energy(bars, 2, length, nodes)
    }

    /// The angle of hinge A (eq. 86).
    pub fn driven_angle(bars: &Sections, t: f64) -> f64 {
        let duration = bars.start_up;
        let turn = 2.0 * std::f64::consts::PI / duration;
        if t < duration {
            bars.speed / duration * (0.5 * t * t + ((turn * t).cos() - 1.0) / (turn * turn))
        } else {
            bars.speed * (t - 0.5 * duration)
        }
    }

    /// A stays, its axis is e₃, and the bar has the driven angle: the bar's axis is normal to (cos θ, sin θ, 0).
    #[constraint(over = ab.first())]
    fn hinge_a(bars: &Sections, t: f64, a: &S3R3) -> SVector<f64, 6> {
        let (sin, cos) = driven_angle(bars, t).sin_cos();
        let axis = a.rotation * Vector3::new(0.0, -1.0, 0.0);
        let along = a.rotation * Vector3::new(0.0, 0.0, 1.0);
        let x = a.translation;
        SVector::<f64, 6>::new(x[0], x[1], x[2], axis[0], axis[1], along[0] * cos + along[1] * sin)
    }

    /// Both bars meet in B, in the frame of AB, and share the axis.
    #[constraint(over = (ab.last(), bc.first()))]
    fn hinge_b(a: &S3R3, b: &S3R3) -> SVector<f64, 5> {
        let back = a.rotation.inverse();
        let gap = back * (b.translation - a.translation);
        let axis = back * (b.rotation * Vector3::new(-1.0, 0.0, 0.0));
        SVector::<f64, 5>::new(gap[0], gap[1], gap[2], axis[0], axis[2])
    }

    /// Both bars meet in C, in the frame of BC, and share the axis, (sin φ, 0, cos φ) in space at the start.
    #[constraint(over = (bc.last(), cd.first()))]
    fn hinge_c(bars: &Sections, a: &S3R3, b: &S3R3) -> SVector<f64, 5> {
        let (sin, cos) = bars.misalignment.to_radians().sin_cos();
        let back = a.rotation.inverse();
        let gap = back * (b.translation - a.translation);
        let axis = back * (b.rotation * Vector3::new(sin, cos, 0.0));
        // Normal to the axis are e₂ and (cos φ, 0, −sin φ), in the frame (sin φ, 0, cos φ).
        SVector::<f64, 5>::new(gap[0], gap[1], gap[2], axis[1], axis[0] * sin + axis[2] * cos)
    }

    /// D stays and its axis is e₃.
    #[constraint(over = cd.last())]
    fn hinge_d(bars: &Sections, b: &S3R3) -> SVector<f64, 5> {
        let x = b.translation;
        let axis = b.rotation * Vector3::new(0.0, 1.0, 0.0);
        SVector::<f64, 5>::new(x[0] - bars.length[1], x[1] + bars.length[2] - bars.length[0], x[2], axis[0], axis[1])
    }

    /// The middle of BC.
    #[observable]
    pub fn middle_position(q: &Bars) -> Vector3<f64> {
        q.bc[q.bc.len() / 2].translation
    }

    /// B.
    #[observable]
    pub fn b_position(q: &Bars) -> Vector3<f64> {
        q.bc[0].translation
    }

    /// C.
    #[observable]
    pub fn c_position(q: &Bars) -> Vector3<f64> {
        q.cd[0].translation
    }

    /// The angle of CD at D from the start, about e₃, rad.
    #[observable]
    pub fn d_angle(q: &Bars) -> f64 {
        let along = q.cd[q.cd.len() - 1].rotation * Vector3::new(0.0, 0.0, -1.0);
        (-along[0]).atan2(along[1])
    }
}
