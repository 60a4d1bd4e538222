//! The kinds of elements: their kernels.

use proc_macro2::{Ident, Literal, TokenStream};
use quote::{format_ident, quote};

use super::{Context, Kind};
use crate::emit::Environment;
use crate::emit::environment::{Home, slot};
use crate::emit::names::own;
use crate::emit::print::{print, print_stores};
use crate::graph::Scalar;
use crate::model::{Configuration, Part};
use crate::plan::KernelId;

/// The type of a kind of elements.
pub(in crate::emit) fn type_name(number: usize) -> Ident {
    format_ident!("Element{number}")
}

/// All of them, and their list.
pub(super) fn emit(context: &Context<'_>) -> TokenStream {
    let kinds = context.kinds.iter().map(|kind| element(context, kind));
    let declarations = context.kinds.iter().map(|kind| declaration(kind));
    quote! {
        const KINDS: &[rt::KindDeclaration] = &[#(#declarations),*];
        #(#kinds)*
    }
}

fn n(value: usize) -> Literal {
    Literal::usize_unsuffixed(value)
}

fn declaration(kind: &Kind<'_>) -> TokenStream {
    let selections = kind.element.over.iter().map(|selection| {
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
            Part::Whole(count) => {
                let count = n(count);
                quote!(All(#count))
            }
        };
        quote!(rt::Selection { field: #field, part: rt::Part::#part })
    });
    let functions = kind.element.model.functions.iter().map(|function| function.name.to_string());
    let declared = &kind.equations.constraints.declared;
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

/// `let slot_0 = &q.nodes[place.members[0]];` and so on.
pub(in crate::emit) fn slots(context: &Context<'_>, kind: &Kind<'_>) -> TokenStream {
    let mut statements = Vec::new();
    for selection in &kind.element.over {
        let member = &context.model.configuration.members[selection.field];
        let name = &member.name;
        for _ in 0..selection.part.slots() {
            let (at, variable) = (n(statements.len()), slot(statements.len()));
            statements.push(if member.is_chain || member.count.is_some() {
                quote!(let #variable = &q.#name[place.members[#at]];)
            } else {
                quote!(let #variable = &q.#name;)
            });
        }
    }
    quote!(#(#statements)*)
}

fn element(context: &Context<'_>, kind: &Kind<'_>) -> TokenStream {
    let equations = kind.equations;
    let configuration = &own(&context.model.configuration.item.ident);
    let name = type_name(kind.number);
    let dimensions = dimensions(&kind.element.model.configuration);
    let (dof, rows) = (equations.inertia.mass.len(), equations.constraints.rows());
    let (vector, row, matrix, jacobian) = (n(dof), n(rows), n(dof * dof), n(rows * dof));
    let number = n(kind.number);
    let slot_dimensions = dimensions.into_iter().map(n);
    let segments = equations.constraints.declared.iter().map(|constraint| n(constraint.rows));
    let holonomic = n(equations.constraints.holonomic_rows());
    let has = |id| kind.kernels.has(&equations.graph, id);
    let (inertia, force) = (has(KernelId::Mass), has(KernelId::Force));
    let (stiffness, damping) = (has(KernelId::TangentStiffness), has(KernelId::TangentDamping));
    let constant = equations.inertia.is_constant;
    let read = slots(context, kind);
    let environment = Environment { model: &kind.element.model, home: Home::Element(kind.number) };
    let stores = |id: KernelId| {
        let outputs: &[Scalar] = kind.kernels.outputs(id);
        if outputs.iter().all(|&output| equations.graph.is_zero(output)) {
            return quote!(*out = rt::Block::zeros(););
        }
        let store = |at: usize, value: &TokenStream| {
            let at = n(at);
            quote!(out[#at] = #value;)
        };
        let body = print_stores(&equations.graph, outputs, Some(&kind.hoisted), &environment, store);
        quote! { #read #body }
    };
    let value = |id: KernelId| {
        let outputs: &[Scalar] = kind.kernels.outputs(id);
        let printed = print(&equations.graph, outputs, Some(&kind.hoisted), &environment);
        let (statements, value) = (&printed.statements, &printed.outputs[0]);
        quote! { #read #(#statements)* #value }
    };
    // The kernel, its method, the arguments between q and `out`, the type of `out`.
    let velocity = quote!(v: &Self::Vector,);
    let state = quote!(v: &Self::Vector, acceleration: &Self::Vector, multipliers: &Self::Rows,);
    let kernels = [
        (KernelId::Mass, "mass", quote!(), quote!(Matrix)),
        (KernelId::Force, "force", velocity.clone(), quote!(Vector)),
        (KernelId::Constraint, "constraint", quote!(), quote!(Rows)),
        (KernelId::ConstraintJacobian, "constraint_jacobian", quote!(), quote!(Jacobian)),
        (KernelId::ConstraintDrift, "constraint_drift", quote!(), quote!(Rows)),
        (KernelId::ConstraintCurvature, "constraint_curvature", velocity.clone(), quote!(Rows)),
        (KernelId::Residual, "residual", state.clone(), quote!(Vector)),
        (KernelId::TangentStiffness, "stiffness", state, quote!(Matrix)),
        (KernelId::TangentDamping, "damping", velocity.clone(), quote!(Matrix)),
        (KernelId::RateGradient, "rate_gradient", velocity, quote!(Jacobian)),
    ]
    .map(|(id, kernel, arguments, output)| {
        let (body, kernel) = (stores(id), format_ident!("{kernel}"));
        quote! {
            #[inline]
            fn #kernel(
                system: &System<S>,
                place: &rt::Place<'_>,
                t: S,
                q: &#configuration<S>,
                #arguments
                out: &mut Self::#output,
            ) {
                #body
            }
        }
    });
    let (kinetic, potential) = (value(KernelId::KineticEnergy), value(KernelId::PotentialEnergy));
    quote! {
        struct #name;

        impl<S: Scalar> rt::Element<System<S>> for #name {
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

            #(#kernels)*

            fn kinetic_energy(
                system: &System<S>, place: &rt::Place<'_>, t: S, q: &#configuration<S>, v: &Self::Vector,
            ) -> S {
                #kinetic
            }
            fn potential_energy(system: &System<S>, place: &rt::Place<'_>, t: S, q: &#configuration<S>) -> S {
                #potential
            }
        }
    }
}
