//! The bands of chains, rings and joined chains against dense linear algebra.

use hand_written::rotors::{Attitudes, BLIND, COUPLED, RING, Rotors, VARYING};
use lie_runtime::nalgebra::{DMatrix, DVector};
use lie_runtime::prelude::*;
use lie_runtime::system::chain::{ChainJacobian, Elimination};
use lie_runtime::system::{
    IterationCoefficients, IterationCorrection, IterationPoint, IterationResidual, KktError, Linearised,
};

/// A cheap sequence of numbers in (-1, 1).
struct Numbers(u64);

impl Numbers {
    fn next(&mut self) -> f64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as f64 / 4_503_599_627_370_496.0 - 1.0
    }
    fn vector(&mut self, length: usize) -> DVector<f64> {
        DVector::from_fn(length, |_, _| self.next())
    }
}

fn attitudes<const FLAGS: usize>(
    system: &Rotors<FLAGS>,
    numbers: &mut Numbers,
    trunk: usize,
    branch: usize,
) -> Attitudes {
    let turn = |_| SO3::exp(&Vector3::new(numbers.next(), numbers.next(), numbers.next()));
    let all: Vec<SO3> = (0..trunk + branch).map(turn).collect();
    let q = Attitudes { trunk: all[..trunk].to_vec(), branch: all[trunk..].to_vec() };
    system.space().check(&q).unwrap();
    q
}

type Unit<'a> = &'a dyn Fn(&DVector<f64>) -> DVector<f64>;

/// The matrix of a linear map.
fn dense(rows: usize, columns: usize, map: Unit<'_>) -> DMatrix<f64> {
    let mut matrix = DMatrix::zeros(rows, columns);
    for column in 0..columns {
        let mut unit = DVector::zeros(columns);
        unit[column] = 1.0;
        matrix.set_column(column, &map(&unit));
    }
    matrix
}

struct Dense {
    mass: DMatrix<f64>,
    stiffness: DMatrix<f64>,
    damping: DMatrix<f64>,
    jacobian: DMatrix<f64>,
}

fn entries<M: Linearised<Scalar = f64>>(system: &M, matrix: &M::Matrix) -> DMatrix<f64> {
    DMatrix::from_fn(system.dof(), system.dof(), |row, column| system.matrix_entry(matrix, row, column))
}

fn jacobian_of<const FLAGS: usize>(system: &Rotors<FLAGS>, q: &Attitudes) -> (ChainJacobian<f64, ()>, DMatrix<f64>) {
    let mut jacobian = system.zero_jacobian();
    system.constraint_jacobian(0.0, q, &mut jacobian);
    let matrix = dense(system.constraint_rows(), system.dof(), &|v| {
        let mut out = system.zero_multipliers();
        system.jacobian_times(&jacobian, v, &mut out);
        out
    });
    let transposed = dense(system.dof(), system.constraint_rows(), &|multipliers| {
        let mut out = system.zero_velocity();
        system.jacobian_transpose_times(&jacobian, multipliers, &mut out);
        out
    });
    assert_eq!(matrix.transpose(), transposed);
    (jacobian, matrix)
}

