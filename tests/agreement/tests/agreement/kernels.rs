//! The comparison of all kernels in a state.

use lie_runtime::group::TangentVector;
use lie_runtime::space::ConfigurationSpace;
use lie_runtime::system::erased::{ErasedSystem, ErasedValue, ErasedVector};
use lie_runtime::system::{Declared as _, Linearised, MechanicalSystem, Momentum, Report};

use crate::pair::{Pair, vector};
use crate::random::Random;

/// The largest difference relative to the largest entry of a kernel: sums over elements have another order.
const TOLERANCE: f64 = 1e-13;
/// The same for solutions of linear systems.
const SOLVED: f64 = 1e-11;

/// Vectors of a state, in the order of the generated system.
pub struct RandomState {
    pub time: f64,
    pub velocity: ErasedVector,
    pub acceleration: ErasedVector,
    pub multipliers: ErasedVector,
}

impl RandomState {
    pub fn new(pair: &Pair, seed: u64) -> Self {
        let mut random = Random::new(100 + seed);
        let mut numbers = |zeros| vector(zeros, |_| random.number());
        let system = &pair.generated;
        let (mut velocity, mut acceleration) = (numbers(system.zero_velocity()), numbers(system.zero_velocity()));
        let multipliers = numbers(system.zero_multipliers());
        pair.generated.space().remove_spins(&pair.q, &mut velocity);
        pair.generated.space().remove_spins(&pair.q, &mut acceleration);
        RandomState { time: 0.3, velocity, acceleration, multipliers }
    }

    /// The same state in the order of the system from text.
    fn of_text(&self, pair: &Pair) -> Self {
        let [velocity, acceleration] = [&self.velocity, &self.acceleration].map(|vector| pair.of_text_order(vector));
        RandomState { time: self.time, velocity, acceleration, multipliers: pair.of_text_rows(&self.multipliers) }
    }
}

/// The values of a kernel.
struct Kernel {
    name: &'static str,
    tolerance: f64,
    values: Vec<f64>,
}

/// Evaluates all kernels. Components and rows have these orders.
fn kernels(system: &ErasedSystem, q: &ErasedValue, state: &RandomState, [order, rows]: [&[usize]; 2]) -> Vec<Kernel> {
    let RandomState { time: t, velocity: v, acceleration, multipliers } = state;
    let t = *t;
    let mut all: Vec<Kernel> = vec![];
    let mut keep_to = |tolerance, name, values| all.push(Kernel { name, tolerance, values });
    let mut keep = |name, values| keep_to(TOLERANCE, name, values);
    let ordered = |vector: &ErasedVector| order.iter().map(|&at| vector.component(at)).collect::<Vec<_>>();
    let entries = |matrix: &ErasedValue| {
        let columns = order.iter().flat_map(|&column| order.iter().map(move |&row| (row, column)));
        columns.map(|(row, column)| system.matrix_entry(matrix, row, column)).collect::<Vec<_>>()
    };
    let (mut force, mut out, mut buffer) = (system.zero_velocity(), system.zero_velocity(), system.zero_velocity());
    system.force(t, q, v, &mut force);
    keep("force", ordered(&force));
    system.residual(t, q, v, acceleration, multipliers, &mut out);
    keep("residual", ordered(&out));
    system.momentum(t, q, v, &mut out);
    keep("momentum", ordered(&out));
    keep("kinetic energy", vec![system.kinetic_energy(t, q, v)]);
    keep("potential energy", vec![system.potential_energy(t, q)]);
    let mut matrix = system.zero_matrix();
    system.mass_matrix(t, q, &mut matrix);
    keep("mass matrix", entries(&matrix));
    system.tangent_stiffness(t, q, v, acceleration, multipliers, &mut matrix);
    keep("tangent stiffness", entries(&matrix));
    system.tangent_damping(t, q, v, &mut matrix);
    keep("tangent damping", entries(&matrix));
    let ordered_rows = |values: &ErasedVector| rows.iter().map(|&at| values.component(at)).collect::<Vec<_>>();
    let (mut values, mut jacobian) = (system.zero_multipliers(), system.zero_jacobian());
    system.constraint(t, q, &mut values);
    keep("constraint", ordered_rows(&values));
    system.constraint_drift(t, q, &mut values);
    keep("constraint drift", ordered_rows(&values));
    system.constraint_curvature(t, q, v, &mut values);
    keep("constraint curvature", ordered_rows(&values));
    system.constraint_jacobian(t, q, &mut jacobian);
    system.jacobian_times(&jacobian, v, &mut values);
    keep("B v", ordered_rows(&values));
    system.jacobian_transpose_times(&jacobian, multipliers, &mut out);
    keep("Bᵀ λ", ordered(&out));
    keep("observables", system.report_observables(t, q, v).numbers());
    let events = (0..system.description().events.len()).map(|at| system.declared_event(at, t, q, v, multipliers));
    keep("events", events.collect());
    let mut mass = system.zero_mass();
    if system.mass(t, q, &mut mass).is_ok() {
        system.solve_mass(&mut mass, &force, &mut out);
        keep_to(SOLVED, "M⁻¹ force", ordered(&out));
        // Systems with constraints accelerate by the linear system with multipliers.
        if system.constraint_rows() == 0 && system.accelerate(t, q, v, &mut mass, &mut buffer, &mut out).is_ok() {
            keep_to(SOLVED, "acceleration", ordered(&out));
        }
    }
    all
}

/// Compares the kernels of both systems, and returns true if all values are finite.
pub fn compare(pair: &Pair, state: &RandomState) -> bool {
    let [own, own_rows] = [pair.order.len(), pair.rows.len()].map(|count| (0..count).collect::<Vec<usize>>());
    let generated = kernels(&pair.generated, &pair.q, state, [&pair.order, &pair.rows]);
    let of_text = kernels(&pair.of_text, &pair.q_of_text, &state.of_text(pair), [&own, &own_rows]);
    let names =
        |kernels: &[Kernel]| kernels.iter().map(|kernel| (kernel.name, kernel.values.len())).collect::<Vec<_>>();
    assert_eq!(names(&generated), names(&of_text));
    for (Kernel { name, tolerance, values }, other) in generated.iter().zip(&of_text) {
        let finite = values.iter().filter(|value| value.is_finite());
        let scale = finite.fold(1.0_f64, |scale, value| scale.max(value.abs()));
        for (at, (x, y)) in values.iter().zip(&other.values).enumerate() {
            // Infinite values are equal.
            let is_equal =
                x.to_bits() == y.to_bits() || (x.is_nan() && y.is_nan()) || (x - y).abs() <= tolerance * scale;
            assert!(is_equal, "{name}, entry {at}: {x} and {y} from text, largest {scale}");
        }
    }
    generated.iter().all(|kernel| kernel.values.iter().all(|value| value.is_finite()))
}
