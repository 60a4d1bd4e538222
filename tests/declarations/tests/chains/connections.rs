//! Terms over tuples of members that are listed at run time, against sums and systems that are written out.

use fixtures::random::Random;
use lie_runtime::nalgebra::DVector;
use lie_runtime::prelude::*;
use lie_runtime::system::{CheckPoint, ModelError, derivative_check};

/// Every role over a list, of one chain and of two.
#[mechanical_system(derivative_check)]
mod net {
    use lie_runtime::prelude::*;

    #[configuration]
    pub struct Net {
        #[clamped(first)]
        pub knots: Vec<R3>,
        pub bars: Vec<SE3>,
    }

    #[parameters]
    pub struct Data {
        pub masses: Vec<f64>,
        pub stiffness: Vec<f64>,
        pub gravity: f64,
    }

    #[kinetic_energy(over = knots)]
    fn kinetic(p: &Data, index: usize, v: &Vector3<f64>) -> f64 {
        0.5 * p.masses[index] * v.norm_squared()
    }

    #[kinetic_energy(over = bars)]
    fn of_bars(v: &Vector6<f64>) -> f64 {
        0.5 * v.norm_squared()
    }

    #[kinetic_energy(over = (knots, knots).by(springs))]
    fn consistent(va: &Vector3<f64>, vb: &Vector3<f64>) -> f64 {
        0.05 * (va + vb).norm_squared()
    }

    #[quantity(over = (knots, knots).by(springs))]
    pub fn stretch(a: &R3, b: &R3) -> f64 {
        (b - a).norm_squared() - 1.0
    }

    #[potential(over = (knots, knots).by(springs))]
    fn elastic(p: &Data, index: usize, a: &R3, b: &R3) -> f64 {
        p.stiffness[index] * stretch(a, b).powi(2)
    }

    #[dissipation(over = (knots, knots).by(springs))]
    fn viscous(a: &R3, b: &R3, va: &Vector3<f64>, vb: &Vector3<f64>) -> f64 {
        0.1 * stretch_rate(a, b, va, vb).powi(2)
    }

    #[constraint(over = (bars, knots).by(pins))]
    fn pinned(bar: &SE3, knot: &R3) -> Vector3<f64> {
        knot - *bar * Vector3::new(0.5, 0.0, 0.0)
    }

    #[velocity_constraint(over = knots.by(rails))]
    fn along(index: usize, length: usize, v: &Vector3<f64>) -> f64 {
        v.z - v.x * (index + length) as f64
    }

    #[force(over = (knots, knots, bars).by(triples))]
    fn follower(
        length: usize,
        a: &R3,
        b: &R3,
        _bar: &SE3,
        va: &Vector3<f64>,
        vb: &Vector3<f64>,
        vc: &Vector6<f64>,
    ) -> SVector<f64, 12> {
        let n = a.cross(b) * length as f64 - va * 0.1 + vb * vc.angular().x;
        SVector::<f64, 12>::from_row_slice(&[n.x, n.y, n.z, -n.x, -n.y, -n.z, 0.0, 0.0, 0.0, n.x, 0.0, 0.0])
    }

    #[potential(over = knots)]
    fn weight(p: &Data, x: &R3) -> f64 {
        p.gravity * x.z
    }
}

const SPRINGS: [[usize; 2]; 9] = [[0, 1], [1, 2], [2, 3], [3, 0], [4, 1], [5, 2], [6, 7], [7, 0], [0, 6]];

fn lengths() -> net::Lengths {
    net::Lengths {
        knots: 8,
        bars: 2,
        springs: SPRINGS.to_vec(),
        pins: vec![[0, 3], [1, 5]],
        rails: vec![[7], [2]],
        triples: vec![[2, 6, 1], [7, 1, 0]],
    }
}

fn data() -> net::Data {
    net::Data {
        masses: (0..8_u8).map(|i| 1.0 + f64::from(i)).collect(),
        stiffness: (0..9_u8).map(|i| 5.0 + f64::from(i)).collect(),
        gravity: 9.81,
    }
}

#[test]
fn every_role_runs_over_lists() {
    let system = net::System::new(data(), lengths()).expect("a net");
    assert_eq!((system.dof(), system.constraint_rows(), system.holonomic_rows()), (33, 8, 6));
    let mut random = Random::new(5);
    for _ in 0..5 {
        let bar = |random: &mut Random| SE3::exp(&random.vector::<6>());
        let q = net::Net {
            knots: (0..8).map(|_| random.vector::<3>()).collect(),
            bars: (0..2).map(|_| bar(&mut random)).collect(),
        };
        let [v, acceleration] = [0, 1].map(|_| DVector::from_fn(33, |_, _| random.number()));
        let multipliers = DVector::from_fn(8, |_, _| random.number());
        let at = CheckPoint { t: 0.0, q: &q, v: &v, acceleration: &acceleration, multipliers: &multipliers };
        for kernel in derivative_check(&system, at) {
            assert!(kernel.deviation < 1e-13, "{kernel:?}");
        }
        system.check_against_declaration(0.0, &q, &v).expect("the functions themselves");
        // A sum over the list, written here.
        let elastic: f64 = SPRINGS
            .iter()
            .zip(data().stiffness)
            .map(|(&[a, b], k)| k * ((q.knots[b] - q.knots[a]).norm_squared() - 1.0).powi(2))
            .sum();
        let weight: f64 = q.knots.iter().map(|x| 9.81 * x.z).sum();
        let potential = system.potential_energy(0.0, &q);
        assert!((potential - elastic - weight).abs() < 1e-12 * potential.abs().max(1.0));
    }
}

#[test]
fn lists_that_do_not_fit_are_named() {
    let made = |change: fn(&mut net::Lengths)| {
        let mut lengths = lengths();
        change(&mut lengths);
        net::System::new(data(), lengths)
    };
    let error = |change| made(change).expect_err("a wrong list");
    assert!(
        error(|lengths| lengths.springs.push([3, 8]))
            .to_string()
            .starts_with("`springs[9]` connects `knots[8]`, but `knots` has 8 members, numbered from 0")
    );
    assert!(
        error(|lengths| lengths.springs[4] = [3, 3])
            .to_string()
            .starts_with("`springs[4]` connects `knots[3]` with itself; remove this connection")
    );
    let far = error(|lengths| lengths.pins.push([1, usize::MAX]));
    assert!(matches!(far, ModelError::ConnectionMember { list: "pins", connection: 2, member: "knots", .. }), "{far}");
    let fewer = error(|lengths| lengths.springs.truncate(lengths.springs.len() - 1));
    assert!(
        matches!(fewer, ModelError::ListLength { parameter: "stiffness", needed: 8, exactly: true, .. }),
        "{fewer}"
    );
    // Lists may be empty, and members of different chains may have one number.
    assert_eq!(made(|lengths| lengths.pins.clear()).expect("no pins").constraint_rows(), 2);
    assert!(made(|lengths| lengths.triples = vec![[1, 0, 1]]).is_ok());
}
