use lie_runtime::prelude::*;

#[mechanical_system]
mod net {
    use lie_runtime::prelude::*;

    #[configuration]
    pub struct Net {
        pub knots: Vec<R3>,
        pub bars: Vec<SE3>,
        pub hub: SE3,
    }

    #[kinetic_energy(over = knots)]
    fn kinetic(v: &Vector3<f64>) -> f64 {
        0.5 * v.norm_squared()
    }

    #[kinetic_energy(over = bars)]
    fn of_bars(v: &Vector6<f64>) -> f64 {
        0.5 * v.norm_squared()
    }

    #[kinetic_energy(over = hub)]
    fn of_hub(v: &Vector6<f64>) -> f64 {
        0.5 * v.norm_squared()
    }

    // A name is missing.
    #[potential(over = (knots, knots).by())]
    fn unnamed(a: &R3, b: &R3) -> f64 {
        (b - a).norm_squared()
    }

    // It is no name.
    #[potential(over = (knots, knots).by(2))]
    fn numbered(a: &R3, b: &R3) -> f64 {
        (b - a).norm_squared()
    }

    // It is that of a member.
    #[potential(over = (knots, knots).by(bars))]
    fn named_as_a_member(a: &R3, b: &R3) -> f64 {
        (b - a).norm_squared()
    }

    // A column that is no chain.
    #[potential(over = (knots, hub).by(ribs))]
    fn of_a_single_member(a: &R3, b: &SE3) -> f64 {
        (a - b.translation).norm_squared()
    }

    // A column that is no field.
    #[potential(over = (knots, knot).by(springs))]
    fn misspelt(a: &R3, b: &R3) -> f64 {
        (b - a).norm_squared()
    }

    // A column with a part of a chain.
    #[potential(over = (knots.first(), knots).by(springs))]
    fn of_a_part(a: &R3, b: &R3) -> f64 {
        (b - a).norm_squared()
    }

    #[potential(over = (knots, knots).by(pairs))]
    fn first_meaning(a: &R3, b: &R3) -> f64 {
        (b - a).norm_squared()
    }

    // Another meaning of the same list.
    #[potential(over = (knots, bars).by(pairs))]
    fn other_meaning(a: &R3, b: &SE3) -> f64 {
        (a - b.translation).norm_squared()
    }

    // Two members of one column.
    #[potential(over = knots.by(ties))]
    fn of_one_column([a, b]: [&R3; 2]) -> f64 {
        (b - a).norm_squared()
    }
}

fn main() {}
