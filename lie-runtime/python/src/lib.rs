//! The native part of the Python package `liemech`: models, runs and methods.
//!
//! Classes and functions here return arrays and plain data. The Python part names and documents them.

// Unsafe blocks are in `compiled` and in the macros of PyO3 only.
#![deny(unsafe_code)]

mod analysis;
mod animation;
mod arrays;
mod compiled;
mod dynamics;
mod errors;
mod events;
mod model;
mod remedies;
mod run;

use pyo3::prelude::*;

#[pymodule]
mod _native {
    use pyo3::prelude::*;
    use pyo3::types::PyDict;

    #[pymodule_export]
    use crate::animation::Animation;
    #[pymodule_export]
    use crate::model::{Model, System};

    #[pymodule_init]
    fn init(_module: &Bound<'_, PyModule>) -> PyResult<()> {
        crate::remedies::set();
        Ok(())
    }

    /// Returns the information about all integration methods for mechanical systems.
    #[pyfunction]
    fn methods(py: Python<'_>) -> PyResult<Vec<Bound<'_, PyDict>>> {
        crate::run::methods(py)
    }
}
