//! Files with vendor attributes, free bases, followers and impossible inertias, against numbers of Pinocchio 4.1.0.
//!
//! `lie-macros/robots/tests/published.py` compares the same quantities for published files.

use lie_runtime::nalgebra::SVector;
use lie_runtime::prelude::*;

/// A trunk on a dummy root, with parts that other programs read.
#[mechanical_system(urdf = "tests/robots/walker.urdf", base = floating)]
pub mod walker {
    use lie_runtime::prelude::*;
}

/// A follower, dry friction, a fixed link with moments of inertia and no mass.
#[mechanical_system(
    urdf = "tests/robots/fingers.urdf",
    friction = smooth(0.02),
    inertia = as_written,
    base = fixed
)]
pub mod fingers {
    use lie_runtime::prelude::*;
}

/// The hand with stops and exact dry friction.
#[mechanical_system(
    urdf = "tests/robots/fingers.urdf",
    friction = dry,
    limits = stops,
    inertia = as_written,
    base = fixed
)]
pub mod grasping {
    use lie_runtime::prelude::*;
}

/// A body without joints.
#[mechanical_system(urdf = "tests/robots/drone.urdf", base = floating)]
pub mod drone {
    use lie_runtime::prelude::*;
}

/// `crba` by rows of the lower triangle, `nonLinearEffects` and `computeGeneralizedGravity` of Pinocchio. Coordinates that follow others are
/// eliminated, and angular velocities come first.
struct Expected {
    mass: &'static [f64],
    bias: &'static [f64],
    gravity: &'static [f64],
}

#[rustfmt::skip]
const WALKER: Expected = Expected {
    mass: &[0.446_512_243_392_704_1, 0.001_482_682_257_575_5, 0.424_522_513_271_716_2, -0.008_035_271_473_616_92, 0.011_045_103_557_264_378, 0.286_525_272_693_177_7, 0.0, 1.201_036_435_844_156_8, -0.181_216_986_163_124_65, 12.299_999_999_999_999, -1.201_036_435_844_156_8, 0.0, 0.447_372_147_412_984_2, 0.0, 12.299_999_999_999_999, 0.181_216_986_163_124_65, -0.447_372_147_412_984_2, 0.0, 0.0, 0.0, 12.299_999_999_999_999, 0.011_936_187_930_224_803, 0.043_483_248_191_296_52, 0.047_959_869_155_397_856, -0.238_783_003_338_956_8, -0.020_281_271_691_481_45, 0.077_672_115_640_724_1, 0.063_205_828_734_854_65, 0.006_069_976_486_751_828, 0.016_125_995_244_197_198, -0.023_192_041_891_684_795, -0.113_182_343_290_353_91, -0.013_863_728_601_034_384, -0.039_262_631_045_070_67, 0.0, 0.018_068_514_851_485_154, -0.060_345_220_160_410_634, 0.025_567_707_954_689_68, 0.020_786_252_438_548_262, -0.098_128_078_407_386_5, 0.077_323_861_500_858_7, -0.379_989_342_838_282_6, -0.007_128_712_871_287_132_4, 0.0, 0.400_000_000_000_000_13],
    bias: &[-1.631_724_403_797_546_7, -1.212_381_560_812_635, 0.798_138_542_827_963_7, 30.030_810_711_198_278, 32.847_204_710_375_436, 115.490_798_684_584_77, 0.143_164_818_792_055, -0.681_434_808_536_694_9, -3.626_925_381_678_162_4],
    gravity: &[-1.241_310_870_395_867_3, -1.176_092_058_219_521_8, 0.639_827_190_085_946_9, 30.049_488_832_594_964, 29.763_480_621_315_093, 113.007_623_686_211_33, 0.081_186_405_367_994_65, -0.670_787_074_177_104_4, -3.543_818_211_639_031_5],
};

#[rustfmt::skip]
const FINGERS: Expected = Expected {
    mass: &[0.001_643_396_775_470_565, -1.660_368_200_829_358e-05, 0.000_393_5],
    bias: &[-0.031_876_322_177_957_05, 0.008_908_514_104_209_496],
    gravity: &[-0.032_021_510_317_090_58, 0.008_842_601_142_985_49],
};

