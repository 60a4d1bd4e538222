//! The iteration matrix of implicit methods: exact, and conditioned for small steps.

use fixtures::random::Random;
use fixtures::systems::chained::chained_example;
use fixtures::systems::driven;
use fixtures::systems::formulation::HeavyTop;
use fixtures::systems::heavy_tops::{s3r3, se3, so3xr3};
use fixtures::systems::{mechanisms, top_in_space};
use lie_runtime::group::{CoordinateMap, TangentVector};
use lie_runtime::integrator::GeneralizedAlpha;
use lie_runtime::integrator::generalized_alpha::Parameters;
use lie_runtime::nalgebra::DMatrix;
use lie_runtime::simulate::Simulation;
use lie_runtime::space::{ConfigurationSpace, LocalSpace};
use lie_runtime::system::{
    IterationCoefficients, IterationCorrection, IterationPoint, IterationResidual, Linearised, LocalPoint,
    MechanicalSystem,
};

/// A place within a step, not a solution of it: increment (θ or x), rate, second and multipliers.
struct Place<'a, M: Linearised> {
    system: &'a M,
    start: M::Configuration,
    map: Option<CoordinateMap>,
    is_stabilised: bool,
    h: f64,
    parameters: Parameters,
    increment: M::Velocity,
    rate: M::Velocity,
    second: M::Velocity,
    multipliers: M::Multipliers,
}

/// q, v and v' of a place.
struct Motion<M: Linearised> {
    q: M::Configuration,
    theta: M::Velocity,
    v: M::Velocity,
    acceleration: M::Velocity,
}

impl<'a, M: Linearised<Scalar = f64>> Place<'a, M> {
    fn random(system: &'a M, start: M::Configuration, v: &M::Velocity, h: f64, random: &mut Random) -> Self {
        let mut place = Place {
            system,
            start,
            map: None,
            is_stabilised: false,
            h,
            parameters: Parameters::chung_hulbert(0.8).unwrap(),
            increment: v.clone(),
            rate: v.clone(),
            second: v.clone(),
            multipliers: system.zero_multipliers(),
        };
        place.increment.scale(h);
        for i in 0..v.component_count() {
            place.increment.set_component(i, place.increment.component(i) + 0.1 * random.number());
            place.rate.set_component(i, v.component(i) + random.number());
            place.second.set_component(i, 10.0 * random.number());
        }
        for i in 0..place.multipliers.component_count() {
            place.multipliers.set_component(i, 10.0 * random.number());
        }
        place
    }

