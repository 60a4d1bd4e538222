//! A handwritten spherical pendulum of N equal massless links, in terms of their tensions.
//!
//! For masses at x_i and tensions τ_i, m x_i'' = −m g e₃ − τ_i q_i + τ_{i+1} q_{i+1} and q_i · (x_i'' − x_{i−1}'') = −L |ω_i|². Elimination
//! of the accelerations gives a symmetric tridiagonal system of scalars. The declared pendulum eliminates one matrix of a frame per link.

use lie_runtime::field::VectorField;
use lie_runtime::integrator::StepFailure;
use lie_runtime::prelude::*;
use lie_runtime::space::TS2;

/// Equal links.
pub struct Pendulum {
    pub links: usize,
    pub mass: f64,
    pub length: f64,
    pub gravity: f64,
}

/// The factors of every link.
pub struct Buffers {
    tensions: Vec<f64>,
    pivots: Vec<f64>,
}

impl VectorField for Pendulum {
    type Point = Vec<TS2>;
    type Workspace = Buffers;

    fn zero(&self) -> Vec<Vector6<f64>> {
        vec![Vector6::zeros(); self.links]
    }
    fn workspace(&self) -> Buffers {
        Buffers { tensions: vec![0.0; self.links], pivots: vec![0.0; self.links] }
    }
    /// (ω, q × ω') with ω' = q × (x_i'' − x_{i−1}'') / L.
    fn evaluate(
        &self,
        _: f64,
        y: &Vec<TS2>,
        Buffers { tensions, pivots }: &mut Buffers,
        out: &mut Vec<Vector6<f64>>,
    ) -> Result<(), StepFailure> {
        let (links, inverse) = (self.links, 1.0 / self.mass);
        let (y, out) = (&y[..links], &mut out[..links]);
        let (tensions, pivots) = (&mut tensions[..links], &mut pivots[..links]);
        // The inverses of the pivots, from the fixed point on.
        let (mut pivot, mut right) =
            (inverse, self.length * y[0].angular_velocity().norm_squared() - self.gravity * y[0].direction().z);
        for i in 0..links {
            if i > 0 {
                let beside = y[i - 1].direction().dot(&y[i].direction()) * inverse;
                let factor = beside * pivots[i - 1];
                pivot = 2.0 * inverse - factor * beside;
                right = self.length * y[i].angular_velocity().norm_squared() + factor * tensions[i - 1];
            }
            (pivots[i], tensions[i]) = (1.0 / pivot, right);
        }
        let mut behind = Vector3::zeros();
        for i in (0..links).rev() {
            let q = y[i].direction();
            tensions[i] = (tensions[i] + q.dot(&behind)) * pivots[i];
            behind = q * (tensions[i] * inverse);
        }
        // Components along q do not contribute to ω'. Gravity accelerates all masses equally, except the fixed point.
        let mut before = Vector3::new(0.0, 0.0, -self.gravity);
        for i in 0..links {
            let (q, w) = (y[i].direction(), y[i].angular_velocity());
            let mut pull = before;
            if i + 1 < links {
                pull += y[i + 1].direction() * (tensions[i + 1] * inverse);
            }
            before = q * (tensions[i] * inverse);
            let turn = q.cross(&q.cross(&pull)) / self.length;
            out[i] = Vector6::new(w.x, w.y, w.z, turn.x, turn.y, turn.z);
        }
        Ok(())
    }
}
