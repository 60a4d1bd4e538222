//! Invariants of the methods: coadjoint orbits, spheres, the symplectic form.

use hand_written::top_hamiltonian::TopHamiltonian;
use lie_runtime::field::{HamiltonianProblem, HamiltonianSystem, VectorField, VectorFieldProblem};
use lie_runtime::group::LieGroup;
use lie_runtime::integrator::{CommutatorFree, FieldState, Integrator, MuntheKaas, StepFailure, SymplecticLieGroup};
use lie_runtime::nalgebra::{Vector3, Vector6};
use lie_runtime::prelude::*;
use lie_runtime::simulate::Simulation;
use lie_runtime::space::{Coadjoint, Cotangent, HomogeneousSpace, TS2, TSO3};

/// The heavy top on se(3)*, (Π, Γ) (paper 3, eqs. 23 and 24).
struct LiePoissonTop(TopHamiltonian);

impl VectorField for LiePoissonTop {
    type Point = Coadjoint<SE3>;
    type Workspace = ();

    fn zero(&self) -> Vector6<f64> {
        Vector6::zeros()
    }
    fn workspace(&self) {}
    fn evaluate(&self, _: f64, y: &Self::Point, (): &mut (), out: &mut Vector6<f64>) -> Result<(), StepFailure> {
        let omega = y.momentum.angular().component_div(&self.0.moments);
        *out = -Vector6::new(omega.x, omega.y, omega.z, self.0.axis.x, self.0.axis.y, self.0.axis.z);
        Ok(())
    }
}

/// Euler's equations on so(3)*.
struct Euler(Vector3<f64>);

impl VectorField for Euler {
    type Point = Coadjoint<SO3>;
    type Workspace = ();

    fn zero(&self) -> Vector3<f64> {
        Vector3::zeros()
    }
    fn workspace(&self) {}
    fn evaluate(&self, _: f64, y: &Self::Point, (): &mut (), out: &mut Vector3<f64>) -> Result<(), StepFailure> {
        *out = -y.momentum.component_div(&self.0);
        Ok(())
    }
}

/// Every listed explicit method, on `check`.
macro_rules! for_every_method {
    ($check:expr) => {
        for method in MuntheKaas::all() {
            $check(method.method().id, method);
        }
        for method in CommutatorFree::all() {
            $check(method.method().id, method);
        }
    };
}

#[test]
fn coadjoint_orbits_are_kept_to_round_off_at_any_step() {
    fn norm<I: Integrator<VectorFieldProblem<Euler>> + Copy>(id: &str, method: I) {
        let start = Vector3::new(0.1, 3.0, -0.2);
        let body = Euler(Vector3::new(1.0, 2.0, 3.0));
        for h in [0.01, 0.3, 2.0] {
            Simulation::of_field(&body)
                .initial(Coadjoint::new(start))
                .method(method)
                .step(h)
                .end_time(200.0 * h)
                .on_step(|state| {
                    let deviation = (state.point.momentum.norm() - start.norm()).abs();
                    // One round-off a step.
                    let bound = 200.0 * f64::EPSILON * start.norm();
                    assert!(deviation < bound, "{id}, h = {h}: {deviation:e}");
                })
                .run()
                .unwrap();
        }
    }
    fn casimirs<I: Integrator<VectorFieldProblem<LiePoissonTop>> + Copy>(id: &str, method: I) {
        let top = LiePoissonTop(TopHamiltonian::slow());
        let start = Vector6::new(1.0, -2.0, 2.5, 0.5, -1.0, 4.0);
        let casimirs = |p: &Vector6<f64>| [p.linear().norm(), p.angular().dot(&p.linear())];
        let exact = casimirs(&start);
        for h in [0.01, 0.3] {
            Simulation::of_field(&top)
                .initial(Coadjoint::new(start))
                .method(method)
                .step(h)
                .end_time(200.0 * h)
                .on_step(|state| {
                    for (value, exact) in casimirs(&state.point.momentum).into_iter().zip(exact) {
                        assert!((value - exact).abs() < 2e-13 * (1.0 + exact.abs()), "{id}, h = {h}: {value} {exact}");
                    }
                })
                .run()
                .unwrap();
        }
    }
    for_every_method!(norm);
    for_every_method!(casimirs);
}

