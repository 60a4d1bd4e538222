//! Mass matrix, inverse and forward dynamics at a state.

use lie_runtime::analysis::{DynamicsError, StateDynamics};
use lie_runtime::dynamic::{DynamicConfiguration, DynamicSystem};
use lie_runtime::nalgebra::DVector;
use lie_runtime::system::MechanicalSystem;
use numpy::PyArrayDyn;
use pyo3::prelude::*;

use crate::arrays::array;
use crate::errors::{of_analysis, of_model};
use crate::run::{Input, with_inputs};

/// Returns a term of the equations of motion at a time and a state: the mass matrix, or a vector with the components of the velocity, in the
/// order of the members.
///
/// `vector` is the acceleration of inverse dynamics, or the forces of forward dynamics.
pub fn dynamics<'py>(
    py: Python<'py>,
    system: &DynamicSystem,
    term: &str,
    (time, q, v): (f64, &DynamicConfiguration, &DVector<f64>),
    vector: &DVector<f64>,
    inputs: &[Input],
) -> PyResult<Bound<'py, PyArrayDyn<f64>>> {
    let system = with_inputs(system, inputs).map_err(|error| of_model(error, None).into_error(py))?;
    let members = &system.description().members;
    let order: Vec<usize> = members.iter().flat_map(|member| member.offset..member.offset + member.dof).collect();
    let by_member = |vector: &DVector<f64>| order.iter().map(|&at| vector[at]).collect();
    let found: Result<Vec<f64>, _> = py.detach(|| {
        let mut dynamics = StateDynamics::of(&system);
        match term {
            "mass_matrix" => dynamics.mass_matrix(time, q).map(|matrix| {
                // Auxiliary states have no inertia.
                let rows = || order.iter().filter(|&&at| at < matrix.nrows());
                rows().flat_map(|&row| rows().map(move |&column| (row, column))).map(|at| matrix[at]).collect()
            }),
            "inverse" => dynamics.inverse(time, q, v, vector).map(by_member),
            "forward" => dynamics.forward_with(time, q, v, vector).map(|(acceleration, _)| by_member(acceleration)),
            "bias" => dynamics.bias(time, q, v).map(by_member),
            _ => dynamics.potential_gradient(time, q).map(by_member),
        }
    });
    let failed = |error: DynamicsError| of_analysis("DynamicsError", error.to_string()).into_error(py);
    let found = found.map_err(failed)?;
    let shape = if term == "mass_matrix" { vec![found.len().isqrt(); 2] } else { vec![found.len()] };
    array(py, &shape, found)
}
