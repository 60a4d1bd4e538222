//! No run starts from a declaration that the macro has misunderstood, and none is refused for rounding.

use lie_runtime::inputs::Constant;
use lie_runtime::nalgebra::{DVector, SVector};
use lie_runtime::prelude::*;
use lie_runtime::simulate::{Failure, SetupError};
use lie_runtime::system::{ComparedQuantity, DeclarationError};

/// Functions whose values are rounding, or nearly.
#[mechanical_system]
mod cancelling {
    use lie_runtime::prelude::*;

    #[configuration]
    pub struct Pair {
        pub a: R3,
        pub b: SE3,
    }

    #[parameters]
    pub struct Data {
        pub stiffness: f64,
        pub length: f64,
        pub other_length: f64,
        pub axis: Vector3<f64>,
    }

    #[kinetic_energy]
    fn kinetic(q: &Pair, v: &Velocity) -> f64 {
        0.5 * v.a.norm_squared()
            + 0.5 * (q.b.rotation * v.b.linear()).norm_squared()
            + 0.5 * v.b.angular().norm_squared()
    }
    /// Near its rest length, which differences of large numbers give.
    #[potential]
    fn penalty(data: &Data, q: &Pair) -> f64 {
        let stretch = (q.a - q.b.translation).norm() - data.length;
        data.stiffness * stretch * stretch
    }
    #[potential]
    fn squares(data: &Data, q: &Pair) -> f64 {
        let (l, m) = (data.length, data.other_length);
        data.stiffness * (l * l - m * m) * q.a.x + data.stiffness * (q.a.x * l - q.a.x * m)
    }
    #[potential]
    fn nothing(q: &Pair) -> f64 {
        1e9 * (q.a.x.sin() * q.a.x.sin() + q.a.x.cos() * q.a.x.cos() - 1.0)
    }
    /// A jump at the given state.
    #[potential]
    fn jump(q: &Pair) -> f64 {
        if q.a.x * 3.0 - 3.0 > 0.0 { 1.0 } else { 2.0 }
    }
    /// No value at the given state.
    #[potential]
    fn none(q: &Pair) -> f64 {
        1.0 / (q.a.x - 1.0) + (q.a.y - 7.0).sqrt()
    }
    #[constraint]
    fn apart(data: &Data, q: &Pair) -> f64 {
        data.stiffness * ((q.a - q.b.translation + q.b.rotation * data.axis - data.axis).norm_squared() - data.length)
    }
    #[observable]
    fn length(q: &Pair) -> f64 {
        q.a.norm()
    }
}

#[test]
fn rounding_is_no_disagreement() {
    for (stiffness, far) in [(1e9, 0.0), (1e15, 0.0), (1e9, 1e7), (1.0, 1e-9)] {
        let length = 1.0 + 1e-15;
        let data = cancelling::Data { stiffness, length, other_length: 1.0, axis: Vector3::new(0.3, -0.4, 0.5) };
        let system = cancelling::System::new(data).unwrap();
        let at = |x: f64, turn: f64| cancelling::Pair {
            a: Vector3::new(x + far, 0.0, 0.0),
            b: SE3::new(SO3::exp(&Vector3::new(turn, 0.2, -turn)), Vector3::new(x + far - 1.0, 0.0, 0.0)),
        };
        for number in 0..200 {
            let x = 1.0 + 0.01 * f64::from(number);
            let v = SVector::from_fn(|row, _| (row as f64 + x).sin());
            system.check_against_declaration(0.0, &at(x, 0.1 * x), &v).unwrap();
        }
    }
}

/// A table whose derivative is lost in part, over a chain.
#[mechanical_system]
mod lost {
    use lie_runtime::prelude::*;

    #[configuration]
    pub struct Chain {
        pub nodes: Vec<R2>,
    }

    /// A value taken out has no derivative.
    #[opaque]
    fn table<S: Scalar>(x: S) -> S {
        x + S::from_f64(x.value() * x.value())
    }
    #[kinetic_energy(over = nodes)]
    fn kinetic(v: &Vector2<f64>) -> f64 {
        0.5 * v.norm_squared()
    }
    #[potential(over = nodes.windows(2))]
    fn joined(index: usize, [a, b]: [&R2; 2]) -> f64 {
        table(a.x) * b.x + index as f64
    }
}

