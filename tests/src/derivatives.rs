//! Generated kernels against dual numbers, the worst of many states.

use lie_runtime::group::TangentVector;
use lie_runtime::system::{CheckPoint, DerivativeDeviation, Twin, derivative_check};

use crate::random::Random;

/// The worst deviation of each kernel at `count` random motions through configurations that `place` gives.
pub fn worst_deviations<M>(
    system: &M,
    count: usize,
    mut place: impl FnMut(&mut Random) -> M::Configuration,
) -> Vec<DerivativeDeviation>
where
    M: Twin<Scalar = f64>,
{
    let mut random = Random::new(7);
    let mut worst: Vec<DerivativeDeviation> = Vec::new();
    for _ in 0..count {
        let q = place(&mut random);
        let (mut v, mut acceleration) = (system.zero_velocity(), system.zero_velocity());
        let mut multipliers = system.zero_multipliers();
        for component in 0..system.dof() {
            v.set_component(component, random.number());
            acceleration.set_component(component, random.number());
        }
        for row in 0..system.constraint_rows() {
            multipliers.set_component(row, random.number());
        }
        let t = random.number();
        let at = CheckPoint { t, q: &q, v: &v, acceleration: &acceleration, multipliers: &multipliers };
        for entry in derivative_check(system, at) {
            match worst.iter_mut().find(|known| known.kernel == entry.kernel) {
                Some(known) if entry.deviation <= known.deviation => {}
                Some(known) => *known = entry,
                None => worst.push(entry),
            }
        }
    }
    worst
}
