//! The attribute macro [`macro@mechanical_system`].
//!
//! Use this crate through `lie_runtime`, which re-exports the macro. The generated code refers to `lie_runtime`. The compiler is the
//! library `lie_compiler`.

use lie_compiler::{Compiled, Diagnostics, Source, compile, component_modules, role_outside_system};
use proc_macro::TokenStream;

#[doc = include_str!("declaration.md")]
#[proc_macro_attribute]
pub fn mechanical_system(arguments: TokenStream, module: TokenStream) -> TokenStream {
    let source = Source::Tokens { arguments: arguments.into(), module: module.into() };
    compile(source).map_or_else(Diagnostics::into_tokens, Compiled::into_tokens).into()
}

/// The modules of `lie_runtime::components`, whose source text belongs to the compiler.
#[doc(hidden)]
#[proc_macro]
pub fn components(_: TokenStream) -> TokenStream {
    component_modules().unwrap_or_else(|error| error.to_compile_error()).into()
}

/// The system around a role interprets it. Each role is also a macro, so that editors show its documentation, and a role outside of a
/// system is an error with a help.
macro_rules! roles {
    ($($(#[$documentation:meta])* $role:ident),* $(,)?) => {$(
        $(#[$documentation])*
        #[proc_macro_attribute]
        pub fn $role(_: TokenStream, item: TokenStream) -> TokenStream {
            role_outside_system(stringify!($role), item.into()).into_tokens().into()
        }
    )*};
}

roles! {
    /// The configuration q: a struct whose fields are groups, `struct Pose { attitude: SO3, position: R3 }`.
    configuration,
    /// The parameters: a struct of scalars, vectors and matrices, `struct Body { mass: f64, inertia: Matrix3<f64> }`. They are constant
    /// during a run, except for changes by events.
    parameters,
    /// The inputs: a struct of scalars, vectors and matrices, `struct Inputs { torque: f64 }`. A function of time, a table or a controller
    /// sets them at run time. Forces, dissipation, potentials, constraints, observables and events can depend on them.
    inputs,
    /// The auxiliary states: a struct of scalars and vectors, `struct Motor { current: f64 }`, with first-order equations z' = f(t, q, v, z,
    /// u), for example currents, integrators of controllers or filters. Forces, rates, observables and events can depend on them.
    states,
    /// A kinetic energy, quadratic in the velocity: `fn kinetic(body: &Body, q: &Pose, v: &Velocity) -> f64`. The total is the sum of all
    /// kinetic energies.
    kinetic_energy,
    /// The mass matrix, in place of a kinetic energy: `fn mass(body: &Body, q: &Pose) -> Matrix6<f64>`.
    mass_matrix,
    /// A potential energy: `fn gravity(body: &Body, q: &Pose) -> f64`.
    potential,
    /// A Rayleigh dissipation function, `fn friction(v: &Velocity) -> f64`. Its force is the negative derivative with respect to the
    /// velocity.
    dissipation,
    /// A generalised force: `#[force]` on the whole velocity, `#[force(on = field)]` on a member, `#[force(at = quantity)]` as the force
    /// dual to the rate of a quantity, for example at a point.
    force,
    /// The derivatives of the auxiliary states: `fn circuit(p: &Arm, v: &Velocity, z: &Motor) -> Motor`.
    rate,
    /// A holonomic constraint Φ(t, q) = 0: `fn fixed_point(body: &Body, q: &Pose) -> Vector3<f64>`.
    constraint,
    /// A nonholonomic constraint, linear in the velocity: `fn rolls(q: &Pose, v: &Velocity) -> Vector2<f64>`.
    velocity_constraint,
    /// An observable: a function of time, configuration and velocity that trajectories record.
    observable,
    /// A function of the configuration, for example a point, a strain or an angle: `fn tip(arm: &Arm, q: &Pose) -> Vector3<f64>`. The macro
    /// generates its rate `tip_rate`.
    quantity,
    /// An infinitesimal symmetry: the velocity of a motion that leaves the system unchanged, at each configuration: `fn
    /// about_the_vertical(q: &Pose) -> Velocity`. Runs monitor its momentum (Noether's theorem).
    symmetry,
    /// An event function, whose sign changes are events with its name: `fn height(ball: &Ball, q: &Place) -> f64`.
    event,
    /// Forward kinematics: the frame of each joint from the frame of its parent, `#[kinematics(over = links)] fn mass(above: &R3, link:
    /// &S2) -> R3`. Terms can run over the frames.
    kinematics,
    /// An opaque function, which the compiler calls without interpretation: `fn f<S: Scalar>(x: S) -> S`. Its derivative is the function in
    /// `#[opaque(derivative = df)]`, or comes from dual numbers.
    opaque,
}
