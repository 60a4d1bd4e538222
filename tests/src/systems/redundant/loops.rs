//! Closed loops of spatial hinges.

use lie_runtime::prelude::*;

/// A parallelogram of three rods in the plane z = 0, with spatial hinges about z: 20 rows, three of them redundant.
#[mechanical_system(redundant = minimum_norm)]
pub mod parallelogram {
    use lie_runtime::prelude::*;

    /// Each rod with its frame at the centre, e₁ along it.
    #[configuration]
    pub struct Rods {
        /// From the ground up, across, and down again.
        pub rods: [SE3; 3],
    }

    #[kinetic_energy]
    fn kinetic(v: &Velocity) -> f64 {
        let mut sum = 0.0;
        for i in 0..3 {
            let w = v.rods[i].angular();
            sum += 0.5 * v.rods[i].linear().norm_squared() + 0.5 * (0.01 * w.x * w.x + (w.y * w.y + w.z * w.z) / 12.0);
        }
        sum
    }

    #[potential]
    fn weight(q: &Rods) -> f64 {
        9.81 * (q.rods[0].translation.y + q.rods[1].translation.y + q.rods[2].translation.y)
    }

    fn hinge(a: SE3, b: SE3, at: [Vector3<f64>; 2]) -> SVector<f64, 5> {
        let gap = b * at[1] - a * at[0];
        let axis = a.rotation * Vector3::z();
        let tilts = [axis.dot(&(b.rotation * Vector3::x())), axis.dot(&(b.rotation * Vector3::y()))];
        SVector::<f64, 5>::new(gap.x, gap.y, gap.z, tilts[0], tilts[1])
    }

    #[constraint]
    fn shoulder(q: &Rods) -> SVector<f64, 5> {
        hinge(SE3::identity(), q.rods[0], [Vector3::zeros(), Vector3::new(-0.5, 0.0, 0.0)])
    }

    #[constraint]
    fn elbow(q: &Rods) -> SVector<f64, 5> {
        hinge(q.rods[0], q.rods[1], [Vector3::new(0.5, 0.0, 0.0), Vector3::new(-0.5, 0.0, 0.0)])
    }

    #[constraint]
    fn wrist(q: &Rods) -> SVector<f64, 5> {
        hinge(q.rods[1], q.rods[2], [Vector3::new(0.5, 0.0, 0.0), Vector3::new(0.5, 0.0, 0.0)])
    }

    #[constraint]
    fn foot(q: &Rods) -> SVector<f64, 5> {
        hinge(q.rods[2], SE3::identity(), [Vector3::new(-0.5, 0.0, 0.0), Vector3::new(1.0, 0.0, 0.0)])
    }
}

/// The parallelogram with its sides at an angle from the horizontal, at rest.
pub fn oblique(angle: f64) -> (parallelogram::Rods, SVector<f64, 18>) {
    let (sin, cos) = angle.sin_cos();
    let side = SO3::exp(&Vector3::new(0.0, 0.0, angle));
    let rods = [
        SE3::new(side, Vector3::new(0.5 * cos, 0.5 * sin, 0.0)),
        SE3::new(SO3::identity(), Vector3::new(0.5 + cos, sin, 0.0)),
        SE3::new(side, Vector3::new(1.0 + 0.5 * cos, 0.5 * sin, 0.0)),
    ];
    (parallelogram::Rods { rods }, SVector::zeros())
}
