//! Tapes as C: the same operations in the same order, so that results agree with the tape up to the functions of the C library.

use core::cell::RefCell;
use core::fmt::Write;
use std::collections::BTreeSet;

use super::{Function, Instruction, Tape, TapeDatum};

/// The number of instructions in a part of a kernel.
const PART: usize = 500;

/// The head of a program with functions of [`Tape::c_function`]. The power executes the operations of the power in Rust.
pub const C_HEAD: &str = "#include <math.h>

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

impl Tape {
    /// The function of the kernel in C. Long kernels are cut into parts, because the time of compilers grows faster than the length of a
    /// function. The arrays `s` and `b` contain the results that other parts read.
    ///
    /// The function has the type `void name(const double *x, double *y)`: x are the data and the inputs, y the outputs. There is none for
    /// logarithms of rotations, Stumpff functions and their derivatives.
    pub fn c_function(&self, name: &str) -> Option<String> {
        let shared = RefCell::default();
        // The first text has no stores; it finds the results that are read from the arrays.
        self.c_parts(name, &shared)?;
        self.c_parts(name, &shared)
    }

    fn c_parts(&self, name: &str, shared: &RefCell<BTreeSet<String>>) -> Option<String> {
        let first = self.data.len() + self.inputs.len();
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
                let written = if instruction.is_truth() {
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
