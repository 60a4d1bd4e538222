#[deny(ambiguous_glob_imports)]
#[allow(rustdoc::broken_intra_doc_links)]
mod rigid_body {
    #[allow(unused_imports, clippy::wildcard_imports)]
    use ::lie_runtime::__private::declaration::*;
    #[allow(unused_imports)]
    use lie_runtime::prelude::*;
    #[allow(dead_code, clippy::trivially_copy_pass_by_ref, clippy::needless_range_loop)]
    fn kinetic(data: &Inertia, v: &Velocity) -> f64 {
        0.5 * v.attitude.dot(&data.moments.component_mul(&v.attitude))
    }
    ///The configuration.
    #[derive(
        ::core::clone::Clone,
        ::core::marker::Copy,
        ::core::fmt::Debug,
        ::core::cmp::PartialEq
    )]
    pub struct Body<S: ::lie_runtime::scalar::Scalar = ::core::primitive::f64> {
        pub attitude: ::lie_runtime::group::SO3<S>,
    }
    ///The parameters.
    #[derive(::core::clone::Clone, ::core::fmt::Debug)]
    pub struct Inertia<S: ::lie_runtime::scalar::Scalar = ::core::primitive::f64> {
        pub moments: ::lie_runtime::__private::SVector<S, 3>,
    }
    ///Velocities of `Body`: q' = q v~, the angular part first.
    #[allow(dead_code)]
    #[derive(
        ::core::clone::Clone,
        ::core::marker::Copy,
        ::core::fmt::Debug,
        ::core::cmp::PartialEq
    )]
    pub struct Velocity<S: ::lie_runtime::scalar::Scalar = ::core::primitive::f64> {
        ///The left-trivialised velocity of `attitude` (SO(3)).
        pub attitude: ::lie_runtime::__private::SVector<S, 3>,
    }
    /// The mechanical system `rigid_body`, specialised at compile time.
    ///
    /// | | |
    /// |---|---|
    /// | configuration | SO(3) |
    /// | degrees of freedom | 3 |
    /// | constraint rows | 0 (0 holonomic) |
    /// | mass matrix | 3 of 9 entries, constant: factorised once |
    /// | constraint Jacobian | 0 of 0 entries |
    /// | tangent stiffness | 0 of 9 entries |
    /// | Hamiltonian on the cotangent bundle | `HamiltonianSystem`, `LegendreTransform` |
    ///
    /// <div style="overflow-x: auto; padding: 0.3em"><math displaystyle="true"><mrow><mo>[</mo><mtable><mtr><mtd><msub><mrow><mi>moments</mi></mrow><mn>1</mn></msub></mtd><mtd><mn>0</mn></mtd><mtd><mn>0</mn></mtd></mtr><mtr><mtd><mn>0</mn></mtd><mtd><msub><mrow><mi>moments</mi></mrow><mn>2</mn></msub></mtd><mtd><mn>0</mn></mtd></mtr><mtr><mtd><mn>0</mn></mtd><mtd><mn>0</mn></mtd><mtd><msub><mrow><mi>moments</mi></mrow><mn>3</mn></msub></mtd></mtr></mtable><mo>]</mo><mspace width="0.22em"></mspace><msub><mover><mi>ω</mi><mo>˙</mo></mover><mi>attitude</mi></msub><mo>=</mo><mo>−</mo><msub><mi>ω</mi><mi>attitude</mi></msub><mo>&#xD7;</mo><mrow><mo>(</mo><mo>[</mo><mtable><mtr><mtd><msub><mrow><mi>moments</mi></mrow><mn>1</mn></msub></mtd><mtd><mn>0</mn></mtd><mtd><mn>0</mn></mtd></mtr><mtr><mtd><mn>0</mn></mtd><mtd><msub><mrow><mi>moments</mi></mrow><mn>2</mn></msub></mtd><mtd><mn>0</mn></mtd></mtr><mtr><mtd><mn>0</mn></mtd><mtd><mn>0</mn></mtd><mtd><msub><mrow><mi>moments</mi></mrow><mn>3</mn></msub></mtd></mtr></mtable><mo>]</mo><mspace width="0.22em"></mspace><msub><mi>ω</mi><mi>attitude</mi></msub><mo>)</mo></mrow></mrow></math></div>
    ///
    /// <div>
    /// M <svg width="21" height="21" viewBox="-.07 -.07 3 3" style="outline: 1px solid; margin: 2px; vertical-align: middle"><path fill="currentColor" d="M0 0h.86v.86h-.86zM1 1h.86v.86h-.86zM2 2h.86v.86h-.86z"></path></svg>
    /// K<sub>t</sub> <svg width="21" height="21" viewBox="-.07 -.07 3 3" style="outline: 1px solid; margin: 2px; vertical-align: middle"><path fill="currentColor" d=""></path></svg>
    /// </div>
    ///
    /// | kernel | scalar operations |
    /// |---|---|
    /// | momentum | 3 |
    /// | force | 12 |
    /// | kinetic energy | 8 |
    /// | residual | 18 |
    /// | tangent damping | 6 |
    /// | solve mass | 3 |
    /// | acceleration | 3 |
    /// | correction | 119 |
    /// | body velocity | 18 |
    /// | spatial momentum | 18 |
    /// | hamiltonian | 8 |
    /// | hamiltonian derivatives | 24 |
    #[derive(::core::clone::Clone, ::core::fmt::Debug)]
    pub struct System<S: ::lie_runtime::scalar::Scalar = ::core::primitive::f64> {
        parameters: self::Inertia<S>,
        hoisted_0: [S; 6],
        mass_inverse: [S; 3],
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
        impl<S: Scalar> rt::Field<0, 3> for self::Body<S> {
            type Group = ::lie_runtime::group::SO3<S>;
            const IS_ONE: bool = true;
            #[inline(always)]
            fn members(&self) -> &[::lie_runtime::group::SO3<S>] {
                ::core::slice::from_ref(&self.attitude)
            }
            #[inline(always)]
            fn members_mut(&mut self) -> &mut [::lie_runtime::group::SO3<S>] {
                ::core::slice::from_mut(&mut self.attitude)
            }
        }
        impl<S: Scalar> rt::OverScalars<S> for self::Body<S> {
            type On<T: Scalar> = self::Body<T>;
            #[inline]
            fn map_scalars<T: Scalar>(
                &self,
                map: &mut impl rt::ScalarMap<S, T>,
            ) -> self::Body<T> {
                self::Body {
                    attitude: map.field("attitude", &self.attitude),
                }
            }
        }
        impl<S: Scalar> rt::Fields for self::Body<S> {
            type Scalar = S;
            #[inline(always)]
            fn visit<V: rt::EachField<Self>>(visitor: &mut V) {
                visitor.field::<0, 3>();
            }
            fn origins(spans: &[rt::Span]) -> Self {
                self::Body {
                    attitude: <::lie_runtime::group::SO3<
                        S,
                    > as rt::LocalCoordinates<S, 3>>::origin(),
                }
            }
        }
        impl<S: Scalar> rt::FixedFields for self::Body<S> {
            const SPANS: &'static [rt::Span] = &[
                rt::Span::new("attitude", 3, 1, [false, false]).at_offset(0),
            ];
        }
        impl<S: Scalar> rt::GroupFields for self::Body<S> {
            #[inline]
            fn visit_groups<V: rt::EachGroup<Self>>(visitor: &mut V) {
                visitor.field::<0, 3>();
            }
        }
        ::lie_runtime::__direct_product!(self::Body < S >, 3);
        const CARD: &rt::Description = &rt::Description {
            name: "rigid_body",
            group: "SO(3)",
            dof: 3,
            members: ::std::borrow::Cow::Borrowed(
                &[
                    rt::MemberDescription {
                        name: "attitude",
                        group: "SO(3)",
                        offset: 0,
                        dof: 3,
                    },
                ],
            ),
            constraints: ::std::borrow::Cow::Borrowed(&[]),
            observables: &[],
            symmetries: &[],
            events: &[],
            ignored: &[],
            documentation: ::std::borrow::Cow::Borrowed(&[]),
            mass_nonzeros: 3,
            jacobian_nonzeros: 0,
            stiffness_nonzeros: 0,
            mass_is_constant: true,
            forces_depend_on_velocity: false,
            conserves_energy: true,
            never_gains_energy: true,
            states: 0,
            potential_jumps: false,
            kernels: &[
                rt::KernelDescription {
                    name: "momentum",
                    operations: 3,
                },
                rt::KernelDescription {
                    name: "force",
                    operations: 12,
                },
                rt::KernelDescription {
                    name: "kinetic_energy",
                    operations: 8,
                },
                rt::KernelDescription {
                    name: "residual",
                    operations: 18,
                },
                rt::KernelDescription {
                    name: "tangent_damping",
                    operations: 6,
                },
                rt::KernelDescription {
                    name: "solve_mass",
                    operations: 3,
                },
                rt::KernelDescription {
                    name: "acceleration",
                    operations: 3,
                },
                rt::KernelDescription {
                    name: "correction",
                    operations: 119,
                },
                rt::KernelDescription {
                    name: "body_velocity",
                    operations: 18,
                },
                rt::KernelDescription {
                    name: "spatial_momentum",
                    operations: 18,
                },
                rt::KernelDescription {
                    name: "hamiltonian",
                    operations: 8,
                },
                rt::KernelDescription {
                    name: "hamiltonian_derivatives",
                    operations: 24,
                },
            ],
        };
        impl<S: Scalar> System<S> {
            /// Creates the system with these parameters and chain lengths, if it has any.
            ///
            /// # Errors
            /// A [`ModelError`](lie_runtime::system::ModelError) that names the parameter, the chain or the member that
            /// no simulation can start from.
            pub fn new(parameters: self::Inertia<S>) -> Result<Self, rt::ModelError> {
                rt::check_entries::<S, _>(&parameters)?;
                let hoisted_0: [S; 6] = {
                    let __0 = parameters.moments[0];
                    let __1 = parameters.moments[1];
                    let __2 = parameters.moments[2];
                    [
                        <S as Scalar>::from_f64(0.5) * __0,
                        <S as Scalar>::from_f64(0.5) * __1,
                        <S as Scalar>::from_f64(0.5) * __2,
                        __0 - __2,
                        __0 - __1,
                        __1 - __2,
                    ]
                };
                const MEMBERS: [&str; 3] = ["attitude", "attitude", "attitude"];
                let mut mass_inverse = [<S as Scalar>::from_f64(0.0); 3];
                let inverse = rt::inverse_of_block::<S, 1>([[parameters.moments[0]]])
                    .map_err(|failed| {
                        let component = [0][failed];
                        rt::ModelError::MassNotPositiveDefinite {
                            member: MEMBERS[component],
                        }
                    })?;
                mass_inverse[0] = inverse[0][0];
                let inverse = rt::inverse_of_block::<S, 1>([[parameters.moments[1]]])
                    .map_err(|failed| {
                        let component = [1][failed];
                        rt::ModelError::MassNotPositiveDefinite {
                            member: MEMBERS[component],
                        }
                    })?;
                mass_inverse[1] = inverse[0][0];
                let inverse = rt::inverse_of_block::<S, 1>([[parameters.moments[2]]])
                    .map_err(|failed| {
                        let component = [2][failed];
                        rt::ModelError::MassNotPositiveDefinite {
                            member: MEMBERS[component],
                        }
                    })?;
                mass_inverse[2] = inverse[0][0];
                Ok(Self {
                    parameters,
                    hoisted_0,
                    mass_inverse,
                })
            }
            /// Returns the parameters.
            pub fn parameters(&self) -> &self::Inertia<S> {
                &self.parameters
            }
        }
        impl<S: Scalar> rt::Parametrised for System<S> {
            type Parameters = self::Inertia<S>;
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
            pub fn velocity(&self, components: &SVector<S, 3>) -> Velocity<S> {
                (*components).into()
            }
        }
        impl<S: Scalar> From<SVector<S, 3>> for Velocity<S> {
            #[inline]
            fn from(components: SVector<S, 3>) -> Self {
                let components = &components;
                Velocity {
                    attitude: rt::part::<S, 3, 3>(components, 0),
                }
            }
        }
        impl<S: Scalar> From<Velocity<S>> for SVector<S, 3> {
            /// Returns the components of the free members; clamped members have no components.
            #[inline]
            fn from(velocity: Velocity<S>) -> Self {
                let mut components: SVector<S, 3> = rt::zeros();
                rt::set_part(&mut components, 0, &velocity.attitude);
                components
            }
        }
        impl<S: Scalar> rt::Assembled for System<S> {
            type Scalar = S;
            type Configuration = self::Body<S>;
            type Assembly = rt::FixedSizeAssembly<Term0, __DOF, __ROWS>;
            fn description(&self) -> &rt::Description {
                CARD
            }
            fn check_against_declaration(
                &self,
                t: S,
                q: &self::Body<S>,
                v: &SVector<S, 3>,
            ) -> Result<(), rt::DeclarationError> {
                rt::check_in_f64::<Self, System<f64>>(self, t, q, v)
            }
            fn powers(
                &self,
                t: S,
                q: &self::Body<S>,
                v: &SVector<S, 3>,
                visit: &mut dyn ::core::ops::FnMut(&'static str, f64),
            ) -> bool {
                rt::powers_in_f64::<Self, System<f64>>(self, (t, q, v), visit)
            }
            fn singular_function(
                &self,
                t: S,
                q: &self::Body<S>,
                v: &SVector<S, 3>,
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
            type Vector = SVector<S, 3>;
            type Rows = SVector<S, 0>;
            type Matrix = SMatrix<S, 3, 3>;
            type Jacobian = SMatrix<S, 0, 3>;
            const KIND: usize = 0;
            const SLOTS: &'static [usize] = &[3];
            const SEGMENTS: &'static [usize] = &[];
            const HOLONOMIC_ROWS: usize = 0;
            const CONTRIBUTIONS: rt::Contributions = rt::Contributions {
                inertia: true,
                inertia_is_constant: true,
                force: true,
                stiffness: false,
                damping: true,
            };
            const FORCE_WITH_JACOBIAN: bool = false;
            #[cfg_attr(debug_assertions, inline)]
            #[cfg_attr(not(debug_assertions), inline(always))]
            fn mass_matrix(
                system: &System<S>,
                place: &rt::ElementLocation<'_>,
                t: S,
                q: &self::Body<S>,
                out: &mut Self::Matrix,
            ) {
                out[(0, 0)] = system.parameters.moments[0];
                out[(0, 1)] = <S as Scalar>::from_f64(0.0);
                out[(0, 2)] = <S as Scalar>::from_f64(0.0);
                out[(1, 0)] = <S as Scalar>::from_f64(0.0);
                out[(1, 1)] = system.parameters.moments[1];
                out[(1, 2)] = <S as Scalar>::from_f64(0.0);
                out[(2, 0)] = <S as Scalar>::from_f64(0.0);
                out[(2, 1)] = <S as Scalar>::from_f64(0.0);
                out[(2, 2)] = system.parameters.moments[2];
            }
            #[cfg_attr(debug_assertions, inline)]
            #[cfg_attr(not(debug_assertions), inline(always))]
            fn force(
                system: &System<S>,
                place: &rt::ElementLocation<'_>,
                t: S,
                q: &self::Body<S>,
                v: &Self::Vector,
                out: &mut Self::Vector,
            ) {
                let __0 = v[1];
                let __1 = v[2];
                let __2 = __1 * system.parameters.moments[2];
                let __3 = __0 * system.parameters.moments[1];
                out[0] = Scalar::mul_add(-__0, __2, __1 * __3);
                let __4 = v[0];
                let __5 = __4 * system.parameters.moments[0];
                out[1] = Scalar::mul_add(-__1, __5, __4 * __2);
                out[2] = Scalar::mul_add(-__4, __3, __0 * __5);
            }
            fn kinetic_energy(
                system: &System<S>,
                place: &rt::ElementLocation<'_>,
                t: S,
                q: &self::Body<S>,
                v: &Self::Vector,
            ) -> S {
                let __0 = v[2];
                let __1 = v[0];
                let __2 = v[1];
                Scalar::mul_add(
                    __0,
                    __0 * system.hoisted_0[2],
                    Scalar::mul_add(
                        __2,
                        __2 * system.hoisted_0[1],
                        __1 * (__1 * system.hoisted_0[0]),
                    ),
                )
            }
            #[cfg_attr(debug_assertions, inline)]
            #[cfg_attr(not(debug_assertions), inline(always))]
            fn residual(
                system: &System<S>,
                place: &rt::ElementLocation<'_>,
                t: S,
                q: &self::Body<S>,
                v: &Self::Vector,
                acceleration: &Self::Vector,
                multipliers: &Self::Rows,
                out: &mut Self::Vector,
            ) {
                let __0 = v[1];
                let __1 = v[2];
                let __2 = system.parameters.moments[2];
                let __3 = __1 * __2;
                let __4 = system.parameters.moments[1];
                let __5 = __0 * __4;
                let __6 = system.parameters.moments[0];
                out[0] = Scalar::mul_add(
                    __6,
                    acceleration[0],
                    Scalar::mul_add(-__1, __5, __0 * __3),
                );
                let __7 = v[0];
                let __8 = __7 * __6;
                out[1] = Scalar::mul_add(
                    __4,
                    acceleration[1],
                    Scalar::mul_add(-__7, __3, __1 * __8),
                );
                out[2] = Scalar::mul_add(
                    __2,
                    acceleration[2],
                    Scalar::mul_add(-__0, __8, __7 * __5),
                );
            }
            #[cfg_attr(debug_assertions, inline)]
            #[cfg_attr(not(debug_assertions), inline(always))]
            fn tangent_damping(
                system: &System<S>,
                place: &rt::ElementLocation<'_>,
                t: S,
                q: &self::Body<S>,
                v: &Self::Vector,
                out: &mut Self::Matrix,
            ) {
                out[(0, 0)] = <S as Scalar>::from_f64(0.0);
                let __0 = v[2];
                let __1 = system.hoisted_0[5];
                out[(0, 1)] = -(__0 * __1);
                let __2 = v[1];
                out[(0, 2)] = -(__2 * __1);
                let __3 = system.hoisted_0[3];
                out[(1, 0)] = __0 * __3;
                out[(1, 1)] = <S as Scalar>::from_f64(0.0);
                let __4 = v[0];
                out[(1, 2)] = __4 * __3;
                let __5 = system.hoisted_0[4];
                out[(2, 0)] = -(__2 * __5);
                out[(2, 1)] = -(__4 * __5);
                out[(2, 2)] = <S as Scalar>::from_f64(0.0);
            }
        }
        const __DOF: usize = 3;
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
                q: &self::Body<S>,
                out: &mut Self::Stored,
            ) {}
            #[inline]
            fn mass(
                system: &System<S>,
                place: &rt::ElementLocation<'_>,
                t: S,
                q: &self::Body<S>,
                out: &mut Self::Inverse,
            ) -> Result<(), rt::KktError> {
                Ok(())
            }
            #[inline]
            fn momentum(
                system: &System<S>,
                place: &rt::ElementLocation<'_>,
                t: S,
                q: &self::Body<S>,
                force: &Self::Vector,
                out: &mut Self::Vector,
            ) {
                out[0] = system.parameters.moments[0] * force[0];
                out[1] = system.parameters.moments[1] * force[1];
                out[2] = system.parameters.moments[2] * force[2];
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
                out[1] = <S as Scalar>::from_f64(0.0);
                out[2] = <S as Scalar>::from_f64(0.0);
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
                acceleration[1] = mass_inverse[1] * force[1];
                acceleration[2] = mass_inverse[2] * force[2];
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
                acceleration[1] = mass_inverse[1] * force[1];
                acceleration[2] = mass_inverse[2] * force[2];
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
                let __0 = tangent_inverse[(0, 0)];
                let __1 = coefficients[0];
                let __2 = system.parameters.moments[0] * __1;
                let __3 = tangent_inverse[(1, 0)];
                let __4 = coefficients[1];
                let __5 = matrices.damping[(0, 1)] * __4;
                let __6 = tangent_inverse[(2, 0)];
                let __7 = matrices.damping[(0, 2)] * __4;
                let __8 = Scalar::mul_add(
                    __6,
                    __7,
                    Scalar::mul_add(__3, __5, __0 * __2),
                );
                let __9 = <S as Scalar>::from_f64(1.0) / __8;
                let __10 = force[0];
                let __11 = tangent_inverse[(0, 1)];
                let __12 = tangent_inverse[(1, 1)];
                let __13 = tangent_inverse[(2, 1)];
                let __14 = Scalar::mul_add(
                    __13,
                    __7,
                    Scalar::mul_add(__12, __5, __11 * __2),
                );
                let __15 = matrices.damping[(1, 0)] * __4;
                let __16 = system.parameters.moments[1] * __1;
                let __17 = matrices.damping[(1, 2)] * __4;
                let __18 = Scalar::mul_add(
                    __6,
                    __17,
                    Scalar::mul_add(__3, __16, __0 * __15),
                );
                let __19 = __18 * __9;
                let __20 = Scalar::mul_add(
                    -__14,
                    __19,
                    Scalar::mul_add(__13, __17, Scalar::mul_add(__12, __16, __11 * __15)),
                );
                let __21 = <S as Scalar>::from_f64(1.0) / __20;
                let __22 = Scalar::mul_add(-__10, __19, force[1]);
                let __23 = tangent_inverse[(0, 2)];
                let __24 = tangent_inverse[(1, 2)];
                let __25 = tangent_inverse[(2, 2)];
                let __26 = Scalar::mul_add(
                    __25,
                    __7,
                    Scalar::mul_add(__24, __5, __23 * __2),
                );
                let __27 = Scalar::mul_add(
                    -__26,
                    __19,
                    Scalar::mul_add(__25, __17, Scalar::mul_add(__24, __16, __23 * __15)),
                );
                let __28 = matrices.damping[(2, 0)] * __4;
                let __29 = matrices.damping[(2, 1)] * __4;
                let __30 = system.parameters.moments[2] * __1;
                let __31 = Scalar::mul_add(
                    __6,
                    __30,
                    Scalar::mul_add(__3, __29, __0 * __28),
                );
                let __32 = __31 * __9;
                let __33 = Scalar::mul_add(
                    -__14,
                    __32,
                    Scalar::mul_add(__13, __30, Scalar::mul_add(__12, __29, __11 * __28)),
                );
                let __34 = __33 * __21;
                let __35 = Scalar::mul_add(
                    -__27,
                    __34,
                    Scalar::mul_add(
                        -__26,
                        __32,
                        Scalar::mul_add(
                            __25,
                            __30,
                            Scalar::mul_add(__24, __29, __23 * __28),
                        ),
                    ),
                );
                let __36 = Scalar::mul_add(
                    -__22,
                    __34,
                    Scalar::mul_add(-__10, __32, force[2]),
                ) * (<S as Scalar>::from_f64(1.0) / __35);
                let __37 = __21 * Scalar::mul_add(-__27, __36, __22);
                let __38 = __9
                    * Scalar::mul_add(-__26, __36, Scalar::mul_add(-__14, __37, __10));
                let __39 = Scalar::abs(__8);
                let __40 = <S as Scalar>::from_f64(100.0) * __39;
                let __41 = Scalar::abs(__20);
                let __42 = ((Scalar::le(Scalar::abs(__18), __40)
                    & Scalar::le(Scalar::abs(__31), __40))
                    & Scalar::lt(<S as Scalar>::from_f64(0.0), __39))
                    & Scalar::le(
                        Scalar::abs(__33),
                        <S as Scalar>::from_f64(100.0) * __41,
                    );
                increment[0] = -Scalar::mul_add(
                    __23,
                    __36,
                    Scalar::mul_add(__11, __37, __0 * __38),
                );
                increment[1] = -Scalar::mul_add(
                    __24,
                    __36,
                    Scalar::mul_add(__12, __37, __3 * __38),
                );
                increment[2] = -Scalar::mul_add(
                    __25,
                    __36,
                    Scalar::mul_add(__13, __37, __6 * __38),
                );
                (__42 & Scalar::lt(<S as Scalar>::from_f64(0.0), __41))
                    & Scalar::lt(<S as Scalar>::from_f64(0.0), Scalar::abs(__35))
            }
        }
        impl<S: Scalar> rt::HamiltonianSystem for System<S> {
            type Scalar = S;
            type Point = self::Body<S>;
            #[inline]
            fn zero(&self) -> SVector<S, __DOF> {
                rt::zeros()
            }
            fn hamiltonian(&self, q: &self::Body<S>, mu: &SVector<S, __DOF>) -> S {
                let v = rt::velocity_or_nan(self, q, mu);
                let system = self;
                let __0 = v[2];
                let __1 = v[0];
                let __2 = v[1];
                Scalar::mul_add(
                    __0,
                    __0 * system.hoisted_0[2],
                    Scalar::mul_add(
                        __2,
                        __2 * system.hoisted_0[1],
                        __1 * (__1 * system.hoisted_0[0]),
                    ),
                )
            }
            #[inline]
            fn velocity(
                &self,
                q: &self::Body<S>,
                mu: &SVector<S, __DOF>,
                out: &mut SVector<S, __DOF>,
            ) {
                let v = rt::velocity_or_nan(self, q, mu);
                let system = self;
                let slot_0 = &q.attitude;
                let __0 = v[0];
                let __1 = v[1];
                let __2 = v[2];
                out[0] = Scalar::mul_add(
                    __2,
                    slot_0.matrix()[(0, 2)],
                    Scalar::mul_add(
                        __1,
                        slot_0.matrix()[(0, 1)],
                        __0 * slot_0.matrix()[(0, 0)],
                    ),
                );
                out[1] = Scalar::mul_add(
                    __2,
                    slot_0.matrix()[(1, 2)],
                    Scalar::mul_add(
                        __1,
                        slot_0.matrix()[(1, 1)],
                        __0 * slot_0.matrix()[(1, 0)],
                    ),
                );
                out[2] = Scalar::mul_add(
                    __2,
                    slot_0.matrix()[(2, 2)],
                    Scalar::mul_add(
                        __1,
                        slot_0.matrix()[(2, 1)],
                        __0 * slot_0.matrix()[(2, 0)],
                    ),
                );
            }
            #[inline]
            fn force(
                &self,
                q: &self::Body<S>,
                mu: &SVector<S, __DOF>,
                out: &mut SVector<S, __DOF>,
            ) {
                rt::force_or_nan(self, q, mu, out);
            }
            #[inline]
            fn derivatives(
                &self,
                q: &self::Body<S>,
                mu: &SVector<S, __DOF>,
                velocity: &mut SVector<S, __DOF>,
                force: &mut SVector<S, __DOF>,
            ) -> Result<(), rt::StepFailure> {
                let v = rt::velocity_of_momentum(self, q, mu)?;
                let system = self;
                let slot_0 = &q.attitude;
                let __0 = v[0];
                let __1 = v[1];
                let __2 = v[2];
                let __3 = Scalar::mul_add(
                    __2,
                    slot_0.matrix()[(0, 2)],
                    Scalar::mul_add(
                        __1,
                        slot_0.matrix()[(0, 1)],
                        __0 * slot_0.matrix()[(0, 0)],
                    ),
                );
                velocity[0] = __3;
                let __4 = Scalar::mul_add(
                    __2,
                    slot_0.matrix()[(1, 2)],
                    Scalar::mul_add(
                        __1,
                        slot_0.matrix()[(1, 1)],
                        __0 * slot_0.matrix()[(1, 0)],
                    ),
                );
                velocity[1] = __4;
                let __5 = Scalar::mul_add(
                    __2,
                    slot_0.matrix()[(2, 2)],
                    Scalar::mul_add(
                        __1,
                        slot_0.matrix()[(2, 1)],
                        __0 * slot_0.matrix()[(2, 0)],
                    ),
                );
                velocity[2] = __5;
                let __6 = mu[1];
                let __7 = mu[2];
                force[0] = Scalar::mul_add(-__7, __4, __6 * __5);
                let __8 = mu[0];
                force[1] = Scalar::mul_add(-__8, __5, __7 * __3);
                force[2] = Scalar::mul_add(-__6, __3, __8 * __4);
                Ok(())
            }
            const KNOWS_MOMENTA: bool = true;
            #[inline]
            fn at_velocity(
                &self,
                q: &self::Body<S>,
                velocity: &SVector<S, __DOF>,
                mu: &mut SVector<S, __DOF>,
                force: &mut SVector<S, __DOF>,
            ) {
                let mut v: SVector<S, __DOF> = rt::zeros();
                rt::FramedSpace::framed::<
                    rt::direct_product::InverseAdjoint,
                >(rt::MechanicalSystem::space(self), q, velocity, &mut v);
                *mu = rt::LegendreTransform::momentum(self, q, &v);
                let system = self;
                let slot_0 = &q.attitude;
                let __0 = mu[1];
                let __1 = v[0];
                let __2 = v[1];
                let __3 = v[2];
                let __4 = Scalar::mul_add(
                    __3,
                    slot_0.matrix()[(2, 2)],
                    Scalar::mul_add(
                        __2,
                        slot_0.matrix()[(2, 1)],
                        __1 * slot_0.matrix()[(2, 0)],
                    ),
                );
                let __5 = mu[2];
                let __6 = Scalar::mul_add(
                    __3,
                    slot_0.matrix()[(1, 2)],
                    Scalar::mul_add(
                        __2,
                        slot_0.matrix()[(1, 1)],
                        __1 * slot_0.matrix()[(1, 0)],
                    ),
                );
                force[0] = Scalar::mul_add(-__5, __6, __0 * __4);
                let __7 = Scalar::mul_add(
                    __3,
                    slot_0.matrix()[(0, 2)],
                    Scalar::mul_add(
                        __2,
                        slot_0.matrix()[(0, 1)],
                        __1 * slot_0.matrix()[(0, 0)],
                    ),
                );
                let __8 = mu[0];
                force[1] = Scalar::mul_add(-__8, __4, __5 * __7);
                force[2] = Scalar::mul_add(-__0, __7, __8 * __6);
            }
            fn check_declaration(
                &self,
                q: &self::Body<S>,
                mu: &SVector<S, __DOF>,
            ) -> Result<(), rt::DeclarationError> {
                let v = rt::velocity_or_nan(self, q, mu);
                rt::MechanicalSystem::check_against_declaration(
                    self,
                    <S as Scalar>::from_f64(0.0),
                    q,
                    &v,
                )
            }
        }
        impl<S: Scalar> rt::LegendreTransform for System<S> {
            #[inline]
            fn momentum(
                &self,
                q: &self::Body<S>,
                v: &SVector<S, __DOF>,
            ) -> SVector<S, __DOF> {
                let mut out: SVector<S, __DOF> = rt::zeros();
                let system = self;
                let slot_0 = &q.attitude;
                let __0 = v[0] * system.parameters.moments[0];
                let __1 = v[1] * system.parameters.moments[1];
                let __2 = v[2] * system.parameters.moments[2];
                out[0] = Scalar::mul_add(
                    __2,
                    slot_0.matrix()[(0, 2)],
                    Scalar::mul_add(
                        __1,
                        slot_0.matrix()[(0, 1)],
                        __0 * slot_0.matrix()[(0, 0)],
                    ),
                );
                out[1] = Scalar::mul_add(
                    __2,
                    slot_0.matrix()[(1, 2)],
                    Scalar::mul_add(
                        __1,
                        slot_0.matrix()[(1, 1)],
                        __0 * slot_0.matrix()[(1, 0)],
                    ),
                );
                out[2] = Scalar::mul_add(
                    __2,
                    slot_0.matrix()[(2, 2)],
                    Scalar::mul_add(
                        __1,
                        slot_0.matrix()[(2, 1)],
                        __0 * slot_0.matrix()[(2, 0)],
                    ),
                );
                out
            }
            #[inline]
            fn body_velocity(
                &self,
                q: &self::Body<S>,
                mu: &SVector<S, __DOF>,
            ) -> Result<SVector<S, __DOF>, rt::KktError> {
                let mass_inverse = &self.mass_inverse;
                let mut out: SVector<S, __DOF> = rt::zeros();
                let system = self;
                let slot_0 = &q.attitude;
                let __0 = mu[0];
                let __1 = mu[1];
                let __2 = mu[2];
                out[0] = Scalar::mul_add(
                    slot_0.matrix()[(2, 0)],
                    __2,
                    Scalar::mul_add(
                        slot_0.matrix()[(1, 0)],
                        __1,
                        slot_0.matrix()[(0, 0)] * __0,
                    ),
                ) * mass_inverse[0];
                out[1] = Scalar::mul_add(
                    slot_0.matrix()[(2, 1)],
                    __2,
                    Scalar::mul_add(
                        slot_0.matrix()[(1, 1)],
                        __1,
                        slot_0.matrix()[(0, 1)] * __0,
                    ),
                ) * mass_inverse[1];
                out[2] = Scalar::mul_add(
                    slot_0.matrix()[(2, 2)],
                    __2,
                    Scalar::mul_add(
                        slot_0.matrix()[(1, 2)],
                        __1,
                        slot_0.matrix()[(0, 2)] * __0,
                    ),
                ) * mass_inverse[2];
                Ok(out)
            }
        }
        impl<S: Scalar> rt::Liftable for System<S> {
            type Lifted = System<rt::Dual<S>>;
            #[inline]
            fn lift(&self) -> System<rt::Dual<S>> {
                rt::lift::<S, _>(self)
            }
            #[inline]
            fn lift_configuration(&self, q: &self::Body<S>) -> self::Body<rt::Dual<S>> {
                rt::lift(q)
            }
            #[inline]
            fn lift_configuration_onto(
                &self,
                q: &self::Body<S>,
                out: &mut self::Body<rt::Dual<S>>,
            ) {
                rt::lift_onto(q, out);
            }
            #[inline]
            fn lowered_configuration(
                &self,
                q: &self::Body<rt::Dual<S>>,
            ) -> self::Body<S> {
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
                configuration: &dyn ::core::ops::Fn(usize) -> self::Body<f64>,
            ) -> self::Body<L> {
                rt::in_lanes(configuration)
            }
            #[inline]
            fn lane_configuration(
                together: &self::Body<L>,
                lane: usize,
            ) -> self::Body<f64> {
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
                visit("attitude", &q.attitude);
            }
            #[inline]
            fn visit_velocity_fields(
                &self,
                v: &Self::Velocity,
                visit: rt::FieldVisitor<'_>,
            ) {
                let v = self.velocity(v);
                visit("attitude", &v.attitude);
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
        impl<S: Scalar> rt::OverScalars<S> for self::Inertia<S> {
            type On<T: Scalar> = self::Inertia<T>;
            #[inline]
            fn map_scalars<T: Scalar>(
                &self,
                map: &mut impl rt::ScalarMap<S, T>,
            ) -> self::Inertia<T> {
                self::Inertia {
                    moments: map.field("moments", &self.moments),
                }
            }
        }
        impl rt::NamedEntries for self::Inertia<f64> {
            const NAMES: &'static [&'static str] = &["moments"];
        }
        fn __read_kinetic<S: Scalar>(
            parameters: &self::Inertia<S>,
            t: S,
            index: usize,
            length: usize,
            q: &self::Body<S>,
            v: &[S],
        ) -> S {
            let __0 = v[0];
            let __1 = v[1];
            let __2 = v[2];
            let __3 = <S as Scalar>::from_f64(0.5)
                * Scalar::mul_add(
                    __2,
                    __2 * parameters.moments[2],
                    Scalar::mul_add(
                        __1,
                        __1 * parameters.moments[1],
                        __0 * (__0 * parameters.moments[0]),
                    ),
                );
            __3
        }
        impl rt::Declared for System<f64> {
            #[inline]
            fn compare(
                &self,
                t: f64,
                q: &self::Body<f64>,
                v: &SVector<f64, 3>,
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
