use lie_runtime::prelude::*;

#[mechanical_system]
mod cable {
    use lie_runtime::prelude::*;

    #[configuration]
    pub struct Cable {
        pub nodes: Vec<R3>,
    }

    #[kinetic_energy(over = nodes)]
    fn kinetic(v: &Vector3<f64>) -> f64 {
        0.5 * v.norm_squared()
    }

    #[quantity(over = nodes.windows(2))]
    pub fn span([a, b]: [&R3; 2]) -> Vector3<f64> {
        b - a
    }

    #[quantity(over = nodes.windows(2))]
    pub fn stretch(t: f64, index: usize, [va, vb]: [&Vector3<f64>; 2], [a, b]: [&R3; 2]) -> f64 {
        (b - a).norm() * t
    }

    #[dissipation(over = nodes)]
    fn drag(v: &Vector3<f64>) -> Vector3<f64> {
        -0.1 * v
    }

    #[potential(over = (nodes, nodes).by(springs))]
    fn spring([a, b]: [&R3; 2]) -> f64 {
        (b - a).norm_squared()
    }
}

fn main() {
    let system = cable::System::new(cable::Lengths { nodes: 3, springs: vec![[0, 2]] }).unwrap();
    let q = cable::Cable { nodes: vec![R3::zeros(); 3] };
    let v = Vector3::zeros();
    let _ = cable::span_rate([&q.nodes[0], &q.nodes[1]], [&v, &v]);
    let _ = Simulation::of(&system).initial(q.clone(), system.zero_velocity()).step(0.01).end_time(1.0).run();
}
