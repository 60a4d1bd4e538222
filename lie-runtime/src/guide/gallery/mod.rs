#![doc = include_str!("book.md")]

/// A page for each example: its text and the picture that its study drew.
macro_rules! pages {
    ($($name:ident)*) => {$(
        #[doc = include_str!(concat!(stringify!($name), ".md"))]
        #[doc = "<div>"]
        #[doc = include_str!(concat!(stringify!($name), ".svg"))]
        #[doc = "</div>"]
        pub mod $name {}
    )*};
}

pages! {
    heavy_top
    flying_spaghetti
    roll_up
    rod_scale
    heavy_top_index3
    right_angle_cantilever
    four_bar
    driven_joint
    driven_pendulum
    rolling_disc
    bouncing_top
    geneva_drive
    rocking_block
    bicycle_modes
    post_buckling
    work_precision
    heavy_top_hamiltonian
    spherical_pendulum
    quadrotors
    prescribed_torque
    free_rigid_body
    lagrangian_top
    soft_wall
    ensemble
    identify
    tune_rod
    gradient_cost
    swing_up
    benchmarks
}