/// One wheel and one opaque function each.
macro_rules! wheel {
    ($name:ident, { $($functions:item)* }) => {
        #[mechanical_system]
        mod $name {
            use lie_runtime::prelude::*;

            #[configuration]
            pub struct Wheel {
                pub x: R1,
            }

            #[kinetic_energy]
            fn kinetic(v: &Velocity) -> f64 {
                0.5 * v.x.norm_squared()
            }

            $($functions)*
        }
    };
}

wheel!(sound, {
    #[opaque]
    fn cube<S: Scalar>(x: S) -> S {
        x * x * x
    }
    #[force]
    fn push(q: &Wheel, v: &Velocity) -> Vector1<f64> {
        Vector1::new(cube(q.x.x) - cube(v.x.x))
    }
});

wheel!(wrong, {
    #[opaque(derivative = slope)]
    fn cube<S: Scalar>(x: S) -> S {
        x * x * x
    }
    #[opaque]
    fn slope<S: Scalar>(x: S) -> S {
        S::from_f64(2.9) * x * x
    }
    #[potential]
    fn hill(q: &Wheel) -> f64 {
        cube(q.x.x)
    }
});

// Another value at every second call, which is that of the generated code.
wheel!(unsteady, {
    thread_local! {
        static FACTOR: core::cell::Cell<f64> = const { core::cell::Cell::new(1.0) };
    }
    #[opaque]
    fn drifting<S: Scalar>(x: S) -> S {
        x * S::from_f64(FACTOR.with(|factor| factor.replace(3.0 - factor.get())))
    }
    #[force]
    fn wind(q: &Wheel) -> Vector1<f64> {
        Vector1::new(drifting(q.x.x))
    }
});

wheel!(limited, {
    #[opaque]
    fn table<S: Scalar>(x: S) -> S {
        assert!(x.value() < 10.0, "a table of ten entries");
        x * x
    }
    #[potential]
    fn bounded(q: &Wheel) -> f64 {
        table(q.x.x)
    }
});

#[test]
fn a_lost_derivative_is_found() {
    let system = lost::System::new(lost::Lengths { nodes: 5 }).unwrap();
    let q = lost::Chain { nodes: (0..5).map(|node| Vector2::new(0.3 + f64::from(node), 0.2)).collect() };
    let v = DVector::from_element(10, 0.0);
    let error = system.check_against_declaration(0.0, &q, &v).unwrap_err();
    let DeclarationError::Disagrees { disagreement, state } = &error else { panic!("{error}") };
    assert_eq!((disagreement.what, &disagreement.functions[..]), (ComparedQuantity::Derivative, &["joined"][..]));
    assert_eq!(disagreement.element, Some(0));
    // At rest there is nothing to see; near it there is.
    assert!(!state.is_given);
    assert!(error.to_string().contains("`joined` for member 0"), "{error}");

    let run = Simulation::of(&system).initial(q.clone(), v.clone()).step(0.1).end_time(0.1).run();
    let error = run.unwrap_err();
    assert!(matches!(error.failure, Failure::Setup(SetupError::Declaration(_))), "{error}");
    assert!(error.to_string().contains("`.without_declaration_check()`"), "{error}");
    let run = Simulation::of(&system).initial(q, v).step(0.1).end_time(0.1).without_declaration_check().run();
    assert_eq!(run.unwrap().states.len(), 2);
}

#[test]
fn derivatives_of_opaque_functions_agree_or_not() {
    let (x, v) = (Vector1::new(0.7), Vector1::new(0.4));
    sound::System::new().unwrap().check_against_declaration(0.0, &sound::Wheel { x }, &v).unwrap();

    let error = wrong::System::new().unwrap().check_against_declaration(0.0, &wrong::Wheel { x }, &v).unwrap_err();
    let DeclarationError::Disagrees { disagreement, .. } = error else { panic!("{error}") };
    assert_eq!(disagreement.what, ComparedQuantity::Derivative);
    assert!((disagreement.declared - 3.0 * 0.49 * 0.4).abs() < 1e-9, "{disagreement:?}");
    assert!((disagreement.generated - 2.9 * 0.49 * 0.4).abs() < 1e-12, "{disagreement:?}");

    // A Hamiltonian run is a run.
    let system = wrong::System::new().unwrap();
    let run = Simulation::of_hamiltonian(&system).initial_velocity(wrong::Wheel { x }, v).step(0.1).end_time(0.1);
    assert!(matches!(run.run().unwrap_err().failure, Failure::Setup(SetupError::Declaration(_))));
}

