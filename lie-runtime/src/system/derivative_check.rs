//! The derivative check: generated kernels against dual numbers on the declared functions themselves.
//!
//! Nothing symbolic is shared: energies and constraints are the user's own functions, evaluated on nested dual numbers
//! along q exp(ε w~); the equations of motion are put together from them by the Euler-Poincaré formula.

use super::{Linearised, Twin};
use crate::group::TangentVector;
use crate::scalar::{Dual, Scalar};

/// How far a generated kernel is from dual numbers.
#[derive(Clone, Debug, PartialEq)]
pub struct DerivativeDeviation {
    /// The kernel.
    pub kernel: &'static str,
    /// The largest deviation of an entry, relative to the largest entry (at least 1).
    pub deviation: f64,
}

type Configuration<M> = <M as super::MechanicalSystem>::Configuration;
type Velocity<M> = <M as super::MechanicalSystem>::Velocity;
type Multipliers<M> = <M as super::MechanicalSystem>::Multipliers;
type Dual2<S> = Dual<Dual<S>>;

/// A state in which derivatives are compared.
#[derive(Debug)]
pub struct CheckPoint<'a, M: Twin> {
    /// The time.
    pub t: M::Scalar,
    /// The configuration.
    pub q: &'a Configuration<M>,
    /// The velocity.
    pub v: &'a Velocity<M>,
    /// The acceleration.
    pub acceleration: &'a Velocity<M>,
    /// The multipliers.
    pub multipliers: &'a Multipliers<M>,
}

impl<M: Twin> Clone for CheckPoint<'_, M> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<M: Twin> Copy for CheckPoint<'_, M> {}

