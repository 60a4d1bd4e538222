//! Runs, orders and residuals.

use lie_runtime::group::TangentVector;
use lie_runtime::integrator::Integrator;
use lie_runtime::prelude::*;
use lie_runtime::system::Linearised;

use crate::reference;
use crate::systems::formulation::HeavyTop;

/// The state at `end` after that many equal steps.
///
/// # Panics
/// If the simulation fails.
pub fn end_state<M: MechanicalSystem>(
    system: &M,
    initial: (M::Configuration, M::Velocity),
    method: HalfExplicit,
    steps: u32,
    end: f64,
) -> State<M> {
    let run = Simulation::of(system).starting_at(initial.0, initial.1).with(method);
    // Errors are measured, however large.
    let run = run.step(end / f64::from(steps)).until(end).sample_at(&[end]).constraint_tolerance(f64::INFINITY).run();
    run.unwrap_or_else(|error| panic!("{error}")).states.pop().expect("the end is sampled")
}

/// The whole run with equal steps.
///
/// # Panics
/// If the simulation fails.
pub fn run<M: MechanicalSystem>(
    system: &M,
    (q, v): (M::Configuration, M::Velocity),
    method: impl Integrator<M>,
    h: f64,
    end: f64,
) -> Trajectory<M> {
    let run = Simulation::of(system).starting_at(q, v).with(method).step(h).until(end).run();
    run.unwrap_or_else(|error| panic!("{error}"))
}

/// Relative errors of q, v and λ of the heavy top at t = 1, by so many steps.
///
/// # Panics
/// If the simulation fails.
pub fn heavy_top_errors<M: HeavyTop>(method: impl Integrator<M>, steps: u32) -> [f64; 3] {
    let (exact, system) = (reference::heavy_top(), M::of_the_paper());
    let (q, v) = M::initial();
    let run = Simulation::of(&system).starting_at(q, v).with(method).step(1.0 / f64::from(steps)).until(1.0);
    let run = run.constraint_tolerance(f64::INFINITY);
    let trajectory = run.sample_at(&[1.0]).run().unwrap_or_else(|error| panic!("{error}"));
    let state = trajectory.states.last().expect("the end is sampled");
    let relative = |given: Vector3<f64>, exact: Vector3<f64>| (given - exact).norm() / exact.norm();
    let attitude = (M::attitude(&state.configuration) - exact.attitude).norm() / exact.attitude.norm();
    let position = relative(M::position(&state.configuration), exact.position);
    let angular = relative(state.velocity.angular(), exact.angular_velocity);
    let linear = relative(M::linear_velocity(&state.configuration, &state.velocity), exact.linear_velocity);
    [attitude.max(position), angular.max(linear), relative(state.multipliers, exact.multipliers)]
}

/// The slope of log error over log step between two steps of ratio 2.
pub fn order(coarse: f64, fine: f64) -> f64 {
    (coarse / fine).log2()
}

/// The largest component of the holonomic residual Φ(t, q).
pub fn position_residual<M: MechanicalSystem<Scalar = f64>>(system: &M, state: &State<M>) -> f64 {
    let mut residual = system.zero_multipliers();
    system.constraint(state.time, &state.configuration, &mut residual);
    residual.max_norm()
}

/// The largest component of B v + b.
pub fn velocity_residual<M: MechanicalSystem<Scalar = f64>>(system: &M, state: &State<M>) -> f64 {
    let (mut residual, mut drift) = (system.zero_multipliers(), system.zero_multipliers());
    let mut jacobian = system.zero_jacobian();
    system.constraint_jacobian(state.time, &state.configuration, &mut jacobian);
    system.jacobian_times(&jacobian, &state.velocity, &mut residual);
    system.constraint_drift(state.time, &state.configuration, &mut drift);
    residual.axpy(1.0, &drift);
    residual.max_norm()
}

/// Kinetic plus potential energy.
pub fn energy<M: MechanicalSystem<Scalar = f64>>(system: &M, state: &State<M>) -> f64 {
    let (t, q, v) = (state.time, &state.configuration, &state.velocity);
    system.kinetic_energy(t, q, v) + system.potential_energy(t, q)
}

/// The orders of q, v and λ between `steps` and twice as many, against a run with `exact` steps of the order-5 method.
///
/// Errors are the largest of eight times, so that none vanishes by accident; steps are multiples of eight.
///
/// # Panics
/// If a simulation fails.
pub fn self_convergence<M: MechanicalSystem<Scalar = f64>>(
    system: &M,
    initial: &(M::Configuration, M::Velocity),
    method: impl Integrator<M> + Copy,
    [steps, exact]: [u32; 2],
    end: f64,
) -> [f64; 3] {
    orders(self_errors(system, initial, method, [steps, exact], end))
}

/// [`self_convergence`] at other times, between the steps for instance.
///
/// # Panics
/// If a simulation fails.
pub fn self_convergence_at<M: MechanicalSystem<Scalar = f64>>(
    system: &M,
    initial: &(M::Configuration, M::Velocity),
    method: impl Integrator<M> + Copy,
    steps: [u32; 2],
    end: f64,
    times: &[f64],
) -> [f64; 3] {
    orders(self_errors_at(system, initial, method, steps, end, times))
}

fn orders([coarse, fine]: [[f64; 3]; 2]) -> [f64; 3] {
    [0, 1, 2].map(|i| order(coarse[i], fine[i]))
}