#[test]
fn values_have_to_agree() {
    let (x, v) = (Vector1::new(0.7), Vector1::new(0.4));
    let system = unsteady::System::new().unwrap();
    let error = system.check_against_declaration(0.0, &unsteady::Wheel { x }, &v).unwrap_err();
    let DeclarationError::Disagrees { disagreement, state } = error else { panic!("{error}") };
    assert_eq!((disagreement.what, &disagreement.functions[..]), (ComparedQuantity::Value, &["wind"][..]));
    assert_eq!((disagreement.declared, disagreement.generated), (0.7, 1.4));
    assert_eq!((state.time, &state.configuration[..], &state.velocity[..]), (0.0, &[0.7][..], &[0.4][..]));
}

#[test]
fn a_panic_counts_at_the_given_state_only() {
    let system = limited::System::new().unwrap();
    let check = |x: f64| {
        let q = limited::Wheel { x: Vector1::new(x) };
        system.check_against_declaration(0.0, &q, &Vector1::new(0.0))
    };
    check(5.0).unwrap();
    check(9.9999).unwrap();
    let error = check(10.5).unwrap_err();
    assert!(matches!(error, DeclarationError::Panics { function: "bounded", .. }), "{error}");
    assert!(error.to_string().contains("a table of ten entries"), "{error}");
}

/// A wheel with an input, and a cube whose derivative is this number of squares.
macro_rules! driven_wheel {
    ($name:ident, $slope:literal, { $($functions:item)* }) => {
        wheel!($name, {
            #[inputs]
            pub struct Drive {
                pub pull: f64,
            }
            #[opaque(derivative = slope)]
            fn cube<S: Scalar>(x: S) -> S {
                x * x * x
            }
            #[opaque]
            fn slope<S: Scalar>(x: S) -> S {
                S::from_f64($slope) * x * x
            }
            $($functions)*
        });
    };
}

// The rate of a function that is given inputs would be one of whatever gives these: opaque functions in it show by what the kernels do.
driven_wheel!(driven, 2.9, {
    #[potential]
    fn hill(u: &Drive, q: &Wheel) -> f64 {
        u.pull * cube(q.x.x)
    }
});

driven_wheel!(driven_row, 3.1, {
    #[constraint]
    fn held(u: &Drive, q: &Wheel) -> f64 {
        cube(q.x.x) - u.pull
    }
});

driven_wheel!(driven_row_of_velocities, 3.1, {
    #[velocity_constraint]
    fn held(u: &Drive, q: &Wheel, v: &Velocity) -> f64 {
        cube(q.x.x) * v.x.x - u.pull
    }
});

#[test]
fn kernels_are_held_to_what_they_are_derivatives_of() {
    use driven_row_of_velocities as row;

    let (x, v) = (Vector1::new(0.7), Vector1::new(0.4));
    let disagreement = |checked: Result<(), DeclarationError>| {
        let Err(DeclarationError::Disagrees { disagreement, state }) = checked else { panic!("{checked:?}") };
        assert!(!state.is_given);
        let off = disagreement.generated / disagreement.declared;
        (disagreement.what, disagreement.functions, off)
    };
    let system = driven::System::new().unwrap().with_inputs_from(Constant(driven::Drive { pull: 2.0 }));
    let (what, functions, off) = disagreement(system.check_against_declaration(0.0, &driven::Wheel { x }, &v));
    assert_eq!((what, &functions[..]), (ComparedQuantity::Power, &["kinetic", "hill"][..]));
    assert!((off - 2.9 / 3.0).abs() < 1e-6, "{off}");

    let system = driven_row::System::new().unwrap().with_inputs_from(Constant(driven_row::Drive { pull: 0.343 }));
    let (what, functions, off) = disagreement(system.check_against_declaration(0.0, &driven_row::Wheel { x }, &v));
    assert_eq!((what, &functions[..]), (ComparedQuantity::ConstraintRate, &["held"][..]));
    assert!((off - 3.1 / 3.0).abs() < 1e-6, "{off}");

    let system = row::System::new().unwrap().with_inputs_from(Constant(row::Drive { pull: 0.1372 }));
    let (what, functions, off) = disagreement(system.check_against_declaration(0.0, &row::Wheel { x }, &v));
    assert_eq!((what, &functions[..]), (ComparedQuantity::ConstraintCurvature, &["held"][..]));
    assert!((off - 3.1 / 3.0).abs() < 1e-6, "{off}");
}
