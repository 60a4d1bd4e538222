//! The rows of contacts, joint stops and dry friction for methods that impose them in every step.

use super::ModelError;
use super::one_sided_law::{ImposedLaws, LawRow, LawRows, RowLaw};
use super::parameters::Parametrised;
use super::unilateral_contact::{UnilateralContacts, row_of};
use crate::scalar::Scalar;

/// Returns the rows of these laws.
///
/// # Errors
/// The errors of [`with_parameters`](Parametrised::with_parameters).
#[doc(hidden)]
pub fn law_rows<M: UnilateralContacts>(system: &M, laws: &ImposedLaws) -> Result<LawRows<M>, ModelError> {
    let restitution = |name: &str| laws.restitution.iter().rev().find(|(known, _)| known == name).map(|law| law.1);
    let mut open = system.parameters().clone();
    for contact in system.contacts() {
        if restitution(contact.name).is_some() && (contact.is_active)(&open, contact.number) {
            (contact.set_active)(&mut open, contact.number, false);
        }
    }
    let (mut free, mut rows) = (open.clone(), Vec::<LawRow>::new());
    for friction in system.frictions().iter().filter(|friction| laws.dry_friction && friction.normal.is_none()) {
        (friction.set_slip)(&mut open, friction.number, 0);
        // A friction that slides has no row.
        (friction.set_slip)(&mut free, friction.number, 1);
        if let (true, Some(row)) = ((friction.acts)(&open, friction.number), row_of(system, friction.tangent)) {
            let value = |function: fn(&M::Parameters, usize) -> M::Scalar| function(&open, friction.number).value();
            let stribeck = friction.stribeck.map(|law| [law.sliding, law.velocity].map(value));
            let law = RowLaw::JointFriction { bound: value(friction.coefficient), stribeck };
            rows.push(LawRow { name: friction.name, acting: 0, row, law });
        }
    }
    let mut acting = vec![open];
    for contact in system.contacts() {
        let (Some(restitution), Some(row)) = (restitution(contact.name), row_of(system, contact.constraint)) else {
            continue;
        };
        let is_taken = |place: &usize| rows.iter().any(|known| (known.acting, known.row) == (*place, row));
        let place = (1..acting.len()).find(|place| !is_taken(place)).unwrap_or(acting.len());
        if place == acting.len() {
            acting.push(acting[0].clone());
        }
        (contact.set_active)(&mut acting[place], contact.number, true);
        let number = rows.len();
        rows.push(LawRow { name: contact.name, acting: place, row, law: RowLaw::Contact { restitution } });
        for friction in system.frictions().iter().filter(|friction| friction.normal == Some(contact.constraint)) {
            (friction.set_slip)(&mut acting[place], friction.number, 0);
            let coefficient = (friction.coefficient)(&acting[place], friction.number).value();
            let law = RowLaw::ContactFriction { contact: number, coefficient };
            rows.extend(row_of(system, friction.tangent).map(|row| LawRow {
                name: friction.name,
                acting: place,
                row,
                law,
            }));
        }
    }
    let with = |parameters: <M as Parametrised>::Parameters| system.with_parameters(parameters);
    Ok(LawRows { free: with(free)?, acting: acting.into_iter().map(with).collect::<Result<_, _>>()?, rows })
}
