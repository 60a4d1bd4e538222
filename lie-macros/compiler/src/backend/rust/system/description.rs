//! The description of a system: its documentation, and its description at run time.

use proc_macro2::TokenStream;
use quote::quote;

use crate::backend;
use crate::backend::headings::{group_notation, heading, notation};
use crate::backend::rust::codegen::n;
use crate::backend::rust::codegen::names;
use crate::group::Structure;
use crate::model::{Member, Model, Role};
use crate::notation::pattern;
use crate::scalar::Scalar;
use crate::schedule::{Frames, JointKernels, KernelId, Plan, Term};

/// Returns the lines of the documentation of `System`.
pub(crate) fn documentation(plan: &Plan<'_>) -> Vec<String> {
    let model = plan.model;
    let mut lines = vec![
        format!(" The mechanical system `{}`, specialised at compile time.", model.name),
        String::new(),
        " | | |".into(),
        " |---|---|".into(),
        format!(" | configuration | {} |", group_notation(model)),
    ];
    lines.extend(match plan.unrolled() {
        Some((term, _)) => of_everything(plan, term),
        None => of_assembly(plan),
    });
    lines.push(String::new());
    if let Some((term, _)) = plan.unrolled() {
        lines.extend(stated(term));
    }
    lines.extend(plan.frames.iter().flat_map(|frames| of_frames(plan, frames)));
    for term in plan.all_terms() {
        if plan.unrolled().is_none() {
            let (over, functions) = heading(model, term);
            lines.push(format!(" Elements over {over}: {functions}."));
            lines.push(String::new());
            lines.extend(stated(term));
        }
        lines.extend(operations(&term.operations()));
    }
    if !model.ignored.is_empty() {
        lines.push(format!(" Ignored parts of the robot file: {}.", model.ignored.join("; ")));
        lines.push(String::new());
    }
    lines.pop();
    lines
}

/// Returns the equations of a term or its contribution to the equations of its members, as MathML with the patterns of its matrices.
/// Equations that are too long for a page are left out.
fn stated(term: &Term) -> Vec<String> {
    let Some(stated) = &term.equations.stated else { return Vec::new() };
    // Separate blocks: browsers limit the columns of a table to the width of the page.
    let line = |left: &str, right: &str| {
        format!(
            " <div style=\"overflow-x: auto; padding: 0.3em\"><math displaystyle=\"true\"><mrow>{left}<mo>=</mo>{right}</mrow></math></div>"
        )
    };
    let both = stated.motion.iter().filter(|[left, right]| left != right);
    let mut lines: Vec<String> = both.map(|[left, right]| line(left, right)).collect();
    lines.extend(stated.constraints.iter().map(|zero| line("<mn>0</mn>", zero)));
    lines.push(String::new());
    let equations = &term.equations;
    let picture = |name: &str, matrix: &[Vec<Scalar>]| {
        let is_there = |row: usize, column: usize| !equations.graph.is_zero(matrix[row][column]);
        pattern(matrix.len(), term.dof(), is_there).map(|picture| format!(" {name} {picture}"))
    };
    let pictures = [
        picture("M", &equations.inertia.mass),
        picture("B", &equations.constraints.jacobian),
        picture("K<sub>t</sub>", &equations.linearisation.stiffness),
    ];
    lines.push(" <div>".into());
    lines.extend(pictures.into_iter().flatten());
    lines.extend([" </div>".into(), String::new()]);
    lines
}

/// Returns the row about the Hamiltonian.
fn hamiltonian(plan: &Plan<'_>) -> String {
    match &plan.obstacle {
        None => " | Hamiltonian on the cotangent bundle | `HamiltonianSystem`, `LegendreTransform` |".into(),
        Some(obstacle) => format!(" | Hamiltonian on the cotangent bundle | none: {obstacle} |"),
    }
}

/// Sizes and structure of an unrolled system.
fn of_everything(plan: &Plan<'_>, term: &Term) -> Vec<String> {
    let (equations, dof) = (&term.equations, term.dof());
    let rows = equations.constraints.rows();
    let entries = |id, of| format!("{} of {of} entries", term.nonzeros(id));
    let factorised =
        if equations.inertia.is_constant { "constant: factorised once" } else { "factorised in every stage" };
    let states = plan.model.configuration.states().map_or(0, Member::dof);
    let mut lines = vec![format!(" | degrees of freedom | {} |", dof - states)];
    if states > 0 {
        lines.push(format!(" | auxiliary states | {states} |"));
    }
    lines.extend([
        format!(" | constraint rows | {rows} ({} holonomic) |", equations.constraints.holonomic_rows()),
        format!(" | mass matrix | {}, {factorised} |", entries(KernelId::MassMatrix, dof * dof)),
        format!(" | constraint Jacobian | {} |", entries(KernelId::ConstraintJacobian, rows * dof)),
        format!(" | tangent stiffness | {} |", entries(KernelId::TangentStiffness, dof * dof)),
        hamiltonian(plan),
    ]);
    if rows > 0 {
        lines.extend([String::new(), " | constraint | rows | |".into(), " |---|---|---|".into()]);
    }
    for constraint in &equations.constraints.declared {
        let name = &term.model.functions[constraint.function].name;
        let (first, last) = (constraint.offset, constraint.offset + constraint.rows - 1);
        let kind = if constraint.holonomic { "holonomic" } else { "on the velocity" };
        lines.push(format!(" | `{name}` | {first}–{last} | {kind} |"));
    }
    lines
}

