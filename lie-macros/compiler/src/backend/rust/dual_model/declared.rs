//! The declared values of a term on dual numbers, by their kind.
//!
//! The statements use the names `lifted`, `wanted` (the kind), `t`, `q`, `own` (the velocity of the term) and `visit`.

use std::collections::BTreeMap;

use proc_macro2::TokenStream;
use quote::{ToTokens, format_ident, quote};

use crate::backend::rust::codegen::arguments::{given, velocities};
use crate::backend::rust::codegen::environment::slot;
use crate::backend::rust::codegen::group_elements::group_type;
use crate::backend::rust::codegen::n;
use crate::backend::rust::codegen::names;
use crate::backend::rust::declaration::comparison::{DerivedCall, derived_call, sees_all};
use crate::model::{Argument, ForceTarget, Group, OutputShape, Role, RoleFunction, is_of_states};
use crate::schedule::Term;

/// A term whose declared functions are evaluated.
pub(super) struct DeclaredFunctions<'a> {
    pub term: &'a Term,
    /// The displacements of its frames, on which its forces act; `None` for a term over members.
    pub frames: Option<TokenStream>,
    /// Returns the name of a quantity.
    pub named: fn(&str) -> TokenStream,
}

/// The bodies of the methods of `DualModel` for one term.
pub(super) struct TermBodies {
    pub rate_gradient: TokenStream,
    pub rates: TokenStream,
    pub declared: TokenStream,
}

