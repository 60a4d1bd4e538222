//! A program in C that calls the kernels of a declaration.

use std::fmt::Write;
use std::path::Path;
use std::process::Command;

/// The options of the compiler: every warning is an error, and no product is fused with a sum.
const OPTIONS: [&str; 7] =
    ["-std=c99", "-Wall", "-Wextra", "-pedantic", "-Werror", "-Wdouble-promotion", "-ffp-contract=off"];

/// Functions without rounding errors of their own, or with the rounding of IEEE 754.
const EXACT: [&str; 6] = ["sqrt", "fabs", "floor", "ceil", "trunc", "fmod"];

/// The values of a kernel in Rust.
struct Expected {
    kernel: &'static str,
    values: Vec<f64>,
}

/// A program that prints the values of kernels, one a line.
pub(crate) struct Program {
    name: &'static str,
    header: String,
    main: String,
    expected: Vec<Expected>,
    states: usize,
}

impl Program {
    /// Returns a program that prepares the kernels of `header` with these parameters.
    pub(crate) fn new(name: &str, header: String, parameters: &[f64]) -> Self {
        let name: &'static str = name.to_owned().leak();
        let upper = name.to_uppercase();
        let mut main = format!(
            "#include <stdio.h>\n#include \"{name}.h\"\n\n\
             static void print(const LIEMECH_REAL *values, int count) {{\n    int at;\n    \
             for (at = 0; at < count; at++) {{\n        printf(\"%.17g\\n\", (double)values[at]);\n    }}\n}}\n\n\
             int main(void) {{\n    LIEMECH_REAL hoisted[{upper}_SIZE_HOISTED + 1];\n    LIEMECH_REAL out[2000];\n"
        );
        array(&mut main, "parameters", parameters);
        let _ = writeln!(main, "    {name}_prepare(parameters, hoisted);");
        Self { name, header, main, expected: vec![], states: 0 }
    }

    /// Defines a state.
    pub(crate) fn state(&mut self, t: f64, arrays: &[(&str, &[f64])]) {
        if self.states > 0 {
            self.main.push_str("    }\n");
        }
        self.states += 1;
        let _ = writeln!(self.main, "    {{\n    const LIEMECH_REAL t = LIEMECH_C({t:?});");
        for (name, values) in arrays.iter().filter(|(_, values)| !values.is_empty()) {
            array(&mut self.main, name, values);
        }
    }

    /// Calls a kernel with these further arguments.
    pub(crate) fn call(&mut self, kernel: &'static str, arguments: &str, values: Vec<f64>) {
        let (name, count) = (self.name, values.len());
        let arguments = if arguments.is_empty() { String::new() } else { format!("{arguments}, ") };
        let _ = writeln!(
            self.main,
            "    {name}_{kernel}(parameters, hoisted, t, q, {arguments}out);\n    print(out, {count});"
        );
        self.expected.push(Expected { kernel, values });
    }

    /// Calls a kernel that returns its value.
    pub(crate) fn value(&mut self, kernel: &'static str, arguments: &str, value: f64) {
        let name = self.name;
        let arguments = if arguments.is_empty() { String::new() } else { format!(", {arguments}") };
        let _ = writeln!(
            self.main,
            "    out[0] = {name}_{kernel}(parameters, hoisted, t, q{arguments});\n    print(out, 1);"
        );
        self.expected.push(Expected { kernel, values: vec![value] });
    }

