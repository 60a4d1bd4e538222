//! Inputs: the generic struct, the field of the system, and the access of kernels.
//!
//! Kernels read the inputs as `inputs`, and their time derivatives as `input_rates` and `input_seconds`.

use proc_macro2::{Ident, TokenStream};
use quote::quote;

use super::generic::{documentation, generic};
use super::sliding;
use crate::backend::input_needs::{InputNeeds, read};
use crate::backend::rust::codegen::environment::number_in;
use crate::backend::rust::codegen::n;
use crate::backend::rust::codegen::names::own;
use crate::backend::rust::codegen::types::vectors;
use crate::model::{Model, ParameterKind, Parameters};
use crate::scalar::{Graph, Scalar};
use crate::schedule::{Inputs, KernelId, Plan, Term};

/// Returns the number of scalars of an entry.
fn size(kind: ParameterKind) -> usize {
    match kind {
        ParameterKind::Scalar => 1,
        ParameterKind::Vector(rows) | ParameterKind::ScalarArray(rows) => rows,
        ParameterKind::Matrix(rows, columns) | ParameterKind::VectorArray(rows, columns) => rows * columns,
        ParameterKind::Flag | ParameterKind::Whole(_) | ParameterKind::Group(_) => {
            bug!("inputs are numbers, vectors and matrices")
        }
    }
}

/// Scalar `at` of an entry, matrices by rows.
fn number(value: &TokenStream, kind: ParameterKind, at: usize) -> TokenStream {
    let (element, component) = match kind {
        ParameterKind::ScalarArray(_) => (at, 0),
        ParameterKind::VectorArray(rows, _) => (at / rows, at % rows),
        _ => (0, at),
    };
    number_in(kind, value, element, component)
}

/// Returns the number of scalars of the inputs.
pub(crate) fn count(model: &Model) -> usize {
    model.inputs.iter().flat_map(|inputs| &inputs.entries).map(|entry| size(entry.kind)).sum()
}

/// Returns true if constraints read inputs, and therefore their rates.
pub(crate) fn have_rates(plan: &Plan<'_>) -> bool {
    plan.model.inputs.is_some() && InputNeeds::of(plan.all_terms()).smooth.is_some()
}

