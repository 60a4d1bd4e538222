//! The kernels of a term: as statements, and as methods of the traits of the runtime.

use proc_macro2::TokenStream;
use quote::quote;

use crate::backend::rust::codegen::environment::{Environment, Scope};
use crate::backend::rust::codegen::members::Members;
use crate::backend::rust::codegen::n;
use crate::backend::rust::codegen::names::{ident, own};
use crate::backend::rust::codegen::print::{Printed, print, print_stores};
use crate::backend::rust::data::inputs;
use crate::scalar::Scalar;
use crate::schedule::{Inputs, KernelId, KernelOutput, Plan, Term};

/// Sparse matrices with more entries are cleared before the nonzeros are written. A line for each zero would dominate the compile time.
const MANY: usize = 256;

fn environment(term: &Term, scope: Scope) -> Environment<'_> {
    Environment { model: &term.model, number: term.number, scope }
}

/// Emits the statements and values of some outputs.
pub(crate) fn printed(term: &Term, scope: Scope, outputs: &[Scalar]) -> Printed {
    print(&term.equations.graph, outputs, Some(&term.hoisted), &environment(term, scope))
}

/// Emits the statements of some outputs; `store` stores each one, by its position and value.
pub(crate) fn stores(
    term: &Term,
    scope: Scope,
    outputs: &[Scalar],
    store: impl Fn(usize, &TokenStream) -> TokenStream,
) -> TokenStream {
    print_stores(&term.equations.graph, outputs, Some(&term.hoisted), &environment(term, scope), store)
}

