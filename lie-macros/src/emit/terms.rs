//! Terms over members that the runtime assembles: an implementation of `Element` each.

use proc_macro2::{Ident, Literal, TokenStream};
use quote::{format_ident, quote};

use super::arguments::slots;
use super::environment::Home;
use super::kernels::{into, stores, value};
use crate::emit::names::own;
use crate::model::{Configuration, Part};
use crate::plan::{KernelId, Plan, Term};

/// The type that stands for a term.
pub(super) fn type_name(number: usize) -> Ident {
    format_ident!("Element{number}")
}

fn n(value: usize) -> Literal {
    Literal::usize_unsuffixed(value)
}

/// All of them, and their list.
pub(super) fn emit(plan: &Plan<'_>) -> TokenStream {
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
            Part::Whole(count) => {
                let count = n(count);
                quote!(All(#count))
            }
        };
        quote!(rt::Selection { field: #field, part: rt::Part::#part })
    });
    let functions = term.model.functions.iter().map(|function| function.name.to_string());
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
pub(super) fn dimensions(configuration: &Configuration) -> Vec<usize> {
    configuration
        .members
        .iter()
        .flat_map(|member| std::iter::repeat_n(member.group.dimension(), member.count.unwrap_or(1)))
        .collect()
}

fn element(plan: &Plan<'_>, term: &Term) -> TokenStream {
    let equations = &term.equations;
    let configuration = &own(&plan.model.configuration.item.ident);
    let name = type_name(term.number);
    let (dof, rows) = (term.dof(), equations.constraints.rows());
    let (vector, row, matrix, jacobian) = (n(dof), n(rows), n(dof * dof), n(rows * dof));
    let number = n(term.number);
    let slot_dimensions = dimensions(&term.model.configuration).into_iter().map(n);
    let segments = equations.constraints.declared.iter().map(|constraint| n(constraint.rows));
    let holonomic = n(equations.constraints.holonomic_rows());
    let (inertia, force) = (term.has(KernelId::Mass), term.has(KernelId::Force));
    let (stiffness, damping) = (term.has(KernelId::TangentStiffness), term.has(KernelId::TangentDamping));
    let constant = equations.inertia.is_constant;
    let read = slots(plan, term);
    let body = |id: KernelId| {
        if !term.has(id) {
            return quote!(*out = rt::Block::zeros(););
        }
        let body = stores(term, Home::Term, term.kernels.outputs(id), into("out"));
        quote! { #read #body }
    };
    let (kinetic, potential) =
        (value(term, Home::Term, KernelId::KineticEnergy), value(term, Home::Term, KernelId::PotentialEnergy));
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
        let (body, kernel) = (body(id), format_ident!("{kernel}"));
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
                #read
                #kinetic
            }
            fn potential_energy(system: &System<S>, place: &rt::Place<'_>, t: S, q: &#configuration<S>) -> S {
                #read
                #potential
            }
        }
    }
}
