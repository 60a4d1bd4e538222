//! The declared values of a term on dual numbers: the bodies of the methods of `DualModel`.
//!
//! The bodies use the names `lifted`, `t`, `q` and `own` (the velocity of the term), and `out` or `visit`.

use proc_macro2::TokenStream;
use quote::{format_ident, quote};

use crate::backend::rust::codegen::arguments::{given, velocities};
use crate::backend::rust::codegen::environment::slot;
use crate::backend::rust::codegen::group_elements::group_type;
use crate::backend::rust::codegen::n;
use crate::backend::rust::codegen::names;
use crate::backend::rust::declaration::comparison::{DerivedCall, derived_call, sees_all};
use crate::model::{Argument, ForceTarget, Group, OutputShape, Role, RoleFunction, is_of_states};
use crate::schedule::Term;

/// The functions of a term.
pub(super) struct DeclaredFunctions<'a>(pub &'a Term);

/// Returns log(x₀⁻¹ x) of an element x on dual numbers, where x₀ is its value without derivatives.
pub(super) fn displacement(group: Group, element: &TokenStream) -> TokenStream {
    let (ty, size) = (group_type(group, &quote!(rt::Dual<S>)), n(group.dimension()));
    quote!(*rt::displacement::<S, #ty, #size>(#element).as_slice())
}

impl DeclaredFunctions<'_> {
    fn functions(&self, wanted: fn(&Role) -> bool) -> impl Iterator<Item = &RoleFunction> {
        self.0.model.with_role(wanted)
    }

    /// Returns the value of a function.
    fn call(&self, function: &RoleFunction) -> TokenStream {
        let members = if sees_all(function) {
            quote!(q,)
        } else {
            let slots = (0..self.0.slots()).map(slot);
            quote!(#(#slots,)*)
        };
        let numbers = [quote!(place.index), quote!(place.length)];
        let call = DerivedCall { system: quote!(lifted), numbers, members: &members };
        derived_call(&self.0.model, function, &quote!(Dual<S>), &call)
    }

    fn sum(&self, wanted: fn(&Role) -> bool) -> TokenStream {
        let terms = self.functions(wanted).map(|function| self.call(function));
        quote!(rt::dual::<S>(0.0) #(+ #terms)*)
    }

    /// Returns T; `axial` is the inertia about the directions of spheres, which no function declares.
    pub fn kinetic_energy(&self, axial: Option<&TokenStream>) -> TokenStream {
        let kinetic = match self.functions(|role| matches!(role, Role::MassMatrix)).next() {
            Some(function) => {
                let matrix = self.call(function);
                quote!({ let mass = #matrix; (mass * own).dot(&own) * rt::dual::<S>(0.5) })
            }
            None => self.sum(|role| matches!(role, Role::KineticEnergy)),
        };
        match axial {
            Some(axial) => quote!((#kinetic) + #axial),
            None => kinetic,
        }
    }

    /// Returns V.
    pub fn potential_energy(&self) -> TokenStream {
        self.sum(|role| matches!(role, Role::Potential))
    }

    /// Returns R. The friction with the force f on the velocity u contributes −f u with a constant f.
    pub fn dissipation(&self) -> TokenStream {
        let sum = self.sum(|role| matches!(role, Role::Dissipation));
        let frictions = self.functions(|role| matches!(role, Role::Force(ForceTarget::Slip))).map(|function| {
            let both = self.call(function);
            quote!(- { let both = #both; Dual::lift(both[0].re) * both[1] })
        });
        quote!(#sum #(#frictions)*)
    }

    /// Adds the forces on members and on the whole velocity.
    pub fn forces(&self) -> TokenStream {
        let forces = self.0.model.functions.iter().filter_map(|function| {
            let offset = match &function.role {
                Role::Force(ForceTarget::Velocity) => 0,
                Role::Force(ForceTarget::Member(member, rows)) => self.0.model.offsets().0[*member] + rows.start,
                Role::Force(ForceTarget::States) => self.0.model.configuration.as_written().dof(),
                _ => return None,
            };
            let (value, offset) = (self.call(function), n(offset));
            Some(quote!(rt::add_rows(out, #offset, &rt::rows_of(#value));))
        });
        quote!(#(#forces)*)
    }

    /// Emits the statements `visit` after the sum `force` of the forces on the frames of the term; nothing without forces.
    pub fn forces_on_frames(&self, visit: &TokenStream) -> Option<TokenStream> {
        let (forces, size) = (self.forces(), n(self.0.dof()));
        (!forces.is_empty()).then(|| {
            quote! {
                let mut force = [rt::dual::<S>(0.0); #size];
                {
                    let out = &mut force;
                    #forces
                }
                #visit
            }
        })
    }

    /// Returns the coordinates that change at the rate of a quantity: its value, or the displacement of an element.
    fn moved(&self, quantity: &RoleFunction) -> TokenStream {
        let value = self.call(quantity);
        match quantity.output {
            OutputShape::Element(group) => displacement(group, &quote!(&#value)),
            _ => quote!(rt::rows_of(#value)),
        }
    }

    /// Visits the forces at quantities.
    pub fn spatial_forces(&self) -> TokenStream {
        let forces = self.0.model.functions.iter().filter_map(|function| match &function.role {
            Role::Force(ForceTarget::Quantity(name)) => {
                let value = self.call(function);
                let place = self.0.model.functions.iter().find(|other| other.name == *name)?;
                let moved = self.moved(place);
                Some(quote!(visit(&rt::rows_of(#value), &#moved);))
            }
            _ => None,
        });
        quote!(#(#forces)*)
    }

    /// Adds the constraints.
    pub fn constraints(&self) -> TokenStream {
        let constraints = self.0.equations.constraints.declared.iter().map(|constraint| {
            let (offset, value) = (n(constraint.offset), self.call(&self.0.model.functions[constraint.function]));
            if constraint.holonomic {
                quote!(rt::add_rows(out, #offset, &rt::rows_of(#value));)
            } else {
                quote!(if !holonomic_only { rt::add_rows(out, #offset, &rt::rows_of(#value)); })
            }
        });
        quote!(#(#constraints)*)
    }

    /// Visits the quantities under the names that `named` returns.
    pub fn quantities(&self, named: impl Fn(&str) -> TokenStream) -> TokenStream {
        let quantities = self.functions(|role| matches!(role, Role::Quantity)).map(|function| {
            let (name, moved) = (named(&names::text(&function.name)), self.moved(function));
            quote!(visit(#name, &#moved);)
        });
        quote!(#(#quantities)*)
    }

    /// Visits the generated rates of quantities.
    pub fn rates(&self) -> TokenStream {
        let rates = self.functions(|role| matches!(role, Role::Quantity)).map(|function| {
            let name = format_ident!("{}_rate", function.name);
            let given = |argument: &Argument| given(self.0, argument, &quote!(self));
            let arguments = function.arguments.iter().map(given);
            let velocities = match &function.over {
                Some(over) => {
                    let members = &self.0.model.configuration.members;
                    let all = (0..over.len()).filter(|&at| !is_of_states(&members[at]));
                    let all = all.map(|at| velocities(self.0, at));
                    quote!(#(#all),*)
                }
                None => quote!(&self.velocity(v)),
            };
            quote!(visit(&rt::rows_of(#name::<S>(#(#arguments,)* #velocities)));)
        });
        quote!(#(#rates)*)
    }
}
