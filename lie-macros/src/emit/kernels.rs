//! The list of kernels of a system.

use super::linear::Structure;
use crate::derive::Equations;
use crate::graph::{Dependence, Graph, Kernel, Scalar};

/// The outputs of every kernel that a system has.
pub(crate) struct Kernels {
    pub list: Vec<(&'static str, Vec<Scalar>)>,
}

impl Kernels {
    /// All kernels of `equations`.
    pub fn new(equations: &mut Equations, structure: &Structure) -> Kernels {
        let mass: Vec<Scalar> =
            structure.mass_inverse.keys().map(|&(row, column)| equations.inertia.mass[row][column]).collect();
        let linearisation = &equations.linearisation;
        let mut list = vec![
            ("mass", mass),
            ("force", equations.force.clone()),
            ("constraint", equations.constraints.residual.clone()),
            ("constraint_jacobian", structure.jacobian.clone()),
            ("constraint_drift", equations.constraints.drift.clone()),
            ("constraint_curvature", equations.constraints.curvature.clone()),
            ("kinetic_energy", vec![equations.kinetic_energy]),
            ("potential_energy", vec![equations.potential_energy]),
            ("residual", linearisation.residual.clone()),
            ("mass_matrix", equations.inertia.mass.concat()),
            ("tangent_stiffness", linearisation.stiffness.concat()),
            ("tangent_damping", linearisation.damping.concat()),
            ("jacobian_matrix", equations.constraints.jacobian.concat()),
            ("rate_gradient", linearisation.rate_gradient.concat()),
            ("schur", [structure.schur.clone(), structure.schur_right.clone()].concat()),
            ("solve_mass", structure.free.clone()),
            ("acceleration", structure.acceleration.clone()),
            ("jacobian_times", structure.times.clone()),
            ("jacobian_transpose_times", structure.transpose_times.clone()),
        ];
        if let Ok(legendre) = &equations.legendre {
            list.extend([
                ("body_velocity", structure.body_velocity.clone()),
                ("spatial_momentum", legendre.momentum.clone()),
                ("hamiltonian", vec![legendre.hamiltonian]),
                ("hamiltonian_derivatives", [legendre.velocity.clone(), legendre.force.clone()].concat()),
            ]);
        }
        Kernels::factored(&mut equations.graph, list)
    }

    /// The kernels of one kind of elements.
    pub fn of_element(equations: &mut Equations) -> Kernels {
        let linearisation = &equations.linearisation;
        let list = vec![
            ("mass", equations.inertia.mass.concat()),
            ("force", equations.force.clone()),
            ("constraint", equations.constraints.residual.clone()),
            ("constraint_jacobian", equations.constraints.jacobian.concat()),
            ("constraint_drift", equations.constraints.drift.clone()),
            ("constraint_curvature", equations.constraints.curvature.clone()),
            ("kinetic_energy", vec![equations.kinetic_energy]),
            ("potential_energy", vec![equations.potential_energy]),
            ("residual", linearisation.residual.clone()),
            ("stiffness", linearisation.stiffness.concat()),
            ("damping", linearisation.damping.concat()),
            ("rate_gradient", linearisation.rate_gradient.concat()),
        ];
        Kernels::factored(&mut equations.graph, list)
    }

    /// The kernels of one kind of terms over frames.
    pub fn of_frames(equations: &mut Equations) -> Kernels {
        let list = vec![
            ("mass", equations.inertia.mass.concat()),
            ("residual", equations.linearisation.residual.clone()),
            ("kinetic_energy", vec![equations.kinetic_energy]),
            ("potential_energy", vec![equations.potential_energy]),
        ];
        Kernels::factored(&mut equations.graph, list)
    }

    /// With common factors taken out of sums.
    fn factored(graph: &mut Graph, list: Vec<(&'static str, Vec<Scalar>)>) -> Kernels {
        let dependences = graph.dependences();
        let constant = |node| {
            dependences.get(Graph::index(node)).is_some_and(|dependence| dependence.within(Dependence::PARAMETERS))
        };
        let list = list.into_iter().map(|(name, outputs)| (name, graph.factored(&outputs, constant))).collect();
        Kernels { list }
    }

    /// The outputs of a kernel.
    pub fn outputs(&self, name: &str) -> &[Scalar] {
        self.list.iter().find(|(known, _)| *known == name).map_or(&[], |(_, outputs)| outputs)
    }

    /// The outputs of all kernels.
    pub fn all(&self) -> Vec<Vec<Scalar>> {
        self.list.iter().map(|(_, outputs)| outputs.clone()).collect()
    }

    /// Scalar operations of a kernel, hoisted values given.
    pub fn operations(graph: &Graph, outputs: &[Scalar], given: impl Fn(Scalar) -> bool + Copy) -> usize {
        Kernel::new(graph, outputs, given).operations(graph, given)
    }
}
