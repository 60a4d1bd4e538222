//! The listed methods.

use super::coefficients::{Auxiliary, CommutatorFreeMethod, Composition};

/// All methods: commutator-free methods, then Crouch-Grossman methods, by order.
pub static METHODS: [&CommutatorFreeMethod; 6] = [&CF3A, &CF3B, &CF4, &CG2, &CG3, &CG4];

/// The pair 3(2) that reuses its second stage (paper 3, section 4.2.1, after Curry and Owren).
pub static CF3A: CommutatorFreeMethod = CommutatorFreeMethod {
    id: "cf3a",
    name: "commutator-free 3(2), second stage reused",
    order: 3,
    stages: &[
        Composition { from: 0, exponentials: &[&[1.0 / 3.0]] },
        Composition { from: 0, exponentials: &[&[0.0, 2.0 / 3.0]] },
    ],
    c: &[1.0 / 3.0, 2.0 / 3.0],
    step: Composition { from: 1, exponentials: &[&[-1.0 / 12.0, 0.0, 3.0 / 4.0]] },
    estimate: Some(Auxiliary {
        order: 2,
        stages: &[],
        c: &[],
        step: Composition { from: 0, exponentials: &[&[0.0, 0.5, 0.5]] },
    }),
};

/// The pair 3(2) that reuses its third stage (paper 3, section 4.2.1, after Curry and Owren).
pub static CF3B: CommutatorFreeMethod = CommutatorFreeMethod {
    id: "cf3b",
    name: "commutator-free 3(2), third stage reused",
    order: 3,
    stages: &[
        Composition { from: 0, exponentials: &[&[2.0 / 3.0]] },
        Composition { from: 0, exponentials: &[&[5.0 / 12.0, 1.0 / 4.0]] },
    ],
    c: &[2.0 / 3.0, 2.0 / 3.0],
    step: Composition { from: 2, exponentials: &[&[-1.0 / 6.0, -0.5, 1.0]] },
    estimate: Some(Auxiliary {
        order: 2,
        stages: &[],
        c: &[],
        step: Composition { from: 0, exponentials: &[&[0.25, 0.0, 0.75]] },
    }),
};

/// Order 4 (paper 3, eq. 9, after Celledoni, Marthinsen and Owren) with the auxiliary method of eq. (34).
pub static CF4: CommutatorFreeMethod = CommutatorFreeMethod {
    id: "cf4",
    name: "commutator-free 4(3)",
    order: 4,
    stages: &[
        Composition { from: 0, exponentials: &[&[0.5]] },
        Composition { from: 0, exponentials: &[&[0.0, 0.5]] },
        Composition { from: 1, exponentials: &[&[-0.5, 0.0, 1.0]] },
    ],
    c: &[0.5, 0.5, 1.0],
    step: Composition {
        from: 0,
        exponentials: &[
            &[1.0 / 4.0, 1.0 / 6.0, 1.0 / 6.0, -1.0 / 12.0],
            &[-1.0 / 12.0, 1.0 / 6.0, 1.0 / 6.0, 1.0 / 4.0],
        ],
    },
    estimate: Some(Auxiliary {
        order: 3,
        stages: &[Composition { from: 0, exponentials: &[&[0.0, 3.0 / 4.0]] }],
        c: &[3.0 / 4.0],
        step: Composition { from: 0, exponentials: &[&[1.0 / 3.0], &[-1.0 / 9.0, 1.0 / 3.0, 0.0, 0.0, 4.0 / 9.0]] },
    }),
};

/// Crouch-Grossman of order 2: the explicit midpoint rule.
pub static CG2: CommutatorFreeMethod = CommutatorFreeMethod {
    id: "cg2",
    name: "Crouch-Grossman 2",
    order: 2,
    stages: &[Composition { from: 0, exponentials: &[&[0.5]] }],
    c: &[0.5],
    step: Composition { from: 0, exponentials: &[&[0.0, 1.0]] },
    estimate: None,
};

/// Crouch-Grossman of order 3 with three stages (Crouch and Grossman 1993).
pub static CG3: CommutatorFreeMethod = CommutatorFreeMethod {
    id: "cg3",
    name: "Crouch-Grossman 3",
    order: 3,
    stages: &[
        Composition { from: 0, exponentials: &[&[3.0 / 4.0]] },
        Composition { from: 0, exponentials: &[&[119.0 / 216.0], &[0.0, 17.0 / 108.0]] },
    ],
    c: &[3.0 / 4.0, 17.0 / 24.0],
    step: Composition { from: 0, exponentials: &[&[13.0 / 51.0], &[0.0, -2.0 / 3.0], &[0.0, 0.0, 24.0 / 17.0]] },
    estimate: None,
};

/// Crouch-Grossman of order 4 with five stages (Owren and Marthinsen, Runge-Kutta methods adapted to manifolds and based
/// on rigid frames, BIT 39, 1999).
pub static CG4: CommutatorFreeMethod = CommutatorFreeMethod {
    id: "cg4",
    name: "Crouch-Grossman 4",
    order: 4,
    stages: &[
        Composition { from: 0, exponentials: &[&[0.817_722_798_812_485_2]] },
        Composition { from: 0, exponentials: &[&[0.319_987_637_547_642_7], &[0.0, 0.065_986_426_355_602_2]] },
        Composition {
            from: 0,
            exponentials: &[
                &[0.921_441_719_446_494_6],
                &[0.0, 0.499_785_777_677_357_3],
                &[0.0, 0.0, -1.096_998_444_837_158_2],
            ],
        },
        Composition {
            from: 0,
            exponentials: &[
                &[0.355_235_855_902_332_2],
                &[0.0, 0.239_095_837_230_732_6],
                &[0.0, 0.0, 1.391_856_572_420_324_6],
                &[0.0, 0.0, 0.0, -1.109_297_939_211_346_5],
            ],
        },
    ],
    c: &[0.817_722_798_812_485_2, 0.385_974_063_903_244_9, 0.324_229_052_286_693_7, 0.876_890_326_342_042_9],
    step: Composition {
        from: 0,
        exponentials: &[
            &[0.137_083_152_063_075_5],
            &[0.0, -0.018_369_853_156_402_0],
            &[0.0, 0.0, 0.739_781_398_537_078],
            &[0.0, 0.0, 0.0, -0.190_714_256_550_588_9],
            &[0.0, 0.0, 0.0, 0.0, 0.332_219_559_106_837_4],
        ],
    },
    estimate: None,
};
