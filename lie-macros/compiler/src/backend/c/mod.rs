//! Emission of C99: the kernels of an unrolled system as `static inline` functions of arrays with fixed sizes.
//!
//! The text needs `<math.h>` only. Functions allocate nothing, have no state and no recursion.

mod expression;
mod helpers;

use std::collections::BTreeSet;
use std::fmt::Write;

use proc_macro2::TokenStream;

use self::expression::CPrinter;

use crate::backend::layout::{Layout, Layouts};
use crate::diagnostics::{Code, Report, error_with_help};
use crate::expr::Leaf;
use crate::model::Model;
use crate::scalar::{Graph, Kernel, Scalar, ScalarOp};
use crate::schedule::{CallsOpaque, Inputs, KernelId, KernelOutput, OF_TERMS, Plan, Program, Term};

/// Prints the kernels of a system in C; `declaration` is its text as tokens.
///
/// # Errors
/// The parts of the declaration that have no equivalent in C.
pub(crate) fn emit(plan: &Plan<'_>, declaration: &TokenStream) -> Result<String, Report> {
    let model = plan.model;
    let name = &model.name;
    let Some((term, _)) = plan.unrolled() else {
        return Err(unsupported(name, "C code of a system with lists or frames", "declare a fixed number of members"));
    };
    if !model.unilateral.frictions.is_empty() {
        let help = "declare the sliding friction as a `#[force]`";
        return Err(unsupported(name, "C code of a system with dry friction", help));
    }
    if model.states.is_some() {
        return Err(unsupported(
            name,
            "C code of a system with auxiliary states",
            "generate C code of the mechanism alone",
        ));
    }
    check_leaves(model, term)?;
    let layouts = Layouts::new(model);
    let prefix = identifier(&name.to_string());
    let mut printer = CPrinter { prefix: &prefix, layouts: &layouts, helpers: BTreeSet::new(), used: BTreeSet::new() };
    let file = File { model, term, prefix: &prefix, layouts: &layouts };
    let mut functions = file.prepare(&mut printer)?;
    let mut operations = String::new();
    for id in file.kernels() {
        functions.push_str(&file.kernel(id, &mut printer)?);
        let count = term.kernels.operations_of(id, &term.equations.graph, &term.hoisted);
        let _ = writeln!(operations, " *   {:<22}{count:>8}", id.name());
    }
    let mut text = file.header(&operations, fingerprint(&declaration.to_string()));
    text.push_str(MACROS);
    text.push_str(&file.constants());
    text.push_str(&helpers::definitions(&printer.helpers, &prefix));
    text.push_str(&functions);
    let guard = format!("{}_H", prefix.to_uppercase());
    Ok(format!("#ifndef {guard}\n#define {guard}\n\n{text}#endif\n"))
}

fn unsupported(node: impl quote::ToTokens, what: &str, help: &str) -> Report {
    Report { code: Code::BackEnd, error: error_with_help(node, format!("{what} is not supported"), help) }
}

/// Returns an error for a kernel that reads inputs or lists.
fn check_leaves(model: &Model, term: &Term) -> Result<(), Report> {
    let graph = &term.equations.graph;
    let outputs: Vec<Scalar> = OF_TERMS.iter().flat_map(|&id| term.kernels.outputs(id)).copied().collect();
    for &node in &Kernel::new(graph, &outputs, |_| false).nodes {
        match graph.op(node) {
            ScalarOp::Leaf(Leaf::Input { .. }, _) => {
                let help = "replace the inputs by parameters, which can change between two steps";
                return Err(unsupported(&model.name, "C code with inputs", help));
            }
            ScalarOp::Leaf(Leaf::Item { field, .. }, _) => {
                let entries = model.parameters.iter().flat_map(|parameters| &parameters.entries);
                let entry = entries.into_iter().nth(*field as usize);
                let what = format!("C code with the list `{}`", entry.map_or("", |entry| &entry.name));
                return Err(unsupported(&model.name, &what, "use an array with a fixed length: `[f64; 3]`"));
            }
            _ => {}
        }
    }
    Ok(())
}

/// Returns a name with letters, digits and underscores of ASCII only.
fn identifier(name: &str) -> String {
    let mut text = String::new();
    for character in name.trim_start_matches("r#").chars() {
        match character {
            'a'..='z' | 'A'..='Z' | '0'..='9' | '_' => text.push(character),
            '[' | '.' => text.push('_'),
            ']' => {}
            other => {
                let _ = write!(text, "u{:x}", u32::from(other));
            }
        }
    }
    text
}

