//! Loops with redundant rows: the motion is that without them, and λ the least.

use lie_runtime::prelude::*;

/// Two parallelograms in the plane z = 0, one on the other, of spatial bars.
#[mechanical_system(redundant = minimum_norm)]
mod parallelograms {
    use lie_runtime::prelude::*;

    #[configuration]
    pub struct Angles {
        pub hinges: Vec<SO2>,
    }

    #[kinematics(over = hinges, parents = parents)]
    pub fn body(index: usize, above: &SE3, hinge: &SO2) -> SE3 {
        let arm = if index % 3 == 1 { Vector3::y() } else { Vector3::x() * (0.7 * (index % 3) as f64 / 2.0) };
        *above * SE3::new(SO3::exp(&(Vector3::z() * hinge.angle())), arm)
    }

    #[kinetic_energy(over = body)]
    fn kinetic(v: &Vector6<f64>) -> f64 {
        0.5 * v.linear().norm_squared() + 0.5 * 0.1 * v.angular().norm_squared()
    }

    #[potential(over = body)]
    fn weight(x: &SE3) -> f64 {
        9.81 * x.position().x + 2.0 * x.position().y
    }

    fn gap(coupler: &SE3, rocker: &SE3) -> Vector3<f64> {
        coupler * Vector3::new(0.7, 0.0, 0.0) - rocker * Vector3::y()
    }

    /// All that keeps the loop closed.
    #[constraint(over = (body, body).by(pins))]
    fn pinned(coupler: &SE3, rocker: &SE3) -> Vector2<f64> {
        let gap = gap(coupler, rocker);
        Vector2::new(gap.x, gap.y)
    }

    /// A hinge in space: the last three rows follow from the rows of the joints.
    #[constraint(over = (body, body).by(joints))]
    fn hinged(coupler: &SE3, rocker: &SE3) -> SVector<f64, 5> {
        let (gap, axis) = (gap(coupler, rocker), coupler.rotation * Vector3::z());
        let tilts = [axis.dot(&(rocker.rotation * Vector3::x())), axis.dot(&(rocker.rotation * Vector3::y()))];
        SVector::<f64, 5>::new(gap.x, gap.y, gap.z, tilts[0], tilts[1])
    }
}

const LOOPS: [[usize; 2]; 2] = [[1, 2], [4, 5]];

/// Angles and multipliers at the end.
fn end(pins: Vec<[usize; 2]>, joints: Vec<[usize; 2]>, method: &str) -> (Vec<f64>, Vec<f64>) {
    let parents = vec![None, Some(0), None, Some(1), Some(3), Some(1)];
    let system = parallelograms::System::new(parallelograms::Lengths { hinges: 6, parents, pins, joints }).unwrap();
    let start = parallelograms::Angles { hinges: vec![SO2::identity(); 6] };
    let run = Simulation::of(&system).initial(start, system.zero_velocity()).method_named(method).unwrap();
    let run = run.step(2e-3).end_time(0.4).run().unwrap_or_else(|error| panic!("{method}: {error}"));
    let last = run.last();
    let angles = last.configuration.hinges.iter().map(SO2::angle).collect();
    (angles, last.multipliers.iter().copied().collect())
}

fn apart(one: &[f64], other: &[f64]) -> f64 {
    one.iter().zip(other).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max)
}

#[test]
fn motions_do_not_depend_on_redundant_rows() {
    for method in ["hedop5", "lie_alpha"] {
        let (angles, forces) = end(LOOPS.to_vec(), vec![], method);
        assert!(angles[0].abs() > 0.1 && forces[..3].iter().all(|force| force.abs() > 0.1), "{angles:?} {forces:?}");
        // Each pin twice carries half the force; its rows stand beside one another, pin by pin.
        let (twice, halves) = end(LOOPS.into_iter().chain(LOOPS).collect(), vec![], method);
        assert!(apart(&angles, &twice) < 1e-9, "{method}: {:.1e}", apart(&angles, &twice));
        let half: Vec<f64> = forces.iter().chain(&forces).map(|force| 0.5 * force).collect();
        assert!(apart(&half, &halves) < 1e-6, "{method}: {half:?} {halves:?}");
        // A hinge in space carries nothing by the rows that follow from the others.
        let (spatial, wrenches) = end(vec![], LOOPS.to_vec(), method);
        assert!(apart(&angles, &spatial) < 1e-9, "{method}: {:.1e}", apart(&angles, &spatial));
        let expected: Vec<f64> = forces.chunks_exact(2).flat_map(|force| [force[0], force[1], 0.0, 0.0, 0.0]).collect();
        assert!(apart(&expected, &wrenches) < 1e-6, "{method}: {expected:?} {wrenches:?}");
    }
}
