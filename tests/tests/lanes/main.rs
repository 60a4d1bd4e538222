//! Members of ensembles in lanes: the numbers of each are those that it has alone.

mod ensembles;
mod singularities;
mod steps;
mod systems;