/// Emits statements that evaluate the inputs of the outputs; `system` is the system, and `of_state` is true if `q` and `v` are available.
pub(crate) fn found(graph: &Graph, outputs: &[Scalar], system: &TokenStream, of_state: bool) -> TokenStream {
    let read = read(graph, outputs);
    let has = |wanted: fn(u8) -> bool| read.iter().any(|&(_, order)| wanted(order));
    let inputs = match (has(|order| order == 0), of_state) {
        (false, _) => quote!(),
        (true, true) => quote!(let inputs = #system.inputs_at(t, q, v);),
        (true, false) => quote!(let inputs = #system.inputs.at_time(t);),
    };
    let rates = has(|order| order > 0).then(|| quote!(let [input_rates, input_seconds] = #system.inputs.rates(t);));
    quote!(#inputs #rates)
}

/// Emits statements that evaluate the inputs of a kernel as a method: of a term that is the whole system, or of an element without the
/// whole state.
pub(crate) fn found_by(term: &Term, id: KernelId, system: &TokenStream, is_whole: bool) -> TokenStream {
    let of_state = is_whole && id.signature().0 != Inputs::Nothing;
    found(&term.equations.graph, term.kernels.outputs(id), system, of_state)
}

/// Emits the struct with the role.
pub(crate) fn definition(model: &Model, s: &Ident) -> TokenStream {
    let Some(inputs) = &model.inputs else { return quote!() };
    let docs = documentation(&inputs.item.attrs, "The inputs.");
    let definition = generic(model, &inputs.item, &inputs.fields, true, &["Clone", "Copy", "Debug", "PartialEq"], s);
    quote!(#docs #definition)
}

/// Returns the type of the field `inputs` of the system.
fn driver(model: &Model, inputs: &Parameters, s: &TokenStream) -> TokenStream {
    let (configuration, name) = (own(&model.configuration.point()), own(&inputs.item.ident));
    quote!(::lie_runtime::inputs::Driver<#configuration<#s>, Velocity<#s>, #name<#s>>)
}

/// Returns the field of the system.
pub(crate) fn field(model: &Model, s: &TokenStream) -> Option<TokenStream> {
    let ty = driver(model, model.inputs.as_ref()?, s);
    Some(quote!(inputs: #ty,))
}

/// Returns the initial value of the field in a new system.
pub(crate) fn none(model: &Model) -> Option<TokenStream> {
    model.inputs.as_ref().map(|_| quote!(inputs: ::lie_runtime::inputs::Driver::none(),))
}

/// Returns the value of the field in a system on dual numbers.
pub(crate) fn lifted(model: &Model) -> Option<TokenStream> {
    model.inputs.as_ref().map(|_| quote!(inputs: self.inputs.lift(None),))
}

/// Emits the method of `DualModel` that lifts the system, with its inputs evaluated in a state.
pub(crate) fn lifted_at(plan: &Plan<'_>) -> Option<TokenStream> {
    plan.model.inputs.as_ref()?;
    let configuration = own(&plan.model.configuration.point());
    let [velocity, _] = vectors(plan, &quote!(S));
    Some(quote! {
        fn lift_at(&self, t: S, q: &#configuration<S>, v: &#velocity) -> System<Dual<S>> {
            System { inputs: self.inputs.lift(Some(self.inputs_at(t, q, v))), ..rt::DualModel::lift(self) }
        }
    })
}

/// Emits the conversion of the struct to scalars, and the methods that set the inputs of a system.
pub(crate) fn emit(plan: &Plan<'_>) -> TokenStream {
    let model = plan.model;
    let Some(inputs) = &model.inputs else { return quote!() };
    let (set, name) = (set(plan, inputs), own(&inputs.item.ident));
    let driver = driver(model, inputs, &quote!(S));
    let configuration = own(&model.configuration.point());
    let [velocity, _] = vectors(plan, &quote!(S));
    let state = quote!(S, &#configuration<S>, &Velocity<S>);
    let fresh = sliding::cache(model);
    let reset = fresh.as_ref().map(|_| quote!(self.sliding = ::core::default::Default::default();));
    quote! {
        #set
        impl<S: Scalar> System<S> {
            /// Sets the inputs as functions of the state.
            ///
            /// They are evaluated in every evaluation of the equations.
            pub fn with_inputs(
                self, inputs: impl ::core::ops::Fn(#state) -> #name<S> + Send + Sync + 'static,
            ) -> Self {
                Self { inputs: <#driver>::of_state(inputs), #fresh ..self }
            }
            /// Sets the inputs as functions of time, which dual numbers differentiate.
            pub fn with_inputs_over_time(
                self,
                inputs: impl ::core::ops::Fn(::lie_runtime::inputs::Jet<S>) -> #name<::lie_runtime::inputs::Jet<S>>
                + Send + Sync + 'static,
            ) -> Self {
                Self { inputs: <#driver>::of_jets(inputs), #fresh ..self }
            }
            /// Sets the inputs from a table or from another function of time.
            pub fn with_inputs_from(
                self, signal: impl ::lie_runtime::inputs::OverTime<#name<S>> + 'static,
            ) -> Self {
                Self { inputs: <#driver>::over_time(signal), #fresh ..self }
            }
            /// Changes the inputs, the last argument, by a function of the state. Inputs of constraints and potentials are
            /// not changed.
            pub fn with_feedback(
                self, feedback: impl ::core::ops::Fn(#state, #name<S>) -> #name<S> + Send + Sync + 'static,
            ) -> Self {
                Self { inputs: self.inputs.clone().with_feedback(feedback), #fresh ..self }
            }
            /// Returns the inputs in a state; NaN for inputs without a source.
            #[inline]
            pub fn inputs_at(&self, t: S, q: &#configuration<S>, v: &#velocity) -> #name<S> {
                self.inputs.at(t, q, || self.velocity(v))
            }
        }
        impl<S: Scalar> ::lie_runtime::system::Driven for System<S> {
            type Inputs = #name<S>;
            type NamedVelocity = Velocity<S>;

            fn named(&self, v: &#velocity) -> Velocity<S> {
                self.velocity(v)
            }
            fn hold(&mut self, inputs: #name<S>) {
                self.inputs = self.inputs.clone().holding(inputs);
                #reset
            }
            fn delay(&mut self, inputs: ::lie_runtime::inputs::DelayedInputs) {
                self.inputs = self.inputs.clone().delayed(inputs);
                #reset
            }
            fn fix(&mut self, inputs: #name<S>) {
                self.inputs = <#driver>::over_time(::lie_runtime::inputs::Constant(inputs));
                #reset
            }
        }
    }
}

/// Emits the methods that check the inputs before a run.
pub(crate) fn checks(plan: &Plan<'_>) -> Option<TokenStream> {
    let is_known = !plan.model.depends_on_time();
    if plan.model.inputs.is_none() {
        return (!is_known).then(|| {
            quote! {
                fn smooth_until(&self, _: f64, end: f64, _: f64) -> ::lie_runtime::inputs::SmoothStretch {
                    ::lie_runtime::inputs::SmoothStretch { until: end, is_known: false }
                }
            }
        });
    }
    let stretch = quote!(self.inputs.smooth_until(from, end, tolerance));
    let stretch =
        if is_known { stretch } else { quote!(::lie_runtime::inputs::SmoothStretch { is_known: false, ..#stretch }) };
    let configuration = own(&plan.model.configuration.point());
    let [velocity, _] = vectors(plan, &quote!(S));
    Some(quote! {
        fn smooth_until(&self, from: f64, end: f64, tolerance: f64) -> ::lie_runtime::inputs::SmoothStretch {
            #stretch
        }
        fn noted_input(&self) -> Option<::lie_runtime::inputs::InputError> {
            self.inputs.noted()
        }
        fn ensure_inputs(&self, start: f64, end: f64) -> Result<(), ::lie_runtime::inputs::InputError> {
            self.inputs.ensure(start, end)
        }
        fn ensure_finite_inputs(
            &self, t: S, q: &#configuration<S>, v: &#velocity,
        ) -> Result<(), ::lie_runtime::inputs::InputError> {
            rt::ensure_finite_inputs(&self.inputs_at(t, q, v), Scalar::value(t))
        }
    })
}

/// Returns the system with its inputs evaluated in a state, for elements that do not read the whole state.
pub(crate) fn in_state(plan: &Plan<'_>) -> Option<TokenStream> {
    plan.model.inputs.as_ref()?;
    let configuration = own(&plan.model.configuration.point());
    let [velocity, _] = vectors(plan, &quote!(S));
    Some(quote! {
        fn in_state(&self, t: S, q: &#configuration<S>, v: &#velocity) -> Option<Self> {
            self.inputs.is_of_state().then(|| {
                let mut here = self.clone();
                ::lie_runtime::system::Driven::hold(&mut here, self.inputs_at(t, q, v));
                here
            })
        }
    })
}

/// Emits the implementation of `InputSet`.
fn set(plan: &Plan<'_>, inputs: &Parameters) -> TokenStream {
    let (name, text) = (own(&inputs.item.ident), inputs.item.ident.to_string());
    let entries = &inputs.entries;
    let fields = entries.iter().map(|entry| {
        let name = &entry.name;
        let shape = match entry.kind {
            ParameterKind::Matrix(rows, columns) => vec![rows, columns],
            ParameterKind::VectorArray(rows, count) => vec![count, rows],
            ParameterKind::Scalar => vec![],
            kind => vec![size(kind)],
        };
        let shape = shape.into_iter().map(n);
        quote!((#name, &[#(#shape),*]))
    });
    let made = inputs.fields.iter().zip(entries).map(|(field, entry)| {
        let name = &field.name;
        let next = |count: usize| std::iter::repeat_n(quote!(next()), count);
        let value = match entry.kind {
            ParameterKind::Scalar => quote!(next()),
            ParameterKind::Vector(rows) => {
                let numbers = next(rows);
                quote!(rt::vector([#(#numbers),*]))
            }
            ParameterKind::Matrix(rows, columns) => {
                let numbers = next(rows * columns);
                let (rows, columns) = (n(rows), n(columns));
                quote!(SMatrix::<S, #rows, #columns>::from_row_slice(&[#(#numbers),*]))
            }
            ParameterKind::VectorArray(rows, count) => {
                let vectors = (0..count).map(|_| {
                    let numbers = next(rows);
                    quote!(rt::vector([#(#numbers),*]))
                });
                quote!([#(#vectors),*])
            }
            kind => {
                let numbers = next(size(kind));
                quote!([#(#numbers),*])
            }
        };
        quote!(#name: #value)
    });
    let shown = entries.iter().flat_map(|entry| {
        let access = &entry.access;
        (0..size(entry.kind)).map(move |at| {
            let number = number(&quote!(self #access), entry.kind, at);
            quote!(visit(#number);)
        })
    });
    let needs = InputNeeds::of(plan.all_terms());
    let prescribed = needs.prescribed.iter().map(|&field| {
        let access = &entries[field as usize].access;
        quote!(self #access = from #access;)
    });
    let function = |name: &Option<String>| match name {
        Some(name) => quote!(Some(#name)),
        None => quote!(None),
    };
    let (over_time, smooth) = (function(&needs.over_time), function(&needs.smooth));
    quote! {
        impl<S: Scalar> ::lie_runtime::inputs::InputSet for #name<S> {
            type Scalar = S;
            type On<T: Scalar> = #name<T>;
            const NAME: &'static str = #text;
            const FIELDS: &'static [(&'static str, &'static [usize])] = &[#(#fields),*];
            const NEEDS: ::lie_runtime::inputs::InputRequirements =
                ::lie_runtime::inputs::InputRequirements { over_time: #over_time, smooth: #smooth };

            fn of(next: &mut dyn ::core::ops::FnMut() -> S) -> Self {
                #name { #(#made),* }
            }
            fn visit(&self, visit: &mut dyn ::core::ops::FnMut(S)) {
                #(#shown)*
            }
            fn prescribe(&mut self, from: &Self) {
                #(#prescribed)*
            }
        }
    }
}