/// Returns the solution method of an assembled system.
fn of_assembly(plan: &Plan<'_>) -> Vec<String> {
    let hamiltonian = hamiltonian(plan);
    if plan.frames.is_some() {
        let how = "articulated inertias along the frames, O(N); multipliers by a dense matrix of all rows";
        return vec![format!(" | accelerations | {how} |"), hamiltonian];
    }
    let couples = plan.terms.iter().any(|term| term.slots() > 1 && term.has(KernelId::MassMatrix));
    let how = if couples {
        "together, by an elimination with pivoting: the inertia couples members"
    } else {
        "the inertia member by member, the multipliers by an elimination with pivoting"
    };
    vec![
        format!(" | accelerations, multipliers | {how} |"),
        " | iterations of implicit methods | together, by an elimination with pivoting |".into(),
        hamiltonian,
        String::new(),
        " Eliminations are within a band, O(N) for chains, rings and trees of few branches. Where the elements join the \
         members to something wider and the feature `sparse` is there, they are sparse, or those of the multipliers \
         become joint ones; `structure().eliminations()` of `system::ElementSystem` tells which ones a system \
         has got."
            .into(),
    ]
}

fn of_frames(plan: &Plan<'_>, frames: &Frames<'_>) -> Vec<String> {
    let (name, group) = (frames.kinematics.name(), frames.kinematics.frame.notation);
    let of_joint = |joint: &JointKernels| {
        let field = &plan.model.configuration.members[joint.field].name;
        let mut lines = vec![format!(" Frames `{name}` ({group}) along `{field}`:"), String::new()];
        lines.extend(operations(&joint.operations()));
        lines
    };
    frames.joints.iter().flat_map(of_joint).collect()
}

/// Returns the nonzero kernels and their scalar operations.
fn operations(kernels: &[(KernelId, usize)]) -> Vec<String> {
    let mut lines = vec![" | kernel | scalar operations |".into(), " |---|---|".into()];
    for (id, operations) in kernels.iter().filter(|(_, operations)| *operations > 0) {
        lines.push(format!(" | {} | {operations} |", id.name().replace('_', " ")));
    }
    lines.push(String::new());
    lines
}