#[rustfmt::skip]
const DRONE: Expected = Expected {
    mass: &[0.030_734_410_682_468_394, 0.002_390_096_936_595_971_8, 0.028_835_688_984_642_404, -0.000_650_000_000_000_000_1, 0.000_799_006_653_346_024_7, 0.051_769_900_332_889_21, 0.0, 0.046, 0.028_000_000_000_000_004, 1.52, -0.046, 0.0, 0.019_000_000_000_000_003, 0.0, 1.52, -0.028_000_000_000_000_004, -0.019_000_000_000_000_003, 0.0, 0.0, 0.0, 1.52],
    bias: &[-0.398_066_860_949_310_5, -0.070_838_555_572_545_23, 0.120_864_132_850_772_9, 3.743_632_766_304_418_4, 4.161_778_662_146_255, 14.297_719_756_344_815],
    gravity: &[-0.368_563_705_023_935_93, -0.062_184_419_816_150_18, 0.114_381_448_708_751_69, 3.713_432_766_304_418_7, 3.678_088_662_146_255_4, 13.965_169_756_344_816],
};

/// The base of the free robots.
fn base() -> SE3 {
    SE3::new(SO3::exp(&Vector3::new(0.3, -0.2, 0.4)), Vector3::new(0.1, -0.2, 0.5))
}

#[track_caller]
fn ensure_close(found: f64, wanted: f64, scale: f64) {
    assert!((found - wanted).abs() <= 1e-12 * scale, "{found} {wanted} {scale}");
}

/// Compares M from the kinetic energy, the forces at `v` with the applied forces `applied`, and the forces at rest.
fn ensure_dynamics<M, const N: usize>(
    system: &M,
    q: &M::Configuration,
    v: SVector<f64, N>,
    applied: SVector<f64, N>,
    expected: &Expected,
) where
    M: MechanicalSystem<Scalar = f64, Velocity = SVector<f64, N>>,
{
    let unit = |k: usize| SVector::<f64, N>::from_fn(|row, _| f64::from(u8::from(row == k)));
    let energy = |v: SVector<f64, N>| system.kinetic_energy(0.0, q, &v);
    let largest = |numbers: &[f64]| numbers.iter().fold(0.0, |sum: f64, x| sum.max(x.abs()));
    let scale = largest(expected.mass);
    let mut entries = expected.mass.iter();
    for row in 0..N {
        for column in 0..=row {
            let found = if row == column {
                2.0 * energy(unit(row))
            } else {
                energy(unit(row) + unit(column)) - energy(unit(row)) - energy(unit(column))
            };
            ensure_close(found, *entries.next().unwrap(), scale);
        }
    }
    let mut force = v;
    for (v, applied, wanted) in [(v, applied, expected.bias), (v * 0.0, v * 0.0, expected.gravity)] {
        system.force(0.0, q, &v, &mut force);
        let scale = largest(wanted);
        for k in 0..N {
            ensure_close(force[k], applied[k] - wanted[k], scale);
        }
    }
}

#[test]
fn a_floating_trunk_has_the_dynamics_of_pinocchio() {
    let system = walker::System::new().unwrap();
    let mut q = walker::from_joints(&[("Left-hip", 0.3), ("right_hip", -0.4), ("Left-knee", 0.05)]).unwrap();
    assert_eq!((q.left_hip, q.right_hip, q.left_knee), (0.3, -0.4, 0.05));
    q.base = base();
    let v = SVector::from([0.3, -0.5, 0.7, 0.2, 0.4, -0.6, 0.9, -0.8, 0.25]);
    ensure_dynamics(&system, &q, v, SVector::zeros(), &WALKER);
    let ignored = system.description().ignored.join(", ");
    for part in [
        "`contact` of `link`",
        "`command_effort` of `limit`",
        "`dynamics` of fixed joints",
        "`ros2_control` of `robot`",
    ] {
        assert!(ignored.contains(part), "{ignored}");
    }
    assert!(!ignored.contains("inertia"), "{ignored}");
}

