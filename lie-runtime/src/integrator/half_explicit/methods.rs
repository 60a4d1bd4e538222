//! The nine methods with exact coefficients.
//!
//! If d is the last unit vector and s̄ = s + 1, the multiplier of the step is the multiplier of the extra stage.

use super::tableau::{EmbeddedRow, Tableau};

/// √3.
const SQRT_3: f64 = 1.732_050_807_568_877_2;

/// All methods, by order.
pub static METHODS: [&Tableau; 9] = [
    &HERK2_HEUN,
    &HERK2_MIDPOINT,
    &HERK2_HEUN_LAMBDA2,
    &HERK2_MIDPOINT_LAMBDA2,
    &HERK3,
    &HERK3_LAMBDA3,
    &HERK4,
    &HERK4_RATIONAL,
    &HEDOP5,
];

/// Order 2 after Heun (the trapezoidal rule); λ of order 1.
pub static HERK2_HEUN: Tableau = Tableau {
    id: "herk2_heun",
    name: "HERK2 (Heun / trapezoidal)",
    order: 2,
    multiplier_order: 1,
    multiplier_order_constant_jacobian: 1,
    stages: 2,
    constrained_stages: 2,
    a: &[&[], &[1.0], &[1.0 / 2.0, 1.0 / 2.0]],
    c: &[0.0, 1.0, 1.0],
    d: &[1.0 / 2.0, 1.0 / 2.0],
    embedded: None,
};

/// Order 2 after the explicit midpoint rule; λ of order 1.
pub static HERK2_MIDPOINT: Tableau = Tableau {
    id: "herk2_midpoint",
    name: "HERK2 (explicit midpoint)",
    order: 2,
    multiplier_order: 1,
    multiplier_order_constant_jacobian: 1,
    stages: 2,
    constrained_stages: 2,
    a: &[&[], &[1.0 / 2.0], &[0.0, 1.0]],
    c: &[0.0, 1.0 / 2.0, 1.0],
    d: &[0.0, 1.0],
    embedded: None,
};

/// [`HERK2_HEUN`] with a further row that gives λ of order 2.
pub static HERK2_HEUN_LAMBDA2: Tableau = Tableau {
    id: "herk2_heun_lambda2",
    name: "HERK2 (Heun) with extra row, lambda order 2",
    order: 2,
    multiplier_order: 2,
    multiplier_order_constant_jacobian: 2,
    stages: 2,
    constrained_stages: 3,
    a: &[&[], &[1.0], &[1.0 / 2.0, 1.0 / 2.0], &[3.0 / 8.0, 3.0 / 8.0, -1.0 / 4.0]],
    c: &[0.0, 1.0, 1.0, 1.0 / 2.0],
    d: &[0.0, 0.0, 1.0],
    embedded: None,
};

/// [`HERK2_MIDPOINT`] with a further row that gives λ of order 2.
pub static HERK2_MIDPOINT_LAMBDA2: Tableau = Tableau {
    id: "herk2_midpoint_lambda2",
    name: "HERK2 (midpoint) with extra row, lambda order 2",
    order: 2,
    multiplier_order: 2,
    multiplier_order_constant_jacobian: 2,
    stages: 2,
    constrained_stages: 3,
    a: &[&[], &[1.0 / 2.0], &[0.0, 1.0], &[0.0, 3.0 / 4.0, -1.0 / 4.0]],
    c: &[0.0, 1.0 / 2.0, 1.0, 1.0 / 2.0],
    d: &[0.0, 0.0, 1.0],
    embedded: None,
};

/// Order 3; λ of order 2.
pub static HERK3: Tableau = Tableau {
    id: "herk3",
    name: "HERK3",
    order: 3,
    multiplier_order: 2,
    multiplier_order_constant_jacobian: 2,
    stages: 3,
    constrained_stages: 3,
    a: &[&[], &[1.0 / 2.0], &[2.0 / 9.0, 4.0 / 9.0], &[1.0 / 4.0, 0.0, 3.0 / 4.0]],
    c: &[0.0, 1.0 / 2.0, 2.0 / 3.0, 1.0],
    d: &[0.0, -2.0, 3.0],
    embedded: None,
};

/// [`HERK3`] with a further row that gives λ of order 3.
pub static HERK3_LAMBDA3: Tableau = Tableau {
    id: "herk3_lambda3",
    name: "HERK3 with extra row, lambda order 3",
    order: 3,
    multiplier_order: 3,
    multiplier_order_constant_jacobian: 3,
    stages: 3,
    constrained_stages: 4,
    a: &[
        &[],
        &[1.0 / 2.0],
        &[2.0 / 9.0, 4.0 / 9.0],
        &[1.0 / 4.0, 0.0, 3.0 / 4.0],
        &[3.0 / 16.0, 3.0 / 4.0, -9.0 / 16.0, 1.0 / 8.0],
    ],
    c: &[0.0, 1.0 / 2.0, 2.0 / 3.0, 1.0, 1.0 / 2.0],
    d: &[0.0, 0.0, 0.0, 1.0],
    embedded: None,
};

