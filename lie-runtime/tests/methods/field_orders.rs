//! Orders of all methods for equations of first order, and their error estimates.

use hand_written::top_hamiltonian::{CartesianTop, TopHamiltonian};
use lie_runtime::field::{FirstOrder, HamiltonianProblem, VectorField, VectorFieldProblem};
use lie_runtime::integrator::StepController;
use lie_runtime::integrator::tableau::{DORMAND_PRINCE, EXPLICIT};
use lie_runtime::integrator::{
    CommutatorFree, Differential, FieldState, FirstOrderMethod, Integrator, LocalEstimate, MuntheKaas, StepFailure,
    SymplecticLieGroup,
};
use lie_runtime::nalgebra::{SVector, Vector3, Vector6};
use lie_runtime::simulate::Simulation;
use lie_runtime::space::{Cayley, Exponential, TS2};

/// A spherical pendulum of length 1 that is driven: everything depends on time.
struct DrivenPendulum;

impl DrivenPendulum {
    /// The acceleration of a free mass.
    fn push(t: f64) -> Vector3<f64> {
        Vector3::new((2.0 * t).cos(), 0.5 * t, -9.81 + t.sin())
    }
    fn start() -> TS2 {
        TS2::new(Vector3::new(0.6, 0.0, -0.8), Vector3::new(0.3, 1.5, 0.0)).unwrap()
    }
}

impl VectorField for DrivenPendulum {
    type Point = TS2;
    type Workspace = ();

    fn zero(&self) -> Vector6<f64> {
        Vector6::zeros()
    }
    fn workspace(&self) {}
    fn evaluate(&self, t: f64, y: &TS2, (): &mut (), out: &mut Vector6<f64>) -> Result<(), StepFailure> {
        let q = y.direction();
        let rate = q.cross(&Self::push(t));
        let (angular, linear) = (y.angular_velocity(), q.cross(&rate));
        *out = Vector6::new(angular.x, angular.y, angular.z, linear.x, linear.y, linear.z);
        Ok(())
    }
}

/// The same with q and ω in R⁶.
struct CartesianPendulum;

impl VectorField for CartesianPendulum {
    type Point = SVector<f64, 6>;
    type Workspace = ();

    fn zero(&self) -> Vector6<f64> {
        Vector6::zeros()
    }
    fn workspace(&self) {}
    fn evaluate(&self, t: f64, y: &Vector6<f64>, (): &mut (), out: &mut Vector6<f64>) -> Result<(), StepFailure> {
        let (q, w) = (y.fixed_rows::<3>(0).into_owned(), y.fixed_rows::<3>(3).into_owned());
        out.fixed_rows_mut::<3>(0).copy_from(&w.cross(&q));
        out.fixed_rows_mut::<3>(3).copy_from(&q.cross(&DrivenPendulum::push(t)));
        Ok(())
    }
}

fn pendulum_point(y: &TS2) -> Vector6<f64> {
    let (q, w) = (y.direction(), y.angular_velocity());
    Vector6::new(q.x, q.y, q.z, w.x, w.y, w.z)
}

/// Steps of equal size.
fn run<F: FirstOrder, I: Integrator<F>>(
    system: &F::System,
    start: F::Point,
    method: &I,
    steps: u32,
    end: f64,
) -> F::Point {
    let mut from = FieldState::<F>::at(system, 0.0, start);
    let mut workspace = method.workspace(system, &from);
    method.start(system, &mut from, &mut workspace).unwrap();
    let mut to = from.clone();
    for step in 1..=steps {
        method.step(system, &from, end / f64::from(steps), &mut to, &mut workspace).unwrap();
        to.time = end * f64::from(step) / f64::from(steps);
        core::mem::swap(&mut from, &mut to);
    }
    from.point
}

/// The exact ends, by the pair of order 5 in a vector space, where nothing is shared with the Lie group methods but +.
fn exact_top(end: f64) -> SVector<f64, 12> {
    let (q, mu) = TopHamiltonian::slow_start();
    let method = MuntheKaas::new("dopri5", &DORMAND_PRINCE, Differential::Truncated(0)).unwrap();
    run::<VectorFieldProblem<CartesianTop>, _>(
        &CartesianTop(TopHamiltonian::slow()),
        CartesianTop::point(&q, &mu),
        &method,
        4000,
        end,
    )
}

