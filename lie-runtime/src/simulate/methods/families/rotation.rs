//! Rotation of a rigid body: the methods of paper 5.

use crate::group::TangentVector;
use crate::integrator::rotation::METHODS;
use crate::integrator::{AnyMethod, Rotation};
use crate::simulate::methods::choices::Choices;
use crate::simulate::methods::error::MethodError;
use crate::simulate::methods::info::{MethodInfo, MethodRequirement};
use crate::system::Linearised;

pub fn infos() -> Vec<MethodInfo> {
    let info = |method: &crate::integrator::rotation::RotationMethod| MethodInfo {
        needs: MethodRequirement::OneRotation,
        ..MethodInfo::new(method.id, method.name, "rotation of a rigid body", method.order)
    };
    METHODS.iter().map(info).collect()
}

pub fn method<M: Linearised>(choices: &Choices<'_>) -> Result<AnyMethod<M>, MethodError> {
    // A constant: the methods are not compiled for systems that cannot be a single rotation.
    if const { may_be_one_rotation::<M>() } {
        Rotation::by_id(choices.method()).map(AnyMethod::of).ok_or_else(|| choices.unlisted())
    } else {
        Err(MethodError::NotApplicable { method: choices.method(), needs: MethodRequirement::OneRotation })
    }
}

/// Returns false if the types of velocities or multipliers exclude a single rotation.
const fn may_be_one_rotation<M: Linearised>() -> bool {
    matches!(<M::Velocity as TangentVector>::COMPONENTS, None | Some(3))
        && matches!(<M::Multipliers as TangentVector>::COMPONENTS, None | Some(0))
}