fn check<const FLAGS: usize>(trunk: usize, branch: usize, clamped: [bool; 2], bandwidths: [usize; 3]) {
    let label = format!("flags {FLAGS}, {trunk} and {branch} members");
    let system = Rotors::<FLAGS>::new(trunk, branch, clamped).unwrap();
    let mut numbers = Numbers(0x9E37_79B9_7F4A_7C15);
    let structure = lie_runtime::system::chain::ElementSystem::structure(&system);
    let found = structure.eliminations();
    for (found, bound) in found.iter().zip(bandwidths) {
        assert!(matches!(found, Elimination::Band { bandwidth } if *bandwidth <= bound), "{label}: {found:?}");
    }
    let (n, m) = (system.dof(), system.constraint_rows());
    let q = attitudes(&system, &mut numbers, trunk, branch);
    let start = attitudes(&system, &mut numbers, trunk, branch);
    let (v, a, theta) = (numbers.vector(n), numbers.vector(n), numbers.vector(n));
    let multipliers = numbers.vector(m);

    let mut matrix = system.zero_matrix();
    system.mass_matrix(0.0, &q, &mut matrix);
    let mass = entries(&system, &matrix);
    system.tangent_stiffness(0.0, &q, &v, &a, &multipliers, &mut matrix);
    let stiffness = entries(&system, &matrix);
    system.tangent_damping(0.0, &q, &v, &mut matrix);
    let damping = entries(&system, &matrix);
    let (b, jacobian) = jacobian_of(&system, &q);
    let (b_start, jacobian_start) = jacobian_of(&system, &start);
    let parts = Dense { mass, stiffness, damping, jacobian };

    // r is the sum of its parts.
    let (mut residual, mut force) = (system.zero_velocity(), system.zero_velocity());
    system.residual(0.0, &q, &v, &a, &multipliers, &mut residual);
    system.force(0.0, &q, &v, &mut force);
    let sum = &parts.mass * &a - &force + parts.jacobian.transpose() * &multipliers;
    assert!((&residual - sum).amax() < 1e-13, "{label}");

    // M v' = f and the saddle-point system.
    let mut factors = system.zero_mass();
    system.mass(0.0, &q, &mut factors).unwrap();
    let mut acceleration = system.zero_velocity();
    system.solve_mass(&mut factors, &force, &mut acceleration);
    assert!((&parts.mass * &acceleration - &force).amax() < 1e-12, "{label}");
    let (constraint, mut found) = (numbers.vector(m), system.zero_multipliers());
    system.solve_kkt(&mut factors, &b, &b_start, &force, &constraint, &mut acceleration, &mut found).unwrap();
    let mut kkt = DMatrix::zeros(n + m, n + m);
    kkt.view_mut((0, 0), (n, n)).copy_from(&parts.mass);
    kkt.view_mut((0, n), (n, m)).copy_from(&parts.jacobian.transpose());
    kkt.view_mut((n, 0), (m, n)).copy_from(&jacobian_start);
    let mut right = DVector::zeros(n + m);
    right.rows_mut(0, n).copy_from(&force);
    right.rows_mut(n, m).copy_from(&constraint);
    let mut banded = DVector::zeros(n + m);
    banded.rows_mut(0, n).copy_from(&acceleration);
    banded.rows_mut(n, m).copy_from(&found);
    let scale = 1.0 + banded.amax();
    assert!((&kkt * &banded - &right).amax() < 1e-10 * scale, "{label}: kkt {}", (&kkt * &banded - &right).amax());

    check_iteration(
        &label,
        &system,
        &parts,
        (&q, &v, &a, &multipliers, &theta),
        (&b_start, &jacobian_start),
        &mut numbers,
    );
}

