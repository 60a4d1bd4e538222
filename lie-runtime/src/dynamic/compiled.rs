//! Kernels as C, and their execution from machine code.
//!
//! A function in C executes the same operations in the same order as the tape, so that results agree up to the functions of the C library.

use core::cell::RefCell;
use core::fmt::Write;
use std::collections::BTreeSet;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::Arc;

use lie_compiler::tape::{Function, Instruction, TapeDatum};

use super::DynamicModel;
use super::tape::{CompiledKernel, Kernel, is_truth};

/// The number of instructions in a part of a kernel.
const PART: usize = 500;

/// The head of the program. The power executes the operations of the power in Rust.
const HEAD: &str = "#include <math.h>

#ifdef _WIN32
#define EXPORT __declspec(dllexport)
#else
#define EXPORT
#endif
#ifdef __GNUC__
#define PART __attribute__((noinline)) static
#else
#define PART static
#endif

static inline double power(double a, int n) {
    double r = 1.0;
    for (int b = n;; a *= a) {
        if (b % 2 != 0) r *= a;
        b /= 2;
        if (b == 0) return n < 0 ? 1.0 / r : r;
    }
}
";

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
            .filter_map(|(at, kernel)| kernel.c_source(&name(at)))
            .fold(HEAD.to_owned(), |text, kernel| text + &kernel)
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

impl Kernel {
    /// The function of the kernel in C. Long kernels are cut into parts, because the time of compilers grows faster than the length of a
    /// function. The arrays `s` and `b` contain the results that other parts read.
    fn c_source(&self, name: &str) -> Option<String> {
        let shared = RefCell::default();
        // The first text has no stores; it finds the results that are read from the arrays.
        self.c_parts(name, &shared)?;
        self.c_parts(name, &shared)
    }

    fn c_parts(&self, name: &str, shared: &RefCell<BTreeSet<String>>) -> Option<String> {
        let first = self.value_count();
        let (mut next, mut truths) = (first, 0);
        let (mut parts, mut calls) = (String::new(), String::new());
        let store = |place: String| if shared.borrow().contains(&place) { place + " = " } else { String::new() };
        // A single part is inlined.
        let kind = if self.instructions.len().max(self.outputs.len()) > PART { "PART" } else { "static inline" };
        for (at, part) in self.instructions.chunks(PART).enumerate() {
            let operands = Operands { data: &self.data, first, own: [next, truths], shared };
            write!(
                parts,
                "\n{kind} void {name}_{at}(const double *restrict x, double *restrict s, int *restrict b) {{\n"
            )
            .ok()?;
            parts += "    (void)x, (void)s, (void)b;\n";
            for instruction in part {
                let value = expression(*instruction, &operands)?;
                let written = if is_truth(instruction) {
                    truths += 1;
                    let at = truths - 1;
                    writeln!(parts, "    const int t{at} = {}{value};", store(format!("b[{at}]")))
                } else {
                    next += 1;
                    let at = next - 1;
                    writeln!(parts, "    const double r{at} = {}{value};", store(format!("s[{}]", at - first)))
                };
                written.ok()?;
            }
            parts += "}\n";
            writeln!(calls, "    {name}_{at}(x, s, b);").ok()?;
        }
        let operands = Operands { data: &self.data, first, own: [next, truths], shared };
        for (at, part) in self.outputs.chunks(PART).enumerate() {
            let head =
                "(const double *restrict x, const double *restrict s, double *restrict y) {\n    (void)x, (void)s;\n";
            write!(parts, "\n{kind} void {name}_outputs_{at}{head}").ok()?;
            for (index, &output) in part.iter().enumerate() {
                writeln!(parts, "    y[{}] = {};", at * PART + index, operands.value(output)).ok()?;
            }
            parts += "}\n";
            writeln!(calls, "    {name}_outputs_{at}(x, s, y);").ok()?;
        }
        let [values, truths] = [next - first + 1, truths + 1];
        let head = format!("\nEXPORT void {name}(const double *restrict x, double *restrict y) {{\n");
        let arrays =
            format!("    double s[{values}];\n    int b[{truths}];\n    (void)x, (void)y, (void)s, (void)b;\n");
        Some(parts + &head + &arrays + &calls + "}\n")
    }
}

