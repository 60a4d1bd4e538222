//! The derivative check: generated kernels against forward-mode automatic differentiation (dual numbers) of the
//! declared functions.

mod hamiltonian;
mod reference;

use super::dual_model::Summand;
use super::{CheckPoint, DualModel};
use crate::group::TangentVector;

use reference::Lifts;

/// The deviation of a generated kernel from the derivatives by dual numbers.
#[derive(Clone, Debug, PartialEq)]
pub struct DerivativeDeviation {
    /// The kernel.
    pub kernel: &'static str,
    /// The largest deviation of an entry, relative to the largest entry (at least 1).
    pub deviation: f64,
    /// The entry with the largest deviation: member and component, constraint or quantity and row; over chains also the
    /// contributing functions and their element. Empty if the kernel has no entries.
    pub entry: String,
}

/// Compares every generated derivative with dual numbers on the declared functions.
///
/// The check covers r, −g, both energies, Φ, B, Bᵀ λ, B v + b, its curvature terms and its gradient, M, M v and M⁻¹,
/// K_t, C_t and the rates of quantities and of frames. Systems over chains are checked after assembly. A generated
/// [Hamiltonian](crate::field::LegendreTransform) is checked as well. Systems with frames have no r, K_t and C_t.
/// Deviations are relative to the largest entry of the same kernel; round-off is of the order of 1e-15 times the
/// condition number of the declared formulas.
///
/// The matrices are dense: time and memory grow with the square of the length of a chain. All elements of one kind have
/// the same equations, so that a check of a few members is sufficient.
#[doc(alias = "gradcheck")]
#[doc(alias = "automatic differentiation")]
#[doc(alias = "finite differences")]
pub fn derivative_check<M>(system: &M, at: CheckPoint<'_, M>) -> Vec<DerivativeDeviation>
where
    M: DualModel<Scalar = f64>,
{
    let once = system.lift_at(at.t, at.q, at.v);
    let twice = once.lift();
    let thrice = twice.lift();
    let terms = system.terms();
    let of = Lifts { system, once: &once, twice: &twice, terms: &terms };
    let lifted = Lifts { system: &once, once: &twice, twice: &thrice, terms: &terms };
    let mut report = DeviationReport { system, terms: &terms, deviations: Vec::new() };
    balance(of, at, &mut report);
    constraints(of, at, &mut report);
    matrices(of, lifted, at, &mut report);
    rates(of, at, &mut report);
    hamiltonian(system, at, &mut report);
    report.deviations
}

/// The deviations so far.
struct DeviationReport<'a, M> {
    system: &'a M,
    terms: &'a [Summand],
    deviations: Vec<DerivativeDeviation>,
}

impl<M: DualModel<Scalar = f64>> DeviationReport<'_, M> {
    /// Compares the entries of a kernel; `name` returns the name of an entry.
    fn compare(
        &mut self,
        kernel: &'static str,
        generated: &[f64],
        reference: &[f64],
        name: impl Fn(&Self, usize) -> String,
    ) {
        let scale = reference.iter().fold(1.0_f64, |scale, entry| scale.max(entry.abs()));
        let deviations = generated.iter().zip(reference).map(|(a, b)| (a - b).abs() / scale);
        let (entry, deviation) = deviations
            .enumerate()
            .fold((0, 0.0), |worst, next| if next.1 > worst.1 || next.1.is_nan() { next } else { worst });
        let entry = if generated.is_empty() { String::new() } else { name(self, entry) };
        self.deviations.push(DerivativeDeviation { kernel, deviation, entry });
    }

    /// Compares a vector of forces.
    fn forces(&mut self, kernel: &'static str, generated: &[f64], reference: &[f64]) {
        self.compare(kernel, generated, reference, |report, component| {
            let name = report.system.component_name(component);
            report.located(name, |term| term.free().any(|own| own == component))
        });
    }

    /// Compares a vector of constraint rows.
    fn rows(&mut self, kernel: &'static str, generated: &[f64], reference: &[f64]) {
        self.compare(kernel, generated, reference, |report, row| {
            report.located(report.system.description().row(row).to_string(), |term| term.rows.contains(&row))
        });
    }

    /// Compares a matrix by columns, of forces or of constraint rows.
    fn matrix(&mut self, kernel: &'static str, of_rows: bool, generated: &[f64], reference: &[f64]) {
        let count = if of_rows { self.system.constraint_rows() } else { self.system.dof() };
        self.compare(kernel, generated, reference, |report, entry| {
            let (row, column) = (entry % count, entry / count);
            let name = if of_rows {
                report.system.description().row(row).to_string()
            } else {
                report.system.component_name(row)
            };
            let name = format!("{name}, along {}", report.system.component_name(column));
            report.located(name, |term| {
                let has = |component| term.free().any(|own| own == component);
                has(column) && if of_rows { term.rows.contains(&row) } else { has(row) }
            })
        });
    }

    /// Returns the name of an entry with the terms that contribute to it.
    fn located(&self, name: String, is_of: impl Fn(&Summand) -> bool) -> String {
        let terms: Vec<&str> =
            self.terms.iter().filter(|term| !term.name.is_empty() && is_of(term)).map(|term| &*term.name).collect();
        if terms.is_empty() { name } else { format!("{name}: {}", terms.join("; ")) }
    }
}

