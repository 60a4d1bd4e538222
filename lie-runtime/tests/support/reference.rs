//! Tables of reference, and orders.

/// The coefficients of the half-explicit methods, and known properties of their errors.
pub fn tableaux() -> serde_json::Value {
    serde_json::from_str(include_str!("../data/half_explicit_tableaux.json")).expect("JSON")
}

/// The derivative of log error with respect to log h between two step sizes with ratio 2.
pub fn order(coarse: f64, fine: f64) -> f64 {
    (coarse / fine).log2()
}