/// Emits the fields of the bodies of a member, under names such as `bodies[1].attitude`.
fn fields_of_bodies(member: &Member, offset: usize) -> Vec<TokenStream> {
    let parts = member.group.structure().map_or_else(Vec::new, Structure::atomic);
    let name = |element: usize| match member.count {
        Some(_) => format!("{}[{element}]", names::text(&member.name)),
        None => names::text(&member.name),
    };
    let elements = (0..member.count.unwrap_or(1)).map(|element| (name(element), element * member.group.dimension()));
    let fields = elements.flat_map(|(element, first)| {
        parts.iter().map(move |part| {
            let (name, group) = (format!("{element}.{}", part.path), part.group.formula());
            let (offset, dof) = (n(offset + first + part.offset), n(part.group.dimension()));
            quote!(rt::MemberDescription { name: #name, group: #group, offset: #offset, dof: #dof })
        })
    });
    fields.collect()
}

/// Emits the description of the bodies of an assembly instead of their members, for a fixed number of bodies.
pub(crate) fn description_of_bodies(model: &Model) -> Option<TokenStream> {
    let members = model.configuration.members.iter().enumerate();
    let bodies = members.filter(|(_, member)| !member.is_chain && member.group.structure().is_some());
    let bodies: Vec<TokenStream> = bodies
        .map(|(at, member)| {
            let (at, fields) = (n(at), fields_of_bodies(member, 0));
            quote!((#at, &[#(#fields),*]))
        })
        .collect();
    (!bodies.is_empty()).then(|| quote!(let description = rt::with_bodies(description, &layout, &[#(#bodies),*]);))
}

/// Emits `CARD`, the compile-time part of the description; for assembled systems, also the data for the other part.
pub(crate) fn description(plan: &Plan<'_>) -> TokenStream {
    let model = plan.model;
    let (name, group) = (names::text(&model.name), group_notation(model));
    let everything = plan.unrolled().map(|(term, _)| term);
    let (offsets, dof) =
        if everything.is_some() { model.offsets() } else { (vec![0; model.configuration.members.len()], 0) };
    let members = model.configuration.members.iter().zip(&offsets).flat_map(|(member, &offset)| {
        if everything.is_some() && member.group.structure().is_some() {
            return fields_of_bodies(member, offset);
        }
        let (name, group, offset) = (names::text(&member.name), notation(member), n(offset));
        let dof = n(if everything.is_some() { member.dof() } else { member.group.dimension() });
        vec![quote!(rt::MemberDescription { name: #name, group: #group, offset: #offset, dof: #dof })]
    });
    let constraints = plan.terms.iter().flat_map(|term| {
        term.equations.constraints.declared.iter().map(move |constraint| {
            let name = names::text(&term.model.functions[constraint.function].name);
            let (rows, holonomic, jumps) = (n(constraint.rows), constraint.holonomic, constraint.jumps);
            let offset = n(if everything.is_some() { constraint.offset } else { 0 });
            let of_element = if term.runs() { quote!(Some(#rows)) } else { quote!(None) };
            quote! {
                rt::ConstraintDescription {
                    name: #name, offset: #offset, rows: #rows, rows_of_element: #of_element, holonomic: #holonomic,
                    jumps: #jumps
                }
            }
        })
    });
    let named = |wanted: fn(&Role) -> bool| {
        let functions = model.with_role(wanted).map(|function| names::text(&function.name));
        quote!(&[#(#functions),*])
    };
    let observables = named(|role| matches!(role, Role::Observable));
    let symmetries = named(|role| matches!(role, Role::Symmetry));
    let events = named(|role| matches!(role, Role::Event));
    let ignored = &model.ignored;
    let documented = backend::documentation(model).into_iter().map(|(name, text)| quote!((#name, #text)));
    let recursion = plan.frames.iter().flat_map(|frames| &frames.joints).flat_map(JointKernels::operations);
    let kernels =
        plan.all_terms().flat_map(Term::operations).chain(recursion).filter(|(_, operations)| *operations > 0);
    let kernels = kernels.map(|(id, operations)| {
        let (name, operations) = (id.name(), n(operations));
        quote!(rt::KernelDescription { name: #name, operations: #operations })
    });
    let counted = |id| n(everything.map_or(0, |term| term.nonzeros(id)));
    let (mass, jacobian) = (counted(KernelId::MassMatrix), counted(KernelId::ConstraintJacobian));
    let (stiffness, dof) = (counted(KernelId::TangentStiffness), n(dof));
    let constant = plan.frames.is_none() && plan.terms.iter().all(|term| term.equations.inertia.is_constant);
    let prescribes =
        |term: &Term| term.equations.constraints.drift.iter().any(|&entry| !term.equations.graph.is_zero(entry));
    let is_led = plan.terms.iter().any(prescribes);
    let (conserves, never_gains) = (model.conserves_energy() && !is_led, model.never_gains_energy() && !is_led);
    let states = n(model.configuration.states().map_or(0, Member::dof));
    let potential_jumps = plan.terms.iter().any(|term| term.equations.potential_jumps);
    // Inputs can depend on the state.
    let of_velocity =
        !constant || model.inputs.is_some() || plan.terms.iter().any(|term| term.equations.force_is_of_velocity);
    let assembled = everything.is_none().then(|| of_elements(plan));
    quote! {
        const CARD: &rt::Description = &rt::Description {
            name: #name,
            group: #group,
            dof: #dof,
            members: ::std::borrow::Cow::Borrowed(&[#(#members),*]),
            constraints: ::std::borrow::Cow::Borrowed(&[#(#constraints),*]),
            observables: #observables,
            symmetries: #symmetries,
            events: #events,
            ignored: &[#(#ignored),*],
            documentation: ::std::borrow::Cow::Borrowed(&[#(#documented),*]),
            mass_nonzeros: #mass,
            jacobian_nonzeros: #jacobian,
            stiffness_nonzeros: #stiffness,
            mass_is_constant: #constant,
            forces_depend_on_velocity: #of_velocity,
            conserves_energy: #conserves,
            never_gains_energy: #never_gains,
            states: #states,
            potential_jumps: #potential_jumps,
            kernels: &[#(#kernels),*],
        };
        #assembled
    }
}

/// Emits `FUNCTIONS` and `COUNTS`.
fn of_elements(plan: &Plan<'_>) -> TokenStream {
    let functions = plan.terms.iter().flat_map(|term| {
        (0..term.equations.constraints.declared.len()).map(move |at| {
            let (number, at) = (n(term.number), n(at));
            quote!((#number, #at))
        })
    });
    let counts = plan.terms.iter().map(|term| {
        let count = |id| n(term.nonzeros(id));
        let (mass, jacobian) = (count(KernelId::MassMatrix), count(KernelId::ConstraintJacobian));
        let stiffness = count(KernelId::TangentStiffness);
        quote!(rt::ElementCounts { mass: #mass, jacobian: #jacobian, stiffness: #stiffness })
    });
    quote! {
        /// The kind of elements of each constraint, and the index of its function.
        const FUNCTIONS: &[(usize, usize)] = &[#(#functions),*];
        /// The structural nonzeros of one element of each kind.
        const COUNTS: &[rt::ElementCounts] = &[#(#counts),*];
    }
}
