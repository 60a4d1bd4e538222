//! The declared pendulum on (TS²)^N as it is, with a dense inertia, and in R^6N.

use lie_runtime::field::{MechanicalField, VectorField, VectorFieldProblem};
use lie_runtime::integrator::{FieldState, StepFailure};
use lie_runtime::nalgebra::DVector;
use lie_runtime::prelude::*;
use lie_runtime::simulate::{Energy, Residual, Sample, Sampled};
use lie_runtime::solve::solve_dense;
use lie_runtime::space::TS2;
use lie_runtime::system::{Momentum, Value};

use super::pendulum::{Pendulum, System};

/// q and ω of every link.
type State = (Pendulum, DVector<f64>);

/// The buffers of an evaluation.
pub struct Buffers {
    state: State,
    mass: <System as MechanicalSystem>::Mass,
    force: DVector<f64>,
    acceleration: DVector<f64>,
    /// R(q), where it is dense.
    matrix: Vec<f64>,
}

impl Buffers {
    fn of(system: &System) -> Self {
        let zero = || system.zero_velocity();
        let links = vec![S2::new_unchecked(Vector3::z()); zero().len() / 3];
        Buffers {
            state: (Pendulum { links }, zero()),
            mass: system.zero_mass(),
            force: zero(),
            acceleration: zero(),
            matrix: Vec::new(),
        }
    }

    fn set(&mut self, links: impl Iterator<Item = (Vector3<f64>, Vector3<f64>)>) {
        for (at, (q, w)) in links.enumerate() {
            self.state.0.links[at] = S2::new_unchecked(q);
            self.state.1.fixed_rows_mut::<3>(3 * at).copy_from(&w);
        }
    }

    /// ω' in O(N).
    fn accelerate(&mut self, system: &System) -> Result<(), StepFailure> {
        let Self { state: (q, v), mass, force, acceleration, .. } = self;
        system.mass(0.0, q, mass).map_err(|error| StepFailure::of_kkt(error, system.description()))?;
        system.force(0.0, q, v, force);
        system.solve_mass(mass, force, acceleration);
        Ok(())
    }

    /// ω' in O(N³), with R(q) by the momenta of unit velocities.
    fn accelerate_densely(&mut self, system: &System) -> Result<(), StepFailure> {
        let Self { state: (q, v), force, acceleration, matrix, .. } = self;
        let n = v.len();
        matrix.resize(n * n, 0.0);
        for column in 0..n {
            acceleration.fill(0.0);
            acceleration[column] = 1.0;
            Momentum::momentum(system, 0.0, q, acceleration, force);
            // R is symmetric: its columns are its rows.
            matrix[column * n..(column + 1) * n].copy_from_slice(force.as_slice());
        }
        system.force(0.0, q, v, acceleration);
        solve_dense(matrix, acceleration.as_mut_slice())
            .map_err(|_| StepFailure::FieldUndefined { reason: "the inertia R(q) is singular" })
    }

    fn link(&self, at: usize) -> [Vector3<f64>; 3] {
        let part = |all: &DVector<f64>| all.fixed_rows::<3>(3 * at).into_owned();
        [self.state.0.links[at].direction(), part(&self.state.1), part(&self.acceleration)]
    }
}

/// ω' at q and ω, all their numbers link by link.
///
/// # Errors
/// [`StepFailure`] where the inertia is singular.
pub fn acceleration(system: &System, q: &[f64], w: &[f64]) -> Result<DVector<f64>, StepFailure> {
    let mut buffers = Buffers::of(system);
    let vector = |numbers: &[f64]| Vector3::from_column_slice(numbers);
    buffers.set(q.chunks_exact(3).map(vector).zip(w.chunks_exact(3).map(vector)));
    buffers.accelerate(system)?;
    Ok(buffers.acceleration)
}

/// The same with the matrix R(q) of the paper, all of it.
pub struct Dense(pub System);

/// The same in R^6N, where nothing keeps |q| = 1: Lie group methods are the classical ones here.
pub struct Cartesian(pub System);

fn on_the_sphere(link: &TS2) -> (Vector3<f64>, Vector3<f64>) {
    (link.direction(), link.angular_velocity())
}

fn in_space(link: &Vector6<f64>) -> (Vector3<f64>, Vector3<f64>) {
    (link.fixed_rows::<3>(0).into_owned(), link.fixed_rows::<3>(3).into_owned())
}

fn pair(first: &Vector3<f64>, second: &Vector3<f64>) -> Vector6<f64> {
    Vector6::new(first.x, first.y, first.z, second.x, second.y, second.z)
}

/// f = (ω, q × ω') with the action of SE(3)^N.
impl VectorField for Dense {
    type Point = Vec<TS2>;
    type Workspace = Buffers;

