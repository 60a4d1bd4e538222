//! The repeated operations: one kernel, one step. `black_box` hides inputs and results from the optimiser.

use std::hint::black_box;

use lie_runtime::integrator::generalized_alpha::{GeneralizedAlpha, GeneralizedAlphaOptions, NewtonUpdate, Parameters};
use lie_runtime::integrator::{HalfExplicit, Integrator, LocalError, State};
use lie_runtime::nalgebra::{Matrix6, Vector3, Vector6};
use lie_runtime::space::ConfigurationSpace;

use lie_runtime::simulate::Simulation;
use lie_runtime::system::Linearised;

use super::block_matrices;
use super::{Point, Top};

/// The step size of implicit methods, as in paper 2.
const IMPLICIT_STEP: f64 = 2e-3;

/// Unattainable, so that the third correction, which is round-off, ends the iteration, as in paper 2.
const ROUND_OFF: f64 = 1e-18;

/// A kernel of the equations of motion.
#[derive(Clone, Copy, Debug)]
pub enum Kernel {
    Force,
    ConstraintJacobian,
    SolveSaddle,
    ComposeExp,
    TangentInverse,
    TangentStiffness,
    TangentDamping,
}

impl Kernel {
    pub const ALL: [Kernel; 7] = [
        Kernel::Force,
        Kernel::ConstraintJacobian,
        Kernel::SolveSaddle,
        Kernel::ComposeExp,
        Kernel::TangentInverse,
        Kernel::TangentStiffness,
        Kernel::TangentDamping,
    ];

    pub fn name(self) -> &'static str {
        match self {
            Kernel::Force => "force",
            Kernel::ConstraintJacobian => "constraint_jacobian",
            Kernel::SolveSaddle => "solve_kkt",
            Kernel::ComposeExp => "compose_exp",
            Kernel::TangentInverse => "tangent_inverse",
            Kernel::TangentStiffness => "tangent_stiffness",
            Kernel::TangentDamping => "tangent_damping",
        }
    }
}

/// The kernel at the point.
pub fn kernel<M: Top + 'static>(kernel: Kernel) -> Box<dyn FnMut(u64)> {
    let system = M::of_the_paper();
    let mut point = Point::of(&system);
    match kernel {
        Kernel::Force => repeated(move || {
            let mut out = Vector6::zeros();
            system.force(0.0, black_box(&point.q), black_box(&point.v), &mut out);
            out
        }),
        Kernel::ConstraintJacobian => repeated(move || {
            system.constraint_jacobian(0.0, black_box(&point.q), &mut point.there);
            black_box(&point.there);
        }),
        Kernel::SolveSaddle => repeated(move || {
            let Point { here, there, force, right, mass, acceleration, multipliers, .. } = &mut point;
            let (here, there, force, right) =
                (black_box(&*here), black_box(&*there), black_box(&*force), black_box(&*right));
            let solved = system.solve_kkt(mass, here, there, force, right, acceleration, multipliers);
            black_box((&*acceleration, &*multipliers));
            solved
        }),
        Kernel::ComposeExp => {
            let mut out = point.q.clone();
            repeated(move || {
                system.space().compose_exp(black_box(&point.q), black_box(&point.theta), &mut out);
                black_box(&out);
            })
        }
        Kernel::TangentInverse => repeated(move || {
            let mut out = Vector6::zeros();
            system.space().tangent_inverse(black_box(&point.theta), black_box(&point.v), &mut out);
            out
        }),
        Kernel::TangentStiffness => {
            let mut out = Matrix6::zeros();
            repeated(move || {
                let Point { q, v, acceleration, multipliers, .. } = &point;
                let multipliers = black_box(multipliers);
                system.stiffness(black_box(q), black_box(v), black_box(acceleration), multipliers, &mut out);
                black_box(&out);
            })
        }
        Kernel::TangentDamping => {
            let mut out = Matrix6::zeros();
            repeated(move || {
                system.damping(black_box(&point.q), black_box(&point.v), &mut out);
                black_box(&out);
            })
        }
    }
}

/// The KKT system as nine equations.
pub fn solve_whole() -> Box<dyn FnMut(u64)> {
    let point = Point::of(&block_matrices::HeavyTop::of_the_paper());
    repeated(move || {
        let Point { mass, here, there, force, right, .. } = &point;
        let solved: Option<(Vector6<f64>, Vector3<f64>)> = block_matrices::solve_whole(
            &mass.matrix,
            black_box(here),
            black_box(there),
            black_box(force),
            black_box(right),
        );
        solved
    })
}

/// The consistent initial values of the paper with their multipliers.
fn initial<M: Top>(system: &M) -> State<M> {
    let (q, v) = M::initial();
    let mut state = State::at_rest(system, 0.0, q);
    state.velocity = v;
    let State { configuration: q, acceleration, multipliers, .. } = &mut state;
    let (mut mass, mut jacobian) = (system.zero_mass(), system.zero_jacobian());
    let (mut force, mut curvature) = (Vector6::zeros(), Vector3::zeros());
    system.mass(0.0, q, &mut mass).expect("the mass matrix is positive definite");
    system.force(0.0, q, &v, &mut force);
    system.constraint_jacobian(0.0, q, &mut jacobian);
    system.constraint_curvature(0.0, q, &v, &mut curvature);
    system
        .solve_kkt(&mut mass, &jacobian, &jacobian, &force, &-curvature, acceleration, multipliers)
        .expect("the constraints are independent");
    state
}

