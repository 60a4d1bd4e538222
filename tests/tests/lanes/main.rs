//! Members of ensembles in lanes: the numbers of each are those that it has alone.

mod ensembles;
mod hazards;
mod steps;
mod systems;
