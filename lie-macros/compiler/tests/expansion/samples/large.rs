//! Declarations of long kernels, to count operations of.

/// Systems whose kernels are long, to count operations of.
pub(crate) const LARGE: [&str; 4] = [
    // A closed loop of two bodies, one of them on quaternions, with a spring between their tips and dry friction.
    r"
mod loop_of_two {
    #[configuration]
    struct Pair { first: SE3, second: S3R3 }
    #[parameters]
    struct Data { masses: [f64; 2], inertias: [Vector3<f64>; 2], arm: Vector3<f64>, ground: Vector3<f64>, stiffness: f64 }
    #[kinetic_energy]
    fn kinetic(data: &Data, v: &Velocity) -> f64 {
        0.5 * data.masses[0] * v.first.linear().norm_squared() + 0.5 * data.masses[1] * v.second.linear().norm_squared()
            + 0.5 * v.first.angular().dot(&data.inertias[0].component_mul(&v.first.angular()))
            + 0.5 * v.second.angular().dot(&data.inertias[1].component_mul(&v.second.angular()))
    }
    #[quantity]
    fn gap(data: &Data, q: &Pair) -> Vector3<f64> { q.first * data.arm - q.second * data.arm }
    #[potential]
    fn spring(data: &Data, q: &Pair) -> f64 {
        let length = (gap(data, q).norm_squared() + 0.01).sqrt() - 1.0;
        0.5 * data.stiffness * length * length
    }
    #[dissipation]
    fn friction(data: &Data, q: &Pair, v: &Velocity) -> f64 { (1e-4 + gap_rate(data, q, v).norm_squared()).sqrt() }
    #[constraint]
    fn hinged(data: &Data, q: &Pair) -> Vector3<f64> { q.first * (-data.arm) - data.ground }
    #[constraint]
    fn joined(data: &Data, q: &Pair) -> Vector3<f64> { q.first * data.arm - q.second * (-data.arm) }
}
",
    // A rod with damping, held at one end, on a wall that it may touch.
    r"
mod rod_at_a_wall {
    #[configuration]
    struct Rod { nodes: Vec<S3R3> }
    #[parameters]
    struct Section { length: f64, bending: Vector3<f64>, stretching: Vector3<f64>, mass: f64, damping: f64, wall: f64 }
    #[kinetic_energy(over = nodes)]
    fn kinetic(rod: &Section, v: &Vector6<f64>) -> f64 { 0.5 * rod.mass * v.dot(v) }
    #[quantity(over = nodes.windows(2))]
    fn strain(rod: &Section, length: usize, [a, b]: [&S3R3; 2]) -> Vector6<f64> {
        (a.inverse() * b).log() * (length - 1) as f64 / rod.length
    }
    #[potential(over = nodes.windows(2))]
    fn elastic(rod: &Section, length: usize, pair: [&S3R3; 2]) -> f64 {
        let e = strain(rod, length, pair);
        let (curvature, stretch) = (e.angular(), e.linear() - Vector3::new(0.0, 0.0, 1.0));
        0.5 * (curvature.dot(&rod.bending.component_mul(&curvature)) + stretch.dot(&rod.stretching.component_mul(&stretch)))
    }
    #[dissipation(over = nodes.windows(2))]
    fn viscous(rod: &Section, length: usize, pair: [&S3R3; 2], rates: [&Vector6<f64>; 2]) -> f64 {
        0.5 * rod.damping * strain_rate(rod, length, pair, rates).norm_squared()
    }
    #[potential(over = nodes)]
    fn wall(rod: &Section, node: &S3R3) -> f64 {
        let depth = (rod.wall - node.translation.x).max(0.0);
        depth.powi(3) / (1.0 + depth)
    }
    #[constraint(over = nodes.first())]
    fn clamped(node: &S3R3) -> Vector6<f64> { node.log() }
}
",
    // Three links in a plane, in angles.
    r"
mod three_links {
    const LINKS: usize = 3;
    #[configuration]
    struct Arm { links: [SO2; LINKS] }
    #[parameters]
    struct Data { lengths: [f64; LINKS], masses: [f64; LINKS], stiffness: f64 }
    #[quantity]
    fn points(data: &Data, q: &Arm) -> Vector6<f64> {
        let a = q.links[0] * Vector2::new(data.lengths[0], 0.0);
        let b = a + q.links[1] * Vector2::new(data.lengths[1], 0.0);
        let c = b + q.links[2] * Vector2::new(data.lengths[2], 0.0);
        Vector6::new(a.x, a.y, b.x, b.y, c.x, c.y)
    }
    #[kinetic_energy]
    fn kinetic(data: &Data, q: &Arm, v: &Velocity) -> f64 {
        let rate = points_rate(data, q, v);
        let mut sum = 0.0;
        for i in 0..LINKS { sum += 0.5 * data.masses[i] * (rate[2 * i] * rate[2 * i] + rate[2 * i + 1] * rate[2 * i + 1]); }
        sum
    }
    #[potential]
    fn weight(data: &Data, q: &Arm) -> f64 {
        let p = points(data, q);
        9.81 * (data.masses[0] * p[1] + data.masses[1] * p[3] + data.masses[2] * p[5])
    }
}
",
    // Bodies on a trunk that is free and on hinges, each a pose and a line of energy.
    r"
mod tree_of_bodies {
    #[configuration]
    struct Joints { trunk: SE3, hinges: [SO2; 4] }
    struct Link { mass: f64, center: Vector3<f64>, moments: Matrix3<f64>, place: Vector3<f64> }
    #[parameters]
    struct Tree { links: [Link; 5], gravity: f64 }
    fn about_z(q: &Joints, hinge: usize) -> SO3 { SO3::exp(&(Vector3::z() * q.hinges[hinge].angle())) }
    fn about_y(q: &Joints, hinge: usize) -> SO3 { SO3::exp(&(Vector3::y() * q.hinges[hinge].angle())) }
    #[quantity]
    fn trunk(q: &Joints) -> SE3 { q.trunk }
    #[quantity]
    fn hip(tree: &Tree, q: &Joints) -> SE3 { trunk(q) * SE3::new(about_z(q, 0), tree.links[1].place) }
    #[quantity]
    fn knee(tree: &Tree, q: &Joints) -> SE3 { hip(tree, q) * SE3::new(about_y(q, 1), tree.links[2].place) }
    #[quantity]
    fn foot(tree: &Tree, q: &Joints) -> SE3 { knee(tree, q) * SE3::new(about_z(q, 2), tree.links[3].place) }
    #[quantity]
    fn head(tree: &Tree, q: &Joints) -> SE3 { trunk(q) * SE3::new(about_y(q, 3), tree.links[4].place) }
    fn energy(link: &Link, twist: &Vector6<f64>) -> f64 {
        let velocity = twist.linear() + twist.angular().cross(&link.center);
        0.5 * link.mass * velocity.norm_squared() + 0.5 * twist.angular().dot(&(link.moments * twist.angular()))
    }
    #[kinetic_energy]
    fn kinetic(tree: &Tree, q: &Joints, v: &Velocity) -> f64 {
        energy(&tree.links[0], &trunk_rate(q, v)) + energy(&tree.links[1], &hip_rate(tree, q, v))
            + energy(&tree.links[2], &knee_rate(tree, q, v)) + energy(&tree.links[3], &foot_rate(tree, q, v))
            + energy(&tree.links[4], &head_rate(tree, q, v))
    }
    #[potential]
    fn weight(tree: &Tree, q: &Joints) -> f64 { tree.gravity * tree.links[3].mass * (foot(tree, q) * tree.links[3].center).z }
}
",
];