/// Compares every generated derivative with dual numbers on the declared functions, those of the
/// [Hamiltonian](crate::field::LegendreTransform) among them where there is one.
///
/// Entries are compared relative to the largest entry of the same kernel; round-off is of the order of 1e-15 times the
/// condition of the declared formulas.
pub fn derivative_check<M>(system: &M, at: CheckPoint<'_, M>) -> Vec<DerivativeDeviation>
where
    M: Twin<Scalar = f64> + Linearised,
{
    let mut report = Vec::new();
    let mut compare = |kernel, generated: &[f64], reference: &[f64]| {
        let scale = reference.iter().fold(1.0_f64, |scale, entry| scale.max(entry.abs()));
        let deviation = generated
            .iter()
            .zip(reference)
            .map(|(a, b)| (a - b).abs() / scale)
            .fold(0.0, |worst, next| if next > worst || next.is_nan() { next } else { worst });
        report.push(DerivativeDeviation { kernel, deviation });
    };
    let dof = system.dof();
    let rows = system.constraint_rows();

    // Residual and generalised forces.
    let mut out = system.zero_velocity();
    system.residual(at.t, at.q, at.v, at.acceleration, at.multipliers, &mut out);
    compare("residual", &components(&out), &residual(system, at));
    let (rest, free) = (system.zero_velocity(), system.zero_multipliers());
    system.force(at.t, at.q, at.v, &mut out);
    let forces: Vec<f64> =
        residual(system, CheckPoint { acceleration: &rest, multipliers: &free, ..at }).iter().map(|r| -r).collect();
    compare("force", &components(&out), &forces);

    // Jacobian, drift, curvature.
    let mut jacobian = system.zero_jacobian();
    system.constraint_jacobian(at.t, at.q, &mut jacobian);
    let mut generated = Vec::new();
    let mut row = system.zero_multipliers();
    for column in 0..dof {
        let mut unit = system.zero_velocity();
        unit.set_component(column, 1.0);
        system.jacobian_times(&jacobian, &unit, &mut row);
        generated.extend(components(&row));
    }
    compare("constraint_jacobian", &generated, &jacobian_columns(system, at));
    let mut reactions = system.zero_velocity();
    system.jacobian_transpose_times(&jacobian, at.multipliers, &mut reactions);
    let columns = jacobian_columns(system, at);
    let expected: Vec<f64> = (0..dof)
        .map(|column| (0..rows).map(|row| columns[column * rows + row] * at.multipliers.component(row)).sum())
        .collect();
    compare("jacobian_transpose_times", &components(&reactions), &expected);
    let (rate, curvature) = constraint_rates(system, at);
    let mut drift = system.zero_multipliers();
    system.constraint_drift(at.t, at.q, &mut drift);
    system.jacobian_times(&jacobian, at.v, &mut row);
    row.axpy(1.0, &drift);
    compare("constraint_rate", &components(&row), &rate);
    system.constraint_curvature(at.t, at.q, at.v, &mut row);
    compare("constraint_curvature", &components(&row), &curvature);

    // Mass, stiffness, damping.
    let lifted = system.lift();
    let mut matrix = system.zero_matrix();
    let (mut mass, mut stiffness, mut damping) = (Vec::new(), Vec::new(), Vec::new());
    let (mut mass_reference, mut stiffness_reference, mut damping_reference) = (Vec::new(), Vec::new(), Vec::new());
    for column in 0..dof {
        let mut unit = system.zero_velocity();
        unit.set_component(column, 1.0);
        let eps = |direction: &Velocity<M>| -> Velocity<M::Lifted> {
            let mut lifted_direction = system.lift_velocity(direction);
            lifted_direction.scale(Dual { re: 0.0, eps: 1.0 });
            lifted_direction
        };
        let t = Dual { re: at.t, eps: 0.0 };
        let q = system.lift_configuration(at.q);
        let v = system.lift_velocity(at.v);
        let acceleration = system.lift_velocity(at.acceleration);
        let multipliers = lift_multipliers(system, &lifted, at.multipliers);
        let direction = eps(&unit);
        let slopes = |q: &_, v: &_, acceleration: &_| -> Vec<f64> {
            let at = CheckPoint::<M::Lifted> { t, q, v, acceleration, multipliers: &multipliers };
            residual(&lifted, at).into_iter().map(|entry| entry.eps).collect()
        };
        let mut turned = q.clone();
        super::MechanicalSystem::compose_exp(&lifted, &q, &direction, &mut turned);
        stiffness_reference.extend(slopes(&turned, &v, &acceleration));
        let mut faster = v.clone();
        faster.axpy(Dual { re: 1.0, eps: 0.0 }, &direction);
        damping_reference.extend(slopes(&q, &faster, &acceleration));
        let mut accelerated = acceleration.clone();
        accelerated.axpy(Dual { re: 1.0, eps: 0.0 }, &direction);
        mass_reference.extend(slopes(&q, &v, &accelerated));
    }
    system.mass_matrix(at.t, at.q, &mut matrix);
    columns_of(system, &matrix, &mut mass);
    system.tangent_stiffness(at.t, at.q, at.v, at.acceleration, at.multipliers, &mut matrix);
    columns_of(system, &matrix, &mut stiffness);
    system.tangent_damping(at.t, at.q, at.v, &mut matrix);
    columns_of(system, &matrix, &mut damping);
    compare("mass_matrix", &mass, &mass_reference);
    if let Some((products, identity)) = mass_products(system, at, &mass_reference) {
        compare("solve_mass", &products, &identity);
    }
    compare("tangent_stiffness", &stiffness, &stiffness_reference);
    compare("tangent_damping", &damping, &damping_reference);
    if let Some(point) = system.legendre_transformed(at.q, at.v) {
        let exact = super::hamiltonian_check::reference(system, at);
        compare("hamiltonian", &[point.energy], &[exact.energy]);
        compare("spatial_momentum", &components(&point.momentum), &components(&exact.momentum));
        compare("hamiltonian_velocity", &components(&point.velocity), &components(&exact.velocity));
        compare("hamiltonian_force", &components(&point.force), &components(&exact.force));
    }
    report
}

/// M M⁻¹, column by column, and the identity; `None` where M has no inverse.
fn mass_products<M: Twin<Scalar = f64>>(
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

fn columns_of<M: Linearised<Scalar = f64>>(system: &M, matrix: &M::Matrix, into: &mut Vec<f64>) {
    for column in 0..system.dof() {
        for row in 0..system.dof() {
            into.push(system.matrix_entry(matrix, row, column));
        }
    }
}

fn components<V: TangentVector>(vector: &V) -> Vec<V::Scalar> {
    (0..vector.component_count()).map(|index| vector.component(index)).collect()
}

fn lift_multipliers<M: Twin>(system: &M, lifted: &M::Lifted, multipliers: &Multipliers<M>) -> Multipliers<M::Lifted> {
    let mut result = super::MechanicalSystem::zero_multipliers(lifted);
    for row in 0..system.constraint_rows() {
        result.set_component(row, Dual { re: multipliers.component(row), eps: M::Scalar::from_f64(0.0) });
    }
    result
}

/// r = d/dt ∂T/∂v − ad_vᵀ ∂T/∂v − D_q T + D_q V + ∂R/∂v − F + Bᵀ λ by dual numbers.
fn residual<M: Twin>(system: &M, at: CheckPoint<'_, M>) -> Vec<M::Scalar> {
    let zero = M::Scalar::from_f64(0.0);
    let one = M::Scalar::from_f64(1.0);
    let once = system.lift();
    let twice = once.lift();
    let dof = system.dof();
    let along = |factor: M::Scalar, direction: &Velocity<M>| {
        let mut lifted = system.lift_velocity(direction);
        lifted.scale(Dual { re: zero, eps: factor });
        lifted
    };
    let q = system.lift_configuration(at.q);
    let v = system.lift_velocity(at.v);
    let t = Dual { re: at.t, eps: zero };
    // The motion: q exp(ε v), v + ε v', t + ε.
    let moving = along(one, at.v);
    let mut q_moving = q.clone();
    super::MechanicalSystem::compose_exp(&once, &q, &moving, &mut q_moving);
    let mut v_moving = v.clone();
    v_moving.axpy(Dual { re: one, eps: zero }, &along(one, at.acceleration));
    let t_moving = Dual { re: at.t, eps: one };
    let q_twice = once.lift_configuration(&q_moving);
    let v_twice = once.lift_velocity(&v_moving);
    let t_twice: Dual2<M::Scalar> = Dual { re: t_moving, eps: Dual { re: zero, eps: zero } };
    let mut momentum = system.zero_velocity();
    let mut result = vec![zero; dof];
    let mut applied = super::MechanicalSystem::zero_velocity(&once);
    M::declared_force(&once, t, &q, &v, &mut applied);
    let columns = jacobian_columns(system, at);
    let rows = system.constraint_rows();
    for component in 0..dof {
        let mut unit = system.zero_velocity();
        unit.set_component(component, one);
        // d/dt ∂T/∂v: the inner ε runs along the motion, the outer one along the component of v.
        let mut v_varied = v_twice.clone();
        let inner = v_varied.component(component);
        v_varied.set_component(component, Dual { re: inner.re, eps: Dual { re: one, eps: zero } });
        let energy = M::Lifted::declared_kinetic_energy(&twice, t_twice, &q_twice, &v_varied);
        momentum.set_component(component, energy.eps.re);
        let mut entry = energy.eps.eps;
        let direction = along(one, &unit);
        let mut q_varied = q.clone();
        super::MechanicalSystem::compose_exp(&once, &q, &direction, &mut q_varied);
        entry -= M::declared_kinetic_energy(&once, t, &q_varied, &v).eps;
        entry += M::declared_potential_energy(&once, t, &q_varied).eps;
        let mut v_varied = v.clone();
        v_varied.axpy(Dual { re: one, eps: zero }, &direction);
        entry += M::declared_dissipation(&once, t, &q, &v_varied).eps;
        entry -= applied.component(component).re;
        // (D_q x)ᵀ f: the force where it is, the quantity along the direction.
        let mut forces = Vec::new();
        M::declared_spatial_forces(&once, t, &q, &v, &mut |force, _| forces.push(force.to_vec()));
        let mut at_force = 0;
        M::declared_spatial_forces(&once, t, &q_varied, &v, &mut |_, place| {
            for (force, moved) in forces[at_force].iter().zip(place) {
                entry -= force.re * moved.eps;
            }
            at_force += 1;
        });
        for row in 0..rows {
            entry += columns[component * rows + row] * at.multipliers.component(row);
        }
        result[component] = entry;
    }
    let mut turning = system.zero_velocity();
    system.coadjoint(at.v, &momentum, &mut turning);
    for (component, entry) in result.iter_mut().enumerate() {
        *entry -= turning.component(component);
    }
    result
}

/// B, one column after the other.
fn jacobian_columns<M: Twin>(system: &M, at: CheckPoint<'_, M>) -> Vec<M::Scalar> {
    let zero = M::Scalar::from_f64(0.0);
    let one = M::Scalar::from_f64(1.0);
    let once = system.lift();
    let q = system.lift_configuration(at.q);
    let v = system.lift_velocity(at.v);
    let t = Dual { re: at.t, eps: zero };
    let holonomic = system.holonomic_rows();
    let mut result = Vec::new();
    for component in 0..system.dof() {
        let mut unit = system.zero_velocity();
        unit.set_component(component, one);
        let mut direction = system.lift_velocity(&unit);
        direction.scale(Dual { re: zero, eps: one });
        let mut q_varied = q.clone();
        super::MechanicalSystem::compose_exp(&once, &q, &direction, &mut q_varied);
        let mut positions = super::MechanicalSystem::zero_multipliers(&once);
        M::declared_constraint(&once, t, &q_varied, &v, true, &mut positions);
        let mut v_varied = v.clone();
        v_varied.axpy(Dual { re: one, eps: zero }, &direction);
        let mut velocities = super::MechanicalSystem::zero_multipliers(&once);
        M::declared_constraint(&once, t, &q, &v_varied, false, &mut velocities);
        for row in 0..system.constraint_rows() {
            let by = if row < holonomic { &positions } else { &velocities };
            result.push(by.component(row).eps);
        }
    }
    result
}

/// B v + b and the terms of its rate that are free of v'.
fn constraint_rates<M: Twin>(system: &M, at: CheckPoint<'_, M>) -> (Vec<M::Scalar>, Vec<M::Scalar>) {
    let zero = M::Scalar::from_f64(0.0);
    let one = M::Scalar::from_f64(1.0);
    let once = system.lift();
    let twice = once.lift();
    let q = system.lift_configuration(at.q);
    let v = system.lift_velocity(at.v);
    let mut moving = v.clone();
    moving.scale(Dual { re: zero, eps: one });
    let mut q_moving = q.clone();
    super::MechanicalSystem::compose_exp(&once, &q, &moving, &mut q_moving);
    let t_moving = Dual { re: at.t, eps: one };
    // d²/dt² along q exp(t v) with v held: both ε along the same curve.
    let q_lifted = once.lift_configuration(&q_moving);
    let mut again = once.lift_velocity(&v);
    again.scale(Dual { re: Dual { re: zero, eps: zero }, eps: Dual { re: one, eps: zero } });
    let mut q_twice = q_lifted.clone();
    super::MechanicalSystem::compose_exp(&twice, &q_lifted, &again, &mut q_twice);
    let t_twice: Dual2<M::Scalar> = Dual { re: t_moving, eps: Dual { re: one, eps: zero } };
    let v_twice = once.lift_velocity(&v);
    let mut first = super::MechanicalSystem::zero_multipliers(&once);
    M::declared_constraint(&once, t_moving, &q_moving, &v, false, &mut first);
    let mut second = super::MechanicalSystem::zero_multipliers(&twice);
    M::Lifted::declared_constraint(&twice, t_twice, &q_twice, &v_twice, true, &mut second);
    let holonomic = system.holonomic_rows();
    (0..system.constraint_rows())
        .map(|row| {
            let once = first.component(row);
            if row < holonomic { (once.eps, second.component(row).eps.eps) } else { (once.re, once.eps) }
        })
        .unzip()
}
