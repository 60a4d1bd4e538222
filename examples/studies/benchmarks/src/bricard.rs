//! The rectangular Bricard mechanism (A04): six hinges that Grübler's count gives no freedom, and that have one.

use lie_runtime::nalgebra::SVector;
use lie_runtime::prelude::*;

/// The rectangular Bricard mechanism of the IFToMM library: five rods of length and mass one, six hinges, 30 rows of rank 29.
#[mechanical_system(redundant = minimum_norm)]
pub mod bricard {
    const ROD: f64 = 0.01 / 6.0;
    const ACROSS: f64 = 1.01 / 12.0;
    const HALF: f64 = 0.5;

    /// Each rod with its frame at the centre, parallel to the axes of space at the start.
    #[configuration]
    pub struct Rods {
        /// From P₀ to P₁, …, from P₄ to P₅.
        pub rods: [SE3; 5],
    }

    /// The direction of each rod.
    const DIRECTIONS: [Vector3<f64>; 5] = [
        Vector3::new(1.0, 0.0, 0.0),
        Vector3::new(0.0, -1.0, 0.0),
        Vector3::new(0.0, 0.0, 1.0),
        Vector3::new(-1.0, 0.0, 0.0),
        Vector3::new(0.0, 1.0, 0.0),
    ];

    #[kinetic_energy]
    fn kinetic(v: &Velocity) -> f64 {
        let mut sum = 0.0;
        for i in 0..5 {
            let (w, along) = (v.rods[i].angular(), v.rods[i].angular().dot(&DIRECTIONS[i]));
            let inertia = ACROSS * w.norm_squared() + (ROD - ACROSS) * along * along;
            sum += 0.5 * v.rods[i].linear().norm_squared() + 0.5 * inertia;
        }
        sum
    }

    #[potential]
    fn weight(q: &Rods) -> f64 {
        let mut sum = 0.0;
        for i in 0..5 {
            sum += 9.81 * q.rods[i].translation.y;
        }
        sum
    }

    fn hinge(a: SE3, b: SE3, at: [Vector3<f64>; 2], axis: Vector3<f64>, normals: [Vector3<f64>; 2]) -> SVector<f64, 5> {
        let gap = b * at[1] - a * at[0];
        let axis = a.rotation * axis;
        let tilts = [axis.dot(&(b.rotation * normals[0])), axis.dot(&(b.rotation * normals[1]))];
        SVector::<f64, 5>::new(gap.x, gap.y, gap.z, tilts[0], tilts[1])
    }

    #[constraint]
    fn ground_y(q: &Rods) -> SVector<f64, 5> {
        let (x, y, z) = (Vector3::x(), Vector3::y(), Vector3::z());
        hinge(SE3::identity(), q.rods[0], [Vector3::zeros(), -HALF * DIRECTIONS[0]], y, [x, z])
    }

    #[constraint]
    fn hinge_z(q: &Rods) -> SVector<f64, 5> {
        let ends = [HALF * DIRECTIONS[0], -HALF * DIRECTIONS[1]];
        hinge(q.rods[0], q.rods[1], ends, Vector3::z(), [Vector3::x(), Vector3::y()])
    }

    #[constraint]
    fn hinge_x(q: &Rods) -> SVector<f64, 5> {
        let ends = [HALF * DIRECTIONS[1], -HALF * DIRECTIONS[2]];
        hinge(q.rods[1], q.rods[2], ends, Vector3::x(), [Vector3::y(), Vector3::z()])
    }

    #[constraint]
    fn hinge_y(q: &Rods) -> SVector<f64, 5> {
        let ends = [HALF * DIRECTIONS[2], -HALF * DIRECTIONS[3]];
        hinge(q.rods[2], q.rods[3], ends, Vector3::y(), [Vector3::x(), Vector3::z()])
    }

    #[constraint]
    fn other_hinge_z(q: &Rods) -> SVector<f64, 5> {
        let ends = [HALF * DIRECTIONS[3], -HALF * DIRECTIONS[4]];
        hinge(q.rods[3], q.rods[4], ends, Vector3::z(), [Vector3::x(), Vector3::y()])
    }

    #[constraint]
    fn ground_x(q: &Rods) -> SVector<f64, 5> {
        let ends = [HALF * DIRECTIONS[4], Vector3::z()];
        hinge(q.rods[4], SE3::identity(), ends, Vector3::x(), [Vector3::y(), Vector3::z()])
    }

    /// P₃.
    #[observable]
    fn corner(q: &Rods) -> Vector3<f64> {
        q.rods[2] * (HALF * DIRECTIONS[2])
    }
}

/// At rest, along the edges of a cube.
pub fn cube() -> (bricard::Rods, SVector<f64, 30>) {
    let points =
        [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [1.0, -1.0, 0.0], [1.0, -1.0, 1.0], [0.0, -1.0, 1.0], [0.0, 0.0, 1.0]];
    let middle = |i: usize| Vector3::from_fn(|k, _| 0.5 * (points[i][k] + points[i + 1][k]));
    let rods = core::array::from_fn(|i| SE3::new(SO3::identity(), middle(i)));
    (bricard::Rods { rods }, SVector::zeros())
}

