//! The Hamiltonian of an assembled system: the Lagrangians of its terms, which the runtime adds up.

use proc_macro2::TokenStream;
use quote::quote;

use crate::backend::rust::codegen::environment::Scope;
use crate::backend::rust::codegen::names::own;
use crate::backend::rust::codegen::types::type_name;
use crate::backend::rust::terms::kernels::{into, stores, with_members};
use crate::schedule::{KernelId, Plan, Term};

/// ∂L/∂v and D_q L of a term, as its implementation of `LagrangianTerm`.
fn lagrangian(plan: &Plan<'_>, term: &Term) -> TokenStream {
    let (configuration, name, dof) = (own(&plan.model.configuration.point()), type_name(term.number), term.dof());
    let (to_momentum, to_gradient) = (into("momentum"), into("gradient"));
    let body = stores(term, Scope::Term, term.kernels.outputs(KernelId::Lagrangian), |at, value| {
        if at < dof { to_momentum(at, value) } else { to_gradient(at - dof, value) }
    });
    let body = with_members(plan, term, &body);
    quote! {
        impl<S: Scalar> rt::LagrangianTerm<System<S>> for #name {
            #[inline]
            fn lagrangian(
                system: &System<S>,
                place: &rt::ElementLocation<'_>,
                t: S,
                q: &#configuration<S>,
                v: &Self::Vector,
                momentum: &mut Self::Vector,
                gradient: &mut Self::Vector,
            ) {
                #body
            }
        }
    }
}

/// Emits the implementations, if every term is conservative.
pub(super) fn emit(plan: &Plan<'_>) -> Option<TokenStream> {
    if plan.obstacle.is_some() {
        return None;
    }
    let configuration = &own(&plan.model.configuration.point());
    let lagrangians = plan.terms.iter().map(|term| lagrangian(plan, term));
    let types = plan.terms.iter().map(|term| type_name(term.number));
    Some(quote! {
        #(#lagrangians)*
        impl<S: Scalar> rt::Conservative for System<S> {
            fn visit_lagrangians<V: rt::LagrangianVisitor<Self>>(&self, visitor: &mut V) {
                #(visitor.element::<#types>();)*
            }
        }
        impl<S: Scalar> rt::LeftAction for #configuration<S> {
            type Scalar = S;
            type Algebra = DVector<S>;
        }
        impl<S: Scalar> rt::OnCotangent for System<S> {
            type Space = rt::ChainSpace<#configuration<S>>;
            type Workspace = rt::ElementMomenta<Self>;

            #[inline]
            fn left_space(&self) -> &Self::Space {
                &self.space
            }
            fn workspace(&self) -> Self::Workspace {
                rt::element_momenta(self)
            }
            fn forget(workspace: &mut Self::Workspace) {
                workspace.forget();
            }
            #[inline]
            fn evaluate(
                &self,
                q: &#configuration<S>,
                mu: &DVector<S>,
                workspace: &mut Self::Workspace,
                velocity: &mut DVector<S>,
                force: &mut DVector<S>,
            ) -> Result<(), rt::StepFailure> {
                rt::derivatives_of_elements(self, q, mu, workspace, velocity, force)
            }
            #[inline]
            fn evaluate_at_velocity(
                &self,
                q: &#configuration<S>,
                velocity: &DVector<S>,
                workspace: &mut Self::Workspace,
                mu: &mut DVector<S>,
                force: &mut DVector<S>,
            ) {
                rt::at_velocity_of_elements(self, q, velocity, workspace, mu, force);
            }
            fn coupling(&self) -> rt::Coupling {
                rt::Coupling::of_elements(self)
            }
        }
    })
}
