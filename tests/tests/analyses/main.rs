//! Equilibria, linearisations and modes against closed forms and independent references.

mod beams;
mod bicycle;
mod buckling;
mod damped;
mod equilibria;
mod families;
mod modes;
mod periodic;
mod ports;
mod relative;
mod rod;
mod string;
mod switching;
mod symmetries;
mod walking;
