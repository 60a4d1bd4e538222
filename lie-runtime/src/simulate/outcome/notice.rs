//! What is worth knowing of a run that is no error.

use core::fmt;

use crate::integrator::EnergyBehaviour;
use crate::simulate::motion::{Motion, Simulated};

/// Something about a run that is no error: a method and a declaration that do not go together.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Notice {
    /// A method that is taken because it keeps the energy near its value, for a system whose energy changes by itself: what the
    /// method is better at than others of its order is nothing that this system has.
    NothingToKeep {
        /// The identifier of the method.
        method: &'static str,
        /// The declared forces and dissipations; none where energies or constraints depend on time.
        by: Vec<&'static str>,
    },
    /// A method that takes energy out of fast motions, for a system that conserves energy.
    TakesEnergy {
        /// The identifier of the method.
        method: &'static str,
    },
}

impl fmt::Display for Notice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Notice::NothingToKeep { method, by } => {
                let by = match by.as_slice() {
                    [] => "with time".to_owned(),
                    names => format!("by `{}`", names.join("`, `")),
                };
                write!(
                    f,
                    "`{method}` keeps the energy of conservative systems near its value, and that of this one changes {by}: another \
                     method of its order does as well, and one of higher order better"
                )
            }
            Notice::TakesEnergy { method } => write!(
                f,
                "`{method}` takes energy out of fast motions, and this system conserves energy: over a long run take `rattlie` or \
                 `gauss6`, or one of high order with error control"
            ),
        }
    }
}

/// What there is to say of a method for a system, before the first step.
pub(in crate::simulate) fn notices<P: Simulated>(
    system: &P::System,
    state: &P::State,
    (method, behaviour): (&'static str, EnergyBehaviour),
) -> Vec<Notice> {
    let Some(description) = P::State::description(system) else { return Vec::new() };
    let notice = match (behaviour, description.conserves_energy) {
        (EnergyBehaviour::StaysNear, false) => Some(Notice::NothingToKeep { method, by: state.powers(system) }),
        (EnergyBehaviour::Decays, true) => Some(Notice::TakesEnergy { method }),
        _ => None,
    };
    notice.into_iter().collect()
}
