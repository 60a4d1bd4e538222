//! Declared functions on dual numbers, and the lift of a system to dual numbers.

use super::{CheckPoint, Linearised, MechanicalSystem, Momentum, TransformedPoint};
use crate::group::TangentVector;
use crate::scalar::{Dual, Scalar};
use crate::space::ConfigurationSpace;

/// A term of the sum that forms a system: the whole system if it has no elements, one element of a chain, or a term over frames.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Summand {
    /// The functions and their selection; empty if the system has one term only.
    pub name: String,
    /// For each component of the term, the component of the system's velocity; `None` for clamped members.
    pub components: Vec<Option<usize>>,
    /// For each constraint row of the term, the row of the system's multipliers.
    pub rows: Vec<usize>,
}

impl Summand {
    /// Returns the components of the system's velocity on which the term depends, without repetition.
    pub fn free(&self) -> impl Iterator<Item = usize> + '_ {
        // Both ends of a chain of length one are the same member.
        let earlier = |at: usize| &self.components[..at];
        let components = self.components.iter().enumerate();
        components
            .filter(move |&(at, component)| !earlier(at).contains(component))
            .filter_map(|(_, component)| *component)
    }
}

/// The generated residual r and its derivatives; matrices in column-major order.
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
    /// Evaluates the residual and its derivatives of a system with a linearisation.
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

/// The part of the equations of motion to which a declared function belongs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DeclaredKind {
    /// T.
    KineticEnergy,
    /// V.
    PotentialEnergy,
    /// R.
    Dissipation,
    /// A generalised force on members or on the whole velocity.
    Force,
    /// A force that acts at a quantity or on a frame.
    SpatialForce,
    /// Φ.
    Constraint,
    /// A v + b.
    VelocityConstraint,
    /// A quantity.
    Quantity,
}

/// The value of a declared function.
#[derive(Clone, Copy, Debug)]
pub struct DeclaredValue<'a, S> {
    /// The name of a quantity, otherwise empty.
    pub name: &'a str,
    /// Its first component in the velocity of the term, or its first row in the constraints of the term.
    pub offset: usize,
    /// An energy, or the components of a vector.
    pub rows: &'a [S],
    /// The coordinates of the quantity or frame on which a spatial force acts, otherwise empty.
    pub place: &'a [S],
}

impl<'a, S> DeclaredValue<'a, S> {
    /// Creates a value without name and place, which begins at the first component.
    pub fn of(rows: &'a [S]) -> Self {
        Self { name: "", offset: 0, rows, place: &[] }
    }

    /// Adds the components at their place in the vector of the term.
    pub(super) fn add_to(&self, vector: &mut [S])
    where
        S: Scalar,
    {
        for (entry, row) in vector[self.offset..].iter_mut().zip(self.rows) {
            *entry += *row;
        }
    }
}

/// A system whose declared functions can be evaluated on dual numbers, as they are written.
///
/// Systems declared with `#[mechanical_system(derivative_check)]` implement this trait. Declared functions are evaluated term by term, in
/// the order of [`terms`](DualModel::terms).
pub trait DualModel: Momentum {
    /// The system on dual numbers.
    type Lifted: DualModel<Scalar = Dual<Self::Scalar>>;

    /// Lifts the system; the parameters have no derivatives.
    fn lift(&self) -> Self::Lifted;
    /// Lifts the system; inputs that depend on the state have the values of this system at (t, q, v).
    fn lift_at(&self, t: Self::Scalar, q: &Self::Configuration, v: &Self::Velocity) -> Self::Lifted {
        let _ = (t, q, v);
        self.lift()
    }
    /// Lifts a configuration without derivatives.
    fn lift_configuration(&self, q: &Self::Configuration) -> <Self::Lifted as MechanicalSystem>::Configuration;
    /// Lifts a velocity without derivatives.
    fn lift_velocity(&self, v: &Self::Velocity) -> <Self::Lifted as MechanicalSystem>::Velocity;

    /// Returns the generated Hamiltonian at the momentum of v; `None` without a Hamiltonian, or if M(q) is singular.
    fn legendre_transformed(
        &self,
        q: &Self::Configuration,
        v: &Self::Velocity,
    ) -> Option<TransformedPoint<Self::Velocity>> {
        let _ = (q, v);
        None
    }
    /// Returns the generated linearisation; `None` for a system without a linearisation.
    fn linearised(&self, at: CheckPoint<'_, Self>) -> Option<ResidualDerivatives<Self::Scalar>>
    where
        Self: Sized,
    {
        let _ = at;
        None
    }
    /// Returns the terms whose sum forms the system: elements, then the recursion of frames and the terms over frames.
    fn terms(&self) -> Vec<Summand> {
        vec![Summand {
            name: String::new(),
            components: (0..self.dof()).map(Some).collect(),
            rows: (0..self.constraint_rows()).collect(),
        }]
    }
    /// Returns the name of component `component` of a velocity.
    fn component_name(&self, component: usize) -> String {
        let members = &self.description().members;
        match members.iter().find(|member| (member.offset..member.offset + member.dof).contains(&component)) {
            Some(member) => format!("component {} of `{}`", component - member.offset, member.name),
            None => format!("component {component}"),
        }
    }

    /// Computes the generated D_q (B v + b) of a term in row-major order. Otherwise only eliminations call this kernel.
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

    /// Visits the declared values of one kind, at the state (t, q, v) on dual numbers. Quantities have the order of
    /// [`quantity_rates`](DualModel::quantity_rates).
    #[allow(clippy::type_complexity)] // (t, q, v).
    fn declared_values(
        lifted: &Self::Lifted,
        wanted: DeclaredKind,
        term: usize,
        state: (
            Dual<Self::Scalar>,
            &<Self::Lifted as MechanicalSystem>::Configuration,
            &<Self::Lifted as MechanicalSystem>::Velocity,
        ),
        visit: &mut dyn FnMut(DeclaredValue<'_, Dual<Self::Scalar>>),
    );
}

/// Returns q exp(ε w), a configuration on dual numbers that is displaced along a direction.
pub(super) fn displaced<M: DualModel>(
    system: &M,
    lifted: &M::Lifted,
    q: &<M::Lifted as MechanicalSystem>::Configuration,
    direction: &M::Velocity,
) -> <M::Lifted as MechanicalSystem>::Configuration {
    let mut displaced = q.clone();
    lifted.space().compose_exp(q, &along(system, direction), &mut displaced);
    displaced
}

/// Returns ε w.
pub(super) fn along<M: DualModel>(system: &M, direction: &M::Velocity) -> <M::Lifted as MechanicalSystem>::Velocity {
    let mut lifted = system.lift_velocity(direction);
    lifted.scale(Dual { re: M::Scalar::from_f64(0.0), eps: M::Scalar::from_f64(1.0) });
    lifted
}

/// Returns time and configuration on dual numbers with the derivatives t' = 1 and the velocity `v`.
#[allow(clippy::type_complexity)] // (time, configuration) on dual numbers.
pub fn lift_motion<M: DualModel>(
    system: &M,
    lifted: &M::Lifted,
    (t, q, v): (M::Scalar, &M::Configuration, &M::Velocity),
) -> (Dual<M::Scalar>, <M::Lifted as MechanicalSystem>::Configuration) {
    (Dual { re: t, eps: M::Scalar::from_f64(1.0) }, displaced(system, lifted, &system.lift_configuration(q), v))
}
