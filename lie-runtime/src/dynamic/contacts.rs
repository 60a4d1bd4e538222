//! Unilateral contacts, stops and dry friction of systems from text.

use lie_compiler::tape::{TapeCoefficient, TapeContact, TapeFriction};

use super::DynamicParameters;
use super::model::{ModelData, interned};
use crate::scalar::Scalar;
use crate::system::{DryFriction, StribeckLaw, UnilateralContact};

/// The contacts and the frictions of a system.
#[derive(Clone, Debug)]
pub(super) struct DynamicContacts<S: Scalar> {
    pub contacts: Vec<UnilateralContact<DynamicParameters<S>, S>>,
    pub frictions: Vec<DryFriction<DynamicParameters<S>, S>>,
}

impl<S: Scalar> DynamicContacts<S> {
    pub fn of(model: &ModelData) -> Self {
        let ModelData { contacts, frictions, parameters, .. } = model;
        let parameter = |at: usize| {
            let known = parameters.iter().find(|parameter| parameter.first == at);
            known.map_or("", |parameter| parameter.name.as_str())
        };
        let contacts = contacts.iter().enumerate().map(|(number, contact)| UnilateralContact {
            name: interned(&contact.name),
            constraint: interned(&contact.constraint),
            gap: interned(&contact.gap),
            is_active: |parameters: &DynamicParameters<S>, number| {
                let TapeContact { flag, side, .. } = &parameters.model.contacts[number];
                parameters.sign(*flag) == side.unwrap_or(1)
            },
            set_active: |parameters: &mut DynamicParameters<S>, number, active| {
                let TapeContact { flag, side, .. } = parameters.model.contacts[number];
                parameters.set_sign(flag, if active { side.unwrap_or(1) } else { 0 });
            },
            hold: contact.hold.map(|_| -> fn(&DynamicParameters<S>, usize) -> S {
                |parameters, number| parameters.coefficient(parameters.model.contacts[number].hold)
            }),
            number,
            values: match contact.side {
                None => ["false", "true"].map(|value| interned(&format!("{} = {value}", parameter(contact.flag)))),
                Some(side) => [0, side].map(|value| interned(&format!("{} = {value}", parameter(contact.flag)))),
            },
        });
        let frictions = frictions.iter().enumerate().map(|(number, friction)| DryFriction {
            name: interned(friction.normal.as_ref().unwrap_or(&friction.tangent)),
            tangent: interned(&friction.tangent),
            speed: interned(&friction.speed),
            normal: friction.normal.as_deref().map(interned),
            acts: |parameters: &DynamicParameters<S>, number| {
                let TapeFriction { acts, normal, .. } = &parameters.model.frictions[number];
                // A contact must be active, and a joint must not be at its stop.
                acts.is_none_or(|flag| (parameters.sign(flag) != 0) == normal.is_some())
            },
            coefficient: |parameters, number| {
                parameters.coefficient(Some(parameters.model.frictions[number].coefficient))
            },
            stribeck: friction.stribeck.map(|_| StribeckLaw {
                sliding: |parameters: &DynamicParameters<S>, number| {
                    let law = parameters.model.frictions[number].stribeck;
                    parameters.coefficient(law.map(|[sliding, _]| sliding))
                },
                velocity: |parameters: &DynamicParameters<S>, number| {
                    let law = parameters.model.frictions[number].stribeck;
                    parameters.coefficient(law.map(|[_, velocity]| velocity))
                },
            }),
            flag: interned(parameter(friction.slip)),
            slip: |parameters, number| parameters.sign(parameters.model.frictions[number].slip),
            set_slip: |parameters, number, slip| {
                let at = parameters.model.frictions[number].slip;
                parameters.set_sign(at, slip);
            },
            number,
        });
        DynamicContacts { contacts: contacts.collect(), frictions: frictions.collect() }
    }
}

impl<S: Scalar> DynamicParameters<S> {
    /// The sign of an integer or of a flag.
    fn sign(&self, at: usize) -> i32 {
        let value = self.values[at].value();
        i32::from(value > 0.0) - i32::from(value < 0.0)
    }

    fn set_sign(&mut self, at: usize, sign: i32) {
        self.values[at] = S::from_f64(f64::from(sign));
    }

    fn coefficient(&self, coefficient: Option<TapeCoefficient>) -> S {
        match coefficient {
            Some(TapeCoefficient::Number(value)) => S::from_f64(value),
            Some(TapeCoefficient::Parameter(at)) => self.values[at],
            None => S::zero(),
        }
    }
}
