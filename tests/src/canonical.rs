//! Hamiltonians against dual numbers, and their motions against those of second order.

use lie_runtime::field::{HamiltonianSystem, LiftedHamiltonian, OnCotangent};
use lie_runtime::group::TangentVector;
use lie_runtime::prelude::*;
use lie_runtime::scalar::Dual;
use lie_runtime::space::{AlgebraOf, ConfigurationSpace, LeftSpace};

use crate::random::Random;

/// Vectors of the algebra.
pub type Tangent<H> = AlgebraOf<<H as HamiltonianSystem>::Point>;

/// A vector of random numbers, as long as another one.
pub fn random_vector<V: TangentVector<Scalar = f64>>(random: &mut Random, like: &V) -> V {
    let mut vector = like.clone();
    for component in 0..vector.component_count() {
        vector.set_component(component, random.number());
    }
    vector
}

/// A unit vector on dual numbers, as derivative or as value.
fn along<H: HamiltonianSystem<Scalar = Dual<f64>>>(system: &H, component: usize) -> Tangent<H> {
    let mut vector = system.zero();
    vector.set_component(component, Dual::variable(0.0, 1.0));
    vector
}

/// exp(ξ)·q.
pub fn moved<H: OnCotangent>(system: &H, q: &H::Point, xi: &Tangent<H>) -> H::Point {
    let mut out = q.clone();
    system.left_space().move_along(q, xi, &mut out);
    out
}

/// f₁ and f₂ against dual numbers on the generated H, and the transform there and back, at random points.
///
/// # Panics
/// Where they differ.
pub fn check_derivatives<H>(system: &H, start: &H::Point)
where
    H: LegendreTransform + LiftedHamiltonian + OnCotangent<Scalar = f64>,
{
    let mut random = Random::new(11);
    let lifted = system.lift();
    let dof = system.zero().component_count();
    for _ in 0..200 {
        let q = moved(system, start, &random_vector(&mut random, &system.zero()));
        let v = random_vector(&mut random, &system.zero());
        let mu = system.momentum(&q, &v);
        let mut back = system.body_velocity(&q, &mu).unwrap();
        back.axpy(-1.0, &v);
        assert!(back.max_norm() < 1e-13, "v is {:e} off", back.max_norm());
        let (mut velocity, mut force) = (system.zero(), system.zero());
        system.derivatives(&q, &mu, &mut velocity, &mut force).unwrap();
        let mut alone = system.zero();
        system.velocity(&q, &mu, &mut alone);
        assert!((0..dof).all(|at| (alone.component(at) - velocity.component(at)).abs() < 1e-14));
        system.force(&q, &mu, &mut alone);
        assert!((0..dof).all(|at| (alone.component(at) - force.component(at)).abs() < 1e-13));

        let scale = 1.0 + velocity.max_norm().max(force.max_norm());
        let lifted_q = system.lift_configuration(&q);
        let mut lifted_mu = lifted.zero();
        for at in 0..dof {
            lifted_mu.set_component(at, Dual::lift(mu.component(at)));
        }
        for at in 0..dof {
            let mut other = lifted_mu.clone();
            other.axpy(Dual::lift(1.0), &along(&lifted, at));
            let slope = lifted.hamiltonian(&lifted_q, &other).eps;
            assert!((slope - velocity.component(at)).abs() < 1e-13 * scale, "f₁[{at}]: {slope}, {velocity:?}");
            let turned = moved(&lifted, &lifted_q, &along(&lifted, at));
            let slope = lifted.hamiltonian(&turned, &lifted_mu).eps;
            assert!((slope + force.component(at)).abs() < 1e-13 * scale, "f₂[{at}]: {}, {force:?}", -slope);
        }
        // The same from the velocity that q moves with.
        let (mut known, mut known_force) = (system.zero(), system.zero());
        assert!(H::KNOWS_MOMENTA);
        system.at_velocity(&q, &velocity, &mut known, &mut known_force);
        assert!((0..dof).all(|at| (known.component(at) - mu.component(at)).abs() < 1e-13 * (1.0 + mu.max_norm())));
        assert!((0..dof).all(|at| (known_force.component(at) - force.component(at)).abs() < 1e-12 * scale));
    }
}

/// The motion on T*G is that of the equations of second order.
///
/// # Panics
/// Where it is not.
pub fn check_motion<H>(system: &H, q: &<H as HamiltonianSystem>::Point, v: &Tangent<H>, bound: f64)
where
    H: LegendreTransform + OnCotangent<Scalar = f64>,
    H: MechanicalSystem<Scalar = f64, Configuration = <H as HamiltonianSystem>::Point, Velocity = Tangent<H>>,
{
    let canonical = Simulation::of_hamiltonian(system)
        .starting_with_velocity(q.clone(), v.clone())
        .with(MuntheKaas::rkmk54())
        .step(1.0 / 512.0)
        .until(1.0)
        .run()
        .unwrap();
    let lagrangian = Simulation::of(system)
        .starting_at(q.clone(), v.clone())
        .with(HalfExplicit::hedop5())
        .step(1.0 / 512.0)
        .until(1.0)
        .run()
        .unwrap();
    let (point, state) = (&canonical.last().unwrap().point, lagrangian.last().unwrap());
    let apart = ConfigurationSpace::distance(system.space(), &point.configuration, &state.configuration);
    let mut velocity = system.body_velocity(&point.configuration, &point.momentum).unwrap();
    velocity.axpy(-1.0, &state.velocity);
    println!("{}: {apart:.1e}, {:.1e}", system.description().name, velocity.max_norm());
    assert!(ConfigurationSpace::distance(system.space(), q, &state.configuration) > 0.1, "it moves");
    assert!(apart < bound && velocity.max_norm() < 10.0 * bound, "{apart:e}, {velocity:?}");
}