/// Order 4; λ of order 3 (paper 1, Table 1).
pub static HERK4: Tableau = Tableau {
    id: "herk4",
    name: "HERK4",
    order: 4,
    multiplier_order: 3,
    multiplier_order_constant_jacobian: 4,
    stages: 4,
    constrained_stages: 5,
    a: &[
        &[],
        &[1.0],
        &[3.0 / 8.0, 1.0 / 8.0],
        &[-1.0 / 2.0, -1.0 / 2.0, 2.0],
        &[1.0 / 6.0, 0.0, 2.0 / 3.0, 1.0 / 6.0],
        &[1.0 / 6.0 - SQRT_3 / 108.0, 0.0, 1.0 / 3.0 - 4.0 * SQRT_3 / 27.0, -7.0 * SQRT_3 / 108.0, SQRT_3 / 18.0],
    ],
    c: &[0.0, 1.0, 1.0 / 2.0, 1.0, 1.0, 0.5 - SQRT_3 / 6.0],
    d: &[0.0, 0.0, 0.0, 0.0, 1.0],
    embedded: None,
};

/// Order 4 with a rational last row and a smaller error of λ than [`HERK4`].
pub static HERK4_RATIONAL: Tableau = Tableau {
    id: "herk4_rational",
    name: "HERK4 rational last row",
    order: 4,
    multiplier_order: 3,
    multiplier_order_constant_jacobian: 4,
    stages: 4,
    constrained_stages: 5,
    a: &[
        &[],
        &[1.0],
        &[3.0 / 8.0, 1.0 / 8.0],
        &[-1.0 / 2.0, -1.0 / 2.0, 2.0],
        &[1.0 / 6.0, 0.0, 2.0 / 3.0, 1.0 / 6.0],
        &[3.0 / 16.0, 0.0, 9.0 / 16.0, 3.0 / 32.0, -3.0 / 32.0],
    ],
    c: &[0.0, 1.0, 1.0 / 2.0, 1.0, 1.0, 3.0 / 4.0],
    d: &[0.0, 0.0, 0.0, 0.0, 1.0],
    embedded: None,
};

/// Order 5 after Dormand and Prince, with the last row of Arnold and the embedded method of order 4 (paper 1, section 3); λ of order 4.
pub static HEDOP5: Tableau = Tableau {
    id: "hedop5",
    name: "HEDOP5 (half-explicit Dormand-Prince 5(4))",
    order: 5,
    multiplier_order: 4,
    multiplier_order_constant_jacobian: 5,
    stages: 6,
    constrained_stages: 7,
    a: &[
        &[],
        &[1.0 / 5.0],
        &[3.0 / 40.0, 9.0 / 40.0],
        &[44.0 / 45.0, -56.0 / 15.0, 32.0 / 9.0],
        &[19_372.0 / 6_561.0, -25_360.0 / 2_187.0, 64_448.0 / 6_561.0, -212.0 / 729.0],
        &[9_017.0 / 3_168.0, -355.0 / 33.0, 46_732.0 / 5_247.0, 49.0 / 176.0, -5_103.0 / 18_656.0],
        &[35.0 / 384.0, 0.0, 500.0 / 1_113.0, 125.0 / 192.0, -2_187.0 / 6_784.0, 11.0 / 84.0],
        &[
            -18_611_506_045_861.0 / 19_738_176_307_200.0,
            59_332_529.0 / 14_479_296.0,
            -2_509_441_598_627.0 / 893_904_224_850.0,
            2_763_523_204_159.0 / 3_289_696_051_200.0,
            -41_262_869_588_913.0 / 116_235_927_142_400.0,
            46_310_205_821.0 / 287_848_404_480.0,
            -3_280.0 / 75_413.0,
        ],
    ],
    c: &[0.0, 1.0 / 5.0, 3.0 / 10.0, 4.0 / 5.0, 8.0 / 9.0, 1.0, 1.0, 19.0 / 20.0],
    d: &[0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0],
    embedded: Some(EmbeddedRow {
        order: 4,
        row: &[
            5_179.0 / 57_600.0,
            0.0,
            7_571.0 / 16_695.0,
            393.0 / 640.0,
            -92_097.0 / 339_200.0,
            187.0 / 2_100.0,
            1.0 / 40.0,
        ],
    }),
};