/// Returns a kernel of one output as a block.
pub(crate) fn value(term: &Term, scope: Scope, id: KernelId) -> TokenStream {
    let printed = printed(term, scope, term.kernels.outputs(id));
    let (statements, value) = (&printed.statements, &printed.outputs[0]);
    quote! { #(#statements)* #value }
}

/// Stores outputs in a vector with the given name.
pub(crate) fn into(vector: &str) -> impl Fn(usize, &TokenStream) -> TokenStream {
    let vector = ident(vector);
    move |at, value| {
        let at = n(at);
        quote!(#vector[#at] = #value;)
    }
}

/// Stores outputs in a matrix `out` with this number of columns.
pub(crate) fn into_matrix(columns: usize) -> impl Fn(usize, &TokenStream) -> TokenStream {
    move |at, value| {
        let (row, column) = (n(at / columns), n(at % columns));
        quote!(out[(#row, #column)] = #value;)
    }
}

/// Returns the inlining attribute of these kernels: short ones are inlined, except in test builds, where compile time is more important.
pub(crate) fn inlining(term: &Term, ids: &[KernelId]) -> TokenStream {
    if term.is_short(ids) {
        quote! {
            #[cfg_attr(debug_assertions, inline)]
            #[cfg_attr(not(debug_assertions), inline(always))]
        }
    } else {
        quote!(#[inline])
    }
}

/// Returns the names and types of the arguments of a method of `Term`, in addition to the point.
pub(crate) fn taken(inputs: Inputs) -> (TokenStream, TokenStream) {
    match inputs {
        Inputs::Nothing => (quote!(), quote!()),
        Inputs::Velocity => (quote!(v: &Self::Vector,), quote!(v,)),
        Inputs::State => (
            quote!(v: &Self::Vector, acceleration: &Self::Vector, multipliers: &Self::Rows,),
            quote!(v, acceleration, multipliers,),
        ),
    }
}

/// Returns the result type of a kernel of a term.
fn given_by(id: KernelId) -> TokenStream {
    match id.signature().1 {
        KernelOutput::Number => bug!("the kernel `{}` gives a number", id.name()),
        KernelOutput::Vector => quote!(Self::Vector),
        KernelOutput::Rows => quote!(Self::Rows),
        KernelOutput::Matrix => quote!(Self::Matrix),
        KernelOutput::Jacobian => quote!(Self::Jacobian),
        KernelOutput::Cotangents => bug!("terms have no kernel `{}`", id.name()),
    }
}

/// Returns the trait of kernels, and the source of the members of this term.
pub(crate) fn kernel_trait(plan: &Plan<'_>, term: &Term) -> (TokenStream, TokenStream) {
    if plan.joins_frames(term) {
        let seen = quote!(rt::FrameKinematics<System<S>, Recursion>);
        return (quote!(rt::Term<System<S>, #seen>), seen);
    }
    let configuration = &own(&plan.model.configuration.point());
    (quote!(rt::Term<System<S>>), quote!(#configuration<S>))
}

/// Emits the statements of a kernel of `Term`, after the members that it reads.
pub(crate) fn with_members(plan: &Plan<'_>, term: &Term, body: &TokenStream) -> TokenStream {
    let motions = plan.joins_frames(term).then(|| quote!(let motions = q;));
    let body = Members::of_term(plan, term).read_by(body);
    quote!(#motions #body)
}

/// Emits several kernels as one method of `Term`, with the arguments of the first one.
pub(crate) fn joint_method(plan: &Plan<'_>, term: &Term, joint: KernelId, parts: &[KernelId]) -> TokenStream {
    let ((_, seen), name) = (kernel_trait(plan, term), ident(joint.name()));
    let (inputs, _) = taken(joint_inputs(joint, parts));
    let outputs = term.kernels.outputs(joint);
    let given = inputs::found(&term.equations.graph, outputs, &quote!(system), false);
    let outs: Vec<_> = parts.iter().map(|part| ident(&format!("out_{}", part.name()))).collect();
    let types = parts.iter().map(|&part| given_by(part));
    // The part of each output, and its position in this part.
    let mut places = Vec::new();
    for (number, part) in parts.iter().enumerate() {
        let length = term.size_of(part.signature().1);
        places.extend((0..length).map(|at| (number, at)));
    }
    let store = |at: usize, value: &TokenStream| {
        let (part, at) = (places[at].0, n(places[at].1));
        let out = &outs[part];
        // A part that is zero is not computed.
        if term.has(parts[part]) { quote!(#out[#at] = #value;) } else { quote!() }
    };
    let body = stores(term, Scope::Term, outputs, store);
    let body = with_members(plan, term, &quote!(#given #body));
    quote! {
        #[inline]
        fn #name(
            system: &System<S>, place: &rt::ElementLocation<'_>, t: S, q: &#seen, #inputs #(#outs: &mut #types),*
        ) {
            #body
        }
    }
}

/// Returns the arguments of a joint kernel.
fn joint_inputs(joint: KernelId, parts: &[KernelId]) -> Inputs {
    // This kernel depends on q only.
    if joint == KernelId::ForceAndJacobian { Inputs::Nothing } else { parts[0].signature().0 }
}

/// Emits a kernel that is a part of a joint kernel: the other parts are discarded.
pub(crate) fn method_of_part(
    plan: &Plan<'_>,
    term: &Term,
    id: KernelId,
    joint: KernelId,
    parts: &[KernelId],
) -> TokenStream {
    let ((kernels, seen), [name, joint_name]) = (kernel_trait(plan, term), [id, joint].map(|id| ident(id.name())));
    let (inputs, out) = (taken(id.signature().0).0, given_by(id));
    let handed = taken(joint_inputs(joint, parts)).1;
    let parts = parts.iter().map(|&part| if part == id { quote!(out) } else { quote!(&mut rt::Block::zeros()) });
    quote! {
        fn #name(
            system: &System<S>, place: &rt::ElementLocation<'_>, t: S, q: &#seen, #inputs out: &mut #out,
        ) {
            <Self as #kernels>::#joint_name(system, place, t, q, #handed #(#parts),*);
        }
    }
}

/// Emits a kernel as a method of `Term`.
pub(crate) fn method(plan: &Plan<'_>, term: &Term, id: KernelId) -> TokenStream {
    let ((_, seen), name) = (kernel_trait(plan, term), ident(id.name()));
    let (inputs, output) = id.signature();
    let inputs = taken(inputs).0;
    let is_whole = plan.unrolled().is_some();
    let given = inputs::found_by(term, id, &quote!(system), is_whole);
    if output == KernelOutput::Number {
        let value = value(term, Scope::Term, id);
        let body = with_members(plan, term, &quote!(#given #value));
        return quote! {
            fn #name(system: &System<S>, place: &rt::ElementLocation<'_>, t: S, q: &#seen, #inputs) -> S {
                #body
            }
        };
    }
    let out = given_by(id);
    let outputs = term.kernels.outputs(id);
    let is_matrix = is_whole && matches!(output, KernelOutput::Matrix | KernelOutput::Jacobian);
    let is_zero = |at: usize| term.equations.graph.is_zero(outputs[at]);
    let zeros = (0..outputs.len()).filter(|&at| is_zero(at)).count();
    let is_cleared = outputs.len() > MANY && 2 * zeros > outputs.len();
    let cleared = is_cleared.then(|| quote!(rt::Block::as_mut_slice(out).fill(<S as Scalar>::from_f64(0.0));));
    let store = |at: usize, value: &TokenStream| {
        if is_cleared && is_zero(at) {
            return quote!();
        }
        if is_matrix { into_matrix(term.dof())(at, value) } else { into("out")(at, value) }
    };
    let body = stores(term, Scope::Term, outputs, store);
    let body = with_members(plan, term, &quote!(#given #cleared #body));
    // With `#[inline]`, each codegen unit that calls the kernel would contain a copy.
    let inlining = if is_whole {
        inlining(term, &[id])
    } else if term.is_long(&[id]) {
        quote!()
    } else {
        quote!(#[inline])
    };
    quote! {
        #inlining
        fn #name(system: &System<S>, place: &rt::ElementLocation<'_>, t: S, q: &#seen, #inputs out: &mut #out) {
            #body
        }
    }
}
