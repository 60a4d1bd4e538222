use lie_runtime::prelude::*;

#[mechanical_system]
struct Pose {
    attitude: SO3,
}

fn main() {
    let _ = |pose: Pose| pose.attitude;
}
