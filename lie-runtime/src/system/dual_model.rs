//! The declared functions on dual numbers, and the lift of a system to them.

use super::{CheckPoint, Linearised, MechanicalSystem, Momentum, TransformedPoint};
use crate::group::TangentVector;
use crate::scalar::{Dual, Scalar};
use crate::space::ConfigurationSpace;

/// One of the terms whose sum a system is: all of a system without elements, one element of a chain, or what runs along
/// frames.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Summand {
    /// The functions and what they run over; empty if there is nothing to tell apart.
    pub name: String,
    /// The component of the system's velocity that each of its own is; `None` of clamped members.
    pub components: Vec<Option<usize>>,
    /// The row of the system's multipliers that each of its own constraint rows is.
    pub rows: Vec<usize>,
}

impl Summand {
    /// The components of the system's velocity that it depends on, each once.
    pub fn free(&self) -> impl Iterator<Item = usize> + '_ {
        // The ends of a chain of one are the same member.
        let earlier = |at: usize| &self.components[..at];
        let components = self.components.iter().enumerate();
        components
            .filter(move |&(at, component)| !earlier(at).contains(component))
            .filter_map(|(_, component)| *component)
    }
}

/// r and its derivatives, as they were generated: matrices by columns.
#[derive(Clone, Debug, PartialEq)]
pub struct ResidualDerivatives<S> {
    /// r = M v' + g + Bᵀ λ.
    pub residual: Vec<S>,
    /// M.
    pub mass: Vec<S>,
    /// K_t = D_q r.
    pub stiffness: Vec<S>,
    /// C_t = D_v r.
    pub damping: Vec<S>,
}

impl<S: Scalar> ResidualDerivatives<S> {
    /// That of a system that has one.
    pub fn of<M: DualModel<Scalar = S> + Linearised>(
        system: &M,
        &CheckPoint { t, q, v, acceleration, multipliers }: &CheckPoint<'_, M>,
    ) -> Self {
        let dof = system.dof();
        let columns = |matrix: &M::Matrix| {
            let entries = (0..dof).flat_map(|column| (0..dof).map(move |row| (row, column)));
            entries.map(|(row, column)| system.matrix_entry(matrix, row, column)).collect()
        };
        let (mut residual, mut matrix) = (system.zero_velocity(), system.zero_matrix());
        system.residual(t, q, v, acceleration, multipliers, &mut residual);
        system.mass_matrix(t, q, &mut matrix);
        let mass = columns(&matrix);
        system.tangent_stiffness(t, q, v, acceleration, multipliers, &mut matrix);
        let stiffness = columns(&matrix);
        system.tangent_damping(t, q, v, &mut matrix);
        let residual = (0..dof).map(|component| residual.component(component)).collect();
        ResidualDerivatives { residual, mass, stiffness, damping: columns(&matrix) }
    }
}

/// A system whose declared functions can be evaluated on dual numbers, by the functions as they were written.
///
/// Implemented by systems that are declared with `#[mechanical_system(derivative_check)]`. Declared functions are evaluated
/// term by term, in the order of [`terms`](DualModel::terms).
pub trait DualModel: Momentum {
    /// The same system on dual numbers.
    type Lifted: DualModel<Scalar = Dual<Self::Scalar>>;

    /// The same system with constant parameters.
    fn lift(&self) -> Self::Lifted;
    /// The same system, of the inputs that depend on the state those of this one.
    fn lift_at(&self, t: Self::Scalar, q: &Self::Configuration, v: &Self::Velocity) -> Self::Lifted {
        let _ = (t, q, v);
        self.lift()
    }
    /// The same configuration.
    fn lift_configuration(&self, q: &Self::Configuration) -> <Self::Lifted as MechanicalSystem>::Configuration;
    /// The same velocity.
    fn lift_velocity(&self, v: &Self::Velocity) -> <Self::Lifted as MechanicalSystem>::Velocity;

