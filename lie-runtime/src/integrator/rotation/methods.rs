//! The methods as data.

use super::maps::Balance::{Momentum, Rate};
use super::maps::Map;
use crate::integrator::tableau::{
    ButcherTableau, GAUSS_4, GAUSS_6, IMPLICIT_MIDPOINT, RADAU_3, RUNGE_KUTTA_4, TRAPEZOIDAL,
};

/// A map over a part of the step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Substep {
    /// The map.
    pub map: Map,
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
pub struct Method {
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
        Method {
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
        Method { id: $id, name: $name, order: $order, rule: Rule::MuntheKaas(&$tableau) }
    };
}

/// The trapezoidal rule in rates.
pub static TRAP: Method = composition!("trap", "TRAP", order 2: Map::Forward(Rate), 0.5; Map::Backward(Rate), 0.5);
/// The midpoint rule in rates.
pub static IMID: Method = composition!("imid", "IMID", order 2: Map::Backward(Rate), 0.5; Map::Forward(Rate), 0.5);
/// The trapezoidal rule that conserves the spatial momentum.
pub static TRAPM: Method =
    composition!("trapm", "TRAPM, keeps momentum", order 2: Map::Forward(Momentum), 0.5; Map::Backward(Momentum), 0.5);
/// The midpoint rule that conserves the spatial momentum.
pub static IMIDM: Method =
    composition!("imidm", "IMIDM, keeps momentum", order 2: Map::Backward(Momentum), 0.5; Map::Forward(Momentum), 0.5);

/// SWC1 (Simo, Wong).
pub static SWC1: Method = composition!("swc1", "SWC1 (Simo, Wong)", order 2: Map::SimoWong, 1.0);
/// AKW (Austin, Krishnaprasad, Wang).
pub static AKW: Method = composition!("akw", "AKW (Austin, Krishnaprasad, Wang)", order 2: Map::Cayley, 1.0);
/// BBTRAP (Bottasso, Borri).
pub static BBTRAP: Method = composition!("bbtrap", "BBTRAP (Bottasso, Borri)", order 2: Map::BottassoBorri, 1.0);
/// BBTRAPWD (Bottasso, Borri).
pub static BBTRAPWD: Method = munthe_kaas!("bbtrapwd", "BBTRAPWD (Bottasso, Borri)", TRAPEZOIDAL, order 2);
/// MKRK midpoint.
pub static MKRK_MIDPOINT: Method = munthe_kaas!("mkrk_midpoint", "MKRK midpoint", IMPLICIT_MIDPOINT, order 2);
/// MKRK Radau IIA.
pub static MKRK_RADAU3: Method = munthe_kaas!("mkrk_radau3", "MKRK Radau IIA", RADAU_3, order 3);
/// MKRK classical.
pub static MKRK_RK4: Method = munthe_kaas!("mkrk_rk4", "MKRK classical", RUNGE_KUTTA_4, order 4);
/// MKRK Gauss, two stages.
pub static MKRK_GAUSS4: Method = munthe_kaas!("mkrk_gauss4", "MKRK Gauss, two stages", GAUSS_4, order 4);
/// MKRK Gauss, three stages.
pub static MKRK_GAUSS6: Method = munthe_kaas!("mkrk_gauss6", "MKRK Gauss, three stages", GAUSS_6, order 6);
/// forward Euler.
pub static EULER_FORWARD: Method = composition!("euler_forward", "forward Euler", order 1: Map::Forward(Rate), 1.0);
/// backward Euler.
pub static EULER_BACKWARD: Method = composition!("euler_backward", "backward Euler", order 1: Map::Backward(Rate), 1.0);
/// forward Euler, keeps momentum.
pub static EULERM_FORWARD: Method =
    composition!("eulerm_forward", "forward Euler, keeps momentum", order 1: Map::Forward(Momentum), 1.0);
/// backward Euler, keeps momentum.
pub static EULERM_BACKWARD: Method =
    composition!("eulerm_backward", "backward Euler, keeps momentum", order 1: Map::Backward(Momentum), 1.0);

/// All methods: the methods of paper 5, their component Euler methods, and further tableaux.
pub static METHODS: [Method; 17] = [
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
