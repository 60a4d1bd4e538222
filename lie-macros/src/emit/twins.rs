//! Twins of the user's functions on dual numbers: the independent path of the derivative check.
//!
//! A twin is the function as written, with `f64` replaced by `Dual<S>` and every number lifted. It is not used by any
//! kernel; it exists where `#[mechanical_system(derivative_check)]` asks for it.

use proc_macro2::TokenStream;
use quote::{ToTokens, quote};
use syn::visit_mut::{self, VisitMut};
use syn::{Expr, Lit, Type};

use super::algebra::{factors, part};
use super::environment::Home;
use super::print::print;
use super::structs::{group_type, parameters_are_generic};
use super::{Context, Environment, lift};
use crate::model::{ArgumentKind, ForceTarget, Group, Model, Role, RoleFunction};

/// The hidden module of twins and the implementation of `Twin`.
pub(crate) fn emit(context: &Context<'_>) -> TokenStream {
    let model = context.model;
    let declared = model
        .functions
        .iter()
        .filter(|function| !matches!(function.role, Role::Observable))
        .filter_map(|function| model.items.iter().find_map(|item| function_named(item, &function.name)))
        .chain(model.helpers.iter());
    let functions = declared.map(|function| twin(context, function));
    let implementation = implementation(context);
    let imports = super::names::imports();
    quote! {
        #[doc(hidden)]
        #[allow(clippy::all, clippy::pedantic, unused, missing_docs)]
        mod __twins {
            use super::*;
            use ::lie_runtime::scalar::DualMatrix as _;
            #(#functions)*
        }
        #[allow(clippy::all, clippy::pedantic, unused, missing_docs)]
        const _: () = {
            #imports
            use ::lie_runtime::scalar::Dual;
            #implementation
        };
    }
}

fn function_named<'a>(item: &'a syn::Item, name: &syn::Ident) -> Option<&'a syn::ItemFn> {
    match item {
        syn::Item::Fn(function) if function.sig.ident == *name => Some(function),
        _ => None,
    }
}

/// The function on dual numbers.
fn twin(context: &Context<'_>, function: &syn::ItemFn) -> TokenStream {
    let mut function = function.clone();
    function.attrs.clear();
    function.vis = syn::parse_quote!(pub(super));
    Lifter { model: context.model, generic_parameters: parameters_are_generic(context.model) }
        .visit_item_fn_mut(&mut function);
    function.sig.generics.params.push(syn::parse_quote!(S: ::lie_runtime::scalar::Scalar));
    function.into_token_stream()
}

struct Lifter<'a> {
    model: &'a Model,
    generic_parameters: bool,
}

impl Lifter<'_> {
    fn is_real_constant(&self, name: &syn::Ident) -> bool {
        self.model
            .constants
            .iter()
            .any(|item| item.ident == *name && item.ty.to_token_stream().to_string().contains("f64"))
    }
}

