use lie_runtime::prelude::*;

#[mechanical_system]
mod chain {
    use lie_runtime::prelude::*;

    const TWO: usize = 2;

    #[configuration]
    pub struct Chain {
        pub slider: R1,
        #[clamped(last)]
        pub masses: Vec<R2>,
        pub guides: [SO2; 2],
        #[clamped]
        pub ground: SE3,
    }

    #[parameters]
    pub struct Data {
        pub mass: f64,
        pub stiffness: f64,
    }

    #[kinetic_energy(over = masses)]
    fn kinetic(data: &Data, index: usize, length: usize, v: &Vector2<f64>) -> f64 {
        let share = if index == 0 || index + 1 == length { 0.5 } else { 1.0 };
        0.5 * share * data.mass / (length - 1) as f64 * v.dot(v)
    }

    #[kinetic_energy]
    fn others(v: &Velocity) -> f64 {
        0.5 * (v.slider.dot(&v.slider) + v.guides[0] * v.guides[0])
    }

    #[kinetic_energy(over = guides)]
    fn guide(v: &f64) -> f64 {
        0.5 * v * v
    }

    #[quantity(over = masses.windows(TWO))]
    pub fn stretch([a, b]: [&R2; 2]) -> f64 {
        (b - a).norm() - 1.0
    }

    #[potential(over = masses.windows(2))]
    fn elastic(data: &Data, pair: [&R2; 2]) -> f64 {
        0.5 * data.stiffness * stretch(pair).powi(2)
    }

    #[potential(over = masses.windows(3))]
    fn bending([a, b, c]: [&R2; 3]) -> f64 {
        (a - 2.0 * b + c).norm_squared()
    }

    #[dissipation(over = masses.windows(2))]
    fn viscous([a, b]: [&R2; 2], [va, vb]: [&Vector2<f64>; 2]) -> f64 {
        0.5 * stretch_rate([a, b], [va, vb]).powi(2)
    }

    #[constraint(over = (slider, masses.first()))]
    fn hung(s: &R1, m: &R2) -> f64 {
        m[0] - s[0]
    }

    #[velocity_constraint(over = (masses[1], guides[1]))]
    fn steered(vm: &Vector2<f64>, va: &f64) -> f64 {
        vm[1] - va
    }

    #[force(over = masses)]
    fn weight(data: &Data) -> Vector2<f64> {
        Vector2::new(0.0, -data.mass)
    }

    #[force(at = stretch)]
    fn pull(t: f64) -> f64 {
        -t
    }

    #[observable]
    fn tip(q: &Chain, v: &Velocity) -> Vector2<f64> {
        q.masses[0] + v.masses[0]
    }
}

#[test]
fn has_its_members_and_rows() {
    let data = chain::Data { mass: 1.0, stiffness: 2.0 };
    let system = chain::System::new(data, chain::Lengths { masses: 5 }).expect("long enough");
    assert_eq!(system.dof(), 1 + 8 + 2);
    assert_eq!(system.constraint_rows(), 2);
}
