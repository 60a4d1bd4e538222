//! Models and systems.

use std::path::PathBuf;

use lie_runtime::dynamic::{
    DynamicConfiguration, DynamicModel, DynamicParameterKind, DynamicSystem, ModelLengths, RobotOptions,
};
use lie_runtime::gradient::Variable;
use lie_runtime::nalgebra::DVector;
use numpy::{PyArrayDyn, PyReadonlyArray1};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};

use crate::analysis;
use crate::compiled::with_library;
use crate::dynamics;
use crate::errors;
use crate::run::{self, Input, Settings};

/// Names and contiguous arrays of `float64`.
pub type Named<'py> = Vec<(String, PyReadonlyArray1<'py, f64>)>;

/// Returns the slices of named arrays.
pub fn slices<'a>(named: &'a Named<'_>) -> PyResult<Vec<(&'a str, &'a [f64])>> {
    named.iter().map(|(name, array)| Ok((name.as_str(), array.as_slice()?))).collect()
}

/// The name of a configuration, and the scalars of its members by name.
type Keyframe = (String, Vec<(String, Vec<f64>)>);

/// A compiled model.
#[pyclass(frozen, module = "liemech._native")]
pub struct Model {
    model: DynamicModel,
}

/// The length of a list, the parents of frames, or the members that a list connects.
#[derive(FromPyObject)]
enum ListLength {
    Length(usize),
    Parents(Vec<Option<usize>>),
    Connections(Vec<Vec<usize>>),
}

#[pymethods]
impl Model {
    /// Compiles a declaration with these lengths of its lists; `file` is its name in error messages.
    #[new]
    #[pyo3(signature = (text, file, lengths))]
    fn new(py: Python<'_>, text: &str, file: Option<&str>, lengths: Vec<(String, ListLength)>) -> PyResult<Self> {
        let lengths = lengths.into_iter().fold(ModelLengths::new(), |lengths, (name, length)| match length {
            ListLength::Length(length) => lengths.length(&name, length),
            // An empty sequence of both kinds: there is at least one frame.
            ListLength::Parents(none) if none.is_empty() => lengths.connections(&name, [[0; 0]; 0]),
            ListLength::Parents(parents) => lengths.parents(&name, parents),
            ListLength::Connections(tuples) => lengths.connections(&name, tuples),
        });
        let compile = || DynamicModel::from_text_with(text, &lengths).map_err(|error| errors::of_model(error, file));
        let model = py.detach(compile);
        Ok(Model { model: model.map_err(|report| report.into_error(py))? })
    }

    /// Returns the kernels as a program in C.
    fn c_source(&self) -> String {
        self.model.c_source()
    }

    /// Returns the model with the kernels of a library that has been compiled from its program.
    fn with_library(&self, path: PathBuf) -> PyResult<Self> {
        Ok(Model { model: with_library(&self.model, &path)? })
    }

    /// Reads a robot file with the options of the attribute.
    #[staticmethod]
    fn robot(py: Python<'_>, path: &str, language: &str, options: Vec<(String, String)>) -> PyResult<Self> {
        let mut robot_options = RobotOptions::default();
        for (name, value) in &options {
            robot_options.set(name, value).map_err(|mistake| PyValueError::new_err(mistake.to_string()))?;
        }
        let read = || match language {
            "urdf" => DynamicModel::from_urdf(path, &robot_options),
            _ => DynamicModel::from_mjcf(path, &robot_options),
        };
        let model = py.detach(|| read().map_err(|error| errors::of_model(error, None)));
        Ok(Model { model: model.map_err(|report| report.into_error(py))? })
    }

    /// The assumptions about a robot file that change the motion.
    #[getter]
    fn warnings(&self) -> Vec<String> {
        self.model.warnings().to_vec()
    }

    /// The parts of a robot file that have no effect on the motion.
    #[getter]
    fn ignored(&self) -> Vec<&'static str> {
        self.model.description().ignored.to_vec()
    }

    /// The declaration of a robot file.
    #[getter]
    fn declaration(&self) -> &str {
        self.model.declaration()
    }

    /// The configurations of a robot file by name, each with the scalars of its members.
    fn keyframes(&self) -> Vec<Keyframe> {
        let values = |name: &&str| {
            let members = self.model.keyframe(name).unwrap_or_default();
            members.into_iter().map(|(member, scalars)| (member.to_owned(), scalars.to_vec())).collect()
        };
        let names = self.model.keyframe_names();
        names.iter().map(|name| ((*name).to_owned(), values(name))).collect()
    }

    /// The name of the module.
    #[getter]
    fn name(&self) -> &str {
        self.model.name()
    }

    /// The names of the parameters, each with kind, shape, documentation and unit.
    fn parameters<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let found = PyDict::new(py);
        for parameter in self.model.parameters() {
            let kind = match parameter.kind {
                DynamicParameterKind::Flag => "flag",
                DynamicParameterKind::Integer => "integer",
                DynamicParameterKind::Element(group) => group,
                _ => "real",
            };
            let shape = PyTuple::new(py, &parameter.shape)?;
            found.set_item(parameter.name, (kind, shape, parameter.documentation, parameter.unit))?;
        }
        Ok(found)
    }

    /// The paths of the elements of a configuration, each with its group and its dimension.
    fn members<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let found = PyDict::new(py);
        for member in &*self.model.description().members {
            found.set_item(member.name, (member.group, member.dof))?;
        }
        Ok(found)
    }

    /// The names of the constraints, each with its number of rows.
    fn constraints<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let found = PyDict::new(py);
        for constraint in &*self.model.description().constraints {
            found.set_item(constraint.name, constraint.rows)?;
        }
        Ok(found)
    }

    /// The names of the observables.
    #[getter]
    fn observables(&self) -> Vec<&'static str> {
        self.model.description().observables.to_vec()
    }

    /// The names of the events.
    #[getter]
    fn events(&self) -> Vec<&'static str> {
        self.model.description().events.to_vec()
    }

    /// Returns the system with these parameters.
    fn system(&self, py: Python<'_>, parameters: Named<'_>) -> PyResult<System> {
        let system = self.model.system(slices(&parameters)?);
        Ok(System { system: system.map_err(|error| errors::of_model(error, None).into_error(py))? })
    }
}