/// The operands of the instructions of a part.
struct Operands<'a> {
    data: &'a [TapeDatum],
    /// The register of the first result of the kernel.
    first: usize,
    /// The first register and the first truth value of the part.
    own: [usize; 2],
    /// The elements of the arrays that are read.
    shared: &'a RefCell<BTreeSet<String>>,
}

impl Operands<'_> {
    fn value(&self, register: u32) -> String {
        let at = register as usize;
        match self.data.get(at) {
            Some(TapeDatum::Number(value)) if value.is_finite() => format!("({value:?})"),
            _ if at < self.first => format!("x[{at}]"),
            _ if at < self.own[0] => self.element(format!("s[{}]", at - self.first)),
            _ => format!("r{at}"),
        }
    }

    fn truth(&self, at: u32) -> String {
        if (at as usize) < self.own[1] { self.element(format!("b[{at}]")) } else { format!("t{at}") }
    }

    fn element(&self, place: String) -> String {
        self.shared.borrow_mut().insert(place.clone());
        place
    }
}

/// Returns the value of an instruction in C.
fn expression(instruction: Instruction, operands: &Operands<'_>) -> Option<String> {
    let (r, truth) = (|at| operands.value(at), |at| operands.truth(at));
    let multiply_add = |a: String, b: String, c: String| {
        let is_fused = cfg!(any(target_feature = "fma", target_arch = "aarch64"));
        if is_fused { format!("fma({a}, {b}, {c})") } else { format!("{a} * {b} + {c}") }
    };
    Some(match instruction {
        Instruction::Negative(a) => format!("-{}", r(a)),
        Instruction::Sum(a, b) => format!("{} + {}", r(a), r(b)),
        Instruction::Difference(a, b) => format!("{} - {}", r(a), r(b)),
        Instruction::Product(a, b) => format!("{} * {}", r(a), r(b)),
        Instruction::Quotient(a, b) => format!("{} / {}", r(a), r(b)),
        Instruction::MultiplyAdd(a, b, c) => multiply_add(r(a), r(b), r(c)),
        Instruction::MultiplySubtract(a, b, c) => multiply_add(r(a), r(b), format!("(-{})", r(c))),
        Instruction::SubtractProduct(a, b, c) => multiply_add(format!("(-{})", r(a)), r(b), r(c)),
        Instruction::Function(function, a) => format!("{}({})", c_function(function)?, r(a)),
        Instruction::Power(a, exponent) => format!("power({}, {exponent})", r(a)),
        Instruction::RealPower(a, b) => format!("pow({}, {})", r(a), r(b)),
        Instruction::Atan2(a, b) => format!("atan2({}, {})", r(a), r(b)),
        Instruction::Remainder(a, b) => format!("fmod({}, {})", r(a), r(b)),
        Instruction::Less(a, b) => format!("{} < {}", r(a), r(b)),
        Instruction::LessOrEqual(a, b) => format!("{} <= {}", r(a), r(b)),
        Instruction::And(a, b) => format!("{} & {}", truth(a), truth(b)),
        Instruction::Or(a, b) => format!("{} | {}", truth(a), truth(b)),
        Instruction::Not(a) => format!("!{}", truth(a)),
        Instruction::Select(condition, a, b) => format!("{} ? {} : {}", truth(condition), r(a), r(b)),
        _ => return None,
    })
}

fn c_function(function: Function) -> Option<&'static str> {
    Some(match function {
        Function::Sqrt => "sqrt",
        Function::Sin => "sin",
        Function::Cos => "cos",
        Function::Tan => "tan",
        Function::Asin => "asin",
        Function::Acos => "acos",
        Function::Atan => "atan",
        Function::Exp => "exp",
        Function::Ln => "log",
        Function::Sinh => "sinh",
        Function::Cosh => "cosh",
        Function::Tanh => "tanh",
        Function::ExpM1 => "expm1",
        Function::Ln1p => "log1p",
        Function::Cbrt => "cbrt",
        Function::Abs => "fabs",
        Function::Floor => "floor",
        Function::Ceil => "ceil",
        Function::Round => "round",
        Function::Trunc => "trunc",
        _ => return None,
    })
}