    /// The generated Hamiltonian at the momentum of v; `None` if there is none, or if M(q) has no inverse.
    fn legendre_transformed(
        &self,
        q: &Self::Configuration,
        v: &Self::Velocity,
    ) -> Option<TransformedPoint<Self::Velocity>> {
        let _ = (q, v);
        None
    }
    /// The generated linearisation; `None` of a system that has none.
    fn linearised(&self, at: CheckPoint<'_, Self>) -> Option<ResidualDerivatives<Self::Scalar>>
    where
        Self: Sized,
    {
        let _ = at;
        None
    }
    /// What the system is the sum of: elements, then the recursion of frames and what runs over them.
    fn terms(&self) -> Vec<Summand> {
        vec![Summand {
            name: String::new(),
            components: (0..self.dof()).map(Some).collect(),
            rows: (0..self.constraint_rows()).collect(),
        }]
    }
    /// What component `component` of a velocity is called.
    fn component_name(&self, component: usize) -> String {
        let members = &self.description().members;
        match members.iter().find(|member| (member.offset..member.offset + member.dof).contains(&component)) {
            Some(member) => format!("component {} of `{}`", component - member.offset, member.name),
            None => format!("component {component}"),
        }
    }

    /// The generated D_q (B v + b) of a term, by rows: a kernel that otherwise only eliminations see.
    fn rate_gradient(
        &self,
        term: usize,
        t: Self::Scalar,
        q: &Self::Configuration,
        v: &Self::Velocity,
        out: &mut [Self::Scalar],
    );
    /// Visits the generated rates of the quantities of a term.
    fn quantity_rates(
        &self,
        term: usize,
        t: Self::Scalar,
        q: &Self::Configuration,
        v: &Self::Velocity,
        visit: &mut dyn FnMut(&[Self::Scalar]),
    );

    /// The declared kinetic energy.
    fn declared_kinetic_energy(
        lifted: &Self::Lifted,
        term: usize,
        t: Dual<Self::Scalar>,
        q: &<Self::Lifted as MechanicalSystem>::Configuration,
        v: &<Self::Lifted as MechanicalSystem>::Velocity,
    ) -> Dual<Self::Scalar>;
    /// The sum of the declared potentials.
    fn declared_potential_energy(
        lifted: &Self::Lifted,
        term: usize,
        t: Dual<Self::Scalar>,
        q: &<Self::Lifted as MechanicalSystem>::Configuration,
    ) -> Dual<Self::Scalar>;
    /// The sum of the declared dissipation functions.
    fn declared_dissipation(
        lifted: &Self::Lifted,
        term: usize,
        t: Dual<Self::Scalar>,
        q: &<Self::Lifted as MechanicalSystem>::Configuration,
        v: &<Self::Lifted as MechanicalSystem>::Velocity,
    ) -> Dual<Self::Scalar>;
    /// Adds the declared generalised forces on members and on the whole velocity to `out`, the term's own components.
    fn declared_force(
        lifted: &Self::Lifted,
        term: usize,
        t: Dual<Self::Scalar>,
        q: &<Self::Lifted as MechanicalSystem>::Configuration,
        v: &<Self::Lifted as MechanicalSystem>::Velocity,
        out: &mut [Dual<Self::Scalar>],
    );
    /// Visits each spatial force with the quantity it acts at.
    #[allow(clippy::type_complexity)] // (force, quantity).
    fn declared_spatial_forces(
        lifted: &Self::Lifted,
        term: usize,
        t: Dual<Self::Scalar>,
        q: &<Self::Lifted as MechanicalSystem>::Configuration,
        v: &<Self::Lifted as MechanicalSystem>::Velocity,
        visit: &mut dyn FnMut(&[Dual<Self::Scalar>], &[Dual<Self::Scalar>]),
    );
    /// Adds the declared constraints to `out`, the term's own rows: Φ, and A v + b in the rows of velocity constraints (unless
    /// `holonomic_only`).
    fn declared_constraint(
        lifted: &Self::Lifted,
        term: usize,
        t: Dual<Self::Scalar>,
        q: &<Self::Lifted as MechanicalSystem>::Configuration,
        v: &<Self::Lifted as MechanicalSystem>::Velocity,
        holonomic_only: bool,
        out: &mut [Dual<Self::Scalar>],
    );
    /// Visits the declared quantities with their names, in the order of [`quantity_rates`](DualModel::quantity_rates).
    #[allow(clippy::type_complexity)] // (name, components).
    fn declared_quantities(
        lifted: &Self::Lifted,
        term: usize,
        t: Dual<Self::Scalar>,
        q: &<Self::Lifted as MechanicalSystem>::Configuration,
        visit: &mut dyn FnMut(&str, &[Dual<Self::Scalar>]),
    );
}

/// q exp(ε w): a configuration on dual numbers, turned along a direction.
pub(super) fn turned<M: DualModel>(
    system: &M,
    lifted: &M::Lifted,
    q: &<M::Lifted as MechanicalSystem>::Configuration,
    direction: &M::Velocity,
) -> <M::Lifted as MechanicalSystem>::Configuration {
    let mut turned = q.clone();
    lifted.space().compose_exp(q, &along(system, direction), &mut turned);
    turned
}

/// ε w.
pub(super) fn along<M: DualModel>(system: &M, direction: &M::Velocity) -> <M::Lifted as MechanicalSystem>::Velocity {
    let mut lifted = system.lift_velocity(direction);
    lifted.scale(Dual { re: M::Scalar::from_f64(0.0), eps: M::Scalar::from_f64(1.0) });
    lifted
}

/// Time and configuration a moment later, at the velocity `v`.
#[allow(clippy::type_complexity)] // (time, configuration) on dual numbers.
pub fn moment_later<M: DualModel>(
    system: &M,
    lifted: &M::Lifted,
    (t, q, v): (M::Scalar, &M::Configuration, &M::Velocity),
) -> (Dual<M::Scalar>, <M::Lifted as MechanicalSystem>::Configuration) {
    (Dual { re: t, eps: M::Scalar::from_f64(1.0) }, turned(system, lifted, &system.lift_configuration(q), v))
}
