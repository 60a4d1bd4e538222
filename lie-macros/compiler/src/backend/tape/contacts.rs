//! The contacts, stops and frictions of a system.

use quote::ToTokens;

use super::schema::{TapeParameter, text, unsupported};
use crate::diagnostics::{Code, ErrorCollector, Report, source};
use crate::interp::SymbolicInterpreter;
use crate::model::{ContactFlag, Contacts, FrictionCoefficient, FrictionPlace, Model, Stribeck};

/// A coefficient of friction, or the bound of a dry friction.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum TapeCoefficient {
    /// A constant.
    Number(f64),
    /// The position of a scalar of the parameters.
    Parameter(usize),
}

/// A unilateral contact, or one side of a stop.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct TapeContact {
    /// The name of its events.
    pub name: String,
    /// The name of the constraint.
    pub constraint: String,
    /// The name of the event with the gap.
    pub gap: String,
    /// The position of the parameter that activates it: a flag, or an integer with the sign of `side`.
    pub flag: usize,
    /// The side of a stop; `None` for a contact.
    pub side: Option<i32>,
    /// The largest pull that the friction of the joint holds at its stop.
    pub hold: Option<TapeCoefficient>,
}

/// Friction of a contact or of a joint.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct TapeFriction {
    /// The name of its velocity constraint.
    pub tangent: String,
    /// The name of the event with the sliding velocity.
    pub speed: String,
    /// The constraint with the normal force; `None` for a joint.
    pub normal: Option<String>,
    /// The position of the parameter on which it depends: it acts while the flag of its contact is set, or while its joint is not at a stop.
    pub acts: Option<usize>,
    /// The coefficient, or the bound.
    pub coefficient: TapeCoefficient,
    /// The force of fast sliding and the Stribeck velocity of the Stribeck law.
    pub stribeck: Option<[TapeCoefficient; 2]>,
    /// The position of the parameter with the sign of the sliding velocity.
    pub slip: usize,
}

/// Returns the contacts and the frictions.
///
/// # Errors
/// Coefficients that are constants outside of the declaration.
pub(super) fn unilateral(
    model: &Model,
    parameters: &[TapeParameter],
) -> Result<(Vec<TapeContact>, Vec<TapeFriction>), Report> {
    let position = |member: &syn::Member| {
        let name = member.to_token_stream().to_string();
        let found = parameters.iter().find(|known| known.name == name.trim_start_matches("r#"));
        found.map_or_else(|| bug!("the parameter `{name}` of a contact is missing"), |known| known.first)
    };
    let coefficient = |coefficient: &FrictionCoefficient| match coefficient {
        FrictionCoefficient::Parameter(member) => Ok(TapeCoefficient::Parameter(position(member))),
        FrictionCoefficient::Constant(written) => constant(written, model).map(TapeCoefficient::Number),
    };
    let Contacts { contacts, frictions } = &model.unilateral;
    let contacts = contacts.iter().map(|contact| {
        let (flag, side) = match &contact.state {
            ContactFlag::Active(flag) => (flag, None),
            ContactFlag::Stop(stop, side) => (stop, Some(*side)),
        };
        Ok(TapeContact {
            name: contact.name.clone(),
            constraint: text(&contact.constraint),
            gap: text(&contact.gap),
            flag: position(flag),
            side,
            hold: contact.hold.as_ref().map(coefficient).transpose()?,
        })
    });
    let frictions = frictions.iter().map(|friction| {
        let (normal, acts) = match &friction.place {
            FrictionPlace::Contact(constraint, active) => (Some(text(constraint)), Some(position(active))),
            FrictionPlace::Stop(stop) => (None, Some(position(stop))),
            FrictionPlace::Joint => (None, None),
        };
        Ok(TapeFriction {
            tangent: friction.tangent.clone(),
            speed: friction.speed.clone(),
            normal,
            acts,
            coefficient: coefficient(&friction.coefficient)?,
            stribeck: match &friction.stribeck {
                Some(Stribeck { sliding, velocity }) => Some([coefficient(sliding)?, coefficient(velocity)?]),
                None => None,
            },
            slip: position(&friction.slip.member),
        })
    });
    Ok((contacts.collect::<Result<_, Report>>()?, frictions.collect::<Result<_, Report>>()?))
}

/// Returns the value of a literal, or of a constant.
fn constant(expression: &syn::Expr, model: &Model) -> Result<f64, Report> {
    let mut errors = ErrorCollector::new(Code::Body);
    let value = SymbolicInterpreter::new(model, &mut errors).constant_number(expression);
    let help = "declare the coefficient as a parameter, or as a constant: `const MU: f64 = 0.3;`";
    let unknown = || unsupported(expression, &format!("the coefficient of friction `{}`", source(expression)), help);
    match errors.finish().into_iter().next() {
        Some(report) => Err(report),
        None => value.ok_or_else(unknown),
    }
}
