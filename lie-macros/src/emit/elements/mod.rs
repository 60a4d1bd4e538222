//! Emission for systems over chains: one implementation of the runtime's `Element` for each kind of elements, and the
//! system that shows them to the runtime's loops.

pub(super) mod arguments;
mod card;
mod frames;
mod group;
mod kinds;
mod rates;
mod report;
mod system;

use proc_macro2::{Literal, TokenStream};
use quote::quote;

use super::{declaration, kept, names, report as plain_report, structs, twins};
use crate::derive::{Equations, Recursion};
use crate::graph::Graph;
use crate::model::{ElementModel, Kinematics, Model};
use crate::plan::{Hoisted, Kernels};

pub(super) use card::over;
pub(super) use kinds::{dimensions, slots, type_name};

/// One kind of elements, ready to be printed.
pub(super) struct Kind<'a> {
    pub number: usize,
    pub element: &'a ElementModel,
    pub equations: &'a Equations,
    pub kernels: Kernels,
    pub hoisted: Hoisted,
}

/// What every part of the emission looks at.
pub(super) struct Context<'a> {
    pub model: &'a Model,
    pub kinds: Vec<Kind<'a>>,
    pub frames: Option<frames::Frames<'a>>,
}

/// Frames as they were derived.
pub(crate) struct DerivedFrames<'a> {
    pub kinematics: &'a Kinematics,
    /// The model that the recursion is a function of.
    pub model: &'a Model,
    pub recursion: Recursion,
    pub elements: &'a [ElementModel],
    pub equations: Vec<Equations>,
}

/// Values that are computed once: where they are kept, and what they are printed from.
pub(super) struct Kept<'a> {
    pub number: usize,
    pub hoisted: &'a Hoisted,
    pub graph: &'a Graph,
    pub model: &'a Model,
    /// The length of the chain.
    pub length: TokenStream,
}

impl Kind<'_> {
    fn kept(&self, length: TokenStream) -> Kept<'_> {
        Kept {
            number: self.number,
            hoisted: &self.hoisted,
            graph: &self.equations.graph,
            model: &self.element.model,
            length,
        }
    }
}

impl Context<'_> {
    /// All values that are computed once.
    pub fn kept(&self) -> Vec<Kept<'_>> {
        let mut all: Vec<Kept<'_>> = self
            .kinds
            .iter()
            .map(|kind| {
                let number = Literal::usize_unsuffixed(kind.number);
                kind.kept(quote!(layout.kinds[#number].length))
            })
            .collect();
        if let Some(frames) = &self.frames {
            let field = Literal::usize_unsuffixed(frames.kinematics.field);
            let whole = quote!(layout.spans[#field].length);
            all.push(Kept {
                number: frames.number,
                hoisted: &frames.hoisted,
                graph: &frames.recursion.graph,
                model: frames.model,
                length: whole.clone(),
            });
            all.extend(frames.terms.iter().map(|term| term.kept(whole.clone())));
        }
        all
    }
}

/// The module with everything that was derived.
pub(crate) fn emit(
    model: &Model,
    elements: &[ElementModel],
    equations: &mut [Equations],
    derived: Option<&mut DerivedFrames<'_>>,
    warnings: &[TokenStream],
) -> TokenStream {
    let kernels: Vec<Kernels> = equations.iter_mut().map(Kernels::of_element).collect();
    let kinds =
        elements.iter().zip(&*equations).zip(kernels).enumerate().map(|(number, ((element, equations), kernels))| {
            let hoisted = Hoisted::new(&equations.graph, kernels.all());
            Kind { number, element, equations, kernels, hoisted }
        });
    let kinds: Vec<Kind<'_>> = kinds.collect();
    let frames = derived.map(|derived| frames(derived, kinds.len()));
    let context = Context { model, kinds, frames };
    let (attributes, visibility, name) = (&model.attributes, &model.visibility, &model.name);
    let items = model.items.iter().map(|item| kept(model, item));
    let structs = structs::emit(model, None);
    let definition = system::definition(&context);
    let constructor = system::emit(&context);
    let kinds = kinds::emit(&context);
    let recursion = frames::emit(&context);
    let rates = rates::emit(&context);
    let report = report::emit(&context);
    let parameters = plain_report::parameters(model);
    let comparison = declaration::emit_elements(&context);
    let checked = model.derivative_check.then(|| (twins::functions(model), twins::emit_elements(&context)));
    let (twins, check) = checked.unzip();
    let imports = names::imports();
    quote! {
        #(#attributes)*
        #visibility mod #name {
            #(#items)*
            #structs
            #definition
            #(#rates)*
            #twins
            #(#warnings)*
            #[allow(
                clippy::all, clippy::pedantic, clippy::nursery, unused_variables, unused_imports, unused_parens,
                unused_mut, non_snake_case, unused_qualifications, missing_docs
            )]
            const _: () = {
                #imports
                use ::lie_runtime::__private::DVector;
                #constructor
                #kinds
                #recursion
                #report
                #parameters
                #comparison
                #check
            };
        }
    }
}

/// Frames, ready to be printed; `number` is the first one that no kind of elements has.
fn frames<'a>(derived: &'a mut DerivedFrames<'_>, number: usize) -> frames::Frames<'a> {
    let DerivedFrames { kinematics, model, recursion, elements, equations } = derived;
    let kernels: Vec<Kernels> = equations.iter_mut().map(Kernels::of_frames).collect();
    let equations: &[Equations] = equations;
    let terms = elements.iter().zip(equations).zip(kernels).enumerate().map(|(at, ((element, equations), kernels))| {
        let hoisted = Hoisted::new(&equations.graph, kernels.all());
        Kind { number: number + 1 + at, element, equations, kernels, hoisted }
    });
    let kernels = Kernels::of_recursion(recursion);
    let hoisted = Hoisted::new(&recursion.graph, kernels.all());
    frames::Frames { kinematics, recursion, model, kernels, hoisted, number, terms: terms.collect() }
}
