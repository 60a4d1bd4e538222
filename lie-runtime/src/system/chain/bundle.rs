//! The spheres of a field with their velocities: the loops that generated code calls.

use super::Span;
use super::members::{free, free_mut, vector};
use crate::scalar::Scalar;
use crate::space::S2;
use crate::system::bundle::{move_with_velocity, rate_with_velocity, turning, without_spin};

/// The free members moved by exp(ξ) of SE(3), with their velocities.
#[allow(clippy::needless_pass_by_value)] // A pair of places to write to.
pub fn chain_move_bundles<S: Scalar>(
    q: &[S2<S>],
    span: &Span,
    v: &[S],
    [theta, w]: [&[S]; 2],
    (out_q, out_v): (&mut [S2<S>], &mut [S]),
) {
    let twists = free::<S, 3>(span, theta).zip(free::<S, 3>(span, w));
    let velocities = free::<S, 3>(span, v).zip(free_mut::<S, 3>(span, out_v));
    for (((member, theta), (_, w)), ((_, v), (_, out_velocity))) in twists.zip(velocities) {
        let mut velocity = vector(v);
        out_q[member] = move_with_velocity(&q[member], &vector(v), (&vector(theta), &vector(w)), 0, &mut velocity);
        *out_velocity = velocity.into();
    }
}

/// dexp⁻¹_σ of `direction` of the free members.
pub fn chain_bundle_rates<S: Scalar>(span: &Span, sigma: [&[S]; 2], direction: [&[S]; 2], [theta, w]: [&mut [S]; 2]) {
    let [sigmas, directions] =
        [sigma, direction].map(|[theta, w]| free::<S, 3>(span, theta).zip(free::<S, 3>(span, w)));
    let outs = free_mut::<S, 3>(span, theta).zip(free_mut::<S, 3>(span, w));
    for ((((_, a), (_, b)), ((_, u), (_, x))), ((_, out_theta), (_, out_w))) in sigmas.zip(directions).zip(outs) {
        let mut rates = (vector(u), vector(x));
        let (sigma, direction) = ((vector(a), vector(b)), (vector(u), vector(x)));
        let out = (&mut rates.0, &mut rates.1);
        rate_with_velocity((&sigma.0, &sigma.1), (&direction.0, &direction.1), 0, out);
        (*out_theta, *out_w) = (rates.0.into(), rates.1.into());
    }
}

/// q × ω' of the free members.
pub fn chain_bundle_directions<S: Scalar>(q: &[S2<S>], span: &Span, acceleration: &[S], out: &mut [S]) {
    for ((member, acceleration), (_, out)) in free::<S, 3>(span, acceleration).zip(free_mut::<S, 3>(span, out)) {
        *out = turning(&q[member], &vector(acceleration)).into();
    }
}

/// Takes from the velocities of the free members what turns about their directions; the square of what was taken.
pub fn chain_remove_spins<S: Scalar>(q: &[S2<S>], span: &Span, v: &mut [S]) -> f64 {
    free_mut::<S, 3>(span, v).fold(0.0, |sum, (member, omega)| {
        let mut own = vector(omega);
        let square = without_spin(&q[member].direction(), &mut own);
        *omega = own.into();
        sum + square
    })
}
