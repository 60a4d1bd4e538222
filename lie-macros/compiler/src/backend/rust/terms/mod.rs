//! Terms: one implementation of `Term` of the runtime for each.

pub(crate) mod kernels;
pub(crate) mod rates;

use proc_macro2::TokenStream;
use quote::quote;

use crate::backend::rust::codegen::n;
use kernels::{joint_method, method, method_of_part};

use crate::backend::rust::codegen::names;
use crate::backend::rust::codegen::types::{dimensions, type_name};
use crate::model::SlotMembers;
use crate::schedule::{JOINT, KernelId, OF_TERMS, Plan, Term};

/// Emits all terms.
pub(crate) fn emit(plan: &Plan<'_>) -> TokenStream {
    plan.terms.iter().map(|term| implementation(plan, term)).collect()
}

/// Returns the kinds of elements of an assembled system.
pub(crate) fn kinds(plan: &Plan<'_>) -> TokenStream {
    let declarations = plan.terms.iter().map(declaration);
    quote!(const KINDS: &[rt::ElementDeclaration] = &[#(#declarations),*];)
}

fn declaration(term: &Term) -> TokenStream {
    let selections = term.over.iter().map(|selection| {
        let field = n(selection.field);
        let part = match selection.part {
            SlotMembers::Each => quote!(Each),
            SlotMembers::Windows { size, stride } => {
                let (size, stride) = (n(size), n(stride));
                quote!(Windows { size: #size, stride: #stride })
            }
            SlotMembers::First => quote!(First),
            SlotMembers::Last => quote!(Last),
            SlotMembers::At(index) => {
                let index = n(index);
                quote!(At(#index))
            }
            SlotMembers::Listed(list) => {
                let list = n(list);
                quote!(Listed(#list))
            }
            SlotMembers::Parallel => quote!(Parallel),
            SlotMembers::Whole(count) => {
                let count = n(count);
                quote!(All(#count))
            }
        };
        quote!(rt::Selection { field: #field, part: rt::MemberRange::#part })
    });
    let functions = term.model.functions.iter().map(|function| names::text(&function.name));
    let declared = &term.equations.constraints.declared;
    let segments = declared.iter().map(|constraint| n(constraint.rows));
    let holonomic = declared.iter().map(|constraint| constraint.holonomic);
    quote! {
        rt::ElementDeclaration {
            functions: &[#(#functions),*],
            selections: &[#(#selections),*],
            segments: &[#(#segments),*],
            holonomic: &[#(#holonomic),*],
        }
    }
}

/// Returns the types of vectors, rows, matrices and Jacobians; the term of an unrolled system has the types of the system.
fn blocks(plan: &Plan<'_>, term: &Term) -> [TokenStream; 4] {
    let (dof, rows) = (term.dof(), term.equations.constraints.rows());
    let [vector, row, square, jacobian] = [n(dof), n(rows), n(dof * dof), n(rows * dof)];
    if plan.unrolled().is_some() {
        [
            quote!(SVector<S, #vector>),
            quote!(SVector<S, #row>),
            quote!(SMatrix<S, #vector, #vector>),
            quote!(SMatrix<S, #row, #vector>),
        ]
    } else {
        [quote!([S; #vector]), quote!([S; #row]), quote!([S; #square]), quote!([S; #jacobian])]
    }
}

fn implementation(plan: &Plan<'_>, term: &Term) -> TokenStream {
    let equations = &term.equations;
    let name = type_name(term.number);
    let [vector, row, matrix, jacobian] = blocks(plan, term);
    let number = n(term.number);
    let slot_dimensions = dimensions(&term.model.configuration).into_iter().map(n);
    let segments = equations.constraints.declared.iter().map(|constraint| n(constraint.rows));
    let holonomic = n(equations.constraints.holonomic_rows());
    let (inertia, force) = (term.has(KernelId::MassMatrix), term.has(KernelId::Force));
    let (stiffness, damping) = (term.has(KernelId::TangentStiffness), term.has(KernelId::TangentDamping));
    let constant = equations.inertia.is_constant;
    // A missing kernel is zero by default.
    let kernels = OF_TERMS.into_iter().filter(|&id| term.has(id)).map(|id| {
        match JOINT.iter().find(|(joint, _)| term.kernels.joint_of(id) == Some(*joint)) {
            Some((joint, parts)) => method_of_part(plan, term, id, *joint, parts),
            None => method(plan, term, id),
        }
    });
    let joints = JOINT.iter().filter(|(joint, _)| term.kernels.has(*joint));
    let joints = joints.map(|(joint, parts)| joint_method(plan, term, *joint, parts));
    let of_configuration = term.kernels.has(KernelId::ForceAndJacobian);
    let (kernel_trait, _) = kernels::kernel_trait(plan, term);
    quote! {
        pub struct #name;

        impl<S: Scalar> #kernel_trait for #name {
            type Vector = #vector;
            type Rows = #row;
            type Matrix = #matrix;
            type Jacobian = #jacobian;

            const KIND: usize = #number;
            const SLOTS: &'static [usize] = &[#(#slot_dimensions),*];
            const SEGMENTS: &'static [usize] = &[#(#segments),*];
            const HOLONOMIC_ROWS: usize = #holonomic;
            const CONTRIBUTIONS: rt::Contributions = rt::Contributions {
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
