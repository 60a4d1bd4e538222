//! The list of unilateral contacts, stops and frictions.

use proc_macro2::TokenStream;
use quote::{ToTokens, quote};

use crate::backend::rust::codegen::names::text;
use crate::model::{Contact, ContactFlag, Contacts, Friction, FrictionCoefficient, FrictionPlace, Stribeck};

/// Emits the implementation of `UnilateralContacts`, if there are contacts or frictions. It has its own scope, because coefficients are paths
/// in the module of the user.
pub(in crate::backend::rust) fn emit(declared: &Contacts) -> Option<TokenStream> {
    let contacts = declared.contacts.iter().map(contact);
    let frictions = declared.frictions.iter().map(friction);
    (!declared.is_empty()).then(|| {
        quote! {
            const _: () = {
                use ::lie_runtime::__private as rt;
                impl<__S: rt::Scalar> rt::UnilateralContacts for System<__S> {
                    fn contacts(&self) -> &[rt::UnilateralContact<<Self as rt::Parametrised>::Parameters, __S>] {
                        const { &[#(#contacts),*] }
                    }
                    fn frictions(&self) -> &[rt::DryFriction<<Self as rt::Parametrised>::Parameters, __S>] {
                        const { &[#(#frictions),*] }
                    }
                }
            };
        }
    })
}

fn contact(Contact { name, constraint, gap, state, hold }: &Contact) -> TokenStream {
    let (constraint, gap) = (text(constraint), text(gap));
    let (is_active, set_active, values) = match state {
        ContactFlag::Active(flag) => {
            let name = flag.to_token_stream();
            let values = [format!("{name} = false"), format!("{name} = true")];
            (quote!(parameters.#flag), quote!(parameters.#flag = active), values)
        }
        ContactFlag::Stop(stop, side) => {
            let is_active = if *side < 0 { quote!(parameters.#stop < 0) } else { quote!(parameters.#stop > 0) };
            let name = stop.to_token_stream();
            let values = [format!("{name} = 0"), format!("{name} = {side}")];
            (is_active, quote!(parameters.#stop = if active { #side } else { 0 }), values)
        }
    };
    let (hold, [open, active]) = (optional(hold.as_ref().map(coefficient)), values);
    quote! {
        rt::UnilateralContact {
            name: #name,
            constraint: #constraint,
            gap: #gap,
            is_active: |parameters, _| #is_active,
            set_active: |parameters, _, active| #set_active,
            hold: #hold,
            number: 0,
            values: [#open, #active],
        }
    }
}

fn friction(Friction { tangent, speed, coefficient: bound, stribeck, slip, place }: &Friction) -> TokenStream {
    let (slip, flag) = (&slip.member, slip.member.to_token_stream().to_string());
    let bound = coefficient(bound);
    let stribeck = optional(stribeck.as_ref().map(|Stribeck { sliding, velocity }| {
        let (sliding, velocity) = (coefficient(sliding), coefficient(velocity));
        quote!(rt::StribeckLaw { sliding: #sliding, velocity: #velocity })
    }));
    let (normal, acts) = match place {
        FrictionPlace::Contact(constraint, active) => {
            (Some(text(constraint)), quote!(|parameters, _| parameters.#active))
        }
        FrictionPlace::Stop(stop) => (None, quote!(|parameters, _| parameters.#stop == 0)),
        FrictionPlace::Joint => (None, quote!(|_, _| true)),
    };
    let name = normal.as_ref().unwrap_or(tangent);
    let normal = optional(normal.as_ref().map(ToTokens::to_token_stream));
    quote! {
        rt::DryFriction {
            name: #name,
            tangent: #tangent,
            speed: #speed,
            normal: #normal,
            acts: #acts,
            coefficient: #bound,
            stribeck: #stribeck,
            flag: #flag,
            slip: |parameters, _| parameters.#slip,
            set_slip: |parameters, _, slip| parameters.#slip = slip,
            number: 0,
        }
    }
}

/// Returns the function that returns a coefficient of friction.
fn coefficient(coefficient: &FrictionCoefficient) -> TokenStream {
    match coefficient {
        FrictionCoefficient::Constant(constant) => quote!(|_, _| <__S as rt::Scalar>::from_f64(#constant)),
        FrictionCoefficient::Parameter(member) => quote!(|parameters, _| parameters.#member),
    }
}

fn optional(value: Option<TokenStream>) -> TokenStream {
    match value {
        Some(value) => quote!(::core::option::Option::Some(#value)),
        None => quote!(::core::option::Option::None),
    }
}
