//! The equations of motion as text for readers.
//!
//! Short declarations are shown with rotations, cross products and dot products, as in the documentation of the generated system. The
//! entries of all matrices and vectors are shown in components.

mod expression;
mod formula;
mod symbols;

use std::fmt::Write;

use self::expression::TextPrinter;
use self::formula::plain;
use super::headings::{group_notation, heading, notation};
use crate::model::{Model, ParameterKind};
use crate::notation::slot_name;
use crate::scalar::Scalar;
use crate::schedule::{KernelId, KernelOutput, Plan, Program, Term};

/// Prints the equations of a system.
pub(crate) fn emit(plan: &Plan<'_>) -> String {
    let model = plan.model;
    let mut text = format!("System `{}` on {}\n", name_of(&model.name), group_notation(model));
    text.push_str(
        "\n  M(q) v' = force(t, q, v) - B(q)^T λ,   B v + drift = 0\n  \
         v: left-trivialised velocity, λ: Lagrange multipliers, B: constraint Jacobian\n",
    );
    members(model, &mut text);
    parameters(model, &mut text);
    if let Some(frames) = &plan.frames {
        let functions: Vec<String> =
            frames.kinematics.functions().map(|function| format!("`{}`", function.name)).collect();
        let _ = write!(text, "\nForward kinematics: {}\n", functions.join(", "));
    }
    for term in plan.all_terms() {
        if plan.unrolled().is_none() {
            let (over, functions) = heading(model, term);
            let names: Vec<String> = (0..term.slots()).map(slot_name).collect();
            let _ = write!(text, "\n# Elements over {over}: {functions}\n");
            let _ = writeln!(text, "  {} = {over}, i: index of the element, N: number of elements", names.join(", "));
        }
        equations(term, &mut text);
    }
    text
}

fn name_of(name: &syn::Ident) -> String {
    name.to_string().trim_start_matches("r#").to_owned()
}

/// Writes rows of two columns below a title.
fn columns(title: &str, rows: &[(String, String)], text: &mut String) {
    if rows.is_empty() {
        return;
    }
    let width = rows.iter().map(|(name, _)| name.chars().count()).max().unwrap_or(0);
    let _ = write!(text, "\n{title}\n");
    for (name, meaning) in rows {
        let _ = writeln!(text, "  {name:width$}  {meaning}");
    }
}

fn members(model: &Model, text: &mut String) {
    let rows: Vec<_> =
        model.configuration.members.iter().map(|member| (name_of(&member.name), notation(member))).collect();
    columns("Configuration q", &rows, text);
}

fn parameters(model: &Model, text: &mut String) {
    for (title, parameters) in [("Parameters", &model.parameters), ("Inputs", &model.inputs)] {
        let entries = parameters.iter().flat_map(|parameters| &parameters.entries);
        let row = |(name, list, kind): (&str, Option<usize>, ParameterKind)| {
            let shape = match kind {
                ParameterKind::Scalar => "scalar".to_owned(),
                ParameterKind::Flag => "flag".to_owned(),
                ParameterKind::Whole(_) => "integer".to_owned(),
                ParameterKind::Vector(size) => format!("vector of {size}"),
                ParameterKind::Matrix(rows, columns) => format!("matrix {rows} × {columns}"),
                ParameterKind::ScalarArray(count) => format!("{count} scalars"),
                ParameterKind::VectorArray(size, count) => format!("{count} vectors of {size}"),
                ParameterKind::Group(group) => group.formula(),
            };
            (name.to_owned(), if list.is_some() { format!("list: {shape}") } else { shape })
        };
        let rows: Vec<_> = entries.map(|entry| row((&entry.name, entry.list, entry.kind))).collect();
        columns(title, &rows, text);
    }
}

/// The sections of components: title, symbol, kernel.
const SECTIONS: [(&str, &str, KernelId); 9] = [
    ("Kinetic energy", "T", KernelId::KineticEnergy),
    ("Potential energy", "V", KernelId::PotentialEnergy),
    ("Mass matrix", "M", KernelId::MassMatrix),
    ("Force", "force", KernelId::Force),
    ("Residual M v' - force", "residual", KernelId::Residual),
    ("Holonomic constraints, zero", "Φ", KernelId::Constraint),
    ("Constraint Jacobian", "B", KernelId::ConstraintJacobian),
    ("Constraint drift", "drift", KernelId::ConstraintDrift),
    ("Constraint curvature, d/dt (B v + drift) - B v'", "curvature", KernelId::ConstraintCurvature),
];

fn equations(term: &Term, text: &mut String) {
    let stated = term.equations.stated.as_ref();
    if let Some(stated) = stated {
        let _ = write!(text, "\nEquations of motion\n");
        for [left, right] in stated.motion.iter().filter(|[left, right]| left != right) {
            let _ = writeln!(text, "  {} = {}", plain(left), plain(right));
        }
        for zero in &stated.constraints {
            let _ = writeln!(text, "  0 = {}", plain(zero));
        }
    }
    for (at, (title, symbol, id)) in SECTIONS.into_iter().enumerate() {
        match stated.and_then(|stated| stated.energies.get(at)).and_then(Option::as_ref) {
            Some(energy) => {
                let energy = plain(energy);
                if energy != "0" {
                    let _ = write!(text, "\n{title}\n  {symbol} = {energy}\n");
                }
            }
            None => components(term, title, symbol, id, text),
        }
    }
}

/// Writes the components of a kernel that are not zero; a symmetric matrix by its upper triangle.
fn components(term: &Term, title: &str, symbol: &str, id: KernelId, text: &mut String) {
    let graph = &term.equations.graph;
    // The recursion of frames uses the residual in place of the force.
    let replaces_force = id == KernelId::Residual && term.kernels.planned(KernelId::Force).is_some();
    let Some(all) = term.kernels.planned(id).filter(|_| !replaces_force) else { return };
    let (_, output) = id.signature();
    let columns = match output {
        KernelOutput::Matrix | KernelOutput::Jacobian => term.dof().max(1),
        _ => 1,
    };
    let is_shown = |at: usize, scalar: Scalar| {
        !graph.is_zero(scalar) && (output != KernelOutput::Matrix || at / columns <= at % columns)
    };
    let all = all.iter().copied().enumerate();
    let (positions, outputs): (Vec<usize>, Vec<Scalar>) = all.filter(|&(at, scalar)| is_shown(at, scalar)).unzip();
    if outputs.is_empty() {
        return;
    }
    let size = match output {
        KernelOutput::Matrix => format!(", symmetric, {columns} × {columns}"),
        KernelOutput::Jacobian => format!(", {} × {columns}", term.size_of(output) / columns),
        _ => String::new(),
    };
    let _ = write!(text, "\n{title}{size}\n");
    let name = |at: usize| {
        let position = positions[at];
        match output {
            KernelOutput::Number => symbol.to_owned(),
            KernelOutput::Matrix | KernelOutput::Jacobian => {
                format!("{symbol}[{}, {}]", position / columns + 1, position % columns + 1)
            }
            _ => format!("{symbol}[{}]", position + 1),
        }
    };
    let program = Program::with_opaque_calls(graph, &outputs, None);
    text.push_str(&TextPrinter::new(&term.model).program(&program, name));
}