fn exact_pendulum(end: f64) -> Vector6<f64> {
    let method = MuntheKaas::new("dopri5", &DORMAND_PRINCE, Differential::Truncated(0)).unwrap();
    run::<VectorFieldProblem<CartesianPendulum>, _>(
        &CartesianPendulum,
        pendulum_point(&DrivenPendulum::start()),
        &method,
        4000,
        end,
    )
}

/// The observed order from runs with `steps` and twice as many steps.
fn slope(error: impl Fn(u32) -> f64, steps: u32) -> f64 {
    (error(steps) / error(2 * steps)).log2()
}

fn top_error<I: Integrator<HamiltonianProblem<TopHamiltonian>>>(
    exact: &SVector<f64, 12>,
    method: &I,
    steps: u32,
    end: f64,
) -> f64 {
    let (configuration, momentum) = TopHamiltonian::slow_start();
    let start = lie_runtime::space::Cotangent { configuration, momentum };
    let y = run::<HamiltonianProblem<TopHamiltonian>, _>(&TopHamiltonian::slow(), start, method, steps, end);
    (CartesianTop::point(&y.configuration, &y.momentum) - exact).norm()
}

fn pendulum_error<F, I>(exact: &Vector6<f64>, method: &I, steps: u32, end: f64) -> f64
where
    F: FirstOrder<System = DrivenPendulum, Point = TS2>,
    I: Integrator<F>,
{
    let y = run::<F, _>(&DrivenPendulum, DrivenPendulum::start(), method, steps, end);
    (pendulum_point(&y) - exact).norm()
}

/// Steps at which the error has the order of the method and is far above round-off.
fn steps_of(order: usize) -> u32 {
    [2048, 512, 256, 128, 64][order - 1]
}

fn assert_order(id: &str, problem: &str, observed: f64, order: usize) {
    let tolerance = if order < 4 { 0.1 } else { 0.15 };
    assert!((observed - order as f64).abs() < tolerance, "{id} on the {problem}: {observed:.3}");
}

const END: f64 = 1.0;

#[test]
fn orders_on_the_cotangent_bundle_and_of_non_autonomous_fields() {
    let (top, pendulum) = (exact_top(END), exact_pendulum(END));
    for method in MuntheKaas::all() {
        let tableau = method.method().tableau;
        let (id, n) = (method.method().id, steps_of(tableau.order));
        assert_order(id, "top", slope(|n| top_error(&top, &method, n, END), n), tableau.order);
        let error = |n| pendulum_error::<VectorFieldProblem<_>, _>(&pendulum, &method, n, END);
        assert_order(id, "pendulum", slope(error, n), tableau.order);
    }
    for method in CommutatorFree::all() {
        let (id, order, n) = (method.method().id, method.method().order, steps_of(method.method().order));
        assert_order(id, "top", slope(|n| top_error(&top, &method, n, END), n), order);
        let error = |n| pendulum_error::<VectorFieldProblem<_>, _>(&pendulum, &method, n, END);
        assert_order(id, "pendulum", slope(error, n), order);
    }
    for theta in [0.0, 0.3, 0.5, 1.0] {
        let method = SymplecticLieGroup::new(theta).unwrap();
        let n = steps_of(method.order());
        assert_order("slgi", "top", slope(|n| top_error(&top, &method, n, END), n), method.order());
    }
}

#[test]
fn any_explicit_tableau_in_any_coordinates() {
    let pendulum = exact_pendulum(END);
    for tableau in EXPLICIT {
        let method = MuntheKaas::new(tableau.id, tableau, Differential::Exact).unwrap();
        let n = steps_of(tableau.order);
        let exponential = |n| pendulum_error::<VectorFieldProblem<_, Exponential>, _>(&pendulum, &method, n, END);
        assert_order(tableau.id, "pendulum", slope(exponential, n), tableau.order);
        let cayley = |n| pendulum_error::<VectorFieldProblem<_, Cayley>, _>(&pendulum, &method, n, END);
        assert_order(tableau.id, "pendulum by Cayley's map", slope(cayley, n), tableau.order);
    }
    let cayley = Simulation::of_field(&DrivenPendulum)
        .in_coordinates(Cayley)
        .initial(DrivenPendulum::start())
        .rtol(1e-10)
        .atol(1e-12)
        .end_time(END)
        .run()
        .unwrap();
    assert!((pendulum_point(&cayley.last().point) - pendulum).norm() < 1e-8);
}

