//! Configuration spaces: products of all kinds of members against differences of themselves, chains against powers.

use lie_runtime::nalgebra::{DVector, SVector};
use lie_runtime::prelude::*;

/// A member of every kind: curved and flat groups, a power, a sphere, a number.
#[mechanical_system]
mod mixed {
    use lie_runtime::prelude::*;

    #[configuration]
    pub struct Place {
        pub attitude: SO3,
        pub links: [SE2; 2],
        pub direction: S2,
        pub slide: f64,
        pub wheel: SO2,
        pub pose: S3R3,
    }

    #[kinetic_energy]
    fn kinetic(v: &Velocity) -> f64 {
        let links = v.links[0].norm_squared() + v.links[1].norm_squared();
        let rest = v.slide * v.slide + v.wheel * v.wheel + v.pose.norm_squared();
        0.5 * (v.attitude.norm_squared() + links + v.direction.norm_squared() + rest)
    }
}

/// Three poses by name of their number.
#[mechanical_system]
mod power {
    use lie_runtime::prelude::*;

    #[configuration]
    pub struct Poses {
        pub nodes: [SE3; 3],
    }

    #[kinetic_energy]
    fn kinetic(v: &Velocity) -> f64 {
        0.5 * (v.nodes[0].norm_squared() + v.nodes[1].norm_squared() + v.nodes[2].norm_squared())
    }
}

/// As many as are asked for.
#[mechanical_system]
mod chain {
    use lie_runtime::prelude::*;

    #[configuration]
    pub struct Poses {
        pub nodes: Vec<SE3>,
    }

    #[kinetic_energy(over = nodes)]
    fn kinetic(v: &Vector6<f64>) -> f64 {
        0.5 * v.norm_squared()
    }
}

/// The same with its ends held.
#[mechanical_system]
mod clamped {
    use lie_runtime::prelude::*;

    #[configuration]
    pub struct Poses {
        #[clamped(first)]
        pub nodes: Vec<SE3>,
    }

    #[kinetic_energy(over = nodes)]
    fn kinetic(v: &Vector6<f64>) -> f64 {
        0.5 * v.norm_squared()
    }
}

/// Numbers in (−1, 1), a sequence for each seed.
fn numbers<const N: usize>(seed: u64) -> SVector<f64, N> {
    let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    SVector::from_fn(|_, _| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state >> 11) as f64 / 4_503_599_627_370_496.0 - 1.0
    })
}

fn place() -> mixed::Place {
    let [a, b, c] = [1, 2, 3].map(numbers::<6>);
    mixed::Place {
        attitude: SO3::exp(&a.fixed_rows::<3>(0).into_owned()),
        links: [SE2::exp(&b.fixed_rows::<3>(0).into_owned()), SE2::exp(&b.fixed_rows::<3>(3).into_owned())],
        direction: S2::new(c.fixed_rows::<3>(0).into_owned()).unwrap(),
        slide: 12.5,
        wheel: SO2::from_angle(2.0),
        pose: S3R3::exp(&c),
    }
}

/// The position of ω of the direction in the velocity.
const DIRECTION: usize = 9;

