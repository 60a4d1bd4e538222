//! The bodies: heavy, in a viscous fluid.

use lie_runtime::prelude::*;
use lie_runtime::system::chain::ElementLocation;
use lie_runtime::system::{Contributions, Term};

use super::{Attitudes, Rotors, VARYING, member, write_derivative};

/// The bodies of a field.
pub struct Body<const KIND: usize>;

fn inertia() -> Matrix3<f64> {
    Matrix3::new(2.0, 0.1, 0.2, 0.1, 1.5, 0.0, 0.2, 0.0, 1.2)
}

fn body_mass<const FLAGS: usize>(attitude: &SO3) -> Matrix3<f64> {
    let factor = if FLAGS & VARYING != 0 { 1.0 + 0.2 * attitude.matrix()[(2, 2)] } else { 1.0 };
    inertia() * factor
}

fn body_residual<const FLAGS: usize>(attitude: &SO3, v: &Vector3<f64>, a: &Vector3<f64>) -> Vector3<f64> {
    let mass = body_mass::<FLAGS>(attitude);
    let weight = (attitude.inverse() * Vector3::z()).cross(&Vector3::new(0.3, 0.1, -0.2));
    mass * a + v.cross(&(mass * v)) + 0.2 * v + weight
}

impl<const FLAGS: usize, const KIND: usize> Term<Rotors<FLAGS>> for Body<KIND> {
    type Vector = [f64; 3];
    type Rows = [f64; 0];
    type Matrix = [f64; 9];
    type Jacobian = [f64; 0];
    const KIND: usize = KIND;
    const SLOTS: &'static [usize] = &[3];
    const SEGMENTS: &'static [usize] = &[];
    const HOLONOMIC_ROWS: usize = 0;
    const CONTRIBUTIONS: Contributions = Contributions {
        inertia: true,
        inertia_is_constant: FLAGS & VARYING == 0,
        force: true,
        stiffness: true,
        damping: true,
    };

    without_constraints!(Rotors<FLAGS>, f64, Attitudes, 3);

    fn mass_matrix(_: &Rotors<FLAGS>, place: &ElementLocation<'_>, _: f64, q: &Attitudes, out: &mut [f64; 9]) {
        let mass = body_mass::<FLAGS>(&member::<FLAGS>(KIND, 0, place, q));
        *out = core::array::from_fn(|at| mass[(at / 3, at % 3)]);
    }
    fn force(_: &Rotors<FLAGS>, place: &ElementLocation<'_>, _: f64, q: &Attitudes, v: &[f64; 3], out: &mut [f64; 3]) {
        let attitude = member::<FLAGS>(KIND, 0, place, q);
        *out = (-body_residual::<FLAGS>(&attitude, &Vector3::from(*v), &Vector3::zeros())).into();
    }
    fn kinetic_energy(_: &Rotors<FLAGS>, place: &ElementLocation<'_>, _: f64, q: &Attitudes, v: &[f64; 3]) -> f64 {
        let v = Vector3::from(*v);
        0.5 * v.dot(&(body_mass::<FLAGS>(&member::<FLAGS>(KIND, 0, place, q)) * v))
    }
    fn potential_energy(_: &Rotors<FLAGS>, _: &ElementLocation<'_>, _: f64, _: &Attitudes) -> f64 {
        0.0
    }
    fn residual(
        _: &Rotors<FLAGS>,
        place: &ElementLocation<'_>,
        _: f64,
        q: &Attitudes,
        v: &[f64; 3],
        a: &[f64; 3],
        _: &[f64; 0],
        out: &mut [f64; 3],
    ) {
        let attitude = member::<FLAGS>(KIND, 0, place, q);
        *out = body_residual::<FLAGS>(&attitude, &Vector3::from(*v), &Vector3::from(*a)).into();
    }
    fn tangent_stiffness(
        _: &Rotors<FLAGS>,
        place: &ElementLocation<'_>,
        _: f64,
        q: &Attitudes,
        v: &[f64; 3],
        a: &[f64; 3],
        _: &[f64; 0],
        out: &mut [f64; 9],
    ) {
        let attitude = member::<FLAGS>(KIND, 0, place, q);
        let (v, a) = (Vector3::from(*v), Vector3::from(*a));
        write_derivative(out, |turn: &Vector3<f64>| body_residual::<FLAGS>(&(attitude * SO3::exp(turn)), &v, &a));
    }
    fn tangent_damping(
        _: &Rotors<FLAGS>,
        place: &ElementLocation<'_>,
        _: f64,
        q: &Attitudes,
        v: &[f64; 3],
        out: &mut [f64; 9],
    ) {
        let attitude = member::<FLAGS>(KIND, 0, place, q);
        let (v, rest) = (Vector3::from(*v), Vector3::zeros());
        write_derivative(out, |change: &Vector3<f64>| body_residual::<FLAGS>(&attitude, &(v + change), &rest));
    }
}
