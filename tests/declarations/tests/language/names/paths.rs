//! Paths of every kind.

use lie_runtime::prelude::*;

use super::assert_as_declared;

/// The items that `imports` imports with a glob.
mod elsewhere {
    pub use lie_runtime::prelude::*;
}

#[mechanical_system(derivative_check)]
mod imports {
    use core::f64::consts::{self, FRAC_PI_3 as THIRD, PI};
    use std::f64 as real;

    use lie_runtime::nalgebra as algebra;
    use lie_runtime::prelude::{R3, SO3 as Attitude, Vector3 as V, mechanical_system as _};
    use shapes::{ARMS, area, inner};

    type Number = f64;
    type Point = V<Number>;
    type Place = R3;
    type Places = [Place; ARMS];

    /// Not Euler's number.
    const E: Number = 1.25;
    const TURN: f64 = std::f64::consts::PI;
    const LEVER: Point = V::new(0.3, TURN, self::E);

    mod shapes {
        use core::f64::consts::TAU;

        use super::{E, Number};

        pub const ARMS: usize = 2;
        const SCALE: Number = 0.5 * TAU;

        /// A local name shadows a name of the module.
        pub fn area(radius: Number) -> f64 {
            let scale = SCALE;
            scale * radius * radius + self::inner::twice(E)
        }

        pub mod inner {
            use super::super::TURN as THAT;

            pub fn twice(x: f64) -> f64 {
                2.0 * x * super::SCALE + THAT
            }
        }
    }

    #[lie_runtime::roles::configuration]
    pub struct Pose {
        pub attitude: Attitude,
        pub arms: Places,
    }

    #[lie_runtime::prelude::parameters]
    pub struct Data {
        pub stiffness: Number,
        pub lever: Point,
    }

    #[lie_runtime::roles::kinetic_energy]
    fn kinetic(v: &self::Velocity) -> Number {
        0.5 * (v.attitude.norm_squared() + v.arms[0].norm_squared() + v.arms[1].norm_squared())
    }

    #[lie_runtime::roles::potential]
    pub fn constants(data: &self::Data, q: &Pose) -> f64 {
        let x = q.arms[0].x;
        data.stiffness * x * (consts::E + E + PI + THIRD + real::consts::SQRT_2 + std::f64::consts::LN_2 + TURN)
    }

    #[lie_runtime::roles::potential]
    pub fn functions(data: &Data, q: &Pose) -> Number {
        use core::f64::consts::FRAC_1_PI as PI;

        let (x, y) = (q.arms[0].y, q.arms[1].z);
        let turned = q.attitude * (LEVER + data.lever);
        area(x) * PI
            + shapes::inner::twice(y)
            + inner::twice(x * y)
            + f64::sin(x)
            + f64::cos(y)
            + self::shapes::area(y)
            + turned.dot(&V::<f64>::new(1.0, 0.2, V::<f64>::x().x))
            + algebra::Vector3::new(x, y, 0.0).dot(&lie_runtime::prelude::Vector3::repeat(1.0))
    }

    #[lie_runtime::roles::potential]
    pub fn attitudes(q: &Pose) -> f64 {
        let offset: Attitude = Attitude::exp(&lie_runtime::nalgebra::Vector3::new(0.1, E, 0.0));
        (q.attitude * offset).inverse().log().norm_squared()
    }
}

#[test]
fn imports_renames_modules_and_aliases() {
    use imports::{Data, Pose, System, attitudes, constants, functions};
    let data = || Data { stiffness: 2.0, lever: Vector3::new(0.1, 0.2, 0.3) };
    let system = System::new(data()).unwrap();
    assert_as_declared(
        &system,
        |random| Pose { attitude: SO3::exp(&random.rotation_vector()), arms: [random.vector(), random.vector()] },
        |_, q| constants(&data(), q) + functions(&data(), q) + attitudes(q),
    );
}

#[mechanical_system(derivative_check)]
mod by_glob {
    use std::f64::consts::*;
    use std::mem::*;

    use super::elsewhere::*;

    #[configuration]
    pub struct Pose {
        pub attitude: SO3,
        pub position: R3,
    }

    #[kinetic_energy]
    fn kinetic(v: &Velocity) -> f64 {
        0.5 * (v.attitude.norm_squared() + v.position.norm_squared())
    }

    #[parameters]
    pub struct Data {
        pub order: usize,
    }

    #[potential]
    pub fn height<'a>(data: &'a Data, q: &'a Pose) -> f64 {
        let place: &'a Vector3<f64> = &q.position;
        let (swap_of, v) = (E * place.x, place.y / TAU);
        let left = (data.order as i64 - 5) as f64;
        (q.attitude * Vector3::new(PI, 2.0, left) + q.position).z + v.powi(2) - SQRT_2 * swap_of
    }
}

#[test]
fn globs_that_cannot_be_seen() {
    use by_glob::{Data, Pose, System, height};
    assert_as_declared(
        &System::new(Data { order: 3 }).unwrap(),
        |random| Pose { attitude: SO3::exp(&random.rotation_vector()), position: random.vector() },
        |_, q| height(&Data { order: 3 }, q),
    );
}

/// The crate of the runtime by another path.
mod reexported {
    pub use lie_runtime as runtime;
}

#[lie_runtime::mechanical_system(crate = crate::names::paths::reexported::runtime, derivative_check)]
mod renamed {
    #[configuration]
    pub struct Wheel {
        pub angle: SO2,
    }

    #[kinetic_energy]
    fn kinetic(v: &Velocity) -> f64 {
        0.5 * v.angle * v.angle
    }

    #[potential]
    pub fn spring(q: &Wheel) -> f64 {
        (q.angle * SO2::from_angle(0.5)).log()[0].powi(2)
    }
}

#[test]
fn the_runtime_by_another_path() {
    use renamed::{System, Wheel, spring};
    assert_as_declared(
        &System::new().unwrap(),
        |random| Wheel { angle: SO2::from_angle(random.number()) },
        |_, q| spring(q),
    );
}

/// Dependencies under their own names, in a module.
mod dependencies {
    pub use lie_runtime;
}

#[lie_runtime::mechanical_system(crate = crate::names::paths::dependencies::lie_runtime, derivative_check)]
mod nested {
    use crate::names::paths::dependencies::lie_runtime::nalgebra::Vector3 as Point;

    #[configuration]
    pub struct Bob {
        pub position: R3,
    }

    #[kinetic_energy]
    fn kinetic(v: &Velocity) -> f64 {
        0.5 * v.position.norm_squared()
    }

    #[potential]
    pub fn spring(q: &Bob) -> f64 {
        (q.position - vector![0.1, 0.2, 0.3]).norm_squared()
    }

    pub fn rest() -> Point<f64> {
        Point::new(0.1, 0.2, 0.3)
    }
}

#[test]
fn the_runtime_in_a_module() {
    use nested::{Bob, System, rest, spring};
    assert_eq!(spring(&Bob { position: rest() }), 0.0);
    assert_as_declared(&System::new().unwrap(), |random| Bob { position: random.vector() }, |_, q| spring(q));
}
