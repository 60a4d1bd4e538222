//! Reference solutions and errors against them.

use lie_runtime::nalgebra::{Matrix3, Vector3};

/// Numbers at a path of a JSON file.
fn numbers(value: &serde_json::Value) -> Vec<f64> {
    match value {
        serde_json::Value::Array(entries) => entries.iter().flat_map(numbers).collect(),
        value => vec![value.as_f64().expect("a number")],
    }
}

/// The heavy top at t = 1.
pub struct HeavyTopReference {
    pub attitude: Matrix3<f64>,
    pub position: Vector3<f64>,
    pub angular_velocity: Vector3<f64>,
    pub linear_velocity: Vector3<f64>,
    pub body_velocity: Vector3<f64>,
    pub multipliers: Vector3<f64>,
}

pub fn heavy_top() -> HeavyTopReference {
    let file: serde_json::Value = serde_json::from_str(include_str!("../data/heavy_top.json")).expect("JSON");
    let result = &file["results"][0];
    let vector = |name: &str| Vector3::from_column_slice(&numbers(&result[name]));
    HeavyTopReference {
        attitude: Matrix3::from_row_slice(&numbers(&result["R"])),
        position: vector("x"),
        angular_velocity: vector("Omega"),
        linear_velocity: vector("xdot"),
        body_velocity: vector("U"),
        multipliers: vector("lambda_phi_RTx_minus_X"),
    }
}

/// The initial Ω₃ of the reference file is −4.61538.
pub fn tableaux() -> serde_json::Value {
    serde_json::from_str(include_str!("../data/half_explicit_tableaux.json")).expect("JSON")
}

/// The slope of log error against log h between two step sizes with ratio 2.
pub fn order(coarse: f64, fine: f64) -> f64 {
    (coarse / fine).log2()
}
