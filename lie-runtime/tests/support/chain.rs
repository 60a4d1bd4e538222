//! A chain of point masses on a line, as many as are asked for at run time, coupled by springs and clamped at both ends.

use std::borrow::Cow;

use lie_runtime::nalgebra::Vector1;
use lie_runtime::space::ConfigurationSpace;
use lie_runtime::system::{ConstraintDescription, Description, KktError, MechanicalSystem, MemberDescription};

static CARD: Description = Description {
    name: "chain",
    group: "R^N",
    dof: 0,
    members: Cow::Borrowed(&[MemberDescription { name: "nodes", group: "R", offset: 0, dof: 1 }]),
    constraints: Cow::Borrowed(&[ConstraintDescription {
        name: "held",
        offset: 0,
        rows: 1,
        rows_of_element: None,
        holonomic: true,
        jumps: false,
    }]),
    observables: &[],
    symmetries: &[],
    events: &[],
    ignored: &[],
    documentation: Cow::Borrowed(&[]),
    mass_nonzeros: 0,
    jacobian_nonzeros: 0,
    stiffness_nonzeros: 0,
    mass_is_constant: true,
    forces_depend_on_velocity: true,
    conserves_energy: false,
    never_gains_energy: false,
    states: 0,
    potential_jumps: false,
    kernels: &[],
};

/// Unit masses and springs; the first node is held by a constraint, q₀ = 0.
pub struct Chain {
    space: Lines,
}

impl Chain {
    pub fn new(nodes: usize) -> Self {
        Chain { space: Lines { nodes } }
    }
}

type Line = Vec<Vector1<f64>>;

/// As many points on a line.
#[derive(Clone, Debug)]
pub struct Lines {
    nodes: usize,
}

impl ConfigurationSpace for Lines {
    type Scalar = f64;
    type Configuration = Line;
    type Velocity = Line;

    fn dof(&self) -> usize {
        self.nodes
    }
    fn zero_velocity(&self) -> Line {
        vec![Vector1::zeros(); self.nodes]
    }
    fn compose_exp(&self, q: &Line, theta: &Line, out: &mut Line) {
        for ((out, q), theta) in out.iter_mut().zip(q).zip(theta) {
            *out = q + theta;
        }
    }
    fn log_difference(&self, from: &Line, to: &Line, out: &mut Line) {
        for ((out, from), to) in out.iter_mut().zip(from).zip(to) {
            *out = to - from;
        }
    }
    fn tangent_inverse(&self, _: &Line, v: &Line, out: &mut Line) {
        out.clone_from(v);
    }
    fn tangent(&self, _: &Line, v: &Line, out: &mut Line) {
        out.clone_from(v);
    }
    fn is_finite(&self, q: &Line) -> bool {
        q.iter().all(|q| q[0].is_finite())
    }
    fn coadjoint(&self, _: &Line, _: &Line, out: &mut Line) {
        out.fill(Vector1::zeros());
    }
}

impl MechanicalSystem for Chain {
    type Scalar = f64;
    type Configuration = Line;
    type Velocity = Line;
    type Space = Lines;
    type Multipliers = Line;
    type Jacobian = ();
    type Mass = ();

    fn description(&self) -> &'static Description {
        &CARD
    }
    fn space(&self) -> &Lines {
        &self.space
    }
    fn constraint_rows(&self) -> usize {
        1
    }
    fn holonomic_rows(&self) -> usize {
        1
    }
    fn zero_multipliers(&self) -> Line {
        vec![Vector1::zeros()]
    }
    fn zero_jacobian(&self) {}
    fn zero_mass(&self) {}
    fn mass(&self, _: f64, _: &Line, (): &mut ()) -> Result<(), KktError> {
        Ok(())
    }
    fn solve_mass(&self, (): &mut (), force: &Line, acceleration: &mut Line) {
        acceleration.clone_from(force);
    }
    fn force(&self, _: f64, q: &Line, _: &Line, out: &mut Line) {
        for i in 0..self.space.nodes {
            let left = if i == 0 { 0.0 } else { q[i - 1][0] };
            let right = q.get(i + 1).map_or(0.0, |q| q[0]);
            out[i][0] = left + right - 2.0 * q[i][0];
        }
    }
    fn constraint(&self, _: f64, q: &Line, out: &mut Line) {
        out[0] = q[0];
    }
    fn constraint_jacobian(&self, _: f64, _: &Line, (): &mut ()) {}
    fn constraint_drift(&self, _: f64, _: &Line, out: &mut Line) {
        out[0] = Vector1::zeros();
    }
    fn constraint_curvature(&self, _: f64, _: &Line, _: &Line, out: &mut Line) {
        out[0] = Vector1::zeros();
    }
    fn jacobian_times(&self, (): &(), v: &Line, out: &mut Line) {
        out[0] = v[0];
    }
    fn jacobian_transpose_times(&self, (): &(), multipliers: &Line, out: &mut Line) {
        out.fill(Vector1::zeros());
        out[0] = multipliers[0];
    }
    fn solve_kkt(
        &self,
        (): &mut (),
        (): &(),
        (): &(),
        force: &Line,
        constraint: &Line,
        acceleration: &mut Line,
        multipliers: &mut Line,
    ) -> Result<(), KktError> {
        acceleration.clone_from(force);
        acceleration[0] = constraint[0];
        multipliers[0] = force[0] - constraint[0];
        Ok(())
    }
    fn kinetic_energy(&self, _: f64, _: &Line, v: &Line) -> f64 {
        v.iter().map(|v| 0.5 * v[0] * v[0]).sum()
    }
    fn potential_energy(&self, _: f64, q: &Line) -> f64 {
        let inner: f64 = q.windows(2).map(|pair| (pair[1][0] - pair[0][0]).powi(2)).sum();
        let ends = q.first().map_or(0.0, |q| q[0] * q[0]) + q.last().map_or(0.0, |q| q[0] * q[0]);
        0.5 * (inner + ends)
    }
}
