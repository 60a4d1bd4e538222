use lie_runtime::prelude::*;

#[mechanical_system]
mod rope {
    use lie_runtime::prelude::*;

    const TABLE: [f64; 2] = [1.0, 2.0];

    #[configuration]
    pub struct Rope {
        pub nodes: Vec<R3>,
    }

    #[parameters]
    pub struct Data {
        pub masses: Vec<f64>,
        pub kinds: Vec<usize>,
    }

    #[kinetic_energy(over = nodes)]
    fn kinetic(data: &Data, index: usize, v: &Vector3<f64>) -> f64 {
        0.5 * data.masses[index] * v.norm_squared()
    }

    // The number of an item is no product of two numbers of elements.
    #[potential(over = nodes)]
    fn squared(data: &Data, index: usize, x: &R3) -> f64 {
        data.masses[index * index] * x.z
    }

    // Nor is it data.
    #[potential(over = nodes)]
    fn by_data(data: &Data, index: usize, x: &R3) -> f64 {
        data.masses[data.kinds[index]] * x.z
    }

    // Nor does it depend on the state.
    #[potential(over = nodes)]
    fn by_state(data: &Data, x: &R3) -> f64 {
        let number = if x.z > 0.0 { 0 } else { 1 };
        TABLE[number] * x.z * data.masses[0]
    }

    // All items at once.
    #[potential(over = nodes)]
    fn summed(data: &Data, x: &R3) -> f64 {
        data.masses.iter().sum::<f64>() * x.z
    }

    #[potential(over = nodes)]
    fn looped(data: &Data, x: &R3) -> f64 {
        let mut sum = 0.0;
        for mass in &data.masses {
            sum += mass * x.z;
        }
        sum
    }

    #[potential(over = nodes.windows(2))]
    fn sliced(data: &Data, index: usize, [a, b]: [&R3; 2]) -> f64 {
        let pair = &data.masses[index..index + 2];
        pair[0] * a.z + pair[1] * b.z
    }

    // The list as a number.
    #[potential(over = nodes)]
    fn whole(data: &Data, x: &R3) -> f64 {
        data.masses * x.z
    }

    // An item as another thing.
    #[potential(over = nodes)]
    fn of_an_item(data: &Data, index: usize, x: &R3) -> f64 {
        data.masses[index].area * x.z
    }
}

fn main() {}
