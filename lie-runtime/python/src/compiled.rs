//! Kernels from a shared library that a C compiler has created from `DynamicModel::c_source`.
//!
//! This is the only module with `unsafe` blocks. It loads a library and calls its functions.

#![allow(unsafe_code)]

use std::path::Path;
use std::sync::Arc;

use libloading::Library;
use lie_runtime::dynamic::{CompiledKernel, DynamicModel};
use pyo3::exceptions::PyOSError;
use pyo3::prelude::*;

/// The signature of a kernel: values, outputs.
type KernelFunction = unsafe extern "C" fn(*const f64, *mut f64);

/// Returns the model with the kernels of a library. The library must have been created from the program of this model.
pub fn with_library(model: &DynamicModel, path: &Path) -> PyResult<DynamicModel> {
    let of_library = |error: libloading::Error| PyOSError::new_err(format!("{}: {error}", path.display()));
    // SAFETY: the program defines functions and one constant: loading its library runs no code of it.
    let library = Arc::new(unsafe { Library::new(path) }.map_err(of_library)?);
    // SAFETY: a symbol of this name is a constant of this type in every such program. It is read while the library is loaded.
    let key = unsafe { **library.get::<*const u64>(b"lie_program_key").map_err(of_library)? };
    if key != model.c_key() {
        return Err(PyOSError::new_err(format!("{}: the library belongs to another model", path.display())));
    }
    Ok(model.with_compiled(|name| {
        // SAFETY: the key is equal, so that every function of this name has this signature.
        let function: KernelFunction = *unsafe { library.get::<KernelFunction>(name.as_bytes()) }.ok()?;
        let kernel = LoadedKernel { function, _library: Arc::clone(&library) };
        Some(CompiledKernel::new(move |values, outputs| kernel.call(values, outputs)))
    }))
}

/// A function, with the library that must not be closed before.
struct LoadedKernel {
    function: KernelFunction,
    _library: Arc<Library>,
}

impl LoadedKernel {
    fn call(&self, values: &[f64], outputs: &mut [f64]) {
        // SAFETY: the library is open. Its key is equal to the key of the program, so that the function reads and writes as many values as the
        // kernel has, and the slices have these lengths.
        unsafe { (self.function)(values.as_ptr(), outputs.as_mut_ptr()) }
    }
}