/// The errors that [`self_convergence`] compares, of `steps` steps and of twice as many.
///
/// # Panics
/// If a simulation fails.
pub fn self_errors<M: MechanicalSystem<Scalar = f64>>(
    system: &M,
    initial: &(M::Configuration, M::Velocity),
    method: impl Integrator<M> + Copy,
    steps: [u32; 2],
    end: f64,
) -> [[f64; 3]; 2] {
    let times: Vec<f64> = (1..=8).map(|eighth| end * f64::from(eighth) / 8.0).collect();
    self_errors_at(system, initial, method, steps, end, &times)
}

fn self_errors_at<M: MechanicalSystem<Scalar = f64>>(
    system: &M,
    initial: &(M::Configuration, M::Velocity),
    method: impl Integrator<M> + Copy,
    [steps, exact]: [u32; 2],
    end: f64,
    times: &[f64],
) -> [[f64; 3]; 2] {
    let start = || {
        let start =
            Simulation::of(system).starting_at(initial.0.clone(), initial.1.clone()).until(end).sample_at(times);
        start.constraint_tolerance(f64::INFINITY)
    };
    let states = |run: Result<Trajectory<M>, _>| run.unwrap_or_else(|error| panic!("{error}")).states;
    let exact = states(start().step(end / f64::from(exact)).full_order_multipliers().run());
    let errors = |steps: u32| {
        let mut largest = [0.0_f64; 3];
        for (state, exact) in states(start().with(method).step(end / f64::from(steps)).run()).into_iter().zip(&exact) {
            let (mut theta, mut v, mut multipliers) = (system.zero_velocity(), state.velocity, state.multipliers);
            system.space().log_difference(&exact.configuration, &state.configuration, &mut theta);
            v.axpy(-1.0, &exact.velocity);
            multipliers.axpy(-1.0, &exact.multipliers);
            for (largest, error) in largest.iter_mut().zip([theta.max_norm(), v.max_norm(), multipliers.max_norm()]) {
                *largest = largest.max(error);
            }
        }
        largest
    };
    [errors(steps), errors(2 * steps)]
}

/// What is compared of two systems.
#[derive(Clone, Debug)]
pub struct Kernels(Vec<(&'static str, Vec<f64>)>);

impl Kernels {
    /// Every kernel of `system` in one state; the acceleration is the velocity, the multipliers are ones.
    pub fn of<M: Linearised<Scalar = f64>>(system: &M, t: f64, q: &M::Configuration, v: &M::Velocity) -> Self {
        let components = |vector: &dyn Fn(usize) -> f64, n: usize| (0..n).map(vector).collect::<Vec<f64>>();
        let (dof, rows) = (system.dof(), system.constraint_rows());
        let mut multipliers = system.zero_multipliers();
        multipliers.fill(1.0);
        let (mut force, mut residual) = (system.zero_velocity(), system.zero_velocity());
        system.force(t, q, v, &mut force);
        system.residual(t, q, v, v, &multipliers, &mut residual);
        let (mut constraint, mut drift, mut curvature) =
            (system.zero_multipliers(), system.zero_multipliers(), system.zero_multipliers());
        system.constraint(t, q, &mut constraint);
        system.constraint_drift(t, q, &mut drift);
        system.constraint_curvature(t, q, v, &mut curvature);
        let matrix = |matrix: &M::Matrix| {
            (0..dof * dof).map(|at| system.matrix_entry(matrix, at / dof, at % dof)).collect::<Vec<f64>>()
        };
        let (mut mass, mut stiffness, mut damping) = (system.zero_matrix(), system.zero_matrix(), system.zero_matrix());
        system.mass_matrix(t, q, &mut mass);
        system.tangent_stiffness(t, q, v, v, &multipliers, &mut stiffness);
        system.tangent_damping(t, q, v, &mut damping);
        Kernels(vec![
            ("energies", vec![system.kinetic_energy(t, q, v), system.potential_energy(t, q)]),
            ("force", components(&|i| force.component(i), dof)),
            ("residual", components(&|i| residual.component(i), dof)),
            ("constraint", components(&|i| constraint.component(i), rows)),
            ("constraint drift", components(&|i| drift.component(i), rows)),
            ("constraint curvature", components(&|i| curvature.component(i), rows)),
            ("mass matrix", matrix(&mass)),
            ("tangent stiffness", matrix(&stiffness)),
            ("tangent damping", matrix(&damping)),
        ])
    }

    /// The numbers of one kernel.
    ///
    /// # Panics
    /// If there is no kernel of that name.
    pub fn numbers(&self, name: &str) -> &[f64] {
        let found = self.0.iter().find(|(kernel, _)| *kernel == name);
        &found.unwrap_or_else(|| panic!("there is no kernel `{name}`")).1
    }

    /// The kernel that differs most, and by how much relative to its largest entry (at least 1).
    ///
    /// # Panics
    /// If the systems differ in size.
    pub fn deviation(&self, other: &Self) -> (&'static str, f64) {
        let mut worst = ("", 0.0);
        for ((name, a), (_, b)) in self.0.iter().zip(&other.0) {
            assert_eq!(a.len(), b.len(), "{name}");
            let scale = a.iter().chain(b).fold(1.0_f64, |scale, entry| scale.max(entry.abs()));
            for (a, b) in a.iter().zip(b) {
                let deviation = (a - b).abs() / scale;
                if deviation > worst.1 || deviation.is_nan() {
                    worst = (name, deviation);
                }
            }
        }
        worst
    }
}
