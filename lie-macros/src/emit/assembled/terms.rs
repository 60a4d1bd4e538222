//! Terms over members that the runtime assembles: an implementation of `Element` each.

use proc_macro2::{Ident, Literal, TokenStream};
use quote::{format_ident, quote};

use crate::emit::kernels::{self, joint_method, method, method_of_part};
use crate::emit::names;
use crate::model::{Configuration, Part};
use crate::plan::{JOINT, KernelId, OF_TERMS, Plan, Term};

/// The type that stands for a term.
pub(in crate::emit) fn type_name(number: usize) -> Ident {
    format_ident!("Element{number}")
}

fn n(value: usize) -> Literal {
    Literal::usize_unsuffixed(value)
}

/// All of them, and their list.
pub(in crate::emit) fn emit(plan: &Plan<'_>) -> TokenStream {
    let terms = plan.terms.iter().map(|term| element(plan, term));
    let declarations = plan.terms.iter().map(declaration);
    quote! {
        const KINDS: &[rt::KindDeclaration] = &[#(#declarations),*];
        #(#terms)*
    }
}

fn declaration(term: &Term) -> TokenStream {
    let selections = term.over.iter().map(|selection| {
        let field = n(selection.field);
        let part = match selection.part {
            Part::Each => quote!(Each),
            Part::Windows { size, stride } => {
                let (size, stride) = (n(size), n(stride));
                quote!(Windows { size: #size, stride: #stride })
            }
            Part::First => quote!(First),
            Part::Last => quote!(Last),
            Part::At(index) => {
                let index = n(index);
                quote!(At(#index))
            }
            Part::Listed(list) => {
                let list = n(list);
                quote!(Listed(#list))
            }
            Part::Whole(count) => {
                let count = n(count);
                quote!(All(#count))
            }
        };
        quote!(rt::Selection { field: #field, part: rt::Part::#part })
    });
    let functions = term.model.functions.iter().map(|function| names::text(&function.name));
    let declared = &term.equations.constraints.declared;
    let segments = declared.iter().map(|constraint| n(constraint.rows));
    let holonomic = declared.iter().map(|constraint| constraint.holonomic);
    quote! {
        rt::KindDeclaration {
            functions: &[#(#functions),*],
            selections: &[#(#selections),*],
            segments: &[#(#segments),*],
            holonomic: &[#(#holonomic),*],
        }
    }
}

/// The dimension of each slot, in order.
pub(in crate::emit) fn dimensions(configuration: &Configuration) -> Vec<usize> {
    configuration
        .members
        .iter()
        .flat_map(|member| std::iter::repeat_n(member.group.dimension(), member.count.unwrap_or(1)))
        .collect()
}

fn element(plan: &Plan<'_>, term: &Term) -> TokenStream {
    let equations = &term.equations;
    let name = type_name(term.number);
    let (dof, rows) = (term.dof(), equations.constraints.rows());
    let (vector, row, matrix, jacobian) = (n(dof), n(rows), n(dof * dof), n(rows * dof));
    let number = n(term.number);
    let slot_dimensions = dimensions(&term.model.configuration).into_iter().map(n);
    let segments = equations.constraints.declared.iter().map(|constraint| n(constraint.rows));
    let holonomic = n(equations.constraints.holonomic_rows());
    let (inertia, force) = (term.has(KernelId::MassMatrix), term.has(KernelId::Force));
    let (stiffness, damping) = (term.has(KernelId::TangentStiffness), term.has(KernelId::TangentDamping));
    let constant = equations.inertia.is_constant;
    let kernels = OF_TERMS.map(|id| match JOINT.iter().find(|(joint, _)| term.kernels.joint_of(id) == Some(*joint)) {
        Some((joint, parts)) => method_of_part(plan, term, id, *joint, parts),
        None => method(plan, term, id),
    });
    let joints = JOINT.iter().filter(|(joint, _)| term.kernels.has(*joint));
    let joints = joints.map(|(joint, parts)| joint_method(plan, term, *joint, parts));
    let of_configuration = term.kernels.has(KernelId::ForceAndJacobian);
    let (element, _) = kernels::element(plan, term);
    quote! {
        struct #name;

        impl<S: Scalar> #element for #name {
            type Vector = [S; #vector];
            type Rows = [S; #row];
            type Matrix = [S; #matrix];
            type Jacobian = [S; #jacobian];

            const KIND: usize = #number;
            const SLOTS: &'static [usize] = &[#(#slot_dimensions),*];
            const SEGMENTS: &'static [usize] = &[#(#segments),*];
            const HOLONOMIC_ROWS: usize = #holonomic;
            const TERMS: rt::Terms = rt::Terms {
                inertia: #inertia,
                inertia_is_constant: #constant,
                force: #force,
                stiffness: #stiffness,
                damping: #damping,
            };
            const FORCE_WITH_JACOBIAN: bool = #of_configuration;

            #(#kernels)*
            #(#joints)*
        }
    }
}
