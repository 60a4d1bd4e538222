//! Hand-written equations of motion of N masses connected by massless links (paper 3, section 5), the reference of the declared pendulum.

use lie_runtime::field::VectorField;
use lie_runtime::integrator::StepFailure;
use lie_runtime::prelude::*;
use lie_runtime::solve::solve_dense;
use lie_runtime::space::TS2;

/// Masses and links, from the fixed point on.
#[derive(Clone, Debug)]
pub struct Chain {
    /// m_i.
    pub masses: Vec<f64>,
    /// L_i.
    pub lengths: Vec<f64>,
    /// g, along −e₃.
    pub gravity: f64,
    /// How the coupled equations are solved.
    pub inertia: Inertia,
}

/// How R(q) ω' = g(q, ω) is solved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Inertia {
    /// In O(N), by the tensions of the links.
    Banded,
    /// In O(N³), by the matrix R(q) of the paper.
    Dense,
}

/// The buffers of an evaluation.
pub struct Buffers {
    directions: Vec<Vector3<f64>>,
    velocities: Vec<Vector3<f64>>,
    /// ω'.
    accelerations: Vec<Vector3<f64>>,
    /// Tensions and the eliminated pivots.
    tensions: Vec<f64>,
    pivots: Vec<f64>,
    matrix: Vec<f64>,
    vector: Vec<f64>,
}

impl Chain {
    /// N equal links.
    pub fn equal(links: usize, mass: f64, length: f64, gravity: f64, inertia: Inertia) -> Self {
        Chain { masses: vec![mass; links], lengths: vec![length; links], gravity, inertia }
    }

    /// N.
    pub fn links(&self) -> usize {
        self.masses.len()
    }

    fn buffers(&self) -> Buffers {
        let links = self.links();
        let dense = if self.inertia == Inertia::Dense { 3 * links } else { 0 };
        let vectors = || vec![Vector3::zeros(); links];
        Buffers {
            directions: vectors(),
            velocities: vectors(),
            accelerations: vectors(),
            tensions: vec![0.0; links],
            pivots: vec![0.0; links],
            matrix: vec![0.0; dense * dense],
            vector: vec![0.0; dense],
        }
    }

    /// ω' from q and ω in the buffers.
    fn accelerate(&self, buffers: &mut Buffers) -> Result<(), StepFailure> {
        match self.inertia {
            Inertia::Banded => self.by_tensions(buffers),
            Inertia::Dense => self.by_inertia(buffers),
        }
    }

    /// O(N) algorithm: the accelerations of the masses and the tensions τ_i solve a banded saddle-point problem,
    ///
    /// m_i x_i'' = −m_i g e₃ − τ_i q_i + τ_{i+1} q_{i+1},    q_i · (x_i'' − x_{i−1}'') = −L_i |ω_i|²,
    ///
    /// and x'' eliminated leaves a symmetric positive definite tridiagonal system for τ,
    ///
    /// −c_{i−1} τ_{i−1} / m_{i−1} + (1/m_{i−1} + 1/m_i) τ_i − c_i τ_{i+1} / m_i = L_i |ω_i|² − [i = 1] g e₃ · q₁,
    ///
    /// with c_i = q_i · q_{i+1} and 1/m₀ = 0. Then ω_i' = q_i × (x_i'' − x_{i−1}'') / L_i.
    fn by_tensions(&self, buffers: &mut Buffers) -> Result<(), StepFailure> {
        let Buffers { directions: q, velocities, accelerations, tensions, pivots, .. } = buffers;
        let links = self.links();
        // Elimination from the fixed point on; `tensions` holds the right-hand side meanwhile.
        let (mut above, mut inverse_mass) = (0.0, 0.0);
        for i in 0..links {
            let weight = if i == 0 { self.gravity * q[0].z } else { 0.0 };
            let mut right = self.lengths[i] * velocities[i].norm_squared() - weight;
            let inverse = 1.0 / self.masses[i];
            let mut pivot = inverse_mass + inverse;
            if i > 0 {
                let factor = above / pivots[i - 1];
                pivot -= factor * above;
                right -= factor * tensions[i - 1];
            }
            // Links that are all in one line do not make it singular, links without mass do.
            if pivot <= 0.0 {
                return Err(StepFailure::FieldUndefined { reason: "the tensions of the links are not determined" });
            }
            (pivots[i], tensions[i]) = (pivot, right);
            if i + 1 < links {
                above = -q[i].dot(&q[i + 1]) * inverse;
            }
            inverse_mass = inverse;
        }
        for i in (0..links).rev() {
            let next = if i + 1 < links { q[i].dot(&q[i + 1]) / self.masses[i] * tensions[i + 1] } else { 0.0 };
            tensions[i] = (tensions[i] + next) / pivots[i];
        }
        for i in 0..links {
            // What is along q_i has no part in ω'; gravity accelerates all masses alike but the fixed point.
            let mut pull = if i == 0 {
                Vector3::new(0.0, 0.0, -self.gravity)
            } else {
                q[i - 1] * (tensions[i - 1] / self.masses[i - 1])
            };
            if i + 1 < links {
                pull += q[i + 1] * (tensions[i + 1] / self.masses[i]);
            }
            accelerations[i] = q[i].cross(&pull) / self.lengths[i];
        }
        Ok(())
    }

