//! The base parameters of the arm, which determine all of its motions (M. Gautier, W. Khalil, IEEE Trans. Robot. Autom. 6, 1990).
//!
//! By its motion a body is ∫ dm, ∫ x dm and ∫ x xᵀ dm, ten numbers in the frame of its hinge, and the motion is linear in them. Mass on the
//! axis of a hinge moves with the links on both sides of the hinge: m, ∫ xₐ dm and ∫ xₐ² dm along the axis a, three numbers of the ten, can
//! be given to the link before, where they stand at the place of the hinge. The remaining parameters, including the parameters shifted from
//! outer links, are seven base parameters for each link. The first link, whose axis is along the weight, keeps only ∫ (x² + y²) dm.

use lie_runtime::prelude::*;
use lie_runtime::scalar::Dual;

use super::links::{Arm, Link};

/// The axis of each hinge: 1 is y, 2 is z.
pub const AXES: [usize; 6] = [2, 1, 1, 2, 1, 2];
const LETTERS: [char; 3] = ['x', 'y', 'z'];

type Number = Dual<f64>;

/// ∫ dm, ∫ x dm and ∫ x xᵀ dm in the frame of a hinge.
#[derive(Clone, Copy)]
struct Moments {
    mass: Number,
    first: Vector3<Number>,
    second: Matrix3<Number>,
}

impl Moments {
    fn none() -> Self {
        Moments { mass: Number::lift(0.0), first: Vector3::zeros(), second: Matrix3::zeros() }
    }

    fn of(link: &Link<Number>) -> Self {
        let mut spread = Matrix3::from_diagonal(&link.extent.map(Number::exp));
        [spread[(1, 0)], spread[(2, 0)], spread[(2, 1)]] = link.skew.into();
        let second = link.center * link.center.transpose() + spread * spread.transpose();
        Moments { mass: link.mass, first: link.center * link.mass, second: second * link.mass }
    }

    fn with(&self, other: &Self) -> Self {
        Moments { mass: self.mass + other.mass, first: self.first + other.first, second: self.second + other.second }
    }

    /// The moments of a mass on the axis with the same distribution along it.
    fn on_axis(&self, axis: usize) -> Self {
        let mut on_axis = Moments { mass: self.mass, ..Self::none() };
        on_axis.first[axis] = self.first[axis];
        on_axis.second[(axis, axis)] = self.second[(axis, axis)];
        on_axis
    }

    /// The moments in the frame that has this frame at `place`: x + p.
    fn from(&self, place: &Vector3<Number>) -> Self {
        let mixed = self.first * place.transpose();
        let second = self.second + mixed + mixed.transpose() + place * place.transpose() * self.mass;
        Moments { mass: self.mass, first: self.first + place * self.mass, second }
    }
}

/// The base parameters of an arm with their names, link by link from the hand on, and the frictions of the hinges.
pub fn base_parameters(arm: &Arm<Number>) -> Vec<(String, Number)> {
    let mut found = Vec::new();
    let mut given = Moments::none();
    for (at, (link, &axis)) in arm.links.iter().zip(&AXES).enumerate().rev() {
        let moments = Moments::of(link).with(&given);
        let mut tell = |what: &str, value| found.push((format!("{} {what}", at + 1), value));
        tell("friction", link.friction);
        if at == 0 {
            tell("∫ x² + y²", moments.second[(0, 0)] + moments.second[(1, 1)]);
            break;
        }
        for (row, letter) in LETTERS.iter().enumerate() {
            if row != axis {
                tell(&format!("∫ {letter}"), moments.first[row]);
            }
            for (column, other) in LETTERS.iter().enumerate().skip(row) {
                if (row, column) != (axis, axis) {
                    tell(&format!("∫ {letter}{other}"), moments.second[(row, column)]);
                }
            }
        }
        given = moments.on_axis(axis).from(&arm.places[at]);
    }
    found
}