    fn zero(&self) -> Vec<Vector6<f64>> {
        vec![Vector6::zeros(); self.0.dof() / 3]
    }
    fn workspace(&self) -> Buffers {
        Buffers::of(&self.0)
    }
    fn evaluate(
        &self,
        _: f64,
        y: &Vec<TS2>,
        buffers: &mut Buffers,
        out: &mut Vec<Vector6<f64>>,
    ) -> Result<(), StepFailure> {
        buffers.set(y.iter().map(on_the_sphere));
        buffers.accelerate_densely(&self.0)?;
        for (at, out) in out.iter_mut().enumerate() {
            let [q, w, acceleration] = buffers.link(at);
            *out = pair(&w, &q.cross(&acceleration));
        }
        Ok(())
    }
}

/// (ω × q, ω').
impl VectorField for Cartesian {
    type Point = Vec<Vector6<f64>>;
    type Workspace = Buffers;

    fn zero(&self) -> Vec<Vector6<f64>> {
        vec![Vector6::zeros(); self.0.dof() / 3]
    }
    fn workspace(&self) -> Buffers {
        Buffers::of(&self.0)
    }
    fn evaluate(
        &self,
        _: f64,
        y: &Vec<Vector6<f64>>,
        buffers: &mut Buffers,
        out: &mut Vec<Vector6<f64>>,
    ) -> Result<(), StepFailure> {
        buffers.set(y.iter().map(in_space));
        buffers.accelerate(&self.0)?;
        for (at, out) in out.iter_mut().enumerate() {
            let [q, w, acceleration] = buffers.link(at);
            *out = pair(&w.cross(&q), &acceleration);
        }
        Ok(())
    }
}

/// A state of the declared system from directions and angular velocities.
pub fn state(links: impl Iterator<Item = (Vector3<f64>, Vector3<f64>)>) -> State {
    let (directions, velocities): (Vec<S2>, Vec<Vector3<f64>>) = links.map(|(q, w)| (S2::new_unchecked(q), w)).unzip();
    let v = DVector::from_iterator(3 * velocities.len(), velocities.iter().flat_map(|w| w.iter().copied()));
    (Pendulum { links: directions }, v)
}

fn links((q, v): &State) -> impl Iterator<Item = (Vector3<f64>, Vector3<f64>)> {
    q.links.iter().enumerate().map(|(at, link)| (link.direction(), v.fixed_rows::<3>(3 * at).into_owned()))
}

/// The observed values of a state of the declared system.
fn sample(system: &System, t: f64, state: &State) -> Sample {
    let (q, v) = state;
    let (mut directions, mut velocities, mut residual) = (Vec::new(), Vec::new(), Residual::default());
    for (q, w) in links(state) {
        directions.push(Value::Vector(q.as_slice().to_vec()));
        velocities.push(Value::Vector(w.as_slice().to_vec()));
        residual.position = residual.position.max((1.0 - q.norm_squared()).abs());
        residual.velocity = residual.velocity.max(q.dot(&w).abs());
    }
    Sample {
        configuration: Value::Record(vec![("direction", Value::List(directions))]),
        velocity: Value::Record(vec![("angular_velocity", Value::List(velocities))]),
        observables: system.report_observables(t, q, v),
        energy: Energy { kinetic: system.kinetic_energy(t, q, v), potential: system.potential_energy(t, q) },
        residual,
        ..Sample::at(t)
    }
}

impl Sampled<MechanicalField<System>> for System {
    fn notation(&self) -> String {
        "(TS²)^N".into()
    }
    fn dimension(&self) -> usize {
        4 * self.dof() / 3
    }
    fn sample(&self, at: &FieldState<MechanicalField<System>>) -> Sample {
        sample(self, at.time, &at.point)
    }
}

impl Sampled<VectorFieldProblem<Dense>> for Dense {
    fn notation(&self) -> String {
        "(TS²)^N".into()
    }
    fn dimension(&self) -> usize {
        4 * self.0.dof() / 3
    }
    fn sample(&self, at: &FieldState<VectorFieldProblem<Dense>>) -> Sample {
        sample(&self.0, at.time, &state(at.point.iter().map(on_the_sphere)))
    }
}

impl Sampled<VectorFieldProblem<Cartesian>> for Cartesian {
    fn notation(&self) -> String {
        "R^6N".into()
    }
    fn dimension(&self) -> usize {
        6 * self.0.dof() / 3
    }
    fn sample(&self, at: &FieldState<VectorFieldProblem<Cartesian>>) -> Sample {
        sample(&self.0, at.time, &state(at.point.iter().map(in_space)))
    }
}