/// The formulations on T*SO(3) and on se(3)* have the same motion: Π = Qᵀ π, Γ = Qᵀ U.
#[test]
fn lie_poisson_reduction() {
    let top = TopHamiltonian::slow();
    let (q, mu) = TopHamiltonian::slow_start();
    let canonical = Simulation::of_hamiltonian(&top).initial_momentum(q, mu).rtol(0.0).atol(1e-12).end_time(2.0).run();
    let end = canonical.unwrap().last().clone().point;
    let (body, gamma) = (q.inverse() * mu, q.inverse() * top.weight);
    let start = Vector6::new(body.x, body.y, body.z, gamma.x, gamma.y, gamma.z);
    let reduced = LiePoissonTop(top);
    let run = Simulation::of_field(&reduced).initial(Coadjoint::new(start)).method(CommutatorFree::cf4());
    let momentum = run.rtol(0.0).atol(1e-11).end_time(2.0).run().unwrap().last().clone().point.momentum;
    let back = end.configuration.inverse();
    assert!((momentum.angular() - back * end.momentum).norm() < 1e-9);
    assert!((momentum.linear() - back * top.weight).norm() < 1e-9);
}

/// The step (q, μ) ↦ (q₁, μ₁) of a method.
fn map<I: Integrator<HamiltonianProblem<TopHamiltonian>>>(
    method: &I,
    configuration: SO3,
    momentum: Vector3<f64>,
    h: f64,
) -> Cotangent<SO3> {
    let top = TopHamiltonian::slow();
    let mut from = FieldState::at(&top, 0.0, Cotangent { configuration, momentum });
    let mut workspace = method.workspace(&top, &from);
    method.start(&top, &mut from, &mut workspace).unwrap();
    let mut to = from.clone();
    method.step(&top, &from, h, &mut to, &mut workspace).unwrap();
    to.point
}

/// The form ω of paper 3, eq. (13).
fn form(mu: &Vector3<f64>, [first, second]: [(Vector3<f64>, Vector3<f64>); 2]) -> f64 {
    second.1.dot(&first.0) - first.1.dot(&second.0) - mu.dot(&first.0.cross(&second.0))
}

/// The largest change of ω over pairs of basis vectors, by central differences.
fn defect_of_the_form<I: Integrator<HamiltonianProblem<TopHamiltonian>>>(method: &I, h: f64) -> f64 {
    let (q, mu) = TopHamiltonian::slow_start();
    let end = map(method, q, mu, h);
    let basis: Vec<(Vector3<f64>, Vector3<f64>)> = (0..6)
        .map(|i| {
            let unit = |i| Vector3::from_fn(|j, _| if i == j { 1.0 } else { 0.0 });
            if i < 3 { (unit(i), Vector3::zeros()) } else { (Vector3::zeros(), unit(i - 3)) }
        })
        .collect();
    let epsilon = 1e-4;
    let images: Vec<(Vector3<f64>, Vector3<f64>)> = basis
        .iter()
        .map(|(xi, nu)| {
            // Fourth order: rounding of 1e-15 / ε stays under 1e-11.
            let at = |e: f64| {
                let image = map(method, SO3::exp(&(xi * e)) * q, mu + nu * e, h);
                ((image.configuration * end.configuration.inverse()).log(), image.momentum)
            };
            let [a, b, c, d] = [-2.0 * epsilon, -epsilon, epsilon, 2.0 * epsilon].map(at);
            let derivative = |a: Vector3<f64>, b: Vector3<f64>, c: Vector3<f64>, d: Vector3<f64>| {
                (a - b * 8.0 + c * 8.0 - d) / (12.0 * epsilon)
            };
            (derivative(a.0, b.0, c.0, d.0), derivative(a.1, b.1, c.1, d.1))
        })
        .collect();
    let mut largest = 0.0_f64;
    for i in 0..6 {
        for j in 0..i {
            let before = form(&mu, [basis[i], basis[j]]);
            let after = form(&end.momentum, [images[i], images[j]]);
            largest = largest.max((after - before).abs());
        }
    }
    largest
}