    fn local(&self) -> Option<LocalPoint<'_, M::Velocity>> {
        self.map.as_ref().map(|map| LocalPoint { map, x: &self.increment, rate: &self.rate, second: &self.second })
    }

    fn motion(&self) -> Motion<M> {
        let mut motion = Motion {
            q: self.start.clone(),
            theta: self.increment.clone(),
            v: self.rate.clone(),
            acceleration: self.second.clone(),
        };
        if let Some(local) = self.local() {
            self.system.space().local_motion(&local, [&mut motion.theta, &mut motion.v, &mut motion.acceleration]);
        }
        self.system.space().compose_exp(&self.start, &motion.theta, &mut motion.q);
        motion
    }

    /// β' h² and γ' h of eq. (34).
    fn weights(&self) -> (f64, f64) {
        let p = &self.parameters;
        ((1.0 - p.alpha_m) / (p.beta * (1.0 - p.alpha_f)), p.gamma / p.beta)
    }

    fn coefficients(&self) -> IterationCoefficients<f64> {
        let ((mass, rate), h) = (self.weights(), self.h);
        IterationCoefficients { mass, damping: h * rate, stiffness: h * h, rate, rate_gradient: h }
    }

    /// What is solved without factors that are kept, if it can be.
    fn written_out(&self, right: &IterationResidual<M>) -> Option<IterationCorrection<M>> {
        let Motion { q, theta, v, acceleration } = self.motion();
        let point = IterationPoint {
            t: 0.3,
            q: &q,
            v: &v,
            acceleration: &acceleration,
            multipliers: &self.multipliers,
            theta: &theta,
            local: None,
            reactions: None,
        };
        let mut correction = zero_correction(self.system);
        let is_solved = self.system.correct_iteration(&point, &self.coefficients(), right, &mut correction);
        is_solved.then_some(correction)
    }

    fn factorisation(&self) -> M::Factorisation {
        let coefficients = self.coefficients();
        let Motion { q, theta, v, acceleration } = self.motion();
        let point = IterationPoint {
            t: 0.3,
            q: &q,
            v: &v,
            acceleration: &acceleration,
            multipliers: &self.multipliers,
            theta: &theta,
            local: self.local(),
            reactions: None,
        };
        let mut projection = self.system.zero_jacobian();
        self.system.constraint_jacobian(0.2, &self.start, &mut projection);
        let mut factorisation = self.system.zero_factorisation();
        self.system
            .factorise_iteration(&point, &coefficients, self.is_stabilised.then_some(&projection), &mut factorisation)
            .unwrap();
        factorisation
    }

    /// h² r, Φ and h (B v + b) where they are equations; zero elsewhere.
    fn residual(&self) -> IterationResidual<M> {
        let system = self.system;
        let Motion { q, v, acceleration, .. } = self.motion();
        let mut residual = zero_residual(system);
        system.residual(0.3, &q, &v, &acceleration, &self.multipliers, &mut residual.balance);
        residual.balance.scale(self.h * self.h);
        system.constraint(0.3, &q, &mut residual.position);
        let (mut jacobian, mut drift) = (system.zero_jacobian(), system.zero_multipliers());
        system.constraint_jacobian(0.3, &q, &mut jacobian);
        system.jacobian_times(&jacobian, &v, &mut residual.velocity);
        system.constraint_drift(0.3, &q, &mut drift);
        residual.velocity.axpy(1.0, &drift);
        residual.velocity.scale(self.h);
        self.without_other_rows(&mut residual);
        residual
    }

    fn without_other_rows(&self, residual: &mut IterationResidual<M>) {
        let holonomic = self.system.holonomic_rows();
        for row in 0..self.system.constraint_rows() {
            if row >= holonomic {
                residual.position.set_component(row, 0.0);
            } else if !self.is_stabilised {
                residual.velocity.set_component(row, 0.0);
            }
        }
    }

    /// The place moved by a multiple of a correction.
    fn moved(&self, correction: &IterationCorrection<M>, factor: f64) -> Self {
        let (mass, rate) = self.weights();
        let h = self.h;
        let mut moved = Place {
            system: self.system,
            start: self.start.clone(),
            map: self.map,
            is_stabilised: self.is_stabilised,
            h,
            parameters: self.parameters,
            increment: self.increment.clone(),
            rate: self.rate.clone(),
            second: self.second.clone(),
            multipliers: self.multipliers.clone(),
        };
        moved.increment.axpy(factor, &correction.increment);
        moved.rate.axpy(factor * rate / h, &correction.acceleration);
        moved.second.axpy(factor * mass / (h * h), &correction.acceleration);
        moved.multipliers.axpy(factor / (h * h), &correction.multipliers);
        moved
    }
}

fn zero_residual<M: Linearised>(system: &M) -> IterationResidual<M> {
    IterationResidual {
        balance: system.zero_velocity(),
        position: system.zero_multipliers(),
        velocity: system.zero_multipliers(),
    }
}

fn zero_correction<M: Linearised>(system: &M) -> IterationCorrection<M> {
    IterationCorrection {
        acceleration: system.zero_velocity(),
        increment: system.zero_velocity(),
        multipliers: system.zero_multipliers(),
        projection: system.zero_multipliers(),
    }
}

/// All components.
fn components<M: Linearised<Scalar = f64>>(residual: &IterationResidual<M>) -> Vec<f64> {
    let of = |vector: &dyn Fn(usize) -> f64, count: usize| (0..count).map(vector).collect::<Vec<_>>();
    let IterationResidual { balance, position, velocity } = residual;
    [
        of(&|i| balance.component(i), balance.component_count()),
        of(&|i| position.component(i), position.component_count()),
        of(&|i| velocity.component(i), velocity.component_count()),
    ]
    .concat()
}