/// Emits statements for the values of one kind.
pub(super) fn if_wanted(kind: &str, statements: &TokenStream) -> TokenStream {
    let kind = format_ident!("{kind}");
    quote!(if wanted == rt::DeclaredKind::#kind { #statements })
}

/// Emits the visit of a value.
pub(super) fn visit(rows: &TokenStream) -> TokenStream {
    quote!(visit(rt::DeclaredValue::of(&#rows));)
}

/// Emits the visit of a quantity.
pub(super) fn visit_named(name: &TokenStream, rows: &TokenStream) -> TokenStream {
    quote!(visit(rt::DeclaredValue { name: #name, ..rt::DeclaredValue::of(&#rows) });)
}

/// Returns log(x₀⁻¹ x) of an element x on dual numbers, where x₀ is its value without derivatives.
pub(super) fn displacement(group: Group, element: &TokenStream) -> TokenStream {
    let (ty, size) = (group_type(group, &quote!(rt::Dual<S>)), n(group.dimension()));
    quote!(*rt::displacement::<S, #ty, #size>(#element).as_slice())
}

fn visit_rows(offset: &impl ToTokens, value: &TokenStream) -> TokenStream {
    quote!(visit(rt::DeclaredValue { offset: #offset, ..rt::DeclaredValue::of(&rt::rows_of(#value)) });)
}

fn spatial_force(force: &TokenStream, place: &TokenStream) -> TokenStream {
    quote!(visit(rt::DeclaredValue { place: &#place, ..rt::DeclaredValue::of(&#force) });)
}

impl<'a> DeclaredFunctions<'a> {
    /// The functions of a term over members.
    pub fn of_members(term: &'a Term) -> Self {
        Self { term, frames: None, named: ToTokens::to_token_stream }
    }

    /// Emits the visits of all values of the wanted kind. `axial` is the kinetic energy of rotations about the directions of spheres, which
    /// no function declares.
    pub fn values(&self, axial: Option<&TokenStream>) -> TokenStream {
        let mut visits: BTreeMap<&str, TokenStream> = BTreeMap::new();
        let axial = axial.map(|axial| ("KineticEnergy", visit(&quote!([#axial]))));
        let values = self.term.model.functions.iter().filter_map(|function| self.value(function));
        for (kind, statement) in axial.into_iter().chain(values).chain(self.constraints()) {
            visits.entry(kind).or_default().extend(statement);
        }
        visits.iter().map(|(kind, statements)| if_wanted(kind, statements)).collect()
    }

    /// Returns the kind of a function and the visit of its value; `None` for constraints and for functions without a value in the equations.
    fn value(&self, function: &RoleFunction) -> Option<(&'static str, TokenStream)> {
        let value = || self.call(function);
        let of_scalar = |value: TokenStream| visit(&quote!([#value]));
        Some(match &function.role {
            Role::KineticEnergy => ("KineticEnergy", of_scalar(value())),
            Role::MassMatrix => {
                let mass = value();
                ("KineticEnergy", of_scalar(quote!((#mass * own).dot(&own) * rt::dual::<S>(0.5))))
            }
            Role::Potential => ("PotentialEnergy", of_scalar(value())),
            Role::Dissipation => ("Dissipation", of_scalar(value())),
            // The friction with the force f on the velocity u contributes −f u with a constant f.
            Role::Force(ForceTarget::Slip) => {
                let (both, visit) = (value(), of_scalar(quote!(-Dual::lift(both[0].re) * both[1])));
                ("Dissipation", quote!(let both = #both; #visit))
            }
            Role::Force(ForceTarget::Quantity(name)) => {
                let place = self.moved(self.term.model.functions.iter().find(|other| other.name == *name)?);
                let value = value();
                ("SpatialForce", spatial_force(&quote!(rt::rows_of(#value)), &place))
            }
            Role::Force(ForceTarget::Velocity) => self.force(0, &value()),
            Role::Force(ForceTarget::Member(member, rows)) => {
                self.force(self.term.model.offsets().0[*member] + rows.start, &value())
            }
            Role::Force(ForceTarget::States) => self.force(self.term.model.configuration.as_written().dof(), &value()),
            Role::Quantity => {
                let name = (self.named)(&names::text(&function.name));
                ("Quantity", visit_named(&name, &self.moved(function)))
            }
            Role::Constraint
            | Role::VelocityConstraint
            | Role::Observable
            | Role::Kinematics
            | Role::Symmetry
            | Role::Event => return None,
        })
    }

    /// Returns the visit of a generalised force from this component on. A force on frames is spatial: it acts on their displacements.
    fn force(&self, offset: usize, value: &TokenStream) -> (&'static str, TokenStream) {
        let (offset, size) = (n(offset), n(self.term.dof()));
        match &self.frames {
            None => ("Force", visit_rows(&offset, value)),
            Some(moved) => {
                let force = quote!({
                    let mut force = [rt::dual::<S>(0.0); #size];
                    rt::add_rows(&mut force, #offset, &rt::rows_of(#value));
                    force
                });
                ("SpatialForce", spatial_force(&force, moved))
            }
        }
    }

    fn constraints(&self) -> impl Iterator<Item = (&'static str, TokenStream)> {
        self.term.equations.constraints.declared.iter().map(|constraint| {
            let value = self.call(&self.term.model.functions[constraint.function]);
            let kind = if constraint.holonomic { "Constraint" } else { "VelocityConstraint" };
            (kind, visit_rows(&n(constraint.offset), &value))
        })
    }

    /// Returns the value of a function.
    fn call(&self, function: &RoleFunction) -> TokenStream {
        let members = if sees_all(function) {
            quote!(q,)
        } else {
            let slots = (0..self.term.slots()).map(slot);
            quote!(#(#slots,)*)
        };
        let numbers = [quote!(place.index), quote!(place.length)];
        let call = DerivedCall { system: quote!(lifted), numbers, members: &members };
        derived_call(&self.term.model, function, &quote!(Dual<S>), &call)
    }

    /// Returns the coordinates that change at the rate of a quantity: its value, or the displacement of an element.
    fn moved(&self, quantity: &RoleFunction) -> TokenStream {
        let value = self.call(quantity);
        match quantity.output {
            OutputShape::Element(group) => displacement(group, &quote!(&#value)),
            _ => quote!(rt::rows_of(#value)),
        }
    }

    /// Visits the generated rates of quantities.
    pub fn rates(&self) -> TokenStream {
        let rates = self.term.model.with_role(|role| matches!(role, Role::Quantity)).map(|function| {
            let name = format_ident!("{}_rate", function.name);
            let given = |argument: &Argument| given(self.term, argument, &quote!(self));
            let arguments = function.arguments.iter().map(given);
            let velocities = match &function.over {
                Some(over) => {
                    let members = &self.term.model.configuration.members;
                    let all = (0..over.len()).filter(|&at| !is_of_states(&members[at]));
                    let all = all.map(|at| velocities(self.term, at));
                    quote!(#(#all),*)
                }
                None => quote!(&self.velocity(v)),
            };
            quote!(visit(&rt::rows_of(#name::<S>(#(#arguments,)* #velocities)));)
        });
        quote!(#(#rates)*)
    }
}
