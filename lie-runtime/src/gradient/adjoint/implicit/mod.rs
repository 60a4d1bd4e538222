//! Back through the steps of implicit methods: one [stage](stage) for all that are solved by one, and what each does besides.

mod generalized_alpha;
mod rattlie;
mod stage;
mod tr_bdf2;

pub(super) use generalized_alpha::GeneralizedAlphaBack;
pub(super) use rattlie::RattlieBack;
pub(super) use tr_bdf2::TrBdf2Back;