#[test]
fn steps_of_the_theta_family_are_symplectic_maps() {
    for theta in [0.0, 0.25, 0.5, 1.0] {
        let method = SymplecticLieGroup::new(theta).unwrap();
        let defect = defect_of_the_form(&method, 0.1);
        assert!(defect < 2e-10, "theta = {theta}: {defect:e}");
    }
    // The test can tell: methods that are not symplectic change the form.
    assert!(defect_of_the_form(&MuntheKaas::lie_heun(), 0.1) > 1e-5);
    assert!(defect_of_the_form(&MuntheKaas::lie_euler(), 0.1) > 1e-3);
}

#[test]
fn energy_errors_of_symplectic_methods_do_not_grow() {
    let top = TopHamiltonian::slow();
    let (q, mu) = TopHamiltonian::slow_start();
    let energy = top.hamiltonian(&q, &mu);
    let vertical = mu.dot(&top.weight);
    for (theta, bound) in [(0.5, 2e-2), (0.0, 0.5)] {
        let mut errors = Vec::new();
        Simulation::of_hamiltonian(&top)
            .initial_momentum(q, mu)
            .method(SymplecticLieGroup::new(theta).unwrap())
            .step(0.05)
            .end_time(200.0)
            .on_step(|state| {
                let point = &state.point;
                errors.push((top.hamiltonian(&point.configuration, &point.momentum) - energy).abs());
                // The momentum about the vertical is kept.
                assert!((point.momentum.dot(&top.weight) - vertical).abs() < 1e-10);
            })
            .run()
            .unwrap();
        let largest = |range: core::ops::Range<usize>| errors[range].iter().copied().fold(0.0, f64::max);
        let (early, late) = (largest(0..1000), largest(3000..4001));
        assert!(late < bound && late < 1.2 * early, "theta = {theta}: {early:e} then {late:e}");
    }
}

/// (g h)·y = g·(h·y), and the generator is the derivative.
#[test]
fn actions_are_actions() {
    fn check<P: HomogeneousSpace>(y: &P, xi: &[<P::Group as LieGroup>::Tangent; 2]) {
        let [g, h] = xi.each_ref().map(P::Group::exp);
        assert!(y.moved_by(&h).moved_by(&g).distance(&y.moved_by(&g.compose(&h))) < 1e-14);
        let mut along = y.clone();
        y.moved_along(&xi[0], &mut along);
        assert!(along.distance(&y.moved_by(&g)) < 1e-14);
        assert!(y.distance(&y.moved_by(&g)) > 1e-2, "it moves");
    }
    let twists = [Vector6::new(0.3, -0.2, 0.5, 1.0, 0.4, -0.6), Vector6::new(-0.1, 0.7, 0.2, 0.3, -0.8, 0.9)];
    let turns = twists.map(|twist| twist.angular());
    let link = TS2::new(Vector3::new(0.6, 0.0, 0.8), Vector3::new(1.0, 2.0, 3.0)).unwrap();
    check(&link, &twists);
    check(&[link, link], &twists.map(|twist| [twist, -twist]));
    check(&vec![link; 3], &twists.map(|twist| vec![twist; 3]));
    check(&lie_runtime::space::S2::new(Vector3::x()).unwrap(), &turns);
    check(&Coadjoint::<SE3>::new(twists[1]), &twists);
    check(&Coadjoint::<SO3>::new(turns[1]), &turns);
    check(&SO3::exp(&turns[0]), &turns);
    check(&S3R3::exp(&twists[0]), &twists);
    let body: TSO3 = (SO3::identity(), turns[0]);
    check(&body, &[(turns[1], turns[0]), (turns[0], turns[1])]);
    let phase = Cotangent { configuration: SE3::exp(&twists[0]), momentum: twists[1] };
    check(&phase, &[(twists[1], twists[0]), (twists[0], twists[1])]);
    check(
        &(turns[0], body, [link, link]),
        &[
            (turns[0], (turns[1], turns[0]), [twists[0], twists[1]]),
            (turns[1], (turns[0], turns[1]), [twists[1], twists[0]]),
        ],
    );
}
