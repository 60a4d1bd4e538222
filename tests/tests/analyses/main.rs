//! Equilibria, linearisations and modes against closed forms and independent references.

mod beams;
mod buckling;
mod equilibria;
mod rod;
mod string;
