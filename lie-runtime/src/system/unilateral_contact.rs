//! Unilateral contacts of declared systems.

use super::parameters::Parametrised;

/// A declared constraint that acts while a `bool` of the parameters is true: `#[constraint(active = p.on_floor)]`.
#[doc(hidden)]
pub struct UnilateralContact<P> {
    /// The name of the constraint.
    pub constraint: &'static str,
    /// The name of the event with the gap, which has a value while the constraint is inactive, too.
    pub gap: &'static str,
    /// Returns the parameter.
    pub is_active: fn(&P) -> bool,
    /// Sets the parameter.
    pub set_active: fn(&mut P, bool),
}

/// A system with unilateral contacts. The macro implements it for declarations with at least one contact.
#[doc(hidden)]
#[diagnostic::on_unimplemented(
    message = "the declaration of `{Self}` has no unilateral contact",
    note = "declare `#[constraint(active = p.on_floor)] fn floor(p: &Data, q: &Pose) -> f64`, with `on_floor: bool` in the parameters"
)]
pub trait UnilateralContacts: Parametrised {
    /// Returns the contacts in the order of declaration.
    fn contacts() -> Vec<UnilateralContact<Self::Parameters>>;
}
