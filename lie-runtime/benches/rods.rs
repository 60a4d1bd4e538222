//! Measures a step of a Kirchhoff rod per node, from 16 to 4096 elements: `cargo bench -p lie-runtime --bench rods`.
//!
//! The output is a table with the number N of elements (N + 1 nodes) in rows and methods in columns. The values are minimum times of
//! several runs in nanoseconds per node and step. The last lines are times per element, because elements cause almost all of the work: 17
//! nodes have 16. `F + 3 I` contains the operations of a step of generalized-α with one factorisation and three iterations. The matrix is
//! formed and factorised once. Three times the residuals are evaluated, the linear system is solved and the state is updated. A final
//! evaluation tests the convergence.
//!
//! Arguments select one operation for `valgrind --tool=callgrind`. The difference between two numbers of steps excludes the start:
//!
//! ```text
//! -- hedop5 64 100 1e-4         so many steps of that size of one rod by one method (any half-explicit one, or lie_alpha)
//! -- estimate 64 100 1e-3       so many steps of lie_alpha with estimates of their errors
//! -- factorise 64 100 1e-3      so many factorisations of the iteration matrix
//! -- iterate 64 100 1e-3        so many iterations
//! -- work 64 100 1e-3           so many times one factorisation and three iterations
//! ```

mod rod;

use std::time::{Duration, Instant};

use lie_runtime::integrator::generalized_alpha::{GeneralizedAlphaOptions, NewtonUpdate, Parameters};
use lie_runtime::integrator::{GeneralizedAlpha, HalfExplicit, Integrator, LocalError, State};
use lie_runtime::nalgebra::DVector;
use lie_runtime::space::ConfigurationSpace;
use lie_runtime::system::{
    IterationCoefficients, IterationCorrection, IterationPoint, IterationResidual, Linearised, MechanicalSystem,
};
use rod::kirchhoff::{self, System};

/// The minimum duration of a measurement.
const SPAN: Duration = Duration::from_millis(200);

/// A method in progress.
struct Run<'a, I: Integrator<System>> {
    method: &'a I,
    system: System,
    start: State<System>,
    from: State<System>,
    to: State<System>,
    workspace: I::Workspace,
}

impl<'a, I: Integrator<System>> Run<'a, I> {
    fn new(method: &'a I, elements: usize) -> Self {
        let (system, q) = rod::free(elements);
        let mut start = State::at_rest(&system, 0.0, q);
        let mut workspace = method.workspace(&system, &start);
        method.start(&system, &mut start, &mut workspace).expect("starts");
        Run { method, system, from: start.clone(), to: start.clone(), start, workspace }
    }

    /// Steps from the start.
    fn steps(&mut self, steps: usize, h: f64) {
        self.from.clone_from(&self.start);
        for _ in 0..steps {
            self.method.step(&self.system, &self.from, h, &mut self.to, &mut self.workspace).expect("steps");
            std::mem::swap(&mut self.from, &mut self.to);
        }
    }

    /// Makes steps with error estimates.
    fn steps_with_estimates(&mut self, steps: usize, h: f64) {
        let mut error = LocalError::of(&self.system);
        self.from.clone_from(&self.start);
        for _ in 0..steps {
            let Run { method, system, from, to, workspace, .. } = self;
            method.step_with_estimate(system, from, h, to, &mut error, workspace).expect("steps");
            std::mem::swap(&mut self.from, &mut self.to);
        }
    }
}

/// The parts of an implicit step, at the end of a step.
struct Pieces {
    system: System,
    start: kirchhoff::Rod,
    state: State<System>,
    theta: DVector<f64>,
    next_acceleration: DVector<f64>,
    h: f64,
    coefficients: IterationCoefficients<f64>,
    factorisation: <System as Linearised>::Factorisation,
    residual: IterationResidual<System>,
    correction: IterationCorrection<System>,
}

impl Pieces {
    fn new(elements: usize, h: f64) -> Self {
        let method = implicit();
        let mut run = Run::new(&method, elements);
        run.steps(2, h);
        let (system, state, start) = (run.system, run.from, run.to.configuration);
        let mut theta = system.zero_velocity();
        system.space().log_difference(&start, &state.configuration, &mut theta);
        let next_acceleration = system.zero_velocity();
        let (v, m) = (system.zero_velocity(), system.zero_multipliers());
        let p = Parameters::chung_hulbert(0.9).expect("parameters");
        Pieces {
            coefficients: IterationCoefficients {
                mass: p.mass_weight(),
                damping: h * p.damping_weight(),
                stiffness: h * h,
                rate: p.damping_weight(),
                rate_gradient: h,
            },
            factorisation: system.zero_factorisation(),
            residual: IterationResidual { balance: v.clone(), position: m.clone(), velocity: m.clone() },
            correction: IterationCorrection {
                acceleration: v.clone(),
                increment: v,
                multipliers: m.clone(),
                projection: m,
            },
            system,
            start,
            state,
            theta,
            next_acceleration,
            h,
        }
    }

    fn factorise(&mut self) {
        let State { time, configuration, velocity, acceleration, multipliers, .. } = &self.state;
        let point = IterationPoint {
            t: *time,
            q: configuration,
            v: velocity,
            acceleration,
            multipliers,
            theta: &self.theta,
            local: None,
            reactions: None,
        };
        self.system.factorise_iteration(&point, &self.coefficients, None, &mut self.factorisation).expect("factors");
    }

    fn evaluate(&mut self) {
        let State { time, configuration, velocity, acceleration, multipliers, .. } = &mut self.state;
        let IterationResidual { balance, position, .. } = &mut self.residual;
        self.system.space().compose_exp(&self.start, &self.theta, configuration);
        let (q, v) = (&*configuration, &*velocity);
        self.system.residual_and_constraint(*time, q, v, acceleration, multipliers, balance, position);
        *balance *= self.h * self.h;
    }