/// Repeats steps of 1e-3 s from the initial values of the paper over the first second.
pub fn steps<M: Top + 'static>(method: HalfExplicit, estimate: bool) -> Box<dyn FnMut(u64)> {
    steps_of::<M>(method, 1e-3, estimate)
}

/// Generalized-α with steps of 2e-3 s, to round-off.
pub fn implicit_steps<M: Top + Linearised + 'static>(
    id: &str,
    newton: NewtonUpdate,
    estimate: bool,
) -> Box<dyn FnMut(u64)> {
    steps_of::<M>(implicit(id, newton, ROUND_OFF), IMPLICIT_STEP, estimate)
}

/// Generalized-α with the default tolerance.
pub fn implicit_steps_by_default<M: Top + Linearised + 'static>(id: &str, newton: NewtonUpdate) -> Box<dyn FnMut(u64)> {
    steps_of::<M>(implicit(id, newton, GeneralizedAlphaOptions::default().tolerance), IMPLICIT_STEP, false)
}

/// A listed method with ρ∞ = 0.9.
fn implicit(id: &str, newton: NewtonUpdate, tolerance: f64) -> GeneralizedAlpha {
    let parameters = Parameters::chung_hulbert(0.9).expect("between 0 and 1");
    let method = GeneralizedAlpha::by_id(id, parameters).expect("a listed method");
    let options = method.options().newton(newton).tolerance(tolerance);
    GeneralizedAlpha::new(parameters, options).expect("good options")
}

/// The mean number of iterations of these steps over the first second.
pub fn iterations<M: Top + Linearised>(id: &str, newton: NewtonUpdate) -> f64 {
    let system = M::of_the_paper();
    let (q, v) = M::initial();
    let run = Simulation::of(&system)
        .initial(q, v)
        .method(implicit(id, newton, ROUND_OFF))
        .step(IMPLICIT_STEP)
        .end_time(1.0)
        .run();
    let iterations = run.ok().and_then(|trajectory| trajectory.statistics.newton_iterations);
    iterations.expect("no step fails")
}

/// v' and λ at the start.
pub fn first_accelerations<M: Top>() -> (Vector6<f64>, Vector3<f64>) {
    let state = initial(&M::of_the_paper());
    (state.acceleration, state.multipliers)
}

/// Returns v after this number of steps of 1e-3 s.
pub fn velocity_after<M: Top>(method: HalfExplicit, steps: u64) -> Vector6<f64> {
    let mut run = Stepping::of(M::of_the_paper(), method, 1e-3);
    run.steps(steps, false);
    run.states[0].velocity
}

/// Repeats steps of size `h` from the initial values of the paper over the first second.
fn steps_of<M: Top + 'static>(method: impl Integrator<M> + 'static, h: f64, estimate: bool) -> Box<dyn FnMut(u64)> {
    let mut run = Stepping::of(M::of_the_paper(), method, h);
    Box::new(move |times| {
        run.steps(times, estimate);
        black_box(&run.states);
    })
}

/// A motion in progress.
struct Stepping<M: Top, I: Integrator<M>> {
    system: M,
    method: I,
    h: f64,
    first: State<M>,
    /// The last one first.
    states: [State<M>; 2],
    error: LocalError<M>,
    workspace: I::Workspace,
}

impl<M: Top, I: Integrator<M>> Stepping<M, I> {
    fn of(system: M, method: I, h: f64) -> Self {
        let mut first = initial(&system);
        let mut workspace = method.workspace(&system, &first);
        method.start(&system, &mut first, &mut workspace).expect("the initial values are consistent");
        let (states, error) = ([first.clone(), first.clone()], LocalError::of(&system));
        Stepping { system, method, h, first, states, error, workspace }
    }

    fn steps(&mut self, times: u64, estimate: bool) {
        let Self { system, method, h, first, states: [from, to], error, workspace } = self;
        // References alternate, so that the measurement does not contain an exchange of states.
        let (mut from, mut to) = (from, to);
        for _ in 0..times {
            if from.time > 1.0 - 0.5 * *h {
                from.clone_from(first);
            }
            let h = black_box(*h);
            if estimate {
                method.step_with_estimate(system, from, h, to, error, workspace)
            } else {
                method.step(system, from, h, to, workspace)
            }
            .expect("no step fails");
            core::mem::swap(&mut from, &mut to);
        }
        if times % 2 == 1 {
            self.states.swap(0, 1);
        }
    }
}

/// Repeats an operation this number of times.
fn repeated<O>(mut run: impl FnMut() -> O + 'static) -> Box<dyn FnMut(u64)> {
    Box::new(move |times| {
        for _ in 0..times {
            black_box(run());
        }
    })
}