/// The equations of the iteration as they are documented, dense.
fn check_iteration<const FLAGS: usize>(
    label: &str,
    system: &Rotors<FLAGS>,
    parts: &Dense,
    (q, v, acceleration, multipliers, theta): (&Attitudes, &DVector<f64>, &DVector<f64>, &DVector<f64>, &DVector<f64>),
    (b_start, jacobian_start): (&ChainJacobian<f64, ()>, &DMatrix<f64>),
    numbers: &mut Numbers,
) {
    let (n, m, holonomic) = (system.dof(), system.constraint_rows(), system.holonomic_rows());
    let tangent = dense(n, n, &|x| {
        let mut out = system.zero_velocity();
        system.space().tangent(theta, x, &mut out);
        out
    });
    // H by differences of B v, b being constant.
    let gradient = dense(m, n, &|w| {
        let at = |step: f64| {
            let mut moved = q.clone();
            system.space().compose_exp(q, &(w * step), &mut moved);
            jacobian_of(system, &moved).1 * v
        };
        (at(1e-6) - at(-1e-6)) / 2e-6
    });
    let c = IterationCoefficients { mass: 1.3, damping: 0.2, stiffness: 0.15, rate: 1.1, rate_gradient: 0.4 };
    let point = IterationPoint { t: 0.0, q, v, acceleration, multipliers, theta, local: None, reactions: None };
    let residual = IterationResidual::<Rotors<FLAGS>> {
        balance: numbers.vector(n),
        position: DVector::from_fn(m, |row, _| if row < holonomic { numbers.next() } else { 0.0 }),
        velocity: numbers.vector(m),
    };
    let mut correction = IterationCorrection::<Rotors<FLAGS>> {
        acceleration: numbers.vector(n),
        increment: numbers.vector(n),
        multipliers: numbers.vector(m),
        projection: numbers.vector(m),
    };
    let mut factorisation = system.zero_factorisation();
    for is_stabilised in [false, true, false] {
        let projection = is_stabilised.then_some(b_start);
        system.factorise_iteration(&point, &c, projection, &mut factorisation).unwrap();
        system.solve_iteration(&mut factorisation, &residual, &mut correction);
        let (x, zeta) = (&correction.acceleration, &correction.increment);
        let inertial = (&parts.mass * c.mass + &parts.damping * c.damping) * x;
        let elastic = &parts.stiffness * c.stiffness * &tangent * zeta;
        let reactions = parts.jacobian.transpose() * &correction.multipliers;
        let scale = 1.0 + x.amax().max(correction.multipliers.amax()).max(correction.projection.amax());
        let balance = (inertial + elastic + reactions + &residual.balance).amax();
        assert!(balance < 1e-10 * scale, "{label}: balance {balance:e}");
        let positions = &parts.jacobian * &tangent * zeta + &residual.position;
        assert!(positions.rows(0, holonomic).amax() < 1e-10 * scale, "{label}: positions");
        let rates = &parts.jacobian * c.rate * x + &gradient * c.rate_gradient * &tangent * zeta + &residual.velocity;
        let from = if is_stabilised { 0 } else { holonomic };
        assert!(rates.rows(from, m - from).amax() < 1e-8 * scale, "{label}: rates");
        let projected = x - zeta - jacobian_start.transpose() * &correction.projection;
        assert!(projected.amax() < 1e-10 * scale, "{label}: projection");
        assert!(correction.projection.rows(holonomic, m - holonomic).iter().all(|&eta| eta == 0.0));
        assert_eq!(correction.projection.amax() > 0.0, is_stabilised);
    }
}

#[test]
fn joined_chains() {
    check::<0>(7, 4, [false, false], [7, 20, 40]);
    check::<0>(40, 30, [false, false], [7, 20, 40]);
    check::<VARYING>(7, 4, [true, false], [7, 20, 40]);
    check::<COUPLED>(7, 4, [false, true], [20, 20, 40]);
    check::<{ COUPLED | VARYING }>(6, 2, [true, true], [20, 20, 40]);
}

#[test]
fn rings() {
    check::<RING>(30, 2, [false, false], [7, 16, 32]);
    check::<{ RING | COUPLED }>(9, 3, [false, false], [16, 16, 32]);
    check::<{ RING | VARYING }>(3, 2, [false, false], [7, 16, 32]);
}

/// Constraints that leave their first member without a pivot are eliminated with interchanges.
#[test]
fn interchanges() {
    check::<BLIND>(9, 5, [false, false], [7, 20, 40]);
    check::<{ BLIND | COUPLED }>(9, 5, [false, false], [20, 20, 40]);
    check::<{ BLIND | RING }>(9, 5, [false, false], [7, 16, 32]);
}

#[test]
fn failures_are_told() {
    let system = Rotors::<0>::new(5, 3, [false, false]).unwrap();
    let mut numbers = Numbers(3);
    let q = attitudes(&system, &mut numbers, 5, 3);
    let (b, _) = jacobian_of(&system, &q);
    let mut mass = system.zero_mass();
    system.mass(0.0, &q, &mut mass).unwrap();
    let mut broken = b.clone();
    broken.entries[7] = f64::NAN;
    let (force, constraint) = (system.zero_velocity(), system.zero_multipliers());
    let (mut a, mut multipliers) = (force.clone(), constraint.clone());
    let error = system.solve_kkt(&mut mass, &broken, &b, &force, &constraint, &mut a, &mut multipliers);
    assert_eq!(error, Err(KktError::NotFinite));
    system.solve_kkt(&mut mass, &b, &b, &force, &constraint, &mut a, &mut multipliers).unwrap();

    // A row that is zero, or that another element has too, is named.
    let rows = 12;
    let mut redundant = b.clone();
    redundant.entries[rows..rows + 6].fill(0.0);
    let error = system.solve_kkt(&mut mass, &redundant, &redundant, &force, &constraint, &mut a, &mut multipliers);
    assert_eq!(error, Err(KktError::SingularConstraints { row: 1 }));
}
