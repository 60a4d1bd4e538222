use lie_runtime::prelude::*;

#[mechanical_system]
fn kinetic() -> f64 {
    0.0
}

fn main() {
    let _ = kinetic();
}