    /// Compiles and runs the program in double and in single precision, and compares the values.
    pub(crate) fn check(mut self) {
        self.main.push_str("    }\n    return 0;\n}\n");
        let is_fused = cfg!(any(target_feature = "fma", target_arch = "aarch64"));
        for real in ["double", "float"] {
            if is_fused && real == "double" {
                println!("skipped: Rust fuses products and sums on this target");
                continue;
            }
            let Some(values) = self.run(real) else {
                println!("skipped: no C compiler");
                return;
            };
            let mut rest = values.as_slice();
            for Expected { kernel, values } in &self.expected {
                let (own, further) = rest.split_at(values.len());
                rest = further;
                let calls = self.inexact_calls(&format!("{}_{kernel}", self.name))
                    + self.inexact_calls(&format!("{}_prepare", self.name));
                // Two units in the last place of the largest value for each call.
                let largest = values.iter().fold(0.0_f64, |largest, value| largest.max(value.abs()));
                let allowed = if real == "double" { 2.0 * calls as f64 * f64::EPSILON } else { 1e-3 };
                for (at, (own, value)) in own.iter().zip(values).enumerate() {
                    // Entries in Rust are products with unit vectors, which lose the sign of zero.
                    let [own, value] =
                        if *kernel == "constraint_jacobian" { [own + 0.0, value + 0.0] } else { [*own, *value] };
                    let is_equal = match (real, calls) {
                        ("double", 0) => own.to_bits() == value.to_bits(),
                        _ => (own - value).abs() <= allowed * largest,
                    };
                    assert!(
                        is_equal,
                        "{} {kernel}[{at}] in {real}: {own:e} in C, {value:e} in Rust, {calls} calls, {allowed:e} of {largest:e}",
                        self.name
                    );
                }
            }
            assert!(rest.is_empty(), "{} values without kernel", rest.len());
        }
    }

    /// The number of calls, in a function of the header and in the functions that it calls, of functions that libraries round differently.
    fn inexact_calls(&self, function: &str) -> usize {
        let functions = || self.header.split("\nstatic inline ").skip(1).filter_map(|text| text.split_once('('));
        let name_of = |head: &'_ str| head.rsplit(' ').next().unwrap_or_default().to_owned();
        let (_, body) = functions().find(|(head, _)| name_of(head) == function).expect("the header has the function");
        let names = body.split("LIEMECH_MATH(").skip(1).map(|rest| rest.split(')').next().unwrap_or_default());
        let own = names.filter(|name| !EXACT.contains(name)).count();
        let words = |c: char| !(c.is_alphanumeric() || c == '_');
        let calls_of = |name: &str| body.split(words).filter(|word| *word == name).count();
        let called = functions().map(|(head, _)| name_of(head)).filter(|name| name != function && calls_of(name) > 0);
        own + called.map(|name| calls_of(&name) * self.inexact_calls(&name)).sum::<usize>()
    }

    /// Returns the printed values; `None` without a C compiler.
    fn run(&self, real: &str) -> Option<Vec<f64>> {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("c_source_{}_{real}", self.name));
        std::fs::create_dir_all(&folder).expect("the folder can be created");
        let (source, program) = (folder.join("main.c"), folder.join("program"));
        std::fs::write(folder.join(format!("{}.h", self.name)), &self.header).expect("the folder is writable");
        std::fs::write(&source, &self.main).expect("the folder is writable");
        let mut compiler = Command::new("cc");
        compiler.args(OPTIONS).arg(format!("-DLIEMECH_REAL={real}")).arg("-o").arg(&program).arg(&source).arg("-lm");
        let compiled = match compiler.output() {
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return None,
            compiled => compiled.expect("the C compiler runs"),
        };
        assert!(compiled.status.success(), "{}", String::from_utf8_lossy(&compiled.stderr));
        let output = Command::new(&program).output().expect("the program runs");
        assert!(output.status.success());
        let text = String::from_utf8(output.stdout).expect("numbers are ASCII");
        Some(text.lines().map(|line| line.parse().expect("a number")).collect())
    }
}

fn array(text: &mut String, name: &str, values: &[f64]) {
    let values: Vec<String> = values.iter().map(|value| format!("LIEMECH_C({value:?})")).collect();
    let _ = writeln!(text, "    const LIEMECH_REAL {name}[] = {{{}}};", values.join(", "));
}
