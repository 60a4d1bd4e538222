//! The output of `cargo run --example urdf -- FILE`: it compiles on its own and moves like the model of the file.

use expect_test::expect_file;
use fixtures::random::Random;
use lie_runtime::nalgebra::DVector;
use lie_runtime::prelude::*;
use lie_runtime::simulate::ConsistentValues;

#[allow(dead_code, clippy::all, clippy::pedantic)]
mod arm {
    include!("printed/arm.rs");
}
#[allow(dead_code, clippy::all, clippy::pedantic)]
mod gripper {
    include!("printed/gripper.rs");
}
#[allow(dead_code, clippy::all, clippy::pedantic)]
mod parts {
    include!("printed/all_parts.rs");
}
#[allow(dead_code, clippy::all, clippy::pedantic)]
mod awkward {
    include!("printed/awkward.rs");
}

use super::arm as arm_of_file;
use super::awkward::awkward as awkward_of_file;
use super::mjcf::{gripper as gripper_of_file, parts as parts_of_file};

#[test]
fn what_is_printed_is_what_is_tested() {
    let printed = |name: &str, text: &str| {
        lie_robots::module(name, text, std::path::Path::new(""), &lie_robots::Options::default()).unwrap()
    };
    expect_file!["printed/arm.rs"].assert_eq(&printed("arm", include_str!("arm.urdf")));
    expect_file!["printed/gripper.rs"].assert_eq(&printed("gripper", include_str!("gripper.xml")));
    expect_file!["printed/all_parts.rs"].assert_eq(&printed("parts", include_str!("parts.xml")));
    expect_file!["printed/awkward.rs"].assert_eq(&printed("awkward", include_str!("awkward.urdf")));
}

/// Accelerations at a state, to the last digits.
macro_rules! ensure_same_motion {
    ($printed:path, $file:path, $dof:literal, $random:expr, { $($field:ident: $value:expr),* $(,)? }) => {{
        use $file as file;
        use $printed as printed;
        let random: &mut Random = $random;
        $(let $field = $value(random);)*
        let v = random.vector::<$dof>();
        let of = |accelerations: &[f64]| DVector::from_row_slice(accelerations);
        let (first, second) = (printed::System::new().unwrap(), file::System::new().unwrap());
        let mut one = State::at_rest(&first, 0.0, printed::Joints { $($field: $field.clone()),* });
        let mut other = State::at_rest(&second, 0.0, file::Joints { $($field),* });
        one.velocity = v;
        other.velocity = v;
        ConsistentValues::of(&first).accelerations(&first, &mut one).unwrap();
        ConsistentValues::of(&second).accelerations(&second, &mut other).unwrap();
        let (found, wanted) = (of(one.acceleration.as_slice()), of(other.acceleration.as_slice()));
        assert!((&found - &wanted).amax() <= 1e-13 * wanted.amax().max(1.0), "{found} {wanted}");
        assert!(wanted.amax() > 0.1, "{wanted}");
    }};
}

#[test]
fn printed_modules_move_as_their_files() {
    let number = |random: &mut Random| random.number();
    let rotation = |random: &mut Random| SO3::exp(&random.vector::<3>());
    let mut random = Random::new(25);
    for _ in 0..10 {
        ensure_same_motion!(arm::arm, arm_of_file, 6, &mut random, {
            waist: number, shoulder_pitch: number, elbow: number, wrist_1: number, wrist_2: number, wrist_3: number,
        });
        ensure_same_motion!(parts::parts, parts_of_file, 13, &mut random, {
            free: |random: &mut Random| SE3::new(rotation(random), random.vector::<3>()),
            pan: number, tilt: number, lift: number, ball: rotation, body_6_joint: number,
        });
        ensure_same_motion!(awkward::awkward, awkward_of_file, 6, &mut random, {
            the_self: |random: &mut Random| SE2::exp(&random.vector::<3>()),
            v: number, the_gen: number, c: number,
        });
        ensure_same_motion!(gripper::gripper, gripper_of_file, 4, &mut random, {
            drive: |_: &mut Random| 0.7, knuckle: |_: &mut Random| -0.7, follower: |_: &mut Random| 0.7, left: number,
        });
    }
}
