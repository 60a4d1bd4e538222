//! The names of the user and of generated code do not collide.

use lie_runtime::prelude::*;

use super::assert_as_declared;

/// A system whose parameters are called `$name`, with the names of generated locals as fields.
macro_rules! parameters_called {
    ($($module:ident $name:ident,)*) => {
        $(
            #[mechanical_system(derivative_check)]
            mod $module {
                use lie_runtime::prelude::{R3, SO3, Vector3};
                use lie_runtime::roles::{configuration, kinetic_energy, parameters, potential};

                #[configuration]
                pub struct Pose { pub q: SO3, pub out: R3 }

                #[parameters]
                pub struct $name { pub t: f64, pub v: Vector3<f64>, pub parameters: f64, pub hoisted: f64, pub theta: f64 }

                #[kinetic_energy]
                fn kinetic(p: &$name, v: &Velocity) -> f64 {
                    0.5 * p.t * v.q.norm_squared() + 0.5 * p.parameters * v.out.norm_squared()
                }

                #[potential]
                pub fn spring(p: &$name, q: &Pose) -> f64 {
                    p.hoisted * (q.q * p.v + q.out).norm_squared() + p.theta * q.out.x
                }
            }
        )*

        #[test]
        fn parameters_of_any_name() {
            $({
                use $module::{$name, Pose, System, spring};
                let data = || $name { t: 1.5, v: Vector3::new(0.1, 0.2, 0.3), parameters: 2.0, hoisted: 3.0, theta: 0.7 };
                assert_as_declared(
                    &System::new(data()).unwrap(),
                    |random| Pose { q: SO3::exp(&random.rotation_vector()), out: random.vector() },
                    |_, q| spring(&data(), q),
                );
            })*
        }
    };
}

parameters_called! {
    s S,
    scalar Scalar,
    factor Factor,
    group LieGroup,
    matrix SMatrix,
    clone Clone,
    option Option,
    list Vec,
    result Result,
    system_2 System2,
    runtime rt,
    dual Dual,
    element Element0,
    from From,
    dof DOF,
}

#[mechanical_system(derivative_check)]
mod own_types {
    use lie_runtime::prelude::*;

    /// This name is not from nalgebra.
    pub struct Vector3;

    impl Vector3 {
        pub fn new(_: f64, _: f64, _: f64) -> f64 {
            7.0
        }
    }

    #[derive(Clone, Copy, Debug, PartialEq)]
    pub struct SO2;

    #[configuration]
    pub struct f64_ {
        pub place: R3,
    }

    #[parameters]
    pub struct Parameters {
        pub unread: SO2,
        pub stiffness: f64,
    }

    #[kinetic_energy]
    fn kinetic(v: &Velocity) -> f64 {
        0.5 * v.place.norm_squared()
    }

    #[potential]
    pub fn spring(p: &Parameters, q: &f64_) -> f64 {
        p.stiffness * (q.place - lie_runtime::nalgebra::Vector3::new(1.0, 2.0, 3.0)).norm_squared()
    }
}

#[test]
fn own_types_of_known_names() {
    use own_types::{Parameters, SO2, System, f64_, spring};
    let data = || Parameters { unread: SO2, stiffness: 2.0 };
    assert_as_declared(
        &System::new(data()).unwrap(),
        |random| f64_ { place: random.vector() },
        |_, q| spring(&data(), q),
    );
}

#[mechanical_system(derivative_check)]
mod a_chain {
    use lie_runtime::prelude::*;

    #[configuration]
    pub struct Structure {
        pub links: std::vec::Vec<SE3>,
    }

    #[parameters]
    pub struct S {
        pub stiffness: f64,
    }

    #[kinetic_energy(over = links)]
    fn kinetic(v: &Vector6<f64>) -> f64 {
        0.5 * v.norm_squared()
    }

    #[potential(over = links.windows(2))]
    pub fn spring(p: &S, [a, b]: [&SE3; 2]) -> f64 {
        p.stiffness * (a.inverse() * *b).log().norm_squared()
    }
}

#[test]
fn chains_beside_generated_names() {
    use a_chain::{Lengths, S, Structure, System, spring};
    let data = || S { stiffness: 2.0 };
    assert_as_declared(
        &System::new(data(), Lengths { links: 3 }).unwrap(),
        |random| Structure {
            links: (0..3).map(|_| SE3::new(SO3::exp(&random.rotation_vector()), random.vector())).collect(),
        },
        |_, q| q.links.windows(2).map(|pair| spring(&data(), [&pair[0], &pair[1]])).sum(),
    );
}
