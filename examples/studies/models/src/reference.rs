//! Reference solutions, from `data/*.json` (18 digits trusted).

use lie_runtime::nalgebra::{Matrix3, Vector3};
use serde_json::Value;

/// The state and the multipliers of Φ = Rᵀ x − X.
#[derive(Clone, Debug)]
pub struct HeavyTop {
    /// Body to space.
    pub attitude: Matrix3<f64>,
    /// The centre of mass in space.
    pub position: Vector3<f64>,
    /// In the body.
    pub angular_velocity: Vector3<f64>,
    /// In space.
    pub linear_velocity: Vector3<f64>,
    /// The same in the body.
    pub body_velocity: Vector3<f64>,
    /// λ.
    pub multipliers: Vector3<f64>,
    /// The sum of kinetic and potential energy.
    pub total_energy: f64,
}

/// The numbers of nested arrays, in order.
fn numbers(value: &Value) -> Vec<f64> {
    match value {
        Value::Array(entries) => entries.iter().flat_map(numbers).collect(),
        value => vec![value.as_f64().expect("a number")],
    }
}

/// The heavy top at t = 1.
///
/// # Panics
/// If the file is damaged.
pub fn heavy_top() -> HeavyTop {
    let file: Value = serde_json::from_str(include_str!("../data/heavy_top.json")).expect("JSON");
    let result = &file["results"][0];
    let vector = |name: &str| Vector3::from_column_slice(&numbers(&result[name]));
    assert_eq!(result["t"].as_f64(), Some(1.0));
    HeavyTop {
        attitude: Matrix3::from_row_slice(&numbers(&result["R"])),
        position: vector("x"),
        angular_velocity: vector("Omega"),
        linear_velocity: vector("xdot"),
        body_velocity: vector("U"),
        multipliers: vector("lambda_phi_RTx_minus_X"),
        total_energy: numbers(&result["total_energy"])[0],
    }
}

/// The torques of paper 4 in space and the angular velocities that belong to them, `case` being `i` or `ii`: t, M, Ω.
///
/// # Panics
/// If the file is damaged.
pub fn prescribed_torque(case: &str) -> Vec<(f64, Vector3<f64>, Vector3<f64>)> {
    let file: Value = serde_json::from_str(include_str!("../data/prescribed_torque.json")).expect("JSON");
    let results = file["results"][case].as_array().expect("a list");
    let vector = |value: &Value| Vector3::from_column_slice(&numbers(value));
    results.iter().map(|at| (numbers(&at["t"])[0], vector(&at["M_spatial"]), vector(&at["Omega"]))).collect()
}

/// t, R and Ω of a rotating body at the `index`-th time of its file.
fn rotation(file: &str, index: usize) -> (f64, Matrix3<f64>, Vector3<f64>) {
    let file: Value = serde_json::from_str(file).expect("JSON");
    let result = &file["results"][index];
    let attitude = Matrix3::from_row_slice(&numbers(&result["R"]));
    (numbers(&result["t"])[0], attitude, Vector3::from_column_slice(&numbers(&result["Omega"])))
}

/// t, R and Ω of the free rigid body of paper 5 at t = 1, 10 or 100.
///
/// # Panics
/// If the file is damaged.
pub fn free_rigid_body(index: usize) -> (f64, Matrix3<f64>, Vector3<f64>) {
    rotation(include_str!("../data/free_rigid_body.json"), index)
}

/// t, R and Ω of the slow Lagrangian top at t = 1, 5 or 20.
///
/// # Panics
/// If the file is damaged.
pub fn slow_lagrange_top(index: usize) -> (f64, Matrix3<f64>, Vector3<f64>) {
    rotation(include_str!("../data/slow_lagrange_top.json"), index)
}

/// q and ω of the links of the double spherical pendulum of paper 3 at t = 1, 2 or 3, and the total energy.
///
/// # Panics
/// If the file is damaged.
pub fn double_pendulum(index: usize) -> (f64, [Vector3<f64>; 2], [Vector3<f64>; 2], f64) {
    let file: Value = serde_json::from_str(include_str!("../data/pendulum_N2.json")).expect("JSON");
    let result = &file["results"][index];
    let links = |name: &str| [0, 1].map(|link| Vector3::from_column_slice(&numbers(&result[name][link])));
    (numbers(&result["t"])[0], links("q"), links("omega"), numbers(&result["total_energy"])[0])
}