    fn iterate(&mut self) {
        self.evaluate();
        self.system.solve_iteration(&mut self.factorisation, &self.residual, &mut self.correction);
        let State { velocity, acceleration, multipliers, .. } = &mut self.state;
        let (c, h) = (&self.coefficients, self.h);
        self.theta += &self.correction.increment;
        velocity.axpy(c.rate / h, &self.correction.acceleration, 1.0);
        acceleration.axpy(c.mass / (h * h), &self.correction.acceleration, 1.0);
        multipliers.axpy(1.0 / (h * h), &self.correction.multipliers, 1.0);
        self.next_acceleration.axpy(1.0 / (h * h), &self.correction.acceleration, 1.0);
    }

    /// One factorisation and three iterations.
    fn work(&mut self) {
        self.factorise();
        for _ in 0..3 {
            self.iterate();
        }
        self.evaluate();
    }
}

/// Measures nanoseconds per node: the minimum of several runs of `count` each.
fn time(elements: usize, mut run: impl FnMut(usize)) -> f64 {
    let count = (4096 / elements).clamp(4, 64);
    let (mut best, clock) = (f64::INFINITY, Instant::now());
    while clock.elapsed() < SPAN {
        let one = Instant::now();
        run(count);
        best = best.min(one.elapsed().as_secs_f64() / count as f64);
    }
    best * 1e9 / (elements + 1) as f64
}

fn explicit(id: &str) -> Option<HalfExplicit> {
    HalfExplicit::all().into_iter().find(|method| method.tableau().id == id)
}

fn implicit() -> GeneralizedAlpha {
    let options = GeneralizedAlphaOptions::default().newton(NewtonUpdate::Modified);
    GeneralizedAlpha::new(Parameters::chung_hulbert(0.9).expect("parameters"), options).expect("options")
}

/// Runs one operation `count` times.
fn count(what: &str, elements: usize, count: usize, h: f64) {
    let pieces = || {
        let mut pieces = Pieces::new(elements, h);
        pieces.factorise();
        pieces
    };
    match (what, explicit(what)) {
        (_, Some(method)) => Run::new(&method, elements).steps(count, h),
        ("estimate", _) => Run::new(&implicit(), elements).steps_with_estimates(count, h),
        ("factorise", _) => {
            let mut pieces = pieces();
            (0..count).for_each(|_| pieces.factorise());
        }
        ("iterate", _) => {
            let mut pieces = pieces();
            (0..count).for_each(|_| pieces.iterate());
        }
        ("work", _) => {
            let mut pieces = pieces();
            (0..count).for_each(|_| pieces.work());
        }
        _ => {
            let method = implicit();
            let mut run = Run::new(&method, elements);
            run.steps(count, h);
            let iterations = method.newton_iterations(&run.workspace).unwrap_or(0.0);
            let factorisations = run.workspace.factorisations() as f64 / count as f64;
            println!("{iterations:.3} iterations and {factorisations:.3} factorisations a step");
        }
    }
}

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).filter(|argument| argument != "--bench").collect();
    if let [what, elements, times, h @ ..] = arguments.as_slice() {
        let h = h.first().map_or(1e-5, |h| h.parse().expect("a number"));
        return count(what, elements.parse().expect("a number"), times.parse().expect("a number"), h);
    }
    println!("ns a node and step (Kirchhoff rod, {} components a node)", 6);
    println!(
        "{:>6} {:>8} {:>8} {:>8} {:>10} {:>6} {:>10} {:>8} {:>8}",
        "N", "herk3", "herk4", "hedop5", "lie_alpha", "iter.", "factorise", "iterate", "F + 3 I"
    );
    let mut by_element = Vec::new();
    for elements in [16, 64, 256, 1024, 4096] {
        // Waves of stretch cross an edge in ds √(ρA / C^Γ).
        let h = 0.02 * 10.0 / elements as f64 / 100.0;
        let explicit = ["herk3", "herk4", "hedop5"].map(|id| {
            let method = explicit(id).expect("a method");
            let mut run = Run::new(&method, elements);
            time(elements, |count| run.steps(count, h))
        });
        let method = implicit();
        let mut run = Run::new(&method, elements);
        let alpha = time(elements, |count| run.steps(count, 1e-3));
        let iterations = method.newton_iterations(&run.workspace).unwrap_or(0.0);
        let mut pieces = Pieces::new(elements, 1e-3);
        let factorise = time(elements, |count| (0..count).for_each(|_| pieces.factorise()));
        let iterate = time(elements, |count| (0..count).for_each(|_| pieces.iterate()));
        let work = time(elements, |count| (0..count).for_each(|_| pieces.work()));
        println!(
            "{elements:>6} {:>8.0} {:>8.0} {:>8.0} {alpha:>10.0} {iterations:>6.2} {factorise:>10.0} {iterate:>8.0} {work:>8.0}",
            explicit[0], explicit[1], explicit[2]
        );
        by_element.push([explicit[2], work].map(|time| time * (elements + 1) as f64 / elements as f64));
    }
    for (name, column) in [("hedop5", 0), ("F + 3 I", 1)] {
        let times: Vec<f64> = by_element.iter().map(|row| row[column]).collect();
        let (least, most) = times.iter().fold((f64::INFINITY, 0.0_f64), |(a, b), &time| (a.min(time), b.max(time)));
        println!("{name}, an element: {times:.0?}, the longest {:.2} of the shortest", most / least);
    }
    let (system, _) = rod::free(16);
    for kernel in system.description().kernels {
        println!("{}: {} operations", kernel.name, kernel.operations);
    }
}