/// The FNV-1a hash of a text.
fn fingerprint(text: &str) -> u64 {
    text.bytes().fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3))
}

/// The scalar type, its constants and its functions.
const MACROS: &str = "\
#include <math.h>

/* The scalar type: `double`, or `float` with -DLIEMECH_REAL=float. */
#ifndef LIEMECH_REAL
#define LIEMECH_REAL double
#endif
#ifndef LIEMECH_MATH
#define LIEMECH_IS_float 1
#define LIEMECH_IS_double 0
#define LIEMECH_JOIN(a, b) a##b
#define LIEMECH_IS(type) LIEMECH_JOIN(LIEMECH_IS_, type)
#if LIEMECH_IS(LIEMECH_REAL)
#define LIEMECH_MATH(name) name##f
#else
#define LIEMECH_MATH(name) name
#endif
#define LIEMECH_C(value) ((LIEMECH_REAL)(value))
#endif

";

/// The text for one system.
struct File<'a> {
    model: &'a Model,
    term: &'a Term,
    prefix: &'a str,
    layouts: &'a Layouts,
}

impl File<'_> {
    /// The kernels that are functions: constraints only if there are any.
    fn kernels(&self) -> impl Iterator<Item = KernelId> {
        let has_rows = self.term.equations.constraints.rows() > 0;
        let of_rows = |id: KernelId| matches!(id.signature().1, KernelOutput::Rows | KernelOutput::Jacobian);
        OF_TERMS.into_iter().filter(move |&id| id != KernelId::RateGradient && (has_rows || !of_rows(id)))
    }

    /// The sizes of all arrays.
    fn sizes(&self) -> [(&'static str, usize); 5] {
        [
            ("parameters", self.layouts.parameters.size),
            ("hoisted", self.term.hoisted.nodes.len()),
            ("q", self.layouts.configuration.size),
            ("v", self.layouts.velocity.size),
            ("multipliers", self.term.equations.constraints.rows()),
        ]
    }

    fn header(&self, operations: &str, hash: u64) -> String {
        let (name, prefix) = (&self.model.name, self.prefix);
        let mut text = format!(
            "/* The equations of motion of `{name}`.\n *\n\
             \x20* M(q) v' = force(t, q, v) - B(q)^T lambda,   B v + drift = 0,   with left-trivialised velocities v.\n\
             \x20* First call {prefix}_prepare, which computes the values that depend on parameters only. Call it again after a\n\
             \x20* change of parameters. Matrices are stored by rows.\n *\n\
             \x20* Hash of the declaration: {hash:016x}\n *\n * Scalar operations of each kernel:\n{operations}"
        );
        let arrays = [
            ("parameters", &self.layouts.parameters),
            ("q", &self.layouts.configuration),
            ("v, acceleration, force", &self.layouts.velocity),
        ];
        for (title, layout) in arrays {
            let _ = writeln!(text, " *\n * {title}: {} scalars", layout.size);
            for segment in &layout.segments {
                let range = match segment.size {
                    1 => segment.first.to_string(),
                    size => format!("{}..{}", segment.first, segment.first + size - 1),
                };
                let order = if segment.order.is_empty() { String::new() } else { format!(" ({})", segment.order) };
                let _ = writeln!(text, " *   {range:<10}{}{order}", segment.name);
            }
        }
        text + " */\n\n"
    }

    /// The sizes of the arrays and the positions of their segments.
    fn constants(&self) -> String {
        let prefix = self.prefix.to_uppercase();
        let mut lines = vec![];
        for (name, size) in self.sizes() {
            lines.push(format!("{prefix}_SIZE_{} = {size}", name.to_uppercase()));
        }
        let arrays: [(&str, &Layout); 3] = [
            ("PARAMETER", &self.layouts.parameters),
            ("Q", &self.layouts.configuration),
            ("V", &self.layouts.velocity),
        ];
        let mut known = BTreeSet::new();
        for (array, layout) in arrays {
            for segment in &layout.segments {
                let mut name = format!("{prefix}_{array}_{}", identifier(&segment.name).to_uppercase());
                while !known.insert(name.clone()) {
                    name.push('_');
                }
                lines.push(format!("{name} = {}", segment.first));
            }
        }
        format!("enum {{\n    {}\n}};\n\n", lines.join(",\n    "))
    }

    /// The declaration of an array argument.
    fn array(&self, name: &str, like: &str) -> String {
        let size = self.sizes().into_iter().find(|(known, _)| *known == like).map_or(0, |(_, size)| size);
        // C has no arrays without elements.
        format!("const LIEMECH_REAL {name}[{}]", size.max(1))
    }

    /// Prints a function; `arguments` are the names of arguments with their declarations.
    fn function(
        &self,
        printer: &mut CPrinter<'_>,
        (name, summary, result): (&str, &str, &str),
        arguments: &[(&'static str, String)],
        program: &Program,
        store: impl Fn(usize) -> String,
    ) -> String {
        printer.used.clear();
        let body = printer.program(program, store);
        let list: Vec<&str> = arguments.iter().map(|(_, declaration)| declaration.as_str()).collect();
        let mut text = format!(
            "/* {summary} */\nstatic inline {result} {}_{name}(\n    {}) {{\n",
            self.prefix,
            list.join(",\n    ")
        );
        for (argument, _) in arguments.iter().filter(|(name, _)| *name != "out" && !printer.used.contains(name)) {
            let _ = writeln!(text, "    (void){argument};");
        }
        text + &body + "}\n\n"
    }

    fn program(&self, outputs: &[Scalar], is_preparation: bool) -> Result<Program, Report> {
        let graph: &Graph = &self.term.equations.graph;
        Program::new(graph, outputs, (!is_preparation).then_some(&self.term.hoisted)).map_err(
            |CallsOpaque { function }| {
                let opaque = &self.model.opaques[function];
                let what = format!("C code with the opaque function `{}`", opaque.name);
                unsupported(&opaque.name, &what, "write the function in the subset of Rust, without `#[opaque]`")
            },
        )
    }

    /// The function that computes the hoisted values.
    fn prepare(&self, printer: &mut CPrinter<'_>) -> Result<String, Report> {
        let program = self.program(&self.term.hoisted.nodes, true)?;
        let size = self.term.hoisted.nodes.len().max(1);
        let mut arguments = vec![
            ("parameters", self.array("parameters", "parameters")),
            ("out", format!("LIEMECH_REAL hoisted[{size}]")),
        ];
        if self.term.hoisted.nodes.is_empty() {
            arguments[1].0 = "hoisted";
        }
        let head = ("prepare", "Computes the values that depend on parameters only.", "void");
        Ok(self.function(printer, head, &arguments, &program, |output| format!("hoisted[{output}]")))
    }

    fn kernel(&self, id: KernelId, printer: &mut CPrinter<'_>) -> Result<String, Report> {
        let program = self.program(self.term.kernels.outputs(id), false)?;
        let (inputs, output) = id.signature();
        let mut arguments = vec![
            ("parameters", self.array("parameters", "parameters")),
            ("hoisted", self.array("hoisted", "hoisted")),
            ("t", "LIEMECH_REAL t".to_owned()),
            ("q", self.array("q", "q")),
        ];
        if inputs != Inputs::Nothing {
            arguments.push(("v", self.array("v", "v")));
        }
        if inputs == Inputs::State {
            arguments.push(("acceleration", self.array("acceleration", "v")));
            if self.term.equations.constraints.rows() > 0 {
                arguments.push(("multipliers", self.array("multipliers", "multipliers")));
            }
        }
        if output == KernelOutput::Number {
            let head = (id.name(), summary(id), "LIEMECH_REAL");
            return Ok(self
                .function(printer, head, &arguments, &program, |_| "return".to_owned())
                .replace("    return = ", "    return "));
        }
        arguments.push(("out", format!("LIEMECH_REAL out[{}]", self.term.size_of(output))));
        let head = (id.name(), summary(id), "void");
        Ok(self.function(printer, head, &arguments, &program, |output| format!("out[{output}]")))
    }
}

/// The value of a kernel; B is the constraint Jacobian.
fn summary(id: KernelId) -> &'static str {
    match id {
        KernelId::MassMatrix => "The mass matrix M(q).",
        KernelId::Force => "All forces except those of constraints.",
        KernelId::Constraint => "The residual of holonomic constraints; zero in the rows of velocity constraints.",
        KernelId::ConstraintJacobian => "The constraint Jacobian B(q).",
        KernelId::ConstraintDrift => "The part of the velocity constraints B v + drift = 0 that does not depend on v.",
        KernelId::ConstraintCurvature => "The part of d/dt (B v + drift) that does not depend on v'.",
        KernelId::KineticEnergy => "The kinetic energy.",
        KernelId::PotentialEnergy => "The potential energy.",
        KernelId::Residual => "The residual M v' - force + B^T lambda.",
        KernelId::TangentStiffness => "The derivative of the residual with respect to q, along v = dq.",
        KernelId::TangentDamping => "The derivative of the residual with respect to v.",
        other => bug!("the kernel `{}` is not a function in C", other.name()),
    }
}