    /// In O(N³): R(q) ω' = g(q, ω) as the paper has it.
    fn by_inertia(&self, buffers: &mut Buffers) -> Result<(), StepFailure> {
        let Buffers { directions: q, velocities, accelerations, matrix, vector, .. } = buffers;
        let links = self.links();
        let size = 3 * links;
        for i in 0..links {
            let mut right = -q[i].cross(&Vector3::z()) * (self.mass_below(i) * self.gravity * self.lengths[i]);
            for j in 0..links {
                let coupling = self.mass_below(i.max(j)) * self.lengths[i] * self.lengths[j];
                // (q̂_i)ᵀ q̂_j, and the identity on the diagonal.
                let block = if i == j {
                    Matrix3::identity()
                } else {
                    right += q[i].cross(&q[j]) * (coupling * velocities[j].norm_squared());
                    q[i].cross_matrix().transpose() * q[j].cross_matrix()
                };
                for row in 0..3 {
                    for column in 0..3 {
                        matrix[(3 * i + row) * size + 3 * j + column] = coupling * block[(row, column)];
                    }
                }
            }
            vector[3 * i..3 * i + 3].copy_from_slice(right.as_slice());
        }
        solve_dense(matrix, vector)
            .map_err(|_| StepFailure::FieldUndefined { reason: "the inertia R(q) is singular" })?;
        for (acceleration, solution) in accelerations.iter_mut().zip(vector.chunks_exact(3)) {
            *acceleration = Vector3::new(solution[0], solution[1], solution[2]);
        }
        Ok(())
    }

    /// Σ_{k ≥ i} m_k.
    fn mass_below(&self, i: usize) -> f64 {
        self.masses[i..].iter().sum()
    }
}

fn on_the_sphere(link: &TS2) -> (Vector3<f64>, Vector3<f64>) {
    (link.direction(), link.angular_velocity())
}

fn pair(first: &Vector3<f64>, second: &Vector3<f64>) -> Vector6<f64> {
    Vector6::new(first.x, first.y, first.z, second.x, second.y, second.z)
}

/// On (TS²)^N with the action of SE(3)^N: f = (ω, q × ω').
impl VectorField for Chain {
    type Point = Vec<TS2>;
    type Workspace = Buffers;

    fn zero(&self) -> Vec<Vector6<f64>> {
        vec![Vector6::zeros(); self.links()]
    }
    fn workspace(&self) -> Buffers {
        self.buffers()
    }
    fn evaluate(
        &self,
        _: f64,
        y: &Vec<TS2>,
        buffers: &mut Buffers,
        out: &mut Vec<Vector6<f64>>,
    ) -> Result<(), StepFailure> {
        for (i, link) in y.iter().enumerate() {
            (buffers.directions[i], buffers.velocities[i]) = on_the_sphere(link);
        }
        self.accelerate(buffers)?;
        for (i, out) in out.iter_mut().enumerate() {
            *out = pair(&buffers.velocities[i], &buffers.directions[i].cross(&buffers.accelerations[i]));
        }
        Ok(())
    }
}
