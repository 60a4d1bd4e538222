//! M of many coupled components: eliminated by its factors, also where they have entries that M has not.

use fixtures::random::Random;
use lie_runtime::nalgebra::{SMatrix, SVector};
use lie_runtime::prelude::*;
use lie_runtime::system::KktError;

/// Each mass moves with the next one, the last with the first.
#[mechanical_system]
pub mod ring {
    use lie_runtime::prelude::*;

    #[configuration]
    pub struct Ring {
        pub x: [f64; 6],
    }

    #[parameters]
    pub struct Data {
        pub masses: [f64; 6],
        pub coupling: f64,
    }

    #[kinetic_energy]
    fn kinetic(data: &Data, q: &Ring, v: &Velocity) -> f64 {
        let mut energy = 0.0;
        for i in 0..6 {
            energy += 0.5 * data.masses[i] * v.x[i] * v.x[i];
            energy += data.coupling * (1.0 + 0.1 * q.x[i]) * v.x[i] * v.x[(i + 1) % 6];
        }
        energy
    }
}

const MASSES: [f64; 6] = [1.0, 2.0, 1.5, 3.0, 0.8, 1.2];
const COUPLING: f64 = 0.3;

fn mass(q: &ring::Ring) -> SMatrix<f64, 6, 6> {
    let mut mass = SMatrix::from_diagonal(&SVector::from(MASSES));
    for i in 0..6 {
        let (next, entry) = ((i + 1) % 6, COUPLING * (1.0 + 0.1 * q.x[i]));
        (mass[(i, next)], mass[(next, i)]) = (entry, entry);
    }
    mass
}

#[test]
fn factors_are_filled_in_where_they_must_be() {
    let system = ring::System::new(ring::Data { masses: MASSES, coupling: COUPLING }).unwrap();
    let mut random = Random::new(7);
    for _ in 0..10 {
        let q = ring::Ring { x: core::array::from_fn(|_| random.number()) };
        let force = random.vector::<6>();
        let (mut factors, mut acceleration) = (system.zero_mass(), system.zero_velocity());
        system.mass(0.0, &q, &mut factors).unwrap();
        system.solve_mass(&mut factors, &force, &mut acceleration);
        let expected = mass(&q).lu().solve(&force).unwrap();
        assert!((acceleration - expected).amax() < 1e-14 * expected.amax(), "{acceleration} {expected}");
    }
}

#[test]
fn the_component_without_a_positive_pivot_is_named() {
    let of = |component: usize, value: f64| {
        let mut masses = MASSES;
        masses[component] = value;
        let system = ring::System::new(ring::Data { masses, coupling: COUPLING }).unwrap();
        let mut factors = system.zero_mass();
        system.mass(0.0, &ring::Ring { x: [0.0; 6] }, &mut factors)
    };
    for component in 0..6 {
        assert_eq!(of(component, -1.0), Err(KktError::MassNotPositiveDefinite { component }));
    }
    // Less than what moves with it.
    assert!(of(3, 0.05).is_err());
    assert!(of(3, 0.5).is_ok());
}