impl VisitMut for Lifter<'_> {
    fn visit_type_mut(&mut self, ty: &mut Type) {
        if let Type::Path(path) = ty
            && let Some(last) = path.path.segments.last_mut()
        {
            let dual: Type = syn::parse_quote!(::lie_runtime::scalar::Dual<S>);
            let name = &last.ident;
            let is_struct = *name == self.model.configuration.item.ident
                || *name == "Velocity"
                || (self.generic_parameters
                    && self.model.parameters.as_ref().is_some_and(|parameters| parameters.item.ident == *name))
                || Group::named(&name.to_string()).is_some();
            if *name == "f64" {
                *ty = dual;
                return;
            }
            if is_struct && last.arguments.is_empty() {
                last.arguments = syn::PathArguments::AngleBracketed(syn::parse_quote!(<#dual>));
                return;
            }
        }
        visit_mut::visit_type_mut(self, ty);
    }

    fn visit_expr_mut(&mut self, expr: &mut Expr) {
        match expr {
            Expr::Lit(literal) if matches!(&literal.lit, Lit::Float(_)) => {
                *expr = syn::parse_quote!(::lie_runtime::__private::dual::<S>(#literal));
                return;
            }
            Expr::Lit(literal) if matches!(&literal.lit, Lit::Int(value) if value.suffix() == "f64") => {
                *expr = syn::parse_quote!(::lie_runtime::__private::dual::<S>(#literal));
                return;
            }
            Expr::Cast(cast) if cast.ty.to_token_stream().to_string() == "f64" => {
                let inner = &cast.expr;
                *expr = syn::parse_quote!(::lie_runtime::__private::dual::<S>((#inner) as ::core::primitive::f64));
                return;
            }
            Expr::Path(path) => {
                let segments: Vec<String> =
                    path.path.segments.iter().map(|segment| segment.ident.to_string()).collect();
                let is_standard = segments.len() > 1 && segments.iter().any(|segment| segment == "consts");
                let is_own = path.path.get_ident().is_some_and(|name| self.is_real_constant(name));
                if is_standard {
                    *expr = syn::parse_quote!(::lie_runtime::__private::dual::<S>(#path));
                } else if is_own {
                    *expr = syn::parse_quote!(::lie_runtime::__private::LiftConstant::<S>::lift(#path));
                } else if let [first, _] = segments.as_slice()
                    && first == "f64"
                {
                    let method = path.path.segments.last();
                    *expr = syn::parse_quote!(::lie_runtime::scalar::Dual::<S>::#method);
                } else {
                    visit_mut::visit_expr_path_mut(self, path);
                }
                return;
            }
            _ => {}
        }
        visit_mut::visit_expr_mut(self, expr);
    }
}

/// The call of a function's twin.
fn call(function: &RoleFunction) -> TokenStream {
    let name = &function.name;
    let arguments = function.arguments.iter().map(|argument| match argument.kind {
        ArgumentKind::Parameters => quote!(&lifted.parameters),
        ArgumentKind::Time => quote!(t),
        ArgumentKind::Configuration => quote!(q),
        ArgumentKind::Velocity => quote!(&Velocity::from(*v)),
        // A system without elements has none of these.
        _ => quote!(),
    });
    quote!(__twins::#name::<S>(#(#arguments),*))
}

fn sum_of(model: &Model, wanted: fn(&Role) -> bool) -> TokenStream {
    let terms: Vec<TokenStream> = model.with_role(wanted).map(call).collect();
    quote!(rt::dual::<S>(0.0) #(+ #terms)*)
}

#[allow(clippy::too_many_lines)] // One trait, method by method.
fn implementation(context: &Context<'_>) -> TokenStream {
    let model = context.model;
    let configuration = &model.configuration.item.ident;
    let dof = proc_macro2::Literal::usize_unsuffixed(context.equations.inertia.mass.len());
    let rows = proc_macro2::Literal::usize_unsuffixed(context.equations.constraints.rows());
    let kinetic = match model.with_role(|role| matches!(role, Role::MassMatrix)).next() {
        Some(function) => {
            let matrix = call(function);
            quote!({ let mass = #matrix; (mass * *v).dot(v) * rt::dual::<S>(0.5) })
        }
        None => sum_of(model, |role| matches!(role, Role::KineticEnergy)),
    };
    let axial = axial_energy(context);
    let kinetic = match &axial {
        Some(_) => quote!((#kinetic) + axial_energy(lifted, t, q, v)),
        None => kinetic,
    };
    let potential = sum_of(model, |role| matches!(role, Role::Potential));
    let dissipation = sum_of(model, |role| matches!(role, Role::Dissipation));
    let forces = model.functions.iter().filter_map(|function| {
        let value = call(function);
        match &function.role {
            Role::Force(ForceTarget::Velocity) => Some(quote!(rt::add_rows(out, 0, &rt::rows_of(#value));)),
            Role::Force(ForceTarget::Member(member)) => {
                let offset = proc_macro2::Literal::usize_unsuffixed(model.offsets().0[*member]);
                Some(quote!(rt::add_rows(out, #offset, &rt::rows_of(#value));))
            }
            _ => None,
        }
    });
    let spatial = model.functions.iter().filter_map(|function| match &function.role {
        Role::Force(ForceTarget::Quantity(name)) => {
            let value = call(function);
            let quantity = model.functions.iter().find(|other| other.name == *name).map(call);
            Some(quote!(visit(&rt::rows_of(#value), &rt::rows_of(#quantity));))
        }
        _ => None,
    });
    let constraints = context.equations.constraints.declared.iter().map(|constraint| {
        let offset = proc_macro2::Literal::usize_unsuffixed(constraint.offset);
        let value = call(&model.functions[constraint.function]);
        if constraint.holonomic {
            quote!(rt::add_rows(out, #offset, &rt::rows_of(#value));)
        } else {
            quote!(if !holonomic_only { rt::add_rows(out, #offset, &rt::rows_of(#value)); })
        }
    });
    let lift = lift::emit(context);
    let legendre = context.equations.legendre.is_ok().then(|| {
        quote! {
            fn legendre_transformed(
                &self, q: &#configuration<S>, v: &SVector<S, DOF>,
            ) -> Option<rt::TransformedPoint<SVector<S, DOF>>> {
                rt::legendre_transformed(self, q, v)
            }
        }
    });
    let coadjoint = factors(context).into_iter().map(|factor| {
        let ty = group_type(factor.group, &quote!(S));
        let offset = proc_macro2::Literal::usize_unsuffixed(factor.offset);
        let (v, p) = (part(&quote!(v), &factor), part(&quote!(p), &factor));
        quote!(rt::set_part(out, #offset, &<#ty as Factor>::coadjoint(&#v, &#p));)
    });
    quote! {
        const DOF: usize = #dof;
        const ROWS: usize = #rows;
        #axial
        impl<S: Scalar> rt::Twin for System<S> {
            type Lifted = System<Dual<S>>;

            #lift
            fn lift_velocity(&self, v: &SVector<S, DOF>) -> SVector<Dual<S>, DOF> {
                rt::Lift::<S>::lift(*v)
            }
            fn coadjoint(&self, v: &SVector<S, DOF>, p: &SVector<S, DOF>, out: &mut SVector<S, DOF>) {
                #(#coadjoint)*
            }
            #legendre
            fn declared_kinetic_energy(
                lifted: &Self::Lifted, t: Dual<S>, q: &#configuration<Dual<S>>, v: &SVector<Dual<S>, DOF>,
            ) -> Dual<S> {
                #kinetic
            }
            fn declared_potential_energy(lifted: &Self::Lifted, t: Dual<S>, q: &#configuration<Dual<S>>) -> Dual<S> {
                #potential
            }
            fn declared_dissipation(
                lifted: &Self::Lifted, t: Dual<S>, q: &#configuration<Dual<S>>, v: &SVector<Dual<S>, DOF>,
            ) -> Dual<S> {
                #dissipation
            }
            fn declared_force(
                lifted: &Self::Lifted, t: Dual<S>, q: &#configuration<Dual<S>>, v: &SVector<Dual<S>, DOF>,
                out: &mut SVector<Dual<S>, DOF>,
            ) {
                #(#forces)*
            }
            fn declared_spatial_forces(
                lifted: &Self::Lifted, t: Dual<S>, q: &#configuration<Dual<S>>, v: &SVector<Dual<S>, DOF>,
                visit: &mut dyn FnMut(&[Dual<S>], &[Dual<S>]),
            ) {
                #(#spatial)*
            }
            fn declared_constraint(
                lifted: &Self::Lifted, t: Dual<S>, q: &#configuration<Dual<S>>, v: &SVector<Dual<S>, DOF>,
                holonomic_only: bool, out: &mut SVector<Dual<S>, ROWS>,
            ) {
                #(#constraints)*
            }
        }
    }
}

/// The energy of spins about the directions of spheres, which is part of T although nobody declares it.
fn axial_energy(context: &Context<'_>) -> Option<TokenStream> {
    let energy = context.equations.inertia.axial_energy?;
    let configuration = &context.model.configuration.item.ident;
    let names = Environment { model: context.model, home: Home::Argument };
    let printed = print(&context.equations.graph, &[energy], None, &names);
    let (statements, outputs) = (&printed.statements, &printed.outputs);
    let parameters = context.model.parameters.as_ref().map(|_| quote!(let parameters = &system.parameters;));
    Some(quote! {
        fn axial_energy<S: Scalar>(system: &System<S>, t: S, q: &#configuration<S>, v: &SVector<S, DOF>) -> S {
            #parameters
            #(#statements)*
            #(#outputs)*
        }
    })
}
