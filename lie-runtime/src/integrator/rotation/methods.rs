//! The methods as data.

use super::maps::MomentumBalance::{Momentum, Rate};
use super::maps::RotationMap;
use crate::integrator::tableau::{
    ButcherTableau, GAUSS_4, GAUSS_6, IMPLICIT_MIDPOINT, RADAU_3, RUNGE_KUTTA_4, TRAPEZOIDAL,
};

/// A map over a part of the step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Substep {
    /// The map.
    pub map: RotationMap,
    /// The part of h.
    pub part: f64,
}

/// The structure of a step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Rule {
    /// A sequence of maps.
    Composition(&'static [Substep]),
    /// A Runge-Kutta method in the Lie algebra.
    MuntheKaas(&'static ButcherTableau),
}

/// A method of rigid-body rotation.
#[derive(Clone, Copy, Debug, PartialEq)]
#[doc(hidden)]
pub struct RotationMethod {
    /// The identifier in command lines and files.
    pub id: &'static str,
    /// The descriptive name.
    pub name: &'static str,
    /// The order p.
    pub order: usize,
    /// The structure of a step.
    pub rule: Rule,
}

/// A composition of the given maps over the given parts of the step.
macro_rules! composition {
    ($id:literal, $name:literal, order $order:literal: $($map:expr, $part:literal);+) => {
        RotationMethod {
            id: $id,
            name: $name,
            order: $order,
            rule: Rule::Composition(&[$(Substep { map: $map, part: $part }),+]),
        }
    };
}

/// A Munthe-Kaas method.
macro_rules! munthe_kaas {
    ($id:literal, $name:literal, $tableau:ident, order $order:literal) => {
        RotationMethod { id: $id, name: $name, order: $order, rule: Rule::MuntheKaas(&$tableau) }
    };
}

/// The trapezoidal rule in rates.
pub static TRAP: RotationMethod =
    composition!("trap", "TRAP", order 2: RotationMap::Forward(Rate), 0.5; RotationMap::Backward(Rate), 0.5);
/// The midpoint rule in rates.
pub static IMID: RotationMethod =
    composition!("imid", "IMID", order 2: RotationMap::Backward(Rate), 0.5; RotationMap::Forward(Rate), 0.5);
/// The trapezoidal rule that conserves the spatial momentum.
pub static TRAPM: RotationMethod = composition!("trapm", "TRAPM, keeps momentum", order 2: RotationMap::Forward(Momentum), 0.5; RotationMap::Backward(Momentum), 0.5);
/// The midpoint rule that conserves the spatial momentum.
pub static IMIDM: RotationMethod = composition!("imidm", "IMIDM, keeps momentum", order 2: RotationMap::Backward(Momentum), 0.5; RotationMap::Forward(Momentum), 0.5);

/// SWC1 (Simo, Wong).
pub static SWC1: RotationMethod = composition!("swc1", "SWC1 (Simo, Wong)", order 2: RotationMap::SimoWong, 1.0);
/// AKW (Austin, Krishnaprasad, Wang).
pub static AKW: RotationMethod =
    composition!("akw", "AKW (Austin, Krishnaprasad, Wang)", order 2: RotationMap::Cayley, 1.0);
/// BBTRAP (Bottasso, Borri).
pub static BBTRAP: RotationMethod =
    composition!("bbtrap", "BBTRAP (Bottasso, Borri)", order 2: RotationMap::BottassoBorri, 1.0);
/// BBTRAPWD (Bottasso, Borri).
pub static BBTRAPWD: RotationMethod = munthe_kaas!("bbtrapwd", "BBTRAPWD (Bottasso, Borri)", TRAPEZOIDAL, order 2);
/// MKRK midpoint.
pub static MKRK_MIDPOINT: RotationMethod = munthe_kaas!("mkrk_midpoint", "MKRK midpoint", IMPLICIT_MIDPOINT, order 2);
/// MKRK Radau IIA.
pub static MKRK_RADAU3: RotationMethod = munthe_kaas!("mkrk_radau3", "MKRK Radau IIA", RADAU_3, order 3);
/// MKRK classical.
pub static MKRK_RK4: RotationMethod = munthe_kaas!("mkrk_rk4", "MKRK classical", RUNGE_KUTTA_4, order 4);
/// MKRK Gauss, two stages.
pub static MKRK_GAUSS4: RotationMethod = munthe_kaas!("mkrk_gauss4", "MKRK Gauss, two stages", GAUSS_4, order 4);
/// MKRK Gauss, three stages.
pub static MKRK_GAUSS6: RotationMethod = munthe_kaas!("mkrk_gauss6", "MKRK Gauss, three stages", GAUSS_6, order 6);
/// forward Euler.
pub static EULER_FORWARD: RotationMethod =
    composition!("euler_forward", "forward Euler", order 1: RotationMap::Forward(Rate), 1.0);
/// backward Euler.
pub static EULER_BACKWARD: RotationMethod =
    composition!("euler_backward", "backward Euler", order 1: RotationMap::Backward(Rate), 1.0);
/// forward Euler, keeps momentum.
pub static EULERM_FORWARD: RotationMethod =
    composition!("eulerm_forward", "forward Euler, keeps momentum", order 1: RotationMap::Forward(Momentum), 1.0);
/// backward Euler, keeps momentum.
pub static EULERM_BACKWARD: RotationMethod =
    composition!("eulerm_backward", "backward Euler, keeps momentum", order 1: RotationMap::Backward(Momentum), 1.0);

/// All methods: the methods of paper 5, their component Euler methods, and further tableaux.
pub static METHODS: [RotationMethod; 17] = [
    TRAP,
    IMID,
    TRAPM,
    IMIDM,
    SWC1,
    AKW,
    BBTRAP,
    BBTRAPWD,
    MKRK_MIDPOINT,
    MKRK_RADAU3,
    MKRK_RK4,
    MKRK_GAUSS4,
    MKRK_GAUSS6,
    EULER_FORWARD,
    EULER_BACKWARD,
    EULERM_FORWARD,
    EULERM_BACKWARD,
];