/// A solution for a random right-hand side, put back: its central difference is the right-hand side again.
fn assert_exact<M: Linearised<Scalar = f64>>(label: &str, system: &M, (q, v): &(M::Configuration, M::Velocity)) {
    let mut random = Random::new(7);
    let maps = [CoordinateMap::RotationVector, CoordinateMap::CONFORMAL_ROTATION_VECTOR, CoordinateMap::CAYLEY];
    let formulations = [(None, false), (None, true)].into_iter().chain(maps.into_iter().map(|map| (Some(map), false)));
    for (map, is_stabilised) in formulations {
        let mut place = Place::random(system, q.clone(), v, 1e-2, &mut random);
        (place.map, place.is_stabilised) = (map, is_stabilised);
        let mut factorisation = place.factorisation();
        let mut worst = 0.0_f64;
        for _ in 0..system.dof() + 2 * system.constraint_rows() {
            let mut right = zero_residual(system);
            for i in 0..right.balance.component_count() {
                right.balance.set_component(i, random.number());
            }
            for i in 0..right.position.component_count() {
                right.position.set_component(i, random.number());
                right.velocity.set_component(i, random.number());
            }
            place.without_other_rows(&mut right);
            let mut correction = zero_correction(system);
            system.solve_iteration(&mut factorisation, &right, &mut correction);
            let scale = 1e-5 / correction.acceleration.max_norm().max(correction.increment.max_norm());
            let [plus, minus] = [scale, -scale].map(|factor| components(&place.moved(&correction, factor).residual()));
            let right = components(&right);
            let largest = right.iter().fold(0.0_f64, |largest, entry| largest.max(entry.abs()));
            for ((plus, minus), right) in plus.iter().zip(&minus).zip(&right) {
                worst = worst.max(((plus - minus) / (2.0 * scale) + right).abs() / largest);
            }
        }
        println!("{label}, {map:?}, stabilised: {is_stabilised}: {worst:.1e}");
        assert!(worst < 1e-6, "{label}, {map:?}, stabilised: {is_stabilised}: {worst:e}");
    }
}

#[test]
fn the_matrix_is_exact() {
    assert_exact("SO(3) x R3", &so3xr3::System::of_the_paper(), &so3xr3::System::initial());
    assert_exact("SE(3)", &se3::System::of_the_paper(), &se3::System::initial());
    assert_exact("S3 x| R3", &s3r3::System::of_the_paper(), &s3r3::System::initial());
    let (system, q, v) = top_in_space::of_the_paper();
    assert_exact("in space", &system, &(q, v));
    let (system, q, v) = mechanisms::contraption_example();
    assert_exact("contraption", &system, &(q, v));
    let (system, q, v) = chained_example();
    assert_exact("chained", &system, &(q, v));
}

/// What is written out for a system solves what its factors solve, and says where it does not.
fn assert_written_out<M: Linearised<Scalar = f64>>(label: &str, system: &M, (q, v): &(M::Configuration, M::Velocity)) {
    let mut random = Random::new(11);
    let mut worst = 0.0_f64;
    for h in [1e-3, 1e-2, 1e-1] {
        let place = Place::random(system, q.clone(), v, h, &mut random);
        let mut factorisation = place.factorisation();
        for _ in 0..5 {
            let mut right = zero_residual(system);
            for i in 0..system.dof() {
                right.balance.set_component(i, random.number());
            }
            for i in 0..system.constraint_rows() {
                right.position.set_component(i, random.number());
                right.velocity.set_component(i, random.number());
            }
            place.without_other_rows(&mut right);
            let mut expected = zero_correction(system);
            system.solve_iteration(&mut factorisation, &right, &mut expected);
            let found = place.written_out(&right).unwrap_or_else(|| panic!("{label}: a pivot is not safe"));
            for (found, expected) in [
                (&found.increment, &expected.increment),
                (&found.acceleration, &expected.acceleration),
                (&found.increment, &found.acceleration),
            ] {
                let mut difference = found.clone();
                difference.axpy(-1.0, expected);
                worst = worst.max(difference.max_norm() / expected.max_norm());
            }
            let mut difference = found.multipliers.clone();
            difference.axpy(-1.0, &expected.multipliers);
            worst = worst.max(difference.max_norm() / expected.multipliers.max_norm().max(f64::MIN_POSITIVE));
        }
    }
    println!("{label}, written out: {worst:.1e}");
    assert!(worst < 1e-10, "{label}: {worst:e}");
}

#[test]
fn what_is_written_out_solves_the_same() {
    assert_written_out("SO(3) x R3", &so3xr3::System::of_the_paper(), &so3xr3::System::initial());
    assert_written_out("SE(3)", &se3::System::of_the_paper(), &se3::System::initial());
    assert_written_out("S3 x| R3", &s3r3::System::of_the_paper(), &s3r3::System::initial());
    let (system, q, v) = top_in_space::of_the_paper();
    assert_written_out("in space", &system, &(q, v));
    let (system, q, v) = driven::driven_pendulum_example();
    assert_written_out("driven pendulum", &system, &(q, v));
    let (system, q, v) = driven::knife_edge_example();
    assert_written_out("knife edge", &system, &(q, v));
    let (system, q, v) = driven::skate_example();
    assert_written_out("skate", &system, &(q, v));
    let (system, q, v) = driven::rolling_disc_example();
    assert_written_out("rolling disc", &system, &(q, v));
    // What is long has factors at run time.
    let (system, q, v) = mechanisms::contraption_example();
    let place = Place::random(&system, q, &v, 1e-2, &mut Random::new(7));
    assert!(place.written_out(&zero_residual(&system)).is_none());
}

