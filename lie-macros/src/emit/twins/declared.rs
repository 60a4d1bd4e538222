//! What the functions of a system, or of one kind of elements, declare: the bodies of the methods of `Twin`.
//!
//! They name `lifted`, `t`, `q` and `own`, the velocity of the system or of the element, and `out` or `visit`.

use proc_macro2::{Literal, TokenStream};
use quote::{format_ident, quote};

use crate::derive::Equations;
use crate::emit::Environment;
use crate::emit::print::print;
use crate::model::{Argument, ForceTarget, Model, Role, RoleFunction};

/// The functions of a system or of a kind of elements.
pub(super) struct Declared<'a> {
    pub model: &'a Model,
    pub equations: &'a Equations,
    /// What is given for an argument of a twin.
    pub argument: &'a dyn Fn(&RoleFunction, &Argument) -> TokenStream,
    /// What is given for an argument of a rate beside a quantity.
    pub rate_argument: &'a dyn Fn(&RoleFunction, &Argument) -> TokenStream,
    /// The velocities that the rate of a quantity takes after these.
    pub rate_velocities: &'a dyn Fn(&RoleFunction) -> TokenStream,
}

fn n(value: usize) -> Literal {
    Literal::usize_unsuffixed(value)
}

impl Declared<'_> {
    /// The call of a function's twin.
    fn call(&self, function: &RoleFunction) -> TokenStream {
        let name = &function.name;
        let arguments = function.arguments.iter().map(|argument| (self.argument)(function, argument));
        quote!(__twins::#name::<S>(#(#arguments),*))
    }

    fn sum(&self, wanted: fn(&Role) -> bool) -> TokenStream {
        let terms = self.model.with_role(wanted).map(|function| self.call(function));
        quote!(rt::dual::<S>(0.0) #(+ #terms)*)
    }

    /// T; `axial` is a call of [`axial_energy`].
    pub fn kinetic_energy(&self, axial: Option<&TokenStream>) -> TokenStream {
        let kinetic = match self.model.with_role(|role| matches!(role, Role::MassMatrix)).next() {
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

    /// V.
    pub fn potential_energy(&self) -> TokenStream {
        self.sum(|role| matches!(role, Role::Potential))
    }

    /// R.
    pub fn dissipation(&self) -> TokenStream {
        self.sum(|role| matches!(role, Role::Dissipation))
    }

    /// Forces on members and on the whole velocity.
    pub fn forces(&self) -> TokenStream {
        let forces = self.model.functions.iter().filter_map(|function| {
            let offset = match &function.role {
                Role::Force(ForceTarget::Velocity) => 0,
                Role::Force(ForceTarget::Member(member)) => self.model.offsets().0[*member],
                _ => return None,
            };
            let (value, offset) = (self.call(function), n(offset));
            Some(quote!(rt::add_rows(out, #offset, &rt::rows_of(#value));))
        });
        quote!(#(#forces)*)
    }

    /// Forces at quantities.
    pub fn spatial_forces(&self) -> TokenStream {
        let forces = self.model.functions.iter().filter_map(|function| match &function.role {
            Role::Force(ForceTarget::Quantity(name)) => {
                let value = self.call(function);
                let quantity =
                    self.model.functions.iter().find(|other| other.name == *name).map(|place| self.call(place));
                Some(quote!(visit(&rt::rows_of(#value), &rt::rows_of(#quantity));))
            }
            _ => None,
        });
        quote!(#(#forces)*)
    }

    /// Constraints.
    pub fn constraints(&self) -> TokenStream {
        let constraints = self.equations.constraints.declared.iter().map(|constraint| {
            let (offset, value) = (n(constraint.offset), self.call(&self.model.functions[constraint.function]));
            if constraint.holonomic {
                quote!(rt::add_rows(out, #offset, &rt::rows_of(#value));)
            } else {
                quote!(if !holonomic_only { rt::add_rows(out, #offset, &rt::rows_of(#value)); })
            }
        });
        quote!(#(#constraints)*)
    }

    /// Quantities.
    pub fn quantities(&self) -> TokenStream {
        let quantities = self.model.with_role(|role| matches!(role, Role::Quantity)).map(|function| {
            let (name, value) = (function.name.to_string(), self.call(function));
            quote!(visit(#name, &rt::rows_of(#value));)
        });
        quote!(#(#quantities)*)
    }

    /// The generated rates of quantities.
    pub fn rates(&self) -> TokenStream {
        let rates = self.model.with_role(|role| matches!(role, Role::Quantity)).map(|function| {
            let name = format_ident!("{}_rate", function.name);
            let arguments = function.arguments.iter().map(|argument| (self.rate_argument)(function, argument));
            let velocities = (self.rate_velocities)(function);
            quote!(visit(&rt::rows_of(#name::<S>(#(#arguments,)* #velocities)));)
        });
        quote!(#(#rates)*)
    }
}

/// The energy of spins about the directions of spheres, which is part of T although nobody declares it: the statements and
/// the value.
pub(super) fn axial_energy(equations: &Equations, names: &Environment<'_>) -> Option<TokenStream> {
    let printed = print(&equations.graph, &[equations.inertia.axial_energy?], None, names);
    let (statements, outputs) = (&printed.statements, &printed.outputs);
    Some(quote! { #(#statements)* #(#outputs)* })
}
