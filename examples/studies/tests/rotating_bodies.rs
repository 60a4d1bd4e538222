//! The examples of rotating bodies: their methods, settings, observables and numbers.

use super::support::{command, last as sample, numbers};
use crate::free_rigid_body;
use crate::lagrangian_top;
use crate::prescribed_torque;
use crate::soft_wall;
use harness::{Example, Status};
use serde_json::Value;

fn assert_close(value: &Value, expected: &[f64], tolerance: f64) {
    let error = numbers(value).iter().zip(expected).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
    assert!(error < tolerance, "{value} is off by {error:e}");
}

fn all() -> [Example; 4] {
    [free_rigid_body::example(), lagrangian_top::example(), soft_wall::example(), prescribed_torque::example()]
}

/// Every method of every group makes its steps, and the common observables are there.
#[test]
fn every_method_runs_on_every_body() {
    for example in all() {
        for variant in &example.variants {
            let ids: Vec<&str> = variant.methods.iter().map(|card| card.id).collect();
            // A formulation by momenta alone is a vector field: it has the methods for those, and no attitude.
            let has_attitude = ids.contains(&"hedop5");
            assert!(has_attitude || ids.contains(&"rkmk4"), "{}: {}", example.name, variant.id);
            for id in
                ["imid", "trapm", "akw", "bbtrapwd", "mkrk_gauss4", "tr_bdf2_third_order", "simo_vu_quoc", "hedop5"]
            {
                assert!(!has_attitude || ids.contains(&id), "{}: {id}", example.name);
            }
            for id in ids {
                let sample = sample(&example, &format!("--group {} --method {id} --step 0.01 --end 0.1", variant.id));
                let observables = &sample["observables"];
                if !has_attitude {
                    continue;
                }
                let rows = observables["attitude"].as_array().expect("rows");
                assert!(rows.len() == 3 && rows.iter().all(|row| numbers(row).len() == 3));
                assert_eq!(numbers(&observables["angular_momentum"]).len(), 3);
            }
        }
    }
}

#[test]
fn the_free_body_is_right() {
    let attitude = [0.679_486_950_721_381_9, 0.159_786_514_021_033_5, 0.716_076_639_568_953_1];
    let momentum = [0.409_947_420_902_659_4, 0.911_942_959_736_638_5, -0.010_850_868_577_784_1];
    for group in ["so3", "s3"] {
        let sample =
            sample(&free_rigid_body::example(), &format!("--group {group} --method mkrk_gauss6 --step 0.02 --end 1"));
        assert_close(&sample["observables"]["attitude"][0], &attitude, 1e-12);
        assert_close(&sample["observables"]["angular_momentum"], &momentum, 1e-12);
    }
}

#[test]
fn the_top_is_slow_or_fast() {
    let example = lagrangian_top::example();
    let slow = sample(&example, "--method mkrk_gauss6 --step 0.02 --end 1");
    assert_close(
        &slow["observables"]["attitude"][0],
        &[0.281_110_890_226_651, 0.958_562_327_134_754_2, 0.046_205_328_631_925_09],
        1e-10,
    );
    assert_close(
        &slow["observables"]["angular_momentum"],
        &[-0.368_611_191_132_627_4, 1.709_372_492_305_626_4, 5.0],
        1e-9,
    );
    let fast = sample(&example, "--set case=fast --end 0.01 --step 0.001");
    assert!((numbers(&fast["observables"]["angular_momentum"])[2] - 50.0).abs() < 1e-6);
    let (status, _, stderr) = command(&example, "--set case=medium");
    assert_eq!(status, Status::Misused);
    assert!(stderr.contains("slow, fast"), "{stderr}");
}

#[test]
fn the_torque_of_the_wall_has_two_signs() {
    let example = soft_wall::example();
    let potential = |torque: &str| {
        let sample = sample(&example, &format!("--set torque={torque} --step 0.1 --end 0.1"));
        sample["energy"]["potential"].as_f64().expect("a number")
    };
    assert!(potential("attractive") < -0.4 && potential("printed") > 0.4);
}

/// Maximum errors of paper 4 at the end of load (ii), and the printed factor of the correction.
#[test]
fn the_prescribed_rotation_is_followed() {
    let example = prescribed_torque::example();
    let error = |arguments: &str| {
        let sample = sample(&example, &format!("--set load=2 --step 0.05 {arguments}"));
        sample["observables"]["angle_error"].as_f64().expect("a number")
    };
    let (third, newmark) = (error("--method tr_bdf2_third_order"), error("--method simo_vu_quoc"));
    assert!((0.5..2.0).contains(&(third / 2.2e-3)), "{third:e}");
    assert!((0.5..2.0).contains(&(newmark / 8.4e-2)), "{newmark:e}");
    assert!(error("--method tr_bdf2_third_order --set correction=printed") > 5.0 * third);
    let controlled = sample(&example, "--set load=2 --end 2 --rtol 1e-7 --atol 1e-7");
    assert!(controlled["observables"]["angle_error"].as_f64().expect("a number") < 1e-5);
}