/// In a unit of length in which a radian moves the centre of mass by more than a thousand, a constraint no longer gives a coordinate: the
/// pivots are chosen at run time, and the motion is the same.
#[test]
fn where_pivots_are_small_they_are_chosen() {
    let motion = |unit: f64| {
        let paper = se3::System::of_the_paper();
        let (mut q, mut v) = se3::System::initial();
        let top = paper.parameters();
        let (inertia, center_of_mass) = (top.inertia * (unit * unit), top.center_of_mass * unit);
        let system =
            se3::System::new(se3::HeavyTop { mass: top.mass, inertia, center_of_mass, gravity: top.gravity * unit })
                .unwrap();
        q.pose.translation *= unit;
        for i in 3..6 {
            v[i] *= unit;
        }
        let place = Place::random(&system, q, &v, 1e-3, &mut Random::new(5));
        let is_written_out = place.written_out(&zero_residual(&system)).is_some();
        let run = Simulation::of(&system)
            .starting_at(q, v)
            .with(GeneralizedAlpha::lie_alpha())
            .step(1e-3)
            .until(0.2)
            .run()
            .unwrap();
        let state = run.last().unwrap();
        (is_written_out, state.configuration.pose.translation / unit, state.multipliers / unit)
    };
    let ((is_written_out, x, multipliers), (still, same, also)) = (motion(1.0), motion(1e4));
    assert!(is_written_out && !still);
    assert!((x - same).norm() < 1e-9, "{x} {same}");
    assert!((multipliers - also).norm() < 1e-7 * multipliers.norm(), "{multipliers} {also}");
}

/// The inverse of the scaled matrix without stabilisation, by solving for unit vectors: rows δx, λ̂, columns h² r, Φ.
fn inverse<M: Linearised<Scalar = f64>>(place: &Place<'_, M>) -> DMatrix<f64> {
    let system = place.system;
    let (dof, rows) = (system.dof(), system.constraint_rows());
    let mut factorisation = place.factorisation();
    let mut inverse = DMatrix::zeros(dof + rows, dof + rows);
    for column in 0..dof + rows {
        let mut right = zero_residual(system);
        if column < dof {
            right.balance.set_component(column, -1.0);
        } else {
            right.position.set_component(column - dof, -1.0);
        }
        let mut correction = zero_correction(system);
        system.solve_iteration(&mut factorisation, &right, &mut correction);
        for row in 0..dof + rows {
            inverse[(row, column)] = if row < dof {
                correction.increment.component(row)
            } else {
                correction.multipliers.component(row - dof)
            };
        }
    }
    inverse
}

/// ‖S‖ ‖S⁻¹‖ in the 2-norm.
fn condition(matrix: &DMatrix<f64>, inverse: &DMatrix<f64>) -> f64 {
    matrix.singular_values()[0] * inverse.singular_values()[0]
}

/// The matrix (34) of paper 2 is diag(h⁻², 1) S diag(1, h²) of the scaled S, which has a limit for h → 0.
#[test]
fn scaling_bounds_the_condition() {
    let (system, q, v) = top_in_space::of_the_paper();
    let mut found = Vec::new();
    for h in [1e-2, 1e-3, 1e-4, 1e-5, 1e-6] {
        let place = Place::random(&system, q, &v, h, &mut Random::new(3));
        let inverse = inverse(&place);
        let matrix = inverse.clone().try_inverse().unwrap();
        let dof = place.system.dof();
        // Entry (i, j) in rows of r or Φ and columns of δx or δλ.
        let scale =
            |i: usize, j: usize| (if i < dof { 1.0 / (h * h) } else { 1.0 }) * (if j < dof { 1.0 } else { h * h });
        let unscaled = matrix.map_with_location(|i, j, entry| entry * scale(i, j));
        let unscaled_inverse = inverse.map_with_location(|i, j, entry| entry / scale(j, i));
        let conditions = [condition(&unscaled, &unscaled_inverse), condition(&matrix, &inverse)];
        println!("h = {h:.0e}: condition {:.1e}, scaled {:.1e}", conditions[0], conditions[1]);
        found.push(conditions);
    }
    for pair in found.windows(2) {
        // h⁻⁴ or worse against nothing.
        assert!(pair[1][0] > 0.9e4 * pair[0][0], "{} after {}", pair[1][0], pair[0][0]);
    }
    let scaled = found.iter().map(|conditions| conditions[1]);
    assert!(scaled.clone().fold(0.0, f64::max) < 2.0 * scaled.fold(f64::INFINITY, f64::min));
}