#[test]
fn what_a_product_does_is_the_derivative_of_how_it_moves() {
    let system = mixed::System::new().unwrap();
    let (space, q) = (system.space(), place());
    assert_eq!((space.dof(), size_of_val(space)), (20, 0));
    let (theta, v, p): (SVector<f64, 20>, SVector<f64, 20>, SVector<f64, 20>) = (numbers(4), numbers(5), numbers(6));
    let moved = |theta: &SVector<f64, 20>| {
        let mut out = q;
        space.compose_exp(&q, theta, &mut out);
        out
    };
    let apply = |f: &dyn Fn(&mut SVector<f64, 20>)| {
        let mut out = space.zero_velocity();
        f(&mut out);
        out
    };
    // T(θ) v by differences of the motion itself; ω of a direction only as far as it moves it.
    let tangent = apply(&|out| space.tangent(&theta, &v, out));
    let h = 1e-5;
    let (before, after) = (moved(&(theta - v * h)), moved(&(theta + v * h)));
    let mut slope = apply(&|out| space.log_difference(&before, &after, out)) / (2.0 * h);
    let here = moved(&theta).direction.direction();
    let mut expected = tangent;
    for vector in [&mut slope, &mut expected] {
        let omega = vector.fixed_rows::<3>(DIRECTION).into_owned();
        vector.fixed_rows_mut::<3>(DIRECTION).copy_from(&(omega - here * here.dot(&omega)));
    }
    assert!((slope - expected).norm() < 1e-8, "{:e}", (slope - expected).norm());

    let back = apply(&|out| space.tangent_inverse(&theta, &tangent, out));
    assert!((back - v).norm() < 1e-13);
    let transposed = apply(&|out| space.tangent_inverse_transpose(&theta, &p, out));
    let inverse = apply(&|out| space.tangent_inverse(&theta, &v, out));
    assert!((transposed.dot(&v) - p.dot(&inverse)).abs() < 1e-13);
    // T(v)⁻¹ w = w + ½ [v, w] + O(v²): the bracket, and ad* as what is dual to it.
    let bracket = |v: &SVector<f64, 20>, w: &SVector<f64, 20>| {
        let at = |step: f64| apply(&|out| space.tangent_inverse(&(v * step), w, out));
        (at(1e-5) - at(-1e-5)) / 1e-5
    };
    let coadjoint = apply(&|out| space.coadjoint(&v, &p, out));
    assert!((coadjoint.dot(&theta) - p.dot(&bracket(&v, &theta))).abs() < 1e-9);
}

#[test]
fn distances_finiteness_and_membership_are_of_all_members() {
    let system = mixed::System::new().unwrap();
    let (space, q) = (system.space(), place());
    let mut theta: SVector<f64, 20> = numbers(7);
    // Along the direction an ω moves nothing.
    let along = q.direction.direction();
    let omega = theta.fixed_rows::<3>(DIRECTION).into_owned();
    theta.fixed_rows_mut::<3>(DIRECTION).copy_from(&(omega - along * along.dot(&omega)));
    let mut moved = q;
    space.compose_exp(&q, &theta, &mut moved);
    assert!((space.distance(&q, &moved) - theta.norm()).abs() < 1e-13);
    assert!(space.distance(&q, &q) < 1e-15 && space.is_finite(&moved));
    assert!(space.worst_member(&moved).unwrap().defect < 1e-15);
    moved.links[1].translation.x = f64::NAN;
    assert!(!space.is_finite(&moved));
    let mut off = q;
    off.direction = S2::new_unchecked(off.direction.direction() * 1.001);
    let worst = space.worst_member(&off).unwrap();
    assert_eq!((worst.member, worst.index), ("direction", None));
    space.renormalize(&mut off);
    assert!(space.worst_member(&off).unwrap().defect < 2e-6);
    off = q;
    off.links[1].rotation = SO2::from_coordinates_unchecked([1.0, 0.1]);
    let worst = space.worst_member(&off).unwrap();
    assert_eq!((worst.member, worst.index), ("links", Some(1)));
}

#[test]
fn states_move_with_their_velocities_and_spins_go() {
    let system = mixed::System::new().unwrap();
    let (space, q) = (system.space(), place());
    let mut v: SVector<f64, 20> = numbers(8);
    let spin = v.fixed_rows::<3>(DIRECTION).dot(&q.direction.direction());
    assert!((space.remove_spins(&q, &mut v) - spin.abs()).abs() < 1e-15);
    assert_eq!(space.remove_spins(&q, &mut v), 0.0);
    // (v, w) that has the acceleration a is v' itself but on the sphere.
    let acceleration: SVector<f64, 20> = numbers(9);
    let mut w = space.zero_velocity();
    space.state_direction(&q, &acceleration, &mut w);
    let h = 1e-5;
    let moved = |h: f64| {
        let (mut to, mut velocity) = (q, v);
        space.move_state((&q, &v), (&(v * h), &(w * h)), (&mut to, &mut velocity));
        (to, velocity)
    };
    let ((before, slower), (after, faster)) = (moved(-h), moved(h));
    assert!(after.direction.direction().dot(&faster.fixed_rows::<3>(DIRECTION)).abs() < 1e-14);
    let mut rate = space.zero_velocity();
    space.log_difference(&before, &after, &mut rate);
    assert!((rate / (2.0 * h) - v).norm() < 1e-8);
    // ω' is the acceleration without what would turn about q.
    let mut wanted = acceleration;
    let direction = q.direction.direction();
    let omega = wanted.fixed_rows::<3>(DIRECTION).into_owned();
    wanted.fixed_rows_mut::<3>(DIRECTION).copy_from(&(omega - direction * direction.dot(&omega)));
    assert!(((faster - slower) / (2.0 * h) - wanted).norm() < 1e-8);
}