#[test]
fn followers_and_friction_have_the_dynamics_of_pinocchio() {
    let system = fingers::System::new().unwrap();
    let q = fingers::from_joints(&[("turn", 0.6), ("thumb", -0.3)]).unwrap();
    let v = SVector::from([0.8, -0.9]);
    // Damping of `turn`, friction of all; `index` moves 1.5 times as fast as `thumb`.
    let friction = |limit: f64, v: f64| -limit * v / v.hypot(0.02);
    let applied = SVector::from([
        -0.2 * v[0] + friction(fingers::TURN_FRICTION, v[0]),
        friction(fingers::THUMB_FRICTION, v[1]) + 1.5 * friction(fingers::INDEX_FRICTION, 1.5 * v[1]),
    ]);
    ensure_dynamics(&system, &q, v, applied, &FINGERS);
    assert_eq!((fingers::TURN_FRICTION, fingers::THUMB_FRICTION, fingers::INDEX_FRICTION), (0.5, 0.1, 0.2));
    assert!(system.description().ignored.iter().any(|part| part.contains("the inertia of `palm`")));
}

#[test]
fn limits_are_stops_and_dry_friction_sticks() {
    // The limits of `index`, from -1 to 1, restrict the thumb: its value is 0.2 - 1.5 times the value of the thumb.
    assert_eq!(grasping::STOPS, ["stop_of_thumb"]);
    let system = grasping::System::new(grasping::JointStates::default()).unwrap();
    let energy = |state: &State<grasping::System>| system.energy(state.time, &state.configuration, &state.velocity);
    let thrown = |thumb: f64| {
        Simulation::of(&system)
            .initial(grasping::reference(), grasping::Velocity { turn: 0.5, thumb })
            .contact("stop_of_thumb", 0.0)
            .dry_friction()
            .rtol(1e-9)
            .atol(1e-9)
            .end_time(1.0)
            .run()
            .unwrap()
    };
    for (speed, side, stop) in [(60.0, "upper", 1.2 / 1.5), (-60.0, "lower", -0.8 / 1.5)] {
        let run = thrown(speed);
        assert!(run.events_called(&format!("stop_of_thumb {side}")).next().is_some(), "{:?}", run.events.len());
        let thumb = run.last().configuration.thumb;
        assert!((thumb - stop).abs() < 1e-9, "{thumb}");
        // The friction of the thumb, 0.1 + 1.5 * 0.2, exceeds the weight: the thumb stays at the stop.
        assert!(run.last().velocity.norm() < 1e-14, "{}", run.last().velocity);
        assert!(run.states.windows(2).all(|pair| energy(&pair[1]) <= energy(&pair[0]) + 1e-9));
        assert!(run.warnings().is_empty(), "{:?}", run.warnings());
    }
}

#[test]
fn a_body_without_joints_floats() {
    let system = drone::System::new().unwrap();
    assert_eq!(system.description().group, "SE(3)");
    let q = drone::Joints { base: base() };
    ensure_dynamics(&system, &q, SVector::from([0.3, -0.5, 0.7, 0.2, 0.4, -0.6]), SVector::zeros(), &DRONE);
}

#[test]
fn configurations_are_set_by_the_names_of_joints() {
    let zero = walker::zero();
    assert_eq!((zero.base, zero.left_hip, zero.right_hip, zero.left_knee), (SE3::identity(), 0.0, 0.0, 0.0));
    let reference = walker::reference();
    assert_eq!((reference.base, reference.left_knee), (SE3::identity(), 0.0));
    let error = walker::from_joints(&[("elbow", 0.3)]).unwrap_err();
    assert_eq!((error.name.as_str(), &error.known[..]), ("elbow", &["Left-hip", "Right-hip", "Left-knee"][..]));
    // A joint that follows another one has no coordinate.
    assert!(fingers::from_joints(&[("index", 0.3)]).is_err());
}
