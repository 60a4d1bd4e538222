//! Static equilibria, linearisations and modes.

use std::sync::{Mutex, PoisonError};

use lie_runtime::analysis::{Equilibrium, Linearisation, Mode, PeriodicOrbit};
use lie_runtime::dynamic::{DynamicConfiguration, DynamicSystem};
use lie_runtime::nalgebra::{Complex, DMatrix, DVector};
use lie_runtime::simulate::Sampled;
use lie_runtime::system::MechanicalSystem;
use numpy::PyArrayDyn;
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::arrays::{Columns, array};
use crate::errors::{of_analysis, of_model};
use crate::run::{Input, with_inputs};

/// Returns the values of the equilibrium close to a configuration, and the cost and accuracy of the search.
pub fn equilibrium<'py>(
    py: Python<'py>,
    system: &DynamicSystem,
    guess: DynamicConfiguration,
    time: f64,
    inputs: &[Input],
) -> PyResult<Bound<'py, PyDict>> {
    let system = &with_inputs(system, inputs).map_err(|error| of_model(error, None).into_error(py))?;
    let found = py.detach(|| {
        let solved = Equilibrium::of(system).guess(guess).at_time(time).solve();
        solved.map_err(|error| of_analysis("EquilibriumError", error.to_string()))
    });
    let found = found.map_err(|report| report.into_error(py))?;
    let sample = Sampled::<DynamicSystem>::sample(system, &found.state);
    let result = PyDict::new(py);
    result.set_item("columns", Columns::of(std::iter::once(sample)).into_arrays(py)?)?;
    result.set_item("iterations", found.iterations)?;
    result.set_item("force", found.force)?;
    result.set_item("constraint", found.constraint)?;
    Ok(result)
}

/// Returns the matrices and the modes of small deviations from a steady motion.
pub fn linearise<'py>(
    py: Python<'py>,
    system: &DynamicSystem,
    (q, v, spin): (&DynamicConfiguration, &DVector<f64>, Option<DVector<f64>>),
    time: f64,
    (inputs, outputs): (&[Input], Vec<String>),
) -> PyResult<Bound<'py, PyDict>> {
    let system = &with_inputs(system, inputs).map_err(|error| of_model(error, None).into_error(py))?;
    let computed = py.detach(|| {
        let failed = |message| of_analysis("LinearisationError", message);
        let mut builder = Linearisation::of(system);
        if let Some(spin) = spin {
            builder = builder.spin(spin);
        }
        if !inputs.is_empty() {
            builder = builder.inputs(inputs.iter().map(|(name, ..)| name.clone()));
        }
        if !outputs.is_empty() {
            builder = builder.outputs(outputs);
        }
        let linear = builder.at(time, q, v).map_err(|error| failed(error.to_string()))?;
        let modes = linear.modes().map_err(|error| failed(error.to_string()))?;
        Ok((linear, modes))
    });
    let (linear, modes) = computed.map_err(|report: crate::errors::Report| report.into_error(py))?;
    let result = PyDict::new(py);
    result.set_item("state_matrix", matrix(py, &linear.state_matrix())?)?;
    result.set_item("coordinates", linear.shapes.ncols())?;
    result.set_item("inputs", &linear.inputs)?;
    result.set_item("input_matrix", matrix(py, &linear.state_input_matrix())?)?;
    result.set_item("outputs", &linear.outputs)?;
    result.set_item("output_matrix", matrix(py, &linear.output_matrix)?)?;
    result.set_item("feedthrough", matrix(py, &linear.feedthrough)?)?;
    for (name, basis) in [("coordinate_basis", &linear.shapes), ("speed_basis", &linear.speeds)] {
        let by_member = PyDict::new(py);
        for member in &*system.description().members {
            by_member.set_item(member.name, matrix(py, &basis.rows(member.offset, member.dof).into_owned())?)?;
        }
        result.set_item(name, by_member)?;
    }
    let eigenvalues = modes.iter().map(|mode| mode.eigenvalue).collect();
    result.set_item("eigenvalues", array(py, &[modes.len()], eigenvalues)?)?;
    let shapes = PyDict::new(py);
    for member in &*system.description().members {
        let components = |mode: &Mode| -> Vec<Complex<f64>> {
            (member.offset..member.offset + member.dof).map(|component| mode.shape[component]).collect()
        };
        shapes.set_item(
            member.name,
            array(py, &[modes.len(), member.dof], modes.iter().flat_map(components).collect())?,
        )?;
    }
    result.set_item("shapes", shapes)?;
    Ok(result)
}

/// Returns the periodic orbit close to a state. `period` is an estimate, or the period of the drive if `is_driven`.
pub fn orbit<'py>(
    py: Python<'py>,
    system: &DynamicSystem,
    (q, v): (DynamicConfiguration, DVector<f64>),
    (period, is_driven, time): (f64, bool, f64),
    (steps, tolerance): (usize, f64),
    inputs: &[Input],
) -> PyResult<Bound<'py, PyDict>> {
    let system = &with_inputs(system, inputs).map_err(|error| of_model(error, None).into_error(py))?;
    // The function is called again after it has stopped the search.
    let interrupt = Mutex::new(None);
    let is_interrupted = || {
        let mut interrupt = interrupt.lock().unwrap_or_else(PoisonError::into_inner);
        if interrupt.is_none() {
            *interrupt = Python::attach(|py| py.check_signals()).err();
        }
        interrupt.is_some()
    };
    let found = py.detach(|| {
        let search = PeriodicOrbit::of(system).guess(q, v).start_time(time).steps(steps).tolerance(tolerance);
        let search = if is_driven { search.period(period) } else { search.period_guess(period) };
        search.stop_when(is_interrupted).solve().map_err(|error| of_analysis("OrbitError", error.to_string()))
    });
    let found = found.map_err(|report| {
        let interrupt = interrupt.into_inner().unwrap_or_else(PoisonError::into_inner);
        interrupt.unwrap_or_else(|| report.into_error(py))
    })?;
    let sample = Sampled::<DynamicSystem>::sample(system, &found.state);
    let result = PyDict::new(py);
    result.set_item("columns", Columns::of(std::iter::once(sample)).into_arrays(py)?)?;
    result.set_item("period", found.period)?;
    result.set_item("defect", found.defect)?;
    result.set_item("iterations", found.iterations)?;
    result.set_item("growth", found.growth())?;
    result.set_item("monodromy", matrix(py, &found.monodromy)?)?;
    result.set_item("multipliers", array(py, &[found.multipliers.len()], found.multipliers)?)?;
    Ok(result)
}

fn matrix<'py>(py: Python<'py>, matrix: &DMatrix<f64>) -> PyResult<Bound<'py, PyArrayDyn<f64>>> {
    array(py, &[matrix.nrows(), matrix.ncols()], matrix.transpose().as_slice().to_vec())
}
