//! All examples and their tests in one program: each is compiled here once.

mod tests;
mod work_precision {
    //! The study alone; its program also uses the tops of another example.
    pub mod study;
    pub use study::example;
}

/// The examples as modules and as registry entries.
macro_rules! examples {
    ($($name:ident)*) => {
        $(mod $name;)*

        /// All examples.
        fn all() -> Vec<harness::Example> {
            vec![$($name::example(),)* work_precision::example()]
        }
    };
}

examples! {
    benchmarks
    bicycle_modes
    bouncing_top
    driven_joint
    driven_pendulum
    ensemble
    flying_spaghetti
    four_bar
    free_rigid_body
    geneva_drive
    gradient_cost
    heavy_top
    heavy_top_hamiltonian
    heavy_top_index3
    identify
    lagrangian_top
    post_buckling
    prescribed_torque
    quadrotors
    right_angle_cantilever
    rocking_block
    rod_scale
    roll_up
    rolling_disc
    soft_wall
    spherical_pendulum
    swing_up
    tune_rod
}
