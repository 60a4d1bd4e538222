//! The system type and its implementation of the runtime's traits.

use proc_macro2::{Literal, TokenStream};
use quote::quote;

use super::environment::Home;

use super::print::print;
use super::structs::parameters_are_generic;
use super::{Context, Environment, algebra, card, iteration};
use crate::graph::Scalar;
use crate::model::{Model, ParameterKind};

/// The type, its constructor and its traits.
pub(crate) fn emit(context: &Context<'_>) -> TokenStream {
    let constructor = constructor(context);
    let mechanical = mechanical(context);
    let linearised = linearised(context);
    let conversions = conversions(context);
    let dof = Literal::usize_unsuffixed(context.equations.inertia.mass.len());
    let rows = Literal::usize_unsuffixed(context.equations.constraints.rows());
    quote! {
        const DOF: usize = #dof;
        const ROWS: usize = #rows;
        #constructor
        #mechanical
        #linearised
        #conversions
    }
}

/// The definition of the system, to stand in the user's module.
pub(crate) fn definition(context: &Context<'_>) -> TokenStream {
    let model = context.model;
    let visibility = &model.configuration.item.vis;
    let docs = card::documentation(context);
    let parameters = parameters_type(context, &quote!(S));
    let hoisted = Literal::usize_unsuffixed(context.hoisted.nodes.len());
    let inverse = Literal::usize_unsuffixed(stored_inverse(context));
    let parameters_field = parameters.map(|ty| quote!(parameters: #ty,));
    quote! {
        #(#[doc = #docs])*
        #[derive(::core::clone::Clone, ::core::fmt::Debug)]
        #visibility struct System<S: ::lie_runtime::scalar::Scalar = ::core::primitive::f64> {
            #parameters_field
            hoisted: [S; #hoisted],
            mass_inverse: [S; #inverse],
        }
    }
}

/// How many entries of M⁻¹ the system holds: none if M changes.
fn stored_inverse(context: &Context<'_>) -> usize {
    if context.equations.inertia.is_constant { context.structure.mass_inverse.len() } else { 0 }
}

fn parameters_type(context: &Context<'_>, s: &TokenStream) -> Option<TokenStream> {
    let name = &context.model.parameters.as_ref()?.item.ident;
    Some(if parameters_are_generic(context.model) { quote!(#name<#s>) } else { quote!(#name) })
}

fn environment<'a>(context: &Context<'a>) -> Environment<'a> {
    Environment { model: context.model, home: Home::System }
}

fn constructor(context: &Context<'_>) -> TokenStream {
    let parameters = parameters_type(context, &quote!(S));
    let argument = parameters.as_ref().map(|ty| quote!(parameters: #ty));
    let (field, getter) = match &parameters {
        Some(ty) => (
            quote!(parameters,),
            quote! {
                /// The parameters.
                pub fn parameters(&self) -> &#ty {
                    &self.parameters
                }
            },
        ),
        None => (quote!(), quote!()),
    };
    let checks = checks(context.model);
    // Hoisted values are computed from the parameters alone.
    let names = Environment { model: context.model, home: Home::Argument };
    let hoisted = print(&context.equations.graph, &context.hoisted.nodes, None, &names);
    let (statements, values) = (&hoisted.statements, &hoisted.outputs);
    let inverse = if context.equations.inertia.is_constant {
        let statements = inverse_statements(context, Home::Argument);
        quote! { #statements }
    } else {
        quote!(let mass_inverse = [];)
    };
    let size = Literal::usize_unsuffixed(context.hoisted.nodes.len());
    let configuration = &context.model.configuration.item.ident;
    // Parameters tell the number type; without any, nothing would, and `new` is that of `f64`.
    let value = parameters.as_ref().map(|_| quote!(parameters));
    let (name, plain) = match &parameters {
        Some(_) if parameters_are_generic(context.model) => (quote!(new), quote!()),
        _ => (
            quote!(of_scalar),
            quote! {
                impl System<::core::primitive::f64> {
                    /// The system.
                    ///
                    /// # Errors
                    /// A [`ModelError`](lie_runtime::system::ModelError) that names the member of the configuration that
                    /// no simulation can start from.
                    pub fn new(#argument) -> Result<Self, rt::ModelError> {
                        Self::of_scalar(#value)
                    }
                }
            },
        ),
    };
    let summary = match &parameters {
        Some(_) => " The system with these parameters.",
        None => " The system on numbers of type `S`.",
    };
    quote! {
        #plain

        impl<S: Scalar> System<S> {
            #[doc = #summary]
            ///
            /// # Errors
            /// A [`ModelError`](lie_runtime::system::ModelError) that names the parameter or the member of the
            /// configuration that no simulation can start from.
            pub fn #name(#argument) -> Result<Self, rt::ModelError> {
                #checks
                #(#statements)*
                let hoisted: [S; #size] = [#(#values),*];
                #inverse
                Ok(Self { #field hoisted, mass_inverse })
            }

            #getter

            /// The velocity with named fields, from its components.
            pub fn velocity(&self, components: &SVector<S, DOF>) -> Velocity<S> {
                Velocity::from(*components)
            }

            /// The state with named fields.
            pub fn state(
                &self,
                time: S,
                configuration: &#configuration<S>,
                components: &SVector<S, DOF>,
                multipliers: &SVector<S, ROWS>,
            ) -> State<S> {
                State {
                    time,
                    configuration: *configuration,
                    velocity: Velocity::from(*components),
                    multipliers: *multipliers,
                }
            }
        }
    }
}

/// Every numerical parameter has to be finite.
pub(super) fn checks(model: &Model) -> TokenStream {
    let fields = model.parameters.iter().flat_map(|parameters| &parameters.fields);
    let checks = fields.filter(|field| field.kind != ParameterKind::Opaque).map(|field| {
        let name = &field.name;
        let text = name.to_string();
        let values = match field.kind {
            ParameterKind::Scalar => quote!(::core::iter::once(&parameters.#name)),
            ParameterKind::VectorArray(..) => quote!(parameters.#name.iter().flat_map(|vector| vector.iter())),
            _ => quote!(parameters.#name.iter()),
        };
        quote!(rt::check_parameter(#text, #values)?;)
    });
    quote!(#(#checks)*)
}

/// Statements that compute `mass_inverse`, the structural nonzeros of M⁻¹, block by block.
fn inverse_statements(context: &Context<'_>, home: Home) -> TokenStream {
    let names = Environment { model: context.model, home };
    let equations = context.equations;
    let structure = context.structure;
    let outputs: Vec<Scalar> = context.kernels.outputs("mass").to_vec();
    let printed = print(&equations.graph, &outputs, Some(context.hoisted), &names);
    let statements = &printed.statements;
    let size = Literal::usize_unsuffixed(structure.mass_inverse.len());
    let blocks = equations.inertia.blocks.iter().map(|block| {
        let n = Literal::usize_unsuffixed(block.len());
        let entry = |i: usize, j: usize| structure.mass_inverse[&(i.min(j), i.max(j))];
        let rows = block.iter().map(|&i| {
            let entries = block.iter().map(|&j| &printed.outputs[entry(i, j)]);
            quote!([#(#entries),*])
        });
        let components = block.iter().map(|&i| Literal::usize_unsuffixed(i));
        let failure = match home {
            Home::Argument => {
                let members: Vec<String> = (0..equations.inertia.mass.len())
                    .map(|component| {
                        let (offsets, _) = context.model.offsets();
                        let at = offsets.partition_point(|&offset| offset <= component) - 1;
                        context.model.configuration.members[at].name.to_string()
                    })
                    .collect();
                quote!(rt::ModelError::MassNotPositiveDefinite { member: [#(#members),*][component] })
            }
            _ => quote!(rt::SaddleError::MassNotPositiveDefinite { component }),
        };
        let stores = block.iter().enumerate().flat_map(|(row, &i)| {
            block[row..].iter().enumerate().map(move |(step, &j)| {
                let position = Literal::usize_unsuffixed(entry(i, j));
                let (row, column) = (Literal::usize_unsuffixed(row), Literal::usize_unsuffixed(row + step));
                quote!(mass_inverse[#position] = inverse[#row][#column];)
            })
        });
        quote! {
            let inverse = rt::inverse_of_block::<S, #n>([#(#rows),*]).map_err(|failed| {
                let component = [#(#components),*][failed];
                #failure
            })?;
            #(#stores)*
        }
    });
    quote! {
        #(#statements)*
        let mut mass_inverse = [<S as Scalar>::from_f64(0.0); #size];
        #(#blocks)*
    }
}

/// A kernel whose results go into `out`, one component each.
pub(super) fn stores(context: &Context<'_>, outputs: &[Scalar], target: impl Fn(usize) -> TokenStream) -> TokenStream {
    let printed = print(&context.equations.graph, outputs, Some(context.hoisted), &environment(context));
    let statements = &printed.statements;
    let stores = printed.outputs.iter().enumerate().map(|(at, value)| {
        let target = target(at);
        quote!(#target = #value;)
    });
    quote! { #(#statements)* #(#stores)* }
}

fn into_vector(at: usize) -> TokenStream {
    let at = Literal::usize_unsuffixed(at);
    quote!(out[#at])
}

fn into_acceleration(at: usize) -> TokenStream {
    let at = Literal::usize_unsuffixed(at);
    quote!(acceleration[#at])
}

fn kernel(context: &Context<'_>, name: &str) -> TokenStream {
    stores(context, context.kernels.outputs(name), into_vector)
}

fn value(context: &Context<'_>, name: &str) -> TokenStream {
    let outputs = context.kernels.outputs(name);
    let printed = print(&context.equations.graph, outputs, Some(context.hoisted), &environment(context));
    let (statements, value) = (&printed.statements, &printed.outputs[0]);
    quote! { #(#statements)* #value }
}

#[allow(clippy::too_many_lines)] // One trait, method by method.
fn mechanical(context: &Context<'_>) -> TokenStream {
    let equations = context.equations;
    let configuration = &context.model.configuration.item.ident;
    let algebra = algebra::emit(context);
    let nonzeros = Literal::usize_unsuffixed(context.structure.jacobian.len());
    let (mass_size, mass, read_inverse) = if equations.inertia.is_constant {
        (Literal::usize_unsuffixed(0), quote!(Ok(())), quote!(let mass_inverse = &self.mass_inverse;))
    } else {
        let size = Literal::usize_unsuffixed(context.structure.mass_inverse.len());
        let statements = inverse_statements(context, Home::System);
        (size, quote!(#statements *out = mass_inverse; Ok(())), quote!(let mass_inverse = &*mass;))
    };
    let force = kernel(context, "force");
    let constraint = kernel(context, "constraint");
    let jacobian = kernel(context, "constraint_jacobian");
    let drift = kernel(context, "constraint_drift");
    let curvature = kernel(context, "constraint_curvature");
    let times = kernel(context, "jacobian_times");
    let transpose_times = kernel(context, "jacobian_transpose_times");
    let kinetic = value(context, "kinetic_energy");
    let potential = value(context, "potential_energy");
    let saddle = saddle(context);
    let free = stores(context, context.kernels.outputs("solve_mass"), into_acceleration);
    let holonomic = Literal::usize_unsuffixed(equations.constraints.holonomic_rows());
    let description = card::description(context);
    quote! {
        impl<S: Scalar> rt::MechanicalSystem for System<S> {
            type Scalar = S;
            type Configuration = #configuration<S>;
            type Velocity = SVector<S, DOF>;
            type Multipliers = SVector<S, ROWS>;
            type Jacobian = [S; #nonzeros];
            type Mass = [S; #mass_size];

            #[inline]
            fn description(&self) -> &rt::Description {
                #description
            }
            #[inline]
            fn dof(&self) -> usize {
                DOF
            }
            #[inline]
            fn constraint_rows(&self) -> usize {
                ROWS
            }
            #[inline]
            fn holonomic_rows(&self) -> usize {
                #holonomic
            }
            #[inline]
            fn zero_velocity(&self) -> Self::Velocity {
                rt::zeros()
            }
            #[inline]
            fn zero_multipliers(&self) -> Self::Multipliers {
                rt::zeros()
            }
            #[inline]
            fn zero_jacobian(&self) -> Self::Jacobian {
                [<S as Scalar>::from_f64(0.0); #nonzeros]
            }
            #[inline]
            fn zero_mass(&self) -> Self::Mass {
                [<S as Scalar>::from_f64(0.0); #mass_size]
            }

            #algebra

            #[inline]
            fn mass(&self, t: S, q: &Self::Configuration, out: &mut Self::Mass) -> Result<(), rt::SaddleError> {
                #mass
            }
            #[inline]
            fn force(&self, t: S, q: &Self::Configuration, v: &Self::Velocity, out: &mut Self::Velocity) {
                #force
            }
            #[inline]
            fn constraint(&self, t: S, q: &Self::Configuration, out: &mut Self::Multipliers) {
                #constraint
            }
            #[inline]
            fn constraint_jacobian(&self, t: S, q: &Self::Configuration, out: &mut Self::Jacobian) {
                #jacobian
            }
            #[inline]
            fn constraint_drift(&self, t: S, q: &Self::Configuration, out: &mut Self::Multipliers) {
                #drift
            }
            #[inline]
            fn constraint_curvature(
                &self,
                t: S,
                q: &Self::Configuration,
                v: &Self::Velocity,
                out: &mut Self::Multipliers,
            ) {
                #curvature
            }
            #[inline]
            fn jacobian_times(
                &self,
                constraint_jacobian: &Self::Jacobian,
                force: &Self::Velocity,
                out: &mut Self::Multipliers,
            ) {
                #times
            }
            #[inline]
            fn jacobian_transpose_times(
                &self,
                force_jacobian: &Self::Jacobian,
                multipliers: &Self::Multipliers,
                out: &mut Self::Velocity,
            ) {
                #transpose_times
            }
            #[inline]
            fn solve_mass(&self, mass: &mut Self::Mass, force: &Self::Velocity, acceleration: &mut Self::Velocity) {
                #read_inverse
                #free
            }
            #[inline]
            fn solve_saddle(
                &self,
                mass: &mut Self::Mass,
                force_jacobian: &Self::Jacobian,
                constraint_jacobian: &Self::Jacobian,
                force: &Self::Velocity,
                constraint: &Self::Multipliers,
                acceleration: &mut Self::Velocity,
                multipliers: &mut Self::Multipliers,
            ) -> Result<(), rt::SaddleError> {
                #read_inverse
                #saddle
            }
            fn kinetic_energy(&self, t: S, q: &Self::Configuration, v: &Self::Velocity) -> S {
                #kinetic
            }
            fn potential_energy(&self, t: S, q: &Self::Configuration) -> S {
                #potential
            }
        }
    }
}

/// Elimination of the acceleration, a small dense system for the multipliers, and back.
fn saddle(context: &Context<'_>) -> TokenStream {
    let rows = context.equations.constraints.rows();
    let accelerate = stores(context, context.kernels.outputs("acceleration"), into_acceleration);
    if rows == 0 {
        return quote! { #accelerate Ok(()) };
    }
    let outputs = context.kernels.outputs("schur");
    let printed = print(&context.equations.graph, outputs, Some(context.hoisted), &environment(context));
    let statements = &printed.statements;
    let (matrix, right) = printed.outputs.split_at(rows * rows);
    let lines = matrix.chunks(rows).map(|line| quote!([#(#line),*]));
    quote! {
        let (schur, right) = {
            #(#statements)*
            ([#(#lines),*], [#(#right),*])
        };
        *multipliers = rt::solve_multipliers::<S, ROWS>(schur, right)?;
        #accelerate
        Ok(())
    }
}

fn linearised(context: &Context<'_>) -> TokenStream {
    let dof = context.equations.inertia.mass.len();
    let residual = kernel(context, "residual");
    let target = |at: usize| {
        let (row, column) = (Literal::usize_unsuffixed(at / dof), Literal::usize_unsuffixed(at % dof));
        quote!(out[(#row, #column)])
    };
    let matrix = |name: &str| stores(context, context.kernels.outputs(name), target);
    let (mass, stiffness, damping) = (matrix("mass_matrix"), matrix("tangent_stiffness"), matrix("tangent_damping"));
    let iteration = iteration::emit(context);
    quote! {
        impl<S: Scalar> rt::Linearised for System<S> {
            type Matrix = SMatrix<S, DOF, DOF>;

            fn zero_matrix(&self) -> Self::Matrix {
                rt::zeros()
            }
            #[inline]
            fn matrix_entry(&self, matrix: &Self::Matrix, row: usize, column: usize) -> S {
                matrix[(row, column)]
            }
            #[inline]
            fn residual(
                &self,
                t: S,
                q: &Self::Configuration,
                v: &Self::Velocity,
                acceleration: &Self::Velocity,
                multipliers: &Self::Multipliers,
                out: &mut Self::Velocity,
            ) {
                #residual
            }
            #[inline]
            fn mass_matrix(&self, t: S, q: &Self::Configuration, out: &mut Self::Matrix) {
                #mass
            }
            #[inline]
            fn tangent_stiffness(
                &self,
                t: S,
                q: &Self::Configuration,
                v: &Self::Velocity,
                acceleration: &Self::Velocity,
                multipliers: &Self::Multipliers,
                out: &mut Self::Matrix,
            ) {
                #stiffness
            }
            #[inline]
            fn tangent_damping(&self, t: S, q: &Self::Configuration, v: &Self::Velocity, out: &mut Self::Matrix) {
                #damping
            }
            #iteration
        }
    }
}

/// Velocities with named fields to components and back.
fn conversions(context: &Context<'_>) -> TokenStream {
    let mut from = Vec::new();
    let mut to = Vec::new();
    let mut offset = 0;
    for member in &context.model.configuration.members {
        let name = &member.name;
        let size = member.group.dimension();
        let is_scalar = super::structs::velocity_type(member.group, &quote!(S)).to_string() == "S";
        let mut elements = Vec::new();
        for element in 0..member.count.unwrap_or(1) {
            let place = match member.count {
                Some(_) => {
                    let element = Literal::usize_unsuffixed(element);
                    quote!(velocity.#name[#element])
                }
                None => quote!(velocity.#name),
            };
            let at = Literal::usize_unsuffixed(offset);
            let n = Literal::usize_unsuffixed(size);
            if is_scalar {
                elements.push(quote!(components[#at]));
                to.push(quote!(components[#at] = #place;));
            } else {
                elements.push(quote!(rt::part::<S, DOF, #n>(&components, #at)));
                to.push(quote!(rt::set_part(&mut components, #at, &#place);));
            }
            offset += size;
        }
        from.push(if member.count.is_some() { quote!(#name: [#(#elements),*]) } else { quote!(#name: #(#elements)*) });
    }
    quote! {
        impl<S: Scalar> From<SVector<S, DOF>> for Velocity<S> {
            #[inline]
            fn from(components: SVector<S, DOF>) -> Self {
                Velocity { #(#from),* }
            }
        }
        impl<S: Scalar> From<Velocity<S>> for SVector<S, DOF> {
            #[inline]
            fn from(velocity: Velocity<S>) -> Self {
                let mut components: SVector<S, DOF> = rt::zeros();
                #(#to)*
                components
            }
        }
    }
}
