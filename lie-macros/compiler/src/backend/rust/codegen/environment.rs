//! Access of a kernel to its leaves.

use proc_macro2::{Ident, Literal, TokenStream};
use quote::{format_ident, quote};

use super::group_elements::scalar_of;
use super::n;
use super::names::{ident, own};
use crate::expr::{Iterated, Leaf, MemberPosition, Subscript, Wrap};
use crate::model::{Group, Model, OutputShape, ParameterEntry, ParameterKind};

/// The place of a kernel.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Scope {
    /// In a kernel of a term: parameters and hoisted values are in `system`; the members are `slot_0`, `slot_1`, ….
    Term,
    /// Anywhere: `parameters`, `index` and `length`, the hoisted values and `slot_0`, `slot_1`, … are variables.
    Free,
}

/// The names of a kernel's arguments.
pub(crate) struct Environment<'a> {
    pub model: &'a Model,
    /// The index of the term.
    pub number: usize,
    pub scope: Scope,
}

impl Environment<'_> {
    /// Returns a hoisted value.
    pub fn hoisted(&self, position: usize) -> TokenStream {
        let (hoisted, position) = (hoisted_field(self.number), n(position));
        match self.scope {
            Scope::Term => quote!(system.#hoisted[#position]),
            Scope::Free => quote!(#hoisted[#position]),
        }
    }

    fn parameters(&self) -> TokenStream {
        match self.scope {
            Scope::Term => quote!(system.parameters),
            Scope::Free => quote!(parameters),
        }
    }

    /// Returns a component of a leaf.
    pub fn leaf(&self, leaf: Leaf, component: u32) -> TokenStream {
        let component = component as usize;
        match leaf {
            Leaf::Parameter { field, element } => self.parameter(field as usize, element as usize, component),
            Leaf::Input { field, element, order } => self.input((field as usize, element as usize, order), component),
            Leaf::Item { field, element, at, sure } => {
                self.item(field as usize, element as usize, component, (at, sure))
            }
            Leaf::Time => quote!(t),
            Leaf::Index if self.scope == Scope::Free => quote!(rt::number::<S>(index)),
            Leaf::Index => quote!(rt::number::<S>(place.index)),
            Leaf::Length if self.scope == Scope::Free => quote!(rt::number::<S>(length)),
            Leaf::Length => quote!(rt::number::<S>(place.length)),
            Leaf::Configuration(place, part) => {
                scalar_of(self.group(place), &self.member(place), part as usize, component)
            }
            Leaf::Velocity(place, block) => self.velocity(&ident("v"), place, block as usize, component),
            Leaf::Acceleration(place, block) => self.velocity(&ident("acceleration"), place, block as usize, component),
            Leaf::Multiplier(at) => indexed("multipliers", at),
            Leaf::MassInverse(at) => indexed("mass_inverse", at),
            Leaf::ForceJacobian(at) => indexed("force_jacobian", at),
            Leaf::ConstraintJacobian(at) => indexed("constraint_jacobian", at),
            Leaf::Covector(at) => indexed("force", at),
            Leaf::Momentum(at) => indexed("mu", at),
            Leaf::Row(at) => indexed("constraint", at),
            Leaf::Symmetric(at) => indexed("inertia", at),
            Leaf::Skew(at) => indexed("skew", at),
            Leaf::FrameJacobian(at) => indexed("jacobian", at),
            Leaf::Across(at) => {
                let (vector, component) = (indexed("across", at), n(component));
                quote!(#vector[#component])
            }
            Leaf::Entry(matrix, row, column) => {
                let (row, column) = (n(row as usize), n(column as usize));
                let matrix = match matrix {
                    Iterated::Mass => quote!(matrices.mass),
                    Iterated::Damping => quote!(matrices.damping),
                    Iterated::Stiffness => quote!(matrices.stiffness),
                    Iterated::Jacobian => quote!(matrices.jacobian),
                    Iterated::RateGradient => quote!(matrices.rate_gradient),
                    Iterated::TangentInverse => quote!(tangent_inverse),
                };
                quote!(#matrix[(#row, #column)])
            }
            Leaf::Coefficient(at) => indexed("coefficients", at),
            Leaf::Rate(at) => bug!("the rate {at} of quantities is a function of the motion"),
            Leaf::Mass(row, column) => bug!("the entry ({row}, {column}) of a constant mass matrix is not defined"),
        }
    }

    fn parameter(&self, field: usize, element: usize, component: usize) -> TokenStream {
        let (parameters, entry) = (self.parameters(), self.entry(field));
        let access = &entry.access;
        number_in(entry.kind, &quote!(#parameters #access), element, component)
    }

    /// Returns a scalar of an input, or of its time derivatives.
    fn input(&self, (field, element, order): (usize, usize, u8), component: usize) -> TokenStream {
        let Some(entry) = self.model.inputs.as_ref().and_then(|inputs| inputs.entries.get(field)) else {
            bug!("there is no input {field}");
        };
        let (from, access) = (ident(["inputs", "input_rates", "input_seconds"][usize::from(order)]), &entry.access);
        number_in(entry.kind, &quote!(#from #access), element, component)
    }

    /// Returns a scalar in a list item. If the item may not exist, its value may be computed, but it is not used.
    fn item(&self, field: usize, element: usize, component: usize, (at, sure): (Subscript, bool)) -> TokenStream {
        let (parameters, entry) = (self.parameters(), self.entry(field));
        let lists = self.model.parameters.iter().flat_map(|parameters| &parameters.lists);
        let Some(list) = entry.list.and_then(|list| lists.into_iter().nth(list)) else {
            bug!("`{}` is in no list", entry.name);
        };
        let (list, access) = (&list.access, &entry.access);
        let place = match self.scope {
            Scope::Free => [quote!(index), quote!(length)],
            Scope::Term => [quote!(place.index), quote!(place.length)],
        };
        let at = subscript(at, &place);
        if sure {
            return number_in(entry.kind, &quote!(#parameters #list[#at] #access), element, component);
        }
        let value = number_in(entry.kind, &quote!((*item) #access), element, component);
        quote!(#parameters #list.get(#at).map_or(<S as Scalar>::from_f64(f64::NAN), |item| #value))
    }

    fn entry(&self, field: usize) -> &ParameterEntry {
        let entry = self.model.parameters.as_ref().and_then(|parameters| parameters.entries.get(field));
        entry.unwrap_or_else(|| bug!("there is no parameter {field}"))
    }
}

/// Returns a scalar of an entry with the value `value`.
pub(crate) fn number_in(kind: ParameterKind, value: &TokenStream, element: usize, component: usize) -> TokenStream {
    let (number, at) = (n(element), n(component));
    match kind {
        ParameterKind::Scalar => value.clone(),
        ParameterKind::Vector(_) => quote!(#value[#at]),
        ParameterKind::Matrix(_, columns) => {
            let (row, column) = (n(component / columns), n(component % columns));
            quote!(#value[(#row, #column)])
        }
        ParameterKind::ScalarArray(_) => quote!(#value[#number]),
        ParameterKind::VectorArray(..) => quote!(#value[#number][#at]),
        ParameterKind::Flag => quote!(rt::number::<S>(usize::from(#value))),
        ParameterKind::Whole(_) => quote!(<S as Scalar>::from_f64(#value as f64)),
        ParameterKind::Group(group) => scalar_of(group, value, element, component),
    }
}

/// Returns the index of an item, from the index of the element and the length of its chain.
pub(crate) fn subscript(at: Subscript, [index, length]: &[TokenStream; 2]) -> TokenStream {
    if at == Subscript::INDEX {
        return index.clone();
    }
    if let Some(number) = at.as_number() {
        let number = n(number);
        return quote!(#number);
    }
    let value = subscript_value(at);
    // Values that are equal for all elements are computed without an element.
    if at.is_constant() { quote!(#value.of(0, #length)) } else { quote!(#value.of(#index, #length)) }
}

/// Returns the index of an item as a value of the runtime.
pub(crate) fn subscript_value(at: Subscript) -> TokenStream {
    let Subscript { index, length, constant, divisor, wrap } = at;
    let number = Literal::i32_unsuffixed;
    let signed = |value: i32| {
        let size = number(value.saturating_abs());
        if value < 0 { quote!(-#size) } else { quote!(#size) }
    };
    let (index, length, constant) = (signed(index), signed(length), signed(constant));
    let divisor = Literal::u32_unsuffixed(divisor);
    let wrap = match wrap {
        Wrap::Never => quote!(Never),
        Wrap::At(modulus) => {
            let modulus = Literal::u32_unsuffixed(modulus);
            quote!(At(#modulus))
        }
        Wrap::Around => quote!(Around),
    };
    quote!(rt::Subscript {
        index: #index, length: #length, constant: #constant, divisor: #divisor, wrap: rt::Wrap::#wrap
    })
}

impl Environment<'_> {
    fn group(&self, place: MemberPosition) -> Group {
        self.model.configuration.members[place.member as usize].group
    }

    fn member(&self, place: MemberPosition) -> TokenStream {
        let members = &self.model.configuration.members;
        let before: usize = members[..place.member as usize].iter().map(|member| member.count.unwrap_or(1)).sum();
        let slot = slot(before + place.element as usize);
        if members[place.member as usize].group.is_number() { quote!((*#slot)) } else { quote!(#slot) }
    }

    fn velocity(&self, vector: &Ident, place: MemberPosition, block: usize, component: usize) -> TokenStream {
        let group = self.group(place);
        let (offsets, _) = self.model.offsets();
        let before: usize = group.rules.blocks()[..block].iter().sum();
        let first = offsets[place.member as usize] + place.element as usize * group.dimension();
        let at = n(first + before + component);
        quote!(#vector[#at])
    }

    /// Returns a call of an opaque function, differentiated along directions with nested dual numbers; an array of results.
    pub fn opaque(&self, function: usize, arguments: &[TokenStream], directions: &[Vec<TokenStream>]) -> TokenStream {
        let opaque = &self.model.opaques[function];
        let name = own(&opaque.name);
        // Dual<…<S>> numbers, one level for each direction.
        let times = ["", "once", "twice", "thrice"][directions.len()];
        let (lift, lower) = (format_ident!("lift_{times}"), format_ident!("lower_{times}"));
        let lifted = opaque.arguments.iter().zip(arguments).enumerate().map(|(at, (shape, value))| {
            let directions = directions.iter().map(|direction| &direction[at]);
            let value = if times.is_empty() { quote!(#value) } else { quote!(rt::#lift(#value #(, #directions)*)) };
            match shape {
                OutputShape::Scalar => quote!((#value)[0]),
                _ => quote!(rt::vector(#value)),
            }
        });
        let call = quote!(#name(#(#lifted),*));
        let array = match opaque.output {
            OutputShape::Scalar => quote!([#call]),
            _ => quote!(rt::array(#call)),
        };
        if times.is_empty() { array } else { quote!(rt::#lower(#array)) }
    }
}

/// Returns the field of the system that holds the hoisted values of a term.
pub(crate) fn hoisted_field(number: usize) -> Ident {
    ident(&format!("hoisted_{number}"))
}

/// Returns a member of a term.
pub(crate) fn slot(at: usize) -> Ident {
    ident(&format!("slot_{at}"))
}

fn indexed(vector: &str, at: u32) -> TokenStream {
    let (vector, at) = (ident(vector), n(at as usize));
    quote!(#vector[#at])
}