/// Too short a series costs an order: the terms that a method needs are needed.
#[test]
fn truncation_below_the_order_is_seen() {
    let top = exact_top(END);
    for (terms, order) in [(0, 2), (1, 3), (2, 4)] {
        let method = MuntheKaas::new(
            "truncated",
            &lie_runtime::integrator::tableau::RUNGE_KUTTA_4,
            Differential::Truncated(terms),
        )
        .unwrap();
        assert_order("truncated", "top", slope(|n| top_error(&top, &method, n, END), 128), order);
    }
}

/// The estimate of one step over the true error of the auxiliary method tends to a constant as h → 0, for the method
/// itself is better by an order.
#[test]
fn estimates_tend_to_the_errors_of_the_auxiliary_methods() {
    fn check<I: FirstOrderMethod<VectorFieldProblem<DrivenPendulum>>>(method: &I) {
        let estimate = |h: f64| {
            let mut from = FieldState::at(&DrivenPendulum, 0.0, DrivenPendulum::start());
            let mut workspace = method.workspace(&DrivenPendulum, &from);
            method.start(&DrivenPendulum, &mut from, &mut workspace).unwrap();
            let mut to = from.clone();
            let mut estimate = LocalEstimate::default();
            method.step_with_estimate(&DrivenPendulum, &from, h, &mut to, &mut estimate, &mut workspace).unwrap();
            let exact = exact_pendulum(h);
            let error = (pendulum_point(method.auxiliary(&workspace)) - exact).norm();
            let main = (pendulum_point(&to.point) - exact).norm();
            (estimate.error, error, main)
        };
        // As small as round-off lets the higher one of the orders be seen.
        let h = [0.02, 0.04, 0.08][method.order() - 3];
        let [coarse, fine] = [h, 0.5 * h].map(estimate);
        let (order, lower) = (method.order() as f64, method.estimate_order().unwrap() as f64);
        let rate = (coarse.0 / fine.0).log2();
        assert!((rate - lower - 1.0).abs() < 0.2, "{}: the estimate has order {rate:.2}", method.id());
        let rate = (coarse.1 / fine.1).log2();
        assert!((rate - lower - 1.0).abs() < 0.2, "{}: the auxiliary method has order {rate:.2}", method.id());
        let rate = (coarse.2 / fine.2).log2();
        assert!((rate - order - 1.0).abs() < 0.3, "{}: the method has order {rate:.2}", method.id());
        // On TS² the metric is not that of the algebra: the ratio is a constant, but not 1.
        let [coarse, fine] = [coarse.0 / coarse.1, fine.0 / fine.1];
        assert!((coarse / fine - 1.0).abs() < 0.1, "{}: {coarse:.3} then {fine:.3}", method.id());
    }
    for method in MuntheKaas::all().filter(|method| method.method().tableau.embedded.is_some()) {
        check(&method);
    }
    for method in CommutatorFree::all().filter(|method| method.method().estimate.is_some()) {
        check(&method);
    }
}

/// The algorithm of section 4: the error at the end follows the tolerance within a factor of ten.
#[test]
fn tolerances_are_tracked() {
    let pendulum = exact_pendulum(END);
    let error = |tolerance: f64, method| {
        let controller = StepController::new(0.0, tolerance).relative_tolerance(0.0).safety(0.9);
        let run = Simulation::of_field(&DrivenPendulum).initial(DrivenPendulum::start()).method(method);
        let run = run.step_controller(controller).end_time(END).run().unwrap();
        assert!(run.steps.iter().filter(|step| step.accepted).all(|step| step.error <= 1.0));
        (pendulum_point(&run.last().point) - pendulum).norm()
    };
    for tolerance in [1e-5, 1e-7, 1e-9] {
        for method in [MuntheKaas::rkmk54(), MuntheKaas::rkmk32()] {
            let reached = error(tolerance, method);
            assert!(reached < 10.0 * tolerance, "{}: {reached:e} for {tolerance:e}", method.method().id);
        }
    }
}
