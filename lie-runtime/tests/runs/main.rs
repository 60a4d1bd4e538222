//! No run ends well and is wrong: constraints that are left, initial values, limits, blow-ups, wrong lengths.

mod attacks;
mod blow_ups;
mod constraints;
mod damped;
mod dead_time;
mod energy;
mod ensemble_events;
mod ensembles;
mod equilibria;
mod fields;
mod foreign;
mod going_on;
mod initial_values;
mod inputs;
mod limits;
mod models;
mod results;
mod stalls;
mod threads;
mod warnings;