/// A model with its parameters.
#[pyclass(frozen, module = "liemech._native")]
pub struct System {
    system: DynamicSystem,
}

#[pymethods]
impl System {
    /// Runs a simulation and returns its data; `failure` and `interrupt` contain the reasons of an early end.
    fn simulate<'py>(
        &self,
        py: Python<'py>,
        q0: Named<'py>,
        v0: Named<'py>,
        settings: Settings,
    ) -> PyResult<Bound<'py, PyDict>> {
        let initial = self.state(py, &q0, &v0)?;
        run::simulate(py, &self.system, initial, settings)
    }

    /// Returns a term of the equations of motion.
    #[allow(clippy::too_many_arguments)] // Those of the methods in Python.
    fn dynamics<'py>(
        &self,
        py: Python<'py>,
        term: &str,
        q0: Named<'py>,
        v0: Named<'py>,
        vector: Named<'py>,
        time: f64,
        inputs: Vec<Input>,
    ) -> PyResult<Bound<'py, PyArrayDyn<f64>>> {
        let (q, v) = self.state(py, &q0, &v0)?;
        let vector = self.system.velocity(slices(&vector)?);
        let vector = vector.map_err(|error| errors::of_model(error, None).into_error(py))?;
        dynamics::dynamics(py, &self.system, term, (time, &q, &v), &vector, &inputs)
    }

    /// Returns the values of the static equilibrium close to a configuration.
    fn equilibrium<'py>(
        &self,
        py: Python<'py>,
        q0: Named<'py>,
        time: f64,
        inputs: Vec<Input>,
    ) -> PyResult<Bound<'py, PyDict>> {
        let (guess, _) = self.state(py, &q0, &vec![])?;
        analysis::equilibrium(py, &self.system, guess, time, &inputs)
    }

    /// Returns the matrices and the modes of small deviations from a steady motion.
    #[allow(clippy::too_many_arguments)] // Those of the method in Python.
    fn linearise<'py>(
        &self,
        py: Python<'py>,
        q0: Named<'py>,
        v0: Named<'py>,
        time: f64,
        inputs: Vec<Input>,
        outputs: Vec<String>,
        spin: Named<'py>,
    ) -> PyResult<Bound<'py, PyDict>> {
        let (q, v) = self.state(py, &q0, &v0)?;
        let spin = if spin.is_empty() { None } else { Some(self.state(py, &vec![], &spin)?.1) };
        analysis::linearise(py, &self.system, (&q, &v, spin), time, (&inputs, outputs))
    }

    /// Returns the names of the components of variables of differentiation.
    fn variables(&self, py: Python<'_>, names: Vec<String>) -> PyResult<Vec<String>> {
        let variables = Variable::named(&self.system, &names);
        let variables = variables.map_err(|error| errors::of_sensitivity(error.to_string()).into_error(py))?;
        Ok(variables.into_iter().map(|(name, _)| name).collect())
    }

    /// Returns the number of scalars of a value of states.
    fn size_of_value(&self, py: Python<'_>, name: &str) -> PyResult<usize> {
        let value = self.system.state_value(name).map_err(|error| errors::of_model(error, None).into_error(py));
        Ok(value?.size())
    }

    /// Returns the periodic orbit close to a state.
    #[allow(clippy::too_many_arguments)] // Those of the method in Python.
    fn periodic_orbit<'py>(
        &self,
        py: Python<'py>,
        q0: Named<'py>,
        v0: Named<'py>,
        period: (f64, bool),
        time: f64,
        steps: usize,
        tolerance: f64,
        inputs: Vec<Input>,
    ) -> PyResult<Bound<'py, PyDict>> {
        let state = self.state(py, &q0, &v0)?;
        analysis::orbit(py, &self.system, state, (period.0, period.1, time), (steps, tolerance), &inputs)
    }
}

impl System {
    fn state(&self, py: Python<'_>, q0: &Named<'_>, v0: &Named<'_>) -> PyResult<(DynamicConfiguration, DVector<f64>)> {
        let of_state = |error| errors::of_model(error, None).into_error(py);
        let configuration = self.system.configuration(slices(q0)?).map_err(of_state)?;
        let velocity = self.system.velocity(slices(v0)?).map_err(of_state)?;
        Ok((configuration, velocity))
    }
}
