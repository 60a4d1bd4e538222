//! Kernels as C, and their execution from machine code.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::Arc;

use lie_compiler::tape::C_HEAD;

use super::DynamicModel;
use super::tape::CompiledKernel;

impl DynamicModel {
    /// Returns a C program with a function `void kernel_0(const double *x, double *y)` for each kernel, and further numbers.
    ///
    /// Kernels with logarithms of rotations, Stumpff functions or their derivatives have no function.
    #[doc(alias = "code generation")]
    pub fn c_source(&self) -> String {
        let text = self.c_kernels();
        let key = hash(&text);
        text + &format!("\nEXPORT const unsigned long long lie_program_key = {key}ULL;\n")
    }

    /// Returns the value of the constant `lie_program_key` in the program.
    pub fn c_key(&self) -> u64 {
        hash(&self.c_kernels())
    }

    fn c_kernels(&self) -> String {
        let kernels = self.data.kernels.all.iter().enumerate();
        kernels
            .filter_map(|(at, kernel)| kernel.tape.c_function(&name(at)))
            .fold(C_HEAD.to_owned(), |text, kernel| text + &kernel)
    }

    /// Returns the model with kernels in machine code. `find` returns the function with a name of [`c_source`](Self::c_source), if the
    /// program has it. Runs with `f64` use them; runs with derivatives or in SIMD lanes use the tapes.
    #[must_use]
    pub fn with_compiled(&self, find: impl Fn(&str) -> Option<CompiledKernel>) -> Self {
        let mut model = self.clone();
        for (at, kernel) in Arc::make_mut(&mut model.data).kernels.all.iter_mut().enumerate() {
            kernel.compiled = find(&name(at));
        }
        model
    }
}

fn hash(text: &str) -> u64 {
    let mut hasher = DefaultHasher::new();
    text.hash(&mut hasher);
    hasher.finish()
}

fn name(kernel: usize) -> String {
    format!("kernel_{kernel}")
}
