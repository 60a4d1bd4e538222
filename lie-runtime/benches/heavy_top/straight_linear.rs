//! Handwritten tangent stiffness and damping, entry by entry.
//!
//! Let y = Rᵀ x and w = (a, b). The residual is (J Ω' + Ω × J Ω + λ × y, m (U' + Ω × U − Rᵀ g) + λ). The derivative of y along q w~ is y ×
//! a + b, the derivative of Rᵀ g is Rᵀ g × a.

use lie_runtime::nalgebra::{Matrix3, Matrix6, Vector3, Vector6};

use super::Top;
use super::straight::{HeavyTop, Pose};

impl Top for HeavyTop {
    const NAME: &'static str = "straight";

    fn of_the_paper() -> Self {
        HeavyTop::of_the_paper()
    }
    fn configuration(attitude: Matrix3<f64>, position: Vector3<f64>) -> Pose {
        Pose { attitude, position }
    }
    #[inline]
    fn stiffness(
        &self,
        q: &Pose,
        _: &Vector6<f64>,
        _: &Vector6<f64>,
        multipliers: &Vector3<f64>,
        out: &mut Matrix6<f64>,
    ) {
        let y = q.attitude.tr_mul(&q.position);
        let w = q.attitude.tr_mul(&self.gravity) * self.mass;
        let l = multipliers;
        let (xx, yy, zz) = (l.x * y.x, l.y * y.y, l.z * y.z);
        *out = Matrix6::new(
            // λ~ y~ = y λᵀ − λ·y I, and λ~.
            -yy - zz,
            y.x * l.y,
            y.x * l.z,
            0.0,
            -l.z,
            l.y,
            y.y * l.x,
            -xx - zz,
            y.y * l.z,
            l.z,
            0.0,
            -l.x,
            y.z * l.x,
            y.z * l.y,
            -xx - yy,
            -l.y,
            l.x,
            0.0,
            // −m (Rᵀ g)~.
            0.0,
            w.z,
            -w.y,
            0.0,
            0.0,
            0.0,
            -w.z,
            0.0,
            w.x,
            0.0,
            0.0,
            0.0,
            w.y,
            -w.x,
            0.0,
            0.0,
            0.0,
            0.0,
        );
    }
    #[inline]
    fn damping(&self, _: &Pose, v: &Vector6<f64>, out: &mut Matrix6<f64>) {
        let (p, q, r) = (self.inertia.x, self.inertia.y, self.inertia.z);
        let (wx, wy, wz) = (v[0], v[1], v[2]);
        let m = self.mass;
        let (mx, my, mz) = (m * wx, m * wy, m * wz);
        let (ux, uy, uz) = (m * v[3], m * v[4], m * v[5]);
        *out = Matrix6::new(
            // Ω~ J − (J Ω)~.
            0.0,
            wz * (r - q),
            wy * (r - q),
            0.0,
            0.0,
            0.0,
            wz * (p - r),
            0.0,
            wx * (p - r),
            0.0,
            0.0,
            0.0,
            wy * (q - p),
            wx * (q - p),
            0.0,
            0.0,
            0.0,
            0.0,
            // −m U~, m Ω~.
            0.0,
            uz,
            -uy,
            0.0,
            -mz,
            my,
            -uz,
            0.0,
            ux,
            mz,
            0.0,
            -mx,
            uy,
            -ux,
            0.0,
            -my,
            mx,
            0.0,
        );
    }
}
