#[deny(ambiguous_glob_imports)]
#[allow(rustdoc::broken_intra_doc_links)]
mod heavy_top {
    #[allow(unused_imports, clippy::wildcard_imports)]
    use ::lie_runtime::__private::declaration::*;
    #[allow(unused_imports)]
    use lie_runtime::prelude::*;
    #[allow(dead_code, clippy::trivially_copy_pass_by_ref, clippy::needless_range_loop)]
    fn kinetic(top: &HeavyTop, v: &Velocity) -> f64 {
        let (angular, linear) = (v.pose.angular(), v.pose.linear());
        0.5 * top.mass * linear.dot(&linear)
            + 0.5 * angular.dot(&(top.inertia * angular))
    }
    #[allow(dead_code, clippy::trivially_copy_pass_by_ref, clippy::needless_range_loop)]
    fn gravity(top: &HeavyTop, q: &Body) -> f64 {
        -top.mass * top.gravity.dot(&q.pose.translation)
    }
    #[allow(dead_code, clippy::trivially_copy_pass_by_ref, clippy::needless_range_loop)]
    fn fixed_point(top: &HeavyTop, q: &Body) -> Vector3<f64> {
        q.pose.rotation.inverse() * q.pose.translation - top.center_of_mass
    }
    ///The configuration.
    #[derive(
        ::core::clone::Clone,
        ::core::marker::Copy,
        ::core::fmt::Debug,
        ::core::cmp::PartialEq
    )]
    pub struct Body<S: ::lie_runtime::scalar::Scalar = ::core::primitive::f64> {
        pub pose: ::lie_runtime::group::SE3<S>,
    }
    ///The parameters.
    #[derive(::core::clone::Clone, ::core::fmt::Debug)]
    pub struct HeavyTop<S: ::lie_runtime::scalar::Scalar = ::core::primitive::f64> {
        pub mass: S,
        pub inertia: ::lie_runtime::__private::SMatrix<S, 3, 3>,
        pub center_of_mass: ::lie_runtime::__private::SVector<S, 3>,
        pub gravity: ::lie_runtime::__private::SVector<S, 3>,
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
        ///The left-trivialised velocity of `pose` (SE(3)).
        pub pose: ::lie_runtime::__private::SVector<S, 6>,
    }
    /// The multipliers λ under the names of their constraints; the force of constraints is −Bᵀ λ.
    #[allow(dead_code)]
    #[derive(
        ::core::clone::Clone,
        ::core::marker::Copy,
        ::core::fmt::Debug,
        ::core::cmp::PartialEq
    )]
    pub struct Multipliers<S: ::lie_runtime::scalar::Scalar = ::core::primitive::f64> {
        /// The multipliers of `fixed_point`.
        pub fixed_point: ::lie_runtime::__private::SVector<S, 3>,
    }
    /// The mechanical system `heavy_top`, specialised at compile time.
    ///
    /// | | |
    /// |---|---|
    /// | configuration | SE(3) |
    /// | degrees of freedom | 6 |
    /// | constraint rows | 3 (3 holonomic) |
    /// | mass matrix | 12 of 36 entries, constant: factorised once |
    /// | constraint Jacobian | 9 of 18 entries |
    /// | tangent stiffness | 21 of 36 entries |
    /// | Hamiltonian on the cotangent bundle | none: `fixed_point` is a constraint |
    ///
    /// | constraint | rows | |
    /// |---|---|---|
    /// | `fixed_point` | 0–2 | holonomic |
    ///
    /// <div style="overflow-x: auto; padding: 0.3em"><math displaystyle="true"><mrow><mo>[</mo><mtable><mtr><mtd><mfrac><mn>1</mn><mn>2</mn></mfrac><mspace width="0.22em"></mspace><mrow><mo>(</mo><mi>inertia</mi><mspace width="0.22em"></mspace><msub><mover><mi>ω</mi><mo>˙</mo></mover><mi>pose</mi></msub><mo>+</mo><msup><mrow><mi>inertia</mi></mrow><mi>T</mi></msup><mspace width="0.22em"></mspace><msub><mover><mi>ω</mi><mo>˙</mo></mover><mi>pose</mi></msub><mo>)</mo></mrow></mtd></mtr><mtr><mtd><mi>mass</mi><mspace width="0.22em"></mspace><msub><mover><mi>u</mi><mo>˙</mo></mover><mi>pose</mi></msub></mtd></mtr></mtable><mo>]</mo><mo>=</mo><mo>[</mo><mtable><mtr><mtd><mrow><mo>(</mo><msup><mrow><msub><mi>R</mi><mi>pose</mi></msub></mrow><mi>T</mi></msup><mspace width="0.22em"></mspace><msub><mi>x</mi><mi>pose</mi></msub><mo>)</mo></mrow><mo>&#xD7;</mo><msub><mi>λ</mi><mi>fixed_point</mi></msub><mo>−</mo><mfrac><mn>1</mn><mn>2</mn></mfrac><mspace width="0.22em"></mspace><msub><mi>ω</mi><mi>pose</mi></msub><mo>&#xD7;</mo><mrow><mo>(</mo><mi>inertia</mi><mspace width="0.22em"></mspace><msub><mi>ω</mi><mi>pose</mi></msub><mo>+</mo><msup><mrow><mi>inertia</mi></mrow><mi>T</mi></msup><mspace width="0.22em"></mspace><msub><mi>ω</mi><mi>pose</mi></msub><mo>)</mo></mrow></mtd></mtr><mtr><mtd><mo>[</mo><mtable><mtr><mtd><mo>−</mo><msub><mi>λ</mi><mi>1</mi></msub></mtd></mtr><mtr><mtd><mo>−</mo><msub><mi>λ</mi><mi>2</mi></msub></mtd></mtr><mtr><mtd><mo>−</mo><msub><mi>λ</mi><mi>3</mi></msub></mtd></mtr></mtable><mo>]</mo><mo>−</mo><mi>mass</mi><mspace width="0.22em"></mspace><mrow><mo>(</mo><msub><mi>ω</mi><mi>pose</mi></msub><mo>&#xD7;</mo><msub><mi>u</mi><mi>pose</mi></msub><mo>−</mo><msup><mrow><msub><mi>R</mi><mi>pose</mi></msub></mrow><mi>T</mi></msup><mspace width="0.22em"></mspace><mi>gravity</mi><mo>)</mo></mrow></mtd></mtr></mtable><mo>]</mo></mrow></math></div>
    /// <div style="overflow-x: auto; padding: 0.3em"><math displaystyle="true"><mrow><mn>0</mn><mo>=</mo><msup><mrow><msub><mi>R</mi><mi>pose</mi></msub></mrow><mi>T</mi></msup><mspace width="0.22em"></mspace><msub><mi>x</mi><mi>pose</mi></msub><mo>−</mo><mi>center_of_mass</mi></mrow></math></div>
    ///
    /// <div>
    /// M <svg width="42" height="42" viewBox="-.07 -.07 6 6" style="outline: 1px solid; margin: 2px; vertical-align: middle"><path fill="currentColor" d="M0 0h.86v.86h-.86zM1 0h.86v.86h-.86zM2 0h.86v.86h-.86zM0 1h.86v.86h-.86zM1 1h.86v.86h-.86zM2 1h.86v.86h-.86zM0 2h.86v.86h-.86zM1 2h.86v.86h-.86zM2 2h.86v.86h-.86zM3 3h.86v.86h-.86zM4 4h.86v.86h-.86zM5 5h.86v.86h-.86z"></path></svg>
    /// B <svg width="42" height="21" viewBox="-.07 -.07 6 3" style="outline: 1px solid; margin: 2px; vertical-align: middle"><path fill="currentColor" d="M1 0h.86v.86h-.86zM2 0h.86v.86h-.86zM3 0h.86v.86h-.86zM0 1h.86v.86h-.86zM2 1h.86v.86h-.86zM4 1h.86v.86h-.86zM0 2h.86v.86h-.86zM1 2h.86v.86h-.86zM5 2h.86v.86h-.86z"></path></svg>
    /// K<sub>t</sub> <svg width="42" height="42" viewBox="-.07 -.07 6 6" style="outline: 1px solid; margin: 2px; vertical-align: middle"><path fill="currentColor" d="M0 0h.86v.86h-.86zM1 0h.86v.86h-.86zM2 0h.86v.86h-.86zM4 0h.86v.86h-.86zM5 0h.86v.86h-.86zM0 1h.86v.86h-.86zM1 1h.86v.86h-.86zM2 1h.86v.86h-.86zM3 1h.86v.86h-.86zM5 1h.86v.86h-.86zM0 2h.86v.86h-.86zM1 2h.86v.86h-.86zM2 2h.86v.86h-.86zM3 2h.86v.86h-.86zM4 2h.86v.86h-.86zM1 3h.86v.86h-.86zM2 3h.86v.86h-.86zM0 4h.86v.86h-.86zM2 4h.86v.86h-.86zM0 5h.86v.86h-.86zM1 5h.86v.86h-.86z"></path></svg>
    /// </div>
    ///
    /// | kernel | scalar operations |
    /// |---|---|
    /// | momentum | 18 |
    /// | force | 54 |
    /// | constraint | 18 |
    /// | constraint jacobian | 15 |
    /// | stored jacobian | 15 |
    /// | constraint curvature | 36 |
    /// | kinetic energy | 28 |
    /// | potential energy | 5 |
    /// | residual | 105 |
    /// | tangent stiffness | 42 |
    /// | tangent damping | 45 |
    /// | rate gradient | 27 |
    /// | schur | 87 |
    /// | solve mass | 18 |
    /// | acceleration | 33 |
    /// | jacobian times | 12 |
    /// | jacobian transpose times | 9 |
    /// | correction | 516 |
    #[derive(::core::clone::Clone, ::core::fmt::Debug)]
    pub struct System<S: ::lie_runtime::scalar::Scalar = ::core::primitive::f64> {
        parameters: self::HeavyTop<S>,
        hoisted_0: [S; 6],
        mass_inverse: [S; 9],
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
        use ::lie_runtime::roles::constraint as _;
        impl<S: Scalar> rt::Field<0, 6> for self::Body<S> {
            type Group = ::lie_runtime::group::SE3<S>;
            const IS_ONE: bool = true;
            #[inline(always)]
            fn members(&self) -> &[::lie_runtime::group::SE3<S>] {
                ::core::slice::from_ref(&self.pose)
            }
            #[inline(always)]
            fn members_mut(&mut self) -> &mut [::lie_runtime::group::SE3<S>] {
                ::core::slice::from_mut(&mut self.pose)
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
                    pose: map.field("pose", &self.pose),
                }
            }
        }
        impl<S: Scalar> rt::Fields for self::Body<S> {
            type Scalar = S;
            #[inline(always)]
            fn visit<V: rt::EachField<Self>>(visitor: &mut V) {
                visitor.field::<0, 6>();
            }
            fn origins(spans: &[rt::Span]) -> Self {
                self::Body {
                    pose: <::lie_runtime::group::SE3<
                        S,
                    > as rt::LocalCoordinates<S, 6>>::origin(),
                }
            }
        }
        impl<S: Scalar> rt::FixedFields for self::Body<S> {
            const SPANS: &'static [rt::Span] = &[
                rt::Span::new("pose", 6, 1, [false, false]).at_offset(0),
            ];
        }
        impl<S: Scalar> rt::GroupFields for self::Body<S> {
            #[inline]
            fn visit_groups<V: rt::EachGroup<Self>>(visitor: &mut V) {
                visitor.field::<0, 6>();
            }
        }
        ::lie_runtime::__direct_product!(self::Body < S >, 6);
        const CARD: &rt::Description = &rt::Description {
            name: "heavy_top",
            group: "SE(3)",
            dof: 6,
            members: ::std::borrow::Cow::Borrowed(
                &[
                    rt::MemberDescription {
                        name: "pose",
                        group: "SE(3)",
                        offset: 0,
                        dof: 6,
                    },
                ],
            ),
            constraints: ::std::borrow::Cow::Borrowed(
                &[
                    rt::ConstraintDescription {
                        name: "fixed_point",
                        offset: 0,
                        rows: 3,
                        rows_of_element: None,
                        holonomic: true,
                        jumps: false,
                    },
                ],
            ),
            observables: &[],
            symmetries: &[],
            events: &[],
            ignored: &[],
            documentation: ::std::borrow::Cow::Borrowed(&[]),
            mass_nonzeros: 12,
            jacobian_nonzeros: 9,
            stiffness_nonzeros: 21,
            mass_is_constant: true,
            forces_depend_on_velocity: false,
            conserves_energy: true,
            never_gains_energy: true,
            states: 0,
            potential_jumps: false,
            kernels: &[
                rt::KernelDescription {
                    name: "momentum",
                    operations: 18,
                },
                rt::KernelDescription {
                    name: "force",
                    operations: 54,
                },
                rt::KernelDescription {
                    name: "constraint",
                    operations: 18,
                },
                rt::KernelDescription {
                    name: "constraint_jacobian",
                    operations: 15,
                },
                rt::KernelDescription {
                    name: "stored_jacobian",
                    operations: 15,
                },
                rt::KernelDescription {
                    name: "constraint_curvature",
                    operations: 36,
                },
                rt::KernelDescription {
                    name: "kinetic_energy",
                    operations: 28,
                },
                rt::KernelDescription {
                    name: "potential_energy",
                    operations: 5,
                },
                rt::KernelDescription {
                    name: "residual",
                    operations: 105,
                },
                rt::KernelDescription {
                    name: "tangent_stiffness",
                    operations: 42,
                },
                rt::KernelDescription {
                    name: "tangent_damping",
                    operations: 45,
                },
                rt::KernelDescription {
                    name: "rate_gradient",
                    operations: 27,
                },
                rt::KernelDescription {
                    name: "schur",
                    operations: 87,
                },
                rt::KernelDescription {
                    name: "solve_mass",
                    operations: 18,
                },
                rt::KernelDescription {
                    name: "acceleration",
                    operations: 33,
                },
                rt::KernelDescription {
                    name: "jacobian_times",
                    operations: 12,
                },
                rt::KernelDescription {
                    name: "jacobian_transpose_times",
                    operations: 9,
                },
                rt::KernelDescription {
                    name: "correction",
                    operations: 516,
                },
            ],
        };
        impl<S: Scalar> System<S> {
            /// Creates the system with these parameters and chain lengths, if it has any.
            ///
            /// # Errors
            /// A [`ModelError`](lie_runtime::system::ModelError) that names the parameter, the chain or the member that
            /// no simulation can start from.
            pub fn new(parameters: self::HeavyTop<S>) -> Result<Self, rt::ModelError> {
                rt::check_entries::<S, _>(&parameters)?;
                let hoisted_0: [S; 6] = {
                    let __0 = parameters.mass;
                    [
                        <S as Scalar>::from_f64(0.5)
                            * (parameters.inertia[(0, 1)] + parameters.inertia[(1, 0)]),
                        <S as Scalar>::from_f64(0.5)
                            * (parameters.inertia[(0, 2)] + parameters.inertia[(2, 0)]),
                        <S as Scalar>::from_f64(0.5)
                            * (parameters.inertia[(1, 2)] + parameters.inertia[(2, 1)]),
                        __0 * parameters.gravity[0],
                        __0 * parameters.gravity[1],
                        __0 * parameters.gravity[2],
                    ]
                };
                const MEMBERS: [&str; 6] = [
                    "pose",
                    "pose",
                    "pose",
                    "pose",
                    "pose",
                    "pose",
                ];
                let __0 = parameters.mass;
                let mut mass_inverse = [<S as Scalar>::from_f64(0.0); 9];
                let inverse = rt::inverse_of_block::<
                    S,
                    3,
                >([
                        [parameters.inertia[(0, 0)], hoisted_0[0], hoisted_0[1]],
                        [hoisted_0[0], parameters.inertia[(1, 1)], hoisted_0[2]],
                        [hoisted_0[1], hoisted_0[2], parameters.inertia[(2, 2)]],
                    ])
                    .map_err(|failed| {
                        let component = [0, 1, 2][failed];
                        rt::ModelError::MassNotPositiveDefinite {
                            member: MEMBERS[component],
                        }
                    })?;
                mass_inverse[0] = inverse[0][0];
                mass_inverse[1] = inverse[0][1];
                mass_inverse[2] = inverse[0][2];
                mass_inverse[3] = inverse[1][1];
                mass_inverse[4] = inverse[1][2];
                mass_inverse[5] = inverse[2][2];
                let inverse = rt::inverse_of_block::<S, 1>([[__0]])
                    .map_err(|failed| {
                        let component = [3][failed];
                        rt::ModelError::MassNotPositiveDefinite {
                            member: MEMBERS[component],
                        }
                    })?;
                mass_inverse[6] = inverse[0][0];
                let inverse = rt::inverse_of_block::<S, 1>([[__0]])
                    .map_err(|failed| {
                        let component = [4][failed];
                        rt::ModelError::MassNotPositiveDefinite {
                            member: MEMBERS[component],
                        }
                    })?;
                mass_inverse[7] = inverse[0][0];
                let inverse = rt::inverse_of_block::<S, 1>([[__0]])
                    .map_err(|failed| {
                        let component = [5][failed];
                        rt::ModelError::MassNotPositiveDefinite {
                            member: MEMBERS[component],
                        }
                    })?;
                mass_inverse[8] = inverse[0][0];
                Ok(Self {
                    parameters,
                    hoisted_0,
                    mass_inverse,
                })
            }
            /// Returns the parameters.
            pub fn parameters(&self) -> &self::HeavyTop<S> {
                &self.parameters
            }
        }
        impl<S: Scalar> rt::Parametrised for System<S> {
            type Parameters = self::HeavyTop<S>;
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
            pub fn velocity(&self, components: &SVector<S, 6>) -> Velocity<S> {
                (*components).into()
            }
        }
        impl<S: Scalar> From<SVector<S, 6>> for Velocity<S> {
            #[inline]
            fn from(components: SVector<S, 6>) -> Self {
                let components = &components;
                Velocity {
                    pose: rt::part::<S, 6, 6>(components, 0),
                }
            }
        }
        impl<S: Scalar> From<Velocity<S>> for SVector<S, 6> {
            /// Returns the components of the free members; clamped members have no components.
            #[inline]
            fn from(velocity: Velocity<S>) -> Self {
                let mut components: SVector<S, 6> = rt::zeros();
                rt::set_part(&mut components, 0, &velocity.pose);
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
                v: &SVector<S, 6>,
            ) -> Result<(), rt::DeclarationError> {
                rt::check_in_f64::<Self, System<f64>>(self, t, q, v)
            }
            fn powers(
                &self,
                t: S,
                q: &self::Body<S>,
                v: &SVector<S, 6>,
                visit: &mut dyn ::core::ops::FnMut(&'static str, f64),
            ) -> bool {
                rt::powers_in_f64::<Self, System<f64>>(self, (t, q, v), visit)
            }
            fn singular_function(
                &self,
                t: S,
                q: &self::Body<S>,
                v: &SVector<S, 6>,
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
            type Vector = SVector<S, 6>;
            type Rows = SVector<S, 3>;
            type Matrix = SMatrix<S, 6, 6>;
            type Jacobian = SMatrix<S, 3, 6>;
            const KIND: usize = 0;
            const SLOTS: &'static [usize] = &[6];
            const SEGMENTS: &'static [usize] = &[3];
            const HOLONOMIC_ROWS: usize = 3;
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
                q: &self::Body<S>,
                out: &mut Self::Matrix,
            ) {
                out[(0, 0)] = system.parameters.inertia[(0, 0)];
                let __0 = system.hoisted_0[0];
                out[(0, 1)] = __0;
                let __1 = system.hoisted_0[1];
                out[(0, 2)] = __1;
                out[(0, 3)] = <S as Scalar>::from_f64(0.0);
                out[(0, 4)] = <S as Scalar>::from_f64(0.0);
                out[(0, 5)] = <S as Scalar>::from_f64(0.0);
                out[(1, 0)] = __0;
                out[(1, 1)] = system.parameters.inertia[(1, 1)];
                let __2 = system.hoisted_0[2];
                out[(1, 2)] = __2;
                out[(1, 3)] = <S as Scalar>::from_f64(0.0);
                out[(1, 4)] = <S as Scalar>::from_f64(0.0);
                out[(1, 5)] = <S as Scalar>::from_f64(0.0);
                out[(2, 0)] = __1;
                out[(2, 1)] = __2;
                out[(2, 2)] = system.parameters.inertia[(2, 2)];
                out[(2, 3)] = <S as Scalar>::from_f64(0.0);
                out[(2, 4)] = <S as Scalar>::from_f64(0.0);
                out[(2, 5)] = <S as Scalar>::from_f64(0.0);
                out[(3, 0)] = <S as Scalar>::from_f64(0.0);
                out[(3, 1)] = <S as Scalar>::from_f64(0.0);
                out[(3, 2)] = <S as Scalar>::from_f64(0.0);
                let __3 = system.parameters.mass;
                out[(3, 3)] = __3;
                out[(3, 4)] = <S as Scalar>::from_f64(0.0);
                out[(3, 5)] = <S as Scalar>::from_f64(0.0);
                out[(4, 0)] = <S as Scalar>::from_f64(0.0);
                out[(4, 1)] = <S as Scalar>::from_f64(0.0);
                out[(4, 2)] = <S as Scalar>::from_f64(0.0);
                out[(4, 3)] = <S as Scalar>::from_f64(0.0);
                out[(4, 4)] = __3;
                out[(4, 5)] = <S as Scalar>::from_f64(0.0);
                out[(5, 0)] = <S as Scalar>::from_f64(0.0);
                out[(5, 1)] = <S as Scalar>::from_f64(0.0);
                out[(5, 2)] = <S as Scalar>::from_f64(0.0);
                out[(5, 3)] = <S as Scalar>::from_f64(0.0);
                out[(5, 4)] = <S as Scalar>::from_f64(0.0);
                out[(5, 5)] = __3;
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
                let slot_0 = &q.pose;
                let __0 = v[1];
                let __1 = v[2];
                let __2 = v[0];
                let __3 = system.hoisted_0[1];
                let __4 = system.hoisted_0[2];
                let __5 = Scalar::mul_add(
                    __1,
                    system.parameters.inertia[(2, 2)],
                    Scalar::mul_add(__0, __4, __2 * __3),
                );
                let __6 = system.hoisted_0[0];
                let __7 = Scalar::mul_add(
                    __1,
                    __4,
                    Scalar::mul_add(__2, __6, __0 * system.parameters.inertia[(1, 1)]),
                );
                out[0] = Scalar::mul_add(-__0, __5, __1 * __7);
                let __8 = Scalar::mul_add(
                    __1,
                    __3,
                    Scalar::mul_add(__0, __6, __2 * system.parameters.inertia[(0, 0)]),
                );
                out[1] = Scalar::mul_add(-__1, __8, __2 * __5);
                out[2] = Scalar::mul_add(-__2, __7, __0 * __8);
                let __9 = system.parameters.mass;
                let __10 = v[5];
                let __11 = v[4];
                let __12 = system.parameters.gravity[0];
                let __13 = system.parameters.gravity[1];
                let __14 = system.parameters.gravity[2];
                let __15 = Scalar::mul_add(-__1, __11, __0 * __10)
                    - Scalar::mul_add(
                        __14,
                        slot_0.rotation.matrix()[(2, 0)],
                        Scalar::mul_add(
                            __13,
                            slot_0.rotation.matrix()[(1, 0)],
                            __12 * slot_0.rotation.matrix()[(0, 0)],
                        ),
                    );
                out[3] = -(__9 * __15);
                let __16 = v[3];
                let __17 = Scalar::mul_add(-__2, __10, __1 * __16)
                    - Scalar::mul_add(
                        __14,
                        slot_0.rotation.matrix()[(2, 1)],
                        Scalar::mul_add(
                            __13,
                            slot_0.rotation.matrix()[(1, 1)],
                            __12 * slot_0.rotation.matrix()[(0, 1)],
                        ),
                    );
                out[4] = -(__9 * __17);
                let __18 = Scalar::mul_add(-__0, __16, __2 * __11)
                    - Scalar::mul_add(
                        __14,
                        slot_0.rotation.matrix()[(2, 2)],
                        Scalar::mul_add(
                            __13,
                            slot_0.rotation.matrix()[(1, 2)],
                            __12 * slot_0.rotation.matrix()[(0, 2)],
                        ),
                    );
                out[5] = -(__9 * __18);
            }
            #[cfg_attr(debug_assertions, inline)]
            #[cfg_attr(not(debug_assertions), inline(always))]
            fn constraint(
                system: &System<S>,
                place: &rt::ElementLocation<'_>,
                t: S,
                q: &self::Body<S>,
                out: &mut Self::Rows,
            ) {
                let slot_0 = &q.pose;
                let __0 = slot_0.translation[0];
                let __1 = slot_0.translation[1];
                let __2 = slot_0.translation[2];
                out[0] = Scalar::mul_add(
                    __2,
                    slot_0.rotation.matrix()[(2, 0)],
                    Scalar::mul_add(
                        __1,
                        slot_0.rotation.matrix()[(1, 0)],
                        __0 * slot_0.rotation.matrix()[(0, 0)],
                    ),
                ) - system.parameters.center_of_mass[0];
                out[1] = Scalar::mul_add(
                    __2,
                    slot_0.rotation.matrix()[(2, 1)],
                    Scalar::mul_add(
                        __1,
                        slot_0.rotation.matrix()[(1, 1)],
                        __0 * slot_0.rotation.matrix()[(0, 1)],
                    ),
                ) - system.parameters.center_of_mass[1];
                out[2] = Scalar::mul_add(
                    __2,
                    slot_0.rotation.matrix()[(2, 2)],
                    Scalar::mul_add(
                        __1,
                        slot_0.rotation.matrix()[(1, 2)],
                        __0 * slot_0.rotation.matrix()[(0, 2)],
                    ),
                ) - system.parameters.center_of_mass[2];
            }
            #[cfg_attr(debug_assertions, inline)]
            #[cfg_attr(not(debug_assertions), inline(always))]
            fn constraint_jacobian(
                system: &System<S>,
                place: &rt::ElementLocation<'_>,
                t: S,
                q: &self::Body<S>,
                out: &mut Self::Jacobian,
            ) {
                let slot_0 = &q.pose;
                out[(0, 0)] = <S as Scalar>::from_f64(0.0);
                let __0 = slot_0.translation[0];
                let __1 = slot_0.translation[1];
                let __2 = slot_0.translation[2];
                let __3 = Scalar::mul_add(
                    __2,
                    slot_0.rotation.matrix()[(2, 2)],
                    Scalar::mul_add(
                        __1,
                        slot_0.rotation.matrix()[(1, 2)],
                        __0 * slot_0.rotation.matrix()[(0, 2)],
                    ),
                );
                out[(0, 1)] = -__3;
                let __4 = Scalar::mul_add(
                    __2,
                    slot_0.rotation.matrix()[(2, 1)],
                    Scalar::mul_add(
                        __1,
                        slot_0.rotation.matrix()[(1, 1)],
                        __0 * slot_0.rotation.matrix()[(0, 1)],
                    ),
                );
                out[(0, 2)] = __4;
                out[(0, 3)] = <S as Scalar>::from_f64(1.0);
                out[(0, 4)] = <S as Scalar>::from_f64(0.0);
                out[(0, 5)] = <S as Scalar>::from_f64(0.0);
                out[(1, 0)] = __3;
                out[(1, 1)] = <S as Scalar>::from_f64(0.0);
                let __5 = Scalar::mul_add(
                    __2,
                    slot_0.rotation.matrix()[(2, 0)],
                    Scalar::mul_add(
                        __1,
                        slot_0.rotation.matrix()[(1, 0)],
                        __0 * slot_0.rotation.matrix()[(0, 0)],
                    ),
                );
                out[(1, 2)] = -__5;
                out[(1, 3)] = <S as Scalar>::from_f64(0.0);
                out[(1, 4)] = <S as Scalar>::from_f64(1.0);
                out[(1, 5)] = <S as Scalar>::from_f64(0.0);
                out[(2, 0)] = -__4;
                out[(2, 1)] = __5;
                out[(2, 2)] = <S as Scalar>::from_f64(0.0);
                out[(2, 3)] = <S as Scalar>::from_f64(0.0);
                out[(2, 4)] = <S as Scalar>::from_f64(0.0);
                out[(2, 5)] = <S as Scalar>::from_f64(1.0);
            }
            #[cfg_attr(debug_assertions, inline)]
            #[cfg_attr(not(debug_assertions), inline(always))]
            fn constraint_curvature(
                system: &System<S>,
                place: &rt::ElementLocation<'_>,
                t: S,
                q: &self::Body<S>,
                v: &Self::Vector,
                out: &mut Self::Rows,
            ) {
                let slot_0 = &q.pose;
                let __0 = v[1];
                let __1 = v[0];
                let __2 = slot_0.translation[0];
                let __3 = slot_0.translation[1];
                let __4 = slot_0.translation[2];
                let __5 = Scalar::mul_add(
                    __4,
                    slot_0.rotation.matrix()[(2, 1)],
                    Scalar::mul_add(
                        __3,
                        slot_0.rotation.matrix()[(1, 1)],
                        __2 * slot_0.rotation.matrix()[(0, 1)],
                    ),
                );
                let __6 = Scalar::mul_add(
                    __4,
                    slot_0.rotation.matrix()[(2, 0)],
                    Scalar::mul_add(
                        __3,
                        slot_0.rotation.matrix()[(1, 0)],
                        __2 * slot_0.rotation.matrix()[(0, 0)],
                    ),
                );
                let __7 = v[5] - Scalar::mul_add(-__0, __6, __1 * __5);
                let __8 = v[2];
                let __9 = Scalar::mul_add(
                    __4,
                    slot_0.rotation.matrix()[(2, 2)],
                    Scalar::mul_add(
                        __3,
                        slot_0.rotation.matrix()[(1, 2)],
                        __2 * slot_0.rotation.matrix()[(0, 2)],
                    ),
                );
                let __10 = v[4] - Scalar::mul_add(-__1, __9, __8 * __6);
                out[0] = Scalar::mul_add(-__0, __7, __8 * __10);
                let __11 = v[3] - Scalar::mul_add(-__8, __5, __0 * __9);
                out[1] = Scalar::mul_add(-__8, __11, __1 * __7);
                out[2] = Scalar::mul_add(-__1, __10, __0 * __11);
            }
            fn kinetic_energy(
                system: &System<S>,
                place: &rt::ElementLocation<'_>,
                t: S,
                q: &self::Body<S>,
                v: &Self::Vector,
            ) -> S {
                let __0 = v[3];
                let __1 = v[4];
                let __2 = v[5];
                let __3 = v[0];
                let __4 = v[1];
                let __5 = system.hoisted_0[0];
                let __6 = v[2];
                let __7 = system.hoisted_0[1];
                let __8 = system.hoisted_0[2];
                let __9 = Scalar::mul_add(
                    __4,
                    Scalar::mul_add(
                        __6,
                        __8,
                        Scalar::mul_add(
                            __3,
                            __5,
                            __4 * system.parameters.inertia[(1, 1)],
                        ),
                    ),
                    __3
                        * Scalar::mul_add(
                            __6,
                            __7,
                            Scalar::mul_add(
                                __4,
                                __5,
                                __3 * system.parameters.inertia[(0, 0)],
                            ),
                        ),
                );
                let __10 = Scalar::mul_add(
                    system.parameters.mass,
                    Scalar::mul_add(__2, __2, Scalar::mul_add(__1, __1, __0 * __0)),
                    Scalar::mul_add(
                        __6,
                        Scalar::mul_add(
                            __6,
                            system.parameters.inertia[(2, 2)],
                            Scalar::mul_add(__4, __8, __3 * __7),
                        ),
                        __9,
                    ),
                );
                <S as Scalar>::from_f64(0.5) * __10
            }
            fn potential_energy(
                system: &System<S>,
                place: &rt::ElementLocation<'_>,
                t: S,
                q: &self::Body<S>,
            ) -> S {
                let slot_0 = &q.pose;
                -Scalar::mul_add(
                    slot_0.translation[2],
                    system.hoisted_0[5],
                    Scalar::mul_add(
                        slot_0.translation[1],
                        system.hoisted_0[4],
                        slot_0.translation[0] * system.hoisted_0[3],
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
                let slot_0 = &q.pose;
                let __0 = slot_0.translation[0];
                let __1 = slot_0.rotation.matrix()[(0, 1)];
                let __2 = slot_0.translation[1];
                let __3 = slot_0.rotation.matrix()[(1, 1)];
                let __4 = slot_0.translation[2];
                let __5 = slot_0.rotation.matrix()[(2, 1)];
                let __6 = Scalar::mul_add(
                    __4,
                    __5,
                    Scalar::mul_add(__2, __3, __0 * __1),
                );
                let __7 = multipliers[2];
                let __8 = slot_0.rotation.matrix()[(0, 2)];
                let __9 = slot_0.rotation.matrix()[(1, 2)];
                let __10 = slot_0.rotation.matrix()[(2, 2)];
                let __11 = Scalar::mul_add(
                    __4,
                    __10,
                    Scalar::mul_add(__2, __9, __0 * __8),
                );
                let __12 = multipliers[1];
                let __13 = v[1];
                let __14 = v[2];
                let __15 = system.parameters.inertia[(2, 2)];
                let __16 = v[0];
                let __17 = system.hoisted_0[1];
                let __18 = system.hoisted_0[2];
                let __19 = Scalar::mul_add(
                    __14,
                    __15,
                    Scalar::mul_add(__13, __18, __16 * __17),
                );
                let __20 = system.parameters.inertia[(1, 1)];
                let __21 = system.hoisted_0[0];
                let __22 = Scalar::mul_add(
                    __14,
                    __18,
                    Scalar::mul_add(__16, __21, __13 * __20),
                );
                let __23 = system.parameters.inertia[(0, 0)];
                let __24 = acceleration[0];
                let __25 = acceleration[1];
                let __26 = acceleration[2];
                let __27 = Scalar::mul_add(-__14, __22, __13 * __19)
                    + Scalar::mul_add(
                        __17,
                        __26,
                        Scalar::mul_add(__21, __25, __23 * __24),
                    );
                out[0] = __27 - Scalar::mul_add(-__11, __12, __6 * __7);
                let __28 = multipliers[0];
                let __29 = slot_0.rotation.matrix()[(0, 0)];
                let __30 = slot_0.rotation.matrix()[(1, 0)];
                let __31 = slot_0.rotation.matrix()[(2, 0)];
                let __32 = Scalar::mul_add(
                    __4,
                    __31,
                    Scalar::mul_add(__2, __30, __0 * __29),
                );
                let __33 = Scalar::mul_add(
                    __14,
                    __17,
                    Scalar::mul_add(__13, __21, __16 * __23),
                );
                let __34 = Scalar::mul_add(-__16, __19, __14 * __33)
                    + Scalar::mul_add(
                        __18,
                        __26,
                        Scalar::mul_add(__20, __25, __21 * __24),
                    );
                out[1] = __34 - Scalar::mul_add(-__32, __7, __11 * __28);
                let __35 = Scalar::mul_add(-__13, __33, __16 * __22)
                    + Scalar::mul_add(
                        __15,
                        __26,
                        Scalar::mul_add(__18, __25, __17 * __24),
                    );
                out[2] = __35 - Scalar::mul_add(-__6, __28, __32 * __12);
                let __36 = system.parameters.mass;
                let __37 = system.parameters.gravity[0];
                let __38 = system.parameters.gravity[1];
                let __39 = system.parameters.gravity[2];
                let __40 = v[5];
                let __41 = v[4];
                let __42 = Scalar::mul_add(
                    __39,
                    __31,
                    Scalar::mul_add(__38, __30, __37 * __29),
                ) - (Scalar::mul_add(-__14, __41, __13 * __40) + acceleration[3]);
                out[3] = Scalar::mul_add(-__36, __42, __28);
                let __43 = v[3];
                let __44 = Scalar::mul_add(
                    __39,
                    __5,
                    Scalar::mul_add(__38, __3, __37 * __1),
                ) - (Scalar::mul_add(-__16, __40, __14 * __43) + acceleration[4]);
                out[4] = Scalar::mul_add(-__36, __44, __12);
                let __45 = Scalar::mul_add(
                    __39,
                    __10,
                    Scalar::mul_add(__38, __9, __37 * __8),
                ) - (Scalar::mul_add(-__13, __43, __16 * __41) + acceleration[5]);
                out[5] = Scalar::mul_add(-__36, __45, __7);
            }
            #[cfg_attr(debug_assertions, inline)]
            #[cfg_attr(not(debug_assertions), inline(always))]
            fn tangent_stiffness(
                system: &System<S>,
                place: &rt::ElementLocation<'_>,
                t: S,
                q: &self::Body<S>,
                v: &Self::Vector,
                acceleration: &Self::Vector,
                multipliers: &Self::Rows,
                out: &mut Self::Matrix,
            ) {
                let slot_0 = &q.pose;
                let __0 = slot_0.translation[0];
                let __1 = slot_0.rotation.matrix()[(0, 2)];
                let __2 = slot_0.translation[1];
                let __3 = slot_0.rotation.matrix()[(1, 2)];
                let __4 = slot_0.translation[2];
                let __5 = slot_0.rotation.matrix()[(2, 2)];
                let __6 = Scalar::mul_add(
                    __4,
                    __5,
                    Scalar::mul_add(__2, __3, __0 * __1),
                );
                let __7 = multipliers[2];
                let __8 = __6 * __7;
                let __9 = slot_0.rotation.matrix()[(0, 1)];
                let __10 = slot_0.rotation.matrix()[(1, 1)];
                let __11 = slot_0.rotation.matrix()[(2, 1)];
                let __12 = Scalar::mul_add(
                    __4,
                    __11,
                    Scalar::mul_add(__2, __10, __0 * __9),
                );
                let __13 = multipliers[1];
                let __14 = __12 * __13;
                out[(0, 0)] = -(__8 + __14);
                let __15 = slot_0.rotation.matrix()[(0, 0)];
                let __16 = slot_0.rotation.matrix()[(1, 0)];
                let __17 = slot_0.rotation.matrix()[(2, 0)];
                let __18 = Scalar::mul_add(
                    __4,
                    __17,
                    Scalar::mul_add(__2, __16, __0 * __15),
                );
                out[(0, 1)] = __18 * __13;
                out[(0, 2)] = __18 * __7;
                out[(0, 3)] = <S as Scalar>::from_f64(0.0);
                out[(0, 4)] = -__7;
                out[(0, 5)] = __13;
                let __19 = multipliers[0];
                out[(1, 0)] = __12 * __19;
                let __20 = __18 * __19;
                out[(1, 1)] = -(__8 + __20);
                out[(1, 2)] = __12 * __7;
                out[(1, 3)] = __7;
                out[(1, 4)] = <S as Scalar>::from_f64(0.0);
                out[(1, 5)] = -__19;
                out[(2, 0)] = __6 * __19;
                out[(2, 1)] = __6 * __13;
                out[(2, 2)] = -(__14 + __20);
                out[(2, 3)] = -__13;
                out[(2, 4)] = __19;
                out[(2, 5)] = <S as Scalar>::from_f64(0.0);
                out[(3, 0)] = <S as Scalar>::from_f64(0.0);
                let __21 = system.hoisted_0[5];
                let __22 = system.hoisted_0[3];
                let __23 = system.hoisted_0[4];
                let __24 = Scalar::mul_add(
                    __5,
                    __21,
                    Scalar::mul_add(__3, __23, __1 * __22),
                );
                out[(3, 1)] = __24;
                let __25 = Scalar::mul_add(
                    __11,
                    __21,
                    Scalar::mul_add(__10, __23, __9 * __22),
                );
                out[(3, 2)] = -__25;
                out[(3, 3)] = <S as Scalar>::from_f64(0.0);
                out[(3, 4)] = <S as Scalar>::from_f64(0.0);
                out[(3, 5)] = <S as Scalar>::from_f64(0.0);
                out[(4, 0)] = -__24;
                out[(4, 1)] = <S as Scalar>::from_f64(0.0);
                let __26 = Scalar::mul_add(
                    __17,
                    __21,
                    Scalar::mul_add(__16, __23, __15 * __22),
                );
                out[(4, 2)] = __26;
                out[(4, 3)] = <S as Scalar>::from_f64(0.0);
                out[(4, 4)] = <S as Scalar>::from_f64(0.0);
                out[(4, 5)] = <S as Scalar>::from_f64(0.0);
                out[(5, 0)] = __25;
                out[(5, 1)] = -__26;
                out[(5, 2)] = <S as Scalar>::from_f64(0.0);
                out[(5, 3)] = <S as Scalar>::from_f64(0.0);
                out[(5, 4)] = <S as Scalar>::from_f64(0.0);
                out[(5, 5)] = <S as Scalar>::from_f64(0.0);
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
                let __0 = v[1];
                let __1 = system.hoisted_0[1];
                let __2 = __0 * __1;
                let __3 = v[2];
                let __4 = system.hoisted_0[0];
                let __5 = __3 * __4;
                out[(0, 0)] = __2 - __5;
                let __6 = system.parameters.inertia[(2, 2)];
                let __7 = v[0];
                let __8 = __7 * __1;
                let __9 = system.hoisted_0[2];
                let __10 = __0 * __9;
                let __11 = Scalar::mul_add(__3, __6, __8 + __10);
                let __12 = system.parameters.inertia[(1, 1)];
                out[(0, 1)] = __11 + Scalar::mul_add(-__3, __12, __10);
                let __13 = __7 * __4;
                let __14 = __3 * __9;
                let __15 = Scalar::mul_add(__0, __12, __13) + __14;
                out[(0, 2)] = -(__15 + Scalar::mul_add(-__0, __6, __14));
                out[(0, 3)] = <S as Scalar>::from_f64(0.0);
                out[(0, 4)] = <S as Scalar>::from_f64(0.0);
                out[(0, 5)] = <S as Scalar>::from_f64(0.0);
                let __16 = system.parameters.inertia[(0, 0)];
                out[(1, 0)] = -(__11 + Scalar::mul_add(-__3, __16, __8));
                let __17 = __7 * __9;
                out[(1, 1)] = __5 - __17;
                let __18 = __0 * __4;
                let __19 = __3 * __1;
                let __20 = Scalar::mul_add(__7, __16, __18) + __19;
                out[(1, 2)] = __20 + Scalar::mul_add(-__7, __6, __19);
                out[(1, 3)] = <S as Scalar>::from_f64(0.0);
                out[(1, 4)] = <S as Scalar>::from_f64(0.0);
                out[(1, 5)] = <S as Scalar>::from_f64(0.0);
                out[(2, 0)] = __15 + Scalar::mul_add(-__0, __16, __13);
                out[(2, 1)] = -(__20 + Scalar::mul_add(-__7, __12, __18));
                out[(2, 2)] = __17 - __2;
                out[(2, 3)] = <S as Scalar>::from_f64(0.0);
                out[(2, 4)] = <S as Scalar>::from_f64(0.0);
                out[(2, 5)] = <S as Scalar>::from_f64(0.0);
                out[(3, 0)] = <S as Scalar>::from_f64(0.0);
                let __21 = system.parameters.mass;
                let __22 = v[5] * __21;
                out[(3, 1)] = __22;
                let __23 = v[4] * __21;
                out[(3, 2)] = -__23;
                out[(3, 3)] = <S as Scalar>::from_f64(0.0);
                let __24 = __3 * __21;
                out[(3, 4)] = -__24;
                let __25 = __0 * __21;
                out[(3, 5)] = __25;
                out[(4, 0)] = -__22;
                out[(4, 1)] = <S as Scalar>::from_f64(0.0);
                let __26 = v[3] * __21;
                out[(4, 2)] = __26;
                out[(4, 3)] = __24;
                out[(4, 4)] = <S as Scalar>::from_f64(0.0);
                let __27 = __7 * __21;
                out[(4, 5)] = -__27;
                out[(5, 0)] = __23;
                out[(5, 1)] = -__26;
                out[(5, 2)] = <S as Scalar>::from_f64(0.0);
                out[(5, 3)] = -__25;
                out[(5, 4)] = __27;
                out[(5, 5)] = <S as Scalar>::from_f64(0.0);
            }
            #[cfg_attr(debug_assertions, inline)]
            #[cfg_attr(not(debug_assertions), inline(always))]
            fn rate_gradient(
                system: &System<S>,
                place: &rt::ElementLocation<'_>,
                t: S,
                q: &self::Body<S>,
                v: &Self::Vector,
                out: &mut Self::Jacobian,
            ) {
                let slot_0 = &q.pose;
                let __0 = v[1];
                let __1 = slot_0.translation[0];
                let __2 = slot_0.translation[1];
                let __3 = slot_0.translation[2];
                let __4 = Scalar::mul_add(
                    __3,
                    slot_0.rotation.matrix()[(2, 1)],
                    Scalar::mul_add(
                        __2,
                        slot_0.rotation.matrix()[(1, 1)],
                        __1 * slot_0.rotation.matrix()[(0, 1)],
                    ),
                );
                let __5 = __0 * __4;
                let __6 = v[2];
                let __7 = Scalar::mul_add(
                    __3,
                    slot_0.rotation.matrix()[(2, 2)],
                    Scalar::mul_add(
                        __2,
                        slot_0.rotation.matrix()[(1, 2)],
                        __1 * slot_0.rotation.matrix()[(0, 2)],
                    ),
                );
                let __8 = __6 * __7;
                out[(0, 0)] = __5 + __8;
                let __9 = Scalar::mul_add(
                    __3,
                    slot_0.rotation.matrix()[(2, 0)],
                    Scalar::mul_add(
                        __2,
                        slot_0.rotation.matrix()[(1, 0)],
                        __1 * slot_0.rotation.matrix()[(0, 0)],
                    ),
                );
                out[(0, 1)] = -(__0 * __9);
                out[(0, 2)] = -(__6 * __9);
                out[(0, 3)] = <S as Scalar>::from_f64(0.0);
                out[(0, 4)] = __6;
                out[(0, 5)] = -__0;
                let __10 = v[0];
                out[(1, 0)] = -(__10 * __4);
                let __11 = __10 * __9;
                out[(1, 1)] = __8 + __11;
                out[(1, 2)] = -(__6 * __4);
                out[(1, 3)] = -__6;
                out[(1, 4)] = <S as Scalar>::from_f64(0.0);
                out[(1, 5)] = __10;
                out[(2, 0)] = -(__10 * __7);
                out[(2, 1)] = -(__0 * __7);
                out[(2, 2)] = __5 + __11;
                out[(2, 3)] = __0;
                out[(2, 4)] = -__10;
                out[(2, 5)] = <S as Scalar>::from_f64(0.0);
            }
        }
        const __DOF: usize = 6;
        const __ROWS: usize = 3;
        impl<S: Scalar> rt::FixedSizeKernels<System<S>, __DOF, __ROWS> for Term0 {
            type Stored = [S; 3];
            type Inverse = [S; 0];
            #[cfg_attr(debug_assertions, inline)]
            #[cfg_attr(not(debug_assertions), inline(always))]
            fn stored_jacobian(
                system: &System<S>,
                place: &rt::ElementLocation<'_>,
                t: S,
                q: &self::Body<S>,
                out: &mut Self::Stored,
            ) {
                let slot_0 = &q.pose;
                let __0 = slot_0.translation[0];
                let __1 = slot_0.translation[1];
                let __2 = slot_0.translation[2];
                out[0] = Scalar::mul_add(
                    __2,
                    slot_0.rotation.matrix()[(2, 2)],
                    Scalar::mul_add(
                        __1,
                        slot_0.rotation.matrix()[(1, 2)],
                        __0 * slot_0.rotation.matrix()[(0, 2)],
                    ),
                );
                out[1] = Scalar::mul_add(
                    __2,
                    slot_0.rotation.matrix()[(2, 1)],
                    Scalar::mul_add(
                        __1,
                        slot_0.rotation.matrix()[(1, 1)],
                        __0 * slot_0.rotation.matrix()[(0, 1)],
                    ),
                );
                out[2] = Scalar::mul_add(
                    __2,
                    slot_0.rotation.matrix()[(2, 0)],
                    Scalar::mul_add(
                        __1,
                        slot_0.rotation.matrix()[(1, 0)],
                        __0 * slot_0.rotation.matrix()[(0, 0)],
                    ),
                );
            }
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
                let __0 = force[0];
                let __1 = system.hoisted_0[0];
                let __2 = force[1];
                let __3 = system.hoisted_0[1];
                let __4 = force[2];
                out[0] = Scalar::mul_add(
                    __3,
                    __4,
                    Scalar::mul_add(__1, __2, system.parameters.inertia[(0, 0)] * __0),
                );
                let __5 = system.hoisted_0[2];
                out[1] = Scalar::mul_add(
                    __5,
                    __4,
                    Scalar::mul_add(system.parameters.inertia[(1, 1)], __2, __1 * __0),
                );
                out[2] = Scalar::mul_add(
                    system.parameters.inertia[(2, 2)],
                    __4,
                    Scalar::mul_add(__5, __2, __3 * __0),
                );
                let __6 = system.parameters.mass;
                out[3] = __6 * force[3];
                out[4] = __6 * force[4];
                out[5] = __6 * force[5];
            }
            #[cfg_attr(debug_assertions, inline)]
            #[cfg_attr(not(debug_assertions), inline(always))]
            fn jacobian_times(
                system: &System<S>,
                constraint_jacobian: &Self::Stored,
                force: &Self::Vector,
                out: &mut Self::Rows,
            ) {
                let __0 = constraint_jacobian[0];
                let __1 = force[1];
                let __2 = constraint_jacobian[1];
                let __3 = force[2];
                out[0] = force[3] - Scalar::mul_add(-__2, __3, __0 * __1);
                let __4 = force[0];
                let __5 = constraint_jacobian[2];
                out[1] = force[4] + Scalar::mul_add(-__5, __3, __0 * __4);
                out[2] = force[5] - Scalar::mul_add(-__5, __1, __2 * __4);
            }
            #[cfg_attr(debug_assertions, inline)]
            #[cfg_attr(not(debug_assertions), inline(always))]
            fn jacobian_transpose_times(
                system: &System<S>,
                force_jacobian: &Self::Stored,
                multipliers: &Self::Rows,
                out: &mut Self::Vector,
            ) {
                let __0 = multipliers[1];
                let __1 = force_jacobian[0];
                let __2 = multipliers[2];
                let __3 = force_jacobian[1];
                out[0] = Scalar::mul_add(-__2, __3, __0 * __1);
                let __4 = multipliers[0];
                let __5 = force_jacobian[2];
                out[1] = Scalar::mul_add(-__4, __1, __2 * __5);
                out[2] = Scalar::mul_add(-__0, __5, __4 * __3);
                out[3] = __4;
                out[4] = __0;
                out[5] = __2;
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
                let __0 = force[0];
                let __1 = mass_inverse[1];
                let __2 = force[1];
                let __3 = mass_inverse[2];
                let __4 = force[2];
                acceleration[0] = Scalar::mul_add(
                    __3,
                    __4,
                    Scalar::mul_add(__1, __2, mass_inverse[0] * __0),
                );
                let __5 = mass_inverse[4];
                acceleration[1] = Scalar::mul_add(
                    __5,
                    __4,
                    Scalar::mul_add(mass_inverse[3], __2, __1 * __0),
                );
                acceleration[2] = Scalar::mul_add(
                    mass_inverse[5],
                    __4,
                    Scalar::mul_add(__5, __2, __3 * __0),
                );
                acceleration[3] = mass_inverse[6] * force[3];
                acceleration[4] = mass_inverse[7] * force[4];
                acceleration[5] = mass_inverse[8] * force[5];
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
                let (schur, right) = {
                    let __0 = mass_inverse[6];
                    let __1 = constraint_jacobian[0];
                    let __2 = force_jacobian[0];
                    let __3 = mass_inverse[3];
                    let __4 = force_jacobian[1];
                    let __5 = mass_inverse[4];
                    let __6 = Scalar::mul_add(-__4, __5, __2 * __3);
                    let __7 = constraint_jacobian[1];
                    let __8 = mass_inverse[5];
                    let __9 = Scalar::mul_add(-__4, __8, __2 * __5);
                    let __10 = mass_inverse[1];
                    let __11 = __2 * __10;
                    let __12 = force_jacobian[2];
                    let __13 = __12 * __5;
                    let __14 = __11 - __13;
                    let __15 = mass_inverse[2];
                    let __16 = Scalar::mul_add(-__12, __8, __2 * __15);
                    let __17 = Scalar::mul_add(-__12, __3, __4 * __10);
                    let __18 = __4 * __15;
                    let __19 = __18 - __13;
                    let __20 = __11 - __18;
                    let __21 = constraint_jacobian[2];
                    let __22 = mass_inverse[7];
                    let __23 = mass_inverse[0];
                    let __24 = Scalar::mul_add(-__12, __15, __2 * __23);
                    let __25 = Scalar::mul_add(-__12, __10, __4 * __23);
                    let __26 = mass_inverse[8];
                    let __27 = force[0];
                    let __28 = force[1];
                    let __29 = force[2];
                    let __30 = Scalar::mul_add(
                        __5,
                        __29,
                        Scalar::mul_add(__3, __28, __10 * __27),
                    );
                    let __31 = Scalar::mul_add(
                        __8,
                        __29,
                        Scalar::mul_add(__5, __28, __15 * __27),
                    );
                    let __32 = Scalar::mul_add(
                        __15,
                        __29,
                        Scalar::mul_add(__10, __28, __23 * __27),
                    );
                    (
                        [
                            [
                                __0 + Scalar::mul_add(-__7, __9, __1 * __6),
                                Scalar::mul_add(-__1, __14, __7 * __16),
                                Scalar::mul_add(-__7, __19, __1 * __17),
                            ],
                            [
                                Scalar::mul_add(-__1, __20, __21 * __9),
                                __22 + Scalar::mul_add(-__21, __16, __1 * __24),
                                Scalar::mul_add(-__1, __25, __21 * __19),
                            ],
                            [
                                Scalar::mul_add(-__21, __6, __7 * __20),
                                Scalar::mul_add(-__7, __24, __21 * __14),
                                __26 + Scalar::mul_add(-__21, __17, __7 * __25),
                            ],
                        ],
                        [
                            Scalar::mul_add(
                                __0,
                                force[3],
                                -Scalar::mul_add(-__7, __31, __1 * __30),
                            ) - constraint[0],
                            Scalar::mul_add(
                                __22,
                                force[4],
                                Scalar::mul_add(-__21, __31, __1 * __32),
                            ) - constraint[1],
                            Scalar::mul_add(
                                __26,
                                force[5],
                                -Scalar::mul_add(-__21, __30, __7 * __32),
                            ) - constraint[2],
                        ],
                    )
                };
                *multipliers = rt::solve_multipliers::<S, __ROWS>(schur, right)?;
                let __0 = multipliers[1];
                let __1 = force_jacobian[0];
                let __2 = multipliers[2];
                let __3 = force_jacobian[1];
                let __4 = force[0] - Scalar::mul_add(-__2, __3, __0 * __1);
                let __5 = mass_inverse[1];
                let __6 = multipliers[0];
                let __7 = force_jacobian[2];
                let __8 = force[1] + Scalar::mul_add(-__2, __7, __6 * __1);
                let __9 = mass_inverse[2];
                let __10 = force[2] - Scalar::mul_add(-__0, __7, __6 * __3);
                acceleration[0] = Scalar::mul_add(
                    __9,
                    __10,
                    Scalar::mul_add(__5, __8, mass_inverse[0] * __4),
                );
                let __11 = mass_inverse[4];
                acceleration[1] = Scalar::mul_add(
                    __11,
                    __10,
                    Scalar::mul_add(mass_inverse[3], __8, __5 * __4),
                );
                acceleration[2] = Scalar::mul_add(
                    mass_inverse[5],
                    __10,
                    Scalar::mul_add(__11, __8, __9 * __4),
                );
                acceleration[3] = -(mass_inverse[6] * (__6 - force[3]));
                acceleration[4] = -(mass_inverse[7] * (__0 - force[4]));
                acceleration[5] = -(mass_inverse[8] * (__2 - force[5]));
                Ok(())
            }
            const CORRECTS: bool = true;
            #[inline]
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
                let __2 = coefficients[1];
                let __3 = Scalar::mul_add(
                    matrices.damping[(0, 0)],
                    __2,
                    system.parameters.inertia[(0, 0)] * __1,
                );
                let __4 = tangent_inverse[(1, 0)];
                let __5 = system.hoisted_0[0] * __1;
                let __6 = Scalar::mul_add(matrices.damping[(0, 1)], __2, __5);
                let __7 = tangent_inverse[(2, 0)];
                let __8 = system.hoisted_0[1] * __1;
                let __9 = Scalar::mul_add(matrices.damping[(0, 2)], __2, __8);
                let __10 = coefficients[2];
                let __11 = matrices.jacobian[(0, 1)];
                let __12 = matrices.stiffness[(0, 4)] * __10;
                let __13 = __11 * __12;
                let __14 = matrices.damping[(3, 1)] * __2;
                let __15 = matrices.damping[(4, 2)] * __2;
                let __16 = tangent_inverse[(3, 0)];
                let __17 = matrices.damping[(3, 4)] * __2;
                let __18 = tangent_inverse[(4, 0)];
                let __19 = system.parameters.mass * __1;
                let __20 = tangent_inverse[(5, 0)];
                let __21 = matrices.damping[(4, 5)] * __2;
                let __22 = Scalar::mul_add(
                    -__20,
                    __21,
                    Scalar::mul_add(
                        -__18,
                        __19,
                        Scalar::mul_add(
                            __16,
                            __17,
                            Scalar::mul_add(-__7, __15, __0 * __14),
                        ),
                    ),
                );
                let __23 = matrices.stiffness[(3, 1)] * __10;
                let __24 = tangent_inverse[(0, 1)];
                let __25 = tangent_inverse[(1, 1)];
                let __26 = tangent_inverse[(2, 1)];
                let __27 = Scalar::mul_add(
                    -__26,
                    __21,
                    Scalar::mul_add(-__25, __19, __24 * __17),
                );
                let __28 = Scalar::mul_add(__11, __27, __22 + __23);
                let __29 = Scalar::mul_add(
                    -__11,
                    __28,
                    Scalar::mul_add(
                        matrices.stiffness[(0, 0)],
                        __10,
                        Scalar::mul_add(__7, __9, Scalar::mul_add(__4, __6, __0 * __3)),
                    ) + __13,
                );
                let __30 = matrices.jacobian[(0, 2)];
                let __31 = matrices.stiffness[(0, 5)] * __10;
                let __32 = tangent_inverse[(0, 2)];
                let __33 = tangent_inverse[(1, 2)];
                let __34 = tangent_inverse[(2, 2)];
                let __35 = Scalar::mul_add(
                    -__34,
                    __21,
                    Scalar::mul_add(-__33, __19, __32 * __17),
                );
                let __36 = Scalar::mul_add(-__11, __35, __31);
                let __37 = matrices.damping[(3, 2)] * __2;
                let __38 = matrices.damping[(3, 5)] * __2;
                let __39 = Scalar::mul_add(
                    -__20,
                    __19,
                    Scalar::mul_add(
                        __18,
                        __21,
                        Scalar::mul_add(
                            __16,
                            __38,
                            Scalar::mul_add(__4, __15, __0 * __37),
                        ),
                    ),
                );
                let __40 = matrices.stiffness[(3, 2)] * __10;
                let __41 = Scalar::mul_add(
                    -__26,
                    __19,
                    Scalar::mul_add(__25, __21, __24 * __38),
                );
                let __42 = Scalar::mul_add(
                    -__34,
                    __19,
                    Scalar::mul_add(__33, __21, __32 * __38),
                );
                let __43 = Scalar::mul_add(
                    __30,
                    __42,
                    Scalar::mul_add(__11, __41, __39 + __40),
                );
                let __44 = Scalar::mul_add(
                    -__30,
                    __43,
                    Scalar::mul_add(__30, __36, __29),
                );
                let __45 = <S as Scalar>::from_f64(1.0) / __44;
                let __46 = constraint[1];
                let __47 = constraint[0];
                let __48 = Scalar::mul_add(
                    -__7,
                    __21,
                    Scalar::mul_add(-__4, __19, __0 * __17),
                );
                let __49 = Scalar::mul_add(
                    __46,
                    __27,
                    Scalar::mul_add(__47, __48, force[4]),
                );
                let __50 = constraint[2];
                let __51 = Scalar::mul_add(
                    -__7,
                    __19,
                    Scalar::mul_add(__4, __21, __0 * __38),
                );
                let __52 = Scalar::mul_add(
                    __50,
                    __42,
                    Scalar::mul_add(__46, __41, Scalar::mul_add(__47, __51, force[5])),
                );
                let __53 = Scalar::mul_add(
                    __30,
                    __52,
                    Scalar::mul_add(
                        -__50,
                        __36,
                        Scalar::mul_add(
                            __11,
                            __49,
                            Scalar::mul_add(-__46, __12, force[0]),
                        ),
                    ),
                );
                let __54 = tangent_inverse[(3, 1)];
                let __55 = tangent_inverse[(4, 1)];
                let __56 = tangent_inverse[(5, 1)];
                let __57 = Scalar::mul_add(
                    -__56,
                    __21,
                    Scalar::mul_add(
                        -__55,
                        __19,
                        Scalar::mul_add(
                            __54,
                            __17,
                            Scalar::mul_add(-__26, __15, __24 * __14),
                        ),
                    ),
                );
                let __58 = Scalar::mul_add(-__11, __48, __57);
                let __59 = Scalar::mul_add(
                    -__11,
                    __58,
                    Scalar::mul_add(
                        matrices.stiffness[(0, 1)],
                        __10,
                        Scalar::mul_add(
                            __26,
                            __9,
                            Scalar::mul_add(__25, __6, __24 * __3),
                        ),
                    ),
                );
                let __60 = matrices.jacobian[(1, 2)];
                let __61 = Scalar::mul_add(
                    -__56,
                    __19,
                    Scalar::mul_add(
                        __55,
                        __21,
                        Scalar::mul_add(
                            __54,
                            __38,
                            Scalar::mul_add(__25, __15, __24 * __37),
                        ),
                    ),
                );
                let __62 = matrices.stiffness[(4, 2)] * __10;
                let __63 = Scalar::mul_add(
                    __60,
                    __42,
                    Scalar::mul_add(-__11, __51, __61 + __62),
                );
                let __64 = Scalar::mul_add(
                    -__30,
                    __63,
                    Scalar::mul_add(__60, __36, __59),
                );
                let __65 = Scalar::mul_add(matrices.damping[(1, 0)], __2, __5);
                let __66 = Scalar::mul_add(
                    matrices.damping[(1, 1)],
                    __2,
                    system.parameters.inertia[(1, 1)] * __1,
                );
                let __67 = system.hoisted_0[2] * __1;
                let __68 = Scalar::mul_add(matrices.damping[(1, 2)], __2, __67);
                let __69 = Scalar::mul_add(
                    __56,
                    __38,
                    Scalar::mul_add(
                        __55,
                        __17,
                        Scalar::mul_add(
                            __54,
                            __19,
                            Scalar::mul_add(__26, __37, __25 * __14),
                        ),
                    ),
                );
                let __70 = Scalar::mul_add(
                    __7,
                    __38,
                    Scalar::mul_add(__4, __17, __0 * __19),
                );
                let __71 = Scalar::mul_add(-__11, __70, __69 + __23);
                let __72 = Scalar::mul_add(
                    -__11,
                    __71,
                    Scalar::mul_add(
                        matrices.stiffness[(1, 1)],
                        __10,
                        Scalar::mul_add(
                            __26,
                            __68,
                            Scalar::mul_add(__25, __66, __24 * __65),
                        ),
                    ) + __13,
                );
                let __73 = matrices.stiffness[(1, 5)] * __10;
                let __74 = Scalar::mul_add(
                    __34,
                    __38,
                    Scalar::mul_add(__33, __17, __32 * __19),
                );
                let __75 = Scalar::mul_add(-__11, __74, __73);
                let __76 = Scalar::mul_add(
                    __20,
                    __38,
                    Scalar::mul_add(
                        __18,
                        __17,
                        Scalar::mul_add(
                            __16,
                            __19,
                            Scalar::mul_add(__7, __37, __4 * __14),
                        ),
                    ),
                );
                let __77 = Scalar::mul_add(
                    -__11,
                    __76,
                    Scalar::mul_add(
                        matrices.stiffness[(1, 0)],
                        __10,
                        Scalar::mul_add(
                            __7,
                            __68,
                            Scalar::mul_add(__4, __66, __0 * __65),
                        ),
                    ),
                );
                let __78 = Scalar::mul_add(
                    __26,
                    __38,
                    Scalar::mul_add(__25, __17, __24 * __19),
                );
                let __79 = __11 * __78;
                let __80 = Scalar::mul_add(
                    -__60,
                    __43,
                    Scalar::mul_add(__30, __75, Scalar::mul_add(-__11, __79, __77)),
                );
                let __81 = __80 * __45;
                let __82 = Scalar::mul_add(
                    -__64,
                    __81,
                    Scalar::mul_add(-__60, __63, Scalar::mul_add(__60, __75, __72)),
                );
                let __83 = <S as Scalar>::from_f64(1.0) / __82;
                let __84 = Scalar::mul_add(-__47, __70, force[3]);
                let __85 = Scalar::mul_add(
                    __60,
                    __52,
                    Scalar::mul_add(
                        -__50,
                        __75,
                        Scalar::mul_add(
                            __46,
                            __79,
                            Scalar::mul_add(
                                -__11,
                                __84,
                                Scalar::mul_add(__47, __12, force[1]),
                            ),
                        ),
                    ),
                );
                let __86 = Scalar::mul_add(-__53, __81, __85);
                let __87 = Scalar::mul_add(
                    __30,
                    __12,
                    Scalar::mul_add(
                        matrices.stiffness[(1, 2)],
                        __10,
                        Scalar::mul_add(
                            __34,
                            __68,
                            Scalar::mul_add(__33, __66, __32 * __65),
                        ),
                    ),
                );
                let __88 = tangent_inverse[(3, 2)];
                let __89 = tangent_inverse[(4, 2)];
                let __90 = tangent_inverse[(5, 2)];
                let __91 = Scalar::mul_add(
                    __90,
                    __38,
                    Scalar::mul_add(
                        __89,
                        __17,
                        Scalar::mul_add(
                            __88,
                            __19,
                            Scalar::mul_add(__34, __37, __33 * __14),
                        ),
                    ),
                );
                let __92 = Scalar::mul_add(-__30, __70, __91 + __40);
                let __93 = Scalar::mul_add(
                    -__90,
                    __19,
                    Scalar::mul_add(
                        __89,
                        __21,
                        Scalar::mul_add(
                            __88,
                            __38,
                            Scalar::mul_add(__33, __15, __32 * __37),
                        ),
                    ),
                );
                let __94 = Scalar::mul_add(
                    -__60,
                    __41,
                    Scalar::mul_add(-__30, __51, __93),
                );
                let __95 = Scalar::mul_add(
                    -__60,
                    __12,
                    Scalar::mul_add(
                        matrices.stiffness[(0, 2)],
                        __10,
                        Scalar::mul_add(
                            __34,
                            __9,
                            Scalar::mul_add(__33, __6, __32 * __3),
                        ),
                    ),
                );
                let __96 = Scalar::mul_add(
                    -__90,
                    __21,
                    Scalar::mul_add(
                        -__89,
                        __19,
                        Scalar::mul_add(
                            __88,
                            __17,
                            Scalar::mul_add(-__34, __15, __32 * __14),
                        ),
                    ),
                );
                let __97 = Scalar::mul_add(
                    -__60,
                    __27,
                    Scalar::mul_add(-__30, __48, __96 - __62),
                );
                let __98 = Scalar::mul_add(
                    -__30,
                    __94,
                    Scalar::mul_add(-__11, __97, __95),
                );
                let __99 = Scalar::mul_add(
                    -__98,
                    __81,
                    Scalar::mul_add(
                        -__60,
                        __94,
                        Scalar::mul_add(__60, __79, Scalar::mul_add(-__11, __92, __87)),
                    ),
                );
                let __100 = Scalar::mul_add(__30, __78, __73);
                let __101 = Scalar::mul_add(-__60, __35, __30 * __74);
                let __102 = Scalar::mul_add(
                    __50,
                    __101,
                    Scalar::mul_add(
                        -__60,
                        __49,
                        Scalar::mul_add(
                            __46,
                            __100,
                            Scalar::mul_add(
                                -__30,
                                __84,
                                Scalar::mul_add(__47, __31, force[2]),
                            ),
                        ),
                    ),
                );
                let __103 = Scalar::mul_add(matrices.damping[(2, 0)], __2, __8);
                let __104 = Scalar::mul_add(matrices.damping[(2, 1)], __2, __67);
                let __105 = Scalar::mul_add(
                    matrices.damping[(2, 2)],
                    __2,
                    system.parameters.inertia[(2, 2)] * __1,
                );
                let __106 = Scalar::mul_add(
                    -__30,
                    __76,
                    Scalar::mul_add(
                        matrices.stiffness[(2, 0)],
                        __10,
                        Scalar::mul_add(
                            __7,
                            __105,
                            Scalar::mul_add(__4, __104, __0 * __103),
                        ),
                    ),
                );
                let __107 = Scalar::mul_add(
                    -__30,
                    __101,
                    Scalar::mul_add(__60, __28, Scalar::mul_add(-__11, __100, __106)),
                );
                let __108 = __107 * __45;
                let __109 = Scalar::mul_add(
                    __11,
                    __31,
                    Scalar::mul_add(
                        matrices.stiffness[(2, 1)],
                        __10,
                        Scalar::mul_add(
                            __26,
                            __105,
                            Scalar::mul_add(__25, __104, __24 * __103),
                        ),
                    ),
                );
                let __110 = Scalar::mul_add(
                    -__64,
                    __108,
                    Scalar::mul_add(
                        -__60,
                        __101,
                        Scalar::mul_add(__60, __58, Scalar::mul_add(-__30, __71, __109)),
                    ),
                );
                let __111 = __110 * __83;
                let __112 = Scalar::mul_add(
                    __30,
                    __31,
                    Scalar::mul_add(
                        matrices.stiffness[(2, 2)],
                        __10,
                        Scalar::mul_add(
                            __34,
                            __105,
                            Scalar::mul_add(__33, __104, __32 * __103),
                        ),
                    ),
                );
                let __113 = Scalar::mul_add(
                    -__99,
                    __111,
                    Scalar::mul_add(
                        -__98,
                        __108,
                        Scalar::mul_add(
                            __60,
                            __97,
                            Scalar::mul_add(
                                __60,
                                __100,
                                Scalar::mul_add(-__30, __92, __112),
                            ),
                        ),
                    ),
                );
                let __114 = Scalar::mul_add(
                    -__86,
                    __111,
                    Scalar::mul_add(-__53, __108, __102),
                ) * (<S as Scalar>::from_f64(1.0) / __113);
                let __115 = __83 * Scalar::mul_add(-__99, __114, __86);
                let __116 = __45
                    * Scalar::mul_add(-__98, __114, Scalar::mul_add(-__64, __115, __53));
                let __117 = Scalar::mul_add(
                    -__30,
                    __114,
                    Scalar::mul_add(-__11, __115, __47),
                );
                let __118 = Scalar::mul_add(
                    -__60,
                    __114,
                    Scalar::mul_add(__11, __116, __46),
                );
                let __119 = Scalar::mul_add(
                    __24,
                    __118,
                    Scalar::mul_add(
                        __0,
                        __117,
                        Scalar::mul_add(
                            __88,
                            __114,
                            Scalar::mul_add(__54, __115, __16 * __116),
                        ),
                    ),
                );
                let __120 = Scalar::mul_add(
                    __60,
                    __115,
                    Scalar::mul_add(__30, __116, __50),
                );
                let __121 = Scalar::mul_add(
                    __25,
                    __118,
                    Scalar::mul_add(
                        __4,
                        __117,
                        Scalar::mul_add(
                            __89,
                            __114,
                            Scalar::mul_add(__55, __115, __18 * __116),
                        ),
                    ),
                );
                let __122 = Scalar::mul_add(
                    __26,
                    __118,
                    Scalar::mul_add(
                        __7,
                        __117,
                        Scalar::mul_add(
                            __90,
                            __114,
                            Scalar::mul_add(__56, __115, __20 * __116),
                        ),
                    ),
                );
                let __123 = Scalar::mul_add(
                    -__74,
                    __120,
                    Scalar::mul_add(
                        -__78,
                        __118,
                        Scalar::mul_add(
                            -__92,
                            __114,
                            Scalar::mul_add(
                                -__71,
                                __115,
                                Scalar::mul_add(-__76, __116, __84),
                            ),
                        ),
                    ),
                );
                let __124 = -Scalar::mul_add(
                    __35,
                    __120,
                    Scalar::mul_add(
                        __97,
                        __114,
                        Scalar::mul_add(__58, __115, Scalar::mul_add(__28, __116, __49)),
                    ),
                );
                let __125 = Scalar::abs(__44);
                let __126 = <S as Scalar>::from_f64(100.0) * __125;
                let __127 = ((Scalar::le(
                    Scalar::abs(__11),
                    <S as Scalar>::from_f64(1000.0),
                ) & Scalar::le(Scalar::abs(__30), <S as Scalar>::from_f64(1000.0)))
                    & Scalar::le(Scalar::abs(__60), <S as Scalar>::from_f64(1000.0)))
                    & Scalar::le(Scalar::abs(__80), __126);
                let __128 = Scalar::abs(__82);
                let __129 = ((__127 & Scalar::le(Scalar::abs(__107), __126))
                    & Scalar::lt(<S as Scalar>::from_f64(0.0), __125))
                    & Scalar::le(
                        Scalar::abs(__110),
                        <S as Scalar>::from_f64(100.0) * __128,
                    );
                increment[0] = -Scalar::mul_add(
                    __32,
                    __114,
                    Scalar::mul_add(__24, __115, __0 * __116),
                );
                increment[1] = -Scalar::mul_add(
                    __33,
                    __114,
                    Scalar::mul_add(__25, __115, __4 * __116),
                );
                increment[2] = -Scalar::mul_add(
                    __34,
                    __114,
                    Scalar::mul_add(__26, __115, __7 * __116),
                );
                increment[3] = -Scalar::mul_add(__32, __120, __119);
                increment[4] = -Scalar::mul_add(__33, __120, __121);
                increment[5] = -Scalar::mul_add(__34, __120, __122);
                reactions[0] = -__123;
                reactions[1] = __124;
                reactions[2] = -Scalar::mul_add(
                    __94,
                    __114,
                    Scalar::mul_add(__63, __115, Scalar::mul_add(__43, __116, __52)),
                );
                (__129 & Scalar::lt(<S as Scalar>::from_f64(0.0), __128))
                    & Scalar::lt(<S as Scalar>::from_f64(0.0), Scalar::abs(__113))
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
        impl<S: Scalar> From<SVector<S, 3>> for Multipliers<S> {
            #[inline]
            fn from(components: SVector<S, 3>) -> Self {
                let components = &components;
                Multipliers {
                    fixed_point: rt::part::<S, 3, 3>(components, 0),
                }
            }
        }
        impl<S: Scalar> System<S> {
            /// Returns the multipliers under the names of their constraints.
            #[inline]
            pub fn multipliers(&self, components: &SVector<S, 3>) -> Multipliers<S> {
                (*components).into()
            }
        }
        impl rt::Report for System<f64> {
            #[inline]
            fn visit_configuration_fields(
                &self,
                q: &Self::Configuration,
                visit: rt::FieldVisitor<'_>,
            ) {
                visit("pose", &q.pose);
            }
            #[inline]
            fn visit_velocity_fields(
                &self,
                v: &Self::Velocity,
                visit: rt::FieldVisitor<'_>,
            ) {
                let v = self.velocity(v);
                visit("pose", &v.pose);
            }
            #[inline]
            fn visit_multiplier_fields(
                &self,
                multipliers: &Self::Multipliers,
                visit: rt::FieldVisitor<'_>,
            ) {
                let multipliers = self.multipliers(multipliers);
                visit("fixed_point", &multipliers.fixed_point);
            }
            #[inline]
            fn visit_observable_fields(
                &self,
                t: f64,
                q: &Self::Configuration,
                v: &Self::Velocity,
                visit: rt::FieldVisitor<'_>,
            ) {}
        }
        impl<S: Scalar> rt::OverScalars<S> for self::HeavyTop<S> {
            type On<T: Scalar> = self::HeavyTop<T>;
            #[inline]
            fn map_scalars<T: Scalar>(
                &self,
                map: &mut impl rt::ScalarMap<S, T>,
            ) -> self::HeavyTop<T> {
                self::HeavyTop {
                    mass: map.field("mass", &self.mass),
                    inertia: map.field("inertia", &self.inertia),
                    center_of_mass: map.field("center_of_mass", &self.center_of_mass),
                    gravity: map.field("gravity", &self.gravity),
                }
            }
        }
        impl rt::NamedEntries for self::HeavyTop<f64> {
            const NAMES: &'static [&'static str] = &[
                "mass",
                "inertia",
                "center_of_mass",
                "gravity",
            ];
        }
        fn __read_kinetic<S: Scalar>(
            parameters: &self::HeavyTop<S>,
            t: S,
            index: usize,
            length: usize,
            q: &self::Body<S>,
            v: &[S],
        ) -> S {
            let __0 = v[3];
            let __1 = v[4];
            let __2 = v[5];
            let __3 = v[0];
            let __4 = v[1];
            let __5 = v[2];
            let __6 = Scalar::mul_add(
                __4,
                Scalar::mul_add(
                    __5,
                    parameters.inertia[(1, 2)],
                    Scalar::mul_add(
                        __4,
                        parameters.inertia[(1, 1)],
                        __3 * parameters.inertia[(1, 0)],
                    ),
                ),
                __3
                    * Scalar::mul_add(
                        __5,
                        parameters.inertia[(0, 2)],
                        Scalar::mul_add(
                            __4,
                            parameters.inertia[(0, 1)],
                            __3 * parameters.inertia[(0, 0)],
                        ),
                    ),
            );
            let __7 = Scalar::mul_add(
                <S as Scalar>::from_f64(0.5),
                Scalar::mul_add(
                    __5,
                    Scalar::mul_add(
                        __5,
                        parameters.inertia[(2, 2)],
                        Scalar::mul_add(
                            __4,
                            parameters.inertia[(2, 1)],
                            __3 * parameters.inertia[(2, 0)],
                        ),
                    ),
                    __6,
                ),
                <S as Scalar>::from_f64(0.5)
                    * (parameters.mass
                        * Scalar::mul_add(
                            __2,
                            __2,
                            Scalar::mul_add(__1, __1, __0 * __0),
                        )),
            );
            __7
        }
        fn __read_gravity<S: Scalar>(
            parameters: &self::HeavyTop<S>,
            t: S,
            index: usize,
            length: usize,
            q: &self::Body<S>,
            v: &[S],
        ) -> S {
            let slot_0 = &q.pose;
            -(parameters.mass
                * Scalar::mul_add(
                    slot_0.translation[2],
                    parameters.gravity[2],
                    Scalar::mul_add(
                        slot_0.translation[1],
                        parameters.gravity[1],
                        slot_0.translation[0] * parameters.gravity[0],
                    ),
                ))
        }
        fn __read_fixed_point<S: Scalar>(
            parameters: &self::HeavyTop<S>,
            t: S,
            index: usize,
            length: usize,
            q: &self::Body<S>,
            v: &[S],
        ) -> SVector<S, 3> {
            let slot_0 = &q.pose;
            let __0 = slot_0.translation[0];
            let __1 = slot_0.translation[1];
            let __2 = slot_0.translation[2];
            SVector::<
                S,
                3,
            >::from([
                Scalar::mul_add(
                    __2,
                    slot_0.rotation.matrix()[(2, 0)],
                    Scalar::mul_add(
                        __1,
                        slot_0.rotation.matrix()[(1, 0)],
                        __0 * slot_0.rotation.matrix()[(0, 0)],
                    ),
                ) - parameters.center_of_mass[0],
                Scalar::mul_add(
                    __2,
                    slot_0.rotation.matrix()[(2, 1)],
                    Scalar::mul_add(
                        __1,
                        slot_0.rotation.matrix()[(1, 1)],
                        __0 * slot_0.rotation.matrix()[(0, 1)],
                    ),
                ) - parameters.center_of_mass[1],
                Scalar::mul_add(
                    __2,
                    slot_0.rotation.matrix()[(2, 2)],
                    Scalar::mul_add(
                        __1,
                        slot_0.rotation.matrix()[(1, 2)],
                        __0 * slot_0.rotation.matrix()[(0, 2)],
                    ),
                ) - parameters.center_of_mass[2],
            ])
        }
        impl rt::Declared for System<f64> {
            #[inline]
            fn compare(
                &self,
                t: f64,
                q: &self::Body<f64>,
                v: &SVector<f64, 6>,
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
                            function: "gravity",
                            element: None,
                            share: rt::EnergyContribution::Potential,
                            declared: &|step: f64| {
                                rt::rows_of::<f64>(self::gravity(&self.parameters, q))
                            },
                            generated: &|| rt::rows_of::<
                                f64,
                            >(
                                __read_gravity(
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
                            function: "fixed_point",
                            element: None,
                            share: rt::EnergyContribution::Other,
                            declared: &|step: f64| {
                                rt::rows_of::<f64>(self::fixed_point(&self.parameters, q))
                            },
                            generated: &|| rt::rows_of::<
                                f64,
                            >(
                                __read_fixed_point(
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
