//! Tables of reference, and orders.

/// The coefficients of the half-explicit methods, and what is known of their errors.
pub fn tableaux() -> serde_json::Value {
    serde_json::from_str(include_str!("../data/half_explicit_tableaux.json")).expect("JSON")
}

/// The slope of log error against log h between two step sizes with ratio 2.
pub fn order(coarse: f64, fine: f64) -> f64 {
    (coarse / fine).log2()
}
