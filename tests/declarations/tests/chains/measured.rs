//! Links and sections with data of each: against the same written out, and against a closed form.

use lie_runtime::prelude::*;
use lie_runtime::system::Linearised;

/// A pendulum of two measured links: frames along a chain with data of each, and written out.
#[mechanical_system]
mod measured {
    use lie_runtime::prelude::*;

    #[configuration]
    pub struct Pendulum {
        pub links: Vec<S2>,
    }

    #[parameters]
    pub struct Data {
        pub masses: Vec<f64>,
        pub lengths: Vec<f64>,
    }

    #[kinematics(over = links)]
    pub fn mass(p: &Data, index: usize, above: &R3, link: &S2) -> R3 {
        above + link.direction() * p.lengths[index]
    }

    #[kinetic_energy(over = mass)]
    fn kinetic(p: &Data, index: usize, v: &Vector3<f64>) -> f64 {
        0.5 * p.masses[index] * v.norm_squared()
    }

    #[potential(over = mass)]
    fn weight(p: &Data, index: usize, x: &R3) -> f64 {
        9.81 * p.masses[index] * x.z
    }
}

#[mechanical_system]
mod written_out {
    use lie_runtime::prelude::*;

    #[configuration]
    pub struct Pendulum {
        pub upper: S2,
        pub middle: S2,
        pub lower: S2,
    }

    #[quantity]
    fn positions(q: &Pendulum) -> SMatrix<f64, 9, 1> {
        let a = q.upper.direction() * 0.7;
        let b = a + q.middle.direction() * 0.4;
        let c = b + q.lower.direction() * 1.1;
        SMatrix::<f64, 9, 1>::from_column_slice(&[a.x, a.y, a.z, b.x, b.y, b.z, c.x, c.y, c.z])
    }

    #[kinetic_energy]
    fn kinetic(q: &Pendulum, v: &Velocity) -> f64 {
        let u = positions_rate(q, v);
        let square = |i: usize| u[i] * u[i] + u[i + 1] * u[i + 1] + u[i + 2] * u[i + 2];
        0.5 * (1.3 * square(0) + 0.6 * square(3) + 0.9 * square(6))
    }

    #[potential]
    fn weight(q: &Pendulum) -> f64 {
        let x = positions(q);
        9.81 * (1.3 * x[2] + 0.6 * x[5] + 0.9 * x[8])
    }
}

#[test]
fn measured_links_are_those_written_out() {
    let directions = [Vector3::new(1.0, 0.2, -0.3), Vector3::new(0.3, 1.0, -0.1), Vector3::new(-0.2, 0.4, -1.0)];
    let links = directions.map(|direction| S2::new(direction).expect("a direction"));
    let data = measured::Data { masses: vec![1.3, 0.6, 0.9], lengths: vec![0.7, 0.4, 1.1] };
    let chain = measured::System::new(data, measured::Lengths { links: 3 }).expect("a chain");
    let spelled = written_out::System::new().expect("a system");
    let omega = [Vector3::new(0.1, 0.4, 0.9), Vector3::new(-0.3, 0.2, 0.5), Vector3::new(0.7, -0.6, 0.1)];
    let omega: Vec<Vector3<f64>> =
        links.iter().zip(omega).map(|(link, v)| v - link.direction() * link.direction().dot(&v)).collect();
    let velocity = measured::Velocity { links: omega.clone() };
    let method = || OnMechanical(MuntheKaas::rkmk4());
    let one = Simulation::of(&chain)
        .initial(measured::Pendulum { links: links.to_vec() }, velocity)
        .method(method())
        .step(1e-3)
        .end_time(0.5)
        .run()
        .expect("a run");
    let [upper, middle, lower] = links;
    let velocity = written_out::Velocity { upper: omega[0], middle: omega[1], lower: omega[2] };
    let other = Simulation::of(&spelled)
        .initial(written_out::Pendulum { upper, middle, lower }, velocity)
        .method(method())
        .step(1e-3)
        .end_time(0.5)
        .run()
        .expect("a run");
    let (a, b) = (&one.last().configuration, &other.last().configuration);
    for (a, b) in a.links.iter().zip([b.upper, b.middle, b.lower]) {
        assert!((a.direction() - b.direction()).norm() < 1e-11, "{a:?} {b:?}");
    }
}

/// A cantilever whose sections get smaller to its end.
#[mechanical_system]
mod tapered {
    use lie_runtime::prelude::*;

    #[configuration]
    pub struct Rod {
        #[clamped(first)]
        pub nodes: Vec<S3R3>,
    }

    pub struct Section {
        pub bending: f64,
        pub stretching: f64,
        pub length: f64,
    }

    #[parameters]
    pub struct Data {
        pub sections: Vec<Section>,
        pub load: f64,
    }

    #[kinetic_energy(over = nodes)]
    fn kinetic(v: &Vector6<f64>) -> f64 {
        0.5 * v.norm_squared()
    }

    #[potential(over = nodes.windows(2))]
    fn elastic(p: &Data, index: usize, [a, b]: [&S3R3; 2]) -> f64 {
        let section = &p.sections[index];
        let step = (a.inverse() * *b).log() / section.length;
        let stretch = step.linear() - Vector3::new(1.0, 0.0, 0.0);
        0.5 * section.length
            * (section.bending * step.angular().norm_squared() + section.stretching * stretch.norm_squared())
    }

    #[potential(over = nodes.last())]
    fn load(p: &Data, end: &S3R3) -> f64 {
        -p.load * end.translation.z
    }
}

/// For a bending stiffness of (1 − x/2)⁴ the end of a rod of length 1 is at ∫ (1 − x)² / (1 − x/2)⁴ dx = 2/3 of a small load.
#[test]
fn a_tapered_cantilever_bends_as_in_closed_form() {
    const EDGES: usize = 64;
    let length = 1.0 / EDGES as f64;
    let sections = (0..EDGES).map(|i| tapered::Section {
        bending: (1.0 - (i as f64 + 0.5) * length / 2.0).powi(4),
        stretching: 1e7,
        length,
    });
    let data = tapered::Data { sections: sections.collect(), load: 1e-6 };
    let system = tapered::System::new(data, tapered::Lengths { nodes: EDGES + 1 }).expect("a rod");
    let node = |i: usize| S3R3 { rotation: S3::identity(), translation: Vector3::new(i as f64 * length, 0.0, 0.0) };
    let q = tapered::Rod { nodes: (0..=EDGES).map(node).collect() };
    let (dof, zero) = (system.dof(), system.zero_velocity());
    let (mut stiffness, mut force) = (system.zero_matrix(), system.zero_velocity());
    system.tangent_stiffness(0.0, &q, &zero, &zero, &system.zero_multipliers(), &mut stiffness);
    system.force(0.0, &q, &zero, &mut force);
    let dense = lie_runtime::nalgebra::DMatrix::from_fn(dof, dof, |i, j| system.matrix_entry(&stiffness, i, j));
    let moved = dense.lu().solve(&force).expect("a stiffness");
    let end = moved[dof - 1] / 1e-6;
    assert!((end - 2.0 / 3.0).abs() < 2e-4, "{end}");
}
