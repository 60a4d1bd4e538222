use lie_runtime::prelude::*;
use lie_runtime::roles::potential;

pub struct Pose {
    pub position: R3,
}

#[potential]
fn gravity(q: &Pose) -> f64 {
    q.position.z
}

fn main() {
    let _ = gravity;
}