#[test]
fn a_chain_is_the_power_of_its_length() {
    let (power, chain) = (power::System::new().unwrap(), chain::System::new(chain::Lengths { nodes: 3 }).unwrap());
    let nodes = [10, 11, 12].map(|seed| SE3::exp(&numbers::<6>(seed)));
    let (fixed, free) = (power::Poses { nodes }, chain::Poses { nodes: nodes.to_vec() });
    let (theta, v): (SVector<f64, 18>, SVector<f64, 18>) = (numbers(13), numbers(14));
    let list = |v: &SVector<f64, 18>| DVector::from_column_slice(v.as_slice());
    let (mut q, mut r) = (fixed, free.clone());
    power.space().compose_exp(&fixed, &theta, &mut q);
    chain.space().compose_exp(&free, &list(&theta), &mut r);
    assert_eq!(q.nodes.as_slice(), r.nodes);
    assert_eq!(power.space().distance(&fixed, &q), chain.space().distance(&free, &r));
    let (mut a, mut b) = (power.space().zero_velocity(), chain.space().zero_velocity());
    power.space().tangent_inverse_transpose(&theta, &v, &mut a);
    chain.space().tangent_inverse_transpose(&list(&theta), &list(&v), &mut b);
    assert_eq!(a.as_slice(), b.as_slice());
    power.space().coadjoint(&theta, &v, &mut a);
    chain.space().coadjoint(&list(&theta), &list(&v), &mut b);
    assert_eq!(a.as_slice(), b.as_slice());
    assert_eq!(chain.space().origin(), chain::Poses { nodes: vec![SE3::identity(); 3] });
    // The product of groups is a group; its exp is that of the members.
    assert_eq!(fixed.compose(&power::Poses::exp(&theta)).nodes, q.nodes);
    assert!((fixed.inverse().compose(&q).log() - theta).norm() < 1e-13);
}

#[test]
fn clamped_members_stay_and_foreign_lengths_are_told() {
    let system = clamped::System::new(clamped::Lengths { nodes: 3 }).unwrap();
    let space = system.space();
    assert_eq!(space.dof(), 12);
    let q = clamped::Poses { nodes: [15, 16, 17].map(|seed| SE3::exp(&numbers::<6>(seed))).to_vec() };
    let mut moved = space.origin();
    space.compose_exp(&q, &DVector::from_element(12, 0.1), &mut moved);
    assert_eq!(moved.nodes[0], q.nodes[0]);
    let turned = q.nodes[1] * SE3::exp(&Vector6::repeat(0.1));
    assert!((moved.nodes[1].inverse() * turned).log().norm() < 1e-15);
    let short = clamped::Poses { nodes: q.nodes[..2].to_vec() };
    let error = space.check(&short).unwrap_err();
    assert_eq!((error.member, error.expected, error.given), ("nodes", 3, 2));
    let mut out = space.zero_velocity();
    space.log_difference(&short, &q, &mut out);
    assert!(out.iter().all(|x| x.is_nan()));
    space.tangent(&DVector::zeros(11), &DVector::zeros(12), &mut out);
    assert!(out.iter().all(|x| x.is_nan()));
}