/// Compares energies, residual and generalised forces.
fn balance<M>(of: Lifts<'_, M>, at: CheckPoint<'_, M>, report: &mut DeviationReport<'_, M>)
where
    M: DualModel<Scalar = f64>,
{
    let system = of.system;
    let [kinetic, potential] = reference::energies(of, at);
    let sum = |_: &DeviationReport<'_, M>, _| "the sum".to_owned();
    report.compare("kinetic_energy", &[system.kinetic_energy(at.t, at.q, at.v)], &[kinetic], sum);
    report.compare("potential_energy", &[system.potential_energy(at.t, at.q)], &[potential], sum);
    let mut out = system.zero_velocity();
    system.force(at.t, at.q, at.v, &mut out);
    report.forces("force", &components(&out), &forces(of, at));
}

/// Returns −g: minus the residual at zero acceleration and zero multipliers.
fn forces<M>(of: Lifts<'_, M>, at: CheckPoint<'_, M>) -> Vec<f64>
where
    M: DualModel<Scalar = f64>,
{
    let (rest, free) = (of.system.zero_velocity(), of.system.zero_multipliers());
    let at_rest = CheckPoint { acceleration: &rest, multipliers: &free, ..at };
    reference::residual(of, of.all(), at_rest).iter().map(|entry| -entry).collect()
}

/// Compares Φ, B and the rates of constraints.
fn constraints<M>(of: Lifts<'_, M>, at: CheckPoint<'_, M>, report: &mut DeviationReport<'_, M>)
where
    M: DualModel<Scalar = f64>,
{
    let system = of.system;
    let (dof, rows) = (system.dof(), system.constraint_rows());
    let mut row = system.zero_multipliers();
    system.constraint(at.t, at.q, &mut row);
    report.rows("constraint", &components(&row), &reference::constraint(of, at));
    let mut jacobian = system.zero_jacobian();
    system.constraint_jacobian(at.t, at.q, &mut jacobian);
    let mut generated = Vec::new();
    for column in 0..dof {
        let mut unit = system.zero_velocity();
        unit.set_component(column, 1.0);
        system.jacobian_times(&jacobian, &unit, &mut row);
        generated.extend(components(&row));
    }
    let columns = reference::jacobian_columns(of, at);
    report.matrix("constraint_jacobian", true, &generated, &columns);
    let mut reactions = system.zero_velocity();
    system.jacobian_transpose_times(&jacobian, at.multipliers, &mut reactions);
    let expected: Vec<f64> = (0..dof)
        .map(|column| (0..rows).map(|row| columns[column * rows + row] * at.multipliers.component(row)).sum())
        .collect();
    report.forces("jacobian_transpose_times", &components(&reactions), &expected);
    let mut drift = system.zero_multipliers();
    system.constraint_drift(at.t, at.q, &mut drift);
    system.jacobian_times(&jacobian, at.v, &mut row);
    row.axpy(1.0, &drift);
    report.rows("constraint_rate", &components(&row), &reference::constraint_rate(of, of.all(), at));
    system.constraint_curvature(at.t, at.q, at.v, &mut row);
    report.rows("constraint_curvature", &components(&row), &reference::constraint_curvature(of, at));
}

/// Compares mass, stiffness, damping and the gradient of the constraint rates.
fn matrices<M>(
    of: Lifts<'_, M>,
    lifted: Lifts<'_, M::Lifted>,
    at: CheckPoint<'_, M>,
    report: &mut DeviationReport<'_, M>,
) where
    M: DualModel<Scalar = f64>,
{
    let system = of.system;
    let reference = reference::matrices(of, lifted, at);
    if let Some(generated) = system.linearised(at) {
        report.forces("residual", &generated.residual, &reference::residual(of, of.all(), at));
        report.matrix("mass_matrix", false, &generated.mass, &reference.mass);
        report.matrix("tangent_stiffness", false, &generated.stiffness, &reference.stiffness);
        report.matrix("tangent_damping", false, &generated.damping, &reference.damping);
    }
    report.matrix("momentum", false, &momenta(system, at), &reference.mass);
    if let Some((products, identity)) = mass_products(system, at, &reference.mass) {
        report.matrix("solve_mass", false, &products, &identity);
        report.forces("accelerate", &accelerated(system, at, &reference.mass), &forces(of, at));
    }
    let rows = system.constraint_rows();
    let mut generated = vec![0.0; system.dof() * rows];
    for (number, term) in of.terms.iter().enumerate() {
        let mut own = vec![0.0; term.rows.len() * term.components.len()];
        system.rate_gradient(number, at.t, at.q, at.v, &mut own);
        for (&row, entries) in term.rows.iter().zip(own.chunks(term.components.len().max(1))) {
            for (component, entry) in term.components.iter().zip(entries) {
                if let Some(component) = component {
                    generated[component * rows + row] += entry;
                }
            }
        }
    }
    report.matrix("rate_gradient", true, &generated, &reference.rate_gradient);
}

/// Compares the generated functions `…_rate` of quantities.
fn rates<M>(of: Lifts<'_, M>, at: CheckPoint<'_, M>, report: &mut DeviationReport<'_, M>)
where
    M: DualModel<Scalar = f64>,
{
    let mut generated = Vec::new();
    for term in of.all() {
        of.system.quantity_rates(term, at.t, at.q, at.v, &mut |components| generated.extend_from_slice(components));
    }
    let (mut expected, mut names) = (Vec::new(), Vec::new());
    for (term, name, components) in reference::rates(of, at) {
        names.extend((0..components.len()).map(|row| (term, name.clone(), row)));
        expected.extend(components);
    }
    report.compare("quantity_rates", &generated, &expected, |report, entry| {
        let Some((term, quantity, row)) = names.get(entry) else { return String::new() };
        let (name, place) = (format!("row {row} of the rate of `{quantity}`"), &report.terms[*term].name);
        if place.is_empty() { name } else { format!("{name}: {place}") }
    });
}

/// Compares H, μ, f₁ and f₂ at the momentum of v.
fn hamiltonian<M: DualModel<Scalar = f64>>(system: &M, at: CheckPoint<'_, M>, report: &mut DeviationReport<'_, M>) {
    let Some(point) = system.legendre_transformed(at.q, at.v) else { return };
    let exact = hamiltonian::reference(system, at);
    report.compare("hamiltonian", &[point.energy], &[exact.energy], |_, _| "the sum".to_owned());
    report.forces("spatial_momentum", &components(&point.momentum), &components(&exact.momentum));
    report.forces("hamiltonian_velocity", &components(&point.velocity), &components(&exact.velocity));
    report.forces("hamiltonian_force", &components(&point.force), &components(&exact.force));
}

/// Returns M M⁻¹, column by column, and the identity; `None` if M is singular.
fn mass_products<M: DualModel<Scalar = f64>>(
    system: &M,
    at: CheckPoint<'_, M>,
    mass: &[f64],
) -> Option<(Vec<f64>, Vec<f64>)> {
    let dof = system.dof();
    let mut factorised = system.zero_mass();
    system.mass(at.t, at.q, &mut factorised).ok()?;
    let mut solution = system.zero_velocity();
    let (mut products, mut identity) = (Vec::new(), Vec::new());
    for column in 0..dof {
        let mut unit = system.zero_velocity();
        unit.set_component(column, 1.0);
        system.solve_mass(&mut factorised, &unit, &mut solution);
        for row in 0..dof {
            products.push((0..dof).map(|k| mass[k * dof + row] * solution.component(k)).sum());
            identity.push(if row == column { 1.0 } else { 0.0 });
        }
    }
    Some((products, identity))
}

/// Returns M v' for the accelerations at one point; NaN if there are none.
fn accelerated<M: DualModel<Scalar = f64>>(system: &M, at: CheckPoint<'_, M>, mass: &[f64]) -> Vec<f64> {
    let dof = system.dof();
    let (mut factorised, mut force, mut out) = (system.zero_mass(), system.zero_velocity(), system.zero_velocity());
    if system.accelerate(at.t, at.q, at.v, &mut factorised, &mut force, &mut out).is_err() {
        return vec![f64::NAN; dof];
    }
    (0..dof).map(|row| (0..dof).map(|column| mass[column * dof + row] * out.component(column)).sum()).collect()
}

/// Returns M, column by column, as the momenta of unit velocities.
fn momenta<M: DualModel<Scalar = f64>>(system: &M, at: CheckPoint<'_, M>) -> Vec<f64> {
    let mut momentum = system.zero_velocity();
    let columns = (0..system.dof()).flat_map(|column| {
        let mut unit = system.zero_velocity();
        unit.set_component(column, 1.0);
        system.momentum(at.t, at.q, &unit, &mut momentum);
        components(&momentum)
    });
    columns.collect()
}

fn components<V: TangentVector>(vector: &V) -> Vec<V::Scalar> {
    (0..vector.component_count()).map(|index| vector.component(index)).collect()
}