/// P₃ of a state.
pub fn corner(q: &bricard::Rods) -> Vector3<f64> {
    q.rods[2] * Vector3::new(0.0, 0.0, 0.5)
}

/// Times, and P₃ then: by a general integrator with the pseudo-inverse, to some 5e-9 at the end.
pub const CORNER: [(f64, [f64; 3]); 6] = [
    (0.25, [0.998_092_502_3, -1.059_939_798_5, 0.938_263_811_8]),
    (0.5, [0.968_283_679_1, -1.224_625_159_4, 0.750_146_609_4]),
    (1.0, [0.510_501_461_2, -1.649_167_599_4, 0.140_123_114_5]),
    (2.0, [-0.969_340_344_8, -1.221_246_895_0, 0.754_278_010_8]),
    (5.0, [0.999_999_998, -1.000_067_258, 0.999_932_740]),
    (10.0, [0.999_999_96, -1.000_269_01, 0.999_730_95]),
];

/// The same in the angles of the first five hinges: the last one closes the loop, by five rows of rank four.
#[mechanical_system(redundant = minimum_norm)]
pub mod jointed {
    const ROD: f64 = 0.01 / 6.0;
    const ACROSS: f64 = 1.01 / 12.0;
    const HALF: f64 = 0.5;

    /// The angles of the hinges at P₀ to P₄.
    #[configuration]
    pub struct Hinges {
        /// Each between the rod before and the one after it.
        pub angles: [f64; 5],
    }

    /// The direction of each rod.
    const DIRECTIONS: [Vector3<f64>; 5] = [
        Vector3::new(1.0, 0.0, 0.0),
        Vector3::new(0.0, -1.0, 0.0),
        Vector3::new(0.0, 0.0, 1.0),
        Vector3::new(-1.0, 0.0, 0.0),
        Vector3::new(0.0, 1.0, 0.0),
    ];

    /// The frame at the centre of the rod after a hinge at the end of the previous rod.
    fn hinge(end: SE3, axis: Vector3<f64>, angle: f64, direction: Vector3<f64>) -> SE3 {
        end * SE3::new(SO3::exp(&(axis * angle)), Vector3::zeros()) * SE3::new(SO3::identity(), HALF * direction)
    }

    fn end(rod: SE3, direction: Vector3<f64>) -> SE3 {
        rod * SE3::new(SO3::identity(), HALF * direction)
    }

    /// From P₀ to P₁.
    #[quantity]
    pub fn first(q: &Hinges) -> SE3 {
        hinge(SE3::identity(), Vector3::y(), q.angles[0], DIRECTIONS[0])
    }

    /// From P₁ to P₂.
    #[quantity]
    pub fn second(q: &Hinges) -> SE3 {
        hinge(end(first(q), DIRECTIONS[0]), Vector3::z(), q.angles[1], DIRECTIONS[1])
    }

    /// From P₂ to P₃.
    #[quantity]
    pub fn third(q: &Hinges) -> SE3 {
        hinge(end(second(q), DIRECTIONS[1]), Vector3::x(), q.angles[2], DIRECTIONS[2])
    }

    /// From P₃ to P₄.
    #[quantity]
    pub fn fourth(q: &Hinges) -> SE3 {
        hinge(end(third(q), DIRECTIONS[2]), Vector3::y(), q.angles[3], DIRECTIONS[3])
    }

    /// From P₄ to P₅.
    #[quantity]
    pub fn fifth(q: &Hinges) -> SE3 {
        hinge(end(fourth(q), DIRECTIONS[3]), Vector3::z(), q.angles[4], DIRECTIONS[4])
    }

    fn energy(v: Vector6<f64>, direction: Vector3<f64>) -> f64 {
        let along = v.angular().dot(&direction);
        0.5 * v.linear().norm_squared() + 0.5 * (ACROSS * v.angular().norm_squared() + (ROD - ACROSS) * along * along)
    }

    #[kinetic_energy]
    fn kinetic(q: &Hinges, v: &Velocity) -> f64 {
        energy(first_rate(q, v), DIRECTIONS[0])
            + energy(second_rate(q, v), DIRECTIONS[1])
            + energy(third_rate(q, v), DIRECTIONS[2])
            + energy(fourth_rate(q, v), DIRECTIONS[3])
            + energy(fifth_rate(q, v), DIRECTIONS[4])
    }

    #[potential]
    fn weight(q: &Hinges) -> f64 {
        let sum = first(q).translation + second(q).translation + third(q).translation + fourth(q).translation;
        9.81 * (sum.y + fifth(q).translation.y)
    }

    /// P₅ is on the ground, and turns about x.
    #[constraint]
    fn closed(q: &Hinges) -> SVector<f64, 5> {
        let last = fifth(q);
        let gap = last * (HALF * DIRECTIONS[4]) - Vector3::z();
        let axis = last.rotation * Vector3::x();
        SVector::<f64, 5>::new(gap.x, gap.y, gap.z, axis.y, axis.z)
    }

    /// P₃.
    #[observable]
    fn corner(q: &Hinges) -> Vector3<f64> {
        third(q) * (HALF * DIRECTIONS[2])
    }
}

/// P₃ of the hinges.
pub fn corner_of_hinges(q: &jointed::Hinges) -> Vector3<f64> {
    jointed::third(q) * Vector3::new(0.0, 0.0, 0.5)
}
