//! The kernels of reverse differentiation: as `ReverseTerm` of every term.

use proc_macro2::{Literal, TokenStream};
use quote::quote;

use super::assembled::frame_reverse;
use super::environment::{Home, subscript};
use super::inputs;
use super::kernels::{self, stores};
use super::names::ident;
use super::terms::type_name;
use crate::derive::Datum;
use crate::graph::Scalar;
use crate::model::Model;
use crate::plan::{KernelId, PULLBACKS, Plan, Term};

fn n(value: usize) -> Literal {
    Literal::usize_unsuffixed(value)
}

/// The implementations, where the declaration asks for them.
pub(super) fn emit(plan: &Plan<'_>) -> TokenStream {
    if plan.model.gradients.is_none() {
        return quote!();
    }
    let entries = plan.model.parameters.as_ref().map_or(0, |parameters| parameters.entries.len());
    let parameters = first_number(plan.model, entries, &quote!(self));
    let inputs = n(inputs::count(plan.model));
    let has_rates = inputs::have_rates(plan);
    let terms = plan.terms.iter().map(|term| {
        let (name, kernels) = (type_name(term.number), PULLBACKS.map(|id| kernel(plan, term, id)));
        let seen = plan.joins_frames(term).then(|| quote!(, rt::Seen<System<S>, Recursion>));
        quote!(impl<S: Scalar> rt::ReverseTerm<System<S> #seen> for #name { #(#kernels)* })
    });
    let elements = plan.unrolled().is_none().then(|| {
        let frames = frame_reverse::emit(plan);
        let types = plan.terms.iter().filter(|term| !plan.joins_frames(term)).map(|term| type_name(term.number));
        quote! {
            #frames
            impl<S: Scalar> rt::ReverseElements for System<S> {
                fn visit_reverse<V: rt::ReverseVisitor<Self>>(&self, visitor: &mut V) {
                    #(visitor.element::<#types>();)*
                }
            }
        }
    });
    quote! {
        #(#terms)*
        #elements
        impl<S: Scalar> rt::Reversible for System<S> {
            fn parameter_count(&self) -> usize {
                #parameters
            }
            fn input_count(&self) -> usize {
                #inputs
            }
            fn reads_rates_of_inputs(&self) -> bool {
                #has_rates
            }
        }
    }
}

/// How many numbers stand before those of an entry: with lists, whose lengths are known at run time, the parameters of `system`
/// tell.
fn first_number(model: &Model, entry: usize, system: &TokenStream) -> TokenStream {
    let Some(parameters) = &model.parameters else { return quote!(0) };
    let before = || parameters.entries[..entry].iter().filter(|entry| entry.kind.is_settable());
    let fixed: usize = before().filter(|entry| entry.list.is_none()).map(|entry| entry.kind.numbers()).sum();
    let fixed = n(fixed);
    let mut sum = quote!(#fixed);
    for (number, list) in parameters.lists.iter().enumerate() {
        let of_item: usize =
            before().filter(|entry| entry.list == Some(number)).map(|entry| entry.kind.numbers()).sum();
        if of_item > 0 {
            let (of_item, access) = (n(of_item), &list.access);
            sum = quote!(#sum + #of_item * #system.parameters #access.len());
        }
    }
    quote!((#sum))
}

/// A kernel that adds cotangents to what is there.
fn kernel(plan: &Plan<'_>, term: &Term, id: KernelId) -> TokenStream {
    let name = ident(id.name());
    let (_, seen) = kernels::kernel_trait(plan, term);
    let state = kernels::taken(id.signature().0).0;
    let weights = match id {
        KernelId::ResidualPullback => quote!(force: &Self::Vector),
        _ => quote!(constraint: &Self::Rows),
    };
    let system = quote!(system);
    let given = inputs::found_by(term, id, &system, plan.unrolled().is_some());
    let (graph, dof) = (&term.equations.graph, term.dof());
    // What is zero is not added.
    let outputs: Vec<(usize, Scalar)> = term.kernels.outputs(id).iter().copied().enumerate().collect();
    let outputs: Vec<(usize, Scalar)> = outputs.into_iter().filter(|&(_, output)| !graph.is_zero(output)).collect();
    let scalars: Vec<Scalar> = outputs.iter().map(|&(_, output)| output).collect();
    let data = term.equations.gradients.as_ref().map_or(&[][..], |gradients| &gradients.data);
    let store = |at: usize, value: &TokenStream| {
        let at = outputs[at].0;
        match at / dof {
            0 => {
                let at = n(at);
                quote!(out.of_configuration[#at] += #value;)
            }
            1 => {
                let at = n(at - dof);
                quote!(out.of_velocity[#at] += #value;)
            }
            _ => add_to_data(plan.model, data[at - 2 * dof], &system, &quote!(out.of_parameters), value),
        }
    };
    let body = stores(term, Home::Term, &scalars, store);
    let body = kernels::with_members(plan, term, &quote!(#given #body));
    quote! {
        #[inline]
        fn #name(
            system: &System<S>, place: &rt::Place<'_>, t: S, q: &#seen, #state #weights,
            out: &mut rt::Cotangents<'_, Self::Vector, S>,
        ) {
            #body
        }
    }
}

/// Adds a cotangent to that of a number of the parameters or of the inputs, which `sums` is a list of.
pub(in crate::emit) fn add_to_data(
    model: &Model,
    datum: Datum,
    system: &TokenStream,
    sums: &TokenStream,
    value: &TokenStream,
) -> TokenStream {
    let parameters = model.parameters.as_ref();
    let entries = parameters.map_or(&[][..], |parameters| &parameters.entries);
    match datum {
        Datum::Parameter { entry, number } => {
            let (first, number) = (first_number(model, entry, system), n(number));
            quote!(#sums[#first + #number] += #value;)
        }
        Datum::Input { number } => {
            let (first, number) = (first_number(model, entries.len(), system), n(number));
            quote!(#sums[#first + #number] += #value;)
        }
        Datum::Item { entry, number, at, sure } => {
            let (first, size, number) =
                (first_number(model, entry, system), n(entries[entry].kind.numbers()), n(number));
            let list = entries[entry].list.and_then(|list| parameters?.lists.get(list));
            let Some(list) = list.map(|list| &list.access) else { bug!("`{}` is in no list", entries[entry].name) };
            let item = subscript(at, &[quote!(place.index), quote!(place.length)]);
            let add = |item: TokenStream| quote!(#sums[#first + #size * #item + #number] += #value;);
            if sure {
                return add(item);
            }
            // Where there is no such item it is not read.
            let add = add(quote!(item));
            quote! {
                let item = #item;
                if item < #system.parameters #list.len() {
                    #add
                }
            }
        }
    }
}
