//! Derivatives of motions, against differences of whole runs and closed forms.

mod backward;
mod forward;
mod refused;
