#[deny(ambiguous_glob_imports)]
#[allow(rustdoc::broken_intra_doc_links)]
mod pendulum {
    #[allow(unused_imports, clippy::wildcard_imports)]
    use ::lie_runtime::__private::declaration::*;
    #[allow(unused_imports)]
    use lie_runtime::prelude::*;
    #[allow(dead_code, clippy::trivially_copy_pass_by_ref, clippy::needless_range_loop)]
    fn kinetic(data: &Data, v: &Velocity) -> f64 {
        0.5 * data.inertia * v.arm * v.arm
    }
    #[allow(dead_code, clippy::trivially_copy_pass_by_ref, clippy::needless_range_loop)]
    fn weight(data: &Data, q: &Angle) -> f64 {
        -data.weight * q.arm.angle().cos()
    }
    #[allow(dead_code, clippy::trivially_copy_pass_by_ref, clippy::needless_range_loop)]
    fn damping(data: &Data, v: &Velocity) -> f64 {
        0.5 * data.damping * v.arm * v.arm
    }
    ///The configuration.
    #[derive(
        ::core::clone::Clone,
        ::core::marker::Copy,
        ::core::fmt::Debug,
        ::core::cmp::PartialEq
    )]
    pub struct Angle<S: ::lie_runtime::scalar::Scalar = ::core::primitive::f64> {
        pub arm: ::lie_runtime::group::SO2<S>,
    }
    ///The parameters.
    #[derive(::core::clone::Clone, ::core::fmt::Debug)]
    pub struct Data<S: ::lie_runtime::scalar::Scalar = ::core::primitive::f64> {
        pub inertia: S,
        pub weight: S,
        pub damping: S,
    }
    ///Velocities of `Angle`: q' = q v~, the angular part first.
    #[allow(dead_code)]
    #[derive(
        ::core::clone::Clone,
        ::core::marker::Copy,
        ::core::fmt::Debug,
        ::core::cmp::PartialEq
    )]
    pub struct Velocity<S: ::lie_runtime::scalar::Scalar = ::core::primitive::f64> {
        ///The left-trivialised velocity of `arm` (SO(2)).
        pub arm: S,
    }
    /// The mechanical system `pendulum`, specialised at compile time.
    ///
    /// | | |
    /// |---|---|
    /// | configuration | SO(2) |
    /// | degrees of freedom | 1 |
    /// | constraint rows | 0 (0 holonomic) |
    /// | mass matrix | 1 of 1 entries, constant: factorised once |
    /// | constraint Jacobian | 0 of 0 entries |
    /// | tangent stiffness | 1 of 1 entries |
    /// | Hamiltonian on the cotangent bundle | none: `damping` dissipates |
    ///
    /// <div style="overflow-x: auto; padding: 0.3em"><math displaystyle="true"><mrow><mi>inertia</mi><mspace width="0.22em"></mspace><msub><mover><mi>ω</mi><mo>˙</mo></mover><mi>arm</mi></msub><mo>=</mo><mo>−</mo><mrow><mo>(</mo><msub><mi>ω</mi><mi>arm</mi></msub><mspace width="0.22em"></mspace><mi>damping</mi><mo>+</mo><mi>weight</mi><mspace width="0.22em"></mspace><mi>sin</mi><mo>(</mo><mi>log</mi><mo>(</mo><msub><mi>R</mi><mi>arm</mi></msub><mo>)</mo><mo>)</mo><mo>)</mo></mrow></mrow></math></div>
    ///
    /// <div>
    /// M <svg width="7" height="7" viewBox="-.07 -.07 1 1" style="outline: 1px solid; margin: 2px; vertical-align: middle"><path fill="currentColor" d="M0 0h.86v.86h-.86z"></path></svg>
    /// K<sub>t</sub> <svg width="7" height="7" viewBox="-.07 -.07 1 1" style="outline: 1px solid; margin: 2px; vertical-align: middle"><path fill="currentColor" d="M0 0h.86v.86h-.86z"></path></svg>
    /// </div>
    ///
    /// | kernel | scalar operations |
    /// |---|---|
    /// | momentum | 1 |
    /// | force | 5 |
    /// | kinetic energy | 2 |
    /// | potential energy | 3 |
    /// | residual | 7 |
    /// | tangent stiffness | 3 |
    /// | solve mass | 1 |
    /// | acceleration | 1 |
    /// | correction | 9 |
    #[derive(::core::clone::Clone, ::core::fmt::Debug)]
    pub struct System<S: ::lie_runtime::scalar::Scalar = ::core::primitive::f64> {
        parameters: self::Data<S>,
        hoisted_0: [S; 1],
        mass_inverse: [S; 1],
    }
    #[allow(
        clippy::all,
        clippy::pedantic,
        clippy::nursery,
        unused_variables,
        unused_imports,
        unused_parens,
        unused_mut,
        non_snake_case,
        unused_qualifications,
        missing_docs
    )]
    const _: () = {
        use ::core::clone::Clone;
        use ::core::convert::{From, Into};
        use ::core::option::Option::{self, None, Some};
        use ::core::primitive::{bool, f64, str, usize};
        use ::core::result::Result::{self, Err, Ok};
        use ::lie_runtime::__private as rt;
        use ::lie_runtime::__private::{Factor, LieGroup, SMatrix, SVector, Scalar};
        use ::lie_runtime::roles::configuration as _;
        use ::lie_runtime::roles::parameters as _;
        use ::lie_runtime::roles::kinetic_energy as _;
        use ::lie_runtime::roles::potential as _;
        use ::lie_runtime::roles::dissipation as _;
        impl<S: Scalar> rt::Field<0, 1> for self::Angle<S> {
            type Group = ::lie_runtime::group::SO2<S>;
            const IS_ONE: bool = true;
            #[inline(always)]
            fn members(&self) -> &[::lie_runtime::group::SO2<S>] {
                ::core::slice::from_ref(&self.arm)
            }
            #[inline(always)]
            fn members_mut(&mut self) -> &mut [::lie_runtime::group::SO2<S>] {
                ::core::slice::from_mut(&mut self.arm)
            }
        }
        impl<S: Scalar> rt::OverScalars<S> for self::Angle<S> {
            type On<T: Scalar> = self::Angle<T>;
            #[inline]
            fn map_scalars<T: Scalar>(
                &self,
                map: &mut impl rt::ScalarMap<S, T>,
            ) -> self::Angle<T> {
                self::Angle {
                    arm: map.field("arm", &self.arm),
                }
            }
        }
        impl<S: Scalar> rt::Fields for self::Angle<S> {
            type Scalar = S;
            #[inline(always)]
            fn visit<V: rt::EachField<Self>>(visitor: &mut V) {
                visitor.field::<0, 1>();
            }
            fn origins(spans: &[rt::Span]) -> Self {
                self::Angle {
                    arm: <::lie_runtime::group::SO2<
                        S,
                    > as rt::LocalCoordinates<S, 1>>::origin(),
                }
            }
        }
        impl<S: Scalar> rt::FixedFields for self::Angle<S> {
            const SPANS: &'static [rt::Span] = &[
                rt::Span::new("arm", 1, 1, [false, false]).at_offset(0),
            ];
        }
        impl<S: Scalar> rt::GroupFields for self::Angle<S> {
            #[inline]
            fn visit_groups<V: rt::EachGroup<Self>>(visitor: &mut V) {
                visitor.field::<0, 1>();
            }
        }
        ::lie_runtime::__direct_product!(self::Angle < S >, 1);
        const CARD: &rt::Description = &rt::Description {
            name: "pendulum",
            group: "SO(2)",
            dof: 1,
            members: ::std::borrow::Cow::Borrowed(
                &[
                    rt::MemberDescription {
                        name: "arm",
                        group: "SO(2)",
                        offset: 0,
                        dof: 1,
                    },
                ],
            ),
            constraints: ::std::borrow::Cow::Borrowed(&[]),
            observables: &[],
            symmetries: &[],
            events: &[],
            ignored: &[],
            documentation: ::std::borrow::Cow::Borrowed(&[]),
            mass_nonzeros: 1,
            jacobian_nonzeros: 0,
            stiffness_nonzeros: 1,
            mass_is_constant: true,
            forces_depend_on_velocity: true,
            conserves_energy: false,
            never_gains_energy: true,
            states: 0,
            potential_jumps: true,
            kernels: &[
                rt::KernelDescription {
                    name: "momentum",
                    operations: 1,
                },
                rt::KernelDescription {
                    name: "force",
                    operations: 5,
                },
                rt::KernelDescription {
                    name: "kinetic_energy",
                    operations: 2,
                },
                rt::KernelDescription {
                    name: "potential_energy",
                    operations: 3,
                },
                rt::KernelDescription {
                    name: "residual",
                    operations: 7,
                },
                rt::KernelDescription {
                    name: "tangent_stiffness",
                    operations: 3,
                },
                rt::KernelDescription {
                    name: "solve_mass",
                    operations: 1,
                },
                rt::KernelDescription {
                    name: "acceleration",
                    operations: 1,
                },
                rt::KernelDescription {
                    name: "correction",
                    operations: 9,
                },
            ],
        };
        impl<S: Scalar> System<S> {
            /// Creates the system with these parameters and chain lengths, if it has any.
            ///
            /// # Errors
            /// A [`ModelError`](lie_runtime::system::ModelError) that names the parameter, the chain or the member that
            /// no simulation can start from.
            pub fn new(parameters: self::Data<S>) -> Result<Self, rt::ModelError> {
                rt::check_entries::<S, _>(&parameters)?;
                let hoisted_0: [S; 1] = {
                    [<S as Scalar>::from_f64(0.5) * parameters.inertia]
                };
                const MEMBERS: [&str; 1] = ["arm"];
                let mut mass_inverse = [<S as Scalar>::from_f64(0.0); 1];
                let inverse = rt::inverse_of_block::<S, 1>([[parameters.inertia]])
                    .map_err(|failed| {
                        let component = [0][failed];
                        rt::ModelError::MassNotPositiveDefinite {
                            member: MEMBERS[component],
                        }
                    })?;
                mass_inverse[0] = inverse[0][0];
                Ok(Self {
                    parameters,
                    hoisted_0,
                    mass_inverse,
                })
            }
            /// Returns the parameters.
            pub fn parameters(&self) -> &self::Data<S> {
                &self.parameters
            }
        }
        impl<S: Scalar> rt::Parametrised for System<S> {
            type Parameters = self::Data<S>;
            fn parameters(&self) -> &Self::Parameters {
                &self.parameters
            }
            #[inline]
            fn with_parameters(
                &self,
                parameters: Self::Parameters,
            ) -> Result<Self, rt::ModelError> {
                Self::new(parameters)
            }
            fn merge_parameters(
                own: &mut Self::Parameters,
                before: &Self::Parameters,
                changed: &Self::Parameters,
            ) -> Result<(), ::std::string::String> {
                rt::merge_entries::<S, _>(own, before, changed)
            }
        }
        impl<S: Scalar> System<S> {
            /// Returns the velocity with named fields for given components; clamped members have velocity zero.
            #[inline]
            pub fn velocity(&self, components: &SVector<S, 1>) -> Velocity<S> {
                (*components).into()
            }
        }
        impl<S: Scalar> From<SVector<S, 1>> for Velocity<S> {
            #[inline]
            fn from(components: SVector<S, 1>) -> Self {
                let components = &components;
                Velocity { arm: components[0] }
            }
        }
        impl<S: Scalar> From<Velocity<S>> for SVector<S, 1> {
            /// Returns the components of the free members; clamped members have no components.
            #[inline]
            fn from(velocity: Velocity<S>) -> Self {
                let mut components: SVector<S, 1> = rt::zeros();
                components[0] = velocity.arm;
                components
            }
        }
        impl<S: Scalar> rt::Assembled for System<S> {
            type Scalar = S;
            type Configuration = self::Angle<S>;
            type Assembly = rt::FixedSizeAssembly<Term0, __DOF, __ROWS>;
            fn description(&self) -> &rt::Description {
                CARD
            }
            fn check_against_declaration(
                &self,
                t: S,
                q: &self::Angle<S>,
                v: &SVector<S, 1>,
            ) -> Result<(), rt::DeclarationError> {
                rt::check_in_f64::<Self, System<f64>>(self, t, q, v)
            }
            fn powers(
                &self,
                t: S,
                q: &self::Angle<S>,
                v: &SVector<S, 1>,
                visit: &mut dyn ::core::ops::FnMut(&'static str, f64),
            ) -> bool {
                rt::powers_in_f64::<Self, System<f64>>(self, (t, q, v), visit)
            }
            fn singular_function(
                &self,
                t: S,
                q: &self::Angle<S>,
                v: &SVector<S, 1>,
                of_forces: bool,
            ) -> ::core::option::Option<rt::FunctionElement> {
                rt::singular_function_in_f64::<
                    Self,
                    System<f64>,
                >(self, (t, q, v), of_forces)
            }
        }
        pub struct Term0;
        impl<S: Scalar> rt::Term<System<S>> for Term0 {
            type Vector = SVector<S, 1>;
            type Rows = SVector<S, 0>;
            type Matrix = SMatrix<S, 1, 1>;
            type Jacobian = SMatrix<S, 0, 1>;
            const KIND: usize = 0;
            const SLOTS: &'static [usize] = &[1];
            const SEGMENTS: &'static [usize] = &[];
            const HOLONOMIC_ROWS: usize = 0;
            const CONTRIBUTIONS: rt::Contributions = rt::Contributions {
                inertia: true,
                inertia_is_constant: true,
                force: true,
                stiffness: true,
                damping: true,
            };
            const FORCE_WITH_JACOBIAN: bool = false;
            #[cfg_attr(debug_assertions, inline)]
            #[cfg_attr(not(debug_assertions), inline(always))]
            fn mass_matrix(
                system: &System<S>,
                place: &rt::ElementLocation<'_>,
                t: S,
                q: &self::Angle<S>,
                out: &mut Self::Matrix,
            ) {
                out[(0, 0)] = system.parameters.inertia;
            }
            #[cfg_attr(debug_assertions, inline)]
            #[cfg_attr(not(debug_assertions), inline(always))]
            fn force(
                system: &System<S>,
                place: &rt::ElementLocation<'_>,
                t: S,
                q: &self::Angle<S>,
                v: &Self::Vector,
                out: &mut Self::Vector,
            ) {
                let slot_0 = &q.arm;
                out[0] = -Scalar::mul_add(
                    system.parameters.weight,
                    Scalar::sin(
                        Scalar::atan2(slot_0.coordinates()[1], slot_0.coordinates()[0]),
                    ),
                    v[0] * system.parameters.damping,
                );
            }
            fn kinetic_energy(
                system: &System<S>,
                place: &rt::ElementLocation<'_>,
                t: S,
                q: &self::Angle<S>,
                v: &Self::Vector,
            ) -> S {
                let __0 = v[0];
                __0 * (__0 * system.hoisted_0[0])
            }
            fn potential_energy(
                system: &System<S>,
                place: &rt::ElementLocation<'_>,
                t: S,
                q: &self::Angle<S>,
            ) -> S {
                let slot_0 = &q.arm;
                -(system.parameters.weight
                    * Scalar::cos(
                        Scalar::atan2(slot_0.coordinates()[1], slot_0.coordinates()[0]),
                    ))
            }
            #[cfg_attr(debug_assertions, inline)]
            #[cfg_attr(not(debug_assertions), inline(always))]
            fn residual(
                system: &System<S>,
                place: &rt::ElementLocation<'_>,
                t: S,
                q: &self::Angle<S>,
                v: &Self::Vector,
                acceleration: &Self::Vector,
                multipliers: &Self::Rows,
                out: &mut Self::Vector,
            ) {
                let slot_0 = &q.arm;
                out[0] = Scalar::mul_add(
                    system.parameters.weight,
                    Scalar::sin(
                        Scalar::atan2(slot_0.coordinates()[1], slot_0.coordinates()[0]),
                    ),
                    Scalar::mul_add(
                        system.parameters.inertia,
                        acceleration[0],
                        v[0] * system.parameters.damping,
                    ),
                );
            }
            #[cfg_attr(debug_assertions, inline)]
            #[cfg_attr(not(debug_assertions), inline(always))]
            fn tangent_stiffness(
                system: &System<S>,
                place: &rt::ElementLocation<'_>,
                t: S,
                q: &self::Angle<S>,
                v: &Self::Vector,
                acceleration: &Self::Vector,
                multipliers: &Self::Rows,
                out: &mut Self::Matrix,
            ) {
                let slot_0 = &q.arm;
                out[(0, 0)] = system.parameters.weight
                    * Scalar::cos(
                        Scalar::atan2(slot_0.coordinates()[1], slot_0.coordinates()[0]),
                    );
            }
            #[cfg_attr(debug_assertions, inline)]
            #[cfg_attr(not(debug_assertions), inline(always))]
            fn tangent_damping(
                system: &System<S>,
                place: &rt::ElementLocation<'_>,
                t: S,
                q: &self::Angle<S>,
                v: &Self::Vector,
                out: &mut Self::Matrix,
            ) {
                out[(0, 0)] = system.parameters.damping;
            }
        }
        const __DOF: usize = 1;
        const __ROWS: usize = 0;
        impl<S: Scalar> rt::FixedSizeKernels<System<S>, __DOF, __ROWS> for Term0 {
            type Stored = [S; 0];
            type Inverse = [S; 0];
            #[cfg_attr(debug_assertions, inline)]
            #[cfg_attr(not(debug_assertions), inline(always))]
            fn stored_jacobian(
                system: &System<S>,
                place: &rt::ElementLocation<'_>,
                t: S,
                q: &self::Angle<S>,
                out: &mut Self::Stored,
            ) {}
            #[inline]
            fn mass(
                system: &System<S>,
                place: &rt::ElementLocation<'_>,
                t: S,
                q: &self::Angle<S>,
                out: &mut Self::Inverse,
            ) -> Result<(), rt::KktError> {
                Ok(())
            }
            #[inline]
            fn momentum(
                system: &System<S>,
                place: &rt::ElementLocation<'_>,
                t: S,
                q: &self::Angle<S>,
                force: &Self::Vector,
                out: &mut Self::Vector,
            ) {
                out[0] = system.parameters.inertia * force[0];
            }
            #[cfg_attr(debug_assertions, inline)]
            #[cfg_attr(not(debug_assertions), inline(always))]
            fn jacobian_times(
                system: &System<S>,
                constraint_jacobian: &Self::Stored,
                force: &Self::Vector,
                out: &mut Self::Rows,
            ) {}
            #[cfg_attr(debug_assertions, inline)]
            #[cfg_attr(not(debug_assertions), inline(always))]
            fn jacobian_transpose_times(
                system: &System<S>,
                force_jacobian: &Self::Stored,
                multipliers: &Self::Rows,
                out: &mut Self::Vector,
            ) {
                out[0] = <S as Scalar>::from_f64(0.0);
            }
            #[cfg_attr(debug_assertions, inline)]
            #[cfg_attr(not(debug_assertions), inline(always))]
            fn solve_mass(
                system: &System<S>,
                mass: &Self::Inverse,
                force: &Self::Vector,
                acceleration: &mut Self::Vector,
            ) {
                let mass_inverse = &system.mass_inverse;
                acceleration[0] = mass_inverse[0] * force[0];
            }
            #[cfg_attr(debug_assertions, inline)]
            #[cfg_attr(not(debug_assertions), inline(always))]
            fn solve_kkt(
                system: &System<S>,
                mass: &Self::Inverse,
                force_jacobian: &Self::Stored,
                constraint_jacobian: &Self::Stored,
                force: &Self::Vector,
                constraint: &Self::Rows,
                acceleration: &mut Self::Vector,
                multipliers: &mut Self::Rows,
            ) -> Result<(), rt::KktError> {
                let mass_inverse = &system.mass_inverse;
                acceleration[0] = mass_inverse[0] * force[0];
                Ok(())
            }
            const CORRECTS: bool = true;
            #[cfg_attr(debug_assertions, inline)]
            #[cfg_attr(not(debug_assertions), inline(always))]
            fn correction(
                system: &System<S>,
                matrices: &rt::IterationMatrices<S, __DOF, __ROWS>,
                tangent_inverse: &Self::Matrix,
                coefficients: &[S; 4],
                force: &Self::Vector,
                constraint: &Self::Rows,
                increment: &mut Self::Vector,
                reactions: &mut Self::Rows,
            ) -> <S as Scalar>::Mask {
                let __0 = Scalar::mul_add(
                    matrices.stiffness[(0, 0)],
                    coefficients[2],
                    Scalar::mul_add(
                        system.parameters.damping,
                        coefficients[1],
                        system.parameters.inertia * coefficients[0],
                    ),
                );
                increment[0] = -(force[0] * (<S as Scalar>::from_f64(1.0) / __0));
                Scalar::lt(<S as Scalar>::from_f64(0.0), Scalar::abs(__0))
            }
        }
        impl<S: Scalar> rt::Liftable for System<S> {
            type Lifted = System<rt::Dual<S>>;
            #[inline]
            fn lift(&self) -> System<rt::Dual<S>> {
                rt::lift::<S, _>(self)
            }
            #[inline]
            fn lift_configuration(
                &self,
                q: &self::Angle<S>,
            ) -> self::Angle<rt::Dual<S>> {
                rt::lift(q)
            }
            #[inline]
            fn lift_configuration_onto(
                &self,
                q: &self::Angle<S>,
                out: &mut self::Angle<rt::Dual<S>>,
            ) {
                rt::lift_onto(q, out);
            }
            #[inline]
            fn lowered_configuration(
                &self,
                q: &self::Angle<rt::Dual<S>>,
            ) -> self::Angle<S> {
                rt::lowered(q)
            }
        }
        impl rt::TangentSystem for System<f64> {
            #[inline]
            fn varied(
                &self,
                direction: &Self::Parameters,
            ) -> Result<System<rt::Dual<f64>>, rt::ModelError> {
                System::new(rt::varied::<f64, _>(self.parameters(), direction)?)
            }
            #[inline]
            fn lowered_parameters(
                lifted: &System<rt::Dual<f64>>,
            ) -> [Self::Parameters; 2] {
                [
                    rt::lowered::<f64, _>(lifted.parameters()),
                    rt::derivatives_of::<f64, _>(lifted.parameters()),
                ]
            }
        }
        impl<S: Scalar> rt::OverScalars<S> for System<S> {
            type On<T: Scalar> = System<T>;
            #[inline]
            fn map_scalars<T: Scalar>(
                &self,
                map: &mut impl rt::ScalarMap<S, T>,
            ) -> System<T> {
                System {
                    parameters: map.field("parameters", &self.parameters),
                    hoisted_0: map.field("hoisted_0", &self.hoisted_0),
                    mass_inverse: map.field("mass_inverse", &self.mass_inverse),
                }
            }
        }
        impl<L: rt::Lanes> rt::Batched<L> for System<f64> {
            type Batch = System<L>;
            #[inline]
            fn batch(systems: &[&Self]) -> Option<System<L>> {
                rt::batch(systems)
            }
            #[inline]
            fn batch_configurations(
                configuration: &dyn ::core::ops::Fn(usize) -> self::Angle<f64>,
            ) -> self::Angle<L> {
                rt::in_lanes(configuration)
            }
            #[inline]
            fn lane_configuration(
                together: &self::Angle<L>,
                lane: usize,
            ) -> self::Angle<f64> {
                rt::of_lane(together, lane)
            }
        }
        impl rt::Report for System<f64> {
            #[inline]
            fn visit_configuration_fields(
                &self,
                q: &Self::Configuration,
                visit: rt::FieldVisitor<'_>,
            ) {
                visit("arm", &q.arm);
            }
            #[inline]
            fn visit_velocity_fields(
                &self,
                v: &Self::Velocity,
                visit: rt::FieldVisitor<'_>,
            ) {
                let v = self.velocity(v);
                visit("arm", &v.arm);
            }
            #[inline]
            fn visit_multiplier_fields(
                &self,
                multipliers: &Self::Multipliers,
                visit: rt::FieldVisitor<'_>,
            ) {}
            #[inline]
            fn visit_observable_fields(
                &self,
                t: f64,
                q: &Self::Configuration,
                v: &Self::Velocity,
                visit: rt::FieldVisitor<'_>,
            ) {}
        }
        impl<S: Scalar> rt::OverScalars<S> for self::Data<S> {
            type On<T: Scalar> = self::Data<T>;
            #[inline]
            fn map_scalars<T: Scalar>(
                &self,
                map: &mut impl rt::ScalarMap<S, T>,
            ) -> self::Data<T> {
                self::Data {
                    inertia: map.field("inertia", &self.inertia),
                    weight: map.field("weight", &self.weight),
                    damping: map.field("damping", &self.damping),
                }
            }
        }
        impl rt::NamedEntries for self::Data<f64> {
            const NAMES: &'static [&'static str] = &["inertia", "weight", "damping"];
        }
        fn __read_kinetic<S: Scalar>(
            parameters: &self::Data<S>,
            t: S,
            index: usize,
            length: usize,
            q: &self::Angle<S>,
            v: &[S],
        ) -> S {
            let __0 = v[0];
            <S as Scalar>::from_f64(0.5) * (__0 * (__0 * parameters.inertia))
        }
        fn __read_weight<S: Scalar>(
            parameters: &self::Data<S>,
            t: S,
            index: usize,
            length: usize,
            q: &self::Angle<S>,
            v: &[S],
        ) -> S {
            let slot_0 = &q.arm;
            -(parameters.weight
                * Scalar::cos(
                    Scalar::atan2(slot_0.coordinates()[1], slot_0.coordinates()[0]),
                ))
        }
        fn __read_damping<S: Scalar>(
            parameters: &self::Data<S>,
            t: S,
            index: usize,
            length: usize,
            q: &self::Angle<S>,
            v: &[S],
        ) -> S {
            let __0 = v[0];
            <S as Scalar>::from_f64(0.5) * (__0 * (__0 * parameters.damping))
        }
        fn __power_of_damping<S: Scalar>(
            parameters: &self::Data<S>,
            t: S,
            index: usize,
            length: usize,
            q: &self::Angle<S>,
            v: &[S],
        ) -> ::std::vec::Vec<S> {
            ::std::vec::Vec::from([-(v[0] * parameters.damping)])
        }
        impl rt::Declared for System<f64> {
            #[inline]
            fn compare(
                &self,
                t: f64,
                q: &self::Angle<f64>,
                v: &SVector<f64, 1>,
                visit: &mut dyn ::core::ops::FnMut(&rt::FunctionComparison<'_>),
            ) {
                for place in [rt::ElementLocation::EVERYTHING] {
                    let own = *v;
                    visit(
                        &rt::FunctionComparison {
                            function: "kinetic",
                            element: None,
                            share: rt::EnergyContribution::Kinetic,
                            declared: &|step: f64| {
                                rt::rows_of::<
                                    f64,
                                >(self::kinetic(&self.parameters, &self.velocity(v)))
                            },
                            generated: &|| rt::rows_of::<
                                f64,
                            >(
                                __read_kinetic(
                                    &self.parameters,
                                    t,
                                    place.index,
                                    place.length,
                                    q,
                                    own.as_slice(),
                                ),
                            ),
                            rate: None,
                            power: None,
                        },
                    );
                    visit(
                        &rt::FunctionComparison {
                            function: "weight",
                            element: None,
                            share: rt::EnergyContribution::Potential,
                            declared: &|step: f64| {
                                rt::rows_of::<f64>(self::weight(&self.parameters, q))
                            },
                            generated: &|| rt::rows_of::<
                                f64,
                            >(
                                __read_weight(
                                    &self.parameters,
                                    t,
                                    place.index,
                                    place.length,
                                    q,
                                    own.as_slice(),
                                ),
                            ),
                            rate: None,
                            power: None,
                        },
                    );
                    visit(
                        &rt::FunctionComparison {
                            function: "damping",
                            element: None,
                            share: rt::EnergyContribution::Other,
                            declared: &|step: f64| {
                                rt::rows_of::<
                                    f64,
                                >(self::damping(&self.parameters, &self.velocity(v)))
                            },
                            generated: &|| rt::rows_of::<
                                f64,
                            >(
                                __read_damping(
                                    &self.parameters,
                                    t,
                                    place.index,
                                    place.length,
                                    q,
                                    own.as_slice(),
                                ),
                            ),
                            rate: None,
                            power: Some(
                                &|| rt::power_along(
                                    &__power_of_damping(
                                        &self.parameters,
                                        t,
                                        place.index,
                                        place.length,
                                        q,
                                        own.as_slice(),
                                    ),
                                    own.as_slice(),
                                ),
                            ),
                        },
                    );
                }
            }
            #[inline]
            fn perturbed(
                &self,
                change: &mut dyn ::core::ops::FnMut(f64) -> f64,
            ) -> Self {
                let mut other = self.clone();
                rt::change_parameters(&mut other.parameters, change);
                other
            }
        }
    };
}
